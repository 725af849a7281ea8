#include "abut/sim/script_energy.hpp"

#include "abut/sim/block_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace abut {

namespace {

/// Vectors as rows, of which the plane has two numbers.
Positions rows_of(const std::vector<Vec3>& vectors, int dim)
{
    Positions rows(static_cast<Eigen::Index>(vectors.size()), dim);
    for (Eigen::Index k = 0; k < rows.rows(); ++k)
        rows.row(k) = vectors[k].head(dim).transpose();
    return rows;
}

} // namespace

namespace {

/// Where keyframes are at a time.
Keyframe interpolated(const std::vector<Keyframe>& keyframes, double t)
{
    if (keyframes.empty())
        return {};
    const auto after =
        std::find_if(keyframes.begin(), keyframes.end(), [&](const Keyframe& keyframe) { return keyframe.time > t; });
    const Keyframe& right = after == keyframes.end() ? keyframes.back() : *after;
    const Keyframe& left = after == keyframes.begin() ? keyframes.front() : *std::prev(after);
    const double share = right.time > left.time ? (t - left.time) / (right.time - left.time) : 0;
    return {
        .time = t,
        .translation = left.translation + share * (right.translation - left.translation),
        .angle = left.angle + share * (right.angle - left.angle)};
}

} // namespace

double VertexScript::angle(double t) const { return angular_velocity * t + interpolated(keyframes, t).angle; }

Vec3 VertexScript::position(const Vec3& x0, double t) const
{
    const Vec3 translation = velocity * t + interpolated(keyframes, t).translation;
    const Mat<3, 3> turn = Eigen::AngleAxisd(angle(t), axis.normalized()).toRotationMatrix();
    return centre + translation + turn * (x0 - centre);
}

ScriptEnergy::ScriptEnergy(const Model& model, const Integrator& integrator)
    : model_(model), integrator_(integrator), is_fixed_(model.layout.num_blocks(), 0)
{
    anchors_.set({Positions(0, model.dim()), Positions(0, model.dim()), Eigen::VectorXd()});
}

std::unique_ptr<BlockTerms> ScriptEnergy::by_blocks(const BlockGroups& groups, const Unknowns& /*x*/) const
{
    return make_block_terms(anchors_, groups);
}

double ScriptEnergy::tolerance() const { return model_.parameters.tolerance * integrator_.velocity_time(); }

/// How strongly scripted vertices are drawn to their targets [N/m]: a hundred times as strongly as their body resists,
/// so that it lags by a hundredth of its motion or less and one solve is enough. What resists is the inertia of the
/// body, which its scripted vertices share, or its material.
Eigen::VectorXd ScriptEnergy::stiffness(const std::vector<int>& scripted) const
{
    const std::size_t num_objects = model_.scene.objects.size();
    const std::vector<int>& starts = model_.object_starts;
    const Eigen::VectorXd& masses = model_.masses;
    std::vector<double> mass_of(num_objects), num_scripted(num_objects, 0.0);
    for (std::size_t k = 0; k < num_objects; ++k)
        mass_of[k] = masses.segment(starts[k], starts[k + 1] - starts[k]).sum();
    const auto object_of = [&](int v) { return model_.scene.scripts[model_.script_of[v]].object; };
    for (const int v : scripted)
        num_scripted[object_of(v)] += 1;
    const double time = integrator_.velocity_time();
    const double mean_mass = masses.sum() / std::max<double>(1, static_cast<double>((masses.array() > 0).count()));
    Eigen::VectorXd stiffness(static_cast<Eigen::Index>(scripted.size()));
    for (Eigen::Index k = 0; k < stiffness.size(); ++k) {
        const int object = object_of(scripted[k]);
        // Obstacles have neither mass nor material; they are to push others away.
        const double mass = std::max({mass_of[object] / num_scripted[object], 10 * mean_mass, 1e-8});
        stiffness[k] = 1e2 * std::max(mass / (time * time), model_.parameters.elasticities[object]);
    }
    return stiffness;
}

HeldVertices ScriptEnergy::plan(const State& start, double dt)
{
    is_fixed_.assign(model_.layout.num_blocks(), 0);
    scripted_.clear();
    targets_.clear();
    std::vector<Vec3> velocities;
    for (int v = 0; v < model_.num_vertices(); ++v) {
        is_fixed_[v] = model_.is_static[v];
        if (model_.script_of[v] < 0 || model_.is_static[v] != 0)
            continue;
        const VertexScript& script = model_.scene.scripts[model_.script_of[v]];
        // Times are sums of dt, and so a little off what is meant.
        const bool is_released = start.time >= script.release_time - 1e-6 * dt;
        if (is_released)
            is_fixed_[v] = model_.masses[v] == 0;
        else if (!script.is_moving())
            is_fixed_[v] = 1;
        else {
            const Vec3 x0 = lifted(model_.rest, v), from = script.position(x0, start.time);
            scripted_.push_back(v);
            targets_.push_back(script.position(x0, start.time + dt));
            // One that was held back goes on as it did.
            const Vec3 way = targets_.back() - from;
            const bool is_behind = (lifted(start.x, v) - from).norm() > way.norm();
            velocities.push_back(is_behind ? lifted(start.v, v) : Vec3(way / dt));
        }
    }
    return {
        .is_fixed = {is_fixed_.begin(), is_fixed_.begin() + model_.num_vertices()},
        .driven = scripted_,
        .velocities = rows_of(velocities, model_.dim())};
}

void ScriptEnergy::begin_step(const State& start, double /*dt*/)
{
    const auto count = static_cast<Eigen::Index>(scripted_.size());
    Eigen::VectorXd springs = stiffness(scripted_);
    anchors_ = Anchors(scripted_);
    anchors_.set({rows_of(targets_, model_.dim()), Positions::Zero(count, model_.dim()), std::move(springs)});
    way_ = behind(start.x);
}

void ScriptEnergy::end_step(const State& end)
{
    const bool is_blocked = behind(end.x) > std::max(0.5 * way_, tolerance());
    blocked_steps_ = is_blocked ? blocked_steps_ + 1 : 0;
}

void ScriptEnergy::save(History& history) const { history.set("scripts.blocked_steps", blocked_steps_); }

void ScriptEnergy::load(const History& history)
{
    blocked_steps_ = static_cast<int>(history.number("scripts.blocked_steps", 0));
}

std::string ScriptEnergy::describe_behind(const ConstPositions& x, const std::vector<BodyForce>& forces) const
{
    std::map<int, std::pair<double, int>> worst; // of each script: distance, vertex
    for (std::size_t k = 0; k < anchors_.vertices().size(); ++k) {
        const int v = anchors_.vertices()[k];
        auto& entry = worst[model_.script_of[v]];
        if (anchors_.distance(x, k) > entry.first)
            entry = {anchors_.distance(x, k), v};
    }
    std::string text;
    for (const auto& [script, furthest] : worst) {
        if (furthest.first <= tolerance())
            continue;
        text += fmt::format(
            "{}{} by {:.3g} m at {}", text.empty() ? "" : ", ", model_.name_of_script(script), furthest.first,
            model_.names->vertex(furthest.second));
        // What presses hardest against its body
        const int body = model_.scene.scripts[script].object;
        double largest = 0;
        int holder = body;
        for (const BodyForce& force : forces)
            if ((force.body == body || force.other == body) && (force.contact + force.friction).norm() > largest) {
                largest = (force.contact + force.friction).norm();
                holder = force.body == body ? force.other : force.body;
            }
        if (holder != body)
            text += fmt::format(", held by {} with {:.3g} N", model_.names->quoted(holder), largest);
    }
    return text;
}

} // namespace abut
