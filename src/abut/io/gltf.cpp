#include "abut/io/gltf.hpp"

#include "abut/base/error.hpp"
#include "abut/base/version.hpp"
#include "abut/io/file.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/mesh/tubes.hpp"

#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#include <tiny_gltf.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>
#include <sstream>

namespace abut {

namespace {

using Floats = Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Indices = std::vector<std::uint32_t>;

/// GLB counts its bytes in 32 bits; the rest up to 2^32 is room for JSON and padding.
constexpr std::uint64_t max_bytes = std::uint64_t(4'000'000'000);

const double crease_cosine = std::cos(40 * std::numbers::pi / 180);

/// Normals are smooth, so that few are enough.
constexpr int tube_sides = 8;

/// Surfaces of frames are smooth except across creases, where vertices are doubled so that each side has its normal.
struct Surface {
    std::vector<int> vertices; ///< of the frame, one for each vertex of the surface
    Faces faces;               ///< of the surface's vertices
};

Vec3 face_normal(const Positions& X, const Faces& faces, Eigen::Index f)
{
    const Vec3 a = lifted(X, faces(f, 0));
    return (lifted(X, faces(f, 1)) - a).cross(lifted(X, faces(f, 2)) - a);
}

Surface split_at_creases(const Positions& X, const Faces& faces)
{
    const IndexLists vertex_faces = rows_by_corner(faces, static_cast<int>(X.rows()));
    std::vector<Vec3> normals;
    for (Eigen::Index f = 0; f < faces.rows(); ++f)
        normals.push_back(face_normal(X, faces, f));
    const auto is_smooth = [&](int f, int g) {
        return normals[std::size_t(f)].dot(normals[std::size_t(g)]) >=
               crease_cosine * normals[std::size_t(f)].norm() * normals[std::size_t(g)].norm();
    };

    Surface surface;
    surface.faces.resize(faces.rows(), 3);
    for (int v = 0; v < X.rows(); ++v) {
        // Faces around v that are joined by smooth edges share a vertex of the surface.
        const auto around = vertex_faces[v];
        std::vector<std::size_t> group(around.size());
        std::iota(group.begin(), group.end(), std::size_t(0));
        const auto share_edge = [&](int f, int g) { // at v
            for (const int a : faces.row(f))
                for (const int b : faces.row(g))
                    if (a == b && a != v)
                        return true;
            return false;
        };
        for (std::size_t i = 0; i < around.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (group[i] != group[j] && share_edge(around[i], around[j]) && is_smooth(around[i], around[j])) {
                    const std::size_t from = std::max(group[i], group[j]), to = std::min(group[i], group[j]);
                    std::replace(group.begin(), group.end(), from, to);
                }
        for (std::size_t i = 0; i < around.size(); ++i) {
            if (group[i] != i)
                continue;
            const int copy = static_cast<int>(surface.vertices.size());
            surface.vertices.push_back(v);
            for (std::size_t j = i; j < around.size(); ++j)
                if (group[j] == i)
                    for (int c = 0; c < 3; ++c)
                        if (faces(around[j], c) == v)
                            surface.faces(around[j], c) = copy;
        }
    }
    return surface;
}

Floats positions_of(const Positions& X, const std::vector<int>& vertices)
{
    Floats result(Eigen::Index(vertices.size()), 3);
    for (std::size_t k = 0; k < vertices.size(); ++k)
        result.row(Eigen::Index(k)) = lifted(X, vertices[k]).cast<float>().transpose();
    return result;
}

Floats normals_of(const Positions& X, const Surface& surface)
{
    Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> sums =
        Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>::Zero(Eigen::Index(surface.vertices.size()), 3);
    for (Eigen::Index f = 0; f < surface.faces.rows(); ++f) {
        const auto corner = [&](int c) { return lifted(X, surface.vertices[std::size_t(surface.faces(f, c))]); };
        const Vec3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0)); // weighted by area
        for (int c = 0; c < 3; ++c)
            sums.row(surface.faces(f, c)) += normal.transpose();
    }
    Floats result(sums.rows(), 3);
    for (Eigen::Index v = 0; v < sums.rows(); ++v) {
        const Vec3 sum = sums.row(v).transpose();
        result.row(v) = (sum.norm() > 0 ? Vec3(sum.normalized()) : Vec3(Vec3::UnitY())).cast<float>().transpose();
    }
    return result;
}

class GlbWriter {
public:
    GlbWriter(std::span<const Frame> frames, std::span<const GltfObject> objects, std::span<const Plane> planes)
        : frames_(frames), objects_(objects), planes_(planes)
    {}

