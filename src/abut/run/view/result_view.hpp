#pragma once
// Results as a view shows them, while the run goes on and afterwards. Reads only.

#include "abut/run/result_playback.hpp"
#include "abut/run/view/chunk_cache.hpp"
#include "abut/run/view/stats_tail.hpp"

#include <chrono>

namespace abut {

struct ResultViewOptions {
    std::size_t cache_bytes = 64u << 20; ///< of coded frames
    double pause = 0.2;                  ///< the folder is looked at no more often than this [s]
};

class ResultView final : public ViewSource {
public:
    /// Rejects what is no folder of results. A folder that a run has just begun to write is one.
    explicit ResultView(std::filesystem::path folder, const ResultViewOptions& options = {});

    [[nodiscard]] std::string title() override;
    [[nodiscard]] SharedBytes manifest(std::optional<int> after) override;
    [[nodiscard]] SharedBytes topology() override;
    [[nodiscard]] SharedBytes chunk(int step) override;
    [[nodiscard]] SharedBytes stats(int from) override;
    [[nodiscard]] SharedBytes report() override;

private:
    using Clock = std::chrono::steady_clock;

    /// Looks at the folder, if that was not just done.
    void refresh();
    /// Reads the scene and a first frame, where that is possible now.
    void open_playback();
    void close_playback();
    void list_frames();
    [[nodiscard]] double time_of(int step) const;
    [[nodiscard]] std::string frames_text(std::optional<int> after) const;
    [[nodiscard]] std::string status() const;
    /// The pair that limited a step which did not converge; empty for others.
    [[nodiscard]] std::string marks_text() const;
    [[nodiscard]] std::filesystem::path frame_path(int step) const;

    std::filesystem::path folder_;
    ResultViewOptions options_;
    std::optional<Clock::time_point> refreshed_;
    FileIdentity scene_file_, frames_folder_;
    bool is_list_settled_ = false; // no frame can have been added without a change of the folder's time
    bool is_running_ = false;
    std::vector<int> steps_; // of frames, rising
    StatsTail stats_;
    std::optional<ResultPlayback> playback_;
    std::string problem_;  // why there is no playback though there are frames
    std::string manifest_; // what never changes of it, without the brace at its end
    SharedBytes topology_;
    ChunkCache cache_;
};

} // namespace abut
