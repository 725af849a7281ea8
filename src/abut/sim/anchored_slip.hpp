#pragma once
// The memory of friction that holds, as a state keeps it.

#include "abut/contact/friction/slip_memory.hpp"
#include "abut/sim/sliding_energy.hpp"

namespace abut {

class AnchoredSlip final : public SlidingMemory {
public:
    /// `mesh` must outlive it; the others as those of SlipMemory. The state keeps it under `name`.
    AnchoredSlip(const CollisionMesh& mesh, double slip, std::vector<int> bodies, std::string name)
        : mesh_(mesh), memory_(slip, std::move(bodies)), name_(std::move(name))
    {}

    void recall(const ConstPositions& X0, const ConstPositions& X, TangentialCollisions& terms) const override
    {
        memory_.recall(mesh_, X0, X, terms);
    }
    void remember(
        const ConstPositions& X0, const ConstPositions& X, const ConstPositions& X1,
        const TangentialCollisions& terms) override
    {
        memory_.remember(mesh_, X0, X, X1, terms);
    }
    void save(History& history) const override { history.set(name_, memory_.numbers(mesh_.dim())); }
    void load(const History& history) override
    {
        if (const std::vector<double>* numbers = history.find(name_))
            memory_.set_numbers(mesh_, *numbers, name_);
        else
            memory_.clear();
    }

private:
    const CollisionMesh& mesh_;
    SlipMemory memory_;
    std::string name_;
};

} // namespace abut
