#include "abut/contact/friction/tangential_potential.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/friction/term_tangents.hpp"

#include <algorithm>
#include <functional>
#include <span>

namespace abut {

/// One evaluation of a potential over a set, in batches; every term's result goes to its own place.
class TangentialEvaluation {
public:
    TangentialEvaluation(
        const TangentialPotential& potential, const TangentialCollisions& collisions, const CollisionMesh& mesh,
        const ConstPositions& velocities)
        : potential_(potential), collisions_(collisions), mesh_(mesh), V_(velocities),
          aniso_(collisions.friction().mu_aniso)
    {
        collisions.validate(mesh, velocities, "velocities");
    }

    TermOutput out{}; ///< what is asked for

    void run(const TermOutput& asked)
    {
        out = asked;
        run();
    }

    void run()
    {
        projection_ = projection_of(out.hessian);
        std::size_t term = 0, entry = 0, block = 0;
        const auto run_kind = [&]<int N>(PairKind, const TangentialTerms<N>& list) {
            parallel_ranges(list.size(), 1024, [&](std::size_t begin, std::size_t end) {
                for (; begin < end; begin += batch) {
                    const std::size_t count = std::min(batch, end - begin);
                    if (mesh_.dim() == 2)
                        run_batch<N, 2>(list, begin, count, term, entry, block);
                    else
                        run_batch<N, 3>(list, begin, count, term, entry, block);
                }
            });
            term += list.size();
            entry += list.size() * N;
            block += list.size() * (N * (N + 1) / 2);
        };
        for_each_kind(run_kind, collisions_.by_kind());
        ABUT_ASSERT(term == collisions_.size());
        ABUT_ASSERT(block == static_cast<std::size_t>(collisions_.stencils().num_blocks()));
    }

    /// Gets a term's vertices and dF/dx, the derivative of its force by the positions it was lagged at.
    using AddJacobian = std::function<void(std::span<const int>, const Eigen::Ref<const Eigen::MatrixXd>&)>;

    /// Calls add for every term.
    template <int Dim>
    void
    run_lagged_jacobian(const ConstPositions& X, const NormalPotential& normal_potential, const AddJacobian& add) const
    {
        const auto run_kind = [&]<int N>(auto kind, const TangentialTerms<N>& list) {
            if constexpr (exists_in(Dim, kind))
                for (std::size_t k = 0; k < list.size(); ++k)
                    add(list.vertices[k],
                        lagged_jacobian<N, Dim>(
                            list, k, tangents_of<Dim>(kind, list, k, mesh_, X, Order::gradient), normal_potential));
        };
        for_each_kind(run_kind, collisions_.by_kind());
    }

private:
    static constexpr std::size_t batch = 128;

    template <int N, int Dim>
    void run_batch(
        const TangentialTerms<N>& list, std::size_t begin, std::size_t count, std::size_t first_term,
        std::size_t first_entry, std::size_t first_block) const
    {
        ABUT_ASSERT(count <= batch && begin + count <= list.size());
        std::array<Vec<Dim - 1>, batch> sliding; // A u
        std::array<double, batch> y{};
        std::array<TangentialTerm, batch> laws;
        for (std::size_t k = 0; k < count; ++k) {
            Vec<Dim> velocity = Vec<Dim>::Zero();
            for (int i = 0; i < N; ++i)
                velocity += list.coefficients[begin + k][i] * point<Dim>(V_, list.vertices[begin + k][i]);
            sliding[k] = basis<Dim>(list, begin + k).transpose() * velocity;
            for (int a = 0; a < Dim - 1; ++a)
                sliding[k][a] *= aniso_[a];
            if (!list.anchors.empty())
                sliding[k] += list.anchors[begin + k].slip.template head<Dim - 1>();
            y[k] = sliding[k].norm();
        }
        std::array<double, batch> z = y;
        if (!list.anchors.empty())
            for (std::size_t k = 0; k < count; ++k)
                z[k] /= list.anchors[begin + k].reach;
        potential_.evaluate_law(
            {z.data(), count}, {list.mu_s.data() + begin, count}, {list.mu_k.data() + begin, count},
            {laws.data(), count});
        if (!list.anchors.empty())
            for (std::size_t k = 0; k < count; ++k)
                laws[k] = stretched(laws[k], list.anchors[begin + k].reach);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t term = begin + k;
            const double force = list.weights[term] * list.normal_forces[term];
            if (out.values != nullptr)
                out.values[first_term + term] = force * laws[k].value;
            if (out.gradients == nullptr && out.blocks == nullptr)
                continue;
            Mat<Dim, Dim - 1> PA = basis<Dim>(list, term);
            for (int a = 0; a < Dim - 1; ++a)
                PA.col(a) *= aniso_[a];
            if (out.gradients != nullptr) {
                const Vec<Dim> t = PA * (force * laws[k].first_over_y * sliding[k]);
                for (int i = 0; i < N; ++i)
                    Eigen::Map<Vec<Dim>>{out.gradients + (first_entry + term * N + i)* Dim} =
                        list.coefficients[term][i] * t;
            }
            if (out.blocks != nullptr)
                store_blocks<N, Dim>(
                    list.coefficients[term], inner_block<Dim>(PA, sliding[k], y[k], force, laws[k]),
                    out.blocks + (first_block + term * (N * (N + 1) / 2)) * (Dim * Dim));
        }
    }

