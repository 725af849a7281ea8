#pragma once
// Queries of continuous collision detection: two elements whose vertices move linearly in t on [0, 1]. The transforms
// below keep every coordinate exact, and with it the truth and the time of the contact, so they multiply a set of
// queries of known truth.

#include "abut/math/types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace abut::test {

enum class CcdKind : std::uint8_t { point_point, point_edge, point_triangle, edge_edge };

/// Points of the first element of the pair; those of the second follow.
constexpr int num_first_points(CcdKind kind) { return kind == CcdKind::edge_edge ? 2 : 1; }

constexpr int num_points(CcdKind kind)
{
    return kind == CcdKind::point_point ? 2 : kind == CcdKind::point_edge ? 3 : 4;
}

/// A pair and its motion. The points are p q, p e0 e1, p t0 t1 t2 or a0 a1 b0 b1; the others are zero, as is z in 2D.
struct CcdQuery {
    CcdKind kind = CcdKind::point_point;
    int dim = 3; ///< 2 or 3; always 3 for point_triangle and edge_edge
    std::array<Vec3, 4> start{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}; ///< at t = 0
    std::array<Vec3, 4> end{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};   ///< at t = 1
};

inline std::ostream& operator<<(std::ostream& out, const CcdQuery& query)
{
    constexpr std::array names{"point-point", "point-edge", "point-triangle", "edge-edge"};
    std::ostringstream text;
    text << std::hexfloat << names[static_cast<int>(query.kind)] << " in " << query.dim << "D\n";
    for (int i = 0; i < num_points(query.kind); ++i) {
        const auto write = [&](const Vec3& x) { text << '(' << x[0] << ", " << x[1] << ", " << x[2] << ')'; };
        write(query.start[i]);
        text << " -> ";
        write(query.end[i]);
        text << '\n';
    }
    return out << text.str();
}

/// The query with `f` applied to every point in use.
template <typename F>
CcdQuery transformed(CcdQuery query, const F& f)
{
    for (int i = 0; i < num_points(query.kind); ++i) {
        query.start[i] = Vec3(f(query.start[i]));
        query.end[i] = Vec3(f(query.end[i]));
    }
    return query;
}

/// Axis permutations and sign flips: 48 in space. The first 8 keep z and serve the plane.
constexpr int num_axis_symmetries(int dim) { return dim == 2 ? 8 : 48; }

inline CcdQuery axis_symmetry(const CcdQuery& query, int index)
{
    constexpr std::array<std::array<int, 3>, 6> orders{
        {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}}};
    // The plane: 2 orders and 4 signs of x and y come first, then the same orders with z flipped, then the other
    // orders.
    const int order = index < 16 ? index % 2 : 2 + (index - 16) % 4;
    const int flips = index < 16 ? index / 2 : (index - 16) / 4;
    return transformed(query, [&](const Vec3& x) {
        Vec3 y;
        for (int i = 0; i < 3; ++i)
            y[i] = (flips >> i & 1) != 0 ? -x[orders[order][i]] : x[orders[order][i]];
        return y;
    });
}

/// The query times 2^exponent; exact unless it overflows or reaches the subnormal numbers.
inline CcdQuery scaled(const CcdQuery& query, int exponent)
{
    return transformed(query, [&](const Vec3& x) { return Vec3(x * std::ldexp(1.0, exponent)); });
}

/// The orders of its points that leave a pair the same: new point i is old point order[i].
inline const std::vector<std::array<int, 4>>& point_symmetries(CcdKind kind)
{
    using Orders = std::vector<std::array<int, 4>>;
    static const std::array<Orders, 4> orders{
        Orders{{0, 1, 2, 3}, {1, 0, 2, 3}}, Orders{{0, 1, 2, 3}, {0, 2, 1, 3}},
        Orders{{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 3, 2}, {0, 3, 2, 1}, {0, 2, 1, 3}},
        Orders{
            {0, 1, 2, 3},
            {1, 0, 2, 3},
            {0, 1, 3, 2},
            {1, 0, 3, 2},
            {2, 3, 0, 1},
            {3, 2, 0, 1},
            {2, 3, 1, 0},
            {3, 2, 1, 0}}};
    return orders[static_cast<int>(kind)];
}

inline CcdQuery reordered(const CcdQuery& query, const std::array<int, 4>& order)
{
    CcdQuery result = query;
    for (int i = 0; i < 4; ++i) {
        result.start[i] = query.start[order[i]];
        result.end[i] = query.end[order[i]];
    }
    return result;
}

/// A published query and what is known about it.
struct RecordedCcdQuery {
    std::string name; ///< file and line
    CcdQuery query;
    bool hit = false;                 ///< decided in exact arithmetic
    double toi_low = 0, toi_high = 0; ///< the exact time of first contact lies between; infinite without a hit
    bool always_coplanar = false, touches_at_start = false, degenerate_at_contact = false;
};

/// The queries of all files *.vf.csv and *.ee.csv in a folder, by name; nothing if it has none.
/// Each line is id, published truth, exact truth, bounds of the time, flags and 24 coordinates: the four points at the
/// start, then at the end.
inline std::optional<std::vector<RecordedCcdQuery>> read_ccd_queries(const std::filesystem::path& folder)
{
    if (!std::filesystem::is_directory(folder))
        return std::nullopt;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".csv")
            files.push_back(entry.path());
    if (files.empty())
        return std::nullopt;
    std::ranges::sort(files);

    std::vector<RecordedCcdQuery> queries;
    for (const std::filesystem::path& path : files) {
        std::ifstream file(path);
        std::string line, field;
        std::getline(file, line); // the header
        for (int number = 2; std::getline(file, line); ++number) {
            std::vector<double> numbers;
            std::istringstream fields(line);
            std::getline(fields, field, ','); // the id
            while (std::getline(fields, field, ','))
                numbers.push_back(std::strtod(field.c_str(), nullptr));
            RecordedCcdQuery& recorded = queries.emplace_back();
            recorded.name = path.filename().string() + ":" + std::to_string(number);
            recorded.query.kind = path.stem().extension() == ".vf" ? CcdKind::point_triangle : CcdKind::edge_edge;
            recorded.hit = numbers.at(1) != 0;
            recorded.toi_low = numbers.at(2);
            recorded.toi_high = numbers.at(3);
            const int flags = static_cast<int>(numbers.at(4));
            recorded.always_coplanar = (flags & 1) != 0;
            recorded.touches_at_start = (flags & 2) != 0;
            recorded.degenerate_at_contact = (flags & 4) != 0;
            for (int i = 0; i < 24; ++i)
                (i < 12 ? recorded.query.start : recorded.query.end)[i / 3 % 4][i % 3] = numbers.at(5 + i);
        }
    }
    return queries;
}

} // namespace abut::test
