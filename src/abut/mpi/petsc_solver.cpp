#include "abut/mpi/petsc_solver.hpp"

#include "abut/base/checksum.hpp"
#include "abut/base/stopwatch.hpp"
#include "abut/solver/linear_solvers.hpp"

#include <petscksp.h>

#include <algorithm>
#include <optional>

// Of Abut's own, Vec and Mat are small
using PetscVec = ::Vec;
using PetscMat = ::Mat;

namespace abut {

namespace {

/// Turns an error of PETSc into an exception.
void check(PetscErrorCode code, const char* what)
{
    if (code == PETSC_ERR_MEM)
        throw std::bad_alloc();
    if (code != 0) {
        const char* text = nullptr;
        PetscErrorMessage(code, &text, nullptr);
        throw LimitReached(
            fmt::format("PETSc: {} failed with error {} ({})", what, static_cast<int>(code), text ? text : "no words"));
    }
}

/// Where the rows of blocks are: those of a rank together, in the order of its blocks, `size` rows for each block.
class RowNumbers {
public:
    RowNumbers(const BlockLayout& layout, const std::vector<int>& owners)
        : layout_(layout), owners_(owners), size_(layout.dim()), first_row_(layout.num_blocks())
    {
        const int num_blocks = layout.num_blocks(), num_ranks = ranks().size(), rank = ranks().rank();
        ABUT_ASSERT(owners.empty() || static_cast<int>(owners.size()) == num_blocks);
        std::vector<std::int64_t> next(num_ranks + 1, 0);
        for (int block = 0; block < num_blocks; ++block)
            ++next[owner(block) + 1];
        for (int r = 0; r < num_ranks; ++r)
            next[r + 1] += next[r];
        if (next.back() * size_ > std::int64_t{PETSC_MAX_INT})
            throw LimitReached(fmt::format(
                "{} unknowns are more than PETSc was built for; install one with 64-bit indices", next.back() * size_));
        begin_ = static_cast<PetscInt>(next[rank] * size_);
        for (int block = 0; block < num_blocks; ++block) {
            first_row_[block] = static_cast<PetscInt>(size_ * next[owner(block)]++);
            if (owner(block) == rank)
                own_blocks_.push_back(block);
        }
    }

    [[nodiscard]] bool fits(const BlockLayout& layout, const std::vector<int>& owners) const
    {
        return layout_ == layout && owners_ == owners;
    }
    [[nodiscard]] int owner(int block) const { return owners_.empty() ? 0 : owners_[block]; }
    [[nodiscard]] const std::vector<int>& own_blocks() const { return own_blocks_; }
    [[nodiscard]] PetscInt num_own_rows() const { return static_cast<PetscInt>(own_blocks_.size()) * size_; }
    /// Rows of a block, in the order of ranks.
    [[nodiscard]] int block_size() const { return size_; }
    [[nodiscard]] PetscInt row(int block) const { return first_row_[block]; }
    /// Within those of this rank.
    [[nodiscard]] PetscInt own_row(int block) const { return first_row_[block] - begin_; }
    [[nodiscard]] const BlockLayout& layout() const { return layout_; }

private:
    BlockLayout layout_;
    std::vector<int> owners_, own_blocks_;
    int size_;
    PetscInt begin_ = 0;
    std::vector<PetscInt> first_row_;
};

} // namespace

/// A system in PETSc, and what solves it.
class PetscSolver::Matrix {
public:
    ~Matrix()
    {
        clear_solver();
        clear_matrix();
    }

    double pattern_seconds = 0;

    void assemble(const LinearSystem& system);
    void set_up(bool is_direct, bool is_boomeramg);
    [[nodiscard]] bool is_indefinite();
    LinearReport solve(const Eigen::VectorXd& b, double tolerance, bool goes_on, Eigen::VectorXd& x);
    [[nodiscard]] const LinearSystem& system() const { return *system_; }
    [[nodiscard]] bool is_direct() const { return is_direct_; }

    static constexpr int most_iterations = 2000;

private:
    void clear_solver()
    {
        KSPDestroy(&ksp_);
        MatDestroy(&sum_);
        for (PetscVec& direction : directions_)
            VecDestroy(&direction);
        directions_.clear();
    }
    void clear_matrix()
    {
        VecDestroy(&b_);
        VecDestroy(&x_);
        MatDestroy(&matrix_);
    }
    void place_entries(const LinearSystem& system);
    void set_near_null_space(const LinearSystem& system);
    void add_rank_one(const LinearSystem& system);
    void to_own(const Eigen::VectorXd& whole, PetscVec own) const;
    static PetscErrorCode multiply_sum(PetscMat sum, PetscVec x, PetscVec y);

