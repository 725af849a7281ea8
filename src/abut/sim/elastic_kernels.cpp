#include "abut/sim/block_kernels.hpp"

#include "abut/elastic/deformation.hpp"
#include "abut/elastic/hencky.hpp"
#include "abut/math/point_lanes.hpp"
#include "abut/solver/block_rounds.hpp"

#include <numbers>

namespace abut {

namespace {

constexpr int width = BlockGroups::width;

void add_lanes(double* to, Lanes value)
{
    const Lanes sum = load_lanes(to) + value;
    std::memcpy(to, &sum, sizeof sum);
}

/// Stencils of the rounds, by corner and lane.
template <int N>
std::vector<int> vertices_of_rounds(const Stencils& stencils, const BlockRounds& rounds)
{
    std::vector<int> vertices(rounds.num_rounds() * N * width);
    for (std::size_t round = 0; round < rounds.num_rounds(); ++round)
        for (int lane = 0; lane < width; ++lane)
            for (int i = 0; i < N; ++i)
                vertices[(round * N + i) * width + lane] = stencils[rounds.at(round, lane).term][i];
    return vertices;
}

/// The law of elastic elements: their fields, and phi of them.
template <int D>
struct ElasticLaw {
    static constexpr int num_parameters = 2; ///< mu, lambda
    ElasticModel model;

    static double field(const SimplexElasticity<3, D>& elements, std::size_t term, int k)
    {
        return elements.rest_field(term, k);
    }
    template <typename Parameter>
    void differentiate(const Parameter& parameter, const Lanes (&sigma)[D], StretchTerm<D>& phi) const
    {
        stretch_energy<D>(model, {parameter(0), parameter(1)}, sigma, Order::hessian, phi);
    }
};

/// Of tetrahedra that flow.
struct PlasticLaw {
    static constexpr int num_parameters = 5; ///< and yield, slope, third

    static double field(const PlasticSolids<3>& elements, std::size_t term, int k)
    {
        return elements.step_field(term, k);
    }
    template <typename Parameter>
    void differentiate(const Parameter& parameter, const Lanes (&sigma)[3], StretchTerm<3>& phi) const
    {
        flow_energy<3>(
            {parameter(0), parameter(1)}, {parameter(2), parameter(3), parameter(4)}, sigma, Order::hessian, phi);
    }
};

/// Triangles in space, or tetrahedra.
template <int D, typename Law>
class SimplexBlocks final : public BlockTerms {
public:
    template <typename Elements>
    SimplexBlocks(const Elements& elements, const BlockGroups& groups, Law law) : law_(law)
    {
        const BlockRounds rounds(elements.stencils(), groups);
        starts_ = rounds.starts;
        vertices_ = vertices_of_rounds<D + 1>(elements.stencils(), rounds);
        fields_.resize(rounds.num_rounds() * num_fields * width);
        for (std::size_t round = 0; round < rounds.num_rounds(); ++round)
            for (int lane = 0; lane < width; ++lane) {
                const auto [term, corner] = rounds.at(round, lane);
                const auto at = [&](int field) -> double& {
                    return fields_[(round * num_fields + field) * width + lane];
                };
                for (int k = 0; k < own_gradient; ++k)
                    at(k) = Law::field(elements, term, k);
                if (rounds.is_idle(round, lane))
                    at(D * D) = 0;
                for (int b = 0; b < D; ++b) {
                    double own = 0;
                    if (corner > 0)
                        own = at((corner - 1) * D + b);
                    else
                        for (int i = 0; i < D; ++i)
                            own -= at(i * D + b);
                    at(own_gradient + b) = own;
                }
            }
    }

