#pragma once
// The one search for what is near what: energies, guards, frames and reports read it.
//
// As a rule pairs follow the positions: they are found at every one that the line search tries. Those of OGC are frozen
// instead while they surely hold all contacts, with regions in which each vertex may move.

#include "abut/contact/ogc/trust_region.hpp"
#include "abut/detect/detection.hpp"
#include "abut/sim/surface_map.hpp"
#include "abut/solver/energy.hpp"
#include "abut/solver/step_guard.hpp"

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

    /// Counts what update(), begin_step() and begin_iteration() found: sets made for the same number are still right.
    [[nodiscard]] std::int64_t revision() const { return revision_; }
    /// The pairs of that number.
    [[nodiscard]] const Detection& detection() const { return detection_; }
    [[nodiscard]] bool is_frozen() const { return region_.has_value(); }
    /// Where pairs are frozen.
    [[nodiscard]] const TrustRegion& region() const { return *region_; }

    /// Where pairs are frozen: cuts a step to the regions, as StepGuard::cut.
    [[nodiscard]] StepGuard::Cut cut(const Unknowns& x, Eigen::VectorXd& dx, const Eigen::VectorXd& gradient);

    [[nodiscard]] const SurfaceMap& map() const { return map_; }
    [[nodiscard]] const CollisionMesh& mesh() const { return map_.mesh(); }
    [[nodiscard]] double dmin() const { return options_.dmin; }

private:
    void find(const Positions& X);

    const SurfaceMap& map_;
    ContactPairsOptions options_;
    Detection detection_;
    std::optional<TrustRegion> region_;
    bool was_cut_ = false; // the last step, by the regions
    std::int64_t revision_ = 0;
};

} // namespace abut
