// Hessians in closed form: GIPC's against its formulas, evaluated numerically and in long double, and what every set of
// collisions and every law must keep.

#include "abut/contact/gipc/analytic_hessian.hpp"

#include "abut/base/parallel.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/laws/adhesion.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "support/collision_scenes.hpp"
#include "support/extended_psd.hpp"
#include "support/finite_differences.hpp"

#include <Eigen/Eigenvalues>

namespace abut::test::gipc_test {

namespace {

using Method = PSDProjectionMethod;
using Mode = HessianMode;
using Law = std::shared_ptr<const NormalLaw>;

/// Every law of Abut for a range that ends at `dhat`, of both distances.
std::vector<Law> all_laws(double dhat)
{
    std::vector<Law> laws;
    for (const char* name : {"clamped_log", "normalized_clamped_log", "clamped_log_squared", "cubic", "two_stage"})
        for (const DistanceKind kind : {DistanceKind::squared, DistanceKind::plain})
            laws.push_back(normal_law(name, kind));
    const AdhesionParameters bond{.dhat_p = 0.4 * dhat, .youngs_modulus = 50, .critical_strain = 0.2};
    laws.push_back(make_normal_law(AdhesionOnDistance{bond}));
    laws.push_back(make_normal_law(AdhesionOnSquaredDistance{bond}));
    return laws;
}

bool is_barrier(const NormalLaw& law) { return !law.name().starts_with("adhesion"); }

BarrierPotential potential(const Scene& scene, const Law& law, Mode mode)
{
    return BarrierPotential(
        {.dhat = scene.collisions.options().dhat, .stiffness = 7, .law = law, .hessian_mode = mode});
}

/// The Hessian of each term on its stencil: the closed form of a potential that has one, else the projected one.
std::vector<Matrix> term_hessians(const NormalPotential& P, const Scene& scene, Method method = Method::none)
{
    const Stencils& stencils = scene.collisions.stencils();
    const int dim = scene.mesh.dim();
    std::vector<double> blocks(stencils.num_blocks() * dim * dim);
    const HessianForm form = P.hessian_mode() == Mode::exact ? hessian_form_of(method) : HessianForm::analytic;
    P.evaluate(scene.collisions, scene.mesh, scene.X, {.blocks = blocks.data(), .hessian = form});
    std::vector<Matrix> hessians;
    const double* from = blocks.data();
    for (std::size_t k = 0; k < stencils.size(); ++k) {
        const auto n = static_cast<int>(stencils[k].size());
        Matrix& H = hessians.emplace_back(n * dim, n * dim);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j, from += dim * dim) {
                const Eigen::Map<const Matrix> block(from, dim, dim);
                H.block(i * dim, j * dim, dim, dim) = block;
                H.block(j * dim, i * dim, dim, dim) = block.transpose();
            }
    }
    return hessians;
}

/// What a term is made of, from the set's own geometry.
struct Term {
    NormalCollision collision;
    double squared_distance;
    Vector d_gradient;
    double z; ///< c / eps_x; 1 and more where nothing is mollified
};

Term term_of(const Scene& scene, std::size_t k)
{
    const NormalCollision collision = scene.collisions[k];
    const NormalCollisionGeometry geometry = scene.collisions.geometry(k, scene.mesh, scene.X);
    const int dim = scene.mesh.dim();
    Vector d_gradient(collision.vertices.size() * dim);
    for (std::size_t i = 0; i < collision.vertices.size(); ++i)
        for (int a = 0; a < dim; ++a)
            d_gradient[static_cast<int>(i) * dim + a] = geometry.coefficients[static_cast<int>(i)] * geometry.normal[a];
    double z = 1;
    if (collision.kind == PairKind::edge_edge) {
        const auto x = [&](int i) -> Vec3 { return scene.X.row(collision.vertices[i]); };
        z = (x(1) - x(0)).cross(x(3) - x(2)).squaredNorm() / collision.eps_x;
    }
    return {collision, geometry.squared_distance, d_gradient, z};
}

void expect_near(const Matrix& actual, const Matrix& expected, double tolerance, double scale)
{
    EXPECT_LE((actual - expected).norm(), tolerance * scale) << "of " << scale;
}

TEST(PairCurvature, IsTheSecondDerivativeByTheDistance)
{
    for (const double dmin : {0.0, 0.1})
        for (const Law& law : all_laws(0.8))
            for (const double d : {0.15, 0.25, 0.45, 0.7}) {
                SCOPED_TRACE(law->name());
                const ContactRange range{.dhat = 0.8, .dmin = dmin};
                const auto slope = [&](double at) { return 2 * at * (*law)(at * at, range).first; };
                const double h = 1e-5;
                const double expected = (slope(d + h) - slope(d - h)) / (2 * h);
                const double scale = std::abs(expected) + std::abs(slope(d)) / d;
                EXPECT_NEAR(curvature_by_distance((*law)(d * d, range), d * d), expected, 1e-7 * scale);
            }
}

TEST(PairCurvature, IsCappedBelowATenthOfDhatAndContinuous)
{
    for (const double dmin : {0.0, 0.02})
        for (const Law& law : all_laws(0.5)) {
            SCOPED_TRACE(law->name());
            const ContactRange range{.dhat = 0.5, .dmin = dmin};
            const PairCurvature capped(Mode::analytic, *law, range);
            const auto at = [&](double d) { return capped((*law)(d * d, range), d * d); };
            const auto exact = [&](double d) { return curvature_by_distance((*law)(d * d, range), d * d); };
            const double threshold = dmin + 0.05;
            EXPECT_NEAR(at(threshold * (1 - 1e-12)), at(threshold * (1 + 1e-12)), 1e-9 * std::abs(exact(threshold)));
            for (const double share : {1e-6, 1e-3, 0.1, 0.5, 0.999}) {
                const double d = dmin + share * 0.05;
                EXPECT_EQ(at(d), std::min(exact(d), exact(threshold)));
            }
            for (const double d : {0.06, 0.1, 0.3, 0.49})
                EXPECT_EQ(at(dmin + d), exact(dmin + d));
            // The laws that grow without bound have what eq. 23 prints: the value at the threshold.
            if (law->name().find("log") != std::string::npos) {
                for (const double share : {1e-3, 0.5})
                    EXPECT_EQ(at(dmin + share * 0.05), exact(threshold));
            }
        }
}

TEST(PairCurvature, GaussNewtonDropsWhatTheLawsOwnArgumentCurves)
{
    const ContactRange range{.dhat = 0.5};
    for (const Law& law : all_laws(0.5))
        for (const double d : {0.01, 0.1, 0.4}) {
            const PairCurvature curvature(Mode::gauss_newton, *law, range);
            const LawTerm L = (*law)(d * d, range);
            const double expected =
                law->distance_kind() == DistanceKind::squared ? 4 * d * d * L.second : curvature_by_distance(L, d * d);
            EXPECT_EQ(curvature(L, d * d), expected);
        }
}

// --- Plain pairs ---

void expect_rank_one(const Scene& scene, const Law& law, Mode mode)
{
    const double dhat = scene.collisions.options().dhat, dmin = scene.collisions.options().dmin;
    const ContactRange range{.dhat = dhat, .dmin = dmin};
    const auto hessians = term_hessians(potential(scene, law, mode), scene);
    for (std::size_t k = 0; k < hessians.size(); ++k) {
        const Term term = term_of(scene, k);
        if (term.z < 1)
            continue;
        const double D = term.squared_distance;
        // The cap and the clamp, written out
        const double thr = (dmin + 0.1 * dhat) * (dmin + 0.1 * dhat);
        double b = mode == Mode::gauss_newton && law->distance_kind() == DistanceKind::squared
                       ? 4 * D * (*law)(D, range).second
                       : curvature_by_distance((*law)(D, range), D);
        if (mode == Mode::analytic && D < thr)
            b = std::min(b, curvature_by_distance((*law)(thr, range), thr));
        b = std::max(0.0, 7 * term.collision.weight * b);
        const Matrix expected = b * term.d_gradient * term.d_gradient.transpose();
        expect_near(hessians[k], expected, 1e-10, expected.norm());
        if (b == 0) {
            EXPECT_EQ(hessians[k].norm(), 0);
        }
    }
}

TEST(AnalyticHessian, OfPlainPairsIsTheCurvatureAlongTheDistance)
{
    for (const Mode mode : {Mode::analytic, Mode::gauss_newton})
        for (const auto& [gap, dmin] : {std::pair(0.02, 0.0), {0.09, 0.01}, {0.35, 0.01}, {0.85, 0.0}}) // the cap: 0.1
            for (const Scene& scene : single_terms(gap, {.dhat = 1, .dmin = dmin}))
                for (const Law& law : all_laws(1)) {
                    SCOPED_TRACE(scene.name + ", " + law->name());
                    ASSERT_EQ(scene.collisions.size(), 1u);
                    expect_rank_one(scene, law, mode);
                }
    for (const Mode mode : {Mode::analytic, Mode::gauss_newton})
        for (const Scene& scene : mixed_scenes())
            for (const Law& law : all_laws(scene.collisions.options().dhat)) {
                SCOPED_TRACE(scene.name + ", " + law->name());
                expect_rank_one(scene, law, mode);
            }
}

TEST(AnalyticHessian, OverAPlaneIsTheExactOneAboveTheCap)
{

    // The distance to a plane is linear: nothing is dropped.

    for (const double gap : {0.15, 0.5, 0.9})
        for (const Scene& scene : single_planes(gap, {.dhat = 1}))
            for (const Law& law : all_laws(1)) {
                const BarrierPotential P = potential(scene, law, Mode::exact);
                expect_near(
                    term_hessians(potential(scene, law, Mode::analytic), scene)[0],
                    term_hessians(P, scene, Method::clamp)[0], 1e-13, term_hessians(P, scene)[0].norm());
            }
}

struct Linear {
    static constexpr std::string_view name = "linear";
    LawTerm operator()(double x, double x_hat) const { return {x - x_hat, 1, 0}; }
    static double unit(double /*x_hat*/) { return 1; }
};

TEST(AnalyticHessian, GaussNewtonIsTheExactHessianLessTheCurvatureOfTheSquaredDistance)
{
    for (const Scene& scene : single_terms(0.35, {.dhat = 1})) {
        SCOPED_TRACE(scene.name);
        const Law law = normal_law("clamped_log");
        if (term_of(scene, 0).z < 1)
            continue;
        // The exact Hessian under the law D itself is hess D.
        const Matrix D_hessian =
            term_hessians(potential(scene, make_normal_law(OnSquaredDistance<Linear>{}), Mode::exact), scene)[0] / 7;
        const double first = (*law)(term_of(scene, 0).squared_distance, {.dhat = 1}).first;
        const Matrix exact = term_hessians(potential(scene, law, Mode::exact), scene)[0];
        expect_near(
            term_hessians(potential(scene, law, Mode::gauss_newton), scene)[0], exact - 7 * first * D_hessian, 1e-12,
            exact.norm());
    }
}

// --- Mollified edges ---

using Extended = long double;

/// Eq. 31 for J = diag(1, s, f), as a 9 x 9 matrix on J's entries column by column: b(γ, g) = m(γ) L(g), γ = |J e_2|²,
/// g = |J e_3|², for the derivatives of L by f.
ExtendedMatrix equation_31(Extended s, Extended f, Extended eps_x, const LawTerm& by_f)
{
    const Extended gamma = s * s, g = f * f;
    const Extended m = (2 - gamma / eps_x) * gamma / eps_x, m_1 = 2 * (1 - gamma / eps_x) / eps_x,
                   m_2 = -2 / (eps_x * eps_x);
    // By g = f²
    const Extended L = by_f.value, L_1 = by_f.first / (2 * f), L_2 = (by_f.second - by_f.first / f) / (4 * g);
    ExtendedVector gamma_J = ExtendedVector::Zero(9), g_J = ExtendedVector::Zero(9);
    ExtendedMatrix gamma_JJ = ExtendedMatrix::Zero(9, 9), g_JJ = ExtendedMatrix::Zero(9, 9);
    gamma_J[4] = 2 * s; // J_22 in column 2
    g_J[8] = 2 * f;     // J_33 in column 3
    for (int i = 0; i < 3; ++i) {
        gamma_JJ(3 + i, 3 + i) = 2;
        g_JJ(6 + i, 6 + i) = 2;
    }
    return m_1 * L * gamma_JJ + m_2 * L * gamma_J * gamma_J.transpose() + m * L_1 * g_JJ +
           m * L_2 * g_J * g_J.transpose() + m_1 * L_1 * (g_J * gamma_J.transpose() + gamma_J * g_J.transpose());
}

struct MollifiedCase {
    Scene scene;
    double s, d, eps_x;
    Vector s_gradient, d_gradient;
};

/// Edges of length about 1 at distance `gap`, one scene per feature; `turn` is their angle, of that at which the set
/// was built.
std::vector<MollifiedCase> mollified_cases(double gap, double turn, const NormalCollisionsOptions& options)
{
    std::vector<MollifiedCase> cases;
    for (Scene& scene : single_collisions(gap, options)) {
        const double z = term_of(scene, 0).z;
        if (z >= 1 || z == 0)
            continue;
        const Vec3 u = scene.X.row(1) - scene.X.row(0), v = scene.X.row(3) - scene.X.row(2);
        const Vec3 across = v - v.dot(u) / u.squaredNorm() * u;
        scene.X.row(2) += (1 - turn) / 2 * across.transpose();
        scene.X.row(3) -= (1 - turn) / 2 * across.transpose();
        const Term term = term_of(scene, 0);

        const auto x = [&](int i) -> Vec3 { return scene.X.row(term.collision.vertices[i]); };
        const auto c = edge_edge_cross_squared_norm(x(0), x(1), x(2), x(3), Order::gradient);
        const double s = std::sqrt(c.value);
        cases.push_back(
            {std::move(scene), s, std::sqrt(term.squared_distance), term.collision.eps_x, c.gradient / (2 * s),
             term.d_gradient});
    }
    return cases;
}

TEST(AnalyticHessian, OfMollifiedEdgesIsEquation31ClampedAndPulledBack)
{
    int num_compared = 0, num_definite = 0, num_above_a_third = 0;
    for (const double dhat : {1.0, 0.3})
        for (const auto& [gap, turn] : {std::pair(0.09, 1.0), {0.09, 0.1}, {0.25, 0.5}, {0.85, 1.0}, {0.85, 0.03}}) {
            const double dmin = 0.01;
            if (gap >= dhat + dmin)
                continue;
            const auto cases = mollified_cases(gap, turn, {.dhat = dhat, .dmin = dmin});
            EXPECT_EQ(cases.size(), 9u) << "the features of a pair of edges";
            for (const MollifiedCase& each : cases)
                for (const Law& law : all_laws(dhat)) {
                    SCOPED_TRACE(each.scene.name + ", " + law->name());
                    const LawTerm L = (*law)(each.d * each.d, {.dhat = dhat, .dmin = dmin});
                    // By f = d / dhat
                    const LawTerm by_f{
                        7 * L.value, 7 * dhat * 2 * each.d * L.first,
                        7 * dhat * dhat * curvature_by_distance(L, each.d * each.d)};
                    const ExtendedMatrix eq31 = equation_31(each.s, each.d / dhat, each.eps_x, by_f);
                    ExtendedMatrix J_x = ExtendedMatrix::Zero(12, 9); // dJ/dx: J moves on its diagonal
                    J_x.col(4) = each.s_gradient.cast<Extended>();
                    J_x.col(8) = each.d_gradient.cast<Extended>() / dhat;
                    const Matrix expected =
                        J_x.lazyProduct(clamped_to_psd(eq31)).lazyProduct(J_x.transpose()).cast<double>();
                    const Matrix actual = term_hessians(potential(each.scene, law, Mode::analytic), each.scene)[0];
                    expect_near(actual, expected, 1e-10, expected.norm());
                    ++num_compared;
                    const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(actual).eigenvalues();
                    num_definite += eigenvalues[10] > 1e-12 * eigenvalues[11] ? 1 : 0;
                    num_above_a_third += 3 * each.s * each.s > each.eps_x ? 1 : 0;
                }
        }
    // Which branches were seen
    EXPECT_EQ(num_compared, 8 * 9 * 12);
    EXPECT_GT(num_definite, 0) << "both eigenvalues positive";
    EXPECT_GT(num_above_a_third, 0) << "where the curvature by s is negative";
    EXPECT_LT(num_above_a_third, num_compared);
}

TEST(AnalyticHessian, TheMollifiedFormIsTheSecondDerivativeByItsTwoVariables)
{
    // K before it is clamped, by differences of m(s) L(d), where it is definite.
    const double dhat = 1, eps_x = 1e-3;
    const Law law = normal_law("clamped_log_squared");
    for (const double s : {0.002, 0.01, 0.015})
        for (const double d : {0.3, 0.9}) {
            const ContactRange range{.dhat = dhat};
            const auto energy = [&](double t, double e) {
                const double z = t * t / eps_x;
                return (2 - z) * z * (*law)(e * e, range).value;
            };
            const double hs = 1e-4 * s, hd = 1e-4 * d;
            const double ss = (energy(s + hs, d) - 2 * energy(s, d) + energy(s - hs, d)) / (hs * hs);
            const double dd = (energy(s, d + hd) - 2 * energy(s, d) + energy(s, d - hd)) / (hd * hd);
            const double sd =
                (energy(s + hs, d + hd) - energy(s + hs, d - hd) - energy(s - hs, d + hd) + energy(s - hs, d - hd)) /
                (4 * hs * hd);
            // Two crossing edges of length 1 with sine s, d apart.
            Mat<3, 4> x;
            x << Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), Vec3(-0.5 * std::sqrt(1 - s * s), -0.5 * s, d),
                Vec3(0.5 * std::sqrt(1 - s * s), 0.5 * s, d);
            const auto closest = line_line_closest(x.col(0), x.col(1), x.col(2), x.col(3));
            const auto H = MollifiedHessian::of(
                Mode::analytic, law->distance_kind(), x, closest, eps_x, (*law)(d * d, range), dhat);
            // The same clamped by Eigen, in s and d / dhat
            Mat<2, 2> M;
            M << ss, sd, sd, dd;
            const Eigen::SelfAdjointEigenSolver<Mat<2, 2>> solver(M);
            const Mat<2, 2> expected = solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() *
                                       solver.eigenvectors().transpose();
            EXPECT_NEAR(H.K.xx, expected(0, 0), 1e-6 * expected.norm());
            EXPECT_NEAR(H.K.xy, expected(0, 1), 1e-6 * expected.norm());
            EXPECT_NEAR(H.K.yy, expected(1, 1), 1e-6 * expected.norm());
        }
}

