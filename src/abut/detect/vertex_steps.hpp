#pragma once
// How far each vertex may go on a straight way: not all of them less far because two elements meet somewhere.

#include "abut/detect/detection.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace abut {

struct VertexStepOptions {
    double dmin = 0;  ///< elements stay more than this apart [m], >= 0
    double clearance; ///< beyond dmin: pairs that are farther apart stop here [m], > 0, below the range less dmin
    /// Pairs that are nearer than that by this keep this share of their gap, in (0, 1).
    double kept_share = 0.5;
    /// More pairs of elements than this to be looked at one by one end the search.
    std::int64_t max_pairs = 10'000'000;
};

/// For each vertex, the smallest safe share of the way among the pairs that it is in, in [0, 1]; 1 where it stands
/// still. Where all are 1 the way from X0 to X1 is free of contact. A shorter way has to be looked at again, for then
/// elements meet elsewhere. `detection` must have been updated at X0. Nothing where too many pairs come near each
/// other.
///
/// Pairs that were found are cleared by how their vertices move against each other, or looked at by continuous
/// collision detection. Others are farther apart than the range: they are cleared in bunches, where all vertices of two
/// move almost alike, or where an axis separates them at both ends of the way. So what moves along with its neighbours
/// costs almost nothing, however far it goes.
[[nodiscard]] std::optional<std::vector<double>> find_vertex_steps(
    const CollisionMesh& mesh, const Detection& detection, const Positions& X0, const Positions& X1,
    const VertexStepOptions& options);

/// The same for one way after the other from the same place, as it is shortened: only pairs of which a vertex goes
/// another way than before, or met something, are looked at again.
class VertexSteps {
public:
    /// All but the options must outlive it.
    VertexSteps(
        const CollisionMesh& mesh, const Detection& detection, const Positions& X0, const VertexStepOptions& options);
    ~VertexSteps();

    [[nodiscard]] std::optional<std::vector<double>> find(const Positions& X1);

private:
    class Search;
    std::unique_ptr<Search> search_;
};

} // namespace abut
