#include "abut/io/usda.hpp"

#include "abut/base/error.hpp"
#include "abut/base/version.hpp"
#include "abut/io/file.hpp"
#include "abut/io/unique_names.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

/// A text between double quotes.
std::string usda_text(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text)
        switch (c) {
        case '"':
        case '\\':
            result += '\\';
            result += c;
            break;
        case '\n':
            result += "\\n";
            break;
        case '\r':
            result += "\\r";
            break;
        case '\t':
            result += "\\t";
            break;
        default:
            result += c;
        }
    return result + "\"";
}

/// fmt writes the fewest digits that read back as the same float.
std::string usda_points(const FloatRows& rows)
{
    fmt::memory_buffer text;
    text.push_back('[');
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
        fmt::format_to(
            std::back_inserter(text), "{}({}, {}, {})", i == 0 ? "" : ", ", rows(i, 0), rows(i, 1), rows(i, 2));
    text.push_back(']');
    return fmt::to_string(text);
}

FloatRows extent_of(const FloatRows& rows)
{
    FloatRows extent(2, 3);
    extent << rows.colwise().minCoeff(), rows.colwise().maxCoeff();
    return extent;
}

/// Edges as lines that are as long as can be: from ends and branches on, then what closes.
std::vector<std::vector<int>> lines_of(const Edges& edges)
{
    int count = 0;
    for (const int v : edges.reshaped())
        count = std::max(count, v + 1);
    std::vector<std::vector<int>> around(static_cast<std::size_t>(count)); // edges of each vertex
    for (Eigen::Index e = 0; e < edges.rows(); ++e)
        for (const int v : edges.row(e))
            around[std::size_t(v)].push_back(static_cast<int>(e));
    std::vector<char> is_done(static_cast<std::size_t>(edges.rows()), 0);
    std::vector<std::vector<int>> lines;
    const auto follow = [&](int start, int edge) {
        std::vector<int> line{start};
        for (int at = start; edge >= 0;) {
            is_done[std::size_t(edge)] = 1;
            at = edges(edge, 0) == at ? edges(edge, 1) : edges(edge, 0);
            line.push_back(at);
            edge = -1;
            if (around[std::size_t(at)].size() == 2)
                for (const int next : around[std::size_t(at)])
                    if (is_done[std::size_t(next)] == 0)
                        edge = next;
        }
        lines.push_back(std::move(line));
    };
    for (const bool is_closed : {false, true})
        for (int v = 0; v < count; ++v)
            for (const int edge : around[std::size_t(v)])
                if (is_done[std::size_t(edge)] == 0 && (is_closed || around[std::size_t(v)].size() != 2))
                    follow(v, edge);
    return lines;
}

/// What kind of prim it is, what it says besides its points, and which of the object's points it has.
struct Prim {
    std::string type, name, body;
    std::vector<int> points{}; ///< empty: all of the object's, in their order
};

Prim mesh_prim(const Faces& faces)
{
    const std::vector<int> corners(faces.data(), faces.data() + faces.size());
    return {
        "Mesh", "mesh",
        fmt::format(
            "            uniform bool doubleSided = 1\n"
            "            int[] faceVertexCounts = [{}]\n"
            "            int[] faceVertexIndices = [{}]\n"
            "            uniform token subdivisionScheme = \"none\"\n",
            fmt::join(std::vector<int>(static_cast<std::size_t>(faces.rows()), 3), ", "), fmt::join(corners, ", "))};
}

Prim curves_prim(const Edges& edges, double width)
{
    Prim prim{"BasisCurves", "curves", ""};
    std::vector<std::size_t> counts;
    for (const std::vector<int>& line : lines_of(edges)) {
        counts.push_back(line.size());
        prim.points.insert(prim.points.end(), line.begin(), line.end());
    }
    prim.body = fmt::format(
        "            int[] curveVertexCounts = [{}]\n"
        "            uniform token type = \"linear\"\n"
        "            float[] widths = [{}] (\n                interpolation = \"constant\"\n            )\n"
        "            uniform token wrap = \"nonperiodic\"\n",
        fmt::join(counts, ", "), static_cast<float>(width));
    return prim;
}

Prim points_prim(const std::vector<int>& points, double width)
{
    return {
        "Points", "points",
        fmt::format(
            "            float[] widths = [{}] (\n                interpolation = \"constant\"\n            )\n",
            static_cast<float>(width)),
        points};
}

/// An object as text, piece by piece into the file.
class UsdaObject {
public:
    UsdaObject(FileWriter& file, const UsdaOptions& options, const PositionSpool& spool)
        : file_(file), options_(options), spool_(spool)
    {}

    void begin(const std::string& identifier, const std::string& name)
    {
        file_.write(fmt::format(
            "    def Xform \"{}\" (\n        customData = {{\n            string \"abut:name\" = {}\n        }}\n"
            "        displayName = {}\n    )\n    {{\n",
            identifier, usda_text(name), usda_text(name)));
    }
    void end() { file_.write("    }\n\n"); }

