#include "abut/elastic/strain_limit.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/deformation.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace abut {

namespace {

constexpr std::size_t triangles_per_task = 512;

/// Where a triangle limits the step, this share of the way to its limit is taken, as in uninverted_step.cpp.
constexpr double share_of_way = 0.9;

/// The way to the limit is known to this share of itself: what is lost is nothing beside the share above.
constexpr double found_to = 1e-3;

/// Stretches are known to a few eps. One that is nearer to the limit than this counts as beyond, so that no other order
/// of operations can say so later.
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();

void validate_limit(const StretchLimit& limit, std::size_t k)
{
    if (!(limit.from >= 1 && std::isfinite(limit.from)))
        reject("limits: entry {} begins at the stretch {}, which is not 1 or more", k, limit.from);
    if (!(limit.stretch > limit.from * (1 + 1e-9) && std::isfinite(limit.stretch)))
        reject(
            "limits: entry {} ends at the stretch {}, which is not above {}, where it begins", k, limit.stretch,
            limit.from);
    if (!(limit.stiffness > 0 && std::isfinite(limit.stiffness)))
        reject("limits: entry {} has the stiffness {}, which is not a positive number of pascals", k, limit.stiffness);
}

/// One stretch and its barrier, in units of k and s - s_0.
struct BarrierAt {
    double y, rest, log; ///< y, 1 - y and ln(1 - y)

    BarrierAt(double sigma, const StretchLimit& limit)
    {
        const double width = limit.stretch - limit.from;
        y = (sigma - limit.from) / width;
        rest = (limit.stretch - sigma) / width;
        log = y < 0.5 ? std::log1p(-y) : std::log(rest);
    }
    [[nodiscard]] double value() const { return -y * y * log; }
    [[nodiscard]] double first() const { return -2 * y * log + y * y / rest; }
    [[nodiscard]] double second() const { return -2 * log + 4 * y / rest + y * y / (rest * rest); }
};

/// (b'(y) - b'(z)) / (y - z), y >= z, with the division carried out:
///
///   -(ln(1 - y) + ln(1 - z)) - (y + z) q + (y + z - y z) / ((1 - y) (1 - z)),   q = ln((1 - y) / (1 - z)) / (y - z).
double divided_difference(const BarrierAt& y, const BarrierAt& z)
{
    const double step = (z.y - y.y) / z.rest; // (1 - y) / (1 - z) - 1
    const double quotient = step == 0 ? 1 : (step > -0.5 ? std::log1p(step) : y.log - z.log) / step;
    const double q = -quotient / z.rest;
    return -(y.log + z.log) - (y.y + z.y) * q + (y.y + z.y - y.y * z.y) / (y.rest * z.rest);
}

/// The term of one lane, whose larger stretch is within (s_0, s).
void set_lane(const StretchLimit& limit, const std::array<double, 2>& sigma, int lane, StretchTerm<2>& phi)
{
    const double k = limit.stiffness, width = limit.stretch - limit.from;
    const BarrierAt at[2]{{sigma[0], limit}, {sigma[1], limit}};
    double first[2]{};
    for (int i = 0; i < 2; ++i) {
        if (!(at[i].y > 0))
            continue;
        first[i] = k * width * at[i].first();
        phi.value[lane] += k * width * width * at[i].value();
        phi.first[i][lane] = first[i];
        phi.second.entries[i][i][lane] = k * at[i].second();
        phi.out_of_plane[i][lane] = first[i] / sigma[i];
    }
    phi.flip[0][lane] =
        at[1].y > 0 ? k * divided_difference(at[0], at[1]) : (first[0] - first[1]) / (sigma[0] - sigma[1]);
    phi.twist[0][lane] = (first[0] + first[1]) / (sigma[0] + sigma[1]);
}

/// sigma_1 of F, by the eigenvalues of FᵀF.
double larger_stretch(const Mat<3, 2>& F)
{
    const double a = F.col(0).squaredNorm(), b = F.col(0).dot(F.col(1)), c = F.col(1).squaredNorm();
    return std::sqrt((a + c) / 2 + std::hypot((a - c) / 2, b));
}

Mat<3, 2> edges_of(std::span<const int> corners, const ConstPositions& x)
{
    const Vec3 x_0 = point<3>(x, corners[0]);
    Mat<3, 2> edges;
    edges << point<3>(x, corners[1]) - x_0, point<3>(x, corners[2]) - x_0;
    return edges;
}

bool is_within(double stretch, double limit) { return stretch < limit * (1 - rounding); }

} // namespace

