// Collision sets: which terms there are, with what weight, however they are found; and what is rejected.

#include "abut/contact/normal_collisions.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/contact_scenes.hpp"
#include "support/random_points.hpp"
#include "support/reference_set.hpp"

#include <map>
#include <numeric>
#include <set>

namespace abut::test::normal_collisions_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

NormalCollisions built(const CollisionMesh& mesh, const Positions& X, const NormalCollisionsOptions& options)
{
    NormalCollisions collisions;
    collisions.build(mesh, X, options);
    return collisions;
}

/// All sets that the options know.
std::vector<NormalCollisionsOptions> all_options(double dhat, double dmin)
{
    std::vector<NormalCollisionsOptions> all;
    for (const auto type : {CollisionSetType::ipc, CollisionSetType::convergent, CollisionSetType::ogc})
        for (const bool weighted : {false, true})
            all.push_back({.dhat = dhat, .dmin = dmin, .set_type = type, .use_area_weighting = weighted});
    return all;
}

// --- The same set however it is found ---

void expect_same_however_found(const CollisionMesh& mesh, const Positions& X, double dhat)
{
    for (const double dmin : {0.0, 1e-3})
        for (NormalCollisionsOptions options : all_options(dhat, dmin)) {
            options.enable_shape_derivatives = true; // compared as well
            const NormalCollisions found = built(mesh, X, options);
            EXPECT_FALSE(found.empty());
            EXPECT_EQ(found.options().dhat, dhat);

            Candidates candidates;
            candidates.build(mesh, X, (dhat + dmin) / 2);
            NormalCollisions from_candidates;
            from_candidates.build(candidates, mesh, X, options);
            EXPECT_EQ(from_candidates, found);
            EXPECT_EQ(from_candidates.stencils(), found.stencils());

            candidates.build(mesh, X, 2 * dhat); // farther than needed
            from_candidates.build(candidates, mesh, X, options);
            EXPECT_EQ(from_candidates, found);

            for (const double range : {dhat + dmin, 2 * dhat}) {
                Detection detection(mesh, {.range = range});
                detection.update(X);
                NormalCollisions from_detection;
                from_detection.build(detection, mesh, X, options);
                EXPECT_EQ(from_detection, found);
            }

            options.broad_phase = BroadPhase::brute_force;
            EXPECT_EQ(built(mesh, X, options), found);
        }
}

TEST(NormalCollisions, AreTheSameFromAMeshCandidatesAndADetection)
{
    const MeshData data = spheres_rod_and_points(0.02);
    expect_same_however_found(
        CollisionMesh(data, {.planes = {{Vec3(0, -0.51, 0), Vec3::UnitY()}}}), data.vertices, 0.04);
}

TEST(NormalCollisions, AreTheSameFromAMeshCandidatesAndADetectionInThePlane)
{
    const MeshData data = two_squircles(0.02);
    expect_same_however_found(
        CollisionMesh(data, {.planes = {{Vec3(0, -1.02, 0), Vec3::UnitY()}}}), data.vertices, 0.1);
}

TEST(NormalCollisions, AreTheSameForAnyNumberOfThreads)
{
    const MeshData data = layers_of_cloth(40, 0.3);
    const CollisionMesh mesh(data);
    for (const NormalCollisionsOptions& options : all_options(0.02, 0)) {
        set_num_threads(1);
        const NormalCollisions one = built(mesh, data.vertices, options);
        EXPECT_GT(one.size(), 8192u) << "several tasks";
        for (const int threads : {2, 4}) {
            set_num_threads(threads);
            EXPECT_EQ(built(mesh, data.vertices, options), one);
        }
        set_num_threads(0);
    }
}

// --- Terms and weights of the set of IPC, against a slow sum over all pairs ---

/// What a term is about: the vertices of its two features, the smaller first; and for nearly parallel edges, which stay
/// apart from everything else, their ids.
struct Features {
    std::vector<int> first, second;
    IndexPair edges{-1, -1};

    auto operator<=>(const Features&) const = default;
};

Features features(std::vector<int> a, std::vector<int> b)
{
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a < b ? Features{a, b} : Features{b, a};
}

