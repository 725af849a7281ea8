#include "abut/elastic/rod_elasticity.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/linear/term_subset.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <numbers>

namespace abut {

namespace {

constexpr std::size_t joints_per_task = 64, edges_per_task = 512;
static_assert(joints_per_task % num_lanes == 0); // groups of lanes are the same for any number of threads

Vec3 edge_of(const ConstPositions& x, int from, int to) { return point<3>(x, to) - point<3>(x, from); }

/// The largest of 1, 1/2, 1/4 ... with which edges turn, from e to e + t de, by less than `room` together. The angle
/// from e to e + t de grows with t, so that no t below turns them farther.
template <std::size_t N>
double step_within(const std::array<Vec3, N>& e, const std::array<Vec3, N>& de, double room)
{
    constexpr int max_halvings = 60; // 2^-60: the step no longer changes x
    double t = 1;
    for (int k = 0; k < max_halvings; ++k, t /= 2) {
        double turned = 0;
        for (std::size_t i = 0; i < N; ++i)
            turned += angle_between(e[i], e[i] + t * de[i]);
        if (turned < room)
            break;
    }
    return t;
}

constexpr double share_of_room = 0.9; // steps come close to a fold, and never there

double step_of_joint(const std::array<int, 3>& v, const ConstPositions& x, const ConstPositions& dx)
{
    const std::array e{edge_of(x, v[0], v[1]), edge_of(x, v[1], v[2])};
    const std::array de{edge_of(dx, v[0], v[1]), edge_of(dx, v[1], v[2])};
    return step_within(e, de, share_of_room * (std::numbers::pi - angle_between(e[0], e[1])));
}

template <typename Map>
double smallest_of(std::size_t count, Map&& map)
{
    return parallel_reduce(
        count, edges_per_task, 1.0,
        [&](std::size_t begin, std::size_t end) {
            double least = 1;
            for (std::size_t k = begin; k < end; ++k)
                least = std::min(least, map(k));
            return least;
        },
        [](double a, double b) { return std::min(a, b); });
}

/// Writes derivatives by the edges e0 = x1 - x0, e1 = x2 - x1 as those by vertices: blocks of three vertices.
void write_vertex_gradient(const Vec3& G0, const Vec3& G1, double* out)
{
    Eigen::Map<Vec3>{out} = -G0;
    Eigen::Map<Vec3>{out + 3} = G0 - G1;
    Eigen::Map<Vec3>{out + 6} = G1;
}
using Mat3 = Mat<3, 3>;
void write_vertex_blocks(const Mat3& H00, const Mat3& H10, const Mat3& H11, double* out)
{
    const auto block = [&](int k) { return Eigen::Map<Mat3>(out + 9 * k); };
    block(0) = H00;                               // 0 0
    block(1) = H10 - H00;                         // 1 0
    block(2) = H00 - H10 - H10.transpose() + H11; // 1 1
    block(3) = -H10;                              // 2 0
    block(4) = H10 - H11;                         // 2 1
    block(5) = H11;                               // 2 2
}

/// -(G tᵀ + t Gᵀ) / |e|: what turning gains by stretching.
Mat3 coupling(const Vec3& G, const Vec3& t, double length)
{
    const Mat3 outer = G * t.transpose() / length;
    return -outer - outer.transpose();
}

/// A sum with the outer product of two vectors, made symmetric.
template <int N>
void add_symmetric(Mat<N, N>& H, double factor, const Vec<N>& u, const Vec<N>& v)
{
    H += factor * u * v.transpose() + factor * v * u.transpose();
}

void require_unfolded(const Vec3& t0, const Vec3& t1, const RodJoint& joint)
{
    constexpr double largest_turn = 175 * std::numbers::pi / 180;
    if (const double turn = angle_between(t0, t1); turn > largest_turn)
        reject(
            "edges: at vertex {} the rod turns by {:.4g} degrees, from vertex {} to vertex {}, and folds back on "
            "itself; a "
            "rod cannot follow a fold: remove one of the edges, or round the turn by more vertices",
            joint.vertices[1], turn * 180 / std::numbers::pi, joint.vertices[0], joint.vertices[2]);
}

} // namespace

// Stretch

RodStretch::RodStretch(const ConstPositions& rest_positions, const Edges& edges, std::vector<double> stiffness)
{
    ABUT_ASSERT(std::ssize(stiffness) == edges.rows());
    for (Eigen::Index e = 0; e < edges.rows(); ++e) {
        const double length = edge_of(rest_positions, edges(e, 0), edges(e, 1)).norm();
        if (!(length > 0))
            reject(
                "edges: row {}, between the vertices {} and {}, has the length {}; merge its vertices", e, edges(e, 0),
                edges(e, 1), length);
        stencils_.add(std::array{edges(e, 0), edges(e, 1)});
        edges_.push_back({length, stiffness[e]});
    }
}

RodStretch RodStretch::subset(std::span<const int> terms) const
{
    validate_terms(terms, stencils_.size());
    RodStretch part;
    part.stencils_ = stencils_.subset(terms);
    part.edges_ = selected(edges_, terms);
    return part;
}

void RodStretch::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    const PSDProjectionMethod projection = projection_of(out.hessian);
    parallel_for(edges_.size(), edges_per_task, [&](std::size_t k) {
        const auto [rest, stiffness] = edges_[k];
        const Vec3 e = edge_of(x, stencils_[k][0], stencils_[k][1]);
        const double length = e.norm(), force = stiffness * (length / rest - 1);
        const Vec3 t = e / length;
        if (out.values != nullptr)
            out.values[k] = 0.5 * force * (length - rest);
        if (out.gradients != nullptr) {
            Eigen::Map<Vec3>{out.gradients + 6 * k} = -force * t;
            Eigen::Map<Vec3>{out.gradients + 6 * k + 3} = force * t;
        }
        if (out.blocks != nullptr) {
            double across = force / length; // negative where it is pressed
            if (across < 0 && projection != PSDProjectionMethod::none)
                across = projection == PSDProjectionMethod::abs ? -across : 0;
            const Mat3 H = (stiffness / rest - across) * t * t.transpose() + across * Mat3::Identity();
            for (const auto& [block, sign] : {std::pair{0, 1}, std::pair{1, -1}, std::pair{2, 1}})
                Eigen::Map<Mat3>{out.blocks + 27 * k + 9 * block} = sign * H;
        }
    });
}

