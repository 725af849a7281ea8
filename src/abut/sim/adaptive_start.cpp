#include "abut/sim/adaptive_start.hpp"

#include <algorithm>

namespace abut {

namespace {

constexpr const char* velocities_before = "start.velocities";

} // namespace

void AdaptiveStart::load(const History& history)
{
    const std::vector<double>* found = history.find(velocities_before);
    before_ = found != nullptr ? *found : std::vector<double>();
}

void AdaptiveStart::save(History& history) const { history.set(velocities_before, now_); }

void AdaptiveStart::begin_step(const State& start, double dt)
{
    const Eigen::Index n = start.x.rows(), dim = start.x.cols();
    now_.assign(start.v.data(), start.v.data() + start.v.size());
    displacements_ = dt * start.v;
    const Vec3& gravity = model_.scene.gravity;
    const double squared = gravity.head(dim).squaredNorm();
    if (!(squared > 0))
        return;
    const bool is_known = static_cast<Eigen::Index>(before_.size()) == n * dim;
    for (Eigen::Index v = 0; v < n; ++v) {
        double share = 1; // of what has just begun to move
        if (is_known) {
            double along = 0;
            for (Eigen::Index a = 0; a < dim; ++a)
                along += (start.v(v, a) - before_[v * dim + a]) * gravity[a];
            share = std::clamp(along / (dt * squared), 0.0, 1.0);
        }
        for (Eigen::Index a = 0; a < dim; ++a)
            displacements_(v, a) += share * dt * dt * gravity[a];
    }
}

void AdaptiveStart::take_out(std::span<const int> group_of_vertex, std::span<const double> shares)
{
    for (Eigen::Index v = 0; v < displacements_.rows(); ++v)
        if (const double share = shares[group_of_vertex[v]]; share > 0)
            displacements_.row(v) *= 1 - share;
}

} // namespace abut
