#pragma once
// What keeps the steps of contact safe: one scale from continuous collision detection, or one bound per vertex.

#include "abut/sim/body_names.hpp"
#include "abut/sim/contact_pairs.hpp"

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

/// The regions of frozen pairs: each vertex of the surface stays in its own. For solvers that move vertices one by one;
/// under Newton a body throttles itself so (docs/decisions/0021-free-motion.md).
class BoundsGuard final : public StepGuard {
public:
    /// `pairs` must outlive it, and be frozen.
    explicit BoundsGuard(ContactPairs& pairs) : pairs_(pairs) { ABUT_ASSERT(pairs.is_frozen()); }
    [[nodiscard]] Cut cut(const Unknowns& x, Eigen::VectorXd& dx, const Eigen::VectorXd& gradient) override
    {
        return pairs_.cut(x, dx, gradient);
    }

private:
    ContactPairs& pairs_;
};

} // namespace abut
