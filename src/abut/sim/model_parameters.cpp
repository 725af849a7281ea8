// What a scene leaves open: lengths, speeds and stiffness that follow from its bodies.

#include "abut/base/error.hpp"
#include "abut/mesh/sharp_features.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/sim/contact_materials.hpp"
#include "abut/sim/contact_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

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
    const double mean_edge = mean_edge_length(object.mesh.vertices, surface_edges);
    all.finest_edge = std::min(all.finest_edge, mean_edge);
    const double own_length = object.kind == ObjectKind::solid ? mean_edge : object.thickness;
    all.surface += dim == 3 ? surface_area(object.mesh.vertices, faces)
                            : total_length(object.mesh.vertices, boundary_edges(faces));
    all.surface_vertices += dim == 3 ? count_vertices(faces) : count_vertices(boundary_edges(faces));
    const double elasticity = object.stiffest_modulus() * own_length;
    if (elasticity > all.hardest_modulus * all.hardest_length) {
        all.hardest_modulus = object.stiffest_modulus();
        all.hardest_length = own_length;
    }
    return elasticity;
}

/// The same of a rod: its surface is that of its tube, and it resists as an edge that is stretched.
double measure_rod(const SceneObject& object, BodyMeasures& all)
{
    const double length = total_length(object.mesh.vertices, object.mesh.edges);
    all.edges_length += length;
    all.num_edges += object.mesh.edges.rows();
    const double mean_edge = mean_edge_length(object.mesh.vertices, object.mesh.edges);
    all.finest_edge = std::min(all.finest_edge, mean_edge);
    all.surface += length * std::numbers::pi * (object.rod.section.a + object.rod.section.b);
    all.surface_vertices += count_vertices(object.mesh.edges);
    const double own_length = object.rod.section.area() / mean_edge;
    if (object.youngs_modulus * own_length > all.hardest_modulus * all.hardest_length) {
        all.hardest_modulus = object.youngs_modulus;
        all.hardest_length = own_length;
    }
    return object.youngs_modulus * own_length;
}

/// Where points have neighbours: the median distance to the nearest other, of up to 64 of them, so that it costs one
/// pass for each. 0 where all are in one place.
double spacing(const Positions& X)
{
    constexpr Eigen::Index max_samples = 64;
    const Eigen::Index stride = (X.rows() + max_samples - 1) / max_samples;
    std::vector<double> nearest;
    for (Eigen::Index i = 0; i < X.rows(); i += stride) {
        double least = INFINITY;
        for (Eigen::Index j = 0; j < X.rows(); ++j)
            if (const double squared = (X.row(j) - X.row(i)).squaredNorm(); squared > 0)
                least = std::min(least, squared);
        if (std::isfinite(least))
            nearest.push_back(std::sqrt(least));
    }
    if (nearest.empty())
        return 0;
    std::nth_element(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() / 2), nearest.end());
    return nearest[nearest.size() / 2];
}

/// The diagonal of its bounding box; of points, which may be anywhere, their spacing. 0 of a single point [m].
double size_of(const SceneObject& object)
{
    const Positions& X = object.mesh.vertices;
    if (object.kind == ObjectKind::points)
        return spacing(X);
    return (X.colwise().maxCoeff() - X.colwise().minCoeff()).norm();
}

/// Bodies whose sizes differ by more than this cannot share one length well.
constexpr double most_apart_in_size = 100;

/// The extent that bodies of these sizes are given lengths by: that of the smallest, so that nothing acts far from it,
/// but never less than a hundredth of the largest, which would have to be solved far too finely.
class Sizes {
public:
    void add(double size, std::size_t object)
    {
        if (size > 0 && size < smallest_) {
            smallest_ = size;
            smallest_object_ = object;
        }
        largest_ = std::max(largest_, size);
    }
    [[nodiscard]] bool is_empty() const { return !(largest_ > 0); }
    [[nodiscard]] double smallest() const { return smallest_; }
    [[nodiscard]] double extent() const { return std::max(smallest_, largest_ / most_apart_in_size); }
    void warn(Model& model) const
    {
        if (smallest_ < largest_ / most_apart_in_size && !model.scene.contact.dhat)
            model.warnings.push_back(fmt::format(
                "contact.dhat: '{}' has a size of {:.3g} m and another body {:.3g} m, which no one length suits; it "
                "follows a hundredth of the larger. Give contact.dhat, or leave the small body out",
                model.scene.objects[smallest_object_].name, smallest_, largest_));
    }

private:
    double smallest_ = INFINITY, largest_ = 0;
    std::size_t smallest_object_ = 0;
};

