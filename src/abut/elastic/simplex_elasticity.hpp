#pragma once
// Elastic energy of triangles and tetrahedra with linear shape functions: solids in space and in the plane, and sheets
// in space.
//
// Notation: X_i and x_i the rest and present positions of an element's corners, g_i the rest gradients of its shape
// functions, F = Σ x_i g_iᵀ the deformation gradient, V the rest volume (area times thickness), psi(F) the energy
// density of isotropic.hpp. An element has the energy V psi(F), so that its corners feel the gradient V P g_i with
// P = dpsi/dF, and its Hessian has the blocks V d²psi/dF² : (. g_i)(. g_j). Projecting d²psi/dF² makes all of it
// positive semidefinite. In a regular element that is the projection of the element's Hessian itself; in others the
// eigenvalues that are clamped are those of the material and not of the element's shape.
//
// Elements are evaluated a few at once, one per lane, in fixed groups: results have the same bits for every number of
// threads.

#include "abut/elastic/material.hpp"
#include "abut/linear/stencils.hpp"
#include "abut/linear/term_output.hpp"
#include "abut/math/types.hpp"

#include <vector>

namespace abut {

/// Elements of D + 1 corners in Dim dimensions; one term per element, in their order.
template <int Dim, int D>
class SimplexElasticity {
public:
    /// Numbers of an element's rest shape: g_1 .. g_D, V, mu, lambda.
    static constexpr int num_rest_fields = D * D + 3;

    [[nodiscard]] const Stencils& stencils() const { return stencils_; }
    [[nodiscard]] ElasticModel model() const { return model_; }
    [[nodiscard]] int num_vertices() const { return num_vertices_; }

    /// Rest volume of an element, thickness included [m³].
    [[nodiscard]] double rest_volume(std::size_t element) const { return rest_volumes_[element]; }

    /// Number `field` of an element's rest shape: g_1 .. g_D one after the other, V, mu, lambda.
    [[nodiscard]] double rest_field(std::size_t element, int field) const { return rest_[rest_index(element, field)]; }

    /// The numbers of a group of elements, for load_rest<D>: g_1 .. g_D, V, mu, lambda.
    [[nodiscard]] const double* group_fields(std::size_t group) const;

    /// Writes what is asked for at the positions x, #V x Dim. Values of inverted elements of models that keep their
    /// volume are infinite; asking for their derivatives throws InvalidStart.
    void evaluate(const ConstPositions& x, const TermOutput& out) const;

    /// Only these elements, in this order, of the same mesh. Throws InvalidInput for terms out of range.
    [[nodiscard]] SimplexElasticity subset(std::span<const int> terms) const;

protected:
    /// `lame` and `thickness` have one entry, or one per element. Solids pass a thickness of 1.
    SimplexElasticity(
        const ConstPositions& rest_positions, const ConstElements& elements, std::string_view elements_name,
        ElasticModel model, const std::vector<LameParameters>& lame, const std::vector<double>& thickness);

private:
    SimplexElasticity(const SimplexElasticity& whole, std::span<const int> terms);

    /// Where a number of an element is in rest_.
    static std::size_t rest_index(std::size_t element, int field);
    /// Idle lanes of the last group repeat the last element.
    void fill_idle_lanes();

    void evaluate_group(const ConstPositions& x, const TermOutput& out, std::size_t group) const;
    [[noreturn]] void throw_inverted(std::size_t element) const;

    Stencils stencils_;
    std::string name_;
    ElasticModel model_;
    int num_vertices_;
    std::vector<double> rest_volumes_;
    std::vector<double> rest_; ///< by group of elements, in it by field, in it by lane
};

struct SolidOptions {
    ElasticModel model = ElasticModel::neo_hookean;
    std::vector<LameParameters> lame; ///< one, or one per tetrahedron; see lame_parameters()
};

/// Tetrahedra in space.
class TetElasticity : public SimplexElasticity<3, 3> {
public:
    /// Rejects tetrahedra whose rest volume is not positive.
    TetElasticity(const ConstPositions& rest_positions, const ConstElements& tets, const SolidOptions& options);

    /// A t in (0, 1] such that no tetrahedron of x + s dx has a volume <= 0 for any s in [0, t]: 1, or about nine
    /// tenths of the way to the first that loses its volume. See uninverted_step.hpp. Throws InvalidStart if one of x
    /// has none.
    [[nodiscard]] double largest_uninverted_step(const ConstPositions& x, const ConstPositions& dx) const;

    /// As SimplexElasticity::subset.
    [[nodiscard]] TetElasticity subset(std::span<const int> terms) const;

private:
    explicit TetElasticity(SimplexElasticity&& elements) : SimplexElasticity(std::move(elements)) {}
};

struct PlanarOptions {
    ElasticModel model = ElasticModel::neo_hookean;
    std::vector<LameParameters> lame;    ///< one, or one per triangle; those of solids mean plane strain
    std::vector<double> thickness = {1}; ///< one, or one per triangle [m], > 0
};

/// Triangles in the plane: a cut through a body that cannot move across the plane (plane strain).
class PlanarElasticity : public SimplexElasticity<2, 2> {
public:
    /// Rejects triangles that are not counter-clockwise at rest.
    PlanarElasticity(const ConstPositions& rest_positions, const ConstElements& faces, const PlanarOptions& options);

    /// As TetElasticity::largest_uninverted_step, with areas.
    [[nodiscard]] double largest_uninverted_step(const ConstPositions& x, const ConstPositions& dx) const;

    /// As SimplexElasticity::subset.
    [[nodiscard]] PlanarElasticity subset(std::span<const int> terms) const;

private:
    explicit PlanarElasticity(SimplexElasticity&& elements) : SimplexElasticity(std::move(elements)) {}
};

struct MembraneOptions {
    ElasticModel model = ElasticModel::fixed_corotated; ///< any but stable_neo_hookean
    std::vector<LameParameters> lame; ///< one, or one per triangle; see plane_stress_lame_parameters()
    std::vector<double> thickness;    ///< one, or one per triangle [m], > 0
};

/// Triangles in space that resist in their plane, and bend freely.
class MembraneElasticity : public SimplexElasticity<3, 2> {
public:
    /// Rejects triangles without area at rest.
    MembraneElasticity(
        const ConstPositions& rest_positions, const ConstElements& faces, const MembraneOptions& options);

    /// A t in (0, 1] such that every triangle of x + s dx has more than least_kept_area of its area in x for any s in
    /// [0, t]. See uninverted_step.hpp.
    [[nodiscard]] double largest_step_with_area(const ConstPositions& x, const ConstPositions& dx) const;

    /// As SimplexElasticity::subset.
    [[nodiscard]] MembraneElasticity subset(std::span<const int> terms) const;

private:
    explicit MembraneElasticity(SimplexElasticity&& elements) : SimplexElasticity(std::move(elements)) {}
};

} // namespace abut
