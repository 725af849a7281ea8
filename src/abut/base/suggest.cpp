#include "abut/base/suggest.hpp"

#include <algorithm>
#include <vector>

namespace abut {

namespace {

/// Optimal string alignment distance: Levenshtein's, with swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    const std::size_t columns = b.size() + 1;
    std::vector<std::size_t> table((a.size() + 1) * columns);
    const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * columns + j]; };
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                at(i, j) = i + j;
                continue;
            }
            at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
        }
    return at(a.size(), b.size());
}

} // namespace

std::string nearest_word(std::string_view word, std::span<const std::string> candidates)
{
    std::string best;
    std::size_t best_distance = std::string::npos;
    for (const std::string& candidate : candidates) {
        // Lengths that differ by more than is allowed need no table, however long the word.
        const std::size_t allowed = std::max<std::size_t>(1, candidate.size() / 3);
        if (word.size() > candidate.size() + allowed || candidate.size() > word.size() + allowed)
            continue;
        const std::size_t distance = edit_distance(word, candidate);
        if (distance <= allowed && distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

} // namespace abut
