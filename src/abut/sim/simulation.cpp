#include "abut/sim/simulation.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/gcp/vertex_first.hpp"
#include "abut/detect/intersections.hpp"
#include "abut/geometry/predicates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace abut {

Vec3 VertexScript::position(const Vec3& x0, double t) const
{
    Vec3 translation = velocity * t;
    double angle = angular_velocity * t;
    if (!keyframes.empty()) {
        const auto after = std::find_if(
            keyframes.begin(), keyframes.end(), [&](const Keyframe& keyframe) { return keyframe.time > t; });
        const Keyframe& right = after == keyframes.end() ? keyframes.back() : *after;
        const Keyframe& left = after == keyframes.begin() ? keyframes.front() : *std::prev(after);
        const double share = right.time > left.time ? (t - left.time) / (right.time - left.time) : 0;
        translation += left.translation + share * (right.translation - left.translation);
        angle += left.angle + share * (right.angle - left.angle);
    }
    const Mat<3, 3> turn = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
    return centre + translation + turn * (x0 - centre);
}

Simulation::~Simulation() = default;

void Simulation::set_state(SimulationState state)
{
    if (state.x.rows() != rest_.rows() || state.x.cols() != rest_.cols() || state.v.rows() != rest_.rows() ||
        state.v.cols() != rest_.cols())
        reject(
            "state: {} x {} positions, but the scene has {} x {}", state.x.rows(), state.x.cols(), rest_.rows(),
            rest_.cols());
    state_ = std::move(state);
    if (contact_)
        contact_->set_stiffness(state_.stiffness);
}

Eigen::VectorXd Simulation::script_stiffness(const std::vector<int>& scripted) const
{
    const std::size_t num_objects = scene_.objects.size();
    std::vector<double> mass_of(num_objects), num_scripted(num_objects, 0.0);
    for (std::size_t k = 0; k < num_objects; ++k)
        mass_of[k] = masses_.segment(object_starts_[k], object_starts_[k + 1] - object_starts_[k]).sum();
    const auto object_of = [&](int v) { return scene_.scripts[script_of_[v]].object; };
    for (const int v : scripted)
        num_scripted[object_of(v)] += 1;
    const double dt = scene_.time.dt;
    const double mean_mass = masses_.sum() / std::max<double>(1, static_cast<double>((masses_.array() > 0).count()));
    Eigen::VectorXd stiffness(static_cast<Eigen::Index>(scripted.size()));
    for (Eigen::Index k = 0; k < stiffness.size(); ++k) {
        const int object = object_of(scripted[k]);
        // Obstacles have neither mass nor material; they are to push others away.
        const double mass = std::max({mass_of[object] / num_scripted[object], 10 * mean_mass, 1e-8});
        stiffness[k] = 1e2 * std::max(mass / (dt * dt), elasticities_[object]);
    }
    return stiffness;
}

std::vector<std::uint8_t> Simulation::begin_scripts(double end_time)
{
    std::vector<std::uint8_t> is_fixed = is_static_;
    std::vector<int> scripted;
    std::vector<Vec3> targets;
    for (int v = 0; v < num_vertices(); ++v) {
        if (script_of_[v] < 0 || is_static_[v] != 0)
            continue;
        const VertexScript& script = scene_.scripts[script_of_[v]];
        // Times are sums of dt, and so a little off what is meant.
        if (state_.time >= script.release_time - 1e-6 * scene_.time.dt) {
            if (masses_[v] == 0)
                is_fixed[v] = 1;
            continue;
        }
        if (!script.is_moving()) {
            is_fixed[v] = 1;
            continue;
        }
        Vec3 x0 = Vec3::Zero();
        for (int a = 0; a < dim(); ++a)
            x0[a] = rest_(v, a);
        scripted.push_back(v);
        targets.push_back(script.position(x0, end_time));
    }
    const auto count = static_cast<Eigen::Index>(scripted.size());
    Positions rows(count, dim());
    for (Eigen::Index k = 0; k < count; ++k)
        for (int a = 0; a < dim(); ++a)
            rows(k, a) = targets[k][a];
    Eigen::VectorXd stiffness = script_stiffness(scripted);
    *scripts_ = AnchorEnergy("scripts", std::move(scripted), dim());
    scripts_->set(std::move(rows), Positions::Zero(count, dim()), std::move(stiffness));
    return is_fixed;
}

