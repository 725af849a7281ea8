#pragma once
// The energy of one pair of GCP, factor by factor.

#include "abut/contact/gcp/log_energy.hpp"
#include "abut/contact/gcp/smooth_collisions.hpp"
#include "abut/contact/gcp/smoothing.hpp"
#include "abut/geometry/point_edge.hpp"

namespace abut::gcp {

/// d of a pair by its own points, the first ones of its stencil: edge or face, then vertex; edge, then edge. `plane` is
/// that of a plane-vertex pair.
template <int Dim, typename Points>
VectorFunction<Dim> difference_of(PairKind kind, const Points& x, const Plane* plane)
{
    using Function = VectorFunction<Dim>;
    switch (kind) {
    case PairKind::edge_vertex:
        return Function::perpendicular(x, 0, 1, 2);
    case PairKind::edge_edge:
        if constexpr (Dim == 3)
            return Function::along_normal(x, 0, 1, 2, 3, 2);
        break;
    case PairKind::face_vertex:
        if constexpr (Dim == 3)
            return Function::along_normal(x, 0, 1, 0, 2, 3);
        break;
    case PairKind::plane_vertex:
        return Function::above_plane(
            x, Vec<Dim>(plane->point.template head<Dim>()), Vec<Dim>(plane->normal.template head<Dim>()));
    default:
        break;
    }
    return Function::difference(x, 0, 1);
}

/// Calls visit(p, e0, e1, whole_line) for the distances of points to edges that a pair's mollifier compares with its
/// own, by numbers in the stencil. e1 = e0 stands for a point.
template <typename Visit>
void for_each_border(PairKind kind, bool is_toolkit, Visit&& visit)
{
    switch (kind) {
    case PairKind::edge_vertex:
        visit(2, 0, 0, false);
        visit(2, 1, 1, false);
        break;
    case PairKind::face_vertex:
        for (int k = 0; k < 3; ++k)
            visit(3, k, (k + 1) % 3, is_toolkit);
        break;
    case PairKind::edge_edge:
        visit(0, 2, 3, false);
        visit(1, 2, 3, false);
        visit(2, 0, 1, false);
        visit(3, 0, 1, false);
        break;
    default:
        break;
    }
}

/// The argument of a closest-point mollifier, and its derivatives by the squared distances D and q: (D/q - 1)/c of the
/// toolkit's, (√(D/q) - 1)/c of the paper's.
template <int Dim>
struct Mollifier {
    using RatioDerivatives = typename LogEnergy<Dim>::RatioDerivatives;

    bool is_toolkit;

    [[nodiscard]] double argument(double D, double q) const
    {
        const double s = is_toolkit ? D / q : std::sqrt(D / q);
        return (s - 1) / mollifier_width;
    }
    [[nodiscard]] RatioDerivatives derivatives(double D, double q) const
    {
        const double c = 1 / mollifier_width;
        if (is_toolkit)
            return {c / q, -c * D / (q * q), 0, -c / (q * q), 2 * c * D / (q * q * q)};
        const double s = c * std::sqrt(D / q);
        return {s / (2 * D), -s / (2 * q), -s / (4 * D * D), -s / (4 * D * q), 3 * s / (4 * q * q)};
    }
};

/// Squared distance of point p to the segment, line or point e0 e1.
template <int Dim, typename Points>
LocalTerm<3, Dim> border_distance(const Points& x, int p, int e0, int e1, bool whole_line, Order order)
{
    const Vec<Dim> xp = x(p), a = x(e0), b = x(e1);
    if (e0 == e1)
        return point_edge_squared_distance<Dim>(xp, a, b, PointEdgeFeature::e0, order);
    return whole_line ? point_line_squared_distance<Dim>(xp, a, b, order)
                      : point_edge_squared_distance<Dim>(xp, a, b, order);
}

/// Product of a pair's mollifiers.
template <int Dim, typename Points>
double mollifier_value(PairKind kind, bool is_toolkit, const Points& x, double q)
{
    double M = 1;
    const Mollifier<Dim> mollifier{is_toolkit};
    for_each_border(kind, is_toolkit, [&](int p, int e0, int e1, bool whole_line) {
        const double D = border_distance<Dim>(x, p, e0, e1, whole_line, Order::value).value;
        M *= rise(mollifier.argument(D, q)).value;
    });
    return M;
}

/// What the factors of a pair are computed with.
struct PairInput {
    PairKind kind;
    int num_vertices;              ///< of the two elements
    double dhat, scale;            ///< extent; stiffness times weight
    const Plane* plane;            ///< of a plane-vertex pair
    std::span<const Test> tests;   ///< by side
    std::span<const int> rings[2]; ///< toolkit: the neighbours of a vertex on each side, by numbers in the stencil

