// Adhesion: its laws in every branch, its potentials against finite differences, the stress between plates, and what is
// rejected.

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/adhesion/normal_adhesion_potential.hpp"
#include "abut/contact/adhesion/tangential_adhesion_potential.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "support/collision_scenes.hpp"
#include "support/finite_differences.hpp"

#include <Eigen/Eigenvalues>

#include <numbers>

namespace abut::test::adhesion_test {

namespace {

using Method = PSDProjectionMethod;

// --- Tangential law with two coefficients ---

constexpr std::array bonds{
    SmoothTangentialAdhesion{.mu_s = 0.6, .mu_k = 0.6, .eps_a = 0.2},
    SmoothTangentialAdhesion{.mu_s = 0.9, .mu_k = 0.3, .eps_a = 0.2},
    SmoothTangentialAdhesion{.mu_s = 0.2, .mu_k = 1.1, .eps_a = 1e-3},
    SmoothTangentialAdhesion{.mu_s = 0, .mu_k = 0, .eps_a = 1}};

TEST(SmoothTangentialAdhesion, DerivativesMatchDifferencesInEveryBranch)
{
    for (const SmoothTangentialAdhesion& g : bonds)
        for (const double z : {0.05, 0.3, 0.45, 0.55, 0.8, 0.95, 1.05, 1.5, 1.95, 2.05, 4.0}) {
            // The pieces are polynomials of degree 5 at most; the nearest joint is 0.05 eps_a away.
            const double y = z * g.eps_a, h = 1e-5 * g.eps_a;
            const TangentialTerm left = g(y - h), at = g(y), right = g(y + h);
            EXPECT_NEAR(at.first, (right.value - left.value) / (2 * h), 1e-9) << z;
            EXPECT_NEAR(at.second * g.eps_a, (right.first - left.first) / (2 * h) * g.eps_a, 1e-8) << z;
            EXPECT_NEAR(at.first_over_y * y, at.first, 1e-15) << z;
        }
}

TEST(SmoothTangentialAdhesion, IsSmoothAtItsJoints)
{
    const double eps = std::numeric_limits<double>::epsilon();
    for (const SmoothTangentialAdhesion& g : bonds)
        for (const double z : {0.5, 1.0, 2.0}) {
            const TangentialTerm left = g(std::nextafter(z * g.eps_a, 0)), right = g(z * g.eps_a);
            EXPECT_NEAR(left.value, right.value, 16 * eps * g.eps_a) << z;
            EXPECT_NEAR(left.first, right.first, 16 * eps) << z;
            EXPECT_NEAR(left.first_over_y, right.first_over_y, 16 * eps / g.eps_a) << z;
            // The slope of the force jumps where it lets go, and only there.
            const double jump = z == 2 ? 2 * g.mu_k / g.eps_a : 0;
            EXPECT_NEAR(right.second - left.second, jump, 64 * eps / g.eps_a) << z;
        }
}

TEST(SmoothTangentialAdhesion, IsTheSmoothedCoefficientTimesTheForceOfOne)
{
    for (const SmoothTangentialAdhesion& g : bonds)
        for (const double z : {0.0, 0.1, 0.4, 0.5, 0.7, 1.0, 1.3, 1.9, 2.0, 3.0}) {
            const double dmu = g.mu_k - g.mu_s;
            const double mu = z < 0.5 ? g.mu_s + 2 * dmu * z * z
                              : z < 1 ? g.mu_k - 2 * dmu * (z - 1) * (z - 1)
                                      : g.mu_k;
            const double f_t = z < 2 ? z * (2 - z) : 0;
            EXPECT_NEAR(g(z * g.eps_a).first, mu * f_t, 1e-15) << z;
        }
    for (const double y : {0.0, 0.05, 0.13, 0.2, 0.31, 0.5}) {
        const TangentialTerm one = TangentialAdhesion{0.2}(y), g = bonds[0](y);
        EXPECT_NEAR(g.value, 0.6 * one.value, 1e-16) << y;
        EXPECT_NEAR(g.first, 0.6 * one.first, 1e-15) << y;
        EXPECT_NEAR(g.second, 0.6 * one.second, 1e-14) << y;
        EXPECT_NEAR(g.first_over_y, 0.6 * one.first_over_y, 1e-14) << y;
    }
}

/// The potential as the reference toolkit has it, by z = y / eps.
double reference_potential(const SmoothTangentialAdhesion& g, double z)
{
    const double y = z * g.eps_a, dmu = g.mu_k - g.mu_s;
    if (z < 0.5)
        return y * z * (z * (z * (1 - 0.4 * z) * dmu - g.mu_s / 3) + g.mu_s);
    if (z < 1)
        return y * z * (z * (z * (0.4 * z - 2) * dmu + 3 * g.mu_k - 10. / 3 * g.mu_s) - g.mu_k + 2 * g.mu_s) +
               3. / 80 * g.eps_a * dmu;
    const double f0 = z < 2 ? y * z * (1 - z / 3) : 4 * g.eps_a / 3;
    return g.mu_k * f0 - 11. / 48 * g.eps_a * dmu;
}

TEST(SmoothTangentialAdhesion, HasTheReferencesPotential)
{
    for (const SmoothTangentialAdhesion& g : bonds) {
        for (const double z : {1e-12, 1e-6, 0.2, 0.49, 0.51, 0.7, 0.99, 1.0, 1.6, 2.0, 7.0})
            EXPECT_NEAR(g(z * g.eps_a).value, reference_potential(g, z), 1e-15 * g.eps_a * std::min(1.0, z * z)) << z;
        EXPECT_EQ(g(0).value, 0);
        EXPECT_EQ(g(0).first, 0);
        EXPECT_DOUBLE_EQ(g(0).second, 2 * g.mu_s / g.eps_a);
        EXPECT_DOUBLE_EQ(g(0).first_over_y, 2 * g.mu_s / g.eps_a);
    }
}

// --- Normal potential ---

constexpr double Y = 4e3, eps_c = 0.05, strength = Y * eps_c;

NormalAdhesionPotential adhesion_of(
    double dhat_p, double dhat_a, DistanceKind kind = DistanceKind::plain, HessianMode mode = HessianMode::exact)
{
    return NormalAdhesionPotential(
        {.dhat_p = dhat_p,
         .dhat_a = dhat_a,
         .youngs_modulus = Y,
         .critical_strain = eps_c,
         .distance = kind,
         .hessian_mode = mode});
}

constexpr DistanceKind both_kinds[]{DistanceKind::plain, DistanceKind::squared};

/// Two loose points at a distance, with their set.
Scene two_points(double distance, const NormalCollisionsOptions& options)
{
    const Positions X = positions({{0, 0, 0}, {0.6 * distance, 0, 0.8 * distance}});
    return Scene("", CollisionMesh(X), X, options);
}

TEST(NormalAdhesionPotential, OfTwoPointsPullsHardestWhereTheHeaderSays)
{
    for (const double dmin : {0.0, 0.02})
        for (const DistanceKind kind : both_kinds) {
            const NormalAdhesionPotential adhesion = adhesion_of(0.1, 0.2, kind);
            EXPECT_EQ(adhesion.strength(), strength);
            const auto pull = [&](double gap) {
                const Scene scene = two_points(dmin + gap, {.dhat = 0.2, .dmin = dmin});
                const Vector magnitudes = adhesion.force_magnitudes(scene.collisions, scene.mesh, scene.X);
                const Vector gradient = adhesion.gradient(scene.collisions, scene.mesh, scene.X);
                EXPECT_NEAR(gradient.tail<3>().norm(), std::abs(magnitudes[0]), 1e-12 * strength);
                EXPECT_GT(gradient[5], 0) << "to the other point is downhill";
                return -magnitudes[0];
            };
            EXPECT_NEAR(pull(0.1), strength, 1e-12 * strength);
            double best = 0;
            for (int k = 1; k < 1000; ++k)
                if (pull(2e-4 * k) > pull(2e-4 * std::max(best, 1.0)))
                    best = k;
            const double peak = 2e-4 * best;
            if (kind == DistanceKind::plain) {
                EXPECT_NEAR(peak, 0.1, 1e-9);
                EXPECT_NEAR(pull(peak), strength, 1e-9 * strength);
            } else if (dmin == 0) {
                EXPECT_NEAR(peak, 0.1155, 2e-4);
                EXPECT_NEAR(pull(peak), 1.026 * strength, 1e-3 * strength);
            } else {
                EXPECT_GT(peak, 0.1);
                EXPECT_LT(peak, 0.1155) << "the thicker, the closer to a law of the plain distance";
            }
        }
}

TEST(NormalAdhesionPotential, OfABarriersThresholds)
{
    const auto options = NormalAdhesionOptions::for_barrier(1e-3, 1e5, 0.02);
    EXPECT_EQ(options.dhat_p, 1e-3);
    EXPECT_EQ(options.dhat_a, 2e-3);
    const NormalAdhesionPotential adhesion(options);
    EXPECT_EQ(adhesion.dhat(), 2e-3);
    EXPECT_EQ(adhesion.strength(), 2e3);
    EXPECT_EQ(adhesion.law().distance_kind(), DistanceKind::plain);
}

/// Relative to the derivatives, or to `floor` where they are below it.
void expect_derivatives_match(const NormalPotential& adhesion, const Scene& scene, double tolerance, double floor = 0)
{
    const VectorFunction value = [&](const Vector& x) -> Vector {
        return Vector::Constant(1, adhesion(scene.collisions, scene.mesh, scene.at(x)));
    };
    const VectorFunction gradient = [&](const Vector& x) -> Vector {
        return adhesion.gradient(scene.collisions, scene.mesh, scene.at(x));
    };
    const Vector g = gradient(scene.x());
    const Matrix g_numeric = central_differences(value, scene.x(), scene.length);
    EXPECT_LE((g.transpose() - g_numeric).norm(), tolerance * std::max(floor, g_numeric.norm()));
    const Matrix H = adhesion.hessian(scene.collisions, scene.mesh, scene.X);
    const Matrix H_numeric = central_differences(gradient, scene.x(), scene.length);
    EXPECT_LE((H - H_numeric).norm(), tolerance * std::max(floor, H_numeric.norm()));
}

TEST(NormalAdhesionPotential, DerivativesOfEveryKindMatchDifferencesOnBothBranches)
{
    int compared = 0;
    for (const double gap : {0.35, 0.85}) // dhat_p is between
        for (const double dmin : {0.0, 0.1})
            for (const bool weighted : {false, true})
                for (const Scene& scene : single_terms(gap, {.dhat = 1, .dmin = dmin, .use_area_weighting = weighted}))
                    for (const DistanceKind kind : both_kinds) {
                        SCOPED_TRACE(fmt::format("{}, gap {}, dmin {}", scene.name, gap, dmin));
                        ASSERT_EQ(scene.collisions.size(), 1u);
                        // Parallel edges have no gradient: 1 N is small beside the 200 N of the others.
                        expect_derivatives_match(adhesion_of(0.6, 1, kind), scene, finite_difference_tolerance, 1);
                        ++compared;
                    }
    EXPECT_EQ(compared, 2 * 2 * 2 * 23 * 2);
}

/// Where the mixed scenes have pairs on both sides: cloth begins at 7 mm, curves at 20.
double mixed_dhat_p(const Scene& scene) { return scene.mesh.dim() == 3 ? 0.0095 : 0.031; }

/// Sets of many terms on both branches of the law, none of them at a joint.
std::vector<Scene> mixed_bonds()
{
    std::vector<Scene> scenes = mixed_scenes();
    for (const bool weighted : {false, true}) {
        const NormalCollisionsOptions options{
            .dhat = 0.05, .dmin = 1e-3, .set_type = CollisionSetType::ogc, .use_area_weighting = weighted};
        const MeshData cloth = layers_of_cloth(3, 0.01);
        scenes.emplace_back("layers of cloth, ogc", CollisionMesh(cloth), cloth.vertices, options, 5e-3);
        const MeshData curves = two_squircles(0.02);
        NormalCollisionsOptions wider = options;
        wider.dhat = 0.1;
        scenes.emplace_back("two squircles, ogc", CollisionMesh(curves), curves.vertices, wider, 0.02);
    }
    const MeshData cloth = layers_of_cloth(3, 0.01);
    scenes.emplace_back(
        "layers of cloth, for adhesion", CollisionMesh(cloth), cloth.vertices,
        NormalAdhesionOptions{.dhat_p = 0.0095, .dhat_a = 0.05, .youngs_modulus = Y, .critical_strain = eps_c}
            .collisions(1e-3),
        5e-3);
    for (const Scene& scene : scenes) {
        const double dhat_p = mixed_dhat_p(scene);
        int near = 0, far = 0;
        for (std::size_t k = 0; k < scene.collisions.size(); ++k) {
            const double D = scene.collisions.geometry(k, scene.mesh, scene.X).squared_distance;
            const double x = std::sqrt(D) - scene.collisions.options().dmin;
            EXPECT_GT(std::abs(x - dhat_p), 1e-6) << "differences would cross the joint";
            EXPECT_GT(std::abs(x - scene.collisions.options().dhat), 1e-6);
            (x < dhat_p ? near : far)++;
        }
        EXPECT_GT(near, 0) << scene.name;
        EXPECT_GT(far, 0) << scene.name;
    }
    return scenes;
}

TEST(NormalAdhesionPotential, DerivativesOfWholeSetsMatchDifferences)
{
    const std::vector<Scene> scenes = mixed_bonds();
    EXPECT_EQ(scenes.size(), 13u);
    for (const Scene& scene : scenes)
        for (const DistanceKind kind : both_kinds) {
            SCOPED_TRACE(scene.name);
            expect_derivatives_match(
                adhesion_of(mixed_dhat_p(scene), scene.collisions.options().dhat, kind), scene, 1e-6);
        }
}

TEST(NormalAdhesionPotential, ProjectedAndAnalyticHessiansAreSemidefinite)
{
    int indefinite = 0;
    for (const Scene& scene : mixed_bonds())
        for (const DistanceKind kind : both_kinds) {
            SCOPED_TRACE(scene.name);
            const double dhat_a = scene.collisions.options().dhat;
            const auto smallest = [&](const NormalPotential& adhesion, Method method) {
                const Matrix H = adhesion.hessian(scene.collisions, scene.mesh, scene.X, method);
                EXPECT_GT(H.norm(), 0);
                return Eigen::SelfAdjointEigenSolver<Matrix>(H).eigenvalues()[0] / H.norm();
            };
            const NormalAdhesionPotential exact = adhesion_of(mixed_dhat_p(scene), dhat_a, kind);
            indefinite += smallest(exact, Method::none) < -1e-3 ? 1 : 0;
            EXPECT_GE(smallest(exact, Method::clamp), -1e-12);
            EXPECT_GE(smallest(exact, Method::abs), -1e-12);
            for (const HessianMode mode : {HessianMode::analytic, HessianMode::gauss_newton}) {
                const NormalAdhesionPotential closed = adhesion_of(mixed_dhat_p(scene), dhat_a, kind, mode);
                EXPECT_GE(smallest(closed, Method::none), -1e-12);
                EXPECT_EQ(
                    closed.gradient(scene.collisions, scene.mesh, scene.X),
                    exact.gradient(scene.collisions, scene.mesh, scene.X));
            }
        }
    EXPECT_EQ(indefinite, 26) << "bonds that let go are not convex";
}

TEST(NormalAdhesionPotential, AnAnalyticHessianIsTheLawsCurvatureOrNothing)
{
    // Of the plain distance: Y eps_c / dhat_p below dhat_p, negative, hence nothing, beyond.
    int stiff = 0, nothing = 0;
    for (const double gap : {0.35, 0.85})
        for (const double dmin : {0.0, 0.1})
            for (const Scene& scene : single_terms(gap, {.dhat = 1, .dmin = dmin, .use_area_weighting = true}))
                for (const DistanceKind kind : both_kinds) {
                    SCOPED_TRACE(fmt::format("{}, gap {}, dmin {}", scene.name, gap, dmin));
                    const NormalCollision term = scene.collisions[0];
                    const NormalCollisionGeometry geometry = scene.collisions.geometry(0, scene.mesh, scene.X);
                    if (term.kind == PairKind::edge_edge && term.eps_x > 0) {
                        const auto x = [&](int i) -> Vec3 { return scene.X.row(term.vertices[i]); };
                        if ((x(1) - x(0)).cross(x(3) - x(2)).squaredNorm() < term.eps_x)
                            continue; // mollified: gipc_test.cpp
                    }
                    const NormalAdhesionPotential adhesion = adhesion_of(0.6, 1, kind, HessianMode::analytic);
                    const double x = std::sqrt(geometry.squared_distance) - dmin;
                    const LawTerm a = adhesion.law()(geometry.squared_distance, {.dhat = 1, .dmin = dmin});
                    double curvature = std::max(0.0, 4 * geometry.squared_distance * a.second + 2 * a.first);
                    if (kind == DistanceKind::plain) {
                        EXPECT_NEAR(curvature, x < 0.6 ? strength / 0.6 : 0, 1e-9 * strength);
                        curvature = x < 0.6 ? strength / 0.6 : 0;
                    }
                    const int dim = scene.mesh.dim();
                    Vector d_gradient = Vector::Zero(scene.mesh.ndof());
                    for (std::size_t i = 0; i < term.vertices.size(); ++i)
                        for (int c = 0; c < dim; ++c)
                            d_gradient[term.vertices[i] * dim + c] =
                                geometry.coefficients[static_cast<int>(i)] * geometry.normal[c];
                    const Matrix expected = term.weight * curvature * d_gradient * d_gradient.transpose();
                    const Matrix H = adhesion.hessian(scene.collisions, scene.mesh, scene.X);
                    EXPECT_LE((H - expected).norm(), 1e-11 * strength * term.weight);
                    (expected.norm() > 0 ? stiff : nothing)++;
                }
    EXPECT_GT(stiff, 0);
    EXPECT_GT(nothing, 0);
}

// --- The stress between plates ---

/// Pull per area, of Y eps_c, on a square of 1 m at dhat_p above a larger one that is turned, both of `cells` cells.
double stress_between_plates(
    const NormalAdhesionPotential& adhesion, const NormalCollisionsOptions& options, int cells, bool is_cloth,
    double angle)
{
    const auto plate = [&](double size, int n) {
        const generate::GridOptions grid{.size = Vec2(size, size), .cells = {n, n}};
        return is_cloth ? generate::cloth(grid) : generate::plane_grid(grid);
    };
    MeshData scene = translated(
        transformed(plate(1.6, cells * 8 / 5 + 1), Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix()),
        Vec3(0.013, 0, 0.021));
    const Eigen::Index num_lower = scene.vertices.rows();
    append(scene, translated(plate(1, cells), Vec3(0, adhesion.options().dhat_p + options.dmin, 0)));
    const CollisionMesh mesh(scene);
    NormalCollisions collisions;
    collisions.build(mesh, scene.vertices, options);
    const Positions gradient =
        Eigen::Map<const Positions>(adhesion.gradient(collisions, mesh, scene.vertices).data(), mesh.num_vertices(), 3);
    return gradient.bottomRows(mesh.num_vertices() - num_lower).col(1).sum() / strength;
}

/// What a half-plane pulls on the points beyond the border of another one above it, per length of that border, of Y
/// eps_c: the integral of a'(r) H / r over the distance s from the border, r = sqrt(H² + s²), for dhat_a = 2 dhat_p and
/// H = dmin + dhat_p.
double border_pull(double dhat_p, double dmin)
{
    const double H = dmin + dhat_p, R = dmin + 2 * dhat_p, s = std::sqrt(R * R - H * H);
    return H / dhat_p * (R * std::asinh(s / H) - s);
}

TEST(NormalAdhesionPotential, PullsPlatesWithItsStrengthWhateverTheMesh)
{
    // The upper plate counts half by its own vertices, half by those of the lower one: these are below it, or beside it
    // up to dhat_a, also around its corners.
    for (const double dmin : {0.0, 5e-3})
        for (const double dhat_p : {0.004, 0.05})
            for (const bool is_cloth : {true, false})
                for (const double angle : {0.0, 0.3, 0.7}) {
                    const NormalAdhesionPotential adhesion = adhesion_of(dhat_p, 2 * dhat_p);
                    const double corners = std::numbers::pi * (dmin + dhat_p) * dhat_p;
                    const double expected = 1 + (4 * border_pull(dhat_p, dmin) + corners) / 2;
                    for (const int cells : {8, 16, 32}) {
                        if (cells == 32 && angle != 0.3)
                            continue; // takes long
                        SCOPED_TRACE(fmt::format(
                            "dhat_p {}, {} cells, {}, turned by {}", dhat_p, cells, is_cloth ? "cloth" : "grid",
                            angle));
                        const double stress = stress_between_plates(
                            adhesion, adhesion.options().collisions(dmin), cells, is_cloth, angle);
                        // Which vertices of the lower plate are below the border is as coarse as its cells, unless
                        // these are smaller than dhat_a, over which the pull fades.
                        const bool is_fine = 1.0 / cells < 2 * dhat_p;
                        EXPECT_NEAR(stress, expected, is_fine ? 1e-3 : 0.8 / cells);
                    }
                }
}

TEST(NormalAdhesionPotential, OfSetsWithEdgesOfFacesDependsOnTheMesh)
{
    // Why collisions() leaves them out. Of IPC's set everything near counts, and a finer mesh sticks ever more; the
    // convergent one counts a point of a surface once, but each crossing of an edge, and corrects by vertices what has
    // no vertex.
    const NormalAdhesionPotential near = adhesion_of(0.004, 0.008), far = adhesion_of(0.05, 0.1);
    const auto stress = [](const NormalAdhesionPotential& adhesion, CollisionSetType type, int cells) {
        NormalCollisionsOptions options = adhesion.options().collisions();
        options.use_face_edges = true;
        options.set_type = type;
        return stress_between_plates(adhesion, options, cells, true, 0.3);
    };
    using enum CollisionSetType;
    EXPECT_GT(stress(near, ipc, 8), 1.7);
    EXPECT_GT(stress(far, ipc, 16), 1.8 * stress(far, ipc, 8));
    EXPECT_GT(stress(near, convergent, 8), 1.6);
    EXPECT_LT(stress(far, convergent, 16), 0.9);
}

TEST(NormalAdhesionPotential, PullsCurvesWithItsStrengthWhateverTheMesh)
{
    // A segment of 1 m above a longer line. In the plane there are no pairs of edges: all sets but IPC's count once.
    for (const double dhat_p : {0.002, 0.03})
        for (const int cells : {10, 40, 160}) {
            const int lower = cells * 8 / 5 + 3;
            Positions X(lower + cells + 2, 2);
            Elements E(lower + cells, 2);
            for (int i = 0; i <= lower; ++i)
                X.row(i) << -0.31 + 1.6 * i / lower, 0;
            for (int i = 0; i <= cells; ++i)
                X.row(lower + 1 + i) << double(i) / cells, dhat_p;
            for (int i = 0; i < lower + cells; ++i)
                E.row(i) << i + (i >= lower), i + 1 + (i >= lower);
            const CollisionMesh mesh(X, E);
            const NormalAdhesionPotential adhesion = adhesion_of(dhat_p, 2 * dhat_p);
            NormalCollisions collisions;
            collisions.build(mesh, X, adhesion.options().collisions());
            const Vector gradient = adhesion.gradient(collisions, mesh, X);
            double pull = 0;
            for (int i = 0; i <= cells; ++i)
                pull += gradient[2 * (lower + 1 + i) + 1];
            const bool is_fine = 1.0 / cells < 2 * dhat_p;
            EXPECT_NEAR(pull / strength, 1 + border_pull(dhat_p, 0), is_fine ? 1e-3 : 0.6 / cells)
                << "dhat_p " << dhat_p << ", cells " << cells;
        }
}

TEST(NormalAdhesionPotential, PullsToAPlaneWithItsStrength)
{
    const MeshData sheet = translated(generate::cloth({.cells = {7, 7}}), Vec3(0, 0.01, 0));
    const CollisionMesh mesh(sheet, {.planes = {Plane{}}});
    const NormalAdhesionPotential adhesion = adhesion_of(0.01, 0.02);
    NormalCollisions collisions;
    collisions.build(mesh, sheet.vertices, adhesion.options().collisions());
    const Vector gradient = adhesion.gradient(collisions, mesh, sheet.vertices);
    EXPECT_NEAR(gradient(Eigen::seq(1, Eigen::last, 3)).sum(), strength, 1e-12 * strength);
}

TEST(NormalCollisions, WithoutTheEdgesOfFacesKeepThoseOfRods)
{
    // Two rods that cross above two sheets.
    MeshData scene = generate::cloth({.cells = {3, 3}});
    append(scene, translated(generate::cloth({.cells = {2, 2}}), Vec3(0.05, 0.02, 0.06)));
    append(scene, translated(generate::rod({.segments = 3}), Vec3(0.02, 0.04, 0.03)));
    append(
        scene, translated(
                   transformed(generate::rod({.segments = 3}), Eigen::AngleAxisd(1, Vec3::UnitY()).toRotationMatrix()),
                   Vec3(0.02, 0.06, 0.03)));
    const CollisionMesh mesh(scene);
    for (const auto type : {CollisionSetType::ipc, CollisionSetType::convergent, CollisionSetType::ogc}) {
        NormalCollisions all, some;
        NormalCollisionsOptions options{.dhat = 0.03, .set_type = type, .use_area_weighting = true};
        all.build(mesh, scene.vertices, options);
        options.use_face_edges = false;
        some.build(mesh, scene.vertices, options);
        const auto is_rod = [&](int edge) { return mesh.edge_faces(edge).empty(); };
        int rods = 0, others = 0;
        for (std::size_t k = 0; k < all.ee().size(); ++k) {
            const auto [a, b] = all.ee().elements[k];
            (is_rod(a) && is_rod(b) ? rods : others)++;
        }
        EXPECT_GT(rods, 0);
        EXPECT_GT(others, 0);
        EXPECT_EQ(some.ee().size(), static_cast<std::size_t>(rods));
        for (const IndexPair& edges : some.ee().elements)
            EXPECT_TRUE(is_rod(edges[0]) && is_rod(edges[1]));
        // Faces and vertices have twice the weight.
        ASSERT_EQ(some.fv().size(), all.fv().size());
        EXPECT_GT(some.fv().size(), 0u);
        for (std::size_t k = 0; k < some.fv().size(); ++k)
            EXPECT_EQ(some.fv().weights[k], 2 * all.fv().weights[k]);
    }
}

TEST(NormalAdhesionPotential, SharesADetectionWithABarrier)
{
    const MeshData data = layers_of_cloth(6, 0.2);
    const CollisionMesh mesh(data);
    const double dhat = 0.012, dmin = 1e-3;
    const auto options = NormalAdhesionOptions::for_barrier(dhat, Y, eps_c);
    Detection detection(mesh, {.range = dmin + options.dhat_a});
    detection.update(data.vertices);
    for (const auto& each :
         {options.collisions(dmin), NormalCollisionsOptions{.dhat = dhat, .dmin = dmin},
          NormalCollisionsOptions{.dhat = dhat, .dmin = dmin, .set_type = CollisionSetType::ogc},
          NormalCollisionsOptions{.dhat = options.dhat_a, .dmin = dmin, .set_type = CollisionSetType::convergent}}) {
        NormalCollisions shared, alone;
        shared.build(detection, mesh, data.vertices, each);
        alone.build(mesh, data.vertices, each);
        EXPECT_GT(alone.size(), 0u);
        EXPECT_TRUE(shared == alone);
    }
    // A set that reaches farther than the law has the same energy: what is beyond adds nothing.
    NormalCollisions wide, fitting;
    NormalCollisionsOptions wider = options.collisions(dmin);
    fitting.build(mesh, data.vertices, wider);
    wider.dhat *= 1.5;
    wide.build(mesh, data.vertices, wider);
    const NormalAdhesionPotential adhesion(options);
    EXPECT_GT(wide.size(), fitting.size());
    const double energy = adhesion(fitting, mesh, data.vertices);
    EXPECT_LT(energy, 0);
    EXPECT_NEAR(adhesion(wide, mesh, data.vertices), energy, 1e-12 * std::abs(energy));
}

// --- Tangential potential ---

constexpr double eps_a = 0.02;

Positions velocities(const Scene& scene, double speed, std::uint64_t seed = 3)
{
    RandomStream random(seed);
    Positions V(scene.X.rows(), scene.X.cols());
    for (double& component : V.reshaped())
        component = random.uniform(-speed, speed);
    return V;
}

TangentialCollisions lag(const Scene& scene, const NormalPotential& adhesion, const FrictionCoefficients& coefficients)
{
    TangentialCollisions collisions;
    collisions.build(scene.mesh, scene.X, scene.collisions, adhesion, coefficients);
    return collisions;
}

std::vector<FrictionCoefficients> coefficients_for(const Scene& scene)
{
    FrictionCoefficients anisotropic{.mu_s = 0.7, .mu_k = 0.3}, by_vertex;
    anisotropic.mu_aniso = Vec2(1.3, 0.4);
    by_vertex.vertex_mu_s.resize(scene.mesh.num_vertices());
    for (Eigen::Index i = 0; i < by_vertex.vertex_mu_s.size(); ++i)
        by_vertex.vertex_mu_s[i] = 0.5 + 0.3 * std::sin(double(i));
    by_vertex.vertex_mu_k = 0.6 * by_vertex.vertex_mu_s;
    return {FrictionCoefficients::uniform(0.8), {.mu_s = 0.7, .mu_k = 0.3}, anisotropic, by_vertex};
}

/// Sliding speeds of all terms, over eps_a.
std::vector<double> sliding_speeds(const TangentialCollisions& collisions, const Positions& V)
{
    std::vector<double> speeds;
    for (std::size_t k = 0; k < collisions.size(); ++k) {
        const TangentialCollision term = collisions[k];
        Vec3 velocity = Vec3::Zero();
        for (std::size_t i = 0; i < term.vertices.size(); ++i)
            velocity.head(V.cols()) += term.coefficients[i] * V.row(term.vertices[i]).transpose();
        const Vec2 u = term.basis.transpose() * velocity;
        speeds.push_back(u.cwiseProduct(collisions.friction().mu_aniso).norm() / eps_a);
    }
    return speeds;
}

TEST(TangentialAdhesionPotential, DerivativesMatchDifferencesAtEverySpeed)
{
    const TangentialAdhesionPotential potential(eps_a);
    std::array<int, 4> branches{}; // z < 1/2, < 1, < 2, beyond
    for (const Scene& scene : mixed_bonds()) {
        const NormalAdhesionPotential adhesion = adhesion_of(mixed_dhat_p(scene), scene.collisions.options().dhat);
        for (const double speed : {0.2 * eps_a, 1.1 * eps_a, 3 * eps_a})
            for (const FrictionCoefficients& coefficients : coefficients_for(scene)) {
                SCOPED_TRACE(fmt::format("{}, speed {}", scene.name, speed));
                const TangentialCollisions collisions = lag(scene, adhesion, coefficients);
                const Positions V = velocities(scene, speed);
                for (const double z : sliding_speeds(collisions, V)) {
                    ++branches[z < 0.5 ? 0 : z < 1 ? 1 : z < 2 ? 2 : 3];
                    EXPECT_GT(std::abs(z - 2), 1e-4) << "differences would cross the joint";
                }
                const VectorFunction value = [&](const Vector& v) -> Vector {
                    return Vector::Constant(1, potential(collisions, scene.mesh, scene.at(v)));
                };
                const VectorFunction gradient = [&](const Vector& v) -> Vector {
                    return potential.gradient(collisions, scene.mesh, scene.at(v));
                };
                const Vector v = Eigen::Map<const Vector>(V.data(), V.size()), g = gradient(v);
                // Pieces eps_a long: as in friction_test.cpp.
                const Matrix g_numeric = central_differences(value, v, eps_a);
                EXPECT_LE((g.transpose() - g_numeric).norm(), 1e-7 * g_numeric.norm());
                const Matrix H = potential.hessian(collisions, scene.mesh, V);
                const Matrix H_numeric = central_differences(gradient, v, eps_a);
                EXPECT_LE((H - H_numeric).norm(), 1e-6 * H_numeric.norm());
                EXPECT_EQ(potential.force(collisions, scene.mesh, V), -g);
            }
    }
    for (const int count : branches)
        EXPECT_GT(count, 100);
}

TEST(TangentialAdhesionPotential, AtRestItsHessianIsTheLimitAndNotZero)
{
    const TangentialAdhesionPotential potential(eps_a);
    for (const Scene& scene : mixed_bonds()) {
        SCOPED_TRACE(scene.name);
        const NormalAdhesionPotential adhesion = adhesion_of(mixed_dhat_p(scene), scene.collisions.options().dhat);
        const TangentialCollisions collisions = lag(scene, adhesion, {.mu_s = 0.7, .mu_k = 0.3});
        const Positions rest = Positions::Zero(scene.X.rows(), scene.X.cols());
        EXPECT_EQ(potential(collisions, scene.mesh, rest), 0);
        EXPECT_EQ(potential.gradient(collisions, scene.mesh, rest).norm(), 0);
        const Matrix H = potential.hessian(collisions, scene.mesh, rest);
        EXPECT_GT(H.norm(), 0);
        const Matrix limit = potential.hessian(collisions, scene.mesh, velocities(scene, 1e-9 * eps_a));
        EXPECT_LE((H - limit).norm(), 1e-7 * H.norm());
        const VectorFunction gradient = [&](const Vector& v) -> Vector {
            return potential.gradient(collisions, scene.mesh, scene.at(v));
        };
        // Across rest the force is C1, so that differences err by the step over eps_a.
        const Matrix numeric = central_differences(gradient, Vector::Zero(scene.mesh.ndof()), 0.1 * eps_a);
        EXPECT_LE((H - numeric).norm(), 1e-5 * H.norm());
    }
}

/// A vertex above a face, with area weights: one term, whose Hessian is the assembled one.
Scene vertex_above_face()
{
    const Positions X = positions({{0.3, 0.05, 0.2}, {0, 0, 0}, {0, 0, 1}, {1, 0, 0}});
    return Scene("", CollisionMesh(X, no_edges, elements({{1, 2, 3}})), X, {.dhat = 0.1, .use_area_weighting = true});
}

TEST(TangentialAdhesionPotential, ForceIsTheBondsStrengthTimesItsAreaAtEpsAAndGoneAtTwiceThat)
{
    const Scene scene = vertex_above_face();
    ASSERT_EQ(scene.collisions.fv().size(), 1u);
    const double area = scene.collisions.fv().weights[0];
    const NormalAdhesionPotential adhesion = adhesion_of(0.05, 0.1);
    const TangentialCollisions collisions = lag(scene, adhesion, FrictionCoefficients::uniform(0.8));
    EXPECT_EQ(collisions.fv().normal_forces[0], strength);
    const TangentialAdhesionPotential potential(eps_a);
    const auto force_at = [&](double y) -> Vec3 {
        Positions V = Positions::Zero(4, 3);
        V.row(0) << 0.6 * y, 7, 0.8 * y; // the normal part does not count
        return potential.force(collisions, scene.mesh, V).head<3>();
    };
    const Vec3 against(-0.6, 0, -0.8);
    for (const double z : {0.3, 1.0, 1.5})
        EXPECT_LE((force_at(z * eps_a) - 0.8 * strength * area * z * (2 - z) * against).norm(), 1e-12 * strength);
    EXPECT_EQ(force_at(2.5 * eps_a).norm(), 0);
    EXPECT_EQ(force_at(100).norm(), 0);
}

TEST(TangentialAdhesionPotential, LettingGoHasANegativeSlopeAndIsProjected)
{
    // On (eps_a, 2 eps_a): f_t' < 0 along the motion, f_t / y > 0 across it.
    const Scene scene = vertex_above_face();
    const NormalAdhesionPotential adhesion = adhesion_of(0.05, 0.1);
    const TangentialCollisions collisions = lag(scene, adhesion, FrictionCoefficients::uniform(0.8));
    const TangentialAdhesionPotential potential(eps_a);
    Positions V = Positions::Zero(4, 3);
    V.row(0) << 0.6 * 1.5 * eps_a, 0, 0.8 * 1.5 * eps_a;
    const Matrix H = potential.hessian(collisions, scene.mesh, V);
    const double scale = 0.8 * strength * scene.collisions.fv().weights[0] / eps_a;
    const Vec3 along(0.6, 0, 0.8), across(0.8, 0, -0.6);
    EXPECT_NEAR(along.dot(H.topLeftCorner<3, 3>() * along), -scale, 1e-12 * scale) << "2 (1 - z) for z = 1.5";
    EXPECT_NEAR(across.dot(H.topLeftCorner<3, 3>() * across), 0.5 * scale, 1e-12 * scale) << "2 - z";
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(H);
    ASSERT_LT(eigen.eigenvalues()[0], -0.1 * H.norm());
    const auto rebuilt = [&](const Vector& eigenvalues) -> Matrix {
        return eigen.eigenvectors() * eigenvalues.asDiagonal() * eigen.eigenvectors().transpose();
    };
    const Matrix clamped = potential.hessian(collisions, scene.mesh, V, Method::clamp);
    const Matrix absolute = potential.hessian(collisions, scene.mesh, V, Method::abs);
    EXPECT_LE((clamped - rebuilt(eigen.eigenvalues().cwiseMax(0))).norm(), 1e-12 * H.norm());
    EXPECT_LE((absolute - rebuilt(eigen.eigenvalues().cwiseAbs())).norm(), 1e-12 * H.norm());
}

TEST(TangentialAdhesionPotential, ProjectedHessiansAreSemidefinite)
{
    const TangentialAdhesionPotential potential(eps_a);
    for (const Scene& scene : mixed_bonds()) {
        SCOPED_TRACE(scene.name);
        const NormalAdhesionPotential adhesion = adhesion_of(mixed_dhat_p(scene), scene.collisions.options().dhat);
        const TangentialCollisions collisions = lag(scene, adhesion, FrictionCoefficients::uniform(0.8));
        const Positions V = velocities(scene, 1.5 * eps_a);
        const auto smallest = [&](Method method) {
            const Matrix H = potential.hessian(collisions, scene.mesh, V, method);
            return Eigen::SelfAdjointEigenSolver<Matrix>(H).eigenvalues()[0] / H.norm();
        };
        EXPECT_LT(smallest(Method::none), -1e-3);
        EXPECT_GE(smallest(Method::clamp), -1e-12);
        EXPECT_GE(smallest(Method::abs), -1e-12);
    }
}

TEST(TangentialAdhesionPotential, ForceJacobianByLaggedPositionsMatchesDifferences)
{
    const TangentialAdhesionPotential potential(eps_a);
    int compared = 0;
    const auto compare = [&](const Scene& scene, const NormalAdhesionPotential& adhesion, double length) {
        for (const double speed : {0.3 * eps_a, 0.7 * eps_a, 1.5 * eps_a})
            for (const FrictionCoefficients& coefficients : coefficients_for(scene)) {
                SCOPED_TRACE(fmt::format("{}, speed {}", scene.name, speed));
                const TangentialCollisions collisions = lag(scene, adhesion, coefficients);
                if (collisions.empty()) // nearly parallel edges
                    continue;
                const Positions V = velocities(scene, speed);
                const VectorFunction force = [&](const Vector& x) -> Vector {
                    TangentialCollisions lagged;
                    lagged.build(scene.mesh, scene.at(x), scene.collisions, adhesion, coefficients);
                    return potential.force(lagged, scene.mesh, V);
                };
                const Matrix jacobian =
                    potential.force_jacobian(collisions, scene.mesh, scene.X, V, adhesion, DiffWRT::lagged_positions);
                const Matrix numeric = central_differences(force, scene.x(), length);
                // Of a vertex at a plane nothing changes with the positions: what differences see is rounding.
                EXPECT_LE((jacobian - numeric).norm(), 1e-6 * std::max(numeric.norm(), force(scene.x()).norm()));
                const Matrix by_velocity =
                    potential.force_jacobian(collisions, scene.mesh, scene.X, V, adhesion, DiffWRT::velocities);
                EXPECT_EQ(by_velocity, -Matrix(potential.hessian(collisions, scene.mesh, V)));
                ++compared;
            }
    };
    for (const double gap : {0.35, 0.85})
        for (const Scene& scene : single_terms(gap, {.dhat = 1, .dmin = 0.1, .use_area_weighting = true}))
            compare(scene, adhesion_of(0.6, 1), 0.1);
    for (const Scene& scene : mixed_bonds())
        compare(scene, adhesion_of(mixed_dhat_p(scene), scene.collisions.options().dhat), 0.1 * scene.length);
    EXPECT_GT(compared, 2 * 12 * 12 + 12 * 12);
}

TEST(TangentialAdhesionPotential, ResistsOnlyWhereABondIs)
{
    // A set that reaches farther than the bonds, or pairs that moved apart since it was built: no bond, no force.
    const NormalAdhesionPotential adhesion = adhesion_of(0.05, 0.1);
    for (const double dmin : {0.0, 0.02})
        for (const auto& [gap, expected] :
             {std::pair(0.04, strength), {0.0999, strength}, {0.1001, 0.0}, {0.15, 0.0}}) {
            const Scene scene = two_points(dmin + gap, {.dhat = 0.2, .dmin = dmin});
            ASSERT_EQ(scene.collisions.vv().size(), 1u);
            const TangentialCollisions collisions = lag(scene, adhesion, FrictionCoefficients::uniform(1));
            EXPECT_EQ(collisions.vv().normal_forces[0], expected) << gap;
            EXPECT_EQ(adhesion.sliding_forces(scene.collisions, scene.mesh, scene.X)[0], expected);
            const TangentialAdhesionPotential potential(eps_a);
            const Positions V = velocities(scene, 0.4 * eps_a);
            const Matrix jacobian =
                potential.force_jacobian(collisions, scene.mesh, scene.X, V, adhesion, DiffWRT::lagged_positions);
            EXPECT_EQ(potential.force(collisions, scene.mesh, V).norm() > 0, expected > 0);
            EXPECT_EQ(jacobian.norm() > 0, expected > 0);
        }
    // A barrier's sliding forces are its normal forces.
    const Scene scene = vertex_above_face();
    const BarrierPotential barrier(0.1, 50);
    EXPECT_FALSE(barrier.sliding_force());
    EXPECT_EQ(
        barrier.sliding_forces(scene.collisions, scene.mesh, scene.X),
        barrier.force_magnitudes(scene.collisions, scene.mesh, scene.X));
}

TEST(TangentialAdhesionPotential, BetweenBodiesAddsUpToNothingAndTakesEnergyAway)
{
    const TangentialAdhesionPotential potential(eps_a);
    for (const Scene& scene : mixed_bonds()) {
        if (scene.collisions.options().set_type == CollisionSetType::convergent)
            continue; // terms of negative weight push; together they do not
        const NormalAdhesionPotential adhesion = adhesion_of(mixed_dhat_p(scene), scene.collisions.options().dhat);
        const TangentialCollisions collisions = lag(scene, adhesion, {.mu_s = 0.7, .mu_k = 0.3});
        const Positions V = velocities(scene, eps_a);
        const Vector force = potential.force(collisions, scene.mesh, V);
        EXPECT_LE(scene.at(force).colwise().sum().norm(), 1e-12 * force.norm());
        EXPECT_LT(force.dot(Eigen::Map<const Vector>(V.data(), V.size())), 0);
    }
}

TEST(Adhesion, HasTheSameBitsForAnyNumberOfThreads)
{
    const MeshData data = layers_of_cloth(32, 0.3);
    const CollisionMesh mesh(data);
    const NormalAdhesionPotential normal(NormalAdhesionOptions::for_barrier(0.02, Y, eps_c));
    const TangentialAdhesionPotential tangential(eps_a);
    const auto run = [&](int threads) {
        set_num_threads(threads);
        NormalCollisions collisions;
        collisions.build(mesh, data.vertices, normal.options().collisions());
        TangentialCollisions sliding;
        sliding.build(mesh, data.vertices, collisions, normal, {.mu_s = 0.7, .mu_k = 0.3});
        EXPECT_GT(collisions.size(), 4096u);
        EXPECT_GT(sliding.size(), 4096u);
        Eigen::SparseMatrix<double> H = normal.hessian(collisions, mesh, data.vertices, Method::clamp);
        const Positions V = 0.01 * data.vertices;
        Eigen::SparseMatrix<double> H_sliding = tangential.hessian(sliding, mesh, V, Method::clamp);
        const auto result = std::tuple(
            normal(collisions, mesh, data.vertices), normal.gradient(collisions, mesh, data.vertices),
            Vector(H.coeffs()), tangential(sliding, mesh, V), tangential.gradient(sliding, mesh, V),
            Vector(H_sliding.coeffs()));
        set_num_threads(0);
        return result;
    };
    const auto one = run(1);
    EXPECT_EQ(run(2), one);
    EXPECT_EQ(run(4), one);
}

// --- Bad input ---

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

TEST(Adhesion, RejectsBadInput)
{
    const NormalAdhesionOptions good{.dhat_p = 0.1, .dhat_a = 0.2, .youngs_modulus = 1e4, .critical_strain = 0.1};
    const auto rejected = [&](double NormalAdhesionOptions::*field, double value, const std::string& words) {
        NormalAdhesionOptions options = good;
        options.*field = value;
        expect_rejected([&] { NormalAdhesionPotential{options}; }, words);
    };
    const double nan = std::nan("");
    rejected(&NormalAdhesionOptions::dhat_p, 0, "dhat_p: 0 is not a positive number");
    rejected(&NormalAdhesionOptions::dhat_p, nan, "dhat_p: nan");
    rejected(&NormalAdhesionOptions::dhat_p, 0.2, "dhat_p: 0.2 is not below dhat_a, which is 0.2");
    rejected(&NormalAdhesionOptions::dhat_p, 0.3, "dhat_p: 0.3 is not below dhat_a");
    rejected(&NormalAdhesionOptions::dhat_a, -1, "dhat_a: -1 is not a positive number");
    rejected(&NormalAdhesionOptions::dhat_a, INFINITY, "dhat_a: inf");
    rejected(&NormalAdhesionOptions::youngs_modulus, 0, "youngs_modulus: 0");
    rejected(&NormalAdhesionOptions::youngs_modulus, nan, "youngs_modulus: nan");
    rejected(&NormalAdhesionOptions::critical_strain, -0.1, "critical_strain: -0.1");
    rejected(&NormalAdhesionOptions::critical_strain, INFINITY, "critical_strain: inf");
    expect_rejected([] { TangentialAdhesionPotential{0.0}; }, "eps_a: 0 is not a positive speed");
    expect_rejected([] { TangentialAdhesionPotential{-1}; }, "eps_a: -1");
    expect_rejected([&] { TangentialAdhesionPotential{nan}; }, "eps_a: nan");

    // A set that ends before the bonds do, or of another mesh, or at other positions: also where nothing is evaluated
    // but the constant force.
    const NormalAdhesionPotential adhesion(good);
    const Scene scene = two_points(0.05, {.dhat = 0.15});
    const auto uniform = FrictionCoefficients::uniform(1);
    expect_rejected(
        [&] { (void)adhesion(scene.collisions, scene.mesh, scene.X); }, "collisions: built for dhat = 0.15");
    expect_rejected([&] { lag(scene, adhesion, uniform); }, "collisions: built for dhat = 0.15");
    const Scene fitting = two_points(0.05, {.dhat = 0.2});
    TangentialCollisions sliding;
    expect_rejected(
        [&] { sliding.build(fitting.mesh, Positions::Zero(1, 3), fitting.collisions, adhesion, uniform); }, "X: ");
    Positions X = fitting.X;
    X(1, 2) = nan;
    expect_rejected([&] { sliding.build(fitting.mesh, X, fitting.collisions, adhesion, uniform); }, "X: row 1");
    const CollisionMesh other(Positions::Random(3, 3));
    expect_rejected(
        [&] { sliding.build(other, Positions::Zero(3, 3), fitting.collisions, adhesion, uniform); },
        "collisions: built for a mesh of 2 vertices");
    EXPECT_TRUE(sliding.empty());
}

} // namespace

} // namespace abut::test::adhesion_test
