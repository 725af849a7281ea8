// Rods that hold each other by contact alone: what is knotted, knitted or linked stays so.

#include "abut/geometry/linking.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/mesh/generate/strand_generators.hpp"
#include "abut/mesh/strands.hpp"
#include "abut/sim/simulation.hpp"
#include "support/data_folders.hpp"
#include "support/knot_determinant.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

namespace abut {
namespace {

using nlohmann::json;

/// A scene of the repository, to be changed before it is run.
json scene_file(const std::string& name)
{
    std::ifstream file(test::scene_folder() / (name + ".json"));
    return json::parse(file);
}

Scene scene_of(const json& text) { return parse_scene(text.dump(), "test", "."); }

/// Steps to the end; all converge, unless a number of sweeps is given, and nothing intersects.
void run_to_the_end(Simulation& simulation, const Scene& scene)
{
    for (int step = 0; step < scene.time.steps; ++step) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(
            report.outcome == Outcome::converged ||
            (scene.solver.iterations.has_value() && report.outcome == Outcome::not_converged))
            << "step " << step << ": " << report.message;
        ASSERT_EQ(report.verification.num_intersections, 0) << "step " << step;
    }
}

std::vector<Vec3> points_of(const Positions& X, int first, int count)
{
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i)
        points.emplace_back(point<3>(X, first + i));
    return points;
}

// --- Knits ---

generate::KnitOptions knit_of(const json& scene)
{
    const json& geometry = scene["objects"][0]["geometry"];
    return {
        .rows = geometry["rows"],
        .columns = geometry["columns"],
        .stitch_width = geometry["stitch_width"],
        .strand_radius = geometry["strand_radius"],
        .segments = geometry["segments"]};
}

/// The vertices of a stitch from foot to foot, from left to right.
std::vector<Vec3> stitch(const Positions& X, const generate::KnitOptions& options, int row, int column)
{
    const int first = row * (options.columns * options.segments + generate::knit_bend(options));
    const int place = row % 2 == 0 ? column : options.columns - 1 - column;
    std::vector<Vec3> points = points_of(X, first + place * options.segments, options.segments + 1);
    if (row % 2 == 1)
        std::reverse(points.begin(), points.end());
    return points;
}

/// Each leg of a stitch goes once through a surface spanned by the head of the stitch below, one forth and one back.
void expect_knitted(const Positions& X, const generate::KnitOptions& options, const std::string& when)
{
    for (int row = 1; row < options.rows; ++row)
        for (int column = 0; column < options.columns; ++column) {
            const std::vector<Vec3> below = stitch(X, options, row - 1, column),
                                    upper = stitch(X, options, row, column);
            const std::vector<Vec3> loop(below.begin() + options.segments / 6, below.end() - options.segments / 6);
            const auto head = upper.begin() + options.segments / 2;
            const Piercings left = piercings(std::vector<Vec3>(upper.begin(), head + 1), loop);
            const Piercings right = piercings(std::vector<Vec3>(head, upper.end()), loop);
            EXPECT_EQ(left.net(), 1) << when << ", row " << row << ", column " << column;
            EXPECT_EQ(right.net(), -1) << when << ", row " << row << ", column " << column;
        }
}

void expect_stays_knitted(const json& text)
{
    const Scene scene = scene_of(text);
    Simulation simulation(scene);
    const generate::KnitOptions options = knit_of(text);
    expect_knitted(simulation.state().x, options, "before");
    run_to_the_end(simulation, scene);
    expect_knitted(simulation.state().x, options, "after");
}

