#pragma once
// The vertices of an icosahedron whose 20 faces are cut into n x n triangles each and blown up to the unit sphere.
// Internal to the generators: the icosphere is one shell, the tetrahedralised ball is made of nested ones.
//
// A vertex is named by a face and weights (i, j, k) >= 0, i + j + k = n, of the face's corners; vertices on corners and
// edges have several names and one id. Ids count the 12 corners, then the edges' inner vertices, then the faces'.

#include "abut/math/types.hpp"

#include <array>
#include <cstdint>

namespace abut::generate::detail {

/// Corners on the unit sphere; faces counter-clockwise from outside; `edge(a, b)` in 0..29 for corners a, b it joins.
struct Icosahedron {
    Icosahedron();
    std::array<Vec3, 12> corners;
    std::array<std::array<int, 3>, 20> faces;
    std::array<std::array<int, 12>, 12> edge;
};

class IcosahedralShell {
public:
    explicit IcosahedralShell(std::int64_t n) : n_(n) {}

    [[nodiscard]] std::int64_t num_vertices() const { return 10 * n_ * n_ + 2; }
    [[nodiscard]] std::int64_t id(int face, std::int64_t i, std::int64_t j, std::int64_t k) const;
    [[nodiscard]] Vec3 direction(int face, std::int64_t i, std::int64_t j, std::int64_t k) const;

    /// Writes the vertices, times `radius`, into the rows from `first_row` on.
    void write_vertices(double radius, Positions& vertices, Eigen::Index first_row) const;

private:
    std::int64_t n_;
};

/// The one icosahedron of the program.
const Icosahedron& icosahedron();

} // namespace abut::generate::detail