    std::optional<LinearSystem> system_;
    std::optional<RowNumbers> rows_;
    // What the places of entries were made for
    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<std::uint8_t> is_fixed_;
    std::vector<double> values_;
    PetscMat matrix_ = nullptr;
    PetscMat sum_ = nullptr; // with dense terms; else null
    PetscVec b_ = nullptr, x_ = nullptr;
    KSP ksp_ = nullptr;
    std::vector<PetscVec> directions_; // of dense terms
    bool is_direct_ = false, is_boomeramg_ = false, has_multigrid_ = false;
};

/// Calls visit(row, column, height, width, block, is_transposed) for the stored blocks whose unknowns may move.
template <typename Visit>
static void for_each_free_block(const LinearSystem& system, Visit&& visit)
{
    const BlockPattern& pattern = *system.blocks.pattern();
    for (int row = 0; row < pattern.num_rows(); ++row) {
        if (system.is_fixed[row] != 0)
            continue;
        std::int64_t slot = pattern.row_start(row);
        for (const int column : pattern.columns(row)) {
            if (system.is_fixed[column] == 0)
                visit(row, column, slot);
            ++slot;
        }
    }
}

/// Tells PETSc which entries this rank brings: of both triangles, then the diagonal of its own rows.
void PetscSolver::Matrix::place_entries(const LinearSystem& system)
{
    Stopwatch watch;
    clear_matrix();
    const BlockLayout& layout = system.blocks.pattern()->layout();
    if (!rows_ || !rows_->fits(layout, ranks().block_owners()))
        rows_.emplace(layout, ranks().block_owners());
    std::vector<PetscInt> i, j;
    std::size_t count = 0;
    for_each_free_block(system, [&](int row, int column, std::int64_t) {
        count += static_cast<std::size_t>(layout.size(row)) * layout.size(column) * (row == column ? 1 : 2);
    });
    count += static_cast<std::size_t>(rows_->num_own_rows());
    i.reserve(count);
    j.reserve(count);
    for_each_free_block(system, [&](int row, int column, std::int64_t) {
        for (int b = 0; b < layout.size(column); ++b)
            for (int a = 0; a < layout.size(row); ++a) {
                i.push_back(rows_->row(row) + a);
                j.push_back(rows_->row(column) + b);
                if (row != column) {
                    i.push_back(rows_->row(column) + b);
                    j.push_back(rows_->row(row) + a);
                }
            }
    });
    for (const int block : rows_->own_blocks())
        for (int a = 0; a < rows_->block_size(); ++a) {
            i.push_back(rows_->row(block) + a);
            j.push_back(rows_->row(block) + a);
        }
    ABUT_ASSERT(i.size() == count && j.size() == count);
    check(MatCreate(PETSC_COMM_WORLD, &matrix_), "MatCreate");
    const PetscInt own = rows_->num_own_rows();
    check(MatSetSizes(matrix_, own, own, PETSC_DETERMINE, PETSC_DETERMINE), "MatSetSizes");
    check(MatSetType(matrix_, MATAIJ), "MatSetType");
    check(MatSetBlockSize(matrix_, rows_->block_size()), "MatSetBlockSize");
    check(
        MatSetPreallocationCOO(matrix_, static_cast<PetscCount>(count), i.data(), j.data()), "MatSetPreallocationCOO");
    check(MatSetOption(matrix_, MAT_SYMMETRIC, PETSC_TRUE), "MatSetOption");
    check(MatCreateVecs(matrix_, &x_, &b_), "MatCreateVecs");
    pattern_ = system.blocks.pattern();
    is_fixed_ = system.is_fixed;
    values_.resize(count);
    pattern_seconds += watch.seconds();
}

void PetscSolver::Matrix::assemble(const LinearSystem& system)
{
    clear_solver();
    const bool is_new = matrix_ == nullptr || pattern_ != system.blocks.pattern() || is_fixed_ != system.is_fixed ||
                        !rows_->fits(system.blocks.pattern()->layout(), ranks().block_owners());
    if (any_rank(is_new))
        place_entries(system);
    system_.emplace(system);
    const BlockLayout& layout = system.blocks.pattern()->layout();
    double* next = values_.data();
    double sum = 0;
    for_each_free_block(system, [&](int row, int column, std::int64_t slot) {
        const double* block = system.blocks.block(slot);
        const int height = layout.size(row);
        for (int b = 0; b < layout.size(column); ++b)
            for (int a = 0; a < height; ++a) {
                *next++ = block[b * height + a];
                if (row != column)
                    *next++ = block[b * height + a];
                else if (a == b)
                    sum += std::abs(block[b * height + a]);
            }
    });
    // Rows of the identity are as large as others are, so that no method finds them small.
    ranks().sum({&sum, 1});
    const double usual = sum > 0 ? sum / static_cast<double>(layout.num_unknowns()) : 1;
    for (const int block : rows_->own_blocks())
        for (int a = 0; a < rows_->block_size(); ++a)
            *next++ = system.is_fixed[block] != 0 || a >= layout.size(block) ? usual : system.shift;
    ABUT_ASSERT(next == values_.data() + values_.size());
    check(MatSetValuesCOO(matrix_, values_.data(), INSERT_VALUES), "MatSetValuesCOO");
    add_rank_one(system);
}

/// The numbers of this rank's blocks.
void PetscSolver::Matrix::to_own(const Eigen::VectorXd& whole, PetscVec own) const
{
    const BlockLayout& layout = rows_->layout();
    PetscScalar* numbers = nullptr;
    check(VecGetArray(own, &numbers), "VecGetArray");
    std::fill_n(numbers, rows_->num_own_rows(), 0.0);
    for (const int block : rows_->own_blocks())
        if (is_fixed_[block] == 0)
            std::copy_n(whole.data() + layout.offset(block), layout.size(block), numbers + rows_->own_row(block));
    check(VecRestoreArray(own, &numbers), "VecRestoreArray");
}

PetscErrorCode PetscSolver::Matrix::multiply_sum(PetscMat sum, PetscVec x, PetscVec y)
{
    PetscSolver::Matrix* self = nullptr;
    MatShellGetContext(sum, &self);
    const PetscErrorCode code = MatMult(self->matrix_, x, y);
    for (std::size_t k = 0; k < self->directions_.size() && code == 0; ++k) {
        PetscScalar dot = 0;
        VecDot(x, self->directions_[k], &dot);
        VecAXPY(y, self->system_->rank_one[k].weight * dot, self->directions_[k]);
    }
    return code;
}

void PetscSolver::Matrix::add_rank_one(const LinearSystem& system)
{
    if (system.rank_one.empty())
        return;
    for (const RankOne& term : system.rank_one) {
        directions_.emplace_back();
        check(VecDuplicate(b_, &directions_.back()), "VecDuplicate");
        to_own(term.direction, directions_.back());
    }
    const PetscInt own = rows_->num_own_rows();
    check(MatCreateShell(PETSC_COMM_WORLD, own, own, PETSC_DETERMINE, PETSC_DETERMINE, this, &sum_), "MatCreateShell");
    check(MatSetBlockSize(sum_, rows_->block_size()), "MatSetBlockSize");
    check(
        MatShellSetOperation(sum_, MATOP_MULT, reinterpret_cast<void (*)(void)>(&Matrix::multiply_sum)),
        "MatShellSetOperation");
}

/// Translations and rotations, made orthonormal.
void PetscSolver::Matrix::set_near_null_space(const LinearSystem& system)
{
    if (system.positions == nullptr)
        return;
    const BlockLayout& layout = rows_->layout();
    const int dim = layout.dim();
    if (dim < 2)
        return;
    const Eigen::VectorXd& x = *system.positions;
    Vec3 centre = Vec3::Zero();
    for (int v = 0; v < layout.num_vertices(); ++v)
        centre.head(dim) += x.segment(layout.offset(v), dim) / layout.num_vertices();
    const int num_motions = dim == 3 ? 6 : 3;
    const auto num_rows = static_cast<std::size_t>(rows_->num_own_rows());
    std::vector<Eigen::VectorXd> motions;
    for (int m = 0; m < num_motions; ++m) {
        Eigen::VectorXd motion = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(num_rows));
        for (const int block : rows_->own_blocks()) {
            if (is_fixed_[block] != 0 || block >= layout.num_vertices())
                continue;
            Vec3 place = Vec3::Zero();
            place.head(dim) = x.segment(layout.offset(block), dim) - centre.head(dim);
            Vec3 way = Vec3::Zero();
            if (m < dim)
                way[m] = 1;
            else
                way = Vec3(dim == 3 ? Vec3::Unit(m - dim) : Vec3::UnitZ()).cross(place);
            motion.segment(rows_->own_row(block), dim) = way.head(dim);
        }
        const auto dot = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
            double sum = a.dot(b);
            ranks().sum({&sum, 1});
            return sum;
        };
        const double before = std::sqrt(dot(motion, motion));
        for (int twice = 0; twice < 2; ++twice)
            for (const Eigen::VectorXd& other : motions)
                motion -= dot(motion, other) * other;
        const double length = std::sqrt(dot(motion, motion));
        if (!(length > 1e-8 * before))
            continue; // points on a line do not turn about it
        motions.push_back(motion / length);
    }
    std::vector<PetscVec> vectors;
    for (const Eigen::VectorXd& motion : motions) {
        vectors.emplace_back();
        check(VecDuplicate(b_, &vectors.back()), "VecDuplicate");
        PetscScalar* numbers = nullptr;
        check(VecGetArray(vectors.back(), &numbers), "VecGetArray");
        std::copy_n(motion.data(), num_rows, numbers);
        check(VecRestoreArray(vectors.back(), &numbers), "VecRestoreArray");
    }
    MatNullSpace space = nullptr;
    check(
        MatNullSpaceCreate(
            PETSC_COMM_WORLD, PETSC_FALSE, static_cast<PetscInt>(vectors.size()), vectors.data(), &space),
        "MatNullSpaceCreate");
    check(MatSetNearNullSpace(matrix_, space), "MatSetNearNullSpace");
    check(MatNullSpaceDestroy(&space), "MatNullSpaceDestroy");
    for (PetscVec& vector : vectors)
        check(VecDestroy(&vector), "VecDestroy");
}

