// `abut check MESH...`: is this mesh, or are these meshes together, fit for contact?

#include "commands.hpp"
#include "mesh_check.hpp"
#include "outputs.hpp"

#include "abut/io/file.hpp"
#include "abut/io/obj.hpp"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace abut {

namespace {

constexpr std::size_t shown_intersections = 10;

struct CheckOptions {
    std::vector<std::filesystem::path> meshes;
    std::filesystem::path write;
    bool force = false;
    bool json = false;
};

std::string first_pairs(const std::vector<std::pair<int, int>>& pairs)
{
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(pairs.size(), 10); ++i)
        text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", pairs[i].second, pairs[i].first);
    return pairs.size() > 10 ? text + ", ..." : text;
}

void print_facts(const MeshFacts& facts)
{
    const MeshData& data = facts.data;
    fmt::print("{}\n", facts.path.string());
    fmt::print(
        "  {} vertices, {} edges, {} faces in {} parts, {} of them closed and oriented; {} boundary loops\n",
        data.vertices.rows(), facts.num_edges, data.faces.rows(), facts.num_components, facts.num_closed_components,
        facts.num_boundary_loops);
    fmt::print(
        "  box       [{:.6g}, {:.6g}] x [{:.6g}, {:.6g}] x [{:.6g}, {:.6g}] m\n", facts.box_lo.x(), facts.box_hi.x(),
        facts.box_lo.y(), facts.box_hi.y(), facts.box_lo.z(), facts.box_hi.z());
    if (facts.num_edges > 0)
        fmt::print(
            "  edges     shortest {:.4g}, mean {:.4g}, longest {:.4g} m\n", facts.shortest_edge, facts.mean_edge,
            facts.longest_edge);
    if (facts.has_loose_vertices())
        fmt::print(
            "  FINDING   {} vertices in no edge or face ({}{}): a run refuses them; remove them or make them an object "
            "of kind 'points'\n",
            facts.diagnostics.unreferenced_vertices.size(), facts.diagnostics.unreferenced_vertices.front(),
            facts.diagnostics.unreferenced_vertices.size() > 1 ? ", ..." : "");
    if (!facts.duplicate_faces.empty())
        fmt::print(
            "  FINDING   {} duplicate faces ({}): remove them\n", facts.duplicate_faces.size(),
            first_pairs(facts.duplicate_faces));
    if (!facts.duplicate_edges.empty())
        fmt::print(
            "  FINDING   {} duplicate edges ({}): remove them\n", facts.duplicate_edges.size(),
            first_pairs(facts.duplicate_edges));
    const std::string summary = facts.diagnostics.summary();
    for (std::size_t begin = 0, end; begin < summary.size(); begin = end + 1) {
        end = summary.find('\n', begin);
        fmt::print("  FINDING   {}\n", summary.substr(begin, end - begin));
    }
}

void print_report(const MeshCheck& check)
{
    for (const MeshFacts& facts : check.files)
        print_facts(facts);
    if (check.files.size() > 1)
        fmt::print("together\n");
    if (check.intersections.empty()) {
        fmt::print("  intersections   none, by exact arithmetic\n");
    } else {
        fmt::print("  FINDING   {} intersections, by exact arithmetic:\n", check.intersections.size());
        for (std::size_t i = 0; i < std::min(check.intersections.size(), shown_intersections); ++i) {
            const auto [first, second] = element_names(check, check.intersections[i]);
            const Vec3& at = check.intersections[i].location;
            fmt::print("              {} - {} at ({:.6g}, {:.6g}, {:.6g})\n", first, second, at.x(), at.y(), at.z());
        }
        if (check.intersections.size() > shown_intersections)
            fmt::print("              ... ({} more)\n", check.intersections.size() - shown_intersections);
    }
    if (std::isfinite(check.smallest_distance))
        fmt::print("  distance  smallest between elements that share no vertex: {:.6g} m\n", check.smallest_distance);
    if (check.smallest_distance == 0)
        fmt::print("  FINDING   elements touch (distance 0)\n");
    fmt::print("  dhat      {:.4g} m suggested: {}\n", check.suggestion.dhat, check.suggestion.reason);
    fmt::print("{}\n", check.is_clean() ? "clean" : "findings; see above");
}