/// The weights by the definition: every pair of elements closer than dmin + dhat, its closest parts, its share.
std::map<Features, double>
weights_by_definition(const CollisionMesh& mesh, const Positions& X, const NormalCollisionsOptions& options)
{
    const auto& E = mesh.edges();
    const auto& F = mesh.faces();
    const auto A = [&](int v) { return options.use_area_weighting ? mesh.vertex_areas()[v] : 0; };
    const auto A_edge = [&](int e) { return options.use_area_weighting ? mesh.edge_areas()[e] : 0; };
    const auto share = [&](double area) { return options.use_area_weighting ? area : 1; };
    const auto p = [&](int v) { return Vec3(point<3>(X, v)); };
    const double range = options.dmin + options.dhat;

    std::map<Features, double> weights;
    Candidates all;
    all.build(mesh, X, 100, {.method = BroadPhase::brute_force});
    for (const auto& [i, j] : all.vv)
        if ((p(i) - p(j)).norm() < range)
            weights[features({i}, {j})] += share((A(i) + A(j)) / 2);
    const auto part_of_edge = [&](int e, PointEdgeFeature part) {
        return part == PointEdgeFeature::edge ? std::vector{E(e, 0), E(e, 1)}
                                              : std::vector{E(e, static_cast<int>(part))};
    };
    for (const auto& [e, v] : all.ev) {
        const auto part = point_edge_feature<3>(p(v), p(E(e, 0)), p(E(e, 1)));
        if (point_edge_squared_distance<3>(p(v), p(E(e, 0)), p(E(e, 1)), part, Order::value).value < range * range)
            weights[features(part_of_edge(e, part), {v})] += share(A(v) / 2);
    }
    for (const auto& [f, v] : all.fv) {
        const std::array<int, 3> t{F(f, 0), F(f, 1), F(f, 2)};
        const auto part = point_triangle_feature(p(v), p(t[0]), p(t[1]), p(t[2]));
        if (point_triangle_squared_distance(p(v), p(t[0]), p(t[1]), p(t[2]), Order::value).value >= range * range)
            continue;
        const int k = static_cast<int>(part);
        const std::vector<int> nearest = k < 3   ? std::vector{t[k]}
                                         : k < 6 ? std::vector{t[k - 3], t[(k - 2) % 3]}
                                                 : std::vector{t[0], t[1], t[2]};
        weights[features(nearest, {v})] += share(A(v) / 4);
    }
    for (const auto& [a, b] : all.ee) {
        const Vec3 a0 = p(E(a, 0)), a1 = p(E(a, 1)), b0 = p(E(b, 0)), b1 = p(E(b, 1));
        if (edge_edge_squared_distance(a0, a1, b0, b1, Order::value).value >= range * range)
            continue;
        constexpr std::array<std::array<int, 2>, 9> parts{
            {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}};
        const auto& [on_a, on_b] = parts[static_cast<int>(edge_edge_feature(a0, a1, b0, b1))];
        Features key = features(
            part_of_edge(a, static_cast<PointEdgeFeature>(on_a)), part_of_edge(b, static_cast<PointEdgeFeature>(on_b)));
        const auto rest = [&](int v) { return Vec3(point<3>(mesh.rest_positions(), v)); };
        const double u = (rest(E(a, 1)) - rest(E(a, 0))).squaredNorm(),
                     v = (rest(E(b, 1)) - rest(E(b, 0))).squaredNorm();
        if ((a1 - a0).cross(b1 - b0).squaredNorm() < 1e-3 * u * v)
            key.edges = {a, b};
        weights[key] += share((A_edge(a) + A_edge(b)) / 4);
    }
    return weights;
}

/// The same from a set.
std::map<Features, double> weights_of(const NormalCollisions& collisions, const CollisionMesh& mesh, const Positions& X)
{
    std::map<Features, double> weights;
    for (std::size_t k = 0; k < collisions.size(); ++k) {
        const NormalCollision collision = collisions[k];
        const auto& v = collision.vertices;
        Features key;
        switch (collision.kind) {
        case PairKind::vertex_vertex:
            key = features({v[0]}, {v[1]});
            break;
        case PairKind::edge_vertex:
            key = features({v[1], v[2]}, {v[0]});
            break;
        case PairKind::face_vertex:
            key = features({v[1], v[2], v[3]}, {v[0]});
            break;
        default: {
            constexpr std::array<std::array<int, 2>, 9> parts{
                {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}};
            const auto& [on_a, on_b] = parts[static_cast<int>(collision.feature)];
            key = features(
                on_a == 2 ? std::vector{v[0], v[1]} : std::vector{v[on_a]},
                on_b == 2 ? std::vector{v[2], v[3]} : std::vector{v[2 + on_b]});
            const Vec3 a = X.row(v[1]) - X.row(v[0]), b = X.row(v[3]) - X.row(v[2]);
            if (a.cross(b).squaredNorm() < collision.eps_x)
                key.edges = collision.elements;
        }
        }
        EXPECT_TRUE(weights.emplace(key, collision.weight).second) << "term " << k << " is there twice";
    }
    EXPECT_EQ(mesh.num_vertices(), X.rows());
    return weights;
}

void expect_same_weights(const std::map<Features, double>& actual, const std::map<Features, double>& expected)
{
    ASSERT_EQ(actual.size(), expected.size());
    for (auto a = actual.begin(), e = expected.begin(); a != actual.end(); ++a, ++e) {
        EXPECT_EQ(a->first, e->first);
        EXPECT_NEAR(a->second, e->second, 1e-14 * std::abs(e->second)); // sums of a dozen areas
    }
}

