#include "abut/sim/anchor_energy.hpp"

#include "abut/base/error.hpp"

#include <algorithm>
#include <array>

namespace abut {

AnchorEnergy::AnchorEnergy(std::string_view name, std::vector<int> vertices, int dim)
    : name_(name), vertices_(std::move(vertices)), dim_(dim)
{
    for (const int v : vertices_)
        stencils_.add(std::array{v});
    const auto count = static_cast<Eigen::Index>(vertices_.size());
    targets_ = forces_ = Positions::Zero(count, dim);
    stiffness_ = Eigen::VectorXd::Zero(count);
}

void AnchorEnergy::set(Positions targets, Positions forces, Eigen::VectorXd stiffness)
{
    const auto count = static_cast<Eigen::Index>(vertices_.size());
    if (targets.rows() != count || forces.rows() != count || stiffness.size() != count)
        reject(
            "anchors: {} targets, {} forces and {} stiffnesses for {} vertices", targets.rows(), forces.rows(),
            stiffness.size(), count);
    targets_ = std::move(targets);
    forces_ = std::move(forces);
    stiffness_ = std::move(stiffness);
}

double AnchorEnergy::lag(const ConstPositions& x, std::size_t k) const
{
    return (x.row(vertices_[k]) - targets_.row(static_cast<Eigen::Index>(k))).norm();
}

double AnchorEnergy::lag(const ConstPositions& x) const
{
    double largest = 0;
    for (std::size_t k = 0; k < vertices_.size(); ++k)
        largest = std::max(largest, lag(x, k));
    return largest;
}

void AnchorEnergy::raise_multipliers(const ConstPositions& x)
{
    for (Eigen::Index k = 0; k < targets_.rows(); ++k)
        forces_.row(k) += stiffness_[k] * (x.row(vertices_[k]) - targets_.row(k));
}

void AnchorEnergy::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    if (dim_ == 2)
        evaluate_terms<2>(x, out);
    else
        evaluate_terms<3>(x, out);
}

template <int Dim>
void AnchorEnergy::evaluate_terms(const ConstPositions& x, const TermOutput& out) const
{
    for (Eigen::Index k = 0; k < targets_.rows(); ++k) {
        const Vec<Dim> offset = point<Dim>(x, vertices_[k]) - point<Dim>(targets_, k), force = point<Dim>(forces_, k);
        if (out.values != nullptr)
            out.values[k] = force.dot(offset) + 0.5 * stiffness_[k] * offset.squaredNorm();
        if (out.gradients != nullptr)
            Eigen::Map<Vec<Dim>>{out.gradients + k* Dim} = force + stiffness_[k] * offset;
        if (out.blocks != nullptr)
            Eigen::Map<Mat<Dim, Dim>>{out.blocks + k* Dim* Dim} = stiffness_[k] * Mat<Dim, Dim>::Identity();
    }
}

} // namespace abut
