#pragma once
// The blocks of a playback's chunk: differences to what the frames before predict, byte by byte, so that deflate finds
// little in them. docs/playback.md has the format.

#include "abut/math/types.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace abut {

/// Positions of one body, frame after frame.
class PackedPositions {
public:
    explicit PackedPositions(std::size_t num_vertices);

    /// Appends the block of the next frame. Positions must be finite.
    void
    add(const Positions& positions, const std::vector<int>& vertices, const Vec3& origin, double quantum,
        std::string& bytes);

private:
    void predict(int order);

    std::size_t count_;
    int num_frames_ = 0;
    std::vector<std::int32_t> now_, before_, before_that_; // x of all vertices, then y, then z
    std::vector<std::int64_t> residual_, best_;
};

/// One field on one body, frame after frame.
class PackedField {
public:
    explicit PackedField(std::size_t num_vertices);

    /// Appends the block of the next frame. Values that are not finite count as the least.
    void add(const Eigen::VectorXd& values, const std::vector<int>& vertices, std::string& bytes);

private:
    std::size_t count_;
    bool is_first_ = true;
    std::vector<std::uint8_t> now_, before_, residual_, best_;
};

} // namespace abut
