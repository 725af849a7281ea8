#pragma once
// Frames in pieces: an index `frame_00000012.pvtu` in ParaView's parallel XML format, and a folder `frame_00000012`
// beside it with a .vtu file for each piece. What is read from it has the bits of the .vtu file of the same frame.
//
// Pieces may be written by processes of their own. Each calls one of
//
//     PieceEntry entry = write_own_piece(path, frame, cell_fields, rank, num_ranks);
//     PieceEntry entry = write_piece(path, frame, piece, cell_fields);
//
// the first where it has the whole frame, the second where it has its elements only,
// and sends its entry, which is plain numbers, to one of them. That one calls, when it has the entries of all,
//
//     write_pvtu_index(path, frame, cell_fields, entries);
//
// In a folder of results the path is ResultFolder::path_of_pieces(folder, step), and the index is written by
// ResultFolder::write_frame_index(). The index is written and renamed last, and has the checksums of the pieces: a run
// that is killed loses at most the frame that it is writing, and one with pieces of two attempts is never taken for
// whole.

#include "abut/io/vtu.hpp"

#include <filesystem>
#include <span>

namespace abut {

/// What one piece holds of a frame. In the frame that comes with it, numbers of vertices (positions, velocities,
/// forces, objects, vertex fields) are those of the whole; elements are only those of the piece, and name vertices of
/// the whole.
struct FramePiece {
    int index = 0, count = 1; ///< the index-th of `count` pieces
    /// The number in the whole frame of each element here: of its tets, then its faces, then its edges, as the whole
    /// frame counts tets, then faces, then edges. Where the whole frame has no elements: vertices of this piece.
    std::vector<std::int64_t> cells{};
    /// Vertices that this piece must have besides those of its elements. Each vertex of the frame belongs to exactly
    /// one piece; so do those without elements.
    std::vector<int> vertices{};
    /// Lists of the frame that hold only a part here: entries of its history by their names, Frame::others as
    /// `unknowns`. Other lists are whole in every process, and each piece takes an equal share.
    std::map<std::string, ListPart, std::less<>> lists{};
};

/// What the index says of a piece. Plain numbers, to be sent between processes as they are.
struct PieceEntry {
    std::uint64_t checksum = 0;
    std::int64_t num_vertices = 0; ///< that belong to it
    std::int64_t num_tets = 0, num_faces = 0, num_edges = 0;
};

/// Writes one piece of the frame whose index is or will be `path`, which ends in .pvtu. `cell_fields` are of the
/// elements of the piece.
[[nodiscard]] PieceEntry write_piece(
    const std::filesystem::path& path, const Frame& frame, const FramePiece& piece,
    const std::vector<CellField>& cell_fields = {});

/// Writes the index-th of `count` pieces of a frame that is whole here. The piece of each cell is the one given, or by
/// equal ranges of cells. Vertices between pieces belong to the lowest.
[[nodiscard]] PieceEntry write_own_piece(
    const std::filesystem::path& path, const Frame& whole, const std::vector<CellField>& cell_fields, int index,
    int count, std::span<const int> piece_of_cell = {});

/// Writes the index, when all pieces are there, and removes what earlier attempts left in their folder. Of frame and
/// fields only step, time, dimension and the names count. Rejects entries of which vertices do not add up to those of
/// the frame.
void write_pvtu_index(
    const std::filesystem::path& path, const Frame& frame, const std::vector<CellField>& cell_fields,
    std::span<const PieceEntry> entries);

/// Writes a whole frame in `count` pieces with equal ranges of its elements.
void write_pvtu(
    const std::filesystem::path& path, const Frame& frame, const std::vector<CellField>& cell_fields, int count);

/// The folder with the pieces of an index.
[[nodiscard]] std::filesystem::path folder_of_pieces(const std::filesystem::path& path);

/// Throws InvalidInput for other files, and where a piece is missing, damaged or of another attempt, naming it.
[[nodiscard]] Frame read_pvtu(const std::filesystem::path& path);

/// A frame of either kind, by the end of its name.
[[nodiscard]] Frame read_frame(const std::filesystem::path& path);

} // namespace abut
