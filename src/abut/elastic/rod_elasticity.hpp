#pragma once
// Elastic energies of rods: Bergou, Wardetzky, Robinson, Audoly, Grinspun, "Discrete elastic rods", 2008, with the
// transport of reference frames in time of Bergou, Audoly, Vouga, Wardetzky, Grinspun, "Discrete viscous threads",
// 2010.
//
// Notation: e an edge, t = e / |e| its tangent, d1 and d2 = t x d1 its reference frame, theta its angle, and
// m1 = cos theta d1 + sin theta d2, m2 = t x m1 its material frame, in which sections are at rest. At a joint of the
// edges 0 and 1 with the mean rest length l, chi = 1 + t0 · t1,
//
//   kb = 2 t0 x t1 / chi                the curvature binormal: about the axis of the turn, 2 tan(turn / 2) long,
//   w_jc = kb · m_c of edge j           the material curvatures, two for each of the two edges,
//   m = theta_1 - theta_0 + r           the twist, with r the angle from P(t0 -> t1) d1 of edge 0 to d1 of edge 1,
//
// and what is at rest has a bar. The energies are
//
//   stretch   EA l/2 (|e| / l - 1)²                         of an edge
//   bending   Σ_j Σ_c B_c / (4 l) (w_jc - bar w_jc)²        of a joint (2008, section 4.2.2)
//   twist     C / (2 l) (m - bar m)²
//
// Two curvatures per edge, as in 2008, and not their mean, as in 2010: with a round section that is straight at rest
// bending is then B / (2 l) |kb|², whatever the angles are.
//
// **The frame in time.** Where a step starts, edges have tangents s and directors c. Within the step an edge's director
// is d1(t) = P(s -> t) c, a function of its tangent alone, so that the energy is a function of positions and angles,
// and derivatives are those of this function. An edge's material frame turns, for changes t' and theta',
//
//   by nu = theta' + a · t' about t,   a = - s x t / (1 + s · t),   besides P(t -> t + t'),
//
// and a vanishes where the step starts: there these are the derivatives of 2010. Along great circles t'' = -|t'|² t,
// and with F_j = Σ_c f_c m_c for any numbers f_c,
//
//   chi'  = t0' · t1 + t0 · t1'
//   kb'   = (2 (t0' x t1 + t0 x t1') - chi' kb) / chi
//   kb''  = (4 t0' x t1' - 2 chi' kb' - (|t0'|² + |t1'|² + 2 t0' · t1') kb) / chi
//   (kb · m_c)'  = kb' · m_c + nu kb · (t x m_c)
//   (kb · F)''   = kb'' · F + (kb · t') (F · t') + 2 nu kb' · (t x F) + nu' kb · (t x F) - nu² kb · F
//   m'  = 1/2 kb · (t0' + t1') + nu_1 - nu_0
//   m'' = 1/2 kb' · (t0' + t1') + nu_1' - nu_0',   nu' = (t' · a) (t' · s) · (-1) / (1 + s · t)
//
// (f_c held in the last but two). Tangents change by t' = (I - t tᵀ) e' / |e|; written in the directions m1, m2 of each
// edge that is two numbers, and with theta_0 and theta_1 a joint has six. Projection treats the 6 x 6 matrix of these,
// which are all angles. Exact Hessians have besides the coupling -(G tᵀ + t Gᵀ) / |e| of each edge, with G its part of
// the gradient: it is what turning gains by stretching, and never definite.
//
// **Unknowns.** In place of an angle theta its arc a theta is the unknown, with a the larger half axis: how far the
// surface of the rod moves. Lengths, forces and stiffnesses are then of the same kind as those of vertices, whatever
// the rod's size, and so are the tolerances of a solve.
//
// **Folds.** kb, and with it the energy, is infinite where an edge folds back on the one before. That is a barrier of
// its own; largest_unfolded_step() keeps steps from jumping over it.
//
// **Flow.** With the half axes b_1 = b and b_2 = a and u_jc = b_c (w_jc - bar w_jc), bending is EA l / 8 s², where
// s² = Σ u² / (2 l²) is the square of the strain at the surface: a scalar with the force q = k s, k = EA l / 4, to
// which plasticity.hpp applies, and flow is along u. A moment yields where all of the section does (4/3 σ a b² about
// m1), that is at q = 4 A l σ / (3 π); beyond, hardening and viscosity act on the second moment of the section, as E
// does. With the gradient g = d/dw of the elastic energy, da the flow and slope its law, bending after the return has
//
//   value - (k + slope) da² / 2,   gradient r g, r = 1 - k da / q,
//   Hessian r diag(B_c / (2 l)) - k² Y / ((k + slope) q³) g gᵀ
//
// by w. Moments about both axes yield together on an ellipse. Stretch and twist do not flow.
//
// **Branches.** Where rods branch there is no one frame to carry on. Parts that branch have stretch, and bending by the
// turn between every two edges that meet, as if a rod ran through both; see RodCorners.

