#include "abut/elastic/hinge_bending.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/geometry/dihedral_angle.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/mesh/validate.hpp"

#include <cmath>

namespace abut {

namespace {

constexpr std::size_t hinges_per_task = 256;
static_assert(hinges_per_task % num_lanes == 0);

/// As for elastic elements: below this sine at a corner, rounding has taken the area.
constexpr double degenerate_sine = 1e-13;

std::array<int, 4> directed_as_in_face(int e0, int e1, int a, int b, const Faces& faces, int face)
{
    for (int corner = 0; corner < 3; ++corner)
        if (faces(face, corner) == e1 && faces(face, (corner + 1) % 3) == e0)
            return {e1, e0, a, b};
    return {e0, e1, a, b};
}

LocalTerm<4, 3> hinge_angle(const ConstPositions& x, std::span<const int> v, Order order)
{
    return dihedral_angle(point<3>(x, v[0]), point<3>(x, v[1]), point<3>(x, v[2]), point<3>(x, v[3]), order);
}

/// Columns, times 1/2, of an orthonormal basis of the four numbers that sum to zero.
constexpr double sum_zero_signs[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

/// (Bᵀ ⊗ I) H (B ⊗ I): translations, on which H vanishes, are taken out before the eigenvalues are sought.
Mat<9, 9> across_translations(const Mat<12, 12>& H)
{
    Mat<12, 9> half = Mat<12, 9>::Zero();
    Mat<9, 9> reduced = Mat<9, 9>::Zero();
    for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 4; ++i)
            half.middleCols<3>(3 * a) += 0.5 * sum_zero_signs[i][a] * H.middleCols<3>(3 * i);
    for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 4; ++i)
            reduced.middleRows<3>(3 * a) += 0.5 * sum_zero_signs[i][a] * half.middleRows<3>(3 * i);
    return reduced;
}

/// (B ⊗ I) H (Bᵀ ⊗ I).
Mat<12, 12> with_translations(const Mat<9, 9>& reduced)
{
    Mat<12, 9> half = Mat<12, 9>::Zero();
    Mat<12, 12> H = Mat<12, 12>::Zero();
    for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 4; ++i)
            half.middleRows<3>(3 * i) += 0.5 * sum_zero_signs[i][a] * reduced.middleRows<3>(3 * a);
    for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 4; ++i)
            H.middleCols<3>(3 * i) += 0.5 * sum_zero_signs[i][a] * half.middleCols<3>(3 * a);
    return H;
}

void store_blocks(const Mat<12, 12>& H, double* to)
{
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j <= i; ++j, to += 9)
            Eigen::Map<Mat<3, 3>>{to} = H.block<3, 3>(3 * i, 3 * j);
}

} // namespace

