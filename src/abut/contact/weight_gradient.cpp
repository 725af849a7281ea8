#include "abut/contact/weight_gradient.hpp"

#include "abut/base/assert.hpp"
#include "abut/geometry/measures.hpp"

namespace abut {

namespace {

using Add = std::function<void(int, const Vec3&)>;

void add_face_area(const CollisionMesh& mesh, int f, double factor, const Add& add)
{
    const auto corner = [&](int k) { return Vec3(point<3>(mesh.rest_positions(), mesh.faces()(f, k))); };
    const auto area = triangle_area(corner(0), corner(1), corner(2), Order::gradient);
    for (int k = 0; k < 3; ++k)
        add(mesh.faces()(f, k), factor * area.gradient.segment<3>(3 * k));
}

template <int Dim>
void add_edge_length(const CollisionMesh& mesh, int e, double factor, const Add& add)
{
    const Vec<Dim> e0 = point<Dim>(mesh.rest_positions(), mesh.edges()(e, 0));
    const Vec<Dim> e1 = point<Dim>(mesh.rest_positions(), mesh.edges()(e, 1));
    const auto length = edge_length<Dim>(e0, e1, Order::gradient);
    for (int k = 0; k < 2; ++k) {
        Vec3 gradient = Vec3::Zero();
        gradient.head<Dim>() = factor * length.gradient.template segment<Dim>(Dim * k);
        add(mesh.edges()(e, k), gradient);
    }
}

/// The same cases as in CollisionMesh's rest areas.
void add_area(const CollisionMesh& mesh, int area, double factor, const Add& add)
{
    const auto add_edge = [&](int e, double share) {
        if (mesh.dim() == 2)
            add_edge_length<2>(mesh, e, share, add);
        else
            add_edge_length<3>(mesh, e, share, add);
    };
    const bool is_vertex = area >= 0;
    ABUT_ASSERT(is_vertex ? area < mesh.num_vertices() : ~area < mesh.num_edges());
    const auto faces = is_vertex ? mesh.vertex_faces(area) : mesh.edge_faces(~area);
    for (const int f : faces)
        add_face_area(mesh, f, factor / 3, add);
    if (!faces.empty())
        return;
    if (is_vertex)
        for (const int e : mesh.vertex_edges(area))
            add_edge(e, factor / 2);
    else
        add_edge(~area, factor);
}

} // namespace

void for_each_weight_gradient(
    const NormalCollisions& collisions, std::size_t term, const CollisionMesh& mesh,
    const std::function<void(int vertex, const Vec3& by_rest_position)>& add)
{
    using Source = NormalCollisions::WeightSource;
    const auto size_of = [&](int area) {
        return area == Source::no_area ? 0.0 : area >= 0 ? mesh.vertex_areas()[area] : mesh.edge_areas()[~area];
    };
    for (const Source& source : collisions.weight_sources(term)) {
        const double total = size_of(source.area0) + size_of(source.area1);
        if (total == 0)
            continue;
        for (const int area : {source.area0, source.area1})
            if (area != Source::no_area)
                add_area(mesh, area, source.weight / total, add);
    }
}

} // namespace abut
