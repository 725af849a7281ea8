#include "abut/contact/normal_collisions_builder.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/blocks/offset_blocks.hpp"
#include "abut/contact/counted_terms.hpp"
#include "abut/detect/found_pairs.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "abut/geometry/point_triangle.hpp"

#include <algorithm>
#include <numeric>

namespace abut {

namespace {

using Source = NormalCollisions::WeightSource;

constexpr std::size_t pairs_per_task = 4096;

template <typename T>
void append_to(std::vector<T>& all, const std::vector<T>& part)
{
    all.insert(all.end(), part.begin(), part.end());
}

/// Runs make(begin, end, list) over ranges of [0, n) in parallel and joins the lists in order.
template <typename List, typename Make>
List join_parts(std::size_t n, Make&& make)
{
    std::vector<List> parts((n + pairs_per_task - 1) / pairs_per_task);
    parallel_ranges(n, pairs_per_task, [&](std::size_t begin, std::size_t end) {
        make(begin, end, parts[begin / pairs_per_task]);
    });
    List all;
    for (const List& part : parts)
        append_to(all, part);
    return all;
}

/// Runs make(begin, end, part) over ranges of [0, n) in parallel and adds the parts in order.
template <typename Part, typename Make>
void add_parts(std::vector<Part>& parts, std::size_t n, Make&& make)
{
    const std::size_t before = parts.size();
    parts.resize(before + (n + pairs_per_task - 1) / pairs_per_task);
    parallel_ranges(n, pairs_per_task, [&](std::size_t begin, std::size_t end) {
        make(begin, end, parts[before + begin / pairs_per_task]);
    });
}

/// The distinct pairs, sorted.
std::vector<IndexPair> unique_pairs(const std::vector<IndexPair>& pairs, int num_first)
{
    const std::size_t num_parts = (pairs.size() + pairs_per_task - 1) / pairs_per_task;
    const Buckets<int> buckets = bucketed<int>(
        num_parts,
        [&](std::size_t part) {
            const std::size_t begin = part * pairs_per_task;
            return std::span(pairs).subspan(begin, std::min(pairs_per_task, pairs.size() - begin));
        },
        num_first, [](const IndexPair& pair) { return pair[0]; }, [](const IndexPair& pair) { return pair[1]; });
    return join_parts<std::vector<IndexPair>>(
        static_cast<std::size_t>(num_first), [&](std::size_t begin, std::size_t end, std::vector<IndexPair>& part) {
            std::vector<int> seconds;
            for (std::size_t first = begin; first < end; ++first) {
                seconds.assign(buckets[first].begin(), buckets[first].end());
                std::sort(seconds.begin(), seconds.end());
                seconds.erase(std::unique(seconds.begin(), seconds.end()), seconds.end());
                for (const int second : seconds)
                    part.push_back({static_cast<int>(first), second});
            }
        });
}

/// Have the arrays of each kind one length, are weights finite, elements in range, thresholds not negative? For
/// assertions.
[[maybe_unused]] bool is_sound(const NormalTerms& terms, const CollisionMesh& mesh)
{
    const auto count = [&](ElementKind kind) {
        return kind == ElementKind::vertex ? mesh.num_vertices()
               : kind == ElementKind::edge ? mesh.num_edges()
               : kind == ElementKind::face ? mesh.num_faces()
                                           : static_cast<int>(mesh.planes().size());
    };
    bool sound = terms.ee.features.size() == terms.ee.size() && terms.ee.eps_x.size() == terms.ee.size() &&
                 std::all_of(terms.ee.eps_x.begin(), terms.ee.eps_x.end(), [](double eps_x) { return eps_x >= 0; });
    const auto check = [&](PairKind kind, const auto& list) {
        const int num_first = count(element_kinds(kind)[0]), num_second = count(element_kinds(kind)[1]);
        sound = sound && list.elements.size() == list.size() && list.weights.size() == list.size();
        for (std::size_t k = 0; sound && k < list.size(); ++k) {
            const auto [first, second] = list.elements[k];
            sound =
                first >= 0 && first < num_first && second >= 0 && second < num_second && std::isfinite(list.weights[k]);
        }
    };
    for_each_kind(check, terms);
    return sound;
}

/// The feature of the same two edges, named in the other order.
EdgeEdgeFeature swapped(EdgeEdgeFeature feature)
{
    using F = EdgeEdgeFeature;
    switch (feature) {
    case F::a0_b1:
        return F::a1_b0;
    case F::a1_b0:
        return F::a0_b1;
    case F::a_b0:
        return F::a0_b;
    case F::a_b1:
        return F::a1_b;
    case F::a0_b:
        return F::a_b0;
    case F::a1_b:
        return F::a_b1;
    case F::a0_b0:
    case F::a1_b1:
    case F::a_b:
        break;
    }
    return feature;
}

} // namespace

ConvergentRules ConvergentRules::of(const CollisionMesh& mesh)
{
    return {[&mesh](int vertex) { return mesh.is_on_boundary(vertex) || mesh.vertex_faces(vertex).empty(); }};
}

NormalCollisionsBuilder::NormalCollisionsBuilder(
    const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisionsOptions& options)
    : mesh_(mesh), X_(X), options_(options),
      squared_range_((options.dmin + options.dhat) * (options.dmin + options.dhat))
{}

NormalCollisions NormalCollisionsBuilder::build(const NearPairs& pairs, const ConvergentRules& rules) const
{
    reject_touching(pairs);
    NormalCollisions set;
    set.options_ = options_;
    set.mesh_sizes_ = MeshSizes::of(mesh_);
    if (has_counted_terms(mesh_, options_)) {
        set.source_starts_.assign(1, 0);
        set.terms_ = counted_terms(pairs, mesh_, X_, options_);
        complete(set);
        return set;
    }
    RawParts raw;
    if (options_.set_type != CollisionSetType::ogc)
        add_candidates(pairs, raw);
    else if (mesh_.dim() == 2)
        add_offset_contacts<2>(pairs, raw);
    else
        add_offset_contacts<3>(pairs, raw);
    if (options_.set_type == CollisionSetType::convergent) {
        correct_edge_vertex(pairs, raw);
        correct_edge_edge(pairs, raw);
        correct_face_vertex(pairs, rules, raw);
    }
    finish(raw, set);
    complete(set);
    return set;
}

void NormalCollisionsBuilder::reject_touching(const NearPairs& pairs) const
{
    const auto check = [&](PairKind kind, const DetectedPairs& list) {
        const double smallest = parallel_reduce(
            list.size(), 65536, std::numeric_limits<double>::infinity(),
            [&](std::size_t begin, std::size_t end) {
                double part = std::numeric_limits<double>::infinity();
                for (std::size_t k = begin; k < end; ++k)
                    part = std::min(part, list.squared_distances[k]);
                return part;
            },
            [](double a, double b) { return std::min(a, b); });
        if (std::sqrt(smallest) > options_.dmin)
            return;
        const auto& elements = element_kinds(kind);
        for (std::size_t k = 0; k < list.size(); ++k) {
            const double distance = std::sqrt(list.squared_distances[k]);
            if (distance > options_.dmin)
                continue;
            const double offset = pair_offset(mesh_, kind, list.pairs[k][0], list.pairs[k][1]);
            const std::string how =
                offset > 0 ? fmt::format(
                                 "nearer than their offsets of {:.3g} m in all{}", offset,
                                 options_.dmin > 0 ? fmt::format(" and dmin = {} m", options_.dmin) : "")
                : options_.dmin > 0
                    ? fmt::format("at distance {:.3g} m, not above dmin = {} m", distance, options_.dmin)
                : kind == PairKind::plane_vertex ? "at distance 0 or behind it"
                                                 : "at distance 0";
            throw InvalidStart(fmt::format(
                "X: {} {} and {} {} are {}. Contact needs a start in which everything is apart: move them; "
                "has_intersections and compute_minimum_distance tell when it is",
                to_string(elements[0]), list.pairs[k][0], to_string(elements[1]), list.pairs[k][1], how));
        }
    };
    for_each_kind(check, pairs);
}

// Weights

NormalCollisionsBuilder::RawTerm
NormalCollisionsBuilder::vertex_weighted(int first, int second, int vertex, double share, double count) const
{
    if (!options_.use_area_weighting)
        return raw_term(first, second, count);
    return raw_term(first, second, count * share * mesh_.vertex_areas()[vertex], vertex);
}

NormalCollisionsBuilder::RawTerm
NormalCollisionsBuilder::edge_weighted(int first, int second, int edge, double share, double count) const
{
    if (!options_.use_area_weighting)
        return raw_term(first, second, count);
    return raw_term(first, second, count * share * mesh_.edge_areas()[edge], ~edge);
}

NormalCollisionsBuilder::RawTerm NormalCollisionsBuilder::edges_weighted(int a, int b, EdgeEdgeFeature feature) const
{
    if (!options_.use_area_weighting)
        return raw_term(a, b, 1, Source::no_area, Source::no_area, feature);
    return raw_term(a, b, (mesh_.edge_areas()[a] + mesh_.edge_areas()[b]) / 4, ~a, ~b, feature);
}

NormalCollisionsBuilder::RawTerm NormalCollisionsBuilder::vertices_weighted(int i, int j) const
{
    RawTerm term = vertex_weighted(i, j, i, 0.5);
    if (options_.use_area_weighting) {
        term.weight += mesh_.vertex_areas()[j] / 2;
        term.area1 = j;
    }
    return term;
}

bool NormalCollisionsBuilder::counts_edges(int a, int b) const
{
    return options_.use_face_edges || (mesh_.edge_faces(a).empty() && mesh_.edge_faces(b).empty());
}

// Terms by closest features

void NormalCollisionsBuilder::add_vertex_vertex(RawTerms& raw, int i, int j, RawTerm weight)
{
    ABUT_ASSERT(i != j);
    weight.first = std::min(i, j);
    weight.second = std::max(i, j);
    weight.feature = EdgeEdgeFeature::a_b;
    raw.add(PairKind::vertex_vertex, weight);
}

void NormalCollisionsBuilder::add_edge_vertex(
    RawTerms& raw, int e, int v, PointEdgeFeature feature, RawTerm weight) const
{
    ABUT_ASSERT(mesh_.edges()(e, 0) != v && mesh_.edges()(e, 1) != v);
    if (feature != PointEdgeFeature::edge)
        return add_vertex_vertex(raw, v, mesh_.edges()(e, static_cast<int>(feature)), weight);
    weight.first = e;
    weight.second = v;
    weight.feature = EdgeEdgeFeature::a_b;
    raw.add(PairKind::edge_vertex, weight);
}

void NormalCollisionsBuilder::add_edge_edge(RawTerms& raw, int a, int b, EdgeEdgeFeature feature, int sharers) const
{
    ABUT_ASSERT(a != b && sharers > 0 && feature <= EdgeEdgeFeature::a_b);
    RawTerm term = edges_weighted(a, b, feature);
    term.sharers = sharers;
    if (feature == EdgeEdgeFeature::a_b || is_nearly_parallel(a, b)) {
        raw.add(PairKind::edge_edge, term);
        return;
    }
    const auto [end_of_a, end_of_b] = ends_of(feature);
    if (end_of_a == whole_edge)
        add_edge_vertex(raw, a, mesh_.edges()(b, end_of_b), PointEdgeFeature::edge, term);
    else if (end_of_b == whole_edge)
        add_edge_vertex(raw, b, mesh_.edges()(a, end_of_a), PointEdgeFeature::edge, term);
    else
        add_vertex_vertex(raw, mesh_.edges()(a, end_of_a), mesh_.edges()(b, end_of_b), term);
}

void NormalCollisionsBuilder::add_face_vertex(RawTerms& raw, int f, int v, PointTriangleFeature feature) const
{
    ABUT_ASSERT(feature <= PointTriangleFeature::face);
    const RawTerm term = vertex_weighted(f, v, v, face_share());
    if (feature == PointTriangleFeature::face)
        raw.add(PairKind::face_vertex, term);
    else if (feature <= PointTriangleFeature::t2)
        add_vertex_vertex(raw, v, mesh_.faces()(f, static_cast<int>(feature)), term);
    else
        add_edge_vertex(raw, mesh_.faces_to_edges()(f, static_cast<int>(feature) - 3), v, PointEdgeFeature::edge, term);
}

/// Calls add(part, first, second, feature) for the pairs within range.
template <typename Add>
void NormalCollisionsBuilder::collect(PairKind kind, const NearPairs& all, RawParts& raw, Add&& add) const
{
    const DetectedPairs& pairs = all[kind];
    add_parts(raw, pairs.size(), [&](std::size_t begin, std::size_t end, RawTerms& part) {
        for (std::size_t k = begin; k < end; ++k)
            if (pairs.squared_distances[k] < squared_range_) {
                part.offset = pair_offset(mesh_, kind, pairs.pairs[k][0], pairs.pairs[k][1]);
                add(part, pairs.pairs[k][0], pairs.pairs[k][1], pairs.features[k]);
            }
    });
}

template <typename Counts>
std::pair<double, double>
NormalCollisionsBuilder::offsets_around(PairKind kind, std::span<const int> elements, int j, Counts&& counts) const
{
    if (mesh_.offsets().empty() || elements.empty())
        return {0, 0};
    if (mesh_.offsets().pairs().empty()) {
        const double all = pair_offset(mesh_, kind, elements[0], j);
        return {all, all};
    }
    std::pair<double, double> range(INFINITY, 0);
    for (const int i : elements)
        if (counts(i)) {
            const double offset = pair_offset(mesh_, kind, i, j);
            range = {std::min(range.first, offset), std::max(range.second, offset)};
        }
    return std::isfinite(range.first) ? range : std::pair<double, double>(0, 0);
}

void NormalCollisionsBuilder::add_candidates(const NearPairs& pairs, RawParts& raw) const
{
    collect(PairKind::vertex_vertex, pairs, raw, [&](RawTerms& part, int i, int j, int) {
        add_vertex_vertex(part, i, j, vertices_weighted(i, j));
    });
    collect(PairKind::edge_vertex, pairs, raw, [&](RawTerms& part, int e, int v, int feature) {
        add_edge_vertex(part, e, v, static_cast<PointEdgeFeature>(feature), vertex_weighted(e, v, v, 0.5));
    });
    collect(PairKind::edge_edge, pairs, raw, [&](RawTerms& part, int a, int b, int feature) {
        if (counts_edges(a, b))
            add_edge_edge(part, a, b, static_cast<EdgeEdgeFeature>(feature));
    });
    collect(PairKind::face_vertex, pairs, raw, [&](RawTerms& part, int f, int v, int feature) {
        add_face_vertex(part, f, v, static_cast<PointTriangleFeature>(feature));
    });
    collect(PairKind::plane_vertex, pairs, raw, [&](RawTerms& part, int plane, int v, int) {
        part.add(PairKind::plane_vertex, vertex_weighted(plane, v, v, 1));
    });
}

// The set of OGC

template <int Dim>
void NormalCollisionsBuilder::add_offset_contacts(const NearPairs& pairs, RawParts& raw) const
{
    const OffsetBlocks<Dim> blocks(mesh_, X_);
    const PairRules rules(mesh_);
    // Elements that share a vertex or an edge all find a point that is in its block; the first of them adds it, of
    // those with the largest offset, for whoever keeps that one keeps the others.
    const auto is_first = [&](PairKind kind, int element, std::span<const int> sharing, int v, auto&& may_collide) {
        const double largest = offsets_around(kind, sharing, v, may_collide).second;
        for (const int other : sharing)
            if (may_collide(other) &&
                (mesh_.offsets().pairs().empty() || pair_offset(mesh_, kind, other, v) == largest))
                return other == element;
        return true;
    };
    collect(PairKind::vertex_vertex, pairs, raw, [&](RawTerms& part, int i, int j, int) {
        add_vertex_vertex(part, i, j, vertices_weighted(i, j));
    });
    collect(PairKind::edge_vertex, pairs, raw, [&](RawTerms& part, int e, int v, int) {
        const std::optional<PointEdgeFeature> feature = blocks.at_edge(e, point<Dim>(X_, v));
        if (!feature)
            return;
        const auto may_collide = [&](int other) {
            return rules.edge_vertex(other, v) && (Dim == 2 || mesh_.edge_faces(other).empty());
        };
        if (*feature != PointEdgeFeature::edge) {
            const auto sharing = mesh_.vertex_edges(mesh_.edges()(e, static_cast<int>(*feature)));
            if (!is_first(PairKind::edge_vertex, e, sharing, v, may_collide))
                return;
        }
        add_edge_vertex(part, e, v, *feature, vertex_weighted(e, v, v, 0.5));
    });
    if constexpr (Dim == 3) {
        const auto counts = [this](int i, int j) { return counts_edges(i, j); };
        collect(PairKind::edge_edge, pairs, raw, [&](RawTerms& part, int a, int b, int found) {
            const auto feature = static_cast<EdgeEdgeFeature>(found);
            if (counts_edges(a, b) && blocks.edges_touch(a, b, feature))
                add_edge_edge(part, a, b, feature, count_sharers(mesh_, rules, a, b, feature, counts));
        });
        collect(PairKind::face_vertex, pairs, raw, [&](RawTerms& part, int f, int v, int) {
            const std::optional<PointTriangleFeature> feature = blocks.at_face(f, point<3>(X_, v));
            if (!feature)
                return;
            const int k = static_cast<int>(*feature);
            const std::span<const int> sharing = k < 3   ? mesh_.vertex_faces(mesh_.faces()(f, k))
                                                 : k < 6 ? mesh_.edge_faces(mesh_.faces_to_edges()(f, k - 3))
                                                         : std::span<const int>();
            const auto may_collide = [&](int other) { return rules.face_vertex(other, v); };
            if (is_first(PairKind::face_vertex, f, sharing, v, may_collide))
                add_face_vertex(part, f, v, *feature);
        });
    }
    collect(PairKind::plane_vertex, pairs, raw, [&](RawTerms& part, int plane, int v, int) {
        part.add(PairKind::plane_vertex, vertex_weighted(plane, v, v, 1));
    });
}

// Geometry of parts of near pairs

NormalCollisionsBuilder::PointEdge NormalCollisionsBuilder::point_edge(int e, int v, double offset) const
{
    const auto measure = [&]<int Dim>() -> PointEdge {
        const Vec<Dim> p = point<Dim>(X_, v), e0 = point<Dim>(X_, mesh_.edges()(e, 0)),
                       e1 = point<Dim>(X_, mesh_.edges()(e, 1));
        const PointEdgeFeature feature = point_edge_feature<Dim>(p, e0, e1);
        const double D = point_edge_squared_distance<Dim>(p, e0, e1, feature, Order::value).value;
        return {is_in_range(D, offset), feature};
    };
    return mesh_.dim() == 2 ? measure.operator()<2>() : measure.operator()<3>();
}

bool NormalCollisionsBuilder::is_active(int i, int j, double offset) const
{
    return is_in_range((X_.row(i) - X_.row(j)).squaredNorm(), offset);
}

double NormalCollisionsBuilder::eps_x(int a, int b) const
{
    const auto end = [&](int e, int k) { return Vec3(point<3>(mesh_.rest_positions(), mesh_.edges()(e, k))); };
    return edge_edge_mollifier_threshold(end(a, 0), end(a, 1), end(b, 0), end(b, 1), Order::value).value;
}

bool NormalCollisionsBuilder::is_nearly_parallel(int a, int b) const
{
    const auto along = [&](int e) {
        return Vec3(point<3>(X_, mesh_.edges()(e, 1)) - point<3>(X_, mesh_.edges()(e, 0)));
    };
    return along(a).cross(along(b)).squaredNorm() < eps_x(a, b);
}

bool NormalCollisionsBuilder::is_neighbour(int i, int j) const
{
    for (const int e : mesh_.vertex_edges(i))
        if (mesh_.edges()(e, 0) == j || mesh_.edges()(e, 1) == j)
            return true;
    return false;
}

// The convergent set. Around a point that several elements share, each of them counts it. The corrections leave one:
// elements minus interior sub-elements plus the sub-elements of these. Where those elements have offsets that differ,
// the corrections have the smallest: what is taken away is never more than what is there.

void NormalCollisionsBuilder::correct_edge_vertex(const NearPairs& pairs, RawParts& raw) const
{
    const PairRules rules(mesh_);
    std::vector<IndexPair> ends; // (vertex, end of an edge it is near)
    for (const auto& [e, v] : pairs.ev.pairs)
        for (const int end : {mesh_.edges()(e, 0), mesh_.edges()(e, 1)})
            ends.push_back({v, end});
    RawTerms& part = raw.emplace_back();
    for (const IndexPair& pair : unique_pairs(ends, mesh_.num_vertices())) {
        const int v = pair[0], end = pair[1];
        // Edges that meet at `end` and are candidates of v: in the plane all, in space those in no face.
        const auto counts = [&](int e) {
            return rules.edge_vertex(e, v) && (mesh_.dim() == 2 || mesh_.edge_faces(e).empty());
        };
        const auto edges = mesh_.vertex_edges(end);
        const double offset = offsets_around(PairKind::edge_vertex, edges, v, counts).first;
        if (!is_active(v, end, offset))
            continue;
        part.offset = offset;
        if (const auto count = static_cast<int>(std::count_if(edges.begin(), edges.end(), counts)); count > 1)
            add_vertex_vertex(part, v, end, vertex_weighted(v, end, v, 0.5, 1 - count));
    }
}

void NormalCollisionsBuilder::correct_edge_edge(const NearPairs& pairs, RawParts& raw) const
{
    // (edge, end of an edge it is near): at that end the edges that meet there all count the same point of the edge.
    const auto& near = pairs.ee.pairs;
    const auto ends = join_parts<std::vector<IndexPair>>(
        near.size(), [&](std::size_t begin, std::size_t end, std::vector<IndexPair>& part) {
            for (std::size_t k = begin; k < end; ++k)
                for (int side = 0; side < 2 && counts_edges(near[k][0], near[k][1]); ++side)
                    for (int j = 0; j < 2; ++j)
                        part.push_back({near[k][side], mesh_.edges()(near[k][1 - side], j)});
        });
    const auto unique = unique_pairs(ends, mesh_.num_edges());
    const PairRules rules(mesh_);
    add_parts(raw, unique.size(), [&](std::size_t begin, std::size_t end, RawTerms& part) {
        for (std::size_t k = begin; k < end; ++k) {
            const int e = unique[k][0], p = unique[k][1];
            const auto counts = [&](int other) { return rules.edge_edge(e, other) && counts_edges(e, other); };
            part.offset = offsets_around(PairKind::edge_edge, mesh_.vertex_edges(p), e, counts).first;
            const PointEdge closest = point_edge(e, p, part.offset);
            if (!closest.is_active)
                continue;
            int count = 0;
            for (const int other : mesh_.vertex_edges(p)) {
                if (!counts(other))
                    continue;
                if (!is_nearly_parallel(e, other)) {
                    ++count;
                    continue;
                }
                // A nearly parallel edge has a term of its own for this end, which its mollifier fades with it.
                const int p_is = mesh_.edges()(other, 0) == p ? 0 : 1;
                const EdgeEdgeFeature feature = end_of_b(p_is, closest.feature);
                RawTerm term = edge_weighted(std::min(e, other), std::max(e, other), e, 0.25, -1);
                term.feature = e < other ? feature : swapped(feature);
                part.add(PairKind::edge_edge, term);
            }
            if (count != 1)
                add_edge_vertex(part, e, p, closest.feature, edge_weighted(e, p, e, 0.25, 1 - count));
        }
    });
}

void NormalCollisionsBuilder::correct_face_vertex(
    const NearPairs& pairs, const ConvergentRules& rules, RawParts& raw) const
{
    const auto& near = pairs.fv.pairs;
    const auto sides = join_parts<std::vector<IndexPair>>(
        near.size(), [&](std::size_t begin, std::size_t end, std::vector<IndexPair>& part) {
            for (std::size_t k = begin; k < end; ++k)
                for (int j = 0; j < 3; ++j)
                    part.push_back({mesh_.faces_to_edges()(near[k][0], j), near[k][1]});
        });
    const auto unique = unique_pairs(sides, mesh_.num_edges());
    const PairRules pair_rules(mesh_);
    add_parts(raw, unique.size(), [&](std::size_t begin, std::size_t end, RawTerms& part) {
        for (std::size_t k = begin; k < end; ++k) {
            const int e = unique[k][0], v = unique[k][1];
            const auto faces = mesh_.edge_faces(e);
            const auto counts = [&](int f) { return pair_rules.face_vertex(f, v); };
            part.offset = offsets_around(PairKind::face_vertex, faces, v, counts).first;
            const PointEdge closest = point_edge(e, v, part.offset);
            if (!closest.is_active || mesh_.edges()(e, 0) == v || mesh_.edges()(e, 1) == v)
                continue;
            if (const auto count = static_cast<int>(std::count_if(faces.begin(), faces.end(), counts)); count > 1)
                add_edge_vertex(part, e, v, closest.feature, vertex_weighted(e, v, v, face_share(), 1 - count));
        }
    });
    correct_face_vertices(pairs, rules, raw);
}

void NormalCollisionsBuilder::correct_face_vertices(
    const NearPairs& pairs, const ConvergentRules& rules, RawParts& raw) const
{
    const auto& near = pairs.fv.pairs;
    const PairRules pair_rules(mesh_);
    const auto offset_around = [&](int v, int corner) {
        const auto counts = [&](int f) { return pair_rules.face_vertex(f, v); };
        return offsets_around(PairKind::face_vertex, mesh_.vertex_faces(corner), v, counts).first;
    };
    const auto corners = join_parts<std::vector<IndexPair>>(
        near.size(), [&](std::size_t begin, std::size_t end, std::vector<IndexPair>& part) {
            for (std::size_t k = begin; k < end; ++k)
                for (int j = 0; j < 3; ++j) {
                    const int corner = mesh_.faces()(near[k][0], j), v = near[k][1];
                    if (is_active(v, corner, offset_around(v, corner)))
                        part.push_back({v, corner});
                }
        });
    // Around an interior vertex there are as many faces as edges: one is missing. At a border there is one edge more.
    RawTerms& part = raw.emplace_back();
    for (const auto& [v, corner] : unique_pairs(corners, mesh_.num_vertices()))
        if (!rules.is_on_boundary(corner) && !is_neighbour(v, corner)) {
            part.offset = offset_around(v, corner);
            add_vertex_vertex(part, v, corner, vertex_weighted(v, corner, v, face_share()));
        }
}

// Merging

/// Puts terms into a set, with what their weights are made of where that is asked for. Tasks say how many terms they
/// have, so that all know their places in the lists and can write at once.
struct NormalCollisionsBuilder::Merging {
    const NormalCollisionsBuilder& builder;
    const RawParts& parts;
    NormalCollisions& set;
    bool has_sources;

