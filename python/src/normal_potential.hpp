#pragma once

#include "abut/contact/normal_potential.hpp"

#include <memory>

namespace abut::python {

/// A potential as Python holds it; see def_stiffness_of().
struct SharedNormalPotential {
    std::shared_ptr<const NormalPotential> potential;
};

/// The same of a known type.
template <typename Potential>
struct SharedPotential : SharedNormalPotential {
    explicit SharedPotential(Potential of) : SharedNormalPotential{std::make_shared<const Potential>(std::move(of))} {}

    [[nodiscard]] const Potential& get() const { return static_cast<const Potential&>(*potential); }
    const Potential* operator->() const { return &get(); }
};

} // namespace abut::python
