#include "abut/contact/gcp/element_measures.hpp"

namespace abut::gcp {

double length_of_edge(const CollisionMesh& mesh, int e)
{
    const Positions& R = mesh.rest_positions();
    return (R.row(mesh.edges()(e, 0)) - R.row(mesh.edges()(e, 1))).norm();
}

double width_of_edge(const CollisionMesh& mesh, const SmoothContactParameters& params, int e)
{
    switch (params.feature_length) {
    case FeatureLength::constant:
        return params.constant_length;
    case FeatureLength::per_element:
        return params.edge_lengths[e];
    case FeatureLength::edge_length:
        break;
    }
    return length_of_edge(mesh, e);
}

double width_of_vertex(const CollisionMesh& mesh, const SmoothContactParameters& params, int v)
{
    switch (params.feature_length) {
    case FeatureLength::constant:
        return params.constant_length;
    case FeatureLength::per_element:
        return params.vertex_lengths[v];
    case FeatureLength::edge_length:
        break;
    }
    const auto edges = mesh.vertex_edges(v);
    if (edges.empty()) // a loose point has no size of its own
        return params.dhat;
    double mean = 0;
    for (const int e : edges)
        mean += length_of_edge(mesh, e) / static_cast<double>(edges.size());
    return mean;
}

namespace {

double area_of_face(const CollisionMesh& mesh, int f)
{
    const Positions& R = mesh.rest_positions();
    const auto corners = mesh.faces().row(f);
    const Vec3 a = point<3>(R, corners[0]);
    return 0.5 * (point<3>(R, corners[1]) - a).cross(point<3>(R, corners[2]) - a).norm();
}

/// L^(2 - dimension) times the measure of an element [m²]; in the plane L^(1 - dimension) times it [m].
double measure(ElementKind kind, int element, const CollisionMesh& mesh, const SmoothContactParameters& params)
{
    const bool is_plane = mesh.dim() == 2;
    if (kind == ElementKind::face)
        return area_of_face(mesh, element);
    if (kind == ElementKind::edge)
        return length_of_edge(mesh, element) * (is_plane ? 1 : width_of_edge(mesh, params, element));
    const double L = width_of_vertex(mesh, params, element);
    return is_plane ? L : L * L;
}

} // namespace

double
rest_weight(PairKind kind, const IndexPair& elements, const CollisionMesh& mesh, const SmoothContactParameters& params)
{
    const auto& kinds = element_kinds(kind);
    const double second = measure(kinds[1], elements[1], mesh, params);
    return second * (kinds[0] == ElementKind::plane ? second : measure(kinds[0], elements[0], mesh, params));
}

} // namespace abut::gcp
