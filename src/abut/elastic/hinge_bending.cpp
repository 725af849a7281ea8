#include "abut/elastic/hinge_bending.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/geometry/hinge_frame.hpp"
#include "abut/linear/term_subset.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/mesh/validate.hpp"

#include <cmath>
#include <limits>

namespace abut {

namespace {

constexpr std::size_t hinges_per_task = 256;

/// As for elastic elements: below this sine at a corner, the area is lost in rounding.
constexpr double degenerate_sine = 1e-13;

std::array<int, 4> directed_as_in_face(int e0, int e1, int a, int b, const Faces& faces, int face)
{
    for (int corner = 0; corner < 3; ++corner)
        if (faces(face, corner) == e1 && faces(face, (corner + 1) % 3) == e0)
            return {e1, e0, a, b};
    return {e0, e1, a, b};
}

HingeFrame frame_of(const ConstPositions& x, std::span<const int> v)
{
    ABUT_ASSERT(v.size() == 4);
    return {point<3>(x, v[0]), point<3>(x, v[1]), point<3>(x, v[2]), point<3>(x, v[3])};
}

/// blocks += scale f fᵀ.
void add_outer_product(double scale, const Vec<12>& f, double* blocks)
{
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j <= i; ++j, blocks += 9)
            for (int b = 0; b < 3; ++b) {
                const double factor = scale * f[3 * j + b];
                for (int a = 0; a < 3; ++a)
                    blocks[3 * b + a] += factor * f[3 * i + a];
            }
}

/// Adds the form diagonal F² + 2 coupling F G of two linear functions, with eigenvalues projected. The eigenvector of
/// an eigenvalue lambda of ((diagonal, coupling), (coupling, 0)) is (lambda, coupling).
void add_form(
    double diagonal, double coupling, const HingeFrame::Pair& pair, PSDProjectionMethod projection, double* blocks)
{
    const double root = std::hypot(diagonal, 2 * coupling);
    const auto add = [&](double lambda, double value) {
        // Of an almost flat hinge the square may underflow; so small a form is nothing beside the others.
        const double square = lambda * lambda + coupling * coupling;
        if (value == 0 || square < std::numeric_limits<double>::min())
            return;
        add_outer_product(value / square, lambda * pair.first + coupling * pair.second, blocks);
    };
    // The larger in size directly, the other by the product −coupling², so that nothing cancels.
    const double far = (diagonal >= 0 ? diagonal + root : diagonal - root) / 2;
    if (far == 0)
        return;
    const double near = -coupling * coupling / far;
    for (const double lambda : {far, near})
        add(lambda, projection == PSDProjectionMethod::clamp ? std::max(lambda, 0.0)
                    : projection == PSDProjectionMethod::abs ? std::abs(lambda)
                                                             : lambda);
}

} // namespace

