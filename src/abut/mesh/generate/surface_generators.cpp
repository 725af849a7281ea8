#include "abut/base/assert.hpp"
#include "abut/mesh/generate/generator_checks.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/generate/icosahedral_shell.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace abut::generate {

using detail::require_coordinate;
using detail::require_count;
using detail::require_length;
using detail::require_representable;
using detail::require_torus_radii;

namespace {

/// Fills the rows of a face array one after the other.
class FaceWriter {
public:
    explicit FaceWriter(Faces& faces) : faces_(faces) {}
    FaceWriter(const FaceWriter&) = delete;
    FaceWriter& operator=(const FaceWriter&) = delete;
    ~FaceWriter() { ABUT_ASSERT(next_ == faces_.rows()); } // every row was filled

    void triangle(std::int64_t a, std::int64_t b, std::int64_t c)
    {
        faces_.row(next_++) << static_cast<int>(a), static_cast<int>(b), static_cast<int>(c);
    }

    enum class Diagonal : bool { ac, bd };

    void quad(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d, Diagonal diagonal)
    {
        if (diagonal == Diagonal::ac) {
            triangle(a, b, c);
            triangle(a, c, d);
        } else {
            triangle(a, b, d);
            triangle(b, c, d);
        }
    }

private:
    Faces& faces_;
    Eigen::Index next_ = 0;
};

FaceWriter::Diagonal alternate(std::int64_t i, std::int64_t j)
{
    return (i + j) % 2 == 0 ? FaceWriter::Diagonal::ac : FaceWriter::Diagonal::bd;
}

/// Point i of n + 1 that cut [-length / 2, length / 2] into n equal parts; symmetric to the last bit.
double lattice_coordinate(double length, std::int64_t i, std::int64_t n)
{
    return length * (double(2 * i - n) / double(2 * n));
}

/// Point i of n on the unit circle in the x-z plane, counter-clockwise seen from +y.
Vec3 circle_point(std::int64_t i, std::int64_t n)
{
    const double angle = 2 * std::numbers::pi * (double(i) / double(n));
    return {std::cos(angle), 0, -std::sin(angle)};
}

MeshData grid(std::string_view name, const GridOptions& options, bool alternating)
{
    require_length(fmt::format("{}: size[0]", name), options.size[0]);
    require_length(fmt::format("{}: size[1]", name), options.size[1]);
    require_count(fmt::format("{}: cells[0]", name), options.cells[0], 1);
    require_count(fmt::format("{}: cells[1]", name), options.cells[1], 1);
    const std::int64_t nx = options.cells[0], nz = options.cells[1];
    require_representable(fmt::format("{}: its vertices", name), double(nx + 1) * double(nz + 1));
    require_representable(fmt::format("{}: its faces", name), 2.0 * double(nx) * double(nz));

    MeshData mesh;
    mesh.vertices.resize((nx + 1) * (nz + 1), 3);
    mesh.faces.resize(2 * nx * nz, 3);
    const auto id = [&](std::int64_t i, std::int64_t k) { return i + (nx + 1) * k; };
    for (std::int64_t k = 0; k <= nz; ++k)
        for (std::int64_t i = 0; i <= nx; ++i)
            mesh.vertices.row(id(i, k)) << lattice_coordinate(options.size[0], i, nx), 0,
                lattice_coordinate(options.size[1], k, nz);
    FaceWriter faces(mesh.faces);
    for (std::int64_t k = 0; k < nz; ++k)
        for (std::int64_t i = 0; i < nx; ++i)
            faces.quad(
                id(i, k), id(i, k + 1), id(i + 1, k + 1), id(i + 1, k),
                alternating ? alternate(i, k) : FaceWriter::Diagonal::ac);
    return mesh;
}

} // namespace

