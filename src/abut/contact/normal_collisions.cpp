#include "abut/contact/normal_collisions.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/normal_collisions_builder.hpp"
#include "abut/contact/term_geometry.hpp"
#include "abut/mesh/validate.hpp"

namespace abut {

namespace {

void validate_options(const NormalCollisionsOptions& options)
{
    if (!(options.dhat > 0 && options.dhat <= max_coordinate))
        reject("dhat: {} is not a positive distance up to {} m", options.dhat, max_coordinate);
    if (!(options.dmin >= 0 && options.dmin <= max_coordinate))
        reject("dmin: {} is not a distance between 0 and {} m", options.dmin, max_coordinate);
}

NormalCollisions build_from(
    const NearPairs& pairs, const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisionsOptions& options)
{
    return NormalCollisionsBuilder(mesh, X, options).build(pairs, ConvergentRules::of(mesh));
}

} // namespace

void NormalCollisions::build(const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisionsOptions& options)
{
    validate_options(options);
    Candidates candidates;
    candidates.build(mesh, X, (options.dmin + options.dhat) / 2, {.method = options.broad_phase});
    *this = build_from(find_near_pairs(candidates, mesh, X, options.dmin + options.dhat), mesh, X, options);
}

MeshSizes MeshSizes::of(const CollisionMesh& mesh)
{
    return {
        mesh.dim(), mesh.num_vertices(), mesh.num_edges(), mesh.num_faces(), static_cast<int>(mesh.planes().size())};
}

void MeshSizes::require(const CollisionMesh& mesh) const
{
    const MeshSizes other = of(mesh);
    const auto check = [](int own, int theirs, const char* what) {
        if (own != theirs)
            reject("collisions: built for a mesh of {} {}, but this one has {}", own, what, theirs);
    };
    if (*this == MeshSizes{})
        return;
    check(vertices, other.vertices, "vertices");
    check(dim, other.dim, "dimensions");
    check(edges, other.edges, "edges");
    check(faces, other.faces, "faces");
    check(planes, other.planes, "planes");
}

void NormalCollisions::build(
    const Candidates& candidates, const CollisionMesh& mesh, const ConstPositions& X,
    const NormalCollisionsOptions& options)
{
    validate_options(options);
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    candidates.validate(mesh);
    *this = build_from(find_near_pairs(candidates, mesh, X, options.dmin + options.dhat), mesh, X, options);
}

void NormalCollisions::build(
    const Detection& detection, const CollisionMesh& mesh, const ConstPositions& X,
    const NormalCollisionsOptions& options)
{
    validate_options(options);
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
    if (detection.range() < options.dmin + options.dhat)
        reject(
            "detection: its range {} m is shorter than dmin + dhat = {} m; make it with at least that range",
            detection.range(), options.dmin + options.dhat);
    *this = build_from(detection.pairs(), mesh, X, options);
}

NormalCollision NormalCollisions::operator[](std::size_t term) const
{
    if (term >= size())
        reject("term: {} is out of range; the set has {} collisions", term, size());
    std::size_t k = term;
    const auto make = [&](PairKind kind, const auto& list) {
        return NormalCollision{kind, list.elements[k], list.vertices[k], list.weights[k], EdgeEdgeFeature::a_b, 0};
    };
    if (k < vv_.size())
        return make(PairKind::vertex_vertex, vv_);
    if ((k -= vv_.size()) < ev_.size())
        return make(PairKind::edge_vertex, ev_);
    if ((k -= ev_.size()) < ee_.size()) {
        NormalCollision collision = make(PairKind::edge_edge, ee_);
        collision.feature = ee_.features[k];
        collision.eps_x = ee_.eps_x[k];
        return collision;
    }
    if ((k -= ee_.size()) < fv_.size())
        return make(PairKind::face_vertex, fv_);
    k -= fv_.size();
    return make(PairKind::plane_vertex, pv_);
}

namespace {

template <int N, int M, int Dim>
NormalCollisionGeometry as_geometry(const ClosestPair<N, M, Dim>& closest)
{
    NormalCollisionGeometry geometry{closest.squared_distance(), Vec3::Zero(), Vec<4>::Zero()};
    geometry.normal.head<Dim>() = closest.r.normalized();
    geometry.coefficients.head<N>() = closest.w;
    return geometry;
}

template <int Dim>
NormalCollisionGeometry
geometry_of(const NormalCollision& collision, const CollisionMesh& mesh, const ConstPositions& X)
{
    const auto points = [&]<int N>() {
        std::array<int, N> vertices;
        std::copy(collision.vertices.begin(), collision.vertices.end(), vertices.begin());
        return stencil_points<N, Dim>(X, vertices);
    };
    switch (collision.kind) {
    case PairKind::vertex_vertex:
        return as_geometry(vertex_vertex_closest<Dim>(points.template operator()<2>()));
    case PairKind::edge_vertex:
        return as_geometry(edge_vertex_closest<Dim>(points.template operator()<3>()));
    case PairKind::plane_vertex:
        return as_geometry(
            plane_vertex_closest<Dim>(points.template operator()<1>(), mesh.planes()[collision.elements[0]]));
    default:
        break;
    }
    if constexpr (Dim == 3) {
        if (collision.kind == PairKind::edge_edge)
            return as_geometry(edge_edge_closest(points.template operator()<4>(), collision.feature));
        return as_geometry(face_vertex_closest(points.template operator()<4>()));
    }
    return {};
}

} // namespace

NormalCollisionGeometry
NormalCollisions::geometry(std::size_t term, const CollisionMesh& mesh, const ConstPositions& X) const
{
    validate(mesh, X);
    return mesh.dim() == 2 ? geometry_of<2>((*this)[term], mesh, X) : geometry_of<3>((*this)[term], mesh, X);
}

double NormalCollisions::compute_minimum_distance(const CollisionMesh& mesh, const ConstPositions& X) const
{
    validate(mesh, X);
    const double smallest = parallel_reduce(
        size(), 1024, std::numeric_limits<double>::infinity(),
        [&](std::size_t begin, std::size_t end) {
            double part = std::numeric_limits<double>::infinity();
            for (std::size_t k = begin; k < end; ++k) {
                const NormalCollision collision = (*this)[k];
                const NormalCollisionGeometry geometry =
                    mesh.dim() == 2 ? geometry_of<2>(collision, mesh, X) : geometry_of<3>(collision, mesh, X);
                part = std::min(part, geometry.squared_distance);
            }
            return part;
        },
        [](double a, double b) { return std::min(a, b); });
    return std::sqrt(smallest);
}

std::span<const NormalCollisions::WeightSource> NormalCollisions::weight_sources(std::size_t term) const
{
    if (source_starts_.size() < 2)
        return {};
    ABUT_ASSERT(term < size() && source_starts_[term] <= source_starts_[term + 1]);
    return {sources_.data() + source_starts_[term], sources_.data() + source_starts_[term + 1]};
}

NormalCollisions NormalCollisions::subset(std::span<const int> terms) const
{
    validate_rising_terms(terms, size());
    NormalCollisions part;
    TermsByList places(terms);
    part.vv_ = vv_.subset(places.next(vv_.size()));
    part.ev_ = ev_.subset(places.next(ev_.size()));
    part.ee_ = ee_.subset(places.next(ee_.size()));
    part.fv_ = fv_.subset(places.next(fv_.size()));
    part.pv_ = pv_.subset(places.next(pv_.size()));
    ABUT_ASSERT(
        part.vv_.size() + part.ev_.size() + part.ee_.size() + part.fv_.size() + part.pv_.size() == terms.size());
    part.stencils_ = stencils_.subset(terms);
    part.source_starts_.assign(1, 0);
    if (options_.enable_shape_derivatives)
        for (const int term : terms) {
            const auto sources = weight_sources(term);
            part.sources_.insert(part.sources_.end(), sources.begin(), sources.end());
            part.source_starts_.push_back(static_cast<std::int64_t>(part.sources_.size()));
        }
    part.options_ = options_;
    part.mesh_sizes_ = mesh_sizes_;
    return part;
}

void NormalCollisions::validate(const CollisionMesh& mesh, const ConstPositions& X) const
{
    mesh_sizes_.require(mesh);
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
}

bool NormalCollisions::operator==(const NormalCollisions& other) const
{
    return vv_ == other.vv_ && ev_ == other.ev_ && ee_ == other.ee_ && fv_ == other.fv_ && pv_ == other.pv_ &&
           sources_ == other.sources_;
}

} // namespace abut
