#pragma once
// The projection of a Hessian of many points to positive semidefinite.
//
// Moving all points together changes nothing: the Hessian has these moves as null vectors. A reflection that turns them
// into moves of the first point alone, orthogonal and so without effect on eigenvalues, leaves an eigenproblem with one
// point less.

#include "abut/base/assert.hpp"
#include "abut/math/psd_projection.hpp"

#include <Eigen/Eigenvalues>

#include <vector>

namespace abut::gcp {

template <int Dim>
class StencilProjection {
public:
    /// Projects the Hessian of n points given by its blocks (i, j), i >= j, in the order of Stencils, in place. Only
    /// where the pair `is_free` is moving all points together a null vector; a point above a fixed plane is not.
    void project(double* blocks, int n, PSDProjectionMethod method, bool is_free = true)
    {
        ABUT_ASSERT(n > (is_free ? 1 : 0) && method != PSDProjectionMethod::none);
        Work& work = work_for(n);
        auto& H = work.full;
        const double* from = blocks;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j, from += Dim * Dim) {
                const Eigen::Map<const Mat<Dim, Dim>> block(from);
                H.template block<Dim, Dim>(i * Dim, j * Dim) = block;
                H.template block<Dim, Dim>(j * Dim, i * Dim) = block.transpose();
            }
        const double largest = H.cwiseAbs().maxCoeff();
        if (largest == 0)
            return;
        H /= largest;
        const int fixed = is_free ? 1 : 0;
        if (is_free)
            reflect(work, n);
        const int size = (n - fixed) * Dim;
        auto moving = H.bottomRightCorner(size, size);
        work.solver.compute(moving);
        const auto& eigenvalues = work.solver.eigenvalues();
        if (eigenvalues[0] >= 0)
            return;
        work.kept = largest * eigenvalues;
        for (double& value : work.kept)
            if (value < 0)
                value = method == PSDProjectionMethod::abs ? -value : 0;
        const auto& V = work.solver.eigenvectors();
        work.scaled.noalias() = V * work.kept.asDiagonal();
        H.topRows(fixed * Dim).setZero();
        H.leftCols(fixed * Dim).setZero();
        moving.noalias() = work.scaled * V.transpose();
        if (is_free)
            reflect(work, n);
        double* to = blocks;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j, to += Dim * Dim)
                Eigen::Map<Mat<Dim, Dim>>{to} = H.template block<Dim, Dim>(i * Dim, j * Dim);
    }

private:
    struct Work {
        Eigen::MatrixXd full, scaled;
        Eigen::VectorXd kept, product;
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    };

    /// Of each size one, so that none is allocated again.
    Work& work_for(int n)
    {
        if (static_cast<int>(works_.size()) <= n)
            works_.resize(n + 1);
        Work& work = works_[n];
        if (work.full.size() == 0)
            work.full.resize(n * Dim, n * Dim);
        return work;
    }

    /// H = Q H Q with the reflection Q = I - v vT / (1 + 1/√n), v = e_0 + (1, ..., 1)/√n, of points.
    static void reflect(Work& work, int n)
    {
        const double entry = 1 / std::sqrt(double(n)), factor = 1 / (1 + entry);
        Eigen::MatrixXd& H = work.full;
        for (int pass = 0; pass < 2; ++pass) { // columns, then, H being symmetric, rows
            for (int a = 0; a < Dim; ++a) {
                work.product = H.col(a);
                for (int p = 0; p < n; ++p)
                    work.product += entry * H.col(p * Dim + a);
                work.product *= factor;
                H.col(a) -= work.product;
                for (int p = 0; p < n; ++p)
                    H.col(p * Dim + a) -= entry * work.product;
            }
            H.transposeInPlace();
        }
    }

    std::vector<Work> works_;
};

} // namespace abut::gcp
