// Laws of contact as functions of arrays, to plot and to check.

#include "abut/contact/laws/adhesion.hpp"
#include "abut/contact/laws/clamped_log_squared.hpp"
#include "abut/contact/laws/cubic.hpp"
#include "abut/contact/laws/tangential.hpp"
#include "abut/contact/laws/two_stage.hpp"
#include "bind.hpp"
#include "module.hpp"

#include <cmath>

namespace abut::python {

namespace {

/// A tuple of N arrays of the shape of x, with law(x) = the N numbers of each entry; of numbers where x is one.
template <std::size_t N, typename Law>
py::tuple vectorized(const Reals& x, Law&& law)
{
    std::array<py::array_t<double>, N> arrays;
    std::array<double*, N> to;
    for (std::size_t p = 0; p < N; ++p) {
        arrays[p] = py::array_t<double>(x.shape);
        to[p] = arrays[p].mutable_data();
    }
    for (std::size_t i = 0; i < x.values.size(); ++i) {
        const std::array<double, N> term = law(x.values[i]);
        for (std::size_t p = 0; p < N; ++p)
            to[p][i] = term[p];
    }
    py::tuple result(N);
    for (std::size_t p = 0; p < N; ++p)
        result[p] = x.shape.empty() ? py::object(arrays[p][py::tuple()]) : py::object(arrays[p]);
    return result;
}

std::array<double, 3> parts(const LawTerm& term) { return {term.value, term.first, term.second}; }
std::array<double, 4> parts(const TangentialTerm& term)
{
    return {term.value, term.first, term.second, term.first_over_y};
}

Reals numbers_argument(const ArrayLike& value, const char* name, double smallest)
{
    Reals reals = reals_argument(value, name);
    for (std::size_t i = 0; i < reals.values.size(); ++i)
        if (!(std::isfinite(reals.values[i]) && reals.values[i] >= smallest))
            reject(
                "{}: entry {} is {}, which is not {}", name, i, reals.values[i],
                smallest == 0 ? "a number >= 0" : "finite");
    return reals;
}

void require_positive(double value, const char* name)
{
    if (!(value > 0 && std::isfinite(value)))
        reject("{}: {} is not a positive number", name, value);
}

void require_coefficient(double value, const char* name)
{
    if (!(value >= 0 && std::isfinite(value)))
        reject("{}: {} is not a coefficient of friction; it must be a number >= 0", name, value);
}

constexpr double any_number = -std::numeric_limits<double>::infinity();

constexpr auto barrier_doc =
    "\n\nReturns (value, first, second), the law and both derivatives by x, of x's shape. x: distances or squared "
    "distances; x_hat > 0: where the law ends.";
constexpr auto sliding_doc = R"(

Returns (value, first, second, first_over_y), of y's shape: the potential, the force, its derivative, and force / y,
which has a limit at 0.)";

template <typename Law>
void def_barrier_law(py::module_& m, const std::string& doc)
{
    def(m, std::string(Law::name).c_str(), "x"_a, "x_hat"_a, doc + barrier_doc, [](const ArrayLike& x, double x_hat) {
        const Reals values = numbers_argument(x, "x", any_number);
        require_positive(x_hat, "x_hat");
        return vectorized<3>(values, [&](double entry) { return parts(Law{}(entry, x_hat)); });
    });
}

} // namespace

void def_laws(py::module_& m)
{
    py::module_ laws = m.def_submodule(
        "laws",
        "Scalar laws of contact as functions of numbers or arrays, to plot and to check: each returns its value "
        "and derivatives together.");
    def_barrier_law<ClampedLog>(
        laws, "IPC's barrier, -(x - x_hat)² ln(x / x_hat) for 0 < x < x_hat, 0 beyond, inf at 0 and below.");
    def_barrier_law<NormalizedClampedLog>(
        laws, "clamped_log of x / x_hat, without a unit: -(x / x_hat - 1)² ln(x / x_hat) for 0 < x < x_hat.");
    def_barrier_law<ClampedLogSquared>(
        laws, "GIPC's barrier, (x - x_hat)² ln²(x / x_hat) for 0 < x < x_hat, 0 beyond, inf at 0 and below.");
    def_barrier_law<Cubic>(
        laws, "A penalty, -(2 / 3 x_hat) (x - x_hat)³ for x < x_hat, 0 beyond; finite at 0, so no barrier.");
    def_barrier_law<TwoStage>(
        laws, "OGC's law: the spring (x_hat - x)² / 2 for x_hat / 2 <= x < x_hat, 0 beyond, which turns into a "
              "logarithm below; inf at 0 and below.");
    def(laws, "normal_adhesion", "x"_a, "x_p"_a, "x_a"_a, "a2"_a,
        R"(A well that holds surfaces together: the pull is strongest at x_p and ends at x_a > x_p > 0; a2 < 0 scales it.

Returns (value, first, second), the law and both derivatives by x, of x's shape. x: distances or squared distances.)",
        [](const ArrayLike& x, double x_p, double x_a, double a2) {
            const Reals values = numbers_argument(x, "x", any_number);
            require_positive(x_a, "x_a");
            if (!(x_p > 0 && x_p < x_a))
                reject("x_p: {} is not between 0 and x_a = {}", x_p, x_a);
            if (!(a2 < 0 && std::isfinite(a2)))
                reject("a2: {} is not a negative number", a2);
            return vectorized<3>(
                values, [law = NormalAdhesion{x_p, x_a, a2}](double entry) { return parts(law(entry)); });
        });
    def(laws, "friction", "y"_a, "mu_s"_a, "mu_k"_a, "eps_v"_a,
        "Smoothed friction at sliding speeds y >= 0 [m/s], per unit of normal force: static below eps_v > 0 [m/s]. "
        "mu_s, mu_k: coefficients of friction at rest and in sliding, >= 0." +
            std::string(sliding_doc),
        [](const ArrayLike& y, double mu_s, double mu_k, double eps_v) {
            const Reals values = numbers_argument(y, "y", 0);
            require_coefficient(mu_s, "mu_s");
            require_coefficient(mu_k, "mu_k");
            require_positive(eps_v, "eps_v");
            return vectorized<4>(
                values, [law = SmoothFriction{mu_s, mu_k, eps_v}](double speed) { return parts(law(speed)); });
        });
    def(laws, "tangential_adhesion", "y"_a, "eps_a"_a,
        "Adhesion against sliding at speeds y >= 0 [m/s]: its force rises to 1 at eps_a > 0 and lets go at 2 eps_a." +
            std::string(sliding_doc),
        [](const ArrayLike& y, double eps_a) {
            const Reals values = numbers_argument(y, "y", 0);
            require_positive(eps_a, "eps_a");
            return vectorized<4>(values, [law = TangentialAdhesion{eps_a}](double speed) { return parts(law(speed)); });
        });
}

} // namespace abut::python
