#pragma once
// Elliptic cross sections of rods, and what follows from them: stiffness against stretching, bending and twisting, and
// mass.
//
// Notation: a and b the half axes, along the first and the second director m1 and m2 of the section, E Young's and G
// the shear modulus, rho the density. Area π a b; second moments about the axes of m1 and m2 π a b³ / 4 and π a³ b / 4;
// torsion constant of an ellipse (Saint-Venant 1855) π a³ b³ / (a² + b²); polar moment π a b (a² + b²) / 4.

#include <array>
#include <numbers>

namespace abut {

struct RodSection {
    double a = 0, b = 0; ///< half axes [m], > 0

    [[nodiscard]] bool is_round() const { return a == b; }
    [[nodiscard]] double larger() const { return a > b ? a : b; }
    [[nodiscard]] double area() const { return std::numbers::pi * a * b; }
    /// About the axis of the rod [m⁴]: times rho the inertia of a length against turning about itself.
    [[nodiscard]] double polar_moment() const { return area() * (a * a + b * b) / 4; }
};

struct RodStiffness {
    double stretch = 0;              ///< E A: force per strain [N]
    std::array<double, 2> bending{}; ///< about m1 and m2: moment per curvature [N m²]
    double twist = 0;                ///< moment per twist per length [N m²]
};

[[nodiscard]] inline RodStiffness rod_stiffness(const RodSection& section, double youngs_modulus, double shear_modulus)
{
    const auto [a, b] = section;
    const double A = section.area();
    return {
        .stretch = youngs_modulus * A,
        .bending = {youngs_modulus * A * b * b / 4, youngs_modulus * A * a * a / 4},
        .twist = shear_modulus * A * a * a * b * b / (a * a + b * b)};
}

} // namespace abut
