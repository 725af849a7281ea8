#include "abut/detect/detection.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/ranks.hpp"
#include "abut/detect/box.hpp"
#include "abut/detect/broad_phase.hpp"
#include "abut/detect/measure_lanes.hpp"
#include "abut/detect/measured_pair.hpp"
#include "abut/detect/near_search.hpp"
#include "abut/detect/own_candidates.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <numeric>

namespace abut {

namespace {

constexpr std::size_t pairs_per_chunk = 4096;

/// Runs find(begin, end, part) over chunks of [0, n) and joins the parts in order.
template <typename Find>
DetectedPairs joined(std::size_t n, Find&& find)
{
    std::vector<DetectedPairs> parts((n + pairs_per_chunk - 1) / pairs_per_chunk);
    parallel_ranges(n, pairs_per_chunk, [&](std::size_t begin, std::size_t end) {
        find(begin, end, parts[begin / pairs_per_chunk]);
    });
    std::vector<std::size_t> starts(parts.size() + 1, 0);
    for (std::size_t part = 0; part < parts.size(); ++part)
        starts[part + 1] = starts[part] + parts[part].size();
    DetectedPairs all;
    all.pairs.resize(starts.back());
    all.squared_distances.resize(starts.back());
    all.features.resize(starts.back());
    parallel_for(parts.size(), 4, [&](std::size_t k) {
        const DetectedPairs& part = parts[k];
        ABUT_ASSERT(part.squared_distances.size() == part.size() && part.features.size() == part.size());
        std::copy(part.pairs.begin(), part.pairs.end(), all.pairs.begin() + starts[k]);
        std::copy(
            part.squared_distances.begin(), part.squared_distances.end(), all.squared_distances.begin() + starts[k]);
        std::copy(part.features.begin(), part.features.end(), all.features.begin() + starts[k]);
    });
    return all;
}

void add(DetectedPairs& part, const IndexPair& pair, double squared_distance, std::uint8_t feature)
{
    part.pairs.push_back(pair);
    part.squared_distances.push_back(squared_distance);
    part.features.push_back(feature);
}

/// Measures the pairs, by measure(i, j, squared limit), one chunk per task, and keeps those closer than the range, in
/// order. Pair k is left out where is_far(k), which must not hold of pairs within range.
template <typename Measure, typename IsFar>
DetectedPairs within_range(
    PairKind kind, std::span<const IndexPair> pairs, const CollisionMesh& mesh, double range, Measure&& measure,
    IsFar&& is_far)
{
    const double squared_range = range * range;
    return joined(pairs.size(), [&](std::size_t begin, std::size_t end, DetectedPairs& part) {
        for (std::size_t k = begin; k < end; ++k) {
            if (is_far(k))
                continue;
            const double offset = pair_offset(mesh, kind, pairs[k][0], pairs[k][1]);
            const MeasuredPair measured =
                measure(pairs[k][0], pairs[k][1], offset == 0 ? squared_range : (range + offset) * (range + offset));
            ABUT_ASSERT(measured.squared_distance >= 0);
            if (const double squared = squared_gap(measured.squared_distance, offset); squared < squared_range)
                add(part, pairs[k], squared, measured.feature);
        }
    });
}

/// The same for edges and faces in space without offsets, a few at once.
template <PairKind kind, typename IsFar>
DetectedPairs within_range_in_lanes(
    std::span<const IndexPair> pairs, const CollisionMesh& mesh, const ConstPositions& X, double range, IsFar&& is_far)
{
    const double squared_range = range * range;
    return joined(pairs.size(), [&](std::size_t begin, std::size_t end, DetectedPairs& part) {
        const IndexPair *asked[pairs_per_chunk], *near[pairs_per_chunk];
        std::size_t count = 0;
        for (std::size_t k = begin; k < end; ++k) {
            asked[count] = &pairs[k];
            count += is_far(k) ? 0 : 1;
        }
        measure_lanes::measure<kind>(
            mesh, X, std::span(asked, count), near, [&](const IndexPair&) { return squared_range; },
            [&](const IndexPair& pair, const MeasuredPair& measured) {
                if (measured.squared_distance < squared_range)
                    add(part, pair, measured.squared_distance, measured.feature);
            });
    });
}

/// Distance of a point from the solid side of the plane: 0 for points in it.
double distance_to_half_space(const Plane& plane, const Vec3& x) { return std::max(0.0, signed_distance(plane, x)); }

/// The candidates closer than the range, less those that are known to be far: is_far(kind, k). Where the work is
/// shared, of this rank's share of them.
template <typename IsFar>
NearPairs measured_pairs(
    const Candidates& candidates, const CollisionMesh& mesh, const ConstPositions& X, double range, bool is_shared,
    IsFar&& is_far)
{
    ABUT_ASSERT(X.rows() == mesh.num_vertices() && X.cols() == mesh.dim());
    NearPairs near;
    const bool is_plane = mesh.dim() == 2;
    const auto share_of = [&](std::span<const IndexPair> pairs) {
        const OwnRange own = is_shared ? own_range(pairs.size()) : OwnRange{0, pairs.size()};
        return std::pair(own, pairs.subspan(own.begin, own.size()));
    };
    const auto keep = [&](auto kind, std::span<const IndexPair> pairs, auto&& measure) {
        const auto [own, some] = share_of(pairs);
        near[kind] = within_range(kind, some, mesh, range, measure, [&, begin = own.begin](std::size_t k) {
            return is_far(kind, begin + k);
        });
    };
    keep(KindConstant<PairKind::vertex_vertex>(), candidates.vv, [&](int i, int j, double) {
        return MeasuredPair{(X.row(i) - X.row(j)).squaredNorm(), 0};
    });
    keep(KindConstant<PairKind::edge_vertex>(), candidates.ev, [&](int e, int v, double) {
        return is_plane ? measure_edge_vertex<2>(mesh, X, e, v) : measure_edge_vertex<3>(mesh, X, e, v);
    });
    const auto keep_in_lanes = [&]<PairKind kind>(KindConstant<kind>) {
        if (mesh.offsets().empty()) {
            const auto [own, pairs] = share_of(candidates[kind]);
            near[kind] = within_range_in_lanes<kind>(
                pairs, mesh, X, range, [&, begin = own.begin](std::size_t k) { return is_far(kind, begin + k); });
        } else
            keep(KindConstant<kind>(), candidates[kind], [&](int i, int j, double limit) {
                return measure_pair<3>(KindConstant<kind>(), mesh, X, i, j, limit);
            });
    };
    if (!is_plane) {
        keep_in_lanes(KindConstant<PairKind::edge_edge>());
        keep_in_lanes(KindConstant<PairKind::face_vertex>());
    }
    keep(KindConstant<PairKind::plane_vertex>(), candidates.pv, [&](int i, int v, double) {
        const double distance = distance_to_half_space(mesh.planes()[i], lifted(X, v));
        return MeasuredPair{distance * distance, 0};
    });
    return near;
}

/// How vertices have moved, and by how much two elements may have come closer: points of them have moved against each
/// other by no more than some two of their vertices.
class Approach {
public:
    Approach(const CollisionMesh& mesh, const Positions& before, const Positions& now)
        : mesh_(mesh), moves_(Positions::Zero(now.rows(), 3)),
          rounding_(
              64 * std::numeric_limits<double>::epsilon() *
              std::max(before.cwiseAbs().maxCoeff(), now.cwiseAbs().maxCoeff()))
    {
        moves_.leftCols(now.cols()) = now - before;
    }