TEST(NormalCollisions, WeighEveryPairAsItsDefinitionSays)
{
    const MeshData spheres = spheres_rod_and_points(0.02), cloth = layers_of_cloth(6, 0.01);
    for (const MeshData& data : {spheres, cloth})
        for (const bool weighted : {false, true}) {
            const CollisionMesh mesh(data);
            const NormalCollisionsOptions options{.dhat = 0.06, .dmin = 5e-3, .use_area_weighting = weighted};
            const NormalCollisions collisions = built(mesh, data.vertices, options);
            EXPECT_GT(collisions.vv().size(), 2u);
            EXPECT_GT(collisions.ev().size(), 3u);
            EXPECT_GT(collisions.ee().size(), 3u);
            EXPECT_GT(collisions.fv().size(), 3u);
            expect_same_weights(
                weights_of(collisions, mesh, data.vertices), weights_by_definition(mesh, data.vertices, options));
        }
}

TEST(NormalCollisions, PlanesAndCurvesInThePlaneWeighTheirShareOfLength)
{
    // A vertex 0.1 above an edge of length 2, itself at the end of an edge of length 1; a line 0.1 below.
    Positions X(4, 2);
    X << -1, 0, 1, 0, 0.2, 0.1, 0.2, 1.1;
    Elements edges(2, 2);
    edges << 0, 1, 2, 3;
    const CollisionMesh mesh(X, edges, Elements(0, 3), {.planes = {{Vec3(0, -0.1, 0), Vec3(0, 3, 0)}}});
    const NormalCollisions plain = built(mesh, X, {.dhat = 0.2});
    ASSERT_EQ(plain.size(), 3u);
    EXPECT_EQ(plain.ev().elements, (std::vector<IndexPair>{{0, 2}}));
    EXPECT_EQ(plain.ev().weights, std::vector<double>{1});
    EXPECT_EQ(plain.pv().elements, (std::vector<IndexPair>{{0, 0}, {0, 1}}));
    EXPECT_EQ(plain.pv().weights, (std::vector<double>{1, 1}));
    const NormalCollisions weighted = built(mesh, X, {.dhat = 0.2, .use_area_weighting = true});
    EXPECT_DOUBLE_EQ(weighted.ev().weights[0], 0.5 * 0.5) << "half of half an edge";
    EXPECT_DOUBLE_EQ(weighted.pv().weights[0], 1) << "half the edge of length 2";
}

// --- Access ---

TEST(NormalCollisions, CanBeReadOneByOneInTheOrderOfTheirKinds)
{
    const MeshData data = spheres_rod_and_points(0.02);
    const CollisionMesh mesh(data, {.planes = {{Vec3(0, -0.51, 0), Vec3::UnitY()}}});
    const NormalCollisions collisions = built(mesh, data.vertices, {.dhat = 0.06});
    const std::array sizes{
        collisions.vv().size(), collisions.ev().size(), collisions.ee().size(), collisions.fv().size(),
        collisions.pv().size()};
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t(0)), collisions.size());
    ASSERT_EQ(collisions.stencils().size(), collisions.size());
    constexpr std::array kinds{
        PairKind::vertex_vertex, PairKind::edge_vertex, PairKind::edge_edge, PairKind::face_vertex,
        PairKind::plane_vertex};
    std::size_t term = 0;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        EXPECT_GT(sizes[kind], 0u);
        for (std::size_t k = 0; k < sizes[kind]; ++k, ++term) {
            const NormalCollision collision = collisions[term];
            EXPECT_EQ(collision.kind, kinds[kind]);
            const auto stencil = collisions.stencils()[term];
            EXPECT_TRUE(
                std::equal(stencil.begin(), stencil.end(), collision.vertices.begin(), collision.vertices.end()));
            const auto [i, j] = collision.elements;
            const auto& E = mesh.edges();
            const auto& F = mesh.faces();
            const std::vector<int> expected = kind == 0   ? std::vector{i, j}
                                              : kind == 1 ? std::vector{j, E(i, 0), E(i, 1)}
                                              : kind == 2 ? std::vector{E(i, 0), E(i, 1), E(j, 0), E(j, 1)}
                                              : kind == 3 ? std::vector{j, F(i, 0), F(i, 1), F(i, 2)}
                                                          : std::vector{j};
            EXPECT_EQ(std::vector(stencil.begin(), stencil.end()), expected);
            EXPECT_EQ(collision.eps_x > 0, collision.kind == PairKind::edge_edge);

            // The vector between the closest points, from its coefficients.
            const NormalCollisionGeometry geometry = collisions.geometry(term, mesh, data.vertices);
            Vec3 r = kind == 4 ? Vec3(-mesh.planes()[i].point) : Vec3::Zero();
            for (std::size_t n = 0; n < stencil.size(); ++n)
                r += geometry.coefficients[static_cast<int>(n)] * point<3>(data.vertices, stencil[n]);
            if (kind == 4)
                r = r.dot(mesh.planes()[i].normal) * mesh.planes()[i].normal;
            EXPECT_NEAR(r.squaredNorm(), geometry.squared_distance, 1e-14);
            EXPECT_LE((r.normalized() - geometry.normal).norm(), 1e-12);
            EXPECT_LT(geometry.squared_distance, 0.06 * 0.06);
        }
    }
    EXPECT_THROW((void)collisions[collisions.size()], InvalidInput);
}

