#include "abut/sim/model.hpp"

#include "abut/base/error.hpp"
#include "abut/linear/iterative/preconditioner.hpp"
#include "abut/sim/contact_materials.hpp"
#include "abut/sim/contact_model.hpp"
#include "abut/sim/energy_kinds.hpp"
#include "abut/sim/integrator.hpp"
#include "abut/sim/solver_choice.hpp"
#include "abut/solver/linear_solvers.hpp"

#include <algorithm>

namespace abut {

std::string_view to_string(ObjectKind kind)
{
    switch (kind) {
    case ObjectKind::solid:
        return "solid";
    case ObjectKind::shell:
        return "shell";
    case ObjectKind::planar:
        return "planar";
    case ObjectKind::rod:
        return "rod";
    case ObjectKind::points:
        return "points";
    case ObjectKind::obstacle:
        return "obstacle";
    }
    return "";
}

double SceneObject::stiffest_modulus() const
{
    return is_woven() ? std::max(weave.warp.value_or(youngs_modulus), weave.weft.value_or(youngs_modulus))
                      : youngs_modulus;
}

std::string field_of_object(std::size_t object, const char* name)
{
    return fmt::format("objects[{}].{}", object, name);
}

void require_positive(double value, const std::string& field)
{
    if (!(value > 0 && std::isfinite(value)))
        reject("{}: {} is not a positive number", field, value);
}

bool has_mass(const SceneObject& object) { return object.kind != ObjectKind::obstacle; }

bool SceneObject::has_loose_parts() const
{
    if (mesh.vertices.cols() == 3 && mesh.edges.rows() > 0)
        return true;
    std::vector<bool> is_in_element(mesh.vertices.rows(), false);
    const auto mark = [&](const auto& elements) {
        for (const int v : elements.reshaped())
            if (v >= 0 && v < mesh.vertices.rows())
                is_in_element[v] = true;
    };
    mark(mesh.edges);
    mark(mesh.faces);
    mark(mesh.tets);
    return std::find(is_in_element.begin(), is_in_element.end(), false) != is_in_element.end();
}

double Model::mean_mass() const
{
    double mass = 0;
    int count = 0;
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        if (has_mass(scene.objects[k]) && can_move(k)) {
            mass += masses.segment(object_starts[k], object_starts[k + 1] - object_starts[k]).sum();
            count += object_starts[k + 1] - object_starts[k];
        }
    return count > 0 ? mass / count : 0;
}

std::string Model::name_of_script(int k) const
{
    return scene.scripts[k].source.empty() ? fmt::format("scripts[{}]", k) : scene.scripts[k].source;
}

namespace {

void check_linear_solver(const SceneSolver& solver)
{
    (void)linear_solvers().at(solver.linear, "solver.linear");
    const bool is_direct = solver.linear == "direct" || solver.linear == "eigen";
    if (preconditioner_named(solver.preconditioner) && solver.linear != "auto" && solver.linear != "pcg")
        reject(
            "solver.preconditioner: '{}' counts only with conjugate gradients, but solver.linear is '{}'; set that to "
            "pcg or auto, or remove this",
            solver.preconditioner, solver.linear);
    if (solver.linear_tolerance) {
        if (!(*solver.linear_tolerance > 0 && *solver.linear_tolerance < 1))
            reject("solver.linear_tolerance: {} is not above 0 and below 1", *solver.linear_tolerance);
        if (is_direct)
            reject(
                "solver.linear_tolerance: counts only with iterative methods, but solver.linear is '{}', which goes to "
                "rounding; set that to pcg or auto, or remove this",
                solver.linear);
    }
}

void check_solver_method(const Scene& scene)
{
    const SceneSolver& solver = scene.solver;
    const bool is_descent = solver.method == "vbd", is_chosen = solver.method == "auto";
    if (!is_descent && !is_chosen && solver.method != "newton")
        reject("solver.method: '{}' is none; take newton, vbd or auto", solver.method);
    if (solver.iterations && *solver.iterations < 1)
        reject("solver.iterations: {} is below 1", *solver.iterations);
    if (solver.residual && !(*solver.residual > 0 && *solver.residual < 1))
        reject("solver.residual: {} is not a share between 0 and 1, both excluded", *solver.residual);
    if (solver.relaxation && !(*solver.relaxation >= 1 && *solver.relaxation < 2))
        reject(
            "solver.relaxation: {} is not from 1 up to, but not including, 2; leave it out for 1.5",
            *solver.relaxation);
    const char* given = solver.iterations ? "iterations" : solver.residual ? "residual" : "relaxation";
    const bool is_given = solver.iterations || solver.residual || solver.relaxation;
    if (!is_descent && !is_chosen && is_given)
        reject(
            "solver.{}: counts only with solver.method vbd or auto, but that is newton; set it to vbd, or remove this",
            given);
    if (is_chosen && is_given && !descends_by_blocks(scene))
        reject(
            "solver.{}: counts with solver.method auto only where contact has a bound for each vertex, but "
            "contact.model {} has none, and auto takes newton; set contact.model to ogc, or remove this",
            given, scene.contact.model);
    if (!is_descent || !scene.contact.is_enabled())
        return;
    if (contact_models().at(scene.contact.model, "contact.model").guard != GuardKind::bounds)
        reject(
            "solver.method: vbd moves vertices one by one and needs a bound for each, which contact.model {} has not; "
            "set contact.model to ogc, or solver.method to newton",
            scene.contact.model);
}

/// What needs no mesh to be wrong.
void check_scene(const Scene& scene)
{
    if (scene.objects.empty())
        reject("objects: the scene has none");
    require_positive(scene.time.dt, "time.dt");
    constexpr int most_substeps = 65536;
    if (scene.time.max_substeps < 2 || scene.time.max_substeps > most_substeps)
        reject("time.max_substeps: {} is not within 2 and {}", scene.time.max_substeps, most_substeps);
    if (scene.time.max_motion)
        require_positive(*scene.time.max_motion, "time.max_motion");
    if (!std::isfinite(scene.time.dt * scene.time.steps))
        reject("time: {} steps of {} s are no finite time", scene.time.steps, scene.time.dt);
    (void)integrators().at(scene.time.integrator, "time.integrator");
    check_linear_solver(scene.solver);
    check_solver_method(scene);
    if (!scene.gravity.allFinite())
        reject("gravity: not all of its numbers are finite");
    if (scene.solver.max_iterations < 1)
        reject("solver.max_iterations: {} is below 1", scene.solver.max_iterations);
    if (scene.solver.friction_iterations < 1)
        reject("solver.friction_iterations: {} is below 1", scene.solver.friction_iterations);
    if (const auto& share = scene.solver.friction_tolerance) {
        if (!(*share > 0 && *share < 1))
            reject("solver.friction_tolerance: {} is not a share above 0 and below 1", *share);
        if (scene.solver.friction_iterations < 2)
            reject(
                "solver.friction_tolerance: solver.friction_iterations is {}, so that nothing is lagged anew to meet "
                "it; "
                "set that to 10, say",
                scene.solver.friction_iterations);
    }
    if (scene.solver.max_blocked_steps < 1)
        reject("solver.max_blocked_steps: {} is below 1", scene.solver.max_blocked_steps);
    check_contact_materials(scene);
    if (scene.contact.is_enabled())
        if (const ContactModel& contact = contact_models().at(scene.contact.model, "contact.model"); contact.check)
            contact.check(scene);
}

/// Doubles far from the origin are far apart. Distances below dhat decide what contact does, so some digits of it must
/// be left.
void warn_of_distance_from_origin(Model& model)
{
    constexpr double wanted_units = 1e5; // five digits of dhat
    double farthest = 0;
    std::size_t at = 0;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
        if (const double far = model.scene.objects[k].mesh.vertices.cwiseAbs().maxCoeff(); far > farthest) {
            farthest = far;
            at = k;
        }
    const double unit = farthest * std::numeric_limits<double>::epsilon(), dhat = model.parameters.dhat;
    if (dhat < wanted_units * unit)
        model.warnings.push_back(fmt::format(
            "'{}' is {:.2g} m from the origin, where coordinates are rounded to {:.1g} m, which leaves few digits of "
            "contact.dhat = {:.2g} m; move the scene near the origin (transform.translate of its objects)",
            model.scene.objects[at].name, farthest, unit, dhat));
}

void find_warnings(Model& model)
{
    warn_of_distance_from_origin(model);
    if (!model.scene.contact.is_enabled())
        return;
    if (const ContactModel& contact = contact_models().at(model.scene.contact.model, "contact.model"); contact.explain)
        contact.explain(model);
    // A dhat beyond the size of a body makes contact act on all of it at once, far away from anything.
    double smallest = INFINITY;
    std::size_t at = 0;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const Positions& X = model.scene.objects[k].mesh.vertices;
        const double extent = (X.colwise().maxCoeff() - X.colwise().minCoeff()).norm();
        if (has_mass(model.scene.objects[k]) && extent > 0 && extent < smallest) { // single points have no extent
            smallest = extent;
            at = k;
        }
    }
    if (model.parameters.dhat > smallest)
        model.warnings.push_back(fmt::format(
            "contact.dhat: {:.4g} m is more than the extent of '{}', {:.4g} m, so contact acts far from it; "
            "contact.dhat = {:.4g} is a thousandth of that extent",
            model.parameters.dhat, model.scene.objects[at].name, smallest, 1e-3 * smallest));
}

} // namespace

std::unique_ptr<const Model> make_model(Scene scene)
{
    auto model = std::make_unique<Model>();
    model->scene = std::move(scene);
    check_scene(model->scene);
    build_bodies(*model);
    choose_parameters(*model);
    build_surface(*model);
    for (const auto& [name, kind] : energy_kinds())
        if (kind.extend)
            kind.extend(*model);
    find_warnings(*model);
    return model;
}

} // namespace abut
