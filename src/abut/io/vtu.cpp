#include "abut/io/vtu.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/checksum.hpp"
#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <bit>
#include <cstring>

namespace abut {

static_assert(std::endian::native == std::endian::little, "VTU frames are written as the bytes of the machine");

bool Frame::operator==(const Frame& other) const
{
    return mesh == other.mesh && velocities == other.velocities && forces == other.forces && objects == other.objects &&
           step == other.step && time == other.time && others == other.others && history == other.history &&
           arrows == other.arrows;
}

namespace {

/// The raw data behind a VTU file's header, array by array.
class Appended {
public:
    template <typename T>
    std::string add(std::string_view type, std::string_view name, int components, const std::vector<T>& values)
    {
        return add(type, name, fmt::format("NumberOfComponents=\"{}\"", components), values);
    }
    /// An array of the grid as a whole; its length has to be said, since the grid does not determine it.
    template <typename T>
    std::string add_field(std::string_view type, std::string_view name, const std::vector<T>& values)
    {
        return add(type, name, fmt::format("NumberOfTuples=\"{}\"", values.size()), values);
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    template <typename T>
    std::string
    add(std::string_view type, std::string_view name, const std::string& shape, const std::vector<T>& values)
    {
        const std::size_t offset = bytes_.size();
        const std::uint64_t size = values.size() * sizeof(T);
        bytes_.append(reinterpret_cast<const char*>(&size), sizeof(size));
        bytes_.append(reinterpret_cast<const char*>(values.data()), size);
        return fmt::format(
            "<DataArray type=\"{}\" Name=\"{}\" {} format=\"appended\" offset=\"{}\"/>\n", type, name, shape, offset);
    }

    std::string bytes_;
};

/// The names of arrays that hold what energies remember begin with this.
constexpr std::string_view history_prefix = "history.";

/// Of each arrow: two bodies; its place, contact and friction.
constexpr std::string_view arrow_bodies = "force_bodies", arrow_vectors = "force_vectors";
constexpr std::size_t numbers_per_arrow = 9;

/// Of a piece: what it holds of the whole frame.
constexpr std::string_view vertex_numbers = "vertex_id", cell_numbers = "cell_id";
/// Which numbers of a list: how many there are in all, then begin and count of each range.
constexpr std::string_view part_prefix = "part.", unknowns_name = "unknowns";

std::string add_arrows(const std::vector<ContactArrow>& arrows, Appended& data)
{
    if (arrows.empty())
        return "";
    std::vector<std::int64_t> bodies;
    std::vector<double> numbers;
    for (const ContactArrow& arrow : arrows) {
        bodies.insert(bodies.end(), {arrow.body, arrow.other});
        for (const Vec3* vector : {&arrow.place, &arrow.contact, &arrow.friction})
            numbers.insert(numbers.end(), vector->begin(), vector->end());
    }
    return data.add_field("Int64", arrow_bodies, bodies) + data.add_field("Float64", arrow_vectors, numbers);
}

/// The numbers of the state that belong to no vertex.
std::string add_fields(const Frame& frame, Appended& data)
{
    using Integers = std::vector<std::int64_t>;
    std::string fields = data.add_field("Float64", "TimeValue", std::vector<double>{frame.time}) +
                         data.add_field("Int64", "step", Integers{frame.step}) +
                         data.add_field("Int64", "dimension", Integers{frame.mesh.vertices.cols()});
    if (frame.others.size() > 0)
        fields +=
            data.add_field("Float64", unknowns_name, std::vector<double>(frame.others.begin(), frame.others.end()));
    for (const auto& [name, values] : frame.history.entries())
        fields += data.add_field("Float64", fmt::format("{}{}", history_prefix, name), values);
    return fields + add_arrows(frame.arrows, data);
}

/// Three numbers per row; in the plane the third is 0.
std::vector<double> in_space(const Positions& rows)
{
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(rows.rows()) * 3);
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
        for (const double coordinate : lifted(rows, i))
            values.push_back(coordinate);
    return values;
}

constexpr int vtk_vertex = 1, vtk_line = 3, vtk_triangle = 5, vtk_tetra = 10;

} // namespace

Eigen::Index num_cells(const MeshData& mesh)
{
    const Eigen::Index count = mesh.tets.rows() + mesh.faces.rows() + mesh.edges.rows();
    return count > 0 ? count : mesh.vertices.rows();
}

void write_pvd(const std::filesystem::path& path, const std::vector<TimedFile>& files)
{
    std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
    for (const auto& [time, file] : files)
        text += fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", time, file);
    write_file(path, text + "</Collection>\n</VTKFile>\n");
}

namespace {

std::string add_parts(const PieceContent& content, Appended& data)
{
    std::string text;
    for (const auto& [name, part] : content.lists) {
        std::vector<std::int64_t> numbers{part.total};
        for (const auto& [begin, count] : part.ranges)
            numbers.insert(numbers.end(), {begin, count});
        text += data.add_field("Int64", fmt::format("{}{}", part_prefix, name), numbers);
    }
    return text;
}

/// A frame, or a piece of one. Returns the checksum.
std::uint64_t write_grid(
    const std::filesystem::path& path, const Frame& frame, const PieceContent* piece,
    const std::vector<CellField>& cell_fields)
{
    std::vector<std::int64_t> connectivity, offsets;
    std::vector<std::uint8_t> types;
    const auto add_cells = [&](const auto& elements, int type) {
        for (Eigen::Index e = 0; e < elements.rows(); ++e) {
            for (Eigen::Index c = 0; c < elements.cols(); ++c)
                connectivity.push_back(elements(e, c));
            offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
            types.push_back(static_cast<std::uint8_t>(type));
        }
    };
    add_cells(frame.mesh.tets, vtk_tetra);
    add_cells(frame.mesh.faces, vtk_triangle);
    add_cells(frame.mesh.edges, vtk_line);
    // Where the whole frame has no elements, its cells are its vertices.
    if (types.empty() && (piece == nullptr || !piece->cells.empty()))
        for (Eigen::Index v = 0; v < frame.mesh.vertices.rows(); ++v)
            add_cells(Elements::Constant(1, 1, static_cast<int>(v)), vtk_vertex);

    Appended data;
    const std::string field = add_fields(frame, data) + (piece != nullptr ? add_parts(*piece, data) : "");
    std::string point_data =
        data.add("Float64", "velocity", 3, in_space(frame.velocities)) +
        data.add("Float64", "contact_force", 3, in_space(frame.forces)) +
        data.add("Int32", "object", 1, std::vector<std::int32_t>(frame.objects.begin(), frame.objects.end()));
    for (const CellField& each : frame.vertex_fields) {
        ABUT_ASSERT(static_cast<Eigen::Index>(each.values.size()) == each.components * frame.mesh.vertices.rows());
        point_data += data.add("Float64", each.name, each.components, each.values);
    }
    std::string cell_data;
    if (piece != nullptr) {
        ABUT_ASSERT(piece->vertices.size() == static_cast<std::size_t>(frame.mesh.vertices.rows()));
        ABUT_ASSERT(piece->cells.size() == types.size());
        point_data += data.add("Int64", vertex_numbers, 1, piece->vertices);
        cell_data += data.add("Int64", cell_numbers, 1, piece->cells);
    }
    for (const CellField& each : cell_fields) {
        ABUT_ASSERT(
            static_cast<Eigen::Index>(each.values.size()) == each.components * static_cast<Eigen::Index>(types.size()));
        cell_data += data.add("Float64", each.name, each.components, each.values);
    }
    const std::string_view point_ids = piece != nullptr ? " GlobalIds=\"vertex_id\"" : "",
                           cell_ids = piece != nullptr ? " GlobalIds=\"cell_id\"" : "";
    if (!cell_data.empty())
        cell_data = fmt::format("<CellData{}>\n{}</CellData>\n", cell_ids, cell_data);
    const std::string points = data.add("Float64", "points", 3, in_space(frame.mesh.vertices));
    const std::string cells = data.add("Int64", "connectivity", 1, connectivity) +
                              data.add("Int64", "offsets", 1, offsets) + data.add("UInt8", "types", 1, types);
    const std::string body = fmt::format(
        "<UnstructuredGrid>\n<FieldData>\n{}</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n"
        "<PointData{}>\n{}</PointData>\n{}<Points>\n{}</Points>\n<Cells>\n{}</Cells>\n</Piece>\n</UnstructuredGrid>\n",
        field, frame.mesh.vertices.rows(), types.size(), point_ids, point_data, cell_data, points, cells);
    const std::uint64_t sum = checksum(body) ^ checksum(data.bytes());
    std::string file = fmt::format(
        "<?xml version=\"1.0\"?>\n<!-- abut frame, checksum {:016x} -->\n"
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n",
        sum);
    file += body;
    file += "<AppendedData encoding=\"raw\">\n_";
    file += data.bytes();
    file += "\n</AppendedData>\n</VTKFile>\n";
    write_file(path, file);
    return sum;
}

} // namespace

void write_vtu(const std::filesystem::path& path, const Frame& frame, const std::vector<CellField>& cell_fields)
{
    write_grid(path, frame, nullptr, cell_fields);
}

std::uint64_t write_vtu_piece(
    const std::filesystem::path& path, const Frame& frame, const PieceContent& content,
    const std::vector<CellField>& cell_fields)
{
    return write_grid(path, frame, &content, cell_fields);
}

namespace {

class Reader {
public:
    Reader(std::string file, std::string name) : file_(std::move(file)), name_(std::move(name))
    {
        constexpr std::string_view mark = "<!-- abut frame, checksum ", start = "<UnstructuredGrid>",
                                   raw = "<AppendedData encoding=\"raw\">\n_", end = "\n</AppendedData>\n</VTKFile>\n";
        const std::size_t sum = file_.find(mark), body = file_.find(start), data = file_.find(raw);
        if (sum == std::string::npos || sum > 200)
            reject("{}: not a frame that abut wrote", name_);
        if (body == std::string::npos || data == std::string::npos || !file_.ends_with(end))
            reject("{}: the file was cut short; use an earlier frame", name_);
        header_ = std::string_view(file_).substr(body, data - body);
        data_ = std::string_view(file_).substr(data + raw.size(), file_.size() - data - raw.size() - end.size());
        const std::string written = file_.substr(sum + mark.size(), 16);
        checksum_ = abut::checksum(header_) ^ abut::checksum(data_);
        if (written != fmt::format("{:016x}", checksum_))
            reject("{}: its checksum does not fit its content, so it was changed; use an earlier frame", name_);
    }

