#pragma once
// Regions of the vertices of a surface, as the guard of solvers that move block by block.

#include "abut/contact/ogc/vertex_regions.hpp"
#include "abut/sim/contact_pairs.hpp"
#include "abut/solver/step_guard.hpp"

namespace abut {

class RegionGuard final : public StepGuard {
public:
    /// `pairs` must outlive it, and be frozen: they hold all contacts while vertices stay in their regions.
    RegionGuard(ContactPairs& pairs, double contact_range);

    [[nodiscard]] bool has_regions() const override { return true; }
    [[nodiscard]] bool clear_way(const Unknowns& x, Eigen::VectorXd& dx, const BlockPattern& ties) override;
    void update_regions(std::span<const std::uint8_t> is_fixed) override;
    [[nodiscard]] int cut_to_regions(
        const Unknowns& x, std::span<const int> blocks, Eigen::VectorXd& dx,
        const Eigen::VectorXd& gradient) const override;
    void lengthen_in_regions(
        const Unknowns& x, std::span<const int> blocks, Eigen::VectorXd& dx, double factor) const override;

    [[nodiscard]] const VertexRegions& regions() const { return regions_; }

private:
    [[nodiscard]] int surface_vertex_of(int block) const
    {
        return block >= 0 && block < static_cast<int>(surface_vertices_.size()) ? surface_vertices_[block] : -1;
    }

    ContactPairs& pairs_;
    double contact_range_;
    std::vector<int> surface_vertices_;  // of each block; -1 where it is none
    std::int64_t revision_ = -1;         // of the pairs that the regions are of
    std::vector<std::uint8_t> is_fixed_; // that they were made for, by vertex of the surface
    VertexRegions regions_;
};

} // namespace abut
