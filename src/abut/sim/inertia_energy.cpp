#include "abut/sim/inertia_energy.hpp"

#include "abut/sim/block_kernels.hpp"

namespace abut {

InertiaEnergy::InertiaEnergy(const Eigen::VectorXd& masses, const Integrator& integrator) : integrator_(integrator)
{
    std::vector<int> with_mass;
    for (int v = 0; v < masses.size(); ++v)
        if (masses[v] > 0)
            with_mass.push_back(v);
    masses_.resize(static_cast<Eigen::Index>(with_mass.size()));
    for (Eigen::Index k = 0; k < masses_.size(); ++k)
        masses_[k] = masses[with_mass[k]];
    anchors_ = Anchors(std::move(with_mass));
}

void InertiaEnergy::begin_step(const State& /*start*/, double /*dt*/)
{
    const Positions& target = integrator_.target();
    Positions targets(masses_.size(), target.cols()), weights(masses_.size(), target.cols());
    for (Eigen::Index k = 0; k < masses_.size(); ++k) {
        targets.row(k) = target.row(anchors_.vertices()[k]);
        for (Eigen::Index a = 0; a < target.cols(); ++a)
            weights(k, a) = -masses_[k] * integrator_.acceleration()[a];
    }
    anchors_.set({std::move(targets), std::move(weights), integrator_.stiffness() * masses_});
}

std::unique_ptr<BlockTerms> InertiaEnergy::by_blocks(const BlockGroups& groups, const Unknowns& /*x*/) const
{
    return make_block_terms(anchors_, groups);
}

} // namespace abut
