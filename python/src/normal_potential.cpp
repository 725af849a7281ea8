#include "normal_potential.hpp"

#include "abut/base/error.hpp"
#include "hessian_cache.hpp"
#include "module.hpp"
#include "normal_collisions.hpp"
#include "python_law.hpp"

namespace abut::python {

template <>
struct EnumNames<HessianMode> {
    static constexpr auto type = "HessianMode";
    static constexpr auto members = "EXACT ANALYTIC GAUSS_NEWTON";
    static constexpr auto doc =
        "Which second derivatives hessian() returns: EXACT, with a PSDProjectionMethod for negative eigenvalues; "
        "ANALYTIC, GIPC's closed form, and GAUSS_NEWTON, IPC's, which are positive semidefinite and need none.";
};

namespace {

/// Calls work(potential, collisions, X) without the interpreter lock.
template <typename Work>
auto evaluate(
    const SharedNormalPotential& self, const SharedNormalCollisions& collisions, const CollisionMesh& mesh,
    const ArrayLike& X, Work&& work)
{
    const Positions x = positions_argument(X, "X");
    const auto set = collisions.for_mesh(mesh);
    const auto potential = self.potential;
    return without_gil([&] { return work(*potential, *set, x); });
}

void def_evaluation(py::module_& m, py::class_<SharedNormalPotential>& type)
{
    using Self = SharedNormalPotential;
    using Set = SharedNormalCollisions;
    using Mesh = CollisionMesh;
    type.def(
        "__call__",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X) {
            return evaluate(self, collisions, mesh, X, [&](const NormalPotential& P, const auto& C, const auto& x) {
                return P(C, mesh, x);
            });
        },
        "collisions"_a, "mesh"_a, "X"_a, "The energy at positions X (#V, dim) [J]; inf where a pair touches.");
    const auto def_vector = [&](const char* name, auto get, const char* doc) {
        type.def(
            name,
            [get](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X) {
                const Eigen::VectorXd vector =
                    evaluate(self, collisions, mesh, X, [&](const NormalPotential& P, const auto& C, const auto& x) {
                        return (P.*get)(C, mesh, x);
                    });
                return to_numpy(as_span(vector));
            },
            "collisions"_a, "mesh"_a, "X"_a, doc);
    };
    def_vector(
        "gradient", &NormalPotential::gradient,
        "The energy's gradient by X, flat by vertex (ndof,) [N]. Raises InvalidStart where a pair touches.");
    type.def(
        "hessian",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X,
           const py::object& project_hessian_to_psd, SharedCache* cache) {
            const Positions x = positions_argument(X, "X");
            const auto projection =
                enum_argument<PSDProjectionMethod>(project_hessian_to_psd, "project_hessian_to_psd");
            const auto set = collisions.for_mesh(mesh);
            const auto potential = self.potential;
            return hessian_with(
                cache, [&](HessianCache& used) { potential->hessian(*set, mesh, x, projection, used); });
        },
        "collisions"_a, "mesh"_a, "X"_a,
        py::arg_v("project_hessian_to_psd", m.attr("PSDProjectionMethod").attr("NONE"), "PSDProjectionMethod.NONE"),
        py::kw_only(), "cache"_a = py::none(),
        (std::string("The energy's Hessian by X as a scipy.sparse.csc_matrix (ndof, ndof) with both triangles [N/m]. "
                     "Raises InvalidStart where a pair touches.") +
         hessian_doc)
            .c_str());
    def_vector("energies", &NormalPotential::energies, "The energy of each collision (len(collisions),) [J].");
    type.def(
        "forces",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X) {
            return matrix_to_numpy(
                evaluate(self, collisions, mesh, X, [&](const NormalPotential& P, const auto& C, const auto& x) {
                    return P.forces(C, mesh, x);
                }));
        },
        "collisions"_a, "mesh"_a, "X"_a,
        R"(The force of each collision on each of its vertices, minus its gradient, (n, dim) [N].

Rows follow collisions.stencil_vertices: those of collision k are rows collisions.stencil_offsets[k] up to
collisions.stencil_offsets[k + 1], in the order of its vertices. Summed by vertex they are minus gradient().)");
    def_vector(
        "force_magnitudes", &NormalPotential::force_magnitudes,
        "Size of the force with which the closest points of each collision push each other apart (len(collisions),) "
        "[N], negative where they pull: without the collision's weight and mollifier, which are its share of the "
        "surface.");
    type.def(
        "shape_derivative",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X) {
            return to_scipy(
                evaluate(self, collisions, mesh, X, [&](const NormalPotential& P, const auto& C, const auto& x) {
                    return P.shape_derivative(C, mesh, x);
                }));
        },
        "collisions"_a, "mesh"_a, "X"_a,
        "Derivative of the gradient by the rest positions at fixed X, a scipy.sparse.csc_matrix (ndof, ndof): row = "
        "entry of the gradient, column = rest coordinate. Where X = rest + displacement, add hessian(). Needs "
        "collisions built with enable_shape_derivatives.");
}

