#include "abut/play/packed_blocks.hpp"

#include "abut/base/assert.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace abut {

namespace {

constexpr int adds_up = 4;       // bits of a position block's mode, behind the order of the prediction
constexpr int field_adds_up = 2; // bits of a field block's mode
constexpr int field_from_before = 1;

/// Bodies that grew to this many quanta, 1e5 times their extent, are cut there.
constexpr double most_quanta = 1 << 30;

template <typename T>
void append_value(std::string& bytes, const T& value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// The number without its sign in front, so that small numbers have zero high bytes.
std::uint64_t zigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

/// About what the residuals cost: the sum of the bytes that they need would say the same, but less finely.
double cost_of(const std::vector<std::int64_t>& residuals)
{
    double sum = 0;
    for (const std::int64_t value : residuals)
        sum += std::sqrt(static_cast<double>(value < 0 ? -value : value));
    return sum;
}

bool fit_32_bits(const std::vector<std::int64_t>& residuals)
{
    return std::all_of(residuals.begin(), residuals.end(), [](std::int64_t value) {
        return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
    });
}

void append_planes(const std::vector<std::int64_t>& residuals, std::string& bytes)
{
    std::uint64_t used = 0;
    for (const std::int64_t value : residuals)
        used |= zigzag(value);
    std::uint8_t width = 0;
    for (; used != 0; used >>= 8)
        ++width;
    ABUT_ASSERT(width <= 4);
    append_value(bytes, width);
    for (int plane = 0; plane < width; ++plane)
        for (const std::int64_t value : residuals)
            bytes.push_back(static_cast<char>(zigzag(value) >> (8 * plane) & 0xff));
}

} // namespace

PackedPositions::PackedPositions(std::size_t num_vertices)
    : count_(num_vertices), now_(3 * num_vertices), before_(3 * num_vertices), before_that_(3 * num_vertices),
      residual_(3 * num_vertices), best_(3 * num_vertices)
{}

void PackedPositions::predict(int order)
{
    for (std::size_t i = 0; i < now_.size(); ++i) {
        const std::int64_t predicted = order == 0   ? 0
                                       : order == 1 ? std::int64_t(before_[i])
                                                    : 2 * std::int64_t(before_[i]) - before_that_[i];
        residual_[i] = now_[i] - predicted;
    }
}

void PackedPositions::add(
    const Positions& positions, const std::vector<int>& vertices, const Vec3& origin, double quantum,
    std::string& bytes)
{
    ABUT_ASSERT(vertices.size() == count_);
    // Where the body is as a whole, so that a way of any length costs nothing
    Vec3 low = Vec3::Constant(INFINITY), high = Vec3::Constant(-INFINITY);
    for (const int v : vertices) {
        low = low.cwiseMin(lifted(positions, v));
        high = high.cwiseMax(lifted(positions, v));
    }
    Vec3 shift = Vec3::Zero();
    if (count_ > 0)
        shift = (((0.5 * low + 0.5 * high) - origin) / quantum).array().round();
    for (std::size_t i = 0; i < count_; ++i) {
        const Vec3 exact = (lifted(positions, vertices[i]) - origin) / quantum - shift;
        for (int a = 0; a < 3; ++a)
            now_[static_cast<std::size_t>(a) * count_ + i] =
                static_cast<std::int32_t>(std::clamp(std::round(exact[a]), -most_quanta, most_quanta));
    }

    // The prediction that leaves least
    int best_mode = 0;
    double least = INFINITY;
    const auto try_residual = [&](int mode) {
        if (const double cost = cost_of(residual_); cost < least && fit_32_bits(residual_)) {
            least = cost;
            best_mode = mode;
            best_ = residual_;
        }
    };
    for (int order = 0; order <= std::min(num_frames_, 2); ++order) {
        predict(order);
        try_residual(order);
        for (std::size_t a = 0; a < 3 && count_ > 0; ++a)
            for (std::size_t i = count_ - 1; i > 0; --i)
                residual_[a * count_ + i] -= residual_[a * count_ + i - 1];
        try_residual(order | adds_up);
    }

    for (const double s : shift)
        append_value(bytes, s);
    append_value(bytes, static_cast<std::uint8_t>(best_mode));
    append_planes(best_, bytes);
    std::swap(before_that_, before_);
    std::swap(before_, now_);
    ++num_frames_;
}

PackedField::PackedField(std::size_t num_vertices)
    : count_(num_vertices), now_(num_vertices), before_(num_vertices), residual_(num_vertices), best_(num_vertices)
{}

void PackedField::add(const Eigen::VectorXd& values, const std::vector<int>& vertices, std::string& bytes)
{
    ABUT_ASSERT(vertices.size() == count_);
    double least = INFINITY, largest = -INFINITY;
    for (const int v : vertices)
        if (std::isfinite(values[v])) {
            least = std::min(least, values[v]);
            largest = std::max(largest, values[v]);
        }
    if (!(least <= largest))
        least = largest = 0;
    const double scale = largest > least ? 255 / (largest - least) : 0;
    for (std::size_t i = 0; i < count_; ++i) {
        const double value = values[vertices[i]];
        now_[i] = std::isfinite(value) ? static_cast<std::uint8_t>(std::round((value - least) * scale)) : 0;
    }

    int best_mode = 0;
    double best_cost = INFINITY;
    const auto try_residual = [&](int mode) {
        double cost = 0;
        for (const std::uint8_t byte : residual_)
            cost += std::abs(static_cast<std::int8_t>(byte));
        if (cost < best_cost) {
            best_cost = cost;
            best_mode = mode;
            best_ = residual_;
        }
    };
    for (int from_before = 0; from_before <= (is_first_ ? 0 : field_from_before); ++from_before) {
        for (std::size_t i = 0; i < count_; ++i)
            residual_[i] = static_cast<std::uint8_t>(now_[i] - (from_before != 0 ? before_[i] : 0));
        try_residual(from_before);
        for (std::size_t i = count_; i-- > 1;)
            residual_[i] = static_cast<std::uint8_t>(residual_[i] - residual_[i - 1]);
        try_residual(from_before | field_adds_up);
    }

    const bool is_empty = std::all_of(best_.begin(), best_.end(), [](std::uint8_t byte) { return byte == 0; });
    append_value(bytes, static_cast<std::uint8_t>(best_mode));
    append_value(bytes, static_cast<std::uint8_t>(is_empty ? 0 : 1));
    append_value(bytes, least);
    append_value(bytes, largest);
    if (!is_empty)
        bytes.append(reinterpret_cast<const char*>(best_.data()), best_.size());
    std::swap(before_, now_);
    is_first_ = false;
}

} // namespace abut