HingeBending::HingeBending(
    const ConstPositions& rest_positions, const ConstElements& faces, const HingeOptions& options)
    : num_vertices_(static_cast<int>(rest_positions.rows()))
{
    validate_positions(rest_positions, "rest_positions");
    if (rest_positions.cols() != 3)
        reject("rest_positions: expected 3 columns, got {}", rest_positions.cols());
    validate_elements(faces, 3, rest_positions.rows(), "faces");
    const auto count = static_cast<std::size_t>(faces.rows());
    const std::vector<double>& stiffness = options.stiffness;
    if (stiffness.size() != 1 && stiffness.size() != count)
        reject("stiffness: expected one entry, or one for each of the {} faces, got {}", count, stiffness.size());
    for (std::size_t k = 0; k < stiffness.size(); ++k)
        if (!(stiffness[k] > 0 && std::isfinite(stiffness[k])))
            reject("stiffness: entry {} is {}, which is not a positive number of N m", k, stiffness[k]);
    if (count == 0)
        return;

    std::vector<double> areas(count);
    for (std::size_t f = 0; f < count; ++f) {
        const auto x0 = point<3>(rest_positions, faces(f, 0));
        const Vec3 u = point<3>(rest_positions, faces(f, 1)) - x0, v = point<3>(rest_positions, faces(f, 2)) - x0;
        areas[f] = u.cross(v).norm() / 2;
        if (!(areas[f] > degenerate_sine * u.norm() * v.norm()))
            reject(
                "faces: row {} (vertices {}, {}, {}) is degenerate at rest: its area is {:.3g}", f, faces(f, 0),
                faces(f, 1), faces(f, 2), areas[f]);
    }

    const Faces triangles = faces;
    const EdgeTopology topology = build_edge_topology(Edges(0, 2), triangles, num_vertices_);
    std::size_t item = 0; // of the lists of faces
    for (Eigen::Index e = 0; e < topology.edges.rows(); ++e) {
        const auto at = topology.edge_faces[e];
        const int* opposites = topology.edge_opposites.data() + item;
        item += at.size();
        const int e0 = topology.edges(e, 0), e1 = topology.edges(e, 1);
        if (at.size() > 2)
            reject("faces: the edge of vertices {} and {} belongs to {} faces; bending allows two", e0, e1, at.size());
        if (at.size() < 2)
            continue;
        ABUT_ASSERT(opposites[0] != e0 && opposites[0] != e1 && opposites[1] != e0 && opposites[1] != e1);
        const auto corners = directed_as_in_face(e0, e1, opposites[0], opposites[1], triangles, at[0]);
        const double area = areas[at[0]] + areas[at[1]];
        const auto plate = [&](int f) { return stiffness.size() == 1 ? stiffness[0] : stiffness[f]; };
        const double D = (areas[at[0]] * plate(at[0]) + areas[at[1]] * plate(at[1])) / area;
        const double squared_length = (point<3>(rest_positions, e1) - point<3>(rest_positions, e0)).squaredNorm();
        stencils_.add(corners);
        hinges_.push_back(
            {options.rest_angles == RestAngles::flat ? 0 : frame_of(rest_positions, corners).angle,
             D * squared_length / area});
    }
    ABUT_ASSERT(item == topology.edge_opposites.size());
    ABUT_ASSERT(hinges_.size() == stencils_.size());
}

HingeBending::HingeBending(const HingeBending& whole, std::span<const int> terms)
    : stencils_(whole.stencils_.subset(terms)), num_vertices_(whole.num_vertices_),
      hinges_(selected(whole.hinges_, terms))
{}

double HingeBending::turn(const ConstPositions& x, std::size_t hinge) const
{
    return frame_of(x, stencils_[hinge]).angle - hinges_[hinge].rest_angle;
}

HingeBending HingeBending::subset(std::span<const int> terms) const
{
    validate_terms(terms, stencils_.size());
    return {*this, terms};
}

void HingeBending::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    validate_positions(x, num_vertices_, 3, "x");
    parallel_for(hinges_.size(), hinges_per_task, [&](std::size_t k) { evaluate_hinge(x, out, k); });
}

void HingeBending::evaluate_hinge(const ConstPositions& x, const TermOutput& out, std::size_t k) const
{
    const HingeFrame frame = frame_of(x, stencils_[k]);
    const auto& [rest_angle, stiffness, law] = hinges_[k];
    const double turn = frame.angle - rest_angle;
    const double flow = law.flow(stiffness * std::abs(turn), stiffness);
    const double left = law.yield + law.slope * flow; // where it flows, of the moment
    if (out.values != nullptr)
        out.values[k] = flow > 0 ? 0.5 * left * left / stiffness + (law.yield + 0.5 * law.slope * flow) * flow
                                 : 0.5 * stiffness * turn * turn;
    // k (theta - theta_0) after the return, and its derivative
    const double moment = flow > 0 ? std::copysign(left, turn) : stiffness * turn;
    const double tangent = flow > 0 ? stiffness * law.slope / (stiffness + law.slope) : stiffness;
    if (out.gradients != nullptr) {
        Eigen::Map<Vec<12>> gradient{out.gradients + 12 * k};
        if (frame.is_degenerate)
            gradient.setZero();
        else
            gradient = moment * frame.gradient();
    }
    if (out.blocks == nullptr)
        return;
    double* blocks = out.blocks + 90 * k;
    std::fill(blocks, blocks + 90, 0.0);
    if (frame.is_degenerate)
        return;
    const PSDProjectionMethod projection = projection_of(out.hessian);
    const auto pairs = frame.second_derivative();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        // grad theta grad thetaᵀ is 2 P², and P is the first function of the first pair.
        const double diagonal = flow > 0 ? moment * pairs[i].diagonal + (i == 0 ? 2 * tangent : 0)
                                         : stiffness * (turn * pairs[i].diagonal + (i == 0 ? 2 : 0));
        add_form(diagonal, moment * pairs[i].coupling, pairs[i], projection, blocks);
    }
}

} // namespace abut
