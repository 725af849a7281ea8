#include "abut/mesh/collision_mesh.hpp"

#include "abut/detect/rest_gaps.hpp"
#include "abut/mesh/diagnostics.hpp"
#include "abut/mesh/sharp_features.hpp"
#include "collision_filter.hpp"
#include "module.hpp"

#include <pybind11/stl.h>

namespace abut::python {

namespace {

using Mesh = CollisionMesh;

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
std::vector<Plane> planes_argument(py::handle value, Eigen::Index dim)
{
    std::vector<Plane> planes;
    if (value.is_none())
        return planes;
    if (!py::isinstance<py::iterable>(value))
        reject_type("planes: expected a list of (point, normal), got {}", type_name(value));
    for (const py::handle item : value) {
        const std::string name = fmt::format("planes[{}]", planes.size());
        if (!py::isinstance<py::sequence>(item) && !py::isinstance<py::array>(item))
            reject_type("{}: expected (point, normal), got {}", name, type_name(item));
        const std::size_t size = py::len(item);
        if (size != 2)
            reject("{}: expected (point, normal), got {} items", name, size);
        const py::object point = item[py::int_(0)], normal = item[py::int_(1)];
        planes.push_back(
            {plane_vector_argument(point, name + ".point", dim), plane_vector_argument(normal, name + ".normal", dim)});
    }
    return planes;
}

Eigen::SparseMatrix<double, Eigen::RowMajor> map_argument(py::handle value, const Positions& vertices)
{
    if (value.is_none())
        return {};
    const SparseEntries map = sparse_argument(value, "displacement_map");
    if (map.cols == 0)
        reject("displacement_map: it has no columns; give one per node of the full mesh, or no map");
    if (map.rows != vertices.rows())
        reject("displacement_map: {} rows for {} vertices; give one per vertex", map.rows, vertices.rows());
    if (map.cols > max_vertices / vertices.cols())
        throw LimitReached(fmt::format(
            "displacement_map: {} columns exceed the limit of {} nodes", map.cols, max_vertices / vertices.cols()));
    return map.to<Eigen::SparseMatrix<double, Eigen::RowMajor>>();
}

/// The options of a mesh as Python gives them; what they mean depends on the vertices.
struct GivenOptions {
    ArrayLike body_ids = py::none(), material_ids = py::none();
    py::object filter = py::none();
    SparseLike displacement_map = py::none();
    py::object planes = py::none();

