#include "abut/io/point_cache.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "support/export_frames.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace abut::test::point_cache_test {
namespace {

FloatRows sample(int k)
{
    FloatRows rows(2, 3);
    rows << 1, 2, 3, 4, 5, 6;
    return rows * float(k + 1);
}

TEST(PointCache, IsTheHeaderAndThePointsOfEverySample)
{
    const auto path = export_path("a.pc2");
    write_point_cache(path, {.num_points = 2, .start_frame = 1, .sample_rate = 0.6F, .num_samples = 3}, sample);
    const std::string file = read_file(path, 1 << 20);
    ASSERT_EQ(file.size(), 32u + 3 * 2 * 12);
    EXPECT_EQ(file.substr(0, 12), std::string("POINTCACHE2\0", 12));
    const auto value = [&]<typename T>(std::size_t offset, T like) {
        std::memcpy(&like, file.data() + offset, sizeof(T));
        return like;
    };
    EXPECT_EQ(value(12, std::int32_t()), 1);
    EXPECT_EQ(value(16, std::int32_t()), 2);
    EXPECT_EQ(value(20, float()), 1.F);
    EXPECT_EQ(value(24, float()), 0.6F);
    EXPECT_EQ(value(28, std::int32_t()), 3);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 6; ++i)
            EXPECT_EQ(value(std::size_t(32 + 4 * (6 * k + i)), float()), float((k + 1) * (i + 1)));
}

TEST(PointCache, LeavesNothingWhereASampleDoesNotFit)
{
    const auto path = export_path("broken.pc2");
    const PointCacheHeader header{.num_points = 2, .num_samples = 2};
    EXPECT_THROW(
        write_point_cache(path, header, [](int k) { return FloatRows(FloatRows::Zero(k == 0 ? 2 : 3, 3)); }),
        InvalidInput);
    EXPECT_THROW(write_point_cache(path, {.num_points = 0, .num_samples = 2}, sample), InvalidInput);
    EXPECT_THROW(write_point_cache(path, {.num_points = 2, .sample_rate = 0, .num_samples = 2}, sample), InvalidInput);
    for (const auto& entry : std::filesystem::directory_iterator(path.parent_path()))
        EXPECT_EQ(entry.path().filename().string().find("broken"), std::string::npos) << entry.path();
}

TEST(PositionSpool, GivesBackEveryObjectInEveryFrame)
{
    const std::vector<Frame> frames = frames_of_all_kinds(4);
    PositionSpool spool(std::filesystem::path(testing::TempDir()), 4);
    for (const Frame& frame : frames)
        spool.add(frame);
    ASSERT_EQ(spool.num_frames(), 4u);
    for (std::size_t k : {3u, 0u, 2u, 1u})
        for (std::size_t object = 0; object < 4; ++object) {
            const FloatRows rows = spool.positions(k, object);
            const std::vector<int>& vertices = spool.parts()[object].vertices;
            ASSERT_EQ(std::size_t(rows.rows()), vertices.size());
            for (std::size_t i = 0; i < vertices.size(); ++i)
                EXPECT_EQ(
                    rows.row(Eigen::Index(i)), lifted(frames[k].mesh.vertices, vertices[i]).cast<float>().transpose());
        }
    EXPECT_TRUE(spool.is_moving(0) && spool.is_moving(2) && spool.is_moving(3));
    EXPECT_FALSE(spool.is_moving(1));
    EXPECT_EQ(spool.parts()[0].vertices.size(), 42u) << "of the solid only its surface";
    EXPECT_EQ(spool.parts()[3].points, (std::vector<int>{0, 1}));
}

TEST(PositionSpool, RejectsFramesOfAnotherRunOrOrder)
{
    std::vector<Frame> frames = frames_of_all_kinds(3);
    PositionSpool spool(std::filesystem::path(testing::TempDir()), 4);
    spool.add(frames[1]);
    EXPECT_THROW(spool.add(frames[0]), InvalidInput) << "an earlier time";
    frames[2].mesh.vertices.conservativeResize(5, 3);
    EXPECT_THROW(spool.add(frames[2]), InvalidInput);
    PositionSpool fewer(std::filesystem::path(testing::TempDir()), 3);
    EXPECT_THROW(fewer.add(frames[0]), InvalidInput) << "a vertex of object 3";
    EXPECT_THROW(PositionSpool("/no/such/folder", 1), InputOutput);
}

} // namespace
} // namespace abut::test::point_cache_test
