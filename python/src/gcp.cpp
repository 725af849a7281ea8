#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/contact/gcp/smooth_stiffness.hpp"

#include "candidates.hpp"
#include "collision_set.hpp"
#include "detection.hpp"
#include "hessian_cache.hpp"
#include "module.hpp"

namespace abut::python {

template <>
struct EnumNames<SmoothContactVariant> {
    static constexpr auto type = "SmoothContactVariant";
    static constexpr auto members = "PAPER TOOLKIT";
    static constexpr auto doc =
        "Whose formulas: PAPER, those of Huang et al. 2025; TOOLKIT, those of IPC Toolkit 1.6, for the same numbers as "
        "there.";
};

template <>
struct EnumNames<FeatureLength> {
    static constexpr auto type = "FeatureLength";
    static constexpr auto members = "EDGE_LENGTH CONSTANT PER_ELEMENT";
    static constexpr auto doc =
        "The width L that stands for the missing dimensions of edges and vertices: EDGE_LENGTH, an edge's rest length "
        "and the mean of those at a vertex; CONSTANT, the same everywhere; PER_ELEMENT, given for each vertex and "
        "edge.";
};

namespace {

using Parameters = SmoothContactParameters;

/// As SharedCollisions; the set itself checks that a mesh fits it.
struct SharedSmoothCollisions {
    std::shared_ptr<const SmoothCollisions> set = std::make_shared<const SmoothCollisions>();

