#pragma once
// How a step of time becomes a minimum: what inertia and gravity add to the potentials, and what velocities are.
//
// A step minimises, over the end positions x,
//
//   Σ_v m_v ( s/2 |x_v − target_v|² − acceleration · x_v )  +  the potentials,
//
// and the velocities at any x are v(x) = (x − rest_point) / velocity_time, so that dv/dx = 1 / velocity_time. Friction,
// which acts on velocities, and the tolerance of a solve, which is a speed, ask for these two. With inertia s is
// 1 / velocity_time² in every method here.
//
// What a method remembers of earlier steps it saves in the history. A method is one file and one line in integrators().

#include "abut/base/registry.hpp"
#include "abut/solver/state.hpp"

#include <functional>
#include <memory>

namespace abut {

class Integrator {
public:
    virtual ~Integrator() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Do masses resist? Without it a step is an equilibrium.
    [[nodiscard]] virtual bool has_inertia() const { return true; }

    /// Predicts the step from `start` over dt.
    void begin_step(const State& start, const Vec3& gravity, double dt) { part_ = predict(start, gravity, dt); }
    /// After the step, which ended there.
    virtual void end_step(const State& /*end*/) {}

    /// Of the step that began last.
    [[nodiscard]] const Positions& target() const { return part_.target; }
    [[nodiscard]] double stiffness() const { return part_.stiffness; }            ///< s [1/s²]
    [[nodiscard]] const Vec3& acceleration() const { return part_.acceleration; } ///< [m/s²]
    [[nodiscard]] const Positions& rest_point() const { return part_.rest_point; }
    [[nodiscard]] double velocity_time() const { return part_.velocity_time; } ///< [s]
    [[nodiscard]] Positions velocities(const ConstPositions& x) const { return (x - rest_point()) / velocity_time(); }

    virtual void save(History& /*history*/) const {}
    virtual void load(const History& /*history*/) {}

protected:
    struct Part {
        Positions target;
        double stiffness = 0;
        Vec3 acceleration = Vec3::Zero();
        Positions rest_point;
        double velocity_time = 1;
    };
    [[nodiscard]] virtual Part predict(const State& start, const Vec3& gravity, double dt) const = 0;

private:
    Part part_;
};

/// By their names in scenes: "implicit_euler", "quasi_static".
[[nodiscard]] Registry<std::function<std::unique_ptr<Integrator>()>>& integrators();

} // namespace abut
