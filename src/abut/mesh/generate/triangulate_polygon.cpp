#include "abut/mesh/generate/triangulate_polygon.hpp"

#include "abut/base/assert.hpp"
#include "abut/geometry/predicates.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

namespace abut {

namespace {

bool lexicographically_less(const Vec2& a, const Vec2& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); }

/// Sweeps a line over the polygon's edges from left to right and looks for neighbours along it that meet.
class EdgeSweep {
public:
    explicit EdgeSweep(const std::vector<Vec2>& points)
        : points_(points), n_(static_cast<int>(points.size())), active_(Below{this}), where_(points.size())
    {}

    bool finds_intersection()
    {
        std::vector<int> order(points_.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](int a, int b) { return lexicographically_less(at(a), at(b)); });
        for (std::size_t i = 0; i + 1 < order.size(); ++i)
            if (at(order[i]) == at(order[i + 1]))
                return true;

        for (const int v : order) {
            const int before = v == 0 ? n_ - 1 : v - 1;
            for (const int edge : {before, v})
                if (right(edge) == v)
                    remove(edge);
            for (const int edge : {before, v})
                if (left(edge) == v)
                    insert(edge);
            if (found_)
                return true;
        }
        return false;
    }

private:
    // Edge e joins the corners e and e + 1.
    [[nodiscard]] const Vec2& at(int corner) const { return points_[std::size_t(corner)]; }
    [[nodiscard]] int next(int corner) const { return corner + 1 == n_ ? 0 : corner + 1; }
    [[nodiscard]] int left(int e) const { return lexicographically_less(at(e), at(next(e))) ? e : next(e); }
    [[nodiscard]] int right(int e) const { return left(e) == e ? next(e) : e; }

    /// Order of two edges along the sweep line. Edges that touch have none; they are noted as found.
    struct Below {
        EdgeSweep* sweep;
        bool operator()(int e, int f) const { return sweep->is_below(e, f); }
    };

    bool is_below(int e, int f)
    {
        if (e == f)
            return false;
        const int le = left(e), lf = left(f);
        int side = 0; // of f, seen from e
        if (le == lf)
            side = orientation(at(le), at(right(e)), at(right(f)));
        else if (lexicographically_less(at(le), at(lf)))
            side = orientation(at(le), at(right(e)), at(lf));
        else
            side = -orientation(at(lf), at(right(f)), at(le));
        if (side == 0) {
            found_ = true;
            return e < f;
        }
        return side > 0;
    }

    void insert(int edge)
    {
        const auto it = active_.insert(edge).first;
        where_[std::size_t(edge)] = it;
        if (it != active_.begin())
            test(*std::prev(it), edge);
        if (std::next(it) != active_.end())
            test(edge, *std::next(it));
    }

    void remove(int edge)
    {
        const auto after = active_.erase(where_[std::size_t(edge)]);
        if (after != active_.begin() && after != active_.end())
            test(*std::prev(after), *after);
    }

    void test(int e, int f)
    {
        // Edges with a common corner meet there and, unless they overlap, nowhere else.
        if (next(e) == f || next(f) == e) {
            const int middle = next(e) == f ? f : e;
            const Vec2& a = at(middle == 0 ? n_ - 1 : middle - 1);
            const Vec2& b = at(next(middle));
            const bool same_side = lexicographically_less(a, at(middle)) == lexicographically_less(b, at(middle));
            found_ |= same_side && orientation(a, at(middle), b) == 0;
        } else {
            found_ |= segments_intersect(at(e), at(next(e)), at(f), at(next(f)));
        }
    }

    const std::vector<Vec2>& points_;
    int n_;
    bool found_ = false;
    std::set<int, Below> active_;
    std::vector<std::set<int, Below>::iterator> where_;
};

} // namespace

PolygonStatus PolygonTriangulator::run(std::span<const Vec3> corners)
{
    triangles_.clear();
    if (corners.size() < 3 || !project(corners))
        return PolygonStatus::degenerate;
    if (is_convex()) {
        for (int i = 1; i + 1 < static_cast<int>(corners.size()); ++i)
            triangles_.push_back({0, i, i + 1});
        return PolygonStatus::triangulated;
    }
    if (corners.size() > max_concave_corners)
        return PolygonStatus::too_many_corners;
    if (!is_simple())
        return PolygonStatus::self_intersecting;
    cut_ears();
    return PolygonStatus::triangulated;
}

/// Drops the coordinate of the largest component of the normal, a map that is exact and keeps a plane polygon simple.
/// False if all corners come to lie on a line.
bool PolygonTriangulator::project(std::span<const Vec3> corners)
{
    Vec3 normal = Vec3::Zero();
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
        normal += (corners[i] - corners[0]).cross(corners[i + 1] - corners[0]);
    Eigen::Index axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    const Eigen::Index u = (axis + 1) % 3, v = (axis + 2) % 3;
    points_.clear();
    for (const Vec3& corner : corners)
        points_.emplace_back(corner[u], corner[v]);

    // The turn at the extreme corner is the polygon's own. There it cannot be straight unless edges overlap or
    // coincide.
    const std::size_t n = points_.size();
    const std::size_t extreme =
        std::size_t(std::min_element(points_.begin(), points_.end(), lexicographically_less) - points_.begin());
    const int turn = orientation(points_[(extreme + n - 1) % n], points_[extreme], points_[(extreme + 1) % n]);
    if (turn < 0)
        for (Vec2& point : points_)
            std::swap(point.x(), point.y());
    if (turn != 0)
        return true;
    const Vec2& farthest = *std::max_element(points_.begin(), points_.end(), lexicographically_less);
    return std::any_of(points_.begin(), points_.end(), [&](const Vec2& point) {
        return orientation(points_[extreme], farthest, point) != 0;
    });
}

