#pragma once
// Terms of a subset against the same terms of the whole.

#include "abut/linear/stencils.hpp"
#include "abut/linear/term_output.hpp"

#include <functional>
#include <vector>

namespace abut::test {

using TermList = std::vector<int>;

/// None, one, all, every third and a random half of `size` terms, each list ascending.
std::vector<TermList> rising_subsets(std::size_t size);

/// These, and all terms backwards, shuffled, and with one of them repeated.
std::vector<TermList> any_subsets(std::size_t size);

/// The terms that are not in an ascending list.
TermList complement(const TermList& terms, std::size_t size);

/// All that terms write, in the layout of their stencils.
struct TermNumbers {
    int dim;
    Stencils stencils;
    std::vector<double> values, gradients, blocks;
};

/// `evaluate` is called with `asked` and room for everything.
TermNumbers term_numbers(
    const Stencils& stencils, int dim, TermOutput asked, const std::function<void(const TermOutput&)>& evaluate);

/// Term k of `part` must be term terms[k] of `whole`, to the bit.
void expect_same_bits(const TermNumbers& whole, const TermList& terms, const TermNumbers& part);

/// The same to 1e-12 of the largest value, gradient entry and block entry of the term in `scale`, which is `whole` or
/// the same terms before they are projected. Laws and projection handle a few terms at once: the
/// other terms of such a group may change how often a term is rotated, and so its rounding.
void expect_near_terms(
    const TermNumbers& whole, const TermList& terms, const TermNumbers& part, const TermNumbers& scale);

/// `call` must throw InvalidInput, with a message that begins with `beginning`.
void expect_rejected_terms(const std::function<void()>& call, const std::string& beginning);

} // namespace abut::test
