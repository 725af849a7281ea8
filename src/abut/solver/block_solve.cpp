#include "abut/solver/block_solve.hpp"

#include "abut/math/lanes.hpp"
#include "abut/math/types.hpp"

#include <Eigen/Eigenvalues>

#include <cstring>

namespace abut {

namespace {

constexpr int width = BlockGroups::width;

/// Pivots below this share of the trace are rounding, of sums of some tens of terms.
constexpr double smallest_pivot = 1e-13;

/// By the eigenvectors of H: each bend with its size, none where it is nothing.
Vec3 safe_step(const Mat<3, 3>& H, const Vec3& g)
{
    if (!H.allFinite() || !g.allFinite())
        return Vec3::Constant(NAN);
    const Eigen::SelfAdjointEigenSolver<Mat<3, 3>> eigen(H);
    const double largest = eigen.eigenvalues().cwiseAbs().maxCoeff();
    Vec3 step = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
        if (const double bend = std::abs(eigen.eigenvalues()[k]); bend > smallest_pivot * largest)
            step -= eigen.eigenvectors().col(k).dot(g) / bend * eigen.eigenvectors().col(k);
    return step;
}

Lanes load(const double* from)
{
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

void store(Lanes lanes, double* to) { std::memcpy(to, &lanes, sizeof lanes); }

} // namespace

void solve_blocks(const int* blocks, const BlockLayout& layout, double* sums, double (&step)[3][width])
{
    // Numbers that a block does not have resist with 1, and nothing pulls at them.
    for (int lane = 0; lane < width; ++lane) {
        const int size = blocks[lane] < 0 ? 0 : layout.size(blocks[lane]);
        constexpr int diagonal[3]{3, 6, 8};
        for (int a = size; a < 3; ++a)
            sums[diagonal[a] * width + lane] = 1;
    }
    static_assert(width % num_lanes == 0);
    double pivots[3][width], trace[width];
    for (int first = 0; first < width; first += num_lanes) {
        const auto at = [&](int k) { return load(sums + k * width + first); };
        const Lanes xx = at(3), xy = at(4), xz = at(5), yy = at(6), yz = at(7), zz = at(8);
        // L D Lᵀ
        const Lanes over_x = 1 / xx, lxy = xy * over_x, lxz = xz * over_x;
        const Lanes dy = yy - lxy * xy, cross = yz - lxy * xz, over_y = 1 / dy, lyz = cross * over_y;
        const Lanes dz = zz - lxz * xz - lyz * cross, over_z = 1 / dz;
        const Lanes bx = at(0), by = at(1) - lxy * bx, bz = at(2) - lxz * bx - lyz * by;
        const Lanes z = -bz * over_z, y = -by * over_y - lyz * z, x = -bx * over_x - lxy * y - lxz * z;
        store(x, step[0] + first);
        store(y, step[1] + first);
        store(z, step[2] + first);
        store(xx, pivots[0] + first);
        store(dy, pivots[1] + first);
        store(dz, pivots[2] + first);
        store(xx + yy + zz, trace + first);
    }
    for (int lane = 0; lane < width; ++lane) {
        const int size = blocks[lane] < 0 ? 0 : layout.size(blocks[lane]);
        const double least = smallest_pivot * trace[lane];
        bool is_definite = true;
        for (int a = 0; a < size; ++a)
            is_definite = is_definite && pivots[a][lane] > least;
        if (is_definite)
            continue;
        const auto at = [&](int k) { return sums[k * width + lane]; };
        Mat<3, 3> H;
        H << at(3), at(4), at(5), at(4), at(6), at(7), at(5), at(7), at(8);
        for (int a = size; a < 3; ++a)
            H(a, a) = 0;
        const Vec3 safe = safe_step(H, Vec3(at(0), at(1), at(2)));
        for (int a = 0; a < 3; ++a)
            step[a][lane] = safe[a];
    }
}

} // namespace abut