nlohmann::json to_json(const MeshCheck& check)
{
    using nlohmann::json;
    const auto vec = [](const Vec3& v) { return json::array({v.x(), v.y(), v.z()}); };
    json report;
    for (const MeshFacts& facts : check.files) {
        const MeshDiagnostics& found = facts.diagnostics;
        report["files"].push_back({
            {"path", facts.path.string()},
            {"vertices", facts.data.vertices.rows()},
            {"edges", facts.num_edges},
            {"faces", facts.data.faces.rows()},
            {"components", facts.num_components},
            {"closed_components", facts.num_closed_components},
            {"boundary_loops", facts.num_boundary_loops},
            {"box", {{"lo", vec(facts.box_lo)}, {"hi", vec(facts.box_hi)}}},
            {"edge_length",
             {{"shortest", facts.shortest_edge}, {"mean", facts.mean_edge}, {"longest", facts.longest_edge}}},
            {"duplicate_faces", facts.duplicate_faces},
            {"duplicate_edges", facts.duplicate_edges},
            {"coincident_vertices", found.coincident_vertices},
            {"zero_length_edges", found.zero_length_edges},
            {"zero_area_faces", found.zero_area_faces},
            {"non_manifold_edges", found.non_manifold_edges},
            {"inconsistent_edges", found.inconsistent_edges},
            {"unreferenced_vertices", found.unreferenced_vertices},
        });
    }
    report["intersections"] = {{"count", check.intersections.size()}, {"first", json::array()}};
    for (std::size_t i = 0; i < std::min(check.intersections.size(), shown_intersections); ++i) {
        const auto [first, second] = element_names(check, check.intersections[i]);
        report["intersections"]["first"].push_back(
            {{"elements", {first, second}}, {"location", vec(check.intersections[i].location)}});
    }
    if (std::isfinite(check.smallest_distance))
        report["smallest_distance"] = check.smallest_distance;
    else
        report["smallest_distance"] = nullptr;
    report["suggested_dhat"] = {{"value", check.suggestion.dhat}, {"reason", check.suggestion.reason}};
    report["clean"] = check.is_clean();
    return report;
}

ExitCode run_check(const CheckOptions& options)
{
    if (!options.write.empty())
        check_output_file(options.write, options.force, options.meshes);
    const MeshCheck check = check_meshes(options.meshes);
    if (options.json)
        fmt::print("{}\n", to_json(check).dump(2));
    else
        print_report(check);
    if (!options.write.empty()) {
        if (check.intersections.empty()) {
            fmt::print(stderr, "no intersections, so {} is not written\n", options.write.string());
        } else {
            write_obj(options.write, intersecting_elements(check));
            fmt::print(stderr, "intersecting elements written to {}\n", options.write.string());
        }
    }
    return check.is_clean() ? ExitCode::done : ExitCode::findings;
}

} // namespace

void add_check_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command = app.add_subcommand("check", "Check meshes, alone and together, for use in contact");
    auto options = std::make_shared<CheckOptions>();
    command->add_option("MESH", options->meshes, "OBJ and MSH files; of tetrahedra the surface is checked")->required();
    command->add_option("--write", options->write, "Save the intersecting elements as an OBJ file")->check(named());
    command->add_flag("--force", options->force, "Let --write replace a file");
    command->add_flag("--json", options->json, "Print the report as JSON");
    add_threads_option(*command);
    command->footer("Returns 0 when clean, 1 with findings, 3 for unusable input.");
    command->callback([options, &exit_code] { exit_code = run_check(*options); });
}

} // namespace abut
