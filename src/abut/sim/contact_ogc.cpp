// Offset Geometric Contact: Chen et al., 2025, under Newton's method. Pairs reach to twice dhat and are kept while they
// surely hold all contacts (docs/decisions/0009-ogc-under-newton.md): those beyond dhat have no energy yet, but may get
// some within the iteration, and Newton must see it rise.

#include "abut/sim/contact_model.hpp"

namespace abut {

ContactModel ogc_model()
{
    return barrier_model(
        {.summary = "offset blocks and the two-stage law, bodies that fly move as a whole",
         .set_type = CollisionSetType::ogc,
         .law = "two_stage",
         .laws = {"two_stage", "clamped_log"},
         .distance = DistanceKind::plain,
         .reach = 2,
         .guard = GuardKind::bounds});
}

} // namespace abut
