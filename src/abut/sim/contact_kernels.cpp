#include "abut/sim/block_kernels.hpp"

#include "abut/base/parallel.hpp"
#include "abut/contact/pair_hessian.hpp"
#include "abut/contact/term_geometry.hpp"
#include "abut/solver/block_rounds.hpp"

#include <array>

namespace abut {

namespace {

constexpr int lanes_of_group = BlockGroups::width;
constexpr std::size_t corners_per_batch = 64;

Eigen::Map<const Vec3> point_of(const double* points, int vertex)
{
    return Eigen::Map<const Vec3>(points + 4 * std::size_t(vertex));
}

/// Adds a gradient and bend n nᵀ of a direction n.
void add_outer(double* to, const Vec3& gradient, const Vec3& n, double bend)
{
    constexpr int w = lanes_of_group;
    for (int a = 0; a < 3; ++a)
        to[a * w] += gradient[a];
    to[3 * w] += bend * n[0] * n[0];
    to[4 * w] += bend * n[0] * n[1];
    to[5 * w] += bend * n[0] * n[2];
    to[6 * w] += bend * n[1] * n[1];
    to[7 * w] += bend * n[1] * n[2];
    to[8 * w] += bend * n[2] * n[2];
}

/// The direction of a pair's distance, its length, and how it changes with the corner itself.
struct PairDistance {
    Vec3 normal; ///< unit vector from the second element to the first
    double distance;
    double coefficient; ///< of the corner
};

/// A corner of a pair that presses.
struct PressingCorner {
    PairKind kind;
    EdgeEdgeFeature feature = EdgeEdgeFeature::a_b;
    int corner, place, count;
    std::array<int, 4> vertices{}; ///< blocks of unknowns
    double weight, offset = 0, eps_x = 0;
    int plane = -1;
};

/// Which vertices move a corner's pair, and how far each may come while it surely presses on nothing.
struct Watched {
    std::array<int, 4> vertices{}; ///< blocks of unknowns; the first again where there are fewer
    double quiet;                  ///< [m]; negative where the pair may press from the start

    [[nodiscard]] bool is_quiet(const double* points) const
    {
        const auto moved = [&](int i) { return points[4 * std::size_t(vertices[i]) + 3]; };
        return std::max(std::max(moved(0), moved(1)), std::max(moved(2), moved(3))) <= quiet;
    }
};

/// How far the vertices of a pair may come from where they are before it presses.
///
/// Between closest points within two elements lies d n, n perpendicular to both. After moves of up to δ it is d n + Δ,
/// |Δ| <= 2 δ, and the distance that the frozen feature measures is its part along the new n': at least
/// d cos θ − 2 δ. With n along u x v and s = |u x v| the angle between n and n' has sin θ <= (2 δ (|u| + |v|) + 4 δ²) /
/// s, and where the normal of one direction u is meant, 2 δ / |u|.
class QuietMoves {
public:
    QuietMoves(const NormalCollisions& collisions, Positions X, const std::vector<Plane>& planes, double range)
        : collisions_(collisions), X_(std::move(X)), planes_(planes), range_(range)
    {}

    [[nodiscard]] double of(std::size_t term) const
    {
        const NormalCollision pair = collisions_[term];
        const Lever lever = lever_of(pair);
        constexpr double margin = 1e-6, largest_sine = 0.5, rounding = 1e-9;
        const double range = (range_ + pair.offset) * (1 + rounding);
        double move = (1 - margin) * (lever.distance - range) / 2;
        for (int k = 0; k < 8 && move > 0; ++k, move *= 0.8) {
            const double sine = 2 * move * (lever.lengths + 2 * move * lever.has_two) / lever.area;
            if (sine <= largest_sine && lever.distance * std::sqrt(1 - sine * sine) - 2 * move >= range)
                return move;
        }
        return -1;
    }

private:
    /// The distance at the start; |u| + |v| and s of two directions, or 1 and |u| of one. A distance of 0 where closest
    /// points are not within their elements, or edges nearly parallel.
    struct Lever {
        double distance, lengths = 0, area = INFINITY, has_two = 0;
    };

