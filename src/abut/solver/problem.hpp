#pragma once
// What a solver minimises: a sum of energies over unknowns of which some are fixed, with a guard that says how far a
// step may go. Evaluates the sum; knows nothing of how it is minimised.

#include "abut/linear/hessian_cache.hpp"
#include "abut/solver/energy.hpp"
#include "abut/solver/step_guard.hpp"
#include "abut/solver/term_shares.hpp"

namespace abut {

class Problem {
public:
    /// Energies, guard and proximity are used, not owned; the latter two may be null. At first nothing is fixed. The
    /// terms that energies other than contact and friction have now are taken to last. Where shares are given, the sums
    /// below are collective (base/ranks.hpp), and the Hessian's blocks are those of this rank's terms.
    Problem(
        BlockLayout layout, std::vector<Energy*> energies, StepGuard* guard = nullptr, Proximity* proximity = nullptr,
        TermShares shares = {});

    [[nodiscard]] const BlockLayout& layout() const { return layout_; }
    [[nodiscard]] const std::vector<Energy*>& energies() const { return energies_; }
    [[nodiscard]] StepGuard* guard() const { return guard_; }
    [[nodiscard]] Unknowns view(const Eigen::VectorXd& x) const { return {layout_, x}; }

    /// One flag per block: those that do not move.
    [[nodiscard]] const std::vector<std::uint8_t>& is_fixed() const { return is_fixed_; }
    void set_fixed(std::vector<std::uint8_t> is_fixed);
    /// Sets the numbers of fixed blocks to 0.
    void clear_fixed(Eigen::VectorXd& numbers) const;

    /// For each block, a stiffness [N/m] that projected Hessians are known to have at least, as inertia's m / dt²;
    /// empty where none is known.
    [[nodiscard]] const Eigen::VectorXd& least_stiffness() const { return least_stiffness_; }
    void set_least_stiffness(Eigen::VectorXd stiffness) { least_stiffness_ = std::move(stiffness); }

    /// To be told where energies were changed by others than this problem: their shares are made anew.
    void terms_changed() { shares_.forget(); }

    /// Tells the energies where they are, as energy.hpp says; proximity first.
    void update(const Eigen::VectorXd& x);
    [[nodiscard]] bool begin_iteration(const Eigen::VectorXd& x);
    /// Finds what is near at x anew, whatever was known, and updates.
    void look_around(const Eigen::VectorXd& x);
    [[nodiscard]] bool iterated(const Eigen::VectorXd& x);

    /// The sum at x, at which the energies were updated last; so for all below.
    [[nodiscard]] double value(const Eigen::VectorXd& x);
    /// Its gradient, 0 at fixed blocks.
    void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient);
    /// Its Hessian as a system to solve, whose parts live until the next call.
    [[nodiscard]] LinearSystem hessian(const Eigen::VectorXd& x, HessianForm form);
    /// The blocks that every Hessian has, whatever touches what.
    [[nodiscard]] const std::shared_ptr<const BlockPattern>& lasting() const { return lasting_; }
    /// What that has besides its blocks; lives until the next call, of this or hessian().
    [[nodiscard]] std::span<const RankOne> rank_one(const Eigen::VectorXd& x, HessianForm form);

    /// Of one energy, whether it is part of the sum or not.
    [[nodiscard]] double value_of(const Energy& energy, const Eigen::VectorXd& x);
    [[nodiscard]] Eigen::VectorXd gradient_of(const Energy& energy, const Eigen::VectorXd& x) const;

    /// A t in (0, 1] such that x + s dx is in the domain of all energies for all s in [0, t].
    [[nodiscard]] double limit_step(const Eigen::VectorXd& x, const Eigen::VectorXd& dx) const;

    /// How much the forces on free blocks are out of balance: the norm of their sum over that of the largest energy's,
    /// which is taken as `least` [N] at least.
    [[nodiscard]] double imbalance(const Eigen::VectorXd& x, double least) const;
    /// The norm of each energy's forces on free blocks, as words.
    [[nodiscard]] std::string describe_forces(const Eigen::VectorXd& x) const;

private:
    [[nodiscard]] double own_value_of(const Energy& energy, const Eigen::VectorXd& x);

    BlockLayout layout_;
    std::vector<Energy*> energies_;
    mutable TermShares shares_; // a cache of parts
    StepGuard* guard_;
    Proximity* proximity_;
    std::vector<std::uint8_t> is_fixed_;
    std::shared_ptr<const BlockPattern> lasting_;
    Eigen::VectorXd least_stiffness_;
    // Kept for their memory, and the sorted pattern.
    HessianCache hessian_;
    std::vector<RankOne> rank_one_;
    Buffer<double> local_;
};

} // namespace abut
