#include "abut/elastic/lumped_masses.hpp"

#include "abut/base/error.hpp"
#include "abut/geometry/measures.hpp"
#include "abut/mesh/validate.hpp"

#include <cmath>

namespace abut {

namespace {

void validate_positive(double value, std::string_view name, std::string_view unit)
{
    if (!(value > 0 && std::isfinite(value)))
        reject("{}: {} is not a positive number of {}", name, value, unit);
}

} // namespace

Eigen::VectorXd lumped_masses(const ConstPositions& vertices, const Tets& tets, double density)
{
    validate_positions(vertices, vertices.rows(), 3, "vertices");
    validate_elements(tets, 4, vertices.rows(), "tets");
    validate_positive(density, "density", "kg/m³");
    Eigen::VectorXd masses = Eigen::VectorXd::Zero(vertices.rows());
    for (Eigen::Index t = 0; t < tets.rows(); ++t) {
        const auto x = [&](int i) { return point<3>(vertices, tets(t, i)); };
        const double volume = signed_tet_volume(x(0), x(1), x(2), x(3), Order::value).value;
        if (!(volume > 0))
            reject("tets: row {} has the volume {:.3g}, which must be positive", t, volume);
        for (int i = 0; i < 4; ++i)
            masses[tets(t, i)] += density * volume / 4;
    }
    return masses;
}

Eigen::VectorXd lumped_masses(const ConstPositions& vertices, const Faces& faces, double density, double thickness)
{
    validate_positions(vertices, "vertices");
    validate_elements(faces, 3, vertices.rows(), "faces");
    validate_positive(density, "density", "kg/m³");
    validate_positive(thickness, "thickness", "metres");
    Eigen::VectorXd masses = Eigen::VectorXd::Zero(vertices.rows());
    for (Eigen::Index f = 0; f < faces.rows(); ++f) {
        double area;
        if (vertices.cols() == 2) {
            const auto x = [&](int i) { return point<2>(vertices, faces(f, i)); };
            area = signed_triangle_area(x(0), x(1), x(2), Order::value).value;
        } else {
            const auto x = [&](int i) { return point<3>(vertices, faces(f, i)); };
            area = triangle_area(x(0), x(1), x(2), Order::value).value;
        }
        if (!(area > 0))
            reject("faces: row {} has the area {:.3g}, which must be positive", f, area);
        for (int i = 0; i < 3; ++i)
            masses[faces(f, i)] += density * thickness * area / 3;
    }
    return masses;
}

} // namespace abut
