#pragma once
// The nearest positive semidefinite matrix in long double, as an oracle.

#include <Eigen/Core>

namespace abut::test {

using ExtendedMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using ExtendedVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// A symmetric matrix with its negative eigenvalues set to zero, by Jacobi's rotations.
ExtendedMatrix clamped_to_psd(ExtendedMatrix A);

} // namespace abut::test