namespace {

/// A default that the user's own options of PETSc replace.
void set_default(const char* name, const char* value)
{
    PetscBool is_given = PETSC_FALSE;
    PetscOptionsHasName(nullptr, nullptr, name, &is_given);
    if (is_given == PETSC_FALSE)
        PetscOptionsSetValue(nullptr, name, value);
}

} // namespace

void PetscSolver::Matrix::set_up(bool is_direct, bool is_boomeramg)
{
    KSPDestroy(&ksp_);
    is_direct_ = is_direct;
    is_boomeramg_ = is_boomeramg;
    check(KSPCreate(PETSC_COMM_WORLD, &ksp_), "KSPCreate");
    check(KSPSetOperators(ksp_, sum_ != nullptr ? sum_ : matrix_, matrix_), "KSPSetOperators");
    check(KSPSetType(ksp_, KSPCG), "KSPSetType");
    check(KSPSetNormType(ksp_, KSP_NORM_UNPRECONDITIONED), "KSPSetNormType");
    PC pc = nullptr;
    check(KSPGetPC(ksp_, &pc), "KSPGetPC");
    if (is_direct) {
        check(PCSetType(pc, PCCHOLESKY), "PCSetType");
        check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS), "PCFactorSetMatSolverType");
        check(PCFactorSetUpMatSolverType(pc), "PCFactorSetUpMatSolverType");
        PetscMat factor = nullptr;
        check(PCFactorGetMatrix(pc, &factor), "PCFactorGetMatrix");
        check(MatMumpsSetIcntl(factor, 13, 1), "MatMumpsSetIcntl"); // else pivots of the root are not counted by sign
        check(MatMumpsSetIcntl(factor, 24, 1), "MatMumpsSetIcntl"); // count zero pivots, too
        check(KSPSetUp(ksp_), "KSPSetUp");
        return;
    }
    check(KSPSetOptionsPrefix(ksp_, "abut_"), "KSPSetOptionsPrefix");
    set_near_null_space(*system_);
    if (is_boomeramg) {
        check(PCSetType(pc, PCHYPRE), "PCSetType");
        check(PCHYPRESetType(pc, "boomeramg"), "PCHYPRESetType");
        set_default("-abut_pc_hypre_boomeramg_nodal_coarsen", "4");
        set_default("-abut_pc_hypre_boomeramg_vec_interp_variant", "2");
        set_default("-abut_pc_hypre_boomeramg_strong_threshold", "0.5");
        if (rows_->layout().uniform_size() != 0) {
            // Coarse at once, with the sweeps and interpolation of docs/decisions/0027-multigrid-over-ranks.md. Not
            // where rods twist, whose rows hypre cannot coarsen so.
            set_default("-abut_pc_hypre_boomeramg_coarsen_type", "HMIS");
            set_default("-abut_pc_hypre_boomeramg_agg_nl", "1");
            set_default("-abut_pc_hypre_boomeramg_agg_num_paths", "2");
            set_default("-abut_pc_hypre_boomeramg_interp_type", "ext+i");
            set_default("-abut_pc_hypre_boomeramg_P_max", "6");
            // A polynomial of the matrix knows of no ranks, and is positive definite however rows are divided.
            set_default("-abut_pc_hypre_boomeramg_relax_type_all", "Chebyshev");
        }
    } else {
        check(PCSetType(pc, PCGAMG), "PCSetType");
        set_default("-abut_pc_gamg_threshold", "0.01");
    }
    check(KSPSetFromOptions(ksp_), "KSPSetFromOptions");
    const PetscErrorCode code = KSPSetUp(ksp_);
    if (code == PETSC_ERR_MEM)
        throw std::bad_alloc();
    has_multigrid_ = !any_rank(code != 0);
}

