#include "abut/run/progress.hpp"

#include <fmt/format.h>

#include <cmath>

namespace abut {

double Progress::seconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

int Progress::filled(int step, int width) const
{
    const int all = last_ - first_;
    return all > 0 ? static_cast<int>(std::int64_t(width) * (step - first_) / all) : width;
}

std::string Progress::text(const StepRecord& record) const
{
    const int done = record.step - first_, left = last_ - record.step;
    return fmt::format(
        "step {}/{}  t = {:.4g} s  {} iterations  {} contacts  gap {}  {}", record.step, last_, record.time,
        record.iterations, record.contacts,
        std::isfinite(record.smallest_distance) ? fmt::format("{:.2e} m", record.smallest_distance) : "-",
        done > 0 ? "ETA " + duration_text(seconds() / done * left) : "");
}

std::string duration_text(double seconds)
{
    if (seconds < 120)
        return fmt::format("{:.0f} s", seconds);
    return seconds < 7200 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

} // namespace abut
