#include "abut/linear/assembly.hpp"

#include "abut/base/buffer.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"

#include <algorithm>
#include <limits>

namespace abut {

namespace {

/// Below this many terms a second thread costs more than it saves.
constexpr std::size_t terms_worth_a_task = 4096;

/// Cuts the vertices into one range per thread; each task reads all terms and handles the vertices of its range. That
/// every vertex has one owner keeps its sums in the order of the terms, whatever the number of threads.
template <typename Body>
void for_each_owner(int num_vertices, std::size_t num_terms, Body&& body)
{
    const int tasks = num_terms < terms_worth_a_task ? 1 : std::min(num_threads(), 16);
    parallel_for(tasks, 1, [&](std::size_t task) {
        const auto border = [&](std::size_t k) { return static_cast<int>(std::int64_t(num_vertices) * k / tasks); };
        body(border(task), border(task + 1));
    });
}

/// Rejects terms that act on vertices which are not there.
void require_vertices(const Stencils& stencils, std::int64_t num_vertices)
{
    if (num_vertices < 0)
        reject("num_vertices: {} is negative", num_vertices);
    if (stencils.vertex_bound() <= num_vertices)
        return;
    for (std::size_t term = 0; term < stencils.size(); ++term)
        for (const int vertex : stencils[term])
            if (vertex < 0 || vertex >= num_vertices)
                reject("stencils: term {} acts on vertex {}, but there are {} vertices", term, vertex, num_vertices);
}

/// Calls visit(numbers) with the size of every block of a term, in their order.
template <typename Visit>
void for_each_local_block(std::span<const int> blocks, const BlockLayout& layout, Visit&& visit)
{
    for (std::size_t i = 0; i < blocks.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            visit(std::int64_t(layout.size(blocks[i])) * layout.size(blocks[j]));
}

/// Where each block of each term begins, and where the last ends.
std::vector<std::int64_t> starts_of_local_blocks(const Stencils& stencils, const BlockLayout& layout)
{
    std::vector<std::int64_t> starts{0};
    starts.reserve(stencils.num_blocks() + 1);
    for (std::size_t term = 0; term < stencils.size(); ++term)
        for_each_local_block(
            stencils[term], layout, [&](std::int64_t numbers) { starts.push_back(starts.back() + numbers); });
    return starts;
}

/// The gradients of blocks in [begin, end), whose sizes differ.
void add_mixed_gradients(
    const Stencils& stencils, const BlockLayout& layout, const double* local, double* gradient, int begin, int end)
{
    for (std::size_t term = 0; term < stencils.size(); ++term)
        for (const int block : stencils[term]) {
            const int size = layout.size(block);
            if (block >= begin && block < end)
                for (int a = 0; a < size; ++a)
                    gradient[layout.offset(block) + a] += local[a];
            local += size;
        }
}

template <int Dim>
void add_gradients(const Stencils& stencils, const double* local, double* gradient, int begin, int end)
{
    for (std::size_t term = 0; term < stencils.size(); ++term) {
        const double* from = local + stencils.offset(term) * Dim;
        for (const int vertex : stencils[term]) {
            if (vertex >= begin && vertex < end)
                for (int a = 0; a < Dim; ++a)
                    gradient[std::int64_t(vertex) * Dim + a] += from[a];
            from += Dim;
        }
    }
}

/// Calls visit(row, column, contribution) for every block of every term whose row is in [begin, end).
template <typename Visit>
void for_each_contribution(const Stencils& stencils, int begin, int end, Visit&& visit)
{
    for (std::size_t term = 0; term < stencils.size(); ++term) {
        const std::span<const int> vertices = stencils[term];
        std::uint64_t block = stencils.block_offset(term);
        for (std::size_t i = 0; i < vertices.size(); ++i)
            for (std::size_t j = 0; j <= i; ++j, ++block) {
                const bool is_below = vertices[i] > vertices[j];
                const int row = is_below ? vertices[j] : vertices[i];
                if (row >= begin && row < end)
                    visit(row, is_below ? vertices[i] : vertices[j], 2 * block + (is_below ? 1 : 0));
            }
    }
}

} // namespace

std::int64_t num_gradient_numbers(const Stencils& stencils, const BlockLayout& layout)
{
    if (const int size = layout.uniform_size(); size > 0)
        return stencils.num_entries() * size;
    std::int64_t numbers = 0;
    for (std::size_t term = 0; term < stencils.size(); ++term)
        for (const int block : stencils[term])
            numbers += layout.size(block);
    return numbers;
}

std::int64_t num_hessian_numbers(const Stencils& stencils, const BlockLayout& layout)
{
    if (const std::int64_t size = layout.uniform_size(); size > 0)
        return stencils.num_blocks() * size * size;
    std::int64_t sum = 0;
    for (std::size_t term = 0; term < stencils.size(); ++term)
        for_each_local_block(stencils[term], layout, [&](std::int64_t numbers) { sum += numbers; });
    return sum;
}

void add_local_gradients(
    const Stencils& stencils, const BlockLayout& layout, std::span<const double> local,
    Eigen::Ref<Eigen::VectorXd> gradient)
{
    if (gradient.size() != layout.num_unknowns())
        reject("gradient: {} numbers for {} unknowns", gradient.size(), layout.num_unknowns());
    require_vertices(stencils, layout.num_blocks());
    const std::int64_t wanted = num_gradient_numbers(stencils, layout);
    if (static_cast<std::int64_t>(local.size()) != wanted)
        reject(
            "local: {} numbers, but the stencils have {} entries, of {}", local.size(), stencils.num_entries(), wanted);
    for_each_owner(layout.num_blocks(), stencils.size(), [&](int begin, int end) {
        switch (layout.uniform_size()) {
        case 3:
            return add_gradients<3>(stencils, local.data(), gradient.data(), begin, end);
        case 2:
            return add_gradients<2>(stencils, local.data(), gradient.data(), begin, end);
        case 1:
            return add_gradients<1>(stencils, local.data(), gradient.data(), begin, end);
        default:
            return add_mixed_gradients(stencils, layout, local.data(), gradient.data(), begin, end);
        }
    });
}

void add_local_gradients(
    const Stencils& stencils, int dim, std::span<const double> local, Eigen::Ref<Eigen::VectorXd> gradient)
{
    if (dim < 1 || dim > 3)
        reject("dim: {} is not 1, 2 or 3", dim);
    if (gradient.size() % dim != 0)
        reject("gradient: {} numbers are no whole number of vertices in {} dimensions", gradient.size(), dim);
    add_local_gradients(stencils, BlockLayout(static_cast<int>(gradient.size() / dim), dim), local, gradient);
}

HessianAssembly::HessianAssembly(const BlockLayout& layout, const Stencils& stencils)
    : num_local_blocks_(stencils.num_blocks())
{
    const int num_vertices = layout.num_blocks();
    require_vertices(stencils, num_vertices);
    if (num_local_blocks_ > std::numeric_limits<std::int32_t>::max())
        throw LimitReached(fmt::format("terms: their Hessians have {} blocks; use a smaller dhat", num_local_blocks_));
    num_local_numbers_ = num_hessian_numbers(stencils, layout);
    if (layout.uniform_size() == 0)
        local_starts_ = starts_of_local_blocks(stencils, layout);

    // Contributions by row, each packed with its column. They are put in order of their columns first and then, keeping
    // that, of their rows: both by counting, so that a row's blocks come together, in the order of the terms.
    std::vector<std::int64_t> begins(num_vertices + 1, 0);
    for_each_owner(num_vertices, stencils.size(), [&](int begin, int end) {
        for_each_contribution(stencils, begin, end, [&](int row, int, std::uint64_t) { ++begins[row + 1]; });
    });
    for (int row = 0; row < num_vertices; ++row)
        begins[row + 1] += begins[row];
    Buffer<std::uint64_t> packed(num_local_blocks_), by_column(num_local_blocks_);
    std::vector<std::int64_t> row_starts(num_vertices + 1, 0);
    for_each_owner(num_vertices, stencils.size(), [&](int begin, int end) {
        std::vector<std::int64_t> column_ends(num_vertices + 1, 0), next(begins.begin() + begin, begins.begin() + end);
        for_each_contribution(stencils, begin, end, [&](int, int column, std::uint64_t) { ++column_ends[column + 1]; });
        column_ends[0] = begins[begin];
        for (int column = 0; column < num_vertices; ++column)
            column_ends[column + 1] += column_ends[column];
        for_each_contribution(stencils, begin, end, [&](int row, int column, std::uint64_t contribution) {
            by_column[column_ends[column]++] = (static_cast<std::uint64_t>(row) << 32) | contribution;
        });
        std::int64_t at = begins[begin];
        for (int column = 0; column < num_vertices; ++column)
            for (; at < column_ends[column]; ++at)
                packed[next[static_cast<int>(by_column[at] >> 32) - begin]++] =
                    (static_cast<std::uint64_t>(column) << 32) | static_cast<std::uint32_t>(by_column[at]);
        for (int row = begin; row < end; ++row) {
            std::int64_t distinct = 0;
            for (std::int64_t k = begins[row]; k < begins[row + 1]; ++k)
                distinct += k == begins[row] || packed[k] >> 32 != packed[k - 1] >> 32;
            row_starts[row + 1] = distinct;
        }
    });
    for (int row = 0; row < num_vertices; ++row)
        row_starts[row + 1] += row_starts[row];

    std::vector<int> columns(row_starts.back());
    slot_starts_.resize(row_starts.back() + 1);
    slot_starts_.back() = num_local_blocks_;
    contributions_ = std::make_unique_for_overwrite<std::uint32_t[]>(num_local_blocks_);
    parallel_for(num_vertices, 256, [&](std::size_t row) {
        std::int64_t slot = row_starts[row];
        for (std::int64_t k = begins[row]; k < begins[row + 1]; ++k) {
            if (k == begins[row] || packed[k] >> 32 != packed[k - 1] >> 32) {
                columns[slot] = static_cast<int>(packed[k] >> 32);
                slot_starts_[slot++] = k;
            }
            contributions_[k] = static_cast<std::uint32_t>(packed[k]);
        }
    });
    pattern_ = std::make_shared<BlockPattern>(layout, std::move(row_starts), std::move(columns));
}

namespace {

const BlockPattern& existing(const std::shared_ptr<const BlockPattern>& pattern)
{
    if (!pattern)
        reject("pattern: none given");
    return *pattern;
}

} // namespace

HessianAssembly::HessianAssembly(std::shared_ptr<const BlockPattern> pattern, const Stencils& stencils)
    : HessianAssembly(existing(pattern).layout(), stencils)
{
    const BlockPattern& own = *pattern_;
    std::vector<std::int64_t> starts(pattern->num_blocks() + 1);
    parallel_for(own.num_rows(), 256, [&](std::size_t row_index) {
        const int row = static_cast<int>(row_index);
        std::int64_t slot = own.row_start(row), wide_slot = pattern->row_start(row);
        const std::int64_t end = slot + static_cast<std::int64_t>(own.columns(row).size());
        std::span<const int> wanted = own.columns(row);
        std::size_t k = 0;
        for (const int column : pattern->columns(row)) {
            starts[wide_slot++] = slot_starts_[slot];
            if (k < wanted.size() && wanted[k] == column) {
                ++slot;
                ++k;
            }
        }
        if (slot != end)
            reject(
                "pattern: it has no block ({}, {}), which a term needs; build it from candidates that include the "
                "terms",
                row, wanted[k]);
    });
    starts.back() = num_local_blocks_;
    slot_starts_ = std::move(starts);
    pattern_ = std::move(pattern);
}

namespace {

template <int Dim>
void sum_blocks(const double* local, std::span<const std::uint32_t> contributions, double* block)
{
    constexpr int size = Dim * Dim;
    double sum[size] = {};
    for (const std::uint32_t contribution : contributions) {
        const double* from = local + std::int64_t(contribution >> 1) * size;
        if ((contribution & 1) == 0)
            for (int k = 0; k < size; ++k)
                sum[k] += from[k];
        else
            for (int b = 0; b < Dim; ++b)
                for (int a = 0; a < Dim; ++a)
                    sum[b * Dim + a] += from[a * Dim + b];
    }
    std::copy(sum, sum + size, block);
}

} // namespace

void HessianAssembly::sum_mixed(const double* local, std::int64_t slot, int height, int width, double* block) const
{
    std::fill_n(block, height * width, 0.0);
    for (std::int64_t k = slot_starts_[slot]; k < slot_starts_[slot + 1]; ++k) {
        const double* from = local + local_starts_[contributions_[k] >> 1];
        const bool is_transposed = (contributions_[k] & 1) != 0;
        for (int b = 0; b < width; ++b)
            for (int a = 0; a < height; ++a)
                block[b * height + a] += is_transposed ? from[a * width + b] : from[b * height + a];
    }
}

void HessianAssembly::assemble(std::span<const double> local, SymmetricBlockMatrix& matrix) const
{
    if (static_cast<std::int64_t>(local.size()) != num_local_numbers_)
        reject(
            "local: {} numbers, but the terms have {} blocks, of {}", local.size(), num_local_blocks_,
            num_local_numbers_);
    if (matrix.pattern() != pattern_)
        matrix = SymmetricBlockMatrix(pattern_);
    const BlockLayout& layout = pattern_->layout();
    if (layout.uniform_size() == 0) {
        parallel_for(pattern_->num_rows(), 1024, [&](std::size_t row) {
            std::int64_t slot = pattern_->row_start(static_cast<int>(row));
            for (const int column : pattern_->columns(static_cast<int>(row))) {
                sum_mixed(
                    local.data(), slot, layout.size(static_cast<int>(row)), layout.size(column), matrix.block(slot));
                ++slot;
            }
        });
        return;
    }
    parallel_for(pattern_->num_blocks(), 8192, [&](std::size_t slot) {
        const std::span<const std::uint32_t> contributions{
            contributions_.get() + slot_starts_[slot], contributions_.get() + slot_starts_[slot + 1]};
        double* block = matrix.block(static_cast<std::int64_t>(slot));
        if (layout.uniform_size() == 3)
            sum_blocks<3>(local.data(), contributions, block);
        else if (layout.uniform_size() == 2)
            sum_blocks<2>(local.data(), contributions, block);
        else
            sum_blocks<1>(local.data(), contributions, block);
    });
}

} // namespace abut
