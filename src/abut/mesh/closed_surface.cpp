#include "abut/mesh/closed_surface.hpp"

#include "abut/base/error.hpp"
#include "abut/mesh/topology.hpp"

namespace abut {

namespace {

/// For messages.
std::string place_of_edge(const ConstPositions& vertices, int v0, int v1)
{
    const Vec3 x = 0.5 * (point<3>(vertices, v0) + point<3>(vertices, v1));
    return fmt::format("that of vertices {} and {} at ({:.4g}, {:.4g}, {:.4g})", v0, v1, x.x(), x.y(), x.z());
}

/// Every edge has two faces.
void require_closed(const ConstPositions& vertices, const EdgeTopology& topology)
{
    int num_open = 0, num_crowded = 0;
    Eigen::Index first_open = -1, first_crowded = -1;
    for (Eigen::Index e = 0; e < topology.edges.rows(); ++e) {
        const std::size_t count = topology.edge_faces[e].size();
        if (count == 1 && num_open++ == 0)
            first_open = e;
        if (count > 2 && num_crowded++ == 0)
            first_crowded = e;
    }
    if (num_open > 0)
        reject(
            "the surface is open: {} of its edges belong to one triangle only, such as {}; fill the holes, and merge "
            "vertices that lie on each other",
            num_open, place_of_edge(vertices, topology.edges(first_open, 0), topology.edges(first_open, 1)));
    if (num_crowded > 0)
        reject(
            "{} edges of the surface belong to more than two triangles, such as {}, so that it has no clear inside; "
            "part the mesh there",
            num_crowded, place_of_edge(vertices, topology.edges(first_crowded, 0), topology.edges(first_crowded, 1)));
}

/// Does the face pass the edge from its first vertex to its second?
bool runs_along(const Faces& faces, int face, int from, int to)
{
    for (int k = 0; k < 3; ++k)
        if (faces(face, k) == from && faces(face, (k + 1) % 3) == to)
            return true;
    return false;
}

void turn_round(Faces& faces, Eigen::Index face) { std::swap(faces(face, 1), faces(face, 2)); }

Faces rows_of(const Faces& faces, const std::vector<int>& rows)
{
    Faces chosen(static_cast<Eigen::Index>(rows.size()), 3);
    for (std::size_t k = 0; k < rows.size(); ++k)
        chosen.row(static_cast<Eigen::Index>(k)) = faces.row(rows[k]);
    return chosen;
}

/// The faces of each connected part in the order in which edges reach them, those of the first face first. Calls
/// meet(face, neighbour, edge, is_new) for every edge between two.
template <typename Meet>
std::vector<std::vector<int>> walk_parts(const EdgeTopology& topology, Eigen::Index num_faces, const Meet& meet)
{
    std::vector<std::uint8_t> is_reached(static_cast<std::size_t>(num_faces), 0);
    std::vector<std::vector<int>> parts;
    for (int first = 0; first < num_faces; ++first) {
        if (is_reached[first] != 0)
            continue;
        std::vector<int>& part = parts.emplace_back(std::vector{first});
        is_reached[first] = 1;
        for (std::size_t k = 0; k < part.size(); ++k) { // grows
            const int face = part[k];
            for (int corner = 0; corner < 3; ++corner) {
                const int edge = topology.faces_to_edges(face, corner);
                for (const int neighbour : topology.edge_faces[edge]) {
                    if (neighbour == face)
                        continue;
                    const bool is_new = is_reached[neighbour] == 0;
                    meet(face, neighbour, edge, is_new);
                    if (is_new)
                        part.push_back(neighbour);
                    is_reached[neighbour] = 1;
                }
            }
        }
    }
    return parts;
}

/// Relative to the extent of the part.
constexpr double no_volume = 1e-12;

double cubed_extent(const ConstPositions& vertices, const Faces& faces)
{
    Vec3 low = Vec3::Constant(INFINITY), high = -low;
    for (const int v : faces.reshaped()) {
        low = low.cwiseMin(point<3>(vertices, v));
        high = high.cwiseMax(point<3>(vertices, v));
    }
    return std::pow((high - low).norm(), 3);
}

} // namespace

Vec3 mean_corner(const ConstPositions& vertices, const Faces& faces)
{
    Vec3 sum = Vec3::Zero();
    const Vec3 origin = point<3>(vertices, faces(0, 0)); // digits are of the surface's size
    for (Eigen::Index f = 0; f < faces.rows(); ++f)
        for (int k = 0; k < 3; ++k)
            sum += point<3>(vertices, faces(f, k)) - origin;
    return origin + sum / (3.0 * static_cast<double>(faces.rows()));
}

double enclosed_volume(const ConstPositions& vertices, const Faces& faces, const Vec3& reference)
{
    double sum = 0;
    for (Eigen::Index f = 0; f < faces.rows(); ++f) {
        const Vec3 a = point<3>(vertices, faces(f, 0)) - reference, b = point<3>(vertices, faces(f, 1)) - reference,
                   c = point<3>(vertices, faces(f, 2)) - reference;
        sum += a.dot(b.cross(c));
    }
    return sum / 6;
}

std::vector<Faces> closed_parts(const ConstPositions& vertices, const Faces& faces)
{
    const EdgeTopology topology = build_edge_topology(Edges(0, 2), faces, static_cast<int>(vertices.rows()));
    require_closed(vertices, topology);
    Faces turned = faces;
    const auto meet = [&](int face, int neighbour, int edge, bool is_new) {
        const int v0 = topology.edges(edge, 0), v1 = topology.edges(edge, 1);
        if (runs_along(turned, face, v0, v1) != runs_along(turned, neighbour, v0, v1))
            return; // in opposite directions, as they should
        if (!is_new)
            reject(
                "the surface has only one side: its triangles cannot all be turned to agree, as at the edge {}; cut it "
                "so that it has two",
                place_of_edge(vertices, v0, v1));
        turn_round(turned, neighbour);
    };
    std::vector<Faces> parts;
    for (const std::vector<int>& rows : walk_parts(topology, faces.rows(), meet)) {
        Faces part = rows_of(turned, rows);
        const double volume = enclosed_volume(vertices, part, mean_corner(vertices, part));
        if (!(std::abs(volume) > no_volume * cubed_extent(vertices, part)))
            reject(
                "the part of the surface at vertex {} encloses a volume of {:.3g} m³, that is none, so that it has no "
                "inside; give it some",
                part(0, 0), volume);
        for (Eigen::Index f = 0; f < part.rows() && volume < 0; ++f)
            turn_round(part, f);
        parts.push_back(std::move(part));
    }
    return parts;
}

std::vector<Faces> cavities(const ConstPositions& vertices, const Faces& boundary)
{
    const EdgeTopology topology = build_edge_topology(Edges(0, 2), boundary, static_cast<int>(vertices.rows()));
    std::vector<Faces> hollows;
    for (const std::vector<int>& rows : walk_parts(topology, boundary.rows(), [](int, int, int, bool) {})) {
        Faces part = rows_of(boundary, rows);
        if (!(enclosed_volume(vertices, part, mean_corner(vertices, part)) < -no_volume * cubed_extent(vertices, part)))
            continue;
        for (Eigen::Index f = 0; f < part.rows(); ++f)
            turn_round(part, f);
        hollows.push_back(std::move(part));
    }
    return hollows;
}

} // namespace abut
