#pragma once
// A sum of local terms that the solver minimises: inertia, elasticity, contact, friction, scripts.

#include "abut/linear/stencils.hpp"
#include "abut/linear/term_output.hpp"
#include "abut/math/types.hpp"

#include <string_view>

namespace abut {

class Energy {
public:
    virtual ~Energy() = default;

    /// For reports, e.g. "contact".
    [[nodiscard]] virtual std::string_view name() const = 0;

    /// The vertices of its terms; update() may change them.
    [[nodiscard]] virtual const Stencils& stencils() const = 0;

    /// Called at the positions from which an iteration steps; true where the terms changed. For energies whose terms
    /// stay while the line search tries positions.
    virtual bool begin_iteration(const ConstPositions& /*x*/) { return false; }

    /// Refreshes the active terms at a trial position x; they stay as they are until the next update.
    virtual void update(const ConstPositions& /*x*/) {}

    /// Writes what is asked for of every term.
    virtual void evaluate(const ConstPositions& x, const TermOutput& out) const = 0;

    /// Called after each step that was taken; true where the energy changed itself, e.g. became stiffer.
    virtual bool iterated(const ConstPositions& /*x*/) { return false; }

    /// A t in (0, 1] such that x + s dx is in the energy's domain for all s in [0, t].
    [[nodiscard]] virtual double limit_step(const ConstPositions& /*x*/, const ConstPositions& /*dx*/) const
    {
        return 1;
    }
};

} // namespace abut
