#include "abut/detect/group_steps.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/atomic_min.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/broad_phase.hpp"
#include "abut/detect/pair_share.hpp"

namespace abut {

namespace {

constexpr std::size_t group_blocks_per_task = 64, group_vertices_per_task = 4096;

class GroupSteps {
public:
    GroupSteps(
        const CollisionMesh& mesh, std::span<const int> group_of_vertex, int num_groups, const Positions& X0,
        const Positions& X1, const GroupStepOptions& options)
        : mesh_(mesh), group_of_vertex_(group_of_vertex), X0_(X0), X1_(X1), motion_(mesh, X0, X1),
          options_(options), kept_{options.clearance, options.kept_share}, moves_(num_groups, 0), shares(num_groups, 1)
    {
        ABUT_ASSERT(static_cast<int>(group_of_vertex.size()) == mesh.num_vertices());
        ABUT_ASSERT(options.kept_share > 0 && options.kept_share < 1);
        for (int v = 0; v < mesh.num_vertices(); ++v)
            moves_[group_of_vertex[v]] |= X0.row(v) != X1.row(v);
    }

    void look_at_planes()
    {
        const PairRules rules(mesh_);
        for (const Plane& plane : mesh_.planes())
            parallel_for(static_cast<std::size_t>(mesh_.num_vertices()), group_vertices_per_task, [&](std::size_t i) {
                const auto v = static_cast<int>(i);
                const int group = group_of_vertex_[v];
                if (moves_[group] != 0 && rules.plane_vertex(v))
                    atomic_min(shares[group], plane_share(motion_, mesh_, plane, v, options_.dmin, kept_));
            });
    }

    void look_at_pairs()
    {
        const double inflation = (options_.dmin + options_.clearance) / 2;
        if (!do_groups_meet(inflation))
            return;
        BroadPhaseTrees trees;
        trees.build(mesh_, X0_, swept_, inflation);
        for_each_candidate_kind(mesh_, trees, [&](PairKind kind, int, int num_blocks, auto&& visit_blocks) {
            parallel_ranges(
                static_cast<std::size_t>(num_blocks), group_blocks_per_task, [&](std::size_t begin, std::size_t end) {
                    visit_blocks(static_cast<int>(begin), static_cast<int>(end), [&](int i, int j) {
                        look_at_pair(kind, i, j);
                    });
                });
        });
    }

private:
    /// Finds the groups whose swept boxes overlap those of others, of which one at least moves; only these are swept.
    bool do_groups_meet(double inflation)
    {
        MeshBoxes boxes;
        boxes.build(mesh_, X0_, X1_, inflation);
        std::vector<Box> of_groups(shares.size());
        for (int v = 0; v < mesh_.num_vertices(); ++v)
            of_groups[group_of_vertex_[v]].extend(boxes.vertices[v]);
        Bvh tree;
        tree.build(of_groups, boxes.center);
        std::vector<std::uint8_t> meets(shares.size(), 0);
        bool any = false;
        for (int block = 0; block < tree.num_blocks(); ++block)
            tree.for_each_overlap_within(block, [&](int a, int b) {
                if (!(moves_[a] != 0 || moves_[b] != 0) || !of_groups[a].overlaps(of_groups[b]))
                    return;
                meets[a] = meets[b] = 1;
                any = true;
            });
        swept_ = X1_;
        for (int v = 0; v < mesh_.num_vertices(); ++v)
            if (meets[group_of_vertex_[v]] == 0)
                swept_.row(v) = X0_.row(v);
        return any;
    }

    void look_at_pair(PairKind kind, int i, int j)
    {
        const auto [first, second] = vertices_of(kind, i, j);
        const int a = group_of_vertex_[first], b = group_of_vertex_[second];
        if (a == b || (moves_[a] == 0 && moves_[b] == 0))
            return;
        const double share = pair_share(motion_, mesh_, kind, i, j, options_.dmin, kept_);
        for (const int group : {a, b})
            if (moves_[group] != 0)
                atomic_min(shares[group], share);
    }

    /// A vertex of each of the two elements.
    [[nodiscard]] std::pair<int, int> vertices_of(PairKind kind, int i, int j) const
    {
        const int first = kind == PairKind::vertex_vertex ? i
                          : kind == PairKind::face_vertex ? mesh_.faces()(i, 0)
                                                          : mesh_.edges()(i, 0);
        return {first, kind == PairKind::edge_edge ? mesh_.edges()(j, 0) : j};
    }

    const CollisionMesh& mesh_;
    std::span<const int> group_of_vertex_;
    const Positions& X0_;
    const Positions& X1_;
    MeshMotion motion_;
    GroupStepOptions options_;
    KeptGap kept_;
    std::vector<std::uint8_t> moves_;
    Positions swept_;

public:
    std::vector<double> shares;
};

} // namespace

std::vector<double> find_group_steps(
    const CollisionMesh& mesh, std::span<const int> group_of_vertex, int num_groups, const Positions& X0,
    const Positions& X1, const GroupStepOptions& options)
{
    GroupSteps steps(mesh, group_of_vertex, num_groups, X0, X1, options);
    steps.look_at_planes();
    steps.look_at_pairs();
    return std::move(steps.shares);
}

} // namespace abut
