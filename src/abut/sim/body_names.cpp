#include "abut/sim/body_names.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace abut {

BodyNames::BodyNames(std::vector<std::string> names, std::vector<int> object_starts)
    : names_(std::move(names)), starts_(std::move(object_starts))
{}

int BodyNames::object_of(int vertex) const
{
    return static_cast<int>(std::upper_bound(starts_.begin(), starts_.end(), vertex) - starts_.begin()) - 1;
}

std::string BodyNames::body(int body) const { return body < 0 ? fmt::format("plane {}", -1 - body) : names_[body]; }

std::string BodyNames::quoted(int body) const
{
    return body < 0 ? this->body(body) : fmt::format("'{}'", names_[body]);
}

std::string BodyNames::element(const char* kind, std::span<const int> vertices) const
{
    const int object = object_of(vertices[0]);
    std::vector<int> own(vertices.begin(), vertices.end());
    for (int& v : own)
        v -= starts_[object];
    return own.size() == 1 ? fmt::format("{} {} of '{}'", kind, own[0], names_[object])
                           : fmt::format("{} ({}) of '{}'", kind, fmt::join(own, ", "), names_[object]);
}

std::string BodyNames::vertex(int vertex) const { return element("vertex", std::array{vertex}); }

namespace {

/// The vertices of an element of the surface; none for a plane.
std::vector<int> vertices_of(ElementKind kind, int id, const CollisionMesh& mesh)
{
    switch (kind) {
    case ElementKind::plane:
        return {};
    case ElementKind::vertex:
        return {id};
    case ElementKind::edge:
        return {mesh.edges()(id, 0), mesh.edges()(id, 1)};
    case ElementKind::face:
        return {mesh.faces()(id, 0), mesh.faces()(id, 1), mesh.faces()(id, 2)};
    }
    return {};
}

} // namespace

std::vector<int> BodyNames::vertices(const StepLimit& limit, const CollisionMesh& mesh)
{
    std::vector<int> all;
    if (limit.kind != PairKind::none)
        for (int side = 0; side < 2; ++side)
            for (const int v : vertices_of(element_kinds(limit.kind)[side], limit.pair[side], mesh))
                all.push_back(mesh.to_full_vertex_id(v));
    return all;
}

std::string BodyNames::pair(const StepLimit& limit, const CollisionMesh& mesh, const ConstPositions& X) const
{
    if (limit.kind == PairKind::none)
        return "";
    const auto& kinds = element_kinds(limit.kind);
    std::array<std::string, 2> words;
    Vec3 centre = Vec3::Zero();
    int count = 0;
    for (int side = 0; side < 2; ++side) {
        if (kinds[side] == ElementKind::plane) {
            words[side] = body(-1 - limit.pair[side]);
            continue;
        }
        std::vector<int> vertices = vertices_of(kinds[side], limit.pair[side], mesh);
        for (int& v : vertices) {
            centre += lifted(X, v);
            ++count;
            v = mesh.to_full_vertex_id(v);
        }
        words[side] = element(to_string(kinds[side]), vertices);
    }
    centre /= count;
    return fmt::format(
        "{} and {}, {:.3g} m apart near ({:.4g}, {:.4g}, {:.4g})", words[0], words[1], limit.initial_distance,
        centre.x(), centre.y(), centre.z());
}

} // namespace abut