    [[nodiscard]] CollisionMeshOptions read(const Positions& vertices) const
    {
        return {
            .body_ids = integers_argument(body_ids, "body_ids"),
            .material_ids = integers_argument(material_ids, "material_ids"),
            .filter = filter_argument(filter, "filter"),
            .displacement_map = map_argument(displacement_map, vertices),
            .planes = planes_argument(planes, vertices.cols())};
    }
};

/// Calls make(vertices, edges, faces, options) without the interpreter lock.
template <typename Make>
auto make_mesh(
    const Positions& vertices, const ArrayLike& edges, const ArrayLike& faces, const GivenOptions& given, Make&& make)
{
    const Elements checked_edges = elements_argument(edges, "edges", 2, vertices.rows());
    const Elements checked_faces = elements_argument(faces, "faces", 3, vertices.rows());
    const CollisionMeshOptions options = given.read(vertices);
    return without_gil([&] { return make(vertices, checked_edges, checked_faces, options); });
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

void def_constructors(Class<Mesh>& type)
{
    using O = GivenOptions;
    const auto keywords = std::tuple(
        py::kw_only(), options<&O::body_ids, &O::material_ids, &O::filter, &O::displacement_map, &O::planes>);
    const auto elements = std::tuple("edges"_a = py::none(), "faces"_a = py::none());
    type.init(
        "data"_a, keywords,
        with_options(
            "The vertices, edges and faces of `data`; where it has tetrahedra, their surface and the vertices on it."),
        [](const MeshData& data, const GivenOptions& given) {
            const CollisionMeshOptions options = given.read(data.vertices);
            return without_gil([&] { return std::make_unique<Mesh>(data, options); });
        });
    type.init(
        "vertices"_a, elements, keywords,
        with_options(
            "From vertices (#V, 2 or 3), the rest positions [m], edges (#E, 2) and faces (#F, 3). The edges of "
            "faces need not be listed. In 2D there are no faces."),
        [](const Positions& vertices, const ArrayLike& edges, const ArrayLike& faces, const GivenOptions& given) {
            return make_mesh(
                vertices, edges, faces, given,
                std::make_unique<
                    Mesh, const Positions&, const Elements&, const Elements&, const CollisionMeshOptions&>);
        });
    type.def_static(
        "build_from_full_mesh", "vertices"_a, elements, keywords,
        with_options("Keeps the vertices of a full mesh (#V, 2 or 3) [m] that the edges (#E, 2) and faces (#F, 3) use, "
                     "and remembers where they came from."),
        [](const Positions& vertices, const ArrayLike& edges, const ArrayLike& faces, const GivenOptions& given) {
            return make_mesh(vertices, edges, faces, given, Mesh::build_from_full_mesh);
        });
    type.def_static(
        "build_from_selection", "vertices"_a, "include_vertex"_a, elements, keywords,
        with_options("Keeps the vertices of a full mesh (#V, 2 or 3) [m] whose flag in `include_vertex` (#V,) is set; "
                     "edges (#E, 2) and faces (#F, 3) may use only these."),
        [](const Positions& vertices, const std::vector<bool>& include, const ArrayLike& edges, const ArrayLike& faces,
           const GivenOptions& given) {
            return make_mesh(vertices, edges, faces, given, [&](const auto& x, const auto&... more) {
                return Mesh::build_from_selection(x, include, more...);
            });
        });
}

void def_arrays(Class<Mesh>& type)
{
    type.get("dim", "2 or 3.", &Mesh::dim);
    type.get("num_vertices", "Number of vertices.", &Mesh::num_vertices);
    type.get("num_edges", "Number of edges.", &Mesh::num_edges);
    type.get("num_faces", "Number of faces.", &Mesh::num_faces);
    type.get("ndof", "num_vertices * dim.", &Mesh::ndof);
    type.get("full_num_vertices", "Vertices (or nodes) of the full mesh.", &Mesh::full_num_vertices);
    type.get("full_ndof", "full_num_vertices * dim.", &Mesh::full_ndof);

    type.view("rest_positions", "Rest positions (#V, dim) [m]; read-only.", &Mesh::rest_positions);
    type.view(
        "edges", "Edges (#E, 2): the given ones, then the remaining edges of faces, sorted; read-only.", &Mesh::edges);
    type.view("faces", "Faces (#F, 3); read-only.", &Mesh::faces);
    type.view(
        "faces_to_edges", "Edges of each face (#F, 3): [f, k] joins corners k and k + 1; read-only.",
        &Mesh::faces_to_edges);
    type.view("codim_vertices", "Vertices in no edge (n,); read-only.", &Mesh::codim_vertices);
    type.view("codim_edges", "Edges in no face (n,); read-only.", &Mesh::codim_edges);
    type.view(
        "vertex_areas",
        "Rest area of each vertex (#V,): a third of its faces [m²]; without faces half the length of its edges [m]; "
        "else 1. Read-only.",
        &Mesh::vertex_areas);
    type.view(
        "edge_areas",
        "Rest area of each edge (#E,): a third of its faces [m²]; without faces its length [m]. Read-only.",
        &Mesh::edge_areas);
    type.view("body_ids", "Body of each vertex (#V,); read-only.", &Mesh::body_ids);
    type.view("material_ids", "Material of each vertex (#V,); read-only.", &Mesh::material_ids);
    type.view(
        "vertex_components", "Connected component of each vertex (#V,), an index into `components`; read-only.",
        [](const Mesh& m) -> const auto& { return m.components().vertex_component; });
    type.get(
        "components", "Connected components as a list of Component, in order of their smallest vertex.",
        [](const Mesh& m) { return m.components().components; });
    type.get("filter", "The CollisionFilter, by the indices of this mesh.", [](const Mesh& m) {
        return BoundedFilter(m.filter(), m.num_vertices());
    });
    type.get(
        "planes",
        "Static obstacles as a list of (point, normal), each (dim,); normals point to the free side and have length 1.",
        [](const Mesh& m) {
            py::list planes;
            const auto vector = [&](const Vec3& v) { return to_numpy(as_span(v).first(m.dim())); };
            for (const Plane& plane : m.planes())
                planes.append(py::make_tuple(vector(plane.point), vector(plane.normal)));
            return planes;
        });
}

void def_adjacency(Class<Mesh>& type)
{
    // Methods of one element, whose index is checked.
    const auto def_at = [&](const char* name, const char* element, int (Mesh::*count)() const, const char* doc,
                            auto find) {
        type.def(name, py::arg(element), doc, [=](const Mesh& m, std::int64_t index) {
            return to_python(std::invoke(find, m, index_argument(index, (m.*count)(), element)));
        });
    };
    const auto def_at_vertex = [&](const char* name, const char* doc, auto find) {
        def_at(name, "vertex", &Mesh::num_vertices, doc, find);
    };
    def_at_vertex("vertex_edges", "Edges at a vertex (n,) int32, ascending.", &Mesh::vertex_edges);
    def_at_vertex("vertex_faces", "Faces at a vertex (n,) int32, ascending.", &Mesh::vertex_faces);
    def_at(
        "edge_faces", "edge", &Mesh::num_edges,
        "Faces at an edge (n,) int32, ascending: none, one, two or, where not manifold, more.", &Mesh::edge_faces);
    def_at(
        "edge_opposites", "edge", &Mesh::num_edges,
        "For each face of edge_faces(edge), its vertex that is not on the edge (n,) int32.", &Mesh::edge_opposites);
    def_at_vertex(
        "one_ring",
        R"(Neighbours of a vertex in the order in which its faces meet them, as a list of fans (neighbours, is_closed).

Neighbours are (n,) int32 and turn counter-clockwise about the faces' normals. A vertex inside a manifold surface has
one closed fan, on its border one open fan.)",
        [](const Mesh& m, int v) {
            py::list fans;
            for (int k = 0; k < m.one_rings().num_fans(v); ++k) {
                const auto fan = m.one_rings().fan(v, k);
                fans.append(py::make_tuple(to_numpy(fan.neighbors), fan.is_closed));
            }
            return fans;
        });
    def_at_vertex("is_on_boundary", "Is the vertex on an open border or the end of a curve?", &Mesh::is_on_boundary);
    def_at_vertex(
        "to_full_vertex_id",
        "The full mesh's vertex behind a vertex of this mesh. Rejected where there is a displacement map.",
        &Mesh::to_full_vertex_id);
    type.def(
        "can_collide", "vertex_i"_a, "vertex_j"_a, "May these two vertices of this mesh collide?",
        [](const Mesh& m, std::int64_t vertex_i, std::int64_t vertex_j) {
            const int i = index_argument(vertex_i, m.num_vertices(), "vertex_i");
            return m.can_collide(i, index_argument(vertex_j, m.num_vertices(), "vertex_j"));
        });
}

void def_full_mesh(Class<Mesh>& type)
{
    type.def(
        "vertices", "full_positions"_a, unlocked,
        "Positions (#V, dim) [m] of this mesh's vertices, for those of the full mesh (full_num_vertices, dim). "
        "Rejected where there is a displacement map.",
        &Mesh::vertices);
    type.def(
        "map_displacements", "full_displacements"_a, unlocked,
        "Displacements (#V, dim) [m] of this mesh's vertices, for those of the full mesh (full_num_vertices, dim).",
        &Mesh::map_displacements);
    type.def(
        "displace_vertices", "full_displacements"_a, unlocked,
        "Rest positions plus map_displacements(full_displacements), (#V, dim) [m].", &Mesh::displace_vertices);
    type.def(
        "to_full_dof", "derivative"_a, R"(A derivative by this mesh's vertices, as one by the full mesh's nodes.

A gradient (ndof,) becomes one of (full_ndof,); a Hessian, a scipy.sparse matrix (ndof, ndof), becomes a csc_matrix
(full_ndof, full_ndof).)",
        [](const Mesh& m, const py::object& derivative) -> py::object {
            if (!is_sparse(derivative)) {
                const Eigen::VectorXd gradient = vector_argument(derivative, "derivative");
                return to_python(without_gil([&] { return m.to_full_dof(gradient); }));
            }
            const SparseEntries entries = sparse_argument(derivative, "derivative");
            if (entries.rows != m.ndof() || entries.cols != m.ndof())
                reject(
                    "derivative: expected a Hessian of shape ({0}, {0}), got ({1}, {2})", m.ndof(), entries.rows,
                    entries.cols);
            const auto hessian = entries.to<Eigen::SparseMatrix<double>>();
            return to_scipy(without_gil([&] { return m.to_full_dof(hessian); }));
        });
}

void def_offsets(Class<Mesh>& type)
{
    type.view(
        "radii",
        "How far the surfaces that contact keeps apart stand off from each vertex (#V,) [m]; empty where they do not. "
        "Read-only.",
        [](const Mesh& m) -> const auto& { return m.offsets().radii(); });
    type.def(
        "with_radii", "radii"_a, py::kw_only(), "dhat"_a, "dmin"_a = 0.0,
        R"(The same mesh with surfaces that stand off: cloth by half its thickness, a rope by its radius.

Wherever this mesh is used, contact then keeps these apart: a distance is less by the sum of the two radii. Places of
one body that are near each other along its shape at rest keep their gap instead, with the barrier's dhat and dmin [m]:
neighbours on a rope are nearer than it is thick.

radii: (#V,) [m], >= 0; the same for all vertices that edges connect.

Not for smooth contact, which keeps no distance.)",
        [](const Mesh& m, const Eigen::VectorXd& radii, double dhat, double dmin) {
            return without_gil([&] {
                RestGaps gaps = find_rest_gaps(
                    m, std::vector<double>(radii.begin(), radii.end()), {.dmin = dmin, .dhat = dhat, .solids = {}});
                return std::make_unique<Mesh>(m.with_offsets(std::move(gaps.offsets)));
            });
        });
}

void def_component(py::module_& m)
{
    using C = Component;
    Class<C> type(m, "Component", "A connected part of a mesh.");
    type.get("num_vertices", "Number of vertices.", &C::num_vertices);
    type.get("num_edges", "Number of edges.", &C::num_edges);
    type.get("num_faces", "Number of faces.", &C::num_faces);
    type.get("is_closed", "In 3D: has every edge two faces? In 2D: has every vertex two edges?", &C::is_closed);
    type.get("is_oriented", "Do neighbouring faces (in 2D, edges) agree on which side is outside?", &C::is_oriented);
    type.get("is_closed_and_oriented", "Has it an inside and an outside?", &C::is_closed_and_oriented);
    type.repr([](const C& c) {
        return fmt::format(
            "{} vertices, {} edges, {} faces, {}, {}", c.num_vertices, c.num_edges, c.num_faces,
            c.is_closed ? "closed" : "open", c.is_oriented ? "oriented" : "not oriented");
    });
}

void def_diagnostics(py::module_& m)
{
    using D = MeshDiagnostics;
    Class<D> type(m, "MeshDiagnostics", "What is unusual about a mesh: accepted for contact, but worth knowing.");
    type.get("coincident_vertices", "Pairs (first, later one at exactly the same place).", &D::coincident_vertices);
    type.get("zero_length_edges", "Edges of length zero.", &D::zero_length_edges);
    type.get("zero_area_faces", "Faces of area zero.", &D::zero_area_faces);
    type.get("non_manifold_edges", "Edges of more than two faces.", &D::non_manifold_edges);
    type.get("inconsistent_edges", "Edges whose two faces disagree on the outside.", &D::inconsistent_edges);
    type.get("boundary_edges", "Edges of one face; expected on cloth.", &D::boundary_edges);
    type.get("unreferenced_vertices", "Vertices in no edge or face: loose points.", &D::unreferenced_vertices);
    type.get("is_clean", "No findings? Borders and loose points are none.", &D::is_clean);
    type.get(
        "summary", "One line a finding: its count, the first ten ids, what it means and the cure; empty when clean.",
        &D::summary);
    type.def("__str__", &D::summary);
}

void def_sharp_features(py::module_& m)
{
    using S = SharpFeatures;
    Class<S> type(m, "SharpFeatures", "Creases and corners of a mesh at rest: what is part of its shape. Immutable.");
    type.get("edges", "Sharp edges, ascending; none in the plane, where edges are the surface.", &S::edges);
    type.get(
        "corners", "Vertices where sharp edges, or in the plane the curve, turn, branch or end; ascending.",
        &S::corners);
    type.repr(
        [](const S& self) { return fmt::format("{} edges, {} corners", self.edges.size(), self.corners.size()); });
}

} // namespace

