// Benchmarks. Times are meant to be compared within one run: as ratios of each other and against the calibration that
// is printed first and written to the JSON's context.

#include "calibration.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/version.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    const std::string bandwidth = fmt::format("{:.1f}", abut::bench::triad_bandwidth());
    const std::string rate = fmt::format("{:.1f}", abut::bench::fma_rate());
    benchmark::AddCustomContext("abut_version", abut::version);
    benchmark::AddCustomContext("threads", fmt::format("{}", abut::num_threads()));
    benchmark::AddCustomContext("triad_bandwidth_GB_per_s", bandwidth);
    benchmark::AddCustomContext("fma_rate_Gflop_per_s_per_core", rate);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