BodyMeasures measure(Model& model)
{
    // Lengths follow each body that can move by itself: floors may be of any size, and bodies far apart.
    const int dim = model.dim();
    Eigen::VectorXd lo = Eigen::VectorXd::Constant(dim, INFINITY), hi = -lo;
    BodyMeasures all;
    Sizes movers, others;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        all.elasticities.push_back(0);
        const bool is_mover = has_mass(object) && model.can_move(k);
        (is_mover ? movers : others).add(size_of(object), k);
        BodyMeasures own;
        if (has_mass(object) && object.kind != ObjectKind::points)
            all.elasticities.back() = object.kind == ObjectKind::rod
                                          ? measure_rod(object, is_mover ? all : own)
                                          : measure_surface(object, dim, is_mover ? all : own);
        if (!is_mover)
            continue;
        lo = lo.cwiseMin(object.mesh.vertices.colwise().minCoeff().transpose());
        hi = hi.cwiseMax(object.mesh.vertices.colwise().maxCoeff().transpose());
    }
    movers.warn(model);
    // A point alone has no size; what it may meet has one.
    all.extent = !movers.is_empty()  ? movers.extent()
                 : others.is_empty() ? 1e-3
                                     : std::clamp(others.smallest(), 1e-3, 1.0);
    all.spread = (hi - lo).norm();
    if (!(all.spread > all.extent && std::isfinite(all.spread)))
        all.spread = all.extent;
    return all;
}

/// To six digits: what is chosen shall not depend on the rounding of coordinates, as of equal bodies in other places.
double rounded(double value) { return std::stod(fmt::format("{:.5e}", value)); }

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

/// Of objects that leave it open.
void choose_elastic_models(Model& model)
{
    const std::string& contact = model.scene.contact.model;
    const ElasticModel usual = ContactModel{}.shell_model;
    const ElasticModel of_shells =
        model.scene.contact.is_enabled() ? contact_models().at(contact, "contact.model").shell_model : usual;
    bool is_chosen = false;
    for (SceneObject& object : model.scene.objects) {
        if (object.model)
            continue;
        const bool is_shell = object.kind == ObjectKind::shell;
        object.model = is_shell ? of_shells : object.plasticity ? ElasticModel::hencky : ElasticModel::neo_hookean;
        is_chosen = is_chosen || (is_shell && of_shells != usual);
    }
    if (is_chosen)
        model.choices.push_back(
            {"objects[].material.model", std::string(to_string(of_shells)),
             fmt::format(
                 "of shells; the contact model '{}' lets their triangles collapse within their plane", contact)});
}

double choose_stiffness(Model& model, const BodyMeasures& bodies, double dhat)
{
    const std::optional<double>& given = model.scene.contact.stiffness;
    if (model.mean_mass() == 0) // nothing but obstacles
        return given.value_or(1);
    const ContactModel& contact = contact_models().at(model.scene.contact.model, "contact.model");
    const StiffnessSuggestion suggestion = contact.suggest_stiffness(model, bodies, dhat);
    if (!given && !(suggestion.stiffness > 0 && std::isfinite(suggestion.stiffness)))
        reject("contact.stiffness: none follows from the scene, as its masses, moduli or time step are beyond what "
               "numbers hold; check density, youngs_modulus and time.dt, or give it");
    return choose(model, given, "contact.stiffness", rounded(suggestion.stiffness), suggestion.explanation);
}

