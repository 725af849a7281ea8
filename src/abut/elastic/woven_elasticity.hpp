#pragma once
// Elastic energy of woven sheets: their threads resist in two directions, warp and weft, and their mesh resists shear.
//
// Notation: F = [f_u f_w] the deformation gradient of a triangle in the frame of its warp and weft at rest, which are
// normal to each other: f_u and f_w are where unit vectors along them go. V area times thickness at rest, k_u, k_w and
// k_s the moduli of warp, weft and shear [Pa]. A triangle has the energy
//
//   V ( k_u/2 (|f_u| - 1)² + k_w/2 (|f_w| - 1)² + k_s/2 (f_u · f_w)² ).
//
// Baraff, Witkin, "Large steps in cloth simulation", 1998, as finite elements: Kim, "A finite element formulation of
// Baraff-Witkin cloth", 2020, with I_5 = |f|² and I_6 = f_u · f_w, and a factor 1/2, so that k_u is Young's modulus of
// a strip along the warp, k_w of one along the weft, and k_s the shear modulus at rest. There is no Poisson's effect: a
// strip that is pulled along its warp keeps its width.
//
// Second derivatives by F, whose negative eigenvalues are known in closed form (Kim 2020), so
// that the three parts are projected one by one, which makes their sum positive semidefinite:
//
//   stretch  k f̂ f̂ᵀ + k (1 - 1/|f|) (I - f̂ f̂ᵀ),   negative across threads that are shorter than at rest
//   shear    k_s (g gᵀ + I_6 [0 I; I 0]),   g = (f_w, f_u),
//
// the latter with the eigenvalues (each times k_s) I_6 twice, -I_6 twice, and (I_2 ± √(I_2² + 12 I_6²)) / 2 with I_2 =
// |f_u|² + |f_w|². With p = (f_u + f_w) / 2 and m = (f_w - f_u) / 2, and for I_6 >= 0 (else f_w is turned round and
// the signs of the blocks that mix the two with it), the vectors (a, a) and (b, -b) separate the first two, and the
// positive one of the last pair has the eigenvector (p̂ + q, p̂ - q) up to its length, q = 2 |p| m / (lambda + I_6 - 2
// |m|²), whose denominator is at least 2 |p|²: nothing is divided by what may vanish.

#include "abut/elastic/sheet_shapes.hpp"
#include "abut/linear/term_output.hpp"

namespace abut {

/// How stiff a woven sheet is [Pa]; times its thickness they are forces per length.
struct WovenModuli {
    double warp = 0;  ///< k_u, > 0
    double weft = 0;  ///< k_w, > 0
    double shear = 0; ///< k_s, >= 0
};

struct WovenOptions {
    std::vector<WovenModuli> moduli; ///< one, or one per triangle
    std::vector<double> thickness;   ///< one, or one per triangle [m], > 0
    /// At rest, as far as it lies in the plane of a triangle: one, or one per triangle, of any length but 0.
    std::vector<Vec3> warp_direction = {Vec3::UnitX()};
};

/// Shorter threads have no direction that numbers could tell: the energy has a kink where one vanishes.
inline constexpr double shortest_thread = 1e-8;

/// One term per triangle.
class WovenElasticity {
public:
    /// Rejects triangles without area at rest or normal to the warp, and moduli out of range.
    WovenElasticity(const ConstPositions& rest_positions, const ConstElements& faces, const WovenOptions& options);

    [[nodiscard]] const Stencils& stencils() const { return shapes_.stencils(); }
    [[nodiscard]] int num_vertices() const { return shapes_.num_vertices(); }
    [[nodiscard]] double rest_volume(std::size_t triangle) const { return shapes_.rest_volume(triangle); }

    /// Writes what is asked for at the positions x, #V x 3; finite for all of them.
    void evaluate(const ConstPositions& x, const TermOutput& out) const;

    /// Only these triangles, in this order, of the same mesh. Throws InvalidInput for terms out of range.
    [[nodiscard]] WovenElasticity subset(std::span<const int> terms) const;

private:
    explicit WovenElasticity(SheetShapes shapes) : shapes_(std::move(shapes)) {}
    void evaluate_group(const ConstPositions& x, const TermOutput& out, std::size_t group) const;

    SheetShapes shapes_; ///< parameters: k_u, k_w, k_s
};

} // namespace abut