    /// Runs work(set) on a copy, which carries the extents over, without the interpreter lock.
    template <typename Work>
    void change(Work&& work)
    {
        const auto old = set;
        set = without_gil([&] {
            auto changed = std::make_shared<SmoothCollisions>(*old);
            work(*changed);
            return changed;
        });
    }
};

/// One collision of a set.
struct SmoothCollisionItem {
    std::shared_ptr<const SmoothCollisions> set;
    SmoothCollision collision;
};

/// A potential as Python holds it. A new stiffness is that of a copy, so that calls under way in other threads go on
/// with what they began with.
struct SharedSmoothPotential {
    std::shared_ptr<const SmoothContactPotential> potential;
};

// --- Parameters ---

/// A number that is checked together with the others as it is set.
template <typename T>
void def_checked(py::class_<Parameters>& type, const char* name, T Parameters::*member, const char* doc)
{
    type.def_property(
        name, [member](const Parameters& self) { return self.*member; },
        [member](Parameters& self, T value) {
            Parameters changed = self;
            changed.*member = value;
            // The constructor knows the ranges.
            static_cast<void>(
                Parameters(changed.dhat, changed.alpha_t, changed.beta_t, changed.alpha_n, changed.beta_n, changed.r));
            self = std::move(changed);
        },
        doc);
}

void def_lengths(py::class_<Parameters>& type)
{
    type.def_property(
        "feature_length", [](const Parameters& self) { return to_python(self.feature_length); },
        [](Parameters& self, const py::object& value) {
            self.feature_length = enum_argument<FeatureLength>(value, "feature_length");
        },
        "A FeatureLength: what the width L of edges and vertices is.");
    type.def_readwrite(
        "constant_length", &Parameters::constant_length, "L of FeatureLength.CONSTANT [m], > 0; checked by build().");
    const auto def_array = [&](const char* name, Eigen::VectorXd Parameters::*member, const char* doc) {
        type.def_property(
            name, [member](const Parameters& self) { return to_numpy(as_span(self.*member)); },
            [member, name](Parameters& self, const ArrayLike& value) { self.*member = vector_argument(value, name); },
            doc);
    };
    def_array(
        "vertex_lengths", &Parameters::vertex_lengths,
        "L of each vertex of FeatureLength.PER_ELEMENT (#V,) [m], >= 0; a copy. Checked by build().");
    def_array(
        "edge_lengths", &Parameters::edge_lengths,
        "L of each edge of FeatureLength.PER_ELEMENT (#E,) [m], >= 0; a copy. Checked by build().");
}

void def_parameters(py::module_& m)
{
    def_enum<SmoothContactVariant>(m);
    def_enum<FeatureLength>(m);
    py::class_<Parameters> type(
        m, "SmoothContactParameters",
        "What the Geometric Contact Potential is told. Sets and potentials keep what it was when they were made.");
    type.def(
        py::init<double, double, double, double, double, int>(), "dhat"_a, "alpha_t"_a = 0.5, "beta_t"_a = 0.0,
        "alpha_n"_a = 0.1, "beta_n"_a = 0.0, "r"_a = 0,
        R"(The paper's formulas.

dhat: no pair acts farther apart than this [m], > 0.
alpha_t, beta_t: local minimum test: a tangent along which the distance falls with cosine c has a factor that is 0 from
c = alpha_t on and 1 below c = -beta_t. 0 < alpha_t <= 1, -alpha_t < beta_t <= 1.
alpha_n, beta_n: exterior test: a direction that points out of a body with cosine c has a factor that is 0 below -alpha_n
and 1 from beta_n on. 0 <= alpha_n <= 1, -alpha_n < beta_n <= 1.
r: exponent of the barrier, 1 to 16; 0 stands for the dimension less one.)");
    type.def_static(
        "toolkit", &Parameters::toolkit, "dhat"_a, "alpha_t"_a = 1.0, "beta_t"_a = 0.0, "alpha_n"_a = 0.1,
        "beta_n"_a = 0.0, "r"_a = 2,
        "The formulas of IPC Toolkit 1.6, without the exterior test, as is the default there.");
    def_checked(type, "dhat", &Parameters::dhat, "No pair acts farther apart than this [m], > 0.");
    def_checked(type, "alpha_t", &Parameters::alpha_t, "Support of the local minimum test.");
    def_checked(type, "beta_t", &Parameters::beta_t, "Offset of the local minimum test.");
    def_checked(type, "alpha_n", &Parameters::alpha_n, "Support of the exterior test.");
    def_checked(type, "beta_n", &Parameters::beta_n, "Offset of the exterior test.");
    def_checked(type, "r", &Parameters::r, "Exponent of the barrier; 0: the dimension less one.");
    type.def_property(
        "variant", [](const Parameters& self) { return to_python(self.variant); },
        [](Parameters& self, const py::object& value) {
            self.variant = enum_argument<SmoothContactVariant>(value, "variant");
        },
        "A SmoothContactVariant: whose formulas.");
    type.def_readwrite(
        "use_exterior_test", &Parameters::use_exterior_test,
        "Are directions tested against the outside of bodies? PAPER: of closed, consistently oriented components; "
        "TOOLKIT: everywhere.");
    def_lengths(type);
    type.def_property_readonly(
        "adaptive_dhat_ratio", &Parameters::adaptive_dhat_ratio,
        "The share of a pair's rest distance that its extent may have; see set_adaptive_dhat_ratio().");
    type.def(
        "set_adaptive_dhat_ratio", &Parameters::set_adaptive_dhat_ratio, "ratio"_a,
        "Sets the share of a pair's rest distance that its extent may have, in (0, 1); 0.5 unless set.");
    type.def("__repr__", [](const Parameters& self) {
        return fmt::format(
            "<abut.SmoothContactParameters: {}, dhat = {} m, alpha_t = {}, beta_t = {}, alpha_n = {}, beta_n = {}, "
            "r = {}>",
            std::string(py::str(to_python(self.variant).attr("name"))), self.dhat, self.alpha_t, self.beta_t,
            self.alpha_n, self.beta_n, self.r);
    });
}

// --- Collisions ---

void def_smooth_collision(py::module_& m)
{
    using Item = SmoothCollisionItem;
    def_collision_class<Item>(
        m, "SmoothCollision", "A pair of elements in each other's interaction sets. Immutable.",
        "The vertices of the two elements, in that order, (1 to 4,) int32.")
        .def_property_readonly(
            "stencil", [](const Item& self) { return to_numpy(self.collision.stencil); },
            "The vertices that it acts on (n,) int32: those of the elements, then the neighbours that matter.")
        .def_property_readonly(
            "dhat", [](const Item& self) { return self.collision.dhat; }, "The extent of the pair [m].")
        .def_property_readonly(
            "weight", [](const Item& self) { return self.collision.weight; },
            "Product of the rest measures of its elements [m⁴; in the plane m²]; 1 in the toolkit's variant, whose "
            "measures are part of the energy.")
        .def("__repr__", [](const Item& self) {
            return fmt::format(
                "<abut.SmoothCollision: {}, dhat {} m, weight {}>", pair_text(self.collision), self.collision.dhat,
                self.collision.weight);
        });
}

void def_build(py::class_<SharedSmoothCollisions>& type)
{
    using Shared = SharedSmoothCollisions;
    type.def(
        "compute_adaptive_dhat",
        [](Shared& self, const CollisionMesh& mesh, const ArrayLike& X, const Parameters& params,
           const std::string& broad_phase) {
            const Positions x = positions_argument(X, "X");
            const BroadPhase method = broad_phase_argument(broad_phase, "broad_phase");
            self.change(
                [&, given = params](SmoothCollisions& set) { set.compute_adaptive_dhat(mesh, x, given, method); });
        },
        "mesh"_a, "X"_a, "params"_a, py::kw_only(), "broad_phase"_a = "bvh",
        R"(Finds the extent of each vertex, edge and face so that nothing acts at positions X (#V, dim) [m], nor after a
rigid motion of them: at most the adaptive_dhat_ratio of the parameters times the distance to what it interacts with. For
the rest shape to be free of forces, X has to be the rest shape.

broad_phase: "bvh", or "brute_force", which looks at all pairs of boxes and is for tests.)");
    type.def(
        "build",
        [](Shared& self, const CollisionMesh& mesh, const ArrayLike& X, const Parameters& params,
           bool use_adaptive_dhat, const std::string& broad_phase) {
            const Positions x = positions_argument(X, "X");
            const BroadPhase method = broad_phase_argument(broad_phase, "broad_phase");
            self.change(
                [&, given = params](SmoothCollisions& set) { set.build(mesh, x, given, use_adaptive_dhat, method); });
        },
        "mesh"_a, "X"_a, "params"_a, "use_adaptive_dhat"_a = false, py::kw_only(), "broad_phase"_a = "bvh",
        R"(Finds the pairs at positions X (#V, dim) [m]. They belong to X: build again whenever positions change.

params: SmoothContactParameters, those of the potential.
use_adaptive_dhat: with the extents of compute_adaptive_dhat(), which has to be called before; else with dhat everywhere.
broad_phase: "bvh", or "brute_force", which looks at all pairs of boxes and is for tests.

Raises InvalidStart, naming the pair, where two elements touch. Runs in parallel, without the interpreter lock. On
failure the collisions stay as they were.)");
    type.def(
        "build",
        [](Shared& self, const SharedCandidates& candidates, const CollisionMesh& mesh, const ArrayLike& X,
           const Parameters& params, bool use_adaptive_dhat) {
            const Positions x = positions_argument(X, "X");
            self.change([&, lists = candidates.lists, given = params](SmoothCollisions& set) {
                set.build(*lists, mesh, x, given, use_adaptive_dhat);
            });
        },
        "candidates"_a, "mesh"_a, "X"_a, "params"_a, "use_adaptive_dhat"_a = false,
        "The same from Candidates of the same mesh that include all pairs closer than dhat: those built at X with "
        "inflation dhat / 2 do.");
    type.def(
        "build",
        [](Shared& self, SharedDetection& detection, const CollisionMesh& mesh, const ArrayLike& X,
           const Parameters& params, bool use_adaptive_dhat) {
            const Positions x = positions_argument(X, "X");
            const Parameters given = params;
            const auto set = std::make_shared<SmoothCollisions>(*self.set);
            detection.read_at(
                mesh, x, [&](const Detection& found) { set->build(found, mesh, x, given, use_adaptive_dhat); });
            self.set = set;
        },
        "detection"_a, "mesh"_a, "X"_a, "params"_a, "use_adaptive_dhat"_a = false,
        "The same from a Detection of the same mesh that was updated at X, with a range of at least dhat.");
}

void def_collisions(py::module_& m)
{
    using Shared = SharedSmoothCollisions;
    def_smooth_collision(m);
    py::class_<SharedSmoothCollisions> type(
        m, "SmoothCollisions",
        "Which pairs of elements are in each other's interaction sets: close, near a local minimum of their distance, "
        "and outside of each other's bodies. A sequence of SmoothCollisions in the order vv, ev, ee, fv, pv. After "
        "\"Geometric Contact Potential\" (Huang et al. 2025).");
    type.def(py::init<>(), "No collisions.");
    def_build(type);
    def_stencils(type);
    def_sequence(
        type,
        [](const Shared& self, std::size_t index) {
            return SmoothCollisionItem{self.set, (*self.set)[index]};
        },
        "One SmoothCollision.");
    type.def(
        "count",
        [](const Shared& self, const py::object& kind) {
            return self.set->count(enum_argument<PairKind>(kind, "kind"));
        },
        "kind"_a, "How many pairs of a PairKind there are.");
    const auto def_extents = [&](const char* name, const Eigen::VectorXd& (SmoothCollisions::*get)() const,
                                 const char* doc) {
        type.def_property_readonly(
            name, [get](const Shared& self) { return to_numpy(as_span((*self.set.*get)())); }, doc);
    };
    def_extents(
        "vertex_dhat", &SmoothCollisions::vertex_dhat,
        "Extents of the vertices by compute_adaptive_dhat() (#V,) [m]; a copy, empty before.");
    def_extents(
        "edge_dhat", &SmoothCollisions::edge_dhat,
        "Extents of the edges by compute_adaptive_dhat() (#E,) [m]; a copy, empty before.");
    def_extents(
        "face_dhat", &SmoothCollisions::face_dhat,
        "Extents of the faces by compute_adaptive_dhat() (#F,) [m]; a copy, empty before.");
    type.def(
        "compute_minimum_distance",
        [](const Shared& self, const CollisionMesh& mesh, const ArrayLike& X) {
            const Positions x = positions_argument(X, "X");
            const auto set = self.set;
            return without_gil([&] { return set->compute_minimum_distance(mesh, x); });
        },
        "mesh"_a, "X"_a, "The smallest distance of the pairs at positions X (#V, dim) [m]; inf if there are none.");
    type.def_property_readonly(
        "variant", [](const Shared& self) { return to_python(self.set->variant()); },
        "The SmoothContactVariant of the last build.");
}

// --- Potential ---

/// Calls work(potential, collisions, X) without the interpreter lock.
template <typename Work>
auto evaluate(
    const SharedSmoothPotential& self, const SharedSmoothCollisions& collisions, const ArrayLike& X, Work&& work)
{
    const Positions x = positions_argument(X, "X");
    const auto set = collisions.set;
    const auto potential = self.potential;
    return without_gil([&] { return work(*potential, *set, x); });
}

void def_evaluation(py::module_& m, py::class_<SharedSmoothPotential>& type)
{
    using Self = SharedSmoothPotential;
    using Set = SharedSmoothCollisions;
    using Mesh = CollisionMesh;
    using Potential = SmoothContactPotential;
    type.def(
        "__call__",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X) {
            return evaluate(
                self, collisions, X, [&](const Potential& P, const auto& C, const auto& x) { return P(C, mesh, x); });
        },
        "collisions"_a, "mesh"_a, "X"_a,
        "The energy at positions X (#V, dim) [J]. Raises InvalidStart where a pair touches, as the others do.");
    const auto def_vector = [&](const char* name, auto get, const char* doc) {
        type.def(
            name,
            [get](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X) {
                const Eigen::VectorXd vector =
                    evaluate(self, collisions, X, [&](const Potential& P, const auto& C, const auto& x) {
                        return (P.*get)(C, mesh, x);
                    });
                return to_numpy(as_span(vector));
            },
            "collisions"_a, "mesh"_a, "X"_a, doc);
    };
    def_vector("gradient", &Potential::gradient, "The energy's gradient by X, flat by vertex (ndof,) [N].");
    def_vector("energies", &Potential::energies, "The energy of each collision (len(collisions),) [J].");
    def_vector(
        "normal_forces", &Potential::normal_forces,
        "The force with which the elements of each collision push each other apart along the line between their "
        "closest points (len(collisions),) [N]: what friction counts with. In the toolkit's variant, as there, the "
        "norm of the collision's whole gradient, which is larger.");
    type.def(
        "forces",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X) {
            return matrix_to_numpy(evaluate(self, collisions, X, [&](const Potential& P, const auto& C, const auto& x) {
                return P.forces(C, mesh, x);
            }));
        },
        "collisions"_a, "mesh"_a, "X"_a,
        R"(The force of each collision on each vertex of its stencil, minus its gradient, (n, dim) [N].

Rows follow collisions.stencil_vertices: those of collision k are rows collisions.stencil_offsets[k] up to
collisions.stencil_offsets[k + 1]. Summed by vertex they are minus gradient().)");
    type.def(
        "hessian",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X,
           const py::object& project_hessian_to_psd, SharedCache* cache) {
            const Positions x = positions_argument(X, "X");
            const auto projection =
                enum_argument<PSDProjectionMethod>(project_hessian_to_psd, "project_hessian_to_psd");
            const auto set = collisions.set;
            set->validate(mesh, x);
            const auto potential = self.potential;
            return hessian_with(
                cache, [&](HessianCache& used) { potential->hessian(*set, mesh, x, projection, used); });
        },
        "collisions"_a, "mesh"_a, "X"_a,
        py::arg_v("project_hessian_to_psd", m.attr("PSDProjectionMethod").attr("NONE"), "PSDProjectionMethod.NONE"),
        py::kw_only(), "cache"_a = py::none(),
        (std::string("The energy's Hessian by X as a scipy.sparse.csc_matrix (ndof, ndof) with both triangles [N/m].") +
         hessian_doc)
            .c_str());
}

