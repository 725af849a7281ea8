#include "abut/contact/ogc/rigid_motion.hpp"

#include "abut/base/assert.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace abut {

namespace {

/// Sums over the vertices of a group.
struct GroupSums {
    double weight = 0;
    Vec3 before = Vec3::Zero(), after = Vec3::Zero(); // first moments, then centres
    Eigen::Matrix3d products = Eigen::Matrix3d::Zero();
};

/// The unit quaternion q that maximises qᵀ N q (Horn 1987), of those that do the one nearest to no turn.
Eigen::Quaterniond best_turn(const Eigen::Matrix3d& S)
{
    Eigen::Matrix4d N; // rows and columns: w, x, y, z
    N << S(0, 0) + S(1, 1) + S(2, 2), S(1, 2) - S(2, 1), S(2, 0) - S(0, 2), S(0, 1) - S(1, 0), //
        S(1, 2) - S(2, 1), S(0, 0) - S(1, 1) - S(2, 2), S(0, 1) + S(1, 0), S(2, 0) + S(0, 2),  //
        S(2, 0) - S(0, 2), S(0, 1) + S(1, 0), S(1, 1) - S(0, 0) - S(2, 2), S(1, 2) + S(2, 1),  //
        S(0, 1) - S(1, 0), S(2, 0) + S(0, 2), S(1, 2) + S(2, 1), S(2, 2) - S(0, 0) - S(1, 1);
    const double size = N.cwiseAbs().maxCoeff();
    if (!(size > 0) || !std::isfinite(size))
        return Eigen::Quaterniond::Identity();
    N /= size;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(N);
    // Eigenvalues that agree to this share fit equally well, as far as rounding can tell.
    constexpr double same = 1e-12;
    Eigen::Vector4d q = Eigen::Vector4d::Zero();
    for (int k = 0; k < 4; ++k)
        if (solver.eigenvalues()[3] - solver.eigenvalues()[k] <= same)
            q += solver.eigenvectors().col(k)[0] * solver.eigenvectors().col(k);
    if (!(q.norm() > 1e-8)) // half a turn
        q = solver.eigenvectors().col(3);
    if (q[0] < 0)
        q = -q;
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

RigidMotion motion_of(const GroupSums& sums, const Eigen::Quaterniond& turn)
{
    RigidMotion motion;
    motion.center = sums.before;
    motion.shift = sums.after - sums.before;
    const double sine = turn.vec().norm();
    motion.angle = 2 * std::atan2(sine, turn.w());
    if (sine > 0)
        motion.axis = turn.vec() / sine;
    return motion;
}

} // namespace

std::vector<RigidMotion> fit_rigid_motions(
    std::span<const int> group_of_vertex, int num_groups, const ConstPositions& X, const ConstPositions& Y,
    const Eigen::VectorXd& weights)
{
    ABUT_ASSERT(static_cast<Eigen::Index>(group_of_vertex.size()) == X.rows() && weights.size() == X.rows());
    ABUT_ASSERT(Y.rows() == X.rows() && Y.cols() == X.cols());
    const Eigen::Index n = X.rows();
    // A vertex of each group is its origin: far from the origin of the world, sums of coordinates lose what differences
    // have. All sums go by index.
    std::vector<GroupSums> sums(num_groups);
    std::vector<int> origin(num_groups, -1);
    for (Eigen::Index v = 0; v < n; ++v) {
        const int group = group_of_vertex[v];
        if (group < 0)
            continue;
        if (origin[group] < 0)
            origin[group] = static_cast<int>(v);
        GroupSums& sum = sums[group];
        sum.weight += weights[v];
        sum.before += weights[v] * (lifted(X, v) - lifted(X, origin[group]));
        sum.after += weights[v] * (lifted(Y, v) - lifted(X, origin[group]));
    }
    for (int group = 0; group < num_groups; ++group)
        if (sums[group].weight > 0) {
            sums[group].before = lifted(X, origin[group]) + sums[group].before / sums[group].weight;
            sums[group].after = lifted(X, origin[group]) + sums[group].after / sums[group].weight;
        }
    for (Eigen::Index v = 0; v < n; ++v)
        if (const int group = group_of_vertex[v]; group >= 0)
            sums[group].products +=
                weights[v] * (lifted(X, v) - sums[group].before) * (lifted(Y, v) - sums[group].after).transpose();
    std::vector<RigidMotion> motions(num_groups);
    for (int group = 0; group < num_groups; ++group)
        if (sums[group].weight > 0)
            motions[group] = motion_of(sums[group], best_turn(sums[group].products));
    return motions;
}

void apply(std::span<const RigidMotion> motions, std::span<const int> group_of_vertex, Eigen::Ref<Positions> X)
{
    ABUT_ASSERT(static_cast<Eigen::Index>(group_of_vertex.size()) == X.rows());
    std::vector<Eigen::Matrix3d> rotations;
    rotations.reserve(motions.size());
    for (const RigidMotion& motion : motions)
        rotations.push_back(motion.rotation());
    for (Eigen::Index v = 0; v < X.rows(); ++v) {
        const int group = group_of_vertex[v];
        if (group < 0 || motions[group].is_none())
            continue;
        const Vec3 x = lifted(X, v), arm = x - motions[group].center;
        // As a sum to x: what does not turn keeps its shape to the last bit that x has.
        const Vec3 moved = x + (motions[group].shift + (rotations[group] * arm - arm));
        for (Eigen::Index axis = 0; axis < X.cols(); ++axis)
            X(v, axis) = moved[axis];
    }
}

} // namespace abut
