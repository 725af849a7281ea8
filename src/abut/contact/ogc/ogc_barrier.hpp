#pragma once
// OGC's energy of a contact: the two-stage law of the plain distance ("Offset Geometric Contact", eq. 18).

#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/laws/two_stage.hpp"

namespace abut {

/// For sets of type CollisionSetType::ogc with the same dhat, the contact radius r [m]. The stiffness k_c is that of a
/// spring [N/m]; with use_area_weighting of the set, of a spring a unit area [N/m³].
[[nodiscard]] inline BarrierPotentialOptions ogc_barrier(double dhat, double stiffness)
{
    return {.dhat = dhat, .stiffness = stiffness, .law = make_normal_law(OnDistance<TwoStage>{})};
}

} // namespace abut
