#include "abut/sim/twist_motion.hpp"

#include "abut/base/error.hpp"
#include "abut/linear/term_subset.hpp"

namespace abut {

namespace {

constexpr const char* velocities_name = "rods.arc_velocities";

std::vector<int> blocks_of_arcs(const RodSet& rods)
{
    std::vector<int> blocks;
    for (const int e : rods.arc_edges)
        blocks.push_back(rods.arc_blocks[e]);
    return blocks;
}

/// The first column of the rows behind those of vertices.
Eigen::VectorXd arcs_in(const Positions& rows, Eigen::Index count) { return rows.bottomRows(count).col(0); }

} // namespace

ArcAnchors::ArcAnchors(std::vector<int> blocks) : blocks_(std::move(blocks))
{
    for (const int block : blocks_)
        stencils_.add(std::array{block});
    const auto count = static_cast<Eigen::Index>(blocks_.size());
    set(Eigen::VectorXd::Zero(count), Eigen::VectorXd::Zero(count));
}

void ArcAnchors::set(Eigen::VectorXd targets, Eigen::VectorXd stiffness)
{
    ABUT_ASSERT(targets.size() == std::ssize(blocks_) && stiffness.size() == targets.size());
    targets_ = std::move(targets);
    stiffness_ = std::move(stiffness);
}

void ArcAnchors::evaluate(const Unknowns& x, const TermOutput& out) const
{
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        const double offset = x.numbers()[x.layout().offset(blocks_[k])] - targets_[i];
        if (out.values != nullptr)
            out.values[k] = 0.5 * stiffness_[i] * offset * offset;
        if (out.gradients != nullptr)
            out.gradients[k] = stiffness_[i] * offset;
        if (out.blocks != nullptr)
            out.blocks[k] = stiffness_[i];
    }
}

ArcAnchors ArcAnchors::subset(std::span<const int> terms) const
{
    validate_terms(terms, blocks_.size());
    ArcAnchors part(selected(blocks_, terms));
    for (std::size_t k = 0; k < terms.size(); ++k) {
        part.targets_[static_cast<Eigen::Index>(k)] = targets_[terms[k]];
        part.stiffness_[static_cast<Eigen::Index>(k)] = stiffness_[terms[k]];
    }
    return part;
}

TwistMotion::TwistMotion(const Model& model, const Integrator& integrator)
    : model_(model), rods_(*model.rods), integrator_(integrator), anchors_(blocks_of_arcs(rods_)),
      start_velocities_(rods_.num_arcs()), is_held_(rods_.num_arcs(), 0), is_driven_(rods_.num_arcs(), 0),
      targets_(Eigen::VectorXd::Zero(rods_.num_arcs()))
{
    // The spin of a body turns its edges about themselves too.
    const Positions t = tangents_of(model.rest, rods_.topology.directed);
    for (Eigen::Index k = 0; k < rods_.num_arcs(); ++k) {
        const int e = rods_.arc_edges[k];
        const Vec3& spin = model.scene.objects[rods_.objects[e]].angular_velocity;
        start_velocities_[k] = rods_.arc_radii[e] * spin.dot(point<3>(t, e));
    }
    velocities_ = start_velocities_;
}

void TwistMotion::save(History& history) const
{
    history.set(velocities_name, std::vector<double>(velocities_.begin(), velocities_.end()));
}

void TwistMotion::load(const History& history)
{
    velocities_ = start_velocities_;
    const std::vector<double>* values = history.find(velocities_name);
    if (values == nullptr)
        return;
    if (std::ssize(*values) != velocities_.size())
        reject(
            "state: velocities of {} edges of rods that twist, but the scene has {}", values->size(),
            velocities_.size());
    velocities_ = Eigen::Map<const Eigen::VectorXd>(values->data(), velocities_.size());
}

Eigen::VectorXd TwistMotion::arcs(const State& state) const
{
    return state.others.segment(rods_.first_arc, rods_.num_arcs());
}

Eigen::VectorXd TwistMotion::velocities(const State& state) const
{
    const std::vector<double>* values = state.history.find(velocities_name);
    if (values == nullptr || std::ssize(*values) != start_velocities_.size())
        return start_velocities_;
    return Eigen::Map<const Eigen::VectorXd>(values->data(), start_velocities_.size());
}

State TwistMotion::joined(const State& state) const
{
    const Eigen::Index n = state.x.rows(), count = rods_.num_arcs();
    State all{.x = Positions::Zero(n + count, state.x.cols()), .v = Positions::Zero(n + count, state.x.cols())};
    all.x.topRows(n) = state.x;
    all.v.topRows(n) = state.v;
    all.x.bottomRows(count).col(0) = arcs(state);
    all.v.bottomRows(count).col(0) = velocities_;
    all.step = state.step;
    all.time = state.time;
    return all;
}

