// MeshData, its files, and functions of index arrays.

#include "abut/mesh/mesh_data.hpp"

#include "abut/io/msh.hpp"
#include "abut/io/obj.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/mesh/validate.hpp"
#include "bind.hpp"
#include "module.hpp"

namespace abut::python {

namespace {

using Path = std::filesystem::path;

MeshData make_mesh_data(py::handle vertices, py::handle edges, py::handle faces, py::handle tets)
{
    MeshData data;
    data.vertices = positions_argument(vertices, "vertices");
    data.edges = elements_argument(edges, "edges", 2, data.vertices.rows());
    data.faces = elements_argument(faces, "faces", 3, data.vertices.rows());
    data.tets = elements_argument(tets, "tets", 4, data.vertices.rows());
    return data;
}

void def_topology(py::module_& m)
{
    const auto def_of_elements = [&](const char* name, const char* argument, int corners, const char* doc, auto find) {
        def(m, name, py::arg(argument), doc, [=](const ArrayLike& elements) {
            const Elements checked = elements_argument(elements, argument, corners);
            return Elements(without_gil([&] { return find(checked); }));
        });
    };
    def_of_elements(
        "edges", "faces", 3, "The edges (#E, 2) int32 of triangles (#F, 3), each once as (smaller, larger), sorted.",
        [](const Elements& faces) { return edges(faces); });
    def_of_elements(
        "boundary_edges", "faces", 3,
        "The edges (#E, 2) int32 of triangles (#F, 3) that belong to one triangle only, directed as in it, in order of "
        "their triangle.",
        [](const Elements& faces) { return boundary_edges(faces); });
    def_of_elements(
        "boundary_faces", "tets", 4,
        "The triangles (#F, 3) int32 of tetrahedra (#T, 4) that belong to one tetrahedron only, outward oriented, in "
        "order of their tetrahedron.",
        [](const Elements& tets) { return boundary_faces(tets); });
    def(m, "validate_tets", "vertices"_a, "tets"_a,
        "Raises InvalidStart, naming the first ten, unless every tetrahedron (#T, 4) of the vertices (#V, 3) [m] has "
        "positive volume, by exact arithmetic.",
        [](const Positions& vertices, const ArrayLike& tets) {
            const Tets checked = elements_argument(tets, "tets", 4, vertices.rows());
            without_gil([&] { validate_tets(vertices, checked); });
        });
}

void def_files(py::module_& m)
{
    constexpr auto parse_doc = "Reads {} text as read_{} reads a file; `name` stands for the file in messages.";
    def(m, "read_obj", "path"_a, py::kw_only(), options<&ObjOptions::max_bytes>, unlocked,
        "Reads a Wavefront OBJ file as MeshData in 3D [m]: vertices, faces (polygons become triangles) and polylines. "
        "Files of more than `max_bytes` raise LimitReached.",
        [](const Path& path, const ObjOptions& options) { return read_obj(path, options); });
    def(m, "parse_obj", "text"_a, py::kw_only(), "name"_a = "<text>", unlocked, fmt::format(parse_doc, "OBJ", "obj"),
        [](const std::string& text, const std::string& name) { return parse_obj(text, name); });
    def(m, "write_obj", "path"_a, "mesh"_a, unlocked,
        "Writes the vertices, edges and faces of a MeshData as OBJ, so that reading it back gives the same bits; a 2D "
        "mesh gets z = 0. Tets are rejected. On failure a file that existed before is unchanged.",
        [](const Path& path, const MeshData& mesh) { write_obj(path, mesh); });
    def(m, "read_msh", "path"_a, py::kw_only(), options<&MshOptions::max_bytes>, unlocked,
        "Reads a Gmsh MSH file, version 4.1 or 2.2 in ASCII, as MeshData in 3D [m]: its tetrahedra, or its triangles "
        "where it has none, and the vertices that they use. Tetrahedra without positive volume raise InvalidStart, "
        "files of more than `max_bytes` LimitReached.",
        [](const Path& path, const MshOptions& options) { return read_msh(path, options); });
    def(m, "parse_msh", "text"_a, py::kw_only(), "name"_a = "<text>", unlocked, fmt::format(parse_doc, "MSH", "msh"),
        [](const std::string& text, const std::string& name) { return parse_msh(text, name); });
}

} // namespace

void def_mesh_data(py::module_& m)
{
    Class<MeshData> type(
        m, "MeshData",
        "Plain mesh arrays: what readers and generators return and CollisionMesh is built from. Immutable; its arrays "
        "are read-only views, so copy them to change them.");
    type.init(
        "vertices"_a, "edges"_a = py::none(), "faces"_a = py::none(), "tets"_a = py::none(),
        "From vertices (#V, 2 or 3) [m], and edges (#E, 2), faces (#F, 3) and tets (#T, 4) of their indices.",
        [](const ArrayLike& vertices, const ArrayLike& edges, const ArrayLike& faces, const ArrayLike& tets) {
            return make_mesh_data(vertices, edges, faces, tets);
        });
    type.view("vertices", "Positions (#V, 2 or 3) float64 [m].", &MeshData::vertices);
    type.view("edges", "Edges of curves (#E, 2) int32; those of faces and tets are not listed.", &MeshData::edges);
    type.view("faces", "Triangles (#F, 3) int32, counter-clockwise seen from outside.", &MeshData::faces);
    type.view("tets", "Tetrahedra (#T, 4) int32 of positive volume.", &MeshData::tets);
    type.def(
        "translated", "offset"_a, "The mesh with every vertex x moved to x + offset (dim,) [m].",
        [](const MeshData& self, const Eigen::VectorXd& offset) { return translated(self, offset); });
    type.def(
        "transformed", "linear"_a,
        "The mesh with every vertex x moved to linear @ x, for an invertible matrix (dim, dim): a rotation, a scale or "
        "their product. A map that mirrors also turns the elements around, so that outside stays outside.",
        [](const MeshData& self, const ArrayLike& linear) {
            return transformed(self, matrix_argument(linear, "linear"));
        });
    type.def(
        "joined", "other"_a, "This mesh with the vertices and elements of `other` behind its own.",
        [](const MeshData& self, const MeshData& other) {
            MeshData joined = self;
            append(joined, other);
            return joined;
        });
    type.repr([](const MeshData& data) {
        return fmt::format(
            "{} vertices in {}D, {} edges, {} faces, {} tets", data.vertices.rows(), data.vertices.cols(),
            data.edges.rows(), data.faces.rows(), data.tets.rows());
    });
    type.pickle(
        [](const py::object& self) {
            return py::make_tuple(self.attr("vertices"), self.attr("edges"), self.attr("faces"), self.attr("tets"));
        },
        [](const py::tuple& state) {
            if (state.size() != 4)
                reject("MeshData: expected a state of 4 arrays, got {}", state.size());
            return make_mesh_data(state[0], state[1], state[2], state[3]);
        });
    def_topology(m);
    def_files(m);
}

} // namespace abut::python
