#include "abut/elastic/plastic_solids.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/deformation.hpp"
#include "abut/elastic/hencky.hpp"
#include "abut/elastic/uninverted_step.hpp"
#include "abut/linear/term_subset.hpp"
#include "abut/mesh/validate.hpp"

#include <Eigen/LU>

#include <cmath>

namespace abut {

namespace {

constexpr std::size_t flowing_per_task = 512;

template <int D>
Mat<D, D> plastic_deformation(const PlasticState& state, std::size_t element)
{
    return Eigen::Map<const Mat<D, D>>(state.deformation.data() + element * D * D);
}

} // namespace

/// One element at some positions, as lane 0 of a group.
template <int D>
struct PlasticSolids<D>::Element {
    RotationSvd<D, D> svd;
    LameLanes lame;
    FlowLanes flow;
    FlowTerm<D> term;
};

template <int D>
PlasticSolids<D>::PlasticSolids(SimplexElasticity<D, D> rest, std::vector<Plasticity> materials)
    : rest_(std::move(rest)), materials_(std::move(materials))
{
    ABUT_ASSERT(rest_.model() == ElasticModel::hencky && materials_.size() == size());
    begin_step(initial(), 1, false);
}

template <int D>
PlasticState PlasticSolids<D>::initial() const
{
    PlasticState state;
    state.strain.assign(size(), 0.0);
    for (std::size_t element = 0; element < size(); ++element)
        for (int k = 0; k < D * D; ++k)
            state.deformation.push_back(k % (D + 1) == 0 ? 1 : 0);
    return state;
}

template <int D>
void PlasticSolids<D>::begin_step(const PlasticState& state, double dt, bool can_flow)
{
    ABUT_ASSERT(state.strain.size() == size() && state.deformation.size() == size() * D * D);
    start_ = state;
    dt_ = dt;
    can_flow_ = can_flow;
    const std::size_t num_groups = (size() + num_lanes - 1) / num_lanes;
    fields_.resize(num_groups * num_step_fields * num_lanes);
    // Idle lanes of the last group repeat the last element.
    parallel_for(num_groups * num_lanes, flowing_per_task, [&](std::size_t place) {
        const std::size_t element = std::min(place, size() - 1);
        const Mat<D, D> F_p = plastic_deformation<D>(start_, element), inverse = F_p.inverse();
        const auto set = [&](int field, double number) { fields_[lane_index(place, field, num_step_fields)] = number; };
        for (int i = 0; i < D; ++i)
            for (int b = 0; b < D; ++b) {
                double g = 0; // (F_p⁻ᵀ g_i)_b
                for (int c = 0; c < D; ++c)
                    g += inverse(c, b) * rest_.rest_field(element, i * D + c);
                set(i * D + b, g);
            }
        for (int k = D * D; k < D * D + 3; ++k)
            set(k, rest_.rest_field(element, k));
        const auto& [Y, h, c] = materials_[element];
        const FlowLaw law = flow_law({can_flow ? Y : INFINITY, h, c}, start_.strain[element], dt);
        set(D * D + 3, law.yield);
        set(D * D + 4, law.slope);
        set(D * D + 5, D == 2 ? std::log(F_p.determinant()) : 0);
    });
}

template <int D>
double PlasticSolids<D>::step_field(std::size_t element, int field) const
{
    return fields_[lane_index(element, field, num_step_fields)];
}

template <int D>
void PlasticSolids<D>::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    validate_positions(x, rest_.num_vertices(), D, "x");
    const std::size_t num_groups = (size() + num_lanes - 1) / num_lanes;
    parallel_for(num_groups, flowing_per_task / num_lanes, [&](std::size_t group) {
        const RestLanes<D> rest = load_rest<D>(fields_.data() + group * num_step_fields * num_lanes);
        evaluate_group<D>(
            x, out, stencils(), group, rest,
            [&](const Lanes(&sigma)[D], Order order, StretchTerm<D>& phi) {
                flow_energy<D>(
                    {rest.parameter(0), rest.parameter(1)}, {rest.parameter(2), rest.parameter(3), rest.parameter(4)},
                    sigma, order, phi);
            },
            [&](std::size_t element) {
                throw InvalidStart(fmt::format(
                    "x: element {} of those that flow (vertices {}) is inverted or flat, where hencky has no "
                    "derivative; limit steps with largest_uninverted_step",
                    element, fmt::join(stencils()[element], ", ")));
            });
    });
}

