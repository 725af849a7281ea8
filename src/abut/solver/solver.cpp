#include "abut/solver/solver.hpp"

namespace abut {

std::string_view to_string(Outcome outcome)
{
    switch (outcome) {
    case Outcome::unfinished:
        return "unfinished";
    case Outcome::converged:
        return "converged";
    case Outcome::iteration_limit:
        return "iteration_limit";
    case Outcome::time_limit:
        return "time_limit";
    case Outcome::line_search_failed:
        return "line_search_failed";
    case Outcome::linear_solve_failed:
        return "linear_solve_failed";
    case Outcome::script_blocked:
        return "script_blocked";
    case Outcome::interrupted:
        return "interrupted";
    case Outcome::not_converged:
        return "not_converged";
    case Outcome::not_finite:
        break;
    }
    return "not_finite";
}

void SolveTimes::add(const SolveTimes& other)
{
    update += other.update;
    evaluate += other.evaluate;
    assemble += other.assemble;
    symbolic += other.symbolic;
    factorize += other.factorize;
    guard += other.guard;
    line_search += other.line_search;
}

} // namespace abut