void Simulation::solve(Positions& x, const std::vector<std::uint8_t>& is_fixed, StepReport& report)
{
    const double dt = scene_.time.dt;
    NewtonOptions options{
        .tolerance = tolerance_ * dt,
        .force_tolerance = scene_.solver.tolerance ? INFINITY : 1e-2,
        .norm =
            scene_.solver.norm == ConvergenceNorm::root_mean_square ? StepNorm::root_mean_square : StepNorm::largest,
        .max_iterations = scene_.solver.max_iterations,
        .max_seconds = scene_.solver.max_seconds,
        .max_step = diagonal_,
        .damp_neutral_motion = scene_.time.integrator == Integrator::quasi_static};
    if (scene_.time.integrator != Integrator::quasi_static)
        options.least_stiffness = masses_ / (dt * dt);
    const double largest_motion = scripts_->lag(x);
    std::string limiting;
    for (int lagging = 0; lagging < scene_.solver.friction_iterations; ++lagging) {
        if (friction_)
            contact_->visit(
                [&](const auto& contact) { friction_->lag(contact.collisions, contact.potential, x, state_.x, dt); });
        if (bond_sliding_)
            bond_sliding_->lag(adhesion_->collisions(), adhesion_->potential(), x, state_.x, dt);
        // Multipliers are raised until scripts are met to a hundredth of their motion, or no longer get closer.
        constexpr int max_script_solves = 10;
        double lag_before = INFINITY;
        for (int solve = 0; solve < max_script_solves; ++solve) {
            options.max_seconds = scene_.solver.max_seconds - report.times.total(); // of the step, not of a solve
            const SolveReport solved = newton_->minimize(x, is_fixed, options);
            report.outcome = solved.outcome;
            report.message = solved.message;
            report.iterations += static_cast<int>(solved.iterations.size());
            report.times.add(solved.times);
            report.script_lag = scripts_->lag(x);
            if (!solved.limiting.empty())
                limiting = solved.limiting;
            if (solved.outcome != Outcome::converged ||
                report.script_lag <= std::max(1e-2 * largest_motion, options.tolerance) ||
                report.script_lag > 0.5 * lag_before)
                break;
            lag_before = report.script_lag;
            scripts_->raise_multipliers(x);
        }
        if (report.outcome != Outcome::converged)
            break;
    }

    const bool is_blocked = report.script_lag > std::max(0.5 * largest_motion, options.tolerance);
    state_.blocked_steps = is_blocked ? state_.blocked_steps + 1 : 0;
    if (report.outcome == Outcome::converged && state_.blocked_steps >= scene_.solver.max_blocked_steps) {
        report.outcome = Outcome::script_blocked;
        report.message = fmt::format("a script was held back for {} steps in a row", state_.blocked_steps);
    }
    if (report.outcome == Outcome::converged)
        return;
    if (contact_ && std::isfinite(contact_->smallest_distance()))
        report.message += fmt::format("; smallest distance {:.3g} m", contact_->smallest_distance());
    if (!limiting.empty())
        report.message += "; steps were limited by " + limiting;
    if (contact_ && scene_.contact.model == ContactModel::gcp) {
        // Everything is kept from passing, but not everything has a barrier.
        const double nearest = contact_->detection().smallest_distance();
        if (nearest < 1e-4 * std::min(dhat_, contact_->smallest_distance()))
            report.message += fmt::format(
                "; elements {:.3g} m apart have no barrier: GCP gives none to what is inside of a closed body, unless "
                "contact.exterior_test is false, and none where their distance is no local minimum; another "
                "contact.model gives one to all",
                nearest);
    }
    if (const std::string lagging = describe_lagging_scripts(x); !lagging.empty())
        report.message += "; scripts that are behind: " + lagging;
}

