#include "abut/io/obj.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/text.hpp"
#include "abut/mesh/generate/triangulate_polygon.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

namespace abut {

namespace {

/// Longer lines are no meshes but mistakes; a polygon of a million corners still fits.
constexpr std::size_t max_line_bytes = std::size_t(16) << 20;
constexpr std::size_t max_elements = std::numeric_limits<int>::max();

// Sorted, for binary search.
constexpr std::array<std::string_view, 17> skipped_words = {
    "bevel", "c_interp",   "d_interp",  "g",      "lod",    "maplib", "mg", "mtllib", "o",
    "s",     "shadow_obj", "trace_obj", "usemap", "usemtl", "vn",     "vp", "vt"};
constexpr std::array<std::string_view, 23> free_form_words = {
    "bmat", "bsp", "bzp",  "call", "cdc", "cdp",  "con", "csh",   "cstype", "ctech", "curv", "curv2",
    "deg",  "end", "hole", "parm", "res", "scrv", "sp",  "stech", "step",   "surf",  "trim"};

static_assert(std::ranges::is_sorted(skipped_words) && std::ranges::is_sorted(free_form_words));

class ObjParser {
public:
    ObjParser(std::string_view text, std::string_view name)
        : name_(name), next_line_(text.data()), text_end_(text.data() + text.size())
    {}

    MeshData run()
    {
        refuse_other_formats();
        while (load_line(0)) {
            statement_line_ = line_;
            const std::string_view word = next_token();
            if (!word.empty())
                statement(word);
        }
        if (coordinates_.empty())
            reject("{}: the mesh is empty, the file defines no vertices; give a mesh with 'v' lines", name_);
        check_indices();
        return build();
    }

private:
    // --- Lines and tokens ---

    /// Moves to the next physical line, which continues a statement of `bytes_so_far` bytes. False at the end.
    bool load_line(std::size_t bytes_so_far)
    {
        if (next_line_ == text_end_)
            return false;
        ++line_;
        const std::size_t rest = std::size_t(text_end_ - next_line_);
        const auto* newline = static_cast<const char*>(std::memchr(next_line_, '\n', rest));
        cursor_ = next_line_;
        line_end_ = newline ? newline : text_end_;
        next_line_ = newline ? newline + 1 : text_end_;
        statement_bytes_ = bytes_so_far + std::size_t(line_end_ - cursor_);
        if (statement_bytes_ > max_line_bytes)
            throw LimitReached(fmt::format(
                "{}:{}: the line is longer than {} bytes; is this an OBJ file?", name_, line_, max_line_bytes));
        if (line_end_ > cursor_ && line_end_[-1] == '\r')
            --line_end_;
        continued_ = line_end_ > cursor_ && line_end_[-1] == '\\';
        if (continued_)
            --line_end_;
        return true;
    }

    /// The next word of the statement; empty at its end. A '#' at the start of a word begins a comment.
    std::string_view next_token()
    {
        for (;;) {
            while (cursor_ != line_end_ && (*cursor_ == ' ' || *cursor_ == '\t'))
                ++cursor_;
            if (cursor_ != line_end_ && *cursor_ != '#')
                break;
            if (cursor_ != line_end_) // a comment ends with its line, even behind a backslash
                cursor_ = line_end_, continued_ = false;
            if (!continued_ || !load_line(statement_bytes_))
                return {};
        }
        const char* begin = cursor_;
        while (cursor_ != line_end_ && *cursor_ != ' ' && *cursor_ != '\t')
            ++cursor_;
        return {begin, std::size_t(cursor_ - begin)};
    }

    template <typename... Args>
    [[noreturn]] void fail(std::size_t line, fmt::format_string<Args...> format, Args&&... args) const
    {
        reject("{}:{}: {}", name_, line, fmt::format(format, std::forward<Args>(args)...));
    }

    // --- Statements ---

    void refuse_other_formats()
    {
        const std::string_view text(next_line_, std::size_t(text_end_ - next_line_));
        if (text.empty())
            reject("{}: the file is empty; give a mesh with 'v' lines", name_);
        if (const std::string_view format = compression_of(text); !format.empty())
            reject("{}: the file is compressed ({}); decompress it first", name_, format);
        if (text.starts_with("\xef\xbb\xbf")) // UTF-8 byte order mark
            next_line_ += 3;
    }

