#pragma once
// The exact tests of a state, by a search of their own that shares nothing with the simulation.

#include "abut/base/error.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// What the exact tests say about a state.
struct Verification {
    bool is_checked = false;
    std::int64_t num_intersections = 0;
    double smallest_distance = INFINITY; ///< of pairs within dmin + dhat [m]
    int num_inverted = 0;                ///< solid or planar elements of volume <= 0
    [[nodiscard]] bool is_good() const { return num_intersections == 0 && num_inverted == 0; }
};

/// Intersections, also where contact is off, and inverted elements at x. Leaves the smallest distance open.
[[nodiscard]] Verification verify(const Model& model, const ConstPositions& x);

/// A start that intersects, with the elements that do as a mesh.
class StartIntersects : public InvalidStart {
public:
    StartIntersects(const std::string& message, MeshData mesh) : InvalidStart(message), elements(std::move(mesh)) {}
    MeshData elements;
};

/// Throws StartIntersects where the start intersects and InvalidStart where something touches or is within dmin, naming
/// bodies and elements.
void check_start(const Model& model);

/// Something that keeps a scene from starting, for pictures.
struct StartFinding {
    std::string sentence;                    ///< without a full stop
    std::vector<std::vector<Vec3>> elements; ///< corners [m]: of a vertex, an edge, a face or a tetrahedron
};

/// What check_start() throws for: all pairs that intersect, or where there are none a pair that touches or is within
/// dmin.
[[nodiscard]] std::vector<StartFinding> start_findings(const Model& model);

/// Solid and planar elements of volume <= 0. Needs no model, since such a scene has none.
[[nodiscard]] std::vector<StartFinding> inverted_findings(const Scene& scene);

} // namespace abut
