#include "abut/sim/sliding_energy.hpp"

#include "abut/sim/block_kernels.hpp"
#include "abut/sim/surface_terms.hpp"

namespace abut {

SlidingEnergy::SlidingEnergy(
    std::string_view name, const SurfaceMap& map, const Integrator& integrator, Lag lag, MakePotential make_potential,
    std::shared_ptr<SlidingMemory> memory)
    : name_(name), map_(map), integrator_(integrator), lag_(std::move(lag)), make_potential_(std::move(make_potential)),
      memory_(std::move(memory))
{}

void SlidingEnergy::begin_step(const State& start, double /*dt*/)
{
    if (memory_)
        start_ = start.x;
}

void SlidingEnergy::lag(const Unknowns& x)
{
    Positions X = map_.positions(x);
    lag_(X, collisions_);
    stencils_ = map_.to_unknowns(collisions_.stencils());
    potential_ = make_potential_(integrator_.velocity_time());
    if (!memory_) {
        origin_ = integrator_.rest_point().topRows(x.layout().num_vertices());
        return;
    }
    lagged_ = std::move(X);
    origin_ = start_;
    memory_->recall(map_.mesh().vertices(start_), lagged_, collisions_);
}

SlidingEnergy::LagError SlidingEnergy::lag_error(const Unknowns& x) const
{
    const CollisionMesh& mesh = map_.mesh();
    const Positions X = map_.positions(x), moved = mesh.vertices(x.vertices() - origin_);
    TangentialCollisions anew;
    lag_(X, anew);
    if (memory_)
        memory_->recall(mesh.vertices(start_), X, anew);
    Eigen::VectorXd change = Eigen::VectorXd::Zero(mesh.ndof());
    double most = 0;
    const auto add = [&](const TangentialCollisions& terms, double sign) {
        if (terms.empty())
            return;
        change += sign * potential_->gradient(terms, mesh, moved);
        Eigen::VectorXd limits = Eigen::VectorXd::Zero(mesh.num_vertices());
        for (std::size_t k = 0; k < terms.size(); ++k) {
            const TangentialCollision term = terms[k];
            const double limit = std::max(term.mu_s, term.mu_k) * std::abs(term.weight * term.normal_force);
            for (std::size_t i = 0; i < term.vertices.size(); ++i)
                limits[term.vertices[i]] += std::abs(term.coefficients[i]) * limit;
        }
        most = std::max(most, limits.norm());
    };
    add(collisions_, -1);
    add(anew, 1);
    return {change.norm(), most};
}

void SlidingEnergy::end_step(const State& end)
{
    if (memory_)
        memory_->remember(map_.mesh().vertices(start_), lagged_, map_.mesh().vertices(end.x), collisions_);
}

void SlidingEnergy::save(History& history) const
{
    if (memory_)
        memory_->save(history);
}

void SlidingEnergy::load(const History& history)
{
    if (memory_)
        memory_->load(history);
}

void SlidingEnergy::evaluate(const Unknowns& x, const TermOutput& out) const
{
    if (collisions_.empty())
        return;
    potential_->evaluate(collisions_, map_.mesh(), map_.mesh().vertices(x.vertices() - origin_), out);
}

std::unique_ptr<BlockTerms> SlidingEnergy::by_blocks(const BlockGroups& groups, const Unknowns& /*x*/) const
{
    if (collisions_.empty()) // as before the first lag
        return nullptr;
    return make_block_terms(collisions_, potential_, map_, origin_, groups);
}

std::unique_ptr<Terms> SlidingEnergy::subset(std::span<const int> terms) const
{
    return std::make_unique<SurfaceTerms<TangentialCollisions, std::shared_ptr<const TangentialPotential>>>(
        map_, collisions_.subset(terms), potential_, map_.mesh().vertices(origin_));
}

} // namespace abut
