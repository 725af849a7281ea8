// Says what is wrong when the program was built for a newer CPU than this one, instead of dying by SIGILL. Runs before
// the static initialisers of everything else and is itself compiled for any x86-64 CPU.

#ifdef ABUT_NEEDS_X86_64_V3

#include <unistd.h>

namespace {

__attribute__((constructor(101))) void check_cpu()
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return;
    constexpr char message[] = "abut: this program was built for CPUs with AVX2, FMA and BMI2 (x86-64-v3), which this "
                               "CPU lacks.\nBuild it with -DABUT_NATIVE=ON on this machine, or with -DABUT_ARCH=x86-64 "
                               "for every x86-64 CPU.\n";
    [[maybe_unused]] const auto written = write(2, message, sizeof(message) - 1);
    _exit(3);
}

} // namespace

#endif
