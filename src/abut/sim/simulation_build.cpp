// How a Simulation is made from its scene: bodies, contact, and what the scene left open.

#include "abut/sim/simulation.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/gcp/smooth_stiffness.hpp"
#include "abut/contact/stiffness.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/elastic/hinge_bending.hpp"
#include "abut/elastic/lumped_masses.hpp"
#include "abut/elastic/simplex_elasticity.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace abut {

namespace {

/// An elastic energy of the elastic folder as an Energy.
template <typename Elasticity>
class ElasticEnergy final : public Energy {
public:
    ElasticEnergy(std::string_view name, Elasticity elasticity) : name_(name), elasticity_(std::move(elasticity)) {}

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] const Stencils& stencils() const override { return elasticity_.stencils(); }
    void evaluate(const ConstPositions& x, const TermOutput& out) const override { elasticity_.evaluate(x, out); }
    [[nodiscard]] double limit_step(const ConstPositions& x, const ConstPositions& dx) const override
    {
        if constexpr (requires { elasticity_.largest_uninverted_step(x, dx); })
            if (elasticity_.model() == ElasticModel::neo_hookean)
                return elasticity_.largest_uninverted_step(x, dx);
        return 1;
    }

private:
    std::string_view name_;
    Elasticity elasticity_;
};

template <typename Elasticity>
std::unique_ptr<Energy> make_elastic(std::string_view name, Elasticity elasticity)
{
    return std::make_unique<ElasticEnergy<Elasticity>>(name, std::move(elasticity));
}

bool has_mass(const SceneObject& object) { return object.kind != ObjectKind::obstacle; }

std::string field(std::size_t object, const char* name) { return fmt::format("objects[{}].{}", object, name); }

void require_positive(double value, const std::string& name)
{
    if (!(value > 0 && std::isfinite(value)))
        reject("{}: {} is not a positive number", name, value);
}

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

std::shared_ptr<const NormalLaw> law_of(ContactModel model)
{
    switch (model) {
    case ContactModel::ogc:
        return normal_law("two_stage", DistanceKind::plain);
    case ContactModel::gipc:
        return normal_law("clamped_log_squared", DistanceKind::squared);
    default:
        return normal_law("clamped_log", DistanceKind::squared);
    }
}

SmoothContactParameters smooth_parameters(const SceneContact& contact, double dhat)
{
    const SceneSmoothContact& gcp = contact.gcp;
    try {
        SmoothContactParameters params(dhat, gcp.alpha_t, gcp.beta_t, gcp.alpha_n, gcp.beta_n, gcp.exponent);
        params.variant = gcp.variant;
        params.use_exterior_test = gcp.use_exterior_test.value_or(gcp.variant == SmoothContactVariant::paper);
        params.set_adaptive_dhat_ratio(gcp.adaptive_dhat_ratio);
        if (gcp.feature_length) {
            require_positive(*gcp.feature_length, "feature_length");
            params.feature_length = FeatureLength::constant;
            params.constant_length = *gcp.feature_length;
        }
        return params;
    } catch (const InvalidInput& error) {
        reject("contact.gcp.{}", error.what());
    }
}

/// What GCP cannot do.
void check_smooth_contact(const Scene& scene)
{
    const SceneContact& contact = scene.contact;
    if (contact.dmin != 0)
        reject(
            "contact.dmin: {} m, but the model 'gcp' keeps no distance; leave it out or take another model",
            contact.dmin);
    if (contact.use_area_weighting)
        reject("contact.use_area_weighting: the model 'gcp' has measures of its own; leave it out");
    if (contact.adhesion)
        reject("contact.adhesion: there is none with the model 'gcp'; leave it out or take another model");
    if (contact.gcp.variant == SmoothContactVariant::paper)
        return;
    if (!scene.planes.empty())
        reject("contact.gcp.variant: the toolkit's formulas know no planes; take the paper's, or an obstacle as floor");
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        if (scene.objects[k].has_loose_parts())
            reject(
                "{}: the toolkit's formulas of GCP know no loose points, and in space no loose edges; take the paper's",
                field(k, "geometry"));
}

template <typename Elements>
int count_vertices(const Elements& elements)
{
    std::vector<int> vertices(elements.data(), elements.data() + elements.size());
    std::sort(vertices.begin(), vertices.end());
    return static_cast<int>(std::unique(vertices.begin(), vertices.end()) - vertices.begin());
}

} // namespace

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

