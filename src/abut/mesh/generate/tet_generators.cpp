#include "abut/mesh/generate/generator_checks.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/generate/icosahedral_shell.hpp"
#include "abut/mesh/generate/tet_writer.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

namespace abut::generate {

using detail::require_count;
using detail::require_length;
using detail::require_representable;
using detail::TetWriter;

namespace {

/// A tet with one corner as its origin, cut by planes parallel to its sides into n^3 pieces: small copies of it,
/// mirrored copies, and octahedra, which are cut into four tets around their shortest diagonal. `id(a, b, c)` is the
/// vertex that lies a, b and c steps of n from the origin along the three edges, which must be right-handed.
template <typename Id>
void cut_tet(std::int64_t n, const Id& id, const Positions& vertices, TetWriter& tets)
{
    for (std::int64_t a = 0; a < n; ++a)
        for (std::int64_t b = 0; a + b < n; ++b)
            for (std::int64_t c = 0; a + b + c < n; ++c) {
                const std::int64_t A = id(a + 1, b, c), B = id(a, b + 1, c), C = id(a, b, c + 1);
                tets.tet(id(a, b, c), A, B, C);
                if (a + b + c + 2 > n)
                    continue;
                const std::int64_t AB = id(a + 1, b + 1, c), BC = id(a, b + 1, c + 1), CA = id(a + 1, b, c + 1);
                const auto length = [&](std::int64_t p, std::int64_t q) {
                    return (point<3>(vertices, p) - point<3>(vertices, q)).squaredNorm();
                };
                const auto cut_around = [&](std::int64_t p, std::int64_t q,
                                            const std::array<std::int64_t, 4>& equator) {
                    for (std::size_t e = 0; e < 4; ++e)
                        tets.tet(p, q, equator[(e + 1) % 4], equator[e]);
                };
                const double ab = length(AB, C), bc = length(BC, A), ca = length(CA, B);
                if (ab <= bc && ab <= ca)
                    cut_around(AB, C, {CA, A, B, BC});
                else if (bc <= ca)
                    cut_around(BC, A, {AB, B, C, CA});
                else
                    cut_around(CA, B, {BC, C, A, AB});
                if (a + b + c + 3 <= n)
                    tets.tet(id(a + 1, b + 1, c + 1), BC, AB, CA);
            }
}

MeshData tet_lattice(const Vec3& size, const std::array<std::int64_t, 3>& n)
{
    MeshData mesh;
    const auto id = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
        return i + (n[0] + 1) * (j + (n[1] + 1) * k);
    };
    mesh.vertices.resize((n[0] + 1) * (n[1] + 1) * (n[2] + 1), 3);
    for (std::int64_t k = 0; k <= n[2]; ++k)
        for (std::int64_t j = 0; j <= n[1]; ++j)
            for (std::int64_t i = 0; i <= n[0]; ++i) {
                const Vec3 at(
                    double(2 * i - n[0]) / double(2 * n[0]), double(2 * j - n[1]) / double(2 * n[1]),
                    double(2 * k - n[2]) / double(2 * n[2]));
                mesh.vertices.row(id(i, j, k)) = size.cwiseProduct(at).transpose();
            }

    // A cell is one tet on every other corner and one at each of the four corners left. Cells of odd parity are
    // mirrored, so that the diagonals of the squares between cells agree. Bits 0, 1, 2 of a corner's number are its x,
    // y, z.
    mesh.tets.resize(5 * n[0] * n[1] * n[2], 4);
    TetWriter tets(mesh.tets);
    for (std::int64_t k = 0; k < n[2]; ++k)
        for (std::int64_t j = 0; j < n[1]; ++j)
            for (std::int64_t i = 0; i < n[0]; ++i) {
                const auto corner = [&](unsigned c) { return id(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1)); };
                const bool odd = (i + j + k) % 2 != 0;
                if (odd)
                    tets.tet(corner(1), corner(2), corner(4), corner(7));
                else
                    tets.tet(corner(0), corner(5), corner(3), corner(6));
                for (unsigned c = 0; c < 8; ++c) {
                    const bool even_corner = std::popcount(c) % 2 == 0;
                    if (even_corner != odd)
                        continue;
                    if (even_corner)
                        tets.tet(corner(c), corner(c ^ 1), corner(c ^ 2), corner(c ^ 4));
                    else
                        tets.tet(corner(c), corner(c ^ 2), corner(c ^ 1), corner(c ^ 4));
                }
            }
    return mesh;
}

} // namespace

MeshData tet_box(const TetBoxOptions& options)
{
    std::array<std::int64_t, 3> n;
    double num_cells = 1, num_vertices = 1;
    for (int axis = 0; axis < 3; ++axis) {
        require_length(fmt::format("tet_box: size[{}]", axis), options.size[axis]);
        const int count = options.subdivisions[std::size_t(axis)];
        require_count(fmt::format("tet_box: subdivisions[{}]", axis), count, 1);
        n[std::size_t(axis)] = count;
        num_cells *= double(count);
        num_vertices *= double(count) + 1;
    }
    require_representable("tet_box: its vertices", num_vertices);
    require_representable("tet_box: its tets", 5 * num_cells);
    return tet_lattice(options.size, n);
}

