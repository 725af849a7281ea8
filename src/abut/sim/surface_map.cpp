#include "abut/sim/surface_map.hpp"

namespace abut {

Stencils SurfaceMap::to_unknowns(const Stencils& of_surface) const
{
    Stencils stencils;
    stencils.reserve(of_surface.size(), static_cast<std::size_t>(of_surface.num_entries()));
    std::vector<int> blocks;
    for (std::size_t term = 0; term < of_surface.size(); ++term) {
        blocks.clear();
        for (const int v : of_surface[term])
            blocks.push_back(block_of(v));
        stencils.add(blocks);
    }
    return stencils;
}

void SurfaceMap::set_displacements(const BlockLayout& layout, const Positions& of_surface, Eigen::VectorXd& dx) const
{
    ABUT_ASSERT(of_surface.rows() == mesh_.num_vertices());
    auto rows = vertices_of(layout, dx);
    for (Eigen::Index v = 0; v < of_surface.rows(); ++v)
        rows.row(block_of(static_cast<int>(v))) = of_surface.row(v);
}

} // namespace abut