    /// The number of the second element's first vertex.
    [[nodiscard]] int first_of_second() const { return kind == PairKind::edge_edge ? 2 : num_vertices - 1; }
};

template <int Dim>
class PairEnergy {
public:
    using Vector = Vec<Dim>;
    using Function = VectorFunction<Dim>;

    PairEnergy(const SmoothContactParameters& params, int dim)
        : params_(params), exponent_(params.exponent(dim)),
          is_toolkit_(params.variant == SmoothContactVariant::toolkit), mollifier_{is_toolkit_}
    {}

    /// Evaluates at the points x(0) ... x(n - 1) of the pair's stencil. Derivatives by d and the points are then in
    /// psi, those of the mollifiers by the points of the second element in `mollifier_on_second`.
    template <typename Points>
    void evaluate(const PairInput& pair, const Points& x, int n, Order order, bool substitutes = true)
    {
        psi.begin(n, pair.scale, order);
        const Function d_of_x = difference_of<Dim>(pair.kind, x, pair.plane);
        const Function d = Function::variable(d_of_x.value, psi.d());
        const double length = d.value.norm();
        psi.multiply_by_length_law(d, barrier(length, pair.dhat));
        if (psi.is_zero())
            return;
        add_mollifiers(pair, x, d.value, order, substitutes);
        for (std::size_t begin = 0; begin < pair.tests.size() && !psi.is_zero();)
            begin = add_tests(pair, x, d, begin);
        if (is_toolkit_)
            add_measures(pair, x);
        if (!psi.is_zero() && substitutes)
            psi.substitute(d_of_x);
    }

    LogEnergy<Dim> psi;
    Vector mollifier_on_second = Vector::Zero(); ///< only where d was not substituted

private:
    [[nodiscard]] LawTerm barrier(double z, double eps) const
    {
        LawTerm p = spline_barrier(z, eps, exponent_);
        if (is_toolkit_) { // powers of z/eps, and no 3/2
            const double factor = 2.0 / 3 * std::pow(eps, exponent_);
            p = {factor * p.value, factor * p.first, factor * p.second};
        }
        return p;
    }

    template <typename Points>
    void add_mollifiers(const PairInput& pair, const Points& x, const Vector& d, Order order, bool substitutes)
    {
        mollifier_on_second.setZero();
        const double q = d.squaredNorm();
        for_each_border(pair.kind, is_toolkit_, [&](int p, int e0, int e1, bool whole_line) {
            const double D = border_distance<Dim>(x, p, e0, e1, whole_line, Order::value).value;
            const double argument = mollifier_.argument(D, q);
            if (argument >= 1 || psi.is_zero())
                return;
            const LawTerm f = rise(argument);
            psi.begin_factor(f);
            if (order == Order::value || psi.is_zero())
                return;
            const auto by = mollifier_.derivatives(D, q);
            const auto term = border_distance<Dim>(x, p, e0, e1, whole_line, order);
            // A border that is a point has no second one.
            if (e0 == e1) {
                LocalTerm<2, Dim> two;
                two.gradient = term.gradient.template head<2 * Dim>();
                two.hessian = term.hessian.template topLeftCorner<2 * Dim, 2 * Dim>();
                psi.template add_ratio<2>(two, {p, e0}, d, by);
            } else
                psi.template add_ratio<3>(term, {p, e0, e1}, d, by);
            psi.end_factor();
            if (!substitutes) {
                const std::array<int, 3> points{p, e0, e1};
                for (int i = 0; i < (e0 == e1 ? 2 : 3); ++i)
                    if (points[i] >= pair.first_of_second())
                        mollifier_on_second +=
                            (f.first / f.value * by.D) * term.gradient.template segment<Dim>(i * Dim);
            }
        });
    }

    /// Of each side the first vertex, that its vectors start from.
    [[nodiscard]] static int origin(const PairInput& pair, int side) { return side == 0 ? 0 : pair.first_of_second(); }
    [[nodiscard]] static bool is_edge(const PairInput& pair, int side)
    {
        return pair.kind == PairKind::edge_edge || (pair.kind == PairKind::edge_vertex && side == 0);
    }

