#pragma once
// Frames of a simulation as binary VTU files (VTK unstructured grids), which ParaView and meshio open. A frame is also
// a checkpoint: it holds positions and velocities bit for bit, and a checksum over everything. A file may also hold one
// of the pieces of a frame (pvtu.hpp).

#include "abut/mesh/mesh_data.hpp"
#include "abut/sim/contact_arrows.hpp"
#include "abut/solver/state.hpp"

#include <cstdint>
#include <filesystem>
#include <map>

namespace abut {

/// Numbers of each cell: of the tets, then the faces, then the edges; where there are none of these, of the vertices.
/// Or of each vertex.
struct CellField {
    std::string name;
    int components = 1;
    std::vector<double> values; ///< cell by cell
};

struct Frame {
    MeshData mesh;            ///< present positions, and the elements
    Positions velocities;     ///< #V x dim [m/s]
    Positions forces;         ///< of contact, #V x dim [N]
    std::vector<int> objects; ///< of each vertex
    int step = 0;
    double time = 0;                       ///< [s]
    Eigen::VectorXd others = {};           ///< unknowns that are no vertices
    History history = {};                  ///< what energies and the integrator remember
    std::vector<ContactArrow> arrows = {}; ///< forces between bodies in the step that ended here, for pictures

    /// More numbers of vertices, for pictures: who reads the frame passes them over, and they are not compared.
    std::vector<CellField> vertex_fields = {};

    bool operator==(const Frame& other) const;
};
[[nodiscard]] Eigen::Index num_cells(const MeshData& mesh);

/// Written under a temporary name and renamed: the file is whole or not there. Who reads the frame passes cell fields
/// over.
void write_vtu(const std::filesystem::path& path, const Frame& frame, const std::vector<CellField>& cell_fields = {});

/// A file of a series, by its path from the series' own file.
struct TimedFile {
    double time = 0; ///< [s]
    std::string file;
};
/// Writes a series of VTU files for ParaView.
void write_pvd(const std::filesystem::path& path, const std::vector<TimedFile>& files);

/// Reads what write_vtu wrote. Throws InvalidInput for other files, and for files that were cut short or changed.
[[nodiscard]] Frame read_vtu(const std::filesystem::path& path);

/// Which numbers of a list a piece of a frame holds: range after range.
struct ListPart {
    struct Range {
        std::int64_t begin = 0, count = 0;
    };
    std::int64_t total = 0; ///< of the whole list
    std::vector<Range> ranges{};
};

/// What of a whole frame is in a piece of it. The frame of a piece has vertices, elements and lists of its own.
struct PieceContent {
    std::vector<std::int64_t> vertices, cells; ///< number of each in the whole frame
    /// Of Frame::others, by the name `unknowns`, and of the entries of Frame::history, by theirs.
    std::map<std::string, ListPart, std::less<>> lists{};
};

/// A piece as it is in its file.
struct PieceFile {
    Frame frame;
    PieceContent content;
    std::uint64_t checksum = 0;
};

/// Writes a piece, and returns the checksum of its file.
std::uint64_t write_vtu_piece(
    const std::filesystem::path& path, const Frame& frame, const PieceContent& content,
    const std::vector<CellField>& cell_fields);
/// Throws as read_vtu().
[[nodiscard]] PieceFile read_vtu_piece(const std::filesystem::path& path);

} // namespace abut
