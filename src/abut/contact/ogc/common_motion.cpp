#include "abut/contact/ogc/common_motion.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/detect/group_steps.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <numeric>

namespace abut {

namespace {

/// Turns by more are done in part: below π, at which the straight way turns inside out.
constexpr double most_turn = 2;

/// A vertex of each of the two elements of a pair; of a plane none.
std::array<int, 2> vertices_of_pair(const CollisionMesh& mesh, PairKind kind, const IndexPair& pair)
{
    const auto vertex = [&](ElementKind element, int i) {
        return element == ElementKind::plane    ? -1
               : element == ElementKind::vertex ? i
               : element == ElementKind::edge   ? mesh.edges()(i, 0)
                                                : mesh.faces()(i, 0);
    };
    const auto& kinds = element_kinds(kind);
    return {vertex(kinds[0], pair[0]), vertex(kinds[1], pair[1])};
}

} // namespace

bool CommonMove::is_none() const
{
    return std::all_of(motions.begin(), motions.end(), [](const RigidMotion& motion) { return motion.is_none(); });
}

CommonMotion::CommonMotion(
    const CollisionMesh& mesh, std::vector<int> group_of_vertex, const CommonMotionOptions& options)
    : mesh_(mesh), group_of_vertex_(std::move(group_of_vertex)), options_(options)
{
    if (static_cast<int>(group_of_vertex_.size()) != mesh.num_vertices())
        reject("group_of_vertex: {} groups for {} vertices", group_of_vertex_.size(), mesh.num_vertices());
    for (const int group : group_of_vertex_) {
        if (group < 0)
            reject("group_of_vertex: {} is negative; number groups from 0", group);
        num_groups_ = std::max(num_groups_, group + 1);
    }
    for (Eigen::Index e = 0; e < mesh.num_edges(); ++e)
        if (group_of_vertex_[mesh.edges()(e, 0)] != group_of_vertex_[mesh.edges()(e, 1)])
            reject("group_of_vertex: the ends of edge {} are in two groups; give both the same", e);
    if (!(options.dmin >= 0 && options.clearance > 0))
        reject("dmin: {} and clearance: {} are no distances", options.dmin, options.clearance);
}

CommonMotion::CommonMotion(const CollisionMesh& mesh, const CommonMotionOptions& options)
    : CommonMotion(mesh, mesh.components().vertex_component, options)
{}

/// Each coordinate of turned positions loses a few ulps of its size, and of the size of the arms.
double CommonMotion::rounding_of(const Positions& X, std::span<const RigidMotion> wanted)
{
    double magnitude = X.cwiseAbs().maxCoeff();
    for (const RigidMotion& motion : wanted)
        magnitude = std::max(magnitude, motion.shift.cwiseAbs().maxCoeff());
    return 512 * 0x1p-53 * magnitude;
}

/// Groups that cannot move, or shall not.
void CommonMotion::hold_groups(
    const Detection& detection, const Positions& X, std::span<const RigidMotion> wanted,
    std::vector<double>& shares) const
{
    ABUT_ASSERT(detection.is_at(X));
    const double near = options_.dmin + options_.clearance;
    if (!options_.moves_touching && detection.range() < near)
        reject(
            "detection: its range of {} m leaves out groups that touch; it must reach dmin + clearance = {} m",
            detection.range(), near);
    const double rounding = rounding_of(X, wanted);
    const auto hold = [&](PairKind kind, const DetectedPairs& list) {
        for (std::size_t k = 0; k < list.size(); ++k) {
            const auto vertices = vertices_of_pair(mesh_, kind, list.pairs[k]);
            const int a = vertices[0] < 0 ? -1 : group_of_vertex_[vertices[0]], b = group_of_vertex_[vertices[1]];
            const double distance = std::sqrt(list.squared_distances[k]);
            const bool is_held =
                a == b ? distance - options_.dmin <= rounding : !options_.moves_touching && distance < near;
            if (!is_held)
                continue;
            shares[b] = 0;
            if (a >= 0)
                shares[a] = 0;
        }
    };
    for_each_kind(hold, detection.pairs());
}

CommonMove CommonMotion::move(const Detection& detection, const Positions& X, std::span<const RigidMotion> wanted) const
{
    ABUT_ASSERT(static_cast<int>(wanted.size()) == num_groups_);
    CommonMove moved;
    moved.shares.resize(num_groups_);
    for (int g = 0; g < num_groups_; ++g)
        moved.shares[g] = std::min(1.0, most_turn / std::max(most_turn, wanted[g].angle));
    hold_groups(detection, X, wanted, moved.shares);
    // Groups that meet go less far, and stay after some tries: then the others are looked at again, until none of those
    // that still move meets anything.
    constexpr int shortening_rounds = 4, most_rounds = 16;
    const GroupStepOptions options{.dmin = options_.dmin, .clearance = options_.clearance};
    moved.motions.resize(num_groups_);
    for (int round = 0;; ++round) {
        if (round == most_rounds)
            std::fill(moved.shares.begin(), moved.shares.end(), 0.0);
        for (int g = 0; g < num_groups_; ++g)
            moved.motions[g] = moved.shares[g] > 0 ? wanted[g].part(moved.shares[g]) : RigidMotion{};
        moved.X = X;
        apply(moved.motions, group_of_vertex_, moved.X);
        if (moved.is_none())
            break;
        const std::vector<double> safe = find_group_steps(mesh_, group_of_vertex_, num_groups_, X, moved.X, options);
        if (std::all_of(safe.begin(), safe.end(), [](double share) { return share >= 1; }))
            break;
        for (int g = 0; g < num_groups_; ++g)
            if (safe[g] < 1)
                moved.shares[g] *= round < shortening_rounds ? 0.98 * safe[g] : 0;
    }
    for (int g = 0; g < num_groups_; ++g)
        moved.num_cut += moved.shares[g] < 1 && !wanted[g].is_none();
    return moved;
}

CommonMove CommonMotion::fly(const Positions& X, std::span<const RigidMotion> wanted, double range) const
{
    ABUT_ASSERT(static_cast<int>(wanted.size()) == num_groups_);
    CommonMove moved;
    moved.shares.resize(num_groups_);
    moved.motions.resize(num_groups_);
    for (int g = 0; g < num_groups_; ++g) {
        moved.shares[g] = wanted[g].is_none() ? 0 : std::min(1.0, most_turn / std::max(most_turn, wanted[g].angle));
        moved.motions[g] = wanted[g].part(moved.shares[g]);
    }
    moved.X = X;
    apply(moved.motions, group_of_vertex_, moved.X);

    // Vertices go on straight lines: the box of both ends holds the way.
    std::vector<Eigen::AlignedBox3d> boxes(num_groups_);
    for (int v = 0; v < mesh_.num_vertices(); ++v) {
        const Vec3 reach = Vec3::Constant(range + mesh_.offsets().radius(v));
        for (const Positions* ends : {&X, static_cast<const Positions*>(&moved.X)})
            boxes[group_of_vertex_[v]].extend(lifted(*ends, v) - reach).extend(lifted(*ends, v) + reach);
    }
    std::vector<std::uint8_t> is_near(num_groups_, 0);
    for (int g = 0; g < num_groups_; ++g)
        for (const Plane& plane : mesh_.planes()) {
            const Vec3 lowest = (plane.normal.array() > 0).select(boxes[g].min(), boxes[g].max());
            if (!(signed_distance(plane, lowest) > 0))
                is_near[g] = 1;
        }
    std::vector<int> order(num_groups_);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        return std::pair(boxes[a].min().x(), a) < std::pair(boxes[b].min().x(), b);
    });
    for (int i = 0; i < num_groups_; ++i)
        for (int j = i + 1; j < num_groups_ && boxes[order[j]].min().x() <= boxes[order[i]].max().x(); ++j)
            if (boxes[order[i]].intersects(boxes[order[j]]))
                is_near[order[i]] = is_near[order[j]] = 1;

    for (int g = 0; g < num_groups_; ++g)
        if (is_near[g] != 0) {
            moved.shares[g] = 0;
            moved.motions[g] = {};
        }
    moved.X = X;
    apply(moved.motions, group_of_vertex_, moved.X);
    for (int g = 0; g < num_groups_; ++g)
        moved.num_cut += moved.shares[g] < 1 && !wanted[g].is_none();
    return moved;
}

} // namespace abut
