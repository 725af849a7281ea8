#include "abut/sim/integrator.hpp"

namespace abut {

namespace {

/// Target x + dt v + dt² g, velocities (x' − x) / dt.
class ImplicitEuler final : public Integrator {
public:
    [[nodiscard]] std::string_view name() const override { return "implicit_euler"; }

protected:
    [[nodiscard]] Part predict(const State& start, const Vec3& gravity, double dt) const override
    {
        Positions target = start.x + dt * start.v;
        for (Eigen::Index a = 0; a < target.cols(); ++a)
            target.col(a).array() += dt * dt * gravity[a];
        return {.target = std::move(target), .stiffness = 1 / (dt * dt), .rest_point = start.x, .velocity_time = dt};
    }
};

/// Without inertia: each step is an equilibrium under gravity. Velocities tell how fast things moved; the next step
/// does not use them.
class QuasiStatic final : public Integrator {
public:
    [[nodiscard]] std::string_view name() const override { return "quasi_static"; }
    [[nodiscard]] bool has_inertia() const override { return false; }

protected:
    [[nodiscard]] Part predict(const State& start, const Vec3& gravity, double dt) const override
    {
        return {.target = start.x, .acceleration = gravity, .rest_point = start.x, .velocity_time = dt};
    }
};

template <typename T>
std::unique_ptr<Integrator> make()
{
    return std::make_unique<T>();
}

} // namespace

Registry<std::function<std::unique_ptr<Integrator>()>>& integrators()
{
    static Registry<std::function<std::unique_ptr<Integrator>()>> all(
        {{"implicit_euler", make<ImplicitEuler>}, {"quasi_static", make<QuasiStatic>}});
    return all;
}

} // namespace abut
