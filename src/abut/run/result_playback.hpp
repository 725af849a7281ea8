#pragma once
// The frames of results as pages show them.

#include "abut/play/playback.hpp"
#include "abut/run/result_folder.hpp"
#include "abut/sim/model.hpp"

#include <memory>
#include <optional>

namespace abut {

enum class PlaybackFields : std::uint8_t {
    motion, ///< speed and contact force, which frames have
    all,    ///< also stress and strain of elastic bodies, which need the model
};

/// Reads frames one by one.
class ResultPlayback {
public:
    /// Rejects results without a frame that is whole. Where the meshes of the scene are missing or have changed, there
    /// is no stress and no strain.
    explicit ResultPlayback(const ResultFolder& results, PlaybackFields fields = PlaybackFields::all);

    [[nodiscard]] const PlaybackEncoder& encoder() const { return *encoder_; }
    [[nodiscard]] const Scene& scene() const { return scene_; }

    /// The frame of a step; nothing where it is damaged, gone, or not of this run.
    [[nodiscard]] std::optional<PlaybackFrame> frame(int step) const;

private:
    [[nodiscard]] PlaybackFrame shown(const Frame& frame) const;

    ResultFolder results_;
    Scene scene_;
    std::unique_ptr<const Model> model_; // null where there is no stress
    std::optional<PlaybackEncoder> encoder_;
};

/// A playback that a page holds.
struct PackedPlayback {
    std::string manifest;            ///< JSON
    std::string topology;            ///< bytes
    std::vector<std::string> chunks; ///< bytes
    std::vector<int> steps;          ///< of its frames
    std::size_t frames_of_run = 0;
};

struct PackOptions {
    double megabytes = 40; ///< of the page, about; frames are left out evenly where all would be more
    std::vector<PlaybackMark> marks{};
    /// What the camera looks at first, in the last frame.
    struct LookAt {
        Vec3 point;    ///< [m]
        double radius; ///< [m]
    };
    std::optional<LookAt> look_at{};
};

/// All frames, or as many as fit the size, with the first and the last among them.
[[nodiscard]] PackedPlayback
pack(const ResultFolder& results, const ResultPlayback& playback, const PackOptions& options);

} // namespace abut
