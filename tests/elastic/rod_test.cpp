#include "abut/elastic/rod_elasticity.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "support/eigenvalues.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <optional>
#include <random>

namespace abut::test::rod_test {

namespace {

constexpr double pi = std::numbers::pi;

Edges chain(int num_vertices, bool is_closed)
{
    Edges edges(is_closed ? num_vertices : num_vertices - 1, 2);
    for (int e = 0; e < edges.rows(); ++e)
        edges.row(e) << e, (e + 1) % num_vertices;
    return edges;
}

/// A rod of some vertices that wind through space.
Positions winding(int num_vertices)
{
    Positions X(num_vertices, 3);
    for (int v = 0; v < num_vertices; ++v)
        X.row(v) << std::cos(0.9 * v), std::sin(0.9 * v) + 0.1 * v, 0.4 * v + 0.2 * std::sin(1.7 * v);
    return X;
}

Positions ring(int num_vertices, double radius, double lift = 0)
{
    Positions X(num_vertices, 3);
    for (int v = 0; v < num_vertices; ++v) {
        const double phi = 2 * pi * v / num_vertices;
        X.row(v) << radius * std::cos(phi), radius * std::sin(phi), lift * std::sin(2 * phi);
    }
    return X;
}

Positions moved_about(const Positions& X, double by, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-by, by);
    Positions moved = X;
    for (Eigen::Index k = 0; k < moved.size(); ++k)
        moved.data()[k] += uniform(random);
    return moved;
}

struct Rod {
    RodTopology topology;
    RodBending bending;
};

struct RodCase {
    RodSection section{0.02, 0.02};
    bool is_straight = false;
    double rest_twist = 0;
    std::optional<Plasticity> plasticity = {};
};

Rod make_rod(const Positions& rest, const Edges& edges, const RodCase& given)
{
    RodTopology topology = rod_topology(edges, static_cast<int>(rest.rows()));
    RodBending::Options options{
        .materials = std::vector<RodJointMaterial>(
            topology.joints.size(), {rod_stiffness(given.section, 3e6, 1.1e6), given.is_straight, given.rest_twist,
                                     given.section.area(), given.plasticity}),
        .arc_radii = std::vector<double>(edges.rows(), given.section.larger()),
        .arc_blocks = {},
        .directors = directors_along(rest, topology, std::vector<Vec3>(edges.rows(), Vec3(0.3, -0.2, 1)))};
    for (int e = 0; e < edges.rows(); ++e)
        options.arc_blocks.push_back(static_cast<int>(rest.rows()) + e);
    RodBending bending(rest, topology, std::move(options));
    return {std::move(topology), std::move(bending)};
}

/// Positions and arcs as one vector.
Eigen::VectorXd joined(const Positions& X, const Eigen::VectorXd& arcs)
{
    Eigen::VectorXd x(X.size() + arcs.size());
    x << Eigen::Map<const Eigen::VectorXd>(X.data(), X.size()), arcs;
    return x;
}

struct Evaluated {
    double value = 0;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
};

/// The sum of all terms. `evaluate(X, arcs, out)` writes them.
template <typename Evaluate>
Evaluated
sum_of(const Stencils& stencils, int num_vertices, const Eigen::VectorXd& x, HessianForm form, const Evaluate& evaluate)
{
    const int num_arcs = static_cast<int>(x.size()) - 3 * num_vertices;
    const auto size = [&](int block) { return block < num_vertices ? 3 : 1; };
    const auto start = [&](int block) {
        return block < num_vertices ? 3 * block : 3 * num_vertices + (block - num_vertices);
    };
    std::size_t gradient_size = 0, blocks_size = 0;
    for (std::size_t k = 0; k < stencils.size(); ++k)
        for (std::size_t i = 0; i < stencils[k].size(); ++i) {
            gradient_size += size(stencils[k][i]);
            for (std::size_t j = 0; j <= i; ++j)
                blocks_size += size(stencils[k][i]) * size(stencils[k][j]);
        }
    std::vector<double> values(stencils.size()), gradients(gradient_size), blocks(blocks_size);
    const Positions X = Eigen::Map<const Positions>(x.data(), num_vertices, 3);
    const std::vector<double> arcs(x.data() + 3 * num_vertices, x.data() + 3 * num_vertices + num_arcs);
    evaluate(X, arcs, TermOutput{values.data(), gradients.data(), blocks.data(), form});
    Evaluated sum{0, Eigen::VectorXd::Zero(x.size()), Eigen::MatrixXd::Zero(x.size(), x.size())};
    const double *g = gradients.data(), *b = blocks.data();
    for (std::size_t k = 0; k < stencils.size(); ++k) {
        sum.value += values[k];
        for (std::size_t i = 0; i < stencils[k].size(); ++i) {
            const int row = stencils[k][i];
            sum.gradient.segment(start(row), size(row)) += Eigen::Map<const Eigen::VectorXd>(g, size(row));
            g += size(row);
            for (std::size_t j = 0; j <= i; ++j) {
                const int column = stencils[k][j];
                const Eigen::Map<const Eigen::MatrixXd> block(b, size(row), size(column));
                b += block.size();
                sum.hessian.block(start(row), start(column), size(row), size(column)) += block;
                if (j < i)
                    sum.hessian.block(start(column), start(row), size(column), size(row)) += block.transpose();
            }
        }
    }
    return sum;
}

template <typename Sum>
void expect_derivatives(const Sum& sum, const Eigen::VectorXd& x, double step = 1e-5, double tolerance = 2e-7)
{
    const Evaluated here = sum(x, HessianForm::exact);
    ASSERT_TRUE(std::isfinite(here.value));
    Eigen::VectorXd slopes(x.size());
    Eigen::MatrixXd second(x.size(), x.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) {
        Eigen::VectorXd above = x, below = x, far = x, near = x;
        above[k] += step;
        below[k] -= step;
        far[k] += 2 * step;
        near[k] -= 2 * step;
        const Evaluated a = sum(above, HessianForm::exact), b = sum(below, HessianForm::exact),
                        f = sum(far, HessianForm::exact), n = sum(near, HessianForm::exact);
        slopes[k] = (8 * (a.value - b.value) - (f.value - n.value)) / (12 * step);
        second.col(k) = (8 * (a.gradient - b.gradient) - (f.gradient - n.gradient)) / (12 * step);
    }
    EXPECT_LE(
        (slopes - here.gradient).cwiseAbs().maxCoeff(),
        tolerance * here.gradient.cwiseAbs().maxCoeff() + 1e-13 * here.value / step)
        << "gradient";
    EXPECT_LE((second - here.hessian).cwiseAbs().maxCoeff(), tolerance * here.hessian.cwiseAbs().maxCoeff())
        << "Hessian";
    for (const HessianForm form : {HessianForm::clamp, HessianForm::absolute, HessianForm::analytic}) {
        const Eigen::MatrixXd H = sum(x, form).hessian;
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(H);
        EXPECT_GE(solver.eigenvalues().minCoeff(), -1e-11 * solver.eigenvalues().maxCoeff());
    }
}

void expect_bending_derivatives(const Rod& rod, const Positions& X, const Eigen::VectorXd& arcs, double step = 1e-5)
{
    const int n = static_cast<int>(X.rows());
    expect_derivatives(
        [&](const Eigen::VectorXd& x, HessianForm form) {
            return sum_of(
                rod.bending.stencils(), n, x, form,
                [&](const Positions& at, const std::vector<double>& u, const TermOutput& out) {
                    rod.bending.evaluate(at, u, out);
                });
        },
        joined(X, arcs), step);
}

const std::vector<RodCase>& cases()
{
    static const std::vector<RodCase> all{
        {},
        {.section = {0.03, 0.01}},
        {.is_straight = true},
        {.section = {0.01, 0.03}, .is_straight = true},
        {.rest_twist = 1.3},
        {.section = {0.03, 0.012}, .rest_twist = -0.7}};
    return all;
}

TEST(RodBending, DerivativesAreThoseOfDifferences)
{
    for (const RodCase& given : cases())
        for (const bool is_closed : {false, true}) {
            const Positions rest = is_closed ? ring(6, 1, 0.3) : winding(6);
            const Edges edges = chain(6, is_closed);
            const Rod rod = make_rod(rest, edges, given);
            const Eigen::VectorXd arcs = 0.01 * Eigen::VectorXd::LinSpaced(edges.rows(), -1, 2);
            // Where the frame was made, and away from it, where transport has a derivative of its own
            expect_bending_derivatives(rod, rest, arcs);
            for (unsigned seed = 0; seed < 3; ++seed)
                expect_bending_derivatives(rod, moved_about(rest, 0.25, seed), arcs);
        }
}

TEST(RodBending, DerivativesOfFlowAreThoseOfDifferences)
{
    int num_flowing = 0, num_elastic = 0;
    for (RodCase given : cases())
        for (const Plasticity& plasticity :
             {Plasticity{1e4, 0, 0}, Plasticity{1e4, 1e6, 0}, Plasticity{1e4, 1e5, 3e4}}) {
            given.plasticity = plasticity;
            const Positions rest = winding(7);
            Rod rod = make_rod(rest, chain(7, false), given);
            PlasticState state = rod.bending.initial_flow();
            const Eigen::VectorXd arcs = Eigen::VectorXd::LinSpaced(6, -0.01, 0.02);
            for (unsigned k = 0; k < 3; ++k) {
                rod.bending.begin_flow(state, 0.1);
                state = rod.bending.flowed(moved_about(rest, 0.2, k), {arcs.data(), 6});
            }
            rod.bending.begin_flow(state, 0.1);
            const Positions X = moved_about(rest, 0.25, 11);
            const PlasticState after = rod.bending.flowed(X, {arcs.data(), 6});
            for (std::size_t k = 0; k < 5; ++k)
                ++(after.strain[k] > state.strain[k] ? num_flowing : num_elastic);
            expect_bending_derivatives(rod, X, arcs, 1e-6);
        }
    EXPECT_GT(num_flowing, 20);
    EXPECT_GT(num_elastic, 20);
}

TEST(RodBending, FlowIsElasticAboutWhatHasFlowedAndKnowsItsEnergy)
{
    const Positions rest = winding(7);
    Rod rod = make_rod(rest, chain(7, false), {.section = {0.03, 0.01}, .plasticity = Plasticity{1e4, 1e5, 0}});
    const Eigen::VectorXd arcs = Eigen::VectorXd::LinSpaced(6, -0.01, 0.02);
    const std::span<const double> angles{arcs.data(), 6};
    const Positions X = moved_about(rest, 0.25, 11);
    const auto evaluated = [&] {
        return sum_of(
            rod.bending.stencils(), 7, joined(X, arcs), HessianForm::exact,
            [&](const Positions& at, const std::vector<double>& u, const TermOutput& out) {
                rod.bending.evaluate(at, u, out);
            });
    };
    rod.bending.begin_flow(rod.bending.initial_flow(), 0.1);
    const Evaluated flowing = evaluated();
    const FlowSums sums = rod.bending.sums(X, angles);
    EXPECT_NEAR(flowing.value, sums.stored + sums.heat, 1e-12 * flowing.value);
    EXPECT_LT(sums.stored, sums.unflowed);
    rod.bending.begin_flow(rod.bending.flowed(X, angles), 0.1);
    EXPECT_LE((evaluated().gradient - flowing.gradient).norm(), 1e-12 * flowing.gradient.norm());
    EXPECT_NEAR(rod.bending.sums(X, angles).unflowed, sums.stored, 1e-12 * sums.stored);
    EXPECT_NEAR(rod.bending.sums(X, angles).heat, 0, 1e-12 * sums.heat);
}

TEST(RodBending, FlowsHoweverLittleOfTheElasticMomentIsLeft)
{
    // Less than the rounding of the moment that there would be without flow.
    for (const double yield : {1e-6, 1e-20}) {
        const Positions rest = winding(7);
        Rod rod = make_rod(rest, chain(7, false), {.section = {0.03, 0.01}, .plasticity = Plasticity{yield, 0, 0}});
        const Eigen::VectorXd arcs = Eigen::VectorXd::Zero(6);
        rod.bending.begin_flow(rod.bending.initial_flow(), 0.1);
        const Positions X = moved_about(rest, 0.25, 11);
        const PlasticState after = rod.bending.flowed(X, {arcs.data(), 6});
        EXPECT_GT(*std::min_element(after.strain.begin(), after.strain.end()), 0);
        const Evaluated all = sum_of(
            rod.bending.stencils(), 7, joined(X, arcs), HessianForm::exact,
            [&](const Positions& at, const std::vector<double>& u, const TermOutput& out) {
                rod.bending.evaluate(at, u, out);
            });
        EXPECT_TRUE(std::isfinite(all.value) && all.gradient.allFinite() && all.hessian.allFinite()) << yield;
    }
}

TEST(RodBending, YieldsAtTheFullPlasticMomentOfItsSection)
{
    // Two edges of length 1 that turn by 2 atan(w / 2) about m1 or m2: dE/dw is the moment, by each of two edges half.
    const double Y = 1e4, a = 0.03, b = 0.01;
    Positions rest(3, 3);
    rest << -1, 0, 0, 0, 0, 0, 1, 0, 0;
    for (const auto& [axis, moment] :
         {std::pair{Vec3(0, 1, 0), 4.0 / 3 * Y * a * b * b}, std::pair{Vec3(0, 0, 1), 4.0 / 3 * Y * a * a * b}}) {
        RodTopology topology = rod_topology(chain(3, false), 3);
        RodBending bending(
            rest, topology,
            {.materials = {{rod_stiffness({a, b}, 3e8, 1e8), true, 0, RodSection{a, b}.area(), Plasticity{Y, 0, 0}}},
             .arc_radii = {a, a},
             .arc_blocks = {3, 4},
             .directors = directors_along(rest, topology, std::vector<Vec3>(2, Vec3(0, 1, 0)))});
        bending.begin_flow(bending.initial_flow(), 1);
        const Vec3 side = axis.cross(Vec3::UnitX());
        const auto energy = [&](double w) {
            Positions x = rest;
            const double turn = 2 * std::atan(w / 2);
            const Vec3 tip = std::cos(turn) * Vec3::UnitX() + std::sin(turn) * side;
            x.row(2) = tip.transpose();
            double value = 0;
            const std::vector<double> none(2, 0.0);
            bending.evaluate(x, none, {.values = &value});
            return value;
        };
        EXPECT_NEAR((energy(0.3 + 1e-4) - energy(0.3 - 1e-4)) / 2e-4, moment, 1e-7 * moment);
    }
}

TEST(RodBending, DerivativesHoldNearAFold)
{
    Positions rest(3, 3);
    rest << 0, 0, 0, 1, 0, 0, 2, 0.1, 0;
    for (const RodCase& given : cases()) {
        Rod rod = make_rod(rest, chain(3, false), given);
        for (const double degrees : {150.0, 175.0, 178.0}) {
            Positions X = rest;
            const double turn = degrees * pi / 180;
            X.row(2) = X.row(1) + Vec3(std::cos(turn), 0.8 * std::sin(turn), 0.6 * std::sin(turn)).transpose();
            // As a search that came here by smaller steps
            for (double share = 0.1; share < 1; share += 0.1) {
                Positions between = rest;
                between.row(2) =
                    X.row(1) + Vec3(std::cos(share * turn), 0.8 * std::sin(share * turn), 0.6 * std::sin(share * turn))
                                   .transpose();
                (void)rod.bending.begin_search(between);
            }
            (void)rod.bending.begin_search(X);
            expect_bending_derivatives(rod, X, Eigen::Vector2d(0.004, -0.01), 1e-4 * (pi - turn));
        }
    }
}

/// The whole energy.
double energy_of(const Rod& rod, const Positions& X, const Eigen::VectorXd& arcs)
{
    std::vector<double> values(rod.bending.stencils().size());
    rod.bending.evaluate(X, std::vector<double>(arcs.begin(), arcs.end()), {.values = values.data()});
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum;
}

TEST(RodBending, RigidMotionsOfFramesAndAllChangeNothing)
{
    for (const RodCase& given : cases())
        for (const bool is_closed : {false, true}) {
            const Positions rest = is_closed ? ring(12, 1, 0.3) : winding(12);
            Rod rod = make_rod(rest, chain(12, is_closed), given);
            const auto num_edges = static_cast<Eigen::Index>(rod.topology.directed.rows());
            Positions X = moved_about(rest, 0.1, 3);
            rod.bending.set_frames(X, rod.bending.frames_at(X));
            Eigen::VectorXd arcs = 0.005 * Eigen::VectorXd::LinSpaced(num_edges, -1, 3);
            const double energy = energy_of(rod, X, arcs), radius = given.section.larger();
            const std::vector<double> twists = rod.bending.twists(X, std::vector<double>(arcs.begin(), arcs.end()));
            // Three turns in steps of 31 degrees about axes that change
            for (int step = 0; step < 35; ++step) {
                const Vec3 axis = Vec3(std::cos(0.3 * step), std::sin(0.2 * step), 0.4).normalized();
                const Eigen::AngleAxisd turn(31 * pi / 180, axis);
                const Positions before = rod.bending.frames_at(X).directors;
                for (Eigen::Index v = 0; v < X.rows(); ++v)
                    X.row(v) = (turn * Vec3(X.row(v).transpose()) + Vec3(0.1, 0, 0)).transpose();
                const RodBending::Frames frames = rod.bending.frames_at(X);
                const Positions t = tangents_of(X, rod.topology.directed);
                for (Eigen::Index e = 0; e < num_edges; ++e) // material frames turn with the rest
                    arcs[e] +=
                        radius *
                        signed_angle(point<3>(frames.directors, e), turn * Vec3(point<3>(before, e)), point<3>(t, e));
                rod.bending.set_frames(X, frames);
            }
            EXPECT_NEAR(energy_of(rod, X, arcs), energy, 1e-11 * energy);
            const std::vector<double> after = rod.bending.twists(X, std::vector<double>(arcs.begin(), arcs.end()));
            for (std::size_t k = 0; k < twists.size(); ++k)
                EXPECT_NEAR(after[k], twists[k], 1e-11);
        }
}

TEST(RodBending, RoundSectionsThatAreStraightAtRestBendWithoutFrames)
{
    const Positions rest = winding(9);
    const Rod rod = make_rod(rest, chain(9, false), {.is_straight = true});
    // A turn of all edges alike, and energy B / (2 l) |kb|²
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(8);
    double expected = 0;
    for (const RodJoint& joint : rod.topology.joints) {
        const Vec3 e0 = rest.row(joint.vertices[1]) - rest.row(joint.vertices[0]),
                   e1 = rest.row(joint.vertices[2]) - rest.row(joint.vertices[1]);
        const double turn = angle_between(e0, e1), kb = 2 * std::tan(turn / 2);
        expected += rod_stiffness({0.02, 0.02}, 3e6, 1.1e6).bending[0] * kb * kb / (e0.norm() + e1.norm());
    }
    EXPECT_NEAR(energy_of(rod, rest, none), expected, 1e-12 * expected);
    EXPECT_NEAR(energy_of(rod, rest, Eigen::VectorXd::Constant(8, 0.013)), expected, 1e-12 * expected);
}

TEST(RodBending, WholeTurnsOfTwistAreKept)
{
    const Positions rest = ring(20, 1);
    const Rod rod = make_rod(rest, chain(20, true), {.rest_twist = -5 * 2 * pi / (20 * 2 * std::sin(pi / 20))});
    // Five turns, evenly: C / (2 l) m² each
    const double length = 2 * std::sin(pi / 20), m = 5 * 2 * pi / 20, C = rod_stiffness({0.02, 0.02}, 3e6, 1.1e6).twist;
    EXPECT_NEAR(energy_of(rod, rest, Eigen::VectorXd::Zero(20)), 20 * C / (2 * length) * m * m, 1e-9);
}

TEST(RodBending, StepsDoNotJumpOverAFold)
{
    Positions X(3, 3), dx = Positions::Zero(3, 3);
    X << 0, 0, 0, 1, 0, 0, 2, 0.01, 0;
    const Rod rod = make_rod(X, chain(3, false), {});
    dx.row(2) << -2, -0.02, 0; // to the other side, past the fold
    const double t = rod.bending.largest_unfolded_step(X, dx);
    EXPECT_GT(t, 0.1);
    EXPECT_LT(t, 1);
    for (double s = 0; s <= 1; s += 1e-3) {
        std::vector<double> values(1);
        rod.bending.evaluate(X + s * t * dx, std::vector<double>{0, 0}, {.values = values.data()});
        EXPECT_TRUE(std::isfinite(values[0]));
    }
    EXPECT_EQ(rod.bending.largest_unfolded_step(X, 1e-3 * dx), 1);
}

template <typename Elasticity>
void expect_position_derivatives(const Elasticity& elasticity, const Positions& X)
{
    expect_derivatives(
        [&](const Eigen::VectorXd& x, HessianForm form) {
            return sum_of(
                elasticity.stencils(), static_cast<int>(X.rows()), x, form,
                [&](const Positions& at, const std::vector<double>&, const TermOutput& out) {
                    elasticity.evaluate(at, out);
                });
        },
        joined(X, Eigen::VectorXd()));
}

TEST(RodStretch, DerivativesAreThoseOfDifferences)
{
    const Positions rest = winding(6);
    const RodStretch stretch(rest, chain(6, false), std::vector<double>(5, 3e3));
    for (const double size : {0.6, 1.0, 1.7}) // pressed, at rest, pulled
        expect_position_derivatives(stretch, moved_about(size * rest, 0.05, 1));
}

TEST(RodCorners, DerivativesAreThoseOfDifferences)
{
    Positions rest(6, 3);
    rest << 0, 0, 0, 1, 0, 0, -1, 0.1, 0, 0.2, 1, 0.1, 0, -1, 0.3, 2, 0.2, 0.5;
    Edges edges(5, 2);
    edges << 0, 1, 0, 2, 0, 3, 4, 0, 1, 5;
    const RodTopology topology = rod_topology(edges, 6);
    EXPECT_EQ(topology.branch_points, std::vector<int>{0});
    EXPECT_TRUE(topology.joints.empty());
    ASSERT_EQ(topology.corners.size(), 7u);
    for (const bool is_straight : {false, true}) {
        const RodCorners corners(
            rest, topology.corners, std::vector<double>(7, 2.0), std::vector<bool>(7, is_straight));
        for (unsigned seed = 0; seed < 3; ++seed)
            expect_position_derivatives(corners, moved_about(rest, 0.2, seed));
        // At rest, where a mesh is bent there are no forces
        std::vector<double> values(corners.stencils().size());
        corners.evaluate(rest, {.values = values.data()});
        for (const double value : values)
            EXPECT_EQ(value < 1e-20, !is_straight);
    }
}

TEST(RodTopology, FindsChainsLoopsAndBranches)
{
    // A chain whose edges are given in any order and direction, a loop, and a single edge
    Edges edges(8, 2);
    edges << 2, 1, 3, 2, 0, 1, 4, 5, 5, 6, 4, 6, 7, 8, 3, 9;
    const RodTopology rods = rod_topology(edges, 10);
    ASSERT_EQ(rods.chains.size(), 3u);
    EXPECT_EQ(rods.chains[0].edges, (std::vector<int>{7, 1, 0, 2}));
    EXPECT_FALSE(rods.chains[0].is_closed);
    EXPECT_EQ(rods.chains[1].edges, (std::vector<int>{3, 4, 5}));
    EXPECT_TRUE(rods.chains[1].is_closed);
    EXPECT_EQ(rods.chains[2].edges, std::vector<int>{6});
    EXPECT_EQ(rods.joints.size(), 3u + 3u);
    for (const RodJoint& joint : rods.joints) {
        EXPECT_EQ(rods.directed(joint.edges[0], 1), joint.vertices[1]);
        EXPECT_EQ(rods.directed(joint.edges[1], 0), joint.vertices[1]);
    }
    edges.row(7) << 3, 2;
    EXPECT_THROW((void)rod_topology(edges, 10), InvalidInput);
    edges.row(7) << 3, 3;
    EXPECT_THROW((void)rod_topology(edges, 10), InvalidInput);
}

TEST(RodBending, SameBitsForAnyNumberOfThreads)
{
    const Positions rest = winding(1000);
    const Rod rod = make_rod(rest, chain(1000, false), {.section = {0.03, 0.01}});
    const Positions X = moved_about(rest, 0.1, 5);
    const std::vector<double> arcs(999, 0.01);
    const auto evaluated = [&](int threads) {
        set_num_threads(threads);
        std::vector<double> blocks(75 * rod.bending.stencils().size());
        rod.bending.evaluate(X, arcs, {.blocks = blocks.data(), .hessian = HessianForm::clamp});
        return blocks;
    };
    const int threads = num_threads();
    EXPECT_EQ(evaluated(1), evaluated(4));
    set_num_threads(threads);
}

} // namespace

} // namespace abut::test::rod_test
