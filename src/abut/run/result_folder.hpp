#pragma once
// The folder that a run writes:
//
//   scene.json        the scene with its settings, as it was run
//   choices.json      what the scene left open, and why it became what it is
//   warnings.json     what of the scene is most likely not meant, where there is such a thing
//   meshes/           copies of the meshes that the scene names
//   meshes.json       fingerprints of the objects, by which a changed mesh is noticed
//   frames/*.vtu      one file per frame; each is also a checkpoint. Or, in pieces: frames/*.pvtu, and a folder with
//   the
//                     pieces of each (io/pvtu.hpp)
//   result.pvd        the frames in order, for ParaView
//   stats.jsonl       one line per step (step_record.hpp)
//   stress/           where they were asked for: frames with stress and strain, and stress.pvd (stress_frames.hpp)
//   report.html       what the run did, with pictures, in one page
//   repro/            after a failure: the scene, its meshes and the state before the failing step, as results that
//                     `abut resume` continues

#include "abut/io/pvtu.hpp"
#include "abut/run/folder_lock.hpp"
#include "abut/run/step_record.hpp"
#include "abut/sim/simulation.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <functional>

namespace abut {

/// How a folder of results is to be made.
struct NewResults {
    bool force = false;                          ///< replace earlier results
    std::vector<std::filesystem::path> inputs{}; ///< files that the run reads, which must not be in the folder
    /// What the caller calls its options, for messages.
    struct Names {
        std::string_view output = "-o", force = "--force";
    } names{};
};

class ResultFolder {
public:
    /// A new folder. Throws InvalidInput where it exists and holds something, unless it is forced and holds earlier
    /// results; where another run writes to it; or where one of the inputs is in it.
    static ResultFolder create(const std::filesystem::path& folder, const NewResults& options);

    /// The folder of an earlier run; to be written to if `for_writing`.
    static ResultFolder open(const std::filesystem::path& folder, bool for_writing);

    [[nodiscard]] std::filesystem::path scene_path() const { return folder_ / "scene.json"; }
    [[nodiscard]] std::filesystem::path meshes_path() const { return folder_ / "meshes.json"; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

    /// Does another program, or another object of this one, have the folder open for writing?
    [[nodiscard]] bool is_being_written() const;

    /// scene.json, choices.json and warnings.json.
    void write_scene(
        const nlohmann::json& scene, const std::vector<Choice>& choices,
        const std::vector<std::string>& warnings) const;
    /// In `pieces` pieces; 0: in one .vtu file.
    void write_frame(const Frame& frame, const std::vector<CellField>& cell_fields = {}, int pieces = 0);
    /// Ends a frame whose pieces other processes wrote by write_piece() for path_of_pieces(folder(), step).
    void write_frame_index(
        const Frame& frame, const std::vector<CellField>& cell_fields, std::span<const PieceEntry> entries);
    /// Brings result.pvd up to date. write_frame() does so only now and then, since the file grows with the number of
    /// frames.
    void finish();
    /// Writes the folder repro/, from which a failing step can be tried again, and returns its path.
    [[nodiscard]] std::filesystem::path write_repro(const Frame& before) const;
    void add_record(const StepRecord& record) const;

    /// Steps of the frames there are, rising.
    [[nodiscard]] std::vector<int> frame_steps() const;
    [[nodiscard]] Frame frame(int step) const;
    /// Of the frame that is there, a .pvtu or a .vtu file; of a .vtu file where none is.
    [[nodiscard]] std::filesystem::path frame_path(int step) const;
    /// The same of any folder, for those who only look.
    [[nodiscard]] static std::vector<int> frame_steps_of(const std::filesystem::path& folder);
    [[nodiscard]] static std::filesystem::path path_of_frame(const std::filesystem::path& folder, int step);
    /// Where the index of a frame in pieces is, or would be.
    [[nodiscard]] static std::filesystem::path path_of_pieces(const std::filesystem::path& folder, int step);
    /// Steps of the frames that result.pvd lists, in its order.
    [[nodiscard]] std::vector<int> indexed_steps() const;
    /// The last frame that is whole; frames after it are removed, and so are the statistics of later steps and pieces
    /// without an index. Nothing is removed where no frame is whole.
    struct Recovery {
        std::optional<Frame> frame;           ///< nothing where none is whole
        std::vector<std::string> damaged;     ///< what is wrong with each frame that is not whole
        std::vector<std::string> passed_over; ///< as for_each_record()
    };
    [[nodiscard]] Recovery recover();
    /// Visits the records of the statistics line by line, because runs may be long. Lines that are no record are passed
    /// over. Returns a sentence for each of them, but not for the last line of a run that was killed.
    [[nodiscard]] std::vector<std::string> for_each_record(const std::function<void(StepRecord&&)>& visit) const;

private:
    explicit ResultFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
    void write_index();
    void add_to_index(const Frame& frame);
    void remove_frame(int step) const;
    void remove_loose_pieces() const; ///< of frames that were being written when a run was killed
    using VisitLine = std::function<void(const std::string& line, StepRecord&& record)>;
    [[nodiscard]] std::vector<std::string> for_each_line(const VisitLine& visit) const;

    std::filesystem::path folder_;
    FolderLock lock_;
    std::vector<std::pair<int, double>> index_; // step, time
    std::size_t num_indexed_ = 0;               // of these, in result.pvd
};

/// The frame of a simulation's present state.
[[nodiscard]] Frame make_frame(Simulation& simulation);
/// What a frame shows of the cells of rods besides: `twist` against rest [rad/m], `radius`, the larger half axis [m],
/// and `director`, where the first half axis points; 0 of other cells. None where there are no rods.
[[nodiscard]] std::vector<CellField> rod_fields(const Simulation& simulation);
/// The same, and `plastic_strain` where something can flow: equivalent plastic strain, NaN of cells that cannot.
[[nodiscard]] std::vector<CellField> frame_fields(const Simulation& simulation);
/// The state that a frame holds.
[[nodiscard]] State state_of(const Frame& frame);

} // namespace abut