std::string Simulation::name_of_script(int k) const
{
    return scene_.scripts[k].source.empty() ? fmt::format("scripts[{}]", k) : scene_.scripts[k].source;
}

std::string Simulation::describe_lagging_scripts(const ConstPositions& x) const
{
    std::map<int, std::pair<double, int>> worst; // of each script: lag, vertex
    for (std::size_t k = 0; k < scripts_->vertices().size(); ++k) {
        const int v = scripts_->vertices()[k];
        auto& entry = worst[script_of_[v]];
        if (scripts_->lag(x, k) > entry.first)
            entry = {scripts_->lag(x, k), v};
    }
    const std::vector<BodyForce> forces = forces_between_bodies(x);
    std::string text;
    for (const auto& [script, behind] : worst) {
        if (behind.first <= tolerance_ * scene_.time.dt)
            continue;
        text += fmt::format(
            "{}{} by {:.3g} m at {}", text.empty() ? "" : ", ", name_of_script(script), behind.first,
            names_->vertex(behind.second));
        // What presses hardest against its body
        const int body = scene_.scripts[script].object;
        double largest = 0;
        int holder = body;
        for (const BodyForce& force : forces)
            if ((force.body == body || force.other == body) && (force.contact + force.friction).norm() > largest) {
                largest = (force.contact + force.friction).norm();
                holder = force.body == body ? force.other : force.body;
            }
        if (holder != body)
            text += fmt::format(", held by {} with {:.3g} N", names_->quoted(holder), largest);
    }
    return text;
}

std::vector<BodyForce> Simulation::forces_between_bodies(const ConstPositions& x) const
{
    if (!contact_)
        return {};
    return body_forces(*contact_, adhesion_.get(), {friction_.get(), bond_sliding_.get()}, *names_, x);
}

double Simulation::elastic_energy(const ConstPositions& x)
{
    double sum = 0;
    for (const auto& energy : elastic_)
        sum += newton_->value_of(*energy, x);
    return sum;
}

StepReport Simulation::step()
{
    const double dt = scene_.time.dt, end_time = state_.time + dt;
    const SimulationState before = state_;
    const std::vector<std::uint8_t> is_fixed = begin_scripts(end_time);

    const InertialPart part = inertial_part(scene_.time.integrator, state_.x, state_.v, scene_.gravity, dt);
    const std::vector<int>& moving = inertia_->vertices();
    Eigen::VectorXd moving_masses(static_cast<Eigen::Index>(moving.size()));
    Positions targets(moving_masses.size(), dim()), weights(moving_masses.size(), dim());
    for (Eigen::Index k = 0; k < moving_masses.size(); ++k) {
        moving_masses[k] = masses_[moving[k]];
        targets.row(k) = part.target.row(moving[k]);
        for (int a = 0; a < dim(); ++a)
            weights(k, a) = -moving_masses[k] * part.acceleration[a];
    }
    inertia_->set(std::move(targets), std::move(weights), part.stiffness * moving_masses);

    StepReport report;
    report.step = state_.step + 1;
    report.time = end_time;
    Balance& balance = report.balance;
    const double elastic_before = elastic_energy(state_.x);
    double contact_before = 0, adhesion_before = 0;
    if (contact_) {
        contact_->set_stiffness(state_.stiffness);
        contact_->begin_step();
        contact_->detect(state_.x);
        contact_before = newton_->value_of(*contact_, state_.x) / state_.stiffness;
    }
    if (adhesion_) {
        adhesion_->detect(state_.x);
        adhesion_before = newton_->value_of(*adhesion_, state_.x);
    }
    // A step is a function of the state it starts from: one that continues an interrupted run must give the same bits.
    newton_->forget();
    Positions x = state_.x;
    solve(x, is_fixed, report);

    state_.v = velocities_after(scene_.time.integrator, state_.x, x, dt);
    for (int v = 0; v < num_vertices(); ++v)
        if (is_fixed[v] != 0)
            state_.v.row(v).setZero();
    state_.x = std::move(x);
    state_.step += 1;
    state_.time = end_time;
    if (contact_) {
        state_.stiffness = contact_->stiffness();
        report.stiffness = state_.stiffness;
        report.num_contacts = contact_->num_contacts();
        report.smallest_distance = contact_->smallest_distance();
        report.forces = forces_between_bodies(state_.x);
        balance.contact = newton_->value_of(*contact_, state_.x);
        if (adhesion_)
            balance.contact += newton_->value_of(*adhesion_, state_.x);
    }
    balance.elastic = elastic_energy(state_.x);
    balance.gain =
        balance.elastic - elastic_before + balance.contact - contact_before * state_.stiffness - adhesion_before;
    balance_books(before, is_fixed, report);
    const bool is_frame = state_.step % scene_.frame_every == 0;
    if (scene_.verify == Verify::step || (scene_.verify == Verify::frame && is_frame))
        report.verification = verify();
    return report;
}