void def_potential(py::module_& m)
{
    using Self = SharedSmoothPotential;
    py::class_<Self> type(
        m, "SmoothContactPotential",
        "The Geometric Contact Potential: the sum of stiffness * weight * barrier * mollifiers * directional factors "
        "over SmoothCollisions. Sums run in a fixed order: the same bits for any number of threads. Calls run in "
        "parallel, without the interpreter lock.");
    type.def(
        py::init([](const Parameters& params, double stiffness) {
            return Self{std::make_shared<const SmoothContactPotential>(params, stiffness)};
        }),
        "params"_a, "stiffness"_a = 1.0,
        "With SmoothContactParameters and a stiffness κ > 0, whose unit makes the sum an energy: [J m^(r - 4)], in the "
        "plane [J m^(r - 2)].");
    def_evaluation(m, type);
    type.def_property_readonly(
        "parameters", [](const Self& self) { return self.potential->parameters(); },
        "Its SmoothContactParameters; a copy.");
    type.def_property(
        "stiffness", [](const Self& self) { return self.potential->stiffness(); },
        [](Self& self, double stiffness) {
            SmoothContactPotential changed = *self.potential;
            changed.set_stiffness(stiffness);
            self.potential = std::make_shared<const SmoothContactPotential>(std::move(changed));
        },
        "κ, > 0. May be set.");
    type.def("__repr__", [](const Self& self) {
        const Parameters& params = self.potential->parameters();
        return fmt::format(
            "<abut.SmoothContactPotential: {}, dhat = {} m, stiffness = {}>",
            std::string(py::str(to_python(params.variant).attr("name"))), params.dhat, self.potential->stiffness());
    });
}

