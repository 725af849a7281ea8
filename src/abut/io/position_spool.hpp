#pragma once
// Positions of all frames of a run, object by object, for formats that want an object's whole motion in one place
// while frames come one after the other. They wait in a file without a name: a long run does not fit into memory.

#include "abut/io/object_parts.hpp"

#include <filesystem>
#include <vector>

namespace abut {

using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>; ///< a point in each row

class PositionSpool {
public:
    /// The file is made in the folder, and is gone when this object is.
    explicit PositionSpool(const std::filesystem::path& folder, std::size_t num_objects);
    ~PositionSpool();
    PositionSpool(const PositionSpool&) = delete;
    PositionSpool& operator=(const PositionSpool&) = delete;

    /// The next frame. Rejects one that does not fit the first, or whose time does not rise.
    void add(const Frame& frame);

    [[nodiscard]] std::size_t num_frames() const { return times_.size(); }
    [[nodiscard]] const std::vector<double>& times() const { return times_; } ///< [s]
    [[nodiscard]] const std::vector<ObjectParts>& parts() const { return parts_; }
    [[nodiscard]] bool is_flat() const { return start_.mesh.vertices.cols() == 2; }
    [[nodiscard]] const Eigen::AlignedBox3d& box() const { return box_; } ///< of all frames [m]
    /// Does any of the object's vertices move, in single precision?
    [[nodiscard]] bool is_moving(std::size_t object) const { return is_moving_[object] != 0; }
    /// Where the object's vertices are in a frame [m].
    [[nodiscard]] FloatRows positions(std::size_t frame, std::size_t object) const;

private:
    [[nodiscard]] FloatRows all_positions(const Frame& frame) const;

    std::filesystem::path folder_;
    int file_; // descriptor
    std::size_t num_objects_;
    Frame start_; // the first one
    FloatRows first_;
    std::vector<ObjectParts> parts_;
    std::vector<Eigen::Index> starts_; // of objects, in the rows of a frame
    std::vector<char> is_moving_;
    std::vector<double> times_;
    Eigen::AlignedBox3d box_;
};

} // namespace abut
