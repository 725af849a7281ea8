#include "abut/mesh/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace abut {

namespace {

constexpr std::size_t shown_ids = 10;

std::string first_ids(const std::vector<int>& ids)
{
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), shown_ids));
    return fmt::format("{}{}", fmt::join(ids.begin(), end, ", "), ids.size() > shown_ids ? ", ..." : "");
}

void add_line(std::string& text, const char* what, const std::vector<int>& ids, const char* meaning)
{
    if (!ids.empty())
        text += fmt::format("{} {} ({}): {}\n", ids.size(), what, first_ids(ids), meaning);
}

std::vector<std::pair<int, int>> find_coincident_vertices(const Positions& X)
{
    std::vector<int> order(X.rows());
    std::iota(order.begin(), order.end(), 0);
    const auto compare = [&](int i, int j) {
        for (Eigen::Index axis = 0; axis < X.cols(); ++axis)
            if (X(i, axis) != X(j, axis))
                return X(i, axis) < X(j, axis) ? -1 : 1;
        return 0;
    };
    std::sort(order.begin(), order.end(), [&](int i, int j) {
        const int c = compare(i, j);
        return c != 0 ? c < 0 : i < j;
    });
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t first = 0, k = 1; k < order.size(); ++k)
        if (compare(order[first], order[k]) == 0)
            pairs.emplace_back(order[first], order[k]);
        else
            first = k;
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

} // namespace

MeshDiagnostics diagnose(const CollisionMesh& mesh)
{
    MeshDiagnostics found;
    const Positions& X = mesh.rest_positions();
    found.coincident_vertices = find_coincident_vertices(X);
    found.unreferenced_vertices = mesh.codim_vertices();
    for (int e = 0; e < mesh.num_edges(); ++e) {
        const int a = mesh.edges()(e, 0), b = mesh.edges()(e, 1);
        if (X.row(a) == X.row(b))
            found.zero_length_edges.push_back(e);
        const auto faces = mesh.edge_faces(e);
        if (faces.size() == 1)
            found.boundary_edges.push_back(e);
        if (faces.size() > 2)
            found.non_manifold_edges.push_back(e);
        if (faces.size() == 2) {
            const auto runs_forward = [&](int f) {
                for (int k = 0; k < 3; ++k)
                    if (mesh.faces()(f, k) == a && mesh.faces()(f, (k + 1) % 3) == b)
                        return true;
                return false;
            };
            if (runs_forward(faces[0]) == runs_forward(faces[1]))
                found.inconsistent_edges.push_back(e);
        }
    }
    for (int f = 0; f < mesh.num_faces(); ++f) {
        const Vec3 t0 = point<3>(X, mesh.faces()(f, 0)), t1 = point<3>(X, mesh.faces()(f, 1));
        const Vec3 t2 = point<3>(X, mesh.faces()(f, 2));
        if ((t1 - t0).cross(t2 - t0).isZero(0))
            found.zero_area_faces.push_back(f);
    }
    return found;
}

bool MeshDiagnostics::is_clean() const
{
    return coincident_vertices.empty() && zero_length_edges.empty() && zero_area_faces.empty() &&
           non_manifold_edges.empty() && inconsistent_edges.empty();
}

std::string MeshDiagnostics::summary() const
{
    std::string text;
    std::vector<int> later;
    for (const auto& [first, second] : coincident_vertices)
        later.push_back(second);
    add_line(text, "coincident vertices", later, "they start in contact at distance 0; merge them");
    add_line(text, "zero-length edges", zero_length_edges, "they act as points; collapse them");
    add_line(text, "zero-area faces", zero_area_faces, "they act as edges and weigh nothing; remove or remesh them");
    add_line(
        text, "non-manifold edges", non_manifold_edges, "more than two faces meet; accepted, but there is no outside");
    add_line(
        text, "inconsistently oriented edges", inconsistent_edges, "the two faces disagree on the outside; flip one");
    return text;
}

} // namespace abut
