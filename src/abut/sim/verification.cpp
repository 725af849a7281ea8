#include "abut/sim/verification.hpp"

#include "abut/base/error.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/geometry/predicates.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace abut {

namespace {

/// Rows of the elements of a body that have no positive volume; `start` is its first vertex.
std::vector<Eigen::Index> inverted_rows(const SceneObject& object, int start, const ConstPositions& x)
{
    std::vector<Eigen::Index> rows;
    const auto at = [&]<int Dim>(int v) { return Vec<Dim>(point<Dim>(x, start + v)); };
    if (object.kind == ObjectKind::solid)
        for (Eigen::Index t = 0; t < object.mesh.tets.rows(); ++t) {
            const auto corner = [&](int c) { return at.operator()<3>(object.mesh.tets(t, c)); };
            if (orientation(corner(0), corner(1), corner(2), corner(3)) <= 0)
                rows.push_back(t);
        }
    if (object.kind == ObjectKind::planar)
        for (Eigen::Index f = 0; f < object.mesh.faces.rows(); ++f) {
            const auto corner = [&](int c) { return at.operator()<2>(object.mesh.faces(f, c)); };
            if (orientation(corner(0), corner(1), corner(2)) <= 0)
                rows.push_back(f);
        }
    return rows;
}

/// One side of an intersection: the vertices of a face of the surface, of an edge or vertex that is in no face, or none
/// for a plane.
using Side = std::vector<int>;

Side face_side(const CollisionMesh& mesh, int f)
{
    return {mesh.faces()(f, 0), mesh.faces()(f, 1), mesh.faces()(f, 2)};
}
Side edge_side(const CollisionMesh& mesh, int e)
{
    const auto faces = mesh.edge_faces(e);
    return faces.empty() ? Side{mesh.edges()(e, 0), mesh.edges()(e, 1)} : face_side(mesh, faces.front());
}
Side vertex_side(const CollisionMesh& mesh, int v)
{
    const auto faces = mesh.vertex_faces(v);
    return faces.empty() ? Side{v} : face_side(mesh, faces.front());
}

std::pair<Side, Side> sides_of(const Intersection& intersection, const CollisionMesh& mesh)
{
    const auto [first, second] = intersection.pair;
    switch (intersection.kind) {
    case IntersectionKind::edge_face:
        return {edge_side(mesh, first), face_side(mesh, second)};
    case IntersectionKind::edge_edge:
        return {edge_side(mesh, first), edge_side(mesh, second)};
    case IntersectionKind::face_vertex:
        return {face_side(mesh, first), vertex_side(mesh, second)};
    case IntersectionKind::edge_vertex:
        return {edge_side(mesh, first), vertex_side(mesh, second)};
    case IntersectionKind::vertex_vertex:
        return {vertex_side(mesh, first), vertex_side(mesh, second)};
    case IntersectionKind::plane_vertex:
        break;
    }
    return {{}, {second}}; // the vertex that is behind the plane
}

/// The elements that intersect, each pair once, in the order of their discovery.
struct CrossingPair {
    Side a, b; ///< a is none for a plane
    int plane; ///< else -1
    Vec3 location;
};

std::vector<CrossingPair> crossing_pairs(const std::vector<Intersection>& found, const CollisionMesh& mesh)
{
    std::set<std::tuple<int, Side, Side>> known;
    std::vector<CrossingPair> pairs;
    for (const Intersection& intersection : found) {
        auto [a, b] = sides_of(intersection, mesh);
        if (b < a)
            std::swap(a, b);
        const int plane = intersection.kind == IntersectionKind::plane_vertex ? intersection.pair[0] : -1;
        if (known.emplace(plane, a, b).second)
            pairs.push_back({a, b, plane, intersection.location});
    }
    return pairs;
}

std::string name_of(const Side& side, int plane, const Model& model)
{
    if (side.empty())
        return fmt::format("plane {}", plane);
    constexpr std::array kinds{"vertex", "edge", "face"};
    std::vector<int> vertices;
    for (const int v : side)
        vertices.push_back(model.surface->block_of(v));
    return model.names->element(kinds[side.size() - 1], vertices);
}

std::string describe(const CrossingPair& pair, const Model& model)
{
    return fmt::format(
        "{} and {}, at ({:.6g}, {:.6g}, {:.6g})", name_of(pair.a, pair.plane, model),
        name_of(pair.b, pair.plane, model), pair.location.x(), pair.location.y(), pair.location.z());
}

/// What to do about pairs of which some are of one body and meet in vertices at one place; empty where none do.
std::string merge_advice(const std::vector<CrossingPair>& pairs, const Model& model, const Positions& x)
{
    for (const CrossingPair& pair : pairs)
        for (const int v : pair.a)
            for (const int w : pair.b) {
                const int from = model.surface->block_of(v), to = model.surface->block_of(w);
                const int object = model.names->object_of(from);
                if (v == w || object != model.names->object_of(to) || x.row(v) != x.row(w))
                    continue;
                const int start = model.object_starts[object];
                return fmt::format(
                    " '{}' has vertices at the same place, {} and {} among them: merge them (in Blender: Mesh, Merge, "
                    "By Distance).",
                    model.scene.objects[object].name, std::min(from, to) - start, std::max(from, to) - start);
            }
    return "";
}

/// The pairs as a mesh with vertices of its own for each element.
MeshData mesh_of(const std::vector<CrossingPair>& pairs, const Positions& x)
{
    std::vector<int> vertices;
    std::vector<std::array<int, 3>> faces;
    std::vector<std::array<int, 2>> edges;
    const auto add = [&](const Side& side) {
        const int first = static_cast<int>(vertices.size());
        vertices.insert(vertices.end(), side.begin(), side.end());
        if (side.size() == 3)
            faces.push_back({first, first + 1, first + 2});
        if (side.size() == 2)
            edges.push_back({first, first + 1});
    };
    std::set<Side> known;
    for (const CrossingPair& pair : pairs)
        for (const Side* side : {&pair.a, &pair.b})
            if (known.insert(*side).second)
                add(*side);
    MeshData mesh;
    mesh.vertices.resize(static_cast<Eigen::Index>(vertices.size()), 3);
    for (std::size_t i = 0; i < vertices.size(); ++i)
        mesh.vertices.row(static_cast<Eigen::Index>(i)) = lifted(x, vertices[i]).transpose();
    mesh.faces.resize(static_cast<Eigen::Index>(faces.size()), 3);
    for (std::size_t i = 0; i < faces.size(); ++i)
        mesh.faces.row(static_cast<Eigen::Index>(i)) << faces[i][0], faces[i][1], faces[i][2];
    mesh.edges.resize(static_cast<Eigen::Index>(edges.size()), 2);
    for (std::size_t i = 0; i < edges.size(); ++i)
        mesh.edges.row(static_cast<Eigen::Index>(i)) << edges[i][0], edges[i][1];
    return mesh;
}

/// What is free of intersections may still touch, or be within dmin: such a pair, if there is one.
StepLimit touching_pair(const Model& model, const Positions& x)
{
    if (!model.scene.contact.is_enabled())
        return {};
    return find_collision_free_stepsize(*model.mesh, x, x, {.dmin = model.scene.contact.dmin});
}

void check_distances(const Model& model, const Positions& x)
{
    const StepLimit limit = touching_pair(model, x);
    if (limit.kind == PairKind::none)
        return;
    const double dmin = model.scene.contact.dmin;
    const double offset = pair_offset(*model.mesh, limit.kind, limit.pair[0], limit.pair[1]);
    const std::string pair = model.names->pair(limit, *model.mesh, x);
    if (offset > 0)
        throw InvalidStart(fmt::format(
            "the start is in contact: {}, but their contact_thickness keeps them {:.4g} m apart; move them apart, or "
            "give a contact_thickness below the gap",
            pair, dmin + offset));
    throw InvalidStart(fmt::format(
        "the start is in contact: {}; move them apart, to more than {}", pair,
        dmin > 0 ? fmt::format("contact.dmin = {:.4g} m", dmin) : "a distance of 0"));
}

} // namespace

