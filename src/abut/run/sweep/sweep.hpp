#pragma once
// Runs the points of a sweep by Snakemake, which knows machines and clusters.
//
//     SweepPlan plan = make_sweep_plan(source, variants, options, "scene.json", ".");
//     const SweepFolder folder("out");
//     const FolderLock lock = lay_out(folder, plan, {"/usr/bin/abut", "sweep-job"}, false);
//     const SweepEnd end = run_sweep(plan, folder, {}, observer);
//     const SweepResults results = gather(plan, folder);                    // results.hpp

#include "abut/run/sweep/folder.hpp"

namespace abut {

struct SweepLaunch {
    int jobs = 0;          ///< cores, or with a profile jobs at once; 0: all cores, or what the profile says
    std::string profile{}; ///< of Snakemake, by name or folder; empty: this machine
};

/// Watches a sweep, and may end it.
class SweepObserver {
public:
    virtual ~SweepObserver() = default;

    struct Progress {
        std::size_t done, bad, count; ///< points: with a report, of these not good, all
    };
    /// At the start, and whenever points have ended.
    virtual void after_points(const Progress&) {}
    /// Asked several times a second. False: the sweep ends, and can be continued. Must not throw.
    virtual bool goes_on() { return true; }
};

struct SweepEnd {
    bool is_interrupted = false;
    std::string errors{}; ///< what Snakemake said where it was not content; jobs that failed are named there
};

/// Runs what is not settled; returns at once where all is. Throws InputOutput where there is no Snakemake, with how to
/// install it.
[[nodiscard]] SweepEnd
run_sweep(const SweepPlan& plan, const SweepFolder& folder, const SweepLaunch& launch, SweepObserver& observer);

/// Points of a job that give all cores several jobs, and jobs several points where there are many: starting a job takes
/// longer than starting a run. `at_once`: jobs that run side by side.
[[nodiscard]] int usual_group(std::size_t num_points, int at_once);

/// Cores of this machine that the process may use.
[[nodiscard]] int num_cores();

} // namespace abut