TEST(NormalCollisions, AreSortedAndMerged)
{
    const MeshData data = spheres_rod_and_points(0.02);
    const CollisionMesh mesh(data);
    for (const NormalCollisionsOptions& options : all_options(0.06, 0)) {
        const NormalCollisions collisions = built(mesh, data.vertices, options);
        const auto expect_rising = [](const std::vector<IndexPair>& elements) {
            EXPECT_EQ(std::adjacent_find(elements.begin(), elements.end(), std::greater_equal<>()), elements.end());
        };
        expect_rising(collisions.vv().elements);
        expect_rising(collisions.ev().elements);
        expect_rising(collisions.fv().elements);
        EXPECT_TRUE(std::is_sorted(collisions.ee().elements.begin(), collisions.ee().elements.end()));
        for (const auto& [i, j] : collisions.vv().elements)
            EXPECT_LT(i, j);
        for (const auto& [a, b] : collisions.ee().elements)
            EXPECT_LT(a, b);
        for (std::size_t k = 0; k < collisions.size(); ++k)
            EXPECT_NE(collisions[k].weight, 0);
    }
}

TEST(NormalCollisions, KnowTheirSmallestDistance)
{
    const MeshData data = spheres_rod_and_points(0.02);
    const CollisionMesh mesh(data);
    const NormalCollisions collisions = built(mesh, data.vertices, {.dhat = 0.06});
    double smallest = infinity;
    for (std::size_t k = 0; k < collisions.size(); ++k)
        smallest = std::min(smallest, std::sqrt(collisions.geometry(k, mesh, data.vertices).squared_distance));
    EXPECT_EQ(collisions.compute_minimum_distance(mesh, data.vertices), smallest);
    EXPECT_NEAR(smallest, compute_minimum_distance(mesh, data.vertices), 1e-15);
    // At other positions: twice as far.
    EXPECT_NEAR(collisions.compute_minimum_distance(mesh, 2 * data.vertices), 2 * smallest, 1e-14);
    EXPECT_EQ(built(mesh, data.vertices, {.dhat = 1e-6}).compute_minimum_distance(mesh, data.vertices), infinity);
    const MeshData curves = two_squircles(0.02);
    const CollisionMesh flat(curves);
    EXPECT_NEAR(
        built(flat, curves.vertices, {.dhat = 0.1}).compute_minimum_distance(flat, curves.vertices),
        compute_minimum_distance(flat, curves.vertices), 1e-15);
}

TEST(NormalCollisions, RememberWhatTheirWeightsAreMadeOf)
{
    const MeshData data = layers_of_cloth(6, 0.01);
    const CollisionMesh mesh(data);
    for (NormalCollisionsOptions options : all_options(0.1, 0)) {
        EXPECT_TRUE(built(mesh, data.vertices, options).weight_sources(0).empty());
        options.enable_shape_derivatives = true;
        const NormalCollisions collisions = built(mesh, data.vertices, options);
        for (std::size_t k = 0; k < collisions.size(); ++k) {
            double sum = 0, size = 0;
            for (const auto& source : collisions.weight_sources(k)) {
                sum += source.weight;
                size += std::abs(source.weight);
                EXPECT_EQ(source.area0 == NormalCollisions::WeightSource::no_area, !options.use_area_weighting);
            }
            EXPECT_NEAR(sum, collisions[k].weight, 1e-14 * size);
        }
    }
}

// --- The convergent set: every point of a surface counts once ---

/// The summed weight of all terms of a vertex.
double total_weight(const NormalCollisions& collisions, int vertex)
{
    double total = 0;
    for (std::size_t k = 0; k < collisions.size(); ++k) {
        const auto& v = collisions[k].vertices;
        if (std::find(v.begin(), v.end(), vertex) != v.end())
            total += collisions[k].weight;
    }
    return total;
}

/// A mesh with one loose vertex behind its own.
struct WithLooseVertex {
    CollisionMesh mesh;
    Positions X;
    int vertex;