double RodStretch::largest_step_with_length(const ConstPositions& x, const ConstPositions& dx) const
{
    return smallest_of(edges_.size(), [&](std::size_t k) {
        const int v = stencils_[k][0], w = stencils_[k][1];
        return step_within<1>({edge_of(x, v, w)}, {edge_of(dx, v, w)}, share_of_room * std::numbers::pi);
    });
}

// Bending and twist

void check_unfolded(const ConstPositions& rest_positions, const RodTopology& rods)
{
    for (const RodJoint& joint : rods.joints)
        require_unfolded(
            edge_of(rest_positions, joint.vertices[0], joint.vertices[1]),
            edge_of(rest_positions, joint.vertices[1], joint.vertices[2]), joint);
}

/// A joint at some positions. Numbers by six: m1 and m2 of edge 0, of edge 1, angles 0 and 1.
struct RodBending::Local {
    std::array<Vec3, 2> t, s; // tangents, and where frames are carried from
    std::array<double, 2> length, arc_radius;
    std::array<Mat<3, 2>, 2> m; // material directors, as columns
    Vec3 kb;
    double chi, twist;   // chi, m
    Mat<2, 2> curvature; // w of edge j in column j
    double value;
    double bending, flow, ratio; // elastic energy and force q without flow are of `bending`; da, r
    Vec<6> gradient;
    Mat<6, 6> hessian;
};