    /// Are elements that were this far apart surely farther apart than the range now, as distances are computed?
    [[nodiscard]] bool keeps_apart(PairKind kind, const IndexPair& pair, double distance, double range) const
    {
        const double room = distance * (1 - 1e-9) - range - rounding_;
        return room > 0 && squared(kind, pair) * (1 + 1e-9) < room * room;
    }

private:
    [[nodiscard]] double squared(PairKind kind, const IndexPair& pair) const
    {
        switch (kind) {
        case PairKind::edge_vertex:
            return between(corners_of(mesh_.edges(), pair[0]), std::array{pair[1]});
        case PairKind::edge_edge:
            return between(corners_of(mesh_.edges(), pair[0]), corners_of(mesh_.edges(), pair[1]));
        case PairKind::face_vertex:
            return between(corners_of(mesh_.faces(), pair[0]), std::array{pair[1]});
        case PairKind::plane_vertex:
            return move(pair[1]).squaredNorm();
        default:
            return between(std::array{pair[0]}, std::array{pair[1]});
        }
    }

    template <std::size_t M, std::size_t N>
    [[nodiscard]] double between(const std::array<int, M>& first, const std::array<int, N>& second) const
    {
        double largest = 0;
        for (const int i : first)
            for (const int j : second)
                largest = std::max(largest, (move(i) - move(j)).squaredNorm());
        return largest;
    }

