#include "abut/sim/verification.hpp"

#include "abut/base/error.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/geometry/predicates.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace abut {

namespace {

int count_inverted(const SceneObject& object, int start, const ConstPositions& x)
{
    int count = 0;
    const auto at = [&]<int Dim>(int v) { return Vec<Dim>(point<Dim>(x, start + v)); };
    if (object.kind == ObjectKind::solid)
        for (Eigen::Index t = 0; t < object.mesh.tets.rows(); ++t) {
            const auto corner = [&](int c) { return at.operator()<3>(object.mesh.tets(t, c)); };
            count += orientation(corner(0), corner(1), corner(2), corner(3)) <= 0;
        }
    if (object.kind == ObjectKind::planar)
        for (Eigen::Index f = 0; f < object.mesh.faces.rows(); ++f) {
            const auto corner = [&](int c) { return at.operator()<2>(object.mesh.faces(f, c)); };
            count += orientation(corner(0), corner(1), corner(2)) <= 0;
        }
    return count;
}

/// A vertex of one side of an intersection, of the surface; -1 for a plane.
int first_vertex(const Intersection& intersection, bool is_second, const CollisionMesh& mesh)
{
    const int element = intersection.pair[is_second ? 1 : 0];
    switch (intersection.kind) {
    case IntersectionKind::edge_face:
        return is_second ? mesh.faces()(element, 0) : mesh.edges()(element, 0);
    case IntersectionKind::edge_edge:
        return mesh.edges()(element, 0);
    case IntersectionKind::face_vertex:
        return is_second ? element : mesh.faces()(element, 0);
    case IntersectionKind::edge_vertex:
        return is_second ? element : mesh.edges()(element, 0);
    case IntersectionKind::vertex_vertex:
        return element;
    case IntersectionKind::plane_vertex:
        break;
    }
    return is_second ? element : -1;
}

std::string describe(const Intersection& intersection, const Model& model)
{
    const auto name = [&](bool is_second) {
        const int v = first_vertex(intersection, is_second, *model.mesh);
        return v < 0 ? fmt::format("plane {}", intersection.pair[0]) : model.names->vertex(model.surface->block_of(v));
    };
    return fmt::format(
        "near {} and {}, at ({:.6g}, {:.6g}, {:.6g})", name(false), name(true), intersection.location.x(),
        intersection.location.y(), intersection.location.z());
}

} // namespace

Verification verify(const Model& model, const ConstPositions& x)
{
    Verification verification;
    verification.is_checked = true;
    verification.num_intersections =
        static_cast<std::int64_t>(find_intersections(*model.mesh, model.mesh->vertices(x)).size());
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
        verification.num_inverted += count_inverted(model.scene.objects[k], model.object_starts[k], x);
    return verification;
}

void check_start(const Model& model)
{
    const std::vector<Intersection> found = find_intersections(*model.mesh, model.mesh->vertices(model.start.x));
    if (found.empty())
        return;
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < std::min<std::size_t>(found.size(), 10); ++k)
        lines.push_back(describe(found[k], model));
    throw InvalidStart(fmt::format(
        "the start intersects in {} places; move the bodies apart. The first: {}", found.size(),
        fmt::join(lines, "; ")));
}

} // namespace abut
