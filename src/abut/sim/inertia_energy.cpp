#include "abut/sim/inertia_energy.hpp"

#include <array>

namespace abut {

InertiaEnergy::InertiaEnergy(const Eigen::VectorXd& masses, int dim) : masses_(masses), dim_(dim)
{
    for (int v = 0; v < masses.size(); ++v)
        if (masses[v] > 0) {
            vertices_.push_back(v);
            stencils_.add(std::array{v});
        }
}

void InertiaEnergy::set_target(Positions target, double dt)
{
    target_ = std::move(target);
    dt_ = dt;
}

void InertiaEnergy::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
        const int v = vertices_[k];
        const double stiffness = masses_[v] / (dt_ * dt_);
        const Eigen::VectorXd offset = x.row(v) - target_.row(v);
        if (out.values != nullptr)
            out.values[k] = 0.5 * stiffness * offset.squaredNorm();
        for (int a = 0; a < dim_; ++a) {
            if (out.gradients != nullptr)
                out.gradients[k * dim_ + a] = stiffness * offset[a];
            if (out.blocks != nullptr)
                for (int b = 0; b < dim_; ++b)
                    out.blocks[(k * dim_ + b) * dim_ + a] = a == b ? stiffness : 0;
        }
    }
}

} // namespace abut
