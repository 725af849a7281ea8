#include "abut/sim/integrator.hpp"

#include <bit>

namespace abut {

namespace {

/// A number that tells a state, and who is held in it, from others: what is remembered belongs to it alone.
double mark_of(const State& state, const HeldVertices& held)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto mix = [&](std::uint64_t word) { hash = std::rotl((hash ^ word) * 0x9e3779b97f4a7c15, 29); };
    for (const Positions* values : {&state.x, &state.v})
        for (Eigen::Index i = 0; i < values->size(); ++i)
            mix(std::bit_cast<std::uint64_t>(values->data()[i]));
    for (const std::uint8_t flag : held.is_fixed)
        mix(flag);
    for (const int v : held.driven)
        mix(static_cast<std::uint64_t>(v));
    return static_cast<double>(hash >> 11); // exact in a double
}

std::vector<double> to_list(const Positions& values) { return {values.data(), values.data() + values.size()}; }

/// A list as one row a vertex; empty where it does not fit.
Positions to_positions(const std::vector<double>& list, const Positions& like)
{
    if (std::ssize(list) != like.size())
        return {};
    return Eigen::Map<const Positions>(list.data(), like.rows(), like.cols());
}

std::vector<double> list_of(const History& history, std::string_view name)
{
    const std::vector<double>* values = history.find(name);
    return values != nullptr ? *values : std::vector<double>();
}

void add_to_rows(Positions& rows, const Vec3& vector)
{
    for (Eigen::Index a = 0; a < rows.cols(); ++a)
        rows.col(a).array() += vector[a];
}

/// Target x + dt v + dt² g, velocities (x' − x) / dt.
class ImplicitEuler final : public Integrator {
public:
    [[nodiscard]] std::string_view name() const override { return "implicit_euler"; }

protected:
    [[nodiscard]] Part predict(const State& start, const Vec3& gravity, double dt) const override
    {
        Positions target = start.x + dt * start.v;
        add_to_rows(target, dt * dt * gravity);
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

/// Second order and damping only what is fast. With r = dt over the dt before and p = r² / (1 + 2r),
///
///   v' = (x' − x − p (x − x₋)) / τ,   a' = (v' − v − p (v − v₋)) / τ,   τ = dt (1 + r) / (1 + 2r),
///
/// which for r = 0, where nothing is remembered, is implicit Euler.
class Bdf2 final : public Integrator {
public:
    [[nodiscard]] std::string_view name() const override { return "bdf2"; }

    void end_step(const State& start, const State& end, double dt) override
    {
        moved_ = to_list(end.x - start.x);
        sped_up_ = to_list(end.v - start.v);
        dt_ = dt;
        mark_ = mark_of(end, held());
    }

    void save(History& history) const override
    {
        if (moved_.empty()) // nothing to go on from yet
            return;
        history.set("bdf2.moved", moved_);
        history.set("bdf2.sped_up", sped_up_);
        history.set("bdf2.dt", dt_);
        history.set("bdf2.mark", mark_);
    }
    void load(const History& history) override
    {
        moved_ = list_of(history, "bdf2.moved");
        sped_up_ = list_of(history, "bdf2.sped_up");
        dt_ = history.number("bdf2.dt", 0);
        mark_ = history.number("bdf2.mark", -1);
    }

protected:
    [[nodiscard]] Part predict(const State& start, const Vec3& gravity, double dt) const override
    {
        // Steps that grow faster than this make the method unstable.
        constexpr double most_growth = 2.4; // < 1 + √2
        const Positions moved = to_positions(moved_, start.x), sped_up = to_positions(sped_up_, start.x);
        const bool goes_on = moved.size() > 0 && sped_up.size() > 0 && dt_ > 0 && dt <= most_growth * dt_ &&
                             mark_ == mark_of(start, held());
        const double r = goes_on ? dt / dt_ : 0, p = r * r / (1 + 2 * r), time = dt * (1 + r) / (1 + 2 * r);
        Positions carried = start.v, rest_point = start.x;
        if (goes_on) {
            carried += p * sped_up;
            rest_point += p * moved;
        }
        // Driven vertices move evenly within a step.
        for (std::size_t k = 0; k < held().driven.size(); ++k) {
            const int v = held().driven[k];
            carried.row(v) = held().velocities.row(static_cast<Eigen::Index>(k));
            rest_point.row(v) = start.x.row(v) + (dt - time) * carried.row(v);
        }
        Positions target = rest_point + time * carried;
        add_to_rows(target, time * time * gravity);
        return {
            .target = std::move(target),
            .stiffness = 1 / (time * time),
            .rest_point = std::move(rest_point),
            .velocity_time = time,
            .carried = std::move(carried)};
    }

private:
    std::vector<double> moved_, sped_up_; // in the step before
    double dt_ = 0, mark_ = -1;
};

/// The trapezoidal rule, Newmark's β = 1/4 and γ = 1/2: second order, and elastic oscillations keep their energy.
///
///   x' = x + dt (v + v')/2,   v' = v + dt (a + a')/2
class Newmark final : public Integrator {
public:
    [[nodiscard]] std::string_view name() const override { return "newmark"; }
    [[nodiscard]] bool is_trapezoidal() const override { return true; }

    [[nodiscard]] bool wants_accelerations(const State& start) const override
    {
        return std::ssize(accelerations_) != start.x.size() || mark_ != mark_of(start, held());
    }
    void set_accelerations(const State& start, Positions accelerations) override
    {
        accelerations_ = to_list(accelerations);
        mark_ = mark_of(start, held());
    }

    void end_step(const State& /*start*/, const State& end, double /*dt*/) override
    {
        Positions now = (velocities(end.x) - carried()) / velocity_time();
        for (std::size_t v = 0; v < held().is_fixed.size(); ++v)
            if (held().is_fixed[v] != 0)
                now.row(static_cast<Eigen::Index>(v)).setZero();
        accelerations_ = to_list(now);
        mark_ = mark_of(end, held());
    }

    void save(History& history) const override
    {
        if (accelerations_.empty()) // nothing to go on from yet
            return;
        history.set("newmark.accelerations", accelerations_);
        history.set("newmark.mark", mark_);
    }
    void load(const History& history) override
    {
        accelerations_ = list_of(history, "newmark.accelerations");
        mark_ = history.number("newmark.mark", -1);
    }

protected:
    [[nodiscard]] Part predict(const State& start, const Vec3& gravity, double dt) const override
    {
        const double time = dt / 2;
        Positions velocities = start.v;
        Positions accelerations = Positions::Zero(start.x.rows(), start.x.cols());
        if (!wants_accelerations(start))
            accelerations = to_positions(accelerations_, start.x);
        // Driven vertices move evenly within a step.
        for (std::size_t k = 0; k < held().driven.size(); ++k) {
            velocities.row(held().driven[k]) = held().velocities.row(static_cast<Eigen::Index>(k));
            accelerations.row(held().driven[k]).setZero();
        }
        Positions carried = velocities + time * accelerations;
        Positions rest_point = start.x + time * velocities;
        Positions target = rest_point + time * carried;
        add_to_rows(target, time * time * gravity);
        return {
            .target = std::move(target),
            .stiffness = 1 / (time * time),
            .rest_point = std::move(rest_point),
            .velocity_time = time,
            .carried = std::move(carried)};
    }

private:
    std::vector<double> accelerations_; // where the step before ended
    double mark_ = -1;
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
        {{"implicit_euler", make<ImplicitEuler>},
         {"quasi_static", make<QuasiStatic>},
         {"bdf2", make<Bdf2>},
         {"newmark", make<Newmark>}});
    return all;
}

} // namespace abut
