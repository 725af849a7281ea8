#include "normal_collisions.hpp"

#include "collision_terms.hpp"
#include "module.hpp"

namespace abut::python {

namespace {

using Shared = SharedNormalCollisions;
using SetOptions = NormalCollisionsOptions;

/// Geometry of one collision, cut to its dimension and stencil.
struct GeometryItem {
    NormalCollisionGeometry geometry;
    std::size_t dim, stencil_size;
};

void def_build(Class<Shared>& type)
{
    const auto set_options = std::tuple(
        required<&SetOptions::dhat>, options<&SetOptions::dmin>, py::kw_only(),
        options<
            &SetOptions::set_type, &SetOptions::use_area_weighting, &SetOptions::use_face_edges,
            &SetOptions::enable_shape_derivatives>);
    type.def(
        "build", "mesh"_a, "X"_a, set_options, options<&SetOptions::broad_phase>,
        R"(Finds the active pairs at positions X (#V, dim) [m].

dhat: pairs closer than dmin + dhat are active [m], > 0. At least that of the potential.
dmin: distance that pairs never go below, e.g. the thickness of cloth [m], >= 0.
set_type: a CollisionSetType.
use_area_weighting: weights are shares of rest area (in 3D [m²], in 2D [m]) instead of 1, so that a finer mesh of the
same surface has the same energy.
use_face_edges: count pairs of edges of which one belongs to a face; if not, faces and vertices have their share of area
too. For laws that need not keep edges apart: NormalAdhesionPotential.collision_options.
enable_shape_derivatives: remember how each weight depends on the rest positions, for shape_derivative().
broad_phase: "bvh", or "brute_force", which looks at all pairs of boxes and is for tests.

Raises InvalidStart, naming the pair, where two elements are at distance dmin or less. Runs in parallel, without the
interpreter lock. On failure the collisions stay as they were.)",
        [](Shared& self, const CollisionMesh& mesh, const Positions& X, const SetOptions& given) {
            self.rebuild(mesh, [&](NormalCollisions& set) { set.build(mesh, X, given); });
        });
    def_build_from_lists<SetOptions>(
        type, set_options,
        "The same from Candidates of the same mesh that include all pairs closer than dmin + dhat: those built at X "
        "with inflation (dmin + dhat) / 2 do.",
        "The same from a Detection of the same mesh that was updated at X, with a range of at least dmin + dhat.");
}

void def_normal_collision(py::module_& m)
{
    using C = NormalCollision;
    using Item = CollisionItem<NormalCollisions>;
    CollisionClass<NormalCollisions> type(
        m, "NormalCollision", "A pair of elements that press on each other. Immutable.",
        "The vertices that it acts on, its stencil, (1 to 4,) int32.");
    type.get("weight", "Its weight in the sum.", &C::weight);
    type.get(
        "feature", "The EdgeEdgeFeature of a pair of edges, a_b unless they are nearly parallel; None for other kinds.",
        [](const Item& self) {
            return self.collision.kind == PairKind::edge_edge ? to_python(self.collision.feature) : py::none();
        });
    type.get("eps_x", "Threshold of the mollifier of a pair of edges [m⁴]; 0 for other kinds.", &C::eps_x);
    type.repr([](const Item& self) {
        return fmt::format("{}, weight {}", pair_text(self.collision), self.collision.weight);
    });
}

void def_geometry(py::module_& m)
{
    using Item = GeometryItem;
    Class<Item> type(m, "NormalCollisionGeometry", "The geometry of a collision at some positions. Immutable.");
    type.get("squared_distance", "Squared distance of the two elements [m²].", [](const Item& self) {
        return self.geometry.squared_distance;
    });
    type.get(
        "normal",
        "Unit vector (dim,) from the closest point of the second element to that of the first, in the order of the "
        "stencil; zero where they touch.",
        [](const Item& self) { return as_span(self.geometry.normal).first(self.dim); });
    type.get(
        "coefficients",
        "Weights of the stencil's vertices in the vector between the closest points (1 to 4,). Of a plane: 1.",
        [](const Item& self) { return as_span(self.geometry.coefficients).first(self.stencil_size); });
    type.repr([](const Item& self) { return fmt::format("squared distance {} m²", self.geometry.squared_distance); });
}

void def_normal_terms(py::module_& m)
{
    Class<TermsView> terms(
        m, "CollisionTerms", "Collisions of one kind in arrays of the same length, sorted by elements. Immutable.");
    terms.view("vertices", "The vertices that each acts on (n, 1 to 4) int32; read-only.", &TermsView::vertices);
    terms.view(
        "elements", "The two elements of each (n, 2) int32, in the order of the kind's name; read-only.",
        &TermsView::elements);
    terms.view("weights", "The weight of each in the sum (n,); read-only.", &TermsView::weights);
    terms.def("__len__", "Number of collisions.", [](const TermsView& v) { return v.weights.size(); });
    terms.def("__repr__", [](const py::object& self) {
        return fmt::format("<abut.{}: {} collisions>", type_name(self), py::len(self));
    });
    using View = EdgeEdgeTermsView;
    Class<View, TermsView> edge_edge(m, "EdgeEdgeTerms", "Collisions of two edges. Immutable.");
    edge_edge.view(
        "features", "EdgeEdgeFeatures (n,) uint8: a_b except for edges that are nearly parallel; read-only.",
        &View::features);
    edge_edge.view("eps_x", "Thresholds of the mollifiers (n,) [m⁴]; read-only.", &View::eps_x);
}

void def_options(Class<Shared>& type)
{
    const auto def_option = [&](const char* name, const char* doc, auto member) {
        type.get(name, doc, [member](const Shared& self) { return self.set->options().*member; });
    };
    def_option("dhat", "dhat of the last build [m]; 0 before.", &SetOptions::dhat);
    def_option("dmin", "dmin of the last build [m].", &SetOptions::dmin);
    def_option("use_area_weighting", "Were weights shares of rest area?", &SetOptions::use_area_weighting);
    def_option(
        "enable_shape_derivatives", "Does the set know how weights depend on rest positions?",
        &SetOptions::enable_shape_derivatives);
    def_option("set_type", "The CollisionSetType of the last build.", &SetOptions::set_type);
}

} // namespace

