#include "abut/elastic/plastic_hinges.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/parallel.hpp"

#include <cmath>

namespace abut {

namespace {

constexpr std::size_t flowing_hinges_per_task = 256;

} // namespace

PlasticHinges::PlasticHinges(
    HingeBending hinges, const ConstPositions& rest_positions, const std::vector<double>& thickness,
    const std::vector<Plasticity>& materials)
    : hinges_(std::move(hinges))
{
    ABUT_ASSERT(thickness.size() == size() && materials.size() == size());
    for (std::size_t k = 0; k < size(); ++k) {
        const auto v = stencils()[k];
        const Vec3 e = point<3>(rest_positions, v[1]) - point<3>(rest_positions, v[0]);
        double A = 0;
        for (const int opposite : {v[2], v[3]})
            A += e.cross(point<3>(rest_positions, opposite) - point<3>(rest_positions, v[0])).norm() / 2;
        const double h = thickness[k], length = e.norm(), by_angle = length * length / A * h * h * h / 12;
        const auto& [Y, hardening, viscosity] = materials[k];
        flow_.push_back(
            {hinges_.rest_angle(k), h / 2 * length / A,
             FlowResistance{Y * h * h / 4 * length, by_angle * hardening, by_angle * viscosity}});
    }
    laws_.resize(size());
    begin_step(initial(), 1, false);
}

PlasticState PlasticHinges::initial() const
{
    return {std::vector<double>(size(), 0.0), std::vector<double>(size(), 0.0)};
}

void PlasticHinges::begin_step(const PlasticState& state, double dt, bool can_flow)
{
    ABUT_ASSERT(state.strain.size() == size() && state.deformation.size() == size());
    start_ = state;
    dt_ = dt;
    for (std::size_t k = 0; k < size(); ++k) {
        const auto& [rest_angle, strain_per_angle, resistance] = flow_[k];
        laws_[k] = can_flow ? flow_law(resistance, state.strain[k] / strain_per_angle, dt) : FlowLaw{};
        hinges_.set_flow(k, rest_angle + state.deformation[k], laws_[k]);
    }
}

double PlasticHinges::flow_at(const ConstPositions& x, std::size_t hinge) const
{
    const double k = hinges_.stiffness(hinge), turn = hinges_.turn(x, hinge);
    return std::copysign(laws_[hinge].flow(k * std::abs(turn), k), turn);
}

PlasticState PlasticHinges::flowed(const ConstPositions& x) const
{
    PlasticState state = start_;
    parallel_for(size(), flowing_hinges_per_task, [&](std::size_t k) {
        const double flow = flow_at(x, k);
        state.deformation[k] += flow;
        state.strain[k] += std::abs(flow) * flow_[k].strain_per_angle;
    });
    return state;
}

FlowSums PlasticHinges::sums(const ConstPositions& x) const
{
    FlowSums all;
    for (std::size_t k = 0; k < size(); ++k) {
        const double stiffness = hinges_.stiffness(k);
        all += flow_sums(
            flow_[k].resistance, stiffness * std::abs(hinges_.turn(x, k)), stiffness, 0,
            start_.strain[k] / flow_[k].strain_per_angle, std::abs(flow_at(x, k)), dt_);
    }
    return all;
}

} // namespace abut
