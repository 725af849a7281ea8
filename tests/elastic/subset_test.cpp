// Some of the elements or hinges of a body as an energy of their own.

#include "abut/base/error.hpp"
#include "abut/elastic/hinge_bending.hpp"
#include "abut/elastic/simplex_elasticity.hpp"
#include "abut/mesh/generate/generators.hpp"
#include "elastic_states.hpp"
#include "support/term_subsets.hpp"

#include <gtest/gtest.h>

namespace abut::test::subset_test {
namespace {

/// Moduli and thicknesses that differ from element to element.
std::vector<LameParameters> different_lame(Eigen::Index count)
{
    std::vector<LameParameters> lame;
    for (Eigen::Index k = 0; k < count; ++k)
        lame.push_back({1 + 0.1 * double(k % 7), 1.5 + 0.2 * double(k % 5)});
    return lame;
}

std::vector<double> different_thickness(Eigen::Index count)
{
    std::vector<double> thickness;
    for (Eigen::Index k = 0; k < count; ++k)
        thickness.push_back(0.1 + 0.01 * double(k % 11));
    return thickness;
}

// Numbers of elements that are no multiple of the lanes.

MeshData solid() { return generate::tet_box({.size = Vec3(1, 1, 1), .subdivisions = {3, 2, 1}}); }

/// A square of triangles in the plane.
MeshData planar()
{
    const MeshData sheet = generate::plane_grid({.size = Vec2(1, 1), .cells = {3, 3}});
    MeshData mesh;
    mesh.vertices.resize(sheet.vertices.rows(), 2);
    mesh.vertices << sheet.vertices.col(2), sheet.vertices.col(0); // faces +y, so (z, x) is right-handed
    mesh.faces = sheet.faces;
    return mesh;
}

MeshData shell()
{
    MeshData mesh = generate::icosphere({.subdivisions = 1});
    mesh.faces.conservativeResize(mesh.faces.rows() - 1, 3);
    return mesh;
}

TetElasticity tets_of(const MeshData& mesh, ElasticModel model)
{
    return {mesh.vertices, mesh.tets, {.model = model, .lame = different_lame(mesh.tets.rows())}};
}

PlanarElasticity planar_of(const MeshData& mesh, ElasticModel model)
{
    return {
        mesh.vertices, mesh.faces, {model, different_lame(mesh.faces.rows()), different_thickness(mesh.faces.rows())}};
}

MembraneElasticity membrane_of(const MeshData& mesh, ElasticModel model)
{
    return {
        mesh.vertices, mesh.faces, {model, different_lame(mesh.faces.rows()), different_thickness(mesh.faces.rows())}};
}

HingeBending bending_of(const MeshData& mesh)
{
    return {mesh.vertices, mesh.faces, {.stiffness = different_thickness(mesh.faces.rows())}};
}

template <typename Energy>
TermNumbers numbers(const Energy& energy, const Positions& x, PSDProjectionMethod projection)
{
    return term_numbers(
        energy.stencils(), static_cast<int>(x.cols()), {.hessian = hessian_form_of(projection)},
        [&](const TermOutput& out) { energy.evaluate(x, out); });
}

/// An element has the same bits in every lane and beside any other elements. Projected Hessians of tetrahedra are the
/// exception: all lanes are rotated until the last of them is diagonal, which changes the rounding of the others.
template <typename Energy>
void expect_same_elements(const Energy& energy, const Positions& x, bool is_projected_to_the_bit)
{
    const TermNumbers exact = numbers(energy, x, PSDProjectionMethod::none);
    for (const TermList& terms : any_subsets(energy.stencils().size())) {
        const Energy part = energy.subset(terms);
        EXPECT_EQ(part.num_vertices(), energy.num_vertices());
        expect_same_bits(exact, terms, numbers(part, x, PSDProjectionMethod::none));
        for (const PSDProjectionMethod method : projections) {
            const TermNumbers whole = numbers(energy, x, method), own = numbers(part, x, method);
            EXPECT_NE(whole.blocks, exact.blocks) << "nothing to project";
            if (is_projected_to_the_bit)
                expect_same_bits(whole, terms, own);
            else
                expect_near_terms(whole, terms, own, exact);
        }
    }
}

TEST(ElasticSubset, OfTetrahedraHasTheirTerms)
{
    const MeshData mesh = solid();
    for (const ElasticModel model : all_models)
        expect_same_elements(tets_of(mesh, model), 0.6 * shaken(mesh.vertices, 0.15), false);
}

TEST(ElasticSubset, OfTrianglesInThePlaneHasTheirTerms)
{
    const MeshData mesh = planar();
    for (const ElasticModel model : all_models)
        expect_same_elements(planar_of(mesh, model), 0.6 * shaken(mesh.vertices, 0.15), true);
}

TEST(ElasticSubset, OfAMembraneHasItsTerms)
{
    const MeshData mesh = shell();
    for (const ElasticModel model : sheet_models)
        expect_same_elements(membrane_of(mesh, model), 0.6 * shaken(mesh.vertices, 0.3), true);
}

TEST(ElasticSubset, OfHingesHasTheirTerms)
{
    const MeshData mesh = shell();
    const HingeBending energy = bending_of(mesh);
    expect_same_elements(energy, shaken(mesh.vertices, 0.1), true);
    const HingeBending part = energy.subset(TermList{5, 2});
    EXPECT_EQ(part.rest_angle(0), energy.rest_angle(5));
    EXPECT_EQ(part.stiffness(1), energy.stiffness(2));
}

TEST(ElasticSubset, KeepsItsTypeVolumesAndModel)
{
    const MeshData mesh = solid();
    const TetElasticity energy = tets_of(mesh, ElasticModel::stvk);
    const TetElasticity part = energy.subset(TermList{7, 3});
    EXPECT_EQ(part.model(), ElasticModel::stvk);
    EXPECT_EQ(part.rest_volume(0), energy.rest_volume(7));
    EXPECT_EQ(part.rest_volume(1), energy.rest_volume(3));
    const TetElasticity again = part.subset(TermList{1});
    EXPECT_EQ(again.rest_volume(0), energy.rest_volume(3));
    expect_same_bits(
        numbers(energy, mesh.vertices, PSDProjectionMethod::none), {3},
        numbers(again, mesh.vertices, PSDProjectionMethod::none));
}

TEST(ElasticSubset, BoundsStepsByItsOwnElements)
{
    const MeshData mesh = solid();
    const TetElasticity energy = tets_of(mesh, ElasticModel::neo_hookean);
    const Positions dx = shaken(Positions::Zero(mesh.vertices.rows(), 3), 1);
    const double of_all = energy.largest_uninverted_step(mesh.vertices, dx);
    ASSERT_LT(of_all, 1);
    const TermList thirds = rising_subsets(energy.stencils().size())[2];
    const TermList others = complement(thirds, energy.stencils().size());
    EXPECT_EQ(
        of_all, std::min(
                    energy.subset(thirds).largest_uninverted_step(mesh.vertices, dx),
                    energy.subset(others).largest_uninverted_step(mesh.vertices, dx)));
    EXPECT_EQ(energy.subset({}).largest_uninverted_step(mesh.vertices, dx), 1);
}

TEST(ElasticSubset, SaysThatAnInvertedElementIsARowOfASubset)
{
    const MeshData mesh = solid();
    Positions x = mesh.vertices;
    x.col(0) *= -1;
    try {
        (void)numbers(tets_of(mesh, ElasticModel::neo_hookean).subset(TermList{4}), x, PSDProjectionMethod::none);
        ADD_FAILURE() << "accepted";
    } catch (const InvalidStart& error) {
        EXPECT_NE(std::string(error.what()).find("row 0 of a subset of tets (vertices "), std::string::npos)
            << error.what();
    }
}

TEST(ElasticSubset, RejectsTermsOutOfRange)
{
    const TetElasticity tets = tets_of(solid(), ElasticModel::stvk);
    const HingeBending hinges = bending_of(shell());
    const int num_tets = static_cast<int>(tets.stencils().size());
    expect_rejected_terms(
        [&] {
            (void)tets.subset(TermList{0, num_tets});
        },
        fmt::format("terms: entry 1 is {0}, which is out of range; the set has {0} terms", num_tets));
    expect_rejected_terms([&] { (void)tets.subset(TermList{-1}); }, "terms: entry 0 is -1");
    expect_rejected_terms([&] { (void)hinges.subset(TermList{2, -5}); }, "terms: entry 1 is -5");
}

} // namespace
} // namespace abut::test::subset_test