Simulation::Simulation(Scene scene) : scene_(std::move(scene))
{
    if (scene_.objects.empty())
        reject("objects: the scene has none");
    require_positive(scene_.time.dt, "time.dt");
    if (!std::isfinite(scene_.time.dt * scene_.time.steps))
        reject("time: {} steps of {} s are no finite time", scene_.time.steps, scene_.time.dt);
    if (!scene_.gravity.allFinite())
        reject("gravity: not all of its numbers are finite");
    if (scene_.solver.max_iterations < 1)
        reject("solver.max_iterations: {} is below 1", scene_.solver.max_iterations);
    if (scene_.solver.friction_iterations < 1)
        reject("solver.friction_iterations: {} is below 1", scene_.solver.friction_iterations);
    if (scene_.solver.max_blocked_steps < 1)
        reject("solver.max_blocked_steps: {} is below 1", scene_.solver.max_blocked_steps);
    if (scene_.contact.model == ContactModel::gcp)
        check_smooth_contact(scene_);
    build_bodies();
    choose_parameters();
    build_surface();
    build_contact();

    std::vector<Energy*> energies{inertia_.get()};
    for (const auto& energy : elastic_)
        energies.push_back(energy.get());
    if (contact_)
        energies.push_back(contact_.get()); // before those that share its pairs
    if (adhesion_)
        energies.push_back(adhesion_.get());
    for (SlidingEnergy* sliding : {friction_.get(), bond_sliding_.get()})
        if (sliding != nullptr)
            energies.push_back(sliding);
    scripts_ = std::make_unique<AnchorEnergy>("scripts", std::vector<int>(), dim());
    energies.push_back(scripts_.get());
    newton_ = std::make_unique<Newton>(std::move(energies), guard_.get(), num_vertices(), dim());
    check_start();
    find_warnings();
}

