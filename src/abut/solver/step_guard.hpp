#pragma once
// What keeps a step from passing through anything.

#include "abut/solver/unknowns.hpp"

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
};

} // namespace abut
