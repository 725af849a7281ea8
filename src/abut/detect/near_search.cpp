#include "abut/detect/near_search.hpp"

#include "abut/base/parallel.hpp"
#include "abut/detect/broad_phase.hpp"
#include "abut/detect/found_pairs.hpp"
#include "abut/detect/measure_lanes.hpp"
#include "abut/detect/own_candidates.hpp"
#include "abut/detect/pair_count.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/mesh/validate.hpp"

namespace abut {

namespace {

constexpr std::size_t blocks_per_task = 64;

/// Measures a task's candidates, some hundreds at a time, and keeps those within range.
template <PairKind kind, int Dim>
class NearSink {
public:
    NearSink(
        const CollisionMesh& mesh, const ConstPositions& X, double range, PairCount& count,
        std::vector<FoundPair>& found)
        : mesh_(mesh), X_(X), range_(range), count_(count), found_(found)
    {}

    void operator()(const CandidateLanes<kind>& candidates)
    {
        size_ += candidates.store(staged_ + size_);
        if (size_ > most - 8)
            flush();
    }

    void flush()
    {
        constexpr bool has_lanes = Dim == 3 && (kind == PairKind::edge_edge || kind == PairKind::face_vertex);
        count_.add(size_);
        if (has_lanes && mesh_.offsets().empty())
            measure_together();
        else
            for (std::size_t k = 0; k < size_; ++k)
                measure_one(staged_[k]);
        size_ = 0;
    }

private:
    static constexpr std::size_t most = 512;

    void measure_together()
    {
        if constexpr (Dim == 3 && (kind == PairKind::edge_edge || kind == PairKind::face_vertex)) {
            const IndexPair *asked[most], *near[most];
            for (std::size_t k = 0; k < size_; ++k)
                asked[k] = &staged_[k];
            const double squared_range = range_ * range_;
            measure_lanes::measure<kind>(
                mesh_, X_, std::span(asked, size_), near, [&](const IndexPair&) { return squared_range; },
                [&](const IndexPair& pair, const MeasuredPair& measured) {
                    keep(pair, measured.squared_distance, measured.feature);
                });
        }
    }

    void measure_one(const IndexPair& pair)
    {
        const double offset = pair_offset(mesh_, kind, pair[0], pair[1]);
        const MeasuredPair measured =
            measure_pair<Dim>(KindConstant<kind>(), mesh_, X_, pair[0], pair[1], (range_ + offset) * (range_ + offset));
        keep(pair, squared_gap(measured.squared_distance, offset), measured.feature);
    }

    void keep(const IndexPair& pair, double squared_distance, std::uint8_t feature)
    {
        ABUT_ASSERT(squared_distance >= 0);
        if (squared_distance < range_ * range_)
            found_.push_back({pair, squared_distance, feature});
    }

    const CollisionMesh& mesh_;
    const ConstPositions& X_;
    double range_;
    PairCount& count_;
    std::vector<FoundPair>& found_;
    std::size_t size_ = 0;
    IndexPair staged_[most];
};

template <int Dim>
void search_elements(
    NearPairs& near, const CollisionMesh& mesh, const ConstPositions& X, const BroadPhaseTrees& trees, double range)
{
    for_each_candidate_kind(mesh, trees, [&](auto kind, int num_first, int num_blocks, auto&& visit_blocks) {
        const auto n = static_cast<std::size_t>(num_blocks);
        PairCount count(kind, CandidatesOptions().max_pairs);
        std::vector<std::vector<FoundPair>> parts((n + blocks_per_task - 1) / blocks_per_task);
        parallel_ranges(n, blocks_per_task, [&](std::size_t begin, std::size_t end) {
            NearSink<decltype(kind)::value, Dim> sink(mesh, X, range, count, parts[begin / blocks_per_task]);
            visit_blocks(static_cast<int>(begin), static_cast<int>(end), sink);
            sink.flush();
        });
        near[kind] = sorted_pairs(parts, num_first);
    });
}

} // namespace

NearPairs search_near_pairs(const CollisionMesh& mesh, const ConstPositions& X_given, double inflation, double range)
{
    validate_positions(X_given, mesh.num_vertices(), mesh.dim(), "X");
    const Positions X = X_given;
    NearPairs near = find_near_pairs(plane_candidates(mesh, X, inflation), mesh, X, range);
    BroadPhaseTrees trees;
    trees.build(mesh, X, inflation);
    if (mesh.dim() == 2)
        search_elements<2>(near, mesh, X, trees, range);
    else
        search_elements<3>(near, mesh, X, trees, range);
    return near;
}

} // namespace abut