RodBending::RodBending(const ConstPositions& rest_positions, const RodTopology& rods, Options options)
{
    validate_positions(rest_positions, rest_positions.rows(), 3, "rest_positions");
    ABUT_ASSERT(options.materials.size() == rods.joints.size());
    ABUT_ASSERT(std::ssize(options.arc_radii) == rods.directed.rows());
    ABUT_ASSERT(options.directors.rows() == rods.directed.rows());
    const Positions t = tangents_of(rest_positions, rods.directed);
    int num_arcs = 0;
    for (Eigen::Index e = 0; e < rods.directed.rows(); ++e) {
        const bool has_arc = options.arc_blocks[e] >= 0;
        edges_.push_back(
            {{rods.directed(e, 0), rods.directed(e, 1)},
             point<3>(t, e),
             point<3>(options.directors, e),
             options.arc_radii[e],
             has_arc ? num_arcs++ : -1});
    }
    check_unfolded(rest_positions, rods);
    const std::vector<double> at_rest(num_arcs, 0.0);
    for (std::size_t k = 0; k < rods.joints.size(); ++k) {
        const RodJoint& given = rods.joints[k];
        const RodJointMaterial& material = options.materials[k];
        const auto& v = given.vertices;
        const double length =
            (edge_of(rest_positions, v[0], v[1]).norm() + edge_of(rest_positions, v[1], v[2]).norm()) / 2;
        Joint joint{
            .vertices = v,
            .edges = given.edges,
            .bending = {material.stiffness.bending[0] / (2 * length), material.stiffness.bending[1] / (2 * length)},
            .twist = material.stiffness.twist / length,
            .rest_curvature = Mat<2, 2>::Zero(),
            .rest_twist = 0,
            .length = length,
            .reference_twist = 0};
        joint.reference_twist = reference_twist_at(joint, rest_positions);
        Local local;
        look_at<false>(joint, rest_positions, at_rest, local);
        if (!material.is_straight) {
            joint.rest_curvature = local.curvature;
            joint.rest_twist = local.twist;
        }
        joint.rest_twist += material.rest_twist * length;
        natural_.push_back(joint.rest_curvature);
        resistances_.emplace_back();
        if (material.plasticity) {
            const auto& [Y, h, c] = *material.plasticity;
            const double volume = material.area * length;
            joint.flow_stiffness = material.stiffness.stretch * length / 4;
            resistances_.back() = {4 / (3 * std::numbers::pi) * volume * Y, volume / 4 * h, volume / 4 * c};
        }
        joints_.push_back(joint);
        stencils_.add(
            std::array{v[0], v[1], v[2], options.arc_blocks[given.edges[0]], options.arc_blocks[given.edges[1]]});
    }
    const bool flows =
        std::any_of(options.materials.begin(), options.materials.end(), [](const RodJointMaterial& each) {
            return each.plasticity.has_value();
        });
    if (flows)
        begin_flow(initial_flow(), 1, false);
    else {
        natural_.clear();
        resistances_.clear();
    }
}

RodBending RodBending::subset(std::span<const int> terms) const
{
    validate_terms(terms, stencils_.size());
    RodBending part;
    part.stencils_ = stencils_.subset(terms);
    part.joints_ = selected(joints_, terms);
    part.edges_ = edges_;
    if (is_plastic()) {
        part.natural_ = selected(natural_, terms);
        part.resistances_ = selected(resistances_, terms);
        part.flow_start_.strain = selected(flow_start_.strain, terms);
        for (const int term : terms)
            part.flow_start_.deformation.insert(
                part.flow_start_.deformation.end(), flow_start_.deformation.begin() + 4 * term,
                flow_start_.deformation.begin() + 4 * (term + 1));
    }
    part.dt_ = dt_;
    return part;
}

PlasticState RodBending::initial_flow() const
{
    return {std::vector<double>(4 * joints_.size(), 0.0), std::vector<double>(joints_.size(), 0.0)};
}

void RodBending::begin_flow(const PlasticState& state, double dt, bool can_flow)
{
    ABUT_ASSERT(is_plastic());
    ABUT_ASSERT(state.strain.size() == joints_.size() && state.deformation.size() == 4 * joints_.size());
    flow_start_ = state;
    dt_ = dt;
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        joints_[k].rest_curvature = natural_[k] + Eigen::Map<const Mat<2, 2>>(state.deformation.data() + 4 * k);
        joints_[k].law = can_flow ? flow_law(resistances_[k], state.strain[k], dt) : FlowLaw{};
    }
}

PlasticState RodBending::flowed(const ConstPositions& x, std::span<const double> arcs) const
{
    PlasticState state = flow_start_;
    parallel_for(joints_.size(), joints_per_task, [&](std::size_t k) {
        Local local;
        look_at<false>(joints_[k], x, arcs, local);
        if (!(local.flow > 0))
            return;
        Eigen::Map<Mat<2, 2>> plastic(state.deformation.data() + 4 * k);
        plastic += (1 - local.ratio) * (local.curvature - joints_[k].rest_curvature);
        state.strain[k] += local.flow;
    });
    return state;
}

