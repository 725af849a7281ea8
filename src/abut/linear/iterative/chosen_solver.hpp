#pragma once
// The linear solver of scenes: direct or conjugate gradients, as the scene says or as counts decide, and the direct
// method where conjugate gradients do not succeed. What it decides by are numbers of unknowns, of operations and of
// iterations, never times: a run takes the same way on every machine.

#include "abut/linear/direct_solver.hpp"
#include "abut/linear/iterative/pcg_solver.hpp"

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

    /// Below so many unknowns that may move, the direct method is not left.
    static constexpr int few_unknowns = 6000;
    /// One multiplication of conjugate gradients takes as long as so many of a factorisation, which works in the cache:
    /// few where the matrix fits into one, many where it comes from memory. To place an entry of the factor takes as
    /// long as `price_of_entries`. Fitted by hand to the CPU times of a cloth of 15 thousand unknowns, which is small,
    /// a ball of 45 thousand, a mat of 61 thousand and 27 balls of 75 thousand.
    static constexpr double price_if_small = 4, price_if_large = 10, price_of_entries = 150;
    static constexpr std::int64_t small_matrix = 1 << 21; ///< numbers of a matrix that fits into a cache

private:
    void choose(const LinearSystem& system);
    void choose_preconditioner();
    [[nodiscard]] double direct_work(const LinearSystem& system);
    /// Of a multiplication of conjugate gradients with a matrix of so many numbers.
    [[nodiscard]] static double price(double num_numbers)
    {
        return num_numbers <= small_matrix ? price_if_small : price_if_large;
    }
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
    double solves_ = 0, iterations_ = 0, fallbacks_ = 0;
    // From the step before: by a state, or by this solver
    struct Memory {
        double kind = -1;        ///< the preconditioner, −1: no conjugate gradients yet
        double mean = 0;         ///< iterations of a solve with it
        double direct_steps = 0; ///< to go by before conjugate gradients are tried again
        double patience = 0;     ///< how many those were when they were last given up
    };
    Memory before_;

    // Kept for the pattern it was found for
    std::shared_ptr<const BlockPattern> counted_pattern_;
    std::vector<std::uint8_t> counted_fixed_;
    double counted_work_ = 0;
};

} // namespace abut
