#pragma once
// Quantities of a run over time, by the names under which users ask for them: what `abut plot` draws.

#include "abut/run/result_folder.hpp"

#include <optional>
#include <string>
#include <vector>

namespace abut {

/// What a line over time shows.
struct Quantity {
    std::string name;      ///< "energy:kinetic", "force:cloth-ball"
    std::string title;     ///< "kinetic energy"
    std::string unit;      ///< "J"; empty where there is none
    bool is_count = false; ///< whole numbers

    bool operator==(const Quantity& other) const = default;
};

/// The quantities that every run has, in the order of their list.
[[nodiscard]] std::vector<Quantity> step_quantities();

/// Those and the forces between bodies that touch in the run, as "force:A-B", in the order of their first touch.
[[nodiscard]] std::vector<Quantity> quantities_of(const ResultFolder& results);

/// Words that stand for several quantities, and the sentence that says for which.
struct QuantityGroup {
    std::string name, what;
};
[[nodiscard]] std::vector<QuantityGroup> quantity_groups();

/// The quantities of a list of names, each once, in its order; groups become what they stand for, and of a pair of
/// bodies either may come first. `names` may each be several with commas between them. An unknown one is rejected with
/// the nearest that is known. `known` is what quantities_of() returns.
[[nodiscard]] std::vector<Quantity>
chosen_quantities(const std::vector<std::string>& names, const std::vector<Quantity>& known);

/// Values of quantities, step by step.
struct RunSeries {
    std::vector<int> steps;
    std::vector<double> times; ///< at the end of each step [s]
    /// Of each quantity, of each step; NaN where there is none, as for the smallest distance without contacts. Bodies
    /// that do not touch have the force 0. The energy of weight counts from the first step, heat and work are sums.
    std::vector<std::vector<double>> values;
    std::optional<double> failed_at{};    ///< time of a step that did not converge [s]
    std::vector<std::string> passed_over; ///< as ResultFolder::for_each_record
};
[[nodiscard]] RunSeries read_series(const ResultFolder& results, const std::vector<Quantity>& quantities);

} // namespace abut
