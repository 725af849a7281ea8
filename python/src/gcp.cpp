#include "gcp.hpp"

#include "abut/contact/gcp/sharp_lengths.hpp"
#include "abut/contact/gcp/smooth_stiffness.hpp"

#include "bind_potential.hpp"
#include "module.hpp"

namespace abut::python {

template <>
inline constexpr EnumNames enum_names<SmoothContactVariant>{
    "SmoothContactVariant", "PAPER TOOLKIT",
    "Whose formulas: PAPER, those of Huang et al. 2025; TOOLKIT, those of IPC Toolkit 1.6, for the same numbers as "
    "there."};

template <>
inline constexpr EnumNames enum_names<FeatureLength>{
    "FeatureLength", "EDGE_LENGTH CONSTANT PER_ELEMENT",
    "The width L that stands for the missing dimensions of edges and vertices: EDGE_LENGTH, an edge's rest length and "
    "the mean of those at a vertex; CONSTANT, the same everywhere; PER_ELEMENT, given for each vertex and edge."};

/// None stands for no extents: dhat everywhere.
template <>
struct Argument<SmoothExtents> {
    using From = py::object;
    static SmoothExtents read(const From& value, const char*)
    {
        return value.is_none() ? SmoothExtents() : value.cast<SmoothExtents>();
    }
    static py::object shown(const SmoothExtents&) { return py::none(); }
};

namespace {

using Parameters = SmoothContactParameters;
using SmoothShared = SharedSmoothCollisions;

// --- Parameters ---

/// A field that Python may set; numbers are checked together as one of them is.
template <typename T>
void def_field(Class<Parameters>& type, const char* name, const char* doc, T Parameters::*member)
{
    using Crossed = Crossing<T>;
    type.def_property(
        name, [member](const Parameters& self) { return to_python(self.*member); },
        [member, name](Parameters& self, typename Crossed::From value) {
            Parameters p = self;
            p.*member = Crossed::read(value, name);
            p.validate();
            self = std::move(p);
        },
        doc);
}

void def_fields(Class<Parameters>& type)
{
    using P = Parameters;
    def_field(type, "dhat", "No pair acts farther apart than this [m], > 0.", &P::dhat);
    def_field(type, "alpha_t", "Support of the local minimum test.", &P::alpha_t);
    def_field(type, "beta_t", "Offset of the local minimum test.", &P::beta_t);
    def_field(type, "alpha_n", "Support of the exterior test.", &P::alpha_n);
    def_field(type, "beta_n", "Offset of the exterior test.", &P::beta_n);
    def_field(type, "r", "Exponent of the barrier; 0: the dimension less one.", &P::r);
    def_field(type, "variant", "A SmoothContactVariant: whose formulas.", &P::variant);
    def_field(
        type, "use_exterior_test",
        "Are directions tested against the outside of bodies? PAPER: of closed, consistently oriented components; "
        "TOOLKIT: everywhere.",
        &P::use_exterior_test);
    def_field(
        type, "feature_length", "A FeatureLength: what the width L of edges and vertices is.", &P::feature_length);
    def_field(
        type, "constant_length", "L of FeatureLength.CONSTANT [m], > 0; checked by build().", &P::constant_length);
    def_field(
        type, "vertex_lengths",
        "L of each vertex of FeatureLength.PER_ELEMENT (#V,) [m], >= 0; a copy. Checked by build().",
        &P::vertex_lengths);
    def_field(
        type, "edge_lengths",
        "L of each edge of FeatureLength.PER_ELEMENT (#E,) [m], >= 0; a copy. Checked by build().", &P::edge_lengths);
}

void def_parameters(py::module_& m)
{
    def_enum<SmoothContactVariant>(m);
    def_enum<FeatureLength>(m);
    Class<Parameters> type(
        m, "SmoothContactParameters",
        "What the Geometric Contact Potential is told. Sets and potentials keep what it was when they were made.");
    type.init(
        "dhat"_a, "alpha_t"_a = 0.5, "beta_t"_a = 0.0, "alpha_n"_a = 0.1, "beta_n"_a = 0.0, "r"_a = 0,
        R"(The paper's formulas.

dhat: no pair acts farther apart than this [m], > 0.
alpha_t, beta_t: local minimum test: a tangent along which the distance falls with cosine c has a factor that is 0 from
c = alpha_t on and 1 below c = -beta_t. 0 < alpha_t <= 1, -alpha_t < beta_t <= 1.
alpha_n, beta_n: exterior test: a direction that points out of a body with cosine c has a factor that is 0 below -alpha_n
and 1 from beta_n on. 0 <= alpha_n <= 1, -alpha_n < beta_n <= 1.
r: exponent of the barrier, 1 to 16; 0 stands for the dimension less one.)",
        [](double dhat, double alpha_t, double beta_t, double alpha_n, double beta_n, int r) {
            const Parameters params{
                .dhat = dhat, .alpha_t = alpha_t, .beta_t = beta_t, .alpha_n = alpha_n, .beta_n = beta_n, .r = r};
            params.validate();
            return params;
        });
    type.def_static(
        "toolkit", "dhat"_a, "The formulas of IPC Toolkit 1.6 with its defaults: alpha_t = 1, r = 2, no exterior test.",
        [](double dhat) {
            const Parameters params = Parameters::toolkit(dhat);
            params.validate();
            return params;
        });
    def_fields(type);
    type.def(
        "with_sharp_length", "mesh"_a, "features"_a, "length"_a,
        R"(These parameters with FeatureLength.PER_ELEMENT for a mesh: L is `length` [m], > 0, at its sharp features, and what
it was elsewhere. Corners and sharp edges have this L; vertices along a crease have it across the crease, and the length
of edges along it.

features: SharpFeatures of the mesh.)",
        [](const Parameters& self, const CollisionMesh& mesh, const SharpFeatures& features, double length) {
            return with_sharp_length(self, mesh, features, length);
        });
    type.repr([](const Parameters& self) {
        return fmt::format(
            "{}, dhat = {} m, alpha_t = {}, beta_t = {}, alpha_n = {}, beta_n = {}, r = {}", name_of(self.variant),
            self.dhat, self.alpha_t, self.beta_t, self.alpha_n, self.beta_n, self.r);
    });
}