TEST(Knitted, StaysSoWhenStretchedTwistedAndLetGo)
{
    json text = scene_file("knit_stretch");
    json& geometry = text["objects"][0]["geometry"];
    geometry["rows"] = geometry["columns"] = 3;
    geometry["segments"] = 24;
    text["scripts"][0]["select"]["half_space"]["point"] = {0, 0.049, 0};
    text["scripts"][1]["select"]["half_space"]["point"] = {0, -0.049, 0};
    text["scripts"][1]["keyframes"][1]["translate"] = {0, -0.03, 0};
    // The end of the yarn, which would be drawn out of its stitch
    text["scripts"][2]["select"]["indices"] = {3 * 3 * 24 + 2 * generate::knit_bend(knit_of(text))};
    text["time"] = {{"dt", 0.04}, {"steps", 40}};
    expect_stays_knitted(text);
}

TEST(LongKnitted, TheSceneStaysSo) { expect_stays_knitted(scene_file("knit_stretch")); }
// The scene goes on until the band has untwisted: while it is twisted, legs leave the surfaces that loops are spanned
// by.
TEST(LongKnitted, FiveTurnsByBlockDescentLeaveItSo) { expect_stays_knitted(scene_file("vbd/knit_twist")); }

// --- Chain mail ---

/// The linking numbers of all pairs of rings that have one.
std::map<std::pair<int, int>, int> links_of(const Positions& X, int num_rings, int segments)
{
    std::map<std::pair<int, int>, int> links;
    for (int a = 0; a < num_rings; ++a)
        for (int b = a + 1; b < num_rings; ++b)
            if (const int number =
                    linking_number(points_of(X, a * segments, segments), points_of(X, b * segments, segments)))
                links[{a, b}] = number;
    return links;
}

void expect_stays_linked(const json& text)
{
    const json& geometry = text["objects"][0]["geometry"];
    const int rows = geometry["rows"], columns = geometry["columns"], segments = geometry["segments"];
    const Scene scene = scene_of(text);
    Simulation simulation(scene);
    const auto before = links_of(simulation.state().x, rows * columns, segments);
    // Two for each ring in the row above, but for the one at the end
    EXPECT_EQ(int(before.size()), (rows - 1) * (2 * columns - 1));
    run_to_the_end(simulation, scene);
    EXPECT_EQ(links_of(simulation.state().x, rows * columns, segments), before);
}

TEST(ChainMailScene, KeepsItsLinks)
{
    json text = scene_file("chain_mail");
    text["objects"][0]["geometry"]["rows"] = 4;
    text["objects"][0]["geometry"]["columns"] = 2;
    text["objects"][1]["geometry"]["subdivisions"] = 2;
    text["time"]["steps"] = 30;
    expect_stays_linked(text);
}

TEST(LongChainMailScene, KeepsItsLinks) { expect_stays_linked(scene_file("chain_mail")); }

// --- Knots ---

/// Of a rope whose ends are farther out than all else, closed far below.
int determinant_of(const Positions& X)
{
    std::vector<Vec3> rope = points_of(X, 0, int(X.rows()));
    const double far = 100 * X.cwiseAbs().maxCoeff();
    rope.insert(rope.end(), {Vec3(far, 0, 0), Vec3(far, -far, 0), Vec3(-far, -far, 0), Vec3(-far, 0, 0)});
    return knot_determinant(rope);
}

void expect_stays_knotted(const json& text)
{
    const Scene scene = scene_of(text);
    Simulation simulation(scene);
    const auto height = [&] { return simulation.state().x.col(1).maxCoeff() - simulation.state().x.col(1).minCoeff(); };
    const double before = height();
    EXPECT_EQ(determinant_of(simulation.state().x), 3);
    run_to_the_end(simulation, scene);
    EXPECT_EQ(determinant_of(simulation.state().x), 3);
    EXPECT_LT(height(), 0.7 * before) << "the loop is smaller";
}

TEST(RopeKnot, IsPulledTightAndStaysAKnot)
{
    json text = scene_file("rope_knot");
    text["objects"][0]["geometry"]["segments"] = 100;
    text["time"] = {{"dt", 0.04}, {"steps", 50}};
    expect_stays_knotted(text);
}

TEST(LongRopeKnot, TheSceneStaysAKnot) { expect_stays_knotted(scene_file("rope_knot")); }

} // namespace
} // namespace abut
