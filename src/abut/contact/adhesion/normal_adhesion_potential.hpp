#pragma once
// Surfaces that stick: a NormalPotential whose law is a well (laws/adhesion.hpp), strongest at dhat_p and gone from
// dhat_a on. "Augmented Incremental Potential Contact for Sticky Interactions", sections 4.1 and 4.2.
//
// Its set reaches to dhat_a and is weighted by area, so that the pull is a stress: Y eps_c at dhat_p, Young's modulus
// times the strain at which the material lets go. For that to hold on every mesh, each piece of surface must count
// once: NormalAdhesionOptions::collisions() are the set's options that do so. Beside it acts a barrier over a set that
// reaches to dhat; both come from one Detection of the larger range.

#include "abut/contact/normal_potential.hpp"

namespace abut {

struct NormalAdhesionOptions {
    double dhat_p;          ///< distance of the strongest pull, beyond dmin of the set [m], in (0, dhat_a)
    double dhat_a;          ///< distance at which bonds end, beyond dmin; the set's dhat [m]
    double youngs_modulus;  ///< Y; of two materials the softer one's [Pa], > 0
    double critical_strain; ///< eps_c, > 0
    /// What the law sees. Of squared distances, as in the authors' code, it peaks beyond dhat_p: laws/adhesion.hpp.
    DistanceKind distance = DistanceKind::plain;
    HessianMode hessian_mode = HessianMode::exact;

    /// The usual thresholds for a barrier that begins at dhat: dhat_p = dhat, dhat_a = 2 dhat (section 4.2).
    [[nodiscard]] static NormalAdhesionOptions for_barrier(double dhat, double youngs_modulus, double critical_strain)
    {
        return {
            .dhat_p = dhat, .dhat_a = 2 * dhat, .youngs_modulus = youngs_modulus, .critical_strain = critical_strain};
    }

    /// Of a set whose pull between parallel surfaces is Y eps_c per area, whatever their meshes: the convergent one,
    /// weighted by area, without the edges of faces.
    [[nodiscard]] NormalCollisionsOptions collisions(double dmin = 0) const
    {
        return {
            .dhat = dhat_a,
            .dmin = dmin,
            .set_type = CollisionSetType::convergent,
            .use_area_weighting = true,
            .use_face_edges = false};
    }
};

class NormalAdhesionPotential final : public NormalPotential {
public:
    explicit NormalAdhesionPotential(const NormalAdhesionOptions& options);

    [[nodiscard]] const NormalAdhesionOptions& options() const { return options_; }
    /// Y eps_c, the pull at dhat_p [Pa]: the largest stress that a bond bears, if the law is one of the plain distance.
    [[nodiscard]] double strength() const { return options_.youngs_modulus * options_.critical_strain; }

    [[nodiscard]] double scale(double /*dmin*/) const override { return 1; }
    /// lambda_a of tangential adhesion: the strength, for every pair that is bonded, closer than dmin + dhat_a (section
    /// 4.3).
    [[nodiscard]] std::optional<double> sliding_force() const override { return strength(); }

private:
    NormalAdhesionOptions options_;
};

} // namespace abut