TEST(AnalyticHessian, OfMollifiedEdgesKeepsBothEigenvaluesNearContact)
{
    // For small s, M is definite where L L_ff > 2 L_f²: with the squared logarithm below f = 0.047, though GIPC takes
    // λ_7 for negative everywhere.
    const double eps_x = 1e-3, s = 1e-3;
    const auto determinant = [&](double d) {
        const Law law = normal_law("clamped_log_squared");
        Mat<3, 4> x;
        x << Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), Vec3(-0.5, -0.5 * s, d), Vec3(0.5, 0.5 * s, d);
        const auto closest = line_line_closest(x.col(0), x.col(1), x.col(2), x.col(3));
        const auto [xx, xy, yy] =
            MollifiedHessian::of(
                Mode::analytic, DistanceKind::squared, x, closest, eps_x, (*law)(d * d, {.dhat = 1}), 1)
                .K;
        return (xx * yy - xy * xy) / (xx * yy);
    };
    EXPECT_GT(determinant(0.01), 0.1);
    EXPECT_GT(determinant(0.04), 0.01);
    EXPECT_NEAR(determinant(0.06), 0, 1e-14) << "of rank one";
    EXPECT_NEAR(determinant(0.5), 0, 1e-14);
}

TEST(AnalyticHessian, OfParallelEdgesIsTheLimitOfEdgesThatTurnAboutTheirGap)
{
    const double gap = 0.35;
    for (const Mode mode : {Mode::analytic, Mode::gauss_newton})
        for (const Law& law : all_laws(1)) {
            SCOPED_TRACE(law->name());
            const auto hessian_at = [&](double sine) {
                const Positions X = positions({{0, 0, 0}, {1, 0, 0}, {0.25, gap, -sine / 2}, {1.25, gap, sine / 2}});
                const Scene scene("", CollisionMesh(X, elements({{0, 1}, {2, 3}}), no_faces), X, {.dhat = 1});
                return term_hessians(potential(scene, law, mode), scene)[0];
            };
            const Matrix parallel = hessian_at(0), nearly = hessian_at(1e-11);
            EXPECT_TRUE(parallel.allFinite());
            EXPECT_EQ(parallel.norm() > 0, mode == Mode::gauss_newton || is_barrier(*law))
                << "the energy is 0 there, but not its curvature";
            expect_near(nearly, parallel, 1e-6, nearly.norm() + 1e-3);
        }
}