void Simulation::build_bodies()
{
    MeshData all;
    object_starts_ = {0};
    for (std::size_t k = 0; k < scene_.objects.size(); ++k) {
        const SceneObject& object = scene_.objects[k];
        if (object.mesh.vertices.rows() == 0)
            reject("{}: the mesh is empty", field(k, "geometry"));
        if (k > 0 && object.mesh.vertices.cols() != all.vertices.cols())
            reject(
                "{}: a mesh in {} dimensions, but the first object has {}", field(k, "geometry"),
                object.mesh.vertices.cols(), all.vertices.cols());
        append(all, object.mesh);
        object_starts_.push_back(static_cast<int>(all.vertices.rows()));
    }
    rest_ = all.vertices;
    const int n = num_vertices();
    state_.x = rest_;
    state_.v = Positions::Zero(n, dim());
    masses_ = Eigen::VectorXd::Zero(n);
    is_static_.assign(n, 0);
    script_of_.assign(n, -1);

    for (std::size_t s = 0; s < scene_.scripts.size(); ++s) {
        const VertexScript& script = scene_.scripts[s];
        const auto name = [&](const char* key) {
            return script.source.empty() ? fmt::format("scripts[{}].{}", s, key) : script.source;
        };
        if (script.object < 0 || script.object >= static_cast<int>(scene_.objects.size()))
            reject("{}: there is no object {}", name("object"), script.object);
        if (!(script.axis.norm() > 0))
            reject("{}: an axis of length zero", name("axis"));
        for (std::size_t k = 1; k < script.keyframes.size(); ++k)
            if (!(script.keyframes[k].time > script.keyframes[k - 1].time))
                reject("{}[{}]: its time is not above that of the keyframe before", name("keyframes"), k);
        const int start = object_starts_[script.object], size = object_starts_[script.object + 1] - start;
        const auto assign = [&](int vertex) {
            if (vertex < 0 || vertex >= size)
                reject("{}: vertex {} of an object with {} vertices", name("vertices"), vertex, size);
            if (script_of_[start + vertex] >= 0)
                reject(
                    "{}: vertex {} of '{}' already follows {}; select each vertex once", name("vertices"), vertex,
                    scene_.objects[script.object].name, name_of_script(script_of_[start + vertex]));
            script_of_[start + vertex] = static_cast<int>(s);
        };
        if (script.vertices.empty())
            for (int v = 0; v < size; ++v)
                assign(v);
        for (const int v : script.vertices)
            assign(v);
    }

    for (std::size_t k = 0; k < scene_.objects.size(); ++k) {
        const SceneObject& object = scene_.objects[k];
        const int start = object_starts_[k], size = object_starts_[k + 1] - start;
        const IsotropicModuli moduli{object.youngs_modulus, object.poisson_ratio};
        const auto global = [&](const auto& elements) { return Elements(elements.array() + start); };
        if (has_mass(object)) {
            for (int v = start; v < start + size; ++v)
                state_.v.row(v) = object.velocity.head(dim()).transpose();
            require_positive(object.density, field(k, "density"));
            require_positive(object.thickness, field(k, "thickness"));
        }
        switch (object.kind) {
        case ObjectKind::solid:
            if (object.mesh.tets.rows() == 0)
                reject("{}: a solid needs tetrahedra, and this mesh has none", field(k, "geometry"));
            elastic_.push_back(make_elastic(
                "elasticity",
                TetElasticity(rest_, global(object.mesh.tets), {object.model, {lame_parameters(moduli)}})));
            masses_.segment(start, size) = lumped_masses(object.mesh.vertices, object.mesh.tets, object.density);
            break;
        case ObjectKind::shell:
            if (object.mesh.faces.rows() == 0 || dim() != 3)
                reject("{}: a shell needs triangles in space", field(k, "geometry"));
            elastic_.push_back(make_elastic(
                "membranes", MembraneElasticity(
                                 rest_, global(object.mesh.faces),
                                 {object.model, {plane_stress_lame_parameters(moduli)}, {object.thickness}})));
            if (object.has_bending)
                elastic_.push_back(make_elastic(
                    "bending",
                    HingeBending(rest_, global(object.mesh.faces), {{plate_stiffness(moduli, object.thickness)}})));
            masses_.segment(start, size) =
                lumped_masses(object.mesh.vertices, object.mesh.faces, object.density, object.thickness);
            break;
        case ObjectKind::planar:
            if (object.mesh.faces.rows() == 0 || dim() != 2)
                reject("{}: a planar body needs triangles in two dimensions", field(k, "geometry"));
            elastic_.push_back(make_elastic(
                "elasticity",
                PlanarElasticity(
                    rest_, global(object.mesh.faces), {object.model, {lame_parameters(moduli)}, {object.thickness}})));
            masses_.segment(start, size) =
                lumped_masses(object.mesh.vertices, object.mesh.faces, object.density, object.thickness);
            break;
        case ObjectKind::points:
            require_positive(object.point_mass, field(k, "point_mass"));
            masses_.segment(start, size).setConstant(object.point_mass);
            break;
        case ObjectKind::obstacle:
            for (int v = start; v < start + size; ++v)
                is_static_[v] = script_of_[v] < 0 || !scene_.scripts[script_of_[v]].is_moving();
            break;
        }
        if (has_mass(object))
            for (int v = 0; v < size; ++v)
                if (!(masses_[start + v] > 0))
                    reject(
                        "{}: vertex {} is in no element, so it has no mass; remove it or make it an object of kind "
                        "'points'",
                        field(k, "geometry"), v);
    }
    std::vector<int> with_mass;
    for (int v = 0; v < n; ++v)
        if (masses_[v] > 0)
            with_mass.push_back(v);
    inertia_ = std::make_unique<AnchorEnergy>("inertia", std::move(with_mass), dim());
    std::vector<std::string> names;
    for (const SceneObject& object : scene_.objects)
        names.push_back(object.name);
    names_.emplace(std::move(names), object_starts_);
}

