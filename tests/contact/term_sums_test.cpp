// Values and gradients of a few terms at once, and their sums, against the law of each term for itself.

#include "abut/base/parallel.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "support/collision_scenes.hpp"

#include <gtest/gtest.h>

namespace abut::test::term_sums_test {

namespace {

struct Set {
    std::string name;
    CollisionMesh mesh;
    Positions X;
    NormalCollisions collisions;
    double dhat;
};

std::vector<Set> sets()
{
    std::vector<Set> all;
    const auto add = [&](const char* name, const MeshData& data, double dhat, const CollisionMeshOptions& options) {
        for (const auto type : {CollisionSetType::ipc, CollisionSetType::convergent, CollisionSetType::ogc}) {
            Set set{name, CollisionMesh(data, options), data.vertices, {}, dhat};
            set.collisions.build(set.mesh, set.X, {.dhat = dhat, .set_type = type, .use_area_weighting = true});
            EXPECT_GT(set.collisions.size(), 0u);
            all.push_back(std::move(set));
        }
    };
    CollisionMeshOptions floor;
    floor.planes = {{Vec3(0, -2, 0), Vec3(0.01, 1, 0)}};
    add("spheres", spheres_rod_and_points(0.02), 0.1, floor);
    add("crossed sheets", layers_of_cloth(14, 0.3), 0.05, {});
    add("nearly parallel sheets", layers_of_cloth(14, 0.01), 0.05, {}); // features of all kinds under the mollifier
    add("in the plane", two_squircles(0.02), 0.1, {});
    return all;
}

/// The potential's terms one by one, as its header says: from the geometry of each, the law and the mollifier.
struct Terms {
    Eigen::VectorXd values, gradients;
    Eigen::VectorXd value_errors, gradient_errors; ///< what rounding of squared distances, to 1e-13, makes of these

    Terms(const BarrierPotential& barrier, const Set& set)
        : values(set.collisions.size()), gradients(set.collisions.stencils().num_entries() * set.mesh.dim()),
          value_errors(set.collisions.size()), gradient_errors(set.collisions.size())
    {
        const int dim = set.mesh.dim();
        Eigen::Index at = 0;
        for (std::size_t k = 0; k < set.collisions.size(); ++k) {
            const NormalCollision term = set.collisions[k];
            const NormalCollisionGeometry geometry = set.collisions.geometry(k, set.mesh, set.X);
            const LawTerm b = barrier.law()(geometry.squared_distance, {.dhat = set.dhat});
            const double factor = barrier.scale(0) * term.weight;
            LocalTerm<4, 3> m;
            m.value = 1;
            m.gradient.setZero();
            if (term.kind == PairKind::edge_edge) {
                const auto x = [&](int i) { return Vec3(point<3>(set.X, term.vertices[i])); };
                m = edge_edge_mollifier(x(0), x(1), x(2), x(3), term.eps_x, Order::gradient);
            }
            values[k] = factor * m.value * b.value;
            value_errors[k] = 1e-13 * std::abs(factor * m.value * b.first) * geometry.squared_distance;
            double squared_weights = 0;
            for (std::size_t i = 0; i < term.vertices.size(); ++i)
                squared_weights += geometry.coefficients[i] * geometry.coefficients[i];
            gradient_errors[k] = 1e-13 * std::abs(factor * m.value * b.second) * geometry.squared_distance * 2 *
                                 std::sqrt(squared_weights * geometry.squared_distance);
            const Vec3 r = std::sqrt(geometry.squared_distance) * geometry.normal;
            for (std::size_t i = 0; i < term.vertices.size(); ++i)
                for (int a = 0; a < dim; ++a)
                    gradients[at++] =
                        factor * (2 * m.value * b.first * geometry.coefficients[i] * r[a] +
                                  (term.kind == PairKind::edge_edge ? b.value * m.gradient[3 * i + a] : 0));
        }
    }
};

// Each way rounds at its own places: the squared distance of two lines, to 1e-13 at the angles of these scenes, times
// the steepness of the law.
constexpr double tolerance = 1e-11;

TEST(TermSums, TermsInLanesAreThoseOneByOne)
{
    for (const char* law : {"clamped_log", "clamped_log_squared", "normalized_clamped_log", "two_stage", "cubic"})
        for (const Set& set : sets()) {
            SCOPED_TRACE(set.name + ", " + law);
            const BarrierPotential barrier({.dhat = set.dhat, .stiffness = 3, .law = normal_law(law)});
            const Terms expected(barrier, set);
            Eigen::VectorXd values(expected.values.size()), gradients(expected.gradients.size());
            barrier.evaluate(set.collisions, set.mesh, set.X, {.values = values.data(), .gradients = gradients.data()});
            const Stencils& stencils = set.collisions.stencils();
            for (std::size_t k = 0; k < stencils.size(); ++k) {
                EXPECT_NEAR(
                    values[k], expected.values[k], tolerance * std::abs(expected.values[k]) + expected.value_errors[k])
                    << k; // large beside values at the end of the range
                const auto local = [&](const Eigen::VectorXd& all) {
                    return all.segment(
                        stencils.offset(k) * set.mesh.dim(),
                        static_cast<Eigen::Index>(stencils[k].size()) * set.mesh.dim());
                };
                EXPECT_LE(
                    (local(gradients) - local(expected.gradients)).norm(),
                    tolerance * local(expected.gradients).norm() + expected.gradient_errors[k])
                    << k;
            }
        }
}

TEST(TermSums, ValueAndGradientAreSumsOfTheTerms)
{
    for (const Set& set : sets()) {
        SCOPED_TRACE(set.name);
        const BarrierPotential barrier(set.dhat);
        const Terms terms(barrier, set);
        const double sum = terms.values.sum();
        EXPECT_NEAR(barrier(set.collisions, set.mesh, set.X), sum, tolerance * terms.values.cwiseAbs().sum());
        Eigen::VectorXd gradient = Eigen::VectorXd::Zero(set.mesh.ndof());
        add_local_gradients(
            set.collisions.stencils(), set.mesh.dim(),
            {terms.gradients.data(), static_cast<std::size_t>(terms.gradients.size())}, gradient);
        EXPECT_LE(
            (barrier.gradient(set.collisions, set.mesh, set.X) - gradient).cwiseAbs().maxCoeff(),
            tolerance * terms.gradients.cwiseAbs().maxCoeff());
    }
}

TEST(TermSums, SumsHaveTheSameBitsForAnyNumberOfThreads)
{
    for (const Set& set : sets()) {
        SCOPED_TRACE(set.name);
        const BarrierPotential barrier(set.dhat);
        set_num_threads(1);
        const double value = barrier(set.collisions, set.mesh, set.X);
        const Eigen::VectorXd gradient = barrier.gradient(set.collisions, set.mesh, set.X);
        for (const int threads : {2, 3, 8}) {
            set_num_threads(threads);
            EXPECT_EQ(barrier(set.collisions, set.mesh, set.X), value);
            EXPECT_EQ(barrier.gradient(set.collisions, set.mesh, set.X), gradient);
        }
        set_num_threads(0);
    }
}

} // namespace

} // namespace abut::test::term_sums_test
