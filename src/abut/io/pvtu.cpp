#include "abut/io/pvtu.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/checksum.hpp"
#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>
#include <type_traits>
#include <utility>

namespace abut {

namespace fs = std::filesystem;

static_assert(std::is_trivially_copyable_v<PieceEntry>);

namespace {

constexpr std::string_view name_of_others = "unknowns";

std::string name_of_piece(std::size_t index) { return fmt::format("piece_{:04d}.vtu", index); }

/// The index-th of `count` equal shares of a list.
ListPart equal_share(std::size_t total, int index, int count)
{
    const auto border = [&](int k) { return static_cast<std::int64_t>(total) * k / count; };
    return {.total = static_cast<std::int64_t>(total), .ranges = {{border(index), border(index + 1) - border(index)}}};
}

/// Of a list that is here: the numbers that a piece writes, and which they are.
struct CutList {
    std::vector<double> values;
    ListPart part;
};

CutList cut(std::span<const double> list, const FramePiece& piece, std::string_view name)
{
    if (const auto own = piece.lists.find(name); own != piece.lists.end())
        return {{list.begin(), list.end()}, own->second};
    CutList result{{}, equal_share(list.size(), piece.index, piece.count)};
    const auto [begin, count] = result.part.ranges[0];
    result.values.assign(list.begin() + begin, list.begin() + begin + count);
    return result;
}

/// Vertices of the piece, rising: those of its elements, and its own.
std::vector<std::int64_t> vertices_of(const Frame& frame, const FramePiece& piece)
{
    std::vector<char> is_there(static_cast<std::size_t>(frame.mesh.vertices.rows()), 0);
    const auto mark = [&](const auto& elements) {
        for (Eigen::Index k = 0; k < elements.size(); ++k)
            is_there[static_cast<std::size_t>(elements.data()[k])] = 1;
    };
    mark(frame.mesh.tets);
    mark(frame.mesh.faces);
    mark(frame.mesh.edges);
    for (const int v : piece.vertices)
        is_there[static_cast<std::size_t>(v)] = 1;
    std::vector<std::int64_t> vertices;
    for (std::size_t v = 0; v < is_there.size(); ++v)
        if (is_there[v] != 0)
            vertices.push_back(static_cast<std::int64_t>(v));
    return vertices;
}

Positions rows_of(const Positions& all, const std::vector<std::int64_t>& rows)
{
    Positions some(static_cast<Eigen::Index>(rows.size()), all.cols());
    for (std::size_t k = 0; k < rows.size(); ++k)
        some.row(static_cast<Eigen::Index>(k)) = all.row(rows[k]);
    return some;
}

std::vector<double> values_of(const std::vector<double>& all, int components, const std::vector<std::int64_t>& rows)
{
    std::vector<double> some;
    some.reserve(rows.size() * static_cast<std::size_t>(components));
    for (const std::int64_t row : rows)
        some.insert(some.end(), all.begin() + row * components, all.begin() + (row + 1) * components);
    return some;
}

/// The declarations of arrays that ParaView wants in the index.
std::string declared(const std::vector<CellField>& fields)
{
    std::string text;
    for (const CellField& field : fields)
        text += fmt::format(
            "<PDataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n", field.name, field.components);
    return text;
}

constexpr std::string_view index_mark = "<!-- abut frame, checksum ", index_start = "<PUnstructuredGrid ",
                           index_end = "</PUnstructuredGrid>\n";

} // namespace

fs::path folder_of_pieces(const fs::path& path) { return path.parent_path() / path.stem(); }

PieceEntry write_piece(
    const fs::path& path, const Frame& frame, const FramePiece& piece, const std::vector<CellField>& cell_fields)
{
    ABUT_ASSERT(0 <= piece.index && piece.index < piece.count);
    const fs::path folder = folder_of_pieces(path);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw InputOutput(fmt::format("{}: cannot create the folder: {}", folder.string(), error.message()));

    PieceContent content{.vertices = vertices_of(frame, piece), .cells = piece.cells};
    Frame own;
    own.step = frame.step;
    own.time = frame.time;
    own.mesh.tets = frame.mesh.tets;
    own.mesh.faces = frame.mesh.faces;
    own.mesh.edges = frame.mesh.edges;
    own.mesh.vertices = rows_of(frame.mesh.vertices, content.vertices);
    own.velocities = rows_of(frame.velocities, content.vertices);
    own.forces = rows_of(frame.forces, content.vertices);
    for (const std::int64_t v : content.vertices)
        own.objects.push_back(frame.objects[static_cast<std::size_t>(v)]);
    for (const CellField& field : frame.vertex_fields)
        own.vertex_fields.push_back(
            {field.name, field.components, values_of(field.values, field.components, content.vertices)});
    std::vector<int> here(static_cast<std::size_t>(frame.mesh.vertices.rows()), -1); // number of each vertex
    for (std::size_t k = 0; k < content.vertices.size(); ++k)
        here[static_cast<std::size_t>(content.vertices[k])] = static_cast<int>(k);
    const auto rename = [&](auto& elements) {
        for (Eigen::Index k = 0; k < elements.size(); ++k)
            elements.data()[k] = here[static_cast<std::size_t>(elements.data()[k])];
    };
    rename(own.mesh.tets);
    rename(own.mesh.faces);
    rename(own.mesh.edges);

    CutList others = cut({frame.others.data(), static_cast<std::size_t>(frame.others.size())}, piece, name_of_others);
    own.others =
        Eigen::Map<const Eigen::VectorXd>(others.values.data(), static_cast<Eigen::Index>(others.values.size()));
    if (others.part.total > 0)
        content.lists.emplace(name_of_others, std::move(others.part));
    for (const auto& [name, values] : frame.history.entries()) {
        CutList list = cut(values, piece, name);
        own.history.set(name, std::move(list.values));
        content.lists.emplace(name, std::move(list.part));
    }
    if (piece.index == 0)
        own.arrows = frame.arrows;

    return {
        .checksum = write_vtu_piece(folder / name_of_piece(piece.index), own, content, cell_fields),
        .num_vertices = static_cast<std::int64_t>(piece.vertices.size()),
        .num_tets = own.mesh.tets.rows(),
        .num_faces = own.mesh.faces.rows(),
        .num_edges = own.mesh.edges.rows()};
}

void write_pvtu_index(
    const fs::path& path, const Frame& frame, const std::vector<CellField>& cell_fields,
    std::span<const PieceEntry> entries)
{
    std::int64_t num_vertices = 0;
    for (const PieceEntry& entry : entries)
        num_vertices += entry.num_vertices;
    if (num_vertices != frame.mesh.vertices.rows())
        reject(
            "{}: {} vertices belong to its pieces, and the frame has {}; each has to belong to exactly one",
            path.string(), num_vertices, frame.mesh.vertices.rows());

    const std::string folder = folder_of_pieces(path).filename().string();
    std::string body = fmt::format(
        "{}GhostLevel=\"0\" Step=\"{}\" Dimension=\"{}\">\n<PPointData GlobalIds=\"vertex_id\">\n"
        "<PDataArray type=\"Float64\" Name=\"velocity\" NumberOfComponents=\"3\"/>\n"
        "<PDataArray type=\"Float64\" Name=\"contact_force\" NumberOfComponents=\"3\"/>\n"
        "<PDataArray type=\"Int32\" Name=\"object\" NumberOfComponents=\"1\"/>\n{}"
        "<PDataArray type=\"Int64\" Name=\"vertex_id\" NumberOfComponents=\"1\"/>\n</PPointData>\n"
        "<PCellData GlobalIds=\"cell_id\">\n<PDataArray type=\"Int64\" Name=\"cell_id\" NumberOfComponents=\"1\"/>\n"
        "{}</PCellData>\n<PPoints>\n<PDataArray type=\"Float64\" Name=\"points\" "
        "NumberOfComponents=\"3\"/>\n</PPoints>\n",
        index_start, frame.step, frame.mesh.vertices.cols(), declared(frame.vertex_fields), declared(cell_fields));
    std::set<std::string> names;
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const PieceEntry& entry = entries[k];
        names.insert(name_of_piece(k));
        body += fmt::format(
            "<Piece Source=\"{}/{}\" Checksum=\"{:016x}\" Vertices=\"{}\" Tets=\"{}\" Faces=\"{}\" Edges=\"{}\"/>\n",
            folder, name_of_piece(k), entry.checksum, entry.num_vertices, entry.num_tets, entry.num_faces,
            entry.num_edges);
    }
    body += index_end;
    write_file(
        path, fmt::format(
                  "<?xml version=\"1.0\"?>\n{}{:016x} -->\n<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" "
                  "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n{}</VTKFile>\n",
                  index_mark, checksum(body), body));