    template <typename T>
    [[nodiscard]] std::vector<T> array(std::string_view name) const
    {
        const std::size_t at = header_.find(fmt::format("Name=\"{}\"", name));
        const std::size_t key = at == std::string::npos ? at : header_.find("offset=\"", at);
        if (key == std::string::npos)
            reject("{}: the frame has no '{}'", name_, name);
        const std::size_t offset = std::stoull(std::string(header_.substr(key + 8, 20)));
        std::uint64_t size = 0;
        if (offset + 8 > data_.size())
            reject("{}: '{}' lies beyond the end of the file", name_, name);
        std::memcpy(&size, data_.data() + offset, 8);
        if (size > data_.size() - offset - 8 || size % sizeof(T) != 0)
            reject("{}: '{}' has a size that does not fit", name_, name);
        std::vector<T> values(size / sizeof(T));
        if (size > 0) // memcpy takes no null pointer, also where there is nothing to copy
            std::memcpy(values.data(), data_.data() + offset + 8, size);
        return values;
    }

    template <typename T>
    [[nodiscard]] T scalar(std::string_view name) const
    {
        const std::vector<T> values = array<T>(name);
        if (values.size() != 1)
            reject("{}: '{}' is not one number", name_, name);
        return values[0];
    }

    [[nodiscard]] std::uint64_t checksum() const { return checksum_; }
    [[nodiscard]] bool has(std::string_view name) const
    {
        return header_.find(fmt::format("Name=\"{}\"", name)) != std::string::npos;
    }