void def_collision_mesh(py::module_& m)
{
    def_component(m);
    def_diagnostics(m);
    def_sharp_features(m);
    Class<Mesh> type(
        m, "CollisionMesh",
        "The mesh that contact sees: vertices, edges and faces with their adjacency and rest measures, and its "
        "relation to the full mesh that is simulated. Immutable.");
    def_constructors(type);
    def_arrays(type);
    def_adjacency(type);
    def_full_mesh(type);
    def_offsets(type);
    type.def(
        "diagnose", unlocked, "Looks for coincident vertices, degenerate elements and inconsistent orientation.",
        [](const Mesh& mesh) { return diagnose(mesh); });
    type.def(
        "sharp_features", "angle"_a = default_sharp_angle, unlocked,
        R"(The SharpFeatures of the rest surface: where it turns by more than `angle`, in (0, pi) [rad].

An edge is sharp unless it has two faces that meet with a turn of at most `angle`; borders and loose edges are sharp. A
vertex is a corner unless it lies on a crease that goes on with a turn of at most `angle`, or has no sharp edge and faces
that rise by at most `angle`.)",
        [](const Mesh& mesh, double angle) { return sharp_features(mesh, angle); });
    type.repr([](const Mesh& mesh) {
        return fmt::format(
            "{} vertices in {}D, {} edges, {} faces", mesh.num_vertices(), mesh.dim(), mesh.num_edges(),
            mesh.num_faces());
    });
}

} // namespace abut::python
