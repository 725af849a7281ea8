#include "abut/linear/iterative/preconditioner_choice.hpp"

#include "abut/base/assert.hpp"

#include <algorithm>

namespace abut {

namespace {

/// Chosen by hand after times of a ball, a cloth and 27 balls of 30 to 75 thousand unknowns on a busy machine, such as
/// `scripts/linear-study prices` takes; on a mat, Schwarz took up to 1.7 times as much: in iterations with block
/// Jacobi, what it takes to set a preconditioner up and to apply it once.
struct Price {
    double set_up, iteration;
    double fewest; ///< iterations, that it may take at the best: with less hope it is not tried
};
constexpr std::array<Price, 4> prices{{
    {.set_up = 10, .iteration = 1, .fewest = 20},   // block Jacobi
    {.set_up = 28, .iteration = 1.9, .fewest = 20}, // incomplete Cholesky
    {.set_up = 66, .iteration = 2.5, .fewest = 25}, // Schwarz
    {.set_up = 75, .iteration = 3, .fewest = 15},   // contact
}};

constexpr double systems_between_trials = 200;

} // namespace

double cost_of_system(PreconditionerKind kind, double iterations)
{
    const Price& price = prices[static_cast<std::size_t>(kind)];
    return price.set_up + price.iteration * iterations;
}

int PreconditionerChoice::cheapest() const
{
    int best = -1;
    for (int kind = 0; kind < 4; ++kind)
        if (tried_[kind].cost > 0 && (best < 0 || tried_[kind].cost < tried_[best].cost))
            best = kind;
    return best;
}

PreconditionerKind PreconditionerChoice::next(bool has_contact) const
{
    const int best = cheapest();
    if (best < 0)
        return PreconditionerKind::block_jacobi;
    constexpr double worthwhile = 0.8; // of what the cheapest costs
    // Where there are contacts, these are the likely cause of many iterations.
    for (const int kind : {3, 0, 1, 2}) {
        const Tried& tried = tried_[kind];
        const bool is_due = tried.wait == 0 || tried_[best].cost > tried.worth_trying;
        const bool is_possible = has_contact || kind != static_cast<int>(PreconditionerKind::contact);
        const auto as_kind = static_cast<PreconditionerKind>(kind);
        if (kind != best && is_due && is_possible &&
            cost_of_system(as_kind, prices[kind].fewest) < worthwhile * tried_[best].cost)
            return as_kind;
    }
    return static_cast<PreconditionerKind>(best);
}

void PreconditionerChoice::learn(PreconditionerKind kind, double iterations)
{
    for (Tried& tried : tried_)
        tried.wait = std::max(0.0, tried.wait - 1);
    Tried& own = tried_[static_cast<std::size_t>(kind)];
    const double cost = cost_of_system(kind, iterations);
    const bool was_last = own.wait == systems_between_trials - 1; // old costs say little
    own.cost = was_last ? 0.5 * (own.cost + cost) : cost;
    own.wait = systems_between_trials;
    own.worth_trying = 2 * tried_[cheapest()].cost;
}

std::array<double, PreconditionerChoice::num_numbers> PreconditionerChoice::numbers() const
{
    std::array<double, num_numbers> all{};
    for (std::size_t kind = 0; kind < tried_.size(); ++kind) {
        all[3 * kind] = tried_[kind].cost;
        all[3 * kind + 1] = tried_[kind].wait;
        all[3 * kind + 2] = tried_[kind].worth_trying;
    }
    return all;
}

PreconditionerChoice PreconditionerChoice::from(std::span<const double> numbers)
{
    ABUT_ASSERT(numbers.size() == num_numbers);
    PreconditionerChoice choice;
    for (std::size_t kind = 0; kind < choice.tried_.size(); ++kind)
        choice.tried_[kind] = {numbers[3 * kind], numbers[3 * kind + 1], numbers[3 * kind + 2]};
    return choice;
}

} // namespace abut