    void add(const double* points, std::size_t first, std::size_t last, double* sums) const override
    {
        for (std::size_t group = first; group < last; ++group, sums += num_block_sums * width)
            for (std::size_t round = starts_[group]; round < starts_[group + 1]; ++round)
                for (int lane = 0; lane < width; lane += num_lanes)
                    add_round(points, round, lane, sums + lane);
    }

private:
    /// g_1 .. g_D, V, parameters of the law, and the gradient of the shape function of the corner itself.
    static constexpr int own_gradient = D * D + 1 + Law::num_parameters, num_fields = own_gradient + D;

    /// As one function: calls would pass lanes through memory.
    [[gnu::flatten]] void add_round(const double* points, std::size_t round, int lane, double* sums) const
    {
        const double* fields = fields_.data() + round * num_fields * width + lane;
        const auto field = [&](int k) { return load_lanes(fields + k * width); };
        const int* vertices = vertices_.data() + round * (D + 1) * width + lane;
        const PointLanes x_0 = load_points(points, vertices);
        LaneMatrix<3, D> F;
        for (int i = 0; i < D; ++i) {
            const PointLanes edge = load_points(points, vertices + (i + 1) * width) - x_0;
            for (int b = 0; b < D; ++b) {
                const Lanes g = field(i * D + b);
                F(0, b) = i == 0 ? edge.x * g : F(0, b) + edge.x * g;
                F(1, b) = i == 0 ? edge.y * g : F(1, b) + edge.y * g;
                F(2, b) = i == 0 ? edge.z * g : F(2, b) + edge.z * g;
            }
        }
        const RotationSvd<3, D> svd = rotation_svd(F);
        StretchTerm<D> phi;
        law_.differentiate([&](int k) { return field(D * D + 1 + k); }, svd.sigma, phi);
        const Lanes volume = field(D * D);
        // In the frame of U: the gradient is V phi_i w_i with w = Vᵀ g of the corner
        Lanes w[D];
        for (int b = 0; b < D; ++b) {
            w[b] = svd.V(0, b) * field(own_gradient);
            for (int c = 1; c < D; ++c)
                w[b] += svd.V(c, b) * field(own_gradient + c);
        }
        for (int a = 0; a < 3; ++a) {
            Lanes force = svd.U(a, 0) * (phi.first[0] * w[0]);
            for (int i = 1; i < D; ++i)
                force += svd.U(a, i) * (phi.first[i] * w[i]);
            add_lanes(sums + a * width, volume * force);
        }
        const DeformationHessian<3, D> hessian(phi, volume, PSDProjectionMethod::clamp);
        const LaneMatrix<3, 3> H = rotated(svd.U, hessian.contract(w, w));
        int k = 3;
        for (int a = 0; a < 3; ++a)
            for (int b = a; b < 3; ++b, ++k)
                add_lanes(sums + k * width, H(a, b));
    }

