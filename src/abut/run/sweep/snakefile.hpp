#pragma once
// What Snakemake reads: the jobs of a sweep, and a profile by which it sends them to Slurm.

#include "abut/run/sweep/plan.hpp"

namespace abut {

/// "0007": by this name a job is called, from 1.
[[nodiscard]] std::string job_name(const SweepPlan& plan, std::size_t job);

/// `command`, and what follows it, a folder and a job's name, runs a job. Names of files are relative to the folder, so
/// that it can be moved.
[[nodiscard]] std::string snakefile_of(const SweepPlan& plan, const std::vector<std::string>& command);

/// Files of the folder slurm/, by name: the profile, what asks Slurm how a job is, and a script for `sbatch` that runs
/// the sweep as a job of its own.
struct ProfileFile {
    const char *name, *text;
    bool is_program;
};
[[nodiscard]] std::vector<ProfileFile> slurm_profile();

} // namespace abut