    void begin_prim(const Prim& prim, const Vec3& color)
    {
        const auto light = [&](int c) { return static_cast<float>(linear_from_srgb(std::clamp(color[c], 0.0, 1.0))); };
        file_.write(fmt::format(
            "        def {} \"{}\"\n        {{\n{}            color3f[] primvars:displayColor = [({}, {}, {})] (\n"
            "                interpolation = \"constant\"\n            )\n",
            prim.type, prim.name, prim.body, light(0), light(1), light(2)));
    }
    void end_prim() { file_.write("        }\n"); }

    void still_points(const FloatRows& rows)
    {
        file_.write("            float3[] extent = " + usda_points(extent_of(rows)) + "\n");
        file_.write("            point3f[] points = " + usda_points(rows) + "\n");
    }

    void moving_points(std::size_t object, const std::vector<int>& chosen)
    {
        std::string extents;
        file_.write("            point3f[] points.timeSamples = {\n");
        for (std::size_t k = 0; k < spool_.num_frames(); ++k) {
            const FloatRows rows = rows_of(k, object, chosen);
            file_.write(fmt::format("                {:.12g}: {},\n", time_code(k), usda_points(rows)));
            extents += fmt::format("                {:.12g}: {},\n", time_code(k), usda_points(extent_of(rows)));
        }
        file_.write("            }\n            float3[] extent.timeSamples = {\n" + extents + "            }\n");
    }

    [[nodiscard]] FloatRows rows_of(std::size_t frame, std::size_t object, const std::vector<int>& chosen) const
    {
        const FloatRows all = spool_.positions(frame, object);
        return chosen.empty() ? all : FloatRows(all(chosen, Eigen::all));
    }

    [[nodiscard]] double time_code(std::size_t frame) const
    {
        return (spool_.times()[frame] - spool_.times()[0]) * options_.codes_per_second / options_.speed;
    }

private:
    FileWriter& file_;
    const UsdaOptions& options_;
    const PositionSpool& spool_;
};

std::string usda_header(const UsdaOptions& options, double last_code)
{
    return fmt::format(
        "#usda 1.0\n(\n    customLayerData = {{\n        string creator = \"abut {}\"\n    }}\n"
        "    defaultPrim = \"simulation\"\n    endTimeCode = {:.12g}\n    framesPerSecond = {}\n    metersPerUnit = 1\n"
        "    startTimeCode = 0\n    timeCodesPerSecond = {}\n    upAxis = \"{}\"\n)\n\n"
        "def Xform \"simulation\" (\n    kind = \"component\"\n)\n{{\n",
        version, last_code, options.codes_per_second, options.codes_per_second, options.is_z_up ? "Z" : "Y");
}

} // namespace

UsdaWriter::UsdaWriter(
    std::filesystem::path path, std::vector<ObjectLook> objects, std::vector<Plane> planes, UsdaOptions options)
    : path_(std::move(path)), objects_(std::move(objects)), planes_(std::move(planes)), options_(options),
      spool_(path_.parent_path(), objects_.size())
{
    const auto is_positive = [](double value) { return value > 0 && std::isfinite(value); };
    if (!is_positive(options_.codes_per_second) || !is_positive(options_.speed))
        reject("{}: time codes per second and speed must be positive and finite", path_.string());
}

void UsdaWriter::finish()
{
    if (spool_.num_frames() == 0)
        reject("{}: there are no frames; give one or more", path_.string());
    std::vector<std::string> names;
    for (const ObjectLook& object : objects_)
        names.push_back(object.name);
    for (std::size_t k = 0; k < planes_.size(); ++k)
        names.push_back(fmt::format("plane {}", k));
    const std::vector<std::string> identifiers = unique_identifiers(names);
    const double width = std::max(0.005 * spool_.box().diagonal().norm(), 1e-30); // of lines and dots [m]

    FileWriter file(path_);
    UsdaObject text(file, options_, spool_);
    file.write(usda_header(options_, text.time_code(spool_.num_frames() - 1)));
    for (std::size_t k = 0; k < objects_.size(); ++k) {
        const ObjectParts& parts = spool_.parts()[k];
        std::vector<Prim> prims;
        if (parts.faces.rows() > 0)
            prims.push_back(mesh_prim(parts.faces));
        if (parts.edges.rows() > 0)
            prims.push_back(curves_prim(parts.edges, objects_[k].radius > 0 ? 2 * objects_[k].radius : width));
        if (!parts.points.empty())
            prims.push_back(points_prim(parts.points, width));
        text.begin(identifiers[k], names[k]);
        for (const Prim& prim : prims) {
            text.begin_prim(prim, objects_[k].color);
            if (spool_.is_moving(k))
                text.moving_points(k, prim.points);
            else
                text.still_points(text.rows_of(0, k, prim.points));
            text.end_prim();
        }
        text.end();
    }
    for (std::size_t k = 0; k < planes_.size(); ++k) {
        const FloatRows corners = plane_patch(planes_[k], spool_.box(), spool_.is_flat()).cast<float>();
        text.begin(identifiers[objects_.size() + k], names[objects_.size() + k]);
        text.begin_prim(
            spool_.is_flat() ? curves_prim((Edges(1, 2) << 0, 1).finished(), width)
                             : mesh_prim((Faces(2, 3) << 0, 1, 2, 0, 2, 3).finished()),
            Vec3(0.835, 0.85, 0.87));
        text.still_points(corners);
        text.end_prim();
        text.end();
    }
    file.write("}\n");
    file.finish();
}

} // namespace abut
