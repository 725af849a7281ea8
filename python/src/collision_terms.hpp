#pragma once
// Terms of one kind of a set of collisions, as Python sees them: arrays that are views of the set, which never changes.

#include "abut/contact/friction/tangential_collisions.hpp"

namespace abut::python {

struct TermsView {
    std::shared_ptr<const void> owner;
    Eigen::Map<const Elements> vertices;
    std::span<const IndexPair> elements;
    std::span<const double> weights;

    template <int N>
    TermsView(std::shared_ptr<const void> set, const CollisionTerms<N>& terms)
        : owner(std::move(set)), vertices(rows(terms.vertices)), elements(terms.elements), weights(terms.weights)
    {}

    /// Rows of the same length as a matrix.
    template <typename T, std::size_t N>
    static auto rows(const std::vector<std::array<T, N>>& rows)
    {
        using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        const auto count = static_cast<Eigen::Index>(rows.size());
        return Eigen::Map<const Matrix>(count == 0 ? nullptr : rows.front().data(), count, N);
    }
};

struct EdgeEdgeTermsView : TermsView {
    std::span<const std::uint8_t> features;
    std::span<const double> eps_x;

    EdgeEdgeTermsView(std::shared_ptr<const void> set, const EdgeEdgeTerms& terms)
        : TermsView(std::move(set), terms),
          features(reinterpret_cast<const std::uint8_t*>(terms.features.data()), terms.size()), eps_x(terms.eps_x)
    {}
};

struct TangentialTermsView : TermsView {
    int dim;
    std::span<const double> normal_forces, mu_s, mu_k;
    Eigen::Map<const Positions> coefficients;
    std::span<const Mat<3, 2>> bases;

    template <int N>
    TangentialTermsView(std::shared_ptr<const void> set, const TangentialTerms<N>& terms, int dimension)
        : TermsView(std::move(set), terms), dim(dimension), normal_forces(terms.normal_forces), mu_s(terms.mu_s),
          mu_k(terms.mu_k), coefficients(rows(terms.coefficients)), bases(terms.bases)
    {}
};

} // namespace abut::python