StrainLimit::StrainLimit(
    const ConstPositions& rest_positions, const ConstElements& faces, const StrainLimitOptions& options)
    : shapes_(rest_positions, faces, {.thickness = options.thickness, .num_parameters = 3})
{
    if (options.limits.size() != 1 && options.limits.size() != shapes_.size())
        reject(
            "limits: expected one entry, or one for each of the {} triangles, got {}", shapes_.size(),
            options.limits.size());
    for (std::size_t k = 0; k < options.limits.size(); ++k)
        validate_limit(options.limits[k], k);
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
        const StretchLimit& limit = options.limits[options.limits.size() == 1 ? 0 : k];
        shapes_.set_parameters(k, std::array{limit.stretch, limit.from, limit.stiffness});
    }
}

StretchLimit StrainLimit::limit(std::size_t triangle) const
{
    return {shapes_.parameter(triangle, 0), shapes_.parameter(triangle, 1), shapes_.parameter(triangle, 2)};
}

StrainLimit StrainLimit::subset(std::span<const int> terms) const { return StrainLimit(shapes_.subset(terms)); }

void StrainLimit::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    validate_positions(x, num_vertices(), 3, "x");
    static_assert(triangles_per_task % num_lanes == 0);
    const std::size_t num_groups = (shapes_.size() + num_lanes - 1) / num_lanes;
    parallel_for(num_groups, triangles_per_task / num_lanes, [&](std::size_t group) { evaluate_group(x, out, group); });
}

void StrainLimit::evaluate_group(const ConstPositions& x, const TermOutput& out, std::size_t group) const
{
    const std::size_t begin = group * num_lanes;
    const int count = static_cast<int>(std::min<std::size_t>(num_lanes, shapes_.size() - begin));
    const Order order = out.order();
    const RestLanes<2> rest = load_rest<2>(shapes_.group(group));
    const RotationSvd<3, 2> svd = rotation_svd(deformation_gradient<3>(x, stencils(), begin, count, rest));
    StretchTerm<2> phi{};
    for (int lane = 0; lane < count; ++lane) {
        const StretchLimit limit = this->limit(begin + lane);
        const std::array<double, 2> sigma{svd.sigma[0][lane], svd.sigma[1][lane]};
        const double larger = std::max(sigma[0], sigma[1]); // they may be out of order by rounding
        if (!(larger < limit.stretch)) {
            if (order > Order::value)
                throw_beyond(x, begin + lane);
            phi.value[lane] = std::numeric_limits<double>::infinity();
        } else if (larger > limit.from)
            set_lane(limit, sigma, lane, phi);
    }
    if (out.values != nullptr) {
        const Lanes values[1]{rest.volume * phi.value};
        store_lanes(values, count, out.values + begin);
    }
    if (out.gradients != nullptr)
        store_gradients(rest, stress(svd, phi), count, out.gradients + begin * 9);
    if (out.blocks != nullptr) {
        const DeformationHessian<3, 2> hessian(phi, rest.volume, PSDProjectionMethod::none); // convex, see above
        store_blocks(rest, svd, hessian, count, out.blocks + begin * (num_hessian_blocks<2> * 9));
    }
}

double StrainLimit::largest_stretch(const ConstPositions& x, std::size_t triangle) const
{
    return larger_stretch(shapes_.deformation(triangle, edges_of(stencils()[triangle], x)));
}

std::optional<std::size_t> StrainLimit::first_beyond(const ConstPositions& x) const
{
    for (std::size_t k = 0; k < shapes_.size(); ++k)
        if (!is_within(largest_stretch(x, k), shapes_.parameter(k, 0)))
            return k;
    return std::nullopt;
}

