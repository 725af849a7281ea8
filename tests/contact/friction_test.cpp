#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/contact/friction/term_tangents.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/finite_differences.hpp"

#include <Eigen/Eigenvalues>

namespace abut::test::friction_test {

namespace {

constexpr double dhat = 0.1, eps_v = 0.02;

struct Scene {
    CollisionMesh mesh;
    Positions X;
    NormalCollisions collisions;
    BarrierPotential barrier{dhat, 50.0};
};

Scene make_scene(CollisionMesh mesh, const Positions& X, NormalCollisionsOptions options = {.dhat = dhat})
{
    Scene scene{std::move(mesh), X, {}};
    scene.collisions.build(scene.mesh, X, options);
    return scene;
}

/// Two sheets that cross at an angle, with materials by vertex, above a plane: collisions of every kind.
Scene sheets(NormalCollisionsOptions options = {.dhat = dhat}, int cells = 2)
{
    MeshData both = generate::plane_grid({.cells = {cells, cells}});
    append(
        both, translated(
                  transformed(both, Eigen::AngleAxisd(0.4, Vec3::UnitY()).toRotationMatrix()), Vec3(0.13, 0.06, 0.07)));
    CollisionMeshOptions mesh_options;
    mesh_options.planes = {{Vec3(0, -0.07, 0), Vec3(0.02, 1, 0.03)}};
    for (Eigen::Index i = 0; i < both.vertices.rows(); ++i)
        mesh_options.material_ids.push_back(static_cast<int>(i % 3));
    // Not flat, so that vertices are near faces, edges and vertices.
    RandomStream random(5);
    for (double& coordinate : both.vertices.reshaped())
        coordinate += random.uniform(-0.01, 0.01);
    return make_scene(CollisionMesh(both.vertices, Elements(0, 2), both.faces, mesh_options), both.vertices, options);
}

Scene polylines()
{
    Positions X(6, 2);
    X << 0, 0, 1, 0.02, 2, 0, 0.4, 0.06, 1.03, 0.08, 1.6, 0.09;
    Elements E(4, 2);
    E << 0, 1, 1, 2, 3, 4, 4, 5;
    CollisionMeshOptions options;
    options.planes = {{Vec3(0, -0.05, 0), Vec3(0, 1, 0)}};
    options.material_ids = {0, 1, 2, 0, 1, 2};
    return make_scene(CollisionMesh(X, E, Elements(0, 3), options), X);
}

/// Velocities whose sliding speeds are about `speed`.
Positions velocities(const Scene& scene, double speed, std::uint64_t seed = 3)
{
    RandomStream random(seed);
    Positions V(scene.X.rows(), scene.X.cols());
    for (double& component : V.reshaped())
        component = random.uniform(-speed, speed);
    return V;
}

FrictionCoefficients static_and_kinetic() { return {.mu_s = 0.7, .mu_k = 0.3}; }

FrictionCoefficients by_vertex(const Scene& scene, BlendRule blend)
{
    FrictionCoefficients friction;
    friction.vertex_mu_s.resize(scene.mesh.num_vertices());
    for (Eigen::Index i = 0; i < friction.vertex_mu_s.size(); ++i)
        friction.vertex_mu_s[i] = 0.5 + 0.3 * std::sin(double(i));
    friction.vertex_mu_k = 0.6 * friction.vertex_mu_s;
    friction.blend = blend;
    return friction;
}

FrictionCoefficients by_material()
{
    FrictionCoefficients friction;
    friction.material_mu_s.resize(3, 3);
    friction.material_mu_s << 0.1, 0.5, 0.3, 0.5, 0.2, 0.7, 0.3, 0.7, 0.4;
    friction.material_mu_k = 0.5 * friction.material_mu_s;
    return friction;
}

TangentialCollisions lag(const Scene& scene, const FrictionCoefficients& friction)
{
    TangentialCollisions collisions;
    collisions.build(scene.mesh, scene.X, scene.collisions, scene.barrier, friction);
    return collisions;
}

Eigen::VectorXd flat(const Positions& X) { return Eigen::Map<const Eigen::VectorXd>(X.data(), X.size()); }
Positions unflat(const Eigen::VectorXd& x, Eigen::Index dim)
{
    return Eigen::Map<const Positions>(x.data(), x.size() / dim, dim);
}

/// Relative to the numbers themselves, or to `scale` where they are below it.
void expect_close(const Eigen::MatrixXd& analytic, const Eigen::MatrixXd& numeric, double tolerance, double scale = 0)
{
    EXPECT_LE((analytic - numeric).norm(), tolerance * std::max(numeric.norm(), scale))
        << "relative " << (analytic - numeric).norm() / numeric.norm();
}

void expect_derivatives_match_differences(
    const Scene& scene, const FrictionCoefficients& friction, const Positions& V, const FrictionPotential& potential)
{
    const TangentialCollisions collisions = lag(scene, friction);
    const Eigen::Index dim = scene.mesh.dim();
    const VectorFunction value = [&](const Eigen::VectorXd& v) -> Eigen::VectorXd {
        return Eigen::VectorXd::Constant(1, potential(collisions, scene.mesh, unflat(v, dim)));
    };
    const VectorFunction gradient = [&](const Eigen::VectorXd& v) -> Eigen::VectorXd {
        return potential.gradient(collisions, scene.mesh, unflat(v, dim));
    };
    const Eigen::VectorXd g = gradient(flat(V));
    // The law is a spline of pieces eps_v long: differences over steps of 1e-4 of it err by 1e-8.
    const double length = eps_v;
    expect_close(g.transpose(), central_differences(value, flat(V), length), 1e-7);
    const Eigen::MatrixXd H = potential.hessian(collisions, scene.mesh, V);
    // In the plane a fast slider's force does not change at all: what differences see then is rounding.
    expect_close(H, central_differences(gradient, flat(V), length), 1e-6, 1e-3 * g.norm() / eps_v);
    // Along the gradient
    const double h = 1e-6 * eps_v;
    const Eigen::VectorXd direction = g.normalized();
    const double slope = (value(flat(V) + h * direction)[0] - value(flat(V) - h * direction)[0]) / (2 * h);
    EXPECT_NEAR(slope, g.norm(), 1e-6 * g.norm());
}

TEST(Friction, DerivativesMatchDifferencesAtEverySpeed)
{
    const FrictionPotential potential(eps_v);
    for (const Scene& scene : {sheets(), polylines()})
        for (const double speed : {0.1 * eps_v, 0.6 * eps_v, 10 * eps_v}) {
            SCOPED_TRACE(fmt::format("dim {}, speed {}", scene.mesh.dim(), speed));
            for (const FrictionCoefficients& friction :
                 {FrictionCoefficients::uniform(0.4), static_and_kinetic(), by_material(),
                  by_vertex(scene, BlendRule::mean)})
                expect_derivatives_match_differences(scene, friction, velocities(scene, speed), potential);
        }
}

TEST(Friction, DerivativesMatchDifferencesWithAnisotropy)
{
    FrictionCoefficients friction = static_and_kinetic();
    friction.mu_aniso = Vec2(1.3, 0.4);
    for (const double speed : {0.3 * eps_v, 10 * eps_v})
        expect_derivatives_match_differences(sheets(), friction, velocities(sheets(), speed), FrictionPotential(eps_v));
}

TEST(Friction, HasCollisionsOfEveryKindInTheseTests)
{
    const TangentialCollisions space = lag(sheets(), static_and_kinetic()), plane = lag(polylines(), by_material());
    EXPECT_GT(space.ev().size(), 0u);
    EXPECT_GT(space.ee().size(), 0u);
    EXPECT_GT(space.fv().size(), 0u);
    EXPECT_GT(space.pv().size(), 0u);
    EXPECT_GT(plane.vv().size(), 0u);
    EXPECT_GT(plane.ev().size(), 0u);
    EXPECT_GT(plane.pv().size(), 0u);
}

TEST(Friction, IsSmoothAtRest)
{
    const Scene scene = sheets();
    const TangentialCollisions collisions = lag(scene, static_and_kinetic());
    const FrictionPotential potential(eps_v);
    const Positions rest = Positions::Zero(scene.X.rows(), 3);
    EXPECT_EQ(potential.gradient(collisions, scene.mesh, rest).norm(), 0);
    // The Hessian at rest is the limit from any direction.
    const Eigen::MatrixXd at_rest = potential.hessian(collisions, scene.mesh, rest);
    const Eigen::MatrixXd near_rest = potential.hessian(collisions, scene.mesh, velocities(scene, 1e-9 * eps_v));
    EXPECT_GT(at_rest.norm(), 0);
    expect_close(near_rest, at_rest, 1e-7);
}

TEST(Friction, ForceIsMinusTheGradientAlsoWithAnisotropy)
{
    const Scene scene = sheets();
    FrictionCoefficients friction = static_and_kinetic();
    friction.mu_aniso = Vec2(1.3, 0.4);
    const TangentialCollisions collisions = lag(scene, friction);
    const FrictionPotential potential(eps_v);
    const Positions V = velocities(scene, 2 * eps_v);
    EXPECT_EQ(potential.force(collisions, scene.mesh, V), -potential.gradient(collisions, scene.mesh, V));
    const Eigen::MatrixXd by_velocity =
        potential.force_jacobian(collisions, scene.mesh, scene.X, V, scene.barrier, DiffWRT::velocities);
    EXPECT_EQ(by_velocity, -Eigen::MatrixXd(potential.hessian(collisions, scene.mesh, V)));
}

TEST(Friction, ForceJacobianByLaggedPositionsMatchesDifferences)
{
    const FrictionPotential potential(eps_v);
    for (const Scene& scene : {sheets(), polylines()})
        for (const double speed : {0.2 * eps_v, 0.7 * eps_v, 10 * eps_v}) {
            const Positions V = velocities(scene, speed);
            FrictionCoefficients anisotropic = static_and_kinetic();
            anisotropic.mu_aniso = Vec2(1.3, 0.4);
            int which = 0;
            for (const FrictionCoefficients& friction :
                 {static_and_kinetic(), anisotropic, by_material(), by_vertex(scene, BlendRule::mean),
                  by_vertex(scene, BlendRule::product), by_vertex(scene, BlendRule::geometric_mean),
                  by_vertex(scene, BlendRule::minimum), by_vertex(scene, BlendRule::maximum)}) {
                SCOPED_TRACE(fmt::format("dim {}, speed {}, coefficients {}", scene.mesh.dim(), speed, which++));
                const VectorFunction force = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
                    TangentialCollisions lagged;
                    lagged.build(scene.mesh, unflat(x, scene.mesh.dim()), scene.collisions, scene.barrier, friction);
                    return potential.force(lagged, scene.mesh, V);
                };
                const Eigen::MatrixXd jacobian = potential.force_jacobian(
                    lag(scene, friction), scene.mesh, scene.X, V, scene.barrier, DiffWRT::lagged_positions);
                // The barrier's force changes over a tenth of dhat.
                expect_close(jacobian, central_differences(force, flat(scene.X), 0.1 * dhat), 1e-6);
            }
        }
}

TEST(Friction, ProjectedHessiansHaveNoNegativeEigenvalues)
{
    // Falling friction (mu_k < mu_s) and negative weights both make them negative.
    const FrictionPotential potential(eps_v);
    for (const auto set_type : {CollisionSetType::ipc, CollisionSetType::convergent}) {
        const Scene scene = sheets({.dhat = dhat, .set_type = set_type});
        const TangentialCollisions collisions = lag(scene, {.mu_s = 0.9, .mu_k = 0.1});
        const Positions V = velocities(scene, eps_v);
        const auto smallest = [&](PSDProjectionMethod method) {
            const Eigen::MatrixXd H = potential.hessian(collisions, scene.mesh, V, method);
            return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(H).eigenvalues()[0] / H.norm();
        };
        EXPECT_LT(smallest(PSDProjectionMethod::none), -1e-6);
        EXPECT_GE(smallest(PSDProjectionMethod::clamp), -1e-12);
        EXPECT_GE(smallest(PSDProjectionMethod::abs), -1e-12);
    }
}

TEST(Friction, ProjectionEqualsThatOfTheWholeTerm)
{
    // One collision: the assembled Hessian is the local one.
    Positions X(4, 3);
    X << 0.3, 0.05, 0.2, 0, 0, 0, 0, 0, 1, 1, 0, 0;
    Elements F(1, 3);
    F << 1, 2, 3;
    const Scene scene = make_scene(CollisionMesh(X, Elements(0, 2), F), X);
    ASSERT_EQ(scene.collisions.size(), 1u);
    FrictionCoefficients friction{.mu_s = 0.9, .mu_k = 0.1};
    const TangentialCollisions collisions = lag(scene, friction);
    const FrictionPotential potential(eps_v);
    Positions V = Positions::Zero(4, 3);
    V.row(0) << 0.7 * eps_v, 0.3, 0.2 * eps_v;
    const Eigen::MatrixXd H = potential.hessian(collisions, scene.mesh, V);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(H);
    ASSERT_LT(eigen.eigenvalues()[0], -1e-3 * H.norm());
    const auto rebuilt = [&](const Eigen::VectorXd& eigenvalues) {
        return Eigen::MatrixXd(eigen.eigenvectors() * eigenvalues.asDiagonal() * eigen.eigenvectors().transpose());
    };
    expect_close(
        Eigen::MatrixXd(potential.hessian(collisions, scene.mesh, V, PSDProjectionMethod::clamp)),
        rebuilt(eigen.eigenvalues().cwiseMax(0)), 1e-12);
    expect_close(
        Eigen::MatrixXd(potential.hessian(collisions, scene.mesh, V, PSDProjectionMethod::abs)),
        rebuilt(eigen.eigenvalues().cwiseAbs()), 1e-12);
}

TEST(Friction, OfAFastSliderIsCoulombs)
{
    Positions X(4, 3);
    X << 0.3, 0.05, 0.2, 0, 0, 0, 0, 0, 1, 1, 0, 0;
    Elements F(1, 3);
    F << 1, 2, 3;
    const Scene scene = make_scene(CollisionMesh(X, Elements(0, 2), F), X);
    const TangentialCollisions collisions = lag(scene, static_and_kinetic());
    const double N = scene.barrier.gradient(scene.collisions, scene.mesh, X).head<3>().norm();
    Positions V = Positions::Zero(4, 3);
    V.row(0) << 3, 7, 4; // sliding at 5 m/s; the normal part does not count
    const Vec3 force = FrictionPotential(eps_v).force(collisions, scene.mesh, V).head<3>();
    EXPECT_LE((force - 0.3 * N * Vec3(-0.6, 0, -0.8)).norm(), 1e-12 * N);
}

TEST(Friction, BetweenBodiesAddsUpToNothing)
{
    const Scene scene = sheets();
    MeshData without_plane{scene.X, {}, scene.mesh.faces(), {}};
    const Scene free = make_scene(CollisionMesh(without_plane), scene.X);
    const TangentialCollisions collisions = lag(free, static_and_kinetic());
    const Eigen::VectorXd force = FrictionPotential(eps_v).force(collisions, free.mesh, velocities(free, eps_v));
    const Positions by_vertex = unflat(force, 3);
    EXPECT_LE(by_vertex.colwise().sum().norm(), 1e-12 * force.norm());
}

TEST(Friction, DissipatesEnergy)
{
    const Scene scene = sheets();
    const TangentialCollisions collisions = lag(scene, by_material());
    for (const double speed : {0.2 * eps_v, eps_v, 20 * eps_v}) {
        const Positions V = velocities(scene, speed);
        EXPECT_LT(FrictionPotential(eps_v).force(collisions, scene.mesh, V).dot(flat(V)), 0);
    }
}

TEST(Friction, BlendsTheCoefficientsOfTheTwoSides)
{
    Positions X(2, 3);
    X << 0, 0, 0, 0.05, 0, 0;
    const Scene scene = make_scene(CollisionMesh(X), X);
    FrictionCoefficients friction;
    friction.vertex_mu_s = Vec2(0.2, 0.8);
    friction.vertex_mu_k = Vec2(0.1, 0.4);
    const std::pair<BlendRule, double> expected[]{
        {BlendRule::mean, 0.5},
        {BlendRule::minimum, 0.2},
        {BlendRule::maximum, 0.8},
        {BlendRule::product, 0.16},
        {BlendRule::geometric_mean, 0.4}};
    for (const auto& [rule, mu_s] : expected) {
        friction.blend = rule;
        EXPECT_NEAR(lag(scene, friction).vv().mu_s.at(0), mu_s, 1e-15);
    }
}

TEST(Friction, TakesCoefficientsOfPairsOfMaterials)
{
    Positions X(2, 3);
    X << 0, 0, 0, 0.05, 0, 0;
    CollisionMeshOptions options;
    options.material_ids = {2, 0};
    const Scene scene = make_scene(CollisionMesh(X, Elements(0, 2), Elements(0, 3), options), X);
    EXPECT_EQ(lag(scene, by_material()).vv().mu_s.at(0), 0.3);
    EXPECT_EQ(lag(scene, by_material()).vv().mu_k.at(0), 0.15);
}

TEST(Friction, LeavesOutNearlyParallelEdges)
{
    Positions X(4, 3);
    X << 0, 0, 0, 1, 0, 0, 0, 0.05, 0.001, 1, 0.05, -0.001;
    Elements E(2, 2);
    E << 0, 1, 2, 3;
    const Scene scene = make_scene(CollisionMesh(X, E), X);
    ASSERT_EQ(scene.collisions.ee().size(), 1u);
    EXPECT_TRUE(lag(scene, static_and_kinetic()).empty());
}

TEST(Friction, LagsTheContactPointsAndBasesOfEveryTerm)
{
    // Each term for itself, by the geometry that derivatives by positions come from; several at once round elsewhere.
    for (const int cells : {3, 24}) {
        const Scene scene = sheets({.dhat = dhat}, cells);
        const TangentialCollisions collisions = lag(scene, static_and_kinetic());
        std::size_t num_compared = 0;
        const auto compare = [&]<int N>(auto kind, const TangentialTerms<N>& list) {
            if constexpr (exists_in(3, kind))
                for (std::size_t k = 0; k < list.size(); ++k, ++num_compared) {
                    const auto expected = tangents_of<3>(decltype(kind)(), list, k, scene.mesh, scene.X, Order::value);
                    EXPECT_LE((list.bases[k] - expected.basis).norm(), 1e-12) << k;
                    for (int i = 0; i < N; ++i)
                        EXPECT_NEAR(list.coefficients[k][i], expected.w[i], 1e-11) << k;
                }
        };
        for_each_kind(compare, collisions.by_kind());
        EXPECT_EQ(num_compared, collisions.size());
        EXPECT_GT(num_compared, 0u);
        for (std::size_t k = 0; k < collisions.size(); ++k)
            EXPECT_TRUE(std::ranges::equal(collisions.stencils()[k], collisions[k].vertices));
    }
}

TEST(Friction, HasTheSameBitsForAnyNumberOfThreads)
{
    const Scene scene = sheets({.dhat = dhat}, 24);
    const FrictionPotential potential(eps_v);
    const Positions V = velocities(scene, eps_v);
    const auto run = [&](int threads) {
        set_num_threads(threads);
        const TangentialCollisions collisions = lag(scene, by_vertex(scene, BlendRule::mean));
        const double value = potential(collisions, scene.mesh, V);
        const Eigen::VectorXd gradient = potential.gradient(collisions, scene.mesh, V);
        Eigen::SparseMatrix<double> H = potential.hessian(collisions, scene.mesh, V, PSDProjectionMethod::clamp);
        set_num_threads(0);
        EXPECT_GT(collisions.size(), 4096u);
        return std::tuple(value, gradient, Eigen::VectorXd(H.coeffs()));
    };
    const auto one = run(1);
    EXPECT_EQ(run(2), one);
    EXPECT_EQ(run(4), one);
}

template <typename Call>
void expect_rejected(Call&& call, const std::string& words)
{
    try {
        call();
        FAIL() << "not rejected: " << words;
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST(Friction, RejectsBadInput)
{
    const Scene scene = sheets();
    expect_rejected([] { FrictionPotential(0.0); }, "eps_v: 0");
    expect_rejected([] { FrictionPotential(std::nan("")); }, "eps_v: nan");
    expect_rejected([&] { lag(scene, {.mu_s = -0.1, .mu_k = 0.1}); }, "mu_s: -0.1");
    expect_rejected([&] { lag(scene, {.mu_s = 0.1, .mu_k = INFINITY}); }, "mu_k: inf");
    FrictionCoefficients friction = by_vertex(scene, BlendRule::mean);
    friction.vertex_mu_k[3] = -1;
    expect_rejected([&] { lag(scene, friction); }, "vertex_mu_k[3]: -1");
    friction.vertex_mu_k.resize(2);
    expect_rejected([&] { lag(scene, friction); }, "vertex_mu_k: 2 numbers for 18 vertices");
    friction.vertex_mu_k.resize(0);
    expect_rejected([&] { lag(scene, friction); }, "give both or neither");
    friction = by_material();
    friction.material_mu_s(0, 1) = 0.9;
    expect_rejected([&] { lag(scene, friction); }, "material_mu_s: entry (0, 1) is 0.9 and (1, 0) is 0.5");
    friction = by_material();
    friction.material_mu_k.resize(2, 2);
    friction.material_mu_k.setZero();
    expect_rejected(
        [&] { lag(scene, friction); }, "material_mu_k: a table of 2 x 2, but the mesh has materials 0 to 2");
    for (const int material : {-1, std::numeric_limits<int>::max()}) {
        CollisionMeshOptions options;
        options.material_ids = {material, 0};
        Positions two(2, 3);
        two << 0, 0, 0, 0.05, 0, 0;
        const Scene odd = make_scene(CollisionMesh(two, Elements(0, 2), Elements(0, 3), options), two);
        expect_rejected([&] { lag(odd, by_material()); }, "material_mu_s: ");
    }
    friction = static_and_kinetic();
    friction.mu_aniso[1] = 0;
    expect_rejected([&] { lag(scene, friction); }, "mu_aniso[1]: 0");

    const TangentialCollisions collisions = lag(scene, static_and_kinetic());
    const FrictionPotential potential(eps_v);
    expect_rejected([&] { (void)potential(collisions, scene.mesh, Positions::Zero(3, 3)); }, "velocities: ");
    Positions V = velocities(scene, 1);
    V(2, 1) = std::nan("");
    expect_rejected([&] { (void)potential.gradient(collisions, scene.mesh, V); }, "velocities: row 2");
    const CollisionMesh other(Positions::Random(5, 3));
    expect_rejected(
        [&] { (void)potential(collisions, other, Positions::Zero(5, 3)); }, "collisions: built for a mesh of 18");
    expect_rejected([&] { (void)collisions[collisions.size()]; }, "term: ");
}

} // namespace

} // namespace abut::test::friction_test
