#include "abut/contact/friction/tangential_potential.hpp"

#include "abut/contact/adhesion/tangential_adhesion_potential.hpp"
#include "bind_potential.hpp"
#include "module.hpp"
#include "normal_potential.hpp"

namespace abut::python {

template <>
inline constexpr EnumNames enum_names<DiffWRT>{
    "DiffWRT", "VELOCITIES LAGGED_POSITIONS",
    "By what a friction force is differentiated: VELOCITIES, or LAGGED_POSITIONS, through normal force, contact point, "
    "tangent basis and interpolated coefficients."};

namespace {

using Tangential = TangentialPotential;

void def_force_jacobian(Class<Tangential>& type)
{
    type.def(
        "force_jacobian", "collisions"_a, "mesh"_a, "lagged_positions"_a, "velocities"_a, "normal_potential"_a, "wrt"_a,
        "Derivative of force() by the velocities, or by the positions (#V, dim) [m] at which the collisions were "
        "lagged under normal_potential, as `wrt`, a DiffWRT, says: a scipy.sparse.csc_matrix (ndof, ndof), row = entry "
        "of the "
        "force. Not symmetric in the second case.",
        [](const Tangential& self, const SharedCollisions<TangentialCollisions>& collisions, const CollisionMesh& mesh,
           const Positions& x, const Positions& v, const SharedNormalPotential& normal, DiffWRT wrt) {
            const auto set = collisions.for_mesh(mesh);
            const auto potential = normal.potential;
            return to_python(without_gil([&] { return self.force_jacobian(*set, mesh, x, v, *potential, wrt); }));
        });
}

} // namespace

void def_tangential_potential(py::module_& m)
{
    def_enum<DiffWRT>(m);
    Class<Tangential> type(
        m, "TangentialPotential",
        "The energy of sliding under a law of its speed, over TangentialCollisions: the sum of weight * normal force * "
        "law(speed). Velocities (#V, dim) may be displacements where the law's speeds are: no time step enters. Sums "
        "run in a fixed order: the same bits for any number of threads. Calls run in parallel, without the interpreter "
        "lock. Immutable.");
    Evaluations<Tangential, TangentialCollisions> evaluations(type, "velocities");
    evaluations.def("__call__", "The energy at the velocities (#V, dim) [m/s].", &Tangential::operator());
    evaluations.def(
        "gradient", "The energy's gradient by the velocities, flat by vertex (ndof,).", &Tangential::gradient);
    evaluations.def("energies", "The energy of each collision (len(collisions),).", &Tangential::energies);
    evaluations.def("force", "The force on the vertices, -gradient(), flat by vertex (ndof,) [N].", &Tangential::force);
    evaluations.def_hessian(
        m, "The energy's Hessian by the velocities as a scipy.sparse.csc_matrix (ndof, ndof) with both triangles.");
    def_force_jacobian(type);

    using F = FrictionPotential;
    Class<F, Tangential> friction(m, "FrictionPotential", "Friction, smoothed: see abut.laws.friction for the law.");
    friction.init(
        "eps_v"_a,
        "eps_v: speed below which friction is static [m/s], > 0. Smaller is stiffer and closer to Coulomb's law.",
        [](double eps_v) { return F(eps_v); });
    friction.get("eps_v", "Speed below which friction is static [m/s].", &F::eps_v);
    friction.repr([](const F& self) { return fmt::format("eps_v = {} m/s", self.eps_v()); });

    using A = TangentialAdhesionPotential;
    Class<A, Tangential> adhesion(
        m, "TangentialAdhesionPotential",
        "Resistance to sliding of surfaces that stick: see abut.laws.tangential_adhesion for the law. Its "
        "TangentialCollisions are built under a NormalAdhesionPotential, whose strength is the normal force of every "
        "pair that is bonded; the coefficients are those of friction.");
    adhesion.init(
        "eps_a"_a, "eps_a: speed at which the force is largest [m/s], > 0; from twice that on there is none.",
        [](double eps_a) { return A(eps_a); });
    adhesion.get("eps_a", "Speed at which the force is largest [m/s].", &A::eps_a);
    adhesion.repr([](const A& self) { return fmt::format("eps_a = {} m/s", self.eps_a()); });
}

} // namespace abut::python
