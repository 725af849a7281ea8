#pragma once
// The one search for what is near what: energies, guards, frames and reports read it.
//
// As a rule pairs follow the positions: they are found at every one that the line search tries. Those of OGC are frozen
// instead while they surely hold all contacts (docs/decisions/0021-free-motion.md): positions that are tried near the
// place of the iteration's list have that list, those farther off have one of their own.

#include "abut/contact/normal_collisions.hpp"
#include "abut/detect/detection.hpp"
#include "abut/sim/surface_map.hpp"
#include "abut/solver/energy.hpp"

#include <memory>
#include <optional>

namespace abut {

struct ContactPairsOptions {
    double range;    ///< pairs closer than this are found [m], > 0
    double dmin = 0; ///< distance that pairs never go below [m]
    double dhat;     ///< beyond dmin, where pairs begin to press [m], > 0
    /// Of the detection. Newton's steps shrink quickly, and what is near is found again at every one of them, so that
    /// it pays to search rarely; a wide search brings little more, for boxes of elements longer than dhat overlap
    /// anyway.
    double slack = 1;
    /// Freeze pairs, and with them a set of contacts that reaches this far.
    std::optional<NormalCollisionsOptions> frozen = {};
};

class ContactPairs final : public Proximity {
public:
    /// `map` must outlive it.
    ContactPairs(const SurfaceMap& map, const ContactPairsOptions& options);

    void begin_step(const Unknowns& x) override;
    bool begin_iteration(const Unknowns& x) override;
    void update(const Unknowns& x) override;

    /// The pairs at x, whether they are frozen or not: for frames and reports, between steps.
    [[nodiscard]] const Detection& look_at(const Unknowns& x);

    /// Names what update(), begin_step() and begin_iteration() found: sets made for the same number are still right.
    [[nodiscard]] std::int64_t revision() const { return list().revision; }
    /// The pairs of that number.
    [[nodiscard]] const Detection& detection() const { return list().detection; }
    /// Where they were found: at x, or, where pairs are frozen, somewhere near.
    [[nodiscard]] Positions place(const Unknowns& x) const { return is_frozen() ? list().place : map_.positions(x); }
    /// How often pairs were found.
    [[nodiscard]] std::int64_t num_found() const { return num_found_; }
    [[nodiscard]] bool is_frozen() const { return options_.frozen.has_value(); }
    /// Where pairs are frozen: the contacts among them.
    [[nodiscard]] const NormalCollisions& collisions() const { return list().collisions; }
    /// Where pairs are frozen: where they were found.
    [[nodiscard]] const Positions& place() const { return list().place; }

    [[nodiscard]] const SurfaceMap& map() const { return map_; }
    [[nodiscard]] const CollisionMesh& mesh() const { return map_.mesh(); }
    [[nodiscard]] double dmin() const { return options_.dmin; }
    /// Pairs closer than this are found [m].
    [[nodiscard]] double range() const { return options_.range; }

private:
    /// Pairs; if they are frozen, with their contacts, and where they were found.
    struct List {
        Detection detection;
        NormalCollisions collisions{};
        Positions place{};
        std::int64_t revision = 0;
    };

    [[nodiscard]] const List& list() const { return is_tried_ ? *tried_ : *base_; }
    [[nodiscard]] std::unique_ptr<List> new_list() const;
    void find(const Positions& X, List& list);
    /// Where pairs are frozen: does the list surely hold all that is closer than dhat at X?
    [[nodiscard]] bool is_complete(const List& list, const Positions& X) const;

    const SurfaceMap& map_;
    ContactPairsOptions options_;
    std::unique_ptr<List> base_;    // where the iteration began, or before
    std::unique_ptr<List> tried_;   // where pairs are frozen: of the last position that was tried far from there
    bool is_tried_ = false;         // is that the one to use?
    std::optional<Detection> here_; // where pairs are frozen: what look_at() found
    std::int64_t num_found_ = 0;
};

} // namespace abut
