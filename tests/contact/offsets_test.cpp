// Surfaces that stand off from their elements: gaps in place of distances in detection, sets, laws, steps and bounds,
// and pairs that are near along the shape at rest.

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/contact/gcp/smooth_collisions.hpp"
#include "abut/contact/ogc/trust_region.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/detect/rest_gaps.hpp"
#include "abut/detect/step_size.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/collision_scenes.hpp"
#include "support/exact_ccd.hpp"
#include "support/finite_differences.hpp"
#include "support/mesh_pairs.hpp"
#include "support/random_meshes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include <numbers>

namespace abut::test::offsets_test {

namespace {

CollisionMesh thick(const CollisionMesh& mesh, double radius)
{
    return mesh.with_offsets(ContactOffsets(std::vector<double>(mesh.num_vertices(), radius)));
}

/// The single terms with offsets of 0.15 at every vertex.
std::vector<Scene> thick_terms(double distance, const NormalCollisionsOptions& options)
{
    std::vector<Scene> all;
    for (const Scene& scene : single_terms(distance, options))
        all.emplace_back(scene.name, thick(scene.mesh, 0.15), scene.X, options, scene.length);
    return all;
}

TEST(Offsets, DerivativesOfEveryKindMatchDifferencesForAllLaws)
{
    for (const double distance : {0.6, 0.95})
        for (const double dmin : {0.0, 0.1})
            for (const Scene& scene : thick_terms(distance, {.dhat = 1, .dmin = dmin})) {
                ASSERT_EQ(scene.collisions.size(), 1u) << scene.name;
                for (const char* name :
                     {"clamped_log", "normalized_clamped_log", "clamped_log_squared", "cubic", "two_stage"})
                    for (const DistanceKind kind : {DistanceKind::squared, DistanceKind::plain}) {
                        SCOPED_TRACE(scene.name + ", " + name);
                        const BarrierPotential barrier({.dhat = 1, .stiffness = 10, .law = normal_law(name, kind)});
                        const VectorFunction value = [&](const Vector& x) -> Vector {
                            return Vector::Constant(1, barrier(scene.collisions, scene.mesh, scene.at(x)));
                        };
                        const VectorFunction gradient = [&](const Vector& x) -> Vector {
                            return barrier.gradient(scene.collisions, scene.mesh, scene.at(x));
                        };
                        expect_matches(
                            gradient(scene.x()).transpose(), central_differences(value, scene.x(), scene.length),
                            "gradient");
                        expect_matches(
                            Matrix(barrier.hessian(scene.collisions, scene.mesh, scene.X)),
                            central_differences(gradient, scene.x(), scene.length), "Hessian");
                    }
            }
}

/// Of the elements of a pair themselves, not of their lines and planes.
double squared_distance_of_elements(const NormalCollision& pair, const Positions& X)
{
    const auto x = [&](int k) { return lifted(X, pair.vertices[k]); };
    switch (pair.kind) {
    case PairKind::vertex_vertex:
        return (x(0) - x(1)).squaredNorm();
    case PairKind::edge_vertex:
        return point_edge_squared_distance<3>(x(0), x(1), x(2), Order::value).value;
    case PairKind::edge_edge:
        return edge_edge_squared_distance(x(0), x(1), x(2), x(3), Order::value).value;
    case PairKind::face_vertex:
        return point_triangle_squared_distance(x(0), x(1), x(2), x(3), Order::value).value;
    default:
        return -1;
    }
}

TEST(Offsets, ContactsThatLeftTheirFeaturesAreMeasuredToTheElementsThemselves)
{
    // A line can be nearer than the offset where its edge is not; the law has no value there.
    RandomStream random(11);
    const BarrierPotential barrier({.dhat = 1, .stiffness = 10});
    const CollisionMesh two = thick(CollisionMesh(positions({{0, 0, 0}, {2, 0, 0}})), 0.15);
    int num_left = 0;
    for (const Scene& scene : thick_terms(0.6, {.dhat = 1})) {
        SCOPED_TRACE(scene.name);
        ASSERT_EQ(scene.collisions.size(), 1u);
        const NormalCollision pair = scene.collisions[0];
        if (pair.kind == PairKind::plane_vertex)
            continue;
        for (int k = 0; k < 40; ++k) {
            Positions X = scene.X;
            for (Eigen::Index i = 0; i < X.size(); ++i)
                X.data()[i] += random.uniform(-1.2, 1.2);
            const double distance = std::sqrt(squared_distance_of_elements(pair, X));
            if (distance < 0.35 || distance > 1.25)
                continue;
            if (pair.kind == PairKind::edge_edge && pair.feature != EdgeEdgeFeature::a_b) {
                // An end that is kept may be farther off than the other end.
                EXPECT_TRUE(std::isfinite(barrier.gradient(scene.collisions, scene.mesh, X).sum()));
                continue;
            }
            ++num_left;
            NormalCollisions same_gap;
            const Positions apart = positions({{0, 0, 0}, {distance, 0, 0}});
            same_gap.build(two, apart, {.dhat = 1});
            const double force = barrier.force_magnitudes(same_gap, two, apart)[0];
            EXPECT_NEAR(barrier.force_magnitudes(scene.collisions, scene.mesh, X)[0], force, 1e-9 * (1 + force));
            const VectorFunction value = [&](const Vector& x) -> Vector {
                return Vector::Constant(1, barrier(scene.collisions, scene.mesh, scene.at(x)));
            };
            const VectorFunction gradient = [&](const Vector& x) -> Vector {
                return barrier.gradient(scene.collisions, scene.mesh, scene.at(x));
            };
            const Vector x = Eigen::Map<const Vector>(X.data(), X.size());
            expect_matches(gradient(x).transpose(), central_differences(value, x, scene.length), "gradient");
            expect_matches(
                Matrix(barrier.hessian(scene.collisions, scene.mesh, X)),
                central_differences(gradient, x, scene.length), "Hessian");
        }
    }
    EXPECT_GT(num_left, 50);
}

TEST(Offsets, APairPressesLikeAThinOneAtTheSameGap)
{
    // Loose vertices: the energy and the force are those of the gap, whatever the thickness.
    const auto at = [](double distance, double radius) {
        const CollisionMesh mesh = thick(CollisionMesh(positions({{0, 0, 0}, {2, 0, 0}})), radius);
        const Positions X = positions({{0, 0, 0}, {distance, 0, 0}});
        NormalCollisions set;
        set.build(mesh, X, {.dhat = 0.5, .dmin = 0.125});
        EXPECT_EQ(set.size(), 1u);
        const BarrierPotential barrier({.dhat = 0.5, .stiffness = 3});
        return std::tuple(
            barrier(set, mesh, X), barrier.gradient(set, mesh, X)[3], barrier.force_magnitudes(set, mesh, X)[0],
            set.compute_minimum_distance(mesh, X));
    };
    const auto [energy, slope, force, gap] = at(0.25, 0);
    EXPECT_EQ(gap, 0.25);
    for (const double radius : {0.125, 0.5, 8.0}) {
        const auto [e, s, f, g] = at(0.25 + 2 * radius, radius);
        EXPECT_NEAR(e, energy, 1e-12 * energy);
        EXPECT_NEAR(s, slope, 1e-12 * std::abs(slope));
        EXPECT_NEAR(f, force, 1e-12 * force);
        EXPECT_NEAR(g, gap, 1e-14);
    }
}

TEST(Offsets, ClosedFormHessiansArePositiveAndThoseOfTheGapAlongTheNormal)
{
    for (const HessianMode mode : {HessianMode::analytic, HessianMode::gauss_newton})
        for (const Scene& scene : thick_terms(0.4, {.dhat = 1})) {
            SCOPED_TRACE(scene.name);
            const BarrierPotential barrier({.dhat = 1, .law = normal_law("clamped_log_squared"), .hessian_mode = mode});
            const Matrix H = barrier.hessian(scene.collisions, scene.mesh, scene.X, PSDProjectionMethod::clamp);
            const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(H).eigenvalues();
            EXPECT_GE(eigenvalues.minCoeff(), -1e-9 * eigenvalues.maxCoeff());
            EXPECT_GT(eigenvalues.maxCoeff(), 0);
        }
}

TEST(Offsets, FrictionFollowsTheLaggedForceInEveryKind)
{
    RandomStream random(5);
    for (const Scene& scene : thick_terms(0.5, {.dhat = 1})) {
        SCOPED_TRACE(scene.name);
        const BarrierPotential barrier({.dhat = 1, .stiffness = 10});
        Positions V(scene.X.rows(), scene.X.cols());
        for (Eigen::Index i = 0; i < V.size(); ++i)
            V.data()[i] = random.uniform(-1, 1);
        const FrictionPotential friction(0.1);
        TangentialCollisions sliding;
        sliding.build(scene.mesh, scene.X, scene.collisions, barrier, {.mu_s = 0.5, .mu_k = 0.5});
        if (sliding.size() == 0)
            continue; // parallel edges have no tangent plane
        EXPECT_EQ(sliding[0].normal_force, barrier.force_magnitudes(scene.collisions, scene.mesh, scene.X)[0]);
        const VectorFunction force = [&](const Vector& x) -> Vector {
            NormalCollisions set;
            TangentialCollisions at;
            const Positions X = scene.at(x);
            set.build(scene.mesh, X, scene.collisions.options());
            at.build(scene.mesh, X, set, barrier, {.mu_s = 0.5, .mu_k = 0.5});
            return friction.force(at, scene.mesh, V);
        };
        expect_matches(
            Matrix(friction.force_jacobian(sliding, scene.mesh, scene.X, V, barrier, DiffWRT::lagged_positions)),
            central_differences(force, scene.x(), scene.length), "by positions");
    }
}

/// Components of a soup with radii of their own, some of them none.
std::vector<double> random_radii(const CollisionMesh& mesh, double largest, RandomStream& random)
{
    std::vector<double> of_component(mesh.components().components.size());
    for (double& radius : of_component)
        radius = random.below(4) == 0 ? 0 : random.uniform(0, largest);
    std::vector<double> radii;
    for (const int component : mesh.components().vertex_component)
        radii.push_back(of_component[component]);
    return radii;
}

/// The sum of the radii, by the definition.
double full_offset(const CollisionMesh& mesh, const MeshPair& pair)
{
    const std::vector<int> vertices = pair_vertices(mesh, pair);
    return mesh.offsets().radius(vertices.front()) + mesh.offsets().radius(vertices.back());
}

TEST(Offsets, DetectionFindsWhatTheDefinitionFinds)
{
    int num_found = 0;
    for (int i = 0; i < 60; ++i) {
        SCOPED_TRACE(i);
        RandomStream random(71, i);
        const MovingMesh soup = random_soup({.dim = i % 3 == 0 ? 2 : 3, .element_size = 0.2}, random);
        const CollisionMesh mesh = soup.mesh.with_offsets(ContactOffsets(random_radii(soup.mesh, 0.2, random)));
        const double range = random.uniform(0.01, 0.2);
        Detection detection(mesh, {.range = range});
        for (const Positions& X : {soup.X0, Positions(soup.X0 + 0.01 * (soup.X1 - soup.X0))}) {
            detection.update(X);
            std::vector<MeshPair> expected, found;
            for (const MeshPair& pair : collidable_pairs(mesh)) {
                Candidates one;
                one[pair.kind] = {pair.elements};
                NearPairs thin = find_near_pairs(one, soup.mesh, X, 1e3);
                const double distance = std::sqrt(thin[pair.kind].squared_distances[0]);
                if (distance < range + full_offset(mesh, pair))
                    expected.push_back(pair);
            }
            const auto add = [&](PairKind kind, const DetectedPairs& list) {
                for (const IndexPair& elements : list.pairs)
                    found.push_back({kind, elements});
            };
            for_each_kind(add, detection.pairs());
            std::sort(found.begin(), found.end());
            EXPECT_EQ(found, expected);
            num_found += static_cast<int>(found.size());
        }
    }
    EXPECT_GT(num_found, 4000);
}

TEST(Offsets, StepsKeepEveryPairFartherApartThanItsOffset)
{
    int num_limited = 0, num_free = 0;
    for (int i = 0; i < 150; ++i) {
        SCOPED_TRACE(i);
        RandomStream random(73, i);
        SoupOptions options{
            .dim = i % 3 == 0 ? 2 : 3, .triangles = 5, .edges = 5, .points = 4, .element_size = 0.15, .shared = 0};
        options.motion = std::pow(10, random.uniform(-1.5, 0.3));
        const MovingMesh soup = random_soup(options, random);
        const CollisionMesh mesh = soup.mesh.with_offsets(ContactOffsets(random_radii(soup.mesh, 0.05, random)));
        const double dmin = i % 4 == 0 ? 0.01 : 0;
        const auto touches = [&](const Positions& X) {
            return std::ranges::any_of(collidable_pairs(mesh), [&](const MeshPair& pair) {
                return exact_first_contact(
                           pair_query(mesh, soup.X0, X, pair),
                           dmin + pair_offset(mesh, pair.kind, pair.elements[0], pair.elements[1]))
                    .hit;
            });
        };
        Detection detection(mesh, {.range = dmin + 4 * options.motion * std::sqrt(3.0)});
        detection.update(soup.X0);
        const bool touches_at_start = touches(soup.X0);
        for (const double step :
             {compute_collision_free_stepsize(mesh, soup.X0, soup.X1, {.dmin = dmin}),
              find_collision_free_stepsize(mesh, detection, soup.X0, soup.X1, {.dmin = dmin}).step}) {
            EXPECT_EQ(step == 0, touches_at_start);
            const Positions X = soup.X0 + step * (soup.X1 - soup.X0);
            EXPECT_EQ(touches(X), touches_at_start);
            EXPECT_EQ(is_step_collision_free(mesh, soup.X0, X, dmin), !touches_at_start);
            num_limited += step > 0 && step < 1;
            num_free += step == 1;
        }
        if (touches(soup.X1)) {
            EXPECT_FALSE(is_step_collision_free(mesh, soup.X0, soup.X1, dmin));
        }
    }
    EXPECT_GT(num_limited, 60);
    EXPECT_GT(num_free, 20);
}

TEST(Offsets, PlanesKeepTheRadius)
{
    const CollisionMesh mesh =
        CollisionMesh(
            positions({{0, 1, 0}, {2, 1, 0}}), no_edges, no_faces, {.planes = {{Vec3::Zero(), Vec3::UnitY()}}})
            .with_offsets(ContactOffsets({0.25, 0}));
    const Positions X0 = positions({{0, 1, 0}, {2, 1, 0}}), X1 = positions({{0, -1, 0}, {2, -1, 0}});
    const StepLimit limit = find_collision_free_stepsize(mesh, X0, X1);
    EXPECT_EQ(limit.pair, (IndexPair{0, 0}));
    EXPECT_NEAR(1 - 2 * limit.step, 0.25 + 0.2 * 0.75, 1e-9) << "a fifth of the gap is left";
    EXPECT_TRUE(is_step_collision_free(mesh, X0, positions({{0, 0.2501, 0}, {2, 0.001, 0}})));
    EXPECT_FALSE(is_step_collision_free(mesh, X0, positions({{0, 0.2499, 0}, {2, 0.5, 0}})));
    Detection detection(mesh, {.range = 0.5});
    detection.update(positions({{0, 0.7, 0}, {2, 0.7, 0}}));
    ASSERT_EQ(detection.pairs().pv.size(), 1u);
    EXPECT_NEAR(detection.smallest_distance(), 0.45, 1e-15);
    EXPECT_NEAR(compute_minimum_distance(mesh, X0), 0.75, 1e-15);
}

TEST(Offsets, BoundsLetNothingComeNearerThanItsOffset)
{
    for (const Truncation truncation : {Truncation::project, Truncation::scale, Truncation::planes})
        for (int i = 0; i < 40; ++i) {
            SCOPED_TRACE(i);
            RandomStream random(79, i);
            const MovingMesh soup = random_soup(
                {.dim = i % 3 == 0 ? 2 : 3, .triangles = 5, .edges = 5, .points = 4, .element_size = 0.15, .shared = 0},
                random);
            const CollisionMesh mesh = soup.mesh.with_offsets(ContactOffsets(random_radii(soup.mesh, 0.03, random)));
            if (compute_minimum_distance(mesh, soup.X0) == 0)
                continue;
            TrustRegion region(mesh, {.dhat = 0.1, .truncation = truncation});
            region.update(soup.X0);
            Detection detection(mesh, {.range = 0.2});
            detection.update(soup.X0);
            EXPECT_EQ(region.distances(), find_element_distances(detection.pairs(), mesh, 0.2));
            Positions X = soup.X0;
            for (int repeat = 0; repeat < 3; ++repeat) {
                Positions dx = random.uniform(0.1, 2) * (soup.X1 - soup.X0);
                region.truncate(X, dx);
                EXPECT_TRUE(is_step_collision_free(mesh, X, X + dx));
                X += dx;
            }
        }
}

TEST(Offsets, AreTheSameForAnyNumberOfThreads)
{
    RandomStream random(83);
    const MovingMesh soup = random_soup({.triangles = 300, .edges = 300, .points = 50, .element_size = 0.1}, random);
    const std::vector<double> radii = random_radii(soup.mesh, 0.05, random);
    std::vector<RestGaps> gaps;
    std::vector<NearPairs> pairs;
    for (const int threads : {1, 2, 3}) {
        set_num_threads(threads);
        gaps.push_back(find_rest_gaps(soup.mesh, radii, {.dhat = 0.01}));
        const CollisionMesh mesh = soup.mesh.with_offsets(gaps.back().offsets);
        Detection detection(mesh, {.range = 0.05});
        detection.update(soup.X1);
        pairs.push_back(detection.pairs());
    }
    set_num_threads(0);
    for (int k : {1, 2}) {
        EXPECT_EQ(gaps[0].offsets, gaps[k].offsets);
        EXPECT_EQ(gaps[0].num_pairs, gaps[k].num_pairs);
        EXPECT_EQ(pairs[0], pairs[k]);
    }
    EXPECT_FALSE(gaps[0].offsets.pairs().empty());
}

// --- Pairs that are near along the shape at rest ---

/// A straight rope of `count` edges of length 1 along x.
CollisionMesh rope(int count)
{
    Positions X = Positions::Zero(count + 1, 3);
    Elements E(count, 2);
    for (int i = 0; i <= count; ++i)
        X(i, 0) = i;
    for (int i = 0; i < count; ++i)
        E.row(i) << i, i + 1;
    return CollisionMesh(X, E);
}

TEST(CurveVertices, ParallelCurvesPressOnEachOther)
{
    Positions X(6, 3);
    X << 0, 0, 0, 1, 0, 0, 2, 0, 0, 0.3, 0.05, 0, 1.4, 0.05, 0, 2.6, 0.05, 0;
    const Elements E = elements({{0, 1}, {1, 2}, {3, 4}, {4, 5}});
    for (const bool use_curve_vertices : {false, true}) {
        const CollisionMesh mesh(X, E, no_faces, {.use_curve_vertices = use_curve_vertices});
        EXPECT_EQ(mesh.edge_partners().size(), use_curve_vertices ? 6u : 0u);
        for (const CollisionSetType type :
             {CollisionSetType::ipc, CollisionSetType::convergent, CollisionSetType::ogc}) {
            NormalCollisions set;
            set.build(mesh, X, {.dhat = 0.1, .set_type = type});
            // The corrections of the convergent set count ends that parallel edges leave out.
            const double force = BarrierPotential({.dhat = 0.1}).gradient(set, mesh, X).norm();
            EXPECT_EQ(force > 1e-9, use_curve_vertices || type == CollisionSetType::convergent) << force;
        }
        Candidates fast, slow;
        fast.build(mesh, X, 0.1);
        slow.build(mesh, X, 0.1, {.method = BroadPhase::brute_force});
        EXPECT_EQ(fast.ev, slow.ev);
        EXPECT_EQ(fast.ev.empty(), !use_curve_vertices);
    }
}

TEST(RestGaps, LeaveNeighboursTheirGapAndAskOthersForTheThickness)
{
    const CollisionMesh thin = rope(40);
    const double D = 4, dhat = 0.25;
    const RestGaps gaps = find_rest_gaps(thin, std::vector<double>(41, D / 2), {.dhat = dhat});
    const CollisionMesh mesh = thin.with_offsets(gaps.offsets);
    for (int k = 2; k < 39; ++k) {
        const double rest = k - 1, offset = pair_offset(mesh, PairKind::edge_edge, 0, k);
        if (rest >= std::numbers::pi / 2 * D)
            EXPECT_EQ(offset, D) << k;
        else
            EXPECT_NEAR(offset, std::min(D * std::sin(rest / D), rest - dhat), 1e-6 * dhat + 1e-12) << k;
    }
    // Edges 0 and k are nearer than D for k = 2, 3, 4: as many pairs of each as there are edges.
    EXPECT_EQ(gaps.num_pairs, std::vector<std::int64_t>{(40 - 2) + (40 - 3) + (40 - 4)});
    // Nothing presses at rest, and bent around a circle of diameter 1.3 D nothing touches.
    NormalCollisions set;
    set.build(mesh, mesh.rest_positions(), {.dhat = dhat});
    EXPECT_EQ(set.size(), 0u);
    Positions bent(41, 3);
    const double radius = 0.65 * D, turn = 2 * std::asin(0.5 / radius);
    for (int i = 0; i <= 40; ++i)
        bent.row(i) << radius * std::cos(turn * i), radius * std::sin(turn * i), 1.2 * D * turn * i / 6;
    EXPECT_GT(compute_minimum_distance(mesh, bent), 0);
    EXPECT_EQ(compute_minimum_distance(thick(thin, D / 2), bent), 0) << "as without rest gaps";
    // A fold brings far parts of the rope together: there it is as thick as it is.
    Positions folded = mesh.rest_positions();
    for (int i = 20; i <= 40; ++i)
        folded.row(i) << 40 - i, 3.9, 0;
    EXPECT_EQ(compute_minimum_distance(mesh, folded), 0);
}

TEST(RestGaps, OfPartsAreNeverSmallerThanThoseOfTheWholeNorAreEdgesStoppedFirst)
{
    const MeshData data = generate::plane_grid({.size = Vec2(1, 1), .cells = {10, 10}});
    const CollisionMesh thin(data);
    const RestGaps gaps = find_rest_gaps(thin, std::vector<double>(thin.num_vertices(), 0.12), {.dhat = 0.01});
    const CollisionMesh mesh = thin.with_offsets(gaps.offsets);
    EXPECT_GT(gaps.num_pairs[0], 0);
    int num_own = 0;
    for (int f = 0; f < mesh.num_faces(); ++f)
        for (int v = 0; v < mesh.num_vertices(); ++v) {
            const double whole = pair_offset(mesh, PairKind::face_vertex, f, v);
            num_own += whole < 0.24;
            if (std::ranges::count(corners_of(mesh.faces(), f), v) > 0)
                continue;
            for (int k = 0; k < 3; ++k) {
                EXPECT_GE(pair_offset(mesh, PairKind::edge_vertex, mesh.faces_to_edges()(f, k), v), whole);
                EXPECT_GE(pair_offset(mesh, PairKind::vertex_vertex, mesh.faces()(f, k), v), whole);
                for (const int e : mesh.vertex_edges(v))
                    EXPECT_LE(pair_offset(mesh, PairKind::edge_edge, mesh.faces_to_edges()(f, k), e), whole);
            }
        }
    EXPECT_GT(num_own, 1000);
    EXPECT_GT(compute_minimum_distance(mesh, data.vertices), 0.0099) << "at rest nothing is within dhat";
}

TEST(RestGaps, CountPairsOfOneBodyAlongItsShapeOnly)
{
    // Two ropes side by side at less than their thickness: no neighbours along a shape, so they keep all of it.
    const auto side_by_side = [](bool is_one_body) {
        Positions X(8, 3);
        Elements E(6, 2);
        for (int i = 0; i < 4; ++i) {
            X.row(i) << 8 * i, 0, 0;
            X.row(4 + i) << 8 * i, 1, 0;
        }
        E << 0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7;
        return CollisionMesh(
            X, E, no_faces,
            {.body_ids = is_one_body ? std::vector<int>(8, 0) : std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}});
    };
    for (const bool is_one_body : {true, false}) {
        const CollisionMesh mesh = side_by_side(is_one_body);
        const RestGaps gaps = find_rest_gaps(mesh, std::vector<double>(8, 1), {.dhat = 0.1});
        EXPECT_TRUE(gaps.offsets.pairs().empty());
        EXPECT_EQ(pair_offset(mesh.with_offsets(gaps.offsets), PairKind::edge_edge, 0, 3), 2);
        // A solid is filled between them.
        const RestGaps solid =
            find_rest_gaps(mesh, std::vector<double>(8, 1), {.dhat = 0.1, .solids = std::vector<int>(8, 0)});
        EXPECT_EQ(solid.offsets.pairs().empty(), !is_one_body);
    }
}

TEST(Offsets, RejectWhatMakesNoSense)
{
    const CollisionMesh mesh = rope(2);
    EXPECT_THROW(ContactOffsets({0, -1, 0}), InvalidInput);
    EXPECT_THROW(ContactOffsets({0, NAN, 0}), InvalidInput);
    EXPECT_THROW(ContactOffsets({1, 1}, {{1, 0, 1}}), InvalidInput);
    EXPECT_THROW(ContactOffsets({1, 1}, {{0, 2, 1}}), InvalidInput);
    EXPECT_THROW(ContactOffsets({1, 1}, {{0, 1, 3}}), InvalidInput);
    EXPECT_THROW((void)mesh.with_offsets(ContactOffsets({1, 1})), InvalidInput);
    EXPECT_THROW((void)mesh.with_offsets(ContactOffsets({1, 1, 2})), InvalidInput) << "two radii in one edge";
    EXPECT_TRUE(mesh.with_offsets(ContactOffsets({0, 0, 0})).offsets().empty());
    SmoothCollisions smooth;
    EXPECT_THROW(
        smooth.build(thick(mesh, 0.1), mesh.rest_positions(), SmoothContactParameters{.dhat = 0.1}), InvalidInput);
    NormalCollisions set;
    try {
        set.build(thick(mesh, 2), positions({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}), {.dhat = 0.1});
    } catch (const InvalidStart& error) {
        ADD_FAILURE() << "edges that share a vertex are no pair: " << error.what();
    }
    const CollisionMesh points = thick(CollisionMesh(positions({{0, 0, 0}, {2, 0, 0}})), 1.5);
    EXPECT_THROW(set.build(points, points.rest_positions(), {.dhat = 0.1}), InvalidStart);
}

} // namespace

} // namespace abut::test::offsets_test
