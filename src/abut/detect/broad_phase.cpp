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
    const auto selected = [](const ElementBoxes& all, const std::vector<int>& ids) {
        std::vector<Box> some(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i)
            some[i] = all[ids[i]];
        return some;
    };
    if (!is_sorted_)
        origin_ = boxes.center;
    boxes.round(origin_);
    ElementBoxes edge_boxes = boxes.edges(mesh), face_boxes = boxes.faces(mesh);
    const std::vector<Box> codim_vertex_boxes = selected(boxes.vertices, mesh.codim_vertices());
    const std::vector<Box> codim_edge_boxes =
        mesh.dim() == 3 ? selected(edge_boxes, mesh.codim_edges()) : std::vector<Box>();
    const std::vector<Box> edge_partner_boxes = selected(
        boxes.vertices, mesh.dim() == 3 && use_ == TreeUse::contact ? mesh.edge_partners() : std::vector<int>());
    ElementBoxes vertex_boxes =
        use_ == TreeUse::contact ? std::span<const Box>(boxes.vertices) : std::span<const Box>();
    for (ElementBoxes* each : {&edge_boxes, &face_boxes, &vertex_boxes})
        if (each->size() > 0)
            each->set_rounded(boxes.rounded.span());
    // Elements that never collide with each other need not be compared.
    std::vector<std::uint8_t> inert_vertices, inert_edges, inert_faces;
    if (!is_sorted_ && !mesh.filter().is_trivial()) {
        for (int v = 0; v < mesh.num_vertices(); ++v)
            inert_vertices.push_back(mesh.filter().is_inert(v));
        const auto are_inert = [&](const auto& elements) {
            std::vector<std::uint8_t> flags(elements.rows(), 1);
            for (Eigen::Index i = 0; i < elements.rows(); ++i)
                for (Eigen::Index k = 0; k < elements.cols(); ++k)
                    flags[i] &= inert_vertices[elements(i, k)];
            return flags;
        };
        inert_edges = are_inert(mesh.edges());
        inert_faces = are_inert(mesh.faces());
        if (use_ != TreeUse::contact)
            inert_vertices.clear();
    }
    // Without loose elements the trees of edges, faces and vertices are as large as the mesh.
    const Box* bounds = mesh.codim_vertices().empty() && mesh.codim_edges().empty() ? &boxes.bounds : nullptr;
    struct Tree {
        Bvh* tree;
        ElementBoxes boxes;
        std::span<const std::uint8_t> is_inert;
    };
    const std::array<Tree, 6> trees{{
        {&edges, edge_boxes, inert_edges},
        {&faces, face_boxes, inert_faces},
        {&vertices, vertex_boxes, inert_vertices},
        {&codim_vertices, codim_vertex_boxes, {}},
        {&codim_edges, codim_edge_boxes, {}},
        {&edge_partners, edge_partner_boxes, {}},
    }};
    parallel_for(trees.size(), 1, [&](std::size_t i) {
        if (is_sorted_)
            trees[i].tree->refit(trees[i].boxes);
        else
            trees[i].tree->build(trees[i].boxes, origin_, trees[i].is_inert, i < 3 ? bounds : nullptr);
    });
    if (!is_sorted_ && mesh.dim() == 3) {
        const auto sort_corners = [](auto& corners, const auto& elements, const Bvh& tree) {
            corners.resize(tree.num_blocks());
            parallel_for(corners.size(), 1024, [&](std::size_t block) {
                const int first = 8 * static_cast<int>(block);
                for (int k = 0; k < std::min(8, tree.size() - first); ++k)
                    corners[block].set(k, corners_of(elements, tree.element(first + k)));
            });
        };
        sort_corners(edge_corners, mesh.edges(), edges);
        sort_corners(face_corners, mesh.faces(), faces);
    }
    is_sorted_ = true;
}

} // namespace abut