    template <int Dim, int N>
    static Mat<Dim, Dim - 1> basis(const TangentialTerms<N>& list, std::size_t term)
    {
        return list.bases[term].template topLeftCorner<Dim, Dim - 1>();
    }

    [[nodiscard]] double projected(double eigenvalue) const
    {
        if (eigenvalue >= 0 || projection_ == PSDProjectionMethod::none)
            return eigenvalue;
        return projection_ == PSDProjectionMethod::abs ? -eigenvalue : 0;
    }

    /// P A [ across I + (along − across) û ûᵀ ] A Pᵀ.
    template <int Dim>
    [[nodiscard]] Mat<Dim, Dim> inner_block(
        const Mat<Dim, Dim - 1>& PA, const Vec<Dim - 1>& sliding, double y, double force,
        const TangentialTerm& law) const
    {
        const double along = projected(force * law.second), across = projected(force * law.first_over_y);
        if (y == 0) // the two are equal, and there is no direction
            return across * PA * PA.transpose();
        const Vec<Dim> t = PA * (sliding / y);
        if constexpr (Dim == 2)
            return along * t * t.transpose();
        else
            return across * PA * PA.transpose() + (along - across) * t * t.transpose();
    }

    template <int N, int Dim>
    static void store_blocks(const std::array<double, N>& c, const Mat<Dim, Dim>& B, double* to)
    {
        for (int i = 0; i < N; ++i)
            for (int j = 0; j <= i; ++j, to += Dim * Dim)
                Eigen::Map<Mat<Dim, Dim>>{to} = c[i] * c[j] * B;
    }

    /// The force on vertex i is F_i = −w N phi c_i t with t = P A² u, phi = g1 / y; everything but w and v is a
    /// function of x. Derivatives are found one coordinate of x at a time: that is a column, written d below.
    template <int N, int Dim>
    Mat<N * Dim, N * Dim> lagged_jacobian(
        const TangentialTerms<N>& list, std::size_t term, const TermTangents<N, Dim>& at,
        const NormalPotential& normal_potential) const
    {
        constexpr int K = Dim - 1;
        const Vec<K> squares = aniso_.template head<K>().cwiseAbs2();
        Mat<Dim, N> v;
        for (int i = 0; i < N; ++i)
            v.col(i) = point<Dim>(V_, list.vertices[term][i]);
        const Vec<Dim> velocity = v * at.w;
        const Vec<K> u = at.basis.transpose() * velocity;
        const Vec<K> q = squares.cwiseProduct(u);
        const Vec<Dim> t = at.basis * q;
        const double y = std::sqrt(q.dot(u));

        // phi by speed, dy = q . du / y, and by the coefficients, in which it is linear.
        Vec<4> w = Vec<4>::Zero();
        w.template head<N>() = at.w;
        const int plane = N == 1 ? list.elements[term][0] : -1; // a stencil of one vertex is against a plane
        const PairCoefficients mu =
            pair_coefficients(collisions_.friction(), mesh_, list.vertices[term], at.num_first, w, plane);
        const TangentialTerm law = evaluate(y, mu.mu_s.mu, mu.mu_k.mu);
        const double phi = law.first_over_y, phi_y = y > 0 ? (law.second - phi) / (y * y) : 0;
        const Vec<N> phi_w = evaluate(y, 1, 0).first_over_y * mu.mu_s.by_weight.template head<N>() +
                             evaluate(y, 0, 1).first_over_y * mu.mu_k.by_weight.template head<N>();

        // N = −2 κ s b'(D) d, if it is not the same for every pair
        const ContactRange range{.dhat = normal_potential.dhat(), .dmin = collisions_.dmin()};
        const std::optional<double> constant = normal_potential.sliding_force();
        const double offset = list.offset(term), squared = squared_gap(at.squared_distance, offset);
        const LawTerm b = at_offset(normal_potential.law()(squared, range), at.squared_distance, offset);
        const double d = std::sqrt(at.squared_distance), scale = normal_potential.scale(range.dmin);
        const double force = constant ? (range.reaches(squared) ? *constant : 0) : -2 * scale * b.first * d;
        const double force_D = constant ? 0 : -2 * scale * (b.second * d + b.first / (2 * d));

        Mat<N * Dim, N * Dim> jacobian;
        for (int column = 0; column < N * Dim; ++column) {
            const Vec<N> dw = at.w_jacobian.col(column);
            const Mat<Dim, K> dP =
                at.basis_jacobian.col(column).template reshaped<Eigen::ColMajor>(Eigen::fix<Dim>, Eigen::fix<K>);
            const Vec<Dim> dvelocity = v * dw;
            const Vec<K> du = dP.transpose() * velocity + at.basis.transpose() * dvelocity;
            const Vec<K> dq = squares.cwiseProduct(du);
            const Vec<Dim> dt = dP * q + at.basis * dq;
            const double dforce = force_D * at.distance_gradient[column];
            const double dphi = phi_y * q.dot(du) + phi_w.dot(dw);
            for (int i = 0; i < N; ++i)
                jacobian.template block<Dim, 1>(i * Dim, column) =
                    -list.weights[term] *
                    ((at.w[i] * (dforce * phi + force * dphi) + force * phi * dw[i]) * t + force * phi * at.w[i] * dt);
        }
        return jacobian;
    }