Verification verify(const Model& model, const ConstPositions& x)
{
    Verification verification;
    verification.is_checked = true;
    verification.num_intersections =
        static_cast<std::int64_t>(find_intersections(*model.mesh, model.mesh->vertices(x)).size());
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
        verification.num_inverted +=
            static_cast<int>(inverted_rows(model.scene.objects[k], model.object_starts[k], x).size());
    return verification;
}

void check_start(const Model& model)
{
    const Positions x = model.mesh->vertices(model.start.x);
    const std::vector<Intersection> found = find_intersections(*model.mesh, x);
    if (found.empty())
        return check_distances(model, x);
    const std::vector<CrossingPair> pairs = crossing_pairs(found, *model.mesh);
    constexpr std::size_t most_lines = 10;
    std::string lines;
    for (std::size_t k = 0; k < std::min(pairs.size(), most_lines); ++k)
        lines += "\n  " + describe(pairs[k], model);
    if (pairs.size() > most_lines)
        lines += fmt::format("\n  and {} more", pairs.size() - most_lines);
    const std::string merge = merge_advice(pairs, model, x);
    throw StartIntersects(
        fmt::format(
            "the start intersects in {} pairs of elements;{}{}", pairs.size(),
            merge.empty() ? " move the bodies apart." : merge, lines),
        mesh_of(pairs, x));
}

std::vector<StartFinding> start_findings(const Model& model)
{
    const Positions x = model.mesh->vertices(model.start.x);
    std::vector<StartFinding> findings;
    for (const CrossingPair& pair : crossing_pairs(find_intersections(*model.mesh, x), *model.mesh)) {
        StartFinding finding{fmt::format("{} intersect", describe(pair, model)), {}};
        for (const Side* side : {&pair.a, &pair.b}) {
            std::vector<Vec3> corners;
            for (const int v : *side)
                corners.push_back(lifted(x, v));
            if (!corners.empty()) // a plane has none
                finding.elements.push_back(std::move(corners));
        }
        findings.push_back(std::move(finding));
    }
    if (!findings.empty())
        return findings;
    if (const StepLimit limit = touching_pair(model, x); limit.kind != PairKind::none) {
        StartFinding finding{model.names->pair(limit, *model.mesh, x), {}};
        for (const int v : BodyNames::vertices(limit, *model.mesh))
            finding.elements.push_back({lifted(model.start.x, v)});
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<StartFinding> inverted_findings(const Scene& scene)
{
    std::vector<StartFinding> findings;
    for (const SceneObject& object : scene.objects)
        for (const Eigen::Index row : inverted_rows(object, 0, object.mesh.vertices)) {
            const auto add = [&](const char* kind, const auto& corners) {
                StartFinding finding{
                    fmt::format("{} {} of '{}' is inverted or has no volume", kind, row, object.name), {{}}};
                for (const int v : corners)
                    finding.elements.back().push_back(lifted(object.mesh.vertices, v));
                findings.push_back(std::move(finding));
            };
            if (object.kind == ObjectKind::solid)
                add("tetrahedron", object.mesh.tets.row(row));
            else
                add("triangle", object.mesh.faces.row(row));
        }
    return findings;
}

} // namespace abut
