#include "abut/mesh/generate/strand_generators.hpp"

#include "abut/mesh/generate/generator_checks.hpp"
#include "abut/mesh/strands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>
#include <vector>

namespace abut::generate {

using detail::require_count;
using detail::require_length;
using detail::require_representable;
using std::numbers::pi;

namespace {

MeshData strand_through(const std::vector<Vec3>& points, bool is_closed)
{
    MeshData mesh;
    const auto n = static_cast<int>(points.size());
    mesh.vertices.resize(n, 3);
    for (int i = 0; i < n; ++i)
        mesh.vertices.row(i) = points[static_cast<std::size_t>(i)].transpose();
    mesh.edges.resize(is_closed ? n : n - 1, 2);
    for (int i = 0; i < static_cast<int>(mesh.edges.rows()); ++i)
        mesh.edges.row(i) << i, (i + 1) % n;
    return mesh;
}

/// A finely sampled curve, cut into `segments` pieces of equal length along it.
std::vector<Vec3> equally_spaced(const std::vector<Vec3>& fine, int segments)
{
    std::vector<double> along{0};
    for (std::size_t i = 1; i < fine.size(); ++i)
        along.push_back(along.back() + (fine[i] - fine[i - 1]).norm());
    std::vector<Vec3> points;
    std::size_t i = 1;
    for (int k = 0; k <= segments; ++k) {
        const double s = along.back() * (double(k) / segments);
        while (i + 1 < fine.size() && along[i] < s)
            ++i;
        const double t = std::min(1.0, (s - along[i - 1]) / (along[i] - along[i - 1]));
        points.push_back(fine[i - 1] + t * (fine[i] - fine[i - 1]));
    }
    return points;
}

/// Adds count points of curve(t), t in (0, 1], to a finely sampled curve.
template <typename Curve>
void sample(std::vector<Vec3>& fine, int count, Curve&& point_at)
{
    for (int i = 1; i <= count; ++i)
        fine.push_back(point_at(double(i) / count));
}

/// 0 to 1 without a slope or curvature at the ends.
double eased(double t) { return t * t * t * (t * (6 * t - 15) + 10); }

/// Rejects strands that are closer to each other than they are thick. Half the way around a circle of the strand's
/// radius is left out along each.
void require_clearance(std::string_view name, const MeshData& mesh, double strand_radius, std::string_view cure)
{
    const double distance = strand_distance(mesh, pi * strand_radius, 2 * strand_radius);
    if (distance <= 2 * strand_radius)
        reject(
            "generate::{}: strand_radius = {} m is too large: strands come as close as {:.4g} m to each other, so half "
            "of that is the limit; make them thinner or {}",
            name, strand_radius, distance, cure);
}

/// Joints and the edges between them, each cut into pieces.
class Threads {
public:
    int joint(const Vec3& place)
    {
        places_.push_back(place);
        return static_cast<int>(places_.size()) - 1;
    }
    void join(int from, int to, int segments)
    {
        const Vec3 start = places_[static_cast<std::size_t>(from)], way = places_[static_cast<std::size_t>(to)] - start;
        int last = from;
        for (int k = 1; k < segments; ++k) {
            const int next = joint(start + double(k) / segments * way);
            edges_.push_back({last, next});
            last = next;
        }
        edges_.push_back({last, to});
    }
    [[nodiscard]] MeshData mesh() const
    {
        MeshData mesh;
        mesh.vertices.resize(static_cast<Eigen::Index>(places_.size()), 3);
        for (std::size_t v = 0; v < places_.size(); ++v)
            mesh.vertices.row(static_cast<Eigen::Index>(v)) = places_[v].transpose();
        mesh.edges.resize(static_cast<Eigen::Index>(edges_.size()), 2);
        for (std::size_t e = 0; e < edges_.size(); ++e)
            mesh.edges.row(static_cast<Eigen::Index>(e)) << edges_[e][0], edges_[e][1];
        return mesh;
    }

private:
    std::vector<Vec3> places_;
    std::vector<std::array<int, 2>> edges_;
};

} // namespace

MeshData ring(const RingOptions& options)
{
    require_length("ring: radius", options.radius);
    require_count("ring: segments", options.segments, 3);
    std::vector<Vec3> points;
    for (int i = 0; i < options.segments; ++i) {
        const double angle = 2 * pi * (double(i) / options.segments);
        points.emplace_back(options.radius * std::cos(angle), 0, -options.radius * std::sin(angle));
    }
    return strand_through(points, true);
}

MeshData spring(const SpringOptions& options)
{
    require_length("spring: radius", options.radius);
    require_length("spring: pitch", options.pitch);
    require_length("spring: hook_radius", options.hook_radius);
    require_length("spring: strand_radius", options.strand_radius);
    require_count("spring: turns", options.turns, 1);
    require_count("spring: segments", options.segments, 64 + 16 * std::int64_t(options.turns));
    require_representable("spring: its vertices", double(options.segments) + 1);
    constexpr int fineness = 8;
    const double R = options.radius, r = options.hook_radius;
    const double half = options.pitch * options.turns / 2;

    // The upper end; the lower one is the same, turned by 180 degrees about the z axis, and runs backwards. From the
    // coil, half a turn leads to the axis as a spiral that rises by `rise`, and on into a ring of 300 degrees above it.
    const double rise = std::max(2 * options.pitch, 4 * options.strand_radius);
    std::vector<Vec3> top;
    const int n = fineness * 64;
    sample(top, n, [&](double t) {
        // It has almost risen and turned before it is at the axis, where it arrives as the ring begins, along x.
        const double turned = t * (2 - t), inward = 1 - eased(t), angle = pi * turned;
        return Vec3(
            R * inward * std::cos(angle), half + rise * eased(turned) + options.pitch / 2 * turned * inward,
            -R * inward * std::sin(angle));
    });
    const double neck = half + rise;
    sample(top, n, [&](double t) {
        // From the middle of the ring's bottom to its side; it begins a little beside the axis.
        const double angle = -pi / 2 + 5 * pi / 3 * t;
        return Vec3(r * std::cos(angle), neck + r + r * std::sin(angle), 0);
    });
    std::vector<Vec3> fine;
    for (auto p = top.rbegin(); p != top.rend(); ++p)
        fine.emplace_back(p->x(), -p->y(), -p->z());
    fine.emplace_back(R, -half, 0);
    sample(fine, fineness * 32 * options.turns, [&](double t) {
        const double angle = 2 * pi * options.turns * t;
        return Vec3(R * std::cos(angle), half * (2 * t - 1), -R * std::sin(angle));
    });
    fine.insert(fine.end(), top.begin(), top.end());
    MeshData mesh = strand_through(equally_spaced(fine, options.segments), false);
    require_clearance("spring", mesh, options.strand_radius, "enlarge pitch, radius and hook_radius");
    return mesh;
}

MeshData knot(const KnotOptions& options)
{
    require_length("knot: loop_radius", options.loop_radius);
    require_length("knot: length", options.length);
    require_length("knot: strand_radius", options.strand_radius);
    require_count("knot: half_turns", options.half_turns, 1);
    if (options.half_turns % 2 == 0)
        reject(
            "generate::knot: half_turns = {} is even, so the rope would end in its own loop; make it odd",
            options.half_turns);
    require_count("knot: segments", options.segments, 32 * std::int64_t(options.half_turns));
    require_representable("knot: its vertices", double(options.segments) + 1);
    // Two parts of the rope at opposite places of a cylinder around the x axis, which they go around as x rises from -w
    // to w. Slopes vanish at the ends, where the lower ones continue as tails and the upper ones are joined by a loop:
    // a half circle up, straight back, a half circle down. The radius of the cylinder leaves a margin between the
    // parts.
    const double rho = 1.5 * options.strand_radius, R = options.loop_radius;
    const double w = 2.5 * rho * options.half_turns;
    if (!(options.length / 2 > w + R))
        reject(
            "generate::knot: length = {} m is not above {:.4g} m, the width of the knot; make the rope longer, the "
            "strand thinner or the loop smaller",
            options.length, 2 * (w + R));
    constexpr int n = 2048;
    const auto wound = [&](double t, double begin) {
        const double angle = begin + pi * options.half_turns * eased(t);
        return Vec3(w * (2 * t - 1), rho * std::sin(angle), rho * std::cos(angle));
    };
    const auto bend = [&](double side, double angle) {
        return Vec3(side * (w + R * std::sin(angle)), rho + R - R * std::cos(angle), 0);
    };
    std::vector<Vec3> fine{Vec3(-options.length / 2, -rho, 0), Vec3(-w, -rho, 0)};
    sample(fine, n * options.half_turns, [&](double t) { return wound(t, -pi / 2); });
    sample(fine, n, [&](double t) { return bend(1, pi * t); });
    sample(fine, n, [&](double t) { return bend(-1, pi * (1 - t)); });
    sample(fine, n * options.half_turns, [&](double t) { return wound(t, pi / 2); });
    fine.emplace_back(options.length / 2, -rho, 0);
    MeshData mesh = strand_through(equally_spaced(fine, options.segments), false);
    require_clearance("knot", mesh, options.strand_radius, "enlarge loop_radius and take more segments");
    return mesh;
}

MeshData rope(const RopeOptions& options)
{
    require_length("rope: length", options.length);
    require_length("rope: radius", options.radius);
    require_length("rope: strand_radius", options.strand_radius);
    require_count("rope: strands", options.strands, 2);
    if (!(options.turns >= 0 && options.turns <= 1e6))
        reject("generate::rope: turns = {} is outside [0, 1e6]; give a number of turns", options.turns);
    require_count(
        "rope: segments", options.segments, std::max<std::int64_t>(1, std::llround(std::ceil(3 * options.turns))));
    require_representable("rope: its vertices", double(options.strands) * (double(options.segments) + 1));
    MeshData mesh;
    for (int s = 0; s < options.strands; ++s) {
        std::vector<Vec3> points;
        for (int i = 0; i <= options.segments; ++i) {
            const double t = double(i) / options.segments;
            const double angle = 2 * pi * (options.turns * t + double(s) / options.strands);
            points.emplace_back(
                options.length * (t - 0.5), options.radius * std::cos(angle), options.radius * std::sin(angle));
        }
        append(mesh, strand_through(points, false));
    }
    require_clearance("rope", mesh, options.strand_radius, "enlarge radius, or use fewer strands or turns");
    return mesh;
}

// A stitch is one period of
//
//     x = t + a sin 2t,   y = h cos t,   z = d cos 2t,   t in [-π, π],
//
// in units of stitch_width / 2π: going around its foot, a leg, the head, the other leg. The legs lean so far outwards
// (a > 1/2) that the head is wider than the neck below it. Rows are c apart with c < 2h, so that feet of a row hang
// below the heads of the row before. d decides how far legs, which are in front, are from heads and feet, which are
// behind. The numbers are those of the largest distance between parts of the yarn, rounded; parts come as close as 1.56
// units.
namespace {
constexpr double knit_a = 1.5, knit_h = 4.15, knit_d = 1.3, knit_c = 4.8;
} // namespace

int knit_bend(const KnitOptions& options)
{
    // Half a circle of diameter c, in edges as long as those of a stitch, whose length is about 26 units.
    return std::max(4, static_cast<int>(std::lround(options.segments * (pi * knit_c / 2) / 26)));
}

MeshData knit(const KnitOptions& options)
{
    require_length("knit: stitch_width", options.stitch_width);
    require_length("knit: strand_radius", options.strand_radius);
    require_count("knit: rows", options.rows, 1);
    require_count("knit: columns", options.columns, 1);
    require_count("knit: segments", options.segments, 16);
    require_representable(
        "knit: its vertices",
        double(options.rows) * (double(options.columns) * options.segments + knit_bend(options)) + 1);
    const double unit = options.stitch_width / (2 * pi);

    // One row from left to right: vertices at equal distances along a stitch.
    constexpr int n = 4096;
    std::vector<Vec3> stitch{Vec3(-pi, -knit_h, knit_d)};
    sample(stitch, n, [](double s) {
        const double t = pi * (2 * s - 1);
        return Vec3(t + knit_a * std::sin(2 * t), knit_h * std::cos(t), knit_d * std::cos(2 * t));
    });
    stitch = equally_spaced(stitch, options.segments);
    std::vector<Vec3> row{stitch.front() - Vec3(pi * (options.columns - 1), 0, 0)};
    for (int column = 0; column < options.columns; ++column)
        for (int i = 1; i <= options.segments; ++i)
            row.push_back(stitch[static_cast<std::size_t>(i)] + Vec3(pi * (2 * column - options.columns + 1), 0, 0));

    const int bend = knit_bend(options);
    std::vector<Vec3> points;
    for (int r = 0; r < options.rows; ++r) {
        const Vec3 up(0, knit_c * (r - 0.5 * (options.rows - 1)), 0);
        const double side = r % 2 == 0 ? 1 : -1; // rows run to and fro
        for (std::size_t i = 0; i < row.size(); ++i)
            points.push_back(unit * (up + row[r % 2 == 0 ? i : row.size() - 1 - i]));
        for (int k = 1; k < bend && r + 1 < options.rows; ++k) {
            const double angle = pi * k / bend;
            const Vec3 out(side * std::sin(angle), 1 - std::cos(angle), 0);
            points.push_back(unit * (up + Vec3(side * row.back().x(), -knit_h, knit_d) + knit_c / 2 * out));
        }
    }
    MeshData mesh = strand_through(points, false);
    require_clearance("knit", mesh, options.strand_radius, "enlarge stitch_width");
    return mesh;
}

MeshData grains(const GrainsOptions& options)
{
    double number = 1;
    for (int a = 0; a < 3; ++a) {
        require_length(fmt::format("grains: size[{}]", a).c_str(), options.size[a]);
        require_count(fmt::format("grains: counts[{}]", a).c_str(), options.counts[a], 1);
        number *= options.counts[a];
    }
    require_representable("grains: its vertices", number);
    const auto [nx, ny, nz] = options.counts;
    const auto place = [](int i, int n) { return n > 1 ? double(i) / (n - 1) - 0.5 : 0; };
    MeshData mesh;
    mesh.vertices.resize(Eigen::Index(number), 3);
    Eigen::Index row = 0;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x)
                mesh.vertices.row(row++) = Vec3(place(x, nx), place(y, ny), place(z, nz)).cwiseProduct(options.size);
    return mesh;
}

