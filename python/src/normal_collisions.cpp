#include "normal_collisions.hpp"

#include "candidates.hpp"
#include "collision_terms.hpp"
#include "detection.hpp"
#include "features.hpp"
#include "module.hpp"

namespace abut::python {

namespace {

/// One collision of a set.
struct NormalCollisionItem {
    std::shared_ptr<const NormalCollisions> set;
    NormalCollision collision;
};

/// Geometry of one collision, cut to its dimension and stencil.
struct GeometryItem {
    NormalCollisionGeometry geometry;
    Eigen::Index dim, stencil_size;
};

NormalCollisionsOptions options_argument(
    double dhat, double dmin, const py::object& set_type, bool use_area_weighting, bool use_face_edges,
    bool enable_shape_derivatives, const std::string& broad_phase = "bvh")
{
    return {
        .dhat = dhat,
        .dmin = dmin,
        .set_type = enum_argument<CollisionSetType>(set_type, "set_type"),
        .use_area_weighting = use_area_weighting,
        .use_face_edges = use_face_edges,
        .enable_shape_derivatives = enable_shape_derivatives,
        .broad_phase = broad_phase_argument(broad_phase, "broad_phase")};
}

constexpr auto options_doc = R"(

dhat: pairs closer than dmin + dhat are active [m], > 0. At least that of the potential.
dmin: distance that pairs never go below, e.g. the thickness of cloth [m], >= 0.
set_type: a CollisionSetType.
use_area_weighting: weights are shares of rest area (in 3D [m²], in 2D [m]) instead of 1, so that a finer mesh of the
same surface has the same energy.
use_face_edges: count pairs of edges of which one belongs to a face; if not, faces and vertices have their share of area
too. For laws that need not keep edges apart: NormalAdhesionPotential.collision_options.
enable_shape_derivatives: remember how each weight depends on the rest positions, for shape_derivative().)";

constexpr auto build_end_doc = R"(

Raises InvalidStart, naming the pair, where two elements are at distance dmin or less. Runs in parallel, without the
interpreter lock. On failure the collisions stay as they were.)";

void def_build(py::module_& m, py::class_<SharedNormalCollisions>& type)
{
    const auto ipc = py::arg_v("set_type", m.attr("CollisionSetType").attr("IPC"), "CollisionSetType.IPC");
    type.def(
        "build",
        [](SharedNormalCollisions& self, const CollisionMesh& mesh, const ArrayLike& X, double dhat, double dmin,
           const py::object& set_type, bool use_area_weighting, bool use_face_edges, bool enable_shape_derivatives,
           const std::string& broad_phase) {
            const Positions x = positions_argument(X, "X");
            const NormalCollisionsOptions options = options_argument(
                dhat, dmin, set_type, use_area_weighting, use_face_edges, enable_shape_derivatives, broad_phase);
            const auto set = std::make_shared<NormalCollisions>();
            without_gil([&] { set->build(mesh, x, options); });
            self = {set, MeshSize::of(mesh)};
        },
        "mesh"_a, "X"_a, "dhat"_a, "dmin"_a = 0.0, py::kw_only(), ipc, "use_area_weighting"_a = false,
        "use_face_edges"_a = true, "enable_shape_derivatives"_a = false, "broad_phase"_a = "bvh",
        (std::string("Finds the active pairs at positions X (#V, dim) [m].") + options_doc +
         R"(
broad_phase: "bvh", or "brute_force", which looks at all pairs of boxes and is for tests.)" +
         build_end_doc)
            .c_str());
    type.def(
        "build",
        [](SharedNormalCollisions& self, const SharedCandidates& candidates, const CollisionMesh& mesh,
           const ArrayLike& X, double dhat, double dmin, const py::object& set_type, bool use_area_weighting,
           bool use_face_edges, bool enable_shape_derivatives) {
            const Positions x = positions_argument(X, "X");
            const NormalCollisionsOptions options =
                options_argument(dhat, dmin, set_type, use_area_weighting, use_face_edges, enable_shape_derivatives);
            const auto lists = candidates.lists;
            const auto set = std::make_shared<NormalCollisions>();
            without_gil([&] { set->build(*lists, mesh, x, options); });
            self = {set, MeshSize::of(mesh)};
        },
        "candidates"_a, "mesh"_a, "X"_a, "dhat"_a, "dmin"_a = 0.0, py::kw_only(), ipc, "use_area_weighting"_a = false,
        "use_face_edges"_a = true, "enable_shape_derivatives"_a = false,
        "The same from Candidates of the same mesh that include all pairs closer than dmin + dhat: those built at X "
        "with inflation (dmin + dhat) / 2 do.");
    type.def(
        "build",
        [](SharedNormalCollisions& self, SharedDetection& detection, const CollisionMesh& mesh, const ArrayLike& X,
           double dhat, double dmin, const py::object& set_type, bool use_area_weighting, bool use_face_edges,
           bool enable_shape_derivatives) {
            const Positions x = positions_argument(X, "X");
            const NormalCollisionsOptions options =
                options_argument(dhat, dmin, set_type, use_area_weighting, use_face_edges, enable_shape_derivatives);
            const auto set = std::make_shared<NormalCollisions>();
            detection.read_at(mesh, x, [&](const Detection& found) { set->build(found, mesh, x, options); });
            self = {set, MeshSize::of(mesh)};
        },
        "detection"_a, "mesh"_a, "X"_a, "dhat"_a, "dmin"_a = 0.0, py::kw_only(), ipc, "use_area_weighting"_a = false,
        "use_face_edges"_a = true, "enable_shape_derivatives"_a = false,
        "The same from a Detection of the same mesh that was updated at X, with a range of at least dmin + dhat.");
}

