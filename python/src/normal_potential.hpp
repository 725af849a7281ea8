#pragma once

#include "abut/contact/adhesion/normal_adhesion_potential.hpp"
#include "abut/contact/barrier_potential.hpp"

#include <memory>

namespace abut::python {

/// A potential as Python holds it. What changes in Python, such as the stiffness, changes a copy, so that calls under
/// way in other threads go on with what they began with.
struct SharedNormalPotential {
    std::shared_ptr<const NormalPotential> potential;
};

struct SharedBarrierPotential : SharedNormalPotential {
    explicit SharedBarrierPotential(const BarrierPotentialOptions& options)
        : SharedNormalPotential{std::make_shared<const BarrierPotential>(options)}
    {}

    [[nodiscard]] const BarrierPotential& get() const { return static_cast<const BarrierPotential&>(*potential); }
    void set_stiffness(double stiffness)
    {
        BarrierPotential changed = get();
        changed.set_stiffness(stiffness);
        potential = std::make_shared<const BarrierPotential>(changed);
    }
};

struct SharedNormalAdhesionPotential : SharedNormalPotential {
    explicit SharedNormalAdhesionPotential(const NormalAdhesionOptions& options)
        : SharedNormalPotential{std::make_shared<const NormalAdhesionPotential>(options)}
    {}

    [[nodiscard]] const NormalAdhesionPotential& get() const
    {
        return static_cast<const NormalAdhesionPotential&>(*potential);
    }
};

} // namespace abut::python