    [[nodiscard]] Lever lever_of(const NormalCollision& pair) const
    {
        const auto x = [&](int i) { return Vec3(lifted(X_, pair.vertices[i])); };
        switch (pair.kind) {
        case PairKind::vertex_vertex:
            return {(x(0) - x(1)).norm()};
        case PairKind::edge_vertex: {
            const Vec3 edge = x(2) - x(1), to = x(0) - x(1);
            const double squared = edge.squaredNorm(), t = to.dot(edge) / squared;
            if (!(t >= 0 && t <= 1))
                return {0};
            return {(to - t * edge).norm(), 1, std::sqrt(squared)};
        }
        case PairKind::face_vertex: {
            const Vec3 u = x(2) - x(1), v = x(3) - x(1), to = x(0) - x(1), n = u.cross(v);
            const double squared = n.squaredNorm(), length = std::sqrt(squared);
            const double a = to.cross(v).dot(n) / squared, b = u.cross(to).dot(n) / squared;
            if (!(a >= 0 && b >= 0 && a + b <= 1))
                return {0};
            return {std::abs(n.dot(to)) / length, u.norm() + v.norm(), length, 1};
        }
        case PairKind::edge_edge: {
            const Vec3 u = x(1) - x(0), v = x(3) - x(2), n = u.cross(v);
            const double squared = n.squaredNorm(), uu = u.squaredNorm(), vv = v.squaredNorm();
            if (pair.feature == EdgeEdgeFeature::a_b) {
                constexpr double nearly_parallel = 1e-4; // far from where features are measured otherwise
                const Vec3 to = x(0) - x(2);
                const double s = v.cross(to).dot(n) / squared, t = u.cross(to).dot(n) / squared;
                if (!(squared > nearly_parallel * uu * vv && s >= 0 && s <= 1 && t >= 0 && t <= 1))
                    return {0};
                const double length = std::sqrt(squared);
                return {std::abs(n.dot(to)) / length, std::sqrt(uu) + std::sqrt(vv), length, 1};
            }
            const auto closest = edge_edge_closest(x(0), x(1), x(2), x(3), pair.feature);
            if (!((closest.w.array().abs() <= 1).all()))
                return {0};
            return {closest.r.norm(), 1, std::sqrt(std::min(uu, vv))};
        }
        case PairKind::plane_vertex:
            return {signed_distance(planes_[pair.elements[0]], x(0))};
        default:
            return {0};
        }
    }

    const NormalCollisions& collisions_;
    Positions X_;
    const std::vector<Plane>& planes_;
    double range_;
};

/// Of nearly parallel edges: the factor z (2 - z), z = |u x v|² / eps_x, where that is below 1, and its derivative.
struct Fading {
    double factor = 1;
    Vec3 gradient = Vec3::Zero();
};

class ContactBlocks final : public BlockTerms {
public:
    ContactBlocks(const BarrierContact& contact, const SurfaceMap& map, const Unknowns& x, const BlockGroups& groups)
        : potential_(contact.potential), range_{.dhat = potential_.dhat(), .dmin = contact.collisions.options().dmin},
          scale_(potential_.scale(range_.dmin)), planes_(map.mesh().planes())
    {
        const BlockCorners sorted(map.to_unknowns(contact.collisions.stencils()), groups);
        starts_ = sorted.starts;
        const QuietMoves quiet(contact.collisions, map.positions(x), planes_, range_.dmin + range_.dhat);
        std::vector<double> quiet_moves(contact.collisions.size());
        parallel_for(quiet_moves.size(), 1024, [&](std::size_t term) { quiet_moves[term] = quiet.of(term); });
        corners_.reserve(sorted.corners.size());
        watched_.reserve(sorted.corners.size());
        for (const auto& [term, corner, place, count] : sorted.corners) {
            const NormalCollision pair = contact.collisions[term];
            PressingCorner own{
                .kind = pair.kind,
                .feature = pair.feature,
                .corner = corner,
                .place = place,
                .count = count,
                .weight = scale_ * pair.weight,
                .offset = pair.offset,
                .eps_x = pair.eps_x,
                .plane = pair.kind == PairKind::plane_vertex ? pair.elements[0] : -1};
            for (std::size_t i = 0; i < pair.vertices.size(); ++i)
                own.vertices[i] = map.block_of(pair.vertices[i]);
            Watched watched{.quiet = quiet_moves[term]};
            watched.vertices.fill(own.vertices[0]);
            std::copy_n(own.vertices.begin(), pair.vertices.size(), watched.vertices.begin());
            corners_.push_back(own);
            watched_.push_back(watched);
        }
    }

