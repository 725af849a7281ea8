#pragma once
// Symmetric matrices of any order made positive semidefinite, a few of one order side by side, one per lane.
//
// psd_projection.hpp does so for small sizes known to the compiler, by Jacobi rotations. Of larger ones the way over
// tridiagonal matrices takes a fraction of that work: Householder reflections, then implicit QL steps with Wilkinson's
// shift (Golub, Van Loan, "Matrix Computations", 2013, 8.3). All lanes go through the same loops, each with its own
// shifts; a lane that is done is rotated by nothing, so that its bits do not depend on those beside it.
//
// Layout and size depend on the instruction set, as Lanes do: for source files of the library, not for its interfaces.

#include "abut/base/buffer.hpp"
#include "abut/math/lanes.hpp"
#include "abut/math/psd_projection.hpp"

#include <array>

namespace abut {

class PsdProjectionAnyOrder {
public:
    /// Room for matrices of this order, > 0, whose entries are not defined. Memory is kept from call to call.
    void begin(int order);

    /// Entry (i, j), i >= j, in every lane.
    [[nodiscard]] Lanes& entry(int i, int j)
    {
        ABUT_ASSERT(i >= j && j >= 0 && i < order_);
        return column(matrix_, j)[i].x;
    }

    /// Projects what entry() holds, and tells which lanes had negative eigenvalues. Only of these the entries are
    /// defined afterwards: the other matrices stay what they were.
    [[nodiscard]] std::array<bool, num_lanes> project(PSDProjectionMethod method);

private:
    struct Entry {
        Lanes x;
    };
    [[nodiscard]] Entry* column(Buffer<Entry>& matrix, int j) const
    {
        return matrix.data() + static_cast<std::ptrdiff_t>(j) * order_;
    }

    [[nodiscard]] Lanes normalize();
    void reduce_to_tridiagonal();
    void form_basis();
    void diagonalize();
    void sum_up();

    int order_ = 0;
    // Column by column. Of the matrix the lower triangle is read and written; reflections stay where its entries were.
    Buffer<Entry> matrix_, basis_;
    Buffer<Entry> diagonal_, beside_; // of the tridiagonal matrix, entry (i + 1, i) at i
    Buffer<Entry> factors_, product_; // of the reflections
    Buffer<Entry> kept_, scaled_;     // eigenvalues of the result, and vectors times these
};

} // namespace abut
