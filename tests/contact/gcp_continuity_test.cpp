// GCP has a continuous gradient: across every change of its list of pairs and of their tests, whichever feature,
// mollifier, direction or distance makes it. Sets are built anew everywhere here, for the change is the matter.

#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/detect/step_size.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/random_points.hpp"

#include <gtest/gtest.h>

#include <map>

namespace abut::test::gcp_continuity_test {

namespace {

const char* name(PairKind kind)
{
    constexpr std::array names{"none", "vv", "ev", "ee", "fv", "pv"};
    return names[static_cast<int>(kind)];
}

/// What differs between two sets, by kinds of pairs: pairs that come or go, and tests that do.
void note_changes(const SmoothCollisions& a, const SmoothCollisions& b, std::map<std::string, int>& changes)
{
    const auto list = [](const SmoothCollisions& set) {
        std::map<std::pair<PairKind, IndexPair>, std::vector<gcp::Test>> tests;
        for (std::size_t k = 0; k < set.size(); ++k)
            tests[{set[k].kind, set[k].elements}].assign(set.tests(k).begin(), set.tests(k).end());
        return tests;
    };
    const auto before = list(a), after = list(b);
    for (const auto& [pair, tests] : before) {
        const auto at = after.find(pair);
        if (at == after.end())
            ++changes[std::string(name(pair.first)) + " listed"];
        else if (at->second.size() != tests.size())
            ++changes[std::string(name(pair.first)) + " tests"];
    }
    for (const auto& [pair, tests] : after)
        if (!before.contains(pair))
            ++changes[std::string(name(pair.first)) + " listed"];
}

class Continuity {
public:
    Continuity(const CollisionMesh& mesh, const SmoothContactParameters& params)
        : mesh_(mesh), params_(params), potential_(params)
    {}

