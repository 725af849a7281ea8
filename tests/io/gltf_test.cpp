#include "abut/io/gltf.hpp"

#include "abut/base/error.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

// Declarations only: the implementation is in the library.
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#include <tiny_gltf.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <set>

namespace abut::test::gltf_test {
namespace {

/// A ball of tets that moves along x and turns into an ellipsoid, a sheet that bends, and an obstacle that stands
/// still.
std::vector<Frame> moving_frames(int count)
{
    MeshData start = generate::tet_ball({.radius = 0.5, .shells = 2});
    std::vector<int> objects(std::size_t(start.vertices.rows()), 0);
    append(start, translated(generate::cloth({.cells = {4, 4}}), Vec3(0, 2, 0)));
    objects.resize(std::size_t(start.vertices.rows()), 1);
    append(start, translated(generate::box(), Vec3(0, -2, 0)));
    objects.resize(std::size_t(start.vertices.rows()), 2);
    std::vector<Frame> frames;
    for (int k = 0; k < count; ++k) {
        Frame frame;
        frame.mesh = start;
        for (Eigen::Index v = 0; v < start.vertices.rows(); ++v) {
            if (objects[std::size_t(v)] == 0) {
                frame.mesh.vertices(v, 0) = start.vertices(v, 0) + 0.25 * k;
                frame.mesh.vertices(v, 1) *= 1 + 0.1 * k;
            } else if (objects[std::size_t(v)] == 1)
                frame.mesh.vertices(v, 1) += 0.1 * k * start.vertices(v, 0) * start.vertices(v, 0);
        }
        frame.velocities = frame.forces = Positions::Zero(start.vertices.rows(), 3);
        frame.objects = objects;
        frame.step = 5 * k;
        frame.time = 1.5 + 0.05 * k;
        frames.push_back(frame);
    }
    return frames;
}

std::vector<GltfObject> three_objects()
{
    return {{"ball", Vec3(1, 0.5, 0)}, {"sheet", Vec3(0, 0, 1)}, {"floor", Vec3(0.74, 0.74, 0.75)}};
}

tinygltf::Model load(const std::string& bytes)
{
    tinygltf::Model model;
    tinygltf::TinyGLTF loader;
    std::string errors, warnings;
    EXPECT_TRUE(loader.LoadBinaryFromMemory(
        &model, &errors, &warnings, reinterpret_cast<const unsigned char*>(bytes.data()), unsigned(bytes.size())))
        << errors;
    EXPECT_EQ(errors, "");
    EXPECT_EQ(warnings, "");
    return model;
}

template <typename T>
std::vector<T> values(const tinygltf::Model& model, int index)
{
    const tinygltf::Accessor& accessor = model.accessors.at(std::size_t(index));
    const tinygltf::BufferView& view = model.bufferViews.at(std::size_t(accessor.bufferView));
    std::vector<T> result(accessor.count * (accessor.type == TINYGLTF_TYPE_VEC3 ? 3 : 1));
    EXPECT_EQ(view.byteLength, result.size() * sizeof(T));
    EXPECT_EQ(view.byteOffset % 4, 0u);
    std::memcpy(result.data(), model.buffers[0].data.data() + view.byteOffset, view.byteLength);
    return result;
}

TEST(Gltf, HasAMeshWithAMaterialForEachObject)
{
    const std::vector<Frame> frames = moving_frames(4);
    const tinygltf::Model model = load(encode_glb(frames, three_objects()));
    ASSERT_EQ(model.meshes.size(), 3u);
    ASSERT_EQ(model.nodes.size(), 3u);
    ASSERT_EQ(model.scenes.size(), 1u);
    EXPECT_EQ(model.scenes[0].nodes.size(), 3u);
    EXPECT_EQ(model.asset.version, "2.0");
    const std::vector<GltfObject> objects = three_objects();
    const std::array<std::size_t, 3> faces = {80, 32, 12}; // 20 n² of the ball's surface
    // The ball and the sheet are smooth; of the box every corner is three, one for each side.
    const std::array<std::size_t, 3> vertices = {42, 25, 24};
    std::set<std::vector<double>> colors;
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(model.nodes[k].name, objects[k].name);
        EXPECT_EQ(model.nodes[k].mesh, int(k));
        const tinygltf::Primitive& primitive = model.meshes[k].primitives.at(0);
        EXPECT_EQ(primitive.mode, TINYGLTF_MODE_TRIANGLES);
        EXPECT_EQ(model.accessors[std::size_t(primitive.indices)].count, 3 * faces[k]);
        EXPECT_EQ(model.accessors[std::size_t(primitive.attributes.at("POSITION"))].count, vertices[k]);
        EXPECT_EQ(model.accessors[std::size_t(primitive.attributes.at("NORMAL"))].count, vertices[k]);
        colors.insert(model.materials.at(std::size_t(primitive.material)).pbrMetallicRoughness.baseColorFactor);
    }
    EXPECT_EQ(colors.size(), 3u);
    EXPECT_NEAR(model.materials[0].pbrMetallicRoughness.baseColorFactor[1], 0.21404, 1e-5) << "0.5 of sRGB is linear";
}

TEST(Gltf, TargetsAddUpToThePositionsAndNormalsOfEveryFrame)
{
    const std::vector<Frame> frames = moving_frames(4);
    const tinygltf::Model model = load(encode_glb(frames, three_objects()));
    const tinygltf::Primitive& ball = model.meshes[0].primitives[0];
    ASSERT_EQ(ball.targets.size(), 3u);
    EXPECT_EQ(model.meshes[0].weights, std::vector<double>(3, 0.0));
    const std::vector<float> base = values<float>(model, ball.attributes.at("POSITION")),
                             normals = values<float>(model, ball.attributes.at("NORMAL"));
    for (std::size_t k = 0; k < 4; ++k) {
        std::vector<float> x = base, n = normals;
        if (k > 0) {
            const std::vector<float> dx = values<float>(model, ball.targets[k - 1].at("POSITION")),
                                     dn = values<float>(model, ball.targets[k - 1].at("NORMAL"));
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] += dx[i], n[i] += dn[i];
        }
        // The vertices of the surface of an ellipsoid around (k / 4, 0, 0), its normals along the gradient.
        const double stretch = 1 + 0.1 * double(k);
        for (std::size_t v = 0; v + 2 < x.size(); v += 3) {
            const Vec3 p(x[v] - 0.25 * double(k), x[v + 1] / stretch, x[v + 2]);
            EXPECT_NEAR(p.norm(), 0.5, 1e-6);
            const Vec3 normal(n[v], n[v + 1], n[v + 2]), outward(p.x(), p.y() / stretch, p.z());
            EXPECT_NEAR(normal.norm(), 1, 1e-6);
            EXPECT_GT(normal.dot(outward.normalized()), 0.97);
        }
    }
    EXPECT_TRUE(model.meshes[2].primitives[0].targets.empty()) << "what stands still needs no targets";
}

