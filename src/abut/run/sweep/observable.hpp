#pragma once
// One number of a run, by the words of a user: "max(contact_force)", "last(energy:kinetic)".

#include "abut/run/series.hpp"
#include "abut/sim/scene.hpp"

namespace abut {

struct Observable {
    std::string text;     ///< as the user wrote it
    std::string function; ///< max, min, mean, sum, first or last
    std::string quantity; ///< as `abut plot` names it: "contact_force", "force:cloth-ball"
};

/// Rejects unknown functions, unknown quantities and bodies that the scene does not have, with the nearest that is
/// known.
[[nodiscard]] Observable parse_observable(const std::string& text, const Scene& scene);

/// The numbers of a run's steps, in the order of the list. NaN where there are none, as of a smallest distance without
/// contacts; steps without one are passed over. Bodies that never touch have the force 0.
[[nodiscard]] std::vector<double> observe(const ResultFolder& results, const std::vector<Observable>& observables);

/// "maximum of force of contact [N]".
[[nodiscard]] std::string meaning_of(const Observable& observable);

} // namespace abut