FlowSums RodBending::sums(const ConstPositions& x, std::span<const double> arcs) const
{
    FlowSums all;
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        Local local;
        look_at<false>(joints_[k], x, arcs, local);
        const double stiffness = joints_[k].flow_stiffness, more = local.twist - joints_[k].rest_twist;
        const double twist = 0.5 * joints_[k].twist * more * more;
        if (stiffness > 0)
            all += flow_sums(
                resistances_[k], std::sqrt(2 * stiffness * local.bending), stiffness, twist, flow_start_.strain[k],
                local.flow, dt_);
        else
            all += {local.bending + twist, local.bending + twist, 0};
    }
    return all;
}

Vec3 RodBending::director_at(const Edge& edge, const Vec3& t) const
{
    return transported(edge.director, edge.tangent, t);
}

double RodBending::reference_twist_at(const Joint& joint, const ConstPositions& x) const
{
    const Edge &first = edges_[joint.edges[0]], &second = edges_[joint.edges[1]];
    const auto& v = joint.vertices;
    const Vec3 t0 = edge_of(x, v[0], v[1]).normalized(), t1 = edge_of(x, v[1], v[2]).normalized();
    const Vec3 carried = transported(director_at(first, t0), t0, t1);
    return unwrapped(signed_angle(carried, director_at(second, t1), t1), joint.reference_twist);
}

RodBending::Frames RodBending::frames_at(const ConstPositions& x) const
{
    Frames frames{Positions::Zero(static_cast<Eigen::Index>(edges_.size()), 3), {}};
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (edges_[e].arc < 0)
            continue;
        const Vec3 t = edge_of(x, edges_[e].vertices[0], edges_[e].vertices[1]).normalized();
        frames.directors.row(static_cast<Eigen::Index>(e)) = across(director_at(edges_[e], t), t).transpose();
    }
    for (const Joint& joint : joints_)
        frames.twist.push_back(reference_twist_at(joint, x));
    return frames;
}

void RodBending::set_frames(const ConstPositions& x, const Frames& frames)
{
    ABUT_ASSERT(frames.directors.rows() == std::ssize(edges_) && frames.twist.size() == joints_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        if (edges_[e].arc < 0)
            continue;
        edges_[e].tangent = edge_of(x, edges_[e].vertices[0], edges_[e].vertices[1]).normalized();
        edges_[e].director = across(point<3>(frames.directors, static_cast<Eigen::Index>(e)), edges_[e].tangent);
    }
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        joints_[k].reference_twist = frames.twist[k];
        joints_[k].reference_twist = reference_twist_at(joints_[k], x);
    }
}

bool RodBending::begin_search(const ConstPositions& x)
{
    for (Joint& joint : joints_)
        joint.reference_twist = reference_twist_at(joint, x);
    bool is_changed = false;
    for (Edge& edge : edges_) {
        if (edge.arc < 0)
            continue;
        const Vec3 t = edge_of(x, edge.vertices[0], edge.vertices[1]).normalized();
        if (t.dot(edge.tangent) > 0) // by less than a right angle
            continue;
        edge.director = across(director_at(edge, t), t);
        edge.tangent = t;
        is_changed = true;
    }
    return is_changed;
}

