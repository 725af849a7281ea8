// What a scene leaves open: lengths, speeds and stiffness that follow from its bodies.

#include "abut/base/error.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/sim/contact_model.hpp"

#include <algorithm>

namespace abut {

namespace {

double total_length(const Positions& rest, const Edges& edges)
{
    double sum = 0;
    for (Eigen::Index e = 0; e < edges.rows(); ++e)
        sum += (rest.row(edges(e, 1)) - rest.row(edges(e, 0))).norm();
    return sum;
}

double mean_edge_length(const Positions& rest, const Edges& edges)
{
    return edges.rows() > 0 ? total_length(rest, edges) / static_cast<double>(edges.rows()) : 0;
}

double surface_area(const Positions& rest, const Faces& faces)
{
    double sum = 0;
    for (Eigen::Index f = 0; f < faces.rows(); ++f) {
        const Vec3 t0 = point<3>(rest, faces(f, 0)), t1 = point<3>(rest, faces(f, 1)), t2 = point<3>(rest, faces(f, 2));
        sum += (t1 - t0).cross(t2 - t0).norm() / 2;
    }
    return sum;
}

template <typename Elements>
int count_vertices(const Elements& elements)
{
    std::vector<int> vertices(elements.data(), elements.data() + elements.size());
    std::sort(vertices.begin(), vertices.end());
    return static_cast<int>(std::unique(vertices.begin(), vertices.end()) - vertices.begin());
}

/// Adds what an object of elements brings; tells its elasticity.
double measure_surface(const SceneObject& object, int dim, BodyMeasures& all)
{
    const Faces faces = object.kind == ObjectKind::solid ? boundary_faces(object.mesh.tets) : object.mesh.faces;
    const Edges surface_edges = dim == 3 ? edges(faces) : boundary_edges(faces);
    all.edges_length += total_length(object.mesh.vertices, surface_edges);
    all.num_edges += surface_edges.rows();
    const double own_length =
        object.kind == ObjectKind::solid ? mean_edge_length(object.mesh.vertices, surface_edges) : object.thickness;
    all.surface += dim == 3 ? surface_area(object.mesh.vertices, faces)
                            : total_length(object.mesh.vertices, boundary_edges(faces));
    all.surface_vertices += dim == 3 ? count_vertices(faces) : count_vertices(boundary_edges(faces));
    const double elasticity = object.youngs_modulus * own_length;
    if (elasticity > all.hardest_modulus * all.hardest_length) {
        all.hardest_modulus = object.youngs_modulus;
        all.hardest_length = own_length;
    }
    return elasticity;
}

BodyMeasures measure(const Model& model)
{
    // Lengths follow the bodies that move; floors may be of any size.
    const int dim = model.dim();
    Eigen::VectorXd lo = Eigen::VectorXd::Constant(dim, INFINITY), hi = -lo;
    BodyMeasures all;
    for (const SceneObject& object : model.scene.objects) {
        all.elasticities.push_back(0);
        if (!has_mass(object))
            continue;
        lo = lo.cwiseMin(object.mesh.vertices.colwise().minCoeff().transpose());
        hi = hi.cwiseMax(object.mesh.vertices.colwise().maxCoeff().transpose());
        if (object.kind != ObjectKind::points)
            all.elasticities.back() = measure_surface(object, dim, all);
    }
    all.extent = (hi - lo).norm();
    if (!(all.extent > 0 && std::isfinite(all.extent)))
        all.extent = std::max(1e-3, (model.rest.colwise().maxCoeff() - model.rest.colwise().minCoeff()).norm());
    return all;
}

/// What the scene gives, or else the value, which is noted with its reason.
double choose(Model& model, const std::optional<double>& given, const char* name, double value, std::string reason)
{
    if (given) {
        require_positive(*given, name);
        return *given;
    }
    model.choices.push_back({name, value, std::move(reason)});
    return value;
}

double choose_stiffness(Model& model, const BodyMeasures& bodies, double dhat)
{
    const std::optional<double>& given = model.scene.contact.stiffness;
    if (model.mean_mass() == 0) // nothing but obstacles
        return given.value_or(1);
    const ContactModel& contact = contact_models().at(model.scene.contact.model, "contact.model");
    const StiffnessSuggestion suggestion = contact.suggest_stiffness(model, bodies, dhat);
    return choose(model, given, "contact.stiffness", suggestion.stiffness, suggestion.explanation);
}

NormalAdhesionOptions adhesion_options(Model& model, double dhat)
{
    const SceneAdhesion& given = *model.scene.contact.adhesion;
    double softest = INFINITY;
    for (const SceneObject& object : model.scene.objects)
        if (has_mass(object) && object.kind != ObjectKind::points)
            softest = std::min(softest, object.youngs_modulus);
    if (!given.youngs_modulus && !std::isfinite(softest))
        reject("contact.adhesion.youngs_modulus: no body has one; give it");
    NormalAdhesionOptions options{
        .dhat_p = given.dhat_p.value_or(dhat),
        .dhat_a = given.dhat_a.value_or(2 * given.dhat_p.value_or(dhat)),
        .youngs_modulus = given.youngs_modulus.value_or(softest),
        .critical_strain = given.critical_strain,
        .distance = given.of_squared_distance ? DistanceKind::squared : DistanceKind::plain,
        .hessian_mode = contact_models().at(model.scene.contact.model, "contact.model").hessian_mode};
    if (!given.youngs_modulus)
        model.choices.push_back({"contact.adhesion.youngs_modulus", softest, "that of the softest body"});
    if (!given.dhat_p)
        model.choices.push_back(
            {"contact.adhesion.dhat_p", options.dhat_p, "contact.dhat: bonds pull where contact ends"});
    if (!given.dhat_a)
        model.choices.push_back({"contact.adhesion.dhat_a", options.dhat_a, "twice contact.adhesion.dhat_p"});
    return options;
}

} // namespace

void choose_parameters(Model& model)
{
    const BodyMeasures bodies = measure(model);
    const SceneContact& contact = model.scene.contact;
    const SceneSolver& solver = model.scene.solver;
    const double share = 1e-3 * bodies.extent;
    const std::string reason = fmt::format("a thousandth of the bodies' extent, {:.3g} m", bodies.extent);
    ModelParameters& chosen = model.parameters;
    chosen.extent = bodies.extent;
    chosen.elasticities = bodies.elasticities;
    chosen.dhat = choose(model, contact.dhat, "contact.dhat", share, reason);
    chosen.eps_v = choose(model, contact.eps_v, "contact.friction.eps_v", share, reason + ", per second");
    const bool is_relative = solver.norm == ConvergenceNorm::relative;
    chosen.tolerance =
        choose(model, solver.tolerance, "solver.tolerance", is_relative ? 1e-3 : share, reason + ", per second");
    if (is_relative)
        chosen.tolerance *= bodies.extent;
    if (!contact.is_enabled())
        return;
    chosen.stiffness = choose_stiffness(model, bodies, chosen.dhat);
    if (contact.adhesion)
        chosen.adhesion = adhesion_options(model, chosen.dhat);
}

} // namespace abut
