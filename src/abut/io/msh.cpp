#include "abut/io/msh.hpp"

#include "abut/base/error.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/io/file.hpp"
#include "abut/io/text.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace abut {

namespace {

constexpr std::int64_t max_count = std::numeric_limits<int>::max();
constexpr int triangle_type = 2, tet_type = 4;

/// Dimension of the elements of a Gmsh type; -1 for unknown types.
int dimension_of(std::int64_t type)
{
    constexpr std::array<std::int8_t, 32> known = {-1, 1, 2, 2, 3, 3, 3, 3, 1, 2, 2, 3, 3, 3, 3, 0,
                                                   2,  3, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 3, 3, 3};
    if (type == 92 || type == 93) // hexahedra of third and fourth order
        return 3;
    return type < 0 || type >= std::int64_t(known.size()) ? -1 : known[std::size_t(type)];
}

class MshParser {
public:
    MshParser(std::string_view text, std::string_view name, bool keeps_inverted)
        : name_(name), next_line_(text.data()), text_end_(text.data() + text.size()), keeps_inverted_(keeps_inverted)
    {}

    MeshData run()
    {
        const std::string_view text(next_line_, std::size_t(text_end_ - next_line_));
        if (text.empty())
            reject("{}: the file is empty; give a Gmsh MSH file", name_);
        if (const std::string_view format = compression_of(text); !format.empty())
            reject("{}: the file is compressed ({}); decompress it first", name_, format);
        if (text.starts_with("\xef\xbb\xbf")) // UTF-8 byte order mark
            next_line_ += 3;
        while (load_line()) {
            if (rest_of_line().empty())
                continue;
            const std::string_view word = next_token();
            if (!word.starts_with('$') || word.starts_with("$End"))
                fail("expected a section such as $Nodes, got {}; is this an MSH file?", in_quotes(word));
            section(word.substr(1));
        }
        if (!version_)
            reject("{}: there is no section $MeshFormat; give a Gmsh MSH file", name_);
        if (!has_nodes_ || !has_elements_)
            reject("{}: there is no section {}; export the mesh again", name_, has_nodes_ ? "$Elements" : "$Nodes");
        return build();
    }

private:
    // --- Lines and tokens ---

    bool load_line()
    {
        if (next_line_ == text_end_)
            return false;
        ++line_;
        const auto* newline =
            static_cast<const char*>(std::memchr(next_line_, '\n', std::size_t(text_end_ - next_line_)));
        cursor_ = next_line_;
        line_end_ = newline ? newline : text_end_;
        next_line_ = newline ? newline + 1 : text_end_;
        return true;
    }

    static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

    std::string_view rest_of_line()
    {
        while (cursor_ != line_end_ && is_space(*cursor_))
            ++cursor_;
        return {cursor_, std::size_t(line_end_ - cursor_)};
    }

    /// The next word of the line; empty at its end.
    std::string_view next_token()
    {
        (void)rest_of_line();
        const char* begin = cursor_;
        while (cursor_ != line_end_ && !is_space(*cursor_))
            ++cursor_;
        return {begin, std::size_t(cursor_ - begin)};
    }

    template <typename... Args>
    [[noreturn]] void fail_at(std::size_t line, fmt::format_string<Args...> format, Args&&... args) const
    {
        reject(
            "{}:{}: {}{}{}", name_, line, section_.empty() ? "" : "$", section_.empty() ? section_ : section_ + ": ",
            fmt::format(format, std::forward<Args>(args)...));
    }

    template <typename... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const
    {
        fail_at(line_, format, std::forward<Args>(args)...);
    }

    /// The next line of a section, without blank ones. The end of the section is an error: its counts say that more
    /// follows.
    void data_line(const char* what)
    {
        do {
            if (!load_line())
                fail("the file ends where {} should follow; is it cut short?", what);
        } while (rest_of_line().empty());
        if (*cursor_ == '$')
            fail("the section ends where {} should follow; its counts are wrong or lines are missing", what);
    }

