#include "abut/linear/iterative/preconditioner.hpp"

#include "abut/base/parallel.hpp"
#include "abut/linear/iterative/small_blocks.hpp"
#include "abut/linear/iterative/triple.hpp"

#include <atomic>

namespace abut {

namespace {

class BlockJacobi final : public Preconditioner {
public:
    bool prepare(const FreeBlocks& blocks) override
    {
        const BlockRows& A = blocks.matrix();
        inverses_.resize(9 * std::size_t(A.size()) + 3);
        rows_ = A.size();
        std::atomic<bool> is_good = true;
        parallel_for(A.size(), rows_per_piece, [&](std::size_t row) {
            if (!invert(A.block(A.diagonal[row]), inverses_.data() + 9 * row))
                is_good = false;
        });
        return is_good;
    }
    void apply(const double* r, double* z) override
    {
        parallel_for(rows_, rows_per_piece, [&](std::size_t row) {
            store_triple(block_times(inverses_.data() + 9 * row, r + 3 * row), z + 3 * row);
        });
    }

private:
    int rows_ = 0;
    Buffer<double> inverses_;
};

} // namespace

std::unique_ptr<Preconditioner> make_block_jacobi() { return std::make_unique<BlockJacobi>(); }

} // namespace abut
