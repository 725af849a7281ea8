#include "abut/elastic/simplex_elasticity.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/deformation.hpp"
#include "abut/elastic/simplex_lanes.hpp"
#include "abut/elastic/uninverted_step.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/linear/term_subset.hpp"
#include "abut/mesh/validate.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace abut {

namespace {

/// Elements that one thread takes at a time: enough to pay for the handover, few enough to share out evenly.
constexpr std::size_t elements_per_task = 512;

/// The edges from corner 0 as columns. For sheets in the frame of the first edge and the normal, so that the matrix is
/// square; which frame does not matter to an isotropic material.
template <int Dim, int D>
Mat<D, D> rest_edges(const Mat<Dim, D>& edges)
{
    if constexpr (Dim == D)
        return edges;
    else {
        const Vec3 e = edges.col(0), f = edges.col(1);
        const double length = e.norm();
        Mat<2, 2> flat;
        flat << length, e.dot(f) / length, 0, e.cross(f).norm() / length;
        return flat;
    }
}

template <typename T>
const T& of_element(const std::vector<T>& values, std::size_t element)
{
    return values.size() == 1 ? values[0] : values[element];
}

template <typename T>
void validate_count(const std::vector<T>& values, std::size_t num_elements, std::string_view name)
{
    if (values.size() != 1 && values.size() != num_elements)
        reject("{}: expected one entry, or one for each of the {} elements, got {}", name, num_elements, values.size());
}

void validate_lame(const std::vector<LameParameters>& lame, bool is_solid)
{
    const double lowest = is_solid ? -2.0 / 3 : -1;
    for (std::size_t k = 0; k < lame.size(); ++k) {
        const auto [mu, lambda] = lame[k];
        if (!(mu > 0 && std::isfinite(mu)))
            reject("lame: entry {} has mu = {}, which is not a positive number of pascals", k, mu);
        if (!(lambda > lowest * mu && std::isfinite(lambda)))
            reject(
                "lame: entry {} has lambda = {}, which must be above {:.3g} mu for the rest shape to be stable", k,
                lambda, lowest);
    }
}

} // namespace

template <int Dim, int D>
std::size_t SimplexElasticity<Dim, D>::rest_index(std::size_t element, int field)
{
    return lane_index(element, field, num_rest_fields);
}