    void add(const double* points, std::size_t first, std::size_t last, double* sums) const override
    {
        std::array<const PressingCorner*, corners_per_batch> corners;
        std::array<PairDistance, corners_per_batch> pairs;
        std::array<double, corners_per_batch> squared;
        std::array<LawTerm, corners_per_batch> laws;
        for (std::size_t next = starts_[first]; next < starts_[last];) {
            std::size_t count = 0;
            for (; next < starts_[last] && count < corners_per_batch; ++next)
                if (!watched_[next].is_quiet(points))
                    corners[count++] = &corners_[next];
            for (std::size_t k = 0; k < count; ++k) {
                pairs[k] = distance_of(*corners[k], points);
                const double gap = std::max(0.0, pairs[k].distance - corners[k]->offset);
                squared[k] = gap * gap;
            }
            potential_.law().evaluate(range_, {squared.data(), count}, {laws.data(), count});
            for (std::size_t k = 0; k < count; ++k) {
                const PressingCorner& corner = *corners[k];
                const std::size_t place = corner.place - first * lanes_of_group;
                add_corner(
                    corner, pairs[k], laws[k], squared[k], points,
                    sums + place / lanes_of_group * (num_block_sums * lanes_of_group) + place % lanes_of_group);
            }
        }
    }

private:
    [[nodiscard]] PairDistance distance_of(const PressingCorner& corner, const double* points) const
    {
        const auto x = [&](int i) { return point_of(points, corner.vertices[i]); };
        const auto along = [&](const Vec3& r, double coefficient) {
            const double length = r.norm();
            return PairDistance{r / length, length, coefficient};
        };
        // With offsets closest points stay within their features, as in contact/term_geometry.hpp.
        const bool is_offset = corner.offset > 0;
        switch (corner.kind) {
        case PairKind::vertex_vertex:
            return along(x(0) - x(1), corner.corner == 0 ? 1 : -1);
        case PairKind::edge_vertex: {
            const Vec3 edge = x(2) - x(1), to = x(0) - x(1);
            double t = to.dot(edge) / edge.squaredNorm();
            if (is_offset)
                t = std::clamp(t, 0.0, 1.0);
            return along(to - t * edge, corner.corner == 0 ? 1 : corner.corner == 1 ? t - 1 : -t);
        }
        case PairKind::face_vertex: {
            const Vec3 u = x(2) - x(1), v = x(3) - x(1), to = x(0) - x(1), n = u.cross(v);
            const double squared = n.squaredNorm(), height = n.dot(to), length = std::sqrt(squared);
            const double a = to.cross(v).dot(n) / squared, b = u.cross(to).dot(n) / squared;
            if (is_offset && !(a >= 0 && b >= 0 && a + b <= 1)) {
                const Vec3 at = point_triangle_coordinates(x(0), x(1), x(2), x(3));
                return along(to - at[1] * u - at[2] * v, corner.corner == 0 ? 1 : -at[corner.corner - 1]);
            }
            const double coefficient = corner.corner == 0   ? 1
                                       : corner.corner == 1 ? a + b - 1
                                       : corner.corner == 2 ? -a
                                                            : -b;
            return {(height < 0 ? -1 / length : 1 / length) * n, std::abs(height) / length, coefficient};
        }
        case PairKind::edge_edge: {
            EdgeEdgeFeature feature = corner.feature;
            if (is_offset) {
                Mat<3, 4> ends;
                ends << x(0), x(1), x(2), x(3);
                feature = feature_within(ends, feature);
            }
            if (const Vec3 u = x(1) - x(0), v = x(3) - x(2), n = u.cross(v);
                feature == EdgeEdgeFeature::a_b && is_crossing(u, v, n)) {
                const Vec3 to = x(0) - x(2);
                const double squared = n.squaredNorm(), height = n.dot(to), length = std::sqrt(squared);
                const double s = v.cross(to).dot(n) / squared, t = u.cross(to).dot(n) / squared;
                const double coefficient = corner.corner == 0   ? 1 - s
                                           : corner.corner == 1 ? s
                                           : corner.corner == 2 ? t - 1
                                                                : -t;
                return {(height < 0 ? -1 / length : 1 / length) * n, std::abs(height) / length, coefficient};
            }
            const auto closest = edge_edge_closest(Vec3(x(0)), Vec3(x(1)), Vec3(x(2)), Vec3(x(3)), feature);
            return along(closest.r, closest.w[corner.corner]);
        }
        case PairKind::plane_vertex: {
            const Plane& plane = planes_[corner.plane];
            return {plane.normal, signed_distance(plane, Vec3(x(0))), 1};
        }
        default:
            ABUT_ASSERT(false);
            return {};
        }
    }

