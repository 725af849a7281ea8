// Bonds whose intensity changes in time: the law against its closed forms and against many small steps, and what the
// memory makes of contacts that come and go.

#include "abut/contact/adhesion/bond_memory.hpp"

#include "abut/base/error.hpp"
#include "abut/base/random.hpp"
#include "abut/contact/adhesion/bond_spring_potential.hpp"
#include "abut/contact/adhesion/normal_adhesion_potential.hpp"
#include "abut/contact/laws/rcc.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

#include <map>

namespace abut::test::bond_memory_test {

namespace {

constexpr RccParameters bond{.c_n = 1e7, .c_t = 4e6, .eta = 2e-3, .w = 0.4, .r = 5e-3, .p_0 = 800};

/// The paper's explicit step (eq. 7 to 9), many times.
double by_small_steps(double beta, double gap, double slip, double pressure, double time, int steps)
{
    const double h = time / steps, d2 = gap * gap, s2 = slip * slip;
    for (int k = 0; k < steps; ++k) {
        const double rate = pressure > 0
                                ? bond.r * std::max(pressure - beta * bond.p_0, 0.0) +
                                      std::min(bond.w - bond.c_t * beta * s2, 0.0) / bond.eta
                                : std::min(bond.w - bond.c_n * beta * d2 - bond.c_t * beta * s2, 0.0) / bond.eta;
        beta = std::min(1.0, std::max(0.0, beta + h * rate));
    }
    return beta;
}

} // namespace

TEST(RccIntensity, AtAConstantGapFallsExponentiallyToWhatTheGapLeaves)
{
    const double gap = 4e-4, rate = bond.c_n * gap * gap / bond.eta, left = bond.w / (bond.c_n * gap * gap);
    ASSERT_LT(left, 0.5);
    double beta = 1;
    for (int k = 1; k <= 40; ++k) {
        beta = evolved_intensity(bond, beta, gap, 0, -1, 1e-4);
        EXPECT_NEAR(beta, left + (1 - left) * std::exp(-rate * k * 1e-4), 1e-13);
    }
    // One long step is as good as many short ones, and never goes below: an explicit one would end at 0.
    EXPECT_NEAR(evolved_intensity(bond, 1, gap, 0, -1, 4e-3), beta, 1e-13);
    EXPECT_NEAR(evolved_intensity(bond, 1, gap, 0, -1, 1e3), left, 1e-13);
    EXPECT_EQ(by_small_steps(1, gap, 0, -1, 1, 1), 0);
    // What is whole stays whole below √(W / C_N), and along below √(W / C_T).
    EXPECT_EQ(evolved_intensity(bond, 1, 0.999 * bond.stretch(), 0, -1, 1), 1);
    EXPECT_LT(evolved_intensity(bond, 1, 1.001 * bond.stretch(), 0, -1, 1), 1);
    EXPECT_EQ(evolved_intensity(bond, 1, 1, 0.999 * bond.slip(), 1e9, 1), 1);
}

TEST(RccIntensity, UnderConstantPressureGrowsExponentiallyToPressureOverP0)
{
    for (const double pressure : {200.0, 600.0}) {
        double beta = 0;
        for (int k = 1; k <= 20; ++k) {
            beta = evolved_intensity(bond, beta, 1e-3, 0, pressure, 0.02);
            EXPECT_NEAR(beta, pressure / bond.p_0 * (1 - std::exp(-bond.r * bond.p_0 * 0.02 * k)), 1e-13);
        }
    }
    EXPECT_EQ(evolved_intensity(bond, 0, 1e-3, 0, 5000, 10), 1); // never more than whole
    EXPECT_EQ(evolved_intensity(bond, 0.7, 1e-5, 0, 0, 10), 0.7);
}

TEST(RccIntensity, IsWhatThePapersRatesLeadToInManySmallSteps)
{
    RandomStream random(3);
    int rose = 0, fell = 0, both = 0;
    for (int k = 0; k < 200; ++k) {
        const double beta = random.uniform(0, 1), gap = random.uniform(0, 5e-4), slip = random.uniform(0, 1.5e-3);
        const double pressure = random.uniform(-400, 900), time = random.uniform(0, 0.3);
        const double exact = evolved_intensity(bond, beta, gap, slip, pressure, time);
        EXPECT_NEAR(exact, by_small_steps(beta, gap, slip, pressure, time, 20000), 3e-4)
            << beta << " " << gap << " " << slip << " " << pressure << " " << time;
        rose += exact > beta ? 1 : 0;
        fell += exact < beta ? 1 : 0;
        both += pressure > 0 && bond.c_t * slip * slip * pressure / bond.p_0 > bond.w ? 1 : 0;
    }
    EXPECT_GT(std::min({rose, fell, both}), 20);
}

namespace {

constexpr double reach = 0.004;

/// A block of few vertices over a fine floor.
struct Scene {
    Scene()
    {
        MeshData all = generate::plane_grid({.cells = {8, 8}});
        num_floor = static_cast<int>(all.vertices.rows());
        append(all, translated(generate::box({.size = Vec3(0.3, 0.2, 0.3)}), Vec3(0.0225, 0.102, 0.013)));
        X = all.vertices;
        mesh.emplace(all);
        bodies.assign(mesh->num_vertices(), 1);
        std::fill_n(bodies.begin(), num_floor, 0);
    }

