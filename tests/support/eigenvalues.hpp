#pragma once
// Eigenvalues of symmetric matrices of any size, compiled once (eigenvalues.cpp) and not by every test that asks for
// them. It is among the precompiled headers; a test without it compiles them for itself.

#include <Eigen/Eigenvalues>

extern template Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>&
Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>::compute(const Eigen::EigenBase<Eigen::MatrixXd>& matrix, int options);
