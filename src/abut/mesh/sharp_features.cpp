#include "abut/mesh/sharp_features.hpp"

#include "abut/base/error.hpp"
#include "abut/geometry/dihedral_angle.hpp"

#include <cmath>

namespace abut {

namespace {

/// Turns up to so far above the limit count as at it; SharpFeatures.TurnsOfTheLimitItselfAreNotSharp pins it [rad].
constexpr double margin = 1e-6;

/// Between two directions, in [0, pi]; 0 where one has no length.
double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

/// From one vertex of an edge to the other.
Vec3 away(const CollisionMesh& mesh, int edge, int from)
{
    const int to = mesh.edges()(edge, 0) == from ? mesh.edges()(edge, 1) : mesh.edges()(edge, 0);
    return lifted(mesh.rest_positions(), to) - lifted(mesh.rest_positions(), from);
}

bool is_sharp_edge(const CollisionMesh& mesh, int e, double limit)
{
    const auto opposites = mesh.edge_opposites(e);
    if (opposites.size() != 2)
        return true;
    const auto at = [&](int v) { return point<3>(mesh.rest_positions(), v); };
    const int e0 = mesh.edges()(e, 0), e1 = mesh.edges()(e, 1);
    return std::abs(dihedral_angle(at(e0), at(e1), at(opposites[0]), at(opposites[1]), Order::value).value) > limit;
}

/// The angle at which the sides of a cone rise whose tip has the same sum of angles as the faces of a vertex.
double steepness(const CollisionMesh& mesh, int v)
{
    double sum = 0;
    for (const int f : mesh.vertex_faces(v)) {
        const auto corners = mesh.faces().row(f);
        const int k = corners[0] == v ? 0 : corners[1] == v ? 1 : 2;
        const auto side = [&](int i) -> Vec3 {
            return point<3>(mesh.rest_positions(), corners[(k + i) % 3]) - point<3>(mesh.rest_positions(), v);
        };
        sum += angle_between(side(1), side(2));
    }
    return std::acos(std::min(sum / (2 * std::numbers::pi), 1.0));
}

/// `sharp`: the sharp edges of the vertex.
bool is_corner(const CollisionMesh& mesh, int v, const std::vector<int>& sharp, double limit)
{
    if (sharp.size() == 2)
        return angle_between(-away(mesh, sharp[0], v), away(mesh, sharp[1], v)) > limit;
    if (sharp.size() == 1)
        return mesh.edge_faces(sharp[0]).size() != 2;
    return !sharp.empty() || (!mesh.vertex_faces(v).empty() && steepness(mesh, v) > limit);
}

} // namespace

SharpFeatures sharp_features(const CollisionMesh& mesh, double angle)
{
    if (!(angle > 0 && angle < std::numbers::pi))
        reject("angle: {} is not between 0 and pi [rad]", angle);
    const double limit = angle + margin;
    std::vector<std::uint8_t> is_sharp(mesh.num_edges(), 1); // in the plane all
    SharpFeatures found;
    if (mesh.dim() == 3)
        for (int e = 0; e < mesh.num_edges(); ++e) {
            is_sharp[e] = is_sharp_edge(mesh, e, limit) ? 1 : 0;
            if (is_sharp[e] != 0)
                found.edges.push_back(e);
        }
    std::vector<int> sharp;
    for (int v = 0; v < mesh.num_vertices(); ++v) {
        sharp.clear();
        for (const int e : mesh.vertex_edges(v))
            if (is_sharp[e] != 0)
                sharp.push_back(e);
        if (is_corner(mesh, v, sharp, limit))
            found.corners.push_back(v);
    }
    return found;
}

} // namespace abut
