#pragma once
// Terms of a potential over pairs of the collision surface, as terms over unknowns.

#include "abut/sim/surface_map.hpp"
#include "abut/solver/energy.hpp"

namespace abut {

/// Owns a set and its potential: what a subset of an energy of contact is.
template <typename Set, typename Potential>
class SurfaceTerms final : public Terms {
public:
    /// Positions are those of the surface; of sliding they are displacements from `origin`.
    SurfaceTerms(const SurfaceMap& map, Set set, Potential potential, Positions origin = {})
        : map_(map), set_(std::move(set)), potential_(std::move(potential)), origin_(std::move(origin)),
          stencils_(map.to_unknowns(set_.stencils()))
    {}

    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override
    {
        if (set_.empty())
            return;
        Positions X = map_.positions(x);
        if (origin_.size() > 0)
            X -= origin_;
        if constexpr (requires { potential_->evaluate(set_, map_.mesh(), X, out); })
            potential_->evaluate(set_, map_.mesh(), X, out);
        else
            potential_.evaluate(set_, map_.mesh(), X, out);
    }

private:
    const SurfaceMap& map_;
    Set set_;
    Potential potential_;
    Positions origin_;
    Stencils stencils_;
};

} // namespace abut
