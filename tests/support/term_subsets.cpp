#include "support/term_subsets.hpp"

#include "abut/base/error.hpp"
#include "abut/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace abut::test {

std::vector<TermList> rising_subsets(std::size_t size)
{
    TermList all(size), thirds, some;
    std::iota(all.begin(), all.end(), 0);
    RandomStream random(size);
    for (const int term : all) {
        if (term % 3 == 0)
            thirds.push_back(term);
        if (random.below(2) == 0)
            some.push_back(term);
    }
    std::vector<TermList> subsets{{}, all, thirds, some};
    if (size > 0)
        subsets.push_back({static_cast<int>(random.below(static_cast<std::uint32_t>(size)))});
    return subsets;
}

std::vector<TermList> any_subsets(std::size_t size)
{
    std::vector<TermList> subsets = rising_subsets(size);
    const TermList& all = subsets[1];
    TermList shuffled = all;
    RandomStream random(size + 1);
    for (std::size_t k = size; k > 1; --k)
        std::swap(shuffled[k - 1], shuffled[random.below(static_cast<std::uint32_t>(k))]);
    TermList repeated{all.front(), all.back(), all.front()};
    const TermList backwards(all.rbegin(), all.rend());
    subsets.insert(subsets.end(), {backwards, shuffled, repeated});
    return subsets;
}

TermList complement(const TermList& terms, std::size_t size)
{
    TermList others;
    for (int term = 0; term < static_cast<int>(size); ++term)
        if (!std::binary_search(terms.begin(), terms.end(), term))
            others.push_back(term);
    return others;
}

TermNumbers term_numbers(
    const Stencils& stencils, int dim, TermOutput asked, const std::function<void(const TermOutput&)>& evaluate)
{
    // What nobody writes stays NaN, which is near nothing.
    constexpr double unset = NAN;
    TermNumbers all{
        dim, stencils, std::vector<double>(stencils.size(), unset),
        std::vector<double>(stencils.num_entries() * dim, unset),
        std::vector<double>(stencils.num_blocks() * dim * dim, unset)};
    asked.values = all.values.data();
    asked.gradients = all.gradients.data();
    asked.blocks = all.blocks.data();
    evaluate(asked);
    return all;
}

namespace {

using Numbers = std::span<const double>;

/// Value, gradient and blocks of one term.
std::array<Numbers, 3> numbers_of(const TermNumbers& all, std::size_t term)
{
    const std::size_t n = all.stencils[term].size(), dim = all.dim;
    return {
        Numbers(all.values).subspan(term, 1), Numbers(all.gradients).subspan(all.stencils.offset(term) * dim, n * dim),
        Numbers(all.blocks).subspan(all.stencils.block_offset(term) * dim * dim, n * (n + 1) / 2 * dim * dim)};
}

/// Calls compare(term of the part, term of the whole) once the two sets have the same stencils.
template <typename Compare>
void for_each_term(const TermNumbers& whole, const TermList& terms, const TermNumbers& part, Compare&& compare)
{
    ASSERT_EQ(part.stencils.size(), terms.size());
    for (std::size_t k = 0; k < terms.size(); ++k) {
        const auto own = part.stencils[k], theirs = whole.stencils[terms[k]];
        ASSERT_TRUE(std::equal(own.begin(), own.end(), theirs.begin(), theirs.end())) << "term " << terms[k];
        compare(k, static_cast<std::size_t>(terms[k]));
        if (testing::Test::HasFailure())
            return;
    }
}

} // namespace

void expect_same_bits(const TermNumbers& whole, const TermList& terms, const TermNumbers& part)
{
    for_each_term(whole, terms, part, [&](std::size_t k, std::size_t term) {
        const auto own = numbers_of(part, k), theirs = numbers_of(whole, term);
        for (std::size_t what = 0; what < own.size(); ++what)
            EXPECT_EQ(std::memcmp(own[what].data(), theirs[what].data(), own[what].size_bytes()), 0)
                << "term " << term << ", derivative " << what;
    });
}

void expect_near_terms(
    const TermNumbers& whole, const TermList& terms, const TermNumbers& part, const TermNumbers& scale)
{
    for_each_term(whole, terms, part, [&](std::size_t k, std::size_t term) {
        const auto own = numbers_of(part, k), theirs = numbers_of(whole, term), sizes = numbers_of(scale, term);
        for (std::size_t what = 0; what < own.size(); ++what) {
            double largest = 0;
            for (const double number : sizes[what])
                largest = std::max(largest, std::abs(number));
            for (std::size_t i = 0; i < own[what].size(); ++i)
                EXPECT_NEAR(own[what][i], theirs[what][i], 1e-12 * largest)
                    << "term " << term << ", derivative " << what;
        }
    });
}

void expect_rejected_terms(const std::function<void()>& call, const std::string& beginning)
{
    try {
        call();
        ADD_FAILURE() << "no exception; expected: " << beginning;
    } catch (const InvalidInput& error) {
        EXPECT_EQ(std::string(error.what()).substr(0, beginning.size()), beginning);
    }
}

} // namespace abut::test
