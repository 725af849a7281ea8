#pragma once
// What a sweep is to run: points, each a variant of a scene.

#include "abut/run/scene_source.hpp"
#include "abut/run/sweep/observable.hpp"
#include "abut/run/variants.hpp"

#include <map>

namespace abut {

struct SweepPoint {
    std::string folder;                ///< in points/
    std::vector<std::string> values;   ///< of the keys that are varied; empty: as the scene has it
    std::vector<std::string> settings; ///< on top of the scene's
    int steps = 0;                     ///< that it is to make
    bool has_inertia = true;
};

/// How the points are run. It may change from call to call, as it does not change their results.
struct SweepOptions {
    int threads = 1;                    ///< of each run, >= 1
    int group = 1;                      ///< points of a job, >= 1
    double time_limit = 0;              ///< wall time of a run [s]; 0: none
    std::vector<std::string> collect{}; ///< observables, as the user wrote them
};

struct SweepPlan {
    std::string name;                            ///< of the scene
    std::shared_ptr<const nlohmann::json> scene; ///< names files as in the folder of the sweep
    std::vector<std::string> keys;               ///< that are varied
    std::vector<SweepPoint> points;
    std::map<std::string, std::string> checksums{};       ///< of the files, by their names in the folder
    std::map<std::string, std::filesystem::path> files{}; ///< where they come from; none where the plan was read
    std::vector<std::filesystem::path> inputs{};          ///< all files that were read
    SweepOptions options{};

    /// The points of a job are spread over the list, because neighbours may take equally long.
    [[nodiscard]] std::size_t num_jobs() const;
    /// Indices of points; `job` counts from 0.
    [[nodiscard]] std::vector<std::size_t> points_of_job(std::size_t job) const;
};

/// Throws InvalidInput that names all points that cannot be read: unknown keys, wrong values, values with path
/// characters, points that are the same. `scene_name` and `scene_folder`: for messages, and where files of values are
/// looked for.
[[nodiscard]] SweepPlan make_sweep_plan(
    const SceneSource& source, const Variants& variants, const SweepOptions& options, const std::string& scene_name,
    const std::filesystem::path& scene_folder);

/// Two sweeps are the same where this is the same but for "options".
[[nodiscard]] nlohmann::json sweep_to_json(const SweepPlan& plan);
/// `name`: for messages.
[[nodiscard]] SweepPlan sweep_from_json(const nlohmann::json& json, const std::string& name);

/// Of the plan's options.
[[nodiscard]] std::vector<Observable> observables_of(const SweepPlan& plan, const std::filesystem::path& folder);

} // namespace abut
