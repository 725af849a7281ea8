#pragma once
// Rayleigh's damping: forces −(α M + β K) v on the vertices of an object, with the masses M, the stiffness K of its
// elasticity, and v(x) = (x − r) / τ the velocities of the integrator, whose rest point is r and velocity time τ. K is
// taken where the step starts, with each element made positive semidefinite, and stays for the step. Then
//
//   E(x) = α τ / 2 Σ_v m_v |v_v|² + β τ / 2 vᵀ K v
//
// is convex, its forces are those above, and their power −vᵀ (α M + β K) v is never positive.

#include "abut/sim/anchors.hpp"
#include "abut/sim/integrator.hpp"
#include "abut/sim/model.hpp"
#include "abut/solver/divisible.hpp"

namespace abut {

/// α M: every vertex is drawn to where it would be at rest.
class MassDamping final : public Energy {
public:
    /// α m per vertex [kg/s], > 0. `integrator` must outlive it, and begin each step before it.
    MassDamping(std::vector<int> vertices, Eigen::VectorXd damped_masses, const Integrator& integrator);

    [[nodiscard]] std::string_view name() const override { return "damping by mass"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::damping; }
    [[nodiscard]] const Stencils& stencils() const override { return anchors_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { anchors_.evaluate(x, out); }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<Anchors>(anchors_.subset(terms));
    }
    void begin_step(const State& start, double dt) override;

private:
    const Integrator& integrator_;
    Eigen::VectorXd damped_masses_;
    Anchors anchors_;
};

/// β K: one term per term of an elastic energy, which may have other unknowns than vertices. It can be divided where
/// that can.
class StiffnessDamping final : public Energy, public Divisible {
public:
    /// β of each term of `elastic` [s], >= 0, whose terms have 12 unknowns or fewer. `model` and `integrator` must
    /// outlive it.
    StiffnessDamping(
        std::unique_ptr<Energy> elastic, std::vector<double> beta, const Model& model, const Integrator& integrator);

    [[nodiscard]] std::string_view name() const override { return "damping by stiffness"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::damping; }
    [[nodiscard]] const Stencils& stencils() const override { return elastic_->stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;
    [[nodiscard]] std::unique_ptr<Energy> part(std::span<const int> terms) const override;
    void begin_step(const State& start, double dt) override;
    /// The elastic energy remembers what its twin in the sum does.
    void load(const History& history) override { elastic_->load(history); }

private:
    template <int Dim>
    void evaluate_term(const ConstPositions& x, const TermOutput& out, std::size_t term) const;
    void evaluate_mixed_term(const Unknowns& x, const TermOutput& out, std::size_t term) const;

    std::unique_ptr<Energy> elastic_;
    std::vector<double> beta_;
    const Model& model_;
    const Integrator& integrator_;
    bool has_vertices_only_;
    std::vector<std::int64_t> gradient_offsets_, block_offsets_; // of terms, in numbers
    std::vector<double> blocks_;                                 // β K / τ, in the layout of the stencils
    Positions origin_;                                           // r of vertices
    Eigen::VectorXd origins_;                                    // and of all unknowns
};

/// Of all objects that have damping; none where no object has.
[[nodiscard]] std::vector<std::unique_ptr<Energy>>
make_damping_energies(const Model& model, const Integrator& integrator);

} // namespace abut
