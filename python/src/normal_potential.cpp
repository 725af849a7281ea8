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

using Self = SharedNormalPotential;

/// Calls work(potential, collisions, X) without the interpreter lock.
template <typename Work>
auto evaluate(
    const Self& self, const SharedNormalCollisions& collisions, const CollisionMesh& mesh, const ArrayLike& X,
    Work&& work)
{
    const Positions x = positions_argument(X, "X");
    const auto set = collisions.for_mesh(mesh);
    const auto potential = self.potential;
    return without_gil([&] { return work(*potential, *set, x); });
}

void def_evaluation(py::module_& m, py::class_<Self>& type)
{
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
    type.def(
        "gradient",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X) {
            const Eigen::VectorXd gradient =
                evaluate(self, collisions, mesh, X, [&](const NormalPotential& P, const auto& C, const auto& x) {
                    return P.gradient(C, mesh, x);
                });
            return to_numpy(as_span(gradient));
        },
        "collisions"_a, "mesh"_a, "X"_a,
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
    type.def(
        "energies",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X) {
            const Eigen::VectorXd energies =
                evaluate(self, collisions, mesh, X, [&](const NormalPotential& P, const auto& C, const auto& x) {
                    return P.energies(C, mesh, x);
                });
            return to_numpy(as_span(energies));
        },
        "collisions"_a, "mesh"_a, "X"_a, "The energy of each collision (len(collisions),) [J].");
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
    type.def(
        "force_magnitudes",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& X) {
            const Eigen::VectorXd magnitudes =
                evaluate(self, collisions, mesh, X, [&](const NormalPotential& P, const auto& C, const auto& x) {
                    return P.force_magnitudes(C, mesh, x);
                });
            return to_numpy(as_span(magnitudes));
        },
        "collisions"_a, "mesh"_a, "X"_a,
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

} // namespace

void def_normal_potential(py::module_& m)
{
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
}

} // namespace abut::python