    // Not by a range-based loop: its increment throws where the folder goes away.
    std::error_code error;
    std::vector<fs::path> leftover;
    for (fs::directory_iterator each(folder_of_pieces(path), error), end; !error && each != end; each.increment(error))
        if (!names.contains(each->path().filename().string()))
            leftover.push_back(each->path());
    for (const fs::path& file : leftover)
        fs::remove(file, error);
}

PieceEntry write_own_piece(
    const fs::path& path, const Frame& whole, const std::vector<CellField>& cell_fields, int index, int count,
    std::span<const int> piece_of_cell)
{
    const MeshData& mesh = whole.mesh;
    const auto cells = static_cast<std::size_t>(num_cells(mesh));
    ABUT_ASSERT(piece_of_cell.empty() || piece_of_cell.size() == cells);
    std::vector<int> ends; // of equal ranges
    for (int k = 0; k < count; ++k) {
        const auto [begin, size] = equal_share(cells, k, count).ranges[0];
        ends.push_back(static_cast<int>(begin + size));
    }
    const auto piece_of = [&](std::int64_t cell) {
        return piece_of_cell.empty()
                   ? static_cast<int>(std::upper_bound(ends.begin(), ends.end(), static_cast<int>(cell)) - ends.begin())
                   : piece_of_cell[static_cast<std::size_t>(cell)];
    };
    // Vertices belong to the lowest piece that has one of their elements, and those without any to the last.
    std::vector<int> owner(static_cast<std::size_t>(mesh.vertices.rows()), count - 1);
    FramePiece piece{.index = index, .count = count};
    Frame part = whole;
    std::int64_t before = 0; // cells before the elements of a kind
    const auto take = [&](const auto& all, auto& some) {
        std::vector<Eigen::Index> own;
        for (Eigen::Index e = 0; e < all.rows(); ++e) {
            const int k = piece_of(before + e);
            for (Eigen::Index c = 0; c < all.cols(); ++c) {
                int& lowest = owner[static_cast<std::size_t>(all(e, c))];
                lowest = std::min(lowest, k);
            }
            if (k != index)
                continue;
            own.push_back(e);
            piece.cells.push_back(before + e);
        }
        some.resize(static_cast<Eigen::Index>(own.size()), all.cols());
        for (std::size_t k = 0; k < own.size(); ++k)
            some.row(static_cast<Eigen::Index>(k)) = all.row(own[k]);
        before += all.rows();
    };
    take(mesh.tets, part.mesh.tets);
    take(mesh.faces, part.mesh.faces);
    take(mesh.edges, part.mesh.edges);
    if (before == 0) // without elements vertices are the cells
        for (std::size_t v = 0; v < owner.size(); ++v) {
            owner[v] = piece_of(static_cast<std::int64_t>(v));
            if (owner[v] == index)
                piece.cells.push_back(static_cast<std::int64_t>(v));
        }
    for (std::size_t v = 0; v < owner.size(); ++v)
        if (owner[v] == index)
            piece.vertices.push_back(static_cast<int>(v));
    std::vector<CellField> fields;
    for (const CellField& field : cell_fields)
        fields.push_back({field.name, field.components, values_of(field.values, field.components, piece.cells)});
    return write_piece(path, part, piece, fields);
}

