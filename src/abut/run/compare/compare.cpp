#include "abut/run/compare/compare.hpp"

#include "abut/run/judged_run.hpp"

namespace abut {

namespace {

std::vector<std::string> command_of(
    const ComparePlan& plan, const CompareFolder& folder, std::vector<std::string> command, const PlannedRun& run,
    int repetition)
{
    command.push_back(folder.scene_path().string());
    command.insert(command.end(), {"--output", folder.results_of(run, repetition).string(), "--quiet", "--no-report"});
    command.insert(command.end(), {"--threads", std::to_string(plan.threads)});
    for (const std::string& setting : run.settings)
        command.insert(command.end(), {"--set", setting});
    return command;
}

} // namespace

bool run_all(
    const ComparePlan& plan, const CompareFolder& folder, const std::vector<std::string>& command,
    CompareObserver& observer)
{
    int number = 0;
    const int count = static_cast<int>(plan.variants.size()) * plan.repeat + (plan.reference ? 1 : 0);
    const auto make = [&](const PlannedRun& run, int repetition) {
        const CompareObserver::Job job{++number, count, run, repetition};
        if (folder.taken_by(run, repetition))
            return true;
        if (!observer.goes_on())
            return false;
        folder.clear(run, repetition);
        observer.before_run(job);
        const ChildReport report =
            run_child(command_of(plan, folder, command, run, repetition), [&] { return observer.goes_on(); });
        if (is_interrupted(report))
            return false;
        folder.keep(run, repetition, report);
        observer.after_run(job, report);
        return true;
    };
    if (plan.reference && !make(*plan.reference, 1))
        return false;
    for (int repetition = 1; repetition <= plan.repeat; ++repetition)
        for (const PlannedRun& run : plan.variants)
            if (!make(run, repetition))
                return false;
    return true;
}

} // namespace abut