    [[nodiscard]] Vec3 move(int vertex) const { return point<3>(moves_, vertex); }

    const CollisionMesh& mesh_;
    Positions moves_;
    double rounding_;
};

/// The pairs of all ranks, one behind the other.
NearPairs joined_pairs(NearPairs own)
{
    if (ranks().size() > 1)
        for_each_kind(
            [](PairKind, DetectedPairs& pairs) {
                pairs.pairs = joined_over_ranks(std::move(pairs.pairs));
                pairs.squared_distances = joined_over_ranks(std::move(pairs.squared_distances));
                pairs.features = joined_over_ranks(std::move(pairs.features));
            },
            own);
    return own;
}

/// Puts pairs that several ranks have found into their order.
void sort_pairs(NearPairs& near)
{
    for_each_kind(
        [](PairKind, DetectedPairs& pairs) {
            std::vector<std::uint32_t> order(pairs.size());
            std::iota(order.begin(), order.end(), 0);
            std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
                return pairs.pairs[a] < pairs.pairs[b];
            });
            DetectedPairs sorted;
            for (const std::uint32_t k : order) {
                sorted.pairs.push_back(pairs.pairs[k]);
                sorted.squared_distances.push_back(pairs.squared_distances[k]);
                sorted.features.push_back(pairs.features[k]);
            }
            pairs = std::move(sorted);
        },
        near);
}

double minimum_distance_to_planes(const CollisionMesh& mesh, const ConstPositions& X)
{
    const auto smaller = [](double a, double b) { return std::min(a, b); };
    const PairRules rules(mesh);
    return parallel_reduce(
        static_cast<std::size_t>(mesh.num_vertices()), 4096, std::numeric_limits<double>::infinity(),
        [&](std::size_t begin, std::size_t end) {
            double smallest = std::numeric_limits<double>::infinity();
            for (std::size_t v = begin; v < end; ++v)
                if (rules.plane_vertex(static_cast<int>(v)))
                    for (const Plane& plane : mesh.planes())
                        smallest = std::min(
                            smallest, std::max(
                                          0.0, distance_to_half_space(plane, lifted(X, static_cast<Eigen::Index>(v))) -
                                                   mesh.offsets().radius(static_cast<int>(v))));
            return smallest;
        },
        smaller);
}

} // namespace

NearPairs
find_near_pairs(const Candidates& candidates, const CollisionMesh& mesh, const ConstPositions& X, double range)
{
    return measured_pairs(candidates, mesh, X, range, false, [](PairKind, std::size_t) { return false; });
}

NearPairs NearPairs::closer_than(double range) const
{
    NearPairs closer;
    const auto select = [&](PairKind, const DetectedPairs& all, DetectedPairs& some) {
        ABUT_ASSERT(all.squared_distances.size() == all.size() && all.features.size() == all.size());
        for (std::size_t k = 0; k < all.size(); ++k)
            if (all.squared_distances[k] < range * range) {
                some.pairs.push_back(all.pairs[k]);
                some.squared_distances.push_back(all.squared_distances[k]);
                some.features.push_back(all.features[k]);
            }
    };
    for_each_kind(select, *this, closer);
    return closer;
}

