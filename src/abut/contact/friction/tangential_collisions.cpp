#include "abut/contact/friction/tangential_collisions.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/friction/term_tangents.hpp"
#include "abut/contact/term_geometry.hpp"
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
}

} // namespace

void TangentialCollisions::build(
    const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisions& collisions,
    const NormalPotential& normal_potential, const FrictionCoefficients& friction)
{
    friction.validate(mesh);
    const Eigen::VectorXd magnitudes = normal_potential.sliding_forces(collisions, mesh, X);
    friction_ = friction;
    dmin_ = collisions.options().dmin;
    mesh_sizes_ = MeshSizes::of(mesh);
    stencils_.clear();

    std::size_t first_term = 0;
    const auto lag = [&]<int N, int Dim>(
                         const CollisionTerms<N>& from, TangentialTerms<N>& to, std::span<const std::size_t> kept,
                         auto&& geometry_of) {
        resize(to, kept.size());
        parallel_for(kept.size(), 1024, [&](std::size_t k) {
            const std::size_t term = kept[k];
            to.vertices[k] = from.vertices[term];
            to.elements[k] = from.elements[term];
            to.weights[k] = from.weights[term];
            to.normal_forces[k] = magnitudes[static_cast<Eigen::Index>(first_term + term)];
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
    const auto all = [](std::size_t n) {
        std::vector<std::size_t> indices(n);
        for (std::size_t i = 0; i < n; ++i)
            indices[i] = i;
        return indices;
    };
    const auto run = [&]<int Dim>() {
        lag.template operator()<2, Dim>(
            collisions.vv(), vv_, all(collisions.vv().size()), [&](const auto& list, auto k) {
                return vertex_vertex_tangents<Dim>(stencil_points<2, Dim>(X, list.vertices[k]), Order::value);
            });
        lag.template operator()<3, Dim>(
            collisions.ev(), ev_, all(collisions.ev().size()), [&](const auto& list, auto k) {
                return edge_vertex_tangents<Dim>(stencil_points<3, Dim>(X, list.vertices[k]), Order::value);
            });
        if constexpr (Dim == 3) {
            const EdgeEdgeTerms& ee = collisions.ee();
            std::vector<std::size_t> crossing;
            for (std::size_t k = 0; k < ee.size(); ++k) {
                const auto x = stencil_points<4, 3>(X, ee.vertices[k]);
                const Vec3 u = x.col(1) - x.col(0), v = x.col(3) - x.col(2);
                if (u.cross(v).squaredNorm() >= ee.eps_x[k] && ee.features[k] == EdgeEdgeFeature::a_b)
                    crossing.push_back(k);
            }
            lag.template operator()<4, 3>(ee, ee_, crossing, [&](const auto& list, auto k) {
                return edge_edge_tangents(stencil_points<4, 3>(X, list.vertices[k]), Order::value);
            });
            lag.template operator()<4, 3>(
                collisions.fv(), fv_, all(collisions.fv().size()), [&](const auto& list, auto k) {
                    return face_vertex_tangents(stencil_points<4, 3>(X, list.vertices[k]), Order::value);
                });
        }
        lag.template operator()<1, Dim>(
            collisions.pv(), pv_, all(collisions.pv().size()), [&](const auto& list, auto k) {
                const Vec<Dim> x = point<Dim>(X, list.vertices[k][0]);
                return plane_vertex_tangents<Dim>(x, mesh.planes()[list.elements[k][0]], Order::value);
            });
    };
    if (mesh.dim() == 2)
        run.operator()<2>();
    else
        run.operator()<3>();
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

void TangentialCollisions::validate(const CollisionMesh& mesh, const ConstPositions& array, std::string_view name) const
{
    mesh_sizes_.require(mesh);
    validate_positions(array, mesh.num_vertices(), mesh.dim(), name);
}

} // namespace abut
