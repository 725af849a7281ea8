#include "abut/elastic/rod_frames.hpp"

#include <cmath>
#include <numbers>

namespace abut {

double unwrapped(double angle, double near)
{
    constexpr double turn = 2 * std::numbers::pi;
    return angle + turn * std::round((near - angle) / turn);
}

Vec3 across(const Vec3& wanted, const Vec3& t)
{
    const Vec3 part = wanted - t.dot(wanted) * t;
    if (part.norm() > 1e-6 * wanted.norm()) { // below, it is rounding
        const Vec3 unit = part.normalized();
        return (unit - t.dot(unit) * t).normalized();
    }
    Vec3::Index farthest;
    t.cwiseAbs().minCoeff(&farthest);
    const Vec3 axis = Vec3::Unit(farthest);
    return (axis - t.dot(axis) * t).normalized();
}

Positions tangents_of(const ConstPositions& x, const Edges& directed)
{
    Positions tangents(directed.rows(), 3);
    for (Eigen::Index e = 0; e < directed.rows(); ++e)
        tangents.row(e) = (point<3>(x, directed(e, 1)) - point<3>(x, directed(e, 0))).normalized().transpose();
    return tangents;
}

Positions directors_along(const ConstPositions& x, const RodTopology& rods, const std::vector<Vec3>& wanted_of_edges)
{
    const Positions t = tangents_of(x, rods.directed);
    Positions d = Positions::Zero(t.rows(), 3);
    const auto length = [&](int e) {
        return (point<3>(x, rods.directed(e, 1)) - point<3>(x, rods.directed(e, 0))).norm();
    };
    for (const RodChain& chain : rods.chains) {
        const int first = chain.edges.front(), last = chain.edges.back();
        d.row(first) = across(wanted_of_edges[first], point<3>(t, first)).transpose();
        for (std::size_t k = 1; k < chain.edges.size(); ++k) {
            const int from = chain.edges[k - 1], to = chain.edges[k];
            const Vec3 carried = transported(point<3>(d, from), point<3>(t, from), point<3>(t, to));
            d.row(to) = across(carried, point<3>(t, to)).transpose();
        }
        if (!chain.is_closed)
            continue;
        const Vec3 back = transported(point<3>(d, last), point<3>(t, last), point<3>(t, first));
        const double missing = signed_angle(back, point<3>(d, first), point<3>(t, first));
        double whole = 0, way = 0;
        for (const int e : chain.edges)
            whole += length(e);
        for (std::size_t k = 1; k < chain.edges.size(); ++k) {
            const int e = chain.edges[k];
            way += (length(chain.edges[k - 1]) + length(e)) / 2;
            const Vec3 turned = Eigen::AngleAxisd(missing * way / whole, Vec3(point<3>(t, e))) * Vec3(point<3>(d, e));
            d.row(e) = across(turned, point<3>(t, e)).transpose();
        }
    }
    return d;
}

} // namespace abut
