#pragma once
// A gradient by vertices that is summed up where its terms are evaluated, without a list of the terms' gradients in
// between: each of a few parts takes the terms of a range, and the parts are added in their order. How many there are
// depends on the numbers of terms and vertices alone, and so do the bits.

#include "abut/base/buffer.hpp"
#include "abut/math/types.hpp"

namespace abut {

class GradientParts {
public:
    /// A part costs a pass over all vertices, so that few terms have few parts.
    GradientParts(int num_vertices, std::size_t num_terms);

    [[nodiscard]] std::size_t size() const { return num_parts_; }

    /// A part's sums, set to zero: four numbers per vertex, of which the unused ones do not count.
    [[nodiscard]] double* cleared_rows(std::size_t part);

    /// The sum of all parts, flat by vertex.
    [[nodiscard]] Eigen::VectorXd sum(int dim) const;

private:
    std::size_t num_vertices_, num_parts_;
    Buffer<double> rows_;
};

} // namespace abut