void def_smooth_stiffness(py::module_& m)
{
    m.def(
        "suggest_smooth_stiffness",
        [](const Parameters& params, int dim, double feature_length, double mass, double dt, double youngs_modulus,
           double edge_length, double gap) {
            return suggest_smooth_stiffness(
                {.params = params,
                 .dim = dim,
                 .feature_length = feature_length,
                 .mass = mass,
                 .dt = dt,
                 .youngs_modulus = youngs_modulus,
                 .edge_length = edge_length,
                 .gap = gap});
        },
        py::kw_only(), "params"_a, "dim"_a, "feature_length"_a, "mass"_a, "dt"_a, "youngs_modulus"_a = 0.0,
        "edge_length"_a = 0.0, "gap"_a = 0.5,
        R"(The same as suggest_stiffness() for a SmoothContactPotential: the stiffness at which a pair is as stiff as what
presses on it, as a StiffnessSuggestion.

params: SmoothContactParameters.
dim: 2 or 3.
feature_length: L, the typical edge length of the surfaces [m], > 0; not used where the params have a constant L.
mass: of a typical vertex in contact [kg], > 0.
dt: time step [s], > 0; inf for a static problem.
youngs_modulus: of the softer body in contact [Pa], >= 0; 0: rigid or none.
edge_length: typical, of the elements behind the surface [m], > 0 where youngs_modulus is.
gap: where the two are equally stiff, as a share of dhat, in (0, 1).)");
}

} // namespace

void def_gcp(py::module_& m)
{
    def_parameters(m);
    def_smooth_stiffness(m);
    def_collisions(m);
    def_potential(m);
}

} // namespace abut::python
