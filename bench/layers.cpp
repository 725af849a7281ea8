#include "layers.hpp"

#include "abut/base/random.hpp"
#include "abut/mesh/generate/generators.hpp"

namespace abut::bench {

Layers make_layers(int num_faces)
{
    const int cells = std::max(1, static_cast<int>(std::sqrt(num_faces / 8.0)));
    constexpr double gap = 0.0025;
    MeshData all;
    for (int layer = 0; layer < 4; ++layer)
        append(
            all, translated(
                     generate::cloth({.size = Vec2(0.01 * cells, 0.01 * cells), .cells = {cells, cells}}),
                     Vec3(0.003 * layer, gap * layer, 0.001 * layer)));
    RandomStream random(1);
    for (Eigen::Index v = 0; v < all.vertices.rows(); ++v)
        all.vertices(v, 1) += random.uniform(-2e-4, 2e-4);
    Positions end = all.vertices;
    for (Eigen::Index v = 0; v < end.rows(); ++v)
        end(v, 1) = 3 * gap - end(v, 1);
    return {CollisionMesh(all), all.vertices, end, 2 * gap};
}

} // namespace abut::bench