TEST(Gltf, BoundsHoldWhatTheyBound)
{
    const tinygltf::Model model = load(encode_glb(moving_frames(3), three_objects()));
    int num_bounded = 0;
    for (std::size_t a = 0; a < model.accessors.size(); ++a) {
        const tinygltf::Accessor& accessor = model.accessors[a];
        if (accessor.minValues.empty())
            continue;
        ++num_bounded;
        const std::vector<float> all = values<float>(model, int(a));
        const std::size_t width = accessor.minValues.size();
        std::vector<double> lo(width, INFINITY), hi(width, -INFINITY);
        for (std::size_t i = 0; i < all.size(); ++i) {
            lo[i % width] = std::min(lo[i % width], double(all[i]));
            hi[i % width] = std::max(hi[i % width], double(all[i]));
        }
        EXPECT_EQ(lo, accessor.minValues);
        EXPECT_EQ(hi, accessor.maxValues);
    }
    EXPECT_EQ(num_bounded, 3 + 2 * 2 + 1) << "positions, their targets, times";
    const tinygltf::Primitive& box = model.meshes[2].primitives[0];
    const tinygltf::Accessor& positions = model.accessors[std::size_t(box.attributes.at("POSITION"))];
    EXPECT_EQ(positions.minValues, (std::vector<double>{-0.5, -2.5, -0.5}));
    EXPECT_EQ(positions.maxValues, (std::vector<double>{0.5, -1.5, 0.5}));
}