void def_normal_collisions(py::module_& m)
{
    def_enum<CollisionSetType>(m);
    def_normal_collision(m);
    def_geometry(m);
    def_normal_terms(m);
    Class<Shared> type(
        m, "NormalCollisions",
        "Which pairs press on each other, and with what weight: a sequence of NormalCollisions in the order of vv, ev, "
        "ee, fv, pv. Pairs count by their closest features, which stay as they were at the positions of the build.");
    def_sequence(type, "NormalCollision");
    def_build(type);
    def_kinds(
        type, "collisions", "CollisionTerms", "EdgeEdgeTerms",
        []<typename Terms>(const Shared& self, const Terms& terms) {
            if constexpr (std::is_same_v<Terms, EdgeEdgeTerms>)
                return EdgeEdgeTermsView(self.set, terms);
            else
                return TermsView(self.set, terms);
        });
    type.def(
        "geometry", "index"_a, "mesh"_a, "X"_a,
        "The NormalCollisionGeometry of one collision at positions X (#V, dim) [m], by the closest features of the "
        "set.",
        [](const Shared& self, std::int64_t index, const CollisionMesh& mesh, const Positions& X) {
            const auto set = self.for_mesh(mesh);
            const std::size_t term = sequence_index(index, set->size());
            return GeometryItem{
                set->geometry(term, mesh, X), static_cast<std::size_t>(mesh.dim()), set->stencils()[term].size()};
        });
    def_minimum_distance(
        type,
        "The smallest distance of the collisions at positions X (#V, dim) [m], by the closest features of the set; "
        "inf if there are none. Runs in parallel, without the interpreter lock.");
    def_options(type);
}

} // namespace abut::python