MeshData net(const NetOptions& options)
{
    require_length("net: size[0]", options.size[0]);
    require_length("net: size[1]", options.size[1]);
    require_count("net: meshes[0]", options.meshes[0], 1);
    require_count("net: meshes[1]", options.meshes[1], 1);
    require_count("net: segments", options.segments, 1);
    const int nx = options.meshes[0], nz = options.meshes[1];
    require_representable("net: its vertices", (double(nx) + 1) * (double(nz) + 1) * 2 * double(options.segments));
    Threads threads;
    for (int z = 0; z <= nz; ++z)
        for (int x = 0; x <= nx; ++x)
            threads.joint({options.size[0] * (double(x) / nx - 0.5), 0, options.size[1] * (double(z) / nz - 0.5)});
    const auto crossing = [&](int x, int z) { return z * (nx + 1) + x; };
    for (int z = 0; z <= nz; ++z)
        for (int x = 0; x < nx; ++x)
            threads.join(crossing(x, z), crossing(x + 1, z), options.segments);
    for (int x = 0; x <= nx; ++x)
        for (int z = 0; z < nz; ++z)
            threads.join(crossing(x, z), crossing(x, z + 1), options.segments);
    return threads.mesh();
}

MeshData web(const WebOptions& options)
{
    require_length("web: radius", options.radius);
    require_length("web: hub_radius", options.hub_radius);
    require_count("web: spokes", options.spokes, 3);
    require_count("web: turns", options.turns, 1);
    require_count("web: segments", options.segments, 1);
    if (!(options.hub_radius < options.radius))
        reject(
            "generate::web: hub_radius = {} m is not below radius = {} m; make it smaller", options.hub_radius,
            options.radius);
    require_representable(
        "web: its vertices", 2 * double(options.spokes) * (double(options.turns) + 2) * double(options.segments));
    const auto on_spoke = [&](int spoke, double radius) {
        const double angle = 2 * pi * (double(spoke) / options.spokes);
        return Vec3(radius * std::cos(angle), 0, -radius * std::sin(angle));
    };
    Threads threads;
    const int hub = threads.joint(Vec3::Zero());
    std::vector<int> ends, last(static_cast<std::size_t>(options.spokes), hub);
    for (int k = 0; k < options.spokes; ++k)
        ends.push_back(threads.joint(on_spoke(k, options.radius)));
    // The spiral from joint to joint; each spoke grows with it.
    const double spacing = (options.radius - options.hub_radius) / (options.turns + 1);
    int before = -1;
    for (int i = 0; i <= options.turns * options.spokes; ++i) {
        const auto spoke = static_cast<std::size_t>(i % options.spokes);
        const int joint =
            threads.joint(on_spoke(static_cast<int>(spoke), options.hub_radius + spacing * i / options.spokes));
        threads.join(last[spoke], joint, options.segments);
        if (before >= 0)
            threads.join(before, joint, options.segments);
        last[spoke] = before = joint;
    }
    for (std::size_t k = 0; k < ends.size(); ++k)
        threads.join(last[k], ends[k], options.segments);
    return threads.mesh();
}