    WithLooseVertex(const MeshData& data, const Eigen::VectorXd& position)
        : mesh(extended(data, position)), X(mesh.rest_positions()), vertex(mesh.num_vertices() - 1)
    {}

    static MeshData extended(MeshData data, const Eigen::VectorXd& position)
    {
        data.vertices.conservativeResize(data.vertices.rows() + 1, Eigen::NoChange);
        data.vertices.bottomRows(1) = position.transpose();
        return data;
    }
};

/// Places over a sheet of 3 x 3 squares of side 1, the lower left corner at the origin, and what the reference
/// toolkit's rule for borders counts there where it is not 1.
struct Place {
    const char* name;
    double x, z;
    double reference_total = 1;
};

constexpr std::array places{
    Place{"inside a face", 0.3, 0.2},
    Place{"inside another face", 1.8, 1.35},
    Place{"over an edge", 1, 1.5},
    Place{"over a diagonal", 1.5, 1.5},
    Place{"over a vertex inside", 1, 1},
    Place{"over another vertex inside", 2, 1},
    Place{"over a border's edge", 0.4, 0},
    Place{"beside a border's edge", 1.4, -0.1},
    Place{"over a border's vertex", 1, 0, 2},
    Place{"over another border's vertex", 3, 2, 2},
    Place{"beside a border's vertex", 2, -0.1, 2},
};

MeshData sheet() { return translated(generate::cloth({.size = Vec2(3, 3), .cells = {3, 3}}), Vec3(1.5, 0, 1.5)); }

TEST(ConvergentSet, AVertexOverASheetCountsOnceWhereverItStands)
{
    const double height = 0.2;
    // Once with a range of that place alone, once with one that reaches faces around it.
    for (const double dhat : {0.35, 1.2})
        for (const Place& place : places) {
            SCOPED_TRACE(place.name);
            const WithLooseVertex scene(sheet(), Vec3(place.x, height, place.z));
            const NormalCollisionsOptions options{.dhat = dhat, .set_type = CollisionSetType::convergent};
            EXPECT_EQ(total_weight(built(scene.mesh, scene.X, options), scene.vertex), 1);
            NormalCollisionsOptions weighted = options;
            weighted.use_area_weighting = true; // a loose vertex has area 1, of which faces and edges get a quarter
            EXPECT_NEAR(total_weight(built(scene.mesh, scene.X, weighted), scene.vertex), 0.25, 1e-14);
        }
}

TEST(ConvergentSet, TheFourCornersOfASheetCountOnceWithOneFaceOrTwo)
{
    std::set<std::size_t> faces_at_corner;
    for (const double x : {0., 3.})
        for (const double z : {0., 3.})
            for (const double outward : {0., 0.1}) {
                const auto away = [&](double c) { return c == 0 ? -outward : c + outward; };
                const WithLooseVertex scene(sheet(), Vec3(away(x), 0.2, away(z)));
                const NormalCollisionsOptions options{.dhat = 0.35, .set_type = CollisionSetType::convergent};
                EXPECT_EQ(total_weight(built(scene.mesh, scene.X, options), scene.vertex), 1) << x << ' ' << z;
                for (int v = 0; v < scene.vertex; ++v)
                    if (scene.X(v, 0) == x && scene.X(v, 2) == z)
                        faces_at_corner.insert(scene.mesh.vertex_faces(v).size());
            }
    EXPECT_EQ(faces_at_corner, (std::set<std::size_t>{1, 2})) << "both sorts of corners are there";
}

TEST(ConvergentSet, TheReferenceCountsMostBorderVerticesTwice)
{
    for (const Place& place : places) {
        SCOPED_TRACE(place.name);
        WithLooseVertex scene(sheet(), Vec3(place.x, 0.2, place.z));
        const NormalCollisionsOptions options{.dhat = 0.35, .set_type = CollisionSetType::convergent};
        const ReferenceMesh reference{scene.mesh, scene.X, false, {}};
        EXPECT_EQ(total_weight(reference_set(reference, options), scene.vertex), place.reference_total);
    }
}

TEST(ConvergentSet, TheEnergyOverAVertexIsThatOfOnePair)
{
    // Over any place of the sheet all near elements have the same closest point: one point's energy is what remains.
    for (const Place& place : places) {
        const WithLooseVertex scene(sheet(), Vec3(place.x, 0.1, place.z));
        const double d = (scene.X.row(scene.vertex) -
                          Eigen::RowVector3d(std::clamp(place.x, 0., 3.), 0, std::clamp(place.z, 0., 3.)))
                             .norm();
        const BarrierPotential barrier(0.16);
        const NormalCollisions collisions =
            built(scene.mesh, scene.X, {.dhat = 0.16, .set_type = CollisionSetType::convergent});
        EXPECT_NEAR(barrier(collisions, scene.mesh, scene.X), barrier.law()(d * d, {.dhat = 0.16}).value, 1e-14)
            << place.name;
    }
}

