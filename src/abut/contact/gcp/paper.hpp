#pragma once
// GCP as its paper has it: Huang et al. 2025. The other variant, in toolkit.hpp, has the same members.

#include "abut/contact/gcp/log_energy.hpp"
#include "abut/contact/gcp/pair_input.hpp"
#include "abut/contact/gcp/smooth_contact_parameters.hpp"
#include "abut/contact/gcp/smoothing.hpp"
#include "abut/mesh/collision_mesh.hpp"

namespace abut::gcp {

struct Paper {
    /// By how much thresholds are widened when the pairs of the rest shape are collected, of cosines and of coordinates
    /// on elements: far above the rounding of a rigid motion, far below what anyone chooses for alpha.
    static constexpr double rest_margin = 1e-6;

    /// Have planes, loose edges in space and loose vertices pairs?
    static constexpr bool pairs_planes_and_loose = true;
    /// Is an edge paired with the third vertex of one of its faces?
    static constexpr bool pairs_edge_with_opposite = false;
    /// Are the bisectors of the faces around a vertex tangents of it?
    static constexpr bool has_bisectors = true;
    /// Is the outside of an edge, and of a vertex in the plane, a sector? Else it is told by normals.
    static constexpr bool has_sectors = true;
    /// Are pairs weighed by rest measures? Else measures of current positions are factors of the energy.
    static constexpr bool has_rest_measures = true;
    /// Does a face's mollifier compare with the lines through its edges? Else with the edges.
    static constexpr bool has_lines_as_borders = false;
    /// Is friction's normal force the norm of the pair's whole gradient? Else its part along r.
    static constexpr bool has_whole_gradient_as_force = false;
    /// Are Hessians projected as if a vertex that both elements use were two?
    static constexpr bool projects_split_stencils = false;

    /// Has the component of this vertex an outside?
    static bool is_oriented(const SmoothContactParameters& params, const CollisionMesh& mesh, int vertex)
    {
        if (!params.use_exterior_test)
            return false;
        const Components& parts = mesh.components();
        return parts.components[parts.vertex_component[vertex]].is_closed_and_oriented();
    }

    static LawTerm barrier(double z, double eps, int r) { return spline_barrier(z, eps, r); }

    /// The argument of a closest-point mollifier, and its derivatives by the squared distances D and q.
    static double mollifier_argument(double D, double q) { return (std::sqrt(D / q) - 1) / mollifier_width; }
    static RatioDerivatives mollifier_derivatives(double D, double q)
    {
        const double s = std::sqrt(D / q) / mollifier_width;
        return {s / (2 * D), -s / (2 * q), -s / (4 * D * D), -s / (4 * D * q), 3 * s / (4 * q * q)};
    }

    template <int Dim, typename Points>
    static void multiply_by_measures(LogEnergy<Dim>&, const PairInput&, const Points&)
    {}
};

} // namespace abut::gcp