void write_pvtu(const fs::path& path, const Frame& frame, const std::vector<CellField>& cell_fields, int count)
{
    ABUT_ASSERT(count >= 1);
    std::vector<PieceEntry> entries;
    for (int k = 0; k < count; ++k)
        entries.push_back(write_own_piece(path, frame, cell_fields, k, count));
    write_pvtu_index(path, frame, cell_fields, entries);
}

namespace {

/// What an index says.
struct Index {
    int step = 0;
    Eigen::Index dimension = 0;
    std::vector<std::string> sources; ///< of the pieces, from the folder of the index on
    std::vector<PieceEntry> entries;
};

/// The number behind ` NAME="`, in a text whose checksum fits: abut wrote it.
template <typename T>
T number(std::string_view text, std::string_view name, int base = 10)
{
    const std::string before = fmt::format(" {}=\"", name);
    const std::size_t at = text.find(before);
    T value{};
    if (at != std::string_view::npos)
        std::from_chars(text.data() + at + before.size(), text.data() + text.size(), value, base);
    return value;
}

Index read_index(const fs::path& path)
{
    constexpr std::uintmax_t max_bytes = 1 << 30;
    const std::string file = read_file(path, max_bytes);
    const std::size_t sum = file.find(index_mark), begin = file.find(index_start), end = file.find(index_end);
    if (sum == std::string::npos || sum > 200)
        reject("{}: not a frame that abut wrote", path.string());
    if (begin == std::string::npos || end == std::string::npos || !file.ends_with("</VTKFile>\n"))
        reject("{}: the file was cut short; use an earlier frame", path.string());
    const std::string_view body = std::string_view(file).substr(begin, end + index_end.size() - begin);
    if (file.substr(sum + index_mark.size(), 16) != fmt::format("{:016x}", checksum(body)))
        reject("{}: its checksum does not fit its content, so it was changed; use an earlier frame", path.string());

    Index index{
        .step = number<int>(body, "Step"),
        .dimension = number<Eigen::Index>(body, "Dimension"),
        .sources = {},
        .entries = {}};
    constexpr std::string_view piece = "<Piece Source=\"";
    for (std::size_t at = body.find(piece); at != std::string_view::npos; at = body.find(piece, at + 1)) {
        const std::string_view line = body.substr(at, body.find('\n', at) - at);
        index.sources.emplace_back(line.substr(piece.size(), line.find('"', piece.size()) - piece.size()));
        index.entries.push_back(
            {.checksum = number<std::uint64_t>(line, "Checksum", 16),
             .num_vertices = number<std::int64_t>(line, "Vertices"),
             .num_tets = number<std::int64_t>(line, "Tets"),
             .num_faces = number<std::int64_t>(line, "Faces"),
             .num_edges = number<std::int64_t>(line, "Edges")});
    }
    return index;
}

PieceFile read_whole_piece(const fs::path& path, const Index& index, std::size_t k)
{
    const fs::path file = path.parent_path() / index.sources[k];
    std::error_code ignored;
    if (fs::status(file, ignored).type() == fs::file_type::not_found)
        reject(
            "{}: its piece {} is not there; bring the folder {} here as a whole, or use an earlier frame",
            path.string(), index.sources[k], fs::path(index.sources[k]).parent_path().string());
    PieceFile piece = read_vtu_piece(file);
    const auto is_size = [](Eigen::Index rows, std::int64_t size) { return rows == size; };
    const PieceEntry& entry = index.entries[k];
    if (piece.checksum != entry.checksum || piece.frame.step != index.step ||
        piece.frame.mesh.vertices.cols() != index.dimension || !is_size(piece.frame.mesh.tets.rows(), entry.num_tets) ||
        !is_size(piece.frame.mesh.faces.rows(), entry.num_faces) ||
        !is_size(piece.frame.mesh.edges.rows(), entry.num_edges))
        reject("{}: it is not the piece that {} lists; use an earlier frame", file.string(), path.string());
    return piece;
}

/// Puts pieces together.
class Joining {
public:
    Joining(const fs::path& path, const Index& index) : path_(path)
    {
        std::int64_t tets = 0, faces = 0, edges = 0, vertices = 0;
        for (const PieceEntry& entry : index.entries) {
            vertices += entry.num_vertices;
            tets += entry.num_tets;
            faces += entry.num_faces;
            edges += entry.num_edges;
        }
        whole_.mesh.tets.resize(tets, 4);
        whole_.mesh.faces.resize(faces, 3);
        whole_.mesh.edges.resize(edges, 2);
        for (Positions* rows : {&whole_.mesh.vertices, &whole_.velocities, &whole_.forces})
            rows->resize(vertices, index.dimension);
        whole_.objects.resize(static_cast<std::size_t>(vertices));
        has_vertex_.resize(static_cast<std::size_t>(vertices), 0);
        has_cell_.resize(static_cast<std::size_t>(tets + faces + edges), 0);
    }