MeshData fur(const FurOptions& options)
{
    require_length("fur: radius", options.radius);
    require_length("fur: gap", options.gap);
    require_length("fur: length", options.length);
    require_length("fur: strand_radius", options.strand_radius);
    require_count("fur: hairs", options.hairs, 1);
    require_count("fur: segments", options.segments, 1);
    require_representable("fur: its vertices", double(options.hairs) * (double(options.segments) + 1));
    if (options.gap <= options.strand_radius)
        reject(
            "generate::fur: gap = {} m is not above strand_radius = {} m, so roots would be in the ball; enlarge it",
            options.gap, options.strand_radius);
    MeshData mesh;
    const int hairs = options.hairs, n = options.segments;
    mesh.vertices.resize(Eigen::Index(hairs) * (n + 1), 3);
    mesh.edges.resize(Eigen::Index(hairs) * n, 2);
    // Fibonacci's lattice: equal steps in height, and the golden angle around the axis from each to the next.
    const double golden = pi * (3 - std::sqrt(5.0));
    for (int h = 0; h < hairs; ++h) {
        const double y = 1 - (2 * h + 1.0) / hairs, around = std::sqrt((1 - y) * (1 + y));
        const double angle = std::fmod(golden * h, 2 * pi);
        const Vec3 out(around * std::cos(angle), y, -around * std::sin(angle));
        for (int k = 0; k <= n; ++k)
            mesh.vertices.row(Eigen::Index(k) * hairs + h) =
                (options.radius + options.gap + options.length * k / n) * out.transpose();
        for (int k = 0; k < n; ++k)
            mesh.edges.row(Eigen::Index(h) * n + k) << k * hairs + h, (k + 1) * hairs + h;
    }
    require_clearance("fur", mesh, options.strand_radius, "use fewer hairs or a larger ball");
    return mesh;
}

