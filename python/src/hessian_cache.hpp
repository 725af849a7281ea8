#pragma once

#include "abut/linear/hessian_cache.hpp"
#include "bind.hpp"
#include "threads.hpp"

namespace abut::python {

template <>
inline constexpr EnumNames enum_names<PSDProjectionMethod>{
    "PSDProjectionMethod", "NONE CLAMP ABS",
    "What the negative eigenvalues of each term's Hessian become: NONE, they stay; CLAMP, zero; ABS, their absolute "
    "value."};

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

} // namespace abut::python