/// Adds gravity, motion, friction and scripts to the balance, which has the potentials already.
void Simulation::balance_books(
    const SimulationState& before, const std::vector<std::uint8_t>& is_fixed, StepReport& report)
{
    Balance& balance = report.balance;
    const double dt = scene_.time.dt;
    const bool has_inertia = scene_.time.integrator != Integrator::quasi_static;
    Vec3 defect = Vec3::Zero();
    double kinetic_before = 0, gravity_before = 0, scale = 0;
    for (int v = 0; v < num_vertices(); ++v) {
        const double m = masses_[v];
        if (has_inertia) {
            balance.kinetic += 0.5 * m * state_.v.row(v).squaredNorm();
            kinetic_before += 0.5 * m * before.v.row(v).squaredNorm();
        }
        for (int a = 0; a < dim(); ++a) {
            balance.momentum[a] += m * state_.v(v, a);
            balance.gravity -= m * scene_.gravity[a] * state_.x(v, a);
            gravity_before -= m * scene_.gravity[a] * before.x(v, a);
            if (is_fixed[v] == 0)
                defect[a] += (has_inertia ? m * (state_.v(v, a) - before.v(v, a)) : 0) - dt * m * scene_.gravity[a];
        }
        if (is_fixed[v] == 0)
            scale += m * (state_.v.row(v).norm() + dt * scene_.gravity.norm());
    }

    const Positions moved = state_.x - before.x;
    const auto add_forces = [&](const Energy& energy) {
        const Eigen::VectorXd gradient = newton_->gradient_of(energy, state_.x);
        double work = 0;
        for (int v = 0; v < num_vertices(); ++v)
            for (int a = 0; a < dim(); ++a) {
                const double entry = gradient[Eigen::Index(v) * dim() + a];
                work -= entry * moved(v, a);
                if (is_fixed[v] == 0)
                    defect[a] += dt * entry;
            }
        return work;
    };
    for (const auto& energy : elastic_)
        add_forces(*energy);
    if (contact_)
        add_forces(*contact_);
    if (adhesion_)
        add_forces(*adhesion_);
    for (const SlidingEnergy* sliding : {friction_.get(), bond_sliding_.get()})
        if (sliding != nullptr)
            balance.friction_loss -= add_forces(*sliding);
    balance.script_work = add_forces(*scripts_);
    balance.gain += balance.kinetic - kinetic_before + balance.gravity - gravity_before;
    balance.gain += balance.friction_loss - balance.script_work;
    balance.momentum_defect = scale > 0 ? defect.norm() / scale : 0;
}

Positions Simulation::contact_forces() const
{
    Positions forces = Positions::Zero(num_vertices(), dim());
    if (!contact_)
        return forces;
    // Found anew: the state may have been set since the last step.
    const Positions X = mesh_->vertices(state_.x);
    Eigen::VectorXd gradient = contact_->visit(
        [&](const auto& contact) { return contact.potential.gradient(contact.find(*mesh_, X), *mesh_, X); });
    if (adhesion_) {
        NormalCollisions collisions;
        collisions.build(*mesh_, X, adhesion_->set_options());
        gradient += adhesion_->potential().gradient(collisions, *mesh_, X);
    }
    const Eigen::VectorXd full = mesh_->to_full_dof(gradient);
    return -Eigen::Map<const Positions>(full.data(), num_vertices(), dim());
}