/// Bonds that change in time: how far they reach, and the well that is their spring.
NormalAdhesionOptions rcc_options(Model& model, double dhat, double extent)
{
    const SceneAdhesion& given = *model.scene.contact.adhesion;
    RccModel rcc{.usual = rcc_parameters(given.rcc, {}, "contact.adhesion"), .intensity = given.intensity};
    RccParameters stiffest = rcc.usual;
    double stretch = rcc.usual.c_n > 0 ? rcc.usual.stretch() : 0;
    for (std::size_t k = 0; k < model.scene.contact.pairs.size(); ++k)
        if (const auto& pair = model.scene.contact.pairs[k].adhesion) {
            const RccParameters bond =
                rcc_parameters(given.rcc, pair->rcc, fmt::format("contact.pairs[{}].adhesion", k));
            if (bond.c_n > 0)
                stretch = std::max(stretch, bond.stretch());
            if (bond.c_n > stiffest.c_n)
                stiffest = bond;
        }
    if (!(stiffest.c_n > 0))
        reject(
            "contact.adhesion.c_n: 0, and no pair of contact.pairs has another, so that nothing sticks; give one, or "
            "leave contact.adhesion out");
    if (!(stretch <= extent))
        reject(
            "contact.adhesion.c_n: bonds of {:.3g} Pa/m stretch by √(w / c_n) before they let go, which is more than "
            "the "
            "bodies' extent of {:.3g} m; raise c_n, or lower w",
            rcc.usual.c_n > 0 ? rcc.usual.c_n : stiffest.c_n, extent);
    const auto chosen = [&](const char* name, const std::optional<double>& is_given, double value, const char* reason) {
        if (!is_given && rcc.usual.c_n > 0)
            model.choices.push_back({fmt::format("contact.adhesion.{}", name), value, reason});
    };
    chosen("c_t", given.rcc.c_t, rcc.usual.c_t, "contact.adhesion.c_n");
    chosen("eta", given.rcc.eta, rcc.usual.eta, "w times 0.01 s, in which a bond lets go");
    chosen("p_0", given.rcc.p_0, rcc.usual.p_0, "√(w c_n), the largest pull: pressed as hard, a bond becomes whole");
    chosen("r", given.rcc.r, rcc.usual.r, "1 / (p_0 × 0.01 s), in which it does so");
    rcc.dhat_a = given.dhat_a.value_or(std::max(2 * dhat, rounded(4 * stretch)));
    if (!given.dhat_a)
        model.choices.push_back(
            {"contact.adhesion.dhat_a", rcc.dhat_a,
             "twice contact.dhat, or four times √(w / c_n), where bonds begin to let go"});
    if (!(rcc.dhat_a > dhat))
        reject(
            "contact.adhesion.dhat_a: {} m is not above contact.dhat, {} m, so that bonds would end where contact "
            "begins; raise it, or lower contact.dhat",
            rcc.dhat_a, dhat);
    rcc.dhat_p = 0.8 * rcc.dhat_a;
    if (stretch > rcc.dhat_p)
        model.warnings.push_back(fmt::format(
            "contact.adhesion.dhat_a: bonds end {:.3g} m away, before they would let go by themselves, at √(w / c_n) = "
            "{:.3g} m; raise dhat_a or c_n",
            rcc.dhat_a, stretch));
    const NormalAdhesionOptions options{
        .dhat_p = rcc.dhat_p,
        .dhat_a = rcc.dhat_a,
        .youngs_modulus = stiffest.c_n * rcc.dhat_p,
        .critical_strain = 1,
        .hessian_mode = model.scene.contact.hessian.value_or(
            contact_models().at(model.scene.contact.model, "contact.model").hessian_mode)};
    model.parameters.rcc = std::move(rcc);
    return options;
}

/// `sticks`: do pairs that contact.pairs does not name?
NormalAdhesionOptions adhesion_options(Model& model, double dhat, bool sticks)
{
    const SceneAdhesion& given = *model.scene.contact.adhesion;
    if (given.model == AdhesionModel::rcc)
        return rcc_options(model, dhat, model.parameters.extent);
    double softest = INFINITY;
    for (const SceneObject& object : model.scene.objects)
        if (has_mass(object) && object.kind != ObjectKind::points)
            softest = std::min(softest, object.stiffest_modulus());
    if (given.strength)
        require_positive(*given.strength, "contact.adhesion.strength");
    if (!given.strength && !given.youngs_modulus && !std::isfinite(softest)) {
        if (sticks)
            reject("contact.adhesion.strength: no body has a modulus that a critical_strain could be of; give it, or "
                   "youngs_modulus");
        softest = 1; // pairs have their own
    }
    NormalAdhesionOptions options{
        .dhat_p = given.dhat_p.value_or(dhat),
        .dhat_a = given.dhat_a.value_or(2 * given.dhat_p.value_or(dhat)),
        .youngs_modulus = given.strength.value_or(given.youngs_modulus.value_or(softest)),
        .critical_strain = given.strength ? 1 : given.critical_strain,
        .distance = given.of_squared_distance ? DistanceKind::squared : DistanceKind::plain,
        .hessian_mode = model.scene.contact.hessian.value_or(
            contact_models().at(model.scene.contact.model, "contact.model").hessian_mode)};
    if (!(options.dhat_p < options.dhat_a))
        reject(
            "contact.adhesion.dhat_p: {} m is not below contact.adhesion.dhat_a, {} m; bonds pull hardest at dhat_p "
            "and "
            "end at dhat_a: lower the one or raise the other",
            options.dhat_p, options.dhat_a);
    if (options.dhat_p < dhat)
        model.warnings.push_back(fmt::format(
            "contact.adhesion.dhat_p: {:.3g} m is below contact.dhat, {:.3g} m: contact pushes where bonds should pull "
            "hardest, and they hold less than their strength; raise it, or lower contact.dhat",
            options.dhat_p, dhat));
    if (!given.youngs_modulus && !given.strength && sticks)
        model.choices.push_back({"contact.adhesion.youngs_modulus", softest, "that of the softest body"});
    if (!given.dhat_p)
        model.choices.push_back(
            {"contact.adhesion.dhat_p", options.dhat_p, "contact.dhat: bonds pull where contact ends"});
    if (!given.dhat_a)
        model.choices.push_back({"contact.adhesion.dhat_a", options.dhat_a, "twice contact.adhesion.dhat_p"});
    return options;
}

