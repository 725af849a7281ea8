#include "abut/solver/mixed_hessian.hpp"

#include <algorithm>

namespace abut {

void MixedHessian::begin(const Eigen::VectorXd& x)
{
    x_ = &x;
    projected_ = nullptr;
    const SymmetricBlockMatrix& exact = problem_.hessian(x, HessianForm::exact).blocks;
    exact_ = SymmetricBlockMatrix(exact.pattern());
    mixed_ = SymmetricBlockMatrix(exact.pattern());
    std::copy_n(exact.block(0), exact.pattern()->num_values(), exact_.block(0));
}

LinearSystem MixedHessian::with(double share)
{
    ABUT_ASSERT(x_ != nullptr && share >= 0 && share < 1);
    const auto system_of = [&](const SymmetricBlockMatrix& blocks) {
        return LinearSystem{
            .blocks = blocks,
            .is_fixed = problem_.is_fixed(),
            .rank_one = problem_.rank_one(*x_, form_),
            .lasting = problem_.lasting(),
            .positions = x_,
            .may_be_indefinite = true};
    };
    if (share == 0)
        return system_of(exact_);
    if (projected_ == nullptr)
        projected_ = &problem_.hessian(*x_, form_).blocks;
    ABUT_ASSERT(projected_->pattern() == exact_.pattern());
    const std::int64_t count = exact_.pattern()->num_values();
    const double *exact = exact_.block(0), *projected = projected_->block(0);
    double* mixed = mixed_.block(0);
    for (std::int64_t k = 0; k < count; ++k)
        mixed[k] = exact[k] + share * (projected[k] - exact[k]);
    return system_of(mixed_);
}

} // namespace abut
