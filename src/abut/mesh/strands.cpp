#include "abut/mesh/strands.hpp"

#include "abut/base/error.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/mesh/index_lists.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace abut {

namespace {

/// Follows edges from `start` over `edge` until an end, a branch or the start is reached.
Strand followed(const Edges& edges, const IndexLists& vertex_edges, std::vector<char>& is_used, int start, int edge)
{
    Strand strand{.vertices = {start}};
    for (int at = start; edge >= 0;) {
        is_used[edge] = 1;
        at = edges(edge, 0) == at ? edges(edge, 1) : edges(edge, 0);
        if (at == start && vertex_edges[at].size() == 2) {
            strand.is_closed = true;
            break;
        }
        strand.vertices.push_back(at);
        if (vertex_edges[at].size() != 2)
            break;
        edge = vertex_edges[at][0] == edge ? vertex_edges[at][1] : vertex_edges[at][0];
    }
    return strand;
}

/// An edge of a strand, and where it is along it [m].
struct Piece {
    std::array<int, 2> vertices;
    int strand;
    double begin, end;
    double low, high; // along the axis that pieces are sorted by
};

std::vector<Piece>
pieces_of(const Positions& X, const std::vector<Strand>& strands, int axis, std::vector<double>& lengths)
{
    std::vector<Piece> pieces;
    for (std::size_t s = 0; s < strands.size(); ++s) {
        double at = 0;
        const std::vector<int>& vertices = strands[s].vertices;
        for (std::size_t k = 0; k < strands[s].num_edges(); ++k) {
            const int a = vertices[k], b = vertices[(k + 1) % vertices.size()];
            const double next = at + (X.row(a) - X.row(b)).norm();
            const auto [low, high] = std::minmax(X(a, axis), X(b, axis));
            pieces.push_back({{a, b}, static_cast<int>(s), at, next, low, high});
            at = next;
        }
        lengths.push_back(at);
    }
    return pieces;
}

} // namespace

std::vector<Strand> find_strands(const Edges& edges, int num_vertices)
{
    const IndexLists vertex_edges = rows_by_corner(edges, num_vertices);
    std::vector<char> is_used(static_cast<std::size_t>(edges.rows()), 0);
    std::vector<Strand> strands;
    // From ends first, as a walk that begins elsewhere would cut a strand in two.
    for (const bool from_ends : {true, false})
        for (int e = 0; e < static_cast<int>(edges.rows()); ++e)
            for (const int c : {0, 1})
                if (is_used[e] == 0 && (!from_ends || vertex_edges[edges(e, c)].size() != 2))
                    strands.push_back(followed(edges, vertex_edges, is_used, edges(e, c), e));
    for (Strand& strand : strands)
        if (strand.is_closed)
            std::rotate(
                strand.vertices.begin(), std::min_element(strand.vertices.begin(), strand.vertices.end()),
                strand.vertices.end());
    return strands;
}

double strand_distance(const MeshData& mesh, double along, double range)
{
    if (mesh.vertices.cols() != 3)
        reject("strand_distance: the mesh has {} coordinates per vertex; give one in space", mesh.vertices.cols());
    const Positions& X = mesh.vertices;
    const std::vector<Strand> strands = find_strands(mesh.edges, static_cast<int>(X.rows()));
    if (strands.empty())
        return std::numeric_limits<double>::infinity();

    // Sorted along the longest side of the box; pieces that come close overlap there.
    int axis = 0;
    const Eigen::RowVector3d extent = X.colwise().maxCoeff() - X.colwise().minCoeff();
    extent.maxCoeff(&axis);
    std::vector<double> lengths;
    std::vector<Piece> pieces = pieces_of(X, strands, axis, lengths);
    std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.low < b.low; });

    // Along one strand, also over the end of a closed one.
    const auto is_near = [&](const Piece& a, const Piece& b) {
        const std::vector<int>& va = strands[a.strand].vertices;
        const std::vector<int>& vb = strands[b.strand].vertices;
        if (a.strand != b.strand)
            return va.front() == vb.front() || va.front() == vb.back() || va.back() == vb.front() ||
                   va.back() == vb.back();
        const auto [first, last] = std::minmax(a, b, [](const Piece& p, const Piece& q) { return p.begin < q.begin; });
        double apart = last.begin - first.end;
        if (strands[a.strand].is_closed)
            apart = std::min(apart, lengths[a.strand] - last.end + first.begin);
        return apart <= along;
    };
    double least = std::numeric_limits<double>::infinity();
    double reach = range;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        for (std::size_t j = i + 1; j < pieces.size() && pieces[j].low <= pieces[i].high + reach; ++j) {
            const Vec3 a0 = point<3>(X, pieces[i].vertices[0]), a1 = point<3>(X, pieces[i].vertices[1]),
                       b0 = point<3>(X, pieces[j].vertices[0]), b1 = point<3>(X, pieces[j].vertices[1]);
            const Vec3 gap = a0.cwiseMin(a1).cwiseMax(b0.cwiseMin(b1)) - a0.cwiseMax(a1).cwiseMin(b0.cwiseMax(b1));
            if (gap.maxCoeff() > reach || is_near(pieces[i], pieces[j]))
                continue;
            const double distance =
                std::sqrt(edge_edge_squared_distance(a0, a1, b0, b1, edge_edge_feature(a0, a1, b0, b1)));
            if (distance <= reach)
                least = reach = distance;
        }
    return least;
}

} // namespace abut
