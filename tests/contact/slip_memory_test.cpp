#include "abut/contact/friction/slip_memory.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/friction/anchored_friction_potential.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "support/law_derivatives.hpp"

#include <gtest/gtest.h>

namespace abut::test::slip_memory_test {

namespace {

constexpr double dhat = 0.003, slip = 3e-5, mu = 0.4;

/// A block over a fine floor, and a plane below that nothing touches.
struct Scene {
    Scene()
    {
        MeshData both = generate::plane_grid({.cells = {8, 8}});
        num_floor = static_cast<int>(both.vertices.rows());
        append(both, translated(generate::box({.size = Vec3(0.3, 0.2, 0.3)}), Vec3(0.0225, 0.102, 0.013)));
        X = both.vertices;
        mesh.emplace(both);
        bodies.assign(mesh->num_vertices(), 1);
        std::fill_n(bodies.begin(), num_floor, 0);
    }

    [[nodiscard]] Positions moved(const Vec3& by) const
    {
        Positions there = X;
        there.bottomRows(X.rows() - num_floor).rowwise() += by.transpose();
        return there;
    }

    [[nodiscard]] TangentialCollisions lagged(const Positions& at, double mu_k = mu) const
    {
        NormalCollisions pressing;
        pressing.build(*mesh, at, {.dhat = dhat});
        TangentialCollisions terms;
        terms.build(
            *mesh, at, pressing, BarrierPotential({.dhat = dhat, .stiffness = 1e4}), {.mu_s = mu, .mu_k = mu_k});
        return terms;
    }

