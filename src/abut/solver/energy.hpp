#pragma once
// A sum of local terms that a solver minimises: inertia, elasticity, contact, friction, scripts.
//
// The life of an energy, as a step goes:
//
//   load(history)            what it remembers comes from the state
//   begin_step(state, dt)    what is fixed for the step: targets, loads
//     lag(x)                 before each solve: what is lagged, such as normal forces of friction
//       begin_iteration(x)   at the start of each iteration
//       update(x)            at each position that the line search tries: which terms are active
//       evaluate(x, out)     as often as anyone asks; changes nothing
//       iterated(x)          after each step that was taken
//   end_step(state)          the step is over
//   save(history)
//
// What else it keeps is a cache: it may save time, but never change a bit. No energy depends on the order in which
// energies are called.

#include "abut/elastic/plasticity.hpp"
#include "abut/linear/linear_solver.hpp"
#include "abut/linear/stencils.hpp"
#include "abut/linear/term_output.hpp"
#include "abut/solver/block_terms.hpp"
#include "abut/solver/state.hpp"
#include "abut/solver/unknowns.hpp"

#include <optional>
#include <string_view>

namespace abut {

/// Local terms, each over a few blocks of unknowns.
class Terms {
public:
    virtual ~Terms() = default;

    /// The blocks of each term; TermsOfBlocks turns them round.
    [[nodiscard]] virtual const Stencils& stencils() const = 0;

    /// Writes what is asked for of every term, in the layout of the stencils.
    virtual void evaluate(const Unknowns& x, const TermOutput& out) const = 0;
};

/// In which column of the books an energy counts.
enum class EnergyRole : std::uint8_t {
    inertia,  ///< motion and gravity, which the balance knows from masses
    elastic,  ///< potential of the material, of enclosed gas and of stitches
    contact,  ///< potential between bodies
    friction, ///< takes energy
    damping,  ///< takes energy, or gives that of a wind
    script,   ///< does work from outside
    load,     ///< potential of constant forces from outside, which the balance adds to that of gravity
};

/// Do its forces depend on positions alone?
[[nodiscard]] constexpr bool is_potential(EnergyRole role)
{
    return role == EnergyRole::elastic || role == EnergyRole::contact || role == EnergyRole::load;
}

class Energy : public Terms {
public:
    /// For reports, e.g. "contact".
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual EnergyRole role() const { return EnergyRole::elastic; }

    /// Some of its terms, by rising number, as they are now: right until the energy changes them. Solvers that go
    /// through the unknowns block by block sort terms by colour with it. By default all terms are evaluated and some
    /// are taken, which is right and slow; energies that have many keep the data of the subset apart.
    [[nodiscard]] virtual std::unique_ptr<Terms> subset(std::span<const int> terms) const;

    /// Its terms for solvers that move block by block, in fast kernels, as they are now: right until the energy changes
    /// them. Null where there are none; then subset() serves. Solvers tell kernels how far vertices have come from x.
    [[nodiscard]] virtual std::unique_ptr<BlockTerms>
    by_blocks(const BlockGroups& /*groups*/, const Unknowns& /*x*/) const
    {
        return nullptr;
    }

    virtual void begin_step(const State& /*start*/, double /*dt*/) {}
    virtual void lag(const Unknowns& /*x*/) {}
    /// True where the terms changed.
    virtual bool begin_iteration(const Unknowns& /*x*/) { return false; }
    virtual void update(const Unknowns& /*x*/) {}
    /// True where the energy changed itself, e.g. became stiffer.
    virtual bool iterated(const Unknowns& /*x*/) { return false; }
    virtual void end_step(const State& /*end*/) {}

    /// A t in (0, 1] such that x + s dx is in the energy's domain for all s in [0, t].
    [[nodiscard]] virtual double limit_step(const Unknowns& /*x*/, const Unknowns& /*dx*/) const { return 1; }

    /// Can it say so term by term? Then solvers that move block by block shorten the steps of single blocks.
    [[nodiscard]] virtual bool limits_terms() const { return false; }
    /// For each of these terms, such a t of the term alone.
    virtual void limit_terms(
        const Unknowns& /*x*/, const Unknowns& /*dx*/, std::span<const int> /*terms*/, std::span<double> /*t*/) const
    {}

    /// Adds what its Hessian has besides the blocks of its terms: a few dense terms w u uᵀ, w >= 0 unless the exact
    /// Hessian is asked for.
    virtual void add_rank_one(const Unknowns& /*x*/, HessianForm /*form*/, std::vector<RankOne>& /*terms*/) const {}

    /// Of a material that flows, were the step to end at x: its value is no potential then. None of others, whose value
    /// is what they store.
    [[nodiscard]] virtual std::optional<FlowSums> flow_sums(const Unknowns& /*x*/) const { return std::nullopt; }

    virtual void save(History& /*history*/) const {}
    /// Entries that are not there keep the values that the energy was made with.
    virtual void load(const History& /*history*/) {}
};

/// Which elements are near which: what energies and the guard share. A problem keeps it up to date, before them.
class Proximity {
public:
    virtual ~Proximity() = default;
    /// Finds what is near at x, as a new step begins.
    virtual void begin_step(const Unknowns& x) = 0;
    /// At the start of each iteration; true where pairs changed.
    virtual bool begin_iteration(const Unknowns& x) = 0;
    /// At each position that is tried.
    virtual void update(const Unknowns& x) = 0;
};

} // namespace abut
