#include "mesh_check.hpp"

#include "abut/detect/detection.hpp"
#include "abut/io/msh.hpp"
#include "abut/io/obj.hpp"
#include "abut/mesh/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace abut {

namespace {

/// Removes rows that have the same vertices as an earlier row, and returns (first, later) of each.
template <typename Rows>
std::vector<std::pair<int, int>> remove_duplicates(Rows& rows)
{
    std::vector<int> order(rows.rows());
    std::iota(order.begin(), order.end(), 0);
    Rows sorted = rows;
    for (Eigen::Index i = 0; i < sorted.rows(); ++i)
        std::sort(sorted.row(i).data(), sorted.row(i).data() + sorted.cols());
    const auto compare = [&](int i, int j) {
        for (Eigen::Index k = 0; k < sorted.cols(); ++k)
            if (sorted(i, k) != sorted(j, k))
                return sorted(i, k) < sorted(j, k) ? -1 : 1;
        return 0;
    };
    std::sort(order.begin(), order.end(), [&](int i, int j) {
        const int c = compare(i, j);
        return c != 0 ? c < 0 : i < j;
    });
    std::vector<std::pair<int, int>> duplicates;
    std::vector<bool> is_later(rows.rows(), false);
    for (std::size_t first = 0, k = 1; k < order.size(); ++k)
        if (compare(order[first], order[k]) == 0) {
            duplicates.emplace_back(order[first], order[k]);
            is_later[order[k]] = true;
        } else {
            first = k;
        }
    std::sort(duplicates.begin(), duplicates.end());
    Eigen::Index kept = 0;
    for (Eigen::Index i = 0; i < rows.rows(); ++i)
        if (!is_later[i])
            rows.row(kept++) = rows.row(i).eval();
    rows.conservativeResize(kept, rows.cols());
    return duplicates;
}

/// Closed or open chains of edges that have one face.
int count_boundary_loops(const CollisionMesh& mesh, const std::vector<int>& boundary_edges)
{
    std::map<int, int> parent;
    const auto root = [&](int v) {
        while (parent[v] != v)
            v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const int e : boundary_edges)
        for (int k = 0; k < 2; ++k)
            parent.emplace(mesh.edges()(e, k), mesh.edges()(e, k));
    for (const int e : boundary_edges)
        parent[root(mesh.edges()(e, 0))] = root(mesh.edges()(e, 1));
    return static_cast<int>(
        std::count_if(parent.begin(), parent.end(), [](const auto& item) { return item.first == item.second; }));
}

/// The surface of what a file holds; of tetrahedra their boundary, as a scene would have it.
MeshData read_mesh(const std::filesystem::path& path)
{
    if (path.extension() != ".msh")
        return read_obj(path);
    MeshData data = read_msh(path);
    if (data.tets.rows() == 0)
        return data;
    // Vertices within the solid are no part of its surface, and would be taken for loose ones.
    const Faces faces = boundary_faces(data.tets);
    std::vector<int> new_index(static_cast<std::size_t>(data.vertices.rows()), -1);
    std::vector<bool> is_inner(new_index.size(), false);
    for (Eigen::Index i = 0; i < data.tets.size(); ++i)
        is_inner[data.tets.data()[i]] = true;
    for (Eigen::Index i = 0; i < faces.size(); ++i)
        is_inner[faces.data()[i]] = false;
    MeshData surface;
    surface.vertices.resize(data.vertices.rows(), data.vertices.cols());
    int kept = 0;
    for (std::size_t v = 0; v < new_index.size(); ++v)
        if (!is_inner[v]) {
            new_index[v] = kept;
            surface.vertices.row(kept++) = data.vertices.row(static_cast<Eigen::Index>(v));
        }
    surface.vertices.conservativeResize(kept, data.vertices.cols());
    surface.faces = faces.unaryExpr([&](int v) { return new_index[v]; });
    return surface;
}

MeshFacts facts_of(const std::filesystem::path& path)
{
    MeshFacts facts;
    facts.path = path;
    facts.data = read_mesh(path);
    facts.duplicate_faces = remove_duplicates(facts.data.faces);
    facts.duplicate_edges = remove_duplicates(facts.data.edges);
    const CollisionMesh mesh(facts.data);
    facts.num_edges = mesh.num_edges();
    for (const Component& component : mesh.components().components) {
        facts.num_components += component.num_edges > 0;
        facts.num_closed_components += component.is_closed_and_oriented();
    }
    facts.box_lo = facts.data.vertices.colwise().minCoeff();
    facts.box_hi = facts.data.vertices.colwise().maxCoeff();
    if (mesh.num_edges() > 0) {
        facts.shortest_edge = std::numeric_limits<double>::infinity();
        for (int e = 0; e < mesh.num_edges(); ++e) {
            const double length =
                (facts.data.vertices.row(mesh.edges()(e, 1)) - facts.data.vertices.row(mesh.edges()(e, 0))).norm();
            facts.shortest_edge = std::min(facts.shortest_edge, length);
            facts.longest_edge = std::max(facts.longest_edge, length);
            facts.mean_edge += length / mesh.num_edges();
        }
    }
    facts.diagnostics = diagnose(mesh);
    facts.num_boundary_loops = count_boundary_loops(mesh, facts.diagnostics.boundary_edges);
    return facts;
}

DhatSuggestion suggest_dhat(const MeshCheck& check)
{
    const double diagonal =
        (check.joined.vertices.colwise().maxCoeff() - check.joined.vertices.colwise().minCoeff()).norm();
    DhatSuggestion suggestion{
        1e-3 * diagonal, fmt::format("a thousandth of the bounding box's diagonal ({:.4g} m)", diagonal)};
    if (!check.intersections.empty())
        suggestion.reason += "; check again once the intersections are gone";
    else if (check.smallest_distance > 0 && 0.5 * check.smallest_distance < suggestion.dhat)
        suggestion = {
            0.5 * check.smallest_distance,
            fmt::format(
                "half of the smallest distance ({:.4g} m), so that no contact acts at the start",
                check.smallest_distance)};
    return suggestion;
}

} // namespace

