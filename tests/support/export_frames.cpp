#include "support/export_frames.hpp"

#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

namespace abut::test {

std::vector<Frame> frames_of_all_kinds(int count)
{
    MeshData start = generate::tet_ball({.radius = 0.5, .shells = 2});
    std::vector<int> objects(std::size_t(start.vertices.rows()), 0);
    append(start, translated(generate::cloth({.cells = {3, 2}}), Vec3(0, 2, 0)));
    objects.resize(std::size_t(start.vertices.rows()), 1);
    append(start, translated(generate::rod({.segments = 4}), Vec3(0, 3, 0)));
    objects.resize(std::size_t(start.vertices.rows()), 2);
    MeshData points;
    points.vertices = (Positions(2, 3) << 1.0 / 3, 5, 0, 1e-7, -5, 1e7).finished();
    append(start, points);
    objects.resize(std::size_t(start.vertices.rows()), 3);
    std::vector<Frame> frames;
    for (int k = 0; k < count; ++k) {
        Frame frame;
        frame.mesh = start;
        for (Eigen::Index v = 0; v < start.vertices.rows(); ++v)
            if (objects[std::size_t(v)] != 1)
                frame.mesh.vertices(v, 0) += 0.1 * k;
        frame.velocities = 2 * frame.mesh.vertices;
        frame.forces = -frame.mesh.vertices;
        frame.objects = objects;
        frame.step = 5 * k;
        frame.time = 1.5 + 0.05 * k;
        frames.push_back(frame);
    }
    return frames;
}

std::vector<ObjectLook> looks_of_all_kinds()
{
    return {
        {"ball", Vec3(1, 0.5, 0)},
        {"my \"sheet\"", Vec3(0, 0, 1)},
        {"Stäbchen\\\n", Vec3(1, 1, 1)},
        {"ball?", Vec3(0, 0, 0)}};
}

std::filesystem::path export_path(const std::string& name)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "abut_export";
    std::filesystem::create_directories(folder);
    return folder / name;
}

} // namespace abut::test
