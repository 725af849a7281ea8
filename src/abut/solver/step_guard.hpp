#pragma once
// What keeps a step from passing through anything.

#include "abut/linear/block_matrix.hpp"
#include "abut/solver/unknowns.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace abut {

class StepGuard {
public:
    virtual ~StepGuard() = default;

    /// What was cut of a step, vertex by vertex.
    struct Cut {
        int num_cut = 0;    ///< vertices that go less far than they would
        std::string reason; ///< empty where none was cut
    };
    /// Cuts dx in place; what is left still descends along the gradient of the energy at x, and any share of it is as
    /// safe.
    [[nodiscard]] virtual Cut cut(const Unknowns& /*x*/, Eigen::VectorXd& /*dx*/, const Eigen::VectorXd& /*gradient*/)
    {
        return {};
    }

    /// How far a step may go as a whole, and what stops it.
    struct Limit {
        double scale = 1;            ///< x + t scale dx is free of contact for all t in [0, 1]
        std::string reason;          ///< the limiting pair; empty where the whole step is free
        std::vector<int> vertices{}; ///< of that pair
    };
    [[nodiscard]] virtual Limit limit(const Unknowns& /*x*/, const Unknowns& /*dx*/) { return {}; }

    /// Has each block a region of its own, in which it may move whatever the others do in theirs? Then solvers that
    /// move block by block ask for nothing else.
    [[nodiscard]] virtual bool has_regions() const { return false; }
    /// Where there are regions: shortens dx vertex by vertex so that nothing meets on the straight way from x to x +
    /// dx, however far that is; `ties` are the blocks that share terms, which stay together as well as they can. What
    /// is near must be known at x. False where no such way was found, and dx is as it was.
    [[nodiscard]] virtual bool clear_way(const Unknowns& /*x*/, Eigen::VectorXd& /*dx*/, const BlockPattern& /*ties*/)
    {
        return false;
    }
    /// Makes the regions anew for what was found last; blocks that do not move leave their room to others.
    virtual void update_regions(std::span<const std::uint8_t> /*is_fixed*/) {}
    /// Cuts the steps of these blocks to their regions; negative numbers are no blocks. What is left of a step descends
    /// along the gradient where the whole did. Returns how many were cut. Calls with other blocks may run in parallel.
    [[nodiscard]] virtual int cut_to_regions(
        const Unknowns& /*x*/, std::span<const int> /*blocks*/, Eigen::VectorXd& /*dx*/,
        const Eigen::VectorXd& /*gradient*/) const
    {
        return 0;
    }
    /// Lengthens the steps of these blocks by a factor, where nothing is near them and they stay within their regions.
    /// Calls with other blocks may run in parallel.
    virtual void lengthen_in_regions(
        const Unknowns& /*x*/, std::span<const int> /*blocks*/, Eigen::VectorXd& /*dx*/, double /*factor*/) const
    {}
};

} // namespace abut
