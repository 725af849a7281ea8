// Tables by pairs of materials that planes take part in, and weights by factors.

#include "abut/base/error.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/friction/tangential_potential.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

namespace abut::test::pair_tables_test {

namespace {

/// Two sheets over two planes that meet below them, each near one; the sheets are near each other too.
struct Sheets {
    Sheets()
    {
        data = translated(generate::cloth({.size = {0.4, 0.4}, .cells = {3, 3}}), Vec3(0, 0.005, 0));
        const auto split = data.vertices.rows();
        append(data, translated(generate::cloth({.size = {0.3, 0.3}, .cells = {2, 2}}), Vec3(0, 0.011, 0.01)));
        std::vector<int> materials(data.vertices.rows(), 1);
        std::fill(materials.begin(), materials.begin() + split, 0);
        mesh.emplace(
            data, CollisionMeshOptions{
                      .material_ids = materials,
                      .planes = {{Vec3(0, 0, 0), Vec3(0, 1, 0)}, {Vec3(0.21, 0, 0), Vec3(-1, 0, 0)}}});
        collisions.build(*mesh, data.vertices, {.dhat = 0.02});
    }
    MeshData data;
    std::optional<CollisionMesh> mesh;
    NormalCollisions collisions;
};

Eigen::MatrixXd table_of(double offset)
{
    Eigen::MatrixXd table(4, 4);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            table(i, j) = offset + 0.1 * std::min(i, j) + 0.01 * std::max(i, j);
    return table;
}

TEST(PlaneMaterials, DecideTheFrictionOfAVertexAgainstAPlane)
{
    const Sheets sheets;
    const BarrierPotential barrier({.dhat = 0.02, .stiffness = 1e3});
    FrictionCoefficients friction{.material_mu_s = table_of(0.2), .material_mu_k = table_of(0.1)};
    TangentialCollisions sliding;
    sliding.build(*sheets.mesh, sheets.data.vertices, sheets.collisions, barrier, friction);
    const auto material = [&](int v) { return sheets.mesh->material_ids()[v]; };
    ASSERT_GT(sliding.pv().size(), 8u);
    for (std::size_t k = 0; k < sliding.pv().size(); ++k)
        EXPECT_EQ(
            sliding.pv().mu_s[k],
            friction.material_mu_s(material(sliding.pv().vertices[k][0]), material(sliding.pv().vertices[k][0])));
    friction.plane_materials = {3, 2};
    sliding.build(*sheets.mesh, sheets.data.vertices, sheets.collisions, barrier, friction);
    int seen[2] = {0, 0};
    for (std::size_t k = 0; k < sliding.pv().size(); ++k) {
        const int plane = sliding.pv().elements[k][0], own = material(sliding.pv().vertices[k][0]);
        ++seen[plane];
        EXPECT_EQ(sliding.pv().mu_s[k], friction.material_mu_s(own, plane == 0 ? 3 : 2));
        EXPECT_EQ(sliding.pv().mu_k[k], friction.material_mu_k(own, plane == 0 ? 3 : 2));
    }
    EXPECT_GT(seen[0], 0);
    EXPECT_GT(seen[1], 0);
    // Between the sheets nothing changes.
    ASSERT_GT(sliding.fv().size(), 0u);
    for (std::size_t k = 0; k < sliding.fv().size(); ++k)
        EXPECT_NEAR(
            sliding.fv().mu_s[k],
            friction.material_mu_s(material(sliding.fv().vertices[k][0]), material(sliding.fv().vertices[k][1])),
            1e-15);
}

TEST(PlaneMaterials, AreValidated)
{
    const Sheets sheets;
    FrictionCoefficients friction{.material_mu_s = table_of(0.2), .material_mu_k = table_of(0.1)};
    friction.plane_materials = {0};
    EXPECT_THROW(friction.validate(*sheets.mesh), InvalidInput);
    friction.plane_materials = {0, 4};
    EXPECT_THROW(friction.validate(*sheets.mesh), InvalidInput);
    friction.plane_materials = {0, -1};
    EXPECT_THROW(friction.validate(*sheets.mesh), InvalidInput);
    friction.plane_materials = {0, 3};
    EXPECT_NO_THROW(friction.validate(*sheets.mesh));
}

TEST(BlendRules, HaveNamesAndValues)
{
    const std::array expected{0.5, 0.2, 0.8, 0.16, 0.4};
    for (std::size_t k = 0; k < blend_rules.size(); ++k) {
        EXPECT_NEAR(blended(blend_rules[k].second, 0.2, 0.8), expected[k], 1e-15) << blend_rules[k].first;
        EXPECT_NEAR(blended(blend_rules[k].second, 0.8, 0.2), expected[k], 1e-15) << blend_rules[k].first;
        EXPECT_EQ(blended(blend_rules[k].second, 0, 0), 0) << blend_rules[k].first;
    }
}

TEST(WeightedCollisions, ScaleTheirTermsAndDropThoseOfFactorZero)
{
    const Sheets sheets;
    NormalCollisions all;
    all.build(
        *sheets.mesh, sheets.data.vertices,
        {.dhat = 0.02, .use_area_weighting = true, .enable_shape_derivatives = true});
    std::vector<double> factors;
    for (std::size_t k = 0; k < all.size(); ++k)
        factors.push_back(static_cast<double>(k % 3) / 2);
    const NormalCollisions some = all.weighted(factors);
    std::size_t next = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (factors[k] == 0)
            continue;
        ASSERT_LT(next, some.size());
        EXPECT_EQ(some[next].elements, all[k].elements);
        EXPECT_EQ(some[next].weight, factors[k] * all[k].weight);
        ASSERT_EQ(some.weight_sources(next).size(), all.weight_sources(k).size());
        for (std::size_t s = 0; s < all.weight_sources(k).size(); ++s)
            EXPECT_EQ(some.weight_sources(next)[s].weight, factors[k] * all.weight_sources(k)[s].weight);
        ++next;
    }
    EXPECT_EQ(next, some.size());
    EXPECT_GT(some.size(), 0u);
    EXPECT_LT(some.size(), all.size());
    EXPECT_TRUE(all.weighted(std::vector<double>(all.size(), 0)).empty());
    EXPECT_EQ(all.weighted(std::vector<double>(all.size(), 1)), all);
}

} // namespace

} // namespace abut::test::pair_tables_test
