#include "abut/detect/candidates.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/ranks.hpp"
#include "abut/detect/broad_phase.hpp"
#include "abut/detect/found_pairs.hpp"
#include "abut/detect/own_candidates.hpp"
#include "abut/detect/pair_count.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace abut {

const char* to_string(ElementKind kind)
{
    constexpr std::array names{"vertex", "edge", "face", "plane"};
    ABUT_ASSERT(static_cast<std::size_t>(kind) < names.size());
    return names[static_cast<int>(kind)];
}

const std::array<ElementKind, 2>& element_kinds(PairKind kind)
{
    using enum ElementKind;
    static constexpr std::array<std::array<ElementKind, 2>, 6> kinds{
        {{vertex, vertex}, {vertex, vertex}, {edge, vertex}, {edge, edge}, {face, vertex}, {plane, vertex}}};
    ABUT_ASSERT(static_cast<std::size_t>(kind) < kinds.size());
    return kinds[static_cast<int>(kind)];
}

namespace {

using Pairs = std::vector<IndexPair>;

[[noreturn]] void throw_too_many(const char* kind, std::int64_t max_pairs)
{
    throw LimitReached(fmt::format(
        "candidates: more than {} {} pairs; take a shorter step, a smaller inflation, or raise max_pairs", max_pairs,
        kind));
}

/// Blocks of queries per task; a constant, so that the lists do not depend on the number of threads.
constexpr std::size_t blocks_per_task = 64;

/// Collects visited pairs task by task and joins them sorted by first, then second element.
class PairCollector {
public:
    PairCollector(std::size_t num_tasks, PairKind kind, std::int64_t max_pairs)
        : parts_(num_tasks), count_(kind, max_pairs)
    {}

    Pairs& part(std::size_t task) { return parts_[task]; }
    /// To be called now and then by tasks.
    void count(std::size_t added) { count_.add(added); }

    /// `all` keeps its memory.
    void sort_into(Pairs& all, int num_first) const
    {
        // A bucket tells the first element of what is in it.
        const Buckets<int> seconds = bucketed<int>(
            parts_.size(), [&](std::size_t part) -> auto& { return parts_[part]; }, num_first,
            [](const IndexPair& pair) { return pair[0]; }, [](const IndexPair& pair) { return pair[1]; });
        all.resize(seconds.items.size());
        parallel_for(static_cast<std::size_t>(num_first), 4096, [&](std::size_t first) {
            IndexPair* begin = all.data() + seconds.starts[first];
            rank_items(
                seconds[first], [](int second) { return second; },
                [&](std::size_t rank, int second) {
                    begin[rank] = {static_cast<int>(first), second};
                });
        });
    }

private:
    std::vector<Pairs> parts_;
    PairCount count_;
};

/// Takes a task's candidates and puts them at the end of its part, some hundreds at a time.
class PairSink {
public:
    PairSink(PairCollector& collector, std::size_t task) : collector_(collector), part_(collector.part(task)) {}

