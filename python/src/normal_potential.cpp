#include "normal_potential.hpp"

#include "abut/contact/adhesion/normal_adhesion_potential.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "bind_potential.hpp"
#include "module.hpp"
#include "normal_collisions.hpp"
#include "python_law.hpp"

namespace abut::python {

template <>
inline constexpr EnumNames enum_names<HessianMode>{
    "HessianMode", "EXACT ANALYTIC GAUSS_NEWTON ABSOLUTE ANALYTIC_UNMOLLIFIED HYBRID",
    "Which second derivatives hessian() returns: EXACT, with a PSDProjectionMethod for negative eigenvalues; ANALYTIC, "
    "GIPC's closed form, and GAUSS_NEWTON, IPC's, which are positive semidefinite and need none; ABSOLUTE, with the "
    "absolute values of its eigenvalues; ANALYTIC_UNMOLLIFIED, GIPC's with the mollifier of edges as a constant; "
    "HYBRID, GIPC's, but the projected one of nearly parallel edges and closer than a tenth of dhat."};

namespace {

using Barrier = SharedPotential<BarrierPotential>;
using Adhesion = SharedPotential<NormalAdhesionPotential>;

void def_evaluations(py::module_& m, Class<SharedNormalPotential>& type)
{
    using P = NormalPotential;
    Evaluations<SharedNormalPotential, NormalCollisions> evaluations(type, "X");
    evaluations.def("__call__", "The energy at positions X (#V, dim) [J]; inf where a pair touches.", &P::operator());
    evaluations.def(
        "gradient", "The energy's gradient by X, flat by vertex (ndof,) [N]. Raises InvalidStart where a pair touches.",
        &P::gradient);
    evaluations.def_hessian(
        m, "The energy's Hessian by X as a scipy.sparse.csc_matrix (ndof, ndof) with both triangles [N/m]. Raises "
           "InvalidStart where a pair touches.");
    evaluations.def("energies", "The energy of each collision (len(collisions),) [J].", &P::energies);
    evaluations.def(
        "forces", R"(The force of each collision on each of its vertices, minus its gradient, (n, dim) [N].

Rows follow collisions.stencil_vertices: those of collision k are rows collisions.stencil_offsets[k] up to
collisions.stencil_offsets[k + 1], in the order of its vertices. Summed by vertex they are minus gradient().)",
        &P::forces);
    evaluations.def(
        "force_magnitudes",
        "Size of the force with which the closest points of each collision push each other apart (len(collisions),) "
        "[N], negative where they pull: without the collision's weight and mollifier, which are its share of the "
        "surface.",
        &P::force_magnitudes);
    evaluations.def(
        "shape_derivative",
        "Derivative of the gradient by the rest positions at fixed X, a scipy.sparse.csc_matrix (ndof, ndof): row = "
        "entry of the gradient, column = rest coordinate. Where X = rest + displacement, add hessian(). Needs "
        "collisions built with enable_shape_derivatives.",
        &P::shape_derivative);
}

void def_barrier(py::module_& m)
{
    using O = BarrierPotentialOptions;
    Class<Barrier, SharedNormalPotential> type(
        m, "BarrierPotential",
        "The barrier that keeps things apart: a NormalPotential whose law grows without bound towards contact.");
    type.init(
        required<&O::dhat>, options<&O::stiffness, &O::use_physical_barrier>, py::kw_only(), law_arguments(),
        "law_unit"_a = py::none(),
        py::arg_v("hessian_mode", m.attr("HessianMode").attr("EXACT"), "HessianMode.EXACT"), std::string(R"(A barrier.

dhat: distance at which it begins, beyond dmin of the collisions [m], > 0.
stiffness: κ, > 0; a pressure [Pa] of a physical barrier, else of the unit of energy over the law's.
use_physical_barrier: scale the law by dhat / its unit. With area-weighted collisions the stiffness then means the same
for every dhat and law.)") + law_doc + R"(
law_unit: of a callable law, a callable of x_hat: the law's unit, by which a physical barrier divides; by default
x_hat**2.
hessian_mode: a HessianMode: which second derivatives hessian() returns. Value and gradient are the same for all.)",
        [](O given, const py::object& law, DistanceKind distance, const py::object& law_unit, HessianMode mode) {
            given.law = law_argument(law, distance, law_unit);
            given.hessian_mode = mode;
            return Barrier(BarrierPotential(given));
        });
    def_stiffness_of(type);
    type.get("use_physical_barrier", "Is the law scaled by dhat / its unit?", [](const Barrier& self) {
        return self->use_physical_barrier();
    });
    type.repr([](const Barrier& self) {
        return fmt::format(
            "{}, dhat = {} m, stiffness = {}{}", self->law().name(), self->dhat(), self->stiffness(),
            self->use_physical_barrier() ? ", physical" : "");
    });
}

void def_adhesion(py::module_& m)
{
    using O = NormalAdhesionOptions;
    Class<Adhesion, SharedNormalPotential> type(
        m, "NormalAdhesionPotential",
        "Surfaces that stick: a NormalPotential whose law is a well, strongest at dhat_p and gone from dhat_a on. "
        "Beside it acts a barrier. Immutable.");
    type.init(
        required<&O::dhat_p, &O::dhat_a, &O::youngs_modulus, &O::critical_strain>, py::kw_only(),
        options<&O::distance, &O::hessian_mode>,
        R"(Adhesion whose pull at dhat_p is the stress youngs_modulus * critical_strain.

dhat_p: distance of the strongest pull, beyond dmin of the collisions [m], in (0, dhat_a).
dhat_a: distance at which bonds end, beyond dmin [m].
youngs_modulus: of two materials the softer one's [Pa], > 0.
critical_strain: strain at which the material lets go, > 0.
distance: what the law sees, "plain" or, as the authors' code has it, "squared": the pull then peaks beyond dhat_p.
hessian_mode: a HessianMode: which second derivatives hessian() returns.)",
        [](const O& given) { return Adhesion(NormalAdhesionPotential(given)); });
    type.def_static(
        "for_barrier", "dhat"_a, "youngs_modulus"_a, "critical_strain"_a,
        "With the usual thresholds for a barrier that begins at dhat [m]: dhat_p = dhat, dhat_a = 2 dhat.",
        [](double dhat, double youngs_modulus, double critical_strain) {
            return Adhesion(NormalAdhesionPotential(O::for_barrier(dhat, youngs_modulus, critical_strain)));
        });
    const auto def_number = [&](const char* name, const char* doc, double O::*field) {
        type.get(name, doc, [field](const Adhesion& self) { return self->options().*field; });
    };
    def_number("dhat_p", "Distance of the strongest pull, beyond dmin [m].", &O::dhat_p);
    def_number("dhat_a", "Distance at which bonds end, beyond dmin [m].", &O::dhat_a);
    def_number("youngs_modulus", "Y [Pa].", &O::youngs_modulus);
    def_number("critical_strain", "Strain at which the material lets go.", &O::critical_strain);
    type.get(
        "strength",
        "The pull at dhat_p, youngs_modulus * critical_strain [Pa], and the normal force that tangential adhesion "
        "counts with.",
        [](const Adhesion& self) { return self->strength(); });
    type.get(
        "collision_options",
        "Arguments for NormalCollisions.build(), a dict, of a set whose pull between parallel surfaces is `strength` "
        "per area, whatever their meshes: collisions.build(mesh, X, **adhesion.collision_options).",
        [](const Adhesion& self) {
            const NormalCollisionsOptions set = self->options().collisions();
            return py::dict(
                "dhat"_a = set.dhat, "set_type"_a = to_python(set.set_type),
                "use_area_weighting"_a = set.use_area_weighting, "use_face_edges"_a = set.use_face_edges);
        });
    type.repr([](const Adhesion& self) {
        return fmt::format(
            "{}, dhat_p = {} m, dhat_a = {} m, strength = {} Pa", self->law().name(), self->options().dhat_p,
            self->options().dhat_a, self->strength());
    });
}

} // namespace

void def_normal_potential(py::module_& m)
{
    using Self = SharedNormalPotential;
    Class<Self> type(
        m, "NormalPotential",
        "The energy of a set of NormalCollisions under a law of their distances: the sum of stiffness * weight * "
        "mollifier * law. Sums run in a fixed order: the same bits for any number of threads. Calls run in parallel, "
        "without the interpreter lock.");
    def_enum<HessianMode>(m);
    def_evaluations(m, type);
    type.get("dhat", "Distance at which the law begins, beyond dmin of the set [m].", [](const Self& self) {
        return self.potential->dhat();
    });
    type.get("law_name", "The law's name, with what it is a law of.", [](const Self& self) {
        return self.potential->law().name();
    });
    type.get("hessian_mode", "A HessianMode: which second derivatives hessian() returns.", [](const Self& self) {
        return self.potential->hessian_mode();
    });
    def_barrier(m);
    def_adhesion(m);
}

} // namespace abut::python
