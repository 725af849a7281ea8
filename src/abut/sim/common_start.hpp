#pragma once
// Where a solve begins, with models that freeze their pairs: bodies that touch nothing are moved to where their inertia
// takes them as rigid ones, so that only their deformation is left to the solver. docs/decisions/0021-free-motion.md
//
// What flies far from everything else does so before contacts are found, so that they are found once, where it arrives.
// What comes near to others is moved after that, with continuous collision detection, and contacts are found again.

#include "abut/sim/system.hpp"

namespace abut {

struct CommonMove;

class CommonStart {
public:
    /// For a step of the system that begins at x.
    CommonStart(System& system, const Eigen::VectorXd& x);
    ~CommonStart();

    /// Moves x by what flies far from everything else, and finds contacts there: once, or twice where that start has
    /// more energy and is not taken. What was measured where the step starts is the same with these contacts: those
    /// within what flew have not changed.
    void fly(Eigen::VectorXd& x);
    /// After that, moves x by what comes near to something and touches nothing; true where something moved. On the way
    /// nothing meets. A start that has more energy is not taken.
    bool approach(Eigen::VectorXd& x);

    /// How often contacts were found in fly().
    [[nodiscard]] int num_detections() const { return num_detections_; }

private:
    struct Groups;
    [[nodiscard]] Eigen::VectorXd moved(const Eigen::VectorXd& x, CommonMove& move) const;
    [[nodiscard]] bool take(const Eigen::VectorXd& x_moved, const CommonMove& move, double before, Eigen::VectorXd& x);
    [[nodiscard]] bool is_open(const Positions& X_start) const;

    System& system_;
    std::unique_ptr<Groups> groups_; // null where nothing is to be moved
    int num_detections_ = 1;
};

} // namespace abut
