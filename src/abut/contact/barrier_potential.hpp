#pragma once
// The barrier that keeps things apart: a NormalPotential whose law grows without bound towards contact.

#include "abut/contact/normal_potential.hpp"

namespace abut {

struct BarrierPotentialOptions {
    double dhat;          ///< distance at which the barrier begins, beyond dmin of the set [m], > 0
    double stiffness = 1; ///< κ, > 0. Units: see use_physical_barrier

    /// Scales the law by dhat / its unit. The stiffness is then a pressure [Pa], with area-weighted sets, and means the
    /// same for every dhat and law; without it its unit is that of energy over the law's.
    bool use_physical_barrier = false;

    std::shared_ptr<const NormalLaw> law = normal_law("clamped_log", DistanceKind::squared);

    HessianMode hessian_mode = HessianMode::exact; ///< which second derivatives hessian() returns
    /// Below this share of dhat the curvature of analytic modes does not grow any more, in [0, 1); 0: it always does.
    double hessian_filter = usual_hessian_filter;
};

class BarrierPotential final : public NormalPotential {
public:
    explicit BarrierPotential(const BarrierPotentialOptions& options);
    explicit BarrierPotential(double dhat, double stiffness = 1, bool use_physical_barrier = false);

    [[nodiscard]] double stiffness() const { return stiffness_; }
    void set_stiffness(double stiffness);

    [[nodiscard]] bool use_physical_barrier() const { return use_physical_barrier_; }
    [[nodiscard]] double scale(double dmin) const override;

private:
    double stiffness_;
    bool use_physical_barrier_;
};

} // namespace abut