template <bool WithDerivatives>
void RodBending::look_at(const Joint& joint, const ConstPositions& x, std::span<const double> arcs, Local& local) const
{
    std::array<Vec3, 2> d;
    std::array<double, 2> theta;
    for (int j = 0; j < 2; ++j) {
        const Edge& edge = edges_[joint.edges[j]];
        const Vec3 e = edge_of(x, joint.vertices[j], joint.vertices[j + 1]);
        local.length[j] = e.norm();
        local.t[j] = e / local.length[j];
        d[j] = director_at(edge, local.t[j]);
        theta[j] = arcs[edge.arc] / edge.arc_radius;
        const Vec3 across_d = local.t[j].cross(d[j]);
        const double c = std::cos(theta[j]), s = std::sin(theta[j]);
        local.m[j].col(0) = c * d[j] + s * across_d;
        local.m[j].col(1) = c * across_d - s * d[j];
        if constexpr (WithDerivatives) {
            local.s[j] = edge.tangent;
            local.arc_radius[j] = edge.arc_radius;
        }
    }
    const auto& [t0, t1] = local.t;
    local.chi = 1 + t0.dot(t1);
    local.kb = 2 / local.chi * t0.cross(t1);
    const Vec3 carried = transported(d[0], t0, t1);
    const double reference = unwrapped(signed_angle(carried, d[1], t1), joint.reference_twist);
    local.twist = theta[1] - theta[0] + reference;
    for (int j = 0; j < 2; ++j)
        local.curvature.col(j) = local.m[j].transpose() * local.kb;
    local.value = 0;
    for (int c = 0; c < 2; ++c)
        local.value += 0.5 * joint.bending[c] * (local.curvature.row(c) - joint.rest_curvature.row(c)).squaredNorm();
    local.bending = local.value;
    local.flow = 0;
    local.ratio = 1;
    if (joint.flow_stiffness > 0) {
        const double k = joint.flow_stiffness, q = std::sqrt(2 * k * local.bending);
        local.flow = joint.law.flow(q, k);
        if (local.flow > 0) {
            const auto& [yield, slope] = joint.law;
            const double left = yield + slope * local.flow;
            local.ratio = left / q; // > 0, however little is left
            local.value = 0.5 * left * left / k + (yield + 0.5 * slope * local.flow) * local.flow;
        }
    }
    const double more = local.twist - joint.rest_twist;
    local.value += 0.5 * joint.twist * more * more;
}

