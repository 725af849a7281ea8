#include "abut/run/view/scene_view.hpp"

#include "abut/base/checksum.hpp"
#include "abut/base/error.hpp"
#include "abut/run/scene_source.hpp"
#include "abut/sim/verification.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace abut {

namespace {

/// So many findings are marked: more would hide each other, and make the page slow.
constexpr std::size_t most_marks = 500;
constexpr double scene_pause = 0.2; // [s], between looks at its files

/// An element by its corners: points, segments or triangles, of a tetrahedron its four sides.
void add_element(const std::vector<Vec3>& corners, PlaybackMark& mark)
{
    constexpr std::array<std::array<std::size_t, 3>, 4> sides{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
    if (corners.size() == 4) {
        for (const auto& side : sides)
            for (const std::size_t k : side)
                mark.triangles.push_back(corners[k]);
        return;
    }
    std::vector<Vec3>& list = corners.size() == 3 ? mark.triangles : corners.size() == 2 ? mark.segments : mark.points;
    list.insert(list.end(), corners.begin(), corners.end());
}

struct Findings {
    std::vector<StartFinding> list;
    std::string sentence;
};

Findings findings_of(const Scene& scene)
{
    Findings findings{inverted_findings(scene), ""};
    if (!findings.list.empty()) {
        findings.sentence = fmt::format(
            "{} elements are inverted or have no volume, so this scene cannot start; what intersects is looked for "
            "once they are mended",
            findings.list.size());
        return findings;
    }
    const std::unique_ptr<const Model> model = make_model(scene);
    if (!scene.contact.is_enabled()) {
        findings.sentence = "the start; contact is off, so bodies may overlap";
    } else {
        findings.list = start_findings(*model);
        const bool intersects = !findings.list.empty() && findings.list[0].sentence.ends_with("intersect");
        findings.sentence =
            findings.list.empty() ? "the start; nothing intersects or touches"
            : intersects
                ? fmt::format(
                      "the start intersects in {} pairs of elements, so this scene cannot start", findings.list.size())
                : fmt::format("the start is in contact, so this scene cannot start: {}", findings.list[0].sentence);
    }
    if (findings.list.size() > most_marks)
        findings.sentence += fmt::format("; the first {} are marked", most_marks);
    for (const std::string& warning : model->warnings)
        findings.sentence += "; warning: " + warning;
    return findings;
}

/// What a run would write as its first frame, as far as it is seen.
Frame start_frame(const Scene& scene)
{
    Frame frame;
    frame.mesh = joined_mesh(scene);
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        frame.objects.insert(
            frame.objects.end(), static_cast<std::size_t>(scene.objects[k].mesh.vertices.rows()), static_cast<int>(k));
    return frame;
}

} // namespace

SceneView::SceneView(std::filesystem::path path)
    : path_(std::move(path)), picture_(read(files_)), looked_(std::chrono::steady_clock::now())
{}

std::string SceneView::title()
{
    read_again_if_changed();
    return picture_.name;
}

SceneView::Picture SceneView::read(Files& files) const
{
    // Before they are read: what changes meanwhile is read again later.
    const FileIdentity scene_file = identity_of(path_);
    const SceneSource source = read_scene_to_show(path_);
    const Scene& scene = source.scene;
    Files seen{{path_, scene_file}};
    for (const std::filesystem::path& file : source.files)
        seen.emplace_back(file, identity_of(file));
    const Findings findings = findings_of(scene); // rejects scenes that no picture can be made of
    const Frame frame = start_frame(scene);
    const PlaybackEncoder encoder(scene, frame, {});
    const PlaybackFrame shown{.positions = frame.mesh.vertices, .fields = {}, .forces = {}};

    Picture picture;
    picture.name = scene.name;
    picture.num_findings = findings.list.size();
    picture.topology = std::make_shared<const std::string>(encoder.topology());
    picture.chunk = std::make_shared<const std::string>(encoder.chunk({&shown, 1}));
    nlohmann::json manifest = encoder.manifest();
    manifest["frames"] = {{{"step", 0}, {"time", 0}}};
    manifest["frames_of_run"] = 1;
    manifest["is_running"] = false;
    manifest["status"] = findings.sentence;
    for (std::size_t k = 0; k < std::min(findings.list.size(), most_marks); ++k) {
        PlaybackMark mark;
        mark.label = findings.list[k].sentence;
        for (const std::vector<Vec3>& corners : findings.list[k].elements)
            add_element(corners, mark);
        manifest["marks"].push_back(to_json(mark));
    }
    manifest["id"] = fmt::format("{:016x}", checksum(*picture.topology) ^ checksum(*picture.chunk));
    picture.manifest =
        std::make_shared<const std::string>(manifest.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    files = std::move(seen);
    return picture;
}

void SceneView::read_again_if_changed()
{
    const auto now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - looked_).count() < scene_pause)
        return;
    const bool is_same = std::all_of(
        files_.begin(), files_.end(), [](const auto& file) { return identity_of(file.first) == file.second; });
    if (!is_same) {
        try {
            picture_ = read(files_);
            problem_.clear();
        } catch (const std::exception& error) {
            problem_ = error.what();
            for (auto& [file, identity] : files_) // it is not tried again before the next change
                identity = identity_of(file);
        }
    }
    looked_ = std::chrono::steady_clock::now();
}

SharedBytes SceneView::manifest(std::optional<int> after)
{
    read_again_if_changed();
    if (problem_.empty() && !after)
        return picture_.manifest;
    nlohmann::json manifest = nlohmann::json::parse(*picture_.manifest);
    if (after)
        manifest["frames"] = nlohmann::json::array();
    if (!problem_.empty())
        manifest["status"] = "the scene has changed, and is wrong now: " + problem_;
    return std::make_shared<const std::string>(manifest.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace abut
