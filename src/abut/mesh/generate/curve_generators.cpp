#include "abut/mesh/generate/generator_checks.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>

namespace abut::generate {

using detail::require_count;
using detail::require_length;
using detail::require_representable;
using detail::require_torus_radii;

namespace {

/// A polyline of n segments through curve(i), i = 0 .. n, or, if closed, i = 0 .. n - 1 and back.
template <int Dim, typename Curve>
MeshData polyline(std::int64_t n, bool closed, Curve&& curve)
{
    MeshData mesh;
    mesh.vertices.resize(closed ? n : n + 1, Dim);
    for (std::int64_t i = 0; i < mesh.vertices.rows(); ++i)
        mesh.vertices.row(i) = curve(i).transpose();
    mesh.edges.resize(n, 2);
    for (std::int64_t i = 0; i < n; ++i)
        mesh.edges.row(i) << static_cast<int>(i), static_cast<int>((i + 1) % mesh.vertices.rows());
    return mesh;
}

} // namespace

MeshData rod(const RodOptions& options)
{
    require_length("rod: length", options.length);
    require_count("rod: segments", options.segments, 1);
    require_representable("rod: its vertices", double(options.segments) + 1);
    const std::int64_t n = options.segments;
    return polyline<3>(
        n, false, [&](std::int64_t i) { return Vec3(options.length * (double(2 * i - n) / double(2 * n)), 0, 0); });
}

MeshData helix(const HelixOptions& options)
{
    require_length("helix: radius", options.radius);
    require_length("helix: pitch", options.pitch);
    if (!(options.turns > 0 && options.turns <= 1e6))
        reject("generate::helix: turns = {} is outside (0, 1e6]; give a positive number of turns", options.turns);
    require_count(
        "helix: segments", options.segments, std::max<std::int64_t>(1, std::llround(std::ceil(3 * options.turns))));
    require_representable("helix: its vertices", double(options.segments) + 1);
    const double height = options.pitch * options.turns;
    return polyline<3>(options.segments, false, [&](std::int64_t i) {
        const double t = double(i) / double(options.segments);
        const double angle = 2 * std::numbers::pi * options.turns * t;
        return Vec3(options.radius * std::cos(angle), height * (t - 0.5), -options.radius * std::sin(angle));
    });
}

MeshData torus_knot(const TorusKnotOptions& options)
{
    require_count("torus_knot: p", options.p, 1);
    require_count("torus_knot: q", options.q, 1);
    if (std::gcd(options.p, options.q) != 1)
        reject(
            "generate::torus_knot: p = {} and q = {} have the common divisor {}, so the curve would retrace itself; "
            "divide both by it",
            options.p, options.q, std::gcd(options.p, options.q));
    require_torus_radii("torus_knot", options.major_radius, options.minor_radius);
    require_count("torus_knot: segments", options.segments, 8 * std::int64_t(std::max(options.p, options.q)));

    return polyline<3>(options.segments, true, [&](std::int64_t i) {
        // Whole turns are removed in integers, which keeps the angles exact for many turns.
        const auto turn = [&](std::int64_t turns) {
            return 2 * std::numbers::pi * (double(turns * i % options.segments) / double(options.segments));
        };
        const double around = turn(options.p), tube = turn(options.q);
        const double radius = options.major_radius + options.minor_radius * std::cos(tube);
        return Vec3(radius * std::cos(around), options.minor_radius * std::sin(tube), -radius * std::sin(around));
    });
}

MeshData squircle(const SquircleOptions& options)
{
    require_length("squircle: radius", options.radius);
    if (!(options.exponent >= 1 && options.exponent <= 1e6))
        reject(
            "generate::squircle: exponent = {} is outside [1, 1e6]; use 2 for a circle, 4 for a squircle",
            options.exponent);
    require_count("squircle: segments", options.segments, 3);

    return polyline<2>(options.segments, true, [&](std::int64_t i) {
        // |r c|^n + |r s|^n = R^n along the ray (c, s); the larger of |c|, |s| is factored out so that no power of
        // it underflows.
        const double angle = 2 * std::numbers::pi * (double(i) / double(options.segments));
        const Vec2 ray(std::cos(angle), std::sin(angle));
        const double large = ray.cwiseAbs().maxCoeff(), small = ray.cwiseAbs().minCoeff();
        const double norm = large * std::pow(1 + std::pow(small / large, options.exponent), 1 / options.exponent);
        return Vec2(options.radius / norm * ray);
    });
}

} // namespace abut::generate
