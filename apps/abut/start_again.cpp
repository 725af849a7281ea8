// OpenBLAS starts a pool of threads before main, each with a buffer of its own, and tries for ever where a limit of
// memory leaves no room for them. The program uses one thread of it. Where there is such a limit, it starts itself
// again, with a pool of one: the variable is read before any code of ours runs, but for this.

#include <cstring>

#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__ // which hands arguments and environment to what runs first

namespace {

constexpr int most_variables = 4096;
char one_thread[] = "OPENBLAS_NUM_THREADS=1";
char* variables[most_variables + 2];

// The address sanitizer is not there yet.
__attribute__((no_sanitize("address", "undefined"))) void
start_again_with_one_thread(int /*count*/, char** arguments, char** environment)
{
    rlimit memory{};
    if (getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY)
        return;
    int kept = 0;
    for (char** variable = environment; *variable != nullptr; ++variable) {
        if (std::strcmp(*variable, one_thread) == 0)
            return; // this is the second start
        const bool is_other_number = std::strncmp(*variable, one_thread, sizeof(one_thread) - 2) == 0;
        if (!is_other_number)
            variables[kept++] = *variable;
        if (kept == most_variables)
            return;
    }
    variables[kept] = one_thread;
    execve("/proc/self/exe", arguments, variables); // where it fails, the first start goes on
}

// Of all code, what stands here runs first, before the libraries' own beginnings.
__attribute__((section(".preinit_array"), used)) void (*const first)(int, char**, char**) = start_again_with_one_thread;

} // namespace

#endif