Detection::Detection(const CollisionMesh& mesh, const DetectionOptions& options)
    : mesh_(mesh), options_(options), search_(std::make_shared<Search>())
{
    if (!(options.range > 0 && options.range <= max_coordinate))
        reject("range: {} is not a positive distance up to {} m", options.range, max_coordinate);
    if (!(options.slack >= 0 && options.slack <= 10))
        reject("slack: {} is not a share of the range between 0 and 10", options.slack);
}

Detection Detection::sharing() const
{
    Detection other(mesh_, options_);
    other.search_ = search_;
    return other;
}

void Detection::search(const Positions& X)
{
    Search& last = *search_;
    const double slack = options_.slack * options_.range;
    last.at.resize(0, 0);
    // Boxes overlap long before their elements are near: most candidates are too far to come within range while the
    // slack lasts, and are not looked at again. The margin is far larger than the rounding of distances.
    constexpr double margin = 0.05;
    const double inflation = (options_.range + slack) / 2, range = options_.range + (1 + margin) * slack;
    NearPairs wide;
    if (ranks().size() > 1) {
        wide = joined_pairs(find_near_pairs(own_candidates(mesh_, X, inflation), mesh_, X, range));
        sort_pairs(wide);
    } else
        wide = search_near_pairs(mesh_, X, inflation, range);
    pairs_ = wide.closer_than(options_.range);
    for_each_kind(
        [](PairKind, auto& kept, std::vector<double>& distances, DetectedPairs& found) {
            kept = std::move(found.pairs);
            distances = std::move(found.squared_distances);
            for (double& distance : distances)
                distance = std::sqrt(distance);
        },
        last.candidates, last.distances, wide);
    last.at = X;
    ++last.count;
}

void Detection::update(const ConstPositions& X_given)
{
    validate_positions(X_given, mesh_.num_vertices(), mesh_.dim(), "X");
    updated_at_.resize(0, 0); // an update that fails leaves nothing to use again
    const Positions X = X_given;
    const Search& last = *search_;
    const bool is_shared = search_.use_count() > 1;
    // Two elements approach by at most twice what a vertex has moved. The small share is for rounding.
    const double slack = options_.slack * options_.range;
    const bool is_near = last.at.size() != 0 && 2 * (X - last.at).rowwise().norm().maxCoeff() <= slack * (1 - 1e-9);
    if (is_shared && last.updated_at.rows() == X.rows() && last.updated_at == X)
        pairs_ = last.found;
    else if (is_near) {
        const Approach approach(mesh_, last.at, X);
        pairs_ = joined_pairs(
            measured_pairs(last.candidates, mesh_, X, options_.range, true, [&](PairKind kind, std::size_t k) {
                return approach.keeps_apart(kind, last.candidates[kind][k], last.distances[kind][k], options_.range);
            }));
    } else
        search(X);
    updated_at_ = X;
    if (is_shared) {
        search_->updated_at = X;
        search_->found = pairs_;
    }
}

double Detection::smallest_distance() const
{
    double smallest = std::numeric_limits<double>::infinity();
    const auto lower = [&](PairKind, const DetectedPairs& pairs) {
        for (const double squared : pairs.squared_distances)
            smallest = std::min(smallest, squared);
    };
    for_each_kind(lower, pairs_);
    return std::sqrt(smallest);
}

double compute_minimum_distance(const CollisionMesh& mesh, const ConstPositions& X)
{
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    const double to_planes =
        mesh.planes().empty() ? std::numeric_limits<double>::infinity() : minimum_distance_to_planes(mesh, X);
    if (to_planes == 0)
        return 0;
    const double diagonal = (X.colwise().maxCoeff() - X.colwise().minCoeff()).norm();
    // Search ever farther, from a range at which few pairs of a usual mesh are found. The last range finds every pair.
    for (double range = std::max(diagonal * 1e-4, std::numeric_limits<double>::min());; range *= 8) {
        Detection detection(mesh, {.range = range, .slack = 0});
        detection.update(X);
        const double smallest = detection.smallest_distance();
        if (std::isfinite(smallest) || range > diagonal)
            return std::min(smallest, to_planes);
    }
}

} // namespace abut