void def_normal_collision(py::module_& m)
{
    using Item = NormalCollisionItem;
    def_collision_class<Item>(
        m, "NormalCollision", "A pair of elements that press on each other. Immutable.",
        "The vertices that it acts on, its stencil, (1 to 4,) int32.")
        .def_property_readonly(
            "weight", [](const Item& self) { return self.collision.weight; }, "Its weight in the sum.")
        .def_property_readonly(
            "feature",
            [](const Item& self) {
                return self.collision.kind == PairKind::edge_edge ? to_python(self.collision.feature) : py::none();
            },
            "The EdgeEdgeFeature of a pair of edges, a_b unless they are nearly parallel; None for other kinds.")
        .def_property_readonly(
            "eps_x", [](const Item& self) { return self.collision.eps_x; },
            "Threshold of the mollifier of a pair of edges [m⁴]; 0 for other kinds.")
        .def("__repr__", [](const Item& self) {
            return fmt::format(
                "<abut.NormalCollision: {}, weight {}>", pair_text(self.collision), self.collision.weight);
        });

    py::class_<GeometryItem>(m, "NormalCollisionGeometry", "The geometry of a collision at some positions. Immutable.")
        .def_property_readonly(
            "squared_distance", [](const GeometryItem& self) { return self.geometry.squared_distance; },
            "Squared distance of the two elements [m²].")
        .def_property_readonly(
            "normal",
            [](const GeometryItem& self) {
                return to_numpy(std::span<const double>(self.geometry.normal.data(), self.dim));
            },
            "Unit vector (dim,) from the closest point of the second element to that of the first, in the order of the "
            "stencil; zero where they touch.")
        .def_property_readonly(
            "coefficients",
            [](const GeometryItem& self) {
                return to_numpy(std::span<const double>(self.geometry.coefficients.data(), self.stencil_size));
            },
            "Weights of the stencil's vertices in the vector between the closest points (1 to 4,). Of a plane: 1.")
        .def("__repr__", [](const GeometryItem& self) {
            return fmt::format(
                "<abut.NormalCollisionGeometry: squared distance {} m²>", self.geometry.squared_distance);
        });
}

void def_normal_terms(py::module_& m)
{
    py::class_<TermsView> terms(
        m, "CollisionTerms", "Collisions of one kind in arrays of the same length, sorted by elements. Immutable.");
    def_term_array<TermsView>(
        terms, "vertices",
        [](const TermsView& v, py::handle self) { return view_of_rows(v.vertices, v.size, v.stencil_size, self); },
        "The vertices that each acts on (n, 1 to 4) int32; read-only.");
    def_term_array<TermsView>(
        terms, "elements",
        [](const TermsView& v, py::handle self) { return view(std::span(v.elements, v.size), self); },
        "The two elements of each (n, 2) int32, in the order of the kind's name; read-only.");
    def_term_array<TermsView>(
        terms, "weights", [](const TermsView& v, py::handle self) { return view(std::span(v.weights, v.size), self); },
        "The weight of each in the sum (n,); read-only.");
    terms.def(
        "__len__", [](const TermsView& v) { return v.size; }, "Number of collisions.");
    terms.def("__repr__", [](const py::object& self) {
        return fmt::format(
            "<abut.{}: {} collisions>", std::string(py::str(py::type::of(self).attr("__name__"))), py::len(self));
    });

    py::class_<EdgeEdgeTermsView, TermsView> edge_edge(m, "EdgeEdgeTerms", "Collisions of two edges. Immutable.");
    def_term_array<EdgeEdgeTermsView>(
        edge_edge, "features",
        [](const EdgeEdgeTermsView& v, py::handle self) {
            return view(std::span(reinterpret_cast<const std::uint8_t*>(v.features), v.size), self);
        },
        "EdgeEdgeFeatures (n,) uint8: a_b except for edges that are nearly parallel; read-only.");
    def_term_array<EdgeEdgeTermsView>(
        edge_edge, "eps_x",
        [](const EdgeEdgeTermsView& v, py::handle self) { return view(std::span(v.eps_x, v.size), self); },
        "Thresholds of the mollifiers (n,) [m⁴]; read-only.");
}