TEST(ConvergentSet, AVertexNearACurveCountsOnceWhereverItStands)
{
    // An open polyline with a bend, in the plane and, of loose edges, in space.
    for (const int dim : {2, 3}) {
        MeshData curve;
        curve.vertices = Positions::Zero(4, dim);
        curve.vertices.col(0) << 0, 1, 2, 3;
        curve.vertices.col(1) << 0, 0, 0.5, 0;
        curve.edges.resize(3, 2);
        curve.edges << 0, 1, 1, 2, 2, 3;
        curve.faces.resize(0, 3);
        for (const auto& [x, y] :
             {std::pair(0.5, 0.2), std::pair(1., 0.2), std::pair(1., -0.2), std::pair(2., 0.7), std::pair(2., 0.2),
              std::pair(0., 0.2), std::pair(-0.1, 0.1), std::pair(3.1, 0.1)})
            for (const double dhat : {0.35, 1.3}) {
                Eigen::VectorXd p = Eigen::VectorXd::Zero(dim);
                p.head(2) << x, y;
                const WithLooseVertex scene(curve, p);
                NormalCollisionsOptions options{.dhat = dhat, .set_type = CollisionSetType::convergent};
                EXPECT_EQ(total_weight(built(scene.mesh, scene.X, options), scene.vertex), 1)
                    << dim << "D at " << x << ", " << y;
                options.set_type = CollisionSetType::ipc;
                if (x == 1) {
                    EXPECT_EQ(total_weight(built(scene.mesh, scene.X, options), scene.vertex), dhat < 1 ? 2 : 3)
                        << "the set of IPC counts every edge";
                }
            }
    }
}

// --- Nearly parallel edges in the convergent set ---

/// Two edges that cross at a small angle inside both, with an end of each over the other: b0 over a, and a0 under b.
Positions overlapping_edges()
{
    Positions X(4, 3);
    X << 0, 0, 0, 1, 0, 0, 0.3, 0.05, 0.0075, -0.7, 0.05, -0.0225;
    return X;
}

TEST(ConvergentSet, TermsOfNearlyParallelEdgesFollowTheOrderOfTheEdges)
{
    const Positions X = overlapping_edges();
    Elements edges(2, 2);
    edges << 0, 1, 2, 3;
    const CollisionMesh mesh(X, edges);
    const NormalCollisionsOptions options{.dhat = 0.1, .set_type = CollisionSetType::convergent};
    const NormalCollisions collisions = built(mesh, X, options);
    using F = EdgeEdgeFeature;
    // Each edge subtracts the other's end that it is near: (a, b, "a with b0") and (b, a, "b with a0"), two terms. What
    // the mollifier takes away from these, an edge-vertex term each keeps.
    EXPECT_EQ(collisions.size(), 5u);
    EXPECT_EQ(collisions.ev().elements, (std::vector<IndexPair>{{0, 2}, {1, 0}}));
    EXPECT_EQ(collisions.ev().weights, (std::vector<double>{1, 1}));
    EXPECT_EQ(collisions.ee().features, (std::vector{F::a_b0, F::a0_b, F::a_b}));
    EXPECT_EQ(collisions.ee().weights, (std::vector<double>{-1, -1, 1}));

    // Listed the other way round: the same three terms, with the features named anew.
    Elements swapped(2, 2);
    swapped << 2, 3, 0, 1;
    const CollisionMesh other(X, swapped);
    const NormalCollisions turned = built(other, X, options);
    EXPECT_EQ(turned.ee().features, (std::vector{F::a_b0, F::a0_b, F::a_b}));
    const BarrierPotential barrier(0.1, 1e4);
    const Eigen::VectorXd energies = barrier.energies(collisions, mesh, X);
    const double size = energies.cwiseAbs().sum();
    EXPECT_GT(std::abs(energies[2] - energies[3]), 1e-3 * size) << "the two must be told apart";
    EXPECT_NEAR(barrier(turned, other, X), barrier(collisions, mesh, X), 1e-12 * size);
    EXPECT_NEAR(barrier.energies(turned, other, X)[3], energies[2], 1e-12 * size);
}

