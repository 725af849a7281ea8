// Derivatives of GCP against central differences, in every branch: its vector functions, and whole pairs of every kind
// with every kind of test.
//
// Sets stay as they were built while points move by the step of the differences: the gradient is that of the listed
// pairs with their listed tests. That the potential of sets that are built anew has the same gradient on both sides of
// every change of the list is the matter of gcp_continuity_test.cpp.

#include "abut/base/parallel.hpp"
#include "abut/contact/gcp/pair_energy.hpp"
#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "support/collision_scenes.hpp"
#include "support/finite_differences.hpp"

#include <Eigen/Eigenvalues>

#include <functional>
#include <map>
#include <set>

namespace abut::test::gcp_derivatives_test {

namespace {

// --- Vector functions ---

/// Makes a vector function of the points x(i).
template <int Dim>
using MakeVectorFunction = std::function<gcp::VectorFunction<Dim>(const std::function<Vec<Dim>(int)>& x)>;

/// Checks the value and both derivatives of the function that make(x) returns, of four points.
template <int Dim>
void expect_vector_function(const MakeVectorFunction<Dim>& make, const Mat<Dim, 4>& X, const Vec<Dim>& expected)
{
    using Points = Mat<Dim, 4>;
    const Vec<Dim> g = Vec<Dim>::LinSpaced(0.3, -1.1);
    const auto at = [&](const Points& points) { return make([&points](int i) { return Vec<Dim>(points.col(i)); }); };
    EXPECT_LE((at(X).value - expected).norm(), 1e-13 * (1 + expected.norm()));
    const auto jacobian = [&](const Points& points) {
        const auto f = at(points);
        Mat<Dim, 4 * Dim> J = Mat<Dim, 4 * Dim>::Zero();
        for (int p = 0; p < f.count; ++p)
            J.template block<Dim, Dim>(0, f.points[p] * Dim) += f.jacobian[p];
        return J;
    };
    expect_jacobian_matches_differences<Dim, 4>(
        [&](const Points& points) { return std::pair<Eigen::VectorXd, Matrix>(at(points).value, jacobian(points)); }, X,
        0.2);
    expect_jacobian_matches_differences<Dim, 4>(
        [&](const Points& points) {
            Matrix H = Matrix::Zero(4 * Dim, 4 * Dim);
            at(points).second_derivative(g, [&](int p, int q, const Mat<Dim, Dim>& block) {
                H.block<Dim, Dim>(p * Dim, q * Dim) += block;
                if (p != q)
                    H.block<Dim, Dim>(q * Dim, p * Dim) += block.transpose();
            });
            return std::pair<Eigen::VectorXd, Matrix>(jacobian(points).transpose() * g, H);
        },
        X, 0.2);
}

template <int Dim>
void expect_vector_functions(std::uint64_t seed)
{
    using F = gcp::VectorFunction<Dim>;
    RandomStream random(seed);
    for (int n = 0; n < 20; ++n) {
        Mat<Dim, 4> X;
        double shortest = 0;
        while (shortest < 0.5) { // points well apart, and no sliver
            X = random_points<Dim, 4>(random);
            shortest = 2;
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < i; ++j)
                    for (int k = 0; k < j; ++k) {
                        const Vec<Dim> u = X.col(i) - X.col(j), w = X.col(k) - X.col(j);
                        shortest = std::min({shortest, u.norm(), (w - u * (u.dot(w) / u.dot(u))).norm(), w.norm()});
                    }
        }
        const Vec<Dim> x0 = X.col(0), x1 = X.col(1), x2 = X.col(2), x3 = X.col(3);
        expect_vector_function<Dim>([](const auto& x) { return F::difference(x, 2, 1); }, X, Vec<Dim>(x1 - x2));
        expect_vector_function<Dim>([](const auto& x) { return F::variable(x(3), 3); }, X, x3);
        const Vec<Dim> u = (x2 - x0).normalized(), w = x3 - x0;
        expect_vector_function<Dim>(
            [](const auto& x) { return F::perpendicular(x, 0, 2, 3); }, X, Vec<Dim>(w - u * u.dot(w)));
        expect_vector_function<Dim>(
            [](const auto& x) { return F::bisector(x, 1, 3, 0); }, X,
            Vec<Dim>((x3 - x1).normalized() + (x0 - x1).normalized()));
        const Vec<Dim> n_plane = random_direction<Dim>(random), o = random_points<Dim>(random);
        expect_vector_function<Dim>(
            [&](const auto& x) {
                return F::of(plane_vertex_closest<Dim>(x(0), Plane{lifted(o), lifted(n_plane)}), {0});
            },
            X, Vec<Dim>(n_plane * n_plane.dot(x0 - o)));
        expect_vector_function<Dim>(
            [](const auto& x) {
                return F::of(point_point_closest<Dim>(x(2), x(1)), {2, 1});
            },
            X, Vec<Dim>(x2 - x1));
        if constexpr (Dim == 2) {
            expect_vector_function<2>(
                [](const auto& x) { return F::normal(x, 2, 1, -1); }, X, gcp::right_of(Vec2(x1 - x2)));
            expect_vector_function<2>(
                [](const auto& x) { return F::normal(x, 2, -1, 1); }, X, gcp::right_of(Vec2(x2 - x1)));
        } else {
            expect_vector_function<3>(
                [](const auto& x) { return F::normal(x, 2, 0, 3); }, X, Vec3((x0 - x2).cross(x3 - x2)));
            const Vec3 between = (x1 - x0).cross(x3 - x2).normalized(), above = (x1 - x0).cross(x2 - x0).normalized();
            if ((x1 - x0).cross(x3 - x2).norm() > 0.3)
                expect_vector_function<3>(
                    [](const auto& x) {
                        return F::of(line_line_closest(x(0), x(1), x(2), x(3)), {0, 1, 2, 3});
                    },
                    X, Vec3(between * between.dot(x0 - x2)));
            expect_vector_function<3>(
                [](const auto& x) {
                    return F::of(point_plane_closest(x(3), x(0), x(1), x(2)), {3, 0, 1, 2});
                },
                X, Vec3(above * above.dot(x3 - x0)));
        }
        if (testing::Test::HasFailure())
            return;
    }
}

/// That the slope has the function's value, and pulls vectors back as its Jacobian does.
template <int Dim>
void expect_slope(const gcp::VectorSlope<Dim>& slope, const gcp::VectorFunction<Dim>& function, RandomStream& random)
{
    EXPECT_LE((slope.value - function.value).norm(), 1e-15 * (1 + function.value.norm()));
    for (int repeat = 0; repeat < 3; ++repeat) {
        const Vec<Dim> g = random_points<Dim>(random);
        Mat<Dim, 4> pulled = Mat<Dim, 4>::Zero(), expected = Mat<Dim, 4>::Zero();
        slope.pull_back(g, [&](int i, const Vec<Dim>& by_point) { pulled.col(i) += by_point; });
        for (int p = 0; p < function.count; ++p)
            expected.col(function.points[p]) += function.jacobian[p].transpose() * g;
        EXPECT_LE((pulled - expected).norm(), 1e-14 * (1 + expected.norm()) / (1e-3 + function.value.norm()));
    }
}

template <int Dim>
void expect_slopes(std::uint64_t seed)
{
    using F = gcp::VectorFunction<Dim>;
    using S = gcp::VectorSlope<Dim>;
    RandomStream random(seed);
    for (int n = 0; n < 50; ++n) {
        const Mat<Dim, 4> X = random_points<Dim, 4>(random);
        const auto x = [&](int i) { return Vec<Dim>(X.col(i)); };
        expect_slope<Dim>(S::difference(x, 2, 1), F::difference(x, 2, 1), random);
        expect_slope<Dim>(S::variable(x(3), 3), F::variable(x(3), 3), random);
        expect_slope<Dim>(S::perpendicular(x, 0, 2, 3), F::perpendicular(x, 0, 2, 3), random);
        expect_slope<Dim>(S::bisector(x, 1, 3, 0), F::bisector(x, 1, 3, 0), random);
        const auto of_closest = [&](const auto& closest) { expect_slope<Dim>(S::of(closest), F::of(closest), random); };
        of_closest(point_point_closest<Dim>(x(0), x(1)));
        of_closest(point_line_closest<Dim>(x(0), x(1), x(2)));
        of_closest(plane_vertex_closest<Dim>(x(0), Plane{lifted(x(1)), lifted(Vec<Dim>(x(2).normalized()))}));
        if constexpr (Dim == 2) {
            expect_slope<2>(S::normal(x, 2, 1, -1), F::normal(x, 2, 1, -1), random);
            expect_slope<2>(S::normal(x, 2, -1, 1), F::normal(x, 2, -1, 1), random);
        } else {
            expect_slope<3>(S::normal(x, 2, 0, 3), F::normal(x, 2, 0, 3), random);
            of_closest(line_line_closest(x(0), x(1), x(2), x(3)));
            of_closest(point_plane_closest(x(0), x(1), x(2), x(3)));
        }
    }
}

TEST(GcpVectorFunctions, SlopesPullBackAsJacobiansDoInThePlane) { expect_slopes<2>(3); }
TEST(GcpVectorFunctions, SlopesPullBackAsJacobiansDoInSpace) { expect_slopes<3>(4); }

TEST(GcpVectorFunctions, DerivativesMatchDifferencesInThePlane) { expect_vector_functions<2>(1); }
TEST(GcpVectorFunctions, DerivativesMatchDifferencesInSpace) { expect_vector_functions<3>(2); }

// --- Whole pairs ---

/// Something small that is closed: in space an octahedron, in the plane a pentagon, both shaken so that they have
/// reflex edges and vertices.
MeshData shaken_body(int dim, RandomStream& random)
{
    MeshData body;
    if (dim == 3) {
        body.vertices = positions({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}});
        body.faces = elements({{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
        body.edges.resize(0, 2);
    } else {
        body = generate::squircle({.segments = 5});
    }
    for (double& x : body.vertices.reshaped())
        x += random.uniform(-0.8, 0.8);
    return body;
}

const char* name(gcp::Test::Kind kind)
{
    constexpr std::array names{"along", "bisector", "across", "normal", "sector"};
    return names[static_cast<int>(kind)];
}
const char* name(PairKind kind)
{
    constexpr std::array names{"none", "vv", "ev", "ee", "fv", "pv"};
    return names[static_cast<int>(kind)];
}

/// Is a mollifier of the pair so close to a kink of its second derivative that differences would see both sides?
template <int Dim, typename Points>
bool is_near_kink(PairKind kind, bool is_toolkit, const Points& x, double squared_distance)
{
    bool is_near = false;
    gcp::for_each_border(kind, [&](int p, int e0, int e1) {
        const bool whole_line = is_toolkit && kind == PairKind::face_vertex;
        const double D = gcp::border_distance<Dim>(x, p, e0, e1, whole_line, Order::value).value;
        const double argument = is_toolkit ? gcp::Toolkit::mollifier_argument(D, squared_distance)
                                           : gcp::Paper::mollifier_argument(D, squared_distance);
        is_near = is_near || argument < 0.01 || std::abs(argument - 1) < 0.01;
        if (e0 != e1 && !whole_line && argument < 1) {
            const Vec<Dim> u = x(e1) - x(e0);
            const double along = u.dot(x(p) - x(e0)) / u.squaredNorm();
            is_near = is_near || std::abs(along) < 1e-4 || std::abs(along - 1) < 1e-4;
        }
    });
    return is_near;
}

/// Compares derivatives of all pairs of random scenes, and notes what they were made of.
template <int Dim>
class PairComparison {
public:
    explicit PairComparison(SmoothContactParameters params)
        : params_(std::move(params)), is_toolkit_(params_.variant == SmoothContactVariant::toolkit)
    {}

    /// Two bodies at random, which may overlap: then directions point into bodies, too.
    void compare(RandomStream& random, bool is_open)
    {
        MeshData data = shaken_body(Dim, random);
        num_first_ = static_cast<int>(data.vertices.rows());
        // One draw a statement: the order of arguments is the compiler's choice, the scenes shall not be.
        const MeshData second = shaken_body(Dim, random);
        const Vec<Dim> offset = 1.2 * random_direction<Dim>(random);
        append(data, translated(second, offset));
        if (is_open)
            Dim == 3 ? data.faces.conservativeResize(data.faces.rows() - 1, 3)
                     : data.edges.conservativeResize(data.edges.rows() - 1, 2);
        const double lowest = data.vertices.col(1).minCoeff();
        CollisionMeshOptions options;
        options.planes.push_back({Vec3(0, lowest - 0.1, 0), Vec3(0, 1, 0)});
        compare(CollisionMesh(data, options), data.vertices, is_open);
    }

    [[nodiscard]] const std::map<std::string, int>& seen() const { return seen_; }
    int compared = 0, skipped = 0;

private:
    void compare(const CollisionMesh& mesh, const Positions& X, bool is_open)
    {
        SmoothCollisions set;
        set.build(mesh, X, params_);
        const SmoothContactPotential potential(params_, 2.5);
        const Stencils& stencils = set.stencils();
        const std::size_t n = set.size();
        Vector values(n), gradients(stencils.num_entries() * Dim), blocks(stencils.num_blocks() * Dim * Dim);
        potential.evaluate(set, mesh, X, {values.data(), gradients.data(), blocks.data()});

        // By differences, of all pairs at once
        std::vector<Vector> gradient_by_differences(n);
        std::vector<Matrix> hessian_by_differences(n);
        for (std::size_t k = 0; k < n; ++k) {
            const auto size = static_cast<Eigen::Index>(stencils[k].size()) * Dim;
            gradient_by_differences[k].setZero(size);
            hessian_by_differences[k].setZero(size, size);
        }
        const double h = std::cbrt(std::numeric_limits<double>::epsilon()) * 0.02;
        Positions moved = X;
        Vector values_at[2]{Vector(n), Vector(n)}, gradients_at[2]{gradients, gradients};
        for (int v = 0; v < mesh.num_vertices(); ++v)
            for (int axis = 0; axis < Dim; ++axis) {
                double at[2];
                for (int side = 0; side < 2; ++side) {
                    at[side] = moved(v, axis) = X(v, axis) + (side == 0 ? -h : h);
                    potential.evaluate(set, mesh, moved, {values_at[side].data(), gradients_at[side].data()});
                }
                moved(v, axis) = X(v, axis);
                for (std::size_t k = 0; k < n; ++k)
                    for (std::size_t i = 0; i < stencils[k].size(); ++i)
                        if (stencils[k][i] == v) {
                            const Eigen::Index row = static_cast<Eigen::Index>(i) * Dim + axis;
                            const auto offset = stencils.offset(k) * Dim;
                            const Eigen::Index size = gradient_by_differences[k].size();
                            gradient_by_differences[k][row] = (values_at[1][k] - values_at[0][k]) / (at[1] - at[0]);
                            hessian_by_differences[k].col(row) =
                                (gradients_at[1].segment(offset, size) - gradients_at[0].segment(offset, size)) /
                                (at[1] - at[0]);
                        }
            }

        const Vector forces = potential.normal_forces(set, mesh, X);
        for (std::size_t k = 0; k < n; ++k) {
            const SmoothCollision pair = set[k];
            const auto x = [&](int i) { return Vec<Dim>(X.row(pair.stencil[i])); };
            const Plane* plane = pair.kind == PairKind::plane_vertex ? &mesh.planes()[0] : nullptr;
            const Vec<Dim> d = gcp::closest_vector<Dim>(pair.kind, x, plane);
            const double p = gcp::spline_barrier(d.norm(), pair.dhat, params_.exponent(Dim)).value;
            // Differences see nothing of what is almost zero, nor of what changes over less than their step.
            if (d.norm() < 0.02 || d.norm() > 0.9 * pair.dhat || values[k] < 1e-5 * pair.weight * p ||
                is_near_kink<Dim>(pair.kind, is_toolkit_, x, d.squaredNorm())) {
                ++skipped;
                continue;
            }
            const Eigen::Index size = gradient_by_differences[k].size();
            const Vector gradient = gradients.segment(stencils.offset(k) * Dim, size);
            Matrix hessian(size, size);
            const double* block = blocks.data() + stencils.block_offset(k) * Dim * Dim;
            for (Eigen::Index i = 0; i < size / Dim; ++i)
                for (Eigen::Index j = 0; j <= i; ++j, block += Dim * Dim) {
                    const Mat<Dim, Dim> B = Eigen::Map<const Mat<Dim, Dim>>(block);
                    hessian.block<Dim, Dim>(i * Dim, j * Dim) = B;
                    hessian.block<Dim, Dim>(j * Dim, i * Dim) = B.transpose();
                }
            const std::string what = describe(set, k, x, d.squaredNorm(), is_open);
            SCOPED_TRACE(what);
            // The tolerance of finite_differences.hpp, and 20 times that: the steepest factors change over lengths of
            // mollifier_width d, and are C2 only.
            constexpr double tolerance = 1e-6;
            EXPECT_LE(
                (gradient - gradient_by_differences[k]).cwiseAbs().maxCoeff(),
                tolerance * gradient_by_differences[k].cwiseAbs().maxCoeff());
            EXPECT_LE(
                (hessian - hessian_by_differences[k]).cwiseAbs().maxCoeff(),
                tolerance * hessian_by_differences[k].cwiseAbs().maxCoeff());
            expect_normal_force(pair, d.normalized(), gradient, forces[k]);
            ++compared;
        }
    }

    /// Between two bodies, it is the force along d on the body of the pair's first vertex.
    void expect_normal_force(const SmoothCollision& pair, const Vec<Dim>& d, const Vector& gradient, double force)
    {
        if (is_toolkit_) {
            EXPECT_NEAR(force, gradient.norm(), 1e-12 * gradient.norm());
            return;
        }
        const bool is_second = pair.vertices.front() >= num_first_;
        if (pair.kind != PairKind::plane_vertex && (pair.vertices.back() >= num_first_) == is_second)
            return; // of one body: what is "as a whole" is shared
        Vec<Dim> sum = Vec<Dim>::Zero();
        for (std::size_t i = 0; i < pair.stencil.size(); ++i)
            if ((pair.stencil[i] >= num_first_) == is_second)
                sum += gradient.segment<Dim>(static_cast<Eigen::Index>(i) * Dim);
        EXPECT_NEAR(force, std::max(0.0, -sum.dot(d)), 1e-10 * gradient.norm());
        ++seen_["normal force"];
    }

    template <typename Points>
    std::string
    describe(const SmoothCollisions& set, std::size_t k, const Points& x, double squared_distance, bool is_open)
    {
        const std::string kind = name(set[k].kind);
        std::string what = kind + (is_open ? " open" : " closed");
        ++seen_[what];
        for (const gcp::Test& test : set.tests(k)) {
            const std::string key = kind + " " + name(test.kind) + (test.side == 0 ? " 0" : " 1");
            ++seen_[key];
            what += ", " + key;
        }
        const bool is_mollified =
            (is_toolkit_ ? gcp::PairEnergy<gcp::Toolkit, Dim>::mollifiers(set[k].kind, x, squared_distance)
                         : gcp::PairEnergy<gcp::Paper, Dim>::mollifiers(set[k].kind, x, squared_distance)) < 1;
        ++seen_[kind + (is_mollified ? " mollified" : " free")];
        return what;
    }

    SmoothContactParameters params_;
    bool is_toolkit_;
    int num_first_ = 0;
    std::map<std::string, int> seen_;
};

template <int Dim>
void expect_pairs_match_differences(
    const SmoothContactParameters& params, int scenes, const std::vector<std::string>& branches)
{
    PairComparison<Dim> comparison(params);
    RandomStream random(5);
    for (int n = 0; n < scenes && !testing::Test::HasFailure(); ++n)
        comparison.compare(random, n % 2 == 1);
    for (const std::string& branch : branches)
        EXPECT_GE(comparison.seen().count(branch) ? comparison.seen().at(branch) : 0, 3) << branch;
    // Nothing else exists than what is listed.
    for (const auto& [branch, count] : comparison.seen())
        EXPECT_NE(std::find(branches.begin(), branches.end(), branch), branches.end()) << branch << " " << count;
    testing::Test::RecordProperty("compared", comparison.compared);
    testing::Test::RecordProperty("skipped", comparison.skipped);
}

TEST(GcpDerivatives, OfThePapersPairsInSpaceMatchDifferences)
{
    expect_pairs_match_differences<3>(
        SmoothContactParameters{.dhat = 0.7, .alpha_t = 1, .alpha_n = 0.9, .beta_n = 0.3}, 400,
        {"vv open",       "vv closed",     "vv free",     "vv along 0",   "vv along 1",    "vv bisector 0",
         "vv bisector 1", "vv normal 0",   "vv normal 1", "ev open",      "ev closed",     "ev free",
         "ev mollified",  "ev across 0",   "ev sector 0", "ev along 1",   "ev bisector 1", "ev normal 1",
         "ee open",       "ee closed",     "ee free",     "ee mollified", "ee across 0",   "ee across 1",
         "ee sector 0",   "ee sector 1",   "fv open",     "fv closed",    "fv free",       "fv mollified",
         "fv along 1",    "fv bisector 1", "fv normal 1", "pv open",      "pv closed",     "pv free",
         "pv along 1",    "pv bisector 1", "pv normal 1", "normal force"});
}

TEST(GcpDerivatives, OfThePapersPairsInThePlaneMatchDifferences)
{
    expect_pairs_match_differences<2>(
        SmoothContactParameters{.dhat = 0.7, .alpha_t = 1, .alpha_n = 0.9, .beta_n = 0.3}, 400,
        {"vv open", "vv closed", "vv free", "vv along 0", "vv along 1", "vv sector 0", "vv sector 1", "ev open",
         "ev closed", "ev free", "ev mollified", "ev along 1", "ev sector 1", "pv open", "pv closed", "pv free",
         "pv along 1", "pv sector 1", "normal force"});
}

TEST(GcpDerivatives, OfTheToolkitsPairsInSpaceMatchDifferences)
{
    const SmoothContactParameters params{
        .dhat = 0.7, .alpha_t = 1, .alpha_n = 0.9, .beta_n = 0.3, .r = 2, .variant = SmoothContactVariant::toolkit};
    expect_pairs_match_differences<3>(
        params, 250, {"vv open",      "vv closed",   "vv free",      "vv along 0",  "vv along 1",   "vv normal 0",
                      "vv normal 1",  "ev open",     "ev closed",    "ev free",     "ev mollified", "ev across 0",
                      "ev normal 0",  "ev along 1",  "ev normal 1",  "ee open",     "ee closed",    "ee free",
                      "ee mollified", "ee across 0", "ee across 1",  "ee normal 0", "ee normal 1",  "fv open",
                      "fv closed",    "fv free",     "fv mollified", "fv along 1",  "fv normal 1"});
}

TEST(GcpDerivatives, OfTheToolkitsPairsInThePlaneMatchDifferences)
{
    const SmoothContactParameters params{
        .dhat = 0.7, .alpha_t = 1, .alpha_n = 0.9, .beta_n = 0.3, .r = 2, .variant = SmoothContactVariant::toolkit};
    expect_pairs_match_differences<2>(
        params, 400,
        {"vv open", "vv closed", "vv free", "vv along 0", "vv along 1", "vv normal 0", "vv normal 1", "ev open",
         "ev closed", "ev free", "ev mollified", "ev along 1", "ev normal 1"});
}

TEST(GcpDerivatives, WithoutTheExteriorTestMatchDifferences)
{
    SmoothContactParameters params{.dhat = 0.7, .alpha_t = 0.6, .beta_t = -0.2};
    params.use_exterior_test = false;
    expect_pairs_match_differences<3>(
        params, 400,
        {"vv open",   "vv closed",  "vv free",       "vv along 0",   "vv along 1",    "vv bisector 0", "vv bisector 1",
         "ev open",   "ev closed",  "ev free",       "ev mollified", "ev across 0",   "ev along 1",    "ev bisector 1",
         "ee open",   "ee closed",  "ee free",       "ee mollified", "ee across 0",   "ee across 1",   "fv open",
         "fv closed", "fv free",    "fv mollified",  "fv along 1",   "fv bisector 1", "pv open",       "pv closed",
         "pv free",   "pv along 1", "pv bisector 1", "normal force"});
}

TEST(GcpDerivatives, GradientsOfManyPairsAreSumsWithTheSameBitsForAnyNumberOfThreads)
{
    const MeshData data = layers_of_cloth(40, 0.05);
    const CollisionMesh mesh(data);
    const Positions& X = data.vertices;
    SmoothContactParameters toolkit = SmoothContactParameters::toolkit(0.05);
    toolkit.use_exterior_test = false;
    for (const SmoothContactParameters& params : {SmoothContactParameters{.dhat = 0.05, .alpha_t = 0.9}, toolkit}) {
        SmoothCollisions set;
        set.build(mesh, X, params);
        ASSERT_GT(set.size(), 8192u); // enough to be added up in parts
        const SmoothContactPotential potential(params, 3);
        const Positions forces = potential.forces(set, mesh, X);
        Positions sum = Positions::Zero(X.rows(), 3);
        for (std::size_t k = 0; k < set.size(); ++k)
            for (std::size_t i = 0; i < set.stencils()[k].size(); ++i)
                sum.row(set.stencils()[k][i]) -= forces.row(set.stencils().offset(k) + static_cast<Eigen::Index>(i));
        set_num_threads(1);
        const Vector gradient = potential.gradient(set, mesh, X);
        const Vector flat = Eigen::Map<const Vector>(sum.data(), sum.size());
        EXPECT_LE((flat - gradient).cwiseAbs().maxCoeff(), 1e-13 * forces.cwiseAbs().maxCoeff());
        for (const int threads : {2, 3, 8}) {
            set_num_threads(threads);
            EXPECT_EQ(potential.gradient(set, mesh, X), gradient);
        }
        set_num_threads(0);
    }
}

TEST(GcpDerivatives, AssembledGradientAndHessianAreTheSumsOfThePairs)
{
    const MeshData data = layers_of_cloth(3, 0.4);
    const CollisionMesh mesh(data);
    const SmoothContactParameters params{.dhat = 0.05, .alpha_t = 0.9};
    SmoothCollisions set;
    set.build(mesh, data.vertices, params);
    ASSERT_GT(set.size(), 20u);
    const SmoothContactPotential potential(params, 3);
    const Positions& X = data.vertices;
    const Positions forces = potential.forces(set, mesh, X);
    Positions sum = Positions::Zero(X.rows(), 3);
    for (std::size_t k = 0; k < set.size(); ++k)
        for (std::size_t i = 0; i < set.stencils()[k].size(); ++i)
            sum.row(set.stencils()[k][i]) -= forces.row(set.stencils().offset(k) + static_cast<Eigen::Index>(i));
    const Vector gradient = potential.gradient(set, mesh, X);
    const Vector flat = Eigen::Map<const Vector>(sum.data(), sum.size());
    EXPECT_LE((flat - gradient).norm(), 1e-13 * gradient.norm());
    EXPECT_NEAR(potential(set, mesh, X), potential.energies(set, mesh, X).sum(), 1e-13 * potential(set, mesh, X));
    const Matrix H = potential.hessian(set, mesh, X);
    EXPECT_EQ(H, Matrix(H.transpose()));
    // No net force and no torque
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (Eigen::Index v = 0; v < X.rows(); ++v) {
        const Vec3 f = sum.row(v), x = X.row(v);
        force += f;
        torque += x.cross(f);
    }
    EXPECT_LE(force.norm(), 1e-12 * gradient.norm());
    EXPECT_LE(torque.norm(), 1e-12 * gradient.norm());
    // Projected ones are positive semidefinite, and the same where nothing had to be projected.
    for (const auto method : {PSDProjectionMethod::clamp, PSDProjectionMethod::abs}) {
        const Matrix P = potential.hessian(set, mesh, X, method);
        EXPECT_GE(Eigen::SelfAdjointEigenSolver<Matrix>(P).eigenvalues()[0], -1e-12 * P.norm());
        EXPECT_GE((P - H).norm(), 1e-3 * H.norm());
    }
}

} // namespace

} // namespace abut::test::gcp_derivatives_test