void def_adhesion(py::module_& m)
{
    using Adhesion = SharedNormalAdhesionPotential;
    const auto exact = py::arg_v("hessian_mode", m.attr("HessianMode").attr("EXACT"), "HessianMode.EXACT");
    py::class_<Adhesion, SharedNormalPotential> type(
        m, "NormalAdhesionPotential",
        "Surfaces that stick: a NormalPotential whose law is a well, strongest at dhat_p and gone from dhat_a on. "
        "Beside "
        "it acts a barrier. Immutable.");
    type.def(
        py::init([](double dhat_p, double dhat_a, double youngs_modulus, double critical_strain,
                    const std::string& distance, const py::object& hessian_mode) {
            return Adhesion(
                {.dhat_p = dhat_p,
                 .dhat_a = dhat_a,
                 .youngs_modulus = youngs_modulus,
                 .critical_strain = critical_strain,
                 .distance = distance_argument(distance),
                 .hessian_mode = enum_argument<HessianMode>(hessian_mode, "hessian_mode")});
        }),
        "dhat_p"_a, "dhat_a"_a, "youngs_modulus"_a, "critical_strain"_a, py::kw_only(), "distance"_a = "plain", exact,
        R"(Adhesion whose pull at dhat_p is the stress youngs_modulus * critical_strain.

dhat_p: distance of the strongest pull, beyond dmin of the collisions [m], in (0, dhat_a).
dhat_a: distance at which bonds end, beyond dmin [m].
youngs_modulus: of two materials the softer one's [Pa], > 0.
critical_strain: strain at which the material lets go, > 0.
distance: what the law sees, "plain" or, as the authors' code has it, "squared": the pull then peaks beyond dhat_p.
hessian_mode: a HessianMode: which second derivatives hessian() returns.)");
    type.def_static(
        "for_barrier",
        [](double dhat, double youngs_modulus, double critical_strain) {
            return Adhesion(NormalAdhesionOptions::for_barrier(dhat, youngs_modulus, critical_strain));
        },
        "dhat"_a, "youngs_modulus"_a, "critical_strain"_a,
        "With the usual thresholds for a barrier that begins at dhat [m]: dhat_p = dhat, dhat_a = 2 dhat.");
    const auto def_number = [&](const char* name, double NormalAdhesionOptions::*field, const char* doc) {
        type.def_property_readonly(
            name, [field](const Adhesion& self) { return self.get().options().*field; }, doc);
    };
    def_number("dhat_p", &NormalAdhesionOptions::dhat_p, "Distance of the strongest pull, beyond dmin [m].");
    def_number("dhat_a", &NormalAdhesionOptions::dhat_a, "Distance at which bonds end, beyond dmin [m].");
    def_number("youngs_modulus", &NormalAdhesionOptions::youngs_modulus, "Y [Pa].");
    def_number("critical_strain", &NormalAdhesionOptions::critical_strain, "Strain at which the material lets go.");
    type.def_property_readonly(
        "strength", [](const Adhesion& self) { return self.get().strength(); },
        "The pull at dhat_p, youngs_modulus * critical_strain [Pa], and the normal force that tangential adhesion "
        "counts "
        "with.");
    type.def_property_readonly(
        "collision_options",
        [](const Adhesion& self) {
            const NormalCollisionsOptions options = self.get().options().collisions();
            return py::dict(
                "dhat"_a = options.dhat, "set_type"_a = to_python(options.set_type),
                "use_area_weighting"_a = options.use_area_weighting, "use_face_edges"_a = options.use_face_edges);
        },
        "Arguments for NormalCollisions.build(), a dict, of a set whose pull between parallel surfaces is `strength` "
        "per "
        "area, whatever their meshes: collisions.build(mesh, X, **adhesion.collision_options).");
    type.def("__repr__", [](const Adhesion& self) {
        const NormalAdhesionOptions& options = self.get().options();
        return fmt::format(
            "<abut.NormalAdhesionPotential: {}, dhat_p = {} m, dhat_a = {} m, strength = {} Pa>",
            self.get().law().name(), options.dhat_p, options.dhat_a, self.get().strength());
    });
}

} // namespace

