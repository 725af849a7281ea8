#pragma once
// Eigenvalues of dense Hessians, as Eigen finds them, to compare projections with.

#include "abut/math/psd_projection.hpp"

#include <Eigen/Core>

namespace abut::test {

/// The nearest positive semidefinite matrix, or the one of the same eigenvectors with absolute eigenvalues.
Eigen::MatrixXd densely_projected(const Eigen::MatrixXd& H, PSDProjectionMethod method);

double smallest_eigenvalue(const Eigen::MatrixXd& H);

} // namespace abut::test
