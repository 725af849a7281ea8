#pragma once
// Which pairs press on each other, and with what weight: the active sets of IPC, of its convergent form and of OGC.
//
// A candidate closer than dmin + dhat becomes a term by its closest features: a face and a vertex near one of the
// face's edges are an edge-vertex term, and so on. Terms of the same features are merged, their weights added. Edges
// that are nearly parallel (|u x v|² < eps_x) stay an edge-edge term of their features, so that the mollifier can act.
//
// `ipc`: every candidate weighs 1, or its share of the rest area. Near a vertex of a triangle mesh the candidates of
// all triangles around it add up. `convergent` subtracts what was counted more than once, so that the sum over a
// surface is one closest point per vertex (and edge), whatever the mesh: terms of negative weight at interior edges,
// positive ones at interior vertices. Li et al., "Convergent incremental potential contact", 2023, section 4.
//
// `ogc`: a vertex presses on the element whose offset block it is in, for each layer of the surface once, and edges on
// edges likewise (contact/blocks/offset_blocks.hpp). Two energies, "Offset Geometric Contact" (Chen et al. 2025), eq.
// 12 and 17, with each contact once in each: that of a vertex with an edge or a vertex may be part of both. A pair of
// vertices weighs 1 for each of the two in whose block the other is, and 1 if edges meet there. Edges that meet another
// at the same end share this contact; so a nearly parallel one among them fades its own share only.
//
// Departures from the reference toolkit, each pinned by a test: the features of a merged edge-edge term follow the
// order of its two edges; a vertex is on the boundary when an edge of one face meets it; planes act from dmin + dhat
// on; in OGC's set a vertex need not be in the other's block too, and edges that share a contact do not count it more
// than once.

#include "abut/detect/detection.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/linear/stencils.hpp"
#include "abut/linear/term_subset.hpp"

namespace abut {

/// What a set must share with the mesh it is used with; all 0 before a build.
struct MeshSizes {
    int dim = 0, vertices = 0, edges = 0, faces = 0, planes = 0;

    [[nodiscard]] static MeshSizes of(const CollisionMesh& mesh);
    /// Throws InvalidInput, naming `collisions`, unless the mesh has these sizes.
    void require(const CollisionMesh& mesh) const;
    bool operator==(const MeshSizes&) const = default;
};

enum class CollisionSetType : std::uint8_t {
    ipc,        ///< every candidate counts
    convergent, ///< improved max operator: what several elements share counts once
    ogc,        ///< offset geometric contact: elements that are closest among their neighbours
};

struct NormalCollisionsOptions {
    double dhat;     ///< pairs closer than dmin + dhat are active [m], > 0
    double dmin = 0; ///< distance that pairs never go below, e.g. the thickness of cloth [m], >= 0
    CollisionSetType set_type = CollisionSetType::ipc;

    /// Weights are shares of rest area (in space [m²], in the plane [m]) instead of 1, so that a finer mesh of the same
    /// surface has the same energy.
    bool use_area_weighting = false;

    /// Count pairs of edges of which one belongs to a face? If not, faces and vertices have their share of area too.
    /// For laws that need not keep edges apart, such as adhesion: an edge over a surface crosses several edges, in
    /// number as the mesh has it, and no set with such pairs has a force per area that is the same for every mesh.
    bool use_face_edges = true;

    /// Remember how each weight depends on the rest positions, for shape derivatives.
    bool enable_shape_derivatives = false;

    BroadPhase broad_phase = BroadPhase::bvh;
};

/// Terms of one kind, in arrays of the same length, sorted by their elements.
template <int N>
struct CollisionTerms {
    std::vector<std::array<int, N>> vertices;
    std::vector<IndexPair> elements; ///< in the order of the kind's name
    std::vector<double> weights;
    std::vector<double> offsets{}; ///< of the mesh's; empty where it has none [m]

    [[nodiscard]] std::size_t size() const { return vertices.size(); }
    [[nodiscard]] double offset(std::size_t k) const { return offsets.empty() ? 0 : offsets[k]; }
    [[nodiscard]] CollisionTerms subset(std::span<const int> terms) const
    {
        return {
            selected(vertices, terms), selected(elements, terms), selected(weights, terms),
            offsets.empty() ? offsets : selected(offsets, terms)};
    }
    bool operator==(const CollisionTerms&) const = default;
};

struct EdgeEdgeTerms : CollisionTerms<4> {
    std::vector<EdgeEdgeFeature> features; ///< a_b except for edges that are nearly parallel
    std::vector<double> eps_x;             ///< threshold of the mollifier [m⁴]