    template <PairKind kind>
    void operator()(const CandidateLanes<kind>& found)
    {
        size_ += found.store(staged_.data() + size_);
        if (size_ > staged_.size() - 8)
            flush();
    }
    void flush()
    {
        part_.insert(part_.end(), staged_.begin(), staged_.begin() + static_cast<std::ptrdiff_t>(size_));
        collector_.count(std::exchange(size_, 0));
    }

private:
    PairCollector& collector_;
    Pairs& part_;
    std::array<IndexPair, 1024> staged_;
    std::size_t size_ = 0;
};

/// Runs visit_blocks(begin, end, sink) over a range of blocks and leaves the pairs in `all`, sorted.
template <typename VisitBlocks>
void collect(
    Pairs& all, OwnRange blocks, int num_first, PairKind kind, std::int64_t max_pairs, VisitBlocks&& visit_blocks)
{
    PairCollector collector((blocks.size() + blocks_per_task - 1) / blocks_per_task, kind, max_pairs);
    parallel_ranges(blocks.size(), blocks_per_task, [&](std::size_t begin, std::size_t end) {
        PairSink sink(collector, begin / blocks_per_task);
        visit_blocks(static_cast<int>(blocks.begin + begin), static_cast<int>(blocks.begin + end), sink);
        sink.flush();
    });
    collector.sort_into(all, num_first);
}

/// What Candidates promises of its lists.
[[maybe_unused]] bool are_sorted_without_repeats(const Candidates& candidates)
{
    bool sorted = true;
    const auto check = [&](PairKind, const Pairs& pairs) {
        sorted = sorted && std::adjacent_find(pairs.begin(), pairs.end(), std::greater_equal<>()) == pairs.end();
    };
    for_each_kind(check, candidates);
    return sorted;
}

void build_by_trees(
    Candidates& found, const CollisionMesh& mesh, const BroadPhaseTrees& trees, std::int64_t max_pairs,
    bool of_own_share)
{
    for_each_candidate_kind(mesh, trees, [&](PairKind kind, int num_first, int num_blocks, auto&& visit_blocks) {
        const auto all = static_cast<std::size_t>(num_blocks);
        const OwnRange blocks = of_own_share ? own_range(all) : OwnRange{0, all};
        collect(found[kind], blocks, num_first, kind, max_pairs, visit_blocks);
    });
}

void build_by_brute_force(Candidates& found, const CollisionMesh& mesh, const MeshBoxes& boxes)
{
    const PairRules rules(mesh);
    const ElementBoxes edges = boxes.edges(mesh), faces = boxes.faces(mesh);
    if (mesh.dim() == 2) {
        for (int e = 0; e < mesh.num_edges(); ++e)
            for (int v = 0; v < mesh.num_vertices(); ++v)
                if (edges[e].overlaps(boxes.vertices[v]) && rules.edge_vertex(e, v))
                    found.ev.push_back({e, v});
    } else {
        for (int f = 0; f < mesh.num_faces(); ++f)
            for (int v = 0; v < mesh.num_vertices(); ++v)
                if (faces[f].overlaps(boxes.vertices[v]) && rules.face_vertex(f, v))
                    found.fv.push_back({f, v});
        for (int a = 0; a < mesh.num_edges(); ++a)
            for (int b = a + 1; b < mesh.num_edges(); ++b)
                if (edges[a].overlaps(edges[b]) && rules.edge_edge(a, b))
                    found.ee.push_back({a, b});
        for (const int e : mesh.codim_edges())
            for (const int v : mesh.edge_partners())
                if (edges[e].overlaps(boxes.vertices[v]) && rules.edge_vertex(e, v))
                    found.ev.push_back({e, v});
    }
    for (const int i : mesh.codim_vertices())
        for (const int j : mesh.codim_vertices())
            if (i < j && boxes.vertices[i].overlaps(boxes.vertices[j]) && rules.vertex_vertex(i, j))
                found.vv.push_back({i, j});
}

/// Planes against all vertices. A vertex and a plane that come within 2 inflation are no farther apart than that in
/// signed distance, which is linear on the way, so that its ends decide.
template <typename... Ends>
void build_planes(
    Candidates& found, const CollisionMesh& mesh, std::int64_t max_pairs, double inflation, const Ends&... ends)
{
    constexpr std::size_t chunk = 8192;
    const auto num_vertices = static_cast<std::size_t>(mesh.num_vertices());
    PairCount count(PairKind::plane_vertex, max_pairs);
    const PairRules rules(mesh);
    for (std::size_t i = 0; i < mesh.planes().size(); ++i) {
        const Plane& plane = mesh.planes()[i];
        const auto is_near = [&](const Vec3& x, double radius) {
            return signed_distance(plane, x) - signed_distance_error(plane, x) <= 2 * inflation + radius * (1 + 1e-15);
        };
        std::vector<Pairs> parts((num_vertices + chunk - 1) / chunk);
        parallel_ranges(num_vertices, chunk, [&](std::size_t begin, std::size_t end) {
            Pairs& part = parts[begin / chunk];
            for (std::size_t v = begin; v < end; ++v)
                if (rules.plane_vertex(static_cast<int>(v)) &&
                    (is_near(lifted(ends, static_cast<Eigen::Index>(v)), mesh.offsets().radius(static_cast<int>(v))) ||
                     ...))
                    part.push_back({static_cast<int>(i), static_cast<int>(v)});
            count.add(part.size());
        });
        for (const Pairs& part : parts)
            found.pv.insert(found.pv.end(), part.begin(), part.end());
    }
}

void validate_inflation(double inflation)
{
    if (!(inflation >= 0 && inflation <= max_coordinate))
        reject("inflation: {} is not between 0 and {} m", inflation, max_coordinate);
}

template <typename... Ends>
void build_candidates(
    Candidates& found, const CollisionMesh& mesh, const CandidatesOptions& options, double inflation,
    const Ends&... ends)
{
    validate_inflation(inflation);
    if (options.max_pairs < 0 || options.max_pairs > std::numeric_limits<int>::max())
        reject("max_pairs: {} is not between 0 and {}", options.max_pairs, std::numeric_limits<int>::max());
    const auto clear = [&] { for_each_kind([](PairKind, Pairs& pairs) { pairs.clear(); }, found); };
    try {
        if (options.method == BroadPhase::brute_force) {
            clear();
            build_planes(found, mesh, options.max_pairs, inflation, ends...);
            MeshBoxes boxes;
            boxes.build(mesh, ends..., inflation);
            build_by_brute_force(found, mesh, boxes);
            for (const Pairs* pairs : {&found.vv, &found.ev, &found.ee, &found.fv})
                if (static_cast<std::int64_t>(pairs->size()) > options.max_pairs)
                    throw_too_many("box", options.max_pairs);
        } else {
            // What is in the other lists is overwritten: they need not be filled with zeros first.
            found.pv.clear();
            if (mesh.dim() == 2) {
                found.ee.clear();
                found.fv.clear();
            }
            build_planes(found, mesh, options.max_pairs, inflation, ends...);
            BroadPhaseTrees trees;
            trees.build(mesh, ends..., inflation);
            build_by_trees(found, mesh, trees, options.max_pairs, false);
        }
    } catch (...) {
        clear();
        throw;
    }
    ABUT_ASSERT(are_sorted_without_repeats(found));
}

} // namespace