#include "abut/elastic/plasticity.hpp"
#include "abut/elastic/rod_frames.hpp"
#include "abut/elastic/rod_section.hpp"
#include "abut/linear/stencils.hpp"
#include "abut/linear/term_output.hpp"

#include <optional>
#include <span>

namespace abut {

/// One term for each edge.
class RodStretch {
public:
    /// EA of each edge [N], > 0. Rejects edges without length.
    RodStretch(const ConstPositions& rest_positions, const Edges& edges, std::vector<double> stiffness);

    [[nodiscard]] const Stencils& stencils() const { return stencils_; }
    void evaluate(const ConstPositions& x, const TermOutput& out) const;
    [[nodiscard]] RodStretch subset(std::span<const int> terms) const;

    /// A t in (0, 1] so that no edge of x + s dx has no length for s in [0, t].
    [[nodiscard]] double largest_step_with_length(const ConstPositions& x, const ConstPositions& dx) const;

private:
    RodStretch() = default;
    struct Edge {
        double rest_length, stiffness;
    };
    Stencils stencils_;
    std::vector<Edge> edges_;
};

/// What a joint is made of.
struct RodJointMaterial {
    RodStiffness stiffness;
    bool is_straight = false; ///< at rest; else as in the rest positions
    double rest_twist = 0;    ///< more than that of the rest positions, of a straight one than none [rad/m]
    double area = 0;          ///< of the section [m²]; read where it flows
    std::optional<Plasticity> plasticity = {};
};

/// Rejects joints that fold back on themselves, as RodBending does.
void check_unfolded(const ConstPositions& rest_positions, const RodTopology& rods);

/// One term for each joint of chains, over its three vertices and the arcs of its two edges.
class RodBending {
public:
    struct Options {
        std::vector<RodJointMaterial> materials; ///< one per joint
        std::vector<double> arc_radii;           ///< a of each edge [m], > 0; 0 of those that branch
        std::vector<int> arc_blocks;             ///< block of each edge's arc; -1 of those that branch
        Positions directors;                     ///< of each edge in the rest positions, where angles are 0
    };
    /// Rejects joints that fold back on themselves.
    RodBending(const ConstPositions& rest_positions, const RodTopology& rods, Options options);

    /// Reference frames at some positions: what must be remembered from step to step.
    struct Frames {
        Positions directors;       ///< of all edges
        std::vector<double> twist; ///< r of all joints, whole turns included
    };
    [[nodiscard]] Frames frames_at(const ConstPositions& x) const;
    /// From now on frames are carried from these, which belong to x.
    void set_frames(const ConstPositions& x, const Frames& frames);
    /// Before a search from x: carries on from x where edges have turned far, and remembers whole turns. True where
    /// something changed but rounding.
    bool begin_search(const ConstPositions& x);

    [[nodiscard]] const Stencils& stencils() const { return stencils_; }
    /// `arcs` has one number for each edge, in the order of its block.
    void evaluate(const ConstPositions& x, std::span<const double> arcs, const TermOutput& out) const;
    [[nodiscard]] RodBending subset(std::span<const int> terms) const;

