#include "abut/run/sweep/snakefile.hpp"

#include "abut/base/version.hpp"

#include <nlohmann/json.hpp>

namespace abut {

namespace {

// Only the marker of a job is declared: Snakemake deletes declared outputs before a job runs again, and results must
// stay, because the job continues them.
constexpr const char* snakefile_text =
    R"(# The runs of a sweep, made by abut {version}; 'abut sweep' writes it anew. By hand, in this folder:
#     snakemake --cores all --rerun-triggers mtime --rerun-incomplete --keep-going
#     snakemake --profile slurm
# and then 'abut sweep FOLDER' for the table. Each job runs points that have no result yet, continues those that were cut
# off, and leaves a marker when all of its points have one. Points that fail are results too.
import fcntl
import os
import shlex
import socket

from snakemake.exceptions import WorkflowError

COMMAND = {command}
JOBS = {jobs}

# The program is elsewhere on another machine: snakemake --config abut=/opt/abut/bin/abut
if "abut" in config:
    COMMAND = [config["abut"], "sweep-job"]


def lock_folder():
    """One sweep at a time: 'abut sweep' holds this lock too, and frees it when it ends, however it does."""
    if config.get("driver") == os.getppid():
        return  # it started us, and holds the lock
    global LOCK
    LOCK = open("lock", "a+")
    try:
        fcntl.flock(LOCK, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        LOCK.seek(0)
        raise WorkflowError(f"another sweep ({{LOCK.read().strip()}}) is writing to this folder")
    LOCK.truncate(0)
    LOCK.write(f"process {{os.getpid()}} on {{socket.gethostname()}}\n")
    LOCK.flush()


onstart:
    lock_folder()

localrules: all

rule all:
    input: expand("jobs/{{job}}.done", job=JOBS)

rule points:
    output: "jobs/{{job}}.done"
    threads: {threads}
    params: command=shlex.join(COMMAND)
    shell: "exec {{params.command}} . {{wildcards.job}}"
)";

constexpr const char* profile_text =
    R"(# Snakemake 7: sends each job of the sweep to Slurm. Partition, account, time and memory are yours to choose.
cluster: "mkdir -p slurm/log && sbatch --parsable --job-name=abut-sweep --cpus-per-task={threads} --time={resources.minutes} --mem={resources.mem_mb} --output=slurm/log/%j.txt"
cluster-status: "status.sh"
cluster-cancel: "scancel"
default-resources: ["minutes=120", "mem_mb=4000"]
jobs: 100
latency-wait: 60
max-jobs-per-second: 10
max-status-checks-per-second: 10
keep-going: true
rerun-incomplete: true
rerun-triggers: "mtime"
scheduler: "greedy"
)";

// A job that Slurm has forgotten, or does not know yet, counts as running: its marker tells when it is done.
constexpr const char* status_text = R"(#!/bin/sh
# How a job of Slurm is, in the words of Snakemake.
state=$(sacct -j "$1" --format State --noheader --parsable2 2>/dev/null | head -n 1)
case "$state" in
    COMPLETED) echo success ;;
    BOOT_FAIL*|CANCELLED*|DEADLINE*|FAILED*|NODE_FAIL*|OUT_OF_MEMORY*|PREEMPTED*|REVOKED*|TIMEOUT*) echo failed ;;
    *) echo running ;;
esac
)";

constexpr const char* submit_text = R"(#!/bin/sh
#SBATCH --job-name=abut-sweep-driver
#SBATCH --cpus-per-task=1
#SBATCH --mem=2000
#SBATCH --time=2-00:00:00
# sbatch slurm/submit.sh, in the folder of the sweep: runs it, or continues it. One small job that sends the others.
# Where it reaches its time, submit it again. ABUT: the program, where it is not on the PATH.
exec "${ABUT:-abut}" sweep . --profile ./slurm
)";

} // namespace

std::string job_name(const SweepPlan& plan, std::size_t job)
{
    return fmt::format("{:0{}}", job + 1, std::max<std::size_t>(3, std::to_string(plan.num_jobs()).size()));
}

std::string snakefile_of(const SweepPlan& plan, const std::vector<std::string>& command)
{
    std::vector<std::string> jobs;
    for (std::size_t k = 0; k < plan.num_jobs(); ++k)
        jobs.push_back(job_name(plan, k));
    // Lists of words are the same in JSON and in Python.
    return fmt::format(
        fmt::runtime(snakefile_text), fmt::arg("version", version),
        fmt::arg("command", nlohmann::json(command).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)),
        fmt::arg("jobs", nlohmann::json(jobs).dump()), fmt::arg("threads", plan.options.threads));
}

std::vector<ProfileFile> slurm_profile()
{
    return {{"config.yaml", profile_text, false}, {"status.sh", status_text, true}, {"submit.sh", submit_text, true}};
}

} // namespace abut