template <int Dim, int D>
SimplexElasticity<Dim, D>::SimplexElasticity(
    const ConstPositions& rest_positions, const ConstElements& elements, std::string_view elements_name,
    ElasticModel model, const std::vector<LameParameters>& lame, const std::vector<double>& thickness)
    : name_(elements_name), model_(model), num_vertices_(static_cast<int>(rest_positions.rows()))
{
    if (model == ElasticModel::baraff_witkin)
        reject("model: {} is of woven sheets, which are WovenElasticity", to_string(model));
    validate_positions(rest_positions, "rest_positions");
    if (rest_positions.cols() != Dim)
        reject("rest_positions: expected {} columns, got {}", Dim, rest_positions.cols());
    validate_elements(elements, D + 1, rest_positions.rows(), elements_name);
    const auto count = static_cast<std::size_t>(elements.rows());
    validate_count(lame, count, "lame");
    validate_count(thickness, count, "thickness");
    validate_lame(lame, Dim == 3 && D == 3);
    for (std::size_t k = 0; k < thickness.size(); ++k)
        if (!(thickness[k] > 0 && std::isfinite(thickness[k])))
            reject("thickness: entry {} is {}, which is not a positive number of metres", k, thickness[k]);

    const std::size_t num_groups = (count + num_lanes - 1) / num_lanes;
    stencils_.reserve(count, count * (D + 1));
    rest_volumes_.resize(count);
    rest_.resize(num_groups * num_rest_fields * num_lanes);
    const auto rest_at = [this](std::size_t element, int field) -> double& {
        return rest_[rest_index(element, field)];
    };
    for (std::size_t element = 0; element < count; ++element) {
        std::array<int, D + 1> corners;
        Mat<Dim, D + 1> X;
        for (int i = 0; i <= D; ++i) {
            corners[i] = elements(element, i);
            X.col(i) = point<Dim>(rest_positions, corners[i]);
        }
        const Mat<Dim, D> edges = X.template rightCols<D>().colwise() - X.col(0);
        const Mat<D, D> flat = rest_edges<Dim, D>(edges);
        const double determinant = flat.determinant();
        if constexpr (Dim == D) {
            int sign;
            if constexpr (D == 2)
                sign = orientation(Vec2(X.col(0)), Vec2(X.col(1)), Vec2(X.col(2)));
            else
                sign = orientation(Vec3(X.col(0)), Vec3(X.col(1)), Vec3(X.col(2)), Vec3(X.col(3)));
            if (sign < 0)
                reject(
                    "{}: row {} (vertices {}) is inverted at rest: its {} is {:.3g}; swap two of its corners", name_,
                    element, fmt::join(corners, ", "), D == 2 ? "area" : "volume", determinant / (D == 2 ? 2 : 6));
        }
        const Mat<D, D> gradients = flat.inverse();
        // NaN, from edges of length zero, fails the comparison.
        if (!(determinant > degenerate_sine * edges.colwise().norm().prod() && gradients.allFinite()))
            reject(
                "{}: row {} (vertices {}) is degenerate at rest: its {} is {:.3g}", name_, element,
                fmt::join(corners, ", "), D == 2 ? "area" : "volume", determinant / (D == 2 ? 2 : 6));

        stencils_.add(corners);
        rest_volumes_[element] = determinant / (D == 2 ? 2 : 6) * of_element(thickness, element);
        const LameParameters& material = of_element(lame, element);
        for (int i = 0; i < D; ++i)
            for (int b = 0; b < D; ++b)
                rest_at(element, i * D + b) = gradients(i, b);
        rest_at(element, D * D) = rest_volumes_[element];
        rest_at(element, D * D + 1) = material.mu;
        rest_at(element, D * D + 2) = material.lambda;
    }
    fill_idle_lanes();
}

template <int Dim, int D>
SimplexElasticity<Dim, D>::SimplexElasticity(const SimplexElasticity& whole, std::span<const int> terms)
    : stencils_(whole.stencils_.subset(terms)), name_("a subset of " + whole.name_), model_(whole.model_),
      num_vertices_(whole.num_vertices_), rest_volumes_(selected(whole.rest_volumes_, terms))
{
    const std::size_t num_groups = (terms.size() + num_lanes - 1) / num_lanes;
    rest_.resize(num_groups * num_rest_fields * num_lanes);
    for (std::size_t element = 0; element < terms.size(); ++element)
        for (int field = 0; field < num_rest_fields; ++field)
            rest_[rest_index(element, field)] = whole.rest_[rest_index(terms[element], field)];
    fill_idle_lanes();
}

template <int Dim, int D>
SimplexElasticity<Dim, D> SimplexElasticity<Dim, D>::subset(std::span<const int> terms) const
{
    validate_terms(terms, stencils_.size());
    return {*this, terms};
}

template <int Dim, int D>
void SimplexElasticity<Dim, D>::fill_idle_lanes()
{
    const std::size_t count = stencils_.size();
    ABUT_ASSERT(rest_.size() == (count + num_lanes - 1) / num_lanes * num_rest_fields * num_lanes);
    ABUT_ASSERT(rest_volumes_.size() == count);
    for (std::size_t lane = count; lane % num_lanes != 0; ++lane)
        for (int field = 0; field < num_rest_fields; ++field)
            rest_[rest_index(lane, field)] = rest_[rest_index(count - 1, field)];
}

template <int Dim, int D>
const double* SimplexElasticity<Dim, D>::group_fields(std::size_t group) const
{
    return rest_.data() + group * num_rest_fields * num_lanes;
}

