#pragma once
// MPI and PETSc for the time of a program, with its processes as ranks.

#include "abut/mpi/mpi_ranks.hpp"

#include <mpi.h>

#include <optional>

namespace abut {

class PetscSession {
public:
    PetscSession(int& argc, char**& argv);
    /// Collective: all ranks end together.
    ~PetscSession();
    PetscSession(const PetscSession&) = delete;
    PetscSession& operator=(const PetscSession&) = delete;

    [[nodiscard]] MpiRanks& ranks() { return *ranks_; }

    /// Have all ranks come to this point within some seconds? They have where the same went wrong on all of them; a
    /// rank that waits for a message never comes.
    [[nodiscard]] bool do_all_come() const;
    /// Ends all ranks at once.
    [[noreturn]] void abort(int exit_code) const;

    /// Where a library ends all ranks by itself, as hypre does out of memory: `say` is called with its code before it
    /// does, and returns the exit code.
    static void before_libraries_abort(int (*say)(int code));

private:
    MPI_Comm for_errors_;
    std::optional<MpiRanks> ranks_;
};

} // namespace abut
