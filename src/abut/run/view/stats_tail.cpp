#include "abut/run/view/stats_tail.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

namespace abut {

namespace {

constexpr std::size_t steps_of_speed = 10;

} // namespace

bool StatsTail::update()
{
    const FileIdentity now = identity_of(path_);
    if (now == file_)
        return false;
    if (now.number != file_.number || now.device != file_.device || now.size < read_) {
        read_ = 0;
        lines_.clear();
        seconds_.clear();
        last_.reset();
    }
    file_ = now;
    std::ifstream file(path_, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(read_));
    for (std::string line; std::getline(file, line) && !file.eof();) { // else the line is not whole yet
        add(line, read_);
        read_ += line.size() + 1;
    }
    return true;
}

void StatsTail::add(std::string_view line, std::uint64_t begin)
{
    std::optional<StepRecord> record = parse_record(line);
    if (!record || (!lines_.empty() && record->step <= lines_.back().step))
        return;
    lines_.push_back({record->step, record->time, begin, begin + line.size() + 1});
    seconds_.push_back(record->times.total());
    if (seconds_.size() > steps_of_speed)
        seconds_.pop_front();
    last_ = std::move(record);
}

std::vector<StatsTail::Line>::const_iterator StatsTail::line_of(int step) const
{
    return std::lower_bound(
        lines_.begin(), lines_.end(), step, [](const Line& line, int wanted) { return line.step < wanted; });
}

double StatsTail::time_of(int step) const
{
    const auto line = line_of(step);
    return line != lines_.end() && line->step == step ? line->time : NAN;
}

double StatsTail::seconds_per_step() const
{
    return seconds_.empty()
               ? NAN
               : std::accumulate(seconds_.begin(), seconds_.end(), 0.0) / static_cast<double>(seconds_.size());
}

std::string StatsTail::lines_from(int step, std::size_t most_bytes) const
{
    const auto first = line_of(step);
    if (first == lines_.end())
        return {};
    auto last = first;
    while (std::next(last) != lines_.end() && std::next(last)->end - first->begin <= most_bytes)
        ++last;
    std::string text(last->end - first->begin, '\0');
    std::ifstream file(path_, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(first->begin));
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    // It may have been cut meanwhile.
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    text.resize(text.rfind('\n') + 1);
    return text;
}

} // namespace abut
