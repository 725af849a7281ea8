#include "abut/contact/friction/tangential_potential.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/adhesion/tangential_adhesion_potential.hpp"
#include "hessian_cache.hpp"
#include "module.hpp"
#include "normal_potential.hpp"
#include "tangential_collisions.hpp"

namespace abut::python {

template <>
struct EnumNames<DiffWRT> {
    static constexpr auto type = "DiffWRT";
    static constexpr auto members = "VELOCITIES LAGGED_POSITIONS";
    static constexpr auto doc =
        "By what a friction force is differentiated: VELOCITIES, or LAGGED_POSITIONS, through normal force, contact "
        "point, tangent basis and interpolated coefficients.";
};

namespace {

/// Calls work(collisions, velocities) without the interpreter lock.
template <typename Work>
auto evaluate(
    const SharedTangentialCollisions& collisions, const CollisionMesh& mesh, const ArrayLike& velocities, Work&& work)
{
    const Positions v = positions_argument(velocities, "velocities");
    const auto set = collisions.for_mesh(mesh);
    return without_gil([&] { return work(*set, v); });
}

/// Defines a method that returns a vector.
void def_vector_of(
    py::class_<TangentialPotential>& type, const char* name,
    Eigen::VectorXd (TangentialPotential::*method)(
        const TangentialCollisions&, const CollisionMesh&, const ConstPositions&) const,
    const char* doc)
{
    using Self = TangentialPotential;
    using Set = SharedTangentialCollisions;
    type.def(
        name,
        [method](const Self& self, const Set& collisions, const CollisionMesh& mesh, const ArrayLike& velocities) {
            const Eigen::VectorXd result = evaluate(
                collisions, mesh, velocities, [&](const auto& C, const auto& v) { return (self.*method)(C, mesh, v); });
            return to_numpy(as_span(result));
        },
        "collisions"_a, "mesh"_a, "velocities"_a, doc);
}

void def_derivatives(py::module_& m, py::class_<TangentialPotential>& type)
{
    using Self = TangentialPotential;
    using Set = SharedTangentialCollisions;
    using Mesh = CollisionMesh;
    type.def(
        "hessian",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& velocities,
           const py::object& project_hessian_to_psd, SharedCache* cache) {
            const Positions v = positions_argument(velocities, "velocities");
            const auto projection =
                enum_argument<PSDProjectionMethod>(project_hessian_to_psd, "project_hessian_to_psd");
            const auto set = collisions.for_mesh(mesh);
            return hessian_with(cache, [&](HessianCache& used) { self.hessian(*set, mesh, v, projection, used); });
        },
        "collisions"_a, "mesh"_a, "velocities"_a,
        py::arg_v("project_hessian_to_psd", m.attr("PSDProjectionMethod").attr("NONE"), "PSDProjectionMethod.NONE"),
        py::kw_only(), "cache"_a = py::none(),
        (std::string("The energy's Hessian by the velocities as a scipy.sparse.csc_matrix (ndof, ndof) with both "
                     "triangles.") +
         hessian_doc)
            .c_str());
    type.def(
        "force_jacobian",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& lagged_positions,
           const ArrayLike& velocities, const SharedNormalPotential& normal_potential, const py::object& wrt) {
            const Positions x = positions_argument(lagged_positions, "lagged_positions");
            const Positions v = positions_argument(velocities, "velocities");
            const auto by = enum_argument<DiffWRT>(wrt, "wrt");
            const auto set = collisions.for_mesh(mesh);
            validate_friction(set->friction(), mesh);
            const auto potential = normal_potential.potential;
            return to_scipy(without_gil([&] { return self.force_jacobian(*set, mesh, x, v, *potential, by); }));
        },
        "collisions"_a, "mesh"_a, "lagged_positions"_a, "velocities"_a, "normal_potential"_a, "wrt"_a,
        "Derivative of force() by the velocities, or by the positions (#V, dim) [m] at which the collisions were "
        "lagged "
        "under normal_potential, as `wrt`, a DiffWRT, says: a scipy.sparse.csc_matrix (ndof, ndof), row = entry of the "
        "force. Not symmetric in the second case.");
}

} // namespace

void def_tangential_potential(py::module_& m)
{
    using Self = TangentialPotential;
    using Set = SharedTangentialCollisions;
    using Mesh = CollisionMesh;
    def_enum<DiffWRT>(m);
    py::class_<Self> type(
        m, "TangentialPotential",
        "The energy of sliding under a law of its speed, over TangentialCollisions: the sum of weight * normal force * "
        "law(speed). Velocities (#V, dim) may be displacements where the law's speeds are: no time step enters. Sums "
        "run in a fixed order: the same bits for any number of threads. Calls run in parallel, without the interpreter "
        "lock. Immutable.");
    type.def(
        "__call__",
        [](const Self& self, const Set& collisions, const Mesh& mesh, const ArrayLike& velocities) {
            return evaluate(
                collisions, mesh, velocities, [&](const auto& C, const auto& v) { return self(C, mesh, v); });
        },
        "collisions"_a, "mesh"_a, "velocities"_a, "The energy at the velocities (#V, dim) [m/s].");
    def_vector_of(
        type, "gradient", &Self::gradient, "The energy's gradient by the velocities, flat by vertex (ndof,).");
    def_vector_of(type, "energies", &Self::energies, "The energy of each collision (len(collisions),).");
    def_vector_of(type, "force", &Self::force, "The force on the vertices, -gradient(), flat by vertex (ndof,) [N].");
    def_derivatives(m, type);

    py::class_<FrictionPotential, Self>(
        m, "FrictionPotential", "Friction, smoothed: see abut.laws.friction for the law.")
        .def(
            py::init<double>(), "eps_v"_a,
            "eps_v: speed below which friction is static [m/s], > 0. Smaller is stiffer and closer to Coulomb's law.")
        .def_property_readonly("eps_v", &FrictionPotential::eps_v, "Speed below which friction is static [m/s].")
        .def("__repr__", [](const FrictionPotential& self) {
            return fmt::format("<abut.FrictionPotential: eps_v = {} m/s>", self.eps_v());
        });

    py::class_<TangentialAdhesionPotential, Self>(
        m, "TangentialAdhesionPotential",
        "Resistance to sliding of surfaces that stick: see abut.laws.tangential_adhesion for the law. Its "
        "TangentialCollisions are built under a NormalAdhesionPotential, whose strength is the normal force of every "
        "pair that is bonded; the coefficients are those of friction.")
        .def(
            py::init<double>(), "eps_a"_a,
            "eps_a: speed at which the force is largest [m/s], > 0; from twice that on there is none.")
        .def_property_readonly(
            "eps_a", &TangentialAdhesionPotential::eps_a, "Speed at which the force is largest [m/s].")
        .def("__repr__", [](const TangentialAdhesionPotential& self) {
            return fmt::format("<abut.TangentialAdhesionPotential: eps_a = {} m/s>", self.eps_a());
        });
}

} // namespace abut::python