TEST(AnalyticHessian, OfAnEdgeThatShrankToAPointIsFinite)
{
    Positions rest = positions({{0, 0, 0}, {1, 0, 0}, {0.2, 0.3, 0}, {0.9, 0.3, 0}}), X = rest;
    X.row(1) = X.row(0);
    NormalCollisions collisions;
    const CollisionMesh mesh(rest, elements({{0, 1}, {2, 3}}), no_faces);
    collisions.build(mesh, rest, {.dhat = 1});
    ASSERT_GT(collisions.ee().size(), 0u);
    for (const Mode mode : {Mode::analytic, Mode::gauss_newton}) {
        const BarrierPotential barrier({.dhat = 1, .hessian_mode = mode});
        const Matrix H = barrier.hessian(collisions, mesh, X);
        EXPECT_TRUE(H.allFinite());
    }
}

// --- Switches ---

TEST(PairCurvature, IsCappedWhereTheFilterSaysAndNowhereWithoutOne)
{
    const Law law = normal_law("clamped_log_squared");
    const ContactRange range{.dhat = 0.5, .dmin = 0.02};
    const auto exact = [&](double d) { return curvature_by_distance((*law)(d * d, range), d * d); };
    for (const Mode mode : {Mode::analytic, Mode::analytic_unmollified})
        for (const double filter : {0.0, 1e-3, 0.5}) {
            const PairCurvature curvature(mode, *law, range, filter);
            const double threshold = range.dmin + filter * range.dhat;
            for (const double share : {1e-6, 1e-4, 0.02, 0.3, 0.7}) {
                const double d = range.dmin + share * range.dhat;
                // Compilers may fuse the products of one place and not those of the other.
                const double expected = d < threshold ? exact(threshold) : exact(d);
                EXPECT_NEAR(curvature((*law)(d * d, range), d * d), expected, 1e-13 * expected);
            }
        }
    for (const double wrong : {-0.1, 1.0, std::nan("")})
        EXPECT_THROW(BarrierPotential({.dhat = 1, .hessian_filter = wrong}), InvalidInput);
}

