#include "abut/detect/step_size.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/ranks.hpp"
#include "abut/detect/broad_phase.hpp"
#include "abut/detect/ccd_kernel.hpp"
#include "abut/detect/mesh_motion.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/mesh/validate.hpp"

#include <atomic>

namespace abut {

namespace {

constexpr std::size_t blocks_per_task = 64;
constexpr std::size_t vertices_per_task = 4096;
constexpr std::size_t pairs_per_task = 1024;

/// The safe time of one pair, which keeps a share of its distance.
struct PairStep {
    double toi;
    bool is_clear;
    double initial_distance;
    bool is_tight;
    int intervals;
};

/// What one task finds; tasks are joined in order.
struct Found {
    double step = 1;
    PairKind kind = PairKind::none;
    IndexPair pair{-1, -1};
    double initial_distance = 0;
    std::int64_t num_pairs = 0, num_intervals = 0;
    bool is_tight = false; // some pair keeps a gap that rounding of positions could close

    void add(const PairStep& measured, PairKind kind_of_pair, const IndexPair& elements)
    {
        ++num_pairs;
        num_intervals += measured.intervals;
        is_tight |= measured.is_tight;
        if (measured.is_clear)
            return;
        Found one;
        one.step = measured.toi;
        one.kind = kind_of_pair;
        one.pair = elements;
        one.initial_distance = measured.initial_distance;
        add(one);
    }

