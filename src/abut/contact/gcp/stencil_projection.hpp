#pragma once
// The projection of a Hessian of many points to positive semidefinite.
//
// Moving all points together changes nothing, so the Hessian lives in the space of moves that sum to zero: an
// orthonormal basis of it, Helmert's, makes the eigenproblem smaller by a point.

#include "abut/math/psd_projection.hpp"

#include <Eigen/Eigenvalues>

namespace abut::gcp {

template <int Dim>
class StencilProjection {
public:
    /// Projects the Hessian of n points given by its blocks (i, j), i >= j, in the order of Stencils, in place.
    void project(double* blocks, int n, PSDProjectionMethod method)
    {
        const int size = n * Dim;
        full_.resize(size, size);
        const double* at = blocks;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j, at += Dim * Dim) {
                const Eigen::Map<const Mat<Dim, Dim>> block(at);
                full_.template block<Dim, Dim>(i * Dim, j * Dim) = block;
                full_.template block<Dim, Dim>(j * Dim, i * Dim) = block.transpose();
            }
        const double largest = full_.cwiseAbs().maxCoeff();
        if (largest == 0)
            return;
        solver_.compute(full_ / largest);
        const auto& eigenvalues = solver_.eigenvalues();
        if (eigenvalues[0] >= 0)
            return;
        kept_ = largest * eigenvalues;
        for (double& value : kept_)
            if (value < 0)
                value = method == PSDProjectionMethod::abs ? -value : 0;
        full_.noalias() = solver_.eigenvectors() * kept_.asDiagonal() * solver_.eigenvectors().transpose();
        double* to = blocks;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j, to += Dim * Dim)
                Eigen::Map<Mat<Dim, Dim>>{to} = full_.template block<Dim, Dim>(i * Dim, j * Dim);
    }

private:
    Eigen::MatrixXd full_;
    Eigen::VectorXd kept_;
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver_;
};

} // namespace abut::gcp