    std::int64_t integer(const char* what)
    {
        const std::string_view token = next_token();
        std::int64_t value = 0;
        const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), value);
        if (token.empty())
            fail("the line ends where {} should follow; complete it", what);
        if (error != std::errc() || stop != token.data() + token.size())
            fail("{} is not an integer ({}); correct it", what, in_quotes(token));
        return value;
    }

    /// The number of things that follow. Each takes a line, so the rest of the file must have room for them.
    std::int64_t count(const char* what)
    {
        const std::int64_t value = integer(what);
        if (value < 0)
            fail("{} is {}; correct it", what, value);
        const auto room = std::int64_t(text_end_ - next_line_);
        if (value > room)
            fail("{} is {}, but only {} bytes follow; is the file cut short?", what, value, room);
        if (value > max_count)
            throw LimitReached(
                fmt::format("{}:{}: {} is {}, above the limit of {}", name_, line_, what, value, max_count));
        return value;
    }

    void end_of_line(const char* what)
    {
        if (const std::string_view rest = rest_of_line(); !rest.empty())
            fail("{} has more values than it should ({}); correct the line", what, in_quotes(rest));
    }

    // --- Sections ---

    void section(std::string_view title)
    {
        section_ = title.substr(0, 40);
        for (char& c : section_)
            if (c < ' ' || c > '~')
                c = '?';
        const std::size_t first_line = line_;
        const std::string end = "$End" + std::string(title);
        if (title == "MeshFormat")
            mesh_format();
        else if (title == "Nodes" || title == "Elements") {
            if (!version_)
                fail("it comes before $MeshFormat; give a Gmsh MSH file");
            bool& is_known = title == "Nodes" ? has_nodes_ : has_elements_;
            if (is_known)
                fail("it comes a second time; join the two");
            is_known = true;
            if (title == "Nodes")
                *version_ == Version::msh_4_1 ? nodes_4() : nodes_2();
            else
                *version_ == Version::msh_4_1 ? elements_4() : elements_2();
        } else {
            // Not ours: skip to its end.
            for (;;) {
                if (!load_line())
                    fail_at(first_line, "its end {} is missing; is the file cut short?", in_quotes(end));
                if (next_token() == end)
                    break;
            }
            section_.clear();
            return;
        }
        do {
            if (!load_line())
                fail_at(first_line, "its end {} is missing; is the file cut short?", in_quotes(end));
        } while (rest_of_line().empty());
        if (const std::string_view word = next_token(); word != end)
            fail("expected {}, got {}; its counts are wrong or it has too many lines", in_quotes(end), in_quotes(word));
        end_of_line("the end of the section");
        section_.clear();
    }

    void mesh_format()
    {
        if (version_)
            fail("it comes a second time; join the two files into one mesh");
        data_line("the version");
        const std::string_view version = next_token();
        const std::int64_t file_type = integer("the file type");
        (void)integer("the data size");
        end_of_line("the format");
        if (version == "4.1")
            version_ = Version::msh_4_1;
        else if (version == "2.2")
            version_ = Version::msh_2_2;
        else
            fail("version {} is not supported; export version 4.1 or 2.2", in_quotes(version));
        if (file_type == 1)
            fail("the file is binary; export it as ASCII");
        if (file_type != 0)
            fail("the file type {} is unknown; export version 4.1 or 2.2 as ASCII", file_type);
    }

    void nodes_2()
    {
        data_line("the number of nodes");
        const std::int64_t num_nodes = count("the number of nodes");
        end_of_line("the number of nodes");
        for (std::int64_t k = 0; k < num_nodes; ++k) {
            data_line("a node");
            add_tag(integer("the node's number"));
            coordinates(0);
        }
    }

    void nodes_4()
    {
        data_line("the counts");
        const std::int64_t blocks = count("the number of blocks"), num_nodes = count("the number of nodes");
        (void)integer("the smallest tag");
        (void)integer("the largest tag");
        end_of_line("the counts");
        for (std::int64_t block = 0; block < blocks; ++block) {
            data_line("a block of nodes");
            const std::int64_t dimension = integer("the dimension of the entity");
            (void)integer("the tag of the entity");
            const std::int64_t is_parametric = integer("the parametric flag");
            const std::int64_t size = count("the number of nodes in the block");
            end_of_line("the block");
            if (dimension < 0 || dimension > 3 || (is_parametric != 0 && is_parametric != 1))
                fail("the block has dimension {} and parametric flag {}; export it again", dimension, is_parametric);
            for (std::int64_t k = 0; k < size; ++k) {
                data_line("the tag of a node");
                add_tag(integer("the tag of the node"));
                end_of_line("the tag of the node");
            }
            for (std::int64_t k = 0; k < size; ++k) {
                data_line("the coordinates of a node");
                coordinates(is_parametric == 1 ? int(dimension) : 0);
            }
        }
        if (std::int64_t(tags_.size()) != num_nodes)
            fail("its blocks hold {} nodes, but it announces {}; correct the counts", tags_.size(), num_nodes);
    }

    void add_tag(std::int64_t tag)
    {
        if (tag < 0)
            fail("the node has the number {}; numbers must not be negative", tag);
        tags_.push_back(tag);
    }

    /// Reads the coordinates of the next node, and skips this many parameters.
    void coordinates(int num_parameters)
    {
        const std::int64_t tag = tags_[coordinates_.size() / 3];
        for (int c = 0; c < 3 + num_parameters; ++c) {
            const std::string_view token = next_token();
            double value = 0;
            if (token.empty())
                fail("node {} has {} values; it needs {}", tag, c, 3 + num_parameters);
            switch (parse_number(token, value)) {
            case NumberStatus::good:
                break;
            case NumberStatus::not_finite:
            case NumberStatus::out_of_range:
                fail("node {} is not finite in double precision ({}); repair the mesh", tag, in_quotes(token));
            case NumberStatus::no_number:
                fail("node {} has something that is not a number ({}); correct it", tag, in_quotes(token));
            }
            if (!(std::abs(value) <= max_coordinate))
                fail(
                    "the extent overflows, node {} has the coordinate {}; scale the mesh to within {:g}", tag,
                    in_quotes(token), max_coordinate);
            if (c < 3)
                coordinates_.push_back(value);
        }
        end_of_line("the node");
    }

    void elements_2()
    {
        data_line("the number of elements");
        const std::int64_t num_elements = count("the number of elements");
        end_of_line("the number of elements");
        for (std::int64_t k = 0; k < num_elements; ++k) {
            data_line("an element");
            const std::int64_t tag = integer("the element's number"), type = integer("the element's type");
            const std::int64_t num_tags = integer("the number of tags");
            if (num_tags < 0)
                fail("element {} has {} tags; correct it", tag, num_tags);
            if (!is_wanted(type))
                continue;
            for (std::int64_t t = 0; t < num_tags; ++t)
                (void)integer("a tag");
            element(tag, type);
        }
    }

    void elements_4()
    {
        data_line("the counts");
        const std::int64_t blocks = count("the number of blocks"), num_elements = count("the number of elements");
        (void)integer("the smallest tag");
        (void)integer("the largest tag");
        end_of_line("the counts");
        std::int64_t found = 0;
        for (std::int64_t block = 0; block < blocks; ++block) {
            data_line("a block of elements");
            (void)integer("the dimension of the entity");
            (void)integer("the tag of the entity");
            const std::int64_t type = integer("the element type");
            const std::int64_t size = count("the number of elements in the block");
            end_of_line("the block");
            found += size;
            for (std::int64_t k = 0; k < size; ++k) {
                data_line("an element");
                const std::int64_t tag = integer("the tag of the element");
                if (is_wanted(type))
                    element(tag, type);
            }
        }
        if (found != num_elements)
            fail("its blocks hold {} elements, but it announces {}; correct the counts", found, num_elements);
    }

    bool is_wanted(std::int64_t type)
    {
        if (type == triangle_type || type == tet_type)
            return true;
        const int dimension = dimension_of(type);
        if (dimension < 0)
            fail("the element type {} is unknown; export first-order triangles or tetrahedra", type);
        skipped_.try_emplace({dimension, type}, line_);
        return false;
    }

    struct Element {
        std::int64_t tag;
        std::size_t line;
        std::array<std::int64_t, 4> nodes;
    };

    void element(std::int64_t tag, std::int64_t type)
    {
        Element element{tag, line_, {}};
        const std::size_t corners = type == tet_type ? 4 : 3;
        for (std::size_t c = 0; c < corners; ++c) {
            element.nodes[c] = integer("a node of the element");
            for (std::size_t other = 0; other < c; ++other)
                if (element.nodes[other] == element.nodes[c])
                    fail("element {} uses node {} twice, so it is degenerate; remove it", tag, element.nodes[c]);
        }
        end_of_line("the element");
        (type == tet_type ? tets_ : triangles_).push_back(element);
    }

    // --- The mesh ---

    MeshData build()
    {
        if (tets_.empty() && triangles_.empty()) {
            std::vector<std::int64_t> types;
            for (const auto& entry : skipped_)
                types.push_back(entry.first.second);
            reject(
                "{}: it has no first-order tetrahedra or triangles ({}); export such elements", name_,
                types.empty() ? "no elements at all" : fmt::format("only types {}", fmt::join(types, ", ")));
        }
        const int dimension = tets_.empty() ? 2 : 3;
        for (const auto& [kind, line] : skipped_)
            if (kind.first >= dimension) {
                section_ = "Elements";
                fail_at(
                    line, "elements of type {} are not supported, and without them the mesh has holes; export {} only",
                    kind.second, dimension == 3 ? "first-order tetrahedra" : "first-order triangles");
            }

        number_nodes();
        section_ = "Elements";
        std::vector<Element>& elements = tets_.empty() ? triangles_ : tets_;
        const std::size_t corners = tets_.empty() ? 3 : 4;
        std::vector<int> new_index(tags_.size(), -1);
        for (Element& element : elements)
            for (std::size_t c = 0; c < corners; ++c) {
                element.nodes[c] = index_of(element, element.nodes[c]);
                new_index[std::size_t(element.nodes[c])] = 0; // it is used
            }
        int num_used = 0;
        for (int& index : new_index)
            if (index == 0)
                index = num_used++;

        MeshData mesh;
        mesh.vertices.resize(num_used, 3);
        for (std::size_t v = 0; v < new_index.size(); ++v)
            if (new_index[v] >= 0)
                mesh.vertices.row(new_index[v]) << coordinates_[3 * v], coordinates_[3 * v + 1],
                    coordinates_[3 * v + 2];
        const auto fill = [&](auto& rows) {
            rows.resize(Eigen::Index(elements.size()), Eigen::Index(corners));
            for (std::size_t e = 0; e < elements.size(); ++e)
                for (std::size_t c = 0; c < corners; ++c)
                    rows(Eigen::Index(e), Eigen::Index(c)) = new_index[std::size_t(elements[e].nodes[c])];
        };
        if (tets_.empty())
            fill(mesh.faces);
        else {
            fill(mesh.tets);
            if (!keeps_inverted_)
                check_volumes(mesh);
        }
        return mesh;
    }

    void check_volumes(const MeshData& mesh) const
    {
        std::int64_t num_bad = 0;
        const Element* first = nullptr;
        for (Eigen::Index t = 0; t < mesh.tets.rows(); ++t) {
            const auto corner = [&](int c) { return point<3>(mesh.vertices, mesh.tets(t, c)); };
            if (orientation(corner(0), corner(1), corner(2), corner(3)) > 0)
                continue;
            if (num_bad++ == 0)
                first = &tets_[std::size_t(t)];
        }
        if (num_bad > 0)
            throw InvalidStart(fmt::format(
                "{}:{}: $Elements: {} of {} tetrahedra have no positive volume, the first is element {}; reorder their "
                "nodes or remesh",
                name_, first->line, num_bad, tets_.size(), first->tag));
    }

    /// Sorts the tags, so that a mesh with gaps in its numbers needs memory for its nodes only.
    void number_nodes()
    {
        section_ = "Nodes";
        by_tag_.reserve(tags_.size());
        for (std::size_t k = 0; k < tags_.size(); ++k)
            by_tag_.emplace_back(tags_[k], std::int64_t(k));
        std::sort(by_tag_.begin(), by_tag_.end());
        for (std::size_t k = 1; k < by_tag_.size(); ++k)
            if (by_tag_[k].first == by_tag_[k - 1].first)
                reject("{}: $Nodes: the number {} belongs to two nodes; renumber them", name_, by_tag_[k].first);
    }

    std::int64_t index_of(const Element& element, std::int64_t tag) const
    {
        const auto found = std::lower_bound(by_tag_.begin(), by_tag_.end(), std::pair(tag, std::int64_t(-1)));
        if (found == by_tag_.end() || found->first != tag)
            fail_at(
                element.line, "element {} uses node {}, which $Nodes does not define; correct it", element.tag, tag);
        return found->second;
    }

    enum class Version : std::uint8_t { msh_2_2, msh_4_1 };

    std::string_view name_;
    const char* next_line_;
    const char* text_end_;
    const char* cursor_ = nullptr; // in the current line
    const char* line_end_ = nullptr;
    std::size_t line_ = 0; // counted from 1
    std::string section_;  // for messages; empty between sections

    bool keeps_inverted_;
    std::optional<Version> version_;
    bool has_nodes_ = false, has_elements_ = false;
    std::vector<std::int64_t> tags_; // of nodes
    std::vector<double> coordinates_;
    std::vector<Element> triangles_, tets_;
    std::map<std::pair<int, std::int64_t>, std::size_t> skipped_; // dimension, type -> first line
    std::vector<std::pair<std::int64_t, std::int64_t>> by_tag_;   // tag, index of the node
};

} // namespace

MeshData read_msh(const std::filesystem::path& path, const MshOptions& options)
{
    const std::string text = read_file(path, options.max_bytes), name = path.string();
    return MshParser(text, name, options.keeps_inverted).run();
}

MeshData parse_msh(std::string_view text, std::string_view name) { return MshParser(text, name, false).run(); }

} // namespace abut
