#include "support/dense_projection.hpp"

#include "support/eigenvalues.hpp"

namespace abut::test {

Eigen::MatrixXd densely_projected(const Eigen::MatrixXd& H, PSDProjectionMethod method)
{
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Eigen::MatrixXd((H + H.transpose()) / 2));
    Eigen::VectorXd values = eigen.eigenvalues();
    for (double& value : values)
        if (value < 0)
            value = method == PSDProjectionMethod::abs ? -value : 0;
    return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

double smallest_eigenvalue(const Eigen::MatrixXd& H)
{
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(H, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

} // namespace abut::test
