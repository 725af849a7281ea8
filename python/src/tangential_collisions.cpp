#include "tangential_collisions.hpp"

#include "collision_terms.hpp"
#include "module.hpp"
#include "normal_collisions.hpp"
#include "normal_potential.hpp"

namespace abut::python {

template <>
struct EnumNames<BlendRule> {
    static constexpr auto type = "BlendRule";
    static constexpr auto members = "MEAN MINIMUM MAXIMUM PRODUCT GEOMETRIC_MEAN";
    static constexpr auto doc = "How the coefficients of friction of the two sides of a contact become one.";
};

namespace {

/// One collision of a set.
struct TangentialCollisionItem {
    std::shared_ptr<const TangentialCollisions> set;
    TangentialCollision collision;
    int dim;
};

/// A coefficient: one number, or one per vertex.
Eigen::VectorXd coefficient_argument(const py::object& value, const char* name, const CollisionMesh& mesh)
{
    const Reals mu = reals_argument(value, name);
    const bool is_number = mu.shape.empty();
    if (!is_number && (mu.shape.size() != 1 || mu.shape[0] != mesh.num_vertices()))
        reject(
            "{}: expected a number or one per vertex, of shape ({},), got shape ({})", name, mesh.num_vertices(),
            fmt::join(mu.shape, ", "));
    for (std::size_t i = 0; i < mu.values.size(); ++i)
        if (!(mu.values[i] >= 0 && std::isfinite(mu.values[i])))
            reject(
                "{}: {} is not a coefficient of friction; it must be a number >= 0",
                is_number ? std::string(name) : fmt::format("{}[{}]", name, i), mu.values[i]);
    return Eigen::Map<const Eigen::VectorXd>(mu.values.data(), static_cast<Eigen::Index>(mu.values.size()));
}

FrictionCoefficients friction_argument(
    const CollisionMesh& mesh, const py::object& mu, const py::object& mu_s, const py::object& mu_k,
    const py::object& blend, const ArrayLike& material_mu_s, const ArrayLike& material_mu_k, const ArrayLike& mu_aniso)
{
    const bool has_tables = !material_mu_s.is_none() || !material_mu_k.is_none();
    const bool has_pair = !mu_s.is_none() || !mu_k.is_none();
    if (has_tables + has_pair + !mu.is_none() != 1)
        reject("mu: give one of mu, mu_s with mu_k, and material_mu_s with material_mu_k");
    if (has_pair && (mu_s.is_none() || mu_k.is_none()))
        reject("{}: give both mu_s and mu_k, or mu for both", mu_s.is_none() ? "mu_s" : "mu_k");
    if (has_tables && (material_mu_s.is_none() || material_mu_k.is_none()))
        reject(
            "{}: give both material_mu_s and material_mu_k",
            material_mu_s.is_none() ? "material_mu_s" : "material_mu_k");

    FrictionCoefficients friction{.blend = enum_argument<BlendRule>(blend, "blend")};
    if (has_tables) {
        friction.material_mu_s = matrix_argument(material_mu_s, "material_mu_s");
        friction.material_mu_k = matrix_argument(material_mu_k, "material_mu_k");
        if (friction.material_mu_s.size() == 0 || friction.material_mu_k.size() == 0)
            reject("{}: the table is empty", friction.material_mu_s.size() == 0 ? "material_mu_s" : "material_mu_k");
    } else {
        Eigen::VectorXd s = coefficient_argument(has_pair ? mu_s : mu, has_pair ? "mu_s" : "mu", mesh);
        Eigen::VectorXd k = has_pair ? coefficient_argument(mu_k, "mu_k", mesh) : s;
        if (s.size() == 1 && k.size() == 1) {
            friction.mu_s = s[0];
            friction.mu_k = k[0];
        } else {
            const auto of_vertices = [&](const Eigen::VectorXd& value) -> Eigen::VectorXd {
                return value.size() == 1 ? Eigen::VectorXd::Constant(mesh.num_vertices(), value[0]) : value;
            };
            friction.vertex_mu_s = of_vertices(s);
            friction.vertex_mu_k = of_vertices(k);
        }
    }
    const Eigen::VectorXd aniso = vector_argument(mu_aniso, "mu_aniso");
    if (aniso.size() != 2)
        reject("mu_aniso: expected 2 numbers, got {}", aniso.size());
    friction.mu_aniso = aniso;
    return friction;
}

void def_build(py::module_& m, py::class_<SharedTangentialCollisions>& type)
{
    type.def(
        "build",
        [](SharedTangentialCollisions& self, const CollisionMesh& mesh, const ArrayLike& X,
           const SharedNormalCollisions& collisions, const SharedNormalPotential& normal_potential,
           const py::object& mu, const py::object& mu_s, const py::object& mu_k, const py::object& blend,
           const ArrayLike& material_mu_s, const ArrayLike& material_mu_k, const ArrayLike& mu_aniso) {
            const Positions x = positions_argument(X, "X");
            const FrictionCoefficients friction =
                friction_argument(mesh, mu, mu_s, mu_k, blend, material_mu_s, material_mu_k, mu_aniso);
            validate_friction(friction, mesh);
            const auto normal_set = collisions.for_mesh(mesh);
            const auto potential = normal_potential.potential;
            const auto set = std::make_shared<TangentialCollisions>();
            without_gil([&] { set->build(mesh, x, *normal_set, *potential, friction); });
            self = {set, MeshSize::of(mesh)};
        },
        "mesh"_a, "X"_a, "collisions"_a, "normal_potential"_a, "mu"_a = py::none(), py::kw_only(),
        "mu_s"_a = py::none(), "mu_k"_a = py::none(),
        py::arg_v("blend", m.attr("BlendRule").attr("MEAN"), "BlendRule.MEAN"), "material_mu_s"_a = py::none(),
        "material_mu_k"_a = py::none(), "mu_aniso"_a = py::make_tuple(1.0, 1.0),
        R"(Lags NormalCollisions under a NormalPotential at positions X (#V, dim) [m].

Normal forces, contact points, tangent bases and coefficients of friction stay as they are here. Give one of mu, mu_s
with mu_k, and the two tables.

mu: coefficient of friction at rest and in sliding, >= 0: a number, or one per vertex (#V,).
mu_s, mu_k: the static and the kinetic one, likewise.
blend: a BlendRule for the two sides of a contact, where there is one per vertex, interpolated at the contact point.
material_mu_s, material_mu_k: symmetric tables (m, m), one for each pair of the mesh's materials. A vertex against a
plane takes the diagonal entry of its material.
mu_aniso: scales of sliding along the two directions of the tangent basis (2,), > 0: friction is anisotropic where they
differ. The first direction is along the edge of an edge-vertex pair, the first edge of an edge-edge pair, the first edge
of the face of a face-vertex pair. In 2D only the first counts.

Runs in parallel, without the interpreter lock. On failure the collisions stay as they were.)");
}

py::array_t<double> basis_of(const Mat<3, 2>& basis, int dim)
{
    return matrix_to_numpy(basis.topLeftCorner(dim, dim - 1));
}

void def_tangential_collision(py::module_& m)
{
    using Item = TangentialCollisionItem;
    def_collision_class<Item>(
        m, "TangentialCollision", "A contact that resists sliding. Immutable.",
        "The vertices that it acts on, its stencil, (1 to 4,) int32.")
        .def_property_readonly(
            "coefficients", [](const Item& self) { return to_numpy(self.collision.coefficients); },
            "Weights of these vertices in the relative velocity of the two contact points (1 to 4,).")
        .def_property_readonly(
            "weight", [](const Item& self) { return self.collision.weight; }, "Its weight in the sum.")
        .def_property_readonly(
            "normal_force", [](const Item& self) { return self.collision.normal_force; },
            "Normal force [N], without the weight.")
        .def_property_readonly(
            "mu_s", [](const Item& self) { return self.collision.mu_s; }, "Static coefficient of friction.")
        .def_property_readonly(
            "mu_k", [](const Item& self) { return self.collision.mu_k; }, "Kinetic coefficient of friction.")
        .def_property_readonly(
            "basis", [](const Item& self) { return basis_of(self.collision.basis, self.dim); },
            "Tangent basis (dim, dim - 1), its directions as orthonormal columns.")
        .def("__repr__", [](const Item& self) {
            return fmt::format(
                "<abut.TangentialCollision: {}, normal force {} N, mu_s = {}, mu_k = {}>", pair_text(self.collision),
                self.collision.normal_force, self.collision.mu_s, self.collision.mu_k);
        });
}

void def_tangential_terms(py::module_& m)
{
    using View = TangentialTermsView;
    py::class_<View, TermsView> type(
        m, "TangentialTerms", "Contacts of one kind that resist sliding, in arrays of the same length. Immutable.");
    def_term_array<View>(
        type, "normal_forces",
        [](const View& v, py::handle self) { return view(std::span(v.normal_forces, v.size), self); },
        "Normal forces (n,) [N], without weights; read-only.");
    def_term_array<View>(
        type, "coefficients",
        [](const View& v, py::handle self) { return view_of_rows(v.coefficients, v.size, v.stencil_size, self); },
        "Weights of the stencil's vertices in the relative velocity of the contact points (n, 1 to 4); read-only.");
    def_term_array<View>(
        type, "bases",
        [](const View& v, py::handle self) {
            // Of each 3 x 2 matrix, stored by column, the part that its dimension has.
            constexpr py::ssize_t number = sizeof(double);
            py::array_t<double> array(
                {static_cast<py::ssize_t>(v.size), static_cast<py::ssize_t>(v.dim),
                 static_cast<py::ssize_t>(v.dim - 1)},
                {static_cast<py::ssize_t>(sizeof(Mat<3, 2>)), number, 3 * number},
                v.size == 0 ? nullptr : v.bases->data(), self);
            array.attr("flags").attr("writeable") = false;
            return array;
        },
        "Tangent bases (n, dim, dim - 1), directions as orthonormal columns; read-only.");
    def_term_array<View>(
        type, "mu_s", [](const View& v, py::handle self) { return view(std::span(v.mu_s, v.size), self); },
        "Static coefficients of friction (n,); read-only.");
    def_term_array<View>(
        type, "mu_k", [](const View& v, py::handle self) { return view(std::span(v.mu_k, v.size), self); },
        "Kinetic coefficients of friction (n,); read-only.");
}

void def_kinds(py::class_<SharedTangentialCollisions>& type)
{
    const auto def_kind = [&](const char* name, auto get, const char* doc) {
        type.def_property_readonly(
            name,
            [get](const SharedTangentialCollisions& self) {
                return TangentialTermsView(self.set, get(*self.set), self.mesh_size.dim);
            },
            doc);
    };
    using Set = TangentialCollisions;
    def_kind(
        "vv", [](const Set& c) -> const auto& { return c.vv(); },
        "(vertex, vertex) contacts, the smaller first, as TangentialTerms.");
    def_kind(
        "ev", [](const Set& c) -> const auto& { return c.ev(); },
        "(edge, vertex) contacts, as TangentialTerms. Stencil: vertex, ends of the edge.");
    def_kind(
        "ee", [](const Set& c) -> const auto& { return c.ee(); },
        "(edge, edge) contacts, as TangentialTerms, without nearly parallel edges, which have no tangent plane. "
        "Stencil: ends of the first, of the second.");
    def_kind(
        "fv", [](const Set& c) -> const auto& { return c.fv(); },
        "(face, vertex) contacts, as TangentialTerms. Stencil: vertex, corners of the face.");
    def_kind(
        "pv", [](const Set& c) -> const auto& { return c.pv(); },
        "(plane, vertex) contacts, as TangentialTerms. Stencil: vertex.");
}

} // namespace

void validate_friction(const FrictionCoefficients& friction, const CollisionMesh& mesh)
{
    const auto check = [&](const Eigen::MatrixXd& table, const char* name) {
        if (table.rows() != table.cols())
            reject("{}: expected a square table, got shape ({}, {})", name, table.rows(), table.cols());
        if (table.size() == 0)
            return;
        for (const int material : mesh.material_ids())
            if (material < 0 || material >= table.rows())
                reject(
                    "{}: the mesh has material {}, but the table's rows are numbered 0 to {}", name, material,
                    table.rows() - 1);
    };
    check(friction.material_mu_s, "material_mu_s");
    check(friction.material_mu_k, "material_mu_k");
    friction.validate(mesh);
}

void def_tangential_collisions(py::module_& m)
{
    def_enum<BlendRule>(m);
    def_tangential_collision(m);
    def_tangential_terms(m);
    py::class_<SharedTangentialCollisions> type(
        m, "TangentialCollisions",
        "Contacts that resist sliding: what friction lags. A sequence of TangentialCollisions in the order of vv, ev, "
        "ee, fv, pv.");
    type.def(py::init<>(), "No collisions.");
    def_build(m, type);
    def_kinds(type);
    def_stencils(type);
    def_sequence(
        type,
        [](const SharedTangentialCollisions& self, std::size_t index) {
            return TangentialCollisionItem{self.set, (*self.set)[index], self.mesh_size.dim};
        },
        "One TangentialCollision.");
}

} // namespace abut::python
