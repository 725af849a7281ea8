#pragma once
// What a comparison is to run: the variants of a scene, all of which end at the same time and save frames at equal
// times, and a reference that they are measured by.

#include "abut/run/scene_source.hpp"
#include "abut/run/variants.hpp"

#include <optional>

namespace abut {

struct CompareOptions {
    std::vector<std::string> reference{}; ///< its settings; none: a hundredth of the scene's solver.tolerance
    bool has_reference = true;
    int repeat = 1;                   ///< runs of each variant, >= 1
    std::vector<double> at{};         ///< times at which the table has distances [s]; none: a quarter, half, the end
    int threads = 0;                  ///< of each run; 0: all
    std::string scene_name = "scene"; ///< in messages
};

/// A row of the comparison.
struct PlannedRun {
    std::string name;                  ///< its settings, for people
    std::string folder;                ///< in runs/
    std::vector<std::string> values;   ///< of the keys that are varied
    std::vector<std::string> settings; ///< on top of the scene's, with those of time
    double dt = 0;                     ///< [s]
    int steps = 0, every = 1;          ///< every: steps per frame
    bool has_inertia = true;

    /// The step that ends at a time.
    [[nodiscard]] int step_at(double time) const;
};

struct ComparePlan {
    std::string name; ///< of the scene
    std::shared_ptr<const nlohmann::json> scene;
    std::vector<std::filesystem::path> files{}; ///< that the runs read
    std::vector<std::string> keys;              ///< that are varied
    std::vector<PlannedRun> variants;
    std::optional<PlannedRun> reference{};
    int repeat = 1, threads = 0;
    double end = 0;                  ///< of all runs [s]
    std::vector<double> frame_times; ///< without the start, rising [s]
    std::vector<std::size_t> at;     ///< frames at which the table has distances

    struct Body {
        std::string name;
        bool can_move;
    };
    std::vector<Body> bodies; ///< of the scene as it is
};

/// Throws InvalidInput that names all variants which `abut run` would refuse, and those that cannot end at the time of
/// the others.
[[nodiscard]] ComparePlan make_plan(const SceneSource& source, const Variants& variants, const CompareOptions& options);

/// All that decides what the runs do: two plans are the same comparison where this is the same.
[[nodiscard]] nlohmann::json plan_to_json(const ComparePlan& plan);

} // namespace abut