/// The formulas at the top of the header, by the six numbers of a joint.
void RodBending::differentiate(const Joint& joint, Local& local, bool with_hessian) const
{
    const auto& [t0, t1] = local.t;
    const auto& m = local.m;
    const Vec3& kb = local.kb;
    // chi', and kb' as columns
    Vec<6> chi = Vec<6>::Zero();
    chi.segment<2>(0) = m[0].transpose() * t1;
    chi.segment<2>(2) = m[1].transpose() * t0;
    Mat<3, 4> K;
    for (int c = 0; c < 2; ++c) {
        K.col(c) = (2 * m[0].col(c).cross(t1) - chi[c] * kb) / local.chi;
        K.col(2 + c) = (2 * t0.cross(m[1].col(c)) - chi[2 + c] * kb) / local.chi;
    }
    // nu of the two edges, and nu' as a form in their own two numbers
    std::array<Vec<6>, 2> nu;
    std::array<Mat<2, 2>, 2> nu_change;
    for (int j = 0; j < 2; ++j) {
        const double opening = 1 + local.s[j].dot(local.t[j]);
        const Vec2 a = -(m[j].transpose() * local.s[j].cross(local.t[j])) / opening, s = m[j].transpose() * local.s[j];
        nu[j].setZero();
        nu[j].segment<2>(2 * j) = a;
        nu[j][4 + j] = 1;
        nu_change[j] = -0.5 / opening * (a * s.transpose() + s * a.transpose());
    }

    // Bending
    local.gradient.setZero();
    if (with_hessian)
        local.hessian.setZero();
    Mat<2, 2> f; // B / (2 l) (w - bar w), of edge j in column j
    std::array<Vec3, 2> F, turned;
    for (int j = 0; j < 2; ++j) {
        for (int c = 0; c < 2; ++c) {
            f(c, j) = local.ratio * (joint.bending[c] * (local.curvature(c, j) - joint.rest_curvature(c, j)));
            Vec<6> w = Vec<6>::Zero();
            w.head<4>() = K.transpose() * m[j].col(c);
            w += (c == 0 ? local.curvature(1, j) : -local.curvature(0, j)) * nu[j];
            local.gradient += f(c, j) * w;
            if (with_hessian)
                local.hessian += local.ratio * joint.bending[c] * w * w.transpose();
        }
        F[j] = m[j] * f.col(j);
        turned[j] = local.t[j].cross(F[j]);
    }
    if (with_hessian && local.flow > 0) { // the gradient has the factor r; without flow it would be g
        const double k = joint.flow_stiffness, force = std::sqrt(2 * k * local.bending), along_flow = k / force;
        local.hessian -= joint.law.yield / ((k + joint.law.slope) * force) *
                         (along_flow / local.ratio * local.gradient) *
                         (along_flow / local.ratio * local.gradient).transpose();
    }
    // Twist
    Vec<6> q = nu[1] - nu[0];
    q.segment<2>(0) += 0.5 * local.curvature.col(0);
    q.segment<2>(2) += 0.5 * local.curvature.col(1);
    const double moment = joint.twist * (local.twist - joint.rest_twist);
    local.gradient += moment * q;
    if (!with_hessian)
        return;

    Mat<6, 6>& H = local.hessian;
    H += joint.twist * q * q.transpose();
    // kb'' · F
    const Vec3 all = F[0] + F[1];
    const double along = kb.dot(all) / local.chi;
    Vec<6> change = Vec<6>::Zero();
    change.head<4>() = K.transpose() * all;
    add_symmetric<6>(H, -1 / local.chi, chi, change);
    H.diagonal().head<4>().array() -= along;
    Mat<2, 2> mixed; // 2 F · (t0' x t1') / chi - (kb · F) t0' · t1' / chi
    for (int c = 0; c < 2; ++c)
        for (int e = 0; e < 2; ++e)
            mixed(c, e) =
                2 / local.chi * all.dot(m[0].col(c).cross(m[1].col(e))) - along * m[0].col(c).dot(m[1].col(e));
    // 1/2 kb' · (t0' + t1')
    for (int j = 0; j < 2; ++j) {
        const Mat<2, 2> own = K.middleCols<2>(2 * j).transpose() * m[j];
        H.block<2, 2>(2 * j, 2 * j) += moment / 4 * (own + own.transpose());
    }
    mixed += moment / 4 * (K.leftCols<2>().transpose() * m[1] + m[0].transpose() * K.rightCols<2>());
    H.block<2, 2>(0, 2) += mixed;
    H.block<2, 2>(2, 0) += mixed.transpose();
    for (int j = 0; j < 2; ++j) {
        // (kb · t') (F · t'), whose first factor is w · (t' by m1, m2)
        const Mat<2, 2> own = 0.5 * local.curvature.col(j) * f.col(j).transpose();
        H.block<2, 2>(2 * j, 2 * j) += own + own.transpose();
        // 2 nu kb' · (t x F) - nu² kb · F
        Vec<6> moved = Vec<6>::Zero();
        moved.head<4>() = K.transpose() * turned[j];
        add_symmetric<6>(H, 1, nu[j], moved);
        H -= kb.dot(F[j]) * nu[j] * nu[j].transpose();
        // nu' of bending and of twist
        H.block<2, 2>(2 * j, 2 * j) += (kb.dot(turned[j]) + (j == 1 ? moment : -moment)) * nu_change[j];
    }
}

