#pragma once
// The start of a scene as a view shows it, with what keeps it from starting, before anything runs.

#include "abut/play/playback.hpp"
#include "abut/run/view/file_identity.hpp"
#include "abut/run/view/source.hpp"

#include <chrono>
#include <filesystem>

namespace abut {

class SceneView final : public ViewSource {
public:
    /// Throws what read_scene() and make_model() throw, but not for starts that intersect, touch or are inverted.
    explicit SceneView(std::filesystem::path path);

    [[nodiscard]] std::string title() override;
    /// Reads the scene again where it or one of its meshes has changed. One that is wrong then leaves what is shown,
    /// and the status says what is wrong.
    [[nodiscard]] SharedBytes manifest(std::optional<int> after) override;
    [[nodiscard]] SharedBytes topology() override { return picture_.topology; }
    [[nodiscard]] SharedBytes chunk(int step) override { return step == 0 ? picture_.chunk : nullptr; }

    /// How many things keep the scene from starting.
    [[nodiscard]] std::size_t num_findings() const { return picture_.num_findings; }

private:
    struct Picture {
        std::string name;
        SharedBytes manifest, topology, chunk;
        std::size_t num_findings = 0;
    };
    using Files = std::vector<std::pair<std::filesystem::path, FileIdentity>>;

    [[nodiscard]] Picture read(Files& files) const;
    void read_again_if_changed();

    std::filesystem::path path_;
    Files files_;
    Picture picture_;
    std::string problem_;
    std::chrono::steady_clock::time_point looked_;
};

} // namespace abut