/// After a factorisation.
bool PetscSolver::Matrix::is_indefinite()
{
    PC pc = nullptr;
    check(KSPGetPC(ksp_, &pc), "KSPGetPC");
    PCFailedReason reason = PC_NOERROR;
    check(PCGetFailedReason(pc, &reason), "PCGetFailedReason");
    if (reason == PC_FACTOR_OUTMEMORY)
        throw std::bad_alloc();
    if (any_rank(reason != PC_NOERROR))
        return true;
    PetscMat factor = nullptr;
    check(PCFactorGetMatrix(pc, &factor), "PCFactorGetMatrix");
    PetscInt negative = 0, zero = 0, positive = 0;
    check(MatGetInertia(factor, &negative, &zero, &positive), "MatGetInertia");
    return negative > 0 || zero > 0;
}

LinearReport PetscSolver::Matrix::solve(const Eigen::VectorXd& b, double tolerance, bool goes_on, Eigen::VectorXd& x)
{
    if (!is_direct_ && !has_multigrid_) {
        x.setZero(b.size());
        return {.message = fmt::format("{}, which could not be set up", is_boomeramg_ ? "BoomerAMG" : "GAMG")};
    }
    to_own(b, b_);
    double length = 0;
    check(VecNorm(b_, NORM_2, &length), "VecNorm");
    check(KSPSetInitialGuessNonzero(ksp_, goes_on ? PETSC_TRUE : PETSC_FALSE), "KSPSetInitialGuessNonzero");
    // With a factorisation a few iterations polish; dense terms add one each.
    const auto few = static_cast<PetscInt>(10 + 2 * directions_.size());
    check(
        KSPSetTolerances(
            ksp_, is_direct_ ? 1e-12 : tolerance, 1e-300, PETSC_DEFAULT, is_direct_ ? few : most_iterations),
        "KSPSetTolerances");
    check(KSPSolve(ksp_, b_, x_), "KSPSolve");
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    check(KSPGetConvergedReason(ksp_, &reason), "KSPGetConvergedReason");
    PetscInt iterations = 0;
    check(KSPGetIterationNumber(ksp_, &iterations), "KSPGetIterationNumber");
    double residual = 0;
    check(KSPGetResidualNorm(ksp_, &residual), "KSPGetResidualNorm");

    // The solution is whole on each rank.
    const BlockLayout& layout = rows_->layout();
    const PetscScalar* own = nullptr;
    check(VecGetArrayRead(x_, &own), "VecGetArrayRead");
    const std::vector<double> all = joined_over_ranks(std::vector<double>(own, own + rows_->num_own_rows()));
    check(VecRestoreArrayRead(x_, &own), "VecRestoreArrayRead");
    x.setZero(layout.num_unknowns());
    for (int block = 0; block < layout.num_blocks(); ++block)
        if (is_fixed_[block] == 0)
            std::copy_n(all.data() + rows_->row(block), layout.size(block), x.data() + layout.offset(block));

    LinearReport report;
    report.relative_residual = length > 0 ? residual / length : 0;
    // A factorisation is as good as rounding lets it be.
    report.is_solved = reason > 0 || (is_direct_ && report.relative_residual < 1e-6);
    // Multigrid of an indefinite matrix is no less indefinite; of a definite one it may be, by rounding.
    report.is_indefinite =
        reason == KSP_DIVERGED_INDEFINITE_MAT || (reason == KSP_DIVERGED_INDEFINITE_PC && system_->may_be_indefinite);
    report.iterations = is_direct_ ? 0 : static_cast<int>(iterations);
    report.message = is_direct_ ? fmt::format("MUMPS over {} ranks", ranks().size())
                                : fmt::format(
                                      "conjugate gradients with {} over {} ranks", is_boomeramg_ ? "BoomerAMG" : "GAMG",
                                      ranks().size());
    if (!report.is_solved)
        report.message += fmt::format(
            ", which {} after {} iterations at a residual of {:.1e}",
            report.is_indefinite ? "found the matrix indefinite" : "did not converge", iterations,
            report.relative_residual);
    return report;
}