    /// The factor that begins at a test; returns where the next begins. Normals of a side make one factor.
    template <typename Points>
    std::size_t add_tests(const PairInput& pair, const Points& x, const Function& d, std::size_t begin)
    {
        const Test& test = pair.tests[begin];
        const int c = origin(pair, test.side);
        const double out = test.side == 0 ? 1 : -1; // d points away from the first element
        switch (test.kind) {
        case Test::Kind::along:
            add_tangent(Function::difference(x, c, test.i), d, out);
            return begin + 1;
        case Test::Kind::bisector:
            add_tangent(Function::bisector(x, c, test.i, test.j), d, out);
            return begin + 1;
        case Test::Kind::across:
            add_tangent(Function::perpendicular(x, c, c + 1, test.i), d, out);
            return begin + 1;
        case Test::Kind::sector:
            add_sector(pair, x, d, test, c, out);
            return begin + 1;
        case Test::Kind::normal:
            break;
        }
        std::size_t end = begin;
        double sum = 0;
        while (end < pair.tests.size() && pair.tests[end].kind == Test::Kind::normal &&
               pair.tests[end].side == test.side) {
            const Function n = Function::normal(x, c, pair.tests[end].i, pair.tests[end].j);
            sum += smooth_step(out * cosine(n, d), params_.alpha_n, params_.beta_n).value;
            ++end;
        }
        psi.begin_factor(smooth_step(sum - 1, Dim == 2 ? params_.alpha_n : 1, 0));
        if (psi.is_zero())
            return end;
        for (std::size_t k = begin; k < end; ++k) {
            const Function n = Function::normal(x, c, pair.tests[k].i, pair.tests[k].j);
            const LawTerm H = smooth_step(out * cosine(n, d), params_.alpha_n, params_.beta_n);
            psi.add_cosine(n, d, {H.value, out * H.first, H.second});
        }
        psi.end_factor();
        return end;
    }

    static double cosine(const Function& a, const Function& b)
    {
        return a.value.dot(b.value) / (a.value.norm() * b.value.norm());
    }

    /// The distance must not fall along t.
    void add_tangent(const Function& t, const Function& d, double out)
    {
        const LawTerm H = smooth_step(-out * cosine(t, d), params_.alpha_t, params_.beta_t);
        psi.begin_factor(H);
        psi.add_cosine(t, d, {0, -out, 0});
        psi.end_factor();
    }

    /// Is the other element outside of the wedge of the two faces at an edge, or the two edges at a vertex in the
    /// plane? Eq. 9, (v - e1) x (v - e2) of unit vectors, by the normals: d.n1 + d.n2 - t1.n2.
    template <typename Points>
    void add_sector(const PairInput& pair, const Points& x, const Function& d, const Test& test, int c, double out)
    {
        Function t1 = Function::variable(Vector::Zero(), 0), n1 = t1, n2 = t1;
        if (Dim == 3 && is_edge(pair, test.side)) {
            t1 = Function::perpendicular(x, c, c + 1, test.i);
            n1 = Function::normal(x, c, c + 1, test.i);
            n2 = Function::normal(x, c, test.j, c + 1);
        } else {
            t1 = Function::difference(x, c, test.i);
            n1 = Function::normal(x, c, test.i, -1);
            n2 = Function::normal(x, c, -1, test.j);
        }
        const double Phi = out * (cosine(n1, d) + cosine(n2, d)) - cosine(t1, n2);
        psi.begin_factor(smooth_step(Phi, params_.alpha_n, params_.beta_n));
        psi.add_cosine(n1, d, {0, out, 0});
        psi.add_cosine(n2, d, {0, out, 0});
        psi.add_cosine(t1, n2, {0, -1, 0});
        psi.end_factor();
    }

    /// The toolkit's measures: of current positions, and so with derivatives.
    template <typename Points>
    void add_measures(const PairInput& pair, const Points& x)
    {
        for (int side = 0; side < 2; ++side) {
            const int c = origin(pair, side), end = c + 1;
            const std::span<const int> ring =
                is_edge(pair, side) ? std::span<const int>(&end, 1) : std::span<const int>(pair.rings[side]);
            if (pair.kind == PairKind::face_vertex && side == 0)
                psi.multiply_by_length_law(Function::normal(x, 0, 1, 2), half_length(Function::normal(x, 0, 1, 2)));
            else if (Dim == 3)
                psi.multiply_by_squares(x, c, ring, is_edge(pair, side) ? 1 : 1.0 / 3);
            else if (!ring.empty()) { // of a loose vertex in the plane it is 1
                functions_.clear();
                for (const int neighbour : ring)
                    functions_.push_back(Function::difference(x, c, neighbour));
                psi.multiply_by_lengths(functions_, ring.size() == 1 ? 1 : 0.5);
            }
        }
    }

    static LawTerm half_length(const Function& a) { return {0.5 * a.value.norm(), 0.5, 0}; }

    const SmoothContactParameters& params_;
    int exponent_;
    bool is_toolkit_;
    Mollifier<Dim> mollifier_;
    std::vector<Function> functions_;
};

} // namespace abut::gcp