void RodBending::evaluate(const ConstPositions& x, std::span<const double> arcs, const TermOutput& out) const
{
    // Numbers of a joint: gradients of 3 vertices and 2 arcs, blocks of their lower triangle
    constexpr int gradient_size = 11, blocks_size = 6 * 9 + 3 * 3 + 1 + 3 * 3 + 1 + 1;
    const Order order = out.order();
    const PSDProjectionMethod projection = projection_of(out.hessian);
    const auto write = [&](const Local& local, std::size_t k) {
        if (out.values != nullptr)
            out.values[k] = local.value;
        if (order == Order::value)
            return;
        // By edges: the rows of each, and of arcs
        const std::array<Mat<3, 2>, 2> D{local.m[0] / local.length[0], local.m[1] / local.length[1]};
        const Vec3 G0 = D[0] * local.gradient.segment<2>(0), G1 = D[1] * local.gradient.segment<2>(2);
        if (out.gradients != nullptr) {
            double* gradient = out.gradients + gradient_size * k;
            write_vertex_gradient(G0, G1, gradient);
            gradient[9] = local.gradient[4] / local.arc_radius[0];
            gradient[10] = local.gradient[5] / local.arc_radius[1];
        }
        if (out.blocks == nullptr)
            return;
        const Mat<6, 6>& H = local.hessian;
        Mat3 H00 = D[0] * H.block<2, 2>(0, 0) * D[0].transpose(), H11 = D[1] * H.block<2, 2>(2, 2) * D[1].transpose();
        const Mat3 H10 = D[1] * H.block<2, 2>(2, 0) * D[0].transpose();
        if (projection == PSDProjectionMethod::none) {
            H00 += coupling(G0, local.t[0], local.length[0]);
            H11 += coupling(G1, local.t[1], local.length[1]);
        }
        double* blocks = out.blocks + blocks_size * k;
        write_vertex_blocks(H00, H10, H11, blocks);
        blocks += 6 * 9;
        for (int i = 0; i < 2; ++i) { // rows of arcs
            const double scale = 1 / local.arc_radius[i];
            write_vertex_gradient(
                scale * D[0] * H.block<2, 1>(0, 4 + i), scale * D[1] * H.block<2, 1>(2, 4 + i), blocks);
            blocks += 9;
            for (int j = 0; j <= i; ++j)
                *blocks++ = scale * H(4 + i, 4 + j) / local.arc_radius[j];
        }
    };
    parallel_ranges(joints_.size(), joints_per_task, [&](std::size_t begin, std::size_t end) {
        std::array<Local, num_lanes> locals;
        SymmetricLanes<6> lanes;
        for (std::size_t k = begin; k < end; k += num_lanes) {
            const int count = static_cast<int>(std::min<std::size_t>(num_lanes, end - k));
            for (int i = 0; i < count; ++i) {
                if (order == Order::value) {
                    look_at<false>(joints_[k + i], x, arcs, locals[i]);
                    continue;
                }
                look_at<true>(joints_[k + i], x, arcs, locals[i]);
                differentiate(joints_[k + i], locals[i], order == Order::hessian);
            }
            if (order == Order::hessian && projection != PSDProjectionMethod::none) {
                for (int i = 0; i < num_lanes; ++i) // idle lanes repeat the first
                    lanes.set(i, locals[i < count ? i : 0].hessian);
                project_to_psd(lanes, projection);
                for (int i = 0; i < count; ++i)
                    lanes.get(i, locals[i].hessian);
            }
            for (int i = 0; i < count; ++i)
                write(locals[i], k + i);
        }
    });
}

std::vector<double> RodBending::twists(const ConstPositions& x, std::span<const double> arcs) const
{
    std::vector<double> twists;
    for (const Joint& joint : joints_) {
        Local local;
        look_at<false>(joint, x, arcs, local);
        twists.push_back((local.twist - joint.rest_twist) / joint.length);
    }
    return twists;
}

double RodBending::largest_unfolded_step(const ConstPositions& x, const ConstPositions& dx) const
{
    const double of_joints =
        smallest_of(joints_.size(), [&](std::size_t k) { return step_of_joint(joints_[k].vertices, x, dx); });
    const double of_frames = smallest_of(edges_.size(), [&](std::size_t k) {
        if (edges_[k].arc < 0)
            return 1.0;
        const auto [v, w] = edges_[k].vertices;
        const Vec3 e = edge_of(x, v, w);
        const double room = share_of_room * (std::numbers::pi - angle_between(edges_[k].tangent, e));
        return step_within<1>({e}, {edge_of(dx, v, w)}, room);
    });
    return std::min(of_joints, of_frames);
}

// Corners

RodCorners::RodCorners(
    const ConstPositions& rest_positions, const std::vector<RodJoint>& corners, const std::vector<double>& bending,
    const std::vector<bool>& is_straight)
{
    ABUT_ASSERT(corners.size() == bending.size() && corners.size() == is_straight.size());
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const auto& v = corners[k].vertices;
        const Vec3 e0 = edge_of(rest_positions, v[0], v[1]), e1 = edge_of(rest_positions, v[1], v[2]);
        const double cosine = e0.normalized().dot(e1.normalized());
        if (cosine < least_cosine)
            continue;
        const double rest =
            is_straight[k] ? 0
                           : 4 * e0.normalized().cross(e1.normalized()).squaredNorm() / ((1 + cosine) * (1 + cosine));
        stencils_.add(v);
        corners_.push_back({v, 2 * bending[k] / (e0.norm() + e1.norm()), rest});
    }
}

