#pragma once
// Pressure within closed surfaces. Each of them is a chamber with the volume V(x), a sum of tetrahedra from a reference
// point c to its triangles,
//
//   V(x) = Σ_t v_t,   v_t = (x_i − c) · (x_j − c) × (x_k − c) / 6.
//
// A constant overpressure p has the energy −p (V − V0), with V0 the volume at the start. A gas that keeps its
// temperature keeps p V too; with p0 its absolute pressure at the start, against the ambient pressure p_a, it has
//
//   E(V) = −p0 V0 ln(V / V0) + p_a (V − V0),   −E' = p0 V0 / V − p_a,   E'' = p0 V0 / V².
//
// Its Hessian is E' d²V/dx², sparse, and E'' dV/dx dV/dxᵀ, of rank one and dense: the gas ties all of its surface
// together. As terms, triangles hold the sparse part; the value of a gas, which is no sum over triangles, stands in its
// chamber's first.
//
// The sparse part is indefinite. Where a positive semidefinite Hessian is asked for it is left out.
//
// V does not depend on c, as surfaces are closed; digits do. So c is the middle of the surface where a step starts.

#include "abut/sim/model.hpp"
#include "abut/solver/energy.hpp"

namespace abut {

class PressureEnergy final : public Energy {
public:
    struct Chamber {
        Faces faces; ///< by the vertices of the model, normals out of the chamber
        ScenePressure pressure;
    };

    /// Volumes at `rest` are those of the start.
    PressureEnergy(const Positions& rest, const std::vector<Chamber>& chambers);

    [[nodiscard]] std::string_view name() const override { return "pressure"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& x, const TermOutput& out) const override;
    void begin_step(const State& start, double dt) override;
    [[nodiscard]] double limit_step(const Unknowns& x, const Unknowns& dx) const override;
    void add_rank_one(const Unknowns& x, HessianForm form, std::vector<RankOne>& terms) const override;

    [[nodiscard]] std::size_t num_chambers() const { return chambers_.size(); }
    /// Of a chamber at x [m³], and what presses out of it [Pa].
    [[nodiscard]] double volume(std::size_t chamber, const ConstPositions& x) const;
    [[nodiscard]] double overpressure(std::size_t chamber, const ConstPositions& x) const;

private:
    struct Enclosed {
        std::size_t first, end; // of its triangles
        ScenePressure pressure;
        double rest_volume;
        Vec3 reference;
    };
    /// E and its first two derivatives at a volume.
    struct OfVolume {
        double value, slope, bend;
    };
    [[nodiscard]] static OfVolume energy_of(const Enclosed& chamber, double volume);
    [[nodiscard]] double volume(const Enclosed& chamber, const ConstPositions& x) const;
    [[nodiscard]] std::array<Vec3, 3>
    corners(std::size_t triangle, const ConstPositions& x, const Vec3& reference) const;
    void set_references(const ConstPositions& x);

    Stencils stencils_; // triangles
    std::vector<Enclosed> chambers_;
};

/// One energy for all objects that have a pressure; none where no object has. Throws InvalidInput where a surface is
/// not closed.
[[nodiscard]] std::vector<std::unique_ptr<Energy>> make_pressure_energies(const Model& model);

} // namespace abut
