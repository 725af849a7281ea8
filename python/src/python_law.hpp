#pragma once

#include "abut/contact/laws/distance_law.hpp"
#include "bind.hpp"

namespace abut::python {

/// "squared" or "plain".
[[nodiscard]] DistanceKind distance_argument(const std::string& value, const char* name);
template <>
struct Argument<DistanceKind> : ReadBy<std::string, distance_argument> {
    static const char* shown(DistanceKind kind) { return kind == DistanceKind::squared ? "squared" : "plain"; }
};

/// A law by its name, or by a Python callable law(x, x_hat) -> (value, first, second) of arrays. `distance` is
/// "squared" or "plain"; `unit` is None or, for a callable, another one of x_hat.
[[nodiscard]] std::shared_ptr<const NormalLaw>
law_argument(const py::object& law, DistanceKind distance, const py::object& unit);

/// The arguments law and distance of BarrierPotential.
inline auto law_arguments() { return std::tuple("law"_a = "clamped_log", "distance"_a = "squared"); }

constexpr auto law_doc = R"(
law: how the energy of a pair grows with its distance, see abut.laws: "clamped_log", "normalized_clamped_log",
"clamped_log_squared", "cubic", "two_stage", or a callable law(x, x_hat) that returns (value, first, second), the value
and both derivatives by x, as arrays of x's shape (n,) or numbers. It is called with many short arrays, by one thread at
a time, must be 0 with zero slope for x >= x_hat, and may raise, which ends the call that asked.
distance: what x is: "squared", x = D - dmin² and x_hat = (2 dmin + dhat) dhat for the squared distance D [m²], or
"plain", x = √D - dmin and x_hat = dhat [m].)";

} // namespace abut::python