MeshData box(const BoxOptions& options)
{
    std::array<std::int64_t, 3> n;
    for (int axis = 0; axis < 3; ++axis) {
        require_length(fmt::format("box: size[{}]", axis), options.size[axis]);
        n[std::size_t(axis)] = options.subdivisions[std::size_t(axis)];
        require_count(fmt::format("box: subdivisions[{}]", axis), options.subdivisions[std::size_t(axis)], 1);
    }
    const double squares =
        2 * (double(n[0]) * double(n[1]) + double(n[1]) * double(n[2]) + double(n[2]) * double(n[0]));
    require_representable("box: its faces", 2 * squares);

    // Vertices are numbered by layers along z: full ones at the ends, rings around the rim between them.
    const std::int64_t full = (n[0] + 1) * (n[1] + 1), ring = 2 * (n[0] + n[1]);
    const auto id = [&](const std::array<std::int64_t, 3>& at) {
        const auto [i, j, k] = at;
        if (k == 0)
            return i + (n[0] + 1) * j;
        const std::int64_t layer = full + (k - 1) * ring;
        if (k == n[2])
            return layer + i + (n[0] + 1) * j;
        if (j == 0)
            return layer + i;
        if (j == n[1])
            return layer + (n[0] + 1) + 2 * (n[1] - 1) + i;
        return layer + (n[0] + 1) + 2 * (j - 1) + (i == 0 ? 0 : 1);
    };

    MeshData mesh;
    mesh.vertices.resize(Eigen::Index(squares) + 2, 3); // Euler: V = F / 2 + 2
    mesh.faces.resize(2 * Eigen::Index(squares), 3);
    FaceWriter faces(mesh.faces);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        // The other two axes in cyclic order: u x v points along +axis.
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (const std::int64_t side : {std::int64_t(0), n[axis]}) {
            const auto corner = [&](std::int64_t i, std::int64_t j) {
                std::array<std::int64_t, 3> at;
                at[axis] = side;
                at[u] = i;
                at[v] = j;
                const std::int64_t vertex = id(at);
                for (std::size_t c = 0; c < 3; ++c)
                    mesh.vertices(vertex, Eigen::Index(c)) =
                        lattice_coordinate(options.size[Eigen::Index(c)], at[c], n[c]);
                return vertex;
            };
            for (std::int64_t j = 0; j < n[v]; ++j)
                for (std::int64_t i = 0; i < n[u]; ++i) {
                    const std::int64_t a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1),
                                       d = corner(i, j + 1);
                    if (side > 0)
                        faces.quad(a, b, c, d, alternate(i, j));
                    else
                        faces.quad(a, d, c, b, alternate(i, j));
                }
        }
    }
    return mesh;
}

MeshData plane_grid(const GridOptions& options) { return grid("plane_grid", options, false); }

MeshData cloth(const GridOptions& options) { return grid("cloth", options, true); }

MeshData icosphere(const IcosphereOptions& options)
{
    require_length("icosphere: radius", options.radius);
    require_count("icosphere: subdivisions", options.subdivisions, 0);
    require_representable("icosphere: its faces", 20 * std::pow(4.0, options.subdivisions));
    const std::int64_t n = std::int64_t(1) << options.subdivisions;

    const detail::IcosahedralShell shell(n);
    MeshData mesh;
    mesh.vertices.resize(shell.num_vertices(), 3);
    shell.write_vertices(options.radius, mesh.vertices, 0);
    mesh.faces.resize(20 * n * n, 3);
    FaceWriter faces(mesh.faces);
    for (int face = 0; face < 20; ++face) {
        const auto id = [&](std::int64_t i, std::int64_t j) { return shell.id(face, i, j, n - i - j); };
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; i + j < n; ++j) {
                faces.triangle(id(i, j), id(i + 1, j), id(i, j + 1));
                if (i + j + 2 <= n)
                    faces.triangle(id(i + 1, j), id(i + 1, j + 1), id(i, j + 1));
            }
    }
    return mesh;
}

MeshData cylinder(const CylinderOptions& options)
{
    require_length("cylinder: radius", options.radius);
    require_length("cylinder: height", options.height);
    require_count("cylinder: segments", options.segments, 3);
    require_count("cylinder: rings", options.rings, 1);
    if (options.closed)
        require_count("cylinder: cap_rings", options.cap_rings, 1);
    const std::int64_t segments = options.segments, rings = options.rings, cap_rings = options.cap_rings;
    const double squares = double(segments) * double(rings);
    const double cap_triangles = options.closed ? double(segments) * (2 * double(cap_rings) - 1) : 0;
    require_representable("cylinder: its vertices", squares + double(segments) + cap_triangles); // an upper bound
    require_representable("cylinder: its faces", 2 * squares + 2 * cap_triangles);

    // Side: rings from bottom to top. Caps: rings from the rim inwards, then the centre.
    const std::int64_t side_vertices = segments * (rings + 1);
    const std::int64_t cap_vertices = options.closed ? segments * (cap_rings - 1) + 1 : 0;
    MeshData mesh;
    mesh.vertices.resize(side_vertices + 2 * cap_vertices, 3);
    mesh.faces.resize(Eigen::Index(2 * squares + 2 * cap_triangles), 3);
    FaceWriter faces(mesh.faces);

    const auto side = [&](std::int64_t i, std::int64_t j) { return i % segments + segments * j; };
    for (std::int64_t j = 0; j <= rings; ++j)
        for (std::int64_t i = 0; i < segments; ++i) {
            mesh.vertices.row(side(i, j)) = options.radius * circle_point(i, segments).transpose();
            mesh.vertices(side(i, j), 1) = lattice_coordinate(options.height, j, rings);
        }
    for (std::int64_t j = 0; j < rings; ++j)
        for (std::int64_t i = 0; i < segments; ++i)
            faces.quad(side(i, j), side(i + 1, j), side(i + 1, j + 1), side(i, j + 1), alternate(i, j));
    if (!options.closed)
        return mesh;

    for (const bool top : {false, true}) {
        const std::int64_t first = side_vertices + (top ? cap_vertices : 0);
        const std::int64_t centre = first + cap_vertices - 1;
        const auto cap = [&](std::int64_t i, std::int64_t ring) {
            return ring == 0 ? side(i, top ? rings : 0) : first + i % segments + segments * (ring - 1);
        };
        for (std::int64_t ring = 1; ring < cap_rings; ++ring)
            for (std::int64_t i = 0; i < segments; ++i)
                mesh.vertices.row(cap(i, ring)) = options.radius * (double(cap_rings - ring) / double(cap_rings)) *
                                                  circle_point(i, segments).transpose();
        mesh.vertices.row(centre).setZero();
        mesh.vertices.block(first, 1, cap_vertices, 1).setConstant(top ? options.height / 2 : -options.height / 2);

        for (std::int64_t ring = 0; ring + 1 < cap_rings; ++ring)
            for (std::int64_t i = 0; i < segments; ++i) {
                const std::int64_t a = cap(i, ring), b = cap(i + 1, ring), c = cap(i + 1, ring + 1),
                                   d = cap(i, ring + 1);
                if (top)
                    faces.quad(a, b, c, d, alternate(i, ring));
                else
                    faces.quad(a, d, c, b, alternate(i, ring));
            }
        for (std::int64_t i = 0; i < segments; ++i) {
            const std::int64_t a = cap(i, cap_rings - 1), b = cap(i + 1, cap_rings - 1);
            if (top)
                faces.triangle(a, b, centre);
            else
                faces.triangle(b, a, centre);
        }
    }
    return mesh;
}

