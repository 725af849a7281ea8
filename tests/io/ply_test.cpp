#include "abut/io/ply.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "support/export_frames.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace abut::test::ply_test {
namespace {

/// Reads values one after the other.
class Bytes {
public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

    template <typename T>
    T next()
    {
        T value{};
        EXPECT_GE(bytes_.size(), sizeof(T));
        std::memcpy(&value, bytes_.data(), sizeof(T));
        bytes_.remove_prefix(sizeof(T));
        return value;
    }
    [[nodiscard]] std::size_t left() const { return bytes_.size(); }

private:
    std::string_view bytes_;
};

TEST(Ply, HoldsEveryVertexWithItsVelocityForceAndObject)
{
    const std::vector<Frame> frames = frames_of_all_kinds(2);
    const std::vector<ObjectParts> parts = split_objects(frames[0], 4);
    const auto path = export_path("frame.ply");
    write_ply(path, frames[1], parts, "made by a test");
    const std::string file = read_file(path, 1 << 24);
    const std::size_t begin = file.find("end_header\n") + 11;
    const std::string header = file.substr(0, begin);
    // 42 vertices of the ball's surface, 12 of the sheet, 5 of the rod, 2 points; 80 and 12 faces; 4 edges
    EXPECT_TRUE(header.starts_with("ply\nformat binary_little_endian 1.0\ncomment made by a test\nelement vertex 61\n"))
        << header;
    EXPECT_NE(header.find("element face 92\nproperty list uchar int vertex_indices\n"), std::string::npos);
    EXPECT_NE(header.find("element edge 4\nproperty int vertex1\nproperty int vertex2\n"), std::string::npos);

    Bytes bytes(std::string_view(file).substr(begin));
    std::vector<Eigen::Vector3f> points;
    for (int object = 0; object < 4; ++object)
        for (const int v : parts[std::size_t(object)].vertices) {
            const Eigen::Vector3f x = lifted(frames[1].mesh.vertices, v).cast<float>();
            for (const float expected : x)
                EXPECT_EQ(bytes.next<float>(), expected);
            for (const float expected : x)
                EXPECT_EQ(bytes.next<float>(), 2 * expected);
            for (const float expected : x)
                EXPECT_EQ(bytes.next<float>(), -expected);
            EXPECT_EQ(bytes.next<std::int32_t>(), object);
            points.push_back(x);
        }
    for (int f = 0; f < 92; ++f) {
        EXPECT_EQ(bytes.next<std::uint8_t>(), 3);
        Eigen::Vector3f middle = Eigen::Vector3f::Zero();
        std::array<Eigen::Vector3f, 3> corners;
        for (Eigen::Vector3f& corner : corners) {
            corner = points.at(std::size_t(bytes.next<std::int32_t>()));
            middle += corner / 3;
        }
        const Eigen::Vector3f normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        if (f >= 80)
            EXPECT_NEAR(middle.y(), 2, 1e-6) << "the sheet";
        else
            EXPECT_GT(normal.dot(middle - Eigen::Vector3f(0.1F, 0, 0)), 0) << "outward";
    }
    for (int e = 0; e < 4; ++e) {
        const auto a = points.at(std::size_t(bytes.next<std::int32_t>())),
                   b = points.at(std::size_t(bytes.next<std::int32_t>()));
        EXPECT_NEAR((a - b).norm(), 0.25, 1e-6) << "of the rod, which is 1 m long";
    }
    EXPECT_EQ(bytes.left(), 0u);
}

TEST(Ply, OfPointsAloneHasNoOtherElements)
{
    Frame frame;
    frame.mesh.vertices = (Positions(1, 2) << 3, 4).finished();
    frame.velocities = frame.forces = Positions::Zero(1, 2);
    frame.objects = {0};
    const std::string file = encode_ply(frame, split_objects(frame, 1));
    EXPECT_EQ(file.find("element face"), std::string::npos);
    EXPECT_EQ(file.find("element edge"), std::string::npos);
    Bytes bytes(std::string_view(file).substr(file.find("end_header\n") + 11));
    for (const float expected : {3.F, 4.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F})
        EXPECT_EQ(bytes.next<float>(), expected) << "z of the plane is 0";
}

TEST(Ply, RejectsWhatSinglePrecisionCannotHold)
{
    Frame frame = frames_of_all_kinds(1)[0];
    const std::vector<ObjectParts> parts = split_objects(frame, 4);
    frame.mesh.vertices(0, 0) = 1e40;
    EXPECT_THROW(static_cast<void>(encode_ply(frame, parts)), InvalidInput);
}

} // namespace
} // namespace abut::test::ply_test
