#pragma once
// CHOLMOD's supernodal factorisation as a DirectSolver, with METIS orderings; where Abut is built with CHOLMOD.

#include "abut/linear/direct_solver.hpp"

namespace abut {

[[nodiscard]] std::unique_ptr<DirectSolver> make_cholmod_solver();

} // namespace abut
