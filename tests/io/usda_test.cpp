#include "abut/io/usda.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "support/export_frames.hpp"

#include <gtest/gtest.h>

namespace abut::test::usda_test {
namespace {

std::string written(const std::vector<Frame>& frames, const UsdaOptions& options, const std::vector<Plane>& planes = {})
{
    const auto path = export_path("run.usda");
    UsdaWriter writer(path, looks_of_all_kinds(), planes, options);
    for (const Frame& frame : frames)
        writer.add(frame);
    writer.finish();
    return read_file(path, 1 << 26);
}

int count_of(const std::string& text, const std::string& word)
{
    int count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++count;
    return count;
}

/// From `begin` to the next `end`.
std::string part(const std::string& text, const std::string& begin, const std::string& end)
{
    const std::size_t at = text.find(begin);
    EXPECT_NE(at, std::string::npos) << begin;
    return at == std::string::npos ? "" : text.substr(at, text.find(end, at) - at);
}

TEST(Usda, BeginsWithWhatTheAnimationIs)
{
    const std::string text = written(frames_of_all_kinds(3), {.codes_per_second = 24, .speed = 0.5});
    EXPECT_TRUE(text.starts_with("#usda 1.0\n("));
    for (const char* line :
         {"defaultPrim = \"simulation\"", "framesPerSecond = 24", "timeCodesPerSecond = 24", "metersPerUnit = 1",
          "upAxis = \"Y\"", "startTimeCode = 0"})
        EXPECT_EQ(count_of(text, std::string("    ") + line + "\n"), 1) << line;
    // 0.1 s of the run, at half its speed
    EXPECT_NEAR(std::stod(part(text, "endTimeCode = ", "\n").substr(14)), 4.8, 1e-9);
    EXPECT_NE(written(frames_of_all_kinds(1), {.is_z_up = true}).find("upAxis = \"Z\""), std::string::npos);
}

TEST(Usda, HasAPrimForEachKindOfPartAndSamplesForWhatMoves)
{
    const std::string text = written(frames_of_all_kinds(3), {}, {{Vec3::Zero(), Vec3::UnitY()}});
    EXPECT_EQ(count_of(text, "def Xform "), 1 + 4 + 1);
    EXPECT_EQ(count_of(text, "def Mesh "), 3) << "ball, sheet, plane";
    EXPECT_EQ(count_of(text, "def BasisCurves "), 1);
    EXPECT_EQ(count_of(text, "def Points "), 1);
    EXPECT_EQ(count_of(text, "point3f[] points.timeSamples"), 3);
    EXPECT_EQ(count_of(text, "float3[] extent.timeSamples"), 3);
    EXPECT_EQ(count_of(text, "point3f[] points = "), 2) << "the sheet and the plane stand still";
    EXPECT_NE(text.find("int[] curveVertexCounts = [5]\n"), std::string::npos) << "the rod is one line";
    const std::string points = part(text, "def Points", "extent");
    // The fewest digits that read back as the same float.
    EXPECT_NE(points.find("0: [(0.33333334, 5, 0), (1e-07, -5, 10000000)]"), std::string::npos) << points;
}

TEST(Usda, KeepsNamesAsTextAndMakesIdentifiersOfThem)
{
    const std::string text = written(frames_of_all_kinds(1), {});
    for (const char* name : {"\"ball\"", "\"my__sheet_\"", "\"St_bchen__\"", "\"ball_\""})
        EXPECT_EQ(count_of(text, std::string("def Xform ") + name), 1) << name;
    for (const char* name : {R"("ball")", R"("my \"sheet\"")", R"("Stäbchen\\\n")", R"("ball?")"}) {
        EXPECT_EQ(count_of(text, std::string("displayName = ") + name + "\n"), 1) << name;
        EXPECT_EQ(count_of(text, std::string("string \"abut:name\" = ") + name + "\n"), 1) << name;
    }
    EXPECT_EQ(count_of(text, "timeSamples"), 0) << "one frame does not move";
}

TEST(Usda, LinesThatBranchAndCloseHaveEveryEdgeOnce)
{
    Frame frame;
    frame.mesh.vertices = Positions::Random(8, 3);
    // A star of three edges about 0, and a ring 4 5 6 7
    frame.mesh.edges = (Edges(7, 2) << 0, 1, 2, 0, 0, 3, 4, 5, 6, 5, 6, 7, 7, 4).finished();
    frame.velocities = frame.forces = frame.mesh.vertices;
    frame.objects.assign(8, 0);
    const auto path = export_path("lines.usda");
    UsdaWriter writer(path, {{"lines"}}, {}, {});
    writer.add(frame);
    writer.finish();
    const std::string text = read_file(path, 1 << 20);
    EXPECT_NE(text.find("int[] curveVertexCounts = [2, 2, 2, 5]\n"), std::string::npos) << text;
}

TEST(Usda, RejectsNoFramesAndLeavesNothing)
{
    const auto path = export_path("none.usda");
    UsdaWriter writer(path, looks_of_all_kinds(), {}, {});
    EXPECT_THROW(writer.finish(), InvalidInput);
    EXPECT_THROW(UsdaWriter(path, looks_of_all_kinds(), {}, {.codes_per_second = 0}), InvalidInput);
    EXPECT_FALSE(std::filesystem::exists(path));
}

} // namespace
} // namespace abut::test::usda_test