template <int D>
typename PlasticSolids<D>::Element PlasticSolids<D>::look_at(const ConstPositions& x, std::size_t element) const
{
    const std::size_t group = element / num_lanes, lane = element % num_lanes;
    const RestLanes<D> rest = load_rest<D>(fields_.data() + group * num_step_fields * num_lanes);
    Mat<D, D> edges, g;
    for (int i = 0; i < D; ++i) {
        edges.col(i) = point<D>(x, stencils()[element][i + 1]) - point<D>(x, stencils()[element][0]);
        for (int b = 0; b < D; ++b)
            g(i, b) = rest.g[i][b][lane];
    }
    LaneMatrix<D, D> F;
    for (int each = 0; each < num_lanes; ++each)
        F.set(each, edges * g);
    const auto number = [&](int k) { return broadcast(rest.parameter(k)[lane]); };
    Element at{rotation_svd(F), {number(0), number(1)}, {number(2), number(3), number(4)}, {}};
    at.term = flow_of<D>(at.lame, at.flow, at.svd.sigma);
    return at;
}

template <int D>
PlasticState PlasticSolids<D>::flowed(const ConstPositions& x) const
{
    PlasticState state = start_;
    parallel_for(size(), flowing_per_task, [&](std::size_t element) {
        const Element at = look_at(x, element);
        if (!(at.term.equivalent[0] > 0))
            return;
        state.strain[element] += at.term.equivalent[0];
        Vec<D> growth;
        for (int i = 0; i < D; ++i)
            growth[i] = std::exp(at.term.principal[i][0]);
        const Mat<D, D> V = at.svd.V.get(0);
        Eigen::Map<Mat<D, D>> F_p(state.deformation.data() + element * D * D);
        F_p = (V * growth.asDiagonal() * V.transpose() * F_p).eval();
        if constexpr (D == 3) // what rounding adds to the determinant does not add up
            F_p /= std::cbrt(F_p.determinant());
    });
    return state;
}

template <int D>
FlowSums PlasticSolids<D>::sums(const ConstPositions& x) const
{
    return parallel_reduce(
        size(), flowing_per_task, FlowSums{},
        [&](std::size_t begin, std::size_t end) {
            FlowSums all;
            for (std::size_t element = begin; element < end; ++element) {
                const Element at = look_at(x, element);
                const double V = rest_.rest_volume(element), mu = at.lame.mu[0];
                const auto& [Y, h, c] = materials_[element];
                all += flow_sums(
                    {V * Y, V * h, V * c}, V * at.term.stress[0], 3 * V * mu, V * at.term.volumetric[0],
                    start_.strain[element], at.term.equivalent[0], dt_);
            }
            return all;
        },
        [](FlowSums all, const FlowSums& more) { return all += more; });
}

template <int D>
double PlasticSolids<D>::largest_uninverted_step(const ConstPositions& x, const ConstPositions& dx) const
{
    return abut::largest_uninverted_step<D>(stencils(), rest_.num_vertices(), x, dx);
}

template <int D>
PlasticSolids<D> PlasticSolids<D>::subset(std::span<const int> terms) const
{
    PlasticSolids part(rest_.subset(terms), selected(materials_, terms));
    PlasticState state;
    for (const int term : terms) {
        state.strain.push_back(start_.strain[term]);
        state.deformation.insert(
            state.deformation.end(), start_.deformation.begin() + term * D * D,
            start_.deformation.begin() + (term + 1) * D * D);
    }
    part.begin_step(state, dt_, can_flow_);
    return part;
}

template class PlasticSolids<3>;
template class PlasticSolids<2>;

} // namespace abut
