#include "abut/sim/contact_guards.hpp"

#include "abut/detect/step_size.hpp"

namespace abut {

StepGuard::Limit CcdGuard::limit(const Unknowns& x, const Unknowns& dx)
{
    const Eigen::VectorXd end = x.numbers() + dx.numbers();
    const Positions X = pairs_.map().positions(x), X_end = pairs_.map().positions({x.layout(), end});
    const StepLimit found = find_collision_free_stepsize(
        pairs_.mesh(), pairs_.is_frozen() ? pairs_.look_at(x) : pairs_.detection(), X, X_end, {.dmin = pairs_.dmin()});
    if (found.step >= 1)
        return {};
    return {found.step, names_.pair(found, pairs_.mesh(), X), BodyNames::vertices(found, pairs_.mesh())};
}

} // namespace abut
