#pragma once
// Contacts that resist sliding: what friction lags. Normal force, contact point, tangent basis and coefficients are
// computed once at given positions and stay fixed while velocities change, so that friction has a potential.
// Li et al., "Incremental potential contact", 2020, section 5.
//
//   N      force of a term, −κ s b' 2d or a bond's strength, without the term's weight, which multiplies the potential;
//          of a pair of GCP its whole normal force, with weight 1
//   c      weights of the stencil in the relative velocity of the two contact points
//   P      tangent basis: dim x (dim − 1), orthonormal
//
// Edges that are nearly parallel have no tangent plane and are left out: their mollifier fades their force as well. Of
// GCP's own variant none is left out: its mollifier acts where the ends of edges are as near as their closest points,
// and edges at a small angle press with full force once they are close enough.

#include "abut/contact/friction/friction_coefficients.hpp"
#include "abut/contact/gcp/smooth_contact_potential.hpp"
#include "abut/contact/normal_potential.hpp"

namespace abut {

/// Where a term's sliding counts from, and in what unit: the law sees |slip + A u| / reach, and its potential is times
/// reach.
struct TangentialAnchor {
    Vec2 slip;    ///< in the tangent basis [m]; in the plane its first number
    double reach; ///< [m], > 0
    bool operator==(const TangentialAnchor&) const = default;
};

/// Terms of one kind, in arrays of the same length.
template <int N>
struct TangentialTerms : CollisionTerms<N> {
    std::vector<double> normal_forces;               ///< N [N]
    std::vector<std::array<double, N>> coefficients; ///< c
    std::vector<Mat<3, 2>> bases;                    ///< P; in the plane its first column, z = 0
    std::vector<double> mu_s, mu_k;
    std::vector<TangentialAnchor> anchors{}; ///< empty where sliding counts from nowhere else

    [[nodiscard]] TangentialTerms subset(std::span<const int> terms) const
    {
        return {
            CollisionTerms<N>::subset(terms),
            selected(normal_forces, terms),
            selected(coefficients, terms),
            selected(bases, terms),
            selected(mu_s, terms),
            selected(mu_k, terms),
            anchors.empty() ? anchors : selected(anchors, terms)};
    }
    bool operator==(const TangentialTerms&) const = default;
};

/// One term, whatever its kind.
struct TangentialCollision {
    PairKind kind;
    IndexPair elements;
    std::span<const int> vertices;
    std::span<const double> coefficients;
    double weight, normal_force, mu_s, mu_k;
    Mat<3, 2> basis;
    const TangentialAnchor* anchor; ///< null where there is none
};

class TangentialCollisions {
public:
    TangentialCollisions() = default;

    /// Lags the terms of `collisions` under `normal_potential` at X.
    void build(
        const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisions& collisions,
        const NormalPotential& normal_potential, const FrictionCoefficients& friction);

    /// The same for pairs of GCP, each a term over the vertices of its two elements.
    void build(
        const CollisionMesh& mesh, const ConstPositions& X, const SmoothCollisions& collisions,
        const SmoothContactPotential& potential, const FrictionCoefficients& friction);

    [[nodiscard]] std::size_t size() const { return stencils_.size(); }
    [[nodiscard]] bool empty() const { return size() == 0; }

    /// Terms by kind, in the order of kinds.
    [[nodiscard]] const ByStencil<TangentialTerms>& by_kind() const { return terms_; }
    [[nodiscard]] const TangentialTerms<2>& vv() const { return terms_.vv; }
    [[nodiscard]] const TangentialTerms<3>& ev() const { return terms_.ev; }
    [[nodiscard]] const TangentialTerms<4>& ee() const { return terms_.ee; }
    [[nodiscard]] const TangentialTerms<4>& fv() const { return terms_.fv; }
    [[nodiscard]] const TangentialTerms<1>& pv() const { return terms_.pv; }

    [[nodiscard]] TangentialCollision operator[](std::size_t term) const;
    [[nodiscard]] const Stencils& stencils() const { return stencils_; }
    [[nodiscard]] const FrictionCoefficients& friction() const { return friction_; }
    [[nodiscard]] double dmin() const { return dmin_; }
    /// Are the normal forces those of GCP?
    [[nodiscard]] bool is_smooth() const { return is_smooth_; }

    /// Of every term, in their order, its anchor and the coefficient, static and kinetic alike, that it has now.
    void set_anchors(std::span<const TangentialAnchor> anchors, std::span<const double> mu);
    [[nodiscard]] bool is_anchored() const { return is_anchored_; }

    /// Only these terms, which must rise, lagged as they are. Throws InvalidInput if they do not, and for terms out of
    /// range.
    [[nodiscard]] TangentialCollisions subset(std::span<const int> terms) const;

    /// Throws InvalidInput unless the set fits the mesh and the array has its shape and is finite.
    void validate(const CollisionMesh& mesh, const ConstPositions& array, std::string_view name) const;

    bool operator==(const TangentialCollisions& other) const { return terms_ == other.terms_; }

private:
    struct Source;
    void
    lag(const CollisionMesh& mesh, const ConstPositions& X, const Source& from, const FrictionCoefficients& friction);
    template <int Dim>
    void lag_terms(const CollisionMesh& mesh, const ConstPositions& X, const Source& source);

    ByStencil<TangentialTerms> terms_;
    Stencils stencils_;
    FrictionCoefficients friction_;
    double dmin_ = 0;
    bool is_smooth_ = false, is_anchored_ = false;
    MeshSizes mesh_sizes_;
};

} // namespace abut
