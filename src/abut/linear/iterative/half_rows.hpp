#pragma once
// A symmetric matrix for products alone. Products wait for memory, so a block is read once where it can be: rows come
// in pieces, and of two blocks that mirror each other within a piece only one is stored. Between pieces both are, so
// that each number of a product is written by one piece, and has the same bits for any number of threads.

#include "abut/linear/iterative/block_rows.hpp"

namespace abut {

class HalfRows {
public:
    /// Takes over the structure of A; values follow by assign().
    void link(const BlockRows& A);
    /// The values of A, which has the structure of the last link().
    void assign(const BlockRows& A);

    /// y = A x; returns xᵀ y, summed in a fixed order.
    double multiply(const double* x, double* y) const;

private:
    /// Twice as many leave little more to save, and less to share among threads.
    static constexpr std::size_t rows_per_piece = 2048;

    struct Row {
        std::int64_t end;      ///< of its blocks: the diagonal, those that stand for two, those that stand for one
        std::int64_t pair_end; ///< of those that stand for two
    };
    std::vector<Row> rows_;
    std::vector<int> columns_;
    std::vector<std::int64_t> sources_; // slots of A
    Buffer<double> values_;             // nine per block, and a few behind the last, for loads of four
};

} // namespace abut
