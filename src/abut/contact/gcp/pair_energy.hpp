#pragma once
// The energy of one pair of GCP, factor by factor.

#include "abut/contact/gcp/toolkit.hpp"
#include "abut/contact/term_geometry.hpp"
#include "abut/geometry/point_edge.hpp"

namespace abut::gcp {

/// Calls visit(closest) with the closest points of a pair's elements by the first points of its stencil.
template <int Dim, typename Points, typename Visit>
void visit_closest(PairKind kind, const Points& x, const Plane* plane, Visit&& visit)
{
    abut::visit_closest<Dim>(kind, EdgeEdgeFeature::a_b, x, plane, std::forward<Visit>(visit));
}

/// r of a pair.
template <int Dim, typename Points>
Vec<Dim> closest_vector(PairKind kind, const Points& x, const Plane* plane)
{
    Vec<Dim> r = Vec<Dim>::Zero();
    gcp::visit_closest<Dim>(kind, x, plane, [&](const auto& closest) { r = closest.r; });
    return r;
}

/// Calls visit(p, e0, e1) for the distances of points to edges that a pair's mollifier compares with its own, by
/// numbers in the stencil. e1 = e0 stands for a point.
template <typename Visit>
void for_each_border(PairKind kind, Visit&& visit)
{
    switch (kind) {
    case PairKind::edge_vertex:
        visit(0, 1, 1);
        visit(0, 2, 2);
        break;
    case PairKind::face_vertex:
        for (int k = 0; k < 3; ++k)
            visit(0, 1 + k, 1 + (k + 1) % 3);
        break;
    case PairKind::edge_edge:
        visit(0, 2, 3);
        visit(1, 2, 3);
        visit(2, 0, 1);
        visit(3, 0, 1);
        break;
    default:
        break;
    }
}

/// Squared distance of point p to the point e0, or to the edge e0 e1 or the line through it.
template <int Dim, typename Points>
LocalTerm<3, Dim> border_distance(const Points& x, int p, int e0, int e1, bool is_line, Order order)
{
    const Vec<Dim> xp = x(p), a = x(e0), b = x(e1);
    if (e0 == e1)
        return point_edge_squared_distance<Dim>(xp, a, b, PointEdgeFeature::e0, order);
    return is_line ? point_line_squared_distance<Dim>(xp, a, b, order)
                   : point_edge_squared_distance<Dim>(xp, a, b, order);
}

template <typename Variant, int Dim>
class PairEnergy {
public:
    using Vector = Vec<Dim>;

    explicit PairEnergy(const SmoothContactParameters& params) : params_(params), exponent_(params.exponent(Dim)) {}

    /// Evaluates at the points x(0) ... x(n - 1) of the pair's stencil. Derivatives by r and the points are then in
    /// psi; those of the mollifiers by the points of the first element, moved together, in `mollifiers_by_first`.
    template <typename Points>
    void evaluate(const PairInput& pair, const Points& x, int n, Order order, bool substitutes = true)
    {
        psi.begin(n, pair.scale, order);
        if (order == Order::value) {
            multiply_factors(pair, x, PlainVector<Dim>{closest_vector<Dim>(pair.kind, x, pair.plane)}, order, false);
            return;
        }
        if (order == Order::gradient)
            evaluate_with<VectorSlope<Dim>>(pair, x, order, substitutes);
        else
            evaluate_with<VectorFunction<Dim>>(pair, x, order, substitutes);
    }

    /// Product of a pair's mollifiers, for the squared distance q.
    template <typename Points>
    static double mollifiers(PairKind kind, const Points& x, double q)
    {
        double product = 1;
        for_each_border(kind, [&](int p, int e0, int e1) {
            const double D = border_distance<Dim>(x, p, e0, e1, is_line(kind), Order::value).value;
            product *= rise(Variant::mollifier_argument(D, q)).value;
        });
        return product;
    }

    LogEnergy<Dim> psi;
    Vector mollifiers_by_first = Vector::Zero(); ///< only where r was not substituted

private:
    /// With derivatives, by vectors that have them.
    template <typename V, typename Points>
    void evaluate_with(const PairInput& pair, const Points& x, Order order, bool substitutes)
    {
        V r_of_x = V::variable(Vector::Zero(), 0);
        gcp::visit_closest<Dim>(pair.kind, x, pair.plane, [&](const auto& at) { r_of_x = V::of(at); });
        multiply_factors(pair, x, V::variable(r_of_x.value, psi.r()), order, substitutes);
        if (!psi.is_zero() && substitutes)
            psi.substitute(r_of_x);
    }

