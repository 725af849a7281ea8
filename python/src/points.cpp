#include "points.hpp"

namespace abut::python {

Points::Points(std::span<const Argument> arguments, Space space)
{
    const Argument& first = arguments.front();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Eigen::RowVectorXd point = point_argument(arguments[i].value, arguments[i].name);
        const int size = static_cast<int>(point.size());
        if (space == Space::plane && size != 2)
            reject("{}: expected a point in the plane, of shape (2,), got shape ({},)", arguments[i].name, size);
        if (space == Space::space && size != 3)
            reject("{}: expected a point in space, of shape (3,), got shape ({},)", arguments[i].name, size);
        if (i == 0)
            dim_ = size;
        if (size != dim_)
            reject("{}: expected shape ({},) as {} has, got shape ({},)", arguments[i].name, dim_, first.name, size);
        coordinates_[i].setZero();
        coordinates_[i].head(size) = point.transpose();
    }
}

Order order_argument(const std::string& value, const char* name)
{
    constexpr std::array orders{"value", "gradient", "hessian"};
    const auto found = std::find(orders.begin(), orders.end(), value);
    if (found == orders.end())
        reject("{}: expected \"value\", \"gradient\" or \"hessian\", got \"{}\"", name, value);
    return static_cast<Order>(found - orders.begin());
}

WithJacobian jacobian_argument(const std::string& value, const char* name)
{
    if (value != "value" && value != "jacobian")
        reject("{}: expected \"value\" or \"jacobian\", got \"{}\"", name, value);
    return static_cast<WithJacobian>(value == "jacobian");
}

TermResult term_result(double value, std::span<const double> gradient, const double* hessian, Order order)
{
    if (order == Order::value)
        return TermResult(py::float_(value));
    if (order == Order::gradient)
        return TermResult(py::make_tuple(value, to_numpy(gradient)));
    // Symmetric, so that the order of its storage does not matter.
    const auto size = static_cast<Eigen::Index>(gradient.size());
    return TermResult(
        py::make_tuple(value, to_numpy(gradient), matrix_to_numpy(Eigen::Map<const Positions>(hessian, size, size))));
}

VectorResult vector_result(const py::array_t<double>& value, const Positions& jacobian, bool with_jacobian)
{
    if (!with_jacobian)
        return VectorResult(value);
    return VectorResult(py::make_tuple(value, matrix_to_numpy(jacobian)));
}

} // namespace abut::python
