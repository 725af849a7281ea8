// Polygons and discs, and the solids that they sweep out: prisms and rings.

#include "abut/mesh/generator_checks.hpp"
#include "abut/mesh/generators.hpp"
#include "abut/mesh/tet_writer.hpp"
#include "abut/mesh/triangulate_polygon.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace abut::generate {

using detail::require_coordinate;
using detail::require_count;
using detail::require_length;
using detail::require_representable;
using detail::require_torus_radii;
using detail::TetWriter;

namespace {

/// A filled polygon: 2D vertices and counter-clockwise triangles.
MeshData filled_polygon(std::string_view name, const std::vector<Vec2>& corners, int subdivisions, double layers)
{
    for (std::size_t k = 0; k < corners.size(); ++k)
        for (int c = 0; c < 2; ++c)
            require_coordinate(fmt::format("{}: corners[{}][{}]", name, k, c), corners[k][c]);
    require_count(fmt::format("{}: subdivisions", name), subdivisions, 1);
    const double n = subdivisions;
    const double triangles = std::max(1.0, double(corners.size()) - 2) * n * n;
    require_representable(fmt::format("{}: its triangles", name), triangles);
    require_representable(fmt::format("{}: its tets", name), 3 * triangles * layers);

    std::vector<Vec3> outline;
    for (const Vec2& corner : corners)
        outline.emplace_back(corner.x(), corner.y(), 0);
    double area = 0; // its sign is the sense of rotation
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec2 a = corners[k] - corners[0], b = corners[(k + 1) % corners.size()] - corners[0];
        area += a.x() * b.y() - a.y() * b.x();
    }
    if (area < 0)
        std::reverse(outline.begin(), outline.end());
    PolygonTriangulator triangulator;
    switch (triangulator.run(outline)) {
    case PolygonStatus::triangulated:
        break;
    case PolygonStatus::degenerate:
        reject("generate::{}: the {} corners enclose no area; give three or more around one", name, corners.size());
    case PolygonStatus::self_intersecting:
        reject("generate::{}: the polygon of {} corners crosses or touches itself; untangle it", name, corners.size());
    case PolygonStatus::too_many_corners:
        throw LimitReached(fmt::format(
            "generate::{}: {} corners are above the limit of {} for polygons that are not convex", name, corners.size(),
            PolygonTriangulator::max_concave_corners));
    }

    // Vertices: the corners, then those inside the edges of the first triangulation, then those inside its triangles.
    const int m = subdivisions;
    std::vector<Vec2> vertices;
    for (const Vec3& corner : outline)
        vertices.emplace_back(corner.head<2>());
    std::map<std::pair<int, int>, int> first_of_edge;
    const auto on_edge = [&](int p, int q, int step) { // `step` of m steps from p to q
        if (step == 0 || step == m)
            return step == 0 ? p : q;
        if (p > q)
            std::swap(p, q), step = m - step;
        const auto [entry, is_new] = first_of_edge.try_emplace({p, q}, static_cast<int>(vertices.size()));
        if (is_new) {
            const Vec2 a = vertices[std::size_t(p)], b = vertices[std::size_t(q)];
            for (int k = 1; k < m; ++k)
                vertices.emplace_back(a + double(k) / m * (b - a));
        }
        return entry->second + step - 1;
    };
    std::vector<std::array<int, 3>> faces;
    for (const auto& [p, q, r] : triangulator.triangles()) {
        std::vector<std::vector<int>> id(std::size_t(m) + 1); // rows from p q towards r
        for (int j = 0; j <= m; ++j)
            for (int i = 0; i + j <= m; ++i) {
                int vertex = 0;
                if (j == 0)
                    vertex = on_edge(p, q, i);
                else if (i == 0)
                    vertex = on_edge(p, r, j);
                else if (i + j == m)
                    vertex = on_edge(q, r, j);
                else {
                    vertex = static_cast<int>(vertices.size());
                    const Vec2 a = vertices[std::size_t(p)], b = vertices[std::size_t(q)], c = vertices[std::size_t(r)];
                    vertices.emplace_back(a + double(i) / m * (b - a) + double(j) / m * (c - a));
                }
                id[std::size_t(j)].push_back(vertex);
            }
        for (std::size_t j = 0; j < std::size_t(m); ++j)
            for (std::size_t i = 0; i + j < std::size_t(m); ++i) {
                faces.push_back({id[j][i], id[j][i + 1], id[j + 1][i]});
                if (i + j + 1 < std::size_t(m))
                    faces.push_back({id[j][i + 1], id[j + 1][i + 1], id[j + 1][i]});
            }
    }
    MeshData mesh;
    mesh.vertices.resize(Eigen::Index(vertices.size()), 2);
    for (std::size_t v = 0; v < vertices.size(); ++v)
        mesh.vertices.row(Eigen::Index(v)) = vertices[v].transpose();
    mesh.faces.resize(Eigen::Index(faces.size()), 3);
    for (std::size_t f = 0; f < faces.size(); ++f)
        mesh.faces.row(Eigen::Index(f)) << faces[f][0], faces[f][1], faces[f][2];
    return mesh;
}

