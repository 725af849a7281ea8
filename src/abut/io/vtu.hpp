#pragma once
// Frames of a simulation as binary VTU files (VTK unstructured grids), which ParaView and meshio open. A frame is also
// a checkpoint: it holds positions and velocities bit for bit, and a checksum over everything.

#include "abut/mesh/mesh_data.hpp"
#include "abut/solver/state.hpp"

#include <filesystem>

namespace abut {

struct Frame {
    MeshData mesh;            ///< present positions, and the elements
    Positions velocities;     ///< #V x dim [m/s]
    Positions forces;         ///< of contact, #V x dim [N]
    std::vector<int> objects; ///< of each vertex
    int step = 0;
    double time = 0;             ///< [s]
    Eigen::VectorXd others = {}; ///< unknowns that are no vertices
    History history = {};        ///< what energies and the integrator remember

    bool operator==(const Frame& other) const;
};

/// Written under a temporary name and renamed: the file is whole or not there.
void write_vtu(const std::filesystem::path& path, const Frame& frame);

/// Reads what write_vtu wrote. Throws InvalidInput where a file is none, was cut short or changed.
[[nodiscard]] Frame read_vtu(const std::filesystem::path& path);

} // namespace abut
