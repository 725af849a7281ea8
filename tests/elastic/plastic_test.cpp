// Materials that flow: derivatives in every branch, the minimum that flow is, and what is remembered.

#include "abut/base/parallel.hpp"
#include "abut/elastic/hencky.hpp"
#include "abut/elastic/plastic_hinges.hpp"
#include "abut/elastic/plastic_solids.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "elastic_states.hpp"
#include "support/finite_differences.hpp"
#include "support/term_subsets.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace abut::test::plastic_test {
namespace {

constexpr LameParameters lame{.mu = 0.8, .lambda = 1.7};

struct Law {
    const char* name;
    double yield, slope;
};
constexpr std::array laws{
    Law{"perfectly plastic", 0.3, 0}, Law{"hardening", 0.3, 0.5}, Law{"viscous", 0.3, 40},
    Law{"hardly plastic", 0.02, 0.1}, Law{"too strong to flow", 50, 0.5}};

template <int D>
StretchTerm<D> phi_at(const Law& law, const Vec<D>& sigma, double third, Order order = Order::hessian)
{
    Lanes lanes[D];
    for (int i = 0; i < D; ++i)
        lanes[i] = broadcast(sigma[i]);
    StretchTerm<D> phi;
    flow_energy<D>(
        {broadcast(lame.mu), broadcast(lame.lambda)}, {broadcast(law.yield), broadcast(law.slope), broadcast(third)},
        lanes, order, phi);
    return phi;
}

template <int D>
FlowTerm<D> flow_at(const Law& law, const Vec<D>& sigma, double third)
{
    Lanes lanes[D];
    for (int i = 0; i < D; ++i)
        lanes[i] = broadcast(sigma[i]);
    return flow_of<D>(
        {broadcast(lame.mu), broadcast(lame.lambda)}, {broadcast(law.yield), broadcast(law.slope), broadcast(third)},
        lanes);
}

template <int D>
Vec<D> gradient_of(const StretchTerm<D>& phi)
{
    Vec<D> gradient;
    for (int i = 0; i < D; ++i)
        gradient[i] = phi.first[i][0];
    return gradient;
}

/// Calls check(law, sigma, third) for stretches of every kind; of two also with strain across the plane. Says how often
/// the material flows.
template <int D, typename Check>
std::pair<int, int> for_each_case(Check&& check)
{
    int num_flowing = 0, num_elastic = 0;
    for (const Law& law : laws)
        for (const auto& state : stretch_cases<D>())
            for (const double third : {0.0, 0.2, -0.15}) {
                if (state.is_inverted || (D == 3 && third != 0))
                    continue;
                SCOPED_TRACE(
                    testing::Message() << law.name << ", " << D << " stretches, " << state.name << ", " << third
                                       << " across");
                const double flow = flow_at<D>(law, state.sigma, third).equivalent[0];
                ++(flow > 0 ? num_flowing : num_elastic);
                check(law, state.sigma, third);
            }
    return {num_flowing, num_elastic};
}

template <int D>
void expect_derivatives()
{
    const auto [num_flowing, num_elastic] = for_each_case<D>([](const Law& law, const Vec<D>& sigma, double third) {
        const auto phi = phi_at<D>(law, sigma, third);
        const VectorFunction value = [&](const Eigen::VectorXd& s) -> Eigen::VectorXd {
            return Eigen::VectorXd::Constant(1, phi_at<D>(law, s, third, Order::value).value[0]);
        };
        const VectorFunction gradient = [&](const Eigen::VectorXd& s) -> Eigen::VectorXd {
            return gradient_of(phi_at<D>(law, s, third, Order::gradient));
        };
        // Differences that stay on one side of the yield surface
        const double length = 0.3 * sigma.minCoeff();
        Mat<D, D> second;
        phi.second.get(0, second);
        expect_matches(gradient_of(phi).transpose(), central_differences(value, sigma, length), "gradient");
        expect_matches(second, central_differences(gradient, sigma, length), "Hessian");
        for (int k = 0; k < StretchTerm<D>::num_pairs; ++k) {
            const auto [i, j] = PairCorners<D>(k);
            const double gap = sigma[i] - sigma[j], sum = sigma[i] + sigma[j], scale = second.cwiseAbs().maxCoeff();
            const Vec<D> first = gradient_of(phi);
            const bool are_apart = std::abs(gap) > 0.01;
            const double flip =
                are_apart ? (first[i] - first[j]) / gap : (second(i, i) + second(j, j)) / 2 - second(i, j);
            EXPECT_NEAR(phi.flip[k][0], flip, 1e-12 * scale);
            EXPECT_NEAR(phi.twist[k][0], (first[i] + first[j]) / sum, 1e-12 * scale);
        }
    });
    EXPECT_GT(num_flowing, 15);
    EXPECT_GT(num_elastic, 10);
}

TEST(Flow, DerivativesOfThreeStretchesMatchDifferencesWhereItFlowsAndWhereItDoesNot) { expect_derivatives<3>(); }
TEST(Flow, DerivativesOfTwoStretchesMatchDifferencesWhereItFlowsAndWhereItDoesNot) { expect_derivatives<2>(); }

TEST(Flow, StretchesThatMeetHaveTheSeriesOfTheirDivision)
{
    // Across the place where the series takes over, both ways give the same.
    for (const double gap : {1e-12, 1e-7, 1e-3, 0.09, 0.0999, 0.1001, 0.11, 0.3}) {
        const Vec3 sigma(1 + gap / 2, 1 - gap / 2, 0.9);
        const auto phi = phi_at<3>(laws[1], sigma, 0);
        const double artanh = std::atanh(gap / 2), m_term = artanh / (gap / 2);
        const Lanes s[3]{broadcast(sigma[0]), broadcast(sigma[1]), broadcast(sigma[2])};
        StretchTerm<3> elastic;
        hencky_energy<3>({broadcast(lame.mu), broadcast(lame.lambda)}, s, Order::hessian, elastic);
        const double tau = (sigma[0] * elastic.first[0][0] + sigma[1] * elastic.first[1][0]) / 2;
        EXPECT_NEAR(elastic.flip[2][0], (2 * lame.mu * m_term - tau) / (sigma[0] * sigma[1]), 1e-14) << gap;
        EXPECT_TRUE(std::isfinite(phi.flip[2][0]));
    }
}

/// The energy of a step by its definition: elastic energy of e - p, and what flow p costs.
double energy_with_flow(const Law& law, const Vec3& e, const Vec3& p)
{
    const Vec3 left = e - p;
    const double equivalent = std::sqrt(2.0 / 3) * p.norm();
    return lame.lambda / 2 * left.sum() * left.sum() + lame.mu * left.squaredNorm() + law.yield * equivalent +
           law.slope / 2 * equivalent * equivalent;
}

TEST(Flow, IsTheLeastAmongAllFlowsWithoutChangeOfVolume)
{
    RandomStream random(5);
    const auto [num_flowing, num_elastic] = for_each_case<3>([&](const Law& law, const Vec3& sigma, double) {
        const Vec3 e = sigma.array().log();
        const auto term = flow_at<3>(law, sigma, 0);
        const Vec3 p(term.principal[0][0], term.principal[1][0], term.principal[2][0]);
        EXPECT_NEAR(p.sum(), 0, 1e-15);
        EXPECT_NEAR(std::sqrt(2.0 / 3) * p.norm(), term.equivalent[0], 1e-14);
        const double least = energy_with_flow(law, e, p);
        EXPECT_NEAR(phi_at<3>(law, sigma, 0).value[0], least, 1e-13);
        for (int k = 0; k < 100; ++k) {
            Vec3 other(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
            other.array() -= other.mean();
            for (const double size : {1e-4, 1e-2, 0.5})
                EXPECT_GE(energy_with_flow(law, e, p + size * other), least - 1e-14);
        }
    });
    EXPECT_GT(num_flowing, 10);
    EXPECT_GT(num_elastic, 5);
}

TEST(Flow, TwoStretchesAreThreeWithWhatIsAcross)
{
    for_each_case<2>([](const Law& law, const Vec2& sigma, double third) {
        const auto flat = phi_at<2>(law, sigma, third);
        const auto solid = phi_at<3>(law, Vec3(sigma[0], sigma[1], std::exp(third)), 0);
        EXPECT_NEAR(flat.value[0], solid.value[0], 1e-13);
        for (int i = 0; i < 2; ++i)
            EXPECT_NEAR(flat.first[i][0], solid.first[i][0], 1e-12 * (1 + std::abs(solid.first[i][0])));
        EXPECT_NEAR(flat.flip[0][0], solid.flip[2][0], 1e-12 * (1 + std::abs(solid.flip[2][0])));
    });
}

TEST(Flow, AtTheYieldSurfaceTheForceIsOneAndEachSideHasItsTangent)
{
    // Stretches whose q is the yield stress up to rounding, and a little to both sides of it.
    const Vec3 direction(0.7, -0.1, -0.35);
    for (const Law& law : {laws[0], laws[1], laws[2]}) {
        SCOPED_TRACE(law.name);
        const Vec3 deviator = direction.array() - direction.mean();
        const double size = law.yield / (2 * lame.mu * std::sqrt(1.5) * deviator.norm());
        const auto at = [&](double scale) -> Vec3 { return (scale * size * direction).array().exp(); };
        const double off = 1e-9;
        const auto below = phi_at<3>(law, at(1 - off), 0), above = phi_at<3>(law, at(1 + off), 0);
        EXPECT_EQ(flow_at<3>(law, at(1 - off), 0).equivalent[0], 0);
        EXPECT_GT(flow_at<3>(law, at(1 + off), 0).equivalent[0], 0);
        EXPECT_LE((gradient_of(below) - gradient_of(above)).cwiseAbs().maxCoeff(), 1e-8);
        // The tangent is that of its side, and on the surface one of the two.
        Mat<3, 3> inside, outside, here;
        below.second.get(0, inside);
        above.second.get(0, outside);
        phi_at<3>(law, at(1), 0).second.get(0, here);
        const double h = 1e-5;
        const auto expect_slope = [&](const Mat<3, 3>& tangent, double from, double to) {
            const Vec3 change = gradient_of(phi_at<3>(law, at(to), 0)) - gradient_of(phi_at<3>(law, at(from), 0));
            EXPECT_LE((tangent * (at(to) - at(from)) - change).cwiseAbs().maxCoeff(), 20 * h * h);
        };
        expect_slope(inside, 1 - h, 1);
        expect_slope(outside, 1, 1 + h);
        EXPECT_LE(std::min((here - inside).norm(), (here - outside).norm()), 1e-7);
        EXPECT_GT((inside - outside).norm(), 0.1 / (1 + law.slope));
        EXPECT_NEAR(below.flip[0][0], above.flip[0][0], 1e-7); // m is continuous
    }
}

TEST(Flow, ValuesKeepTheirDigitsHoweverLittleStressIsLeft)
{
    // Without change of volume and without hardening: (2 q Y - Y²) / (6 mu), of which q² / (6 mu) is 1e13 times as
    // much.
    const Law law{"nearly fluid", 1e-13, 0};
    const Vec3 sigma(2, 0.5, 1);
    const double q = flow_at<3>(law, sigma, 0).stress[0];
    EXPECT_NEAR(q, 2 * lame.mu * std::sqrt(3.0) * std::log(2.0), 1e-14);
    const double value = (2 * q * law.yield - law.yield * law.yield) / (6 * lame.mu);
    const StretchTerm<3> phi = phi_at<3>(law, sigma, 0);
    EXPECT_NEAR(phi.value[0], value, 1e-12 * value);
    EXPECT_GT(phi.flip[0][0] + phi.flip[1][0] + phi.flip[2][0], 0); // 2 m of each is above 0
}

// --- Elements ---

std::vector<Plasticity> different_materials(std::size_t count)
{
    std::vector<Plasticity> materials;
    for (std::size_t k = 0; k < count; ++k)
        materials.push_back({0.1 + 0.05 * double(k % 4), k % 3 == 0 ? 0 : 0.4, k % 5 < 2 ? 0 : 0.02});
    return materials;
}

PlasticSolids<3> tets_that_flow(const MeshData& mesh)
{
    return {
        TetElasticity(mesh.vertices, mesh.tets, {ElasticModel::hencky, {lame}}),
        different_materials(static_cast<std::size_t>(mesh.tets.rows()))};
}

MeshData planar()
{
    const MeshData sheet = generate::plane_grid({.size = Vec2(1, 1), .cells = {3, 3}});
    MeshData mesh;
    mesh.vertices.resize(sheet.vertices.rows(), 2);
    mesh.vertices << sheet.vertices.col(2), sheet.vertices.col(0);
    mesh.faces = sheet.faces;
    return mesh;
}

PlasticSolids<2> triangles_that_flow(const MeshData& mesh)
{
    return {
        PlanarElasticity(mesh.vertices, mesh.faces, {ElasticModel::hencky, {lame}, {0.3}}),
        different_materials(static_cast<std::size_t>(mesh.faces.rows()))};
}

/// After some steps of flow to and fro.
template <typename Elements>
PlasticState kneaded(Elements& elements, const Positions& rest, int num_steps, double size)
{
    PlasticState state = elements.initial();
    for (int k = 0; k < num_steps; ++k) {
        elements.begin_step(state, 0.1);
        state = elements.flowed(shaken(rest, size, static_cast<std::uint64_t>(k + 1)));
    }
    return state;
}

template <typename Energy>
void expect_matching_derivatives(const Energy& energy, const Positions& x, double length)
{
    const Eigen::Index rows = x.rows(), cols = x.cols();
    const auto at = [&](const Eigen::VectorXd& flat) {
        return assembled(energy, Positions(flat.reshaped(cols, rows).transpose()));
    };
    const VectorFunction value = [&](const Eigen::VectorXd& flat) -> Eigen::VectorXd {
        return Eigen::VectorXd::Constant(1, at(flat).value());
    };
    const VectorFunction gradient = [&](const Eigen::VectorXd& flat) -> Eigen::VectorXd { return at(flat).gradient; };
    const Eigen::VectorXd flat = x.transpose().reshaped();
    expect_matches(at(flat).gradient.transpose(), central_differences(value, flat, length), "gradient");
    expect_matches(at(flat).hessian, central_differences(gradient, flat, length), "Hessian");
    for (const PSDProjectionMethod method : projections)
        EXPECT_GE(smallest_eigenvalue(assembled(energy, x, method).hessian), -1e-12);
}

/// How many have flowed more than before.
int num_flowed(const PlasticState& before, const PlasticState& after)
{
    int count = 0;
    for (std::size_t k = 0; k < before.strain.size(); ++k)
        count += after.strain[k] > before.strain[k] ? 1 : 0;
    return count;
}

TEST(PlasticSolids, DerivativesOfTetsMatchDifferences)
{
    const MeshData mesh = generate::tet_box({.size = Vec3(1, 1, 1), .subdivisions = {1, 1, 1}});
    PlasticSolids<3> tets = tets_that_flow(mesh);
    const PlasticState start = kneaded(tets, mesh.vertices, 5, 0.15);
    tets.begin_step(start, 0.1);
    const Positions x = shaken(mesh.vertices, 0.2, 77);
    EXPECT_GT(num_flowed(start, tets.flowed(x)), 2);
    expect_matching_derivatives(tets, x, 0.05);
}

TEST(PlasticSolids, DerivativesOfTrianglesMatchDifferences)
{
    const MeshData mesh = planar();
    PlasticSolids<2> triangles = triangles_that_flow(mesh);
    const PlasticState start = kneaded(triangles, mesh.vertices, 5, 0.06);
    triangles.begin_step(start, 0.1);
    const Positions x = shaken(mesh.vertices, 0.08, 77);
    EXPECT_GT(num_flowed(start, triangles.flowed(x)), 4);
    expect_matching_derivatives(triangles, x, 0.02);
}

TEST(PlasticSolids, FlowKeepsTheDeterminantOfManySteps)
{
    const MeshData mesh = generate::tet_box({.size = Vec3(1, 1, 1), .subdivisions = {2, 1, 1}});
    PlasticSolids<3> tets = tets_that_flow(mesh);
    const PlasticState state = kneaded(tets, mesh.vertices, 2000, 0.1);
    for (std::size_t k = 0; k < tets.size(); ++k) {
        EXPECT_NEAR((Eigen::Map<const Mat<3, 3>>(state.deformation.data() + 9 * k).determinant()), 1, 1e-12);
        EXPECT_GT(state.strain[k], 1);
    }
}

MeshData one_tet()
{
    MeshData tet;
    tet.vertices.resize(4, 3);
    tet.vertices << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    tet.tets.resize(1, 4);
    tet.tets << 0, 1, 2, 3;
    return tet;
}

TEST(PlasticSolids, KeepTheDeterminantWhereAnElementIsPressedNearlyFlat)
{
    // To a thousandth of its height, turned so that F_p is full: stretches of 30 and 0.001 at the end.
    const MeshData tet = one_tet();
    PlasticSolids<3> element(TetElasticity(tet.vertices, tet.tets, {ElasticModel::hencky, {lame}}), {{0.1, 0, 0}});
    PlasticState state = element.initial();
    const Mat<3, 3> R = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    for (int k = 1; k <= 200; ++k) {
        const double height = std::pow(1e-3, k / 200.0), wide = 1 / std::sqrt(height);
        element.begin_step(state, 0.1);
        state = element.flowed(mapped<3, 3>(tet.vertices, R * Vec3(wide, height, wide).asDiagonal() * R.transpose()));
    }
    // Taken exactly: in extended precision, with pivots
    const Eigen::Matrix<long double, 3, 3> F_p =
        Eigen::Map<const Mat<3, 3>>(state.deformation.data()).cast<long double>();
    EXPECT_NEAR(static_cast<double>(Eigen::FullPivLU<Eigen::Matrix<long double, 3, 3>>(F_p).determinant()), 1, 1e-10);
    EXPECT_GT(state.strain[0], 6);
}

TEST(PlasticSolids, InThePlaneAreThoseOfSpaceThatAreHeldAcross)
{
    // Step by step, there and back and turned: the same strain, energy and F_p, whose entry across is 1 / det.
    const MeshData tet = one_tet();
    MeshData triangle;
    triangle.vertices = tet.vertices.topLeftCorner(3, 2);
    triangle.faces.resize(1, 3);
    triangle.faces << 0, 1, 2;
    const std::vector<Plasticity> material{{0.1, 0.2, 0.01}};
    PlasticSolids<3> solid(TetElasticity(tet.vertices, tet.tets, {ElasticModel::hencky, {lame}}), material);
    PlasticSolids<2> flat(
        PlanarElasticity(triangle.vertices, triangle.faces, {ElasticModel::hencky, {lame}, {1.0 / 3}}), material);
    PlasticState of_solid = solid.initial(), of_flat = flat.initial();
    RandomStream random(3);
    for (int k = 0; k < 100; ++k) {
        Mat<3, 3> F = Mat<3, 3>::Identity();
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                F(i, j) += random.uniform(-0.3, 0.3);
        solid.begin_step(of_solid, 0.1);
        flat.begin_step(of_flat, 0.1);
        const Positions x = mapped<3, 3>(tet.vertices, F), y = mapped<2, 2>(triangle.vertices, F.topLeftCorner<2, 2>());
        EXPECT_NEAR(assembled(flat, y).value(), assembled(solid, x).value(), 1e-12);
        of_solid = solid.flowed(x);
        of_flat = flat.flowed(y);
    }
    EXPECT_GT(of_flat.strain[0], 3);
    EXPECT_NEAR(of_flat.strain[0], of_solid.strain[0], 1e-10);
    Mat<3, 3> F_p = Mat<3, 3>::Zero();
    F_p.topLeftCorner<2, 2>() = Eigen::Map<const Mat<2, 2>>(of_flat.deformation.data());
    F_p(2, 2) = 1 / F_p.topLeftCorner<2, 2>().determinant();
    EXPECT_LE((F_p - Eigen::Map<const Mat<3, 3>>(of_solid.deformation.data())).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_GT(std::abs(F_p(2, 2) - 1), 0.01);
}

TEST(PlasticSolids, EndOnTheYieldSurfaceAndRestThere)
{
    // What a step ends with is elastic in the next one, with the same force, unless it is viscous.
    const MeshData mesh = generate::tet_box({.size = Vec3(1, 1, 1), .subdivisions = {2, 1, 1}});
    PlasticSolids<3> tets(
        TetElasticity(mesh.vertices, mesh.tets, {ElasticModel::hencky, {lame}}),
        std::vector<Plasticity>(static_cast<std::size_t>(mesh.tets.rows()), {0.2, 0.3, 0}));
    PlasticState state = tets.initial();
    const Positions x = shaken(mesh.vertices, 0.15);
    tets.begin_step(state, 0.1);
    const Eigen::VectorXd force = assembled(tets, x).gradient;
    const FlowSums sums = tets.sums(x);
    state = tets.flowed(x);
    tets.begin_step(state, 0.1);
    EXPECT_LE((assembled(tets, x).gradient - force).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_NEAR(tets.sums(x).unflowed, sums.stored, 1e-14);
    EXPECT_NEAR(tets.sums(x).heat, 0, 1e-14);
    EXPECT_GT(sums.heat, 0.01);
    // Frozen it is the same, and stays elastic farther on.
    tets.begin_step(state, 0.1, false);
    EXPECT_LE((assembled(tets, x).gradient - force).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_EQ(tets.flowed(shaken(x, 0.1)).strain, state.strain);
}

TEST(PlasticSolids, TheValueIsWhatIsStoredAndWhatFlowTakes)
{
    const MeshData mesh = generate::tet_box({.size = Vec3(1, 1, 1), .subdivisions = {2, 2, 1}});
    const std::vector<Plasticity> materials(static_cast<std::size_t>(mesh.tets.rows()), {0.2, 0.3, 0});
    const TetElasticity rest(mesh.vertices, mesh.tets, {ElasticModel::hencky, {lame}});
    PlasticSolids<3> tets(rest, materials);
    const PlasticState start = kneaded(tets, mesh.vertices, 3, 0.15);
    tets.begin_step(start, 0.1);
    const Positions x = shaken(mesh.vertices, 0.15, 9);
    const FlowSums sums = tets.sums(x);
    double hardening = 0; // before the step, which values leave out
    for (std::size_t k = 0; k < tets.size(); ++k)
        hardening += rest.rest_volume(k) * 0.3 / 2 * start.strain[k] * start.strain[k];
    // Of hardening, which is linear, heat takes none: Y da + H/2 ((a + da)² - a²)
    EXPECT_NEAR(assembled(tets, x).value() + hardening, sums.stored + sums.heat, 1e-13);
}

TEST(PlasticSolids, SubsetsAreThoseTermsAsTheyAreNow)
{
    const MeshData mesh = generate::tet_box({.size = Vec3(1, 1, 1), .subdivisions = {3, 2, 1}});
    PlasticSolids<3> tets = tets_that_flow(mesh);
    tets.begin_step(kneaded(tets, mesh.vertices, 3, 0.1), 0.05);
    const Positions x = shaken(mesh.vertices, 0.1, 3);
    const std::vector<double> all = assembled(tets, x).values;
    const std::vector<int> terms{1, 2, 7, 11, 29};
    const std::vector<double> some = assembled(tets.subset(terms), x).values;
    for (std::size_t k = 0; k < terms.size(); ++k)
        EXPECT_EQ(some[k], all[terms[k]]);
}

TEST(PlasticSolids, SameBitsForAnyNumberOfThreads)
{
    const MeshData mesh = generate::tet_box({.size = Vec3(1, 1, 1), .subdivisions = {8, 8, 8}});
    const auto run = [&](int threads) {
        set_num_threads(threads);
        PlasticSolids<3> tets = tets_that_flow(mesh);
        const PlasticState state = kneaded(tets, mesh.vertices, 3, 0.02);
        const FlowSums sums = tets.sums(mesh.vertices);
        set_num_threads(0);
        return std::tuple(state.deformation, state.strain, sums.stored, sums.heat);
    };
    EXPECT_EQ(run(1), run(4));
}

// --- Hinges ---

PlasticHinges hinges_that_flow(const MeshData& mesh)
{
    HingeBending hinges(mesh.vertices, mesh.faces, {.stiffness = {1}});
    const std::size_t count = hinges.stencils().size();
    std::vector<double> thickness;
    for (std::size_t k = 0; k < count; ++k)
        thickness.push_back(0.1 + 0.01 * double(k % 3));
    return {std::move(hinges), mesh.vertices, thickness, [&] {
                std::vector<Plasticity> all;
                for (std::size_t k = 0; k < count; ++k)
                    all.push_back({20.0 + 5.0 * double(k % 3), k % 2 == 0 ? 0 : 500.0, k % 3 == 0 ? 0 : 50.0});
                return all;
            }()};
}

TEST(PlasticHinges, DerivativesMatchDifferences)
{
    const MeshData mesh = generate::icosphere({.subdivisions = 0});
    PlasticHinges hinges = hinges_that_flow(mesh);
    const PlasticState start = kneaded(hinges, mesh.vertices, 4, 0.2);
    hinges.begin_step(start, 0.1);
    const Positions x = shaken(mesh.vertices, 0.2, 77);
    const int flowing = num_flowed(start, hinges.flowed(x));
    EXPECT_GT(flowing, 4);
    EXPECT_LT(flowing, 30);
    expect_matching_derivatives(hinges, x, 0.1);
}

} // namespace
} // namespace abut::test::plastic_test
