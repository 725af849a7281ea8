#include "abut/contact/barrier_potential.hpp"

#include "abut/base/error.hpp"

namespace abut {

BarrierPotential::BarrierPotential(const BarrierPotentialOptions& options)
    : NormalPotential(options.law, options.dhat, options.hessian_mode, options.hessian_filter),
      use_physical_barrier_(options.use_physical_barrier)
{
    set_stiffness(options.stiffness);
}

BarrierPotential::BarrierPotential(double dhat, double stiffness, bool use_physical_barrier)
    : BarrierPotential({.dhat = dhat, .stiffness = stiffness, .use_physical_barrier = use_physical_barrier})
{}

void BarrierPotential::set_stiffness(double stiffness)
{
    if (!(stiffness > 0 && std::isfinite(stiffness)))
        reject("stiffness: {} is not a positive number", stiffness);
    stiffness_ = stiffness;
}

double BarrierPotential::scale(double dmin) const
{
    return use_physical_barrier_ ? stiffness_ * dhat() / law().unit({.dhat = dhat(), .dmin = dmin}) : stiffness_;
}

} // namespace abut
