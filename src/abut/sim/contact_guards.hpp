#pragma once
// What keeps the steps of contact safe: one scale from continuous collision detection.

#include "abut/sim/body_names.hpp"
#include "abut/sim/contact_pairs.hpp"
#include "abut/solver/step_guard.hpp"

namespace abut {

/// Continuous collision detection of the surface.
class CcdGuard final : public StepGuard {
public:
    /// `pairs` must outlive it. What they found where a step starts serves the guard too.
    CcdGuard(ContactPairs& pairs, BodyNames names) : pairs_(pairs), names_(std::move(names)) {}
    [[nodiscard]] Limit limit(const Unknowns& x, const Unknowns& dx) override;

private:
    ContactPairs& pairs_;
    BodyNames names_;
};

} // namespace abut