HingeBending::HingeBending(
    const ConstPositions& rest_positions, const ConstElements& faces, const HingeOptions& options)
    : num_vertices_(static_cast<int>(rest_positions.rows()))
{
    validate_positions(rest_positions, "rest_positions");
    if (rest_positions.cols() != 3)
        reject("rest_positions: expected 3 columns, got {}", rest_positions.cols());
    validate_elements(faces, 3, rest_positions.rows(), "faces");
    const auto count = static_cast<std::size_t>(faces.rows());
    const std::vector<double>& stiffness = options.stiffness;
    if (stiffness.size() != 1 && stiffness.size() != count)
        reject("stiffness: expected one entry, or one for each of the {} faces, got {}", count, stiffness.size());
    for (std::size_t k = 0; k < stiffness.size(); ++k)
        if (!(stiffness[k] > 0 && std::isfinite(stiffness[k])))
            reject("stiffness: entry {} is {}, which is not a positive number of N m", k, stiffness[k]);
    if (count == 0)
        return;

    std::vector<double> areas(count);
    for (std::size_t f = 0; f < count; ++f) {
        const auto x0 = point<3>(rest_positions, faces(f, 0));
        const Vec3 u = point<3>(rest_positions, faces(f, 1)) - x0, v = point<3>(rest_positions, faces(f, 2)) - x0;
        areas[f] = u.cross(v).norm() / 2;
        if (!(areas[f] > degenerate_sine * u.norm() * v.norm()))
            reject(
                "faces: row {} (vertices {}, {}, {}) is degenerate at rest: its area is {:.3g}", f, faces(f, 0),
                faces(f, 1), faces(f, 2), areas[f]);
    }

    const Faces triangles = faces;
    const EdgeTopology topology = build_edge_topology(Edges(0, 2), triangles, num_vertices_);
    std::size_t item = 0; // of the lists of faces
    for (Eigen::Index e = 0; e < topology.edges.rows(); ++e) {
        const auto at = topology.edge_faces[e];
        const int* opposites = topology.edge_opposites.data() + item;
        item += at.size();
        const int e0 = topology.edges(e, 0), e1 = topology.edges(e, 1);
        if (at.size() > 2)
            reject("faces: the edge of vertices {} and {} belongs to {} faces; bending allows two", e0, e1, at.size());
        if (at.size() < 2)
            continue;
        const auto corners = directed_as_in_face(e0, e1, opposites[0], opposites[1], triangles, at[0]);
        const double area = areas[at[0]] + areas[at[1]];
        const auto plate = [&](int f) { return stiffness.size() == 1 ? stiffness[0] : stiffness[f]; };
        const double D = (areas[at[0]] * plate(at[0]) + areas[at[1]] * plate(at[1])) / area;
        const double squared_length = (point<3>(rest_positions, e1) - point<3>(rest_positions, e0)).squaredNorm();
        stencils_.add(corners);
        hinges_.push_back(
            {options.rest_angles == RestAngles::flat ? 0 : hinge_angle(rest_positions, corners, Order::value).value,
             D * squared_length / area});
    }
}

void HingeBending::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    validate_positions(x, num_vertices_, 3, "x");
    parallel_ranges(hinges_.size(), hinges_per_task, [&](std::size_t begin, std::size_t end) {
        for (; begin < end; begin += num_lanes)
            evaluate_range(x, out, begin, std::min<std::size_t>(begin + num_lanes, end));
    });
}

/// Of as many hinges as there are lanes, or fewer.
void HingeBending::evaluate_range(
    const ConstPositions& x, const TermOutput& out, std::size_t begin, std::size_t end) const
{
    const Order order = out.order();
    const bool is_projected = out.blocks != nullptr && out.projection != PSDProjectionMethod::none;
    SymmetricLanes<9> group;
    for (std::size_t k = begin; k < end; ++k) {
        const LocalTerm<4, 3> theta = hinge_angle(x, stencils_[k], order);
        const auto [rest_angle, stiffness] = hinges_[k];
        const double turn = theta.value - rest_angle;
        if (out.values != nullptr)
            out.values[k] = 0.5 * stiffness * turn * turn;
        if (out.gradients != nullptr)
            Eigen::Map<Vec<12>>{out.gradients + 12 * k} = stiffness * turn * theta.gradient;
        if (out.blocks == nullptr)
            continue;
        const Mat<12, 12> H = stiffness * (theta.gradient * theta.gradient.transpose() + turn * theta.hessian);
        if (is_projected)
            group.set(static_cast<int>(k - begin), across_translations(H));
        else
            store_blocks(H, out.blocks + 90 * k);
    }
    if (!is_projected)
        return;
    for (std::size_t lane = end - begin; lane < num_lanes; ++lane) // idle lanes repeat the first
        for (auto& row : group.entries)
            for (Lanes& entry : row)
                entry[lane] = entry[0];
    project_to_psd(group, out.projection);
    for (std::size_t k = begin; k < end; ++k) {
        Mat<9, 9> reduced;
        group.get(static_cast<int>(k - begin), reduced);
        store_blocks(with_translations(reduced), out.blocks + 90 * k);
    }
}

} // namespace abut
