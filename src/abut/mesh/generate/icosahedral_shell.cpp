#include "abut/mesh/generate/icosahedral_shell.hpp"

#include "abut/base/assert.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>
#include <utility>

namespace abut::generate::detail {

Icosahedron::Icosahedron()
{
    // The corners are the cyclic permutations of (0, +-1, +-phi), at distance 2 from their five neighbours.
    std::size_t num_corners = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (const double one : {-1.0, 1.0})
            for (const double phi : {-std::numbers::phi, std::numbers::phi}) {
                Vec3& corner = corners[num_corners++];
                corner[axis] = 0;
                corner[(axis + 1) % 3] = one;
                corner[(axis + 2) % 3] = phi;
            }
    const auto joined = [&](int a, int b) {
        return std::abs((corners[std::size_t(a)] - corners[std::size_t(b)]).norm() - 2) < 0.5;
    };

    int num_edges = 0;
    std::size_t num_faces = 0;
    for (int a = 0; a < 12; ++a)
        for (int b = a + 1; b < 12; ++b) {
            if (!joined(a, b))
                continue;
            edge[std::size_t(a)][std::size_t(b)] = edge[std::size_t(b)][std::size_t(a)] = num_edges++;
            for (int c = b + 1; c < 12; ++c) {
                if (!joined(b, c) || !joined(c, a))
                    continue;
                const bool outward =
                    corners[std::size_t(a)].cross(corners[std::size_t(b)]).dot(corners[std::size_t(c)]) > 0;
                faces[num_faces++] = outward ? std::array{a, b, c} : std::array{a, c, b};
            }
        }
    ABUT_ASSERT(num_corners == 12 && num_edges == 30 && num_faces == 20);
    for (Vec3& corner : corners)
        corner.normalize();
}

const Icosahedron& icosahedron()
{
    static const Icosahedron instance;
    return instance;
}

std::int64_t IcosahedralShell::id(int face, std::int64_t i, std::int64_t j, std::int64_t k) const
{
    ABUT_ASSERT(face >= 0 && face < 20 && i >= 0 && j >= 0 && k >= 0 && i + j + k == n_);
    const auto& [a, b, c] = icosahedron().faces[std::size_t(face)];
    const std::int64_t inner = n_ - 1; // vertices inside an edge

    // Steps are counted from the end with the smaller number, so that both faces at an edge agree.
    const auto on_edge = [&](int from, int to, std::int64_t steps) {
        const std::int64_t e = icosahedron().edge[std::size_t(from)][std::size_t(to)];
        return 12 + e * inner + (from < to ? steps : n_ - steps) - 1;
    };
    if (i == n_)
        return a;
    if (j == n_)
        return b;
    if (k == n_)
        return c;
    if (k == 0)
        return on_edge(a, b, j);
    if (i == 0)
        return on_edge(b, c, k);
    if (j == 0)
        return on_edge(c, a, i);
    const std::int64_t rows_before = (i - 1) * inner - (i - 1) * i / 2;
    return 12 + 30 * inner + face * (inner * (inner - 1) / 2) + rows_before + (j - 1);
}

Vec3 IcosahedralShell::direction(int face, std::int64_t i, std::int64_t j, std::int64_t k) const
{
    // Weights sin(t * angle) cut the edges into equal arcs, as spherical interpolation does, and keep the triangles'
    // areas within a factor of 1.3 where flat weights would let them differ by 2.
    static const double angle = std::atan(2.0); // between neighbouring corners
    const auto& [a, b, c] = icosahedron().faces[std::size_t(face)];
    const auto weight = [&](std::int64_t steps) { return std::sin(angle * double(steps) / double(n_)); };
    const auto& corners = icosahedron().corners;
    return (weight(i) * corners[std::size_t(a)] + weight(j) * corners[std::size_t(b)] +
            weight(k) * corners[std::size_t(c)])
        .normalized();
}

void IcosahedralShell::write_vertices(double radius, Positions& vertices, Eigen::Index first_row) const
{
    for (int face = 0; face < 20; ++face)
        for (std::int64_t i = 0; i <= n_; ++i)
            for (std::int64_t j = 0; i + j <= n_; ++j) {
                const std::int64_t k = n_ - i - j;
                vertices.row(first_row + id(face, i, j, k)) = radius * direction(face, i, j, k).transpose();
            }
}

} // namespace abut::generate::detail
