#include "abut/run/stress_frames.hpp"

#include "abut/base/error.hpp"
#include "abut/run/fingerprint.hpp"
#include "abut/sim/cell_stress.hpp"

namespace abut {

namespace fs = std::filesystem;

namespace {

std::vector<CellField> fields_of(const CellStresses& stresses, const MeshData& mesh)
{
    CellField cauchy{"cauchy_stress", 9, {}}, von_mises{"von_mises_stress", 1, {}}, strain{"green_strain", 9, {}};
    const auto add = [&](const ElementStress& stress) {
        // Symmetric, so that rows are columns.
        cauchy.values.insert(cauchy.values.end(), stress.cauchy.data(), stress.cauchy.data() + 9);
        von_mises.values.push_back(stress.von_mises());
        strain.values.insert(strain.values.end(), stress.green_strain.data(), stress.green_strain.data() + 9);
    };
    for (const ElementStress& stress : stresses.tets)
        add(stress);
    for (const ElementStress& stress : stresses.faces)
        add(stress);
    const Eigen::Index num_others = num_cells(mesh) - mesh.tets.rows() - mesh.faces.rows();
    for (Eigen::Index k = 0; k < num_others; ++k)
        add({});
    return {std::move(cauchy), std::move(von_mises), std::move(strain)};
}

} // namespace

fs::path write_stress_frames(const ResultFolder& results, const std::vector<int>& steps)
{
    const std::unique_ptr<const Model> model = make_model(scene_of_run(results));
    const fs::path folder = results.folder() / "stress";
    std::error_code failed;
    fs::remove_all(folder, failed);
    fs::create_directories(folder, failed);
    if (failed)
        throw InputOutput(fmt::format("{}: cannot be written: {}", folder.string(), failed.message()));
    std::vector<TimedFile> files;
    for (const int step : steps) {
        const fs::path source = results.frame_path(step);
        const Frame frame = read_frame(source);
        if (frame.mesh.vertices.rows() != model->num_vertices() || frame.mesh.vertices.cols() != model->dim())
            reject("{}: its vertices are not those of the scene", source.string());
        const CellStresses stresses = cell_stresses(*model, frame.mesh.vertices, frame.history);
        if (static_cast<Eigen::Index>(stresses.tets.size()) != frame.mesh.tets.rows() ||
            static_cast<Eigen::Index>(stresses.faces.size()) != frame.mesh.faces.rows())
            reject("{}: its elements are not those of the scene", source.string());
        const std::string name = source.stem().string() + ".vtu";
        write_vtu(folder / name, frame, fields_of(stresses, frame.mesh));
        files.push_back({frame.time, "stress/" + name});
    }
    fs::path index = results.folder() / "stress.pvd";
    write_pvd(index, files);
    return index;
}

} // namespace abut
