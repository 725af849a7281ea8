#pragma once
// The folder that a run writes:
//
//   scene.json        the scene with its settings, as it was run
//   choices.json      what the scene left open, and why it became what it is
//   meshes.json       fingerprints of the objects, by which a changed mesh is noticed
//   frames/*.vtu      one file a frame; each is also a checkpoint
//   result.pvd        the frames in order, for ParaView
//   stats.jsonl       one line a step
//   report.html       what the run did, with pictures, in one page
//   repro/            after a failure: the scene, its meshes and the state before the failing step, as results that
//                     `abut resume` continues

#include "abut/io/vtu.hpp"
#include "abut/sim/simulation.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>

namespace abut {

class Results {
public:
    /// A new folder. Throws InvalidInput where it exists and holds something, unless `force`, which removes earlier
    /// results; where another run writes to it; or where one of the `inputs`, the files that the run reads, is in it.
    static Results
    create(const std::filesystem::path& folder, bool force, const std::vector<std::filesystem::path>& inputs);

    /// The folder of an earlier run; to be written to if `for_writing`.
    static Results open(const std::filesystem::path& folder, bool for_writing);

    ~Results();
    Results(Results&& other) noexcept;
    Results& operator=(Results&&) = delete;

    [[nodiscard]] std::filesystem::path scene_path() const { return folder_ / "scene.json"; }
    [[nodiscard]] std::filesystem::path meshes_path() const { return folder_ / "meshes.json"; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

    void write_scene(const nlohmann::json& scene, const std::vector<Choice>& choices) const;
    void write_frame(const Frame& frame);
    /// Brings result.pvd up to date; write_frame() does so now and then only, since that takes the longer the more
    /// frames there are.
    void finish();
    /// The folder repro/, from which a failing step can be tried again; the folder it made.
    [[nodiscard]] std::filesystem::path write_repro(const Frame& before) const;
    void add_stats(const nlohmann::json& line) const;

    /// Steps of the frames there are, rising.
    [[nodiscard]] std::vector<int> frame_steps() const;
    [[nodiscard]] std::filesystem::path frame_path(int step) const;
    /// Steps of the frames that result.pvd lists, in its order.
    [[nodiscard]] std::vector<int> indexed_steps() const;
    /// The last frame that is whole; frames after it are removed, and so are the statistics of later steps.
    struct Recovery {
        std::optional<Frame> frame;       ///< nothing where none is whole
        std::vector<std::string> damaged; ///< what is wrong with each frame that was removed
    };
    [[nodiscard]] Recovery recover();
    [[nodiscard]] std::vector<nlohmann::json> stats() const;
    /// Each line of the statistics, in order; for runs whose lines together are large.
    void for_each_stat(const std::function<void(nlohmann::json&&)>& visit) const;

private:
    explicit Results(std::filesystem::path folder) : folder_(std::move(folder)) {}
    void lock();
    void write_index();

    std::filesystem::path folder_;
    int lock_ = -1;
    std::vector<std::pair<int, double>> index_; // step, time
    std::size_t num_indexed_ = 0;               // of these, in result.pvd
};

/// The frame of a simulation's present state.
[[nodiscard]] Frame make_frame(Simulation& simulation);
/// The state that a frame holds.
[[nodiscard]] State state_of(const Frame& frame);

/// The files that a scene names.
[[nodiscard]] std::vector<std::filesystem::path> mesh_files(nlohmann::json scene);

/// A scene whose files have absolute names, so that it can be moved; relative ones are in `folder`.
[[nodiscard]] nlohmann::json with_absolute_files(nlohmann::json scene, const std::filesystem::path& folder);

} // namespace abut
