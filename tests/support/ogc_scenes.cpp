#include "support/ogc_scenes.hpp"

namespace abut::test {

std::vector<MeshData> bumpy_surfaces(RandomStream& random)
{
    std::vector<MeshData> surfaces{
        generate::icosphere({.radius = 0.5, .subdivisions = 1}), generate::cloth({.cells = {4, 4}}),
        generate::cylinder({.radius = 0.3, .segments = 6, .rings = 3, .closed = false})};
    for (MeshData& surface : surfaces)
        for (double& coordinate : surface.vertices.reshaped())
            coordinate += random.uniform(-0.08, 0.08);
    MeshData triangle;
    triangle.vertices = random_points<3, 3>(random).transpose();
    triangle.faces = Faces(1, 3);
    triangle.faces << 0, 1, 2;
    surfaces.push_back(triangle);
    return surfaces;
}

std::vector<MeshElement> all_elements(const CollisionMesh& mesh)
{
    std::vector<MeshElement> all;
    for (int v = 0; v < mesh.num_vertices(); ++v)
        all.push_back({0, v});
    for (int e = 0; e < mesh.num_edges(); ++e)
        all.push_back({1, e});
    for (int f = 0; f < mesh.num_faces(); ++f)
        all.push_back({2, f});
    return all;
}

std::vector<int> corners_of(const CollisionMesh& mesh, const MeshElement& element)
{
    if (element.dimension == 0)
        return {element.index};
    if (element.dimension == 1)
        return {mesh.edges()(element.index, 0), mesh.edges()(element.index, 1)};
    return {mesh.faces()(element.index, 0), mesh.faces()(element.index, 1), mesh.faces()(element.index, 2)};
}

bool is_part_of(const CollisionMesh& mesh, const MeshElement& a, const MeshElement& b)
{
    const std::vector<int> inner = corners_of(mesh, a), outer = corners_of(mesh, b);
    return std::all_of(
        inner.begin(), inner.end(), [&](int v) { return std::find(outer.begin(), outer.end(), v) != outer.end(); });
}

double distance_to(const CollisionMesh& mesh, const Positions& X, const MeshElement& a, const Vec3& x)
{
    const std::vector<int> v = corners_of(mesh, a);
    const auto at = [&](int k) { return Vec3(X.row(v[k])); };
    if (a.dimension == 0)
        return (x - at(0)).norm();
    if (a.dimension == 1)
        return std::sqrt(point_edge_squared_distance<3>(x, at(0), at(1), Order::value).value);
    return std::sqrt(point_triangle_squared_distance(x, at(0), at(1), at(2), Order::value).value);
}

bool is_in_block(const CollisionMesh& mesh, const Positions& X, const MeshElement& a, const Vec3& x)
{
    const std::vector<int> v = corners_of(mesh, a);
    const auto at = [&](int i) { return Vec3(X.row(i)); };
    const auto foot = [](const Vec3& x1, const Vec3& x2, const Vec3& x3) {
        return Vec3(x1 + (x2 - x1) * ((x3 - x1).dot(x2 - x1) / (x2 - x1).squaredNorm()));
    };
    if (a.dimension == 0) {
        for (int e = 0; e < mesh.num_edges(); ++e)
            for (int k = 0; k < 2; ++k)
                if (mesh.edges()(e, k) == v[0] && !((x - at(v[0])).dot(at(v[0]) - at(mesh.edges()(e, 1 - k))) >= 0))
                    return false;
        return true;
    }
    if (a.dimension == 1) {
        if (!((x - at(v[0])).dot(at(v[1]) - at(v[0])) > 0) || !((x - at(v[1])).dot(at(v[0]) - at(v[1])) > 0))
            return false;
        for (int f = 0; f < mesh.num_faces(); ++f) {
            if (!is_part_of(mesh, a, {2, f}))
                continue;
            for (int k = 0; k < 3; ++k) {
                const int next = mesh.faces()(f, k);
                const Vec3 p = foot(at(v[0]), at(v[1]), at(next));
                if (next != v[0] && next != v[1] && !((x - p).dot(p - at(next)) >= 0))
                    return false;
            }
        }
        return true;
    }
    for (int k = 0; k < 3; ++k) {
        const Vec3 opposite = at(v[(k + 2) % 3]), p = foot(at(v[k]), at(v[(k + 1) % 3]), opposite);
        if (!((p - x).dot(p - opposite) > 0))
            return false;
    }
    return true;
}

} // namespace abut::test
