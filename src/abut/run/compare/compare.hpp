#pragma once
// Runs the variants of a comparison, one after the other, each in a process of its own.
//
//     const ComparePlan plan = make_plan(source, variants, options);
//     const CompareFolder folder("out", plan, false);
//     if (run_all(plan, folder, {"/usr/bin/abut", "run"}, observer))
//         const Comparison comparison = measure(plan, folder);      // measure.hpp
//
// Runs of one variant are not made in a row: all variants are run once, then all once more, so that a machine that
// slows down or is disturbed hits all alike.

#include "abut/run/compare/folder.hpp"

namespace abut {

/// Watches a comparison, and may end it.
class CompareObserver {
public:
    virtual ~CompareObserver() = default;

    struct Job {
        int number, count; ///< of the runs, from 1
        const PlannedRun& run;
        int repetition; ///< from 1
    };
    /// Before a run.
    virtual void before_run(const Job&) {}
    /// After it.
    virtual void after_run(const Job&, const ChildReport&) {}
    /// Asked several times a second. False: the present run is killed, and the comparison ends. Must not throw.
    virtual bool goes_on() { return true; }
};

/// Makes the runs that are not there yet. `command` and what follows it, a scene and options as those of `abut run`, is
/// a run. False where the observer, or a signal to the process of a run, ended it; it can be continued.
[[nodiscard]] bool run_all(
    const ComparePlan& plan, const CompareFolder& folder, const std::vector<std::string>& command,
    CompareObserver& observer);

} // namespace abut
