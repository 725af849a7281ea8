#include "collision_terms.hpp"
#include "gcp.hpp"
#include "module.hpp"
#include "normal_collisions.hpp"
#include "normal_potential.hpp"

namespace abut::python {

template <>
inline constexpr EnumNames enum_names<BlendRule>{
    "BlendRule", "MEAN MINIMUM MAXIMUM PRODUCT GEOMETRIC_MEAN",
    "How the coefficients of friction of the two sides of a contact become one."};

namespace {

using TangentialShared = SharedCollisions<TangentialCollisions>;

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

/// The coefficients of friction as Python gives them; what they mean depends on the mesh.
struct GivenFriction {
    py::object mu = py::none(), mu_s = py::none(), mu_k = py::none();
    BlendRule blend = BlendRule::mean;
    ArrayLike material_mu_s = py::none(), material_mu_k = py::none(), mu_aniso = py::make_tuple(1.0, 1.0);

    [[nodiscard]] FrictionCoefficients read(const CollisionMesh& mesh) const;
};

FrictionCoefficients GivenFriction::read(const CollisionMesh& mesh) const
{
    const bool has_tables = !material_mu_s.is_none() || !material_mu_k.is_none();
    const bool has_pair = !mu_s.is_none() || !mu_k.is_none();
    if (has_tables + has_pair + !mu.is_none() != 1)
        reject("mu: give one of mu, mu_s with mu_k, and material_mu_s with material_mu_k");
    if (has_pair && (mu_s.is_none() || mu_k.is_none()))
        reject("{}: give both mu_s and mu_k, or mu for both", mu_s.is_none() ? "mu_s" : "mu_k");
    const char* const missing_table = material_mu_s.is_none() ? "material_mu_s" : "material_mu_k";
    if (has_tables && (material_mu_s.is_none() || material_mu_k.is_none()))
        reject("{}: give both material_mu_s and material_mu_k", missing_table);

    FrictionCoefficients friction{.blend = blend};
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

/// build() from a set and its potential.
template <typename Collisions, typename Potential>
void def_build_from(Class<TangentialShared>& type, const char* doc)
{
    using G = GivenFriction;
    type.def(
        "build", "mesh"_a, "X"_a, "collisions"_a, "normal_potential"_a, options<&G::mu>, py::kw_only(),
        options<&G::mu_s, &G::mu_k, &G::blend, &G::material_mu_s, &G::material_mu_k, &G::mu_aniso>, doc,
        [](TangentialShared& self, const CollisionMesh& mesh, const Positions& X, const Collisions& collisions,
           const Potential& normal_potential, const GivenFriction& given) {
            const FrictionCoefficients friction = given.read(mesh);
            const auto normal_set = collisions.for_mesh(mesh);
            const auto potential = normal_potential.potential;
            self.rebuild(
                mesh, [&](TangentialCollisions& set) { set.build(mesh, X, *normal_set, *potential, friction); });
        });
}

void def_build(Class<TangentialShared>& type)
{
    def_build_from<SharedNormalCollisions, SharedNormalPotential>(
        type, R"(Lags NormalCollisions under a NormalPotential at positions X (#V, dim) [m].

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
    def_build_from<SharedSmoothCollisions, SharedSmoothPotential>(
        type,
        "The same of SmoothCollisions under a SmoothContactPotential: a pair's whole normal force, with weight 1.");
}

void def_tangential_collision(py::module_& m)
{
    using C = TangentialCollision;
    using Item = CollisionItem<TangentialCollisions>;
    CollisionClass<TangentialCollisions> type(
        m, "TangentialCollision", "A contact that resists sliding. Immutable.",
        "The vertices that it acts on, its stencil, (1 to 4,) int32.");
    type.get(
        "coefficients", "Weights of these vertices in the relative velocity of the two contact points (1 to 4,).",
        &C::coefficients);
    type.get("weight", "Its weight in the sum.", &C::weight);
    type.get("normal_force", "Normal force [N], without the weight.", &C::normal_force);
    type.get("mu_s", "Static coefficient of friction.", &C::mu_s);
    type.get("mu_k", "Kinetic coefficient of friction.", &C::mu_k);
    type.get("basis", "Tangent basis (dim, dim - 1), its directions as orthonormal columns.", [](const Item& self) {
        return Positions(self.collision.basis.topLeftCorner(self.dim, self.dim - 1));
    });
    type.repr([](const Item& self) {
        const C& c = self.collision;
        return fmt::format("{}, normal force {} N, mu_s = {}, mu_k = {}", pair_text(c), c.normal_force, c.mu_s, c.mu_k);
    });
}

void def_tangential_terms(py::module_& m)
{
    using View = TangentialTermsView;
    Class<View, TermsView> type(
        m, "TangentialTerms", "Contacts of one kind that resist sliding, in arrays of the same length. Immutable.");
    type.view("normal_forces", "Normal forces (n,) [N], without weights; read-only.", &View::normal_forces);
    type.view(
        "coefficients",
        "Weights of the stencil's vertices in the relative velocity of the contact points (n, 1 to 4); read-only.",
        &View::coefficients);
    type.def_property_readonly(
        "bases",
        [](const py::object& self) {
            // Of each 3 x 2 matrix, stored by column, the part that its dimension has.
            const auto& v = py::cast<const View&>(self);
            constexpr py::ssize_t number = sizeof(double);
            return read_only(py::array_t<double>(
                {py::ssize_t(v.bases.size()), py::ssize_t(v.dim), py::ssize_t(v.dim - 1)},
                {py::ssize_t(sizeof(Mat<3, 2>)), number, 3 * number}, v.bases.empty() ? nullptr : v.bases[0].data(),
                self));
        },
        "Tangent bases (n, dim, dim - 1), directions as orthonormal columns; read-only.");
    type.view("mu_s", "Static coefficients of friction (n,); read-only.", &View::mu_s);
    type.view("mu_k", "Kinetic coefficients of friction (n,); read-only.", &View::mu_k);
}

} // namespace

void def_tangential_collisions(py::module_& m)
{
    def_enum<BlendRule>(m);
    def_tangential_collision(m);
    def_tangential_terms(m);
    Class<TangentialShared> type(
        m, "TangentialCollisions",
        "Contacts that resist sliding: what friction lags. A sequence of TangentialCollisions in the order of vv, ev, "
        "ee, fv, pv.");
    def_sequence(type, "TangentialCollision");
    def_build(type);
    def_kinds(
        type, "contacts", "TangentialTerms",
        "TangentialTerms, without nearly parallel edges, which have no tangent plane",
        [](const TangentialShared& self, const auto& terms) {
            return TangentialTermsView(self.set, terms, self.mesh_size.dim);
        });
}

} // namespace abut::python