TEST(ConvergentSet, TheValueDoesNotDependOnTheOrderOfVerticesEdgesAndFaces)
{
    RandomStream random(7);
    const MeshData layers = layers_of_cloth(4, 0.01), curves = two_squircles(0.02),
                   spheres = spheres_rod_and_points(0.02);
    for (const MeshData& data : {layers, curves, spheres})
        for (const NormalCollisionsOptions& options : all_options(0.15, 0)) {
            const CollisionMesh mesh(data);
            const BarrierPotential barrier(0.15);
            const NormalCollisions collisions = built(mesh, data.vertices, options);
            const double value = barrier(collisions, mesh, data.vertices);
            const double size = barrier.energies(collisions, mesh, data.vertices).cwiseAbs().sum();
            EXPECT_GT(size, 0);
            if (options.set_type == CollisionSetType::convergent && &data == &layers) {
                EXPECT_GT(collisions.ee().size(), 100u);
            }
            for (int repeat = 0; repeat < 4; ++repeat) {
                const Shuffled shuffled(data, random);
                const CollisionMesh other(shuffled.data);
                const NormalCollisions again = built(other, shuffled.data.vertices, options);
                EXPECT_EQ(again.size(), collisions.size());
                EXPECT_NEAR(barrier(again, other, shuffled.data.vertices), value, 1e-12 * size);
            }
        }
}

// --- Planes ---

TEST(NormalCollisions, PlanesActFromTheWholeRangeOnAndContinuously)
{
    for (const int dim : {2, 3})
        for (const double dmin : {0.0, 0.05}) {
            const double dhat = 0.1, range = dmin + dhat;
            const BarrierPotential barrier(dhat);
            for (const double share : {0.999999999, 0.9, 0.7, 0.51, 0.49, 0.4}) {
                const double d = dmin + share * dhat;
                Positions X = Positions::Zero(2, dim);
                X(0, 1) = d;
                X(1, 1) = 5;
                const CollisionMesh mesh(
                    X, Elements(0, 2), Elements(0, 3), {.planes = {{Vec3::Zero(), Vec3::UnitY()}}});
                const NormalCollisions collisions = built(mesh, X, {.dhat = dhat, .dmin = dmin});
                ASSERT_EQ(collisions.pv().elements, (std::vector<IndexPair>{{0, 0}})) << share;
                EXPECT_NEAR(
                    barrier(collisions, mesh, X), barrier.law()(d * d, {.dhat = dhat, .dmin = dmin}).value, 1e-18);
            }
            Positions X = Positions::Zero(2, dim);
            X(0, 1) = range * (1 + 1e-12);
            X(1, 1) = 5;
            const CollisionMesh mesh(X, Elements(0, 2), Elements(0, 3), {.planes = {{Vec3::Zero(), Vec3::UnitY()}}});
            EXPECT_TRUE(built(mesh, X, {.dhat = dhat, .dmin = dmin}).empty());
        }
}

// --- Filters ---

TEST(NormalCollisions, TheFilterSeesTheMeshsOwnIdsOfLooseVertices)
{
    // A triangle of vertices 0 to 2 and, far from it, three loose vertices 3 to 5 close to each other.
    Positions X(6, 3);
    X << 0, 0, 0, 1, 0, 0, 0, 0, 1, 5, 0, 0, 5.01, 0, 0, 5, 0.01, 0;
    Elements faces(1, 3);
    faces << 0, 1, 2;
    const std::vector<std::pair<int, int>> excluded{{3, 4}};
    const CollisionMesh mesh(X, Elements(0, 2), faces, {.filter = CollisionFilter::except_pairs(excluded)});
    for (const NormalCollisionsOptions& options : all_options(0.1, 0))
        EXPECT_EQ(built(mesh, X, options).vv().elements, (std::vector<IndexPair>{{3, 5}, {4, 5}}));
}

// --- Errors ---

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

TEST(NormalCollisions, RejectDistancesThatAreNone)
{
    const MeshData data = two_squircles(0.02);
    const CollisionMesh mesh(data);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double dhat : {0.0, -1.0, infinity, nan})
        EXPECT_SAYS(message_of<InvalidInput>([&] { built(mesh, data.vertices, {.dhat = dhat}); }), "dhat: ");
    for (const double dmin : {-1.0, infinity, nan})
        EXPECT_SAYS(
            message_of<InvalidInput>([&] { built(mesh, data.vertices, {.dhat = 0.1, .dmin = dmin}); }), "dmin: ");
}

TEST(NormalCollisions, RejectPositionsThatDoNotFitTheMesh)
{
    const MeshData data = two_squircles(0.02);
    const CollisionMesh mesh(data);
    Candidates candidates;
    candidates.build(mesh, data.vertices, 0.05);
    Detection detection(mesh, {.range = 0.1});
    detection.update(data.vertices);
    const NormalCollisions collisions = built(mesh, data.vertices, {.dhat = 0.1});
    const auto expect_rejected = [&](const Positions& X) {
        NormalCollisions set;
        const NormalCollisionsOptions options{.dhat = 0.1};
        EXPECT_SAYS(message_of<InvalidInput>([&] { set.build(mesh, X, options); }), "X");
        EXPECT_SAYS(message_of<InvalidInput>([&] { set.build(candidates, mesh, X, options); }), "X");
        EXPECT_SAYS(message_of<InvalidInput>([&] { set.build(detection, mesh, X, options); }), "X");
        EXPECT_SAYS(message_of<InvalidInput>([&] { (void)collisions.compute_minimum_distance(mesh, X); }), "X");
        EXPECT_SAYS(message_of<InvalidInput>([&] { (void)collisions.geometry(0, mesh, X); }), "X");
    };
    for (const double bad : {infinity, std::numeric_limits<double>::quiet_NaN()}) {
        Positions X = data.vertices;
        X(3, 1) = bad;
        expect_rejected(X);
    }
    expect_rejected(data.vertices.topRows(5));
    expect_rejected(Positions::Zero(data.vertices.rows(), 3));
    expect_rejected(Positions(0, 2));
}

