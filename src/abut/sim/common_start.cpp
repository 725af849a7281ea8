#include "abut/sim/common_start.hpp"

#include "abut/contact/ogc/common_motion.hpp"

#include <numeric>

namespace abut {

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

/// Groups of the vertices of a model: those with a surface come first.
struct BodyGroups {
    std::vector<int> of_vertex, of_surface_vertex;
    int num_groups = 0;
};

BodyGroups find_groups(System& system)
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
    const Edges& edges = surface.mesh().edges();
    for (Eigen::Index e = 0; e < edges.rows(); ++e)
        joined.join(surface.block_of(edges(e, 0)), surface.block_of(edges(e, 1)));

    BodyGroups groups;
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
std::vector<RigidMotion> wanted_motions(System& system, const BodyGroups& groups, const Positions& X)
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

bool start_together(System& system, Eigen::VectorXd& x)
{
    const ContactPairs* pairs = system.pairs();
    if (pairs == nullptr || !pairs->is_frozen() || !system.integrator().has_inertia())
        return false;
    const Model& model = system.model();
    const BodyGroups groups = find_groups(system);
    const Positions X = system.view(x).vertices();
    std::vector<RigidMotion> motions = wanted_motions(system, groups, X);
    const CommonMotion motion(
        pairs->mesh(), groups.of_surface_vertex,
        {.dmin = model.scene.contact.dmin, .clearance = model.parameters.dhat});
    const auto num_moved = static_cast<std::size_t>(motion.num_groups());
    CommonMove moved =
        motion.move(pairs->detection(), pairs->map().positions(system.view(x)), std::span(motions).first(num_moved));
    if (moved.is_none())
        return false;
    moved.motions.resize(groups.num_groups); // what has no surface stays
    Positions X_moved = X;
    apply(moved.motions, groups.of_vertex, X_moved);
    Eigen::VectorXd x_moved = x;
    x_moved.head(X.size()) = Eigen::Map<const Eigen::VectorXd>(X_moved.data(), X_moved.size());
    ABUT_ASSERT(pairs->map().positions(system.view(x_moved)) == moved.X);

    Problem& problem = system.problem();
    const double before = problem.value(x);
    problem.update(x_moved);
    if (problem.value(x_moved) < before) {
        x = x_moved;
        return true;
    }
    problem.update(x);
    return false;
}

} // namespace abut
