#include "abut/mesh/tubes.hpp"

#include "abut/base/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace abut {

namespace {

/// Rings of a round end between the tube and the tip.
constexpr int cap_rings = 2;

/// The vector u across t after the least rotation that takes t to s; both have length 1.
Vec3 carried(const Vec3& u, const Vec3& t, const Vec3& s)
{
    const double cosine = t.dot(s);
    // Turned back: every rotation is as good as another, and u stays across.
    const Vec3 moved = cosine > -1 + 1e-12 ? Vec3(u - u.dot(s) / (1 + cosine) * (t + s)) : u;
    const Vec3 across = moved - moved.dot(s) * s;
    return across.norm() > 0.5 ? Vec3(across.normalized()) : Vec3(s.unitOrthogonal());
}

/// Rings of a strand, from tip to tip where it is open.
int num_rings(const Strand& strand)
{
    return static_cast<int>(strand.vertices.size()) + (strand.is_closed ? 0 : 2 * cap_rings);
}

/// The directions of edges, of length 1. Edges of length zero go on as the ones before.
std::vector<Vec3> directions(const Strand& strand, const Positions& X)
{
    std::vector<Vec3> along;
    for (std::size_t k = 0; k < strand.num_edges(); ++k) {
        const int a = strand.vertices[k], b = strand.vertices[(k + 1) % strand.vertices.size()];
        const Vec3 edge = lifted(X, b) - lifted(X, a);
        const double length = edge.norm();
        along.push_back(length > 0 ? Vec3(edge / length) : along.empty() ? Vec3(Vec3::UnitX()) : along.back());
    }
    return along;
}

} // namespace

Tubes::Tubes(const Edges& edges, std::span<const double> radii, int sides)
    : radii_(radii.begin(), radii.end()), sides_(sides)
{
    ABUT_ASSERT(sides >= 3);
    std::vector<int> kept;
    for (int e = 0; e < static_cast<int>(edges.rows()); ++e)
        if (radii[static_cast<std::size_t>(edges(e, 0))] > 0 && radii[static_cast<std::size_t>(edges(e, 1))] > 0)
            kept.push_back(e);
    const Edges thick = edges(kept, Eigen::all);
    strands_ = find_strands(thick, static_cast<int>(radii.size()));
    across_.assign(strands_.size(), Vec3::Zero());

    std::vector<std::array<int, 3>> faces;
    for (const Strand& strand : strands_) {
        const auto first = static_cast<int>(axis_vertices_.size());
        const auto count = static_cast<int>(strand.vertices.size());
        const int rings = num_rings(strand);
        const auto corner = [&](int ring, int side) { return first + ring % rings * sides + side % sides; };
        for (int ring = 0; ring < rings; ++ring) {
            const int at = strand.is_closed ? ring : std::clamp(ring - cap_rings, 0, count - 1);
            axis_vertices_.insert(
                axis_vertices_.end(), static_cast<std::size_t>(sides), strand.vertices[static_cast<std::size_t>(at)]);
            if (ring + 1 == rings && !strand.is_closed)
                break;
            for (int side = 0; side < sides; ++side) {
                const int a = corner(ring, side), b = corner(ring, side + 1), c = corner(ring + 1, side + 1),
                          d = corner(ring + 1, side);
                faces.push_back({a, b, c});
                faces.push_back({a, c, d});
            }
        }
        if (strand.is_closed)
            continue;
        const auto tip = static_cast<int>(axis_vertices_.size());
        axis_vertices_.push_back(strand.vertices.front());
        axis_vertices_.push_back(strand.vertices.back());
        for (int side = 0; side < sides; ++side) {
            faces.push_back({tip, corner(0, side + 1), corner(0, side)});
            faces.push_back({tip + 1, corner(rings - 1, side), corner(rings - 1, side + 1)});
        }
    }
    faces_.resize(static_cast<Eigen::Index>(faces.size()), 3);
    for (std::size_t f = 0; f < faces.size(); ++f)
        faces_.row(static_cast<Eigen::Index>(f)) << faces[f][0], faces[f][1], faces[f][2];
}