    [[nodiscard]] TangentialTerm evaluate(double y, double mu_s, double mu_k) const
    {
        TangentialTerm term;
        potential_.evaluate_law({&y, 1}, {&mu_s, 1}, {&mu_k, 1}, {&term, 1});
        return term;
    }

    const TangentialPotential& potential_;
    const TangentialCollisions& collisions_;
    const CollisionMesh& mesh_;
    const ConstPositions& V_;
    Vec2 aniso_;
    PSDProjectionMethod projection_ = PSDProjectionMethod::none;
};

void TangentialPotential::evaluate(
    const TangentialCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& velocities,
    const TermOutput& out) const
{
    TangentialEvaluation(*this, collisions, mesh, velocities).run(out);
}

Eigen::VectorXd TangentialPotential::force(
    const TangentialCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& velocities) const
{
    return -gradient(collisions, mesh, velocities);
}

Eigen::SparseMatrix<double> TangentialPotential::force_jacobian(
    const TangentialCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& lagged_positions,
    const ConstPositions& velocities, const NormalPotential& normal_potential, DiffWRT wrt) const
{
    if (wrt == DiffWRT::velocities)
        return -hessian(collisions, mesh, velocities);
    if (collisions.is_anchored())
        reject("collisions: with anchors, whose memory has no derivative by lagged positions");
    if (collisions.is_smooth())
        reject("collisions: of GCP, whose normal forces have no derivative by lagged positions here");
    collisions.validate(mesh, lagged_positions, "lagged_positions");
    collisions.friction().validate(mesh);
    const TangentialEvaluation evaluation(*this, collisions, mesh, velocities);
    const int dim = mesh.dim();
    std::vector<Eigen::Triplet<double>> triplets;
    const auto add = [&](std::span<const int> vertices, const Eigen::Ref<const Eigen::MatrixXd>& jacobian) {
        const auto n = static_cast<int>(jacobian.rows());
        for (int row = 0; row < n; ++row)
            for (int column = 0; column < n; ++column)
                triplets.emplace_back(
                    vertices[row / dim] * dim + row % dim, vertices[column / dim] * dim + column % dim,
                    jacobian(row, column));
    };
    if (dim == 2)
        evaluation.run_lagged_jacobian<2>(lagged_positions, normal_potential, add);
    else
        evaluation.run_lagged_jacobian<3>(lagged_positions, normal_potential, add);
    Eigen::SparseMatrix<double> jacobian(mesh.ndof(), mesh.ndof());
    jacobian.setFromTriplets(triplets.begin(), triplets.end());
    return jacobian;
}

FrictionPotential::FrictionPotential(double eps_v) : eps_v_(eps_v)
{
    if (!(eps_v > 0 && std::isfinite(eps_v)))
        reject("eps_v: {} is not a positive speed [m/s]", eps_v);
}

void FrictionPotential::evaluate_law(
    std::span<const double> y, std::span<const double> mu_s, std::span<const double> mu_k,
    std::span<TangentialTerm> terms) const
{
    for (std::size_t k = 0; k < y.size(); ++k)
        terms[k] = SmoothFriction{mu_s[k], mu_k[k], eps_v_}(y[k]);
}

} // namespace abut