MeshData mat(const MatOptions& options)
{
    require_length("mat: width", options.width);
    require_length("mat: thickness", options.thickness);
    require_count("mat: cells", options.cells, 1);
    require_count("mat: layers", options.layers, 1);
    const double cells = options.cells, layers = options.layers;
    require_representable("mat: its vertices", (cells + 1) * (cells + 1) * (layers + 1));
    require_representable("mat: its tets", 5 * cells * cells * layers);
    return tet_lattice(
        Vec3(options.width, options.thickness, options.width), {options.cells, options.layers, options.cells});
}

MeshData tet_ball(const TetBallOptions& options)
{
    require_length("tet_ball: radius", options.radius);
    require_count("tet_ball: shells", options.shells, 1);
    const std::int64_t n = options.shells;
    require_representable("tet_ball: its tets", 20.0 * double(n) * double(n) * double(n));

    // Vertices: the centre, then shell by shell.
    std::vector<detail::IcosahedralShell> shells;
    std::vector<std::int64_t> first(1, 0);
    std::int64_t num_vertices = 1;
    shells.emplace_back(0); // the centre, so that shells[k] has radius k / n
    for (std::int64_t k = 1; k <= n; ++k) {
        first.push_back(num_vertices);
        shells.emplace_back(k);
        num_vertices += shells.back().num_vertices();
    }
    MeshData mesh;
    mesh.vertices.resize(num_vertices, 3);
    mesh.vertices.row(0).setZero();
    for (std::int64_t k = 1; k <= n; ++k)
        shells[std::size_t(k)].write_vertices(
            options.radius * (double(k) / double(n)), mesh.vertices, first[std::size_t(k)]);

    // The centre and a face of the icosahedron span a tet. Points are named by their steps (a, b, c) away from the
    // centre along the three spokes.
    mesh.tets.resize(20 * n * n * n, 4);
    TetWriter tets(mesh.tets);
    for (int face = 0; face < 20; ++face) {
        const auto id = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
            const std::int64_t shell = a + b + c;
            return shell == 0 ? 0 : first[std::size_t(shell)] + shells[std::size_t(shell)].id(face, a, b, c);
        };
        cut_tet(n, id, mesh.vertices, tets);
    }
    return mesh;
}

MeshData tet_cone(const TetConeOptions& options)
{
    require_length("tet_cone: radius", options.radius);
    require_length("tet_cone: height", options.height);
    require_count("tet_cone: segments", options.segments, 3);
    require_count("tet_cone: subdivisions", options.subdivisions, 1);
    const std::int64_t n = options.subdivisions, segments = options.segments;
    require_representable("tet_cone: its tets", double(segments) * double(n) * double(n) * double(n));

    // The base's centre, two neighbouring corners of the base and the tip span a tet, which is cut as those of the
    // ball. Points are named by their steps (a, b, c) from the centre towards corner s, corner s + 1 and the tip.
    // Vertices: the axis, then the planes through the axis and a corner, then what lies inside between two such planes.
    const std::int64_t on_plane = n * (n + 1) / 2, inside = (n - 1) * n * (n + 1) / 6;
    const std::int64_t first_plane = n + 1, first_inside = first_plane + segments * on_plane;
    const auto plane_id = [&](std::int64_t s, std::int64_t a, std::int64_t c) { // a >= 1, a + c <= n: row by row in c
        return first_plane + s % segments * on_plane + c * n - c * (c - 1) / 2 + a - 1;
    };
    const auto inside_id = [&](std::int64_t s, std::int64_t a, std::int64_t b, std::int64_t c) {
        // a, b >= 1. Below height c lie the triangles of sides m - 1, m - 2, ...: tetrahedral numbers; m = n - 1.
        const auto triangular = [](std::int64_t m) { return m * (m + 1) / 2; };
        const auto tetrahedral = [](std::int64_t m) { return m * (m + 1) * (m + 2) / 6; };
        const std::int64_t side = n - 1 - c;
        return first_inside + s * inside + tetrahedral(n - 1) - tetrahedral(side) + triangular(side) -
               triangular(side - (b - 1)) + a - 1;
    };

    MeshData mesh;
    mesh.vertices.resize(first_inside + segments * inside, 3);
    mesh.tets.resize(segments * n * n * n, 4);
    TetWriter tets(mesh.tets);
    const auto corner = [&](std::int64_t s) {
        const double angle = 2 * std::numbers::pi * (double(s % segments) / double(segments));
        return Vec3(options.radius * std::cos(angle), 0, -options.radius * std::sin(angle));
    };
    for (std::int64_t s = 0; s < segments; ++s) {
        const auto id = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
            return a == 0 && b == 0 ? c
                   : b == 0         ? plane_id(s, a, c)
                   : a == 0         ? plane_id(s + 1, b, c)
                                    : inside_id(s, a, b, c);
        };
        for (std::int64_t c = 0; c <= n; ++c)
            for (std::int64_t b = 0; b + c <= n; ++b)
                for (std::int64_t a = 0; a + b + c <= n; ++a) {
                    const Vec3 x = (double(a) * corner(s) + double(b) * corner(s + 1)) / double(n);
                    mesh.vertices.row(id(a, b, c)) << x.x(), options.height * (double(2 * c - n) / double(2 * n)),
                        x.z();
                }
        cut_tet(n, id, mesh.vertices, tets);
    }
    return mesh;
}

} // namespace abut::generate
