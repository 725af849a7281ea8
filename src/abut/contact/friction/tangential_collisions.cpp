#include "abut/contact/friction/tangential_collisions.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/friction/term_tangents.hpp"
#include "abut/contact/term_geometry.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "abut/mesh/validate.hpp"

#include <numeric>

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

std::vector<std::size_t> all(std::size_t n)
{
    std::vector<std::size_t> indices(n);
    std::iota(indices.begin(), indices.end(), std::size_t(0));
    return indices;
}

} // namespace

void TangentialCollisions::build(
    const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisions& collisions,
    const NormalPotential& normal_potential, const FrictionCoefficients& friction)
{
    friction.validate(mesh);
    const Eigen::VectorXd forces = normal_potential.sliding_forces(collisions, mesh, X);
    const EdgeEdgeTerms& ee = collisions.ee();
    std::vector<std::size_t> crossing;
    for (std::size_t k = 0; k < ee.size(); ++k)
        if (squared_cross_product(X, ee.vertices[k]) >= ee.eps_x[k] && ee.features[k] == EdgeEdgeFeature::a_b)
            crossing.push_back(k);
    lag(mesh, X,
        {{collisions.vv(), collisions.ev(), ee, collisions.fv(), collisions.pv()}, std::move(crossing), forces},
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
    std::vector<std::size_t> crossing;
    const auto rest = [&](int v) { return Vec3(point<3>(mesh.rest_positions(), v)); };
    for (std::size_t k = 0; k < ee.size(); ++k) {
        const auto& [a0, a1, b0, b1] = ee.vertices[k];
        if (collisions.variant() == SmoothContactVariant::paper ||
            squared_cross_product(X, ee.vertices[k]) >=
                edge_edge_mollifier_threshold(rest(a0), rest(a1), rest(b0), rest(b1), Order::value).value)
            crossing.push_back(k);
    }
    lag(mesh, X, {{terms.vv, terms.ev, ee, terms.fv, terms.pv}, std::move(crossing), forces}, friction);
    dmin_ = 0;
    is_smooth_ = true;
}

void TangentialCollisions::lag(
    const CollisionMesh& mesh, const ConstPositions& X, const Source& source, const FrictionCoefficients& friction)
{
    friction_ = friction;
    mesh_sizes_ = MeshSizes::of(mesh);
    is_anchored_ = false;
    stencils_.clear();

    if (mesh.dim() == 2)
        lag_terms<2>(mesh, X, source);
    else
        lag_terms<3>(mesh, X, source);
    stencils_ = stencils_of(terms_);
}

template <int Dim>
void TangentialCollisions::lag_terms(const CollisionMesh& mesh, const ConstPositions& X, const Source& source)
{
    std::size_t first_term = 0;
    const auto lag_kind = [&]<int N>(auto kind, const CollisionTerms<N>& from, TangentialTerms<N>& to) {
        const std::vector<std::size_t> kept = kind == PairKind::edge_edge ? source.crossing : all(from.size());
        resize(to, kept.size());
        to.offsets.resize(from.offsets.empty() ? 0 : kept.size());
        if constexpr (exists_in(Dim, kind))
            parallel_for(kept.size(), 1024, [&](std::size_t k) {
                const std::size_t term = kept[k];
                ABUT_ASSERT(term < from.size() && (k == 0 || kept[k - 1] < term));
                to.vertices[k] = from.vertices[term];
                to.elements[k] = from.elements[term];
                to.weights[k] = from.weights[term];
                if (!from.offsets.empty())
                    to.offsets[k] = from.offsets[term];
                to.normal_forces[k] = source.normal_forces[static_cast<Eigen::Index>(first_term + term)];
                const TermTangents<N, Dim> tangents =
                    tangents_of<Dim>(decltype(kind)(), from, term, mesh, X, Order::value);
                Vec<4> w = Vec<4>::Zero();
                w.head<N>() = tangents.w;
                std::copy(w.data(), w.data() + N, to.coefficients[k].begin());
                to.bases[k].setZero();
                to.bases[k].template topLeftCorner<Dim, Dim - 1>() = tangents.basis;
                const int plane = kind == PairKind::plane_vertex ? to.elements[k][0] : -1;
                const PairCoefficients mu =
                    pair_coefficients(friction_, mesh, to.vertices[k], tangents.num_first, w, plane);
                to.mu_s[k] = mu.mu_s.mu;
                to.mu_k[k] = mu.mu_k.mu;
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
