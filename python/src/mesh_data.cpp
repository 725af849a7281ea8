// MeshData, and functions of index arrays.

#include "abut/mesh/mesh_data.hpp"

#include "abut/base/error.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/mesh/validate.hpp"
#include "arrays.hpp"
#include "module.hpp"

namespace abut::python {

namespace {

MeshData make_mesh_data(py::handle vertices, py::handle edges, py::handle faces, py::handle tets)
{
    MeshData data;
    data.vertices = positions_argument(vertices, "vertices");
    data.edges = elements_argument(edges, "edges", 2, data.vertices.rows());
    data.faces = elements_argument(faces, "faces", 3, data.vertices.rows());
    data.tets = elements_argument(tets, "tets", 4, data.vertices.rows());
    return data;
}

/// Defines an array as a property. MeshData never changes in Python, so views of it stay valid.
template <typename Array>
void def_array(py::class_<MeshData>& type, const char* name, Array MeshData::*array, const char* doc)
{
    type.def_property_readonly(
        name, [array](const py::object& self) { return view(py::cast<const MeshData&>(self).*array, self); }, doc);
}

std::string describe(const MeshData& data)
{
    return fmt::format(
        "<abut.MeshData: {} vertices in {}D, {} edges, {} faces, {} tets>", data.vertices.rows(), data.vertices.cols(),
        data.edges.rows(), data.faces.rows(), data.tets.rows());
}

void def_topology(py::module_& m)
{
    m.def(
        "edges",
        [](const ArrayLike& faces) {
            const Elements checked = elements_argument(faces, "faces", 3);
            return elements_to_numpy(without_gil([&] { return edges(checked); }));
        },
        "faces"_a, "The edges (#E, 2) int32 of triangles (#F, 3), each once as (smaller, larger), sorted.");
    m.def(
        "boundary_edges",
        [](const ArrayLike& faces) {
            const Elements checked = elements_argument(faces, "faces", 3);
            return elements_to_numpy(without_gil([&] { return boundary_edges(checked); }));
        },
        "faces"_a,
        "The edges (#E, 2) int32 of triangles (#F, 3) that belong to one triangle only, directed as in it, in order of "
        "their triangle.");
    m.def(
        "boundary_faces",
        [](const ArrayLike& tets) {
            const Tets checked = elements_argument(tets, "tets", 4);
            return elements_to_numpy(without_gil([&] { return boundary_faces(checked); }));
        },
        "tets"_a,
        "The triangles (#F, 3) int32 of tetrahedra (#T, 4) that belong to one tetrahedron only, outward oriented, in "
        "order of their tetrahedron.");
    m.def(
        "validate_tets",
        [](const ArrayLike& vertices, const ArrayLike& tets) {
            const Positions positions = positions_argument(vertices, "vertices");
            const Tets checked = elements_argument(tets, "tets", 4, positions.rows());
            without_gil([&] { validate_tets(positions, checked); });
        },
        "vertices"_a, "tets"_a,
        "Raises InvalidStart, naming the first ten, unless every tetrahedron (#T, 4) of the vertices (#V, 3) [m] has "
        "positive volume, by exact arithmetic.");
}

} // namespace

void def_mesh_data(py::module_& m)
{
    py::class_<MeshData> type(
        m, "MeshData",
        "Plain mesh arrays: what readers and generators return and CollisionMesh is built from. Immutable; its arrays "
        "are read-only views, so copy them to change them.");
    type.def(
        py::init([](const ArrayLike& vertices, const ArrayLike& edges, const ArrayLike& faces, const ArrayLike& tets) {
            return make_mesh_data(vertices, edges, faces, tets);
        }),
        "vertices"_a, "edges"_a = py::none(), "faces"_a = py::none(), "tets"_a = py::none(),
        "From vertices (#V, 2 or 3) [m], and edges (#E, 2), faces (#F, 3) and tets (#T, 4) of their indices.");
    def_array(type, "vertices", &MeshData::vertices, "Positions (#V, 2 or 3) float64 [m].");
    def_array(
        type, "edges", &MeshData::edges, "Edges of curves (#E, 2) int32; those of faces and tets are not listed.");
    def_array(type, "faces", &MeshData::faces, "Triangles (#F, 3) int32, counter-clockwise seen from outside.");
    def_array(type, "tets", &MeshData::tets, "Tetrahedra (#T, 4) int32 of positive volume.");
    type.def(
        "translated",
        [](const MeshData& self, const ArrayLike& offset) {
            return translated(self, vector_argument(offset, "offset"));
        },
        "offset"_a, "The mesh with every vertex x moved to x + offset (dim,) [m].");
    type.def(
        "transformed",
        [](const MeshData& self, const ArrayLike& linear) {
            return transformed(self, matrix_argument(linear, "linear"));
        },
        "linear"_a,
        "The mesh with every vertex x moved to linear @ x, for an invertible matrix (dim, dim): a rotation, a scale or "
        "their product. A map that mirrors also turns the elements around, so that outside stays outside.");
    type.def(
        "joined",
        [](const MeshData& self, const MeshData& other) {
            MeshData joined = self;
            append(joined, other);
            return joined;
        },
        "other"_a, "This mesh with the vertices and elements of `other` behind its own.");
    type.def("__repr__", &describe);
    type.def(py::pickle(
        [](const py::object& self) {
            return py::make_tuple(self.attr("vertices"), self.attr("edges"), self.attr("faces"), self.attr("tets"));
        },
        [](const py::tuple& state) {
            if (state.size() != 4)
                reject("MeshData: expected a state of 4 arrays, got {}", state.size());
            return make_mesh_data(state[0], state[1], state[2], state[3]);
        }));
    def_topology(m);
}

} // namespace abut::python