void PairCount::add(std::size_t added)
{
    constexpr const char* names[]{"", "vertex-vertex", "edge-vertex", "edge-edge", "face-vertex", "plane-vertex"};
    if (count_.fetch_add(static_cast<std::int64_t>(added)) + static_cast<std::int64_t>(added) > max_pairs_)
        throw_too_many(names[static_cast<int>(kind_)], max_pairs_);
}

Candidates plane_candidates(const CollisionMesh& mesh, const Positions& X, double inflation)
{
    validate_inflation(inflation);
    Candidates found;
    build_planes(found, mesh, CandidatesOptions().max_pairs, inflation, X);
    return found;
}

Candidates own_candidates(const CollisionMesh& mesh, const ConstPositions& X_given, double inflation)
{
    validate_positions(X_given, mesh.num_vertices(), mesh.dim(), "X");
    validate_inflation(inflation);
    const Positions X = X_given;
    const std::int64_t max_pairs = CandidatesOptions().max_pairs;
    Candidates found;
    if (ranks().rank() == 0) // few: one rank finds them
        build_planes(found, mesh, max_pairs, inflation, X);
    BroadPhaseTrees trees;
    trees.build(mesh, X, inflation);
    build_by_trees(found, mesh, trees, max_pairs, true);
    ABUT_ASSERT(are_sorted_without_repeats(found));
    return found;
}

void Candidates::build(
    const CollisionMesh& mesh, const ConstPositions& X, double inflation, const CandidatesOptions& options)
{
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    build_candidates(*this, mesh, options, inflation, Positions(X));
}

void Candidates::build(
    const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X1, double inflation,
    const CandidatesOptions& options)
{
    validate_positions(X0, mesh.num_vertices(), mesh.dim(), "X0");
    validate_positions(X1, mesh.num_vertices(), mesh.dim(), "X1");
    build_candidates(*this, mesh, options, inflation, Positions(X0), Positions(X1));
}

void Candidates::validate(const CollisionMesh& mesh) const
{
    const auto check = [](const Pairs& pairs, int num_first, int num_second, const char* name) {
        for (std::size_t k = 0; k < pairs.size(); ++k)
            if (pairs[k][0] < 0 || pairs[k][0] >= num_first || pairs[k][1] < 0 || pairs[k][1] >= num_second)
                reject(
                    "candidates: {}[{}] = ({}, {}) is no pair of this mesh; build the candidates with the same mesh",
                    name, k, pairs[k][0], pairs[k][1]);
    };
    check(vv, mesh.num_vertices(), mesh.num_vertices(), "vv");
    check(ev, mesh.num_edges(), mesh.num_vertices(), "ev");
    check(ee, mesh.num_edges(), mesh.num_edges(), "ee");
    check(fv, mesh.num_faces(), mesh.num_vertices(), "fv");
    check(pv, static_cast<int>(mesh.planes().size()), mesh.num_vertices(), "pv");
}

} // namespace abut