/// A disc of radius 1: the centre, then rings of vertices, so that triangles keep their size towards the centre in one
/// direction at least.
MeshData disc(std::int64_t segments, std::int64_t rings)
{
    MeshData mesh;
    mesh.vertices.resize(1 + segments * rings, 2);
    mesh.faces.resize(segments * (2 * rings - 1), 3);
    mesh.vertices.row(0).setZero();
    const auto id = [&](std::int64_t i, std::int64_t ring) {
        return static_cast<int>(1 + i % segments + segments * (ring - 1));
    };
    for (std::int64_t ring = 1; ring <= rings; ++ring)
        for (std::int64_t i = 0; i < segments; ++i) {
            const double angle = 2 * std::numbers::pi * (double(i) / double(segments));
            mesh.vertices.row(id(i, ring)) = double(ring) / double(rings) * Vec2(std::cos(angle), std::sin(angle));
        }
    Eigen::Index next = 0;
    for (std::int64_t i = 0; i < segments; ++i) {
        mesh.faces.row(next++) << 0, id(i, 1), id(i + 1, 1);
        for (std::int64_t ring = 1; ring < rings; ++ring) {
            const int a = id(i, ring), b = id(i, ring + 1), c = id(i + 1, ring + 1), d = id(i + 1, ring);
            mesh.faces.row(next++) << a, b, c;
            mesh.faces.row(next++) << a, c, d;
        }
    }
    return mesh;
}

/// The tets between layers of copies of a triangulation; copy k has the vertices from k times their number on. Every
/// quadrilateral between two copies is cut from its smaller vertex in the lower copy to its larger one in the upper, so
/// that neighbours agree. `is_closed` joins the last copy to the first.
Tets swept_tets(const Faces& faces, std::int64_t num_vertices, std::int64_t copies, bool is_closed)
{
    const std::int64_t layers = is_closed ? copies : copies - 1;
    Tets result(3 * faces.rows() * layers, 4);
    TetWriter tets(result);
    for (std::int64_t k = 0; k < layers; ++k) {
        const std::int64_t lower = k * num_vertices, upper = (k + 1) % copies * num_vertices;
        for (Eigen::Index f = 0; f < faces.rows(); ++f) {
            std::array<int, 3> v = {faces(f, 0), faces(f, 1), faces(f, 2)};
            std::rotate(v.begin(), std::min_element(v.begin(), v.end()), v.end());
            const bool is_odd = v[1] > v[2]; // sorting turns the triangle around
            if (is_odd)
                std::swap(v[1], v[2]);
            const auto add = [&](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
                if (is_odd)
                    tets.tet(b, a, c, d);
                else
                    tets.tet(a, b, c, d);
            };
            add(lower + v[0], lower + v[1], lower + v[2], upper + v[2]);
            add(lower + v[0], lower + v[1], upper + v[2], upper + v[1]);
            add(lower + v[0], upper + v[1], upper + v[2], upper + v[0]);
        }
    }
    return result;
}

} // namespace

MeshData polygon(const PolygonOptions& options)
{
    return filled_polygon("polygon", options.corners, options.subdivisions, 0);
}

MeshData tet_prism(const TetPrismOptions& options)
{
    require_length("tet_prism: depth", options.depth);
    require_count("tet_prism: layers", options.layers, 1);
    const MeshData base = filled_polygon("tet_prism", options.corners, options.subdivisions, options.layers);
    const std::int64_t n = options.layers, count = base.vertices.rows();
    require_representable("tet_prism: its vertices", double(count) * double(n + 1));
    MeshData mesh;
    mesh.vertices.resize(count * (n + 1), 3);
    for (std::int64_t k = 0; k <= n; ++k) {
        mesh.vertices.block(k * count, 0, count, 2) = base.vertices;
        mesh.vertices.block(k * count, 2, count, 1).setConstant(options.depth * (double(2 * k - n) / double(2 * n)));
    }
    mesh.tets = swept_tets(base.faces, count, n + 1, false);
    return mesh;
}

MeshData tet_torus(const TetTorusOptions& options)
{
    require_torus_radii("tet_torus", options.major_radius, options.minor_radius);
    require_count("tet_torus: major_segments", options.major_segments, 3);
    require_count("tet_torus: minor_segments", options.minor_segments, 3);
    require_count("tet_torus: rings", options.rings, 1);
    const std::int64_t slices = options.major_segments;
    require_representable(
        "tet_torus: its tets", 3 * double(slices) * double(options.minor_segments) * (2 * double(options.rings) - 1));

    const MeshData section = disc(options.minor_segments, options.rings);
    const std::int64_t count = section.vertices.rows();
    MeshData mesh;
    mesh.vertices.resize(count * slices, 3);
    for (std::int64_t k = 0; k < slices; ++k) {
        // Clockwise seen from +y, so that the section's x, its y and the way of the sweep are right-handed.
        const double angle = 2 * std::numbers::pi * (double(k) / double(slices));
        for (std::int64_t v = 0; v < count; ++v) {
            const double from_axis = options.major_radius + options.minor_radius * section.vertices(v, 0);
            mesh.vertices.row(k * count + v) << from_axis * std::cos(angle),
                options.minor_radius * section.vertices(v, 1), from_axis * std::sin(angle);
        }
    }
    mesh.tets = swept_tets(section.faces, count, slices, true);
    return mesh;
}

} // namespace abut::generate