TEST(AnalyticHessian, WithAbsoluteValuesIsThatProjection)
{
    for (const Scene& scene : mixed_scenes()) {
        SCOPED_TRACE(scene.name);
        const Law law = normal_law("clamped_log");
        const Matrix expected =
            potential(scene, law, Mode::exact).hessian(scene.collisions, scene.mesh, scene.X, Method::abs);
        const Matrix clamped =
            potential(scene, law, Mode::exact).hessian(scene.collisions, scene.mesh, scene.X, Method::clamp);
        const Matrix actual = potential(scene, law, Mode::absolute).hessian(scene.collisions, scene.mesh, scene.X);
        EXPECT_EQ(actual, expected);
        EXPECT_NE(actual, clamped);
    }
}

TEST(AnalyticHessian, WithoutMollifierHasTheCurvatureAlongTheGapTimesTheMollifier)
{
    int num_mollified = 0;
    for (const Scene& scene : single_terms(0.35, {.dhat = 1})) {
        SCOPED_TRACE(scene.name);
        const Law law = normal_law("clamped_log_squared");
        const auto unmollified = term_hessians(potential(scene, law, Mode::analytic_unmollified), scene);
        const auto analytic = term_hessians(potential(scene, law, Mode::analytic), scene);
        for (std::size_t k = 0; k < analytic.size(); ++k) {
            const Term term = term_of(scene, k);
            if (term.z >= 1) {
                EXPECT_EQ(unmollified[k], analytic[k]);
                continue;
            }
            ++num_mollified;
            const LawTerm b = (*law)(term.squared_distance, {.dhat = 1});
            const double curvature =
                7 * term.collision.weight * (2 - term.z) * term.z * curvature_by_distance(b, term.squared_distance);
            expect_near(
                unmollified[k], std::max(0.0, curvature) * term.d_gradient * term.d_gradient.transpose(), 1e-12,
                std::abs(curvature) * term.d_gradient.squaredNorm() + 1e-12);
        }
    }
    EXPECT_GT(num_mollified, 0);
}

