#include "abut/contact/normal_collisions.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/normal_collisions_builder.hpp"
#include "abut/contact/term_geometry.hpp"
#include "abut/detect/near_search.hpp"
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
    const double range = options.dmin + options.dhat;
    if (options.broad_phase == BroadPhase::bvh) {
        *this = build_from(search_near_pairs(mesh, X, range / 2, range), mesh, X, options);
        return;
    }
    Candidates candidates;
    candidates.build(mesh, X, range / 2, {.method = options.broad_phase});
    *this = build_from(find_near_pairs(candidates, mesh, X, range), mesh, X, options);
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
    NormalCollision collision{};
    visit_term(terms_, term, [&](PairKind kind, const auto& list, std::size_t k) {
        collision = {kind, list.elements[k], list.vertices[k], list.weights[k], EdgeEdgeFeature::a_b,
                     0,    list.offset(k)};
        if constexpr (requires { list.features; }) {
            collision.feature = list.features[k];
            collision.eps_x = list.eps_x[k];
        }
    });
    return collision;
}

namespace {

template <int Dim>
NormalCollisionGeometry
geometry_of(const NormalCollision& collision, const CollisionMesh& mesh, const ConstPositions& X)
{
    NormalCollisionGeometry geometry{0, Vec3::Zero(), Vec<4>::Zero()};
    const Plane* plane = collision.kind == PairKind::plane_vertex ? &mesh.planes()[collision.elements[0]] : nullptr;
    const auto x = [&](int i) { return Vec<Dim>(point<Dim>(X, collision.vertices[i])); };
    visit_closest<Dim>(
        collision.kind, collision.feature, x, plane, [&]<int N, int M>(const ClosestPair<N, M, Dim>& at) {
            geometry.squared_distance = at.squared_distance();
            geometry.normal.template head<Dim>() = at.r.normalized();
            geometry.coefficients.template head<N>() = at.w;
        });
    return geometry;
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
                part = std::min(part, squared_gap(geometry.squared_distance, collision.offset));
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
    NormalCollisions part;
    part.terms_ = subset_of(terms_, terms);
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

NormalCollisions NormalCollisions::weighted(std::span<const double> factors) const
{
    ABUT_ASSERT(factors.size() == size());
    std::vector<int> kept;
    for (std::size_t k = 0; k < factors.size(); ++k)
        if (factors[k] != 0)
            kept.push_back(static_cast<int>(k));
    NormalCollisions part = subset(kept);
    std::size_t term = 0;
    const auto scale = [&](PairKind, auto& list) {
        for (double& weight : list.weights) {
            const double factor = factors[kept[term]];
            weight *= factor;
            if (options_.enable_shape_derivatives)
                for (std::int64_t s = part.source_starts_[term]; s < part.source_starts_[term + 1]; ++s)
                    part.sources_[s].weight *= factor;
            ++term;
        }
    };
    for_each_kind(scale, part.terms_);
    return part;
}

void NormalCollisions::validate(const CollisionMesh& mesh, const ConstPositions& X) const
{
    mesh_sizes_.require(mesh);
    validate_positions(X, mesh.num_vertices(), mesh.dim(), "X");
}

bool NormalCollisions::operator==(const NormalCollisions& other) const
{
    return terms_ == other.terms_ && sources_ == other.sources_;
}

} // namespace abut
