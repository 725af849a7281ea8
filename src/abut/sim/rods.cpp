#include "abut/sim/rods.hpp"

#include "abut/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

/// Edges of all rods by the vertices of the model.
Edges rod_edges(const Model& model, std::vector<int>& objects)
{
    std::vector<int> corners;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        if (object.kind != ObjectKind::rod)
            continue;
        for (Eigen::Index i = 0; i < object.mesh.edges.size(); ++i)
            corners.push_back(object.mesh.edges.data()[i] + model.object_starts[k]);
        objects.insert(objects.end(), object.mesh.edges.rows(), static_cast<int>(k));
    }
    return Eigen::Map<const Edges>(corners.data(), static_cast<Eigen::Index>(corners.size()) / 2, 2);
}

/// Where a rod branches nothing can carry a frame on.
void explain_branches(Model& model, const RodSet& rods)
{
    std::vector<int> counts(model.scene.objects.size(), 0), firsts(model.scene.objects.size(), -1);
    for (const int v : rods.topology.branch_points) {
        const int k = model.names->object_of(v);
        if (counts[k]++ == 0)
            firsts[k] = v;
    }
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (counts[k] == 0)
            continue;
        const SceneObject& object = model.scene.objects[k];
        if (!object.rod.section.is_round())
            reject(
                "{}: '{}' branches, first at {}, and a section with two half axes needs a frame, which cannot be "
                "carried on there; give one radius, or part the mesh at its {} branching points",
                field_of_object(k, "material.radius"), object.name, model.names->vertex(firsts[k]), counts[k]);
        if (object.rod.rest_twist != 0)
            reject(
                "{}: '{}' branches, first at {}, and what branches has no twist; leave it out, or part the mesh at its "
                "{} branching points",
                field_of_object(k, "material.rest_twist"), object.name, model.names->vertex(firsts[k]), counts[k]);
        model.choices.push_back(
            {fmt::format("objects[{}].twist", k), std::string("none"),
             fmt::format(
                 "'{}' has {} branching point{}, the first at {}; what hangs together with one stretches and bends, "
                 "and has no twist",
                 object.name, counts[k], counts[k] == 1 ? "" : "s", model.names->vertex(firsts[k]))});
    }
}

/// Which script holds the frame of an edge: one that has both of its vertices.
int clamp_of(const Model& model, int v, int w)
{
    const int script = model.script_of[v];
    const bool holds =
        script >= 0 && script == model.script_of[w] && model.scene.scripts[script].holds_frames.value_or(true);
    return holds ? script : -1;
}

/// Scripts that ask for frames must find some.
void check_asked_frames(const Model& model, const RodSet& rods)
{
    for (int s = 0; s < static_cast<int>(model.scene.scripts.size()); ++s) {
        const VertexScript& script = model.scene.scripts[s];
        if (!script.holds_frames)
            continue;
        const SceneObject& object = model.scene.objects[script.object];
        if (object.kind != ObjectKind::rod)
            reject(
                "{}: '{}' is no rod and has no frames to hold; leave \"frame\" out", model.name_of_script(s),
                object.name);
        if (!*script.holds_frames)
            continue;
        int num_held = 0, branched = -1;
        for (Eigen::Index e = 0; e < rods.topology.directed.rows(); ++e) {
            const int v = rods.topology.directed(e, 0), w = rods.topology.directed(e, 1);
            if (clamp_of(model, v, w) != s)
                continue;
            num_held += rods.arc_blocks[e] >= 0;
            if (rods.arc_blocks[e] < 0 && branched < 0)
                branched = static_cast<int>(e);
        }
        if (branched >= 0)
            reject(
                "{}: the edge of the vertices {} and {} of '{}' hangs together with a branching point, where no frame "
                "can be carried on, and has no twist to hold or turn; leave \"frame\" out, or part the mesh where "
                "it branches",
                model.name_of_script(s), rods.topology.directed(branched, 0) - model.object_starts[script.object],
                rods.topology.directed(branched, 1) - model.object_starts[script.object], object.name);
        if (num_held == 0)
            reject(
                "{}: it has no edge of '{}' with both of its vertices, and so no frame to hold; select both ends of an "
                "edge, or leave \"frame\" out",
                model.name_of_script(s), object.name);
    }
}

} // namespace

double section_thickness(const SceneObject& object) { return 2 * object.rod.section.larger(); }

double shear_modulus(const SceneObject& object)
{
    return object.rod.shear_modulus.value_or(object.youngs_modulus / (2 * (1 + object.poisson_ratio)));
}