    void statement(std::string_view word)
    {
        if (word == "v")
            vertex();
        else if (word == "f")
            element(Kind::face, 3);
        else if (word == "l")
            element(Kind::polyline, 2);
        else if (word == "p")
            element(Kind::points, 1);
        else if (std::binary_search(skipped_words.begin(), skipped_words.end(), word))
            skip_statement();
        else if (std::binary_search(free_form_words.begin(), free_form_words.end(), word))
            fail(statement_line_, "free-form geometry is not supported ({}); export triangles", in_quotes(word));
        else
            fail(statement_line_, "the line is not OBJ ({}); give an OBJ file", in_quotes(word));
    }

    void skip_statement()
    {
        while (continued_)
            if (!load_line(statement_bytes_))
                break;
    }

    void vertex()
    {
        if (coordinates_.size() / 3 == max_elements)
            throw LimitReached(fmt::format("{}:{}: more than {} vertices; split the mesh", name_, line_, max_elements));
        constexpr int max_values = 8; // x y z, perhaps a weight, perhaps a colour of up to four channels
        int count = 0;
        for (std::string_view token = next_token(); !token.empty(); token = next_token()) {
            if (++count > max_values)
                fail(
                    statement_line_, "vertex {} has more than {} values; write 'v x y z'", num_vertices() + 1,
                    max_values);
            const double value = number(token);
            if (count > 3)
                continue;
            if (!(std::abs(value) <= max_coordinate))
                fail(
                    statement_line_,
                    "the extent overflows, vertex {} has the coordinate {}; scale the mesh to within {:g}",
                    num_vertices() + 1, in_quotes(token), max_coordinate);
            pending_[std::size_t(count - 1)] = value;
        }
        if (count < 3)
            fail(statement_line_, "vertex {} has {} coordinates; write 'v x y z'", num_vertices() + 1, count);
        coordinates_.insert(coordinates_.end(), pending_.begin(), pending_.end());
    }

    double number(std::string_view token) const
    {
        double value = 0;
        switch (parse_number(token, value)) {
        case NumberStatus::good:
            break;
        case NumberStatus::not_finite:
            fail(
                statement_line_, "vertex {} is not finite ({}); repair the mesh", num_vertices() + 1, in_quotes(token));
        case NumberStatus::out_of_range:
            fail(
                statement_line_,
                "vertex {} has a number that is not finite or not distinct from zero in double precision ({}); scale "
                "the mesh",
                num_vertices() + 1, in_quotes(token));
        case NumberStatus::no_number:
            fail(
                statement_line_, "vertex {} has something that is not a number ({}); write numbers like -1.5e-3",
                num_vertices() + 1, in_quotes(token));
        }
        return value;
    }

    enum class Kind : std::uint8_t { face, polyline, points };

    static const char* name_of(Kind kind)
    {
        return kind == Kind::face ? "face" : kind == Kind::polyline ? "polyline" : "point list";
    }

    void element(Kind kind, std::size_t min_corners)
    {
        const std::size_t first = corners_.size();
        for (std::string_view token = next_token(); !token.empty(); token = next_token())
            corners_.push_back(corner(token));
        const std::size_t count = corners_.size() - first;
        if (count < min_corners)
            fail(statement_line_, "the {} has {} corners; it needs at least {}", name_of(kind), count, min_corners);
        elements_.push_back({kind, statement_line_, first});
    }

    /// The vertex of a corner, counted from 0: v, v/vt, v//vn or v/vt/vn. Only v matters, but all must be integers.
    int corner(std::string_view token) const
    {
        const char* at = token.data();
        const char* end = at + token.size();
        const auto integer = [&] {
            std::int64_t value = 0;
            const auto [stop, error] = std::from_chars(at, end, value);
            if (error == std::errc::result_out_of_range)
                value =
                    *at == '-' ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
            else if (error != std::errc())
                fail(
                    statement_line_, "the index is not an integer ({}); write v, v/vt, v//vn or v/vt/vn",
                    in_quotes(token));
            at = stop;
            return value;
        };
        const std::int64_t index = integer();
        for (int slash = 0; slash < 2 && at != end && *at == '/'; ++slash) {
            ++at;
            if (at != end && *at != '/')
                integer();
        }
        if (at != end)
            fail(statement_line_, "the index is malformed ({}); write v, v/vt, v//vn or v/vt/vn", in_quotes(token));

        const auto defined = static_cast<std::int64_t>(num_vertices());
        if (index == 0)
            fail(statement_line_, "the index is 0 ({}); OBJ counts from 1", in_quotes(token));
        if (index < -defined)
            fail(
                statement_line_, "the index {} points before the first of the {} vertices so far; correct it",
                in_quotes(token), defined);
        if (index > static_cast<std::int64_t>(max_elements))
            fail(statement_line_, "the index {} is above the limit of {}; correct it", in_quotes(token), max_elements);
        return static_cast<int>(index > 0 ? index - 1 : defined + index);
    }