    /// Some joint flows. States have the four plastic curvatures of each joint, those of edge 0 first.
    [[nodiscard]] bool is_plastic() const { return !natural_.empty(); }
    [[nodiscard]] PlasticState initial_flow() const;
    /// From here a step of dt starts. With `can_flow` false rods are elastic about what has flowed.
    void begin_flow(const PlasticState& state, double dt, bool can_flow = true);
    /// After a step to x.
    [[nodiscard]] PlasticState flowed(const ConstPositions& x, std::span<const double> arcs) const;
    /// Over all joints, twist included.
    [[nodiscard]] FlowSums sums(const ConstPositions& x, std::span<const double> arcs) const;

    /// The twist of each joint per length, less that at rest [rad/m].
    [[nodiscard]] std::vector<double> twists(const ConstPositions& x, std::span<const double> arcs) const;

    /// A t in (0, 1] so that no joint of x + s dx folds back on itself for s in [0, t], nor an edge turns back from
    /// where its frame is carried from.
    [[nodiscard]] double largest_unfolded_step(const ConstPositions& x, const ConstPositions& dx) const;

private:
    struct Joint {
        std::array<int, 3> vertices;
        std::array<int, 2> edges;      // places in edges_
        std::array<double, 2> bending; // B / (2 l)
        double twist;                  // C / l
        Mat<2, 2> rest_curvature;      // of edge j in column j
        double rest_twist, length;
        double reference_twist;    // r near which the one of now is
        double flow_stiffness = 0; // k, of those that flow
        FlowLaw law = {};
    };
    struct Edge {
        std::array<int, 2> vertices;
        Vec3 tangent, director; // s and c
        double arc_radius;
        int arc; // place among arcs
    };
    struct Local; // a joint at some positions
    RodBending() = default;
    template <bool WithDerivatives>
    void look_at(const Joint& joint, const ConstPositions& x, std::span<const double> arcs, Local& local) const;
    void differentiate(const Joint& joint, Local& local, bool with_hessian) const;
    [[nodiscard]] Vec3 director_at(const Edge& edge, const Vec3& t) const;
    [[nodiscard]] double reference_twist_at(const Joint& joint, const ConstPositions& x) const;

    Stencils stencils_;
    std::vector<Joint> joints_;
    std::vector<Edge> edges_;
    // Where some joint flows, of all joints
    std::vector<Mat<2, 2>> natural_; // rest curvatures before any flow
    std::vector<FlowResistance> resistances_;
    PlasticState flow_start_;
    double dt_ = 1;
};

/// One term for every two edges that meet in a part that branches. With q = |kb|² of the pair,
///
///   E = k/2 (q - bar q)² / (q + 3 bar q),   k = B / l,
///
/// which near rest is k/2 (|kb| - |bar kb|)², for a pair that is straight at rest k/2 |kb|², and smooth everywhere,
/// also where a pair with a rest angle is straight. A pair keeps its angle, not the plane of it, which has no meaning
/// without a frame.
class RodCorners {
public:
    /// Edges that lead back by more than this are no pair that a rod runs through: cos of the turn, about 139 degrees.
    static constexpr double least_cosine = -0.75;

    /// B of each corner [N m²], > 0; those that turn by more at rest than the least cosine allows have no term.
    RodCorners(
        const ConstPositions& rest_positions, const std::vector<RodJoint>& corners, const std::vector<double>& bending,
        const std::vector<bool>& is_straight);

    [[nodiscard]] const Stencils& stencils() const { return stencils_; }
    void evaluate(const ConstPositions& x, const TermOutput& out) const;
    [[nodiscard]] RodCorners subset(std::span<const int> terms) const;
    [[nodiscard]] double largest_unfolded_step(const ConstPositions& x, const ConstPositions& dx) const;

private:
    RodCorners() = default;
    struct Corner {
        std::array<int, 3> vertices;
        double stiffness, rest; // k, bar q
    };
    Stencils stencils_;
    std::vector<Corner> corners_;
};

} // namespace abut
