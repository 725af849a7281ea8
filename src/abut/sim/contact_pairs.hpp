#pragma once
// The one search for what is near what: energies, guards, frames and reports read it.
//
// As a rule pairs follow the positions: they are found at every one that the line search tries. Those of OGC are frozen
// instead while they surely hold all contacts (docs/decisions/0021-free-motion.md): positions that are tried near the
// place of the iteration's list have that list, those farther off have one of their own.

#include "abut/contact/ogc/trust_region.hpp"
#include "abut/detect/detection.hpp"
#include "abut/sim/surface_map.hpp"
#include "abut/solver/energy.hpp"
#include "abut/solver/step_guard.hpp"

#include <memory>
#include <optional>

namespace abut {

struct ContactPairsOptions {
    double range;    ///< pairs closer than this are found [m], > 0
    double dmin = 0; ///< distance that pairs never go below [m]
    double dhat;     ///< beyond dmin, where pairs begin to press [m], > 0
    /// Freeze pairs, with regions of this kind.
    std::optional<TrustRegionOptions> region = {};
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
    /// Where they were found: at x, or, where pairs are frozen, at the centres of the regions.
    [[nodiscard]] Positions place(const Unknowns& x) const
    {
        return is_frozen() ? region().centers() : map_.positions(x);
    }
    /// How often pairs were found.
    [[nodiscard]] std::int64_t num_found() const { return num_found_; }
    [[nodiscard]] bool is_frozen() const { return options_.region.has_value(); }
    /// Where pairs are frozen.
    [[nodiscard]] const TrustRegion& region() const { return *list().region; }

    /// Where pairs are frozen: cuts a step to the regions, as StepGuard::cut.
    [[nodiscard]] StepGuard::Cut cut(const Unknowns& x, Eigen::VectorXd& dx, const Eigen::VectorXd& gradient);

    [[nodiscard]] const SurfaceMap& map() const { return map_; }
    [[nodiscard]] const CollisionMesh& mesh() const { return map_.mesh(); }
    [[nodiscard]] double dmin() const { return options_.dmin; }
    /// Pairs closer than this are found [m].
    [[nodiscard]] double range() const { return options_.range; }

private:
    /// Pairs, with regions around where they were found if they are frozen.
    struct List {
        Detection detection;
        std::optional<TrustRegion> region;
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
    bool was_cut_ = false;          // the last step, by the regions
    std::int64_t num_found_ = 0;
};

} // namespace abut
