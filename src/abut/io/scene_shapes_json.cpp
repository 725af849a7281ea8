// Geometries of a scene's objects from JSON: mesh files, and shapes of abut::generate.

#include "abut/base/error.hpp"
#include "abut/io/msh.hpp"
#include "abut/io/obj.hpp"
#include "abut/io/scene_parts_json.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/generate/strand_generators.hpp"

#include <algorithm>
#include <optional>

namespace abut {

namespace {

MeshData solid_shape(SceneReader& json, const std::string& name)
{
    if (name == "tet_box")
        return generate::tet_box(
            {.size = json.vector("size", "a box"), .subdivisions = json.integers<3>("subdivisions")});
    if (name == "tet_ball")
        return generate::tet_ball({.radius = json.number("radius"), .shells = json.integer("shells")});
    if (name == "mat")
        return generate::mat(
            {.width = json.number("width"),
             .thickness = json.number("thickness"),
             .cells = json.integer("cells"),
             .layers = json.integer("layers")});
    if (name == "tet_cone")
        return generate::tet_cone(
            {.radius = json.number("radius"),
             .height = json.number("height"),
             .segments = json.integer("segments"),
             .subdivisions = json.integer("subdivisions")});
    if (name == "tet_torus")
        return generate::tet_torus(
            {.major_radius = json.number("major_radius"),
             .minor_radius = json.number("minor_radius"),
             .major_segments = json.integer("major_segments"),
             .minor_segments = json.integer("minor_segments"),
             .rings = json.integer("rings")});
    return generate::tet_prism(
        {.corners = json.points("corners"),
         .depth = json.number("depth"),
         .subdivisions = json.integer("subdivisions"),
         .layers = json.integer("layers")});
}

MeshData surface_shape(SceneReader& json, const std::string& name)
{
    if (name == "revolved")
        return generate::revolved({.profile = json.points("profile"), .segments = json.integer("segments")});
    if (name == "box")
        return generate::box({.size = json.vector("size", "a box"), .subdivisions = json.integers<3>("subdivisions")});
    if (name == "icosphere")
        return generate::icosphere({.radius = json.number("radius"), .subdivisions = json.integer("subdivisions")});
    if (name == "cylinder")
        return generate::cylinder(
            {.radius = json.number("radius"),
             .height = json.number("height"),
             .segments = json.integer("segments"),
             .rings = json.integer("rings"),
             .closed = json.boolean("closed"),
             .cap_rings = json.integer("cap_rings")});
    if (name == "torus")
        return generate::torus(
            {.major_radius = json.number("major_radius"),
             .minor_radius = json.number("minor_radius"),
             .major_segments = json.integer("major_segments"),
             .minor_segments = json.integer("minor_segments")});
    const generate::GridOptions options{
        .size = json.vector("size", "a sheet").head<2>(), .cells = json.integers<2>("cells")};
    return name == "cloth" ? generate::cloth(options) : generate::plane_grid(options);
}

/// A rectangle in the plane: a sheet seen from above, with x and y.
MeshData rectangle(SceneReader& json)
{
    const MeshData sheet = generate::plane_grid(
        {.size = json.vector("size", "a rectangle").head<2>(), .cells = json.integers<2>("cells")});
    MeshData flat;
    flat.vertices.resize(sheet.vertices.rows(), 2);
    flat.vertices.col(0) = sheet.vertices.col(0);
    flat.vertices.col(1) = -sheet.vertices.col(2); // so that triangles that face +y turn counter-clockwise
    flat.faces = sheet.faces;
    return flat;
}

/// One of the shapes of edges; nothing for the others.
std::optional<MeshData> strand_shape(SceneReader& json, const std::string& name)
{
    if (name == "rod")
        return generate::rod({.length = json.number("length"), .segments = json.integer("segments")});
    if (name == "helix")
        return generate::helix(
            {.radius = json.number("radius"),
             .pitch = json.number("pitch"),
             .turns = json.number("turns"),
             .segments = json.integer("segments")});
    if (name == "ring")
        return generate::ring({.radius = json.number("radius"), .segments = json.integer("segments")});
    if (name == "spring")
        return generate::spring(
            {.radius = json.number("radius"),
             .pitch = json.number("pitch"),
             .turns = json.integer("turns"),
             .hook_radius = json.number("hook_radius"),
             .strand_radius = json.number("strand_radius"),
             .segments = json.integer("segments")});
    if (name == "knot")
        return generate::knot(
            {.half_turns = json.integer("half_turns"),
             .loop_radius = json.number("loop_radius"),
             .length = json.number("length"),
             .strand_radius = json.number("strand_radius"),
             .segments = json.integer("segments")});
    if (name == "rope")
        return generate::rope(
            {.length = json.number("length"),
             .strands = json.integer("strands"),
             .radius = json.number("radius"),
             .turns = json.number("turns"),
             .strand_radius = json.number("strand_radius"),
             .segments = json.integer("segments")});
    if (name == "knit")
        return generate::knit(
            {.rows = json.integer("rows"),
             .columns = json.integer("columns"),
             .stitch_width = json.number("stitch_width"),
             .strand_radius = json.number("strand_radius"),
             .segments = json.integer("segments")});
    if (name == "grains")
        return generate::grains(
            {.size = json.vector("size", "a block of grains").head<3>(), .counts = json.integers<3>("counts")});
    if (name == "net")
        return generate::net(
            {.size = json.vector("size", "a net").head<2>(),
             .meshes = json.integers<2>("meshes"),
             .segments = json.integer("segments")});
    if (name == "web")
        return generate::web(
            {.radius = json.number("radius"),
             .hub_radius = json.number("hub_radius"),
             .spokes = json.integer("spokes"),
             .turns = json.integer("turns"),
             .segments = json.integer("segments")});
    if (name == "fur")
        return generate::fur(
            {.radius = json.number("radius"),
             .gap = json.number("gap"),
             .hairs = json.integer("hairs"),
             .length = json.number("length"),
             .strand_radius = json.number("strand_radius"),
             .segments = json.integer("segments")});
    if (name == "chain_mail")
        return generate::chain_mail(
            {.rows = json.integer("rows"),
             .columns = json.integer("columns"),
             .ring_radius = json.number("ring_radius"),
             .strand_radius = json.number("strand_radius"),
             .segments = json.integer("segments")});
    return std::nullopt;
}

MeshData generated(SceneReader& json)
{
    const std::string name = json.word("generate");
    json.use_variant(name);
    if (name == "mat" || name.starts_with("tet_"))
        return solid_shape(json, name);
    if (name == "rectangle")
        return rectangle(json);
    if (name == "polygon")
        return generate::polygon({.corners = json.points("corners"), .subdivisions = json.integer("subdivisions")});
    if (std::optional<MeshData> strands = strand_shape(json, name))
        return std::move(*strands);
    return surface_shape(json, name);
}

/// The mesh of a file that says of itself that it lies in the plane z = 0, with x and y alone.
MeshData in_plane(SceneReader& json, const MeshData& mesh)
{
    if (mesh.tets.rows() > 0)
        json.reject_value("in_plane", "the file has tetrahedra, which lie in no plane; leave it out");
    for (Eigen::Index v = 0; v < mesh.vertices.rows(); ++v)
        if (mesh.vertices(v, 2) != 0)
            json.reject_value(
                "in_plane",
                fmt::format(
                    "z of vertex {} is {}; it must be 0 in the file, or leave this out", v, mesh.vertices(v, 2)));
    MeshData flat = mesh;
    flat.vertices = mesh.vertices.leftCols(2).eval();
    return flat;
}

/// Runs read(); what it throws gets the place in front.
template <typename Read>
MeshData read_at(const std::string& pointer, Read&& read)
{
    const auto placed = [&](const Error& error) {
        const std::string what = error.what();
        return what.starts_with(pointer) ? what : pointer + ": " + what;
    };
    try {
        return read();
    } catch (const InvalidInput& error) {
        throw InvalidInput(placed(error));
    } catch (const LimitReached& error) {
        throw LimitReached(placed(error));
    } catch (const InputOutput& error) {
        throw InputOutput(placed(error));
    }
}

} // namespace

MeshData read_geometry(SceneReader json, const SceneFiles& files)
{
    MeshData mesh;
    if (json.has("file")) {
        const std::filesystem::path file = json.string("file", "");
        const std::filesystem::path path = file.is_absolute() ? file : files.folder / file;
        std::string extension = file.extension().string();
        std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) {
            return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : char(c);
        });
        if (extension != ".obj" && extension != ".msh")
            json.reject_value(
                "file", fmt::format("'{}' ends neither in .obj nor in .msh (Gmsh); give one of these", file.string()));
        mesh = read_at(json.pointer("file"), [&] {
            return extension == ".msh" ? read_msh(path, {.keeps_inverted = files.keeps_inverted}) : read_obj(path);
        });
        if (json.boolean("in_plane"))
            mesh = in_plane(json, mesh);
    } else if (json.has("generate")) {
        if (json.has("in_plane"))
            json.reject_value(
                "in_plane",
                "only with \"file\", as a shape says itself where it lies: \"rectangle\" and \"polygon\" are in "
                "the plane; leave it out");
        mesh = read_at(json.pointer(), [&] { return generated(json); });
    } else
        reject("{}: {}", json.pointer(), "a geometry needs \"file\" (an OBJ or MSH file) or \"generate\" (a shape)");
    json.finish();
    return mesh;
}

} // namespace abut