    Law law_;
    std::vector<std::size_t> starts_;
    std::vector<int> vertices_;
    std::vector<double> fields_;
};

/// atan(t) for |t| <= 1: the angle is halved twice, t -> t / (1 + √(1 + t²)), so that the series ends after twelve
/// terms: tan(pi / 16)^25 / 25 < 2^-60.
Lanes arc_tangent(Lanes t)
{
    t = t / (1 + sqrt(1 + t * t));
    t = t / (1 + sqrt(1 + t * t));
    const Lanes square = t * t;
    Lanes sum = broadcast(-1.0 / 23);
    for (int k = 21; k >= 1; k -= 2)
        sum = sum * square + ((k / 2) % 2 == 0 ? 1.0 : -1.0) / k;
    return 4 * t * sum;
}

/// The angle of (x, y) in [-pi, pi].
Lanes angle_of(Lanes y, Lanes x)
{
    const Lanes length = sqrt(x * x + y * y);
    // tan of half of what it is to the nearer of the two directions of the axis
    const Lanes half = 2 * arc_tangent(y / (length + absolute(x)));
    const Lanes turned = (y < 0 ? broadcast(-std::numbers::pi) : broadcast(std::numbers::pi)) - half;
    return x < 0 ? turned : half;
}

/// Of the hinge_frame.hpp: with n_a, n_b the normals of the triangles, twice their area long, and
/// G_i = -n_i l / |n_i|² = g_i / h_i, the derivative of theta is G_1 by a, G_2 by b, (u_1 - 1) G_1 + (u_2 - 1) G_2 by
/// e0 and -u_1 G_1 - u_2 G_2 by e1.
class HingeBlocks final : public BlockTerms {
public:
    HingeBlocks(const HingeBending& bending, const BlockGroups& groups)
    {
        const BlockRounds rounds(bending.stencils(), groups);
        starts_ = rounds.starts;
        vertices_ = vertices_of_rounds<4>(bending.stencils(), rounds);
        fields_.resize(rounds.num_rounds() * num_fields * width);
        // Of each corner: factors of G_1 and G_2 as constant + slope times u
        constexpr double factors[4][4]{{-1, 1, -1, 1}, {0, -1, 0, -1}, {1, 0, 0, 0}, {0, 0, 1, 0}};
        for (std::size_t round = 0; round < rounds.num_rounds(); ++round)
            for (int lane = 0; lane < width; ++lane) {
                const auto [term, corner] = rounds.at(round, lane);
                double* to = fields_.data() + round * num_fields * width + lane;
                to[0] = rounds.is_idle(round, lane) ? 0 : bending.stiffness(term);
                to[width] = bending.rest_angle(term);
                for (int k = 0; k < 4; ++k)
                    to[(2 + k) * width] = factors[corner][k];
            }
    }

    void add(const double* points, std::size_t first, std::size_t last, double* sums) const override
    {
        for (std::size_t group = first; group < last; ++group, sums += num_block_sums * width)
            for (std::size_t round = starts_[group]; round < starts_[group + 1]; ++round)
                for (int lane = 0; lane < width; lane += num_lanes)
                    add_round(points, round, lane, sums + lane);
    }

private:
    static constexpr int num_fields = 6;

    void add_round(const double* points, std::size_t round, int lane, double* sums) const
    {
        const double* fields = fields_.data() + round * num_fields * width + lane;
        const auto field = [&](int k) { return load_lanes(fields + k * width); };
        const int* vertices = vertices_.data() + round * 4 * width + lane;
        const PointLanes e0 = load_points(points, vertices), edge = load_points(points, vertices + width) - e0;
        const PointLanes to_a = load_points(points, vertices + 2 * width) - e0;
        const PointLanes to_b = load_points(points, vertices + 3 * width) - e0;
        const PointLanes n_a = cross(edge, to_a), n_b = cross(to_b, edge);
        const Lanes squared_length = dot(edge, edge), length = sqrt(squared_length);
        const Lanes area_a = dot(n_a, n_a), area_b = dot(n_b, n_b); // squared
        // Where a triangle has no area there are no derivatives.
        const auto is_flat = area_a * area_b == 0;
        const Lanes stiffness = is_flat ? Lanes{} : field(0), one = broadcast(1);
        const Lanes sine = dot(cross(n_a, n_b), edge), cosine = dot(n_a, n_b) * length;
        const Lanes turn = angle_of(is_flat ? Lanes{} : sine, is_flat ? one : cosine) - field(1);
        const Lanes over = 1 / (is_flat ? one : squared_length);
        const Lanes first = -(field(2) + field(3) * (dot(edge, to_a) * over)) * length / (is_flat ? one : area_a);
        const Lanes second = -(field(4) + field(5) * (dot(edge, to_b) * over)) * length / (is_flat ? one : area_b);
        const PointLanes G = first * n_a + second * n_b;
        const PointLanes kG = stiffness * G;
        add_lanes(sums, turn * kG.x);
        add_lanes(sums + width, turn * kG.y);
        add_lanes(sums + 2 * width, turn * kG.z);
        add_lanes(sums + 3 * width, kG.x * G.x);
        add_lanes(sums + 4 * width, kG.x * G.y);
        add_lanes(sums + 5 * width, kG.x * G.z);
        add_lanes(sums + 6 * width, kG.y * G.y);
        add_lanes(sums + 7 * width, kG.y * G.z);
        add_lanes(sums + 8 * width, kG.z * G.z);
    }

