#include "abut/detect/broad_phase.hpp"

#include "abut/base/parallel.hpp"

namespace abut {

void BroadPhaseTrees::build(const CollisionMesh& mesh, const Positions& X, double inflation)
{
    boxes.build(mesh, X, inflation);
    build_trees(mesh);
}

void BroadPhaseTrees::build(const CollisionMesh& mesh, const Positions& X0, const Positions& X1, double inflation)
{
    boxes.build(mesh, X0, X1, inflation);
    build_trees(mesh);
}

void BroadPhaseTrees::build_trees(const CollisionMesh& mesh)
{
    const auto selected = [](const std::vector<Box>& all, const std::vector<int>& ids) {
        std::vector<Box> some(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i)
            some[i] = all[ids[i]];
        return some;
    };
    codim_vertex_boxes = selected(boxes.vertices, mesh.codim_vertices());
    codim_edge_boxes = mesh.dim() == 3 ? selected(boxes.edges, mesh.codim_edges()) : std::vector<Box>();
    const std::span<const Box> vertex_boxes =
        use_ == TreeUse::contact ? std::span<const Box>(boxes.vertices) : std::span<const Box>();
    const std::array<std::pair<Bvh*, std::span<const Box>>, 5> trees{{
        {&edges, boxes.edges},
        {&faces, boxes.faces},
        {&vertices, vertex_boxes},
        {&codim_vertices, codim_vertex_boxes},
        {&codim_edges, codim_edge_boxes},
    }};
    parallel_for(trees.size(), 1, [&](std::size_t i) {
        if (is_sorted_)
            trees[i].first->refit(trees[i].second);
        else
            trees[i].first->build(trees[i].second, boxes.center);
    });
    is_sorted_ = true;
}

} // namespace abut
