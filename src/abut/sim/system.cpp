#include "abut/sim/system.hpp"

#include "abut/base/ranks.hpp"
#include "abut/contact/adhesion/bond_spring_potential.hpp"
#include "abut/contact/adhesion/tangential_adhesion_potential.hpp"
#include "abut/contact/friction/anchored_friction_potential.hpp"
#include "abut/sim/anchored_slip.hpp"
#include "abut/sim/contact_guards.hpp"
#include "abut/sim/contact_model.hpp"
#include "abut/sim/energy_kinds.hpp"
#include "abut/sim/region_guard.hpp"
#include "abut/sim/solver_choice.hpp"

#include <algorithm>

namespace abut {

namespace {

/// Of several ranks: what of the energies this one evaluates; puts parts of energies in their place.
TermShares
divided(const BlockLayout& layout, std::vector<Energy*>& energies, std::vector<std::unique_ptr<Energy>>& owned)
{
    TermShares shares(layout, energies);
    std::size_t num_elements = 0;
    for (std::unique_ptr<Energy>& energy : owned)
        if (std::unique_ptr<Energy> part = shares.part_of(*energy)) {
            *std::find(energies.begin(), energies.end(), energy.get()) = part.get();
            energy = std::move(part);
            shares.note_part(*energy);
            num_elements += energy->stencils().size();
        }
    ranks().set_num_own_elements(num_elements);
    return shares;
}

} // namespace

System::System(const Model& model)
    : model_(model), integrator_(integrators().at(model.scene.time.integrator, "time.integrator")()),
      inertia_(std::make_unique<InertiaEnergy>(model.masses, *integrator_)),
      twist_(model.rods ? std::make_unique<TwistMotion>(model, *integrator_) : nullptr),
      scripts_(std::make_unique<ScriptEnergy>(model, *integrator_))
{
    for (const auto& [name, kind] : energy_kinds()) {
        if (kind.make)
            for (std::unique_ptr<Energy>& energy : kind.make(model))
                registered_.push_back(std::move(energy));
        if (kind.make_moving)
            for (std::unique_ptr<Energy>& energy : kind.make_moving(model, *integrator_))
                registered_.push_back(std::move(energy));
    }
    if (model.scene.contact.is_enabled()) {
        build_contact();
        build_friction();
        build_adhesion();
    }

    if (descends_by_blocks(model.scene) && integrator_->has_inertia())
        adaptive_start_.emplace(model);

    std::vector<Energy*> energies{inertia_.get()};
    if (twist_)
        energies.push_back(twist_.get());
    for (const auto& energy : registered_)
        energies.push_back(energy.get());
    for (Energy* energy : std::initializer_list<Energy*>{
             contact_.get(), adhesion_.get(), friction_.get(), bond_sliding_.get(), scripts_.get()})
        if (energy != nullptr)
            energies.push_back(energy);
    TermShares shares = divided(model.layout, energies, registered_);
    problem_.emplace(model.layout, std::move(energies), guard_.get(), pairs(), std::move(shares));
}

void System::build_contact()
{
    const SceneContact& contact = model_.scene.contact;
    const ModelParameters& chosen = model_.parameters;
    const ContactModel& preset = contact_models().at(contact.model, "contact.model");
    const ContactEnergyOptions energy{
        .model = preset.energy(model_),
        .is_adaptive = !contact.stiffness.has_value(),
        .bbox_diagonal = chosen.extent,
        .max_stiffness = 1e6 * chosen.stiffness};

    // One search, as far as anyone needs it
    const double bonds = chosen.adhesion ? chosen.adhesion->dhat_a : 0;
    ContactPairsOptions pairs{
        .range = contact.dmin + std::max(preset.reach * chosen.dhat, bonds), .dmin = contact.dmin, .dhat = chosen.dhat};
    if (preset.guard == GuardKind::bounds) {
        const auto& set = std::get<BarrierContactOptions>(energy.model).set;
        pairs.frozen = NormalCollisionsOptions{
            .dhat = pairs.range - contact.dmin,
            .dmin = contact.dmin,
            .set_type = set.set_type,
            .use_area_weighting = set.use_area_weighting};
        // Frozen lists reach far beyond dhat as it is, and are found a few times a step: searching less far costs less.
        // Block descent finds them anew where vertices have come to the ends of their regions, which no slack covers.
        pairs.slack = descends_by_blocks(model_.scene) ? 0 : 0.25;
    }
    pairs_.emplace(*model_.surface, pairs);
    contact_ = std::make_unique<ContactEnergy>(*pairs_, energy);
    if (descends_by_blocks(model_.scene))
        guard_ = std::make_unique<RegionGuard>(*pairs_, contact.dmin + chosen.dhat);
    else
        guard_ = std::make_unique<CcdGuard>(*pairs_, *model_.names);
}

void System::build_friction()
{
    const SceneContact& contact = model_.scene.contact;
    FrictionCoefficients coefficients{.mu_s = contact.mu, .mu_k = contact.mu_k.value_or(contact.mu)};
    if (const auto& materials = model_.parameters.materials) {
        coefficients.material_mu_s = materials->mu_s;
        coefficients.material_mu_k = materials->mu_k;
        coefficients.plane_materials = materials->of_plane;
        if (!(materials->mu_s.maxCoeff() > 0 || materials->mu_k.maxCoeff() > 0))
            return;
    } else if (!(contact.mu > 0 || contact.mu_k.value_or(0) > 0))
        return;
    friction_ = std::make_unique<SlidingEnergy>(
        "friction", *model_.surface, *integrator_,
        [this, coefficients](const ConstPositions& X, TangentialCollisions& sliding) {
            contact_->visit([&](const auto& pressing) {
                sliding.build(*model_.mesh, X, pressing.collisions, pressing.potential, coefficients);
            });
        },
        [this](double time) -> std::shared_ptr<const TangentialPotential> {
            if (model_.scene.contact.friction_model == FrictionModel::anchored)
                return std::make_shared<AnchoredFrictionPotential>();
            return std::make_shared<FrictionPotential>(model_.parameters.eps_v * time);
        },
        slip_memory());
}

std::shared_ptr<SlidingMemory> System::slip_memory() const
{
    if (model_.scene.contact.friction_model != FrictionModel::anchored)
        return nullptr;
    return std::make_shared<AnchoredSlip>(*model_.mesh, model_.parameters.slip, bodies_of_surface(), "friction.slips");
}

std::vector<int> System::bodies_of_surface() const
{
    const CollisionMesh& mesh = *model_.mesh;
    std::vector<int> bodies(mesh.num_vertices());
    for (int v = 0; v < mesh.num_vertices(); ++v)
        bodies[v] = model_.names->object_of(mesh.to_full_vertex_id(v));
    return bodies;
}

void System::build_rcc_adhesion()
{
    const NormalAdhesionOptions& chosen = *model_.parameters.adhesion;
    const RccModel& rcc = *model_.parameters.rcc;
    const auto& materials = model_.parameters.materials;
    double peak = rcc.of_pairs.empty() ? rcc.usual.stretch() : 0;
    for (const RccParameters& bond : rcc.of_pairs)
        peak = std::max(peak, bond.c_n > 0 ? bond.stretch() : 0);
    auto intensity = std::make_shared<BondIntensity>(*pairs_, *contact_, rcc, bodies_of_surface());
    adhesion_ = std::make_unique<AdhesionEnergy>(
        *pairs_, chosen.collisions(model_.scene.contact.dmin), std::make_shared<NormalAdhesionPotential>(chosen), peak,
        materials && materials->pull.size() > 0 ? PairPull{materials->pull, materials->of_plane} : PairPull{},
        intensity);
    if (!intensity->slides())
        return;
    bond_sliding_ = std::make_unique<SlidingEnergy>(
        "tangential adhesion", *model_.surface, *integrator_,
        [this, coefficients = intensity->sliding()](const ConstPositions& X, TangentialCollisions& sliding) {
            sliding.build(*model_.mesh, X, adhesion_->collisions(), adhesion_->potential(), coefficients);
        },
        [](double) { return std::make_shared<BondSpringPotential>(); }, intensity);
}

void System::build_adhesion()
{
    const std::optional<NormalAdhesionOptions>& chosen = model_.parameters.adhesion;
    if (!chosen)
        return;
    if (model_.parameters.rcc) {
        build_rcc_adhesion();
        return;
    }
    const auto& materials = model_.parameters.materials;
    const bool is_by_pair = materials && materials->pull.size() > 0;
    adhesion_ = std::make_unique<AdhesionEnergy>(
        *pairs_, chosen->collisions(model_.scene.contact.dmin), std::make_shared<NormalAdhesionPotential>(*chosen),
        chosen->dhat_p, is_by_pair ? PairPull{materials->pull, materials->of_plane} : PairPull{});
    const SceneAdhesion& given = *model_.scene.contact.adhesion;
    const bool slides_by_pair = is_by_pair && materials->mu_a.size() > 0;
    if (!(given.mu_a > 0 || slides_by_pair))
        return;
    const double eps_a = given.eps_a.value_or(model_.parameters.eps_v);
    require_positive(eps_a, "contact.adhesion.eps_a");
    FrictionCoefficients coefficients{.mu_s = given.mu_a, .mu_k = given.mu_a};
    if (slides_by_pair) {
        coefficients.material_mu_s = coefficients.material_mu_k = materials->mu_a;
        coefficients.plane_materials = materials->of_plane;
    }
    bond_sliding_ = std::make_unique<SlidingEnergy>(
        "tangential adhesion", *model_.surface, *integrator_,
        [this, coefficients](const ConstPositions& X, TangentialCollisions& sliding) {
            sliding.build(*model_.mesh, X, adhesion_->collisions(), adhesion_->potential(), coefficients);
        },
        [eps_a](double time) { return std::make_shared<TangentialAdhesionPotential>(eps_a * time); });
}

Eigen::VectorXd System::unknowns_of(const State& state) const
{
    Eigen::VectorXd x(model_.layout.num_unknowns());
    ABUT_ASSERT(x.size() == state.x.size() + state.others.size());
    x.head(state.x.size()) = Eigen::Map<const Eigen::VectorXd>(state.x.data(), state.x.size());
    x.tail(state.others.size()) = state.others;
    return x;
}

void System::save(History& history) const
{
    integrator_->save(history);
    for (const Energy* energy : problem_->energies())
        energy->save(history);
    if (adaptive_start_)
        adaptive_start_->save(history);
}

void System::load(const History& history)
{
    integrator_->load(history);
    for (Energy* energy : problem_->energies())
        energy->load(history);
    problem_->terms_changed();
    if (adaptive_start_)
        adaptive_start_->load(history);
}

const State& System::integrated(const State& state, State& joined) const
{
    if (!twist_)
        return state;
    joined = twist_->joined(state);
    return joined;
}

void System::begin_step(const State& start, double dt)
{
    dt_ = dt;
    load(start.history);
    HeldVertices held = scripts_->plan(start, dt);
    std::vector<std::uint8_t> is_fixed = scripts_->is_fixed();
    const Eigen::Index num_arcs = twist_ ? model_.rods->num_arcs() : 0;
    if (twist_) {
        twist_->plan(start, dt, held);
        twist_->mark_fixed(is_fixed);
    }
    if (adaptive_start_)
        adaptive_start_->begin_step(start, dt);
    State joined;
    const State& from = integrated(start, joined);
    integrator_->begin_step(from, model_.scene.gravity, dt, held, num_arcs);
    for (Energy* energy : problem_->energies())
        energy->begin_step(start, dt);
    problem_->set_fixed(std::move(is_fixed));
    if (integrator_->wants_accelerations(from)) {
        integrator_->set_accelerations(from, accelerations(start, from));
        integrator_->begin_step(from, model_.scene.gravity, dt, held, num_arcs);
        inertia_->begin_step(start, dt);
        if (twist_)
            twist_->begin_step(start, dt);
    }
    if (integrator_->has_inertia()) {
        const double time = integrator_->velocity_time();
        Eigen::VectorXd least = Eigen::VectorXd::Zero(model_.layout.num_blocks());
        least.head(model_.num_vertices()) = model_.masses / (time * time);
        for (Eigen::Index k = 0; k < num_arcs; ++k)
            least[model_.rods->arc_block(k)] = model_.rods->arc_masses[k] / (time * time);
        problem_->set_least_stiffness(std::move(least));
    }
}

Positions System::accelerations(const State& start, const State& from)
{
    const Eigen::VectorXd x = unknowns_of(start);
    find_contacts(x);
    // What resists follows the velocity, which the integrator reads from positions: these are those of the start's.
    const Eigen::Index num_arcs = twist_ ? model_.rods->num_arcs() : 0;
    const Positions ahead = integrator_->rest_point() + integrator_->velocity_time() * from.v;
    Eigen::VectorXd moved = x;
    Eigen::Map<Positions>(moved.data(), start.x.rows(), start.x.cols()) = ahead.topRows(start.x.rows());
    for (Eigen::Index k = 0; k < num_arcs; ++k)
        moved[model_.layout.offset(model_.rods->arc_block(k))] = ahead(start.x.rows() + k, 0);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(x.size());
    for (const Energy* energy : problem_->energies()) {
        if (is_potential(energy->role()))
            gradient += problem_->gradient_of(*energy, x);
        if (energy->role() == EnergyRole::damping)
            gradient += problem_->gradient_of(*energy, moved);
    }
    Positions result = Positions::Zero(model_.num_vertices() + num_arcs, model_.dim());
    for (int v = 0; v < model_.num_vertices(); ++v)
        if (problem_->is_fixed()[v] == 0 && model_.masses[v] > 0)
            for (int a = 0; a < model_.dim(); ++a)
                result(v, a) = model_.scene.gravity[a] - gradient[v * model_.dim() + a] / model_.masses[v];
    for (Eigen::Index k = 0; k < num_arcs; ++k) {
        const int block = model_.rods->arc_block(k);
        if (problem_->is_fixed()[block] == 0)
            result(model_.num_vertices() + k, 0) = -gradient[model_.layout.offset(block)] / model_.rods->arc_masses[k];
    }
    return result;
}

void System::prescribe(Eigen::VectorXd& x) const
{
    if (twist_)
        twist_->prescribe(x);
}

void System::find_contacts(const Eigen::VectorXd& x)
{
    if (pairs_)
        pairs_->begin_step(view(x));
    problem_->update(x);
}

void System::lag(const Eigen::VectorXd& x)
{
    for (Energy* energy : problem_->energies())
        energy->lag(view(x));
    problem_->terms_changed();
}

double System::lag_residual(const Eigen::VectorXd& x) const
{
    double change = 0, most = 0;
    bool is_lagged = false;
    for (const SlidingEnergy* energy : {friction_.get(), bond_sliding_.get()})
        if (energy != nullptr) {
            const SlidingEnergy::LagError error = energy->lag_error(view(x));
            change += error.change * error.change;
            most += error.most * error.most;
            is_lagged = true;
        }
    return !is_lagged ? NAN : most > 0 ? std::sqrt(change / most) : 0;
}

State System::end_step(const State& start, const Eigen::VectorXd& x)
{
    State end = start;
    end.x = view(x).vertices();
    end.others = x.tail(x.size() - end.x.size());
    end.v = integrator_->velocities(end.x);
    for (int v = 0; v < model_.num_vertices(); ++v)
        if (problem_->is_fixed()[v] != 0)
            end.v.row(v).setZero();
    for (const int v : integrator_->held().driven)
        if (v < model_.num_vertices()) // arcs of rods follow
            end.v.row(v) = (end.x.row(v) - start.x.row(v)) / dt_;
    end.step += 1;
    end.time += dt_;
    State joined, joined_end;
    const State& from = integrated(start, joined); // before velocities of the end are known
    if (twist_)
        twist_->set_velocities(start, end, dt_);
    integrator_->end_step(from, integrated(end, joined_end), dt_);
    for (Energy* energy : problem_->energies())
        energy->end_step(end);
    problem_->terms_changed();
    save(end.history);
    return end;
}

double System::value_of(EnergyRole role, const Eigen::VectorXd& x)
{
    double sum = 0;
    for (const Energy* energy : problem_->energies())
        if (energy->role() == role)
            sum += problem_->value_of(*energy, x);
    return sum;
}

BodyForces System::forces_between_bodies(const Eigen::VectorXd& x) const
{
    if (!contact_)
        return {};
    return body_forces(*contact_, adhesion_.get(), {friction_.get(), bond_sliding_.get()}, *model_.names, view(x));
}

Positions System::contact_forces(const Eigen::VectorXd& x)
{
    if (!contact_)
        return Positions::Zero(model_.num_vertices(), model_.dim());
    const CollisionMesh& mesh = *model_.mesh;
    const Positions X = model_.surface->positions(view(x));
    Eigen::VectorXd gradient;
    contact_->visit_at(
        view(x), [&](const auto& contact) { gradient = contact.potential.gradient(contact.collisions, mesh, X); });
    if (adhesion_)
        gradient += adhesion_->potential().gradient(adhesion_->collisions_at(view(x)), mesh, X);
    const Eigen::VectorXd full = mesh.to_full_dof(gradient);
    return -Eigen::Map<const Positions>(full.data(), model_.num_vertices(), model_.dim());
}

SurfaceTractions System::tractions(const Eigen::VectorXd& x)
{
    const CollisionMesh& mesh = *model_.mesh;
    const auto per_area = [&](Positions forces, const Eigen::VectorXd& areas) {
        for (Eigen::Index v = 0; v < forces.rows(); ++v)
            forces.row(v) *= areas[v] > 0 ? 1 / areas[v] : 0;
        return forces;
    };
    SurfaceTractions all;
    all.areas = Eigen::VectorXd::Zero(model_.num_vertices());
    all.bonds.assign(model_.num_vertices(), 0);
    for (int v = 0; v < mesh.num_vertices(); ++v)
        all.areas[mesh.to_full_vertex_id(v)] = mesh.vertex_areas()[v];
    all.normal = per_area(contact_forces(x), all.areas);
    Eigen::VectorXd sliding = Eigen::VectorXd::Zero(x.size());
    for (const SlidingEnergy* energy : {friction_.get(), bond_sliding_.get()})
        if (energy != nullptr)
            sliding -= problem_->gradient_of(*energy, x);
    all.tangential = per_area(view(sliding).vertices(), all.areas);
    if (!adhesion_)
        return all;
    const NormalCollisions bonds = adhesion_->collisions_at(view(x));
    const Positions X = model_.surface->positions(view(x));
    for (std::size_t k = 0; k < bonds.size(); ++k) {
        const NormalCollision pair = bonds[k];
        if (pair.weight == 0)
            continue;
        const double gap = std::sqrt(bonds.geometry(k, mesh, X).squared_distance) - pair.offset - pairs_->dmin();
        for (const int v : pair.vertices) {
            std::uint8_t& bond = all.bonds[mesh.to_full_vertex_id(v)];
            bond = gap <= adhesion_->peak() ? 1 : bond == 0 ? 2 : bond;
        }
    }
    return all;
}

} // namespace abut