RodCorners RodCorners::subset(std::span<const int> terms) const
{
    validate_terms(terms, stencils_.size());
    RodCorners part;
    part.stencils_ = stencils_.subset(terms);
    part.corners_ = selected(corners_, terms);
    return part;
}

namespace {

/// The energy of a corner by c = t0 · t1, with derivatives.
struct ByCosine {
    double value, first, second;
};

/// With q = 4 (1 - c) / (1 + c), which `q` gives without cancellation where the corner is nearly straight.
ByCosine energy_by_cosine(double stiffness, double rest, double q, double chi)
{
    const double q1 = -8 / (chi * chi), q2 = 16 / (chi * chi * chi);
    if (rest == 0)
        return {0.5 * stiffness * q, 0.5 * stiffness * q1, 0.5 * stiffness * q2};
    // E = k/2 p² / s with p = q - bar q, s = q + 3 bar q = p + 4 bar q
    const double p = q - rest, s = q + 3 * rest, b = 4 * rest / s;
    const double value = 0.5 * stiffness * p * p / s;
    const double E1 = 0.5 * stiffness * (1 - b * b), E2 = stiffness * b * b / s; // p² / s = s - 8 bar q + 16 bar q² / s
    return {value, E1 * q1, E2 * q1 * q1 + E1 * q2};
}

} // namespace

void RodCorners::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    const Order order = out.order();
    const PSDProjectionMethod projection = projection_of(out.hessian);
    parallel_for(corners_.size(), joints_per_task, [&](std::size_t k) {
        const Corner& corner = corners_[k];
        const auto& v = corner.vertices;
        const Vec3 e0 = edge_of(x, v[0], v[1]), e1 = edge_of(x, v[1], v[2]);
        const double length0 = e0.norm(), length1 = e1.norm();
        const Vec3 t0 = e0 / length0, t1 = e1 / length1;
        const double chi = 1 + t0.dot(t1), q = 4 * t0.cross(t1).squaredNorm() / (chi * chi);
        const ByCosine E = energy_by_cosine(corner.stiffness, corner.rest, q, chi);
        if (out.values != nullptr)
            out.values[k] = E.value;
        if (order == Order::value)
            return;
        // By two numbers across each edge
        Mat<3, 2> D0, D1;
        D0.col(0) = across(Vec3::Zero(), t0);
        D0.col(1) = t0.cross(D0.col(0));
        D1.col(0) = across(Vec3::Zero(), t1);
        D1.col(1) = t1.cross(D1.col(0));
        Vec<4> c;
        c << D0.transpose() * t1, D1.transpose() * t0;
        D0 /= length0;
        D1 /= length1;
        const Vec<4> gradient = E.first * c;
        const Vec3 G0 = D0 * gradient.head<2>(), G1 = D1 * gradient.tail<2>();
        if (out.gradients != nullptr)
            write_vertex_gradient(G0, G1, out.gradients + 9 * k);
        if (out.blocks == nullptr)
            return;
        // c'' = -(|t0'|² + |t1'|²) c + 2 t0' · t1'
        Mat<4, 4> H = E.second * c * c.transpose();
        H.diagonal().array() -= E.first * (chi - 1);
        const Mat<2, 2> mixed = E.first * length0 * length1 * D0.transpose() * D1;
        H.topRightCorner<2, 2>() += mixed;
        H.bottomLeftCorner<2, 2>() += mixed.transpose();
        project_to_psd(H, projection);
        Mat3 H00 = D0 * H.topLeftCorner<2, 2>() * D0.transpose(),
             H11 = D1 * H.bottomRightCorner<2, 2>() * D1.transpose();
        const Mat3 H10 = D1 * H.bottomLeftCorner<2, 2>() * D0.transpose();
        if (projection == PSDProjectionMethod::none) {
            H00 += coupling(G0, t0, length0);
            H11 += coupling(G1, t1, length1);
        }
        write_vertex_blocks(H00, H10, H11, out.blocks + 54 * k);
    });
}

double RodCorners::largest_unfolded_step(const ConstPositions& x, const ConstPositions& dx) const
{
    return smallest_of(corners_.size(), [&](std::size_t k) { return step_of_joint(corners_[k].vertices, x, dx); });
}

} // namespace abut