void def_normal_potential(py::module_& m)
{
    using Self = SharedNormalPotential;
    py::class_<Self> type(
        m, "NormalPotential",
        "The energy of a set of NormalCollisions under a law of their distances: the sum of stiffness * weight * "
        "mollifier * law. Sums run in a fixed order: the same bits for any number of threads. Calls run in parallel, "
        "without the interpreter lock.");
    def_enum<HessianMode>(m);
    def_evaluation(m, type);
    type.def_property_readonly(
        "dhat", [](const Self& self) { return self.potential->dhat(); },
        "Distance at which the law begins, beyond dmin of the set [m].");
    type.def_property_readonly(
        "law_name", [](const Self& self) { return self.potential->law().name(); },
        "The law's name, with what it is a law of.");
    type.def_property_readonly(
        "hessian_mode", [](const Self& self) { return to_python(self.potential->hessian_mode()); },
        "A HessianMode: which second derivatives hessian() returns.");

    py::class_<SharedBarrierPotential, Self>(
        m, "BarrierPotential",
        "The barrier that keeps things apart: a NormalPotential whose law grows without bound towards contact.")
        .def(
            py::init([](double dhat, double stiffness, bool use_physical_barrier, const py::object& law,
                        const std::string& distance, const py::object& law_unit, const py::object& hessian_mode) {
                return SharedBarrierPotential(
                    {.dhat = dhat,
                     .stiffness = stiffness,
                     .use_physical_barrier = use_physical_barrier,
                     .law = law_argument(law, distance, law_unit),
                     .hessian_mode = enum_argument<HessianMode>(hessian_mode, "hessian_mode")});
            }),
            "dhat"_a, "stiffness"_a = 1.0, "use_physical_barrier"_a = false, py::kw_only(), "law"_a = "clamped_log",
            "distance"_a = "squared", "law_unit"_a = py::none(),
            py::arg_v("hessian_mode", m.attr("HessianMode").attr("EXACT"), "HessianMode.EXACT"),
            (std::string(R"(A barrier.

dhat: distance at which it begins, beyond dmin of the collisions [m], > 0.
stiffness: κ, > 0; a pressure [Pa] of a physical barrier, else of the unit of energy over the law's.
use_physical_barrier: scale the law by dhat / its unit. With area-weighted collisions the stiffness then means the same
for every dhat and law.)") +
             law_doc + R"(
law_unit: of a callable law, a callable of x_hat: the law's unit, by which a physical barrier divides; by default
x_hat**2.
hessian_mode: a HessianMode: which second derivatives hessian() returns. Value and gradient are the same for all.)")
                .c_str())
        .def_property(
            "stiffness", [](const SharedBarrierPotential& self) { return self.get().stiffness(); },
            &SharedBarrierPotential::set_stiffness, "κ, > 0. May be set.")
        .def_property_readonly(
            "use_physical_barrier",
            [](const SharedBarrierPotential& self) { return self.get().use_physical_barrier(); },
            "Is the law scaled by dhat / its unit?")
        .def("__repr__", [](const SharedBarrierPotential& self) {
            return fmt::format(
                "<abut.BarrierPotential: {}, dhat = {} m, stiffness = {}{}>", self.get().law().name(),
                self.get().dhat(), self.get().stiffness(), self.get().use_physical_barrier() ? ", physical" : "");
        });
    def_adhesion(m);
}

} // namespace abut::python
