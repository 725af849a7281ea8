#pragma once
// Rest shapes of the triangles of a sheet in space, with the parameters of their material, laid out for loops that
// treat a few triangles at once: what energies of sheets are made from.

#include "abut/linear/stencils.hpp"
#include "abut/math/types.hpp"

#include <span>
#include <vector>

namespace abut {

struct SheetShapesOptions {
    std::vector<double> thickness; ///< one, or one per triangle [m], > 0
    /// The direction at rest that is the first axis of each triangle's frame, as far as it lies in its plane: one, or
    /// one per triangle; empty: the first edge, for materials to which the frame does not matter.
    std::vector<Vec3> first_axis{};
    int num_parameters = 0; ///< of the material, per triangle
};

class SheetShapes {
public:
    /// Rejects triangles without area at rest, naming their row, and those that the first axis is normal to.
    SheetShapes(const ConstPositions& rest_positions, const ConstElements& faces, const SheetShapesOptions& options);

    [[nodiscard]] const Stencils& stencils() const { return stencils_; }
    [[nodiscard]] std::size_t size() const { return stencils_.size(); }
    [[nodiscard]] int num_vertices() const { return num_vertices_; }
    /// Area times thickness [m³].
    [[nodiscard]] double rest_volume(std::size_t triangle) const;
    [[nodiscard]] double parameter(std::size_t triangle, int k) const;
    void set_parameters(std::size_t triangle, std::span<const double> parameters);

    /// The numbers of a group of triangles, for load_rest<2>.
    [[nodiscard]] const double* group(std::size_t group) const;
    /// F of a triangle with these edges x_1 - x_0, x_2 - x_0.
    [[nodiscard]] Mat<3, 2> deformation(std::size_t triangle, const Mat<3, 2>& edges) const;

    /// Only these triangles, in this order. Throws InvalidInput for terms out of range.
    [[nodiscard]] SheetShapes subset(std::span<const int> terms) const;

private:
    SheetShapes(const SheetShapes& whole, std::span<const int> terms);
    [[nodiscard]] double& at(std::size_t triangle, int field);
    [[nodiscard]] double at(std::size_t triangle, int field) const;
    /// Idle lanes of the last group repeat the last triangle.
    void fill_idle_lanes();

    Stencils stencils_;
    int num_vertices_;
    int num_fields_;
    std::vector<double> fields_;
};

} // namespace abut