PetscSolver::PetscSolver(PetscMethod method, Multigrid multigrid)
    : method_(method), is_boomeramg_(multigrid == Multigrid::boomeramg)
{}

PetscSolver::~PetscSolver() = default;

std::string PetscSolver::name() const
{
    return method_ == PetscMethod::direct ? "MUMPS" : "conjugate gradients with multigrid";
}

void PetscSolver::begin_step() { matrix_.reset(); }

bool PetscSolver::prepare(const LinearSystem& system)
{
    if (!matrix_)
        matrix_ = std::make_unique<Matrix>();
    is_fallen_ = false;
    matrix_->assemble(system);
    matrix_->set_up(method_ == PetscMethod::direct, is_boomeramg_);
    return method_ != PetscMethod::direct || !matrix_->is_indefinite();
}

double PetscSolver::pattern_seconds() const { return matrix_ ? matrix_->pattern_seconds : 0; }

namespace {

/// All ranks go the same way because they have the same numbers. CPUs that round in other ways would end that.
void check_ranks_agree(const Eigen::VectorXd& b)
{
    const std::uint64_t own = checksum({reinterpret_cast<const char*>(b.data()), sizeof(double) * b.size()});
    for (const std::uint64_t other : of_all_ranks(own))
        if (any_rank(other != own))
            throw LimitReached("ranks: they have come to different numbers; run all of them on machines with the same "
                               "kind of CPU, from "
                               "the same program");
}

} // namespace

