#include "abut/run/result_playback.hpp"

#include "abut/base/error.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/run/fingerprint.hpp"
#include "abut/sim/cell_stress.hpp"
#include "abut/sim/plastic_history.hpp"
#include "abut/sim/rods.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

using nlohmann::json;

/// Numbers of elements as those of vertices: the mean over the elements around each, NaN where there are none.
class VertexMeans {
public:
    explicit VertexMeans(Eigen::Index num_vertices)
        : sums_(Eigen::VectorXd::Zero(num_vertices)), counts_(Eigen::VectorXd::Zero(num_vertices))
    {}
    template <typename Row>
    void add(const Row& vertices, double value)
    {
        if (!std::isfinite(value))
            return;
        for (const int v : vertices) {
            sums_[v] += value;
            counts_[v] += 1;
        }
    }
    [[nodiscard]] Eigen::VectorXd means() const { return sums_.cwiseQuotient(counts_); }

private:
    Eigen::VectorXd sums_, counts_;
};

bool is_elastic(const Scene& scene)
{
    return std::any_of(scene.objects.begin(), scene.objects.end(), [](const SceneObject& object) {
        return object.kind != ObjectKind::obstacle && object.kind != ObjectKind::points;
    });
}

/// A model for stress; nothing where the scene's meshes are not those of the run any more.
std::unique_ptr<const Model> model_of(const ResultFolder& results, const Scene& scene)
{
    if (!is_elastic(scene))
        return nullptr;
    try {
        check_meshes_of_run(results, scene);
        return make_model(scene);
    } catch (const Error&) {
        return nullptr;
    }
}

