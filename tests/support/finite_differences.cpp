#include "support/finite_differences.hpp"

namespace abut::test {

Eigen::MatrixXd central_differences(const VectorFunction& f, Eigen::VectorXd x, double length)
{
    const double h = std::cbrt(std::numeric_limits<double>::epsilon()) * length;
    Eigen::MatrixXd jacobian(f(x).size(), x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const double centre = x[i];
        x[i] = centre + h;
        const double right = x[i];
        const Eigen::VectorXd f_right = f(x);
        x[i] = centre - h;
        jacobian.col(i) = (f_right - f(x)) / (right - x[i]);
        x[i] = centre;
    }
    return jacobian;
}

void expect_matches(const Eigen::MatrixXd& analytic, const Eigen::MatrixXd& numeric, const char* name)
{
    ASSERT_EQ(analytic.rows(), numeric.rows());
    ASSERT_EQ(analytic.cols(), numeric.cols());
    const double scale = std::max(1.0, numeric.cwiseAbs().maxCoeff());
    EXPECT_LE((analytic - numeric).cwiseAbs().maxCoeff(), finite_difference_tolerance * scale)
        << "analytic " << name << ":\n"
        << analytic << "\nby differences:\n"
        << numeric;
}

} // namespace abut::test