void StrainLimit::throw_beyond(const ConstPositions& x, std::size_t triangle) const
{
    throw InvalidStart(fmt::format(
        "x: row {} of faces (vertices {}) is stretched by {:.6g}, and its limit is {:.6g}; limit steps with "
        "largest_step_within, or raise the limit",
        triangle, fmt::join(stencils()[triangle], ", "), largest_stretch(x, triangle), limit(triangle).stretch));
}

/// The stretch along the step is convex: the chord between a t within and one beyond lies above it, and meets the limit
/// where the stretch is still within.
double StrainLimit::within_until(std::size_t triangle, const ConstPositions& x, const ConstPositions& dx) const
{
    const Mat<3, 2> F = shapes_.deformation(triangle, edges_of(stencils()[triangle], x));
    const Mat<3, 2> dF = shapes_.deformation(triangle, edges_of(stencils()[triangle], dx));
    const double limit = shapes_.parameter(triangle, 0);
    const auto excess = [&](double t) { return larger_stretch(F + t * dF) - limit; };
    double low = 0, high = 1, at_low = excess(0), at_high = excess(1);
    if (!(at_low < rounding * limit))
        throw_beyond(x, triangle);
    if (at_high < 0)
        return 1;
    at_low = std::min(at_low, -rounding * limit);
    while (high - low > found_to * high) {
        const double chord = low + (high - low) * (at_low / (at_low - at_high));
        // Where the chord makes little way, or by rounding none at all, halving does.
        for (const double t : {chord, 0.5 * (low + high)}) {
            if (!(t > low && t < high))
                continue;
            const double at_t = excess(t);
            (at_t < 0 ? low : high) = t;
            (at_t < 0 ? at_low : at_high) = at_t;
        }
        if (high < std::numeric_limits<double>::min())
            break;
    }
    return low;
}

bool StrainLimit::is_end_within(std::size_t triangle, const ConstPositions& x, const ConstPositions& dx, double t) const
{
    const std::span<const int> corners = stencils()[triangle];
    Mat<3, 3> end;
    for (int i = 0; i < 3; ++i)
        end.col(i) = point<3>(x, corners[i]) + t * point<3>(dx, corners[i]);
    const Mat<3, 2> edges = end.rightCols<2>().colwise() - end.col(0);
    const double stretch = larger_stretch(shapes_.deformation(triangle, edges));
    return is_within(stretch, shapes_.parameter(triangle, 0)) || stretch <= largest_stretch(x, triangle);
}

double StrainLimit::step_within_of(std::size_t triangle, const ConstPositions& x, const ConstPositions& dx) const
{
    const double reached = within_until(triangle, x, dx);
    double t = reached < 1 ? share_of_way * reached : 1;
    while (!is_end_within(triangle, x, dx, t))
        t /= 2;
    return t;
}

double StrainLimit::largest_step_within(const ConstPositions& x, const ConstPositions& dx) const
{
    validate_positions(x, num_vertices(), 3, "x");
    validate_positions(dx, num_vertices(), 3, "dx");
    const auto least = [&](auto&& of_triangle) {
        return parallel_reduce(
            shapes_.size(), triangles_per_task, 1.0,
            [&](std::size_t begin, std::size_t end) {
                double smallest = 1;
                for (std::size_t k = begin; k < end; ++k)
                    smallest = std::min(smallest, of_triangle(k));
                return smallest;
            },
            [](double a, double b) { return std::min(a, b); });
    };
    const double reached = least([&](std::size_t k) { return within_until(k, x, dx); });
    // Rounding of the end positions can stretch a triangle that is within in real numbers, most of all far from the
    // origin. Halving ends: the triangles of x are within, and a step that is short enough does not change x.
    double t = reached < 1 ? share_of_way * reached : 1;
    while (least([&](std::size_t k) { return is_end_within(k, x, dx, t) ? 1.0 : 0.0; }) < 1)
        t /= 2;
    return t;
}

} // namespace abut
