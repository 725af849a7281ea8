// The scalar functions of GCP, and the ranges of its parameters.

#include "abut/base/error.hpp"
#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/contact/gcp/smoothing.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/law_derivatives.hpp"
#include "support/reference_data.hpp"

#include <functional>

namespace abut::test::gcp_smoothing_test {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// A function with the places where its formula changes, and how often it is differentiable there.
struct Piecewise {
    std::string name;
    std::function<LawTerm(double)> f;
    std::vector<double> joints; ///< ascending
    double scale;               ///< of its argument
    int smoothness = 2;
};

std::vector<Piecewise> functions()
{
    std::vector<Piecewise> all{
        {"cubic spline", gcp::cubic_spline, {-2, -1, 0, 1, 2}, 1},
        // C1 from 0 on; at 0 its slope jumps by 2, and its argument has a zero slope there.
        {"rise", gcp::rise, {1}, 1, 1}};
    for (const auto& [alpha, beta] :
         {std::pair(1.0, 0.0), std::pair(0.1, 0.0), std::pair(0.6, -0.1), std::pair(0.3, 0.2)}) {
        const double a = alpha, b = beta, third = (a + b) / 3;
        all.push_back(
            {"smooth step to " + std::to_string(b),
             [=](double z) { return gcp::smooth_step(z, a, b); },
             {-a, -a + third, -a + 2 * third, b},
             third});
    }
    for (const double width : {1.0, 0.02}) {
        all.push_back(
            {"smooth delta",
             [=](double z) { return gcp::smooth_delta(z, width); },
             {-width, -width / 2, 0, width / 2, width},
             width});
        all.push_back(
            {"localization", [=](double z) { return gcp::localization(z, width); }, {width / 2, width}, width});
        for (const int r : {1, 2, 5})
            all.push_back(
                {"spline barrier",
                 [=](double z) { return gcp::spline_barrier(z, width, r); },
                 {width / 2, width},
                 width});
    }
    return all;
}

TEST(GcpSmoothing, DerivativesMatchDifferencesInEveryBranch)
{
    for (const Piecewise& each : functions()) {
        SCOPED_TRACE(each.name);
        std::vector<double> borders = each.joints;
        borders.insert(borders.begin(), each.joints.front() > 0 ? 0 : each.joints.front() - each.scale);
        borders.push_back(each.joints.back() + each.scale);
        for (std::size_t k = 0; k + 1 < borders.size(); ++k)
            for (const double share : {0.02, 0.2, 0.5, 0.8, 0.98}) {
                const double length = borders[k + 1] - borders[k];
                expect_derivatives(each.f, borders[k] + share * length, std::min(share, 1 - share) * length);
            }
    }
}

TEST(GcpSmoothing, FunctionsAreTwiceDifferentiableAtTheirJoints)
{
    for (const Piecewise& each : functions())
        for (const double joint : each.joints) {
            SCOPED_TRACE(each.name + " at " + std::to_string(joint));
            // Across a move of 1e-9 the value, and both derivatives, change by about that much of their size. The
            // third derivative of a barrier is some 1000 times its value over the scale cubed.
            const double move = 1e-9 * each.scale;
            const LawTerm left = each.f(joint - move), right = each.f(joint + move), inside = each.f(joint * 0.75);
            const double size = std::abs(inside.value) + std::abs(left.value) + std::abs(right.value) + 1e-3;
            EXPECT_NEAR(left.value, right.value, 1e-7 * size);
            EXPECT_NEAR(left.first, right.first, 1e-6 * size / each.scale);
            if (each.smoothness == 2) {
                EXPECT_NEAR(left.second, right.second, 1e-5 * size / (each.scale * each.scale));
            }
        }
}

TEST(GcpSmoothing, LimitsAreExact)
{
    const auto expect_constant = [](const LawTerm& f, double value) {
        EXPECT_EQ(f.value, value);
        EXPECT_EQ(f.first, 0);
        EXPECT_EQ(f.second, 0);
    };
    for (const double v : {2.0, -2.0, 2.5, -1e300})
        expect_constant(gcp::cubic_spline(v), 0);
    EXPECT_EQ(gcp::cubic_spline(0).value, 2.0 / 3);
    expect_constant(gcp::smooth_step(-0.5, 0.5, 0), 0);
    expect_constant(gcp::smooth_step(-1, 0.5, 0), 0);
    expect_constant(gcp::smooth_step(0, 0.5, 0), 1);
    expect_constant(gcp::smooth_step(1, 0.5, 0), 1);
    EXPECT_NEAR(gcp::smooth_step(-0.25, 0.5, 0).value, 0.5, eps);
    expect_constant(gcp::localization(0.3, 0.3), 0);
    expect_constant(gcp::spline_barrier(0.3, 0.3, 2), 0);
    expect_constant(gcp::spline_barrier(7, 0.3, 2), 0);
    EXPECT_EQ(gcp::localization(0, 0.3).value, 1);
    for (const double z : {1e-3, 1e-10, 1e-50}) // towards contact it is the bare power
        EXPECT_NEAR(gcp::spline_barrier(z, 1, 2).value * z * z, 1, 7 * z * z + 4 * eps);
    EXPECT_EQ(gcp::spline_barrier(0, 1, 1).value, std::numeric_limits<double>::infinity());
    expect_constant(gcp::rise(0), 0);
    expect_constant(gcp::rise(-1), 0);
    expect_constant(gcp::rise(1), 1);
    expect_constant(gcp::rise(2), 1);
}

TEST(GcpSmoothing, StepsRiseAndBarriersFall)
{
    for (double z = -1; z < 0.5; z += 1e-3)
        EXPECT_GE(gcp::smooth_step(z, 0.7, 0.1).first, 0);
    for (const int r : {1, 2, 16})
        for (double z = 1e-3; z < 0.99; z += 1e-3) {
            EXPECT_LT(gcp::spline_barrier(z, 1, r).first, 0);
            EXPECT_GT(gcp::spline_barrier(z, 1, r).second, 0);
        }
}

TEST(GcpSmoothing, BumpHasIntegralOne)
{
    for (const double alpha : {1.0, 0.1}) {
        double integral = 0;
        constexpr int n = 2000; // Simpson's rule is exact on each piece of a cubic
        const double h = 2 * alpha / n;
        for (int i = 0; i < n; ++i) {
            const double z = -alpha + i * h;
            integral += h / 6 *
                        (gcp::smooth_delta(z, alpha).value + 4 * gcp::smooth_delta(z + h / 2, alpha).value +
                         gcp::smooth_delta(z + h, alpha).value);
        }
        EXPECT_NEAR(integral, 1, 1e-12);
    }
}

TEST(GcpSmoothing, AgreesWithTheReference)
{
    const nlohmann::json query = read_oracle("f02_gcp_functions").at("queries").at(0), result = query.at("result");
    int compared = 0;
    /// `f` at the x of a table; tables take cubic splines of 2 x, and barriers without the 3/2.
    const auto compare = [&](const std::string& name, auto&& f) {
        SCOPED_TRACE(name);
        const nlohmann::json table = result.at(name);
        for (std::size_t i = 0; i < table.at("x").size(); ++i) {
            const LawTerm term = f(table["x"][i].get<double>());
            const double expected[]{table["f"][i], table["df"][i], table["d2f"][i]};
            const double actual[]{term.value, term.first, term.second};
            for (int k = 0; k < 3; ++k)
                EXPECT_NEAR(actual[k], expected[k], 1e-13 * std::max(1.0, std::abs(expected[k])))
                    << "derivative " << k << " at " << table["x"][i];
            ++compared;
        }
    };
    compare("cubic_spline", [](double x) {
        const LawTerm B = gcp::cubic_spline(2 * x);
        return LawTerm{B.value, 2 * B.first, 4 * B.second};
    });
    compare("mollifier", [](double x) { return gcp::rise(x); });
    for (const int r : {1, 2})
        compare("inv_barrier_r" + std::to_string(r), [=](double x) {
            const LawTerm p = gcp::spline_barrier(x, 1, r);
            return LawTerm{2 * p.value / 3, 2 * p.first / 3, 2 * p.second / 3};
        });
    for (const auto& pair : query.at("alpha_beta"))
        compare("smooth_heaviside_" + pair.dump(), [&](double x) {
            return gcp::smooth_step(x, pair[0].get<double>(), pair[1].get<double>());
        });
    EXPECT_EQ(compared, 13 + 8 + 2 * 9 + 6 * 15);
}

// --- Parameters ---

/// The message with which something is rejected.
std::string message_of(const std::function<void()>& act)
{
    try {
        act();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "not rejected";
}

TEST(GcpParameters, OutOfRangeAreRejectedByName)
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    struct Case {
        const char* name;
        double dhat = 0.1, alpha_t = 0.5, beta_t = 0, alpha_n = 0.1, beta_n = 0;
        int r = 0;
    };
    for (const Case& c : std::vector<Case>{
             {.name = "dhat", .dhat = 0},
             {.name = "dhat", .dhat = -1},
             {.name = "dhat", .dhat = nan},
             {.name = "dhat", .dhat = infinity},
             {.name = "alpha_t", .alpha_t = 0},
             {.name = "alpha_t", .alpha_t = 1.01},
             {.name = "alpha_t", .alpha_t = nan},
             {.name = "beta_t", .beta_t = -0.5},
             {.name = "beta_t", .beta_t = 1.1},
             {.name = "beta_t", .beta_t = nan},
             {.name = "alpha_n", .alpha_n = -0.1},
             {.name = "alpha_n", .alpha_n = 2},
             {.name = "alpha_n", .alpha_n = nan},
             {.name = "beta_n", .beta_n = -0.1},
             {.name = "beta_n", .beta_n = 1.5},
             {.name = "beta_n", .alpha_n = 0, .beta_n = 0},
             {.name = "r", .r = -1},
             {.name = "r", .r = 17}}) {
        const std::string message = message_of([&] {
            SmoothContactParameters{
                .dhat = c.dhat,
                .alpha_t = c.alpha_t,
                .beta_t = c.beta_t,
                .alpha_n = c.alpha_n,
                .beta_n = c.beta_n,
                .r = c.r}
                .validate();
        });
        EXPECT_EQ(message.rfind(std::string(c.name) + ":", 0), 0u) << message;
    }
    const SmoothContactParameters params{.dhat = 0.1};
    EXPECT_EQ(message_of([] { SmoothContactPotential({.dhat = 0.1, .r = 17}); }).rfind("r:", 0), 0u);
    const CollisionMesh mesh(generate::box());
    for (const double ratio : {0.0, 1.0, -1.0, nan})
        EXPECT_EQ(
            message_of([&] { (void)adaptive_extents(mesh, mesh.rest_positions(), params, ratio); }).rfind("ratio:", 0),
            0u);
    for (const double stiffness : {0.0, -1.0, nan, infinity})
        EXPECT_EQ(message_of([&] { SmoothContactPotential(params, stiffness); }).rfind("stiffness:", 0), 0u);
    const SmoothContactParameters limits{.dhat = 0.1, .alpha_t = 1, .beta_t = 1, .alpha_n = 0, .beta_n = 1, .r = 16};
    EXPECT_NO_THROW(limits.validate());
}

TEST(GcpParameters, LengthsHaveToFitTheMesh)
{
    Positions X(3, 2);
    X << 0, 0, 1, 0, 0, 1;
    const CollisionMesh mesh(X, Elements(Eigen::MatrixXi{{0, 1}, {1, 2}}));
    SmoothContactParameters params{.dhat = 0.1};
    SmoothCollisions set;
    const auto message = [&] { return message_of([&] { set.build(mesh, X, params); }); };
    EXPECT_EQ(message(), "not rejected");
    params.dhat = -1;
    EXPECT_EQ(message().rfind("dhat:", 0), 0u);
    params.dhat = 0.1;
    params.feature_length = FeatureLength::constant;
    EXPECT_EQ(message().rfind("constant_length:", 0), 0u);
    params.constant_length = 0.1;
    EXPECT_EQ(message(), "not rejected");
    params.feature_length = FeatureLength::per_element;
    EXPECT_EQ(message().rfind("vertex_lengths:", 0), 0u);
    params.vertex_lengths = Eigen::VectorXd::Constant(3, 0.1);
    EXPECT_EQ(message().rfind("edge_lengths:", 0), 0u);
    params.edge_lengths = Eigen::VectorXd::Constant(2, 0.1);
    EXPECT_EQ(message(), "not rejected");
    params.vertex_lengths[1] = -1;
    EXPECT_EQ(message().rfind("vertex_lengths[1]:", 0), 0u);
}

TEST(GcpParameters, APotentialRejectsASetThatWasBuiltWithOthers)
{
    Positions X(3, 2);
    X << 0, 0, 1, 0, 0.5, 0.05;
    const CollisionMesh mesh(X, Elements(Eigen::MatrixXi{{0, 1}}));
    const SmoothContactParameters params{.dhat = 0.1};
    SmoothCollisions set;
    const auto message = [&](const SmoothContactParameters& other) {
        return message_of([&] { (void)SmoothContactPotential(other)(set, mesh, X); });
    };
    const auto changed = [&](auto&& change) {
        SmoothContactParameters other = params;
        change(other);
        return other;
    };
    EXPECT_EQ(message(SmoothContactParameters::toolkit(0.3)), "not rejected") << "a set that was never built is empty";
    set.build(mesh, X, params);
    ASSERT_EQ(set.size(), 1u);
    EXPECT_EQ(message(params), "not rejected");
    EXPECT_EQ(message(changed([](auto& p) { p.r = 1; })), "not rejected") << "0 is the dimension less one";
    EXPECT_EQ(message(changed([](auto& p) { p.constant_length = 3; })), "not rejected") << "nothing uses it";
    const auto expect_named = [&](const SmoothContactParameters& other, const std::string& words) {
        const std::string text = message(other);
        EXPECT_EQ(text.rfind("collisions: built with other parameters than the potential's, " + words + ";", 0), 0u)
            << text;
    };
    expect_named(changed([](auto& p) { p.variant = SmoothContactVariant::toolkit; }), "variant: paper and toolkit");
    expect_named(changed([](auto& p) { p.dhat = 0.2; }), "dhat: 0.1 and 0.2");
    expect_named(changed([](auto& p) { p.alpha_t = 0.75; }), "alpha_t: 0.5 and 0.75");
    expect_named(changed([](auto& p) { p.beta_t = 0.25; }), "beta_t: 0 and 0.25");
    expect_named(changed([](auto& p) { p.alpha_n = 0.5; }), "alpha_n: 0.1 and 0.5");
    expect_named(changed([](auto& p) { p.beta_n = 0.5; }), "beta_n: 0 and 0.5");
    expect_named(changed([](auto& p) { p.r = 2; }), "r: 1 and 2");
    expect_named(changed([](auto& p) { p.use_exterior_test = false; }), "use_exterior_test: true and false");
    SmoothContactParameters lengths = params;
    lengths.feature_length = FeatureLength::constant;
    lengths.constant_length = 0.5;
    expect_named(lengths, "feature_length: edge_length and constant");
    set.build(mesh, X, lengths);
    lengths.constant_length = 0.25;
    expect_named(lengths, "constant_length: 0.5 and 0.25");
    lengths.feature_length = FeatureLength::per_element;
    lengths.vertex_lengths = Eigen::VectorXd::Constant(3, 0.5);
    lengths.edge_lengths = Eigen::VectorXd::Constant(1, 0.5);
    set.build(mesh, X, lengths);
    EXPECT_EQ(message(lengths), "not rejected");
    lengths.edge_lengths[0] = 1;
    expect_named(lengths, "edge_lengths[0]: 0.5 and 1");
    lengths.vertex_lengths.resize(2);
    expect_named(lengths, "vertex_lengths: 3 and 2 of them");
}

} // namespace

} // namespace abut::test::gcp_smoothing_test
