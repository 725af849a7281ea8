#pragma once
// Some of the terms of a sum as a set of their own: what the functions `subset` of energies and collision sets share.
// A solver that moves a few vertices at a time asks for the terms of these vertices, as flat data without gaps.

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace abut {

/// Throws InvalidInput, naming `terms`, unless all are terms of a set of this size.
inline void validate_terms(std::span<const int> terms, std::size_t size)
{
    for (std::size_t k = 0; k < terms.size(); ++k)
        if (terms[k] < 0 || static_cast<std::size_t>(terms[k]) >= size)
            reject("terms: entry {} is {}, which is out of range; the set has {} terms", k, terms[k], size);
}

/// The same, and for terms that do not rise: sets that store terms by kind keep the order of kinds.
inline void validate_rising_terms(std::span<const int> terms, std::size_t size)
{
    validate_terms(terms, size);
    for (std::size_t k = 1; k < terms.size(); ++k)
        if (terms[k] <= terms[k - 1])
            reject(
                "terms: entry {} is {}, after {}; collisions are stored by kind, so sort them and name each once", k,
                terms[k], terms[k - 1]);
}

/// The values of these terms, in this order.
template <typename T>
[[nodiscard]] std::vector<T> selected(const std::vector<T>& values, std::span<const int> terms)
{
    std::vector<T> part;
    part.reserve(terms.size());
    for (const int term : terms) {
        ABUT_ASSERT(term >= 0 && static_cast<std::size_t>(term) < values.size());
        part.push_back(values[term]);
    }
    return part;
}

/// Hands out rising terms, which count over several lists, list by list.
class TermsByList {
public:
    explicit TermsByList(std::span<const int> terms) : terms_(terms) {}

    /// The terms in the next list, which has this size, by their places in it.
    [[nodiscard]] std::vector<int> next(std::size_t list_size)
    {
        const int end = first_ + static_cast<int>(list_size);
        const auto count = std::lower_bound(terms_.begin(), terms_.end(), end) - terms_.begin();
        std::vector<int> places(terms_.begin(), terms_.begin() + count);
        for (int& place : places)
            place -= first_;
        terms_ = terms_.subspan(count);
        first_ = end;
        return places;
    }

private:
    std::span<const int> terms_; // not handed out yet
    int first_ = 0;              // number of the next list's first term
};

} // namespace abut