    /// Each term for itself: of kinds that come once for each pair, in order.
    template <PairKind kind, typename List>
    void add_each(KindConstant<kind>, List& list) const
    {
        static constexpr std::uint32_t itself = 0;
        add_tasks<kind>(
            list, parts.size(), [&](std::size_t part) { return parts[part][kind].size(); },
            [&](std::size_t part, auto&& add) {
                for (const RawTerm& term : parts[part][kind])
                    add(&term, std::span(&itself, 1), term.weight / term.sharers);
            });
    }

    /// One term for all of the same features, sorted, unless their weights cancel.
    template <PairKind kind, typename List>
    void add_merged(KindConstant<kind>, List& list, int num_first) const
    {
        constexpr std::size_t firsts_per_task = 4096;
        const Buckets<RawTerm> buckets = bucketed<RawTerm>(
            parts.size(), [&](std::size_t part) -> auto& { return parts[part][kind]; }, num_first,
            [](const RawTerm& term) { return term.first; }, [](const RawTerm& term) { return term; });
        // Of each bucket an order by features, and in it the groups that are one term each
        struct Group {
            std::uint32_t begin, end;
            double weight;
        };
        const std::span<const RawTerm> terms = buckets.items.span();
        Buffer<std::uint32_t> order(terms.size());
        const auto num_firsts = static_cast<std::size_t>(num_first);
        std::vector<std::vector<Group>> groups((num_firsts + firsts_per_task - 1) / firsts_per_task);
        const auto key = [&](std::uint32_t k) {
            return std::tuple(terms[k].second, terms[k].feature, terms[k].offset);
        };
        parallel_for(num_firsts, firsts_per_task, [&](std::size_t first) {
            const std::uint32_t bucket_begin = buckets.starts[first], bucket_end = buckets.starts[first + 1];
            if (bucket_begin == bucket_end)
                return;
            const std::span<std::uint32_t> bucket(order.data() + bucket_begin, bucket_end - bucket_begin);
            std::iota(bucket.begin(), bucket.end(), bucket_begin);
            std::sort(bucket.begin(), bucket.end(), [&](std::uint32_t a, std::uint32_t b) {
                return terms[a].second != terms[b].second ? terms[a].second < terms[b].second
                                                          : std::tuple(key(a), a) < std::tuple(key(b), b);
            });
            for (std::uint32_t begin = bucket_begin, end; begin < bucket_end; begin = end) {
                for (end = begin + 1; end < bucket_end && key(order[end]) == key(order[begin]);)
                    ++end;
                const std::span<const std::uint32_t> places(order.data() + begin, end - begin);
                if (const double weight = sum_of_weights(terms, places); weight != 0)
                    groups[first / firsts_per_task].push_back({begin, end, weight});
            }
        });
        add_tasks<kind>(
            list, groups.size(), [&](std::size_t task) { return groups[task].size(); },
            [&](std::size_t task, auto&& add) {
                for (const Group& group : groups[task])
                    add(terms.data(),
                        std::span<const std::uint32_t>(order.data() + group.begin, group.end - group.begin),
                        group.weight);
            });
    }

private:
    /// Lets visit(task, add) add the terms of each task: add(terms, places, weight) for one that is made of the raw
    /// terms at these places.
    template <PairKind kind, typename List, typename CountOf, typename Visit>
    void add_tasks(List& list, std::size_t num_tasks, CountOf&& count_of, Visit&& visit) const
    {
        std::vector<std::size_t> starts(num_tasks + 1, 0);
        for (std::size_t task = 0; task < num_tasks; ++task)
            starts[task + 1] = starts[task] + count_of(task);
        list.vertices.resize(starts.back());
        list.elements.resize(starts.back());
        list.weights.resize(starts.back());
        if (!builder.mesh_.offsets().empty())
            list.offsets.resize(starts.back());
        if constexpr (kind == PairKind::edge_edge) {
            list.features.resize(starts.back());
            list.eps_x.resize(starts.back());
        }
        parallel_for(num_tasks, 1, [&](std::size_t task) {
            std::size_t k = starts[task];
            visit(task, [&](const RawTerm* terms, std::span<const std::uint32_t> places, double weight) {
                set_term<kind>(list, k++, terms[places[0]], weight);
            });
            ABUT_ASSERT(k == starts[task + 1]);
        });
        if (!has_sources)
            return;
        for (std::size_t task = 0; task < num_tasks; ++task)
            visit(task, [&](const RawTerm* terms, std::span<const std::uint32_t> places, double) {
                for (const std::uint32_t k : places)
                    set.sources_.push_back({terms[k].weight / terms[k].sharers, terms[k].area0, terms[k].area1});
                set.source_starts_.push_back(static_cast<std::int64_t>(set.sources_.size()));
            });
    }