TEST(AnalyticHessian, HybridIsTheProjectedOneOfNearlyParallelEdgesAndOfPairsCloseToContact)
{
    int num_closed = 0, num_mollified = 0, num_deep = 0;
    for (const double dmin : {0.0, 0.01})
        for (const double gap : {0.35, 0.05})
            for (const Scene& scene : single_terms(gap, {.dhat = 1, .dmin = dmin})) {
                SCOPED_TRACE(scene.name);
                const Law law = normal_law("clamped_log_squared");
                const auto hybrid = term_hessians(potential(scene, law, Mode::hybrid), scene);
                const auto analytic = term_hessians(
                    BarrierPotential(
                        {.dhat = 1, .stiffness = 7, .law = law, .hessian_mode = Mode::analytic, .hessian_filter = 0}),
                    scene);
                const auto clamped = term_hessians(potential(scene, law, Mode::exact), scene, Method::clamp);
                for (std::size_t k = 0; k < hybrid.size(); ++k) {
                    const Term term = term_of(scene, k);
                    const bool is_mollified = term.z < 1;
                    const bool is_deep = std::sqrt(term.squared_distance) < dmin + 0.1;
                    EXPECT_EQ(hybrid[k], is_mollified || is_deep ? clamped[k] : analytic[k]);
                    ++(is_mollified ? num_mollified : is_deep ? num_deep : num_closed);
                }
            }
    EXPECT_GT(num_closed, 0);
    EXPECT_GT(num_mollified, 0);
    EXPECT_GT(num_deep, 0);
}