// --- Collisions ---

void def_smooth_collision(py::module_& m)
{
    using C = SmoothCollision;
    CollisionClass<SmoothCollisions> type(
        m, "SmoothCollision", "A pair of elements in each other's interaction sets. Immutable.",
        "The vertices of the two elements, of edge-vertex and face-vertex pairs the vertex first, (1 to 4,) int32.");
    type.get(
        "stencil", "The vertices that it acts on (n,) int32: those of the elements, then the neighbours that matter.",
        &C::stencil);
    type.get("dhat", "The extent of the pair [m].", &C::dhat);
    type.get(
        "weight",
        "Product of the rest measures of its elements [m⁴; in the plane m²]; 1 in the toolkit's variant, whose "
        "measures are part of the energy.",
        &C::weight);
    type.repr([](const CollisionItem<SmoothCollisions>& self) {
        const C& c = self.collision;
        return fmt::format("{}, dhat {} m, weight {}", pair_text(c), c.dhat, c.weight);
    });
}

void def_extents(py::module_& m)
{
    using E = SmoothExtents;
    Class<E> type(
        m, "SmoothExtents",
        "How far each vertex, edge and face of a mesh reaches [m]: what a SmoothCollisions is built with. Immutable.");
    type.init(
        "vertices"_a, "edges"_a, "faces"_a,
        "Extents of one's own, one for each element (#V,), (#E,), (#F,) [m], > 0; adaptive_extents() finds others. "
        "Checked by build().",
        [](Eigen::VectorXd vertices, Eigen::VectorXd edges, Eigen::VectorXd faces) {
            return E{std::move(vertices), std::move(edges), std::move(faces)};
        });
    type.get("vertices", "Of the vertices (#V,) [m]; a copy.", &E::vertices);
    type.get("edges", "Of the edges (#E,) [m]; a copy.", &E::edges);
    type.get("faces", "Of the faces (#F,) [m]; a copy.", &E::faces);
    def(m, "adaptive_extents", "mesh"_a, "X"_a, "params"_a, "ratio"_a = 0.5, py::kw_only(), "broad_phase"_a = "bvh",
        R"(The SmoothExtents with which nothing acts at positions X (#V, dim) [m], nor after a rigid motion of them: each at
most `ratio`, in (0, 1), times the distance to what the element interacts with. For the rest shape to be free of forces,
X has to be the rest shape.

broad_phase: "bvh", or "brute_force", which looks at all pairs of boxes and is for tests.)",
        [](const CollisionMesh& mesh, const Positions& X, Parameters params, double ratio, BroadPhase method) {
            return without_gil([&] { return adaptive_extents(mesh, X, params, ratio, method); });
        });
}

void def_smooth_build(Class<SmoothShared>& type)
{
    type.def(
        "build", "mesh"_a, "X"_a, "params"_a, "extents"_a = py::none(), py::kw_only(), "broad_phase"_a = "bvh",
        R"(Finds the pairs at positions X (#V, dim) [m]. They belong to X: build again whenever positions change.

params: SmoothContactParameters, those of the potential.
extents: SmoothExtents, as a rule those of adaptive_extents() at the rest shape; None stands for dhat everywhere.
broad_phase: "bvh", or "brute_force", which looks at all pairs of boxes and is for tests.

Raises InvalidStart, naming the pair, where two elements touch. Runs in parallel, without the interpreter lock. On
failure the collisions stay as they were.)",
        [](SmoothShared& self, const CollisionMesh& mesh, const Positions& X, Parameters params,
           const SmoothExtents& extents, BroadPhase method) {
            self.rebuild(mesh, [&](SmoothCollisions& set) { set.build(mesh, X, params, extents, method); });
        });
    def_build_from_lists<Parameters, SmoothExtents>(
        type, std::tuple("params"_a, "extents"_a = py::none()),
        "The same from Candidates of the same mesh that include all pairs closer than dhat: those built at X with "
        "inflation dhat / 2 do.",
        "The same from a Detection of the same mesh that was updated at X, with a range of at least dhat.");
}

