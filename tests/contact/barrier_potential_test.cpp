// The barrier over sets of collisions: derivatives of every kind of term, projections, invariants, and the cache.

#include "abut/contact/barrier_potential.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "support/collision_scenes.hpp"
#include "support/finite_differences.hpp"

#include <Eigen/Eigenvalues>

#include <map>

namespace abut::test::barrier_potential_test {

namespace {

using Method = PSDProjectionMethod;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(BarrierPotential, KindsAreAsNamed)
{
    for (const double gap : {0.35, 0.85})
        for (const Scene& scene : single_terms(gap, {.dhat = 1})) {
            SCOPED_TRACE(scene.name);
            ASSERT_EQ(scene.collisions.size(), 1u);
            const NormalCollision collision = scene.collisions[0];
            constexpr std::array features{"a0_b0", "a0_b1", "a1_b0", "a1_b1", "a_b0", "a_b1", "a0_b", "a1_b", "a_b"};
            const std::map<std::string, PairKind> kinds{
                {"vertex-vertex in the plane", PairKind::vertex_vertex},
                {"edge-vertex in the plane", PairKind::edge_vertex},
                {"edge's end in the plane", PairKind::vertex_vertex},
                {"vertex-vertex", PairKind::vertex_vertex},
                {"edge-vertex", PairKind::edge_vertex},
                {"face-vertex", PairKind::face_vertex},
                {"face's edge", PairKind::edge_vertex},
                {"face's corner", PairKind::vertex_vertex},
                {"edge-edge", PairKind::edge_edge},
                {"edges' interior and end", PairKind::edge_vertex},
                {"edges' ends", PairKind::vertex_vertex},
                {"line-vertex in the plane", PairKind::plane_vertex},
                {"plane-vertex", PairKind::plane_vertex}};
            if (kinds.contains(scene.name)) {
                EXPECT_EQ(collision.kind, kinds.at(scene.name));
                continue;
            }
            EXPECT_EQ(collision.kind, PairKind::edge_edge);
            const Vec3 a = scene.X.row(1) - scene.X.row(0), b = scene.X.row(3) - scene.X.row(2);
            EXPECT_LT(a.cross(b).squaredNorm(), collision.eps_x) << "the mollifier acts";
            EXPECT_EQ(a.cross(b).squaredNorm() == 0, scene.name == "parallel");
            if (scene.name != "parallel") {
                EXPECT_EQ(features[static_cast<int>(collision.feature)], scene.name);
            }
        }
}

// --- Derivatives, of the frozen set ---

void expect_derivatives_match(const BarrierPotential& barrier, const Scene& scene)
{
    const VectorFunction value = [&](const Vector& x) -> Vector {
        return Vector::Constant(1, barrier(scene.collisions, scene.mesh, scene.at(x)));
    };
    const VectorFunction gradient = [&](const Vector& x) -> Vector {
        return barrier.gradient(scene.collisions, scene.mesh, scene.at(x));
    };
    const Vector g = gradient(scene.x());
    expect_matches(g.transpose(), central_differences(value, scene.x(), scene.length), "gradient");
    const Matrix H = barrier.hessian(scene.collisions, scene.mesh, scene.X);
    expect_matches(H, central_differences(gradient, scene.x(), scene.length), "Hessian");
}

TEST(BarrierPotential, DerivativesOfEveryKindMatchDifferencesForAllLaws)
{
    // Both sides of the joint of the two-stage law.
    for (const double gap : {0.35, 0.85})
        for (const double dmin : {0.0, 0.1})
            for (const Scene& scene : single_terms(gap, {.dhat = 1, .dmin = dmin}))
                for (const char* name :
                     {"clamped_log", "normalized_clamped_log", "clamped_log_squared", "cubic", "two_stage"})
                    for (const DistanceKind kind : {DistanceKind::squared, DistanceKind::plain}) {
                        SCOPED_TRACE(scene.name + ", " + name);
                        expect_derivatives_match(
                            BarrierPotential({.dhat = 1, .stiffness = 10, .law = normal_law(name, kind)}), scene);
                    }
}

TEST(BarrierPotential, ThePhysicalBarrierScalesByDhatOverTheUnit)
{
    for (const double dmin : {0.0, 0.1})
        for (const Scene& scene : single_terms(0.35, {.dhat = 0.8, .dmin = dmin}))
            for (const DistanceKind kind : {DistanceKind::squared, DistanceKind::plain}) {
                SCOPED_TRACE(scene.name);
                const BarrierPotential physical(
                    {.dhat = 0.8,
                     .stiffness = 3,
                     .use_physical_barrier = true,
                     .law = normal_law("clamped_log", kind)});
                const BarrierPotential plain({.dhat = 0.8, .stiffness = 3, .law = normal_law("clamped_log", kind)});
                const double x_hat = kind == DistanceKind::plain ? 0.8 : (2 * dmin + 0.8) * 0.8;
                const double expected = plain(scene.collisions, scene.mesh, scene.X) * 0.8 / (x_hat * x_hat);
                EXPECT_NEAR(physical(scene.collisions, scene.mesh, scene.X), expected, 1e-14 * expected);
                EXPECT_DOUBLE_EQ(physical.scale(dmin), 3 * 0.8 / (x_hat * x_hat));
                expect_derivatives_match(physical, scene);
            }
}

TEST(BarrierPotential, DerivativesOfWholeSetsMatchDifferencesAlongDirections)
{
    RandomStream random(3);
    for (const Scene& scene : mixed_scenes())
        for (const DistanceKind kind : {DistanceKind::squared, DistanceKind::plain}) {
            SCOPED_TRACE(scene.name);
            const double dhat = scene.collisions.options().dhat;
            const BarrierPotential barrier(
                {.dhat = dhat, .use_physical_barrier = true, .law = normal_law("clamped_log", kind)});
            const Vector g = barrier.gradient(scene.collisions, scene.mesh, scene.X);
            const Eigen::SparseMatrix<double> H = barrier.hessian(scene.collisions, scene.mesh, scene.X);
            Vector direction = g;
            for (int repeat = 0; repeat < 4; ++repeat) {
                const Vector p = direction.normalized();
                const auto along = [&](double t) { return scene.at(scene.x() + t * p); };
                const double h = std::cbrt(std::numeric_limits<double>::epsilon()) * scene.length;
                const double slope = (barrier(scene.collisions, scene.mesh, along(h)) -
                                      barrier(scene.collisions, scene.mesh, along(-h))) /
                                     (2 * h);
                EXPECT_NEAR(g.dot(p), slope, finite_difference_tolerance * g.norm());
                const Vector curvature = (barrier.gradient(scene.collisions, scene.mesh, along(h)) -
                                          barrier.gradient(scene.collisions, scene.mesh, along(-h))) /
                                         (2 * h);
                EXPECT_LE((H * p - curvature).norm(), finite_difference_tolerance * H.norm());
                for (double& entry : direction)
                    entry = random.uniform(-1, 1);
            }
        }
}

TEST(BarrierPotential, AnEmptySetHasZeroValueAndDerivatives)
{
    const MeshData data = two_squircles(0.5);
    const CollisionMesh mesh(data);
    const BarrierPotential barrier(0.1);
    NormalCollisions built;
    built.build(mesh, data.vertices, {.dhat = 0.1});
    for (const NormalCollisions& collisions : {built, NormalCollisions()}) {
        ASSERT_TRUE(collisions.empty());
        EXPECT_EQ(barrier(collisions, mesh, data.vertices), 0);
        EXPECT_EQ(barrier.gradient(collisions, mesh, data.vertices), Vector(Vector::Zero(mesh.ndof())));
        for (const Method method : {Method::none, Method::clamp}) {
            const auto H = barrier.hessian(collisions, mesh, data.vertices, method);
            EXPECT_EQ(H.rows(), mesh.ndof());
            EXPECT_EQ(H.cols(), mesh.ndof());
            EXPECT_EQ(H.nonZeros(), 0);
        }
        EXPECT_EQ(barrier.energies(collisions, mesh, data.vertices).size(), 0);
        EXPECT_EQ(barrier.force_magnitudes(collisions, mesh, data.vertices).size(), 0);
        EXPECT_EQ(barrier.forces(collisions, mesh, data.vertices).rows(), 0);
    }
}

// --- Projection ---

/// Acts on one distance only: the other terms of a set have no energy.
class OnlyAt final : public NormalLaw {
public:
    OnlyAt(std::shared_ptr<const NormalLaw> law, double squared_distance)
        : law_(std::move(law)), squared_distance_(squared_distance)
    {}