// --- What every set must keep ---

TEST(AnalyticHessian, IsPositiveSemidefiniteForEveryLawSetAndWeight)
{
    int num_negative = 0, num_mollified = 0;
    for (const Mode mode : {Mode::analytic, Mode::gauss_newton, Mode::analytic_unmollified, Mode::hybrid}) {
        std::vector<Scene> scenes = mixed_scenes();
        for (const double gap : {0.02, 0.35})
            for (Scene& scene : single_terms(gap, {.dhat = 1}))
                scenes.push_back(std::move(scene));
        for (const Scene& scene : scenes)
            for (const Law& law : all_laws(scene.collisions.options().dhat)) {
                SCOPED_TRACE(scene.name + ", " + law->name());
                const BarrierPotential P = potential(scene, law, mode);
                const auto hessians = term_hessians(P, scene);
                for (std::size_t k = 0; k < hessians.size(); ++k) {
                    const Matrix& H = hessians[k];
                    const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(H).eigenvalues();
                    EXPECT_GE(eigenvalues.minCoeff(), -1e-12 * eigenvalues.cwiseAbs().maxCoeff());
                    const Term term = term_of(scene, k);
                    num_mollified += term.z < 1 ? 1 : 0;
                    if (term.collision.weight < 0) {
                        ++num_negative;
                        // A convex law in a term of negative weight: nothing is left.
                        if (term.z >= 1 && law->name() == "clamped_log of the distance") {
                            EXPECT_EQ(H.norm(), 0);
                        }
                    }
                    // No force on a pair that moves as one
                    if (term.collision.kind != PairKind::plane_vertex)
                        for (int a = 0; a < scene.mesh.dim(); ++a) {
                            Vector move = Vector::Zero(H.rows());
                            for (int i = a; i < H.rows(); i += scene.mesh.dim())
                                move[i] = 1;
                            EXPECT_LE((H * move).norm(), 1e-12 * H.norm());
                        }
                }
                // Together
                const Matrix sum = P.hessian(scene.collisions, scene.mesh, scene.X);
                const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(sum).eigenvalues();
                EXPECT_GE(eigenvalues.minCoeff(), -1e-12 * eigenvalues.cwiseAbs().maxCoeff());
                // Of edges that are exactly parallel, a mollifier that counts as constant leaves nothing.
                const bool may_vanish = mode == Mode::analytic_unmollified && scene.name == "parallel";
                EXPECT_GE(sum.norm(), is_barrier(*law) && !law->name().starts_with("cubic") && !may_vanish ? 1e-12 : 0);
            }
    }
    EXPECT_GT(num_negative, 0);
    EXPECT_GT(num_mollified, 0);
}