    // --- The mesh ---

    [[nodiscard]] std::size_t num_vertices() const { return coordinates_.size() / 3; }

    struct Element {
        Kind kind;
        std::size_t line;
        std::size_t first; // in corners_
    };

    [[nodiscard]] std::span<const int> corners_of(std::size_t element) const
    {
        const std::size_t first = elements_[element].first;
        const std::size_t last = element + 1 < elements_.size() ? elements_[element + 1].first : corners_.size();
        return std::span(corners_).subspan(first, last - first);
    }

    /// Now that all vertices are known: an index may name a vertex that is defined below it.
    void check_indices() const
    {
        for (std::size_t e = 0; e < elements_.size(); ++e)
            for (const int vertex : corners_of(e))
                if (std::size_t(vertex) >= num_vertices())
                    fail(
                        elements_[e].line, "the {} uses vertex {}, but the file defines {}; correct the index",
                        name_of(elements_[e].kind), std::int64_t(vertex) + 1, num_vertices());
    }

    MeshData build()
    {
        std::vector<int> faces, edges;
        for (std::size_t e = 0; e < elements_.size(); ++e) {
            const Element& element = elements_[e];
            const std::span<const int> corners = corners_of(e);
            if (element.kind == Kind::face) {
                refuse_repeated(element, corners);
                if (corners.size() == 3)
                    faces.insert(faces.end(), corners.begin(), corners.end());
                else
                    triangulate(element, corners, faces);
            } else if (element.kind == Kind::polyline) {
                for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
                    if (corners[i] == corners[i + 1])
                        fail(
                            element.line, "the polyline joins vertex {} to itself; remove one of the two",
                            corners[i] + 1);
                    edges.insert(edges.end(), {corners[i], corners[i + 1]});
                }
            }
        }
        if (faces.size() / 3 > max_elements || edges.size() / 2 > max_elements)
            throw LimitReached(fmt::format("{}: more than {} faces or edges; split the mesh", name_, max_elements));

        MeshData mesh;
        mesh.vertices = Eigen::Map<const Positions>(coordinates_.data(), Eigen::Index(num_vertices()), 3);
        mesh.faces = Eigen::Map<const Faces>(faces.data(), Eigen::Index(faces.size() / 3), 3);
        mesh.edges = Eigen::Map<const Edges>(edges.data(), Eigen::Index(edges.size() / 2), 2);
        return mesh;
    }