    [[nodiscard]] Positions moved(const Vec3& by) const
    {
        Positions there = X;
        there.bottomRows(X.rows() - num_floor).rowwise() += by.transpose();
        return there;
    }

    [[nodiscard]] NormalCollisions near(const Positions& at) const
    {
        NormalCollisions collisions;
        collisions.build(*mesh, at, potential.options().collisions());
        return collisions;
    }

    int num_floor;
    Positions X;
    std::optional<CollisionMesh> mesh;
    std::vector<int> bodies;
    NormalAdhesionPotential potential{
        {.dhat_p = 0.8 * reach, .dhat_a = reach, .youngs_modulus = 1e4, .critical_strain = 1}};
};

/// Of the vertices of the block that touch, by number: the mean intensity of what they have, by their weights.
std::map<int, double>
of_vertices(const Scene& scene, const NormalCollisions& set, const std::vector<RememberedBond>& bonds)
{
    std::map<int, double> sums;
    std::map<int, double> weights;
    for (std::size_t k = 0; k < set.size(); ++k) {
        const NormalCollision pair = set[k];
        if (pair.weight == 0 || pair.vertices.front() < scene.num_floor)
            continue;
        sums[pair.vertices.front()] += pair.weight * bonds[k].intensity;
        weights[pair.vertices.front()] += pair.weight;
    }
    for (auto& [vertex, sum] : sums)
        sum /= weights[vertex];
    return sums;
}

} // namespace

TEST(BondMemory, SurvivesThePassageToTheNextFaces)
{
    const Scene scene;
    BondMemory memory(scene.bodies);
    const NormalCollisions first = scene.near(scene.X);
    // Each vertex of the block has an intensity of its own.
    std::vector<RememberedBond> bonds = memory.bonds(*scene.mesh, scene.X, first);
    for (std::size_t k = 0; k < first.size(); ++k)
        if (first[k].vertices.front() >= scene.num_floor)
            bonds[k].intensity = 0.2 + 0.1 * (first[k].vertices.front() % 5);
    memory.set_contacts(bonds);
    const auto before = of_vertices(scene, first, memory.bonds(*scene.mesh, scene.X, first));
    ASSERT_GE(before.size(), 4u);
    // A step that carries it over two cells of the floor
    const NormalCollisions second = scene.near(scene.moved(Vec3(0.27, 0, 0.13)));
    std::size_t same = 0;
    for (std::size_t k = 0; k < second.size(); ++k)
        for (const RememberedBond& old : memory.contacts())
            same += old.kind == second[k].kind && old.elements == second[k].elements ? 1 : 0;
    EXPECT_EQ(same, 0u);
    const auto after = of_vertices(scene, second, memory.bonds(*scene.mesh, scene.X, second));
    ASSERT_EQ(after.size(), before.size());
    for (const auto& [vertex, intensity] : before)
        EXPECT_NEAR(after.at(vertex), intensity, 1e-12) << vertex;
}

TEST(BondMemory, DoesNotBondWhatOnlyItsNeighboursAreStuckTo)
{
    const Scene scene;
    BondMemory memory(scene.bodies);
    const NormalCollisions set = scene.near(scene.X);
    std::vector<RememberedBond> bonds = memory.bonds(*scene.mesh, scene.X, set);
    int stuck = -1;
    for (std::size_t k = 0; k < set.size() && stuck < 0; ++k)
        stuck = set[k].vertices.front() >= scene.num_floor ? set[k].vertices.front() : -1;
    ASSERT_GE(stuck, scene.num_floor);
    for (std::size_t k = 0; k < set.size(); ++k)
        bonds[k].intensity = set[k].vertices.front() == stuck ? 1 : 0;
    memory.set_contacts(bonds);
    const NormalCollisions next = scene.near(scene.moved(Vec3(0.02, 0, 0.03)));
    for (const auto& [vertex, intensity] : of_vertices(scene, next, memory.bonds(*scene.mesh, scene.X, next)))
        EXPECT_EQ(intensity, vertex == stuck ? 1 : 0) << vertex;
}

TEST(BondMemory, KeepsHowFarABondHasSlidAndTheSpringPullsBack)
{
    const Scene scene;
    BondMemory memory(scene.bodies);
    const NormalCollisions set = scene.near(scene.X);
    std::vector<RememberedBond> bonds = memory.bonds(*scene.mesh, scene.X, set);
    const Vec3 slid(3e-3, 0, -1e-3);
    for (std::size_t k = 0; k < set.size(); ++k) {
        bonds[k].intensity = 1;
        bonds[k].slip = set[k].vertices.front() >= scene.num_floor ? slid : Vec3(-slid);
    }
    memory.set_contacts(bonds);
    TangentialCollisions terms;
    const double mu = 0.7, unit = 2e-3;
    terms.build(*scene.mesh, scene.X, set, scene.potential, FrictionCoefficients::uniform(mu));
    memory.recall(*scene.mesh, scene.X, scene.X, std::vector<double>(terms.size(), unit), terms);
    const BondSpringPotential spring;
    double weights = 0;
    for (std::size_t k = 0; k < terms.size(); ++k)
        weights += terms[k].weight;
    for (const double more : {0.0, 5e-3}) {
        const Eigen::VectorXd force = spring.force(terms, *scene.mesh, scene.moved(Vec3(more, 0, 0)) - scene.X);
        Vec3 sum = Vec3::Zero();
        for (Eigen::Index v = scene.num_floor; v < scene.X.rows(); ++v)
            sum += force.segment<3>(3 * v);
        const double stiffness = mu * scene.potential.strength() * weights / unit;
        EXPECT_NEAR(sum.x(), -stiffness * (slid.x() + more), 1e-9 * stiffness * slid.norm());
        EXPECT_NEAR(sum.z(), -stiffness * slid.z(), 1e-9 * stiffness * slid.norm());
    }
}

TEST(BondMemory, IsTheSameFromItsNumbersAndRejectsOthers)
{
    const Scene scene;
    BondMemory memory(scene.bodies), other(scene.bodies);
    std::vector<RememberedBond> bonds = memory.bonds(*scene.mesh, scene.X, scene.near(scene.X));
    RandomStream random(7);
    for (RememberedBond& each : bonds) {
        each.intensity = random.uniform(0.1, 1);
        each.slip = Vec3(random.uniform(-1, 1), 0, random.uniform(-1, 1));
    }
    memory.set_contacts(bonds);
    ASSERT_GT(memory.contacts().size(), 4u);
    const std::vector<double> numbers = memory.numbers(3);
    EXPECT_EQ(numbers.size() * sizeof(double), 48 * memory.contacts().size());
    EXPECT_LT(sizeof(RememberedBond), 100u);
    other.set_numbers(*scene.mesh, numbers, "bonds");
    EXPECT_EQ(memory.contacts(), other.contacts());
    std::vector<double> wrong = numbers;
    wrong.pop_back();
    EXPECT_THROW(other.set_numbers(*scene.mesh, wrong, "bonds"), InvalidInput);
    wrong = numbers;
    wrong[5] = 1.5; // an intensity
    EXPECT_THROW(other.set_numbers(*scene.mesh, wrong, "bonds"), InvalidInput);
    wrong = numbers;
    wrong[1] = 1e6; // an element
    EXPECT_THROW(other.set_numbers(*scene.mesh, wrong, "bonds"), InvalidInput);
    EXPECT_EQ(memory.contacts(), other.contacts()); // nothing changed
}

} // namespace abut::test::bond_memory_test