    int num_floor;
    Positions X;
    std::optional<CollisionMesh> mesh;
    std::vector<int> bodies;
};

double weight_of(const TangentialCollisions& terms)
{
    double sum = 0;
    for (std::size_t k = 0; k < terms.size(); ++k)
        sum += terms[k].weight * terms[k].normal_force;
    return sum;
}

/// Of the springs on the block, along x, if the step from `start` ends at `end`.
double pull(const Scene& scene, const TangentialCollisions& terms, const Positions& start, const Positions& end)
{
    const Eigen::VectorXd force = AnchoredFrictionPotential().force(terms, *scene.mesh, end - start);
    double sum = 0;
    for (Eigen::Index v = scene.num_floor; v < start.rows(); ++v)
        sum += force[3 * v];
    return sum;
}

/// A step from one place to the other: what is remembered then.
void take(const Scene& scene, SlipMemory& memory, const Positions& from, const Positions& to)
{
    TangentialCollisions terms = scene.lagged(from);
    memory.recall(*scene.mesh, from, from, terms);
    memory.remember(*scene.mesh, from, from, to, terms);
}

} // namespace

TEST(AnchoredFriction, HasTheDerivativesThatItSaysAndNoJump)
{
    const AnchoredFriction law{0.7};
    expect_derivatives(law, 0.4, 0.4);
    expect_derivatives(law, 1.8, 0.8);
    constexpr double tiny = 1e-9;
    EXPECT_NEAR(law(1 - tiny).value, law(1 + tiny).value, 3 * tiny);
    EXPECT_NEAR(law(1 - tiny).first, law(1 + tiny).first, 3 * tiny);
    EXPECT_EQ(law(0).first_over_y, law(0).second);
    EXPECT_EQ(law(5).first, 0.7);
}

TEST(SlipMemory, OfAContactThatSticksGivesBackWhatWasPutIn)
{
    const Scene scene;
    SlipMemory memory(slip, scene.bodies);
    const Positions there = scene.moved(Vec3(0.6 * slip, 0, 0));
    take(scene, memory, scene.X, there);
    ASSERT_GT(memory.contacts().size(), 10u);
    for (const RememberedSlip& contact : memory.contacts())
        EXPECT_FALSE(contact.is_sliding);
    TangentialCollisions terms = scene.lagged(there);
    memory.recall(*scene.mesh, there, there, terms);
    // Still stretched, though nothing moves
    EXPECT_NEAR(pull(scene, terms, there, there), -0.6 * mu * weight_of(terms), 0.01 * mu * weight_of(terms));
    // And slack again where it came from
    take(scene, memory, there, scene.X);
    for (const RememberedSlip& contact : memory.contacts())
        EXPECT_LT(contact.slip.norm(), 1e-3 * slip);
}

TEST(SlipMemory, SlidesWhereTheSpringPullsHarderThanFriction)
{
    const Scene scene;
    SlipMemory memory(slip, scene.bodies);
    const Positions there = scene.moved(Vec3(3 * slip, 0, 4 * slip));
    take(scene, memory, scene.X, there);
    for (const RememberedSlip& contact : memory.contacts()) {
        EXPECT_TRUE(contact.is_sliding);
        EXPECT_NEAR(contact.slip.norm(), slip, 1e-12 * slip);
        EXPECT_NEAR(std::abs(contact.slip.x()), 0.6 * slip, 0.01 * slip);
    }
    TangentialCollisions terms = scene.lagged(there, 0.5 * mu);
    memory.recall(*scene.mesh, there, there, terms);
    // With the kinetic coefficient from then on
    EXPECT_NEAR(pull(scene, terms, there, there), -0.6 * 0.5 * mu * weight_of(terms), 0.01 * mu * weight_of(terms));
}

TEST(SlipMemory, OfABlockThatIsDraggedOverEdgesKeepsItsPull)
{
    const Scene scene;
    SlipMemory memory(slip, scene.bodies);
    Positions here = scene.X;
    int changes = 0;
    std::vector<RememberedSlip> before;
    for (int k = 1; k <= 560; ++k) { // a corner of the block passes over an edge of the floor after 2.5 mm
        const Positions there = scene.moved(Vec3(k * 0.3 * slip, 0, 0));
        TangentialCollisions terms = scene.lagged(here);
        memory.recall(*scene.mesh, here, here, terms);
        if (k > 10) {
            // What Coulomb's law has for the same contacts; those beside an edge are steeper than the floor.
            const Eigen::VectorXd coulomb =
                FrictionPotential(1e-9).force(scene.lagged(here), *scene.mesh, scene.moved(Vec3::UnitX()) - scene.X);
            double sum = 0;
            for (Eigen::Index v = scene.num_floor; v < here.rows(); ++v)
                sum += coulomb[3 * v];
            ASSERT_NEAR(pull(scene, terms, here, there), sum, 0.02 * std::abs(sum)) << k;
        }
        memory.remember(*scene.mesh, here, here, there, terms);
        changes += memory.contacts().size() != before.size() ? 1 : 0;
        before = memory.contacts();
        here = there;
    }
    EXPECT_GT(changes, 0); // it did cross some
}

TEST(SlipMemory, StoresNoMoreThanWasPutInWhenTheLoadGrows)
{
    const Scene scene;
    SlipMemory memory(slip, scene.bodies);
    const Positions there = scene.moved(Vec3(0.6 * slip, 0, 0));
    take(scene, memory, scene.X, there);
    const Positions lower = scene.moved(Vec3(0.6 * slip, -0.0005, 0)); // pressed harder
    const auto stored = [&] {
        double sum = 0;
        for (const RememberedSlip& contact : memory.contacts())
            sum += contact.stiffness * contact.slip.squaredNorm() / 2;
        return sum;
    };
    const double before = stored();
    take(scene, memory, lower, lower);
    EXPECT_LT(stored(), before);
    EXPECT_GT(stored(), 0.05 * before);
    // Released, the springs are as stiff as they were: nothing softens while it sticks.
    const std::vector<RememberedSlip> pressed = memory.contacts();
    take(scene, memory, there, there);
    for (const RememberedSlip& contact : memory.contacts()) {
        const auto same = std::find_if(pressed.begin(), pressed.end(), [&](const RememberedSlip& other) {
            return other.kind == contact.kind && other.elements == contact.elements;
        });
        if (same != pressed.end() && !contact.is_sliding) {
            EXPECT_NEAR(contact.stiffness, same->stiffness, 1e-9 * same->stiffness);
        }
    }
}

TEST(SlipMemory, TurnsWithTheBodies)
{
    const Scene scene;
    SlipMemory memory(slip, scene.bodies);
    const Positions there = scene.moved(Vec3(0.6 * slip, 0, 0));
    take(scene, memory, scene.X, there);
    const std::vector<RememberedSlip> before = memory.contacts();
    const Mat<3, 3> turn = Eigen::AngleAxisd(0.3, Vec3(0.3, 1, -0.2).normalized()).toRotationMatrix();
    const Positions turned = there * turn.transpose();
    TangentialCollisions terms = scene.lagged(there);
    memory.recall(*scene.mesh, there, there, terms);
    memory.remember(*scene.mesh, there, there, turned, terms);
    ASSERT_EQ(memory.contacts().size(), before.size());
    for (std::size_t k = 0; k < before.size(); ++k)
        EXPECT_LT((memory.contacts()[k].slip - turn * before[k].slip).norm(), 1e-6 * slip) << k;
}

TEST(SlipMemory, MayBeLaggedElsewhere)
{
    // Lagged at the end of the step in place of its start, the spring is as long.
    const Scene scene;
    const Positions there = scene.moved(Vec3(0.6 * slip, 0, 0));
    SlipMemory memory(slip, scene.bodies);
    TangentialCollisions terms = scene.lagged(there);
    memory.recall(*scene.mesh, scene.X, there, terms);
    EXPECT_NEAR(pull(scene, terms, scene.X, there), -0.6 * mu * weight_of(terms), 0.01 * mu * weight_of(terms));
    memory.remember(*scene.mesh, scene.X, there, there, terms);
    for (const RememberedSlip& contact : memory.contacts())
        EXPECT_NEAR(contact.slip.norm(), 0.6 * slip, 0.02 * slip);
}

TEST(SlipMemory, GoesThroughNumbersAndTakesFewBytes)
{
    const Scene scene;
    SlipMemory memory(slip, scene.bodies), copy(slip, scene.bodies);
    take(scene, memory, scene.X, scene.moved(Vec3(0.6 * slip, 0, slip)));
    const std::vector<double> numbers = memory.numbers(3);
    EXPECT_LT(numbers.size() * sizeof(double), 100 * memory.contacts().size());
    copy.set_numbers(*scene.mesh, numbers, "friction.slips");
    EXPECT_EQ(copy.contacts(), memory.contacts());
    std::vector<double> turned; // another order makes no difference
    for (std::size_t k = numbers.size(); k >= 6; k -= 6)
        turned.insert(turned.end(), numbers.begin() + (k - 6), numbers.begin() + k);
    copy.set_numbers(*scene.mesh, turned, "friction.slips");
    EXPECT_EQ(copy.contacts(), memory.contacts());
    for (const int at : {3, 5})
        for (const double number :
             {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            std::vector<double> wrong = numbers;
            wrong[at] = number;
            EXPECT_THROW(copy.set_numbers(*scene.mesh, wrong, "friction.slips"), InvalidInput);
        }
    std::vector<double> wrong = numbers;
    wrong[1] = 1e6; // no such vertex
    EXPECT_THROW(copy.set_numbers(*scene.mesh, wrong, "friction.slips"), InvalidInput);
    wrong.pop_back();
    EXPECT_THROW(copy.set_numbers(*scene.mesh, wrong, "friction.slips"), InvalidInput);
    EXPECT_THROW(SlipMemory(0, scene.bodies), InvalidInput);
}

TEST(AnchoredFrictionPotential, HasTheDerivativesOfDifferencesInStickAndSlip)
{
    const Scene scene;
    SlipMemory memory(slip, scene.bodies);
    const Positions there = scene.moved(Vec3(0.7 * slip, 0, 0.4 * slip));
    take(scene, memory, scene.X, there);
    TangentialCollisions terms = scene.lagged(there);
    memory.recall(*scene.mesh, there, there, terms);
    const AnchoredFrictionPotential friction;
    for (const double size : {0.0, 0.1, 3.0}) { // sticks; sticks; most slide
        RandomStream random(3);
        Positions moved = Positions::Zero(there.rows(), 3);
        for (double& each : moved.reshaped())
            each = size * slip * random.uniform(-1, 1);
        const Eigen::VectorXd gradient = friction.gradient(terms, *scene.mesh, moved);
        const Eigen::MatrixXd hessian = friction.hessian(terms, *scene.mesh, moved);
        const double h = 1e-5 * slip;
        for (Eigen::Index k = 0; k < moved.size(); k += 5) {
            Positions right = moved, left = moved;
            right.data()[k] += h;
            left.data()[k] -= h;
            const double slope = (friction(terms, *scene.mesh, right) - friction(terms, *scene.mesh, left)) / (2 * h);
            EXPECT_NEAR(gradient[k], slope, 1e-6 * gradient.cwiseAbs().maxCoeff());
            const Eigen::VectorXd bend =
                (friction.gradient(terms, *scene.mesh, right) - friction.gradient(terms, *scene.mesh, left)) / (2 * h);
            EXPECT_LT((hessian.col(k) - bend).norm(), 1e-4 * hessian.cwiseAbs().maxCoeff());
        }
        EXPECT_GE(hessian.diagonal().minCoeff(), 0);
    }
}

TEST(SlipMemory, HasTheSameBitsForAnyNumberOfThreads)
{
    const Scene scene;
    const auto numbers = [&](int threads) {
        set_num_threads(threads);
        SlipMemory memory(slip, scene.bodies);
        take(scene, memory, scene.X, scene.moved(Vec3(0.6 * slip, 0, slip)));
        take(scene, memory, scene.moved(Vec3(0.6 * slip, 0, slip)), scene.moved(Vec3(0.06, 0, slip)));
        take(scene, memory, scene.moved(Vec3(0.06, 0, slip)), scene.moved(Vec3(0.06, 0, 2 * slip)));
        return memory.numbers(3);
    };
    const std::vector<double> one = numbers(1);
    EXPECT_EQ(numbers(2), one);
    set_num_threads(0);
}

} // namespace abut::test::slip_memory_test
