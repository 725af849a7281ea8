#include "abut/run/series.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace abut::test::series_test {
namespace {

/// A folder with three steps, of which the second has contact and the third did not converge.
ResultFolder three_steps()
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "abut_series";
    std::filesystem::create_directories(folder);
    write_file(folder / "scene.json", "{}");
    std::string text;
    for (int k = 1; k <= 3; ++k) {
        StepRecord record;
        record.step = k;
        record.time = 0.1 * k;
        record.iterations = 2 * k;
        record.balance.kinetic = k * k;
        record.balance.gravity = 10 - k;
        record.balance.friction_loss = k;
        record.balance.momentum = Vec3(3, 4, 0);
        if (k == 2) {
            record.smallest_distance = 1e-3;
            record.forces = {
                {"cloth", "ball", Vec3(0, 3, 0), Vec3(4, 0, 0)}, {"a-b", "c, d", Vec3(1, 0, 0), Vec3::Zero()}};
        }
        if (k == 3)
            record.outcome = "iteration_limit";
        text += to_json_line(record) + "\n";
    }
    write_file(folder / "stats.jsonl", text + "not a step\n");
    return ResultFolder::open(folder, false);
}

using Names = std::vector<std::string>;

Names names_of(const std::vector<Quantity>& quantities)
{
    Names names;
    for (const Quantity& quantity : quantities)
        names.push_back(quantity.name);
    return names;
}

TEST(Series, HaveTheValuesOfEveryStep)
{
    const ResultFolder results = three_steps();
    const std::vector<Quantity> chosen = chosen_quantities(
        {"iterations,energy:kinetic", "energy:gravity", "energy:friction", "momentum", "smallest_distance",
         "force:cloth-ball"},
        quantities_of(results));
    const RunSeries series = read_series(results, chosen);
    EXPECT_EQ(series.steps, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(series.values[0], (std::vector<double>{2, 4, 6}));
    EXPECT_EQ(series.values[1], (std::vector<double>{1, 4, 9}));
    EXPECT_EQ(series.values[2], (std::vector<double>{0, -1, -2})) << "from its start";
    EXPECT_EQ(series.values[3], (std::vector<double>{1, 3, 6})) << "so far";
    EXPECT_EQ(series.values[4], (std::vector<double>{5, 5, 5}));
    EXPECT_TRUE(std::isnan(series.values[5][0]));
    EXPECT_EQ(series.values[5][1], 1e-3);
    EXPECT_EQ(series.values[6], (std::vector<double>{0, 5, 0})) << "bodies that do not touch have no force";
    EXPECT_DOUBLE_EQ(series.failed_at.value(), 0.3);
    EXPECT_EQ(series.passed_over.size(), 1u);
}

TEST(Series, NamesAreFoundInWhateverWayTheyAreWritten)
{
    const std::vector<Quantity> known = quantities_of(three_steps());
    EXPECT_EQ(names_of(chosen_quantities({"force:ball-cloth"}, known)), Names{"force:cloth-ball"});
    EXPECT_EQ(names_of(chosen_quantities({"force:a-b-c, d"}, known)), Names{"force:a-b-c, d"}) << "with its comma";
    EXPECT_EQ(names_of(chosen_quantities({"force:c, d-a-b"}, known)), Names{"force:a-b-c, d"});
    EXPECT_EQ(names_of(chosen_quantities({"forces"}, known)), (Names{"force:cloth-ball", "force:a-b-c, d"}));
    EXPECT_EQ(names_of(chosen_quantities({"contacts,contacts", "contacts"}, known)), Names{"contacts"});
    EXPECT_EQ(chosen_quantities({"energies"}, known).size(), 8u);
    EXPECT_EQ(chosen_quantities({"times"}, known).size(), 6u);
}

TEST(Series, UnknownNamesAreAnsweredWithTheNearest)
{
    const std::vector<Quantity> known = quantities_of(three_steps());
    const auto answer = [&](const std::string& name) -> std::string {
        try {
            static_cast<void>(chosen_quantities({name}, known));
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), ExitCode::bad_usage);
            return error.what();
        }
        return "";
    };
    EXPECT_NE(answer("contcats").find("did you mean 'contacts'"), std::string::npos);
    EXPECT_NE(answer("force:cloth-bal").find("did you mean 'force:cloth-ball'"), std::string::npos);
    EXPECT_NE(answer("kinetic").find("did you mean 'energy:kinetic'"), std::string::npos);
    EXPECT_NE(answer("xyzzy").find("--list"), std::string::npos);
    EXPECT_NE(answer("").find("--list"), std::string::npos);
}

TEST(Series, EveryNameIsThereOnce)
{
    Names names = names_of(step_quantities());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
    for (const Quantity& quantity : step_quantities())
        EXPECT_FALSE(quantity.title.empty());
}

} // namespace
} // namespace abut::test::series_test