void Simulation::choose_parameters()
{
    // Lengths follow the bodies that move; floors may be of any size.
    Eigen::VectorXd lo = Eigen::VectorXd::Constant(dim(), INFINITY), hi = -lo;
    double measure = 0; // of surfaces
    int vertices = 0;
    double modulus = 0, length = 0; // of the material that presses hardest: modulus times length, N/m
    double edges_length = 0;        // of surfaces
    Eigen::Index num_edges = 0;
    elasticities_.assign(scene_.objects.size(), 0.0);
    for (std::size_t k = 0; k < scene_.objects.size(); ++k) {
        const SceneObject& object = scene_.objects[k];
        if (!has_mass(object))
            continue;
        lo = lo.cwiseMin(object.mesh.vertices.colwise().minCoeff().transpose());
        hi = hi.cwiseMax(object.mesh.vertices.colwise().maxCoeff().transpose());
        if (object.kind == ObjectKind::points)
            continue;
        const Faces faces = object.kind == ObjectKind::solid ? boundary_faces(object.mesh.tets) : object.mesh.faces;
        const Edges surface_edges = dim() == 3 ? edges(faces) : boundary_edges(faces);
        edges_length += total_length(object.mesh.vertices, surface_edges);
        num_edges += surface_edges.rows();
        const double own_length =
            object.kind == ObjectKind::solid ? mean_edge_length(object.mesh.vertices, surface_edges) : object.thickness;
        measure += dim() == 3 ? surface_area(object.mesh.vertices, faces)
                              : total_length(object.mesh.vertices, boundary_edges(faces));
        vertices += dim() == 3 ? count_vertices(faces) : count_vertices(boundary_edges(faces));
        elasticities_[k] = object.youngs_modulus * own_length;
        if (elasticities_[k] > modulus * length) {
            modulus = object.youngs_modulus;
            length = own_length;
        }
    }
    diagonal_ = (hi - lo).norm();
    if (!(diagonal_ > 0 && std::isfinite(diagonal_)))
        diagonal_ = std::max(1e-3, (rest_.colwise().maxCoeff() - rest_.colwise().minCoeff()).norm());
    const auto choose = [&](const std::optional<double>& given, const char* name, double value, std::string reason) {
        if (given) {
            require_positive(*given, name);
            return *given;
        }
        choices_.push_back({name, value, std::move(reason)});
        return value;
    };
    const SceneContact& contact = scene_.contact;
    dhat_ = choose(
        contact.dhat, "contact.dhat", 1e-3 * diagonal_,
        fmt::format("a thousandth of the bodies' extent, {:.3g} m", diagonal_));
    eps_v_ = choose(
        contact.eps_v, "contact.eps_v", 1e-3 * diagonal_,
        fmt::format("a thousandth of the bodies' extent, {:.3g} m, per second", diagonal_));
    const bool is_relative = scene_.solver.norm == ConvergenceNorm::relative;
    tolerance_ = choose(
        scene_.solver.tolerance, "solver.tolerance", is_relative ? 1e-3 : 1e-3 * diagonal_,
        fmt::format("a thousandth of the bodies' extent, {:.3g} m, per second", diagonal_));
    if (is_relative)
        tolerance_ *= diagonal_;
    if (!contact.is_enabled())
        return;
    double mass = 0;
    int count = 0;
    for (const double m : masses_)
        if (m > 0) {
            mass += m;
            ++count;
        }
    if (count == 0) { // nothing but obstacles
        state_.stiffness = contact.stiffness.value_or(1);
        return;
    }
    if (contact.model == ContactModel::gcp) {
        const StiffnessSuggestion suggestion = suggest_smooth_stiffness(
            {.params = smooth_parameters(contact, dhat_),
             .dim = dim(),
             // Loose points have the size dhat.
             .feature_length = num_edges > 0 ? edges_length / static_cast<double>(num_edges) : dhat_,
             .mass = mass / count,
             .dt = scene_.time.dt,
             .youngs_modulus = modulus,
             .edge_length = length});
        state_.stiffness = choose(contact.stiffness, "contact.stiffness", suggestion.stiffness, suggestion.explanation);
        return;
    }
    const StiffnessSuggestion suggestion = suggest_stiffness(
        {.dhat = dhat_,
         .dmin = contact.dmin,
         .mass = mass / count,
         .dt = scene_.time.dt,
         .youngs_modulus = modulus,
         .edge_length = length,
         .weight = contact.use_area_weighting && vertices > 0 ? measure / vertices : 1,
         .law = law_of(contact.model)});
    state_.stiffness = choose(contact.stiffness, "contact.stiffness", suggestion.stiffness, suggestion.explanation);
}

