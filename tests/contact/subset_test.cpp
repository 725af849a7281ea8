// Some of the collisions of a set as a set of their own.

#include "abut/base/error.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/contact/weight_gradient.hpp"
#include "support/collision_scenes.hpp"
#include "support/term_subsets.hpp"

#include <gtest/gtest.h>

#include <map>

namespace abut::test::subset_test {

namespace {

constexpr std::array forms{HessianForm::exact, HessianForm::clamp, HessianForm::absolute, HessianForm::analytic};

/// A mesh over a plane.
struct Bodies {
    CollisionMesh mesh;
    Positions X;
    double dhat;

    Bodies(const MeshData& data, double dhat_) : mesh(data, options_of(data)), X(data.vertices), dhat(dhat_) {}

private:
    static CollisionMeshOptions options_of(const MeshData& data)
    {
        CollisionMeshOptions options;
        options.planes = {{Vec3(0, data.vertices.col(1).minCoeff() - 0.01, 0), Vec3(0.01, 1, 0)}};
        return options;
    }
};

/// Everything that sets know: all kinds in space, nearly parallel edges, the plane.
std::vector<Bodies> bodies()
{
    return {
        Bodies(spheres_rod_and_points(0.02), 0.1), Bodies(layers_of_cloth(3, 0.01), 0.05),
        Bodies(two_squircles(0.02), 0.1)};
}

std::vector<NormalCollisionsOptions> all_options(double dhat)
{
    std::vector<NormalCollisionsOptions> list;
    for (const auto type : {CollisionSetType::ipc, CollisionSetType::convergent, CollisionSetType::ogc})
        for (const bool weighted : {false, true})
            list.push_back(
                {.dhat = dhat,
                 .dmin = 1e-3,
                 .set_type = type,
                 .use_area_weighting = weighted,
                 .enable_shape_derivatives = weighted});
    return list;
}

NormalCollisions built(const Bodies& bodies, const NormalCollisionsOptions& options)
{
    NormalCollisions set;
    set.build(bodies.mesh, bodies.X, options);
    return set;
}

template <typename Potential, typename Set>
TermNumbers
numbers(const Potential& potential, const Set& set, const CollisionMesh& mesh, const Positions& x, HessianForm form)
{
    return term_numbers(set.stencils(), mesh.dim(), {.hessian = form}, [&](const TermOutput& out) {
        potential.evaluate(set, mesh, x, out);
    });
}

/// What was compared must have been of every sort.
using Seen = std::map<std::string, int>;

const char* name(PairKind kind)
{
    constexpr std::array names{"none", "vv", "ev", "ee", "fv", "pv"};
    return names[static_cast<int>(kind)];
}

template <typename Set>
void count_kinds(const Set& set, Seen& seen)
{
    for (std::size_t k = 0; k < set.size(); ++k)
        ++seen[name(set[k].kind)];
}

template <typename Range>
std::vector<std::ranges::range_value_t<Range>> list_of(const Range& range)
{
    return {range.begin(), range.end()};
}

// --- Normal collisions ---

void expect_same_collisions(const NormalCollisions& whole, const TermList& terms, const Bodies& bodies, Seen& seen)
{
    const NormalCollisions part = whole.subset(terms);
    ASSERT_EQ(part.size(), terms.size());
    EXPECT_EQ(part.options().dhat, whole.options().dhat);
    EXPECT_EQ(part.options().dmin, whole.options().dmin);
    EXPECT_EQ(part.options().set_type, whole.options().set_type);
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < terms.size(); ++k) {
        const NormalCollision own = part[k], theirs = whole[terms[k]];
        EXPECT_EQ(own.kind, theirs.kind);
        EXPECT_EQ(own.elements, theirs.elements);
        EXPECT_EQ(list_of(own.vertices), list_of(theirs.vertices));
        EXPECT_EQ(own.weight, theirs.weight);
        EXPECT_EQ(own.feature, theirs.feature);
        EXPECT_EQ(own.eps_x, theirs.eps_x);
        EXPECT_TRUE(list_of(part.weight_sources(k)) == list_of(whole.weight_sources(terms[k])));
        const auto at = part.geometry(k, bodies.mesh, bodies.X),
                   expected = whole.geometry(terms[k], bodies.mesh, bodies.X);
        EXPECT_EQ(at.squared_distance, expected.squared_distance);
        EXPECT_EQ(at.normal, expected.normal);
        EXPECT_EQ(at.coefficients, expected.coefficients);
        smallest = std::min(smallest, std::sqrt(at.squared_distance));
        seen["negative weight"] += own.weight < 0;
        seen["source of a weight"] += static_cast<int>(part.weight_sources(k).size());
        if (own.kind == PairKind::edge_edge) {
            const auto x = [&](int i) { return Vec3(bodies.X.row(own.vertices[i])); };
            seen["mollified"] += (x(1) - x(0)).cross(x(3) - x(2)).squaredNorm() < own.eps_x;
        }
    }
    EXPECT_EQ(part.compute_minimum_distance(bodies.mesh, bodies.X), smallest);
    count_kinds(part, seen);
}

TEST(NormalCollisionsSubset, HasTheTermsOfTheWholeAndTheirNumbers)
{
    Seen seen;
    for (const Bodies& scene : bodies())
        for (const NormalCollisionsOptions& options : all_options(scene.dhat)) {
            const NormalCollisions whole = built(scene, options);
            ASSERT_GT(whole.size(), 10u);
            for (const HessianMode mode : {HessianMode::exact, HessianMode::analytic}) {
                const BarrierPotential barrier({.dhat = scene.dhat, .stiffness = 7, .hessian_mode = mode});
                const TermNumbers exact = numbers(barrier, whole, scene.mesh, scene.X, HessianForm::exact);
                for (const HessianForm form : forms) {
                    const TermNumbers all = numbers(barrier, whole, scene.mesh, scene.X, form);
                    for (const TermList& terms : rising_subsets(whole.size()))
                        expect_near_terms(
                            all, terms, numbers(barrier, whole.subset(terms), scene.mesh, scene.X, form), exact);
                }
            }
            for (const TermList& terms : rising_subsets(whole.size()))
                expect_same_collisions(whole, terms, scene, seen);
            EXPECT_EQ(whole.subset(rising_subsets(whole.size())[1]), whole);
        }
    for (const char* sort : {"vv", "ev", "ee", "fv", "pv", "negative weight", "source of a weight", "mollified"})
        EXPECT_GT(seen[sort], 10) << sort;
}

TEST(NormalCollisionsSubset, HasItsShareOfTheShapeDerivative)
{
    for (const Bodies& scene : bodies())
        for (const auto type : {CollisionSetType::ipc, CollisionSetType::convergent, CollisionSetType::ogc}) {
            const NormalCollisions whole = built(
                scene,
                {.dhat = scene.dhat, .set_type = type, .use_area_weighting = true, .enable_shape_derivatives = true});
            const BarrierPotential barrier(scene.dhat, 3);
            const auto derivative = [&](const NormalCollisions& set) {
                return Matrix(barrier.shape_derivative(set, scene.mesh, scene.X));
            };
            const Matrix all = derivative(whole);
            for (const TermList& terms : rising_subsets(whole.size())) {
                const Matrix sum =
                    derivative(whole.subset(terms)) + derivative(whole.subset(complement(terms, whole.size())));
                EXPECT_LE((sum - all).norm(), 1e-12 * all.norm());
            }
        }
}

TEST(NormalCollisionsSubset, FitsTheSameMeshOnly)
{
    const std::vector<Bodies> scenes = bodies();
    const NormalCollisions none = built(scenes[0], {.dhat = 0.1}).subset({});
    EXPECT_TRUE(none.empty());
    EXPECT_NO_THROW(none.validate(scenes[0].mesh, scenes[0].X));
    EXPECT_THROW(none.validate(scenes[2].mesh, scenes[2].X), InvalidInput);
    EXPECT_TRUE(NormalCollisions().subset({}).empty());
}

template <typename Set>
void expect_rejects_terms(const Set& set)
{
    const int size = static_cast<int>(set.size());
    ASSERT_GT(size, 3);
    expect_rejected_terms([&] { (void)set.subset(TermList{0, size}); }, fmt::format("terms: entry 1 is {}", size));
    expect_rejected_terms([&] { (void)set.subset(TermList{-1}); }, "terms: entry 0 is -1, which is out of range");
    expect_rejected_terms([&] { (void)set.subset(TermList{0, 3, 2}); }, "terms: entry 2 is 2, after 3");
    expect_rejected_terms([&] { (void)set.subset(TermList{1, 1}); }, "terms: entry 1 is 1, after 1");
}

TEST(NormalCollisionsSubset, RejectsTermsThatDoNotRiseOrAreOutOfRange)
{
    expect_rejects_terms(built(bodies()[0], {.dhat = 0.1}));
}

// --- Friction ---

FrictionCoefficients friction_of(const CollisionMesh& mesh)
{
    FrictionCoefficients friction;
    friction.vertex_mu_s.resize(mesh.num_vertices());
    for (Eigen::Index i = 0; i < friction.vertex_mu_s.size(); ++i)
        friction.vertex_mu_s[i] = 0.5 + 0.3 * std::sin(double(i));
    friction.vertex_mu_k = 0.6 * friction.vertex_mu_s;
    friction.mu_aniso = Vec2(0.8, 1.3);
    return friction;
}

/// Some slide faster than eps_v = 0.02 m/s, others slower.
Positions velocities(const Bodies& scene)
{
    RandomStream random(3);
    Positions V(scene.X.rows(), scene.X.cols());
    for (double& component : V.reshaped())
        component = random.uniform(-0.03, 0.03);
    return V;
}

void expect_same_friction(const TangentialCollisions& whole, const Bodies& scene, Seen& seen)
{
    const FrictionPotential friction(0.02);
    const Positions V = velocities(scene);
    for (const TermList& terms : rising_subsets(whole.size())) {
        const TangentialCollisions part = whole.subset(terms);
        ASSERT_EQ(part.size(), terms.size());
        EXPECT_EQ(part.dmin(), whole.dmin());
        EXPECT_EQ(part.is_smooth(), whole.is_smooth());
        EXPECT_EQ(part.friction().mu_aniso, whole.friction().mu_aniso);
        for (std::size_t k = 0; k < terms.size(); ++k) {
            const TangentialCollision own = part[k], theirs = whole[terms[k]];
            EXPECT_EQ(own.kind, theirs.kind);
            EXPECT_EQ(own.elements, theirs.elements);
            EXPECT_EQ(list_of(own.vertices), list_of(theirs.vertices));
            EXPECT_EQ(list_of(own.coefficients), list_of(theirs.coefficients));
            EXPECT_EQ(own.weight, theirs.weight);
            EXPECT_EQ(own.normal_force, theirs.normal_force);
            EXPECT_EQ(own.mu_s, theirs.mu_s);
            EXPECT_EQ(own.mu_k, theirs.mu_k);
            EXPECT_EQ(own.basis, theirs.basis);
        }
        const TermNumbers exact = numbers(friction, whole, scene.mesh, V, HessianForm::exact);
        for (const HessianForm form : forms)
            expect_near_terms(
                numbers(friction, whole, scene.mesh, V, form), terms, numbers(friction, part, scene.mesh, V, form),
                exact);
        count_kinds(part, seen);
    }
    EXPECT_EQ(whole.subset(rising_subsets(whole.size())[1]), whole);
}

TEST(TangentialCollisionsSubset, OfNormalCollisionsHasTheTermsOfTheWhole)
{
    Seen seen;
    for (const Bodies& scene : bodies())
        for (const NormalCollisionsOptions& options : all_options(scene.dhat)) {
            const BarrierPotential barrier(scene.dhat, 50);
            TangentialCollisions whole;
            whole.build(scene.mesh, scene.X, built(scene, options), barrier, friction_of(scene.mesh));
            expect_same_friction(whole, scene, seen);
            // By lagged positions: this needs the coefficients, dmin and the mesh that the terms were lagged with.
            const FrictionPotential friction(0.02);
            const Positions V = velocities(scene);
            const auto jacobian = [&](const TangentialCollisions& set) {
                return Matrix(friction.force_jacobian(set, scene.mesh, scene.X, V, barrier, DiffWRT::lagged_positions));
            };
            const Matrix all = jacobian(whole);
            const TermList thirds = rising_subsets(whole.size())[2];
            const Matrix sum =
                jacobian(whole.subset(thirds)) + jacobian(whole.subset(complement(thirds, whole.size())));
            EXPECT_LE((sum - all).norm(), 1e-12 * all.norm());
        }
    for (const char* sort : {"vv", "ev", "ee", "fv", "pv"})
        EXPECT_GT(seen[sort], 10) << sort;
}

// --- GCP ---

std::vector<SmoothContactParameters> both_variants(double dhat)
{
    const SmoothContactParameters paper{.dhat = dhat, .alpha_t = 1, .alpha_n = 0.9, .beta_n = 0.3};
    SmoothContactParameters toolkit = paper;
    toolkit.r = 2;
    toolkit.variant = SmoothContactVariant::toolkit;
    return {paper, toolkit};
}

TEST(TangentialCollisionsSubset, OfPairsOfGcpHasTheTermsOfTheWhole)
{
    Seen seen;
    for (const Bodies& scene : bodies())
        for (const SmoothContactParameters& params : both_variants(scene.dhat)) {
            SmoothCollisions pairs;
            pairs.build(scene.mesh, scene.X, params);
            TangentialCollisions whole;
            whole.build(scene.mesh, scene.X, pairs, SmoothContactPotential(params, 70), friction_of(scene.mesh));
            ASSERT_TRUE(whole.is_smooth());
            expect_same_friction(whole, scene, seen);
        }
    for (const char* sort : {"vv", "ev", "ee", "fv", "pv"})
        EXPECT_GT(seen[sort], 0) << sort;
}

TEST(TangentialCollisionsSubset, RejectsTermsThatDoNotRiseOrAreOutOfRange)
{
    const Bodies scene = bodies()[0];
    TangentialCollisions whole;
    whole.build(
        scene.mesh, scene.X, built(scene, {.dhat = scene.dhat}), BarrierPotential(scene.dhat, 50),
        friction_of(scene.mesh));
    expect_rejects_terms(whole);
}

TEST(SmoothCollisionsSubset, HasThePairsOfTheWholeAndTheirNumbers)
{
    Seen seen;
    for (const Bodies& scene : bodies())
        for (const SmoothContactParameters& params : both_variants(scene.dhat))
            for (const bool is_adaptive : {false, true}) {
                SmoothExtents extents;
                if (is_adaptive) { // at a rest shape three times as large, on the same plane
                    const double lowest = scene.X.col(1).minCoeff();
                    Positions rest = 3 * scene.X;
                    rest.col(1).array() -= 2 * (lowest - 0.01);
                    extents = adaptive_extents(scene.mesh, rest, params);
                }
                SmoothCollisions whole;
                whole.build(scene.mesh, scene.X, params, extents);
                const SmoothContactPotential potential(params, 2.5);
                const TermNumbers exact = numbers(potential, whole, scene.mesh, scene.X, HessianForm::exact);
                const Vector distances = whole.distances(scene.mesh, scene.X),
                             forces = potential.normal_forces(whole, scene.mesh, scene.X);
                for (const TermList& terms : rising_subsets(whole.size())) {
                    const SmoothCollisions part = whole.subset(terms);
                    ASSERT_EQ(part.size(), terms.size());
                    EXPECT_EQ(part.variant(), whole.variant());
                    EXPECT_NO_THROW(part.require_parameters(params, scene.mesh.dim()));
                    EXPECT_THROW(
                        part.require_parameters(SmoothContactParameters{.dhat = 2 * scene.dhat}, scene.mesh.dim()),
                        InvalidInput);
                    const Vector own_distances = part.distances(scene.mesh, scene.X),
                                 own_forces = potential.normal_forces(part, scene.mesh, scene.X);
                    for (std::size_t k = 0; k < terms.size(); ++k) {
                        const SmoothCollision own = part[k], theirs = whole[terms[k]];
                        EXPECT_EQ(own.kind, theirs.kind);
                        EXPECT_EQ(own.elements, theirs.elements);
                        EXPECT_EQ(list_of(own.vertices), list_of(theirs.vertices));
                        EXPECT_EQ(list_of(own.stencil), list_of(theirs.stencil));
                        EXPECT_EQ(own.dhat, theirs.dhat);
                        EXPECT_EQ(own.weight, theirs.weight);
                        EXPECT_TRUE(list_of(part.tests(k)) == list_of(whole.tests(terms[k])));
                        EXPECT_EQ(own_distances[Eigen::Index(k)], distances[terms[k]]);
                        EXPECT_EQ(own_forces[Eigen::Index(k)], forces[terms[k]]);
                        seen["test"] += static_cast<int>(part.tests(k).size());
                        seen["smaller extent"] += own.dhat < scene.dhat;
                    }
                    for (const HessianForm form : forms)
                        expect_near_terms(
                            numbers(potential, whole, scene.mesh, scene.X, form), terms,
                            numbers(potential, part, scene.mesh, scene.X, form), exact);
                    count_kinds(part, seen);
                }
                EXPECT_EQ(whole.subset(rising_subsets(whole.size())[1]), whole);
            }
    for (const char* sort : {"vv", "ev", "ee", "fv", "pv", "test", "smaller extent"})
        EXPECT_GT(seen[sort], 0) << sort;
}

TEST(SmoothCollisionsSubset, RejectsPairsThatDoNotRiseOrAreOutOfRange)
{
    const Bodies scene = bodies()[0];
    SmoothCollisions whole;
    whole.build(scene.mesh, scene.X, SmoothContactParameters{.dhat = scene.dhat});
    expect_rejects_terms(whole);
    EXPECT_TRUE(SmoothCollisions().subset({}).empty());
}

} // namespace

} // namespace abut::test::subset_test
