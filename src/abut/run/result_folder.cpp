#include "abut/run/result_folder.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/output_name.hpp"
#include "abut/run/scene_source.hpp"
#include "abut/sim/plastic_history.hpp"
#include "abut/sim/rods.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

namespace abut {

namespace fs = std::filesystem;

namespace {

constexpr const char *frame_pattern = "frame_{:08d}.vtu", *pieces_pattern = "frame_{:08d}.pvtu",
                     *piece_folder_pattern = "frame_{:08d}";

/// Runs a file system operation and turns its failure into an error that names the path.
template <typename Operation>
void attempt(const fs::path& path, const char* what, Operation&& operation)
{
    std::error_code error;
    operation(error);
    if (error)
        throw InputOutput(fmt::format("{}: cannot {}: {}", path.string(), what, error.message()));
}

/// The step of a file or folder, by a name of this pattern.
std::optional<int> step_of(const std::string& name, const char* pattern)
{
    int step = 0;
    const bool is_one =
        std::sscanf(name.c_str(), "frame_%8d", &step) == 1 && name == fmt::format(fmt::runtime(pattern), step);
    return is_one ? std::optional(step) : std::nullopt;
}

/// The step of a frame, by the name of its file.
std::optional<int> step_of(const std::string& name)
{
    const std::optional<int> step = step_of(name, frame_pattern);
    return step ? step : step_of(name, pieces_pattern);
}

nlohmann::json json_of(const std::variant<double, std::string>& value)
{
    return std::visit([](const auto& each) { return nlohmann::json(each); }, value);
}

/// What --force removes. The lock, which every run leaves, stays.
constexpr std::array names_in_results{"scene.json",  "choices.json", "warnings.json", "meshes",
                                      "meshes.json", "frames",       "result.pvd",    "stats.jsonl",
                                      "repro",       "report.html",  "stress",        "stress.pvd"};

/// Did a run write this folder? One that was killed at once may have left no scene, but then nothing else either.
bool holds_results(const fs::path& folder)
{
    std::error_code ignored;
    const auto has = [&](const char* name) { return fs::exists(folder / name, ignored); };
    if (has("scene.json"))
        return has("choices.json") && (has("lock") || has("frames"));
    const auto is_known = [](const fs::directory_entry& entry) {
        const auto& names = names_in_results;
        return entry.path().filename() == "lock" ||
               std::find(names.begin(), names.end(), entry.path().filename()) != names.end();
    };
    fs::directory_iterator entries(folder, ignored);
    return has("lock") && std::all_of(begin(entries), end(entries), is_known);
}

} // namespace

ResultFolder ResultFolder::create(const fs::path& folder, const NewResults& options)
{
    check_output_name(folder);
    ResultFolder results(folder);
    const auto& [force, inputs, names] = options;
    std::error_code ignored;
    for (const fs::path& input : inputs)
        if (is_inside(input, folder))
            reject(
                "{}: the run reads {}, which is in this folder; choose another with {}", folder.string(),
                absolute_name(input), names.output);
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
        reject("{}: it exists and is no folder; choose another name with {}", folder.string(), names.output);
    if (fs::is_directory(folder, ignored) && !fs::is_empty(folder, ignored)) {
        const bool is_ours = holds_results(folder);
        if (!force && is_ours)
            reject(
                "{}: the folder is not empty; continue it with 'abut resume', choose another with {}, or replace it "
                "with {}",
                folder.string(), names.output, names.force);
        if (!force)
            reject("{}: the folder is not empty; choose another with {}", folder.string(), names.output);
        if (!is_ours)
            reject("{}: it holds something else than results, which {} does not remove", folder.string(), names.force);
    }
    attempt(folder, "create the folder", [&](std::error_code& e) { fs::create_directories(folder, e); });
    results.lock_ = FolderLock(folder, "another run");
    if (force)
        for (const char* name : names_in_results)
            attempt(folder / name, "remove it", [&](std::error_code& e) { fs::remove_all(folder / name, e); });
    attempt(folder / "frames", "create the folder", [&](std::error_code& e) {
        fs::create_directories(folder / "frames", e);
    });
    return results;
}

ResultFolder ResultFolder::open(const fs::path& folder, bool for_writing)
{
    ResultFolder results(folder);
    std::error_code ignored;
    if (!fs::is_regular_file(results.scene_path(), ignored))
        reject("{}: no results of 'abut run' (it has no scene.json)", absolute_name(folder));
    if (for_writing)
        results.lock_ = FolderLock(folder, "another run");
    return results;
}

bool ResultFolder::is_being_written() const { return !lock_.is_held() && FolderLock::is_held(folder_); }

void ResultFolder::write_scene(
    const nlohmann::json& scene, const std::vector<Choice>& choices, const std::vector<std::string>& warnings) const
{
    if (!warnings.empty())
        write_file(folder_ / "warnings.json", nlohmann::json(warnings).dump(2) + "\n");
    nlohmann::json list = nlohmann::json::array();
    for (const Choice& choice : choices)
        list.push_back({{"name", choice.name}, {"value", json_of(choice.value)}, {"reason", choice.reason}});
    write_file(folder_ / "choices.json", list.dump(2) + "\n");
    write_file(scene_path(), scene.dump(2) + "\n");
}

fs::path ResultFolder::frame_path(int step) const { return path_of_frame(folder_, step); }

fs::path ResultFolder::path_of_frame(const fs::path& folder, int step)
{
    fs::path pieces = path_of_pieces(folder, step);
    std::error_code ignored;
    return fs::exists(pieces, ignored) ? pieces : folder / "frames" / fmt::format(frame_pattern, step);
}

fs::path ResultFolder::path_of_pieces(const fs::path& folder, int step)
{
    return folder / "frames" / fmt::format(pieces_pattern, step);
}

Frame ResultFolder::frame(int step) const { return read_frame(frame_path(step)); }

void ResultFolder::write_frame(const Frame& frame, const std::vector<CellField>& cell_fields, int pieces)
{
    if (pieces > 0)
        write_pvtu(path_of_pieces(folder_, frame.step), frame, cell_fields, pieces);
    else
        write_vtu(folder_ / "frames" / fmt::format(frame_pattern, frame.step), frame, cell_fields);
    add_to_index(frame);
}

void ResultFolder::write_frame_index(
    const Frame& frame, const std::vector<CellField>& cell_fields, std::span<const PieceEntry> entries)
{
    write_pvtu_index(path_of_pieces(folder_, frame.step), frame, cell_fields, entries);
    add_to_index(frame);
}

void ResultFolder::add_to_index(const Frame& frame)
{
    index_.emplace_back(frame.step, frame.time);
    if (index_.size() - num_indexed_ >= 1 + index_.size() / 32)
        write_index();
}

void ResultFolder::finish()
{
    if (num_indexed_ != index_.size())
        write_index();
}

fs::path ResultFolder::write_repro(const Frame& before) const
{
    const fs::path repro = folder_ / "repro";
    attempt(repro, "replace it", [&](std::error_code& e) { fs::remove_all(repro, e); });
    attempt(repro, "create the folder", [&](std::error_code& e) { fs::create_directories(repro / "frames", e); });
    nlohmann::json scene = read_scene_json(scene_path());
    make_files_absolute(scene, folder_);
    int count = 0;
    for (nlohmann::json* file : files_of_scene(scene)) {
        // Names are absolute; but in the results of a repro/ the files are beside the scene.
        const fs::path from = folder_ / file->get<std::string>(),
                       to = fmt::format("mesh{}{}", count++, from.extension().string());
        attempt(from, "copy it", [&](std::error_code& e) { fs::copy_file(from, repro / to, e); });
        *file = to.string();
    }
    write_file(repro / "scene.json", scene.dump(2) + "\n");
    if (std::error_code ignored; fs::exists(meshes_path(), ignored))
        attempt(repro, "fill it", [&](std::error_code& e) { fs::copy_file(meshes_path(), repro / "meshes.json", e); });
    write_vtu(repro / "frames" / fmt::format(frame_pattern, before.step), before);
    return repro;
}

void ResultFolder::write_index()
{
    num_indexed_ = index_.size();
    std::vector<TimedFile> files;
    for (const auto& [step, time] : index_)
        files.push_back({time, "frames/" + frame_path(step).filename().string()});
    write_pvd(folder_ / "result.pvd", files);
}

void ResultFolder::add_record(const StepRecord& record) const
{
    const fs::path path = folder_ / "stats.jsonl";
    std::ofstream file(path, std::ios::app);
    file << to_json_line(record) << '\n';
    file.flush();
    if (!file)
        throw InputOutput(fmt::format("{}: cannot write: {}", path.string(), std::strerror(errno)));
}

std::vector<int> ResultFolder::frame_steps() const { return frame_steps_of(folder_); }

std::vector<int> ResultFolder::frame_steps_of(const fs::path& folder)
{
    std::vector<int> steps;
    // Not a range-based loop: its increment throws where the folder goes away.
    std::error_code error;
    for (fs::directory_iterator entry(folder / "frames", error), end; !error && entry != end; entry.increment(error))
        if (const std::optional<int> step = step_of(entry->path().filename().string()))
            steps.push_back(*step);
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

std::vector<int> ResultFolder::indexed_steps() const
{
    std::vector<int> steps;
    std::ifstream file(folder_ / "result.pvd");
    const std::string before = "file=\"frames/";
    for (std::string line; std::getline(file, line);) {
        const std::size_t begin = line.find(before);
        if (begin == std::string::npos)
            continue;
        const std::size_t name = begin + before.size();
        if (const std::optional<int> step = step_of(line.substr(name, line.find('"', name) - name)))
            steps.push_back(*step);
    }
    return steps;
}

std::vector<std::string> ResultFolder::for_each_line(const VisitLine& visit) const
{
    const fs::path path = folder_ / "stats.jsonl";
    std::ifstream file(path);
    std::vector<std::string> passed_over;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (std::optional<StepRecord> record = parse_record(line))
            visit(line, std::move(*record));
        else if (!file.eof()) // else the last line of a run that was killed
            passed_over.push_back(
                fmt::format("{}, line {}: not the statistics of a step; passed over", path.string(), number));
    }
    return passed_over;
}

std::vector<std::string> ResultFolder::for_each_record(const std::function<void(StepRecord&&)>& visit) const
{
    return for_each_line([&](const std::string&, StepRecord&& record) { visit(std::move(record)); });
}

void ResultFolder::remove_frame(int step) const
{
    const fs::path index = path_of_pieces(folder_, step);
    for (const fs::path& path : {index, folder_of_pieces(index), folder_ / "frames" / fmt::format(frame_pattern, step)})
        attempt(path, "remove it", [&](std::error_code& e) { fs::remove_all(path, e); });
}

void ResultFolder::remove_loose_pieces() const
{
    std::vector<fs::path> loose;
    std::error_code error;
    for (fs::directory_iterator entry(folder_ / "frames", error), end; !error && entry != end; entry.increment(error)) {
        const std::optional<int> step = step_of(entry->path().filename().string(), piece_folder_pattern);
        if (std::error_code ignored; step && !fs::exists(path_of_pieces(folder_, *step), ignored))
            loose.push_back(entry->path());
    }
    for (const fs::path& path : loose)
        attempt(path, "remove it", [&](std::error_code& e) { fs::remove_all(path, e); });
}

ResultFolder::Recovery ResultFolder::recover()
{
    std::vector<int> steps = frame_steps();
    Recovery recovery;
    std::optional<Frame>& last = recovery.frame;
    std::vector<int> damaged;
    for (; !steps.empty() && !last; steps.pop_back()) {
        try {
            last = frame(steps.back());
        } catch (const InvalidInput& error) {
            recovery.damaged.emplace_back(error.what());
            damaged.push_back(steps.back());
        }
    }
    if (!last)
        return recovery;
    for (const int step : damaged)
        remove_frame(step);
    remove_loose_pieces();
    std::string kept;
    std::map<int, double> times{{0, 0.0}};
    recovery.passed_over = for_each_line([&](const std::string& line, StepRecord&& record) {
        if (record.step > last->step)
            return;
        kept += line + "\n"; // as it is: a line of another version may hold more than a record
        times[record.step] = record.time;
    });
    index_.clear();
    for (const int step : steps) {
        const auto known = times.find(step);
        index_.emplace_back(step, known != times.end() ? known->second : frame(step).time);
    }
    index_.emplace_back(last->step, last->time);
    write_index();
    write_file(folder_ / "stats.jsonl", kept);
    return recovery;
}

namespace {

std::vector<CellField> traction_fields(const SurfaceTractions& tractions)
{
    const auto in_space = [](const Positions& rows) {
        std::vector<double> values;
        for (Eigen::Index v = 0; v < rows.rows(); ++v)
            for (const double coordinate : lifted(rows, v))
                values.push_back(coordinate);
        return values;
    };
    return {
        {.name = "normal_traction", .components = 3, .values = in_space(tractions.normal)},
        {.name = "tangential_traction", .components = 3, .values = in_space(tractions.tangential)},
        {.name = "bond", .components = 1, .values = {tractions.bonds.begin(), tractions.bonds.end()}}};
}

} // namespace

Frame make_frame(Simulation& simulation)
{
    Frame frame;
    const State& state = simulation.state();
    frame.mesh = joined_mesh(simulation.scene());
    frame.mesh.vertices = state.x;
    frame.velocities = state.v;
    frame.forces = simulation.contact_forces();
    if (simulation.scene().contact.adhesion)
        frame.vertex_fields = traction_fields(simulation.tractions());
    const auto& starts = simulation.object_starts();
    for (std::size_t k = 0; k + 1 < starts.size(); ++k)
        frame.objects.insert(frame.objects.end(), starts[k + 1] - starts[k], static_cast<int>(k));
    frame.step = state.step;
    frame.time = state.time;
    frame.others = state.others;
    frame.history = state.history;
    return frame;
}

std::vector<CellField> rod_fields(const Simulation& simulation)
{
    const Model& model = simulation.model();
    if (!model.rods)
        return {};
    CellField twist{"twist", 1, {}}, radius{"radius", 1, {}}, director{"director", 3, {}};
    const auto add = [&](double own_twist, double own_radius, const Vec3& own_director) {
        twist.values.push_back(own_twist);
        radius.values.push_back(own_radius);
        director.values.insert(director.values.end(), own_director.begin(), own_director.end());
    };
    const MeshData mesh = joined_mesh(model.scene);
    for (Eigen::Index k = 0; k < mesh.tets.rows() + mesh.faces.rows(); ++k)
        add(0, 0, Vec3::Zero());
    const RodTwists twists = rod_twists(model, simulation.state());
    std::size_t rod_edge = 0;
    for (const SceneObject& object : model.scene.objects)
        for (Eigen::Index e = 0; e < object.mesh.edges.rows(); ++e)
            if (object.kind == ObjectKind::rod) {
                add(twists.twist[rod_edge], object.rod.section.larger(), twists.director[rod_edge]);
                ++rod_edge;
            } else
                add(0, 0, Vec3::Zero());
    return {std::move(twist), std::move(radius), std::move(director)};
}

std::vector<CellField> frame_fields(const Simulation& simulation)
{
    std::vector<CellField> fields = rod_fields(simulation);
    if (std::optional<CellPlasticStrain> strain = cell_plastic_strain(simulation.model(), simulation.state().history)) {
        CellField plastic{"plastic_strain", 1, std::move(strain->tets)};
        plastic.values.insert(plastic.values.end(), strain->faces.begin(), strain->faces.end());
        plastic.values.insert(plastic.values.end(), strain->edges.begin(), strain->edges.end());
        fields.push_back(std::move(plastic));
    }
    return fields;
}

State state_of(const Frame& frame)
{
    return {frame.mesh.vertices, frame.velocities, frame.others, frame.step, frame.time, frame.history};
}

} // namespace abut