TEST(Gltf, TheAnimationShowsEachFrameAtItsTime)
{
    const tinygltf::Model model = load(encode_glb(moving_frames(4), three_objects()));
    ASSERT_EQ(model.animations.size(), 1u);
    const tinygltf::Animation& animation = model.animations[0];
    ASSERT_EQ(animation.channels.size(), 2u) << "the ball and the sheet";
    for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_EQ(animation.channels[c].target_node, int(c));
        EXPECT_EQ(animation.channels[c].target_path, "weights");
        const tinygltf::AnimationSampler& sampler = animation.samplers.at(std::size_t(animation.channels[c].sampler));
        EXPECT_EQ(sampler.interpolation, "LINEAR");
        const std::vector<float> times = values<float>(model, sampler.input);
        ASSERT_EQ(times.size(), 4u);
        for (int k = 0; k < 4; ++k)
            EXPECT_FLOAT_EQ(times[std::size_t(k)], float(0.05 * k)) << "from zero on";
        EXPECT_EQ(values<float>(model, sampler.output), (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
    }
}

TEST(Gltf, OneFrameIsAStillPicture)
{
    const tinygltf::Model model = load(encode_glb(moving_frames(1), three_objects()));
    EXPECT_EQ(model.meshes.size(), 3u);
    EXPECT_TRUE(model.animations.empty());
    EXPECT_TRUE(model.meshes[0].primitives[0].targets.empty());
}

TEST(Gltf, CurvesArePolylinesPointsArePointsAndThePlaneLiesInSpace)
{
    Frame frame;
    frame.mesh = generate::rod({.segments = 3});
    frame.mesh.vertices.conservativeResize(6, 3);
    frame.mesh.vertices.bottomRows(2) << 1, 2, 3, 4, 5, 6;
    frame.objects = {0, 0, 0, 0, 1, 1};
    tinygltf::Model model = load(encode_glb({&frame, 1}, std::vector<GltfObject>{{"rod"}, {"points"}}));
    EXPECT_EQ(model.meshes.at(0).primitives.at(0).mode, TINYGLTF_MODE_LINE);
    EXPECT_EQ(
        values<std::uint32_t>(model, model.meshes[0].primitives[0].indices),
        (std::vector<std::uint32_t>{0, 1, 1, 2, 2, 3}));
    EXPECT_EQ(model.meshes.at(1).primitives.at(0).mode, TINYGLTF_MODE_POINTS);
    EXPECT_EQ(
        values<float>(model, model.meshes[1].primitives[0].attributes.at("POSITION")),
        (std::vector<float>{1, 2, 3, 4, 5, 6}));

    frame.mesh = generate::polygon();
    frame.objects.assign(3, 0);
    model = load(encode_glb({&frame, 1}, std::vector<GltfObject>{{"triangle"}}));
    EXPECT_EQ(
        values<float>(model, model.meshes.at(0).primitives.at(0).attributes.at("NORMAL")),
        (std::vector<float>{0, 0, 1, 0, 0, 1, 0, 0, 1}));
}

TEST(Gltf, EdgesWithARadiusAreTubesThatFollowThem)
{
    std::vector<Frame> frames;
    for (int k = 0; k < 3; ++k) {
        Frame frame;
        frame.mesh = generate::helix({.radius = 0.5, .pitch = 0.3 + 0.1 * k, .turns = 2, .segments = 40});
        frame.objects.assign(41, 0);
        frame.time = k;
        frames.push_back(frame);
    }
    const tinygltf::Model model = load(encode_glb(frames, std::vector<GltfObject>{{.name = "spring", .radius = 0.02}}));
    const tinygltf::Primitive& primitive = model.meshes.at(0).primitives.at(0);
    ASSERT_EQ(model.meshes[0].primitives.size(), 1u);
    EXPECT_EQ(primitive.mode, TINYGLTF_MODE_TRIANGLES);
    ASSERT_EQ(primitive.targets.size(), 2u);
    const std::vector<float> start = values<float>(model, primitive.attributes.at("POSITION"));
    const std::vector<float> normals = values<float>(model, primitive.attributes.at("NORMAL"));
    EXPECT_EQ(normals.size(), start.size());
    EXPECT_GT(model.accessors[std::size_t(primitive.indices)].count, 40u * 6 * 2 * 3);
    for (std::size_t k = 0; k < 3; ++k) {
        std::vector<float> x = start;
        if (k > 0) {
            const std::vector<float> way = values<float>(model, primitive.targets[k - 1].at("POSITION"));
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] += way[i];
        }
        // Every vertex is as far from the closest of the frame's vertices as the tube is thick.
        for (std::size_t v = 0; 3 * v < x.size(); ++v) {
            const Eigen::RowVector3d at(x[3 * v], x[3 * v + 1], x[3 * v + 2]);
            EXPECT_NEAR((frames[k].mesh.vertices.rowwise() - at).rowwise().norm().minCoeff(), 0.02, 1e-6);
        }
    }
}