void Tubes::place(const Positions& X, Positions& positions, Positions& normals)
{
    positions.resize(num_vertices(), 3);
    normals.resize(num_vertices(), 3);
    Eigen::Index row = 0;
    for (std::size_t s = 0; s < strands_.size(); ++s) {
        place_strand(s, X, row, positions, normals);
        row += num_rings(strands_[s]) * sides_ + (strands_[s].is_closed ? 0 : 2);
    }
}

void Tubes::place_strand(std::size_t s, const Positions& X, Eigen::Index row, Positions& positions, Positions& normals)
{
    const Strand& strand = strands_[s];
    const std::vector<Vec3> along = directions(strand, X);
    const std::size_t count = strand.vertices.size();
    Vec3 u = across_[s];
    u -= u.dot(along[0]) * along[0];
    u = u.norm() > 1e-3 ? Vec3(u.normalized()) : Vec3(along[0].unitOrthogonal());
    across_[s] = u;

    // What a closed strand is turned by when it comes around is spread over its rings.
    double turn_per_ring = 0;
    if (strand.is_closed) {
        Vec3 around = u;
        for (std::size_t k = 0; k < count; ++k)
            around = carried(around, along[k], along[(k + 1) % count]);
        turn_per_ring = -std::atan2(along[0].dot(u.cross(around)), u.dot(around)) / static_cast<double>(count);
    }
    // A ring of radius r around x, whose normals lean towards the direction t by the sine given.
    const auto add_ring = [&](const Vec3& x, const Vec3& t, const Vec3& side, double r, double sine) {
        const Vec3 other = t.cross(side);
        const double cosine = std::sqrt(1 - sine * sine);
        for (int k = 0; k < sides_; ++k, ++row) {
            const double angle = 2 * std::numbers::pi * k / sides_;
            const Vec3 out = std::cos(angle) * side + std::sin(angle) * other;
            const Vec3 normal = cosine * out + sine * t;
            positions.row(row) = (x + r * normal).transpose();
            normals.row(row) = normal.transpose();
        }
    };
    const auto cap_sine = [](int ring) { return std::sin(std::numbers::pi / 2 * ring / (cap_rings + 1)); };
    const auto place_of = [&](std::size_t k) { return lifted(X, strand.vertices[k]); };
    const auto radius_of = [&](std::size_t k) { return radii_[static_cast<std::size_t>(strand.vertices[k])]; };

    for (int ring = cap_rings; ring >= 1 && !strand.is_closed; --ring)
        add_ring(place_of(0), along[0], u, radius_of(0), -cap_sine(ring));
    Vec3 t = along[0]; // u is across it
    for (std::size_t k = 0; k < count; ++k) {
        // Across the mean of the two edges at the vertex
        const Vec3& before = along[k > 0 ? k - 1 : strand.is_closed ? count - 1 : 0];
        const Vec3& after = along[std::min(k, along.size() - 1)];
        const Vec3 sum = before + after;
        const Vec3 mean = sum.norm() > 1e-6 ? Vec3(sum.normalized()) : after;
        const Vec3 side = carried(u, t, mean);
        const Vec3 turned =
            std::cos(turn_per_ring * double(k)) * side + std::sin(turn_per_ring * double(k)) * mean.cross(side);
        add_ring(place_of(k), mean, turned, radius_of(k), 0);
        u = carried(side, mean, after);
        t = after;
    }
    for (int ring = 1; ring <= cap_rings && !strand.is_closed; ++ring)
        add_ring(place_of(count - 1), along.back(), u, radius_of(count - 1), cap_sine(ring));
    if (strand.is_closed)
        return;
    const auto add_tip = [&](std::size_t k, const Vec3& normal) {
        positions.row(row) = (place_of(k) + radius_of(k) * normal).transpose();
        normals.row(row++) = normal.transpose();
    };
    add_tip(0, -along.front());
    add_tip(count - 1, along.back());
}

} // namespace abut