TEST(NormalCollisions, AMeshOfAnotherSizeIsRejected)
{
    const MeshData data = two_squircles(0.02);
    const CollisionMesh mesh(data), other(generate::squircle());
    const NormalCollisions collisions = built(mesh, data.vertices, {.dhat = 0.1});
    EXPECT_SAYS(
        message_of<InvalidInput>([&] { (void)collisions.compute_minimum_distance(other, other.rest_positions()); }),
        "collisions: built for a mesh of");
}

TEST(NormalCollisions, ATouchingStartNamesThePair)
{
    Positions X(4, 3);
    X << 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.25, 0, 0.25;
    Elements faces(1, 3);
    faces << 0, 1, 2;
    const CollisionMesh mesh(X, Elements(0, 2), faces);
    for (const NormalCollisionsOptions& options : all_options(0.1, 0)) {
        const std::string message = message_of<InvalidStart>([&] { built(mesh, X, options); });
        EXPECT_SAYS(message, "face 0 and vertex 3");
        EXPECT_SAYS(message, "at distance 0");
    }
    X(3, 1) = 0.01; // apart, but no farther than dmin
    const std::string message = message_of<InvalidStart>([&] { built(mesh, X, {.dhat = 0.1, .dmin = 0.01}); });
    EXPECT_SAYS(message, "face 0 and vertex 3");
    EXPECT_SAYS(message, "dmin = 0.01 m");
    EXPECT_EQ(built(mesh, X, {.dhat = 0.1, .dmin = 0.0099}).size(), 1u);

    // A vertex on a plane, and one behind it.
    for (const double height : {0.0, -3.0}) {
        X(3, 1) = height;
        const CollisionMesh grounded(
            Positions::Random(4, 3), Elements(0, 2), Elements(0, 3), {.planes = {{Vec3::Zero(), Vec3::UnitY()}}});
        Positions Y = X;
        Y.topRows(3).col(1).setConstant(2);
        EXPECT_SAYS(message_of<InvalidStart>([&] { built(grounded, Y, {.dhat = 0.1}); }), "plane 0 and vertex 3");
    }
}

TEST(NormalCollisions, ADetectionOfAShorterRangeIsRejected)
{
    const MeshData data = two_squircles(0.02);
    const CollisionMesh mesh(data);
    Detection detection(mesh, {.range = 0.1});
    detection.update(data.vertices);
    NormalCollisions collisions;
    EXPECT_SAYS(
        message_of<InvalidInput>(
            [&] { collisions.build(detection, mesh, data.vertices, {.dhat = 0.1, .dmin = 1e-9}); }),
        "detection: its range 0.1 m is shorter than dmin + dhat");
}

TEST(NormalCollisions, CandidatesOfAnotherMeshAreRejected)
{
    const MeshData data = two_squircles(0.02);
    const CollisionMesh mesh(data);
    const auto expect_rejected = [&](std::vector<IndexPair> Candidates::*list, const char* name, IndexPair pair) {
        Candidates candidates;
        (candidates.*list).push_back(pair);
        NormalCollisions collisions;
        EXPECT_SAYS(
            message_of<InvalidInput>([&] { collisions.build(candidates, mesh, data.vertices, {.dhat = 0.1}); }),
            fmt::format("candidates: {}[0] = ({}, {})", name, pair[0], pair[1]));
    };
    for (const IndexPair& pair : {IndexPair{0, 1000}, IndexPair{1000, 0}, IndexPair{-1, 0}, IndexPair{0, -1}}) {
        expect_rejected(&Candidates::vv, "vv", pair);
        expect_rejected(&Candidates::ev, "ev", pair);
        expect_rejected(&Candidates::ee, "ee", pair);
        expect_rejected(&Candidates::fv, "fv", pair);
        expect_rejected(&Candidates::pv, "pv", pair);
    }
    expect_rejected(&Candidates::fv, "fv", {0, 0}); // the mesh has no faces
    expect_rejected(&Candidates::pv, "pv", {0, 0}); // nor planes
}

} // namespace

} // namespace abut::test::normal_collisions_test
