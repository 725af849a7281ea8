#include "abut/sim/common_start.hpp"

#include "abut/base/error.hpp"
#include "abut/base/ranks.hpp"
#include "abut/contact/ogc/common_motion.hpp"

#include <numeric>

namespace abut {

/// Groups of the vertices of a model: those with a surface come first.
struct CommonStartGroups {
    std::vector<int> of_vertex, of_surface_vertex;
    int num_groups = 0;
};

namespace {

/// What hangs together: sets of vertices that are joined in any order, and named by their smallest.
class JoinedVertices {
public:
    explicit JoinedVertices(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

    int root(int v)
    {
        while (parent_[v] != v)
            v = parent_[v] = parent_[parent_[v]];
        return v;
    }

    void join(int a, int b)
    {
        a = root(a);
        b = root(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<int> parent_;
};

CommonStartGroups find_groups(System& system)
{
    const Model& model = system.model();
    const SurfaceMap& surface = *model.surface;
    const int n = model.num_vertices();
    JoinedVertices joined(n);
    for (const Energy* energy : system.problem().energies()) {
        if (energy->role() == EnergyRole::contact || energy->role() == EnergyRole::friction)
            continue;
        const Stencils& stencils = energy->stencils();
        for (std::size_t k = 0; k < stencils.size(); ++k) {
            int first = -1;
            for (const int block : stencils[k])
                if (block < n) { // not of the twist of a rod
                    if (first >= 0)
                        joined.join(first, block);
                    first = block;
                }
        }
    }
    if (ranks().size() > 1) { // each has some of the terms
        std::vector<int> roots(n);
        for (int v = 0; v < n; ++v)
            roots[v] = joined.root(v);
        roots = joined_over_ranks(std::move(roots));
        for (std::size_t k = 0; k < roots.size(); ++k)
            joined.join(static_cast<int>(k % n), roots[k]);
    }
    const Edges& edges = surface.mesh().edges();
    for (Eigen::Index e = 0; e < edges.rows(); ++e)
        joined.join(surface.block_of(edges(e, 0)), surface.block_of(edges(e, 1)));

    CommonStartGroups groups;
    std::vector<int> number(n, -1);
    const auto group_of = [&](int v) {
        int& named = number[joined.root(v)];
        if (named < 0)
            named = groups.num_groups++;
        return named;
    };
    for (int v = 0; v < surface.mesh().num_vertices(); ++v)
        groups.of_surface_vertex.push_back(group_of(surface.block_of(v)));
    for (int v = 0; v < n; ++v)
        groups.of_vertex.push_back(group_of(v));
    return groups;
}

/// Where inertia and gravity take groups; none where something holds them.
std::vector<RigidMotion> wanted_motions(System& system, const CommonStartGroups& groups, const Positions& X)
{
    const Integrator& integrator = system.integrator();
    const Model& model = system.model();
    Positions predicted = integrator.target().topRows(X.rows());
    predicted.rowwise() += (integrator.acceleration() / integrator.stiffness()).head(X.cols()).transpose();
    std::vector<RigidMotion> wanted =
        fit_rigid_motions(groups.of_vertex, groups.num_groups, X, predicted, model.masses);
    for (int v = 0; v < model.num_vertices(); ++v)
        if (system.problem().is_fixed()[v] != 0)
            wanted[groups.of_vertex[v]] = {};
    for (const int v : integrator.held().driven)
        if (v < model.num_vertices())
            wanted[groups.of_vertex[v]] = {};
    return wanted;
}

} // namespace

struct CommonStart::Groups {
    CommonStartGroups bodies;
    CommonMotion motion;
    std::vector<RigidMotion> wanted;

    [[nodiscard]] std::span<const RigidMotion> wanted_of_surface() const
    {
        return std::span(wanted).first(static_cast<std::size_t>(motion.num_groups()));
    }
};

CommonStart::CommonStart(System& system, const Eigen::VectorXd& x) : system_(system)
{
    const ContactPairs* pairs = system.pairs();
    if (pairs == nullptr || !pairs->is_frozen() || !system.integrator().has_inertia())
        return;
    const Model& model = system.model();
    CommonStartGroups bodies = find_groups(system);
    std::vector<RigidMotion> wanted = wanted_motions(system, bodies, system.view(x).vertices());
    CommonMotion motion(
        pairs->mesh(), bodies.of_surface_vertex,
        {.dmin = model.scene.contact.dmin, .clearance = model.parameters.dhat});
    groups_ = std::make_unique<Groups>(Groups{std::move(bodies), std::move(motion), std::move(wanted)});
}

CommonStart::~CommonStart() = default;

/// Where the unknowns are after a move of the surface: what is inside goes along, what has no surface stays.
Eigen::VectorXd CommonStart::moved(const Eigen::VectorXd& x, CommonMove& move) const
{
    const CommonStartGroups& bodies = groups_->bodies;
    move.motions.resize(bodies.num_groups);
    move.shares.resize(bodies.num_groups, 0);
    for (int group = 0; group < bodies.num_groups; ++group)
        if (move.motions[group].is_none())
            move.shares[group] = 0;
    Positions X = system_.view(x).vertices();
    apply(move.motions, bodies.of_vertex, X);
    Eigen::VectorXd result = x;
    result.head(X.size()) = Eigen::Map<const Eigen::VectorXd>(X.data(), X.size());
    ABUT_ASSERT(system_.pairs()->map().positions(system_.view(result)) == move.X);
    return result;
}

/// Takes the moved unknowns where they have less energy; contacts must have been found for both.
bool CommonStart::take(const Eigen::VectorXd& x_moved, const CommonMove& move, double before, Eigen::VectorXd& x)
{
    if (!(system_.problem().value(x_moved) < before))
        return false;
    if (AdaptiveStart* start = system_.adaptive_start())
        start->take_out(groups_->bodies.of_vertex, move.shares);
    x = x_moved;
    return true;
}

/// Are the gaps within what flew larger than what rounding may have taken from them? Then they are open on the way,
/// too.
bool CommonStart::is_open(const Positions& X_start) const
{
    return system_.pairs()->detection().smallest_distance() - system_.model().scene.contact.dmin >
           CommonMotion::rounding_of(X_start, groups_->wanted_of_surface());
}

void CommonStart::fly(Eigen::VectorXd& x)
{
    ContactPairs* pairs = system_.pairs();
    if (groups_) {
        const Positions X = pairs->map().positions(system_.view(x));
        CommonMove move = groups_->motion.fly(X, groups_->wanted_of_surface(), pairs->range());
        if (!move.is_none()) {
            const Eigen::VectorXd x_moved = moved(x, move);
            bool is_taken = false;
            try {
                system_.find_contacts(x_moved);
                is_taken = is_open(X) && take(x_moved, move, system_.problem().value(x), x);
            } catch (const InvalidStart&) { // gaps as small as rounding
            }
            if (is_taken) {
                for (std::size_t group = 0; group < move.motions.size(); ++group)
                    if (!move.motions[group].is_none())
                        groups_->wanted[group] = {};
                return;
            }
            ++num_detections_;
        }
    }
    system_.find_contacts(x);
}

bool CommonStart::approach(Eigen::VectorXd& x)
{
    if (!groups_)
        return false;
    const ContactPairs* pairs = system_.pairs();
    CommonMove move =
        groups_->motion.move(pairs->detection(), pairs->map().positions(system_.view(x)), groups_->wanted_of_surface());
    if (move.is_none())
        return false;
    const Eigen::VectorXd x_moved = moved(x, move);
    Problem& problem = system_.problem();
    const double before = problem.value(x);
    problem.update(x_moved);
    if (take(x_moved, move, before, x))
        return true;
    problem.update(x);
    return false;
}

} // namespace abut