MeshData torus(const TorusOptions& options)
{
    require_torus_radii("torus", options.major_radius, options.minor_radius);
    require_count("torus: major_segments", options.major_segments, 3);
    require_count("torus: minor_segments", options.minor_segments, 3);
    const std::int64_t nu = options.major_segments, nv = options.minor_segments;
    require_representable("torus: its faces", 2.0 * double(nu) * double(nv));

    MeshData mesh;
    mesh.vertices.resize(nu * nv, 3);
    mesh.faces.resize(2 * nu * nv, 3);
    FaceWriter faces(mesh.faces);
    const auto id = [&](std::int64_t i, std::int64_t j) { return i % nu + nu * (j % nv); };
    for (std::int64_t j = 0; j < nv; ++j) {
        const double angle = 2 * std::numbers::pi * (double(j) / double(nv));
        for (std::int64_t i = 0; i < nu; ++i) {
            mesh.vertices.row(id(i, j)) =
                (options.major_radius + options.minor_radius * std::cos(angle)) * circle_point(i, nu).transpose();
            mesh.vertices(id(i, j), 1) = options.minor_radius * std::sin(angle);
        }
    }
    for (std::int64_t j = 0; j < nv; ++j)
        for (std::int64_t i = 0; i < nu; ++i)
            faces.quad(id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1), alternate(i, j));
    return mesh;
}

MeshData revolved(const RevolvedOptions& options)
{
    const std::vector<Vec2>& profile = options.profile;
    if (profile.size() < 2)
        reject("generate::revolved: the profile has {} points; give two or more", profile.size());
    for (std::size_t k = 0; k < profile.size(); ++k) {
        require_length(fmt::format("revolved: profile[{}][0]", k), profile[k][0]);
        require_coordinate(fmt::format("revolved: profile[{}][1]", k), profile[k][1]);
        if (k > 0 && profile[k] == profile[k - 1])
            reject("generate::revolved: profile[{}] and profile[{}] are the same point; remove one", k - 1, k);
    }
    require_count("revolved: segments", options.segments, 3);
    const std::int64_t segments = options.segments, rings = std::int64_t(profile.size()) - 1;
    require_representable("revolved: its faces", 2.0 * double(segments) * double(rings));

    MeshData mesh;
    mesh.vertices.resize(segments * (rings + 1), 3);
    mesh.faces.resize(2 * segments * rings, 3);
    FaceWriter faces(mesh.faces);
    const auto id = [&](std::int64_t i, std::int64_t j) { return i % segments + segments * j; };
    for (std::int64_t j = 0; j <= rings; ++j)
        for (std::int64_t i = 0; i < segments; ++i) {
            mesh.vertices.row(id(i, j)) = profile[std::size_t(j)][0] * circle_point(i, segments).transpose();
            mesh.vertices(id(i, j), 1) = profile[std::size_t(j)][1];
        }
    for (std::int64_t j = 0; j < rings; ++j)
        for (std::int64_t i = 0; i < segments; ++i)
            faces.quad(id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1), alternate(i, j));
    return mesh;
}

} // namespace abut::generate