void Simulation::build_surface()
{
    std::vector<bool> is_included(num_vertices(), false), is_obstacle(num_vertices(), false);
    std::vector<int> body_ids(num_vertices());
    MeshData surface;
    surface.vertices = rest_;
    const auto add = [&](auto& all, const auto& elements, int start) {
        const Eigen::Index before = all.rows();
        all.conservativeResize(before + elements.rows(), all.cols());
        all.bottomRows(elements.rows()) = elements.array() + start;
    };
    for (std::size_t k = 0; k < scene_.objects.size(); ++k) {
        const SceneObject& object = scene_.objects[k];
        const int start = object_starts_[k];
        for (int v = start; v < object_starts_[k + 1]; ++v) {
            body_ids[v] = static_cast<int>(k);
            is_obstacle[v] = is_static_[v] != 0;
            is_included[v] = object.mesh.tets.rows() == 0; // of solids only the surface
        }
        if (object.mesh.tets.rows() > 0)
            add(surface.faces, boundary_faces(object.mesh.tets), start);
        else if (dim() == 2 && object.mesh.faces.rows() > 0)
            add(surface.edges, boundary_edges(object.mesh.faces), start);
        else
            add(surface.faces, object.mesh.faces, start);
        add(surface.edges, object.mesh.edges, start);
    }
    for (const int v : surface.faces.reshaped())
        is_included[v] = true;
    // In the plane, vertices inside a body are no part of its outline.
    if (dim() == 2) {
        for (std::size_t k = 0; k < scene_.objects.size(); ++k)
            if (scene_.objects[k].mesh.faces.rows() > 0)
                std::fill(is_included.begin() + object_starts_[k], is_included.begin() + object_starts_[k + 1], false);
        for (const int v : surface.edges.reshaped())
            is_included[v] = true;
    }
    CollisionMeshOptions options;
    options.body_ids = body_ids;
    options.filter = CollisionFilter::static_obstacles(is_obstacle);
    options.planes = scene_.planes;
    mesh_.emplace(CollisionMesh::build_from_selection(rest_, is_included, surface.edges, surface.faces, options));
}

void Simulation::build_contact()
{
    const SceneContact& contact = scene_.contact;
    if (!contact.is_enabled())
        return;
    const HessianMode hessian_mode = contact.model == ContactModel::gipc ? HessianMode::analytic : HessianMode::exact;
    const NormalCollisionsOptions set{
        .dhat = dhat_,
        .dmin = contact.dmin,
        .set_type = contact.model == ContactModel::convergent_ipc ? CollisionSetType::convergent
                    : contact.model == ContactModel::ogc          ? CollisionSetType::ogc
                                                                  : CollisionSetType::ipc,
        .use_area_weighting = contact.use_area_weighting};
    const bool is_frozen = contact.model == ContactModel::ogc;
    std::optional<NormalAdhesionOptions> adhesion;
    double range = is_frozen ? contact.dmin + 2 * dhat_ : 0;
    if (contact.adhesion) {
        adhesion = adhesion_options(hessian_mode);
        range = std::max(range, contact.dmin + adhesion->dhat_a);
    }
    ContactEnergyOptions energy{
        .model = {},
        .range = range,
        .is_adaptive = !contact.stiffness.has_value(),
        .bbox_diagonal = diagonal_,
        .max_stiffness = 1e6 * state_.stiffness};
    if (contact.model == ContactModel::gcp)
        energy.model = SmoothContactOptions{
            .params = smooth_parameters(contact, dhat_),
            .stiffness = state_.stiffness,
            .use_adaptive_dhat = contact.gcp.use_adaptive_dhat};
    else
        energy.model = BarrierContactOptions{
            .set = set,
            .barrier =
                {.dhat = dhat_,
                 .stiffness = state_.stiffness,
                 .law = law_of(contact.model),
                 .hessian_mode = hessian_mode},
            .is_frozen = is_frozen};
    contact_ = std::make_unique<ContactEnergy>(*mesh_, energy);
    if (is_frozen)
        guard_ = std::make_unique<BoundsGuard>(*contact_);
    else
        guard_ = std::make_unique<CcdGuard>(*contact_, *names_);
    // Over displacements instead of velocities: sliding has an energy then, and its gradient is a force.
    if (contact.mu > 0 || contact.mu_k.value_or(0) > 0)
        friction_ = std::make_unique<SlidingEnergy>(
            "friction", *mesh_, FrictionCoefficients{.mu_s = contact.mu, .mu_k = contact.mu_k.value_or(contact.mu)},
            [eps_v = eps_v_](double dt) { return std::make_unique<FrictionPotential>(eps_v * dt); });
    if (!adhesion)
        return;
    adhesion_ = std::make_unique<AdhesionEnergy>(*contact_, adhesion->collisions(contact.dmin), *adhesion, is_frozen);
    if (contact.adhesion->mu_a > 0) {
        const double eps_a = contact.adhesion->eps_a.value_or(eps_v_);
        require_positive(eps_a, "contact.adhesion.eps_a");
        const double mu_a = contact.adhesion->mu_a;
        bond_sliding_ = std::make_unique<SlidingEnergy>(
            "tangential adhesion", *mesh_, FrictionCoefficients{.mu_s = mu_a, .mu_k = mu_a},
            [eps_a](double dt) { return std::make_unique<TangentialAdhesionPotential>(eps_a * dt); });
    }
}