    void refuse_repeated(const Element& element, std::span<const int> corners)
    {
        if (corners.size() == 3 && corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
            return;
        sorted_.assign(corners.begin(), corners.end());
        std::sort(sorted_.begin(), sorted_.end());
        const auto repeated = std::adjacent_find(sorted_.begin(), sorted_.end());
        if (repeated != sorted_.end())
            fail(element.line, "the face uses vertex {} more than once; remove the face or the corner", *repeated + 1);
    }

    void triangulate(const Element& element, std::span<const int> corners, std::vector<int>& faces)
    {
        polygon_.clear();
        for (const int vertex : corners)
            polygon_.emplace_back(Eigen::Map<const Vec3>(&coordinates_[3 * std::size_t(vertex)]));
        switch (triangulator_.run(polygon_)) {
        case PolygonStatus::triangulated:
            break;
        case PolygonStatus::degenerate:
            fail(element.line, "the polygon of {} corners encloses no area; remove it", corners.size());
        case PolygonStatus::self_intersecting:
            fail(
                element.line, "the polygon of {} corners crosses or touches itself; split it into triangles",
                corners.size());
        case PolygonStatus::too_many_corners:
            throw LimitReached(fmt::format(
                "{}:{}: the polygon has {} corners and is not convex, the limit for that is {}; split it into "
                "triangles",
                name_, element.line, corners.size(), PolygonTriangulator::max_concave_corners));
        }
        for (const auto& triangle : triangulator_.triangles())
            for (const int corner : triangle)
                faces.push_back(corners[std::size_t(corner)]);
    }

    std::string_view name_;
    const char* next_line_;
    const char* text_end_;
    const char* cursor_ = nullptr;   // in the current physical line
    const char* line_end_ = nullptr; // without line end and backslash
    bool continued_ = false;
    std::size_t line_ = 0;           // counted from 1
    std::size_t statement_line_ = 0; // where the current statement began
    std::size_t statement_bytes_ = 0;

    std::vector<double> coordinates_;
    std::array<double, 3> pending_ = {};
    std::vector<int> corners_;
    std::vector<Element> elements_;
    std::vector<int> sorted_;
    std::vector<Vec3> polygon_;
    PolygonTriangulator triangulator_;
};

void check_writable(std::string_view path, const MeshData& mesh)
{
    const Eigen::Index num_vertices = mesh.vertices.rows();
    if (num_vertices == 0)
        reject("{}: the mesh is empty; give a mesh with vertices", path);
    if (mesh.vertices.cols() != 2 && mesh.vertices.cols() != 3)
        reject("{}: the vertices have dimension {}; give 2 or 3 coordinates each", path, mesh.vertices.cols());
    if (mesh.tets.rows() > 0)
        reject("{}: OBJ cannot hold the mesh's {} tets; write its surface only", path, mesh.tets.rows());
    for (Eigen::Index i = 0; i < num_vertices; ++i)
        for (const double coordinate : mesh.vertices.row(i))
            if (!(std::abs(coordinate) <= max_coordinate))
                reject(
                    "{}: vertex {} has the coordinate {}, beyond {:g}; repair the mesh", path, i, coordinate,
                    max_coordinate);
    const auto check_elements = [&](const auto& elements, std::string_view what) {
        for (Eigen::Index e = 0; e < elements.rows(); ++e)
            for (Eigen::Index c = 0; c < elements.cols(); ++c) {
                const int vertex = elements(e, c);
                if (vertex < 0 || vertex >= num_vertices)
                    reject(
                        "{}: {} {} uses vertex {}, but the mesh has {}; correct the index", path, what, e, vertex,
                        num_vertices);
                if (vertex == elements(e, (c + 1) % elements.cols()))
                    reject("{}: {} {} uses vertex {} more than once; remove it", path, what, e, vertex);
            }
    };
    check_elements(mesh.edges, "edge");
    check_elements(mesh.faces, "face");
}

/// Vertices, edges and faces; `first` is the number of vertices before them in the file.
void append_obj(fmt::memory_buffer& text, const MeshData& mesh, std::int64_t first)
{
    const auto out = std::back_inserter(text);
    const std::int64_t one = first + 1; // OBJ counts from 1
    // fmt writes the fewest digits, 17 at most, that read back as the same double.
    for (Eigen::Index i = 0; i < mesh.vertices.rows(); ++i) {
        const Vec3 x = lifted(mesh.vertices, i);
        fmt::format_to(out, "v {} {} {}\n", x[0], x[1], x[2]);
    }
    for (Eigen::Index e = 0; e < mesh.edges.rows(); ++e)
        fmt::format_to(out, "l {} {}\n", one + mesh.edges(e, 0), one + mesh.edges(e, 1));
    for (Eigen::Index f = 0; f < mesh.faces.rows(); ++f)
        fmt::format_to(out, "f {} {} {}\n", one + mesh.faces(f, 0), one + mesh.faces(f, 1), one + mesh.faces(f, 2));
}

/// A name that ends with its line.
std::string in_one_line(std::string name)
{
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            c = ' ';
    // A backslash at the end would join the next line.
    while (!name.empty() && (name.back() == '\\' || name.back() == ' '))
        name.pop_back();
    return name.empty() ? "object" : name;
}

} // namespace

MeshData read_obj(const std::filesystem::path& path, const ObjOptions& options)
{
    const std::string text = read_file(path, options.max_bytes);
    return parse_obj(text, path.string());
}

MeshData parse_obj(std::string_view text, std::string_view name) { return ObjParser(text, name).run(); }

void write_obj(const std::filesystem::path& path, const MeshData& mesh, std::string_view comment)
{
    check_writable(path.string(), mesh);
    fmt::memory_buffer text;
    if (!comment.empty())
        fmt::format_to(std::back_inserter(text), "# {}\n", comment);
    append_obj(text, mesh, 0);
    write_file(path, std::string_view(text.data(), text.size()));
}

void write_obj(const std::filesystem::path& path, std::span<const ObjGroup> groups, std::string_view comment)
{
    if (groups.empty())
        reject("{}: there are no meshes to write; give one or more", path.string());
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    if (!comment.empty())
        fmt::format_to(out, "# {}\n", comment);
    std::int64_t first = 0;
    for (const ObjGroup& group : groups) {
        check_writable(path.string(), group.mesh);
        fmt::format_to(out, "o {}\n", in_one_line(group.name));
        append_obj(text, group.mesh, first);
        for (const int point : group.points)
            fmt::format_to(out, "p {}\n", first + 1 + point);
        first += group.mesh.vertices.rows();
    }
    write_file(path, std::string_view(text.data(), text.size()));
}

} // namespace abut
