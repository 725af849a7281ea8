#include "abut/elastic/sheet_shapes.hpp"

#include "abut/base/error.hpp"
#include "abut/elastic/simplex_lanes.hpp"
#include "abut/linear/term_subset.hpp"
#include "abut/mesh/validate.hpp"

#include <Eigen/LU>

#include <cmath>

namespace abut {

namespace {

/// A direction whose part in the plane of a triangle is shorter than this share of it is taken as normal to it.
constexpr double normal_share = 1e-6;

template <typename T>
const T& of_triangle(const std::vector<T>& values, std::size_t triangle)
{
    return values.size() == 1 ? values[0] : values[triangle];
}

template <typename T>
void require_one_or_all(const std::vector<T>& values, std::size_t num_triangles, const char* name)
{
    if (values.size() != 1 && values.size() != num_triangles)
        reject(
            "{}: expected one entry, or one for each of the {} triangles, got {}", name, num_triangles, values.size());
}

/// The edges from corner 0 as columns, in the frame of the part of `axis` in their plane and of the direction that is
/// a quarter turn on. Without a part in the plane the result is not finite.
Mat<2, 2> edges_in_frame(const Vec3& e, const Vec3& f, const Vec3& axis)
{
    const Vec3 n = e.cross(f).normalized();
    const Vec3 u = (axis - axis.dot(n) * n).normalized(), v = n.cross(u);
    Mat<2, 2> flat;
    flat << u.dot(e), u.dot(f), v.dot(e), v.dot(f);
    return flat;
}

} // namespace

SheetShapes::SheetShapes(
    const ConstPositions& rest_positions, const ConstElements& faces, const SheetShapesOptions& options)
    : num_vertices_(static_cast<int>(rest_positions.rows())),
      num_fields_(RestLanes<2>::num_fields + options.num_parameters)
{
    validate_positions(rest_positions, "rest_positions");
    if (rest_positions.cols() != 3)
        reject("rest_positions: expected 3 columns, got {}", rest_positions.cols());
    validate_elements(faces, 3, rest_positions.rows(), "faces");
    const auto count = static_cast<std::size_t>(faces.rows());
    require_one_or_all(options.thickness, count, "thickness");
    for (std::size_t k = 0; k < options.thickness.size(); ++k)
        if (!(options.thickness[k] > 0 && std::isfinite(options.thickness[k])))
            reject("thickness: entry {} is {}, which is not a positive number of metres", k, options.thickness[k]);
    const bool has_axis = !options.first_axis.empty();
    if (has_axis)
        require_one_or_all(options.first_axis, count, "first_axis");

    stencils_.reserve(count, count * 3);
    fields_.resize((count + num_lanes - 1) / num_lanes * num_fields_ * num_lanes);
    for (std::size_t k = 0; k < count; ++k) {
        const std::array<int, 3> corners{faces(k, 0), faces(k, 1), faces(k, 2)};
        const Vec3 x_0 = point<3>(rest_positions, corners[0]);
        const Vec3 e = point<3>(rest_positions, corners[1]) - x_0, f = point<3>(rest_positions, corners[2]) - x_0;
        const double twice_area = e.cross(f).norm();
        // NaN, from edges of length zero, fails the comparison.
        if (!(twice_area > degenerate_sine * e.norm() * f.norm()))
            reject(
                "faces: row {} (vertices {}) is degenerate at rest: its area is {:.3g}", k, fmt::join(corners, ", "),
                twice_area / 2);
        const Vec3 axis = has_axis ? of_triangle(options.first_axis, k) : e;
        if (has_axis && !(axis.cross(e.cross(f)).norm() > normal_share * twice_area * axis.norm()))
            reject(
                "the direction ({:.3g}, {:.3g}, {:.3g}) is normal to row {} of faces (vertices {}) at rest, or has no "
                "length, and says nothing there; choose one that has a part in the plane of every triangle, or part "
                "the mesh",
                axis.x(), axis.y(), axis.z(), k, fmt::join(corners, ", "));
        const Mat<2, 2> gradients = edges_in_frame(e, f, axis).inverse();
        if (!gradients.allFinite())
            reject("faces: row {} (vertices {}) is degenerate at rest", k, fmt::join(corners, ", "));
        stencils_.add(corners);
        for (int i = 0; i < 2; ++i)
            for (int b = 0; b < 2; ++b)
                at(k, 2 * i + b) = gradients(i, b);
        at(k, 4) = twice_area / 2 * of_triangle(options.thickness, k);
    }
    fill_idle_lanes();
}

SheetShapes::SheetShapes(const SheetShapes& whole, std::span<const int> terms)
    : stencils_(whole.stencils_.subset(terms)), num_vertices_(whole.num_vertices_), num_fields_(whole.num_fields_)
{
    fields_.resize((terms.size() + num_lanes - 1) / num_lanes * num_fields_ * num_lanes);
    for (std::size_t k = 0; k < terms.size(); ++k)
        for (int field = 0; field < num_fields_; ++field)
            at(k, field) = whole.at(terms[k], field);
    fill_idle_lanes();
}

SheetShapes SheetShapes::subset(std::span<const int> terms) const
{
    validate_terms(terms, size());
    return {*this, terms};
}

double& SheetShapes::at(std::size_t triangle, int field) { return fields_[lane_index(triangle, field, num_fields_)]; }

double SheetShapes::at(std::size_t triangle, int field) const
{
    return fields_[lane_index(triangle, field, num_fields_)];
}

void SheetShapes::fill_idle_lanes()
{
    for (std::size_t lane = size(); lane % num_lanes != 0; ++lane)
        for (int field = 0; field < num_fields_; ++field)
            at(lane, field) = at(size() - 1, field);
}

double SheetShapes::rest_volume(std::size_t triangle) const { return at(triangle, 4); }

double SheetShapes::parameter(std::size_t triangle, int k) const { return at(triangle, RestLanes<2>::num_fields + k); }

void SheetShapes::set_parameters(std::size_t triangle, std::span<const double> parameters)
{
    ABUT_ASSERT(triangle < size());
    ABUT_ASSERT(static_cast<int>(parameters.size()) == num_fields_ - RestLanes<2>::num_fields);
    for (std::size_t k = 0; k < parameters.size(); ++k)
        at(triangle, RestLanes<2>::num_fields + static_cast<int>(k)) = parameters[k];
    if (triangle + 1 == size())
        fill_idle_lanes();
}

const double* SheetShapes::group(std::size_t group) const
{
    ABUT_ASSERT(group * num_lanes < size());
    return fields_.data() + group * num_fields_ * num_lanes;
}

Mat<3, 2> SheetShapes::deformation(std::size_t triangle, const Mat<3, 2>& edges) const
{
    Mat<2, 2> gradients;
    gradients << at(triangle, 0), at(triangle, 1), at(triangle, 2), at(triangle, 3);
    return edges * gradients;
}

} // namespace abut
