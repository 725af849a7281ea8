#include "abut/io/vtu.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/mesh/generate/generators.hpp"

#include <gtest/gtest.h>

namespace abut::test::vtu_test {

namespace {

Frame example(int dim)
{
    Frame frame;
    if (dim == 3) {
        frame.mesh = generate::tet_box({.subdivisions = {1, 1, 1}});
        append(frame.mesh, generate::box());
        append(frame.mesh, generate::rod({.segments = 2}));
    } else
        frame.mesh = generate::squircle({.segments = 8});
    const Eigen::Index n = frame.mesh.vertices.rows();
    frame.mesh.vertices.array() += 1.0 / 3;
    frame.velocities = Positions::Random(n, dim);
    frame.forces = Positions::Random(n, dim);
    frame.velocities(0, 0) = -0.0;
    frame.objects.assign(n, 2);
    frame.step = 17;
    frame.time = 0.1 + 0.2;
    frame.history.set("contact.stiffness", 1e9 / 3);
    frame.history.set("plasticity.strain", {0.1, -1e-300, INFINITY});
    frame.history.set("nothing.yet", std::vector<double>());
    frame.others = Eigen::Vector3d(1, 2, 1.0 / 3);
    return frame;
}

std::filesystem::path in_temp(const std::string& name)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "abut_vtu";
    std::filesystem::create_directories(folder);
    return folder / name;
}

TEST(Vtu, ReadsBackTheSameBits)
{
    for (const int dim : {2, 3}) {
        const Frame frame = example(dim);
        const auto path = in_temp("frame.vtu");
        write_vtu(path, frame);
        const Frame back = read_vtu(path);
        EXPECT_EQ(back, frame);
        EXPECT_TRUE(std::signbit(back.velocities(0, 0)));
    }
}

TEST(Vtu, SaysWhereAFileWasCutOrChanged)
{
    const auto path = in_temp("whole.vtu"), broken = in_temp("broken.vtu");
    write_vtu(path, example(3));
    const std::string bytes = read_file(path, 1 << 20);
    const auto expect_rejected = [&](const std::string& content, const std::string& words) {
        write_file(broken, content);
        try {
            (void)read_vtu(broken);
            FAIL() << "read";
        } catch (const InvalidInput& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    for (const std::size_t length : {std::size_t(0), std::size_t(50), bytes.size() / 2, bytes.size() - 1})
        expect_rejected(bytes.substr(0, length), "broken.vtu: ");
    // Any bit of the header or the data
    for (std::size_t at = bytes.find("<UnstructuredGrid>") + 30; at < bytes.size() - 40; at += 997) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 4);
        expect_rejected(changed, "broken.vtu: ");
    }
    expect_rejected("<VTKFile></VTKFile>", "not a frame that abut wrote");
}

} // namespace

} // namespace abut::test::vtu_test
