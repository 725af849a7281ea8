#include "abut/io/object_parts.hpp"

#include "abut/base/error.hpp"
#include "abut/mesh/topology.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace abut {

namespace {

/// The parts with the frame's own numbers of vertices.
struct FrameParts {
    std::vector<std::array<int, 3>> faces;
    std::vector<std::array<int, 2>> edges;
    std::vector<int> points;
};

void check_elements(const Frame& frame, std::size_t num_objects)
{
    const Eigen::Index count = frame.mesh.vertices.rows();
    const auto is_inside = [&](const auto& elements) {
        return elements.size() == 0 || (elements.minCoeff() >= 0 && elements.maxCoeff() < count);
    };
    if (!is_inside(frame.mesh.edges) || !is_inside(frame.mesh.faces) || !is_inside(frame.mesh.tets))
        reject("elements of frame 0 use vertices that it does not have; repair the frame");
    if (Eigen::Index(frame.objects.size()) != count)
        reject("frame 0 has {} vertices and objects of {}; give one each", count, frame.objects.size());
    for (const int object : frame.objects)
        if (object < 0 || std::size_t(object) >= num_objects)
            reject("frame 0 has a vertex of object {}, but {} objects are given", object, num_objects);
}

std::vector<FrameParts> split_elements(const Frame& frame, std::size_t num_objects)
{
    std::vector<FrameParts> parts(num_objects);
    std::vector<char> is_used(frame.objects.size(), 0);
    const auto object_of = [&](int v) { return std::size_t(frame.objects[std::size_t(v)]); };
    for (const int v : frame.mesh.tets.reshaped())
        is_used[std::size_t(v)] = 1;
    for (const Faces& faces : {frame.mesh.faces, boundary_faces(frame.mesh.tets)})
        for (Eigen::Index f = 0; f < faces.rows(); ++f) {
            parts[object_of(faces(f, 0))].faces.push_back({faces(f, 0), faces(f, 1), faces(f, 2)});
            for (const int v : faces.row(f))
                is_used[std::size_t(v)] = 1;
        }
    for (Eigen::Index e = 0; e < frame.mesh.edges.rows(); ++e) {
        parts[object_of(frame.mesh.edges(e, 0))].edges.push_back({frame.mesh.edges(e, 0), frame.mesh.edges(e, 1)});
        is_used[std::size_t(frame.mesh.edges(e, 0))] = is_used[std::size_t(frame.mesh.edges(e, 1))] = 1;
    }
    for (std::size_t v = 0; v < is_used.size(); ++v)
        if (is_used[v] == 0)
            parts[object_of(int(v))].points.push_back(int(v));
    return parts;
}

ObjectParts with_own_numbers(const FrameParts& parts)
{
    ObjectParts own;
    for (const auto& face : parts.faces)
        own.vertices.insert(own.vertices.end(), face.begin(), face.end());
    for (const auto& edge : parts.edges)
        own.vertices.insert(own.vertices.end(), edge.begin(), edge.end());
    own.vertices.insert(own.vertices.end(), parts.points.begin(), parts.points.end());
    std::sort(own.vertices.begin(), own.vertices.end());
    own.vertices.erase(std::unique(own.vertices.begin(), own.vertices.end()), own.vertices.end());

    const auto number = [&](int v) {
        return int(std::lower_bound(own.vertices.begin(), own.vertices.end(), v) - own.vertices.begin());
    };
    own.faces.resize(Eigen::Index(parts.faces.size()), 3);
    for (std::size_t f = 0; f < parts.faces.size(); ++f)
        for (std::size_t c = 0; c < 3; ++c)
            own.faces(Eigen::Index(f), Eigen::Index(c)) = number(parts.faces[f][c]);
    own.edges.resize(Eigen::Index(parts.edges.size()), 2);
    for (std::size_t e = 0; e < parts.edges.size(); ++e)
        for (std::size_t c = 0; c < 2; ++c)
            own.edges(Eigen::Index(e), Eigen::Index(c)) = number(parts.edges[e][c]);
    for (const int v : parts.points)
        own.points.push_back(number(v));
    return own;
}

} // namespace

std::vector<ObjectParts> split_objects(const Frame& frame, std::size_t num_objects)
{
    check_elements(frame, num_objects);
    std::vector<ObjectParts> parts;
    for (const FrameParts& each : split_elements(frame, num_objects))
        parts.push_back(with_own_numbers(each));
    return parts;
}

void check_fits(const Frame& frame, const Frame& first, std::size_t number)
{
    const Positions &X = frame.mesh.vertices, &start = first.mesh.vertices;
    if (X.rows() != start.rows() || X.cols() != start.cols() || (X.cols() != 2 && X.cols() != 3))
        reject("frame {} has other vertices than frame 0; give frames of one run", number);
    if (!(X.array().abs() <= double(std::numeric_limits<float>::max())).all())
        reject("frame {} has coordinates that single precision cannot hold; scale the scene", number);
}

Positions plane_patch(const Plane& plane, const Eigen::AlignedBox3d& box, bool is_flat)
{
    const Vec3 normal = plane.normal.normalized();
    const Vec3 middle = box.center() - normal.dot(box.center() - plane.point) * normal;
    const double reach = 0.75 * box.diagonal().norm();
    const Vec3 u = is_flat ? Vec3(normal.y(), -normal.x(), 0) : Vec3(normal.unitOrthogonal()), v = normal.cross(u);
    Positions corners(is_flat ? 2 : 4, 3);
    if (is_flat)
        corners << (middle - reach * u).transpose(), (middle + reach * u).transpose();
    else
        corners << (middle - reach * (u + v)).transpose(), (middle + reach * (u - v)).transpose(),
            (middle + reach * (u + v)).transpose(), (middle - reach * (u - v)).transpose();
    return corners;
}

double linear_from_srgb(double value)
{
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

} // namespace abut
