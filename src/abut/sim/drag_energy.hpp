#pragma once
// Air that resists the surface of a body. Of the air's velocity relative to a triangle, w − v, the part across it
// presses, by the law of a plate in a flow: with the outward normal n, the area A, the density ρ of the air and the
// coefficient c of drag,
//
//   u = n · (v − w),   force = −ρ c A / 2 |u| u n.
//
// v(x) is the mean of its corners' velocities (x − r) / τ, which the integrator knows. n and A are taken where a step
// starts. Then
//
//   E(x) = τ ρ c A / 6 |u(x)|³
//
// is convex with continuous second derivatives, the force follows from it, and its power relative to the wind,
// −ρ c A / 2 |u|³, is never positive. Air along the surface does not rub.
//
// Sheets have air on both sides. Of bodies with an inside, the front alone is pressed upon: where u < 0 E is 0.
//
// The law of plates is Hoerner's (Fluid-Dynamic Drag, 1965, chapter 3); as forces of triangles it is in Ling, Damodaran
// and Gay, Aerodynamic force models for animating cloth motion in an air flow (The Visual Computer 12, 1996).

#include "abut/sim/integrator.hpp"
#include "abut/sim/model.hpp"
#include "abut/solver/energy.hpp"

namespace abut {

class DragEnergy final : public Energy {
public:
    /// A piece of surface: a triangle, or an edge in the plane, by the vertices of the model.
    struct Piece {
        std::vector<int> corners;
        SceneDrag drag;
        double depth;       ///< across the plane [m]; 1 of triangles
        bool has_two_sides; ///< does air press from behind too?
    };

    /// `integrator` must outlive it, and begin each step before it.
    DragEnergy(const std::vector<Piece>& pieces, const Integrator& integrator);

    [[nodiscard]] std::string_view name() const override { return "drag"; }
    [[nodiscard]] EnergyRole role() const override { return EnergyRole::damping; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;
    void begin_step(const State& start, double dt) override;

private:
    template <int Dim>
    void evaluate_piece(const ConstPositions& x, const TermOutput& out, std::size_t k) const;

    struct Law {
        double coefficient; // ρ c / 2, times the depth in the plane
        Vec3 wind;
        bool has_two_sides;
    };
    struct Lagged {
        Vec3 normal;
        double weight; // ρ c A / 2 [kg/m]
        double still;  // n · w
    };
    const Integrator& integrator_;
    Stencils stencils_;
    std::vector<Law> laws_;
    std::vector<Lagged> lagged_;
    double time_ = 1;  // τ
    Positions origin_; // r
};

/// One energy for all objects that have drag; none where no object has.
[[nodiscard]] std::vector<std::unique_ptr<Energy>> make_drag_energies(const Model& model, const Integrator& integrator);

} // namespace abut
