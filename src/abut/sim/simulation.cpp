#include "abut/sim/simulation.hpp"

#include "abut/base/error.hpp"
#include "abut/sim/solver_choice.hpp"

namespace abut {

Simulation::Simulation(Scene scene)
    : model_(make_model(std::move(scene))), state_(model_->start), system_(std::make_unique<System>(*model_)),
      solver_(make_solver(model_->scene))
{
    system_->save(state_.history);
    if (!model_->scene.contact.is_enabled()) // then bodies may overlap
        return;
    check_start(*model_);
    system_->find_contacts(system_->unknowns_of(state_)); // throws where a pair touches
}

void Simulation::set_state(State state)
{
    const Positions& rest = model_->rest;
    if (state.x.rows() != rest.rows() || state.x.cols() != rest.cols() || state.v.rows() != rest.rows() ||
        state.v.cols() != rest.cols())
        reject(
            "state: {} x {} positions, but the scene has {} x {}", state.x.rows(), state.x.cols(), rest.rows(),
            rest.cols());
    if (state.others.size() != model_->start.others.size())
        reject(
            "state: {} unknowns besides positions, but the scene has {}", state.others.size(),
            model_->start.others.size());
    try {
        system_->load(state.history);
    } catch (...) { // it does not fit; nothing changes
        system_->load(state_.history);
        throw;
    }
    state_ = std::move(state);
}

Eigen::SparseMatrix<double> Simulation::hessian() const
{
    System system(*model_); // our own remembers the step before
    system.begin_step(state_);
    const Eigen::VectorXd x = system.unknowns_of(state_);
    if (system.pairs() != nullptr)
        system.find_contacts(x);
    system.lag(x);
    system.problem().update(x);
    return system.problem().hessian(x, HessianForm::exact).blocks.to_sparse();
}

} // namespace abut