template <int Dim, int D>
void SimplexElasticity<Dim, D>::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    validate_positions(x, num_vertices_, Dim, "x");
    static_assert(elements_per_task % num_lanes == 0);
    const std::size_t num_groups = (stencils_.size() + num_lanes - 1) / num_lanes;
    parallel_for(num_groups, elements_per_task / num_lanes, [&](std::size_t group) { evaluate_group(x, out, group); });
}

template <int Dim, int D>
void SimplexElasticity<Dim, D>::evaluate_group(const ConstPositions& x, const TermOutput& out, std::size_t group) const
{
    const RestLanes<D> rest = load_rest<D>(group_fields(group));
    abut::evaluate_group<Dim>(
        x, out, stencils_, group, rest,
        [&](const Lanes(&sigma)[D], Order order, StretchTerm<D>& phi) {
            stretch_energy<D>(model_, {rest.parameter(0), rest.parameter(1)}, sigma, order, phi);
        },
        [&](std::size_t element) {
            if (keeps_volume(model_)) // other energies have no infinite values but those of infinite positions
                throw_inverted(element);
        });
}

template <int Dim, int D>
void SimplexElasticity<Dim, D>::throw_inverted(std::size_t element) const
{
    constexpr bool is_sheet = Dim > D;
    throw InvalidStart(fmt::format(
        "x: row {} of {} (vertices {}) is {}, where {} has no derivative; limit steps with {}, or take {}", element,
        name_, fmt::join(stencils_[element], ", "), is_sheet ? "flat" : "inverted or flat", to_string(model_),
        is_sheet ? "largest_step_with_area" : "largest_uninverted_step",
        is_sheet ? "fixed_corotated" : "stable_neo_hookean"));
}

template class SimplexElasticity<3, 3>;
template class SimplexElasticity<2, 2>;
template class SimplexElasticity<3, 2>;

TetElasticity::TetElasticity(
    const ConstPositions& rest_positions, const ConstElements& tets, const SolidOptions& options)
    : SimplexElasticity(rest_positions, tets, "tets", options.model, options.lame, {1})
{}

double TetElasticity::largest_uninverted_step(const ConstPositions& x, const ConstPositions& dx) const
{
    return abut::largest_uninverted_step<3>(stencils(), num_vertices(), x, dx);
}

TetElasticity TetElasticity::subset(std::span<const int> terms) const
{
    return TetElasticity(SimplexElasticity::subset(terms));
}

PlanarElasticity::PlanarElasticity(
    const ConstPositions& rest_positions, const ConstElements& faces, const PlanarOptions& options)
    : SimplexElasticity(rest_positions, faces, "faces", options.model, options.lame, options.thickness)
{}

double PlanarElasticity::largest_uninverted_step(const ConstPositions& x, const ConstPositions& dx) const
{
    return abut::largest_uninverted_step<2>(stencils(), num_vertices(), x, dx);
}

PlanarElasticity PlanarElasticity::subset(std::span<const int> terms) const
{
    return PlanarElasticity(SimplexElasticity::subset(terms));
}

namespace {

ElasticModel sheet_model(ElasticModel model)
{
    if (model == ElasticModel::stable_neo_hookean)
        reject(
            "model: {} is an energy of solids; sheets take neo_hookean, fixed_corotated, stvk or hencky",
            to_string(model));
    return model;
}

} // namespace

MembraneElasticity::MembraneElasticity(
    const ConstPositions& rest_positions, const ConstElements& faces, const MembraneOptions& options)
    : SimplexElasticity(rest_positions, faces, "faces", sheet_model(options.model), options.lame, options.thickness)
{}

double MembraneElasticity::largest_step_with_area(const ConstPositions& x, const ConstPositions& dx) const
{
    return abut::largest_step_with_area(stencils(), num_vertices(), x, dx);
}

MembraneElasticity MembraneElasticity::subset(std::span<const int> terms) const
{
    return MembraneElasticity(SimplexElasticity::subset(terms));
}

} // namespace abut