/// Strictly convex: every corner turns left, and all together they turn around once. Then the edges change their
/// direction along the sweep twice.
bool PolygonTriangulator::is_convex() const
{
    const std::size_t n = points_.size();
    int changes = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec2 &a = points_[i], &b = points_[(i + 1) % n], &c = points_[(i + 2) % n];
        if (orientation(a, b, c) <= 0)
            return false;
        changes += lexicographically_less(a, b) != lexicographically_less(b, c);
    }
    return changes == 2;
}

bool PolygonTriangulator::is_simple() const { return !EdgeSweep(points_).finds_intersection(); }

void PolygonTriangulator::cut_ears()
{
    const int n = static_cast<int>(points_.size());
    const auto at = [&](int corner) -> const Vec2& { return points_[std::size_t(corner)]; };
    std::vector<int> before(points_.size()), after(points_.size());
    for (int i = 0; i < n; ++i) {
        before[std::size_t(i)] = i == 0 ? n - 1 : i - 1;
        after[std::size_t(i)] = i + 1 == n ? 0 : i + 1;
    }
    const auto turn = [&](int i) { return orientation(at(before[std::size_t(i)]), at(i), at(after[std::size_t(i)])); };

    // Only corners that are not convex can lie in an ear. They are kept sorted by x. Cutting ears can make such a
    // corner convex, but never a convex one concave.
    struct Blocker {
        Vec2 at;
        int corner;
        bool convex;
    };
    std::vector<Blocker> blockers;
    std::vector<char> convex(points_.size());
    for (int i = 0; i < n; ++i) {
        convex[std::size_t(i)] = turn(i) > 0;
        if (!convex[std::size_t(i)])
            blockers.push_back({at(i), i, false});
    }
    std::sort(blockers.begin(), blockers.end(), [](const Blocker& a, const Blocker& b) {
        return lexicographically_less(a.at, b.at);
    });
    std::vector<int> blocker_of(points_.size(), -1);
    for (std::size_t k = 0; k < blockers.size(); ++k)
        blocker_of[std::size_t(blockers[k].corner)] = static_cast<int>(k);

    const auto is_ear = [&](int i) {
        const int p = before[std::size_t(i)], q = after[std::size_t(i)];
        const Vec2 &a = at(p), &b = at(i), &c = at(q);
        const Vec2 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
        auto it = std::lower_bound(blockers.begin(), blockers.end(), low.x(), [](const Blocker& blocker, double x) {
            return blocker.at.x() < x;
        });
        for (; it != blockers.end() && it->at.x() <= high.x(); ++it) {
            const Vec2& point = it->at;
            if (it->convex || point.y() < low.y() || point.y() > high.y() || it->corner == p || it->corner == q)
                continue;
            if (orientation(c, a, point) >= 0 && orientation(a, b, point) >= 0 && orientation(b, c, point) >= 0)
                return false;
        }
        return true;
    };

    // Cutting an ear can turn only its two neighbours into ears: among the corners that block another one the deepest
    // is not convex, so it stays until a corner of the blocked triangle changes. Hence 3 n tests at most.
    std::vector<int> queue;
    queue.reserve(3 * points_.size());
    for (int i = 0; i < n; ++i)
        queue.push_back(i);
    std::vector<char> cut(points_.size());
    int left = n;
    for (std::size_t head = 0; head < queue.size() && left > 3; ++head) {
        const int i = queue[head];
        if (cut[std::size_t(i)] || !convex[std::size_t(i)] || !is_ear(i))
            continue;
        const int p = before[std::size_t(i)], q = after[std::size_t(i)];
        triangles_.push_back({p, i, q});
        cut[std::size_t(i)] = true;
        after[std::size_t(p)] = q;
        before[std::size_t(q)] = p;
        --left;
        for (const int neighbour : {p, q}) {
            if (!convex[std::size_t(neighbour)] && turn(neighbour) > 0) {
                convex[std::size_t(neighbour)] = true;
                ABUT_ASSERT(blocker_of[std::size_t(neighbour)] >= 0); // it was not convex
                blockers[std::size_t(blocker_of[std::size_t(neighbour)])].convex = true;
            }
            queue.push_back(neighbour);
        }
    }
    ABUT_ASSERT(left == 3);
    const int last = static_cast<int>(std::find(cut.begin(), cut.end(), false) - cut.begin());
    triangles_.push_back({before[std::size_t(last)], last, after[std::size_t(last)]});
    ABUT_ASSERT(static_cast<int>(triangles_.size()) == n - 2);
}

} // namespace abut
