#pragma once
// Variants of a scene, as Python gives them.

#include "abut/run/variants.hpp"

#include <optional>

namespace abut::python {

/// Keys and the values of each, for all combinations; or a table.
struct Varied {
    std::vector<std::pair<std::string, std::vector<std::string>>> keys;
    std::optional<std::string> csv;

    [[nodiscard]] Variants variants() const
    {
        if (csv)
            return parse_variants(*csv, "vary");
        std::vector<VariedKey> list;
        for (const auto& [key, values] : keys)
            list.push_back({key, values});
        return all_combinations(list);
    }
};

} // namespace abut::python
