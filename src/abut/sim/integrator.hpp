#pragma once
// How a step of time becomes a minimum: what inertia and gravity add to the potentials, and what velocities are.
//
// A step minimises, over the end positions x,
//
//   Σ_v m_v ( s/2 |x_v − target_v|² − acceleration · x_v )  +  the potentials,
//
// and the velocities at any x are v(x) = (x − rest_point) / velocity_time, so that dv/dx = 1 / velocity_time. Friction,
// which acts on velocities, and the tolerance of a solve, which is a speed, ask for these two. With inertia s is
// 1 / velocity_time² in every method here, and velocities at the end are carried + velocity_time × acceleration.
//
// What a method remembers of earlier steps it saves in the history, with a mark of the state that it belongs to: where
// somebody set other velocities, or other vertices are held than before, it starts anew. Contacts are no such event.
// A method is one class and one line in integrators().

#include "abut/base/registry.hpp"
#include "abut/solver/state.hpp"

#include <functional>
#include <memory>

namespace abut {

/// Who does not move freely in a step.
struct HeldVertices {
    std::vector<std::uint8_t> is_fixed = {}; ///< of vertices; none where empty
    std::vector<int> driven = {};            ///< vertices that a script moves
    Positions velocities = {};               ///< of these, by their scripts [m/s]
};

class Integrator {
public:
    virtual ~Integrator() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Do masses resist? Without it a step is an equilibrium.
    [[nodiscard]] virtual bool has_inertia() const { return true; }

    /// Predicts the step from `start` over dt. Behind the vertices there may be rows for other unknowns that have
    /// inertia, as twist_motion.hpp makes them: the last `num_weightless` do not feel gravity.
    void begin_step(
        const State& start, const Vec3& gravity, double dt, HeldVertices held = {}, Eigen::Index num_weightless = 0)
    {
        held_ = std::move(held);
        part_ = predict(start, gravity, dt);
        if (num_weightless > 0)
            part_.target.bottomRows(num_weightless) =
                predict(start, Vec3::Zero(), dt).target.bottomRows(num_weightless);
    }
    /// Would the step that began know more from the accelerations at its start? Then they are given, and it begins
    /// again.
    [[nodiscard]] virtual bool wants_accelerations(const State& /*start*/) const { return false; }
    virtual void set_accelerations(const State& /*start*/, Positions /*accelerations*/) {}
    /// After the step from one state to the other over dt.
    virtual void end_step(const State& /*start*/, const State& /*end*/, double /*dt*/) {}
    /// Are forces of both ends of a step at work in it, half and half? Else those of its end.
    [[nodiscard]] virtual bool is_trapezoidal() const { return false; }

    /// Of the step that began last.
    [[nodiscard]] const Positions& target() const { return part_.target; }
    [[nodiscard]] double stiffness() const { return part_.stiffness; }            ///< s [1/s²]
    [[nodiscard]] const Vec3& acceleration() const { return part_.acceleration; } ///< [m/s²]
    [[nodiscard]] const Positions& rest_point() const { return part_.rest_point; }
    [[nodiscard]] double velocity_time() const { return part_.velocity_time; } ///< [s]
    /// What velocities at the end would be without forces; empty where that is the velocities at the start [m/s].
    [[nodiscard]] const Positions& carried() const { return part_.carried; }
    [[nodiscard]] const HeldVertices& held() const { return held_; }
    /// Of the first rows, as many as x has.
    [[nodiscard]] Positions velocities(const ConstPositions& x) const
    {
        return (x - rest_point().topRows(x.rows())) / velocity_time();
    }

    virtual void save(History& /*history*/) const {}
    virtual void load(const History& /*history*/) {}

protected:
    struct Part {
        Positions target;
        double stiffness = 0;
        Vec3 acceleration = Vec3::Zero();
        Positions rest_point;
        double velocity_time = 1;
        Positions carried = {};
    };
    [[nodiscard]] virtual Part predict(const State& start, const Vec3& gravity, double dt) const = 0;

private:
    Part part_;
    HeldVertices held_;
};

/// By their names in scenes: "implicit_euler", "quasi_static", "bdf2", "newmark".
[[nodiscard]] Registry<std::function<std::unique_ptr<Integrator>()>>& integrators();

} // namespace abut
