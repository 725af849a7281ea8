#pragma once
// Scenes for tests of contact: things that are close to each other in every way that the sets of collisions know.

#include "abut/mesh/generate/generators.hpp"
#include "support/random_points.hpp"

#include <numeric>
#include <vector>

namespace abut::test {

/// Two spheres a gap apart, a rod that passes by them, and two loose points beside the rod. No two edges are parallel.
MeshData spheres_rod_and_points(double gap);

/// Two closed curves in the plane, a gap apart along y.
MeshData two_squircles(double gap);

/// Two sheets of size 1, one 0.01 above the other and turned by `angle`: for a small one all edges are nearly parallel
/// to some of the other sheet. Both are slightly uneven, so that nothing is a tie.
MeshData layers_of_cloth(int cells, double angle);

/// The same mesh with its vertices, edges and faces listed in another order, edges and faces from another corner.
struct Shuffled {
    MeshData data;
    std::vector<int> place; ///< vertex i of the mesh is place[i] of the shuffled one

    Shuffled(const MeshData& mesh, RandomStream& random) : data(mesh), place(permutation(mesh.vertices.rows(), random))
    {
        for (Eigen::Index v = 0; v < mesh.vertices.rows(); ++v)
            data.vertices.row(place[v]) = mesh.vertices.row(v);
        shuffle(data.edges, mesh.edges, random);
        shuffle(data.faces, mesh.faces, random);
    }

private:
    static std::vector<int> permutation(Eigen::Index n, RandomStream& random)
    {
        std::vector<int> order(n);
        std::iota(order.begin(), order.end(), 0);
        for (Eigen::Index i = n - 1; i > 0; --i)
            std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i + 1))]);
        return order;
    }

    template <typename Array>
    void shuffle(Array& to, const Array& from, RandomStream& random) const
    {
        const std::vector<int> row = permutation(from.rows(), random);
        for (Eigen::Index e = 0; e < from.rows(); ++e) {
            const auto turn = static_cast<Eigen::Index>(random.below(static_cast<std::uint32_t>(from.cols())));
            for (Eigen::Index k = 0; k < from.cols(); ++k)
                to(row[e], (k + turn) % from.cols()) = place[from(e, k)];
        }
    }
};

} // namespace abut::test