bool MeshCheck::is_clean() const
{
    return intersections.empty() && smallest_distance > 0 &&
           std::all_of(files.begin(), files.end(), [](const MeshFacts& facts) { return facts.is_clean(); });
}

std::string MeshCheck::element_name(const char* kind, int index) const
{
    const std::string_view word = kind;
    if (word == "plane")
        return fmt::format("plane {}", index);
    const auto& first = word == "vertex" ? first_vertex : word == "edge" ? first_edge : first_face;
    const auto file = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), index) - first.begin()) - 1;
    const std::string name = fmt::format("{} {}", kind, index - first[file]);
    return files.size() == 1 ? name : fmt::format("{}: {}", files[file].path.filename().string(), name);
}

MeshCheck check_meshes(const std::vector<std::filesystem::path>& paths)
{
    MeshCheck check;
    for (const auto& path : paths) {
        check.files.push_back(facts_of(path));
        check.first_vertex.push_back(static_cast<int>(check.joined.vertices.rows()));
        check.first_face.push_back(static_cast<int>(check.joined.faces.rows()));
        append(check.joined, check.files.back().data);
    }
    // Each file's own edges first, in its own order, so that edge numbers are those of the file.
    std::vector<Edges> file_edges;
    Eigen::Index num_edges = 0;
    for (const MeshFacts& facts : check.files) {
        check.first_edge.push_back(static_cast<int>(num_edges));
        file_edges.push_back(CollisionMesh(facts.data).edges());
        num_edges += file_edges.back().rows();
    }
    check.edges.resize(num_edges, 2);
    for (std::size_t i = 0; i < file_edges.size(); ++i)
        check.edges.middleRows(check.first_edge[i], file_edges[i].rows()) =
            file_edges[i].array() + check.first_vertex[i];
    const CollisionMesh mesh(check.joined.vertices, check.edges, check.joined.faces);
    check.intersections = find_intersections(mesh, check.joined.vertices);
    check.smallest_distance = compute_minimum_distance(mesh, check.joined.vertices);
    check.suggestion = suggest_dhat(check);
    return check;
}

std::pair<std::string, std::string> element_names(const MeshCheck& check, const Intersection& intersection)
{
    using Kinds = std::pair<const char*, const char*>;
    constexpr std::array<Kinds, 6> kinds{Kinds{"edge", "face"}, {"edge", "edge"},     {"face", "vertex"},
                                         {"edge", "vertex"},    {"vertex", "vertex"}, {"plane", "vertex"}};
    const auto [first, second] = kinds[static_cast<int>(intersection.kind)];
    return {check.element_name(first, intersection.pair[0]), check.element_name(second, intersection.pair[1])};
}

MeshData intersecting_elements(const MeshCheck& check)
{
    std::set<int> faces, edges;
    for (const Intersection& intersection : check.intersections) {
        if (intersection.kind == IntersectionKind::plane_vertex) // of no face or edge; its vertex is below
            continue;
        if (intersection.kind == IntersectionKind::edge_face)
            faces.insert(intersection.pair[1]);
        if (intersection.kind == IntersectionKind::face_vertex)
            faces.insert(intersection.pair[0]);
        else if (intersection.kind != IntersectionKind::vertex_vertex)
            edges.insert(intersection.pair[0]);
        if (intersection.kind == IntersectionKind::edge_edge)
            edges.insert(intersection.pair[1]);
    }
    MeshData found;
    std::map<int, int> new_index;
    std::vector<int> kept;
    const auto renumber = [&](auto& to, const auto& from, const std::set<int>& rows) {
        to.resize(static_cast<Eigen::Index>(rows.size()), from.cols());
        Eigen::Index row = 0;
        for (const int i : rows) {
            for (Eigen::Index k = 0; k < from.cols(); ++k) {
                const auto [item, is_new] = new_index.emplace(from(i, k), static_cast<int>(kept.size()));
                if (is_new)
                    kept.push_back(from(i, k));
                to(row, k) = item->second;
            }
            ++row;
        }
    };
    renumber(found.faces, check.joined.faces, faces);
    renumber(found.edges, check.edges, edges);
    for (const Intersection& intersection : check.intersections)
        if (intersection.kind == IntersectionKind::vertex_vertex)
            kept.push_back(intersection.pair[0]);
        else if (intersection.kind == IntersectionKind::plane_vertex)
            kept.push_back(intersection.pair[1]);
    found.vertices.resize(static_cast<Eigen::Index>(kept.size()), 3);
    for (std::size_t i = 0; i < kept.size(); ++i)
        found.vertices.row(static_cast<Eigen::Index>(i)) = check.joined.vertices.row(kept[i]);
    return found;
}

} // namespace abut
