#include "abut/mpi/petsc_session.hpp"

#include <petscsys.h>

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>

namespace {

int (*say_before_abort)(int code) = nullptr;

} // namespace

// In place of the library's, which is called PMPI_Abort, too
extern "C" int MPI_Abort(MPI_Comm comm, int code)
{
    return PMPI_Abort(comm, say_before_abort != nullptr ? say_before_abort(code) : code);
}

namespace abut {

void PetscSession::before_libraries_abort(int (*say)(int code)) { say_before_abort = say; }

PetscSession::PetscSession(int& argc, char**& argv)
{
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    // Signals and errors are ours to report.
    PetscOptionsSetValue(nullptr, "-no_signal_handler", "true");
    if (PetscInitialize(nullptr, nullptr, nullptr, nullptr) != 0)
        throw LimitReached("PETSc does not start; is its package whole (libpetsc-real-dev)?");
    PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);
    // Ranks share the cores already: a pool of threads in each would only be in the way.
    if (void* const set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
        reinterpret_cast<void (*)(int)>(set_threads)(1);
    MPI_Comm_dup(MPI_COMM_WORLD, &for_errors_);
    ranks_.emplace();
    set_ranks(&*ranks_);
}

PetscSession::~PetscSession()
{
    set_ranks(nullptr);
    MPI_Comm_free(&for_errors_);
    PetscFinalize();
    MPI_Finalize();
}

bool PetscSession::do_all_come() const
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(for_errors_, &request);
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds patience{5};
    for (const auto end = Clock::now() + patience; Clock::now() < end;) {
        int is_there = 0;
        MPI_Test(&request, &is_there, MPI_STATUS_IGNORE);
        if (is_there != 0)
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

void PetscSession::abort(int exit_code) const
{
    PMPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
}

} // namespace abut
