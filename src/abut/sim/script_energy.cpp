#include "abut/sim/script_energy.hpp"

#include <algorithm>
#include <array>

namespace abut {

ScriptEnergy::ScriptEnergy(std::vector<int> vertices, int dim) : vertices_(std::move(vertices)), dim_(dim)
{
    for (const int v : vertices_)
        stencils_.add(std::array{v});
    targets_ = multipliers_ = Positions::Zero(static_cast<Eigen::Index>(vertices_.size()), dim);
}

void ScriptEnergy::set_targets(Positions targets, double stiffness)
{
    targets_ = std::move(targets);
    stiffness_ = stiffness;
    multipliers_.setZero();
}

double ScriptEnergy::lag(const ConstPositions& x) const
{
    double largest = 0;
    for (std::size_t k = 0; k < vertices_.size(); ++k)
        largest = std::max(largest, (x.row(vertices_[k]) - targets_.row(static_cast<Eigen::Index>(k))).norm());
    return largest;
}

void ScriptEnergy::raise_multipliers(const ConstPositions& x)
{
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
        const auto row = static_cast<Eigen::Index>(k);
        multipliers_.row(row) += stiffness_ * (x.row(vertices_[k]) - targets_.row(row));
    }
}

void ScriptEnergy::evaluate(const ConstPositions& x, const TermOutput& out) const
{
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
        const auto row = static_cast<Eigen::Index>(k);
        const Eigen::VectorXd offset = x.row(vertices_[k]) - targets_.row(row);
        if (out.values != nullptr)
            out.values[k] = multipliers_.row(row).dot(offset) + 0.5 * stiffness_ * offset.squaredNorm();
        for (int a = 0; a < dim_; ++a) {
            if (out.gradients != nullptr)
                out.gradients[k * dim_ + a] = multipliers_(row, a) + stiffness_ * offset[a];
            if (out.blocks != nullptr)
                for (int b = 0; b < dim_; ++b)
                    out.blocks[(k * dim_ + b) * dim_ + a] = a == b ? stiffness_ : 0;
        }
    }
}

} // namespace abut