namespace {

std::array<int, 4> vertices_of(const NormalCollision& collision)
{
    std::array<int, 4> vertices{-1, -1, -1, -1};
    std::copy(collision.vertices.begin(), collision.vertices.end(), vertices.begin());
    return vertices;
}

std::array<int, 4> vertices_of(const SmoothCollision& pair) { return gcp::vertex_first(pair); }

Eigen::VectorXd distances_of(const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X)
{
    Eigen::VectorXd distances(static_cast<Eigen::Index>(collisions.size()));
    for (std::size_t k = 0; k < collisions.size(); ++k)
        distances[static_cast<Eigen::Index>(k)] = std::sqrt(collisions.geometry(k, mesh, X).squared_distance);
    return distances;
}

Eigen::VectorXd distances_of(const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X)
{
    return collisions.distances(mesh, X);
}

} // namespace

ContactList Simulation::contacts() const
{
    ContactList list;
    list.vertices.resize(0, 4);
    list.bodies.resize(0, 2);
    if (!contact_)
        return list;
    const Positions X = mesh_->vertices(state_.x);
    contact_->visit([&](const auto& contact) {
        const auto collisions = contact.find(*mesh_, X);
        const auto count = static_cast<Eigen::Index>(collisions.size());
        list.vertices = Elements::Constant(count, 4, -1);
        list.bodies = Elements::Zero(count, 2);
        list.distances = distances_of(collisions, *mesh_, X);
        for (Eigen::Index k = 0; k < count; ++k) {
            const auto collision = collisions[static_cast<std::size_t>(k)];
            const std::array<int, 4> vertices = vertices_of(collision);
            for (int i = 0; i < 4 && vertices[i] >= 0; ++i) {
                list.vertices(k, i) = mesh_->to_full_vertex_id(vertices[i]);
                list.bodies(k, 1) = names_->object_of(list.vertices(k, i)); // that of the last
            }
            list.bodies(k, 0) = collision.kind == PairKind::plane_vertex ? -1 - collision.elements[0]
                                                                         : names_->object_of(list.vertices(k, 0));
        }
    });
    return list;
}

Verification Simulation::verify() const
{
    Verification verification;
    verification.is_checked = true;
    verification.num_intersections =
        static_cast<std::int64_t>(find_intersections(*mesh_, mesh_->vertices(state_.x)).size());
    if (contact_) {
        Detection detection(*mesh_, {.range = scene_.contact.dmin + dhat_, .slack = 0});
        detection.update(mesh_->vertices(state_.x));
        verification.smallest_distance = detection.smallest_distance();
    }
    for (std::size_t k = 0; k < scene_.objects.size(); ++k) {
        const SceneObject& object = scene_.objects[k];
        const int start = object_starts_[k];
        const auto at = [&]<int Dim>(int v) { return Vec<Dim>(point<Dim>(state_.x, start + v)); };
        if (object.kind == ObjectKind::solid)
            for (Eigen::Index t = 0; t < object.mesh.tets.rows(); ++t) {
                const auto corner = [&](int c) { return at.operator()<3>(object.mesh.tets(t, c)); };
                verification.num_inverted += orientation(corner(0), corner(1), corner(2), corner(3)) <= 0;
            }
        if (object.kind == ObjectKind::planar)
            for (Eigen::Index f = 0; f < object.mesh.faces.rows(); ++f) {
                const auto corner = [&](int c) { return at.operator()<2>(object.mesh.faces(f, c)); };
                verification.num_inverted += orientation(corner(0), corner(1), corner(2)) <= 0;
            }
    }
    return verification;
}

} // namespace abut
