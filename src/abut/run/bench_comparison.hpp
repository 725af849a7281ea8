#pragma once
// Two programs' times of the same operations, taken in turns.
//
// Times of one program wander by tens of percent from minute to minute, but what runs one after the other sees nearly
// the same machine: so each round has a run of either program, and a ratio is the median over the rounds of what one
// round says, with the lowest and the highest beside it.

#include <nlohmann/json.hpp>

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace abut {

/// What two programs printed one after the other, as `abut bench --json` does.
struct BenchRound {
    nlohmann::json own, other;
};

struct OperationRatio {
    std::string name;
    double other_ms, own_ms;       ///< medians over the rounds [ms]
    double ratio, lowest, highest; ///< own / other
    double cpu_ratio;              ///< the same of CPU times; NaN where they are too short to tell
    bool has_same_result;          ///< in every round
};

struct BenchComparison {
    std::vector<OperationRatio> operations;        ///< those of both programs, in the order of the own ones
    std::vector<std::string> only_own, only_other; ///< names of the others
};

/// Throws InvalidInput, naming `--compare`, where the other program's report is none.
[[nodiscard]] BenchComparison compare_rounds(std::span<const BenchRound> rounds);

[[nodiscard]] std::string comparison_to_text(const BenchComparison& comparison);
[[nodiscard]] nlohmann::json comparison_to_json(const BenchComparison& comparison);

} // namespace abut
