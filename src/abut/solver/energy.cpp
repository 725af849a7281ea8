#include "abut/solver/energy.hpp"

#include "abut/base/buffer.hpp"
#include "abut/linear/assembly.hpp"
#include "abut/linear/term_subset.hpp"

#include <algorithm>

namespace abut {

namespace {

/// Terms taken from all that an energy evaluates.
class TakenTerms final : public Terms {
public:
    TakenTerms(const Energy& energy, std::span<const int> terms)
        : energy_(energy), terms_(terms.begin(), terms.end()), stencils_(energy.stencils().subset(terms))
    {}

    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }

    void evaluate(const Unknowns& x, const TermOutput& out) const override
    {
        const Stencils& all = energy_.stencils();
        Buffer<double> values, gradients, blocks;
        TermOutput whole{.hessian = out.hessian};
        if (out.values != nullptr) {
            values.resize(all.size());
            whole.values = values.data();
        }
        if (out.gradients != nullptr) {
            gradients.resize(num_gradient_numbers(all, x.layout()));
            whole.gradients = gradients.data();
        }
        if (out.blocks != nullptr) {
            blocks.resize(num_hessian_numbers(all, x.layout()));
            whole.blocks = blocks.data();
        }
        energy_.evaluate(x, whole);
        take(x.layout(), whole, out);
    }

private:
    /// Numbers of a term's gradient and Hessian.
    static std::pair<std::int64_t, std::int64_t> sizes(std::span<const int> stencil, const BlockLayout& layout)
    {
        std::int64_t gradient = 0, hessian = 0;
        for (const int block : stencil) {
            gradient += layout.size(block);
            hessian += gradient * layout.size(block); // the blocks (i, j) of row i, j <= i
        }
        return {gradient, hessian};
    }

    void take(const BlockLayout& layout, const TermOutput& from, TermOutput to) const
    {
        const Stencils& all = energy_.stencils();
        const double *gradients = from.gradients, *blocks = from.blocks;
        auto wanted = terms_.begin();
        for (std::size_t term = 0; term < all.size() && wanted != terms_.end(); ++term) {
            const auto [gradient, hessian] = sizes(all[term], layout);
            if (*wanted == static_cast<int>(term)) {
                if (to.values != nullptr)
                    *to.values++ = from.values[term];
                if (to.gradients != nullptr)
                    to.gradients = std::copy_n(gradients, gradient, to.gradients);
                if (to.blocks != nullptr)
                    to.blocks = std::copy_n(blocks, hessian, to.blocks);
                ++wanted;
            }
            if (gradients != nullptr)
                gradients += gradient;
            if (blocks != nullptr)
                blocks += hessian;
        }
        ABUT_ASSERT(wanted == terms_.end());
    }

    const Energy& energy_;
    std::vector<int> terms_;
    Stencils stencils_;
};

} // namespace

std::unique_ptr<Terms> Energy::subset(std::span<const int> terms) const
{
    validate_rising_terms(terms, stencils().size());
    return std::make_unique<TakenTerms>(*this, terms);
}

} // namespace abut
