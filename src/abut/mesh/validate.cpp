#include "abut/mesh/validate.hpp"

#include "abut/base/error.hpp"
#include "abut/geometry/predicates.hpp"

#include <limits>
#include <vector>

namespace abut {

namespace {

void reject_coordinate(const ConstPositions& positions, Eigen::Index row, std::string_view name)
{
    for (Eigen::Index axis = 0; axis < positions.cols(); ++axis) {
        const double value = positions(row, axis);
        const char axis_name = "xyz"[axis];
        if (!std::isfinite(value))
            reject(
                "{}: row {} has {} = {}, which is not finite; every coordinate must be a number of metres", name, row,
                axis_name, value);
        if (std::abs(value) > max_coordinate)
            reject(
                "{}: row {} has {} = {}, and the extent overflows beyond {}; check the units (metres)", name, row,
                axis_name, value, max_coordinate);
    }
}

/// Every evaluation of a potential asks this, so it is one pass without branches, at the speed of memory. NaN fails
/// the comparison.
bool is_in_range(const ConstPositions& positions)
{
    const auto count_bad = [](const double* x, Eigen::Index n) {
        std::int64_t bad = 0;
        for (Eigen::Index k = 0; k < n; ++k)
            bad += std::abs(x[k]) <= max_coordinate ? 0 : 1;
        return bad;
    };
    if (positions.outerStride() == positions.cols())
        return count_bad(positions.data(), positions.size()) == 0;
    std::int64_t bad = 0;
    for (Eigen::Index row = 0; row < positions.rows(); ++row)
        bad += count_bad(positions.data() + row * positions.outerStride(), positions.cols());
    return bad == 0;
}

} // namespace

void validate_positions(const ConstPositions& positions, std::string_view name)
{
    if (positions.cols() != 2 && positions.cols() != 3)
        reject(
            "{}: expected an array of shape (n, 2) or (n, 3), got ({}, {})", name, positions.rows(), positions.cols());
    if (positions.rows() == 0)
        reject("{}: the mesh is empty; at least one vertex is needed", name);
    if (positions.rows() > std::numeric_limits<int>::max())
        throw LimitReached(
            fmt::format("{}: {} rows exceed the limit of {}", name, positions.rows(), std::numeric_limits<int>::max()));
    if (!is_in_range(positions))
        for (Eigen::Index row = 0; row < positions.rows(); ++row)
            reject_coordinate(positions, row, name);
}

void validate_positions(const ConstPositions& positions, Eigen::Index rows, Eigen::Index cols, std::string_view name)
{
    if (positions.rows() != rows || positions.cols() != cols)
        reject(
            "{}: expected shape ({}, {}) as the mesh has, got ({}, {})", name, rows, cols, positions.rows(),
            positions.cols());
    validate_positions(positions, name);
}

void validate_elements(const ConstElements& elements, int corners, Eigen::Index num_vertices, std::string_view name)
{
    if (elements.rows() == 0)
        return;
    if (elements.cols() != corners)
        reject("{}: expected an array of shape (n, {}), got ({}, {})", name, corners, elements.rows(), elements.cols());
    if (elements.rows() > std::numeric_limits<int>::max() / 4)
        throw LimitReached(fmt::format(
            "{}: {} rows exceed the limit of {}", name, elements.rows(), std::numeric_limits<int>::max() / 4));
    for (Eigen::Index row = 0; row < elements.rows(); ++row)
        for (int corner = 0; corner < corners; ++corner) {
            const int index = elements(row, corner);
            if (index < 0 || index >= num_vertices)
                reject(
                    "{}: row {} has index {}, but the vertices are numbered 0 to {}", name, row, index,
                    num_vertices - 1);
            for (int other = 0; other < corner; ++other)
                if (elements(row, other) == index)
                    reject(
                        "{}: row {} uses vertex {} twice, so it is degenerate; remove the row or merge it away", name,
                        row, index);
        }
}

void validate_tets(const ConstPositions& vertices, const Tets& tets)
{
    validate_positions(vertices, "vertices");
    if (vertices.cols() != 3)
        reject("vertices: tetrahedra need 3 columns, got {}", vertices.cols());
    validate_elements(tets, 4, vertices.rows(), "tets");
    std::vector<int> bad;
    for (Eigen::Index row = 0; row < tets.rows(); ++row) {
        const Vec3 a = point<3>(vertices, tets(row, 0)), b = point<3>(vertices, tets(row, 1));
        const Vec3 c = point<3>(vertices, tets(row, 2)), d = point<3>(vertices, tets(row, 3));
        if (orientation(a, b, c, d) <= 0)
            bad.push_back(static_cast<int>(row));
    }
    if (bad.empty())
        return;
    const std::size_t shown = std::min<std::size_t>(bad.size(), 10);
    throw InvalidStart(fmt::format(
        "tets: {} of {} have no positive volume (rows {}{}); reorder their vertices so that (v1-v0)x(v2-v0).(v3-v0) > "
        "0, or remesh",
        bad.size(), tets.rows(), fmt::join(bad.begin(), bad.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
        shown < bad.size() ? ", ..." : ""));
}

} // namespace abut