/// The area of a vertex at a sharp rim includes its share of the sides, which counts where a face of a body has few
/// cells: with two across, bonds hold a quarter too long.
void warn_of_coarse_bonds(Model& model, bool sticks)
{
    constexpr double least = 4; // cells along an edge of a cube with as many faces
    const auto is_sticky = [&](const SceneObject& object) {
        return sticks ||
               std::any_of(
                   model.scene.contact.pairs.begin(), model.scene.contact.pairs.end(), [&](const ScenePair& pair) {
                       return pair.adhesion && !object.surface.name.empty() &&
                              (pair.materials[0] == object.surface.name || pair.materials[1] == object.surface.name);
                   });
    };
    for (const SceneObject& object : model.scene.objects) {
        if (object.kind != ObjectKind::solid || !is_sticky(object))
            continue;
        const Faces faces = boundary_faces(object.mesh.tets);
        const double across = std::sqrt(static_cast<double>(faces.rows()) / 12);
        const auto has_rim = [&] {
            constexpr double steep = 1; // rad
            return !sharp_features(CollisionMesh(object.mesh), steep).edges.empty();
        };
        if (across < least && has_rim())
            model.warnings.push_back(fmt::format(
                "contact.adhesion: the surface of '{}' has some {:.2g} cells across a face, and below {} bonds hold up "
                "to "
                "a quarter longer than their strength, as areas at a rim include a share of the sides; give it a finer "
                "mesh",
                object.name, across, least));
    }
}

/// Noted only where friction is anchored.
double choose_slip(Model& model, double share)
{
    const SceneContact& contact = model.scene.contact;
    if (contact.friction_model != FrictionModel::anchored)
        return 0;
    return choose(
        model, contact.slip, "contact.friction.slip", rounded(1e-2 * share),
        "a hundred-thousandth of the bodies' extent: what sticks gives way by so much before it slides");
}

} // namespace

void choose_parameters(Model& model)
{
    choose_elastic_models(model);
    const BodyMeasures bodies = measure(model);
    const SceneContact& contact = model.scene.contact;
    const SceneSolver& solver = model.scene.solver;
    const double share = rounded(1e-3 * bodies.extent);
    const std::string reason = fmt::format("a thousandth of the bodies' extent, {:.3g} m", bodies.extent);
    ModelParameters& chosen = model.parameters;
    chosen.extent = bodies.extent;
    chosen.spread = bodies.spread;
    chosen.elasticities = bodies.elasticities;
    // Beyond its edges a surface would press on itself.
    const double half_edge = bodies.finest_edge < INFINITY ? rounded(bodies.finest_edge / 2) : INFINITY;
    chosen.dhat = half_edge < share
                      ? choose(model, contact.dhat, "contact.dhat", half_edge, "half of the finest body's mean edge")
                      : choose(model, contact.dhat, "contact.dhat", share, reason);
    chosen.eps_v = choose(model, contact.eps_v, "contact.friction.eps_v", share, reason + ", per second");
    chosen.slip = choose_slip(model, share);
    const bool is_relative = solver.norm == ConvergenceNorm::relative;
    chosen.tolerance =
        choose(model, solver.tolerance, "solver.tolerance", is_relative ? 1e-3 : share, reason + ", per second");
    if (is_relative)
        chosen.tolerance = solver.tolerance ? chosen.tolerance * bodies.extent : share;
    if (!contact.is_enabled())
        return;
    chosen.stiffness = choose_stiffness(model, bodies, chosen.dhat);
    const bool sticks = contact.adhesion.has_value();
    if (has_sticky_pair(model.scene) && !sticks)
        model.scene.contact.adhesion.emplace(); // of those pairs alone
    if (contact.adhesion)
        chosen.adhesion = adhesion_options(model, chosen.dhat, sticks);
    chosen.materials = choose_materials(model, sticks);
    if (chosen.rcc && chosen.materials && !chosen.materials->rcc.empty()) {
        chosen.rcc->of_pairs = chosen.materials->rcc;
        chosen.rcc->plane_materials = chosen.materials->of_plane;
    }
    if (contact.adhesion)
        warn_of_coarse_bonds(model, sticks);
}

} // namespace abut
