#pragma once

#include "abut/linear/hessian_cache.hpp"
#include "enums.hpp"
#include "in_use.hpp"

#include <optional>

namespace abut::python {

template <>
struct EnumNames<PSDProjectionMethod> {
    static constexpr auto type = "PSDProjectionMethod";
    static constexpr auto members = "NONE CLAMP ABS";
    static constexpr auto doc = "What the negative eigenvalues of each term's Hessian become: NONE, they stay; CLAMP, "
                                "zero; ABS, their absolute "
                                "value.";
};

/// A cache that one call at a time may use.
class SharedCache {
public:
    explicit SharedCache(std::shared_ptr<const BlockPattern> pattern) : cache_(std::move(pattern)) {}

    [[nodiscard]] int num_analyses() const { return num_analyses_; }

    /// work(cache) and then the matrix, without the interpreter lock.
    template <typename Work>
    Eigen::SparseMatrix<double> use(Work&& work)
    {
        if (num_uses_ > 0)
            throw std::runtime_error("cache: another call is using it; give each thread its own");
        const InUse in_use(num_uses_);
        Eigen::SparseMatrix<double> matrix = without_gil([&] {
            work(cache_);
            return cache_.matrix().to_sparse();
        });
        num_analyses_ = cache_.num_analyses();
        return matrix;
    }

private:
    HessianCache cache_;
    int num_uses_ = 0, num_analyses_ = 0;
};

/// The Hessian that work(cache) leaves in a given cache or, for None, in one of its own.
template <typename Work>
SparseLike hessian_with(SharedCache* cache, Work&& work)
{
    if (cache != nullptr)
        return to_scipy(cache->use(work));
    return to_scipy(without_gil([&] {
        HessianCache own;
        work(own);
        return own.matrix().to_sparse();
    }));
}

constexpr auto hessian_doc = R"(

project_hessian_to_psd: a PSDProjectionMethod, applied to each term before they are added.
cache: a HessianCache, which saves the sorting of terms while the collisions stay the same.)";

} // namespace abut::python
