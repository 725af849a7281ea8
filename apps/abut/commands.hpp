#pragma once
// The commands of the program. Each adds itself to the command line and, when called, sets the exit code.

#include "abut/base/error.hpp"

#include <CLI/CLI.hpp>

#include <functional>

namespace abut {

struct RunReport;

void add_compare_command(CLI::App& app, ExitCode& exit_code);
/// sweep, and sweep-job, which Snakemake calls.
void add_sweep_commands(CLI::App& app, ExitCode& exit_code);
void add_demo_command(CLI::App& app, ExitCode& exit_code);
void add_check_command(CLI::App& app, ExitCode& exit_code);
void add_bench_command(CLI::App& app, ExitCode& exit_code);
void add_render_command(CLI::App& app, ExitCode& exit_code);
void add_export_command(CLI::App& app, ExitCode& exit_code);
void add_plot_command(CLI::App& app, ExitCode& exit_code);
void add_schema_command(CLI::App& app, ExitCode& exit_code);
void add_view_command(CLI::App& app, ExitCode& exit_code);
/// run, resume, info, verify and report.
void add_run_commands(CLI::App& app, ExitCode& exit_code);
/// Of these, run and resume; `after_run`, if any, may add words to what a run prints.
void add_simulation_commands(
    CLI::App& app, ExitCode& exit_code, const std::function<void(const RunReport&)>& after_run);

/// --threads N, for commands that compute.
void add_threads_option(CLI::App& command);

} // namespace abut