std::optional<Frame> read_whole(const ResultFolder& results, int step)
{
    try {
        return results.frame(step);
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Do its elements and objects exist, so that it can be shown?
bool is_sound(const Frame& frame, std::size_t num_objects)
{
    const Eigen::Index count = frame.mesh.vertices.rows();
    const auto is_inside = [&](const auto& elements) {
        return elements.size() == 0 || (elements.minCoeff() >= 0 && elements.maxCoeff() < count);
    };
    const auto is_object = [&](int object) { return object >= 0 && static_cast<std::size_t>(object) < num_objects; };
    return count > 0 && frame.mesh.vertices.allFinite() && static_cast<Eigen::Index>(frame.objects.size()) == count &&
           std::all_of(frame.objects.begin(), frame.objects.end(), is_object) && is_inside(frame.mesh.edges) &&
           is_inside(frame.mesh.faces) && is_inside(frame.mesh.tets);
}

Eigen::VectorXd norms(const Positions& vectors) { return vectors.rowwise().norm(); }

/// Twist of rods [rad/m]: the mean of the edges at each vertex, NaN where there are none.
Eigen::VectorXd vertex_twists(const Model& model, const Frame& frame)
{
    const RodTwists twists = rod_twists(model, state_of(frame));
    VertexMeans means(frame.mesh.vertices.rows());
    for (std::size_t e = 0; e < twists.twist.size(); ++e)
        means.add(model.rods->topology.directed.row(static_cast<Eigen::Index>(e)), twists.twist[e]);
    return means.means();
}

Eigen::VectorXd vertex_plastic_strains(const CellPlasticStrain& cells, const MeshData& mesh)
{
    VertexMeans means(mesh.vertices.rows());
    const auto add = [&](const auto& elements, const std::vector<double>& values) {
        const auto count = std::min(elements.rows(), static_cast<Eigen::Index>(values.size()));
        for (Eigen::Index e = 0; e < count; ++e)
            means.add(elements.row(e), values[static_cast<std::size_t>(e)]);
    };
    add(mesh.tets, cells.tets);
    add(mesh.faces, cells.faces);
    add(mesh.edges, cells.edges);
    return means.means();
}

std::vector<int> spread(const std::vector<int>& steps, std::size_t count)
{
    if (count >= steps.size())
        return steps;
    std::vector<int> chosen;
    for (std::size_t k = 0; k < count; ++k)
        chosen.push_back(steps[k * (steps.size() - 1) / (count - 1)]);
    return chosen;
}

/// Packs the frames of some steps, and gives up where they take more than `most_bytes`.
struct Packing {
    std::vector<std::string> chunks;
    json frames = json::array(), chunk_list = json::array();
    std::vector<int> steps;
    std::vector<Vec2> ranges; ///< of fields
    std::size_t bytes = 0;
    std::size_t num_read = 0;
};

Packing pack_steps(const ResultPlayback& playback, const std::vector<int>& steps, double most_bytes)
{
    const PlaybackEncoder& encoder = playback.encoder();
    // So many bytes of a chunk are unpacked in a moment, and so many frames predict each other well.
    constexpr double chunk_bytes = 4e6;
    constexpr double most_frames = 32;
    const auto frames_per_chunk = static_cast<std::size_t>(
        std::clamp(chunk_bytes / static_cast<double>(encoder.bytes_per_frame() + 1), 1.0, most_frames));
    Packing packing;
    packing.ranges.assign(encoder.fields().size(), Vec2(INFINITY, -INFINITY));
    std::vector<PlaybackFrame> group;
    const auto close_group = [&] {
        if (group.empty())
            return;
        packing.chunk_list.push_back({{"first", packing.steps.size() - group.size()}, {"count", group.size()}});
        packing.chunks.push_back(encoder.chunk(group));
        packing.bytes += packing.chunks.back().size();
        group.clear();
    };
    for (const int step : steps) {
        ++packing.num_read;
        std::optional<PlaybackFrame> frame = playback.frame(step);
        if (!frame)
            continue;
        packing.frames.push_back({{"step", frame->step}, {"time", frame->time}});
        packing.steps.push_back(step);
        for (std::size_t f = 0; f < packing.ranges.size(); ++f)
            for (const double value : frame->fields[f])
                if (std::isfinite(value)) {
                    packing.ranges[f][0] = std::min(packing.ranges[f][0], value);
                    packing.ranges[f][1] = std::max(packing.ranges[f][1], value);
                }
        group.push_back(std::move(*frame));
        if (group.size() == frames_per_chunk)
            close_group();
        if (static_cast<double>(packing.bytes) > most_bytes)
            return packing;
    }
    close_group();
    return packing;
}

} // namespace

ResultPlayback::ResultPlayback(const ResultFolder& results, PlaybackFields wanted)
    : results_(ResultFolder::open(results.folder(), false)), scene_(read_scene(results.scene_path())),
      model_(wanted == PlaybackFields::all ? model_of(results, scene_) : nullptr)
{
    std::optional<Frame> start;
    for (const int step : results_.frame_steps()) {
        start = read_whole(results_, step);
        if (start && is_sound(*start, scene_.objects.size()))
            break;
        start.reset();
    }
    if (!start)
        reject("{}: no frame to show; run the scene again with --force", results_.folder().string());
    std::vector<PlaybackField> fields{{"speed", "Speed", "m/s"}, {"contact_force", "Contact force on a vertex", "N"}};
    if (model_ && model_->num_vertices() == start->mesh.vertices.rows()) {
        fields.push_back({"stress", "Von Mises stress", "Pa"});
        fields.push_back({"strain", "Green strain (norm)", ""});
        if (model_->rods)
            fields.push_back({"twist", "Twist of rods", "rad/m"});
        if (cell_plastic_strain(*model_, {}))
            fields.push_back({"plastic_strain", "Plastic strain", ""});
    } else {
        model_.reset();
    }
    encoder_.emplace(scene_, *start, std::move(fields));
}

std::optional<PlaybackFrame> ResultPlayback::frame(int step) const
{
    const std::optional<Frame> frame = read_whole(results_, step);
    if (!frame || !encoder_->fits(*frame) || !is_sound(*frame, scene_.objects.size()))
        return std::nullopt;
    return shown(*frame);
}

PlaybackFrame ResultPlayback::shown(const Frame& frame) const
{
    PlaybackFrame shown{
        .step = frame.step,
        .time = frame.time,
        .positions = frame.mesh.vertices,
        .fields = {norms(frame.velocities), norms(frame.forces)},
        .forces = frame.arrows};
    if (model_) {
        const CellStresses cells = cell_stresses(*model_, frame.mesh.vertices, frame.history);
        VertexMeans stress(frame.mesh.vertices.rows()), strain(frame.mesh.vertices.rows());
        const auto add = [&](const auto& elements, const std::vector<ElementStress>& values) {
            const auto count = std::min(elements.rows(), static_cast<Eigen::Index>(values.size()));
            for (Eigen::Index e = 0; e < count; ++e) {
                const ElementStress& value = values[static_cast<std::size_t>(e)];
                stress.add(elements.row(e), value.von_mises());
                strain.add(elements.row(e), value.green_strain.norm());
            }
        };
        add(frame.mesh.tets, cells.tets);
        add(frame.mesh.faces, cells.faces);
        shown.fields.push_back(stress.means());
        shown.fields.push_back(strain.means());
        if (model_->rods)
            shown.fields.push_back(vertex_twists(*model_, frame));
        if (const std::optional<CellPlasticStrain> flowed = cell_plastic_strain(*model_, frame.history))
            shown.fields.push_back(vertex_plastic_strains(*flowed, frame.mesh));
    }
    return shown;
}

PackedPlayback pack(const ResultFolder& results, const ResultPlayback& playback, const PackOptions& options)
{
    const std::vector<int> all = results.frame_steps();
    // Text of base64 has four letters for three bytes.
    const double most_bytes = options.megabytes * 1e6 * 3 / 4;
    // Bytes seldom shrink to less than a tenth: the first try need not read what cannot fit.
    const double hopeful = 10 * most_bytes / static_cast<double>(playback.encoder().bytes_per_frame() + 1);
    auto count = static_cast<std::size_t>(std::clamp(hopeful, 2.0, 1e9));
    Packing packing;
    for (;; count = std::max<std::size_t>(2, count)) {
        const std::vector<int> steps = spread(all, count);
        packing = pack_steps(playback, steps, most_bytes);
        if (static_cast<double>(packing.bytes) <= most_bytes || steps.size() <= 2)
            break;
        // By what the frames so far took; frames further apart predict each other less well.
        const double per_frame = static_cast<double>(packing.bytes) / static_cast<double>(packing.num_read);
        count = std::min(
            static_cast<std::size_t>(0.9 * most_bytes / per_frame), static_cast<std::size_t>(steps.size() * 9 / 10));
    }

    json manifest = playback.encoder().manifest();
    for (std::size_t f = 0; f < packing.ranges.size(); ++f)
        if (packing.ranges[f][0] <= packing.ranges[f][1])
            manifest["fields"][f]["range"] = {packing.ranges[f][0], packing.ranges[f][1]};
    manifest["frames"] = packing.frames;
    manifest["chunks"] = packing.chunk_list;
    manifest["frames_of_run"] = all.size();
    manifest["is_running"] = false;
    for (const PlaybackMark& mark : options.marks)
        manifest["marks"].push_back(to_json(mark));
    if (options.look_at && !packing.steps.empty())
        manifest["look_at"] = {
            {"frame", packing.steps.size() - 1},
            {"point", {options.look_at->point[0], options.look_at->point[1], options.look_at->point[2]}},
            {"radius", options.look_at->radius}};
    return {
        manifest.dump(), playback.encoder().topology(), std::move(packing.chunks), std::move(packing.steps),
        all.size()};
}

} // namespace abut