    void evaluate(const ContactRange& range, std::span<const double> D, std::span<LawTerm> terms) const override
    {
        law_->evaluate(range, D, terms);
        for (std::size_t k = 0; k < D.size(); ++k)
            if (std::abs(D[k] - squared_distance_) > 1e-12 * squared_distance_)
                terms[k] = {};
    }
    [[nodiscard]] double unit(const ContactRange& range) const override { return law_->unit(range); }
    [[nodiscard]] DistanceKind distance_kind() const override { return law_->distance_kind(); }
    [[nodiscard]] std::string name() const override { return law_->name(); }

private:
    std::shared_ptr<const NormalLaw> law_;
    double squared_distance_;
};

/// The block of a Hessian that belongs to a term's stencil.
Matrix on_stencil(const Eigen::SparseMatrix<double>& H, std::span<const int> vertices, int dim)
{
    const auto n = static_cast<int>(vertices.size()) * dim;
    Matrix block(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            block(i, j) = H.coeff(vertices[i / dim] * dim + i % dim, vertices[j / dim] * dim + j % dim);
    return block;
}

/// Projections of the Hessian of a term, the only one that has any energy, against Eigen's.
void expect_projected(const BarrierPotential& barrier, const Scene& scene, std::size_t term = 0)
{
    const auto local = [&](Method method) {
        const Eigen::SparseMatrix<double> H = barrier.hessian(scene.collisions, scene.mesh, scene.X, method);
        const Matrix block = on_stencil(H, scene.collisions[term].vertices, scene.mesh.dim());
        EXPECT_NEAR(block.norm(), H.norm(), 1e-14 * H.norm()) << "nothing beside the term";
        return block;
    };
    const Matrix exact = local(Method::none);
    const double scale = exact.cwiseAbs().maxCoeff();
    ASSERT_GT(scale, 0);
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(exact / scale));
    for (const Method method : {Method::clamp, Method::abs}) {
        const Matrix projected = local(method);
        const Vector kept =
            method == Method::abs ? Vector(solver.eigenvalues().cwiseAbs()) : Vector(solver.eigenvalues().cwiseMax(0));
        const Matrix expected = scale * solver.eigenvectors() * kept.asDiagonal() * solver.eigenvectors().transpose();
        EXPECT_LE((projected - expected).cwiseAbs().maxCoeff(), 1e-10 * scale) << scene.name;
        const Vector eigenvalues =
            Eigen::SelfAdjointEigenSolver<Matrix>(projected, Eigen::EigenvaluesOnly).eigenvalues();
        EXPECT_GE(eigenvalues[0], -1e-12 * std::max(eigenvalues[eigenvalues.size() - 1], scale)) << scene.name;
    }
}

TEST(BarrierPotential, ProjectedHessiansOfEveryKindAreSemidefinite)
{
    for (const double gap : {0.05, 0.35, 0.85})
        for (const Scene& scene : single_terms(gap, {.dhat = 1, .dmin = 0.01}))
            for (const char* name : {"clamped_log", "cubic", "two_stage"})
                for (const DistanceKind kind : {DistanceKind::squared, DistanceKind::plain}) {
                    SCOPED_TRACE(std::string(name) + " at " + std::to_string(gap));
                    expect_projected(BarrierPotential({.dhat = 1, .law = normal_law(name, kind)}), scene);
                }
}

TEST(BarrierPotential, ProjectedHessiansOfNegativeWeightsAreSemidefinite)
{
    std::map<PairKind, int> negative;
    std::vector<Scene> scenes = mixed_scenes();
    const MeshData layers = layers_of_cloth(4, 0.3); // dhat reaches across several faces
    scenes.emplace_back(
        "turned layers", CollisionMesh(layers), layers.vertices,
        NormalCollisionsOptions{.dhat = 0.2, .set_type = CollisionSetType::convergent});
    for (const Scene& scene : scenes) {
        const NormalCollisions& collisions = scene.collisions;
        std::vector<double> squared_distances;
        for (std::size_t k = 0; k < collisions.size(); ++k)
            squared_distances.push_back(collisions.geometry(k, scene.mesh, scene.X).squared_distance);
        for (std::size_t k = 0; k < collisions.size(); ++k) {
            // A nearly parallel edge-edge term and an edge-vertex term may have the same distance: not one by one.
            const double D = squared_distances[k];
            const auto is_same = [&](double other) { return std::abs(other - D) <= 1e-11 * D; };
            if (collisions[k].weight > 0 ||
                std::count_if(squared_distances.begin(), squared_distances.end(), is_same) > 1)
                continue;
            if (++negative[collisions[k].kind] > 100)
                continue; // enough
            SCOPED_TRACE("term " + std::to_string(k));
            const auto law = std::make_shared<OnlyAt>(normal_law("clamped_log"), D);
            expect_projected(BarrierPotential({.dhat = collisions.options().dhat, .law = law}), scene, k);
        }
    }
    EXPECT_GT(negative[PairKind::vertex_vertex], 10);
    EXPECT_GT(negative[PairKind::edge_vertex], 10);
    EXPECT_GT(negative[PairKind::edge_edge], 0) << "mollified";
}

// --- Invariants ---

std::vector<Scene> scenes_without_planes()
{
    std::vector<Scene> scenes = mixed_scenes();
    for (Scene& scene : single_collisions(0.35, {.dhat = 1}))
        scenes.push_back(std::move(scene));
    return scenes;
}

TEST(BarrierPotential, HasNoNetForceAndNoNetTorque)
{
    for (const Scene& scene : scenes_without_planes()) {
        const BarrierPotential barrier(scene.collisions.options().dhat);
        const Vector g = barrier.gradient(scene.collisions, scene.mesh, scene.X);
        const double size = g.lpNorm<1>();
        EXPECT_EQ(size > 0, scene.name != "parallel") << scene.name; // which the mollifier makes zero
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
        for (int v = 0; v < scene.mesh.num_vertices(); ++v) {
            Vec3 f = Vec3::Zero(), x = Vec3::Zero();
            f.head(scene.mesh.dim()) = g.segment(v * scene.mesh.dim(), scene.mesh.dim());
            x.head(scene.mesh.dim()) = scene.X.row(v).transpose();
            force += f;
            torque += x.cross(f);
        }
        // A rounding of each force, of which there are many terms; positions are up to 4.
        EXPECT_LE(force.norm(), 1e-13 * size) << scene.name;
        EXPECT_LE(torque.norm(), 1e-12 * size) << scene.name;
    }
}

TEST(BarrierPotential, TurnsAndMovesWithTheScene)
{
    RandomStream random(5);
    for (const Scene& scene : scenes_without_planes()) {
        SCOPED_TRACE(scene.name);
        const int dim = scene.mesh.dim();
        const Matrix R = dim == 2 ? Matrix(random_rotation<2>(random)) : Matrix(random_rotation<3>(random));
        const Vector offset = Vector::LinSpaced(dim, 0.5, -1);
        const Positions turned = (scene.X * R.transpose()).rowwise() + offset.transpose();
        NormalCollisions collisions;
        collisions.build(scene.mesh, turned, scene.collisions.options());
        const BarrierPotential barrier(scene.collisions.options().dhat);
        const double value = barrier(scene.collisions, scene.mesh, scene.X);
        double size = 0; // of the terms as if there were no mollifier, which is 0 for parallel edges
        for (std::size_t k = 0; k < scene.collisions.size(); ++k) {
            const double D = scene.collisions.geometry(k, scene.mesh, scene.X).squared_distance;
            const double dmin = scene.collisions.options().dmin;
            size +=
                std::abs(scene.collisions[k].weight) * barrier.law()(D, {.dhat = barrier.dhat(), .dmin = dmin}).value;
        }
        // Coordinates of size 4 carry 1e-15, distances start at 7e-3 and the energy grows with their fourth power or
        // so.
        constexpr double rounding = 1e-11;
        EXPECT_NEAR(barrier(collisions, scene.mesh, turned), value, rounding * size) << "found anew";
        EXPECT_NEAR(barrier(scene.collisions, scene.mesh, turned), value, rounding * size) << "frozen";
        const Vector g = barrier.gradient(scene.collisions, scene.mesh, scene.X),
                     turned_g = barrier.gradient(scene.collisions, scene.mesh, turned);
        double difference = 0;
        for (int v = 0; v < scene.mesh.num_vertices(); ++v)
            difference = std::max(difference, (turned_g.segment(v * dim, dim) - R * g.segment(v * dim, dim)).norm());
        EXPECT_LE(difference, 1e-10 * std::max(g.norm(), size / scene.length));
    }
}

TEST(BarrierPotential, DoesNotDependOnTheOrderOfVertices)
{
    RandomStream random(6);
    for (const auto type : {CollisionSetType::ipc, CollisionSetType::convergent}) {
        const MeshData data = layers_of_cloth(3, 0.01);
        const Shuffled shuffled(data, random);
        const CollisionMesh mesh(data), other(shuffled.data);
        const NormalCollisionsOptions options{.dhat = 0.05, .set_type = type, .use_area_weighting = true};
        NormalCollisions collisions, again;
        collisions.build(mesh, data.vertices, options);
        again.build(other, shuffled.data.vertices, options);
        const BarrierPotential barrier(0.05);
        const Vector g = barrier.gradient(collisions, mesh, data.vertices),
                     h = barrier.gradient(again, other, shuffled.data.vertices);
        const Matrix G = barrier.hessian(collisions, mesh, data.vertices, Method::clamp),
                     H = barrier.hessian(again, other, shuffled.data.vertices, Method::clamp);
        for (int v = 0; v < mesh.num_vertices(); ++v) {
            const int p = shuffled.place[v];
            EXPECT_LE((g.segment(3 * v, 3) - h.segment(3 * p, 3)).norm(), 1e-11 * g.norm());
            for (int w = 0; w < mesh.num_vertices(); ++w)
                EXPECT_LE(
                    (G.block(3 * v, 3 * w, 3, 3) - H.block(3 * p, 3 * shuffled.place[w], 3, 3)).norm(),
                    1e-10 * G.norm());
        }
    }
}

TEST(BarrierPotential, EnergiesAndForcesOfTheTermsAddUp)
{
    for (const Scene& scene : mixed_scenes()) {
        const BarrierPotential barrier(scene.collisions.options().dhat, 7);
        const Vector energies = barrier.energies(scene.collisions, scene.mesh, scene.X);
        ASSERT_EQ(energies.size(), static_cast<Eigen::Index>(scene.collisions.size()));
        EXPECT_NEAR(energies.sum(), barrier(scene.collisions, scene.mesh, scene.X), 1e-14 * energies.cwiseAbs().sum());
        for (std::size_t k = 0; k < scene.collisions.size(); ++k)
            EXPECT_EQ(energies[k] < 0, scene.collisions[k].weight < 0);

        const Positions forces = barrier.forces(scene.collisions, scene.mesh, scene.X);
        const Stencils& stencils = scene.collisions.stencils();
        ASSERT_EQ(forces.rows(), stencils.num_entries());
        Vector sum = Vector::Zero(scene.mesh.ndof());
        for (std::size_t k = 0; k < stencils.size(); ++k)
            for (std::size_t i = 0; i < stencils[k].size(); ++i)
                sum.segment(stencils[k][i] * scene.mesh.dim(), scene.mesh.dim()) +=
                    forces.row(stencils.offset(k) + static_cast<Eigen::Index>(i)).transpose();
        const Vector g = barrier.gradient(scene.collisions, scene.mesh, scene.X);
        EXPECT_LE((sum + g).norm(), 1e-13 * forces.norm());
    }
}

TEST(BarrierPotential, ForceMagnitudesAreThoseBetweenTwoPoints)
{
    for (const double dmin : {0.0, 0.1})
        for (const bool weighted : {false, true})
            for (const Scene& scene : single_terms(0.35, {.dhat = 1, .dmin = dmin, .use_area_weighting = weighted})) {
                if (scene.mesh.dim() == 3 && scene.length < 1)
                    continue; // nearly parallel: the mollifier is not part of the magnitude
                const BarrierPotential barrier(1, 7);
                const Vector magnitudes = barrier.force_magnitudes(scene.collisions, scene.mesh, scene.X);
                const Positions forces = barrier.forces(scene.collisions, scene.mesh, scene.X);
                // The forces on one side add up to it, times the weight.
                const NormalCollision collision = scene.collisions[0];
                const int first = collision.kind == PairKind::edge_edge ? 2 : 1;
                const double total = forces.topRows(first).colwise().sum().norm();
                ASSERT_EQ(magnitudes.size(), 1);
                EXPECT_NEAR(magnitudes[0] * collision.weight, total, 1e-13 * total) << scene.name;
                // −κ db/dd, by the law of the distance.
                const double D = scene.collisions.geometry(0, scene.mesh, scene.X).squared_distance;
                const double slope = barrier.law()(D, {.dhat = 1, .dmin = dmin}).first;
                EXPECT_NEAR(magnitudes[0], -7 * slope * 2 * std::sqrt(D), 1e-13 * magnitudes[0]) << scene.name;
            }
}

// --- What is rejected ---

template <typename Exception, typename F>
std::string message_of(F&& f)
{
    try {
        f();
    } catch (const Exception& error) {
        return error.what();
    }
    return "no exception";
}

#define EXPECT_SAYS(message, part) EXPECT_NE(std::string(message).find(part), std::string::npos) << (message)

/// Moves the scene's second element onto the first and expects an infinite value, and no derivatives.
void expect_infinite(const Scene& scene, const Positions& touching)
{
    SCOPED_TRACE(scene.name);
    const BarrierPotential barrier(scene.collisions.options().dhat);
    EXPECT_EQ(barrier(scene.collisions, scene.mesh, touching), infinity);
    const auto gradient = [&] { (void)barrier.gradient(scene.collisions, scene.mesh, touching); };
    const auto hessian = [&] { (void)barrier.hessian(scene.collisions, scene.mesh, touching, Method::clamp); };
    for (const std::string& message : {message_of<InvalidStart>(gradient), message_of<InvalidStart>(hessian)}) {
        EXPECT_SAYS(message, "X: collision ");
        EXPECT_SAYS(message, "vertices ");
        EXPECT_SAYS(message, "clamped_log of the squared distance");
    }
}

TEST(BarrierPotential, IsInfiniteWhereAPairTouches)
{
    for (const Scene& scene : single_collisions(0.5, {.dhat = 1})) {
        if (scene.length < 1)
            continue;
        // Everything at one point.
        expect_infinite(scene, Positions::Zero(scene.X.rows(), scene.X.cols()));
    }
    // A vertex in its plane.
    Positions X = positions({{0, 0.5, 0}, {0, 5, 0}});
    const Scene plane(
        "plane", CollisionMesh(X, no_edges, no_faces, {.planes = {{Vec3::Zero(), Vec3::UnitY()}}}), X, {.dhat = 1});
    X(0, 1) = 0;
    expect_infinite(plane, X);
    // At dmin, and below it.
    X = positions({{0, 0.75, 0}, {0, 0, 0}});
    const Scene thick("two balls", CollisionMesh(X), X, {.dhat = 1, .dmin = 0.5});
    for (const double d : {0.5, 0.4}) {
        X(0, 1) = d;
        expect_infinite(thick, X);
    }
}

TEST(BarrierPotential, IsInfiniteWhereExactlyParallelEdgesTouch)
{
    // Their mollifier is zero there: zero times infinity must not be NaN.
    Positions X = positions({{0, 0, 0}, {1, 0, 0}, {0.25, 0.5, 0}, {1.25, 0.5, 0}});
    const Scene scene("parallel edges", CollisionMesh(X, elements({{0, 1}, {2, 3}})), X, {.dhat = 1});
    X.col(1).setZero();
    expect_infinite(scene, X);
}

TEST(BarrierPotential, IsInfiniteWhereTermsOfBothSignsTouch)
{
    // A vertex in a valley of two edges is near both, and the corner between them counts minus once.
    Positions X = positions({{-1, 1}, {0, 0}, {1, 1}, {0, 0.3}});
    const Scene scene(
        "valley", CollisionMesh(X, elements({{0, 1}, {1, 2}})), X,
        {.dhat = 0.5, .set_type = CollisionSetType::convergent});
    ASSERT_EQ(scene.collisions.vv().weights, std::vector<double>{-1});
    ASSERT_EQ(scene.collisions.ev().size(), 2u);
    X.row(3).setZero();
    expect_infinite(scene, X);
}

TEST(BarrierPotential, RejectsParametersThatAreNone)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double bad : {0.0, -1.0, infinity, nan}) {
        EXPECT_SAYS(message_of<InvalidInput>([&] { BarrierPotential barrier(bad); }), "dhat: ");
        EXPECT_SAYS(message_of<InvalidInput>([&] { BarrierPotential barrier(1, bad); }), "stiffness: ");
        BarrierPotential barrier(1);
        EXPECT_SAYS(message_of<InvalidInput>([&] { barrier.set_stiffness(bad); }), "stiffness: ");
        EXPECT_EQ(barrier.stiffness(), 1);
    }
    EXPECT_SAYS(
        message_of<InvalidInput>([&] { BarrierPotential barrier({.dhat = 1, .law = nullptr}); }), "law: none given");
}