void check_rod(const SceneObject& object, std::size_t k, int dim)
{
    const MeshData& mesh = object.mesh;
    if (dim != 3 || mesh.edges.rows() == 0 || mesh.faces.rows() > 0 || mesh.tets.rows() > 0)
        reject("{}: a rod needs edges in space, and nothing but edges", field_of_object(k, "geometry"));
    const SceneRod& rod = object.rod;
    const double aspect = rod.section.a / rod.section.b;
    for (const double half_axis : {rod.section.a, rod.section.b})
        if (!(half_axis > 0 && std::isfinite(half_axis)))
            reject(
                "{}: {} is no size of a section; give a radius or two half axes above 0 [m]",
                field_of_object(k, "material.radius"), half_axis);
    constexpr double most_flat = 1e3; // beyond, one stiffness is a millionth of the other
    if (!(aspect <= most_flat && aspect >= 1 / most_flat))
        reject(
            "{}: one half axis is more than {} times the other; make it a shell", field_of_object(k, "material.radius"),
            most_flat);
    require_positive(object.youngs_modulus, field_of_object(k, "material.youngs_modulus"));
    require_positive(
        shear_modulus(object),
        field_of_object(k, rod.shear_modulus ? "material.shear_modulus" : "material.poisson_ratio"));
    if (!std::isfinite(rod.rest_twist))
        reject("{}: {} is not a finite number", field_of_object(k, "material.rest_twist"), rod.rest_twist);
    if (!rod.axis.allFinite())
        reject("{}: not all of its numbers are finite", field_of_object(k, "material.section_axis"));
    for (Eigen::Index e = 0; e < mesh.edges.rows(); ++e) {
        const int v = mesh.edges(e, 0), w = mesh.edges(e, 1);
        if (std::min(v, w) < 0 || std::max(v, w) >= mesh.vertices.rows())
            continue; // the topology says it better
        if (v != w && mesh.vertices.row(v) == mesh.vertices.row(w))
            reject(
                "{}: edge {} of '{}' has no length, as its vertices {} and {} are in the same place; merge them",
                field_of_object(k, "geometry"), e, object.name, v, w);
    }
    try { // rejects what no rod has, by the vertices of the object
        (void)rod_topology(mesh.edges, static_cast<int>(mesh.vertices.rows()));
    } catch (const InvalidInput& error) {
        reject("{}: '{}', {}", field_of_object(k, "geometry"), object.name, error.what());
    }
}

Eigen::VectorXd rod_masses(const SceneObject& object)
{
    const MeshData& mesh = object.mesh;
    Eigen::VectorXd masses = Eigen::VectorXd::Zero(mesh.vertices.rows());
    for (Eigen::Index e = 0; e < mesh.edges.rows(); ++e) {
        const double length = (mesh.vertices.row(mesh.edges(e, 1)) - mesh.vertices.row(mesh.edges(e, 0))).norm();
        for (const int v : {mesh.edges(e, 0), mesh.edges(e, 1)})
            masses[v] += object.density * object.rod.section.area() * length / 2;
    }
    return masses;
}

void add_rods(Model& model)
{
    auto rods = std::make_shared<RodSet>();
    const Edges edges = rod_edges(model, rods->objects);
    if (edges.rows() == 0)
        return check_asked_frames(model, *rods); // there are none
    rods->topology = rod_topology(edges, model.num_vertices());
    std::vector<Vec3> wanted;
    for (const int k : rods->objects)
        wanted.push_back(model.scene.objects[k].rod.axis);
    rods->directors = directors_along(model.rest, rods->topology, wanted);
    std::vector<double> masses;
    for (int e = 0; e < static_cast<int>(edges.rows()); ++e) {
        const SceneObject& object = model.scene.objects[rods->objects[e]];
        const bool has_arc = !rods->topology.is_branched[e];
        rods->arc_radii.push_back(has_arc ? object.rod.section.larger() : 0);
        rods->arc_blocks.push_back(-1);
        if (!has_arc)
            continue;
        const int v = edges(e, 0), w = edges(e, 1);
        const double length = (model.rest.row(w) - model.rest.row(v)).norm(), a = object.rod.section.larger();
        rods->arc_edges.push_back(e);
        masses.push_back(object.density * object.rod.section.polar_moment() * length / (a * a));
        rods->clamps.push_back(clamp_of(model, v, w));
    }
    rods->arc_masses = Eigen::Map<const Eigen::VectorXd>(masses.data(), rods->num_arcs());
    rods->first_arc = model.start.others.size();
    const int first_block = model.layout.append(static_cast<int>(rods->num_arcs()), 1);
    for (std::size_t k = 0; k < rods->arc_edges.size(); ++k)
        rods->arc_blocks[rods->arc_edges[k]] = first_block + static_cast<int>(k);
    model.start.others.conservativeResize(rods->first_arc + rods->num_arcs());
    model.start.others.tail(rods->num_arcs()).setZero();
    explain_branches(model, *rods);
    check_asked_frames(model, *rods);
    model.rods = std::move(rods);
}

} // namespace abut
