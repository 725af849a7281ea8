#include "abut/sim/stitch_energy.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/mesh/topology.hpp"

#include <algorithm>
#include <array>

namespace abut {

namespace {

std::string name_of_stitches(const Model& model, std::size_t k)
{
    const std::string& source = model.scene.stitches[k].source;
    return source.empty() ? fmt::format("stitches[{}]", k) : source;
}

/// Visits stitches one by one: visit(k, vertex, other), by the vertices of the model.
template <typename Visit>
void for_each_stitch(const Model& model, const Visit& visit)
{
    for (std::size_t k = 0; k < model.scene.stitches.size(); ++k) {
        const SceneStitches& group = model.scene.stitches[k];
        for (const auto& [v, w] : group.vertices)
            visit(k, model.object_starts[group.object] + v, model.object_starts[group.other] + w);
    }
}

void check_stitches(const Model& model, std::size_t k)
{
    const SceneStitches& group = model.scene.stitches[k];
    const std::string name = name_of_stitches(model, k);
    const int num_objects = static_cast<int>(model.scene.objects.size());
    for (const int object : {group.object, group.other})
        if (object < 0 || object >= num_objects)
            reject("{}: there is no object {}", name, object);
    require_positive(group.stiffness, name + ": stiffness");
    if (!(group.rest_length >= 0 && std::isfinite(group.rest_length)))
        reject("{}: rest_length: {} is not a finite number >= 0", name, group.rest_length);
    const auto size_of = [&](int object) { return model.object_starts[object + 1] - model.object_starts[object]; };
    for (const auto& [v, w] : group.vertices) {
        for (const auto& [vertex, object] : {std::pair{v, group.object}, std::pair{w, group.other}})
            if (vertex < 0 || vertex >= size_of(object))
                reject(
                    "{}: vertex {} of '{}', which has {} vertices", name, vertex, model.scene.objects[object].name,
                    size_of(object));
        if (group.object == group.other && v == w)
            reject("{}: vertex {} of '{}' is stitched to itself", name, v, model.scene.objects[group.object].name);
    }
}

/// Do the segment of two vertices and an element of an obstacle meet?
bool crosses(const Positions& X, int v, int w, const Positions& Y, const auto& corners)
{
    // Boxes first: most are far.
    for (Eigen::Index a = 0; a < X.cols(); ++a) {
        double low = INFINITY, high = -INFINITY;
        for (const int c : corners) {
            low = std::min(low, Y(c, a));
            high = std::max(high, Y(c, a));
        }
        if (std::max(X(v, a), X(w, a)) < low || std::min(X(v, a), X(w, a)) > high)
            return false;
    }
    if (X.cols() == 3)
        return segment_intersects_triangle(
            point<3>(X, v), point<3>(X, w), point<3>(Y, corners[0]), point<3>(Y, corners[1]),
            point<3>(Y, corners[corners.size() - 1]));
    return segments_intersect(point<2>(X, v), point<2>(X, w), point<2>(Y, corners[0]), point<2>(Y, corners[1]));
}

[[noreturn]] void reject_crossing(const Model& model, std::size_t k, int v, int w, const std::string& obstacle)
{
    const Vec3 from = lifted(model.rest, v), to = lifted(model.rest, w);
    reject(
        "{}: the stitch from {} at ({:.4g}, {:.4g}, {:.4g}) to {} at ({:.4g}, {:.4g}, {:.4g}) goes through the "
        "obstacle '{}'; place the objects so that nothing is between them, or stitch other vertices",
        name_of_stitches(model, k), model.names->vertex(v), from.x(), from.y(), from.z(), model.names->vertex(w),
        to.x(), to.y(), to.z(), obstacle);
}

/// A stitch that ends at an obstacle touches its elements there, which are no hindrance.
void check_crossings(const Model& model)
{
    for (std::size_t object = 0; object < model.scene.objects.size(); ++object) {
        const SceneObject& obstacle = model.scene.objects[object];
        if (obstacle.kind != ObjectKind::obstacle)
            continue;
        const int start = model.object_starts[object];
        const auto check = [&](const auto& elements) {
            for_each_stitch(model, [&](std::size_t k, int v, int w) {
                for (Eigen::Index e = 0; e < elements.rows(); ++e) {
                    std::array<int, 3> corners{elements(e, 0), elements(e, 1), elements(e, elements.cols() - 1)};
                    const bool is_end = std::any_of(
                        corners.begin(), corners.end(), [&](int c) { return c + start == v || c + start == w; });
                    if (!is_end && crosses(model.rest, v, w, obstacle.mesh.vertices, corners))
                        reject_crossing(model, k, v, w, obstacle.name);
                }
            });
        };
        // As contact sees it: model_surface.cpp
        const MeshData& mesh = obstacle.mesh;
        if (model.dim() == 2) {
            check(mesh.edges);
            check(boundary_edges(mesh.faces));
        } else if (mesh.tets.rows() > 0)
            check(boundary_faces(mesh.tets));
        else
            check(mesh.faces);
    }
}

/// Pairs of a face and a vertex, and of two edges, that stitches make neighbours.
std::int64_t num_joined_pairs(const Model& model)
{
    const CollisionMesh& mesh = *model.mesh;
    std::vector<int> on_surface(static_cast<std::size_t>(model.num_vertices()), -1);
    for (int v = 0; v < mesh.num_vertices(); ++v)
        on_surface[model.surface->block_of(v)] = v;
    std::vector<std::array<int, 3>> found; // kind and two elements
    for_each_stitch(model, [&](std::size_t, int v, int w) {
        const int i = on_surface[v], j = on_surface[w];
        if (i < 0 || j < 0)
            return;
        for (const int f : mesh.vertex_faces(i))
            found.push_back({0, f, j});
        for (const int f : mesh.vertex_faces(j))
            found.push_back({0, f, i});
        for (const int a : mesh.vertex_edges(i)) {
            if (mesh.dim() == 2)
                found.push_back({1, a, j});
            for (const int b : mesh.vertex_edges(j))
                if (mesh.dim() == 3 && a != b)
                    found.push_back({2, std::min(a, b), std::max(a, b)});
        }
        for (const int b : mesh.vertex_edges(j))
            if (mesh.dim() == 2)
                found.push_back({1, b, i});
    });
    std::sort(found.begin(), found.end());
    return std::unique(found.begin(), found.end()) - found.begin();
}

} // namespace

StitchEnergy::StitchEnergy(std::vector<Stitch> stitches) : stitches_(std::move(stitches))
{
    for (const Stitch& stitch : stitches_)
        stencils_.add(std::array{stitch.vertex, stitch.other});
}

void StitchEnergy::evaluate(const Unknowns& x, const TermOutput& out) const
{
    constexpr std::size_t stitches_per_task = 512;
    parallel_for(stitches_.size(), stitches_per_task, [&](std::size_t k) {
        if (x.layout().dim() == 2)
            evaluate_stitch<2>(x.vertices(), out, k);
        else
            evaluate_stitch<3>(x.vertices(), out, k);
    });
}

template <int Dim>
void StitchEnergy::evaluate_stitch(const ConstPositions& x, const TermOutput& out, std::size_t k) const
{
    const auto& [vertex, other, stiffness, rest_length] = stitches_[k];
    const Vec<Dim> d = point<Dim>(x, vertex) - point<Dim>(x, other);
    const double length = d.norm();
    // Two ends at one place have no direction: a spring with a length then pushes nowhere.
    const Vec<Dim> n = length > 0 ? Vec<Dim>(d / length) : Vec<Dim>::Zero();
    const double stretch = length - rest_length;
    if (out.values != nullptr)
        out.values[k] = 0.5 * stiffness * stretch * stretch;
    if (out.gradients != nullptr) {
        const Vec<Dim> gradient = rest_length > 0 ? Vec<Dim>(stiffness * stretch * n) : Vec<Dim>(stiffness * d);
        Eigen::Map<Vec<Dim>>{out.gradients + 2 * k* Dim} = gradient;
        Eigen::Map<Vec<Dim>>{out.gradients + (2 * k + 1)* Dim} = -gradient;
    }
    if (out.blocks == nullptr)
        return;
    double across = rest_length > 0 && length > 0 ? stiffness * stretch / length : stiffness;
    if (across < 0 && out.hessian != HessianForm::exact)
        across = out.hessian == HessianForm::absolute ? -across : 0;
    const Mat<Dim, Dim> along = (stiffness - across) * n * n.transpose();
    const Mat<Dim, Dim> block = across * Mat<Dim, Dim>::Identity() + along;
    double* blocks = out.blocks + 3 * k * Dim * Dim;
    Eigen::Map<Mat<Dim, Dim>>{blocks} = block;
    Eigen::Map<Mat<Dim, Dim>>{blocks + Dim* Dim} = -block;
    Eigen::Map<Mat<Dim, Dim>>{blocks + 2 * Dim* Dim} = block;
}

std::vector<std::unique_ptr<Energy>> make_stitch_energies(const Model& model)
{
    std::vector<StitchEnergy::Stitch> stitches;
    for_each_stitch(model, [&](std::size_t k, int v, int w) {
        const SceneStitches& group = model.scene.stitches[k];
        stitches.push_back({v, w, group.stiffness, group.rest_length});
    });
    std::vector<std::unique_ptr<Energy>> energies;
    if (!stitches.empty())
        energies.push_back(std::make_unique<StitchEnergy>(std::move(stitches)));
    return energies;
}

std::vector<std::pair<int, int>> stitched_vertices(const Model& model)
{
    for (std::size_t k = 0; k < model.scene.stitches.size(); ++k)
        check_stitches(model, k);
    std::vector<std::pair<int, int>> pairs;
    for_each_stitch(model, [&](std::size_t, int v, int w) { pairs.emplace_back(v, w); });
    return pairs;
}

void explain_stitches(Model& model)
{
    if (model.scene.stitches.empty())
        return;
    check_crossings(model);
    std::size_t count = 0;
    for (const SceneStitches& group : model.scene.stitches)
        count += group.vertices.size();
    model.choices.push_back(
        {"stitches", static_cast<double>(num_joined_pairs(model)),
         fmt::format(
             "pairs of elements that {} stitches make neighbours, between which no contact is looked for", count)});
}

} // namespace abut