NormalAdhesionOptions Simulation::adhesion_options(HessianMode hessian_mode)
{
    const SceneAdhesion& given = *scene_.contact.adhesion;
    double softest = INFINITY;
    for (const SceneObject& object : scene_.objects)
        if (has_mass(object) && object.kind != ObjectKind::points)
            softest = std::min(softest, object.youngs_modulus);
    if (!given.youngs_modulus && !std::isfinite(softest))
        reject("contact.adhesion.youngs_modulus: no body has one; give it");
    NormalAdhesionOptions options{
        .dhat_p = given.dhat_p.value_or(dhat_),
        .dhat_a = given.dhat_a.value_or(2 * given.dhat_p.value_or(dhat_)),
        .youngs_modulus = given.youngs_modulus.value_or(softest),
        .critical_strain = given.critical_strain,
        .distance = given.of_squared_distance ? DistanceKind::squared : DistanceKind::plain,
        .hessian_mode = hessian_mode};
    if (!given.youngs_modulus)
        choices_.push_back({"contact.adhesion.youngs_modulus", softest, "that of the softest body"});
    if (!given.dhat_p)
        choices_.push_back({"contact.adhesion.dhat_p", options.dhat_p, "contact.dhat: bonds pull where contact ends"});
    if (!given.dhat_a)
        choices_.push_back({"contact.adhesion.dhat_a", options.dhat_a, "twice contact.adhesion.dhat_p"});
    return options;
}

void Simulation::check_start() const
{
    if (!contact_) // then bodies may overlap
        return;
    const Positions X = mesh_->vertices(state_.x);
    const std::vector<Intersection> found = find_intersections(*mesh_, X);
    if (!found.empty()) {
        std::vector<std::string> lines;
        for (std::size_t k = 0; k < std::min<std::size_t>(found.size(), 10); ++k) {
            const Intersection& each = found[k];
            const auto first_vertex = [&](bool second) {
                const int element = each.pair[second ? 1 : 0];
                switch (each.kind) {
                case IntersectionKind::edge_face:
                    return second ? mesh_->faces()(element, 0) : mesh_->edges()(element, 0);
                case IntersectionKind::edge_edge:
                    return mesh_->edges()(element, 0);
                case IntersectionKind::face_vertex:
                    return second ? element : mesh_->faces()(element, 0);
                case IntersectionKind::edge_vertex:
                    return second ? element : mesh_->edges()(element, 0);
                case IntersectionKind::vertex_vertex:
                    return element;
                case IntersectionKind::plane_vertex:
                    break;
                }
                return second ? element : -1;
            };
            const auto name = [&](int v) {
                return v < 0 ? fmt::format("plane {}", each.pair[0]) : names_->vertex(mesh_->to_full_vertex_id(v));
            };
            lines.push_back(fmt::format(
                "near {} and {}, at ({:.6g}, {:.6g}, {:.6g})", name(first_vertex(false)), name(first_vertex(true)),
                each.location.x(), each.location.y(), each.location.z()));
        }
        throw InvalidStart(fmt::format(
            "the start intersects in {} places; move the bodies apart. The first: {}", found.size(),
            fmt::join(lines, "; ")));
    }
    contact_->detect(state_.x); // throws where a pair touches
}

void Simulation::find_warnings()
{
    if (!scene_.contact.is_enabled())
        return;
    // A dhat beyond the size of a body makes contact act on all of it at once, far away from anything.
    double smallest = INFINITY;
    std::size_t at = 0;
    for (std::size_t k = 0; k < scene_.objects.size(); ++k) {
        const Positions& X = scene_.objects[k].mesh.vertices;
        const double extent = (X.colwise().maxCoeff() - X.colwise().minCoeff()).norm();
        if (has_mass(scene_.objects[k]) && extent > 0 && extent < smallest) { // single points have no extent
            smallest = extent;
            at = k;
        }
    }
    if (dhat_ > smallest)
        warnings_.push_back(fmt::format(
            "contact.dhat: {:.4g} m is more than the extent of '{}', {:.4g} m, so contact acts far from it; "
            "contact.dhat = {:.4g} is a thousandth of that extent",
            dhat_, scene_.objects[at].name, smallest, 1e-3 * smallest));
}

} // namespace abut