    std::string run()
    {
        model_.asset.version = "2.0";
        model_.asset.generator = std::string("abut ") + version;
        model_.buffers.emplace_back();
        model_.scenes.emplace_back();
        model_.defaultScene = 0;
        parts_ = split_objects(frames_.front(), objects_.size());
        find_moving_objects();
        for (std::size_t k = 0; k < objects_.size(); ++k)
            add_object(k);
        if (model_.nodes.empty())
            reject("glTF: the frames have no vertices; run a scene with objects");
        for (const Plane& plane : planes_)
            add_plane(plane);
        if (model_.buffers[0].data.size() > max_bytes)
            throw LimitReached(fmt::format(
                "glTF: {} frames need {} bytes, above the limit of {}; write fewer frames", frames_.size(),
                model_.buffers[0].data.size(), max_bytes));
        std::ostringstream stream;
        tinygltf::TinyGLTF writer;
        if (!writer.WriteGltfSceneToStream(&model_, stream, false, true))
            throw InputOutput("glTF: the file cannot be encoded");
        return std::move(stream).str();
    }

private:
    // --- Buffers ---

    int add_view(const void* data, std::size_t bytes, int target)
    {
        std::vector<unsigned char>& buffer = model_.buffers[0].data;
        // Asked for before it is filled: 120 frames of a large mesh are many bytes.
        if (buffer.size() + bytes > max_bytes)
            throw LimitReached(
                fmt::format("glTF: {} frames need more than {} bytes; write fewer frames", frames_.size(), max_bytes));
        tinygltf::BufferView view;
        view.buffer = 0;
        view.byteOffset = buffer.size();
        view.byteLength = bytes;
        view.target = target;
        buffer.resize(buffer.size() + (bytes + 3) / 4 * 4);
        std::memcpy(buffer.data() + view.byteOffset, data, bytes);
        model_.bufferViews.push_back(view);
        return static_cast<int>(model_.bufferViews.size()) - 1;
    }

    int add_accessor(int view, std::size_t count, int component, int type)
    {
        tinygltf::Accessor accessor;
        accessor.bufferView = view;
        accessor.componentType = component;
        accessor.count = count;
        accessor.type = type;
        model_.accessors.push_back(accessor);
        return static_cast<int>(model_.accessors.size()) - 1;
    }

    int add_vectors(const Floats& rows, bool has_bounds)
    {
        const int view = add_view(rows.data(), std::size_t(rows.size()) * sizeof(float), TINYGLTF_TARGET_ARRAY_BUFFER);
        const int index =
            add_accessor(view, std::size_t(rows.rows()), TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_VEC3);
        if (has_bounds)
            for (int c = 0; c < 3; ++c) {
                model_.accessors.back().minValues.push_back(double(rows.col(c).minCoeff()));
                model_.accessors.back().maxValues.push_back(double(rows.col(c).maxCoeff()));
            }
        return index;
    }

    int add_scalars(const std::vector<float>& values, bool has_bounds)
    {
        const int view = add_view(values.data(), values.size() * sizeof(float), 0);
        const int index = add_accessor(view, values.size(), TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_SCALAR);
        if (has_bounds) {
            model_.accessors.back().minValues = {double(*std::min_element(values.begin(), values.end()))};
            model_.accessors.back().maxValues = {double(*std::max_element(values.begin(), values.end()))};
        }
        return index;
    }