TEST(BarrierPotential, RejectsSetsAndPositionsThatDoNotFit)
{
    const MeshData data = two_squircles(0.02);
    const CollisionMesh mesh(data), other(generate::squircle());
    NormalCollisions collisions;
    collisions.build(mesh, data.vertices, {.dhat = 0.1});
    EXPECT_SAYS(
        message_of<InvalidInput>([&] { (void)BarrierPotential(0.11)(collisions, mesh, data.vertices); }),
        "collisions: built for dhat = 0.1 m, but the potential reaches 0.11 m");
    const BarrierPotential barrier(0.1);
    EXPECT_SAYS(
        message_of<InvalidInput>([&] { (void)barrier.gradient(collisions, other, other.rest_positions()); }),
        "collisions: built for a mesh of");
    Positions X = data.vertices;
    X(4, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_SAYS(message_of<InvalidInput>([&] { (void)barrier.hessian(collisions, mesh, X); }), "X");
    EXPECT_SAYS(message_of<InvalidInput>([&] { (void)barrier(collisions, mesh, X.topRows(3)); }), "X");
}

TEST(BarrierPotential, OfASmallerDhatIsThatOfItsOwnSet)
{
    const MeshData data = two_squircles(0.02);
    const CollisionMesh mesh(data);
    NormalCollisions wide, narrow;
    wide.build(mesh, data.vertices, {.dhat = 0.2});
    narrow.build(mesh, data.vertices, {.dhat = 0.1});
    EXPECT_GT(wide.size(), narrow.size());
    const BarrierPotential barrier(0.1);
    const double value = barrier(narrow, mesh, data.vertices);
    EXPECT_NEAR(barrier(wide, mesh, data.vertices), value, 1e-14 * value);
    const Vector g = barrier.gradient(narrow, mesh, data.vertices);
    EXPECT_LE((barrier.gradient(wide, mesh, data.vertices) - g).norm(), 1e-14 * g.norm());
}

// --- The cache, and threads ---

std::vector<double> bits_of(const Eigen::SparseMatrix<double>& H)
{
    return {H.valuePtr(), H.valuePtr() + H.nonZeros()};
}

TEST(HessianCache, AnalysesTheSameCollisionsOnceAndGivesTheSameBits)
{
    const MeshData data = layers_of_cloth(5, 0.2);
    const CollisionMesh mesh(data);
    NormalCollisions collisions, more;
    collisions.build(mesh, data.vertices, {.dhat = 0.03});
    more.build(mesh, data.vertices, {.dhat = 0.05});
    ASSERT_LT(collisions.size(), more.size());
    const BarrierPotential barrier(0.03);
    Candidates candidates;
    candidates.build(mesh, data.vertices, 0.05);
    const auto pattern = candidate_pattern(candidates, mesh);

    HessianCache own, given(pattern);
    EXPECT_EQ(own.num_analyses(), 0);
    const Positions moved = 1.01 * data.vertices;
    for (const Positions& X : {data.vertices, moved})
        for (const Method method : {Method::none, Method::clamp, Method::abs}) {
            const auto cold = barrier.hessian(collisions, mesh, X, method);
            barrier.hessian(collisions, mesh, X, method, own);
            EXPECT_EQ(own.num_analyses(), 1);
            EXPECT_EQ(bits_of(own.matrix().to_sparse()), bits_of(cold));

            barrier.hessian(collisions, mesh, X, method, given);
            EXPECT_EQ(given.num_analyses(), 1);
            EXPECT_EQ(given.matrix().pattern(), pattern);
            EXPECT_EQ(Matrix(given.matrix().to_sparse()), Matrix(cold));
        }

    // Other collisions are analysed anew; with a pattern of its own it stays the same.
    barrier.hessian(more, mesh, data.vertices, Method::clamp, own);
    barrier.hessian(more, mesh, data.vertices, Method::clamp, given);
    EXPECT_EQ(own.num_analyses(), 2);
    EXPECT_EQ(given.num_analyses(), 2);
    EXPECT_EQ(given.matrix().pattern(), pattern);
    const auto cold = barrier.hessian(more, mesh, data.vertices, Method::clamp);
    EXPECT_EQ(bits_of(own.matrix().to_sparse()), bits_of(cold));
    EXPECT_EQ(Matrix(given.matrix().to_sparse()), Matrix(cold));

    // After an empty set, back again.
    barrier.hessian(NormalCollisions(), mesh, data.vertices, Method::clamp, own);
    EXPECT_EQ(own.matrix().to_sparse().nonZeros(), 0);
    EXPECT_EQ(own.matrix().num_unknowns(), mesh.ndof());
    barrier.hessian(NormalCollisions(), mesh, data.vertices, Method::clamp, given);
    EXPECT_EQ(given.matrix().to_sparse().norm(), 0);
    barrier.hessian(more, mesh, data.vertices, Method::clamp, own);
    EXPECT_EQ(bits_of(own.matrix().to_sparse()), bits_of(cold));
}

TEST(HessianCache, APatternOfAnotherMeshOrOfOtherCandidatesIsRejected)
{
    const MeshData data = layers_of_cloth(3, 0.2);
    const CollisionMesh mesh(data), other(generate::cloth());
    NormalCollisions collisions;
    collisions.build(mesh, data.vertices, {.dhat = 0.03});
    const BarrierPotential barrier(0.03);
    HessianCache wrong_size(candidate_pattern({}, other)), too_narrow(candidate_pattern({}, mesh));
    EXPECT_SAYS(
        message_of<InvalidInput>([&] { barrier.hessian(collisions, mesh, data.vertices, Method::none, wrong_size); }),
        "cache: its pattern is for");
    EXPECT_SAYS(
        message_of<InvalidInput>([&] { barrier.hessian(collisions, mesh, data.vertices, Method::none, too_narrow); }),
        "pattern: it has no block");
}

TEST(BarrierPotential, HasTheSameBitsForAnyNumberOfThreads)
{
    const MeshData data = layers_of_cloth(48, 0.3);
    const CollisionMesh mesh(data);
    NormalCollisions collisions;
    collisions.build(
        mesh, data.vertices, {.dhat = 0.02, .set_type = CollisionSetType::convergent, .use_area_weighting = true});
    EXPECT_GT(collisions.size(), 20'000u);
    const BarrierPotential barrier(0.02);
    struct Result {
        double value, smallest;
        Vector gradient;
        std::vector<double> hessian;
    };
    const auto run = [&](int threads) -> Result {
        set_num_threads(threads);
        Result result{
            barrier(collisions, mesh, data.vertices), collisions.compute_minimum_distance(mesh, data.vertices),
            barrier.gradient(collisions, mesh, data.vertices),
            bits_of(barrier.hessian(collisions, mesh, data.vertices, Method::clamp))};
        set_num_threads(0);
        return result;
    };
    const Result one = run(1);
    EXPECT_GT(one.value, 0);
    for (const int threads : {2, 4}) {
        const Result several = run(threads);
        EXPECT_EQ(several.value, one.value);
        EXPECT_EQ(several.smallest, one.smallest);
        EXPECT_EQ(several.gradient, one.gradient);
        EXPECT_TRUE(several.hessian == one.hessian);
    }
}

} // namespace

} // namespace abut::test::barrier_potential_test
