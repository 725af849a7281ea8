#include "abut/contact/friction/tangential_collisions.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/friction/term_tangents.hpp"
#include "abut/contact/term_geometry.hpp"
#include "abut/contact/term_lanes.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "abut/mesh/validate.hpp"

namespace abut {

namespace {

template <int N>
void resize(TangentialTerms<N>& terms, std::size_t size)
{
    terms.vertices.resize(size);
    terms.elements.resize(size);
    terms.weights.resize(size);
    terms.normal_forces.resize(size);
    terms.coefficients.resize(size);
    terms.bases.resize(size);
    terms.mu_s.resize(size);
    terms.mu_k.resize(size);
    terms.anchors.clear();
}

} // namespace

/// What is lagged: terms by kind, which edge-edge terms have a tangent plane, and the forces of all, in the order of
/// the lists.
struct TangentialCollisions::Source {
    ByKind<
        const CollisionTerms<2>&, const CollisionTerms<3>&, const CollisionTerms<4>&, const CollisionTerms<4>&,
        const CollisionTerms<1>&>
        terms;
    std::vector<std::size_t> crossing;
    const Eigen::VectorXd& normal_forces;
};

namespace {

double squared_cross_product(const ConstPositions& X, const std::array<int, 4>& vertices)
{
    const auto x = stencil_points<4, 3>(X, vertices);
    return (x.col(1) - x.col(0)).cross(x.col(3) - x.col(2)).squaredNorm();
}

/// The terms for which is_crossing(k) holds.
template <typename IsCrossing>
std::vector<std::size_t> crossing_terms(std::size_t num_terms, IsCrossing&& is_crossing)
{
    std::vector<std::uint8_t> crosses(num_terms);
    parallel_for(num_terms, 4096, [&](std::size_t k) { crosses[k] = is_crossing(k) ? 1 : 0; });
    std::vector<std::size_t> crossing;
    crossing.reserve(num_terms);
    for (std::size_t k = 0; k < num_terms; ++k)
        if (crosses[k] != 0)
            crossing.push_back(k);
    return crossing;
}

/// Which terms of a kind's list are lagged: all, or of edge-edge terms those with a tangent plane.
class KeptTerms {
public:
    KeptTerms(PairKind kind, std::size_t num_terms, const std::vector<std::size_t>& crossing)
        : crossing_(kind == PairKind::edge_edge ? &crossing : nullptr),
          size_(crossing_ != nullptr ? crossing.size() : num_terms)
    {}
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t operator[](std::size_t k) const { return crossing_ != nullptr ? (*crossing_)[k] : k; }

private:
    const std::vector<std::size_t>* crossing_;
    std::size_t size_;
};

/// The stencils of what is lagged, in the order of the lists.
template <typename Terms>
Stencils stencils_of_kept(const Terms& terms, const std::vector<std::size_t>& crossing)
{
    Stencils stencils;
    std::size_t size = 0, entries = 0;
    const auto count = [&]<int N>(PairKind kind, const CollisionTerms<N>& list) {
        const std::size_t kept = KeptTerms(kind, list.size(), crossing).size();
        size += kept;
        entries += N * kept;
    };
    for_each_kind(count, terms);
    stencils.reserve(size, entries);
    const auto add = [&](PairKind kind, const auto& list) {
        const KeptTerms kept(kind, list.size(), crossing);
        for (std::size_t k = 0; k < kept.size(); ++k)
            stencils.add(list.vertices[kept[k]]);
    };
    for_each_kind(add, terms);
    return stencils;
}

/// Contact points and bases of a few terms of one kind, one per lane: those of term_tangents.hpp, by the same formulas.
template <int N>
struct TangentLanes {
    ClosestLanes<N> closest;
    PointLanes first, second; ///< columns of the basis
};

/// v / |v|; zero for the zero vector.
PointLanes normalized(const PointLanes& v)
{
    const Lanes length = sqrt(dot(v, v));
    const Lanes safe = length > 0 ? length : broadcast(1);
    return {v.x / safe, v.y / safe, v.z / safe};
}

constexpr bool has_tangent_lanes(int dim, PairKind kind)
{
    return dim == 3 && (kind == PairKind::edge_vertex || kind == PairKind::edge_edge || kind == PairKind::face_vertex);
}

template <PairKind kind>
TangentLanes<stencil_size(kind)> tangents_in_lanes(KindConstant<kind>, const PointLanes* x)
{
    if constexpr (kind == PairKind::edge_vertex) {
        const PointLanes e = x[2] - x[1], d = x[0] - x[1];
        return {edge_vertex_lanes(x), normalized(e), normalized(cross(e, d))};
    } else if constexpr (kind == PairKind::edge_edge) {
        constexpr EdgeEdgeFeature lines = EdgeEdgeFeature::a_b;
        const PointLanes a = x[1] - x[0], b = x[3] - x[2];
        return {edge_edge_lanes(x, &lines, 1), normalized(a), normalized(cross(cross(a, b), a))};
    } else {
        const PointLanes e = x[2] - x[1], f = x[3] - x[1];
        return {face_vertex_lanes(x), normalized(e), normalized(cross(cross(e, f), e))};
    }
}

} // namespace

void TangentialCollisions::build(
    const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisions& collisions,
    const NormalPotential& normal_potential, const FrictionCoefficients& friction)
{
    friction.validate(mesh);
    const Eigen::VectorXd forces = normal_potential.sliding_forces(collisions, mesh, X);
    const EdgeEdgeTerms& ee = collisions.ee();
    const auto is_crossing = [&](std::size_t k) {
        return ee.features[k] == EdgeEdgeFeature::a_b && squared_cross_product(X, ee.vertices[k]) >= ee.eps_x[k];
    };
    lag(mesh, X,
        {{collisions.vv(), collisions.ev(), ee, collisions.fv(), collisions.pv()},
         crossing_terms(ee.size(), is_crossing),
         forces},
        friction);
    dmin_ = collisions.options().dmin;
    is_smooth_ = false;
}

void TangentialCollisions::build(
    const CollisionMesh& mesh, const ConstPositions& X, const SmoothCollisions& collisions,
    const SmoothContactPotential& potential, const FrictionCoefficients& friction)
{
    friction.validate(mesh);
    const Eigen::VectorXd forces = potential.normal_forces(collisions, mesh, X);
    ByStencil<CollisionTerms> terms;
    for (std::size_t k = 0; k < collisions.size(); ++k) {
        const SmoothCollision pair = collisions[k];
        const auto add = [&]<int N>(PairKind kind, CollisionTerms<N>& list) {
            if (kind != pair.kind)
                return;
            std::copy_n(pair.vertices.begin(), N, list.vertices.emplace_back().begin());
            list.elements.push_back(pair.elements);
            list.weights.push_back(1);
        };
        for_each_kind(add, terms);
    }
    const CollisionTerms<4>& ee = terms.ee;
    const auto rest = [&](int v) { return Vec3(point<3>(mesh.rest_positions(), v)); };
    const auto is_crossing = [&](std::size_t k) {
        const auto& [a0, a1, b0, b1] = ee.vertices[k];
        return collisions.variant() == SmoothContactVariant::paper ||
               squared_cross_product(X, ee.vertices[k]) >=
                   edge_edge_mollifier_threshold(rest(a0), rest(a1), rest(b0), rest(b1), Order::value).value;
    };
    lag(mesh, X, {{terms.vv, terms.ev, ee, terms.fv, terms.pv}, crossing_terms(ee.size(), is_crossing), forces},
        friction);
    dmin_ = 0;
    is_smooth_ = true;
}

void TangentialCollisions::lag(
    const CollisionMesh& mesh, const ConstPositions& X, const Source& source, const FrictionCoefficients& friction)
{
    friction_ = friction;
    mesh_sizes_ = MeshSizes::of(mesh);
    is_anchored_ = false;

    // The list of stencils is written one by one: beside the terms, of which other threads take what is left.
    parallel_for(2, 1, [&](std::size_t task) {
        if (task == 0)
            stencils_ = stencils_of_kept(source.terms, source.crossing);
        else if (mesh.dim() == 2)
            lag_terms<2>(mesh, X, source);
        else
            lag_terms<3>(mesh, X, source);
    });
    ABUT_ASSERT(stencils_.size() == terms_.size());
}

template <int Dim>
void TangentialCollisions::lag_terms(const CollisionMesh& mesh, const ConstPositions& X, const Source& source)
{
    std::size_t first_term = 0;
    const bool is_uniform = friction_.vertex_mu_s.size() == 0 && friction_.material_mu_s.size() == 0;
    const auto lag_kind = [&]<int N>(auto kind, const CollisionTerms<N>& from, TangentialTerms<N>& to) {
        const KeptTerms kept(kind, from.size(), source.crossing);
        resize(to, kept.size());
        to.offsets.resize(from.offsets.empty() ? 0 : kept.size());
        [[maybe_unused]] const auto lag_source = [&](std::size_t k) {
            const std::size_t term = kept[k];
            ABUT_ASSERT(term < from.size() && (k == 0 || kept[k - 1] < term));
            to.vertices[k] = from.vertices[term];
            to.elements[k] = from.elements[term];
            to.weights[k] = from.weights[term];
            if (!from.offsets.empty())
                to.offsets[k] = from.offsets[term];
            to.normal_forces[k] = source.normal_forces[static_cast<Eigen::Index>(first_term + term)];
        };
        // To be called when the coefficients of the contact point are there.
        [[maybe_unused]] const auto lag_friction = [&](std::size_t k, int num_first) {
            to.mu_s[k] = friction_.mu_s;
            to.mu_k[k] = friction_.mu_k;
            if (is_uniform)
                return;
            Vec<4> w = Vec<4>::Zero();
            std::copy(to.coefficients[k].begin(), to.coefficients[k].end(), w.data());
            const int plane = kind == PairKind::plane_vertex ? to.elements[k][0] : -1;
            const PairCoefficients mu = pair_coefficients(friction_, mesh, to.vertices[k], num_first, w, plane);
            to.mu_s[k] = mu.mu_s.mu;
            to.mu_k[k] = mu.mu_k.mu;
        };
        if constexpr (has_tangent_lanes(Dim, kind))
            parallel_ranges(kept.size(), 1024, [&](std::size_t begin, std::size_t end) {
                for (std::size_t k = begin; k < end; k += num_lanes) {
                    const std::size_t count = std::min<std::size_t>(num_lanes, end - k);
                    int numbers[N][num_lanes];
                    for (std::size_t lane = 0; lane < num_lanes; ++lane) { // idle lanes repeat the last term
                        if (lane < count)
                            lag_source(k + lane);
                        for (int i = 0; i < N; ++i)
                            numbers[i][lane] = to.vertices[k + std::min(lane, count - 1)][i];
                    }
                    PointLanes x[N];
                    for (int i = 0; i < N; ++i)
                        x[i] = load_points(X.data(), X.outerStride(), numbers[i]);
                    const TangentLanes<N> tangents = tangents_in_lanes(decltype(kind)(), x);
                    for (std::size_t lane = 0; lane < count; ++lane) {
                        for (int i = 0; i < N; ++i)
                            to.coefficients[k + lane][i] = tangents.closest.w[i][lane];
                        const PointLanes &p = tangents.first, &q = tangents.second;
                        to.bases[k + lane] << p.x[lane], q.x[lane], p.y[lane], q.y[lane], p.z[lane], q.z[lane];
                        lag_friction(k + lane, kind == PairKind::edge_edge ? 2 : 1);
                    }
                }
            });
        else if constexpr (exists_in(Dim, kind))
            parallel_for(kept.size(), 1024, [&](std::size_t k) {
                lag_source(k);
                const TermTangents<N, Dim> tangents =
                    tangents_of<Dim>(decltype(kind)(), from, kept[k], mesh, X, Order::value);
                std::copy(tangents.w.data(), tangents.w.data() + N, to.coefficients[k].begin());
                to.bases[k].setZero();
                to.bases[k].template topLeftCorner<Dim, Dim - 1>() = tangents.basis;
                lag_friction(k, tangents.num_first);
            });
        first_term += from.size();
    };
    for_each_kind(lag_kind, source.terms, terms_);
    ABUT_ASSERT(first_term == static_cast<std::size_t>(source.normal_forces.size()));
}

TangentialCollision TangentialCollisions::operator[](std::size_t term) const
{
    TangentialCollision collision{};
    visit_term(terms_, term, [&](PairKind kind, const auto& list, std::size_t k) {
        collision = {
            kind,
            list.elements[k],
            list.vertices[k],
            list.coefficients[k],
            list.weights[k],
            list.normal_forces[k],
            list.mu_s[k],
            list.mu_k[k],
            list.bases[k],
            list.anchors.empty() ? nullptr : &list.anchors[k]};
    });
    return collision;
}

void TangentialCollisions::set_anchors(std::span<const TangentialAnchor> anchors, std::span<const double> mu)
{
    ABUT_ASSERT(anchors.size() == size() && mu.size() == size());
    std::size_t first = 0;
    const auto set = [&](PairKind, auto& list) {
        const auto begin = static_cast<std::ptrdiff_t>(first), end = begin + std::ssize(list.vertices);
        list.anchors.assign(anchors.begin() + begin, anchors.begin() + end);
        list.mu_s.assign(mu.begin() + begin, mu.begin() + end);
        list.mu_k = list.mu_s;
        first += list.size();
    };
    for_each_kind(set, terms_);
    is_anchored_ = true;
}

TangentialCollisions TangentialCollisions::subset(std::span<const int> terms) const
{
    TangentialCollisions part;
    part.terms_ = subset_of(terms_, terms);
    part.stencils_ = stencils_.subset(terms);
    part.friction_ = friction_;
    part.dmin_ = dmin_;
    part.is_smooth_ = is_smooth_;
    part.is_anchored_ = is_anchored_;
    part.mesh_sizes_ = mesh_sizes_;
    return part;
}

void TangentialCollisions::validate(const CollisionMesh& mesh, const ConstPositions& array, std::string_view name) const
{
    mesh_sizes_.require(mesh);
    validate_positions(array, mesh.num_vertices(), mesh.dim(), name);
}

} // namespace abut