TEST(Gltf, PlanesAreSquaresThatReachBeyondEverything)
{
    const std::vector<Frame> frames = moving_frames(2);
    const Plane slope{Vec3(0, -3, 0), Vec3(-1, 2, 0)};
    const tinygltf::Model model = load(encode_glb(frames, three_objects(), {&slope, 1}));
    ASSERT_EQ(model.meshes.size(), 4u);
    EXPECT_EQ(model.nodes[3].name, "plane");
    const tinygltf::Primitive& square = model.meshes[3].primitives.at(0);
    const std::vector<float> corners = values<float>(model, square.attributes.at("POSITION"));
    ASSERT_EQ(corners.size(), 12u);
    const auto corner = [&](std::size_t k) { return Vec3(corners[3 * k], corners[3 * k + 1], corners[3 * k + 2]); };
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NEAR((corner(k) - slope.point).dot(slope.normal), 0, 1e-5);
    EXPECT_GT((corner(1) - corner(0)).cross(corner(2) - corner(0)).dot(slope.normal), 0) << "faces the free side";
    EXPECT_GT((corner(1) - corner(0)).norm(), 5) << "the frames are 5 m high";
    EXPECT_EQ(model.animations.at(0).channels.size(), 2u);

    Frame flat;
    flat.mesh = generate::polygon();
    flat.objects.assign(3, 0);
    const Plane floor{Vec3(0, -1, 0), Vec3(0, 1, 0)};
    const tinygltf::Model planar = load(encode_glb({&flat, 1}, std::vector<GltfObject>{{"triangle"}}, {&floor, 1}));
    EXPECT_EQ(planar.meshes.at(1).primitives.at(0).mode, TINYGLTF_MODE_LINE);
    const std::vector<float> line = values<float>(planar, planar.meshes[1].primitives[0].attributes.at("POSITION"));
    ASSERT_EQ(line.size(), 6u);
    EXPECT_EQ(line[1], -1);
    EXPECT_EQ(line[4], -1);
    const Plane bad{Vec3::Zero(), Vec3::Zero()};
    EXPECT_THROW((void)encode_glb(frames, three_objects(), {&bad, 1}), InvalidInput);
}

TEST(Gltf, TheSameFramesGiveTheSameBytes)
{
    EXPECT_EQ(encode_glb(moving_frames(3), three_objects()), encode_glb(moving_frames(3), three_objects()));
}

TEST(Gltf, RejectsFramesThatDoNotBelongTogether)
{
    const auto rejected = [](const std::string& words, const std::function<void(std::vector<Frame>&)>& change) {
        std::vector<Frame> frames = moving_frames(3);
        change(frames);
        try {
            (void)encode_glb(frames, three_objects());
            ADD_FAILURE() << words;
        } catch (const InvalidInput& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    rejected("no frames", [](auto& frames) { frames.clear(); });
    rejected("frame 2 has other vertices", [](auto& frames) { frames[2].mesh.vertices.conservativeResize(5, 3); });
    rejected("the time of frame 1 does not rise", [](auto& frames) { frames[1].time = frames[0].time; });
    rejected("the time of frame 2 does not rise", [](auto& frames) { frames[2].time = NAN; });
    rejected("single precision cannot hold", [](auto& frames) { frames[1].mesh.vertices(0, 0) = 1e39; });
    rejected("single precision cannot hold", [](auto& frames) { frames[1].mesh.vertices(0, 0) = NAN; });
    rejected("a vertex of object 3", [](auto& frames) { frames[0].objects[0] = 3; });
    rejected("a vertex of object -1", [](auto& frames) { frames[0].objects[0] = -1; });
    rejected("objects of 1", [](auto& frames) { frames[0].objects.resize(1); });
    rejected("use vertices that it does not have", [](auto& frames) { frames[0].mesh.faces(0, 0) = 100'000; });
}

} // namespace
} // namespace abut::test::gltf_test
