#include "abut/elastic/element_stress.hpp"

#include "abut/base/assert.hpp"
#include "abut/elastic/deformation.hpp"

#include <Eigen/LU>

#include <cmath>

namespace abut {

namespace {

/// The edges of an element from its first corner as columns; those of a triangle in the plane with one of length 1
/// across it, along which nothing is stretched.
Mat<3, 3> edges_of(const ConstPositions& x, const ConstElements& elements, Eigen::Index row)
{
    Mat<3, 3> edges = Mat<3, 3>::Identity();
    for (Eigen::Index i = 1; i < elements.cols(); ++i)
        edges.col(i - 1) = lifted(x, elements(row, i)) - lifted(x, elements(row, 0));
    return edges;
}

/// The same of a triangle in space, with the normal of length 1 at the end.
Mat<3, 3> edges_and_normal(const ConstPositions& x, std::span<const int> corners)
{
    const Vec3 a = point<3>(x, corners[0]), e = point<3>(x, corners[1]) - a, f = point<3>(x, corners[2]) - a;
    Mat<3, 3> edges;
    edges << e, f, e.cross(f).normalized();
    return edges;
}

/// F_p of an element; in the plane with what keeps the volume across it.
Mat<3, 3> plastic_part(const double* deformation, Eigen::Index row, Eigen::Index dim)
{
    Mat<3, 3> F_p = Mat<3, 3>::Identity();
    F_p.topLeftCorner(dim, dim) = Eigen::Map<const Eigen::MatrixXd>(deformation + row * dim * dim, dim, dim);
    if (dim == 2)
        F_p(2, 2) = 1 / F_p.determinant();
    return F_p;
}

Mat<3, 3> green_strain(const Mat<3, 3>& F) { return 0.5 * (F.transpose() * F - Mat<3, 3>::Identity()); }

} // namespace

double ElementStress::von_mises() const
{
    return std::sqrt(1.5) * (cauchy - cauchy.trace() / 3 * Mat<3, 3>::Identity()).norm();
}

std::vector<ElementStress> solid_stresses(
    const ConstPositions& rest_positions, const ConstElements& elements, const ElementMaterial& material,
    const ConstPositions& x)
{
    ABUT_ASSERT(elements.cols() == rest_positions.cols() + 1);
    std::vector<ElementStress> stresses(static_cast<std::size_t>(elements.rows()));
    for (Eigen::Index row = 0; row < elements.rows(); ++row) {
        const Mat<3, 3> F = edges_of(x, elements, row) * edges_of(rest_positions, elements, row).inverse();
        const double J = F.determinant();
        if (!(J > 0))
            continue;
        const Mat<3, 3> F_e =
            material.plastic_deformation != nullptr
                ? Mat<3, 3>(F * plastic_part(material.plastic_deformation, row, elements.cols() - 1).inverse())
                : F;
        const Mat<3, 3> P = deformation_energy<3, 3>(material.model, material.lame, F_e, Order::gradient).stress;
        stresses[row] = {P * F_e.transpose() / J, green_strain(F)};
    }
    return stresses;
}

template <typename Sheet>
std::vector<ElementStress>
membrane_stresses(const ConstPositions& rest_positions, const Sheet& membrane, const ConstPositions& x)
{
    const std::size_t count = membrane.stencils().size();
    std::vector<ElementStress> stresses(count);
    std::vector<Mat<3, 3>> F(count); // the normal at rest goes to the present one
    std::vector<int> whole;
    for (std::size_t k = 0; k < count; ++k) {
        const auto corners = membrane.stencils()[k];
        F[k] = edges_and_normal(x, corners) * edges_and_normal(rest_positions, corners).inverse();
        if (F[k].determinant() > 0) // the ratio of areas
            whole.push_back(static_cast<int>(k));
    }
    // Corners feel V P g_i, and Σ g_i (x_i - x_0)ᵀ = Fᵀ: their gradients say what P Fᵀ is, whatever the model.
    const Sheet terms = membrane.subset(whole);
    std::vector<double> gradients(9 * whole.size());
    terms.evaluate(x, {.gradients = gradients.data()});
    for (std::size_t k = 0; k < whole.size(); ++k) {
        const Eigen::Map<const Mat<3, 3>> f(gradients.data() + 9 * k);
        const Mat<3, 3> edges = edges_and_normal(x, terms.stencils()[k]);
        const Mat<3, 3> P_Ft = f.rightCols<2>() * edges.leftCols<2>().transpose() / terms.rest_volume(k);
        const Mat<3, 3>& each = F[whole[k]];
        stresses[whole[k]] = {P_Ft / each.determinant(), green_strain(each)};
    }
    return stresses;
}

template std::vector<ElementStress>
membrane_stresses(const ConstPositions&, const MembraneElasticity&, const ConstPositions&);
template std::vector<ElementStress>
membrane_stresses(const ConstPositions&, const WovenElasticity&, const ConstPositions&);
template std::vector<ElementStress> membrane_stresses(const ConstPositions&, const StrainLimit&, const ConstPositions&);

} // namespace abut
