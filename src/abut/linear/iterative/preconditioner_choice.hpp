#pragma once
// Which preconditioner a system gets, by what each of them cost when it was last tried. Costs are counted in
// iterations with block Jacobi, the cheapest: a system costs set-up + price × its iterations. So a choice is a function
// of counts, the same on every machine.

#include "abut/linear/iterative/preconditioner.hpp"

#include <array>
#include <span>

namespace abut {

/// What a system costs that took so many iterations with this preconditioner, in iterations with block Jacobi.
[[nodiscard]] double cost_of_system(PreconditionerKind kind, double iterations);

class PreconditionerChoice {
public:
    /// The one that cost least so far, block Jacobi at first; or another one that could be cheaper and was not tried
    /// for many systems, or not since costs doubled. The one for contacts only where there are any.
    [[nodiscard]] PreconditionerKind next(bool has_contact) const;
    /// After a system that took so many iterations.
    void learn(PreconditionerKind kind, double iterations);

    /// As numbers of a state, and back.
    static constexpr std::size_t num_numbers = 12;
    [[nodiscard]] std::array<double, num_numbers> numbers() const;
    static PreconditionerChoice from(std::span<const double> numbers);

    friend bool operator==(const PreconditionerChoice&, const PreconditionerChoice&) = default;

private:
    struct Tried {
        double cost = 0;         ///< of a system when it was last tried, a mean over recent ones; 0: never
        double wait = 0;         ///< systems to go by before it is tried again
        double worth_trying = 0; ///< it is tried earlier where all others cost more than this
        friend bool operator==(const Tried&, const Tried&) = default;
    };
    [[nodiscard]] int cheapest() const;

    std::array<Tried, 4> tried_; // by PreconditionerKind
};

} // namespace abut
