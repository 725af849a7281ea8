#include "abut/play/playback.hpp"

#include "abut/base/assert.hpp"
#include "abut/io/deflate.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/play/packed_blocks.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>

namespace abut {

static_assert(std::endian::native == std::endian::little, "playbacks are written as the bytes of the machine");

namespace {

using nlohmann::json;

/// Tubes and spheres of bodies that keep no distance are drawn with this share of the body's extent as radius.
constexpr double tube_share = 3e-3, sphere_share = 8e-3;

json to_json(const Vec3& v) { return {v[0], v[1], v[2]}; }

template <typename T>
void append_values(std::string& bytes, const T* values, std::size_t count)
{
    bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

/// The box around some rows of positions.
struct Extents {
    Vec3 low = Vec3::Constant(INFINITY), high = Vec3::Constant(-INFINITY);

    void add(const Vec3& x)
    {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    [[nodiscard]] double diagonal() const { return low.x() <= high.x() ? (high - low).norm() : 0; }
    [[nodiscard]] Vec3 centre() const { return 0.5 * low + 0.5 * high; }
};

Extents extents_of(const Positions& positions, const std::vector<int>& vertices)
{
    Extents extents;
    for (const int v : vertices)
        extents.add(lifted(positions, v));
    return extents;
}

/// Numbers the vertices that elements use, object by object.
class Numbering {
public:
    explicit Numbering(Eigen::Index num_vertices) : number_(static_cast<std::size_t>(num_vertices), -1) {}

    int operator()(int vertex, std::vector<int>& listed)
    {
        int& number = number_[static_cast<std::size_t>(vertex)];
        if (number < 0) {
            number = static_cast<int>(listed.size());
            listed.push_back(vertex);
        }
        return number;
    }
    [[nodiscard]] bool has(int vertex) const { return number_[static_cast<std::size_t>(vertex)] >= 0; }

private:
    std::vector<int> number_;
};

} // namespace

std::vector<Vec3> body_colors(const Scene& scene)
{
    const std::array<Vec3, 8> palette{Vec3(0.31, 0.56, 0.84), Vec3(0.95, 0.57, 0.27), Vec3(0.40, 0.72, 0.47),
                                      Vec3(0.86, 0.37, 0.41), Vec3(0.61, 0.48, 0.80), Vec3(0.93, 0.76, 0.32),
                                      Vec3(0.30, 0.70, 0.71), Vec3(0.87, 0.51, 0.70)};
    const Vec3 obstacle(0.74, 0.74, 0.75);
    std::vector<Vec3> colors;
    std::size_t num_bodies = 0;
    for (const SceneObject& object : scene.objects)
        colors.push_back(object.kind == ObjectKind::obstacle ? obstacle : palette[num_bodies++ % palette.size()]);
    return colors;
}

std::vector<double> body_radii(const Scene& scene)
{
    std::vector<double> radii;
    for (const SceneObject& object : scene.objects)
        radii.push_back(
            object.kind == ObjectKind::rod      ? object.rod.section.larger()
            : object.kind == ObjectKind::points ? object.contact_thickness.value_or(0) / 2
                                                : 0);
    return radii;
}

Vec3 up_of(const Scene& scene) { return scene.gravity.norm() > 0 ? Vec3(-scene.gravity.normalized()) : Vec3(0, 1, 0); }

PlaybackEncoder::PlaybackEncoder(const Scene& scene, const Frame& start, std::vector<PlaybackField> fields)
    : dim_(static_cast<int>(start.mesh.vertices.cols())), num_frame_vertices_(start.mesh.vertices.rows()),
      name_(scene.name), up_(up_of(scene)), planes_(scene.planes), fields_(std::move(fields)),
      bodies_(scene.objects.size())
{
    Numbering number(num_frame_vertices_);
    const auto body_of = [&](int vertex) -> Body& { return bodies_[static_cast<std::size_t>(start.objects[vertex])]; };
    const auto add = [&](const auto& elements, std::vector<int> Body::*list) {
        for (Eigen::Index e = 0; e < elements.rows(); ++e) {
            Body& body = body_of(elements(e, 0));
            for (Eigen::Index c = 0; c < elements.cols(); ++c)
                (body.*list).push_back(number(elements(e, c), body.vertices));
        }
    };
    add(boundary_faces(start.mesh.tets), &Body::triangles);
    add(start.mesh.faces, &Body::triangles);
    add(start.mesh.edges, &Body::edges);

    // What is in no element is drawn as a point; not the inside of solids.
    std::vector<bool> is_inside(static_cast<std::size_t>(num_frame_vertices_), false);
    for (const int v : start.mesh.tets.reshaped())
        is_inside[static_cast<std::size_t>(v)] = true;
    for (int v = 0; v < static_cast<int>(num_frame_vertices_); ++v)
        if (!number.has(v) && !is_inside[static_cast<std::size_t>(v)])
            body_of(v).points.push_back(number(v, body_of(v).vertices));

    Extents all;
    for (Eigen::Index v = 0; v < num_frame_vertices_; ++v)
        all.add(lifted(start.mesh.vertices, v));
    const std::vector<Vec3> colors = body_colors(scene);
    const std::vector<double> radii = body_radii(scene);
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        Body& body = bodies_[k];
        body.name = scene.objects[k].name;
        body.kind = to_string(scene.objects[k].kind);
        body.color = colors[k];
        const Extents extents = extents_of(start.mesh.vertices, body.vertices);
        // A single point has no extent of its own.
        double extent = extents.diagonal() > 0 ? extents.diagonal() : all.diagonal();
        if (!(extent > 0))
            extent = 1;
        body.quantum = playback_precision * extent;
        const double share = body.edges.empty() ? sphere_share : tube_share;
        body.radius = radii[k] > 0 ? radii[k] : scene.contact.dmin > 0 ? scene.contact.dmin / 2 : share * extent;
        if (!body.vertices.empty())
            body.origin = extents.centre();
    }
}

json PlaybackEncoder::manifest() const
{
    json bodies = json::array(), planes = json::array(), fields = json::array();
    for (const Body& body : bodies_)
        bodies.push_back(
            {{"name", body.name},
             {"kind", body.kind},
             {"color", to_json(body.color)},
             {"num_vertices", body.vertices.size()},
             {"num_triangles", body.triangles.size() / 3},
             {"num_edges", body.edges.size() / 2},
             {"num_points", body.points.size()},
             {"radius", body.radius},
             {"origin", to_json(body.origin)},
             {"quantum", body.quantum}});
    for (std::size_t k = 0; k < planes_.size(); ++k)
        planes.push_back(
            {{"name", fmt::format("plane {}", k)},
             {"point", to_json(planes_[k].point)},
             {"normal", to_json(planes_[k].normal)}});
    for (const PlaybackField& field : fields_)
        fields.push_back({{"name", field.name}, {"label", field.label}, {"unit", field.unit}, {"range", nullptr}});
    return {{"playback", 1},    {"name", name_},    {"dim", dim_},      {"up", to_json(up_)},
            {"bodies", bodies}, {"planes", planes}, {"fields", fields}, {"marks", json::array()}};
}

std::string PlaybackEncoder::topology() const
{
    std::string bytes;
    for (const Body& body : bodies_)
        for (const std::vector<int>* list : {&body.triangles, &body.edges, &body.points, &body.vertices})
            append_values(bytes, list->data(), list->size());
    return deflated(bytes);
}

std::string PlaybackEncoder::chunk(std::span<const PlaybackFrame> frames) const
{
    std::string bytes;
    std::vector<PackedPositions> positions;
    for (const Body& body : bodies_)
        positions.emplace_back(body.vertices.size());
    std::vector<PackedField> fields;
    for (std::size_t f = 0; f < fields_.size(); ++f)
        for (const Body& body : bodies_)
            fields.emplace_back(body.vertices.size());
    for (const PlaybackFrame& frame : frames) {
        ABUT_ASSERT(frame.positions.rows() == num_frame_vertices_ && frame.fields.size() == fields_.size());
        for (std::size_t k = 0; k < bodies_.size(); ++k) {
            const Body& body = bodies_[k];
            positions[k].add(frame.positions, body.vertices, body.origin, body.quantum, bytes);
        }
        std::size_t packed = 0;
        for (const Eigen::VectorXd& values : frame.fields)
            for (const Body& body : bodies_)
                fields[packed++].add(values, body.vertices, bytes);
        const auto count = static_cast<std::uint32_t>(frame.forces.size());
        append_values(bytes, &count, 1);
        for (const ContactArrow& arrow : frame.forces) {
            const std::array<std::int32_t, 2> pair{arrow.body, arrow.other};
            const Eigen::Vector3f place = arrow.place.cast<float>();
            append_values(bytes, pair.data(), 2);
            append_values(bytes, place.data(), 3);
            append_values(bytes, arrow.contact.data(), 3);
            append_values(bytes, arrow.friction.data(), 3);
        }
    }
    return deflated(bytes);
}

std::size_t PlaybackEncoder::num_vertices() const
{
    std::size_t count = 0;
    for (const Body& body : bodies_)
        count += body.vertices.size();
    return count;
}

bool PlaybackEncoder::fits(const Frame& frame) const
{
    return frame.mesh.vertices.rows() == num_frame_vertices_ && frame.mesh.vertices.cols() == dim_ &&
           frame.mesh.vertices.allFinite();
}

json to_json(const PlaybackMark& mark)
{
    const auto grouped = [](const std::vector<Vec3>& corners, std::size_t size) {
        json list = json::array();
        for (std::size_t at = 0; at + size <= corners.size(); at += size) {
            json group = json::array();
            for (std::size_t k = 0; k < size; ++k)
                group.push_back(to_json(corners[at + k]));
            list.push_back(size == 1 ? group[0] : group);
        }
        return list;
    };
    return {
        {"label", mark.label},
        {"frame", nullptr},
        {"points", grouped(mark.points, 1)},
        {"segments", grouped(mark.segments, 2)},
        {"triangles", grouped(mark.triangles, 3)}};
}

} // namespace abut
