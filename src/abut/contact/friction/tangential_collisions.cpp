#include "abut/contact/friction/tangential_collisions.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/friction/term_tangents.hpp"
#include "abut/contact/gcp/vertex_first.hpp"
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
}

} // namespace

/// What is lagged: terms by kind, which edge-edge terms have a tangent plane, and the forces of all, in the order of
/// the lists.
struct TangentialCollisions::Source {
    const CollisionTerms<2>& vv;
    const CollisionTerms<3>& ev;
    const CollisionTerms<4>&ee, &fv;
    const CollisionTerms<1>& pv;
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

template <int N>
void add_term(CollisionTerms<N>& terms, const SmoothCollision& pair)
{
    const std::array<int, 4> vertices = gcp::vertex_first(pair);
    std::array<int, N> own;
    std::copy(vertices.begin(), vertices.begin() + N, own.begin());
    terms.vertices.push_back(own);
    terms.elements.push_back(pair.elements);
    terms.weights.push_back(1);
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
    lag(mesh, X, {collisions.vv(), collisions.ev(), ee, collisions.fv(), collisions.pv(), std::move(crossing), forces},
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
    CollisionTerms<2> vv;
    CollisionTerms<3> ev;
    CollisionTerms<4> ee, fv;
    CollisionTerms<1> pv;
    for (std::size_t k = 0; k < collisions.size(); ++k) {
        const SmoothCollision pair = collisions[k];
        switch (pair.kind) {
        case PairKind::vertex_vertex:
            add_term(vv, pair);
            break;
        case PairKind::edge_vertex:
            add_term(ev, pair);
            break;
        case PairKind::edge_edge:
            add_term(ee, pair);
            break;
        case PairKind::face_vertex:
            add_term(fv, pair);
            break;
        case PairKind::plane_vertex:
            add_term(pv, pair);
            break;
        case PairKind::none:
            break;
        }
    }
    std::vector<std::size_t> crossing;
    const auto rest = [&](int v) { return Vec3(point<3>(mesh.rest_positions(), v)); };
    for (std::size_t k = 0; k < ee.size(); ++k) {
        const auto& [a0, a1, b0, b1] = ee.vertices[k];
        if (collisions.variant() == SmoothContactVariant::paper ||
            squared_cross_product(X, ee.vertices[k]) >=
                edge_edge_mollifier_threshold(rest(a0), rest(a1), rest(b0), rest(b1), Order::value).value)
            crossing.push_back(k);
    }
    lag(mesh, X, {vv, ev, ee, fv, pv, std::move(crossing), forces}, friction);
    dmin_ = 0;
    is_smooth_ = true;
}

void TangentialCollisions::lag(
    const CollisionMesh& mesh, const ConstPositions& X, const Source& source, const FrictionCoefficients& friction)
{
    friction_ = friction;
    mesh_sizes_ = MeshSizes::of(mesh);
    stencils_.clear();

    std::size_t first_term = 0;
    const auto lag_kind = [&]<int N, int Dim>(
                              const CollisionTerms<N>& from, TangentialTerms<N>& to, std::span<const std::size_t> kept,
                              auto&& geometry_of) {
        resize(to, kept.size());
        parallel_for(kept.size(), 1024, [&](std::size_t k) {
            const std::size_t term = kept[k];
            ABUT_ASSERT(term < from.size() && (k == 0 || kept[k - 1] < term));
            to.vertices[k] = from.vertices[term];
            to.elements[k] = from.elements[term];
            to.weights[k] = from.weights[term];
            to.normal_forces[k] = source.normal_forces[static_cast<Eigen::Index>(first_term + term)];
            const TermTangents<N, Dim> tangents = geometry_of(from, term);
            Vec<4> w = Vec<4>::Zero();
            w.head<N>() = tangents.w;
            std::copy(w.data(), w.data() + N, to.coefficients[k].begin());
            to.bases[k].setZero();
            to.bases[k].template topLeftCorner<Dim, Dim - 1>() = tangents.basis;
            const PairCoefficients mu = pair_coefficients(friction, mesh, to.vertices[k], tangents.num_first, w);
            to.mu_s[k] = mu.mu_s.mu;
            to.mu_k[k] = mu.mu_k.mu;
        });
        first_term += from.size();
    };
    const auto run = [&]<int Dim>() {
        lag_kind.template operator()<2, Dim>(source.vv, vv_, all(source.vv.size()), [&](const auto& list, auto k) {
            return vertex_vertex_tangents<Dim>(stencil_points<2, Dim>(X, list.vertices[k]), Order::value);
        });
        lag_kind.template operator()<3, Dim>(source.ev, ev_, all(source.ev.size()), [&](const auto& list, auto k) {
            return edge_vertex_tangents<Dim>(stencil_points<3, Dim>(X, list.vertices[k]), Order::value);
        });
        if constexpr (Dim == 3) {
            lag_kind.template operator()<4, 3>(source.ee, ee_, source.crossing, [&](const auto& list, auto k) {
                return edge_edge_tangents(stencil_points<4, 3>(X, list.vertices[k]), Order::value);
            });
            lag_kind.template operator()<4, 3>(source.fv, fv_, all(source.fv.size()), [&](const auto& list, auto k) {
                return face_vertex_tangents(stencil_points<4, 3>(X, list.vertices[k]), Order::value);
            });
        }
        lag_kind.template operator()<1, Dim>(source.pv, pv_, all(source.pv.size()), [&](const auto& list, auto k) {
            const Vec<Dim> x = point<Dim>(X, list.vertices[k][0]);
            return plane_vertex_tangents<Dim>(x, mesh.planes()[list.elements[k][0]], Order::value);
        });
    };
    if (mesh.dim() == 2)
        run.operator()<2>();
    else
        run.operator()<3>();
    ABUT_ASSERT(first_term == static_cast<std::size_t>(source.normal_forces.size()));
    stencils_.reserve(
        vv_.size() + ev_.size() + ee_.size() + fv_.size() + pv_.size(),
        2 * vv_.size() + 3 * ev_.size() + 4 * (ee_.size() + fv_.size()) + pv_.size());
    for_each_kind([&](const auto& list) {
        for (const auto& vertices : list.vertices)
            stencils_.add(vertices);
    });
}

TangentialCollision TangentialCollisions::operator[](std::size_t term) const
{
    if (term >= size())
        reject("term: {} is out of range; the set has {} collisions", term, size());
    std::size_t k = term;
    const auto make = [&](PairKind kind, const auto& list) {
        return TangentialCollision{kind,
                                   list.elements[k],
                                   list.vertices[k],
                                   list.coefficients[k],
                                   list.weights[k],
                                   list.normal_forces[k],
                                   list.mu_s[k],
                                   list.mu_k[k],
                                   list.bases[k]};
    };
    if (k < vv_.size())
        return make(PairKind::vertex_vertex, vv_);
    if ((k -= vv_.size()) < ev_.size())
        return make(PairKind::edge_vertex, ev_);
    if ((k -= ev_.size()) < ee_.size())
        return make(PairKind::edge_edge, ee_);
    if ((k -= ee_.size()) < fv_.size())
        return make(PairKind::face_vertex, fv_);
    k -= fv_.size();
    return make(PairKind::plane_vertex, pv_);
}

TangentialCollisions TangentialCollisions::subset(std::span<const int> terms) const
{
    validate_rising_terms(terms, size());
    TangentialCollisions part;
    TermsByList places(terms);
    part.vv_ = vv_.subset(places.next(vv_.size()));
    part.ev_ = ev_.subset(places.next(ev_.size()));
    part.ee_ = ee_.subset(places.next(ee_.size()));
    part.fv_ = fv_.subset(places.next(fv_.size()));
    part.pv_ = pv_.subset(places.next(pv_.size()));
    ABUT_ASSERT(
        part.vv_.size() + part.ev_.size() + part.ee_.size() + part.fv_.size() + part.pv_.size() == terms.size());
    part.stencils_ = stencils_.subset(terms);
    part.friction_ = friction_;
    part.dmin_ = dmin_;
    part.is_smooth_ = is_smooth_;
    part.mesh_sizes_ = mesh_sizes_;
    return part;
}

void TangentialCollisions::validate(const CollisionMesh& mesh, const ConstPositions& array, std::string_view name) const
{
    mesh_sizes_.require(mesh);
    validate_positions(array, mesh.num_vertices(), mesh.dim(), name);
}

} // namespace abut
