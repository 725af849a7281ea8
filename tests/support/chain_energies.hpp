#pragma once
// A chain of springs with weights, above a floor: energies and a guard simple enough to know the answer.

#include "abut/solver/problem.hpp"

#include <algorithm>
#include <array>

namespace abut::test {

/// A spring of rest length 1 and stiffness 1 between each two neighbours of a chain.
class Springs final : public Energy {
public:
    explicit Springs(int n)
    {
        for (int v = 0; v + 1 < n; ++v)
            stencils_.add(std::array{v, v + 1});
    }
    [[nodiscard]] std::string_view name() const override { return "springs"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& unknowns, const TermOutput& out) const override
    {
        const auto x = unknowns.vertices();
        for (std::size_t k = 0; k < stencils_.size(); ++k) {
            const Vec3 d = x.row(static_cast<Eigen::Index>(k) + 1) - x.row(static_cast<Eigen::Index>(k));
            const double length = d.norm();
            const Vec3 n = d / length;
            if (out.values != nullptr)
                out.values[k] = 0.5 * (length - 1) * (length - 1);
            if (out.gradients != nullptr) {
                Eigen::Map<Vec3>{out.gradients + 6 * k} = -(length - 1) * n;
                Eigen::Map<Vec3>{out.gradients + 6 * k + 3} = (length - 1) * n;
            }
            if (out.blocks != nullptr) {
                const double across = std::max(0.0, 1 - 1 / length);
                const Mat<3, 3> K = n * n.transpose() + across * (Mat<3, 3>::Identity() - n * n.transpose());
                Eigen::Map<Mat<3, 3>>{out.blocks + 27 * k} = K;
                Eigen::Map<Mat<3, 3>>{out.blocks + 27 * k + 9} = -K;
                Eigen::Map<Mat<3, 3>>{out.blocks + 27 * k + 18} = K;
            }
        }
    }

private:
    Stencils stencils_;
};

/// Weights that hang in the springs.
class Weights final : public Energy {
public:
    Weights(int n, double weight) : weight_(weight)
    {
        for (int v = 0; v < n; ++v)
            stencils_.add(std::array{v});
    }
    [[nodiscard]] std::string_view name() const override { return "weights"; }
    [[nodiscard]] const Stencils& stencils() const override { return stencils_; }
    void evaluate(const Unknowns& unknowns, const TermOutput& out) const override
    {
        const auto x = unknowns.vertices();
        for (std::size_t k = 0; k < stencils_.size(); ++k) {
            if (out.values != nullptr)
                out.values[k] = weight_ * x(static_cast<Eigen::Index>(k), 1);
            if (out.gradients != nullptr)
                Eigen::Map<Vec3>{out.gradients + 3 * k} = weight_ * Vec3::UnitY();
            if (out.blocks != nullptr)
                Eigen::Map<Mat<3, 3>>{out.blocks + 9 * k}.setZero();
        }
    }

private:
    Stencils stencils_;
    double weight_;
};

/// Nothing may go below the floor y = −2.5.
class Floor final : public StepGuard {
public:
    [[nodiscard]] Limit limit(const Unknowns& from, const Unknowns& step) override
    {
        const auto x = from.vertices(), dx = step.vertices();
        double scale = 1;
        for (Eigen::Index v = 0; v < x.rows(); ++v)
            if (x(v, 1) + dx(v, 1) < -2.5)
                scale = std::min(scale, 0.9 * (x(v, 1) + 2.5) / -dx(v, 1));
        return {scale, scale < 1 ? "the floor" : ""};
    }
};

/// Three vertices of a chain at rest, hanging straight down.
inline Positions vertical_chain()
{
    Positions x = Positions::Zero(3, 3);
    x.col(1) << 0, -1, -2;
    return x;
}

} // namespace abut::test