LinearReport PetscSolver::run(const Eigen::VectorXd& b, double tolerance, bool goes_on, Eigen::VectorXd& x)
{
    check_ranks_agree(b);
    constexpr double usual_tolerance = 1e-5; // that of the serial program
    LinearReport report = matrix_->solve(b, tolerance > 0 ? tolerance : usual_tolerance, goes_on, x);
    if (matrix_->is_direct()) {
        report.fell_back = is_fallen_;
        return report;
    }
    if (report.is_solved || (report.is_indefinite && matrix_->system().may_be_indefinite))
        return report;
    is_fallen_ = true;
    const LinearReport failed = std::move(report);
    matrix_->set_up(true, false);
    if (matrix_->is_indefinite()) {
        report = failed;
        report.is_indefinite = true;
        report.message += "; nor does MUMPS find it positive definite";
        return report;
    }
    report = matrix_->solve(b, tolerance, false, x);
    report.iterations = failed.iterations;
    report.fell_back = true;
    report.message += ", after " + failed.message;
    return report;
}

LinearReport PetscSolver::solve(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x)
{
    ABUT_ASSERT(matrix_ != nullptr);
    return run(b, tolerance, false, x);
}

LinearReport PetscSolver::refine(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x)
{
    ABUT_ASSERT(matrix_ != nullptr);
    return run(b, tolerance, true, x);
}

void register_petsc_solvers(Multigrid kind)
{
    auto& all = linear_solvers();
    for (const std::string& name : all.names())
        all.remove(name);
    const auto multigrid = [kind] { return std::make_unique<PetscSolver>(PetscMethod::multigrid, kind); };
    all.add("auto", multigrid);
    all.add("pcg", multigrid);
    all.add("direct", [] { return std::make_unique<PetscSolver>(PetscMethod::direct); });
}

} // namespace abut