    /// At an angle that leaves enough digits to products of the two edges?
    [[nodiscard]] static bool is_crossing(const Vec3& u, const Vec3& v, const Vec3& n)
    {
        return n.squaredNorm() > 1e-6 * u.squaredNorm() * v.squaredNorm();
    }

    [[nodiscard]] static Fading fading_of(const PressingCorner& corner, const double* points)
    {
        const auto x = [&](int i) { return point_of(points, corner.vertices[i]); };
        const Vec3 u = x(1) - x(0), v = x(3) - x(2), c = u.cross(v);
        const double z = c.squaredNorm() / corner.eps_x;
        if (!(z < 1))
            return {};
        const Vec3 by = corner.corner < 2 ? v.cross(c) : c.cross(u); // half of d|c|² by u or by v
        const double sign = corner.corner % 2 == 0 ? -1 : 1;
        return {z * (2 - z), (2 - 2 * z) * sign * 2 / corner.eps_x * by};
    }

    void add_corner(
        const PressingCorner& corner, const PairDistance& pair, const LawTerm& law, double squared,
        const double* points, double* to) const
    {
        if (law.first == 0 && law.value == 0)
            return;
        // By the gap d itself instead of its square D: b' 2d and b'' 4D + 2b'
        const double first = 2 * std::sqrt(squared) * law.first, second = 4 * squared * law.second + 2 * law.first;
        Fading fading;
        if (corner.kind == PairKind::edge_edge)
            fading = fading_of(corner, points);
        const Vec3 gradient =
            corner.weight * (fading.factor * first * pair.coefficient * pair.normal + law.value * fading.gradient);
        const double bend = std::max(0.0, corner.weight * fading.factor * second) * pair.coefficient * pair.coefficient;
        add_outer(to, gradient, pair.normal, corner.count * bend);
    }