    void add(PieceFile piece)
    {
        add_vertices(piece);
        std::size_t cell = 0;
        std::int64_t before = 0;
        add_elements(piece, piece.frame.mesh.tets, whole_.mesh.tets, cell, before);
        add_elements(piece, piece.frame.mesh.faces, whole_.mesh.faces, cell, before);
        add_elements(piece, piece.frame.mesh.edges, whole_.mesh.edges, cell, before);
        whole_.step = piece.frame.step;
        whole_.time = piece.frame.time;
        if (!piece.frame.arrows.empty())
            whole_.arrows = std::move(piece.frame.arrows);
        for (const auto& [name, part] : piece.content.lists) {
            const bool is_others = name == name_of_others;
            const std::vector<double>* values = is_others ? nullptr : piece.frame.history.find(name);
            if (is_others)
                add_part(name, part, {piece.frame.others.data(), static_cast<std::size_t>(piece.frame.others.size())});
            else
                add_part(name, part, values != nullptr ? std::span<const double>(*values) : std::span<const double>());
        }
    }

    Frame finish()
    {
        if (std::count(has_vertex_.begin(), has_vertex_.end(), 0) > 0 ||
            std::count(has_cell_.begin(), has_cell_.end(), 0) > 0)
            fail("leave out vertices or elements");
        for (auto& [name, list] : lists_) {
            if (std::count(list.has.begin(), list.has.end(), 0) > 0)
                fail(fmt::format("leave out numbers of '{}'", name));
            if (name == name_of_others)
                whole_.others = Eigen::Map<const Eigen::VectorXd>(
                    list.values.data(), static_cast<Eigen::Index>(list.values.size()));
            else
                whole_.history.set(name, std::move(list.values));
        }
        return std::move(whole_);
    }

private:
    struct List {
        std::vector<double> values;
        std::vector<char> has;
    };

