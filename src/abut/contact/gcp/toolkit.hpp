#pragma once
// GCP as IPC Toolkit 1.6 computes it: what differs from the paper, in one place. paper.hpp says what the members mean.

#include "abut/contact/gcp/paper.hpp"

namespace abut::gcp {

struct Toolkit {
    static constexpr double rest_margin = 0;
    static constexpr bool pairs_planes_and_loose = false;
    static constexpr bool pairs_edge_with_opposite = true;
    static constexpr bool has_bisectors = false;
    static constexpr bool has_sectors = false;
    static constexpr bool has_rest_measures = false;
    static constexpr bool has_lines_as_borders = true;
    static constexpr bool has_whole_gradient_as_force = true;
    static constexpr bool projects_split_stencils = true;

    /// Everywhere, if asked for.
    static bool is_oriented(const SmoothContactParameters& params, const CollisionMesh&, int)
    {
        return params.use_exterior_test;
    }

    /// Of powers of z/eps, without the 3/2 that makes h 1 at contact.
    static double barrier_factor(double eps, int r) { return 2.0 / 3 * whole_power(eps, r); }
    static LawTerm barrier(double z, double eps, int r)
    {
        const LawTerm p = spline_barrier(z, eps, r);
        const double factor = barrier_factor(eps, r);
        return {factor * p.value, factor * p.first, factor * p.second};
    }

    static double mollifier_argument(double D, double q) { return (D / q - 1) / mollifier_width; }
    static RatioDerivatives mollifier_derivatives(double D, double q)
    {
        const double c = 1 / mollifier_width;
        return {c / q, -c * D / (q * q), 0, -c / (q * q), 2 * c * D / (q * q * q)};
    }

    /// Measures of current positions: the area of a face, the squared length of an edge (in the plane its length), a
    /// third of the sum of those around a vertex (in the plane half).
    template <int Dim, typename Points>
    static void multiply_by_measures(LogEnergy<Dim>& psi, const PairInput& pair, const Points& x)
    {
        for (int side = 0; side < 2; ++side) {
            const auto& [first, count, away] = side_of(pair.kind, side);
            const int end = first + 1;
            const bool is_edge = count == 2;
            const std::span<const int> ring = is_edge ? std::span<const int>(&end, 1) : pair.rings[side];
            if (count == 3) {
                const auto multiply = [&](const auto& normal) {
                    psi.multiply_by_length_law(normal, {0.5 * normal.value.norm(), 0.5, 0});
                };
                if (psi.order() == Order::hessian)
                    multiply(VectorFunction<Dim>::normal(x, first, first + 1, first + 2));
                else
                    multiply(VectorSlope<Dim>::normal(x, first, first + 1, first + 2));
            } else if (Dim == 3)
                psi.multiply_by_squares(x, first, ring, is_edge ? 1 : 1.0 / 3);
            else if (!ring.empty()) // of a loose vertex in the plane it is 1
                psi.multiply_by_lengths(x, first, ring, ring.size() == 1 ? 1 : 0.5);
        }
    }
};

/// Calls visit with the variant's rules.
template <typename Visit>
decltype(auto) with_variant(SmoothContactVariant variant, Visit&& visit)
{
    return variant == SmoothContactVariant::toolkit ? visit(Toolkit()) : visit(Paper());
}

} // namespace abut::gcp