    [[nodiscard]] EdgeEdgeTerms subset(std::span<const int> terms) const
    {
        return {CollisionTerms::subset(terms), selected(features, terms), selected(eps_x, terms)};
    }
    bool operator==(const EdgeEdgeTerms&) const = default;
};

using NormalTerms = ByKind<CollisionTerms<2>, CollisionTerms<3>, EdgeEdgeTerms, CollisionTerms<4>, CollisionTerms<1>>;

/// The stencils of lists by kind, in their order.
template <typename Terms>
[[nodiscard]] Stencils stencils_of(const Terms& terms)
{
    Stencils stencils;
    std::size_t entries = 0;
    for_each_kind([&]<int N>(PairKind, const CollisionTerms<N>& list) { entries += N * list.size(); }, terms);
    stencils.reserve(terms.size(), entries);
    for_each_kind([&](PairKind, const auto& list) { stencils.add_all(std::span(list.vertices)); }, terms);
    return stencils;
}

/// Lists by kind with these of their terms only, which count over all lists and rise.
template <typename Terms>
[[nodiscard]] Terms subset_of(const Terms& terms, std::span<const int> chosen)
{
    validate_rising_terms(chosen, terms.size());
    Terms part;
    TermsByList places(chosen);
    const auto choose = [&](PairKind, const auto& from, auto& to) { to = from.subset(places.next(from.size())); };
    for_each_kind(choose, terms, part);
    ABUT_ASSERT(part.size() == chosen.size());
    return part;
}

/// Calls visit(kind, list, k) with the list that a term of all lists is in, and its place there.
template <typename Terms, typename Visit>
void visit_term(const Terms& terms, std::size_t term, Visit&& visit)
{
    if (term >= terms.size())
        reject("term: {} is out of range; the set has {} collisions", term, terms.size());
    std::size_t before = 0;
    const auto look = [&](auto kind, const auto& list) {
        if (term >= before && term - before < list.size())
            visit(kind, list, term - before);
        before += list.size();
    };
    for_each_kind(look, terms);
}

/// One term of a set, whatever its kind.
struct NormalCollision {
    PairKind kind;
    IndexPair elements;            ///< in the order of the kind's name
    std::span<const int> vertices; ///< the stencil
    double weight;
    EdgeEdgeFeature feature; ///< of an edge-edge term
    double eps_x;            ///< of an edge-edge term; else 0
    double offset;           ///< of the mesh's; what presses is the distance less this [m]
};

/// A term's geometry at given positions. In the plane the third component is 0.
struct NormalCollisionGeometry {
    double squared_distance; ///< of the elements, whatever their offset [m²]
    Vec3 normal;             ///< unit vector from the second element to the first; zero where they touch
    Vec<4> coefficients; ///< weights of the stencil's vertices in the vector from the second closest point to the first
};

class NormalCollisions {
public:
    NormalCollisions() = default;

    /// Finds the active pairs at X, through a broad phase. Throws InvalidStart, naming the pair, where two elements are
    /// at distance dmin or less: no barrier has a value there.
    void build(const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisionsOptions& options);

    /// The same from candidates that include all pairs closer than dmin + dhat.
    void build(
        const Candidates& candidates, const CollisionMesh& mesh, const ConstPositions& X,
        const NormalCollisionsOptions& options);

    /// The same from a detection that was updated at X; its range must be at least dmin + dhat.
    void build(
        const Detection& detection, const CollisionMesh& mesh, const ConstPositions& X,
        const NormalCollisionsOptions& options);

    [[nodiscard]] std::size_t size() const { return stencils_.size(); }
    [[nodiscard]] bool empty() const { return size() == 0; }

    /// Terms by kind. The order of all terms, in stencils() and operator[], is that of these lines.
    [[nodiscard]] const NormalTerms& by_kind() const { return terms_; }
    [[nodiscard]] const CollisionTerms<2>& vv() const { return terms_.vv; } ///< (vertex, vertex), the smaller first
    [[nodiscard]] const CollisionTerms<3>& ev() const { return terms_.ev; } ///< (edge, vertex); stencil: vertex, edge
    [[nodiscard]] const EdgeEdgeTerms& ee() const { return terms_.ee; }     ///< (edge, edge), the smaller first
    [[nodiscard]] const CollisionTerms<4>& fv() const { return terms_.fv; } ///< (face, vertex); stencil: vertex, face
    [[nodiscard]] const CollisionTerms<1>& pv() const { return terms_.pv; } ///< (plane, vertex)

    [[nodiscard]] NormalCollision operator[](std::size_t term) const;
    [[nodiscard]] NormalCollisionGeometry
    geometry(std::size_t term, const CollisionMesh& mesh, const ConstPositions& X) const;

    /// The smallest distance of a term at X, less its offset [m]; infinity if there are none.
    [[nodiscard]] double compute_minimum_distance(const CollisionMesh& mesh, const ConstPositions& X) const;

    [[nodiscard]] const Stencils& stencils() const { return stencils_; }
    [[nodiscard]] const NormalCollisionsOptions& options() const { return options_; }

    /// How a weight depends on rest areas: the share `weight` of a term is proportional to the sum of these areas.
    /// Vertex v is v; edge e is ~e; none is no_area.
    struct WeightSource {
        static constexpr int no_area = std::numeric_limits<int>::max();
        double weight;
        int area0 = no_area, area1 = no_area;
        bool operator==(const WeightSource&) const = default;
    };
    /// What a term's weight is made of; empty unless built with enable_shape_derivatives.
    [[nodiscard]] std::span<const WeightSource> weight_sources(std::size_t term) const;

    /// Only these terms, which must rise. Throws InvalidInput if they do not, and for terms out of range.
    [[nodiscard]] NormalCollisions subset(std::span<const int> terms) const;

    /// With each weight times a factor, one per term; terms of factor 0 are left out.
    [[nodiscard]] NormalCollisions weighted(std::span<const double> factors) const;

    /// Throws InvalidInput unless the set fits the mesh and X has its shape and is finite.
    void validate(const CollisionMesh& mesh, const ConstPositions& X) const;

    bool operator==(const NormalCollisions& other) const;

private:
    friend class NormalCollisionsBuilder;

    NormalTerms terms_;
    Stencils stencils_;
    std::vector<WeightSource> sources_;
    std::vector<std::int64_t> source_starts_;
    NormalCollisionsOptions options_{.dhat = 0};
    MeshSizes mesh_sizes_;
};

} // namespace abut