    /// 0 for weights that cancel but for the rounding of their sum.
    [[nodiscard]] static double sum_of_weights(std::span<const RawTerm> terms, std::span<const std::uint32_t> places)
    {
        double sum = 0, size = 0;
        for (std::size_t k = 0; k < places.size();) {
            // Those who share a contact are added up before they are divided: then n parts of 1 / n make 1.
            const int sharers = terms[places[k]].sharers;
            double shared = 0;
            for (; k < places.size() && terms[places[k]].sharers == sharers; ++k) {
                shared += terms[places[k]].weight;
                size += std::abs(terms[places[k]].weight);
            }
            sum += shared / sharers;
        }
        return std::abs(sum) <= 4 * std::numeric_limits<double>::epsilon() * size ? 0 : sum;
    }

    template <PairKind kind, typename List>
    void set_term(List& list, std::size_t k, const RawTerm& term, double weight) const
    {
        const Edges& E = builder.mesh_.edges();
        const Faces& F = builder.mesh_.faces();
        const int a = term.first, b = term.second;
        if constexpr (kind == PairKind::edge_vertex)
            list.vertices[k] = {b, E(a, 0), E(a, 1)};
        else if constexpr (kind == PairKind::edge_edge)
            list.vertices[k] = {E(a, 0), E(a, 1), E(b, 0), E(b, 1)};
        else if constexpr (kind == PairKind::face_vertex)
            list.vertices[k] = {b, F(a, 0), F(a, 1), F(a, 2)};
        else if constexpr (kind == PairKind::plane_vertex)
            list.vertices[k] = {b};
        else
            list.vertices[k] = {a, b};
        list.elements[k] = {a, b};
        list.weights[k] = weight;
        if (!list.offsets.empty())
            list.offsets[k] = term.offset;
        if constexpr (kind == PairKind::edge_edge) {
            list.features[k] = term.feature;
            list.eps_x[k] = builder.eps_x(a, b);
        }
    }
};

void NormalCollisionsBuilder::finish(const RawParts& raw, NormalCollisions& set) const
{
    set.source_starts_.assign(1, 0);
    const Merging merging{*this, raw, set, options_.enable_shape_derivatives};
    const auto add_kind = [&](auto kind, auto& list) {
        if constexpr (kind == PairKind::vertex_vertex)
            merging.add_merged(kind, list, mesh_.num_vertices());
        else if constexpr (kind == PairKind::edge_vertex)
            merging.add_merged(kind, list, mesh_.num_edges());
        else if (kind == PairKind::edge_edge && options_.set_type == CollisionSetType::convergent)
            merging.add_merged(kind, list, mesh_.num_edges());
        else
            merging.add_each(kind, list);
    };
    for_each_kind(add_kind, set.terms_);
}

void NormalCollisionsBuilder::complete(NormalCollisions& set) const
{
    set.stencils_ = stencils_of(set.terms_);
    ABUT_ASSERT(is_sound(set.terms_, mesh_));
    ABUT_ASSERT(set.stencils_.vertex_bound() <= mesh_.num_vertices());
    ABUT_ASSERT(set.source_starts_.size() == (options_.enable_shape_derivatives ? set.size() + 1 : 1));
}

} // namespace abut
