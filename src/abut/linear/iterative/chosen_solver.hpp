#pragma once
// The linear solver of scenes: direct or conjugate gradients, as the scene says or as counts decide, and the direct
// method where conjugate gradients do not succeed. What it decides by are numbers of unknowns, of operations and of
// iterations, never times: a run takes the same way on every machine.

#include "abut/linear/direct_solver.hpp"
#include "abut/linear/iterative/pcg_solver.hpp"
#include "abut/linear/iterative/preconditioner_choice.hpp"

namespace abut {

enum class LinearMethod : std::uint8_t { choose, pcg };

class ChosenSolver final : public LinearSolver {
public:
    explicit ChosenSolver(LinearMethod method = LinearMethod::choose);

    [[nodiscard]] std::string name() const override;
    /// "auto", or one of PreconditionerKind; rejects other names.
    void set_preconditioner_by_name(std::string_view name) override;

    void begin_step() override;
    [[nodiscard]] std::vector<double> memory() const override;
    void recall(std::span<const double> memory) override;

    [[nodiscard]] bool prepare(const LinearSystem& system) override;
    [[nodiscard]] LinearReport solve(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x) override;
    [[nodiscard]] LinearReport refine(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x) override;

    [[nodiscard]] double pattern_seconds() const override
    {
        return pcg_.pattern_seconds() + direct_->pattern_seconds();
    }

    /// Below so many unknowns that may move, the direct method is not left.
    static constexpr int few_unknowns = 6000;
    /// A number of the matrix costs an iteration with block Jacobi as much as so many multiplications of a
    /// factorisation, which works in the cache; and so much does it cost to place an entry of the factor. Chosen by
    /// hand between two machines, with times of a cloth, a ball, a mat and 27 balls: about 25 with one thread and
    /// kernels of OpenBLAS for AVX-512, 8 to 12 with those for AVX2 and a large cache. All threads share an iteration,
    /// but not a factorisation. `scripts/linear-study prices` compares.
    static constexpr double price_of_numbers = 16, price_of_entries = 1000;

private:
    void choose(const LinearSystem& system);
    [[nodiscard]] double direct_work(const LinearSystem& system);
    void compare_with_direct(double cost);
    LinearReport fall_back(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x, LinearReport report);
    LinearReport explained(LinearReport report) const;

    LinearMethod method_;
    std::optional<PreconditionerKind> given_; // by the scene
    PcgSolver pcg_;
    std::unique_ptr<DirectSolver> direct_ = DirectSolver::create();
    std::optional<LinearSystem> system_;

    // Of the step
    bool is_chosen_ = false, is_direct_ = true, is_fallen_ = false;
    std::string why_;
    double solves_ = 0, iterations_ = 0, cost_ = 0, fallbacks_ = 0;
    double work_with_contacts_ = 0; // of a factorisation; 0 where nothing asked for it
    PreconditionerChoice choice_;   // goes on from the step before
    // From the step before: by a state, or by this solver
    struct Memory {
        double kind = -1;        ///< the preconditioner, −1: no conjugate gradients yet
        double mean = 0;         ///< iterations of a solve with it
        double direct_steps = 0; ///< to go by before conjugate gradients are tried again
        double patience = 0;     ///< how many those were when they were last given up
        PreconditionerChoice choice;

        [[nodiscard]] std::vector<double> numbers() const;
    };
    Memory before_;

    // Kept for the pattern it was found for
    std::shared_ptr<const BlockPattern> counted_pattern_;
    std::vector<std::uint8_t> counted_fixed_;
    double counted_work_ = 0, iteration_work_ = 0;
};

} // namespace abut