    [[noreturn]] void fail(const std::string& what) const
    {
        reject("{}: its pieces {}; use an earlier frame", path_.string(), what);
    }

    static bool are_same(const Positions& a, Eigen::Index row, const Positions& b, Eigen::Index other)
    {
        return std::memcmp(
                   a.row(row).data(), b.row(other).data(), sizeof(double) * static_cast<std::size_t>(a.cols())) == 0;
    }

    void add_vertices(const PieceFile& piece)
    {
        const std::size_t count = piece.content.vertices.size();
        const Frame& part = piece.frame;
        const auto rows = static_cast<Eigen::Index>(count);
        if (part.mesh.vertices.rows() != rows || part.velocities.rows() != rows || part.forces.rows() != rows ||
            part.objects.size() != count)
            fail("have arrays of other lengths than vertices");
        for (Eigen::Index k = 0; k < rows; ++k) {
            const std::int64_t v = piece.content.vertices[static_cast<std::size_t>(k)];
            if (v < 0 || v >= whole_.mesh.vertices.rows())
                fail(fmt::format("name vertex {}, which the frame has not", v));
            const int object = part.objects[static_cast<std::size_t>(k)];
            if (std::exchange(has_vertex_[static_cast<std::size_t>(v)], 1) != 0) {
                if (!are_same(whole_.mesh.vertices, v, part.mesh.vertices, k) ||
                    !are_same(whole_.velocities, v, part.velocities, k) ||
                    !are_same(whole_.forces, v, part.forces, k) ||
                    whole_.objects[static_cast<std::size_t>(v)] != object)
                    fail(fmt::format("do not agree on vertex {}", v));
                continue;
            }
            whole_.mesh.vertices.row(v) = part.mesh.vertices.row(k);
            whole_.velocities.row(v) = part.velocities.row(k);
            whole_.forces.row(v) = part.forces.row(k);
            whole_.objects[static_cast<std::size_t>(v)] = object;
        }
    }