    BarrierPotential potential_;
    ContactRange range_;
    double scale_;
    std::vector<Plane> planes_;
    std::vector<std::size_t> starts_;
    std::vector<PressingCorner> corners_;
    std::vector<Watched> watched_; // of each corner
};

/// A corner of a pair that slides.
struct SlidingCorner {
    int place, count;
    std::array<int, 4> vertices{}; ///< blocks of unknowns; idle ones have the coefficient 0
    std::array<double, 4> coefficients{};
    double own, force;        ///< coefficient of the corner; normal force with weight
    Vec3 origin;              ///< of the sum of positions
    Mat<3, 2> basis;          ///< P A
    Vec2 slip = Vec2::Zero(); ///< of the anchor
    double reach = 1;         ///< of the anchor
};

class SlidingBlocks final : public BlockTerms {
public:
    SlidingBlocks(
        const TangentialCollisions& collisions, std::shared_ptr<const TangentialPotential> potential,
        const SurfaceMap& map, const Positions& origin, const BlockGroups& groups)
        : potential_(std::move(potential))
    {
        const BlockCorners sorted(map.to_unknowns(collisions.stencils()), groups);
        const auto& aniso = collisions.friction().mu_aniso;
        starts_.assign(sorted.starts.size(), 0);
        for (const auto& [term, corner, place, count] : sorted.corners) {
            const TangentialCollision pair = collisions[term];
            if (pair.weight * pair.normal_force == 0)
                continue; // what does not press does not rub
            ++starts_[place / lanes_of_group + 1];
            SlidingCorner own{
                .place = place,
                .count = count,
                .own = pair.coefficients[corner],
                .force = pair.weight * pair.normal_force,
                .origin = Vec3::Zero(),
                .basis = pair.basis};
            own.vertices.fill(map.block_of(pair.vertices[0]));
            for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
                own.vertices[i] = map.block_of(pair.vertices[i]);
                own.coefficients[i] = pair.coefficients[i];
                own.origin += pair.coefficients[i] * lifted(origin, own.vertices[i]);
            }
            for (int a = 0; a < 2; ++a)
                own.basis.col(a) *= aniso[a];
            if (map.mesh().dim() == 2)
                own.basis.col(1).setZero(); // there is one direction to slide in
            if (pair.anchor != nullptr) {
                own.slip = pair.anchor->slip;
                own.reach = pair.anchor->reach;
            }
            corners_.push_back(own);
            mu_s_.push_back(pair.mu_s);
            mu_k_.push_back(pair.mu_k);
        }
        for (std::size_t group = 1; group < starts_.size(); ++group)
            starts_[group] += starts_[group - 1];
    }

    void add(const double* points, std::size_t first, std::size_t last, double* sums) const override
    {
        std::array<Vec2, corners_per_batch> sliding;
        std::array<double, corners_per_batch> speeds;
        std::array<TangentialTerm, corners_per_batch> laws;
        for (std::size_t begin = starts_[first]; begin < starts_[last]; begin += corners_per_batch) {
            const std::size_t count = std::min(corners_per_batch, starts_[last] - begin);
            for (std::size_t k = 0; k < count; ++k) {
                const SlidingCorner& corner = corners_[begin + k];
                Vec3 moved = -corner.origin;
                for (int i = 0; i < 4; ++i)
                    moved += corner.coefficients[i] * point_of(points, corner.vertices[i]);
                sliding[k] = corner.slip + corner.basis.transpose() * moved;
                speeds[k] = sliding[k].norm() / corner.reach;
            }
            potential_->evaluate_law(
                {speeds.data(), count}, {mu_s_.data() + begin, count}, {mu_k_.data() + begin, count},
                {laws.data(), count});
            for (std::size_t k = 0; k < count; ++k) {
                const SlidingCorner& corner = corners_[begin + k];
                const std::size_t place = corner.place - first * lanes_of_group;
                double* to = sums + place / lanes_of_group * (num_block_sums * lanes_of_group) + place % lanes_of_group;
                const double across = corner.force * laws[k].first_over_y / corner.reach;
                const Vec3 gradient = corner.own * across * (corner.basis * sliding[k]);
                const double bend = std::max(0.0, corner.count * corner.own * corner.own * across);
                add_outer(to, gradient, corner.basis.col(0), bend);
                add_outer(to, Vec3::Zero(), corner.basis.col(1), bend);
            }
        }
    }

private:
    std::shared_ptr<const TangentialPotential> potential_;
    std::vector<std::size_t> starts_;
    std::vector<SlidingCorner> corners_;
    std::vector<double> mu_s_, mu_k_;
};

} // namespace

std::unique_ptr<BlockTerms>
make_block_terms(const BarrierContact& contact, const SurfaceMap& map, const Unknowns& x, const BlockGroups& groups)
{
    if (map.mesh().dim() != 3 || !contact.potential.law().is_concurrent())
        return nullptr;
    return std::make_unique<ContactBlocks>(contact, map, x, groups);
}

std::unique_ptr<BlockTerms> make_block_terms(
    const TangentialCollisions& collisions, std::shared_ptr<const TangentialPotential> potential, const SurfaceMap& map,
    const Positions& origin, const BlockGroups& groups)
{
    return std::make_unique<SlidingBlocks>(collisions, std::move(potential), map, origin, groups);
}

} // namespace abut