void TwistMotion::plan(const State& start, double dt, HeldVertices& held)
{
    const Positions directors = rod_directors(model_, start);
    const Eigen::VectorXd from = arcs(start);
    is_held_.assign(rods_.num_arcs(), 0);
    is_driven_.assign(rods_.num_arcs(), 0);
    for (Eigen::Index k = 0; k < rods_.num_arcs(); ++k) {
        targets_[k] = from[k];
        if (rods_.clamps[k] < 0)
            continue;
        const VertexScript& script = model_.scene.scripts[rods_.clamps[k]];
        if (start.time >= script.release_time - 1e-6 * dt) // as ScriptEnergy has it
            continue;
        is_held_[k] = 1;
        if (!script.is_moving())
            continue;
        // The frame shall be that of the start, turned as the script turns.
        is_driven_[k] = 1;
        const int e = rods_.arc_edges[k];
        const auto [v, w] = std::pair{rods_.topology.directed(e, 0), rods_.topology.directed(e, 1)};
        const double turned = script.angle(start.time + dt), turns = turned - script.angle(start.time);
        const Eigen::AngleAxisd turn(turned, script.axis.normalized());
        const Vec3 wanted = turn * Vec3(point<3>(rods_.directors, e));
        const Vec3 t = turn * Vec3(point<3>(model_.rest, w) - point<3>(model_.rest, v)).normalized();
        const Vec3 before = (point<3>(start.x, w) - point<3>(start.x, v)).normalized();
        const double angle = signed_angle(transported(point<3>(directors, e), before, t), wanted, t);
        const double radius = rods_.arc_radii[e], near = from[k] / radius + turns * script.axis.normalized().dot(t);
        targets_[k] = radius * unwrapped(angle, near);
    }
    // Rows behind those of vertices
    const auto n = static_cast<int>(start.x.rows());
    held.is_fixed.resize(n, 0);
    const auto num_driven = static_cast<Eigen::Index>(held.driven.size());
    for (Eigen::Index k = 0; k < rods_.num_arcs(); ++k) {
        held.is_fixed.push_back(is_held_[k] != 0 && is_driven_[k] == 0);
        if (is_driven_[k] != 0)
            held.driven.push_back(n + static_cast<int>(k));
    }
    held.velocities.conservativeResize(static_cast<Eigen::Index>(held.driven.size()), start.x.cols());
    for (Eigen::Index k = num_driven; k < held.velocities.rows(); ++k) {
        const Eigen::Index arc = held.driven[k] - n;
        held.velocities.row(k).setZero();
        held.velocities(k, 0) = (targets_[arc] - from[arc]) / dt;
    }
}

void TwistMotion::mark_fixed(std::vector<std::uint8_t>& is_fixed) const
{
    for (Eigen::Index k = 0; k < rods_.num_arcs(); ++k)
        is_fixed[rods_.arc_block(k)] = is_held_[k];
}

void TwistMotion::prescribe(Eigen::VectorXd& x) const
{
    for (Eigen::Index k = 0; k < rods_.num_arcs(); ++k)
        if (is_driven_[k] != 0)
            x[model_.layout.offset(rods_.arc_block(k))] = targets_[k];
}

void TwistMotion::begin_step(const State& /*start*/, double /*dt*/)
{
    anchors_.set(arcs_in(integrator_.target(), rods_.num_arcs()), integrator_.stiffness() * rods_.arc_masses);
}

void TwistMotion::set_velocities(const State& start, const State& end, double dt)
{
    const Eigen::VectorXd before = arcs(start), after = arcs(end);
    const Eigen::VectorXd rest = arcs_in(integrator_.rest_point(), rods_.num_arcs());
    for (Eigen::Index k = 0; k < rods_.num_arcs(); ++k)
        velocities_[k] = is_driven_[k] != 0 ? (after[k] - before[k]) / dt
                         : is_held_[k] != 0 ? 0
                                            : (after[k] - rest[k]) / integrator_.velocity_time();
}

TwistDamping::TwistDamping(const Model& model, Eigen::VectorXd damped_masses, const Integrator& integrator)
    : integrator_(integrator), damped_masses_(std::move(damped_masses)), anchors_(blocks_of_arcs(*model.rods))
{}

void TwistDamping::begin_step(const State& /*start*/, double /*dt*/)
{
    anchors_.set(
        arcs_in(integrator_.rest_point(), damped_masses_.size()), damped_masses_ / integrator_.velocity_time());
}

} // namespace abut
