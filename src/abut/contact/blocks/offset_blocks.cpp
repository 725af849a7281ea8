#include "abut/contact/blocks/offset_blocks.hpp"

namespace abut {

namespace {

/// Is `product`, of two vectors with these squared lengths, at most 0 but for rounding?
bool at_most_zero(double product, double squared_length_a, double squared_length_b)
{
    return product <= 0 || product * product <= block_tie * block_tie * squared_length_a * squared_length_b;
}

} // namespace

template <int Dim>
bool OffsetBlocks<Dim>::vertex_contains(int vertex, const Vec<Dim>& x, double size) const
{
    const Vec<Dim> v = at(vertex), outward = x - v;
    const double squared_length = outward.squaredNorm() + size * size;
    const Edges& edges = mesh_.edges();
    for (const int e : mesh_.vertex_edges(vertex)) {
        const int neighbour = edges(e, 0) == vertex ? edges(e, 1) : edges(e, 0);
        const Vec<Dim> along = at(neighbour) - v;
        if (!at_most_zero(outward.dot(along), squared_length, along.squaredNorm()))
            return false;
    }
    return true;
}

template <int Dim>
bool OffsetBlocks<Dim>::edge_contains(int edge, const Vec<Dim>& x) const
{
    const Vec<Dim> e0 = at(mesh_.edges()(edge, 0)), e1 = at(mesh_.edges()(edge, 1));
    const Vec<Dim> along = e1 - e0, outward = x - e0;
    const double squared_length = along.squaredNorm(), squared_outward = outward.squaredNorm();
    if (squared_length == 0) // it has no interior
        return false;
    if (!at_most_zero(-outward.dot(along), squared_outward, squared_length) ||
        !at_most_zero(along.dot(x - e1), (x - e1).squaredNorm(), squared_length))
        return false;
    for (const int o : mesh_.edge_opposites(edge)) {
        const Vec<Dim> to_opposite = at(o) - e0;
        const Vec<Dim> into_face = to_opposite - along * (along.dot(to_opposite) / squared_length);
        if (!at_most_zero(outward.dot(into_face), squared_outward, to_opposite.squaredNorm()))
            return false;
    }
    return true;
}

template <int Dim>
std::optional<PointEdgeFeature> OffsetBlocks<Dim>::at_edge(int edge, const Vec<Dim>& x) const
{
    for (int k = 0; k < 2; ++k) {
        const int end = mesh_.edges()(edge, k), other = mesh_.edges()(edge, 1 - k);
        const Vec<Dim> outward = x - at(end), along = at(other) - at(end);
        if (at_most_zero(outward.dot(along), outward.squaredNorm(), along.squaredNorm()) && vertex_contains(end, x))
            return static_cast<PointEdgeFeature>(k);
    }
    if (edge_contains(edge, x))
        return PointEdgeFeature::edge;
    return {};
}

template <int Dim>
std::optional<PointTriangleFeature> OffsetBlocks<Dim>::at_face(int face, const Vec<Dim>& x, unsigned parts) const
    requires(Dim == 3)
{
    const auto asks_for = [&](int feature) { return (parts >> feature & 1) != 0; };
    std::array<Vec3, 3> from, edge;
    for (int k = 0; k < 3; ++k) {
        const Vec3 corner = at(mesh_.faces()(face, k));
        from[k] = x - corner;
        edge[k] = at(mesh_.faces()(face, (k + 1) % 3)) - corner;
    }
    Vec3 n = Vec3::Zero(); // stays zero for a face without area
    bool is_clear = true, is_inside = true;
    if (asks_for(6)) {
        // Inside edge k by the cosine between the direction out of the face and that to the point.
        n = edge[0].cross(edge[1]).normalized();
        for (int k = 0; k < 3; ++k) {
            const Vec3 out = edge[k].cross(n);
            const double product = out.dot(from[k]), squared = out.squaredNorm() * from[k].squaredNorm();
            is_clear =
                is_clear && product < 0 && product * product > block_clearly_inside * block_clearly_inside * squared;
            is_inside = is_inside && at_most_zero(product, out.squaredNorm(), from[k].squaredNorm());
        }
        if (is_clear)
            return PointTriangleFeature::face;
    }
    for (int k = 0; k < 3; ++k) {
        const Vec3 &along = edge[k], &back = edge[(k + 2) % 3];
        const double squared = from[k].squaredNorm();
        if (asks_for(k) && at_most_zero(from[k].dot(along), squared, along.squaredNorm()) &&
            at_most_zero(-from[k].dot(back), squared, back.squaredNorm()) && vertex_contains(mesh_.faces()(face, k), x))
            return static_cast<PointTriangleFeature>(k);
    }
    for (int k = 0; k < 3; ++k)
        if (asks_for(3 + k) && edge_contains(mesh_.faces_to_edges()(face, k), x))
            return static_cast<PointTriangleFeature>(3 + k);
    if (asks_for(6) && is_inside && n != Vec3::Zero())
        return PointTriangleFeature::face;
    return {};
}

template <int Dim>
bool OffsetBlocks<Dim>::edges_touch(int a, int b, EdgeEdgeFeature feature) const requires(Dim == 3)
{
    const auto [end_of_a, end_of_b] = ends_of(feature);
    if (end_of_a == whole_edge && end_of_b == whole_edge)
        return true;
    const Edges& edges = mesh_.edges();
    if (end_of_a != whole_edge && end_of_b != whole_edge) {
        const int i = edges(a, end_of_a), j = edges(b, end_of_b);
        return vertex_contains(i, at(j)) && vertex_contains(j, at(i));
    }
    // An end of one, with its foot point on the line of the other.
    const int end = end_of_a == whole_edge ? edges(b, end_of_b) : edges(a, end_of_a);
    const int other = end_of_a == whole_edge ? a : b;
    const Vec3 e0 = at(edges(other, 0)), along = at(edges(other, 1)) - e0;
    const double length = along.norm();
    const Vec3 foot = length > 0 ? Vec3(e0 + along * (along.dot(at(end) - e0) / (length * length))) : e0;
    return vertex_contains(end, foot, length);
}

// Member by member: clang 14 does not leave out those of `template class` whose requirements are not met.
template bool OffsetBlocks<2>::vertex_contains(int, const Vec2&, double) const;
template bool OffsetBlocks<3>::vertex_contains(int, const Vec3&, double) const;
template bool OffsetBlocks<2>::edge_contains(int, const Vec2&) const;
template bool OffsetBlocks<3>::edge_contains(int, const Vec3&) const;
template std::optional<PointEdgeFeature> OffsetBlocks<2>::at_edge(int, const Vec2&) const;
template std::optional<PointEdgeFeature> OffsetBlocks<3>::at_edge(int, const Vec3&) const;
template std::optional<PointTriangleFeature> OffsetBlocks<3>::at_face(int, const Vec3&, unsigned) const;
template bool OffsetBlocks<3>::edges_touch(int, int, EdgeEdgeFeature) const;

} // namespace abut