    /// Goes along a line, bisects to every change of the set and compares the gradients on both sides of it.
    void follow(const Positions& X0, const Positions& X1, int samples, std::map<std::string, int>& changes)
    {
        const auto at = [&](double t) -> Positions { return (1 - t) * X0 + t * X1; };
        const auto set_at = [&](double t) {
            SmoothCollisions set;
            set.build(mesh_, at(t), params_);
            return set;
        };
        const auto gradient = [&](double t) { return potential_.gradient(set_at(t), mesh_, at(t)); };
        double largest = 0; // gradient of the way
        for (int i = 0; i <= samples; ++i)
            largest = std::max(largest, gradient(double(i) / samples).norm());
        if (largest == 0)
            return;
        for (int i = 0; i < samples; ++i) {
            double left = double(i) / samples, right = double(i + 1) / samples;
            const SmoothCollisions first = set_at(left);
            if (first == set_at(right))
                continue;
            while (right - left > 1e-14) {
                const double middle = (left + right) / 2;
                (first == set_at(middle) ? left : right) = middle;
            }
            // A mollifier's ratio of distances rounds to 1 when its closest point is still sqrt(2 eps) = 2e-8 of the
            // distance off the border; its slope there is 2e-8 * 2 / mollifier_width = 4e-6 of the gradient. A jump is
            // larger.
            EXPECT_LE((gradient(left) - gradient(right)).norm(), 1e-5 * largest) << "at t = " << left;
            const double E_left = potential_(set_at(left), mesh_, at(left)),
                         E_right = potential_(set_at(right), mesh_, at(right));
            EXPECT_NEAR(E_left, E_right, 1e-10 * (E_left + largest));
            note_changes(set_at(left), set_at(right), changes);
        }
    }

private:
    const CollisionMesh& mesh_;
    SmoothContactParameters params_;
    SmoothContactPotential potential_;
};

/// Bodies with reflex edges and saddles a little apart, over a plane; open ones lack a face.
MeshData two_bodies(int dim, bool is_open, RandomStream& random)
{
    const auto body = [&] {
        MeshData one =
            dim == 3 ? generate::icosphere({.subdivisions = 0}) : generate::squircle({.exponent = 2, .segments = 8});
        for (Eigen::Index v = 0; v < one.vertices.rows(); ++v)
            one.vertices.row(v) *= random.uniform(0.5, 1);
        return one;
    };
    MeshData data = body();
    Eigen::VectorXd offset = Eigen::VectorXd::Zero(dim);
    for (double& x : offset)
        x = random.uniform(-0.3, 0.3);
    offset[0] = random.uniform(1.5, 1.8);
    append(data, translated(body(), offset));
    if (is_open)
        dim == 3 ? data.faces.conservativeResize(data.faces.rows() - 1, 3)
                 : data.edges.conservativeResize(data.edges.rows() - 1, 2);
    return data;
}

/// Follows random lines through deformations that do not lead through contact.
void expect_continuous_gradients(
    int dim, const SmoothContactParameters& params, int lines, std::map<std::string, int>& changes)
{
    RandomStream random(12);
    int followed = 0;
    for (int n = 0; n < 40 * lines && followed < lines && !testing::Test::HasFailure(); ++n) {
        const MeshData data = two_bodies(dim, n % 3 == 2, random);
        CollisionMeshOptions options;
        options.planes.push_back({Vec3(0, data.vertices.col(1).minCoeff() - 0.2, 0), Vec3(0.1, 1, 0)});
        const CollisionMesh mesh(data, options);
        Positions X1 = data.vertices;
        for (double& x : X1.reshaped())
            x += random.uniform(-0.15, 0.15);
        if (!is_step_collision_free(mesh, data.vertices, X1, 0.02))
            continue;
        SCOPED_TRACE("line " + std::to_string(n));
        Continuity(mesh, params).follow(data.vertices, X1, 25, changes);
        ++followed;
    }
    EXPECT_EQ(followed, lines);
}

void expect_seen(const std::map<std::string, int>& changes, const std::vector<std::string>& names)
{
    int total = 0;
    for (const auto& [what, count] : changes)
        total += count;
    for (const std::string& what : names)
        EXPECT_GE(changes.count(what) ? changes.at(what) : 0, 3) << what;
    testing::Test::RecordProperty("changes", total);
}

TEST(GcpContinuity, OfGradientsInThePlane)
{
    std::map<std::string, int> changes;
    expect_continuous_gradients(2, SmoothContactParameters{.dhat = 0.6, .alpha_t = 0.9, .alpha_n = 0.3}, 40, changes);
    expect_continuous_gradients(2, SmoothContactParameters{.dhat = 0.6, .alpha_t = 0.2}, 40, changes);
    expect_seen(changes, {"vv listed", "vv tests", "ev listed", "ev tests", "pv listed", "pv tests"});
}

TEST(GcpContinuity, OfGradientsInSpace)
{
    std::map<std::string, int> changes;
    expect_continuous_gradients(3, SmoothContactParameters{.dhat = 0.6, .alpha_t = 0.9, .alpha_n = 0.3}, 12, changes);
    expect_continuous_gradients(3, SmoothContactParameters{.dhat = 0.6, .alpha_t = 0.3}, 12, changes);
    expect_seen(
        changes, {"vv listed", "vv tests", "ev listed", "ev tests", "ee listed", "ee tests", "fv listed", "fv tests",
                  "pv listed", "pv tests"});
}

TEST(GcpContinuity, OfGradientsWithLooseEdgesAndPoints)
{
    // A ball, two rods that cross, and four points
    MeshData data = generate::icosphere({.radius = 0.5, .subdivisions = 0});
    const MeshData rod = generate::rod({.segments = 3});
    append(data, translated(rod, Vec3(0.1, 0.8, 0.1)));
    append(data, translated(transformed(rod, Eigen::AngleAxisd(1.2, Vec3::UnitY()).toRotationMatrix()), Vec3(0, 1, 0)));
    MeshData points;
    points.vertices = Positions(Eigen::MatrixXd{{0.3, 0.9, 0.2}, {-0.4, 0.85, 0}, {-0.2, 1.1, -0.3}, {0, -0.7, 0.1}});
    points.edges.resize(0, 2);
    points.faces.resize(0, 3);
    append(data, points);
    const CollisionMesh mesh(data);
    std::map<std::string, int> changes;
    RandomStream random(3);
    int followed = 0;
    for (int n = 0; n < 400 && followed < 25; ++n) {
        Positions X1 = data.vertices;
        for (double& x : X1.reshaped())
            x += random.uniform(-0.12, 0.12);
        if (!is_step_collision_free(mesh, data.vertices, X1, 0.01))
            continue;
        Continuity(mesh, SmoothContactParameters{.dhat = 0.5, .alpha_t = 0.9}).follow(data.vertices, X1, 20, changes);
        ++followed;
    }
    EXPECT_EQ(followed, 25);
    expect_seen(changes, {"vv listed", "ev listed", "ee listed", "fv listed", "vv tests", "ev tests"});
}

} // namespace

} // namespace abut::test::gcp_continuity_test