void def_kinds(py::class_<SharedNormalCollisions>& type)
{
    const auto def_kind = [&](const char* name, auto get, const char* doc) {
        type.def_property_readonly(
            name, [get](const SharedNormalCollisions& self) { return TermsView(self.set, get(*self.set)); }, doc);
    };
    def_kind(
        "vv", [](const NormalCollisions& c) -> const auto& { return c.vv(); },
        "(vertex, vertex) collisions, the smaller first, as CollisionTerms.");
    def_kind(
        "ev", [](const NormalCollisions& c) -> const auto& { return c.ev(); },
        "(edge, vertex) collisions, as CollisionTerms. Stencil: vertex, ends of the edge.");
    type.def_property_readonly(
        "ee", [](const SharedNormalCollisions& self) { return EdgeEdgeTermsView(self.set, self.set->ee()); },
        "(edge, edge) collisions, the smaller first, as EdgeEdgeTerms. Stencil: ends of the first, of the second.");
    def_kind(
        "fv", [](const NormalCollisions& c) -> const auto& { return c.fv(); },
        "(face, vertex) collisions, as CollisionTerms. Stencil: vertex, corners of the face.");
    def_kind(
        "pv", [](const NormalCollisions& c) -> const auto& { return c.pv(); },
        "(plane, vertex) collisions, as CollisionTerms. Stencil: vertex.");
}

} // namespace

void def_normal_collisions(py::module_& m)
{
    def_enum<CollisionSetType>(m);
    def_normal_collision(m);
    def_normal_terms(m);
    py::class_<SharedNormalCollisions> type(
        m, "NormalCollisions",
        "Which pairs press on each other, and with what weight: a sequence of NormalCollisions in the order of vv, ev, "
        "ee, fv, pv. Pairs count by their closest features, which stay as they were at the positions of the build.");
    type.def(py::init<>(), "No collisions.");
    def_build(m, type);
    def_kinds(type);
    def_stencils(type);
    def_sequence(
        type,
        [](const SharedNormalCollisions& self, std::size_t index) {
            return NormalCollisionItem{self.set, (*self.set)[index]};
        },
        "One NormalCollision.");
    type.def(
        "geometry",
        [](const SharedNormalCollisions& self, std::int64_t index, const CollisionMesh& mesh, const ArrayLike& X) {
            const Positions x = positions_argument(X, "X");
            const auto set = self.for_mesh(mesh);
            const std::size_t term = sequence_index(index, set->size());
            return GeometryItem{
                set->geometry(term, mesh, x), mesh.dim(), static_cast<Eigen::Index>(set->stencils()[term].size())};
        },
        "index"_a, "mesh"_a, "X"_a,
        "The NormalCollisionGeometry of one collision at positions X (#V, dim) [m], by the closest features of the "
        "set.");
    type.def(
        "compute_minimum_distance",
        [](const SharedNormalCollisions& self, const CollisionMesh& mesh, const ArrayLike& X) {
            const Positions x = positions_argument(X, "X");
            const auto set = self.for_mesh(mesh);
            return without_gil([&] { return set->compute_minimum_distance(mesh, x); });
        },
        "mesh"_a, "X"_a,
        "The smallest distance of the collisions at positions X (#V, dim) [m], by the closest features of the set; inf "
        "if there are none. Runs in parallel, without the interpreter lock.");
    const auto def_option = [&](const char* name, auto member, const char* doc) {
        type.def_property_readonly(
            name, [member](const SharedNormalCollisions& self) { return self.set->options().*member; }, doc);
    };
    def_option("dhat", &NormalCollisionsOptions::dhat, "dhat of the last build [m]; 0 before.");
    def_option("dmin", &NormalCollisionsOptions::dmin, "dmin of the last build [m].");
    def_option("use_area_weighting", &NormalCollisionsOptions::use_area_weighting, "Were weights shares of rest area?");
    def_option(
        "enable_shape_derivatives", &NormalCollisionsOptions::enable_shape_derivatives,
        "Does the set know how weights depend on rest positions?");
    type.def_property_readonly(
        "set_type", [](const SharedNormalCollisions& self) { return to_python(self.set->options().set_type); },
        "The CollisionSetType of the last build.");
}

} // namespace abut::python
