#pragma once
// A limit to the stretch of sheets: a barrier in the principal stretches of their triangles.
//
// Notation: F the deformation gradient of a triangle as in deformation.hpp, sigma_1 >= sigma_2 >= 0 its principal
// stretches, s the limit, s_0 < s the stretch from which on the barrier acts, k its stiffness [Pa], V area times
// thickness at rest, y = (sigma - s_0) / (s - s_0). A triangle has the energy
//
//   V k (s - s_0)² Σ_i b(y_i),   b(y) = -y² ln(1 - y) for y > 0, and 0 below.
//
// b, b' and b'' are zero at y = 0 and go to infinity at y = 1: twice continuously differentiable, and no triangle is
// ever stretched by s. Li, Kaufman, Jiang, "Codimensional Incremental Potential Contact", 2021, with the
// factor (s - s_0)² in addition, which makes k a modulus: the second derivative by sigma is k b''(y), however narrow
// the barrier.
//
// The energy is convex in F: b is convex and does not fall, and so is a sum of such functions of singular values. All
// forms of the Hessian are therefore the exact one. For the same reason the largest stretch is a convex function along
// every step, and a step that ends within the limit never left it on the way.

#include "abut/elastic/sheet_shapes.hpp"
#include "abut/linear/term_output.hpp"

#include <optional>

namespace abut {

/// How far a sheet can be stretched.
struct StretchLimit {
    double stretch = 1.1; ///< s, > from: the length that nothing reaches, over the length at rest
    double from = 1;      ///< s_0, >= 1
    double stiffness = 0; ///< k [Pa], > 0
};

struct StrainLimitOptions {
    std::vector<StretchLimit> limits; ///< one, or one per triangle
    std::vector<double> thickness;    ///< one, or one per triangle [m], > 0
};

/// One term per triangle.
class StrainLimit {
public:
    /// Rejects triangles without area at rest, and limits out of range.
    StrainLimit(const ConstPositions& rest_positions, const ConstElements& faces, const StrainLimitOptions& options);

    [[nodiscard]] const Stencils& stencils() const { return shapes_.stencils(); }
    [[nodiscard]] int num_vertices() const { return shapes_.num_vertices(); }
    [[nodiscard]] double rest_volume(std::size_t triangle) const { return shapes_.rest_volume(triangle); }
    [[nodiscard]] StretchLimit limit(std::size_t triangle) const;

    /// Writes what is asked for at the positions x, #V x 3. Values of triangles at or beyond their limit are infinite;
    /// asking for their derivatives throws InvalidStart.
    void evaluate(const ConstPositions& x, const TermOutput& out) const;

    /// The larger principal stretch of a triangle.
    [[nodiscard]] double largest_stretch(const ConstPositions& x, std::size_t triangle) const;
    /// The first triangle at or beyond its limit.
    [[nodiscard]] std::optional<std::size_t> first_beyond(const ConstPositions& x) const;

    /// A t in (0, 1] such that no triangle of x + s dx is stretched up to its limit for any s in [0, t]: 1, or about
    /// nine tenths of the way to the first that is. Throws InvalidStart if one of x is.
    [[nodiscard]] double largest_step_within(const ConstPositions& x, const ConstPositions& dx) const;

    /// The same of one triangle alone.
    [[nodiscard]] double step_within_of(std::size_t triangle, const ConstPositions& x, const ConstPositions& dx) const;

    /// Only these triangles, in this order, of the same mesh. Throws InvalidInput for terms out of range.
    [[nodiscard]] StrainLimit subset(std::span<const int> terms) const;

private:
    explicit StrainLimit(SheetShapes shapes) : shapes_(std::move(shapes)) {}

    void evaluate_group(const ConstPositions& x, const TermOutput& out, std::size_t group) const;
    /// Is a triangle of x + t dx, in doubles, within its limit, or no farther beyond it than in x?
    [[nodiscard]] bool
    is_end_within(std::size_t triangle, const ConstPositions& x, const ConstPositions& dx, double t) const;
    [[nodiscard]] double within_until(std::size_t triangle, const ConstPositions& x, const ConstPositions& dx) const;
    [[noreturn]] void throw_beyond(const ConstPositions& x, std::size_t triangle) const;

    SheetShapes shapes_; ///< parameters: s, s_0, k
};

} // namespace abut