    /// With plain vectors for the value alone.
    template <typename V, typename Points>
    void multiply_factors(const PairInput& pair, const Points& x, const V& r, Order order, bool substitutes)
    {
        psi.multiply_by_length_law(r, Variant::barrier(r.value.norm(), pair.dhat, exponent_));
        if (psi.is_zero())
            return;
        add_mollifiers(pair, x, r.value, order, substitutes);
        for (std::size_t begin = 0; begin < pair.tests.size() && !psi.is_zero();)
            begin = add_tests(pair, x, r, begin);
        Variant::multiply_by_measures(psi, pair, x);
    }

    static bool is_line(PairKind kind) { return Variant::has_lines_as_borders && kind == PairKind::face_vertex; }

    template <typename Points>
    void add_mollifiers(const PairInput& pair, const Points& x, const Vector& r, Order order, bool substitutes)
    {
        mollifiers_by_first.setZero();
        const double q = r.squaredNorm();
        for_each_border(pair.kind, [&](int p, int e0, int e1) {
            const double D = border_distance<Dim>(x, p, e0, e1, is_line(pair.kind), Order::value).value;
            const double argument = Variant::mollifier_argument(D, q);
            if (argument >= 1 || psi.is_zero())
                return;
            const LawTerm f = rise(argument);
            psi.begin_factor(f);
            if (order == Order::value || psi.is_zero())
                return;
            const auto by = Variant::mollifier_derivatives(D, q);
            const auto term = border_distance<Dim>(x, p, e0, e1, is_line(pair.kind), order);
            // A border that is a point has no second one.
            if (e0 == e1) {
                LocalTerm<2, Dim> two;
                two.gradient = term.gradient.template head<2 * Dim>();
                two.hessian = term.hessian.template topLeftCorner<2 * Dim, 2 * Dim>();
                psi.template add_ratio<2>(two, {p, e0}, r, by);
            } else
                psi.template add_ratio<3>(term, {p, e0, e1}, r, by);
            psi.end_factor();
            if (!substitutes) {
                const std::array<int, 3> points{p, e0, e1};
                for (int i = 0; i < (e0 == e1 ? 2 : 3); ++i)
                    if (points[i] < num_first(pair.kind))
                        mollifiers_by_first +=
                            (f.first / f.value * by.D) * term.gradient.template segment<Dim>(i * Dim);
            }
        });
    }

    /// The factor that begins at a test; returns where the next begins. Normals of a side make one factor.
    template <typename V, typename Points>
    std::size_t add_tests(const PairInput& pair, const Points& x, const V& r, std::size_t begin)
    {
        const Test& test = pair.tests[begin];
        const SideOfPair& side = side_of(pair.kind, test.side);
        if (test.kind == Test::Kind::normal)
            return add_normals(pair, x, r, begin);
        if (test.kind == Test::Kind::sector)
            add_sector(Sector<V>::of(test, x, side.origin()), r, side.away);
        else
            add_tangent(tangent_of<V>(test, x, side.origin()), r, side.away);
        return begin + 1;
    }

    template <typename V, typename Points>
    std::size_t add_normals(const PairInput& pair, const Points& x, const V& r, std::size_t begin)
    {
        const SideOfPair& side = side_of(pair.kind, pair.tests[begin].side);
        std::size_t end = begin;
        double sum = 0;
        for (; end < pair.tests.size() && pair.tests[end].kind == Test::Kind::normal &&
               pair.tests[end].side == pair.tests[begin].side;
             ++end)
            sum += step_of(normal_of<V>(pair.tests[end], x, side.origin()), r, side.away).value;
        psi.begin_factor(smooth_step(sum - 1, width_of_sum<Dim>(params_.alpha_n), 0));
        if (psi.is_zero())
            return end;
        for (std::size_t k = begin; k < end; ++k) {
            const V n = normal_of<V>(pair.tests[k], x, side.origin());
            const LawTerm H = step_of(n, r, side.away);
            psi.add_cosine(n, r, {H.value, side.away * H.first, H.second});
        }
        psi.end_factor();
        return end;
    }
    template <typename V>
    [[nodiscard]] LawTerm step_of(const V& n, const V& r, double away) const
    {
        return smooth_step(away * cosine(n, r), params_.alpha_n, params_.beta_n);
    }

    template <typename V>
    void add_tangent(const V& t, const V& r, double away)
    {
        psi.begin_factor(smooth_step(-away * cosine(t, r), params_.alpha_t, params_.beta_t));
        psi.add_cosine(t, r, {0, -away, 0});
        psi.end_factor();
    }

    template <typename V>
    void add_sector(const Sector<V>& sector, const V& r, double away)
    {
        psi.begin_factor(smooth_step(sector.argument(r, away), params_.alpha_n, params_.beta_n));
        psi.add_cosine(sector.n1, r, {0, away, 0});
        psi.add_cosine(sector.n2, r, {0, away, 0});
        psi.add_cosine(sector.t1, sector.n2, {0, -1, 0});
        psi.end_factor();
    }

    const SmoothContactParameters& params_;
    int exponent_;
};

} // namespace abut::gcp