    std::vector<std::size_t> starts_;
    std::vector<int> vertices_;
    std::vector<double> fields_;
};

class AnchorBlocks final : public BlockTerms {
public:
    AnchorBlocks(const Anchors& anchors, const BlockGroups& groups)
    {
        const BlockRounds rounds(anchors.stencils(), groups);
        starts_ = rounds.starts;
        fields_.assign(rounds.num_rounds() * num_fields * width, 0);
        vertices_ = vertices_of_rounds<1>(anchors.stencils(), rounds);
        const Anchors::Springs& springs = anchors.springs();
        for (std::size_t round = 0; round < rounds.num_rounds(); ++round)
            for (int lane = 0; lane < width; ++lane) {
                if (rounds.is_idle(round, lane))
                    continue;
                const int term = rounds.at(round, lane).term;
                double* to = fields_.data() + round * num_fields * width + lane;
                for (int a = 0; a < 3; ++a) {
                    to[a * width] = springs.targets(term, a);
                    to[(3 + a) * width] = springs.forces(term, a);
                }
                to[6 * width] = springs.stiffness[term];
            }
    }

    void add(const double* points, std::size_t first, std::size_t last, double* sums) const override
    {
        for (std::size_t group = first; group < last; ++group, sums += num_block_sums * width)
            for (std::size_t round = starts_[group]; round < starts_[group + 1]; ++round)
                for (int lane = 0; lane < width; lane += num_lanes) {
                    const double* fields = fields_.data() + round * num_fields * width + lane;
                    const auto field = [&](int k) { return load_lanes(fields + k * width); };
                    const PointLanes x = load_points(points, vertices_.data() + round * width + lane);
                    const Lanes s = field(6);
                    double* to = sums + lane;
                    add_lanes(to, field(3) + s * (x.x - field(0)));
                    add_lanes(to + width, field(4) + s * (x.y - field(1)));
                    add_lanes(to + 2 * width, field(5) + s * (x.z - field(2)));
                    for (const int diagonal : {3, 6, 8})
                        add_lanes(to + diagonal * width, s);
                }
    }

private:
    static constexpr int num_fields = 7; ///< target, force, stiffness

    std::vector<std::size_t> starts_;
    std::vector<int> vertices_;
    std::vector<double> fields_;
};

} // namespace

std::unique_ptr<BlockTerms> make_block_terms(const TetElasticity& elasticity, const BlockGroups& groups)
{
    return std::make_unique<SimplexBlocks<3, ElasticLaw<3>>>(elasticity, groups, ElasticLaw<3>{elasticity.model()});
}

std::unique_ptr<BlockTerms> make_block_terms(const MembraneElasticity& elasticity, const BlockGroups& groups)
{
    return std::make_unique<SimplexBlocks<2, ElasticLaw<2>>>(elasticity, groups, ElasticLaw<2>{elasticity.model()});
}

std::unique_ptr<BlockTerms> make_block_terms(const PlasticSolids<3>& solids, const BlockGroups& groups)
{
    return std::make_unique<SimplexBlocks<3, PlasticLaw>>(solids, groups, PlasticLaw{});
}

std::unique_ptr<BlockTerms> make_block_terms(const HingeBending& bending, const BlockGroups& groups)
{
    return std::make_unique<HingeBlocks>(bending, groups);
}

std::unique_ptr<BlockTerms> make_block_terms(const Anchors& anchors, const BlockGroups& groups)
{
    if (anchors.springs().targets.cols() != 3)
        return nullptr;
    return std::make_unique<AnchorBlocks>(anchors, groups);
}

} // namespace abut