TEST(AnalyticHessian, LeavesValueAndGradientAndNeedsNoProjection)
{
    for (const Scene& scene : mixed_scenes()) {
        SCOPED_TRACE(scene.name);
        const Law law = normal_law("clamped_log_squared");
        const BarrierPotential exact = potential(scene, law, Mode::exact);
        EXPECT_EQ(exact.hessian_mode(), Mode::exact);
        for (const Mode mode : {Mode::analytic, Mode::gauss_newton}) {
            const BarrierPotential P = potential(scene, law, mode);
            EXPECT_EQ(P.hessian_mode(), mode);
            EXPECT_EQ(P(scene.collisions, scene.mesh, scene.X), exact(scene.collisions, scene.mesh, scene.X));
            EXPECT_EQ(
                P.gradient(scene.collisions, scene.mesh, scene.X),
                exact.gradient(scene.collisions, scene.mesh, scene.X));
            const Matrix H = P.hessian(scene.collisions, scene.mesh, scene.X);
            for (const Method method : {Method::clamp, Method::abs})
                EXPECT_EQ(Matrix(P.hessian(scene.collisions, scene.mesh, scene.X, method)), H);
            EXPECT_NE(Matrix(exact.hessian(scene.collisions, scene.mesh, scene.X, Method::clamp)), H);
            // Gradient and blocks in one pass give what each gives alone.
            const Stencils& stencils = scene.collisions.stencils();
            const int dim = scene.mesh.dim();
            std::vector<double> gradients(stencils.num_entries() * dim), alone(gradients.size());
            std::vector<double> blocks(stencils.num_blocks() * dim * dim), blocks_alone(blocks.size());
            P.evaluate(
                scene.collisions, scene.mesh, scene.X,
                {.gradients = gradients.data(), .blocks = blocks.data(), .hessian = HessianForm::analytic});
            P.evaluate(scene.collisions, scene.mesh, scene.X, {.gradients = alone.data()});
            P.evaluate(
                scene.collisions, scene.mesh, scene.X,
                {.blocks = blocks_alone.data(), .hessian = HessianForm::analytic});
            EXPECT_EQ(gradients, alone);
            EXPECT_EQ(blocks, blocks_alone);
        }
    }
}