    void add(const Found& other)
    {
        num_pairs += other.num_pairs;
        num_intervals += other.num_intervals;
        is_tight |= other.is_tight;
        const auto key = [](const Found& f) { return std::tuple(f.step, f.kind, f.pair); };
        if (other.kind != PairKind::none && (kind == PairKind::none || key(other) < key(*this))) {
            step = other.step;
            kind = other.kind;
            pair = other.pair;
            initial_distance = other.initial_distance;
        }
    }
};

/// What all ranks have found.
Found joined(const Found& own)
{
    if (ranks().size() == 1)
        return own;
    Found all;
    for (const Found& each : of_all_ranks(own))
        all.add(each);
    return all;
}

/// Calls visit(kind, i, j, found) for pairs whose swept boxes overlap, with a `Found` for each task, and joins these:
/// for all such pairs, or, with a stride above 1, for a sample; of several ranks each visits its share. Ends early once
/// `is_over`.
template <typename Visit>
Found visit_pairs(
    const CollisionMesh& mesh, const BroadPhaseTrees& trees, std::size_t stride, std::atomic<bool>& is_over,
    Visit&& visit)
{
    Found all;
    for_each_candidate_kind(mesh, trees, [&](PairKind kind, int, int num_blocks, auto&& visit_blocks) {
        const OwnRange own = own_range(static_cast<std::size_t>(num_blocks), blocks_per_task);
        all.add(parallel_reduce(
            own.size(), blocks_per_task, Found{},
            [&](std::size_t begin, std::size_t end) {
                Found found;
                const auto visit_range = [&](std::size_t first, std::size_t last) {
                    visit_blocks(static_cast<int>(first), static_cast<int>(last), [&](int i, int j) {
                        visit(kind, i, j, found);
                    });
                };
                // Of a sample single blocks, of all eight at a time
                const std::size_t count = stride == 1 ? 8 : 1, next = std::max(stride, count);
                const std::size_t last = own.begin + end;
                for (std::size_t block = own.begin + begin; block < last && !is_over.load(std::memory_order_relaxed);
                     block += next)
                    visit_range(block, std::min(last, block + count));
                return found;
            },
            [](Found a, const Found& b) {
                a.add(b);
                return a;
            }));
    });
    is_over = any_rank(is_over);
    return joined(all);
}

/// `dmin`: that of the pair, its offset included.
template <int NA, int NB>
PairStep pair_step(
    const MovingPoints<NA>& a, const MovingPoints<NB>& b, double dmin, const StepSizeOptions& options, double tmax)
{
    ABUT_ASSERT(tmax >= 0 && tmax <= 1);
    const ccd::Query<NA, NB> query(a, b);
    const Vec3 closest = ccd::between_of<NA, NB>(query.start).closest;
    const Vec3 n = ccd::direction(closest);
    const double distance = ccd::Query<NA, NB>::gap(query.start, n) - query.error; // not above the exact one
    const double gap = distance - dmin;
    // Positions at the end of the step are rounded; a gap that is not well above that is looked at again.
    const double magnitude = std::max(
        {a.start.cwiseAbs().maxCoeff(), a.end.cwiseAbs().maxCoeff(), b.start.cwiseAbs().maxCoeff(),
         b.end.cwiseAbs().maxCoeff()});
    const bool is_tight = !((1 - options.rescaling) * gap > 256 * 0x1p-53 * magnitude + 16 * query.error);
    const double initial_distance = std::max(0.0, distance); // the error may take more from it than there is

    CcdOptions ccd_options{.dmin = dmin, .tmax = tmax, .tolerance = options.tolerance};
    if (gap > 0) {
        ccd_options.dmin += (1 - options.rescaling) * gap;
        if (ccd::Query<NA, NB>::gap(query.at(tmax), n) > ccd_options.dmin + query.error)
            return {tmax, true, initial_distance, is_tight, 1};
    }
    const CcdResult result = ccd::walk<NA, NB>(a, b, query, ccd_options);
    ABUT_ASSERT(result.toi >= 0 && result.toi <= tmax);
    return {result.toi, result.is_clear(), initial_distance, is_tight, result.intervals + 1};
}

/// Is the vertex above dmin of the plane at X0 + t (X1 - X0), as rounded by whoever evaluates that? Compilers may fuse
/// the product with the sum, so the lower of the two results counts, axis by axis.
bool is_above_at(const Plane& plane, const MovingPoints<1>& p, double t, double dmin)
{
    Vec3 lowest;
    for (int axis = 0; axis < 3; ++axis) {
        const double x = p.start[axis], motion = p.end[axis] - x;
        const double fused = std::fma(t, motion, x);
        const double apart = x + std::fma(t, motion, 0.0); // a product that cannot be fused
        lowest[axis] = plane.normal[axis] > 0 ? std::min(fused, apart) : std::max(fused, apart);
    }
    return side_of_plane(plane, lowest, dmin) > 0;
}

/// The safe time of a vertex that has to stay more than dmin above a plane; nothing for one that stays far above.
std::optional<PairStep>
plane_step(const Plane& plane, const MovingPoints<1>& p, double dmin, const StepSizeOptions& options)
{
    const Vec3 start = p.start, end = p.end;
    const double d0 = signed_distance(plane, start), d1 = signed_distance(plane, end);
    // As for pairs: positions at the end of the step are rounded, and so are distances.
    const double magnitude = std::max(start.cwiseAbs().maxCoeff(), end.cwiseAbs().maxCoeff());
    const double error =
        32 * 0x1p-53 *
            std::max((start - plane.point).cwiseAbs().maxCoeff(), (end - plane.point).cwiseAbs().maxCoeff()) +
        1e-300;
    const double rounding = 256 * 0x1p-53 * magnitude + 16 * error;
    if (d0 - dmin > rounding && d1 - dmin > rounding)
        return std::nullopt;
    if (side_of_plane(plane, start, dmin) <= 0)
        return PairStep{.toi = 0, .is_clear = false, .initial_distance = d0, .is_tight = true, .intervals = 1};

    const double kept = (1 - options.rescaling) * std::max(0.0, d0 - error - dmin);
    const bool is_tight = !(kept > rounding);
    double toi = ccd::plane_ccd(p, plane.point, plane.normal, {.dmin = dmin + kept}).toi;
    // A gap that rounding of the positions could close is tested at the rounded positions.
    while (is_tight && toi > 0 && !is_above_at(plane, p, toi, dmin))
        toi /= 2;
    ABUT_ASSERT(toi >= 0 && toi <= 1);
    return PairStep{.toi = toi, .is_clear = toi == 1, .initial_distance = d0, .is_tight = is_tight, .intervals = 1};
}

/// Steps of all vertices towards all planes. No limit on pairs: their number does not depend on the step.
Found search_planes(const CollisionMesh& mesh, const MeshMotion& motion, const StepSizeOptions& options)
{
    Found all;
    const PairRules rules(mesh);
    for (int i = 0; i < static_cast<int>(mesh.planes().size()); ++i)
        all.add(parallel_reduce(
            static_cast<std::size_t>(mesh.num_vertices()), vertices_per_task, Found{},
            [&](std::size_t begin, std::size_t end) {
                Found found;
                for (int v = static_cast<int>(begin); v < static_cast<int>(end); ++v)
                    if (rules.plane_vertex(v))
                        if (const auto step = plane_step(
                                mesh.planes()[i], motion.vertex(v), options.dmin + mesh.offsets().radius(v), options))
                            found.add(*step, PairKind::plane_vertex, {i, v});
                return found;
            },
            [](Found a, const Found& b) {
                a.add(b);
                return a;
            }));
    return all;
}

/// Does is_above(plane, moving vertex, its offset) hold for all planes and vertices?
template <typename IsAbove>
bool all_above(const CollisionMesh& mesh, const MeshMotion& motion, IsAbove&& is_above)
{
    const PairRules rules(mesh);
    return parallel_reduce(
        static_cast<std::size_t>(mesh.num_vertices()), vertices_per_task, true,
        [&](std::size_t begin, std::size_t end) {
            for (const Plane& plane : mesh.planes())
                for (int v = static_cast<int>(begin); v < static_cast<int>(end); ++v)
                    if (rules.plane_vertex(v) && !is_above(plane, motion.vertex(v), mesh.offsets().radius(v)))
                        return false;
            return true;
        },
        [](bool a, bool b) { return a && b; });
}

/// Steps of pairs during [0, tmax], of all or of a sample; nothing if there are more than max_pairs.
std::optional<Found> search(
    const CollisionMesh& mesh, const MeshMotion& motion, const BroadPhaseTrees& trees, const StepSizeOptions& options,
    double tmax, std::size_t stride)
{
    std::atomic<std::int64_t> count{0};
    std::atomic<bool> is_over{false};
    Found found = visit_pairs(mesh, trees, stride, is_over, [&](PairKind kind, int i, int j, Found& task) {
        const double dmin = options.dmin + pair_offset(mesh, kind, i, j);
        const PairStep step = with_elements(
            motion, kind, i, j, [&](const auto& a, const auto& b) { return pair_step(a, b, dmin, options, tmax); });
        task.add(step, kind, {i, j});
        if (task.num_pairs % 1024 == 0 && count.fetch_add(1024, std::memory_order_relaxed) >= options.max_pairs)
            is_over = true;
    });
    if (is_over || found.num_pairs > options.max_pairs)
        return std::nullopt;
    return found;
}

bool is_free(const CollisionMesh& mesh, const Positions& X0, const Positions& X1, double dmin)
{
    const MeshMotion motion(mesh, X0, X1);
    // The signed distance is linear on the way, so its ends decide.
    const bool is_off_planes =
        all_above(mesh, motion, [&](const Plane& plane, const MovingPoints<1>& p, double offset) {
            return side_of_plane(plane, p.start, dmin + offset) > 0 && side_of_plane(plane, p.end, dmin + offset) > 0;
        });
    if (!is_off_planes)
        return false;
    BroadPhaseTrees trees;
    trees.build(mesh, X0, X1, dmin / 2);
    std::atomic<bool> is_over{false};
    visit_pairs(mesh, trees, 1, is_over, [&](PairKind kind, int i, int j, Found&) {
        if (is_over.load(std::memory_order_relaxed))
            return;
        const CcdOptions options{.dmin = dmin + pair_offset(mesh, kind, i, j)};
        const bool is_clear = with_elements(
            motion, kind, i, j, [&]<int NA, int NB>(const MovingPoints<NA>& a, const MovingPoints<NB>& b) {
                return ccd::walk<NA, NB>(a, b, ccd::Query<NA, NB>(a, b), options, ccd::NearMisses::exact).is_clear();
            });
        if (!is_clear)
            is_over = true;
    });
    return !is_over;
}

/// How far each vertex goes on its way.
Eigen::VectorXd motion_lengths(const Positions& X0, const Positions& X1) { return (X1 - X0).rowwise().norm(); }

/// Above this much of a gap, rounding of the positions at the end of a step does not matter: no less than what
/// pair_step() calls tight, for pairs anywhere between these positions.
double tight_gap(const Positions& X0, const Positions& X1)
{
    return 4096 * 0x1p-53 * std::max(X0.cwiseAbs().maxCoeff(), X1.cwiseAbs().maxCoeff());
}

/// Are pairs that are farther apart than `range` at the start clear until tmax, however they move? They keep their
/// share of the gap if no vertex goes far.
bool keeps_far_pairs_apart(
    const Eigen::VectorXd& lengths, double tight, const StepSizeOptions& options, double tmax, double range)
{
    const double gap = (range - options.dmin) * (1 - 1e-9);
    return 2 * tmax * lengths.maxCoeff() <= options.rescaling * gap && (1 - options.rescaling) * gap > tight;
}

/// Steps of the pairs that are near at the start, during [0, tmax].
Found search_near(
    const CollisionMesh& mesh, const MeshMotion& motion, const NearPairs& near, const Eigen::VectorXd& lengths,
    double tight, const StepSizeOptions& options, double tmax)
{
    const auto longest = [&](const auto& elements, int i) {
        double length = 0;
        for (Eigen::Index k = 0; k < elements.cols(); ++k)
            length = std::max(length, lengths[elements(i, k)]);
        return length;
    };
    // Together, the elements of a pair come closer by no more than this.
    const auto approach = [&](PairKind kind, const IndexPair& pair) {
        const double first = kind == PairKind::face_vertex     ? longest(mesh.faces(), pair[0])
                             : kind == PairKind::vertex_vertex ? lengths[pair[0]]
                                                               : longest(mesh.edges(), pair[0]);
        return first + (kind == PairKind::edge_edge ? longest(mesh.edges(), pair[1]) : lengths[pair[1]]);
    };
    Found all;
    const auto search_kind = [&](PairKind kind, const DetectedPairs& pairs) {
        const OwnRange own = own_range(pairs.size());
        all.add(parallel_reduce(
            own.size(), pairs_per_task, Found{},
            [&](std::size_t begin, std::size_t end) {
                Found found;
                for (std::size_t k = own.begin + begin; k < own.begin + end; ++k) {
                    const IndexPair& pair = pairs.pairs[k];
                    const double gap = (std::sqrt(pairs.squared_distances[k]) - options.dmin) * (1 - 1e-9);
                    if (tmax * approach(kind, pair) < options.rescaling * gap && (1 - options.rescaling) * gap > tight)
                        continue;
                    found.add(
                        with_elements(
                            motion, kind, pair[0], pair[1],
                            [&](const auto& a, const auto& b) {
                                return pair_step(
                                    a, b, options.dmin + pair_offset(mesh, kind, pair[0], pair[1]), options, tmax);
                            }),
                        kind, pair);
                }
                return found;
            },
            [](Found a, const Found& b) {
                a.add(b);
                return a;
            }));
    };
    search_kind(PairKind::vertex_vertex, near.vv);
    search_kind(PairKind::edge_vertex, near.ev);
    search_kind(PairKind::edge_edge, near.ee);
    search_kind(PairKind::face_vertex, near.fv);
    return joined(all);
}

/// Steps of all pairs, by boxes around their ways; `found` has those of planes. Sets is_cut where the step was
/// shortened for its number of pairs.
Found search_all(
    const CollisionMesh& mesh, const MeshMotion& motion, const Positions& X0, const Positions& X1,
    const StepSizeOptions& options, Found found, bool& is_cut)
{
    // A sample of the pairs bounds the step; a shorter step sweeps smaller boxes, so that all pairs are far fewer. The
    // sample is fixed by the order in the tree, and so the result does not depend on the number of threads.
    const Positions dX = X1 - X0;
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * dX.cwiseAbs().maxCoeff();
    BroadPhaseTrees trees;
    double tmax = found.step, swept = -1;
    for (const std::size_t stride : {64, 8, 1})
        while (true) {
            if (tmax != swept) {
                trees.build(mesh, X0, tmax == 1 ? X1 : Positions(X0 + tmax * dX), options.dmin / 2 + rounding);
                swept = tmax;
            }
            const std::optional<Found> more = search(mesh, motion, trees, options, tmax, stride);
            if (more) {
                found.add(*more);
                tmax = std::min(tmax, found.step);
                break;
            }
            // A still mesh has pairs too: where these alone exceed the limit, cutting the step does not help.
            tmax /= 4;
            if (tmax < 1e-30)
                throw LimitReached(fmt::format(
                    "step size: more than {} pairs of boxes overlap however short the step; raise max_pairs",
                    options.max_pairs));
        }
    is_cut = tmax < found.step;
    if (is_cut) {
        found.step = tmax;
        found.kind = PairKind::none;
        found.pair = {-1, -1};
        found.initial_distance = 0;
    }
    return found;
}

void validate_step(const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X1)
{
    validate_positions(X0, mesh.num_vertices(), mesh.dim(), "X0");
    validate_positions(X1, mesh.num_vertices(), mesh.dim(), "X1");
}

/// `detection` may be none.
StepLimit find_step(
    const CollisionMesh& mesh, const Detection* detection, const ConstPositions& X0_given,
    const ConstPositions& X1_given, const StepSizeOptions& options)
{
    validate_step(mesh, X0_given, X1_given);
    CcdOptions{.dmin = options.dmin, .tolerance = options.tolerance}.validate();
    if (!(options.rescaling > 0 && options.rescaling < 1))
        reject("rescaling: {} is not in (0, 1)", options.rescaling);
    if (options.max_pairs < 1)
        reject("max_pairs: {} is below 1", options.max_pairs);
    const Positions X0 = X0_given, X1 = X1_given;

    // The planes are cheap and come first.
    const MeshMotion motion(mesh, X0, X1);
    Found found = search_planes(mesh, motion, options);
    bool is_cut = false;
    const bool is_known = detection != nullptr && detection->is_at(X0) && X0.size() > 0;
    const Eigen::VectorXd lengths = is_known ? motion_lengths(X0, X1) : Eigen::VectorXd();
    const double tight = is_known ? tight_gap(X0, X1) : 0;
    if (is_known && keeps_far_pairs_apart(lengths, tight, options, found.step, detection->range()))
        found.add(search_near(mesh, motion, detection->pairs(), lengths, tight, options, found.step));
    else
        found = search_all(mesh, motion, X0, X1, options, found, is_cut);

    // Where a pair is so close that rounding the positions at the end of the step matters, try that very step.
    const auto is_above_planes = [&] {
        return all_above(mesh, motion, [&](const Plane& plane, const MovingPoints<1>& p, double offset) {
            return is_above_at(plane, p, found.step, options.dmin + offset);
        });
    };
    if (found.is_tight && found.step > 0)
        while (!is_above_planes() || !is_free(mesh, X0, X0 + found.step * (X1 - X0), options.dmin))
            found.step /= 2;

    ABUT_ASSERT(found.step >= 0 && found.step <= 1);
    ABUT_ASSERT((found.kind == PairKind::none) == (found.pair == IndexPair{-1, -1}));
    StepLimit limit;
    limit.step = found.step;
    limit.kind = found.kind;
    limit.pair = found.pair;
    limit.initial_distance = found.initial_distance;
    limit.is_cut_by_max_pairs = is_cut;
    limit.num_pairs = found.num_pairs;
    limit.num_intervals = found.num_intervals;
    return limit;
}

} // namespace

StepLimit find_collision_free_stepsize(
    const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X1, const StepSizeOptions& options)
{
    return find_step(mesh, nullptr, X0, X1, options);
}

StepLimit find_collision_free_stepsize(
    const CollisionMesh& mesh, const Detection& detection, const ConstPositions& X0, const ConstPositions& X1,
    const StepSizeOptions& options)
{
    return find_step(mesh, &detection, X0, X1, options);
}

double compute_collision_free_stepsize(
    const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X1, const StepSizeOptions& options)
{
    return find_collision_free_stepsize(mesh, X0, X1, options).step;
}

bool is_step_collision_free(const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X1, double dmin)
{
    validate_step(mesh, X0, X1);
    CcdOptions{.dmin = dmin}.validate();
    return is_free(mesh, X0, X1, dmin);
}

} // namespace abut
