#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/uninverted_step.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "elastic_states.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

namespace abut::test::uninverted_step_test {
namespace {

/// Twice the area or six times the volume of x + t dx, without rounding.
template <int Dim>
mpq_class exact_volume(const Positions& x, const Positions& dx, const mpq_class& t)
{
    mpq_class e[Dim][Dim];
    for (int i = 0; i < Dim; ++i)
        for (int c = 0; c < Dim; ++c)
            e[i][c] = mpq_class(x(i + 1, c)) - mpq_class(x(0, c)) + t * (mpq_class(dx(i + 1, c)) - mpq_class(dx(0, c)));
    if constexpr (Dim == 2)
        return e[0][0] * e[1][1] - e[0][1] * e[1][0];
    else
        return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
               e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

/// x and dx hold one element: vertices 0 to Dim.
template <int Dim>
double step_of(const Positions& x, const Positions& dx)
{
    Stencils element;
    std::vector<int> corners;
    for (int i = 0; i <= Dim; ++i)
        corners.push_back(i);
    element.add(corners);
    return largest_uninverted_step<Dim>(element, Dim + 1, x, dx);
}

template <int Dim>
bool is_upright(const Positions& x)
{
    return sgn(exact_volume<Dim>(x, Positions::Zero(Dim + 1, Dim), 0)) > 0;
}

/// Of the samples k / n, the first at which the element is not upright; n + 1 if there is none.
template <int Dim>
int first_bad_sample(const Positions& x, const Positions& dx, int n)
{
    for (int k = 0; k <= n; ++k)
        if (sgn(exact_volume<Dim>(x, dx, mpq_class(k, n))) <= 0)
            return k;
    return n + 1;
}

template <int Dim>
void expect_safe(const Positions& x, const Positions& dx)
{
    const double t = step_of<Dim>(x, dx);
    ASSERT_GT(t, 0);
    ASSERT_LE(t, 1);
    constexpr int n = 200;
    for (int k = 0; k <= n; ++k)
        ASSERT_GT(sgn(exact_volume<Dim>(x, dx, mpq_class(t) * mpq_class(k, n))), 0) << "t = " << t << "\n" << x << dx;
    const Positions end = x + t * dx;
    ASSERT_TRUE(is_upright<Dim>(end)) << "t = " << t;
    const int first_bad = first_bad_sample<Dim>(x, dx, n);
    if (first_bad <= n) {
        ASSERT_LT(t, double(first_bad) / n);
    }
}

template <int Dim, typename Draw>
void expect_safe_for(int count, Draw&& draw)
{
    int drawn = 0, cut = 0;
    for (int k = 0; drawn < count && k < 100 * count; ++k) {
        const auto [x, dx] = draw();
        if (!is_upright<Dim>(x))
            continue;
        ++drawn;
        expect_safe<Dim>(x, dx);
        if (testing::Test::HasFatalFailure())
            return;
        cut += step_of<Dim>(x, dx) < 1 ? 1 : 0;
    }
    EXPECT_EQ(drawn, count);
    EXPECT_GT(cut, count / 10);
}

template <int Dim>
void expect_safe_for_all_kinds()
{
    RandomStream random(1);
    const auto points = [&](double size) -> Positions {
        return size * random_points<Dim, Dim + 1>(random).transpose();
    };
    const auto grid = [&](int size) -> Positions { return random_grid_points<Dim, Dim + 1>(random, size).transpose(); };
    for (const double size : {0.3, 1.0, 30.0, 1e6, 1e12})
        expect_safe_for<Dim>(150, [&] { return std::pair(points(1), points(size)); });
    // Whole numbers: roots of higher order and roots at 1 are common.
    expect_safe_for<Dim>(500, [&] { return std::pair(grid(2), grid(2)); });
    expect_safe_for<Dim>(500, [&] { return std::pair(grid(1), grid(3)); });
    // Far from the origin, where the end is rounded more coarsely than the element is small.
    expect_safe_for<Dim>(300, [&] {
        Positions x = 1e-13 * points(1);
        x.array() += 1;
        return std::pair(x, Positions(1e-13 * points(3)));
    });
    // Slivers, whose volume rounding does not see
    expect_safe_for<Dim>(300, [&] {
        Positions x = points(1);
        x.row(Dim) = 0.3 * x.row(0) + 0.7 * x.row(Dim - 1); // on the opposite face, but for rounding
        return std::pair(x, points(0.1));
    });
}

TEST(UninvertedStep, NoPointOfTheStepIsInvertedInSpace) { expect_safe_for_all_kinds<3>(); }
TEST(UninvertedStep, NoPointOfTheStepIsInvertedInThePlane) { expect_safe_for_all_kinds<2>(); }

Positions unit_tet()
{
    Positions x(4, 3);
    x << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    return x;
}

TEST(UninvertedStep, GoesNineTenthsOfTheWayToTheRoot)
{
    for (const double root : {0.9, 0.5, 0.1, 1e-3, 1e-9, 1e-30}) {
        Positions dx = Positions::Zero(4, 3);
        dx(3, 2) = -1 / root;
        const double t = step_of<3>(unit_tet(), dx);
        EXPECT_LT(t, 0.9 * root * (1 + 1e-12));
        EXPECT_GT(t, 0.89 * root);
    }
}

TEST(UninvertedStep, AFreeStepIsWhole)
{
    EXPECT_EQ(step_of<3>(unit_tet(), Positions::Zero(4, 3)), 1);
    EXPECT_EQ(step_of<3>(unit_tet(), Positions::Constant(4, 3, 1e9)), 1);
    EXPECT_EQ(step_of<3>(unit_tet(), unit_tet()), 1);
    EXPECT_EQ(step_of<3>(unit_tet(), -0.999 * unit_tet()), 1);
}

TEST(UninvertedStep, ADoubleRootIsNotMissed)
{
    // Turning by pi about z: x' = x + t (R x - x) makes the volume (1 - 2 t)² z, which touches zero at t = 1/2.
    Positions dx = unit_tet();
    dx.leftCols(2) *= -2;
    dx.col(2).setZero();
    const double t = step_of<3>(unit_tet(), dx);
    EXPECT_LT(t, 0.5);
    EXPECT_GT(t, 0.44);
    // The same with the point reflected as well: (1 - 2 t)³.
    dx.col(2) = -2 * unit_tet().col(2);
    EXPECT_LT(step_of<3>(unit_tet(), dx), 0.5);
    EXPECT_GT(step_of<3>(unit_tet(), dx), 0.44);
}

TEST(UninvertedStep, TwoCloseRootsAreNotMissed)
{
    // (1 - 2 t)² - gap² in the plane: negative on a short interval about 1/2.
    for (const double gap : {1e-3, 1e-6, 1e-8}) {
        Positions x(3, 2), dx(3, 2);
        x << 0, 0, 1, gap, gap, 1; // area 1 - gap²
        dx << 0, 0, -2, 0, 0, -2;
        const double t = step_of<2>(x, dx);
        EXPECT_LT(t, 0.5 - gap / 2);
        EXPECT_GT(t, 0.44);
    }
}

TEST(UninvertedStep, ARootAtTheEndIsCut)
{
    Positions dx = Positions::Zero(4, 3);
    dx(3, 2) = -1;
    EXPECT_LT(step_of<3>(unit_tet(), dx), 1);
    EXPECT_GT(step_of<3>(unit_tet(), dx), 0.89);
}

TEST(UninvertedStep, RejectsAStartThatIsInvertedOrFlat)
{
    Positions x = unit_tet();
    x(3, 2) = 0;
    EXPECT_THROW((void)step_of<3>(x, x), InvalidStart);
    x(3, 2) = -1;
    EXPECT_THROW((void)step_of<3>(x, x), InvalidStart);
    x(3, 2) = std::nan("");
    EXPECT_THROW((void)step_of<3>(x, unit_tet()), InvalidInput);
    EXPECT_THROW((void)step_of<3>(unit_tet(), x), InvalidInput);
    EXPECT_THROW((void)step_of<3>(unit_tet(), unit_tet().topRows(3)), InvalidInput);
}

TEST(UninvertedStep, OfABodyIsThatOfItsWorstElement)
{
    const MeshData mesh = generate::tet_box({.subdivisions = {8, 8, 8}});
    const TetElasticity energy(mesh.vertices, mesh.tets, {.lame = {lame_parameters(rubber)}});
    RandomStream random(2);
    Positions dx = mesh.vertices;
    for (double& coordinate : dx.reshaped())
        coordinate = random.uniform(-1, 1);
    set_num_threads(1);
    const double t = energy.largest_uninverted_step(mesh.vertices, dx);
    set_num_threads(4);
    EXPECT_EQ(energy.largest_uninverted_step(mesh.vertices, dx), t);
    set_num_threads(0);
    double worst = 1;
    for (Eigen::Index k = 0; k < mesh.tets.rows(); ++k) {
        Positions x(4, 3), step(4, 3);
        for (int i = 0; i < 4; ++i) {
            x.row(i) = mesh.vertices.row(mesh.tets(k, i));
            step.row(i) = dx.row(mesh.tets(k, i));
        }
        worst = std::min(worst, step_of<3>(x, step));
    }
    EXPECT_EQ(t, worst);
    EXPECT_LT(t, 0.2);
    const auto value = [&](double s) {
        return assembled(energy, mesh.vertices + s * dx, PSDProjectionMethod::none, Order::value).value();
    };
    EXPECT_TRUE(std::isfinite(value(t)));
    EXPECT_FALSE(std::isfinite(value(1.2 * t)));
}

// --- Triangles in space ---

struct MovingTriangle {
    Positions x, dx;

    [[nodiscard]] double area(double t) const
    {
        const Positions y = x + t * dx;
        const Vec3 u = y.row(1) - y.row(0), v = y.row(2) - y.row(0);
        return u.cross(v).norm() / 2;
    }
    [[nodiscard]] double step() const
    {
        Stencils triangle;
        triangle.add(std::array{0, 1, 2});
        return largest_step_with_area(triangle, 3, x, dx);
    }
    /// The first of n samples at which too little area is left, as a time; above 1 if there is none.
    [[nodiscard]] double first_collapse(int n) const
    {
        int k = 0;
        while (k <= n && area(double(k) / n) > least_kept_area * area(0))
            ++k;
        return double(k) / n;
    }
};

MovingTriangle triangle_in_space(const Vec3& step_of_last)
{
    MovingTriangle moving{Positions(3, 3), Positions::Zero(3, 3)};
    moving.x << 0, 0, 0, 1, 0, 0, 0.5, 1, 0;
    moving.dx.row(2) = step_of_last;
    return moving;
}

TEST(StepWithArea, EndsBeforeATriangleCollapsesInItsPlane)
{
    for (const double length : {1.0, 2.0, 100.0}) {
        const double t = triangle_in_space(Vec3(0, -length, 0)).step();
        EXPECT_LT(t, (1 - least_kept_area) / length);
        EXPECT_GT(t, 0.99 / length);
    }
    EXPECT_EQ(triangle_in_space(Vec3(0, -0.99, 0)).step(), 1);
    EXPECT_EQ(triangle_in_space(Vec3(7, 5, 0)).step(), 1) << "it may grow and shear as it likes";
}

TEST(StepWithArea, LetsATriangleTurnOver)
{
    // By 127 degrees; half of the way its area is less by a half.
    EXPECT_EQ(triangle_in_space(Vec3(0, -1.6, 0.8)).step(), 1);
    EXPECT_EQ(triangle_in_space(Vec3(0, -2, 0.01)).step(), 1);
    EXPECT_LT(triangle_in_space(Vec3(0, -2, 1e-3)).step(), 0.5) << "that is through itself";
}

TEST(StepWithArea, AgreesWithSamplesOfRandomSteps)
{
    RandomStream random(3);
    int num_cut = 0;
    for (int k = 0; k < 2000; ++k) {
        // Every other one within its plane, where triangles do collapse
        MovingTriangle moving{Positions(3, 3), Positions(3, 3)};
        moving.x = random_points<3, 3>(random);
        moving.dx = 3 * random_points<3, 3>(random);
        if (k % 2 == 0) {
            moving.x.col(2).setZero();
            moving.dx.col(2).setZero();
        }
        const double t = moving.step(), collapse = moving.first_collapse(1000);
        ASSERT_GT(t, 0);
        ASSERT_LT(t, collapse);
        for (int s = 0; s <= 50; ++s)
            ASSERT_GT(moving.area(t * s / 50), 0.999 * least_kept_area * moving.area(0)) << k;
        num_cut += t < 1 ? 1 : 0;
        if (collapse > 1 && t < 1) { // between two samples
            double least = moving.area(0);
            for (int s = 0; s <= 20; ++s)
                least = std::min(least, moving.area(t * (1 + 0.002 * s)));
            EXPECT_LT(least, 0.1 * moving.area(0)) << k;
        }
    }
    EXPECT_GT(num_cut, 300);
}

TEST(StepWithArea, OfATriangleWithoutAreaIsWhole)
{
    MovingTriangle moving = triangle_in_space(Vec3(0, 1, 0));
    moving.x.row(2) = moving.x.row(0);
    EXPECT_EQ(moving.step(), 1);
}

} // namespace
} // namespace abut::test::uninverted_step_test