TEST(AnalyticHessian, TurnsWithTheScene)
{
    RandomStream random(4);
    for (const Mode mode : {Mode::analytic, Mode::gauss_newton})
        for (const Scene& scene : single_collisions(0.35, {.dhat = 1})) {
            if (scene.mesh.dim() == 2)
                continue;
            SCOPED_TRACE(scene.name);
            const Mat<3, 3> R = random_rotation<3>(random);
            const Positions X = scene.X * R.transpose();
            Matrix R_all = Matrix::Zero(scene.mesh.ndof(), scene.mesh.ndof());
            for (int v = 0; v < scene.mesh.num_vertices(); ++v)
                R_all.block<3, 3>(3 * v, 3 * v) = R;
            const BarrierPotential P = potential(scene, normal_law("clamped_log_squared"), mode);
            const Matrix H = P.hessian(scene.collisions, scene.mesh, scene.X);
            const Matrix turned = P.hessian(scene.collisions, scene.mesh, X);
            expect_near(turned, R_all * H * R_all.transpose(), 1e-10, H.norm());
        }
}

TEST(AnalyticHessian, HasTheSameBitsForAnyNumberOfThreads)
{
    const MeshData data = layers_of_cloth(24, 0.01);
    const CollisionMesh mesh(data);
    NormalCollisions collisions;
    collisions.build(mesh, data.vertices, {.dhat = 0.03});
    ASSERT_GT(collisions.size(), 4096u);
    const BarrierPotential barrier({.dhat = 0.03, .hessian_mode = Mode::analytic});
    const auto run = [&](int threads) {
        set_num_threads(threads);
        const Eigen::SparseMatrix<double> H = barrier.hessian(collisions, mesh, data.vertices);
        set_num_threads(0);
        return std::vector<double>(H.valuePtr(), H.valuePtr() + H.nonZeros());
    };
    const auto one = run(1);
    EXPECT_TRUE(run(2) == one);
    EXPECT_TRUE(run(4) == one);
}

} // namespace

} // namespace abut::test::gipc_test