    int add_indices(const Indices& indices)
    {
        const int view =
            add_view(indices.data(), indices.size() * sizeof(std::uint32_t), TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
        return add_accessor(view, indices.size(), TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, TINYGLTF_TYPE_SCALAR);
    }

    // --- Objects ---

    void add_object(std::size_t object)
    {
        const ObjectParts& parts = parts_[object];
        tinygltf::Mesh mesh;
        mesh.name = objects_[object].name;
        const bool is_moving = is_moving_[object] != 0;
        const auto in_frame = [&](std::vector<int> own) {
            for (int& v : own)
                v = parts.vertices[std::size_t(v)];
            return own;
        };
        if (parts.faces.rows() > 0) {
            Surface surface = split_at_creases(parts.rows(frames_.front().mesh.vertices), parts.faces);
            surface.vertices = in_frame(std::move(surface.vertices));
            Indices indices;
            for (const int v : surface.faces.reshaped<Eigen::RowMajor>())
                indices.push_back(std::uint32_t(v));
            add_primitive(mesh, TINYGLTF_MODE_TRIANGLES, surface.vertices, indices, &surface, is_moving);
        }
        if (parts.edges.rows() > 0 && objects_[object].radius > 0 && frames_.front().mesh.vertices.cols() == 3) {
            add_tubes(mesh, parts, objects_[object].radius, is_moving);
        } else if (parts.edges.rows() > 0) {
            std::vector<int> used(parts.edges.data(), parts.edges.data() + parts.edges.size());
            std::sort(used.begin(), used.end());
            used.erase(std::unique(used.begin(), used.end()), used.end());
            Indices indices;
            for (const int v : parts.edges.reshaped<Eigen::RowMajor>())
                indices.push_back(std::uint32_t(std::lower_bound(used.begin(), used.end(), v) - used.begin()));
            add_primitive(mesh, TINYGLTF_MODE_LINE, in_frame(std::move(used)), indices, nullptr, is_moving);
        }
        if (!parts.points.empty())
            add_primitive(mesh, TINYGLTF_MODE_POINTS, in_frame(parts.points), {}, nullptr, is_moving);
        if (mesh.primitives.empty())
            return;

        if (is_moving)
            mesh.weights.assign(frames_.size() - 1, 0);
        const int node = add_node(mesh, objects_[object].color);
        if (is_moving)
            animate(node);
    }

    /// Tubes follow the edges of each frame; their vertices keep their places around the edges.
    void add_tubes(tinygltf::Mesh& mesh, const ObjectParts& parts, double radius, bool is_moving)
    {
        Tubes tubes(parts.edges, std::vector<double>(parts.vertices.size(), radius), tube_sides);
        Positions x, n;
        const auto place = [&](const Frame& frame) {
            tubes.place(parts.rows(frame.mesh.vertices), x, n);
            return std::pair<Floats, Floats>{x.cast<float>(), n.cast<float>()};
        };
        const auto [positions, normals] = place(frames_.front());
        Indices indices;
        for (const int v : tubes.faces().reshaped<Eigen::RowMajor>())
            indices.push_back(std::uint32_t(v));
        tinygltf::Primitive primitive;
        primitive.mode = TINYGLTF_MODE_TRIANGLES;
        primitive.attributes["POSITION"] = add_vectors(positions, true);
        primitive.attributes["NORMAL"] = add_vectors(normals, false);
        primitive.indices = add_indices(indices);
        for (std::size_t k = 1; is_moving && k < frames_.size(); ++k) {
            const auto [moved, turned] = place(frames_[k]);
            std::map<std::string, int> target;
            target["POSITION"] = add_vectors(moved - positions, true);
            target["NORMAL"] = add_vectors(turned - normals, false);
            primitive.targets.push_back(target);
        }
        mesh.primitives.push_back(primitive);
    }

    /// The node of a mesh, with a material of the same name.
    int add_node(tinygltf::Mesh& mesh, const Vec3& color)
    {
        tinygltf::Material material;
        material.name = mesh.name;
        material.doubleSided = true;
        material.pbrMetallicRoughness.metallicFactor = 0;
        material.pbrMetallicRoughness.roughnessFactor = 0.7;
        for (int c = 0; c < 3; ++c)
            material.pbrMetallicRoughness.baseColorFactor[std::size_t(c)] =
                linear_from_srgb(std::clamp(color[c], 0.0, 1.0));
        model_.materials.push_back(material);
        for (tinygltf::Primitive& primitive : mesh.primitives)
            primitive.material = static_cast<int>(model_.materials.size()) - 1;
        model_.meshes.push_back(mesh);
        tinygltf::Node node;
        node.name = mesh.name;
        node.mesh = static_cast<int>(model_.meshes.size()) - 1;
        model_.nodes.push_back(node);
        model_.scenes[0].nodes.push_back(static_cast<int>(model_.nodes.size()) - 1);
        return static_cast<int>(model_.nodes.size()) - 1;
    }

    /// Large enough to reach beyond everything else there is to see, wherever that is.
    void add_plane(const Plane& plane)
    {
        Eigen::AlignedBox3d box;
        for (const Frame& frame : frames_)
            for (int v = 0; v < frame.mesh.vertices.rows(); ++v)
                box.extend(lifted(frame.mesh.vertices, v));
        const bool is_flat = frames_.front().mesh.vertices.cols() == 2;
        const Floats corners = plane_patch(plane, box, is_flat).cast<float>();
        tinygltf::Primitive primitive;
        primitive.mode = is_flat ? TINYGLTF_MODE_LINE : TINYGLTF_MODE_TRIANGLES;
        primitive.attributes["POSITION"] = add_vectors(corners, true);
        if (!is_flat)
            primitive.attributes["NORMAL"] =
                add_vectors(plane.normal.normalized().cast<float>().transpose().replicate(4, 1), false);
        primitive.indices = add_indices(is_flat ? Indices{0, 1} : Indices{0, 1, 2, 0, 2, 3});
        tinygltf::Mesh mesh;
        mesh.name = "plane";
        mesh.primitives.push_back(primitive);
        add_node(mesh, Vec3(0.835, 0.85, 0.87));
    }

    void find_moving_objects()
    {
        const Frame& first = frames_.front();
        is_moving_.assign(objects_.size(), 0);
        for (const Frame& frame : frames_)
            for (std::size_t v = 0; v < first.objects.size(); ++v)
                if (frame.mesh.vertices.row(Eigen::Index(v)) != first.mesh.vertices.row(Eigen::Index(v)))
                    is_moving_[std::size_t(first.objects[v])] = 1;
    }

    void add_primitive(
        tinygltf::Mesh& mesh, int mode, const std::vector<int>& vertices, const Indices& indices,
        const Surface* surface, bool is_moving)
    {
        tinygltf::Primitive primitive;
        primitive.mode = mode;
        const Positions& start = frames_.front().mesh.vertices;
        const Floats positions = positions_of(start, vertices);
        const Floats normals = surface != nullptr ? normals_of(start, *surface) : Floats();
        primitive.attributes["POSITION"] = add_vectors(positions, true);
        if (surface != nullptr)
            primitive.attributes["NORMAL"] = add_vectors(normals, false);
        if (!indices.empty())
            primitive.indices = add_indices(indices);
        for (std::size_t k = 1; is_moving && k < frames_.size(); ++k) {
            const Positions& X = frames_[k].mesh.vertices;
            std::map<std::string, int> target;
            target["POSITION"] = add_vectors(positions_of(X, vertices) - positions, true);
            if (surface != nullptr)
                target["NORMAL"] = add_vectors(normals_of(X, *surface) - normals, false);
            primitive.targets.push_back(target);
        }
        mesh.primitives.push_back(primitive);
    }

    /// At the time of frame k only its target has weight; before the first frame all are zero.
    void animate(int node)
    {
        if (times_ < 0) {
            const std::size_t count = frames_.size(), targets = count - 1;
            std::vector<float> times, weights(count * targets, 0);
            for (const Frame& frame : frames_)
                times.push_back(static_cast<float>(frame.time - frames_.front().time));
            for (std::size_t k = 1; k < count; ++k) {
                if (!(times[k] > times[k - 1]))
                    reject("glTF: the times of frames {} and {} do not rise in single precision", k - 1, k);
                weights[k * targets + k - 1] = 1;
            }
            times_ = add_scalars(times, true);
            weights_ = add_scalars(weights, false);
            model_.animations.emplace_back();
            model_.animations[0].name = "simulation";
        }
        tinygltf::Animation& animation = model_.animations[0];
        tinygltf::AnimationSampler sampler;
        sampler.input = times_;
        sampler.output = weights_;
        sampler.interpolation = "LINEAR";
        animation.samplers.push_back(sampler);
        tinygltf::AnimationChannel channel;
        channel.sampler = static_cast<int>(animation.samplers.size()) - 1;
        channel.target_node = node;
        channel.target_path = "weights";
        animation.channels.push_back(channel);
    }

    std::span<const Frame> frames_;
    std::span<const GltfObject> objects_;
    std::span<const Plane> planes_;
    std::vector<ObjectParts> parts_;
    std::vector<char> is_moving_; // objects
    tinygltf::Model model_;
    int times_ = -1, weights_ = -1; // accessors that all animated objects share
};

void check(std::span<const Frame> frames, std::span<const GltfObject> objects, std::span<const Plane> planes)
{
    for (std::size_t k = 0; k < planes.size(); ++k)
        if (!planes[k].point.allFinite() || !planes[k].normal.allFinite() || !(planes[k].normal.norm() > 0))
            reject("glTF: plane {} has no finite point and normal; correct it", k);
    if (frames.empty())
        reject("glTF: there are no frames; give one or more");
    const Frame& first = frames.front();
    const Eigen::Index count = first.mesh.vertices.rows();
    const auto is_inside = [&](const auto& elements) {
        return elements.size() == 0 || (elements.minCoeff() >= 0 && elements.maxCoeff() < count);
    };
    if (!is_inside(first.mesh.edges) || !is_inside(first.mesh.faces) || !is_inside(first.mesh.tets))
        reject("glTF: elements of frame 0 use vertices that it does not have; repair the frame");
    if (Eigen::Index(first.objects.size()) != count)
        reject("glTF: frame 0 has {} vertices and objects of {}; give one each", count, first.objects.size());
    for (const int object : first.objects)
        if (object < 0 || std::size_t(object) >= objects.size())
            reject("glTF: frame 0 has a vertex of object {}, but {} objects are given", object, objects.size());
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const Frame& frame = frames[k];
        if (frame.mesh.vertices.rows() != count || frame.mesh.vertices.cols() != first.mesh.vertices.cols() ||
            (frame.mesh.vertices.cols() != 2 && frame.mesh.vertices.cols() != 3))
            reject("glTF: frame {} has other vertices than frame 0; give frames of one run", k);
        if (!(frame.mesh.vertices.array().abs() <= double(std::numeric_limits<float>::max())).all())
            reject("glTF: frame {} has coordinates that single precision cannot hold; scale the scene", k);
        if (!std::isfinite(frame.time) || (k > 0 && !(frame.time > frames[k - 1].time)))
            reject("glTF: the time of frame {} does not rise; give frames in their order", k);
    }
}

} // namespace

std::string
encode_glb(std::span<const Frame> frames, std::span<const GltfObject> objects, std::span<const Plane> planes)
{
    check(frames, objects, planes);
    return GlbWriter(frames, objects, planes).run();
}

void write_glb(
    const std::filesystem::path& path, std::span<const Frame> frames, std::span<const GltfObject> objects,
    std::span<const Plane> planes)
{
    write_file(path, encode_glb(frames, objects, planes));
}

} // namespace abut
