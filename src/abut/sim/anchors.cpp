#include "abut/sim/anchors.hpp"

#include "abut/linear/term_subset.hpp"

#include <algorithm>
#include <array>

namespace abut {

Anchors::Anchors(std::vector<int> vertices) : vertices_(std::move(vertices))
{
    for (const int v : vertices_)
        stencils_.add(std::array{v});
}

void Anchors::set(Springs springs)
{
    ABUT_ASSERT(springs.targets.rows() == static_cast<Eigen::Index>(vertices_.size()));
    ABUT_ASSERT(springs.forces.rows() == springs.targets.rows() && springs.forces.cols() == springs.targets.cols());
    ABUT_ASSERT(springs.stiffness.size() == springs.targets.rows());
    springs_ = std::move(springs);
}

double Anchors::distance(const ConstPositions& x, std::size_t k) const
{
    return (x.row(vertices_[k]) - springs_.targets.row(static_cast<Eigen::Index>(k))).norm();
}

double Anchors::largest_distance(const ConstPositions& x) const
{
    double largest = 0;
    for (std::size_t k = 0; k < vertices_.size(); ++k)
        largest = std::max(largest, distance(x, k));
    return largest;
}

void Anchors::raise_multipliers(const ConstPositions& x)
{
    for (Eigen::Index k = 0; k < springs_.targets.rows(); ++k)
        springs_.forces.row(k) += springs_.stiffness[k] * (x.row(vertices_[k]) - springs_.targets.row(k));
}

void Anchors::evaluate(const Unknowns& x, const TermOutput& out) const
{
    ABUT_ASSERT(springs_.stiffness.size() == static_cast<Eigen::Index>(vertices_.size()));
    if (x.layout().dim() == 2)
        evaluate_terms<2>(x.vertices(), out);
    else
        evaluate_terms<3>(x.vertices(), out);
}

template <int Dim>
void Anchors::evaluate_terms(const ConstPositions& x, const TermOutput& out) const
{
    const auto& [targets, forces, stiffness] = springs_;
    for (Eigen::Index k = 0; k < targets.rows(); ++k) {
        const Vec<Dim> offset = point<Dim>(x, vertices_[k]) - point<Dim>(targets, k), force = point<Dim>(forces, k);
        if (out.values != nullptr)
            out.values[k] = force.dot(offset) + 0.5 * stiffness[k] * offset.squaredNorm();
        if (out.gradients != nullptr)
            Eigen::Map<Vec<Dim>>{out.gradients + k* Dim} = force + stiffness[k] * offset;
        if (out.blocks != nullptr)
            Eigen::Map<Mat<Dim, Dim>>{out.blocks + k* Dim* Dim} = stiffness[k] * Mat<Dim, Dim>::Identity();
    }
}

Anchors Anchors::subset(std::span<const int> terms) const
{
    validate_terms(terms, vertices_.size());
    const auto count = static_cast<Eigen::Index>(terms.size());
    std::vector<int> vertices;
    Springs springs{
        Positions(count, springs_.targets.cols()), Positions(count, springs_.forces.cols()), Eigen::VectorXd(count)};
    for (Eigen::Index k = 0; k < count; ++k) {
        const int term = terms[k];
        vertices.push_back(vertices_[term]);
        springs.targets.row(k) = springs_.targets.row(term);
        springs.forces.row(k) = springs_.forces.row(term);
        springs.stiffness[k] = springs_.stiffness[term];
    }
    Anchors chosen(std::move(vertices));
    chosen.set(std::move(springs));
    return chosen;
}

} // namespace abut
