#include "abut/mesh/collision_mesh.hpp"

#include "abut/base/error.hpp"
#include "abut/mesh/diagnostics.hpp"
#include "collision_filter.hpp"
#include "module.hpp"

#include <pybind11/stl.h>

namespace abut::python {

namespace {

/// The arrays and options that make a mesh, checked and copied.
struct MeshArguments {
    Positions vertices;
    Elements edges, faces;
    CollisionMeshOptions options;
};

/// A point or normal of a plane, of as many coordinates as the vertices; z is 0 in 2D.
Vec3 plane_vector_argument(py::handle value, const std::string& name, Eigen::Index dim)
{
    const Eigen::RowVectorXd vector = point_argument(value, name.c_str());
    if (vector.size() != dim)
        reject("{}: expected {} coordinates as the vertices have, got {}", name, dim, vector.size());
    Vec3 lifted = Vec3::Zero();
    lifted.head(dim) = vector.transpose();
    return lifted;
}

/// (point, normal) of each plane. None is empty.
std::vector<Plane> planes_argument(const py::object& value, Eigen::Index dim)
{
    std::vector<Plane> planes;
    if (value.is_none())
        return planes;
    if (!py::isinstance<py::iterable>(value))
        throw py::type_error(fmt::format(
            "planes: expected a list of (point, normal), got {}",
            std::string(py::str(py::type::handle_of(value).attr("__name__")))));
    for (const py::handle item : value) {
        const std::string name = fmt::format("planes[{}]", planes.size());
        if (!py::isinstance<py::sequence>(item) && !py::isinstance<py::array>(item))
            throw py::type_error(fmt::format(
                "{}: expected (point, normal), got {}", name,
                std::string(py::str(py::type::handle_of(item).attr("__name__")))));
        const std::size_t size = py::len(item);
        if (size != 2)
            reject("{}: expected (point, normal), got {} items", name, size);
        const py::object point = item[py::int_(0)], normal = item[py::int_(1)];
        planes.push_back(
            {plane_vector_argument(point, name + ".point", dim), plane_vector_argument(normal, name + ".normal", dim)});
    }
    return planes;
}

CollisionMeshOptions options_argument(
    const ArrayLike& body_ids, const ArrayLike& material_ids, const py::object& filter,
    const SparseLike& displacement_map, const py::object& planes, const Positions& vertices)
{
    CollisionMeshOptions options;
    options.body_ids = integers_argument(body_ids, "body_ids");
    options.material_ids = integers_argument(material_ids, "material_ids");
    options.filter = filter_argument(filter, "filter");
    if (!displacement_map.is_none()) {
        const SparseEntries map = sparse_argument(displacement_map, "displacement_map");
        if (map.cols == 0)
            reject("displacement_map: it has no columns; give one per node of the full mesh, or no map");
        if (map.rows != vertices.rows())
            reject("displacement_map: {} rows for {} vertices; give one per vertex", map.rows, vertices.rows());
        if (map.cols > max_vertices / vertices.cols())
            throw LimitReached(fmt::format(
                "displacement_map: {} columns exceed the limit of {} nodes", map.cols, max_vertices / vertices.cols()));
        options.displacement_map = map.to<Eigen::SparseMatrix<double, Eigen::RowMajor>>();
    }
    options.planes = planes_argument(planes, vertices.cols());
    return options;
}

MeshArguments mesh_arguments(
    const ArrayLike& vertices, const ArrayLike& edges, const ArrayLike& faces, const ArrayLike& body_ids,
    const ArrayLike& material_ids, const py::object& filter, const SparseLike& displacement_map,
    const py::object& planes)
{
    MeshArguments arguments;
    arguments.vertices = positions_argument(vertices, "vertices");
    arguments.edges = elements_argument(edges, "edges", 2, arguments.vertices.rows());
    arguments.faces = elements_argument(faces, "faces", 3, arguments.vertices.rows());
    arguments.options = options_argument(body_ids, material_ids, filter, displacement_map, planes, arguments.vertices);
    return arguments;
}

/// The docstring of a constructor, followed by what all of them have in common.
std::string with_options(const char* doc)
{
    return std::string(doc) + R"(

body_ids: body of each vertex, (#V,) integers; by default each connected component is a body.
material_ids: material of each vertex, (#V,) integers; by default 0.
filter: a CollisionFilter, or a callable of two vertices that returns a bool; by default everything may collide.
displacement_map: scipy.sparse matrix (#V, #nodes) by which displacements of the full mesh's nodes move the vertices; by
default vertex i is node i.
planes: static obstacles that all vertices stay out of, as a list of (point, normal), each (dim,); normals point to the
free side and may have any length but 0.)";
}

using MeshClass = py::class_<CollisionMesh>;

void def_constructors(MeshClass& type)
{
    type.def(
        py::init([](const MeshData& data, const ArrayLike& body_ids, const ArrayLike& material_ids,
                    const py::object& filter, const SparseLike& displacement_map, const py::object& planes) {
            const CollisionMeshOptions options =
                options_argument(body_ids, material_ids, filter, displacement_map, planes, data.vertices);
            return without_gil([&] { return std::make_unique<CollisionMesh>(data, options); });
        }),
        "data"_a, py::kw_only(), "body_ids"_a = py::none(), "material_ids"_a = py::none(), "filter"_a = py::none(),
        "displacement_map"_a = py::none(), "planes"_a = py::none(),
        with_options("The vertices, edges and faces of `data`; where it has tetrahedra, their surface and the vertices "
                     "on it.")
            .c_str());

    type.def(
        py::init([](const ArrayLike& vertices, const ArrayLike& edges, const ArrayLike& faces,
                    const ArrayLike& body_ids, const ArrayLike& material_ids, const py::object& filter,
                    const SparseLike& displacement_map, const py::object& planes) {
            const MeshArguments a =
                mesh_arguments(vertices, edges, faces, body_ids, material_ids, filter, displacement_map, planes);
            return without_gil(
                [&] { return std::make_unique<CollisionMesh>(a.vertices, a.edges, a.faces, a.options); });
        }),
        "vertices"_a, "edges"_a = py::none(), "faces"_a = py::none(), py::kw_only(), "body_ids"_a = py::none(),
        "material_ids"_a = py::none(), "filter"_a = py::none(), "displacement_map"_a = py::none(),
        "planes"_a = py::none(),
        with_options(
            "From vertices (#V, 2 or 3), the rest positions [m], edges (#E, 2) and faces (#F, 3). The edges of "
            "faces need not be listed. In 2D there are no faces.")
            .c_str());

    type.def_static(
        "build_from_full_mesh",
        [](const ArrayLike& vertices, const ArrayLike& edges, const ArrayLike& faces, const ArrayLike& body_ids,
           const ArrayLike& material_ids, const py::object& filter, const SparseLike& displacement_map,
           const py::object& planes) {
            const MeshArguments a =
                mesh_arguments(vertices, edges, faces, body_ids, material_ids, filter, displacement_map, planes);
            return without_gil(
                [&] { return CollisionMesh::build_from_full_mesh(a.vertices, a.edges, a.faces, a.options); });
        },
        "vertices"_a, "edges"_a = py::none(), "faces"_a = py::none(), py::kw_only(), "body_ids"_a = py::none(),
        "material_ids"_a = py::none(), "filter"_a = py::none(), "displacement_map"_a = py::none(),
        "planes"_a = py::none(),
        with_options("Keeps the vertices of a full mesh (#V, 2 or 3) [m] that the edges (#E, 2) and faces (#F, 3) use, "
                     "and remembers where they came from.")
            .c_str());

    type.def_static(
        "build_from_selection",
        [](const ArrayLike& vertices, const ArrayLike& include_vertex, const ArrayLike& edges, const ArrayLike& faces,
           const ArrayLike& body_ids, const ArrayLike& material_ids, const py::object& filter,
           const SparseLike& displacement_map, const py::object& planes) {
            const MeshArguments a =
                mesh_arguments(vertices, edges, faces, body_ids, material_ids, filter, displacement_map, planes);
            const std::vector<bool> include = flags_argument(include_vertex, "include_vertex");
            return without_gil(
                [&] { return CollisionMesh::build_from_selection(a.vertices, include, a.edges, a.faces, a.options); });
        },
        "vertices"_a, "include_vertex"_a, "edges"_a = py::none(), "faces"_a = py::none(), py::kw_only(),
        "body_ids"_a = py::none(), "material_ids"_a = py::none(), "filter"_a = py::none(),
        "displacement_map"_a = py::none(), "planes"_a = py::none(),
        with_options("Keeps the vertices of a full mesh (#V, 2 or 3) [m] whose flag in `include_vertex` (#V,) is set; "
                     "edges (#E, 2) and faces (#F, 3) may use only these.")
            .c_str());
}

/// Defines an array as a property. A CollisionMesh never changes, so views of it stay valid.
template <typename Get>
void def_array(MeshClass& type, const char* name, Get get, const char* doc)
{
    type.def_property_readonly(
        name, [get](const py::object& self) { return view(get(py::cast<const CollisionMesh&>(self)), self); }, doc);
}

void def_arrays(MeshClass& type)
{
    using Mesh = CollisionMesh;
    type.def_property_readonly("dim", &Mesh::dim, "2 or 3.");
    type.def_property_readonly("num_vertices", &Mesh::num_vertices, "Number of vertices.");
    type.def_property_readonly("num_edges", &Mesh::num_edges, "Number of edges.");
    type.def_property_readonly("num_faces", &Mesh::num_faces, "Number of faces.");
    type.def_property_readonly("ndof", &Mesh::ndof, "num_vertices * dim.");
    type.def_property_readonly("full_num_vertices", &Mesh::full_num_vertices, "Vertices (or nodes) of the full mesh.");
    type.def_property_readonly("full_ndof", &Mesh::full_ndof, "full_num_vertices * dim.");

    def_array(
        type, "rest_positions", [](const Mesh& m) -> const Positions& { return m.rest_positions(); },
        "Rest positions (#V, dim) [m]; read-only.");
    def_array(
        type, "edges", [](const Mesh& m) -> const Edges& { return m.edges(); },
        "Edges (#E, 2): the given ones, then the remaining edges of faces, sorted; read-only.");
    def_array(
        type, "faces", [](const Mesh& m) -> const Faces& { return m.faces(); }, "Faces (#F, 3); read-only.");
    def_array(
        type, "faces_to_edges", [](const Mesh& m) -> const Faces& { return m.faces_to_edges(); },
        "Edges of each face (#F, 3): [f, k] joins corners k and k + 1; read-only.");
    def_array(
        type, "codim_vertices", [](const Mesh& m) { return std::span<const int>(m.codim_vertices()); },
        "Vertices in no edge (n,); read-only.");
    def_array(
        type, "codim_edges", [](const Mesh& m) { return std::span<const int>(m.codim_edges()); },
        "Edges in no face (n,); read-only.");
    def_array(
        type, "vertex_areas", [](const Mesh& m) { return as_span(m.vertex_areas()); },
        "Rest area of each vertex (#V,): a third of its faces [m²]; without faces half the length of its edges [m]; "
        "else 1. Read-only.");
    def_array(
        type, "edge_areas", [](const Mesh& m) { return as_span(m.edge_areas()); },
        "Rest area of each edge (#E,): a third of its faces [m²]; without faces its length [m]. Read-only.");
    def_array(
        type, "body_ids", [](const Mesh& m) { return std::span<const int>(m.body_ids()); },
        "Body of each vertex (#V,); read-only.");
    def_array(
        type, "material_ids", [](const Mesh& m) { return std::span<const int>(m.material_ids()); },
        "Material of each vertex (#V,); read-only.");
    def_array(
        type, "vertex_components", [](const Mesh& m) { return std::span<const int>(m.components().vertex_component); },
        "Connected component of each vertex (#V,), an index into `components`; read-only.");
    type.def_property_readonly(
        "components", [](const Mesh& m) { return m.components().components; },
        "Connected components as a list of Component, in order of their smallest vertex.");
    type.def_property_readonly(
        "filter", [](const Mesh& m) { return BoundedFilter(m.filter(), m.num_vertices()); },
        "The CollisionFilter, by the indices of this mesh.");
    type.def_property_readonly(
        "planes",
        [](const Mesh& m) {
            py::list planes;
            const auto vector = [&](const Vec3& v) { return to_numpy(as_span(v).first(m.dim())); };
            for (const Plane& plane : m.planes())
                planes.append(py::make_tuple(vector(plane.point), vector(plane.normal)));
            return planes;
        },
        "Static obstacles as a list of (point, normal), each (dim,); normals point to the free side and have length "
        "1.");
}

void def_adjacency(MeshClass& type)
{
    using Mesh = CollisionMesh;
    type.def(
        "vertex_edges",
        [](const Mesh& m, std::int64_t vertex) {
            return to_numpy(m.vertex_edges(index_argument(vertex, m.num_vertices(), "vertex")));
        },
        "vertex"_a, "Edges at a vertex (n,) int32, ascending.");
    type.def(
        "vertex_faces",
        [](const Mesh& m, std::int64_t vertex) {
            return to_numpy(m.vertex_faces(index_argument(vertex, m.num_vertices(), "vertex")));
        },
        "vertex"_a, "Faces at a vertex (n,) int32, ascending.");
    type.def(
        "edge_faces",
        [](const Mesh& m, std::int64_t edge) {
            return to_numpy(m.edge_faces(index_argument(edge, m.num_edges(), "edge")));
        },
        "edge"_a, "Faces at an edge (n,) int32, ascending: none, one, two or, where not manifold, more.");
    type.def(
        "edge_opposites",
        [](const Mesh& m, std::int64_t edge) {
            return to_numpy(m.edge_opposites(index_argument(edge, m.num_edges(), "edge")));
        },
        "edge"_a, "For each face of edge_faces(edge), its vertex that is not on the edge (n,) int32.");
    type.def(
        "one_ring",
        [](const Mesh& m, std::int64_t vertex) {
            const int v = index_argument(vertex, m.num_vertices(), "vertex");
            py::list fans;
            for (int k = 0; k < m.one_rings().num_fans(v); ++k) {
                const auto fan = m.one_rings().fan(v, k);
                fans.append(py::make_tuple(to_numpy(fan.neighbors), fan.is_closed));
            }
            return fans;
        },
        "vertex"_a,
        R"(Neighbours of a vertex in the order in which its faces meet them, as a list of fans (neighbours, is_closed).

Neighbours are (n,) int32 and turn counter-clockwise about the faces' normals. A vertex inside a manifold surface has
one closed fan, on its border one open fan.)");
    type.def(
        "is_on_boundary",
        [](const Mesh& m, std::int64_t vertex) {
            return m.is_on_boundary(index_argument(vertex, m.num_vertices(), "vertex"));
        },
        "vertex"_a, "Is the vertex on an open border or the end of a curve?");
    type.def(
        "can_collide",
        [](const Mesh& m, std::int64_t vertex_i, std::int64_t vertex_j) {
            return m.can_collide(
                index_argument(vertex_i, m.num_vertices(), "vertex_i"),
                index_argument(vertex_j, m.num_vertices(), "vertex_j"));
        },
        "vertex_i"_a, "vertex_j"_a, "May these two vertices of this mesh collide?");
}

void def_full_mesh(MeshClass& type)
{
    using Mesh = CollisionMesh;
    type.def(
        "to_full_vertex_id",
        [](const Mesh& m, std::int64_t vertex) {
            return m.to_full_vertex_id(index_argument(vertex, m.num_vertices(), "vertex"));
        },
        "vertex"_a, "The full mesh's vertex behind a vertex of this mesh. Rejected where there is a displacement map.");
    type.def(
        "vertices",
        [](const Mesh& m, const ArrayLike& full_positions) {
            const Positions full = positions_argument(full_positions, "full_positions");
            return matrix_to_numpy(without_gil([&] { return m.vertices(full); }));
        },
        "full_positions"_a,
        "Positions (#V, dim) [m] of this mesh's vertices, for those of the full mesh (full_num_vertices, dim). "
        "Rejected "
        "where there is a displacement map.");
    type.def(
        "map_displacements",
        [](const Mesh& m, const ArrayLike& full_displacements) {
            const Positions full = positions_argument(full_displacements, "full_displacements");
            return matrix_to_numpy(without_gil([&] { return m.map_displacements(full); }));
        },
        "full_displacements"_a,
        "Displacements (#V, dim) [m] of this mesh's vertices, for those of the full mesh (full_num_vertices, dim).");
    type.def(
        "displace_vertices",
        [](const Mesh& m, const ArrayLike& full_displacements) {
            const Positions full = positions_argument(full_displacements, "full_displacements");
            return matrix_to_numpy(without_gil([&] { return m.displace_vertices(full); }));
        },
        "full_displacements"_a, "Rest positions plus map_displacements(full_displacements), (#V, dim) [m].");
    type.def(
        "to_full_dof",
        [](const Mesh& m, const py::object& derivative) -> py::object {
            if (is_sparse(derivative)) {
                const SparseEntries entries = sparse_argument(derivative, "derivative");
                if (entries.rows != m.ndof() || entries.cols != m.ndof())
                    reject(
                        "derivative: expected a Hessian of shape ({0}, {0}), got ({1}, {2})", m.ndof(), entries.rows,
                        entries.cols);
                const auto hessian = entries.to<Eigen::SparseMatrix<double>>();
                return to_scipy(without_gil([&] { return m.to_full_dof(hessian); }));
            }
            const Eigen::VectorXd gradient = vector_argument(derivative, "derivative");
            const Eigen::VectorXd full = without_gil([&] { return m.to_full_dof(gradient); });
            return to_numpy(as_span(full));
        },
        "derivative"_a,
        R"(A derivative by this mesh's vertices, as one by the full mesh's nodes.

A gradient (ndof,) becomes one of (full_ndof,); a Hessian, a scipy.sparse matrix (ndof, ndof), becomes a csc_matrix
(full_ndof, full_ndof).)");
}

void def_component(py::module_& m)
{
    py::class_<Component>(m, "Component", "A connected part of a mesh.")
        .def_readonly("num_vertices", &Component::num_vertices, "Number of vertices.")
        .def_readonly("num_edges", &Component::num_edges, "Number of edges.")
        .def_readonly("num_faces", &Component::num_faces, "Number of faces.")
        .def_readonly(
            "is_closed", &Component::is_closed, "In 3D: has every edge two faces? In 2D: has every vertex two edges?")
        .def_readonly(
            "is_oriented", &Component::is_oriented,
            "Do neighbouring faces (in 2D, edges) agree on which side is outside?")
        .def_property_readonly(
            "is_closed_and_oriented", &Component::is_closed_and_oriented, "Has it an inside and an outside?")
        .def("__repr__", [](const Component& c) {
            return fmt::format(
                "<abut.Component: {} vertices, {} edges, {} faces, {}, {}>", c.num_vertices, c.num_edges, c.num_faces,
                c.is_closed ? "closed" : "open", c.is_oriented ? "oriented" : "not oriented");
        });
}

void def_diagnostics(py::module_& m)
{
    using Found = MeshDiagnostics;
    py::class_<Found>(m, "MeshDiagnostics", "What is unusual about a mesh: accepted for contact, but worth knowing.")
        .def_readonly(
            "coincident_vertices", &Found::coincident_vertices, "Pairs (first, later one at exactly the same place).")
        .def_readonly("zero_length_edges", &Found::zero_length_edges, "Edges of length zero.")
        .def_readonly("zero_area_faces", &Found::zero_area_faces, "Faces of area zero.")
        .def_readonly("non_manifold_edges", &Found::non_manifold_edges, "Edges of more than two faces.")
        .def_readonly(
            "inconsistent_edges", &Found::inconsistent_edges, "Edges whose two faces disagree on the outside.")
        .def_readonly("boundary_edges", &Found::boundary_edges, "Edges of one face; expected on cloth.")
        .def_readonly(
            "unreferenced_vertices", &Found::unreferenced_vertices, "Vertices in no edge or face: loose points.")
        .def_property_readonly("is_clean", &Found::is_clean, "No findings? Borders and loose points are none.")
        .def_property_readonly(
            "summary", &Found::summary,
            "One line a finding: its count, the first ten ids, what it means and the cure; empty when clean.")
        .def("__str__", &Found::summary);
}

} // namespace

void def_collision_mesh(py::module_& m)
{
    def_component(m);
    def_diagnostics(m);
    MeshClass type(
        m, "CollisionMesh",
        "The mesh that contact sees: vertices, edges and faces with their adjacency and rest measures, and its "
        "relation "
        "to the full mesh that is simulated. Immutable.");
    def_constructors(type);
    def_arrays(type);
    def_adjacency(type);
    def_full_mesh(type);
    type.def(
        "diagnose", [](const CollisionMesh& mesh) { return without_gil([&] { return diagnose(mesh); }); },
        "Looks for coincident vertices, degenerate elements and inconsistent orientation.");
    type.def("__repr__", [](const CollisionMesh& mesh) {
        return fmt::format(
            "<abut.CollisionMesh: {} vertices in {}D, {} edges, {} faces>", mesh.num_vertices(), mesh.dim(),
            mesh.num_edges(), mesh.num_faces());
    });
}

} // namespace abut::python
