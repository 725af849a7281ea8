#pragma once
// Gradients and Hessians of a sum of terms from a function that evaluates them, and what is kept between two Hessians.

#include "abut/linear/assembly.hpp"
#include "abut/linear/term_output.hpp"

#include <optional>

namespace abut {

/// The sum of the terms' gradients. `evaluate` is called with a TermOutput that asks for them.
template <typename Evaluate>
Eigen::VectorXd gradient_of_terms(const Stencils& stencils, const BlockLayout& layout, Evaluate&& evaluate)
{
    Buffer<double> local(num_gradient_numbers(stencils, layout));
    evaluate(TermOutput{.gradients = local.data()});
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(layout.num_unknowns());
    add_local_gradients(stencils, layout, local.span(), gradient);
    return gradient;
}

/// The same where all blocks are vertices: flat by vertex.
template <typename Evaluate>
Eigen::VectorXd gradient_of_terms(const Stencils& stencils, int num_vertices, int dim, Evaluate&& evaluate)
{
    return gradient_of_terms(stencils, BlockLayout(num_vertices, dim), std::forward<Evaluate>(evaluate));
}

/// What a Hessian is assembled with, kept from one call to the next. While the terms stay the same, nothing is sorted
/// again. With a pattern of its own, e.g. that of all candidates, it also stays when they change.
class HessianCache {
public:
    HessianCache() = default;

    /// Keeps to the given pattern.
    explicit HessianCache(std::shared_ptr<const BlockPattern> pattern) : given_(std::move(pattern)) {}

    /// The Hessian of the last call.
    [[nodiscard]] const SymmetricBlockMatrix& matrix() const { return matrix_; }

    /// How often the terms were sorted into a pattern so far.
    [[nodiscard]] int num_analyses() const { return num_analyses_; }

    /// matrix() = the sum of the terms' Hessians. `evaluate` is called with a TermOutput that asks for their blocks,
    /// each term's in the given form.
    template <typename Evaluate>
    void assemble(const BlockLayout& layout, const Stencils& stencils, HessianForm form, Evaluate&& evaluate)
    {
        prepare(layout, stencils);
        evaluate(TermOutput{.blocks = local_.data(), .hessian = form});
        assembly_->assemble(local_.span(), matrix_);
    }

    /// The same where all blocks are vertices.
    template <typename Evaluate>
    void assemble(int num_vertices, int dim, const Stencils& stencils, HessianForm form, Evaluate&& evaluate)
    {
        assemble(BlockLayout(num_vertices, dim), stencils, form, std::forward<Evaluate>(evaluate));
    }

private:
    void prepare(const BlockLayout& layout, const Stencils& stencils);

    std::shared_ptr<const BlockPattern> given_;
    Stencils stencils_;
    std::optional<HessianAssembly> assembly_;
    Buffer<double> local_;
    SymmetricBlockMatrix matrix_;
    int num_analyses_ = 0;
};

} // namespace abut