    /// The ends of the names of all arrays that begin with the prefix.
    [[nodiscard]] std::vector<std::string> names_behind(std::string_view prefix) const
    {
        const std::string before = fmt::format("Name=\"{}", prefix);
        std::vector<std::string> names;
        for (std::size_t at = header_.find(before); at != std::string::npos; at = header_.find(before, at + 1)) {
            const std::size_t begin = at + before.size();
            names.emplace_back(header_.substr(begin, header_.find('"', begin) - begin));
        }
        return names;
    }

    [[nodiscard]] Positions rows(std::string_view name, Eigen::Index dim) const
    {
        const std::vector<double> values = array<double>(name);
        const Eigen::Map<const Positions> all(values.data(), static_cast<Eigen::Index>(values.size() / 3), 3);
        return all.leftCols(dim);
    }

private:
    std::string file_, name_;
    std::string_view header_, data_;
    std::uint64_t checksum_ = 0;
};

/// What energies remembered; version 0.1 had two numbers of it, under names of their own.
History read_history(const Reader& reader)
{
    History history;
    for (const std::string& name : reader.names_behind(history_prefix))
        history.set(name, reader.array<double>(fmt::format("{}{}", history_prefix, name)));
    if (reader.has("stiffness"))
        history.set("contact.stiffness", reader.scalar<double>("stiffness"));
    if (reader.has("blocked_steps"))
        history.set("scripts.blocked_steps", static_cast<double>(reader.scalar<std::int64_t>("blocked_steps")));
    return history;
}

/// None in frames of versions before 0.6.
std::vector<ContactArrow> read_arrows(const Reader& reader, const std::string& path)
{
    if (!reader.has(arrow_bodies))
        return {};
    const auto bodies = reader.array<std::int64_t>(arrow_bodies);
    const auto numbers = reader.array<double>(arrow_vectors);
    std::vector<ContactArrow> arrows(bodies.size() / 2);
    if (numbers.size() != numbers_per_arrow * arrows.size())
        reject("{}: its forces do not fit", path);
    for (std::size_t k = 0; k < arrows.size(); ++k) {
        const double* at = numbers.data() + numbers_per_arrow * k;
        arrows[k] = {
            static_cast<int>(bodies[2 * k]), static_cast<int>(bodies[2 * k + 1]), Eigen::Map<const Vec3>(at),
            Eigen::Map<const Vec3>(at + 3), Eigen::Map<const Vec3>(at + 6)};
    }
    return arrows;
}

void read_cells(const Reader& reader, const std::string& path, MeshData& mesh)
{
    const auto connectivity = reader.array<std::int64_t>("connectivity");
    const auto types = reader.array<std::uint8_t>("types");
    std::vector<int> edges, faces, tets;
    std::size_t at = 0;
    for (const std::uint8_t type : types) {
        std::vector<int>* list = type == vtk_tetra      ? &tets
                                 : type == vtk_triangle ? &faces
                                 : type == vtk_line     ? &edges
                                                        : nullptr;
        const std::size_t corners = type == vtk_tetra ? 4 : type == vtk_triangle ? 3 : type == vtk_line ? 2 : 1;
        if (at + corners > connectivity.size())
            reject("{}: its cells do not fit", path);
        for (std::size_t c = 0; c < corners; ++c, ++at)
            if (list != nullptr)
                list->push_back(static_cast<int>(connectivity[at]));
    }
    const auto as = [](auto& elements, const std::vector<int>& list, Eigen::Index corners) {
        elements.resize(static_cast<Eigen::Index>(list.size()) / corners, corners);
        std::copy(list.begin(), list.end(), elements.data());
    };
    as(mesh.edges, edges, 2);
    as(mesh.faces, faces, 3);
    as(mesh.tets, tets, 4);
}

/// What the file holds, of a piece without its numbers.
Frame read_grid(const Reader& reader, const std::filesystem::path& path)
{
    Frame frame;
    const auto dim = static_cast<Eigen::Index>(reader.scalar<std::int64_t>("dimension"));
    if (dim != 2 && dim != 3)
        reject("{}: {} dimensions", path.string(), dim);
    frame.mesh.vertices = reader.rows("points", dim);
    frame.velocities = reader.rows("velocity", dim);
    frame.forces = reader.rows("contact_force", dim);
    for (const std::int32_t object : reader.array<std::int32_t>("object"))
        frame.objects.push_back(object);
    frame.step = static_cast<int>(reader.scalar<std::int64_t>("step"));
    frame.time = reader.scalar<double>("TimeValue");
    frame.history = read_history(reader);
    frame.arrows = read_arrows(reader, path.string());
    if (reader.has(unknowns_name)) {
        const std::vector<double> others = reader.array<double>(unknowns_name);
        frame.others = Eigen::Map<const Eigen::VectorXd>(others.data(), static_cast<Eigen::Index>(others.size()));
    }
    read_cells(reader, path.string(), frame.mesh);
    return frame;
}

ListPart read_part(const Reader& reader, const std::string& name, const std::string& path)
{
    const auto numbers = reader.array<std::int64_t>(fmt::format("{}{}", part_prefix, name));
    if (numbers.size() % 2 != 1)
        reject("{}: the ranges of its '{}' do not fit", path, name);
    ListPart part{.total = numbers[0]};
    for (std::size_t k = 1; k < numbers.size(); k += 2)
        part.ranges.push_back({numbers[k], numbers[k + 1]});
    return part;
}

constexpr std::uintmax_t max_bytes = std::uintmax_t(16) << 30;

} // namespace

Frame read_vtu(const std::filesystem::path& path)
{
    const Reader reader(read_file(path, max_bytes), path.string());
    if (reader.has(vertex_numbers))
        reject("{}: a piece of a frame; open the .pvtu file that lists it", path.string());
    return read_grid(reader, path);
}

PieceFile read_vtu_piece(const std::filesystem::path& path)
{
    const Reader reader(read_file(path, max_bytes), path.string());
    PieceFile piece{.frame = read_grid(reader, path), .content = {}, .checksum = reader.checksum()};
    piece.content.vertices = reader.array<std::int64_t>(vertex_numbers);
    piece.content.cells = reader.array<std::int64_t>(cell_numbers);
    for (const std::string& name : reader.names_behind(part_prefix))
        piece.content.lists.emplace(name, read_part(reader, name, path.string()));
    return piece;
}

} // namespace abut
