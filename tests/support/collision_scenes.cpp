#include "support/collision_scenes.hpp"

namespace abut::test {

Scene::Scene(
    std::string name_, CollisionMesh mesh_, Positions X_, const NormalCollisionsOptions& options, double length_)
    : name(std::move(name_)), mesh(std::move(mesh_)), X(std::move(X_)), length(length_)
{
    collisions.build(mesh, X, options);
}

// Here, so that they are compiled once.
Scene::Scene(const Scene&) = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(const Scene&) = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

Positions positions(std::initializer_list<std::initializer_list<double>> rows) { return Positions(Matrix(rows)); }

Elements elements(std::initializer_list<std::initializer_list<int>> rows) { return Elements(Eigen::MatrixXi(rows)); }

std::vector<Scene> single_collisions(double gap, const NormalCollisionsOptions& options)
{
    std::vector<Scene> scenes;
    const double g = gap * 0.96, o = gap * 0.28; // a right triangle of hypotenuse gap
    const auto add = [&](const char* name, const Positions& X, const Elements& E, const Elements& F,
                         double length = 1) { scenes.emplace_back(name, CollisionMesh(X, E, F), X, options, length); };
    const Elements edge = elements({{0, 1}}), edges = elements({{0, 1}, {2, 3}}), face = elements({{0, 1, 2}});
    add("vertex-vertex in the plane", positions({{0, 0}, {g, o}}), no_edges, no_faces);
    add("edge-vertex in the plane", positions({{0, 0}, {1, 0.1}, {0.3 - 0.1 * gap, 0.03 + gap}}), edge, no_faces);
    add("edge's end in the plane", positions({{0, 0}, {1, 0}, {-o, g}}), edge, no_faces);
    add("vertex-vertex", positions({{0, 0, 0}, {o, g, 0}}), no_edges, no_faces);
    add("edge-vertex", positions({{0, 0, 0}, {1, 0.1, 0}, {0.4, 0.04 + o, g}}), edge, no_faces);
    add("face-vertex", positions({{0, 0, 0}, {1, 0, 0.1}, {0, 0.1, 1}, {0.3, gap, 0.25}}), no_edges, face);
    add("face's edge", positions({{0, 0, 0}, {1, 0, 0}, {0.3, 0.1, 1}, {0.4, g, -o}}), no_edges, face);
    add("face's corner", positions({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {-o, g, -0.01}}), no_edges, face);
    add("edge-edge", positions({{-0.5, 0, 0}, {0.5, 0.1, 0}, {0.1, gap, -0.4}, {0, gap + 0.05, 0.6}}), edges, no_faces);
    add("edges' interior and end", positions({{-0.5, 0, 0}, {0.5, 0, 0}, {0.1, g, o}, {0, g + 0.1, 1}}), edges,
        no_faces);
    add("edges' ends", positions({{0, 0, 0}, {-1, -0.1, 0}, {o, g, 0}, {0.2 + o, g + 0.3, 1}}), edges, no_faces);

    // Nearly parallel: a along x, b with a sine of some 0.02. Lengths in the name are over which the mollifier acts.
    const double sine = 0.02, mollifier = 0.03;
    const auto add_parallel = [&](const char* name, Vec3 a0, Vec3 a1, Vec3 b0, Vec3 b1) {
        Positions X(4, 3);
        X << a0.transpose(), a1.transpose(), b0.transpose(), b1.transpose();
        add(name, X, edges, no_faces, mollifier);
    };
    const Vec3 left(0, 0, 0), right(1, 0, 0);                         // the lower edge
    const Vec3 beyond(1 + o, g, 0), farther(2 + o, g + sine, sine);   // past the right end
    const Vec3 above(0.6, gap, 0), rising(1.6, gap + sine, sine / 2); // nearest at its first end
    add_parallel("a0_b0", right, left, beyond, farther);
    add_parallel("a0_b1", right, left, farther, beyond);
    add_parallel("a1_b0", left, right, beyond, farther);
    add_parallel("a1_b1", left, right, farther, beyond);
    add_parallel("a_b0", left, right, above, rising);
    add_parallel("a_b1", left, right, rising, above);
    add_parallel("a0_b", above, rising, left, right);
    add_parallel("a1_b", rising, above, left, right);
    add_parallel("a_b", left, right, Vec3(0.1, gap, -sine / 2), Vec3(0.9, gap, sine / 2));
    add_parallel("parallel", left, right, Vec3(0.25, gap, 0), Vec3(1.25, gap, 0));
    return scenes;
}

std::vector<Scene> single_planes(double gap, const NormalCollisionsOptions& options)
{
    std::vector<Scene> scenes;
    for (const int dim : {2, 3}) {
        const Vec3 normal = dim == 2 ? Vec3(0.6, 0.8, 0) : Vec3(0.48, 0.8, 0.36), foot = Vec3(1, 2, dim == 2 ? 0 : 3);
        Positions X(2, dim);
        X.row(0) = (foot + gap * normal).head(dim).transpose();
        X.row(1) = (foot + 10 * normal).head(dim).transpose();
        scenes.emplace_back(
            dim == 2 ? "line-vertex in the plane" : "plane-vertex",
            CollisionMesh(X, no_edges, no_faces, {.planes = {{foot, 2 * normal}}}), X, options);
    }
    return scenes;
}

std::vector<Scene> single_terms(double gap, const NormalCollisionsOptions& options)
{
    std::vector<Scene> scenes = single_collisions(gap, options), planes = single_planes(gap, options);
    scenes.insert(scenes.end(), planes.begin(), planes.end());
    return scenes;
}

std::vector<Scene> mixed_scenes()
{
    std::vector<Scene> scenes;
    for (const auto type : {CollisionSetType::ipc, CollisionSetType::convergent})
        for (const bool weighted : {false, true}) {
            const auto add = [&](const char* name, const MeshData& data, double dhat, double length) {
                scenes.emplace_back(
                    std::string(name) + (type == CollisionSetType::ipc ? ", ipc" : ", convergent") +
                        (weighted ? ", weighted" : ""),
                    CollisionMesh(data), data.vertices,
                    NormalCollisionsOptions{
                        .dhat = dhat, .dmin = 1e-3, .set_type = type, .use_area_weighting = weighted},
                    length);
            };
            // Distances begin at 7 mm; nearly parallel edges of length 0.3 feel moves of 3 % of that.
            add("layers of cloth", layers_of_cloth(3, 0.01), 0.05, 5e-3);
            add("two squircles", two_squircles(0.02), 0.1, 0.02);
        }
    return scenes;
}

} // namespace abut::test
