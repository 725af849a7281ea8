#pragma once
// Linear systems whose matrix no rank has whole, by PETSc: conjugate gradients with algebraic multigrid, or MUMPS.
//
// Each rank brings the blocks of its own terms; those of unknowns that another rank has go there when the matrix is
// assembled (MatSetPreallocationCOO), in a fixed order. All blocks are squares of the dimension: multigrid joins the
// unknowns of a vertex. A block of fewer numbers, such as the twist of a rod's edge, is filled up by rows of the
// identity. So are fixed blocks, whose unknowns stay 0. The near-null space of multigrid are the rigid motions of the
// vertices at which the system was made, 0 where they are fixed and at what is no vertex.
//
// Dense terms w u uᵀ are in the operator and not in the preconditioner.

#include "abut/linear/linear_solver.hpp"
#include "abut/mpi/mpi_ranks.hpp"

namespace abut {

enum class PetscMethod : std::uint8_t {
    multigrid, ///< conjugate gradients; MUMPS where they do not succeed
    direct,    ///< MUMPS
};

/// What approximates the inverse within conjugate gradients. With contacts, BoomerAMG takes a quarter of GAMG's
/// iterations.
enum class Multigrid : std::uint8_t { boomeramg, gamg };

/// Registers the solvers of abut-mpi in place of all others: "auto" and "pcg", which are conjugate gradients, and
/// "direct".
void register_petsc_solvers(Multigrid multigrid = Multigrid::boomeramg);

class PetscSolver final : public LinearSolver {
public:
    explicit PetscSolver(PetscMethod method, Multigrid multigrid = Multigrid::boomeramg);
    ~PetscSolver() override;
    PetscSolver(const PetscSolver&) = delete;
    PetscSolver& operator=(const PetscSolver&) = delete;

    [[nodiscard]] std::string name() const override;
    void begin_step() override;
    [[nodiscard]] bool prepare(const LinearSystem& system) override;
    [[nodiscard]] LinearReport solve(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x) override;
    [[nodiscard]] LinearReport refine(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x) override;
    [[nodiscard]] double pattern_seconds() const override;

private:
    class Matrix;
    LinearReport run(const Eigen::VectorXd& b, double tolerance, bool goes_on, Eigen::VectorXd& x);

    PetscMethod method_;
    bool is_boomeramg_, is_fallen_ = false;
    std::unique_ptr<Matrix> matrix_;
};

} // namespace abut
