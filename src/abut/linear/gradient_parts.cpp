#include "abut/linear/gradient_parts.hpp"

#include "abut/base/parallel.hpp"

#include <algorithm>

namespace abut {

namespace {

constexpr std::size_t most_parts = 8;

template <int Dim>
void add_rows(const double* rows, std::size_t begin, std::size_t end, bool is_first, double* gradient)
{
    for (std::size_t v = begin; v < end; ++v)
        for (int a = 0; a < Dim; ++a)
            gradient[v * Dim + a] = rows[4 * v + a] + (is_first ? 0 : gradient[v * Dim + a]);
}

} // namespace

GradientParts::GradientParts(int num_vertices, std::size_t num_terms)
    : num_vertices_(static_cast<std::size_t>(num_vertices)),
      num_parts_(std::clamp<std::size_t>(2 * num_terms / std::max<std::size_t>(num_vertices_, 4096), 1, most_parts)),
      rows_(4 * num_vertices_ * num_parts_)
{}

double* GradientParts::cleared_rows(std::size_t part)
{
    ABUT_ASSERT(part < num_parts_);
    double* rows = rows_.data() + 4 * num_vertices_ * part;
    std::fill_n(rows, 4 * num_vertices_, 0.0);
    return rows;
}

Eigen::VectorXd GradientParts::sum(int dim) const
{
    Eigen::VectorXd gradient(static_cast<Eigen::Index>(num_vertices_) * dim);
    parallel_ranges(num_vertices_, 8192, [&](std::size_t first, std::size_t last) {
        for (std::size_t begin = first; begin < last; begin += 256) // so that the sums stay in the cache
            for (std::size_t part = 0; part < num_parts_; ++part) {
                const double* rows = rows_.data() + 4 * num_vertices_ * part;
                const std::size_t end = std::min(begin + 256, last);
                if (dim == 3)
                    add_rows<3>(rows, begin, end, part == 0, gradient.data());
                else
                    add_rows<2>(rows, begin, end, part == 0, gradient.data());
            }
    });
    return gradient;
}

} // namespace abut
