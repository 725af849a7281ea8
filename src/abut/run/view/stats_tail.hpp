#pragma once
// The statistics of a run that may go on: each line is read once.

#include "abut/run/step_record.hpp"
#include "abut/run/view/file_identity.hpp"

#include <deque>

namespace abut {

class StatsTail {
public:
    explicit StatsTail(std::filesystem::path path) : path_(std::move(path)) {}

    /// Reads what was added. Begins anew where the file is another one, as after a resume. Returns whether anything
    /// changed.
    bool update();

    /// Of a step's end [s]; NaN where there is no record of it.
    [[nodiscard]] double time_of(int step) const;
    /// The last record; null where there is none.
    [[nodiscard]] const StepRecord* last() const { return last_ ? &*last_ : nullptr; }
    /// Of solves, over the last steps; NaN where there are none.
    [[nodiscard]] double seconds_per_step() const;
    /// Whole lines from that of a step on, `most_bytes` at most, but at least one where there is one.
    [[nodiscard]] std::string lines_from(int step, std::size_t most_bytes) const;

private:
    struct Line {
        int step;
        double time;
        std::uint64_t begin, end; // in the file
    };
    [[nodiscard]] std::vector<Line>::const_iterator line_of(int step) const;
    void add(std::string_view line, std::uint64_t begin);

    std::filesystem::path path_;
    FileIdentity file_;
    std::uint64_t read_ = 0;  // bytes, of whole lines
    std::vector<Line> lines_; // steps rise
    std::optional<StepRecord> last_;
    std::deque<double> seconds_;
};

} // namespace abut
