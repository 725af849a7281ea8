#include "abut/io/position_spool.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <system_error>

namespace abut {

namespace {

[[noreturn]] void fail_to_spool(const std::filesystem::path& folder)
{
    throw InputOutput(fmt::format(
        "{}: frames cannot be kept there while they are written ({}); check that the folder exists, is writable and "
        "has space",
        absolute_name(folder), std::generic_category().message(errno)));
}

constexpr std::size_t row_bytes = 3 * sizeof(float);

} // namespace

PositionSpool::PositionSpool(const std::filesystem::path& folder, std::size_t num_objects)
    : folder_(folder.empty() ? "." : folder), file_(-1), num_objects_(num_objects)
{
    std::string name = (folder_ / ".abut-frames-XXXXXX").string();
    file_ = ::mkstemp(name.data());
    if (file_ < 0)
        fail_to_spool(folder_);
    ::unlink(name.c_str()); // the open file stays
}

PositionSpool::~PositionSpool() { ::close(file_); }

FloatRows PositionSpool::all_positions(const Frame& frame) const
{
    FloatRows rows(starts_.back(), 3);
    for (std::size_t k = 0; k < parts_.size(); ++k)
        for (std::size_t i = 0; i < parts_[k].vertices.size(); ++i)
            rows.row(starts_[k] + Eigen::Index(i)) =
                lifted(frame.mesh.vertices, parts_[k].vertices[i]).cast<float>().transpose();
    return rows;
}

void PositionSpool::add(const Frame& frame)
{
    if (times_.empty()) {
        check_fits(frame, frame, 0);
        start_ = frame;
        parts_ = split_objects(frame, num_objects_);
        starts_ = {0};
        for (const ObjectParts& each : parts_)
            starts_.push_back(starts_.back() + Eigen::Index(each.vertices.size()));
        is_moving_.assign(num_objects_, 0);
        first_ = all_positions(frame);
    }
    check_fits(frame, start_, times_.size());
    if (!std::isfinite(frame.time) || (!times_.empty() && !(frame.time > times_.back())))
        reject("the time of frame {} does not rise; give frames in their order", times_.size());

    const FloatRows rows = all_positions(frame);
    for (std::size_t k = 0; k < num_objects_; ++k)
        if (const Eigen::Index count = starts_[k + 1] - starts_[k];
            rows.middleRows(starts_[k], count) != first_.middleRows(starts_[k], count))
            is_moving_[k] = 1;
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
        box_.extend(Vec3(rows.row(i).transpose().cast<double>()));

    const auto* bytes = reinterpret_cast<const char*>(rows.data());
    for (std::size_t left = static_cast<std::size_t>(rows.rows()) * row_bytes; left > 0;) {
        const ssize_t count = ::write(file_, bytes, left);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fail_to_spool(folder_);
        bytes += count;
        left -= static_cast<std::size_t>(count);
    }
    times_.push_back(frame.time);
}

FloatRows PositionSpool::positions(std::size_t frame, std::size_t object) const
{
    ABUT_ASSERT(frame < times_.size() && object < num_objects_);
    const Eigen::Index count = starts_[object + 1] - starts_[object];
    FloatRows rows(count, 3);
    auto offset = static_cast<off_t>(
        (frame * static_cast<std::size_t>(starts_.back()) + static_cast<std::size_t>(starts_[object])) * row_bytes);
    auto* bytes = reinterpret_cast<char*>(rows.data());
    for (std::size_t left = static_cast<std::size_t>(count) * row_bytes; left > 0;) {
        const ssize_t done = ::pread(file_, bytes, left, offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            fail_to_spool(folder_);
        bytes += done;
        offset += done;
        left -= static_cast<std::size_t>(done);
    }
    return rows;
}

} // namespace abut
