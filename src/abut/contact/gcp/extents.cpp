#include "abut/contact/gcp/extents.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/gcp/acting_pairs.hpp"
#include "abut/detect/near_search.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>

namespace abut {

namespace {

void check_extents(const char* name, const Eigen::VectorXd& extents, int count)
{
    if (extents.size() != count)
        reject("extents: {} of {}, but the mesh has {}; find them for this mesh", extents.size(), name, count);
    for (Eigen::Index i = 0; i < extents.size(); ++i)
        if (!(extents[i] > 0))
            reject("extents: that of {}[{}], {} m, is not positive", name, i, extents[i]);
}

} // namespace

double SmoothExtents::of(PairKind kind, const IndexPair& elements, double dhat) const
{
    if (empty())
        return dhat;
    const auto& kinds = element_kinds(kind);
    for (int side = 0; side < 2; ++side)
        if (kinds[side] == ElementKind::vertex)
            dhat = std::min(dhat, vertices[elements[side]]);
        else if (kinds[side] == ElementKind::edge)
            dhat = std::min(dhat, edges[elements[side]]);
        else if (kinds[side] == ElementKind::face)
            dhat = std::min(dhat, faces[elements[side]]);
    return dhat;
}

void SmoothExtents::validate(const CollisionMesh& mesh) const
{
    if (empty())
        return;
    check_extents("vertices", vertices, mesh.num_vertices());
    check_extents("edges", edges, mesh.num_edges());
    check_extents("faces", faces, mesh.num_faces());
}

SmoothExtents adaptive_extents(
    const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params, double ratio,
    BroadPhase broad_phase)
{
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    params.validate(mesh);
    if (!(ratio > 0 && ratio < 1))
        reject("ratio: {} is not between 0 and 1", ratio);
    const double margin = gcp::rest_margin(params.variant), range = params.dhat * (1 + margin);
    Candidates candidates;
    if (broad_phase != BroadPhase::bvh)
        candidates.build(mesh, X, range / 2, {.method = broad_phase});
    const NearPairs near = broad_phase == BroadPhase::bvh ? search_near_pairs(mesh, X, range / 2, range)
                                                          : find_near_pairs(candidates, mesh, X, range);
    const std::vector<ByKind<gcp::FoundPairs>> found = gcp::find_acting_pairs(near, mesh, X, params, {}, margin);

    SmoothExtents extents{
        .vertices = Eigen::VectorXd::Constant(mesh.num_vertices(), params.dhat),
        .edges = Eigen::VectorXd::Constant(mesh.num_edges(), params.dhat),
        .faces = Eigen::VectorXd::Constant(mesh.num_faces(), params.dhat)};
    const auto lower = [](double& extent, double limit) { extent = std::min(extent, limit); };
    const auto lower_elements = [&](PairKind kind, const gcp::FoundPairs& list) {
        const auto& kinds = element_kinds(kind);
        for (const gcp::FoundPair& pair : list.pairs)
            for (int side = 0; side < 2; ++side) {
                const int element = pair.elements[side];
                const double limit = ratio * pair.distance;
                if (kinds[side] == ElementKind::vertex)
                    lower(extents.vertices[element], limit);
                else if (kinds[side] == ElementKind::edge)
                    lower(extents.edges[element], limit);
                else if (kinds[side] == ElementKind::face)
                    lower(extents.faces[element], limit);
            }
    };
    for (const ByKind<gcp::FoundPairs>& part : found)
        for_each_kind(lower_elements, part);
    for (int f = 0; f < mesh.num_faces(); ++f)
        for (int k = 0; k < 3; ++k)
            lower(
                extents.faces[f],
                std::min(extents.vertices[mesh.faces()(f, k)], extents.edges[mesh.faces_to_edges()(f, k)]));
    for (int e = 0; e < mesh.num_edges(); ++e)
        lower(extents.edges[e], std::min(extents.vertices[mesh.edges()(e, 0)], extents.vertices[mesh.edges()(e, 1)]));
    return extents;
}

} // namespace abut
