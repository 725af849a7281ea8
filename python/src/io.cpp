#include "abut/io/msh.hpp"
#include "abut/io/obj.hpp"
#include "module.hpp"
#include "paths.hpp"

namespace abut::python {

void def_io(py::module_& m)
{
    m.def(
        "read_obj",
        [](const py::object& path, std::uint64_t max_bytes) {
            const std::filesystem::path file = path_argument(path, "path");
            return without_gil([&] { return read_obj(file, {.max_bytes = max_bytes}); });
        },
        "path"_a, py::kw_only(), "max_bytes"_a = std::uint64_t(ObjOptions().max_bytes),
        "Reads a Wavefront OBJ file as MeshData in 3D [m]: vertices, faces (polygons become triangles) and polylines. "
        "Files of more than `max_bytes` raise LimitReached.");
    m.def(
        "parse_obj",
        [](const std::string& text, const std::string& name) {
            return without_gil([&] { return parse_obj(text, name); });
        },
        "text"_a, py::kw_only(), "name"_a = "<text>",
        "Reads OBJ text as read_obj reads a file; `name` stands for the file in messages.");
    m.def(
        "write_obj",
        [](const py::object& path, const MeshData& mesh) {
            const std::filesystem::path file = path_argument(path, "path");
            without_gil([&] { write_obj(file, mesh); });
        },
        "path"_a, "mesh"_a,
        "Writes the vertices, edges and faces of a MeshData as OBJ, so that reading it back gives the same bits; a 2D "
        "mesh gets z = 0. Tets are rejected. On failure a file that existed before is unchanged.");
    m.def(
        "read_msh",
        [](const py::object& path, std::uint64_t max_bytes) {
            const std::filesystem::path file = path_argument(path, "path");
            return without_gil([&] { return read_msh(file, {.max_bytes = max_bytes}); });
        },
        "path"_a, py::kw_only(), "max_bytes"_a = std::uint64_t(MshOptions().max_bytes),
        "Reads a Gmsh MSH file, version 4.1 or 2.2 in ASCII, as MeshData in 3D [m]: its tetrahedra, or its triangles "
        "where it "
        "has none, and the vertices that they use. Tetrahedra without positive volume raise InvalidStart, files of "
        "more than "
        "`max_bytes` LimitReached.");
    m.def(
        "parse_msh",
        [](const std::string& text, const std::string& name) {
            return without_gil([&] { return parse_msh(text, name); });
        },
        "text"_a, py::kw_only(), "name"_a = "<text>",
        "Reads MSH text as read_msh reads a file; `name` stands for the file in messages.");
}

} // namespace abut::python