    template <typename SomeElements>
    void add_elements(
        const PieceFile& piece, const SomeElements& part, SomeElements& all, std::size_t& cell, std::int64_t& before)
    {
        for (Eigen::Index e = 0; e < part.rows(); ++e, ++cell) {
            const std::int64_t row = (cell < piece.content.cells.size() ? piece.content.cells[cell] : -1) - before;
            if (row < 0 || row >= all.rows() ||
                std::exchange(has_cell_[static_cast<std::size_t>(row + before)], 1) != 0)
                fail("have an element twice, or one that the frame has not");
            for (Eigen::Index c = 0; c < part.cols(); ++c) {
                const int v = part(e, c);
                if (v < 0 || static_cast<std::size_t>(v) >= piece.content.vertices.size())
                    fail("have elements whose vertices are not there");
                all(row, c) = static_cast<int>(piece.content.vertices[static_cast<std::size_t>(v)]);
            }
        }
        before += all.rows();
    }

    void add_part(const std::string& name, const ListPart& part, std::span<const double> values)
    {
        std::int64_t count = 0;
        for (const ListPart::Range& range : part.ranges) {
            if (part.total < 0 || range.begin < 0 || range.count < 0 || range.begin > part.total - range.count)
                fail(fmt::format("have ranges of '{}' that do not fit", name));
            count += range.count;
        }
        List& list = lists_[name];
        if (list.has.empty()) {
            list.values.resize(static_cast<std::size_t>(part.total));
            list.has.resize(static_cast<std::size_t>(part.total), 0);
        }
        if (list.has.size() != static_cast<std::size_t>(part.total) || values.size() != static_cast<std::size_t>(count))
            fail(fmt::format("have ranges of '{}' that do not fit", name));
        for (auto from = values.begin(); const ListPart::Range& range : part.ranges) {
            std::copy(from, from + range.count, list.values.begin() + range.begin);
            std::fill(list.has.begin() + range.begin, list.has.begin() + range.begin + range.count, 1);
            from += range.count;
        }
    }

    const fs::path& path_;
    Frame whole_;
    std::vector<char> has_vertex_, has_cell_;
    std::map<std::string, List> lists_;
};

} // namespace

Frame read_pvtu(const fs::path& path)
{
    const Index index = read_index(path);
    if (index.dimension != 2 && index.dimension != 3)
        reject("{}: {} dimensions", path.string(), index.dimension);
    Joining joining(path, index);
    for (std::size_t k = 0; k < index.sources.size(); ++k)
        joining.add(read_whole_piece(path, index, k));
    return joining.finish();
}

Frame read_frame(const fs::path& path) { return path.extension() == ".pvtu" ? read_pvtu(path) : read_vtu(path); }

} // namespace abut
