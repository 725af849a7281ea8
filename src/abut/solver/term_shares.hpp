#pragma once
// Which terms of a sum this rank evaluates, of several that work on it together (base/ranks.hpp).
//
// Blocks of unknowns are given to ranks so that blocks which share lasting terms, as those of a tetrahedron, are
// together. A lasting term goes to a rank that has one of its blocks, of these to the one with the fewest terms so far.
// Terms that come and go, of contact and friction, are dealt out in equal ranges of their sorted list.

#include "abut/solver/energy.hpp"

namespace abut {

/// Do its terms come and go within a step?
[[nodiscard]] inline bool changes_terms(const Energy& energy)
{
    return energy.role() == EnergyRole::contact || energy.role() == EnergyRole::friction;
}

class TermShares {
public:
    /// One rank: everything is here.
    TermShares() = default;
    /// Collective.
    TermShares(const BlockLayout& layout, std::span<Energy* const> energies);

    [[nodiscard]] bool is_shared() const { return !owners_.empty(); }
    /// What this rank has of an energy that is Divisible; null of others, which stay whole on each rank: it evaluates
    /// a subset() of them.
    [[nodiscard]] std::unique_ptr<Energy> part_of(const Energy& energy) const;
    /// This energy is the part of another.
    void note_part(const Energy& part) { parts_.push_back(&part); }

    /// The terms of this rank.
    [[nodiscard]] const Terms& own_terms(const Energy& energy);
    /// Terms may be others than before: of all energies, or of those that change within steps.
    void forget();
    void forget_changing();

private:
    struct Own {
        const Energy* of;
        bool changes;
        std::unique_ptr<Terms> terms; ///< null: to be made
    };
    [[nodiscard]] std::vector<int> numbers_of(const Energy& energy) const;

    std::vector<int> owners_;
    std::vector<const Energy*> parts_;
    std::vector<Own> own_;
};

} // namespace abut
