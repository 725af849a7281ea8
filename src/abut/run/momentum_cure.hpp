#pragma once
// What helps where momentum does not balance.

#include "abut/sim/scene.hpp"

#include <string>

namespace abut {

/// Which value of the scene to change, and to what, as a few words: `lower solver.tolerance`, or, where contact reaches
/// much less far than would be chosen for these bodies, `raise contact.dhat`, with numbers.
[[nodiscard]] std::string momentum_cure(const Scene& scene);

} // namespace abut
