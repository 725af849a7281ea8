#include "abut/sim/contact_list.hpp"

#include <algorithm>

namespace abut {

namespace {

/// The vertices of the pair's two elements; -1 where it has fewer than four.
template <typename Collision>
std::array<int, 4> vertices_of(const Collision& collision)
{
    std::array<int, 4> vertices{-1, -1, -1, -1};
    std::copy(collision.vertices.begin(), collision.vertices.end(), vertices.begin());
    return vertices;
}

Eigen::VectorXd distances_of(const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X)
{
    Eigen::VectorXd distances(static_cast<Eigen::Index>(collisions.size()));
    for (std::size_t k = 0; k < collisions.size(); ++k)
        distances[static_cast<Eigen::Index>(k)] = std::sqrt(collisions.geometry(k, mesh, X).squared_distance);
    return distances;
}

Eigen::VectorXd distances_of(const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X)
{
    return collisions.distances(mesh, X);
}

} // namespace

ContactList contacts_at(System& system, const Eigen::VectorXd& x)
{
    ContactList list;
    list.vertices.resize(0, 4);
    list.bodies.resize(0, 2);
    if (system.contact() == nullptr)
        return list;
    const Model& model = system.model();
    const Positions X = model.surface->positions(system.view(x));
    system.contact()->visit_at(system.view(x), [&](const auto& contact) {
        const auto& collisions = contact.collisions;
        const auto count = static_cast<Eigen::Index>(collisions.size());
        list.vertices = Elements::Constant(count, 4, -1);
        list.bodies = Elements::Zero(count, 2);
        list.distances = distances_of(collisions, *model.mesh, X);
        for (Eigen::Index k = 0; k < count; ++k) {
            const auto collision = collisions[static_cast<std::size_t>(k)];
            const std::array<int, 4> vertices = vertices_of(collision);
            for (int i = 0; i < 4 && vertices[i] >= 0; ++i) {
                list.vertices(k, i) = model.surface->block_of(vertices[i]);
                list.bodies(k, 1) = model.names->object_of(list.vertices(k, i)); // that of the last
            }
            list.bodies(k, 0) = collision.kind == PairKind::plane_vertex ? -1 - collision.elements[0]
                                                                         : model.names->object_of(list.vertices(k, 0));
        }
    });
    return list;
}

} // namespace abut