MeshData chain_mail(const ChainMailOptions& options)
{
    require_length("chain_mail: ring_radius", options.ring_radius);
    require_length("chain_mail: strand_radius", options.strand_radius);
    require_count("chain_mail: rows", options.rows, 1);
    require_count("chain_mail: columns", options.columns, 1);
    require_count("chain_mail: segments", options.segments, 12);
    require_representable("chain_mail: its vertices", double(options.rows) * options.columns * options.segments);
    // In units of the rings' radius: distances along a row and between rows, and the angle by which rows lean to and
    // fro. Rings of a row are 0.4 apart, and rings through each other come as close as 0.38.
    constexpr double along = 2.4, between = 0.8, lean = 0.5;
    const double R = options.ring_radius;
    MeshData mesh;
    for (int r = 0; r < options.rows; ++r)
        for (int c = 0; c < options.columns; ++c) {
            const double side = r % 2 == 0 ? 1 : -1;
            const Vec3 middle(
                along * R * (c - 0.5 * (options.columns - 1) - 0.25 * side), 0,
                between * R * (r - 0.5 * (options.rows - 1)));
            std::vector<Vec3> points;
            for (int i = 0; i < options.segments; ++i) {
                const double angle = 2 * pi * (double(i) / options.segments);
                const Vec3 flat(R * std::cos(angle), 0, R * std::sin(angle));
                points.emplace_back(
                    middle + Vec3(flat.x(), side * std::sin(lean) * flat.z(), std::cos(lean) * flat.z()));
            }
            append(mesh, strand_through(points, true));
        }
    require_clearance("chain_mail", mesh, options.strand_radius, "enlarge ring_radius");
    return mesh;
}

} // namespace abut::generate