void def_smooth_collisions(py::module_& m)
{
    def_smooth_collision(m);
    Class<SmoothShared> type(
        m, "SmoothCollisions",
        "Which pairs of elements are in each other's interaction sets: close, near a local minimum of their distance, "
        "and outside of each other's bodies. A sequence of SmoothCollisions in the order vv, ev, ee, fv, pv. After "
        "\"Geometric Contact Potential\" (Huang et al. 2025).");
    def_sequence(type, "SmoothCollision");
    def_smooth_build(type);
    type.def("count", "kind"_a, "How many pairs of a PairKind there are.", [](const SmoothShared& self, PairKind kind) {
        return self.set->count(kind);
    });
    def_minimum_distance(
        type, "The smallest distance of the pairs at positions X (#V, dim) [m]; inf if there are none.");
    type.get("variant", "The SmoothContactVariant of the last build.", [](const SmoothShared& self) {
        return self.set->variant();
    });
}

// --- Potential ---

void def_smooth_evaluations(py::module_& m, Class<SharedSmoothPotential>& type)
{
    using P = SmoothContactPotential;
    Evaluations<SharedSmoothPotential, SmoothCollisions> evaluations(type, "X");
    evaluations.def(
        "__call__",
        "The energy at positions X (#V, dim) [J]. Raises InvalidStart where a pair touches, as the others do.",
        &P::operator());
    evaluations.def("gradient", "The energy's gradient by X, flat by vertex (ndof,) [N].", &P::gradient);
    evaluations.def("energies", "The energy of each collision (len(collisions),) [J].", &P::energies);
    evaluations.def(
        "normal_forces",
        "The force with which the elements of each collision push each other apart along the line between their "
        "closest points (len(collisions),) [N]: what friction counts with. In the toolkit's variant, as there, the "
        "norm of the collision's whole gradient, which is larger.",
        &P::normal_forces);
    evaluations.def(
        "forces", R"(The force of each collision on each vertex of its stencil, minus its gradient, (n, dim) [N].

Rows follow collisions.stencil_vertices: those of collision k are rows collisions.stencil_offsets[k] up to
collisions.stencil_offsets[k + 1]. Summed by vertex they are minus gradient().)",
        &P::forces);
    evaluations.def_hessian(
        m, "The energy's Hessian by X as a scipy.sparse.csc_matrix (ndof, ndof) with both triangles [N/m].");
}

void def_smooth_potential(py::module_& m)
{
    using Self = SharedSmoothPotential;
    Class<Self> type(
        m, "SmoothContactPotential",
        "The Geometric Contact Potential: the sum of stiffness * weight * barrier * mollifiers * directional factors "
        "over SmoothCollisions. Sums run in a fixed order: the same bits for any number of threads. Calls run in "
        "parallel, without the interpreter lock.");
    type.init(
        "params"_a, "stiffness"_a = 1.0,
        "With SmoothContactParameters and a stiffness κ > 0, whose unit makes the sum an energy: [J m^(r - 4)], in the "
        "plane [J m^(r - 2)].",
        [](const Parameters& params, double stiffness) { return Self(SmoothContactPotential(params, stiffness)); });
    def_smooth_evaluations(m, type);
    type.get("parameters", "Its SmoothContactParameters; a copy.", [](const Self& self) {
        return self.potential->parameters();
    });
    def_stiffness_of(type);
    type.repr([](const Self& self) {
        const Parameters& params = self.potential->parameters();
        return fmt::format(
            "{}, dhat = {} m, stiffness = {}", name_of(params.variant), params.dhat, self.potential->stiffness());
    });
}

void def_smooth_stiffness(py::module_& m)
{
    def(m, "suggest_smooth_stiffness", py::kw_only(), "params"_a, "dim"_a, "feature_length"_a, "mass"_a, "dt"_a,
        "youngs_modulus"_a = 0.0, "edge_length"_a = 0.0, "gap"_a = 0.5,
        R"(The same as suggest_stiffness() for a SmoothContactPotential: the stiffness at which a pair is as stiff as what
presses on it, as a StiffnessSuggestion.

params: SmoothContactParameters.
dim: 2 or 3.
feature_length: L, the typical edge length of the surfaces [m], > 0; not used where the params have a constant L.
mass: of a typical vertex in contact [kg], > 0.
dt: time step [s], > 0; inf for a static problem.
youngs_modulus: of the softer body in contact [Pa], >= 0; 0: rigid or none.
edge_length: typical, of the elements behind the surface [m], > 0 where youngs_modulus is.
gap: where the two are equally stiff, as a share of dhat, in (0, 1).)",
        [](const Parameters& params, int dim, double feature_length, double mass, double dt, double youngs_modulus,
           double edge_length, double gap) {
            return suggest_smooth_stiffness({params, dim, feature_length, mass, dt, youngs_modulus, edge_length, gap});
        });
}

} // namespace

void def_gcp(py::module_& m)
{
    def_parameters(m);
    def_extents(m);
    def_smooth_stiffness(m);
    def_smooth_collisions(m);
    def_smooth_potential(m);
}

} // namespace abut::python
