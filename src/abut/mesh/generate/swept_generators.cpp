// Polygons and discs, and the solids that they sweep out: prisms and rings.

#include "abut/mesh/generate/generator_checks.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/generate/tet_writer.hpp"
#include "abut/mesh/generate/triangulate_polygon.hpp"

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

void require_polygon(std::string_view name, const std::vector<Vec2>& corners, int subdivisions, double layers)
{
    for (std::size_t k = 0; k < corners.size(); ++k)
        for (int c = 0; c < 2; ++c)
            require_coordinate(fmt::format("{}: corners[{}][{}]", name, k, c), corners[k][c]);
    require_count(fmt::format("{}: subdivisions", name), subdivisions, 1);
    const double n = subdivisions;
    const double triangles = std::max(1.0, double(corners.size()) - 2) * n * n;
    require_representable(fmt::format("{}: its triangles", name), triangles);
    require_representable(fmt::format("{}: its tets", name), 3 * triangles * layers);
}

/// The corners counter-clockwise, at z = 0.
std::vector<Vec3> outline_of(const std::vector<Vec2>& corners)
{
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
    return outline;
}

void triangulate(std::string_view name, const std::vector<Vec3>& outline, PolygonTriangulator& triangulator)
{
    switch (triangulator.run(outline)) {
    case PolygonStatus::triangulated:
        break;
    case PolygonStatus::degenerate:
        reject("generate::{}: the {} corners enclose no area; give three or more around one", name, outline.size());
    case PolygonStatus::self_intersecting:
        reject("generate::{}: the polygon of {} corners crosses or touches itself; untangle it", name, outline.size());
    case PolygonStatus::too_many_corners:
        throw LimitReached(fmt::format(
            "generate::{}: {} corners are above the limit of {} for polygons that are not convex", name, outline.size(),
            PolygonTriangulator::max_concave_corners));
    }
}

/// Cuts triangles into m² smaller ones each, where neighbours share the vertices on their common edge. Vertices: the
/// corners, then those inside edges and triangles, as they are met.
class TriangleSubdivision {
public:
    TriangleSubdivision(const std::vector<Vec3>& corners, int m) : m_(m)
    {
        for (const Vec3& corner : corners)
            vertices_.emplace_back(corner.head<2>());
    }

    void add(int p, int q, int r)
    {
        const auto m = static_cast<std::size_t>(m_);
        std::vector<std::vector<int>> id(m + 1); // rows from p q towards r
        for (int j = 0; j <= m_; ++j)
            for (int i = 0; i + j <= m_; ++i)
                id[std::size_t(j)].push_back(vertex(p, q, r, i, j));
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t i = 0; i + j < m; ++i) {
                faces_.push_back({id[j][i], id[j][i + 1], id[j + 1][i]});
                if (i + j + 1 < m)
                    faces_.push_back({id[j][i + 1], id[j + 1][i + 1], id[j + 1][i]});
            }
    }

    [[nodiscard]] MeshData mesh() const
    {
        MeshData mesh;
        mesh.vertices.resize(Eigen::Index(vertices_.size()), 2);
        for (std::size_t v = 0; v < vertices_.size(); ++v)
            mesh.vertices.row(Eigen::Index(v)) = vertices_[v].transpose();
        mesh.faces.resize(Eigen::Index(faces_.size()), 3);
        for (std::size_t f = 0; f < faces_.size(); ++f)
            mesh.faces.row(Eigen::Index(f)) << faces_[f][0], faces_[f][1], faces_[f][2];
        return mesh;
    }

private:
    /// The vertex at p + i/m (q - p) + j/m (r - p). Inside the triangle each call makes a new one.
    int vertex(int p, int q, int r, int i, int j)
    {
        if (j == 0)
            return vertex_on_edge(p, q, i);
        if (i == 0)
            return vertex_on_edge(p, r, j);
        if (i + j == m_)
            return vertex_on_edge(q, r, j);
        const Vec2 a = vertices_[std::size_t(p)], b = vertices_[std::size_t(q)], c = vertices_[std::size_t(r)];
        vertices_.emplace_back(a + double(i) / m_ * (b - a) + double(j) / m_ * (c - a));
        return static_cast<int>(vertices_.size()) - 1;
    }

    /// The vertex `step` of m steps from p to q. The first call for an edge makes all of its vertices.
    int vertex_on_edge(int p, int q, int step)
    {
        if (step == 0 || step == m_)
            return step == 0 ? p : q;
        if (p > q)
            std::swap(p, q), step = m_ - step;
        const auto [entry, is_new] = first_of_edge_.try_emplace({p, q}, static_cast<int>(vertices_.size()));
        if (is_new) {
            const Vec2 a = vertices_[std::size_t(p)], b = vertices_[std::size_t(q)];
            for (int k = 1; k < m_; ++k)
                vertices_.emplace_back(a + double(k) / m_ * (b - a));
        }
        return entry->second + step - 1;
    }

    int m_;
    std::vector<Vec2> vertices_;
    std::vector<std::array<int, 3>> faces_;
    std::map<std::pair<int, int>, int> first_of_edge_; ///< first vertex inside the edge from the smaller corner on
};

/// A filled polygon: 2D vertices and counter-clockwise triangles.
MeshData filled_polygon(std::string_view name, const std::vector<Vec2>& corners, int subdivisions, double layers)
{
    require_polygon(name, corners, subdivisions, layers);
    const std::vector<Vec3> outline = outline_of(corners);
    PolygonTriangulator triangulator;
    triangulate(name, outline, triangulator);
    TriangleSubdivision subdivision(outline, subdivisions);
    for (const auto& [p, q, r] : triangulator.triangles())
        subdivision.add(p, q, r);
    return subdivision.mesh();
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
