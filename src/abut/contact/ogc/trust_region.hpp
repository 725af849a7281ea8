#pragma once
// Steps that pass through nothing, without continuous collision detection: each vertex has a region around the place of
// the last detection in which it may move freely. "Offset Geometric Contact" (Chen et al. 2025), sections 3.7 and 4.3.
//
//   c     positions at the last detection, free of contact         b_v   radius of the region of vertex v, eq. 21
//   x     positions now, within their regions                      dx    the step that a solver proposes
//
// update(x) looks around once and yields the contacts, the distances of all elements and the bounds. Until the next
// update the list of contacts and its closest features are frozen: energies and line searches use collisions() at any
// positions within the regions. truncate() cuts steps to the regions, vertex by vertex, however many of them there
// are; more than a few cut vertices ask for a new detection.
//
// Additions to the paper: a step that would no longer descend after its vertices were cut one by one is scaled as a
// whole instead; and regions bounded by planes between near elements (Truncation::planes), in which a vertex may move
// along and away from what it is near, and of two elements the one that approaches faster has more of the gap.

#include "abut/contact/normal_collisions.hpp"
#include "abut/contact/ogc/surroundings.hpp"

#include <memory>

namespace abut {

/// How the step of a vertex is cut.
enum class Truncation : std::uint8_t {
    project, ///< its end goes to the nearest point of the ball around c, as in the paper; it may slide along it
    scale,   ///< it ends where it leaves the ball
    planes,  ///< it ends where it crosses a plane between two near elements, or leaves a ball of nearly r_q / 2
};

struct TrustRegionOptions {
    double dhat;     ///< contact radius r: pairs closer than dmin + dhat are contacts [m], > 0
    double dmin = 0; ///< distance that elements keep, e.g. the thickness of cloth [m], >= 0

    /// r_q, up to which other elements are looked for [m]. A bound is at most nearly half of it; a larger one finds
    /// more pairs. At least dmin + dhat; 0 stands for dmin + 2 dhat.
    double query_radius = 0;
    /// Up to which it grows where warm_start() predicts farther moves [m]. At least query_radius; 0 stands for twice
    /// it.
    double max_query_radius = 0;

    double relaxation = 0.45;          ///< gamma_p: share of a gap that each of two elements may use up, in (0, 0.5)
    double max_truncated_share = 0.01; ///< gamma_e: a larger share of cut vertices asks for an update, in [0, 1]
    Truncation truncation = Truncation::project;

    CollisionSetType set_type = CollisionSetType::ogc; ///< of collisions()
    bool use_area_weighting = false;                   ///< of collisions()
};

/// What was done to a step.
struct TruncatedStep {
    int num_truncated = 0; ///< vertices whose step is shorter now, or would be had the whole step not been scaled
    double scale = 1;      ///< of the whole step, where its vertices cut one by one would not have descended; else 1
    double slope = 0;      ///< gradient times the step that is left [J]; 0 without a gradient
};

/// A share of a whole step.
struct StepScale {
    double scale = 1; ///< all vertices stay in their regions on the way from X to X + scale dx
    int vertex = -1;  ///< that leaves its region first; -1 where none does
};

class TrustRegion {
public:
    /// The mesh must outlive it.
    TrustRegion(const CollisionMesh& mesh, const TrustRegionOptions& options);

    /// Looks around at X, which becomes the centre of the regions. Throws InvalidStart, naming the pair, where two
    /// elements are at distance dmin or less.
    void update(const ConstPositions& X);

    /// The same from a detection that was updated at X; its range becomes the query radius.
    void update(const Detection& detection, const ConstPositions& X);

    /// Is a new detection due? Before the first, and when more than the allowed share of vertices was cut since.
    [[nodiscard]] bool needs_update() const { return needs_update_; }

    /// A start for a step from X: updates at X, with a query radius that allows for the moves if max_query_radius does,
    /// and returns the predicted positions cut to the regions (eq. 28).
    [[nodiscard]] Positions warm_start(const ConstPositions& X, const ConstPositions& predicted);

    /// Cuts dx in place so that all vertices stay in their regions on the way from X to X + dx. With the gradient of
    /// the energy at X, flat by vertex, the step is scaled as a whole where it would otherwise no longer descend.
    TruncatedStep truncate(const ConstPositions& X, Eigen::Ref<Positions> dx);
    TruncatedStep truncate(const ConstPositions& X, Eigen::Ref<Positions> dx, const Eigen::VectorXd& gradient);

    /// How much of the whole step stays in the regions: for solvers that keep its direction.
    [[nodiscard]] StepScale largest_scale(const ConstPositions& X, const ConstPositions& dx) const;

    [[nodiscard]] const NormalCollisions& collisions() const { return collisions_; } ///< frozen since the last update
    [[nodiscard]] const ElementDistances& distances() const { return distances_; }   ///< at the last update
    [[nodiscard]] const Positions& centers() const { return centers_; }              ///< c [m]; empty before an update
    [[nodiscard]] const Eigen::VectorXd& bounds() const { return bounds_; }          ///< b_v [m]
    [[nodiscard]] double query_radius() const { return distances_.query_radius; }    ///< of the last update [m]
    [[nodiscard]] const TrustRegionOptions& options() const { return options_; }     ///< with lengths in place of zeros
    [[nodiscard]] int num_updates() const { return num_updates_; }

private:
    /// Pairs of one kind and the unit normals of the planes between them, from the second to the first.
    struct SeparatedPairs {
        std::vector<IndexPair> pairs;
        std::vector<Vec3> normals;
    };

    void update(const ConstPositions& X, double query_radius);
    void set_regions(const NearPairs& pairs, ElementDistances distances, const ConstPositions& X);
    [[nodiscard]] BroadPhaseTrees& trees_for(const ConstPositions& X, double query_radius);
    template <int Dim>
    void find_normals(const NearPairs& pairs);
    void validate_step(const ConstPositions& X, const ConstPositions& dx) const;
    [[nodiscard]] double radius(int vertex) const;
    [[nodiscard]] std::vector<double> scales(const ConstPositions& X, const ConstPositions& dx) const;
    template <int Dim>
    void lower_scales_by_planes(const ConstPositions& X, const ConstPositions& dx, std::vector<double>& scales) const;
    TruncatedStep truncate(const ConstPositions& X, Eigen::Ref<Positions> dx, const Eigen::VectorXd* gradient);

    const CollisionMesh& mesh_;
    TrustRegionOptions options_;
    std::unique_ptr<BroadPhaseTrees> trees_;
    Positions sorted_at_; // where the trees were
    NormalCollisions collisions_;
    ElementDistances distances_;
    Positions centers_;
    Eigen::VectorXd bounds_;
    double margin_ = 0;                // for rounding
    ByKind<SeparatedPairs> separated_; // with Truncation::planes
    bool needs_update_ = true;
    int num_updates_ = 0;
};

} // namespace abut
