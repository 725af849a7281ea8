#include "abut/run/view/result_view.hpp"

#include "abut/base/checksum.hpp"
#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace abut {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_stats_bytes = 4u << 20, most_report_bytes = 256u << 20;

/// A manifest's members without the brace at its end, so that others can follow.
std::string open_object(const nlohmann::json& object)
{
    std::string text = object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    text.pop_back();
    return text;
}

std::string gap_text(const StepRecord& record)
{
    return std::isfinite(record.smallest_distance) ? fmt::format(", smallest gap {:.2g} m", record.smallest_distance)
                                                   : std::string(", no contact");
}

} // namespace

ResultView::ResultView(fs::path folder, const ResultViewOptions& options)
    : folder_(std::move(folder)), options_(options), stats_(folder_ / "stats.jsonl"), cache_(options.cache_bytes)
{
    if (!FolderLock::is_held(folder_)) // else its scene may not be written yet
        static_cast<void>(ResultFolder::open(folder_, false));
}

std::string ResultView::title()
{
    refresh();
    return playback_ ? playback_->scene().name : folder_.filename().string();
}

fs::path ResultView::frame_path(int step) const { return ResultFolder::path_of_frame(folder_, step); }

void ResultView::refresh()
{
    const auto now = Clock::now();
    if (refreshed_ && std::chrono::duration<double>(now - *refreshed_).count() < options_.pause)
        return;
    // Before the frames are listed: a run that ends in between still counts as running, and the next look finds its
    // last frame.
    is_running_ = FolderLock::is_held(folder_);
    if (const FileIdentity scene = identity_of(folder_ / "scene.json"); scene != scene_file_) {
        close_playback();
        scene_file_ = scene;
    }
    list_frames();
    stats_.update();
    if (!playback_ && !steps_.empty() && scene_file_.exists())
        open_playback();
    refreshed_ = Clock::now(); // what took long is not done again at once
}

void ResultView::list_frames()
{
    const FileIdentity frames = identity_of(folder_ / "frames");
    if (frames == frames_folder_ && is_list_settled_)
        return;
    // The times of folders are those of the last tick of a clock: a frame could follow within the same one.
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const double age =
        static_cast<double>(now.tv_sec - frames.seconds) + 1e-9 * static_cast<double>(now.tv_nsec - frames.nanoseconds);
    is_list_settled_ = std::abs(age) > 1;
    frames_folder_ = frames;
    steps_ = frames.exists() ? ResultFolder::frame_steps_of(folder_) : std::vector<int>();
}

void ResultView::close_playback()
{
    playback_.reset();
    manifest_.clear();
    topology_.reset();
    problem_.clear();
    cache_.clear();
}

void ResultView::open_playback()
{
    try {
        playback_.emplace(ResultFolder::open(folder_, false));
    } catch (const std::exception& error) { // it may have been removed, or is damaged
        problem_ = error.what();
        return;
    }
    problem_.clear();
    nlohmann::json manifest = playback_->encoder().manifest();
    manifest.erase("marks");
    topology_ = std::make_shared<const std::string>(playback_->encoder().topology());
    manifest_ = open_object(manifest);
    // Other bodies have another id: a page that sees it change begins anew.
    manifest_ += fmt::format(",\"id\":\"{:016x}\"", checksum(manifest_) ^ checksum(*topology_));
}

double ResultView::time_of(int step) const
{
    const double time = stats_.time_of(step);
    return std::isfinite(time) ? time : playback_->scene().time.dt * step;
}

std::string ResultView::frames_text(std::optional<int> after) const
{
    std::string text;
    if (playback_)
        for (auto step = after ? std::upper_bound(steps_.begin(), steps_.end(), *after) : steps_.begin();
             step != steps_.end(); ++step)
            text += fmt::format("{}{{\"step\":{},\"time\":{}}}", text.empty() ? "" : ",", *step, time_of(*step));
    return text;
}

std::string ResultView::status() const
{
    if (!playback_ && !scene_file_.exists() && !is_running_)
        return "the results are gone";
    if (!playback_)
        return problem_.empty() ? std::string(is_running_ ? "waiting for the first frame" : "there is no frame")
                                : problem_;
    const int last_step = playback_->scene().time.steps;
    const StepRecord* const last = stats_.last();
    if (last == nullptr)
        return fmt::format("step 0 of {}", last_step);
    std::string text = fmt::format(
        "step {} of {}, {:.2g} s per step{}", last->step, last_step, stats_.seconds_per_step(), gap_text(*last));
    if (!last->is_converged())
        text += fmt::format("; it ended in {}: {}", last->outcome, last->message);
    else if (!is_running_ && last->step < last_step)
        text += "; the run does not go on";
    return text;
}

std::string ResultView::marks_text() const
{
    const StepRecord* const last = stats_.last();
    if (!playback_ || last == nullptr || !last->is_failed() || last->limiting_vertices.empty() || steps_.empty() ||
        steps_.back() != last->step)
        return "";
    const std::optional<PlaybackFrame> frame = playback_->frame(last->step);
    if (!frame)
        return "";
    PlaybackMark mark;
    mark.label = fmt::format("what limited step {}", last->step);
    for (const int v : last->limiting_vertices)
        if (v >= 0 && v < frame->positions.rows())
            mark.points.push_back(lifted(frame->positions, v));
    nlohmann::json json = to_json(mark);
    json["frame"] = steps_.size() - 1;
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

SharedBytes ResultView::manifest(std::optional<int> after)
{
    refresh();
    const std::string start = playback_ ? manifest_
                                        : open_object(
                                              {{"playback", 1},
                                               {"name", folder_.filename().string()},
                                               {"dim", 3},
                                               {"up", {0, 1, 0}},
                                               {"bodies", nlohmann::json::array()},
                                               {"planes", nlohmann::json::array()},
                                               {"fields", nlohmann::json::array()}});
    const std::string sentence =
        nlohmann::json(status()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return std::make_shared<const std::string>(fmt::format(
        "{},\"frames\":[{}],\"frames_of_run\":{},\"is_running\":{},\"marks\":[{}],\"status\":{}}}", start,
        frames_text(after), playback_ ? steps_.size() : 0, is_running_, marks_text(), sentence));
}

SharedBytes ResultView::topology()
{
    refresh();
    return topology_;
}

SharedBytes ResultView::chunk(int step)
{
    refresh();
    if (!playback_)
        return nullptr;
    const FileIdentity file = identity_of(frame_path(step));
    if (!file.exists())
        return nullptr;
    if (SharedBytes known = cache_.find(step, file))
        return known;
    const std::optional<PlaybackFrame> frame = playback_->frame(step);
    if (!frame)
        return nullptr;
    auto bytes = std::make_shared<const std::string>(playback_->encoder().chunk({&*frame, 1}));
    cache_.add(step, file, bytes);
    return bytes;
}

SharedBytes ResultView::stats(int from)
{
    refresh();
    return std::make_shared<const std::string>(stats_.lines_from(from, most_stats_bytes));
}

SharedBytes ResultView::report()
{
    if (!identity_of(folder_ / "report.html").exists())
        return nullptr;
    try {
        return std::make_shared<const std::string>(read_file(folder_ / "report.html", most_report_bytes));
    } catch (const Error&) {
        return nullptr;
    }
}

} // namespace abut
