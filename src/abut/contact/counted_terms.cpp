#include "abut/contact/counted_terms.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/blocks/block_lanes.hpp"
#include "abut/contact/blocks/offset_blocks.hpp"
#include "abut/contact/edge_lanes.hpp"
#include "abut/detect/found_pairs.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "abut/geometry/point_triangle.hpp"

#include <algorithm>

namespace abut {

namespace {

constexpr std::size_t pairs_per_task = 4096;

/// One of `sharers` terms that share a contact: each has this part of it.
struct Contact {
    int first, second, sharers;
};
/// A pair of edges that is a term of its own, by its number among the near pairs.
struct EdgeContact {
    std::uint32_t pair;
    int sharers;
};
/// What one task found.
struct Found {
    std::vector<Contact> vv, ev;
    std::vector<EdgeContact> ee;
    std::vector<std::uint32_t> fv, pv;
};

class Counting {
public:
    Counting(
        const NearPairs& pairs, const CollisionMesh& mesh, const ConstPositions& X,
        const NormalCollisionsOptions& options)
        : pairs_(pairs), mesh_(mesh), X_(X), is_ogc_(options.set_type == CollisionSetType::ogc),
          use_face_edges_(options.use_face_edges), rules_(mesh), blocks_(mesh, X),
          squared_range_((options.dmin + options.dhat) * (options.dmin + options.dhat))
    {}

    NormalTerms run()
    {
        find();
        NormalTerms terms;
        count<PairKind::vertex_vertex>(
            terms.vv, mesh_.num_vertices(), [](const Found& f) -> auto& { return f.vv; });
        count<PairKind::edge_vertex>(
            terms.ev, mesh_.num_edges(), [](const Found& f) -> auto& { return f.ev; });
        keep<PairKind::edge_edge>(
            terms.ee, [](const Found& f) -> auto& { return f.ee; });
        keep<PairKind::face_vertex>(
            terms.fv, [](const Found& f) -> auto& { return f.fv; });
        keep<PairKind::plane_vertex>(
            terms.pv, [](const Found& f) -> auto& { return f.pv; });
        return terms;
    }

private:
    // What pairs lead to

    void find()
    {
        // One list for all kinds, which small sets share out as well
        const auto add_tasks = [&](PairKind kind, const DetectedPairs& list) {
            ABUT_ASSERT(list.squared_distances.size() == list.size() && list.features.size() == list.size());
            for (std::size_t begin = 0; begin < list.size(); begin += pairs_per_task)
                tasks_.push_back({kind, begin, std::min(begin + pairs_per_task, list.size())});
        };
        for_each_kind(add_tasks, pairs_);
        found_.resize(tasks_.size());
        parallel_for(tasks_.size(), 1, [&](std::size_t task) {
            const auto [kind, begin, end] = tasks_[task];
            found_[task].ev.reserve((end - begin) / 2);
            if (kind == PairKind::edge_edge)
                find_edges(begin, end, found_[task]);
            else if (kind == PairKind::face_vertex && is_ogc_)
                find_in_face_blocks(begin, end, found_[task]);
            else
                for (std::size_t k = begin; k < end; ++k)
                    if (pairs_[kind].squared_distances[k] < squared_range_)
                        add(kind, k, found_[task]);
        });
    }

    void add(PairKind kind, std::size_t k, Found& found) const
    {
        const auto [first, second] = pairs_[kind].pairs[k];
        const std::uint8_t feature = pairs_[kind].features[k];
        if (kind == PairKind::vertex_vertex)
            add_vertices(found, first, second, 1);
        else if (kind == PairKind::face_vertex)
            add_face(found, k, static_cast<PointTriangleFeature>(feature));
        else if (kind == PairKind::plane_vertex)
            found.pv.push_back(static_cast<std::uint32_t>(k));
        else if (!is_ogc_)
            add_edge(found, first, second, static_cast<PointEdgeFeature>(feature), 1);
        else if (const auto own = edge_block(first, second))
            add_edge(found, first, second, *own, 1);
    }

    static void add_vertices(Found& found, int i, int j, int sharers)
    {
        ABUT_ASSERT(i != j);
        found.vv.push_back({std::min(i, j), std::max(i, j), sharers});
    }
    void add_edge(Found& found, int e, int v, PointEdgeFeature feature, int sharers) const
    {
        if (feature == PointEdgeFeature::edge)
            found.ev.push_back({e, v, sharers});
        else
            add_vertices(found, v, mesh_.edges()(e, static_cast<int>(feature)), sharers);
    }
    void add_face(Found& found, std::size_t k, PointTriangleFeature feature) const
    {
        const auto [f, v] = pairs_.fv.pairs[k];
        if (feature == PointTriangleFeature::face)
            found.fv.push_back(static_cast<std::uint32_t>(k));
        else if (feature <= PointTriangleFeature::t2)
            add_vertices(found, v, mesh_.faces()(f, static_cast<int>(feature)), 1);
        else
            found.ev.push_back({mesh_.faces_to_edges()(f, static_cast<int>(feature) - 3), v, 1});
    }

    [[nodiscard]] bool counts_edges(int a, int b) const
    {
        return use_face_edges_ || (mesh_.edge_faces(a).empty() && mesh_.edge_faces(b).empty());
    }

    void find_edges(std::size_t begin, std::size_t end, Found& found) const
    {
        const DetectedPairs& list = pairs_.ee;
        std::array<std::uint32_t, pairs_per_task> numbers;
        std::size_t count = 0;
        for (std::size_t k = begin; k < end; ++k) {
            numbers[count] = static_cast<std::uint32_t>(k);
            const auto [a, b] = list.pairs[k];
            count += list.squared_distances[k] < squared_range_ && counts_edges(a, b) ? 1 : 0;
        }
        if (is_ogc_)
            count = keep_touching({numbers.data(), count});
        std::array<std::uint8_t, pairs_per_task> may_be_parallel;
        note_crossing({numbers.data(), count}, may_be_parallel);
        for (std::size_t k = 0; k < count; ++k)
            add_edges(found, numbers[k], may_be_parallel[k] != 0);
    }

    /// Tells which pairs of edges with an end in their feature may be nearly parallel.
    void note_crossing(std::span<const std::uint32_t> numbers, std::span<std::uint8_t> may_be_parallel) const
    {
        std::array<std::uint16_t, num_lanes> waiting{};
        int count = 0;
        const auto test_waiting = [&] {
            std::array<std::uint32_t, num_lanes> few;
            for (int lane = 0; lane < num_lanes; ++lane)
                few[lane] = numbers[waiting[std::min(lane, count - 1)]];
            const unsigned crossing = surely_crossing(mesh_, X_, pairs_.ee.pairs.data(), few);
            for (int lane = 0; lane < count; ++lane)
                may_be_parallel[waiting[lane]] = (crossing >> lane & 1) == 0 ? 1 : 0;
            count = 0;
        };
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            may_be_parallel[k] = 0; // nobody asks where no end is closest
            if (static_cast<EdgeEdgeFeature>(pairs_.ee.features[numbers[k]]) == EdgeEdgeFeature::a_b)
                continue;
            waiting[count++] = static_cast<std::uint16_t>(k);
            if (count == num_lanes)
                test_waiting();
        }
        if (count > 0)
            test_waiting();
    }

    /// Of the mollifier.
    [[nodiscard]] double eps_x(int a, int b) const
    {
        const auto end = [&](int e, int k) { return Vec3(point<3>(mesh_.rest_positions(), mesh_.edges()(e, k))); };
        return edge_edge_mollifier_threshold(end(a, 0), end(a, 1), end(b, 0), end(b, 1), Order::value).value;
    }
    [[nodiscard]] bool are_nearly_parallel(int a, int b) const
    {
        const auto along = [&](int e) {
            return Vec3(point<3>(X_, mesh_.edges()(e, 1)) - point<3>(X_, mesh_.edges()(e, 0)));
        };
        return along(a).cross(along(b)).squaredNorm() < eps_x(a, b);
    }

    /// Moves the pairs of edges that touch in OGC's sense to the front, in their order, and returns how many they are.
    [[nodiscard]] std::size_t keep_touching(std::span<std::uint32_t> numbers) const
    {
        const DetectedPairs& list = pairs_.ee;
        std::array<std::uint8_t, pairs_per_task> touches;
        std::array<std::uint16_t, pairs_per_task> like; // the place of one that asks the same
        std::array<std::uint16_t, num_lanes> waiting{}; // places of those whose feature has an end
        int count = 0;
        const auto feature_of = [&](std::size_t k) { return static_cast<EdgeEdgeFeature>(list.features[numbers[k]]); };
        const auto test_waiting = [&] {
            std::array<IndexPair, num_lanes> pairs;
            std::array<EdgeEdgeFeature, num_lanes> features;
            for (int lane = 0; lane < num_lanes; ++lane) {
                const std::size_t k = waiting[std::min(lane, count - 1)];
                pairs[lane] = list.pairs[numbers[k]];
                features[lane] = feature_of(k);
            }
            const unsigned bits = edges_touch(mesh_, X_, blocks_, pairs, features);
            for (int lane = 0; lane < count; ++lane)
                touches[waiting[lane]] = bits >> lane & 1;
            count = 0;
        };
        // All edges at an end find the same contact of it: the first of them that is remembered answers for all.
        struct Asked {
            std::uint64_t what = 0; // no contact has this number: its end and what is across from it differ
            std::uint16_t place = 0;
        };
        std::array<Asked, 1024> asked;
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            touches[k] = 1;
            like[k] = static_cast<std::uint16_t>(k);
            if (feature_of(k) == EdgeEdgeFeature::a_b)
                continue;
            const std::uint64_t what = contact_number(list.pairs[numbers[k]], feature_of(k));
            Asked& before = asked[what * 0x9e3779b97f4a7c15ULL >> 54];
            if (before.what == what) {
                like[k] = before.place;
                continue;
            }
            before = {what, like[k]};
            waiting[count++] = static_cast<std::uint16_t>(k);
            if (count == num_lanes)
                test_waiting();
        }
        if (count > 0)
            test_waiting();
        for (std::size_t k = 0; k < numbers.size(); ++k)
            touches[k] = touches[like[k]];
        std::size_t kept = 0;
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            numbers[kept] = numbers[k];
            kept += touches[k];
        }
        return kept;
    }

    /// Of an end with an edge, by its vertex and the edge; of two ends, by their vertices, the smaller first.
    [[nodiscard]] std::uint64_t contact_number(const IndexPair& pair, EdgeEdgeFeature feature) const
    {
        const auto [end_of_a, end_of_b] = ends_of(feature);
        const auto at = [&](int edge, int end) { return static_cast<std::uint64_t>(mesh_.edges()(edge, end)); };
        const auto number = [](std::uint64_t first, std::uint64_t second, bool is_edge) {
            return first << 32 | second << 1 | (is_edge ? 1u : 0u);
        };
        if (end_of_a == whole_edge)
            return number(at(pair[1], end_of_b), static_cast<std::uint64_t>(pair[0]), true);
        if (end_of_b == whole_edge)
            return number(at(pair[0], end_of_a), static_cast<std::uint64_t>(pair[1]), true);
        const std::uint64_t i = at(pair[0], end_of_a), j = at(pair[1], end_of_b);
        return number(std::min(i, j), std::max(i, j), false);
    }

    void add_edges(Found& found, std::uint32_t k, bool may_be_parallel) const
    {
        const auto [a, b] = pairs_.ee.pairs[k];
        const auto feature = static_cast<EdgeEdgeFeature>(pairs_.ee.features[k]);
        const auto counts = [this](int i, int j) { return counts_edges(i, j); };
        const int sharers =
            is_ogc_ && feature != EdgeEdgeFeature::a_b ? count_sharers(mesh_, rules_, a, b, feature, counts) : 1;
        ABUT_ASSERT(sharers > 0);
        const auto [end_of_a, end_of_b] = ends_of(feature);
        if (feature == EdgeEdgeFeature::a_b || (may_be_parallel && are_nearly_parallel(a, b)))
            found.ee.push_back({k, sharers});
        else if (end_of_a == whole_edge)
            found.ev.push_back({a, mesh_.edges()(b, end_of_b), sharers});
        else if (end_of_b == whole_edge)
            found.ev.push_back({b, mesh_.edges()(a, end_of_a), sharers});
        else
            add_vertices(found, mesh_.edges()(a, end_of_a), mesh_.edges()(b, end_of_b), sharers);
    }

    // The set of OGC

    /// The part of a loose edge in whose block v is, if this edge is the first that finds it.
    [[nodiscard]] std::optional<PointEdgeFeature> edge_block(int e, int v) const
    {
        const std::optional<PointEdgeFeature> feature = blocks_.at_edge(e, point<3>(X_, v));
        if (!feature || *feature == PointEdgeFeature::edge)
            return feature;
        for (const int other : mesh_.vertex_edges(mesh_.edges()(e, static_cast<int>(*feature))))
            if (rules_.edge_vertex(other, v) && mesh_.edge_faces(other).empty())
                return other == e ? feature : std::nullopt;
        return feature;
    }

    void find_in_face_blocks(std::size_t begin, std::size_t end, Found& found) const
    {
        const DetectedPairs& list = pairs_.fv;
        std::array<std::uint32_t, num_lanes> few{};
        int count = 0;
        const auto add_few = [&] {
            std::array<IndexPair, num_lanes> pairs;
            for (int lane = 0; lane < num_lanes; ++lane)
                pairs[lane] = list.pairs[few[std::min(lane, count - 1)]];
            const std::array<unsigned, num_lanes> parts = face_parts(mesh_, X_, pairs);
            for (int lane = 0; lane < count; ++lane)
                if (const auto feature = face_block(pairs[lane][0], pairs[lane][1], parts[lane]))
                    add_face(found, few[lane], *feature);
            count = 0;
        };
        for (std::size_t k = begin; k < end; ++k) {
            if (!(list.squared_distances[k] < squared_range_))
                continue;
            few[count++] = static_cast<std::uint32_t>(k);
            if (count == num_lanes)
                add_few();
        }
        if (count > 0)
            add_few();
    }

    /// The part of the face in whose block v is, if this face is the first that finds it.
    [[nodiscard]] std::optional<PointTriangleFeature> face_block(int f, int v, unsigned parts) const
    {
        if (parts == surely_in_face)
            return PointTriangleFeature::face;
        if (parts == 0)
            return {};
        const std::optional<PointTriangleFeature> feature = blocks_.at_face(f, point<3>(X_, v), parts);
        if (!feature || *feature == PointTriangleFeature::face)
            return feature;
        const int k = static_cast<int>(*feature);
        const std::span<const int> sharing =
            k < 3 ? mesh_.vertex_faces(mesh_.faces()(f, k)) : mesh_.edge_faces(mesh_.faces_to_edges()(f, k - 3));
        for (const int other : sharing)
            if (rules_.face_vertex(other, v))
                return other == f ? feature : std::nullopt;
        return feature;
    }

    // Counting

    /// One term for all contacts of the same two elements, sorted.
    template <PairKind kind, typename List, typename PartOf>
    void count(List& list, int num_first, PartOf&& part_of) const
    {
        struct Second {
            int second, sharers;
        };
        struct Group {
            int first, second;
            double weight;
        };
        constexpr std::size_t firsts_per_task = 4096;
        const Buckets<Second> buckets = bucketed<Second>(
            found_.size(), [&](std::size_t part) -> auto& { return part_of(found_[part]); }, num_first,
            [](const Contact& contact) { return contact.first; },
            [](const Contact& contact) {
                return Second{contact.second, contact.sharers};
            });
        const auto n = static_cast<std::size_t>(num_first);
        std::vector<std::vector<Group>> groups((n + firsts_per_task - 1) / firsts_per_task);
        parallel_ranges(n, firsts_per_task, [&](std::size_t begin, std::size_t end) {
            std::vector<Group>& own = groups[begin / firsts_per_task];
            std::vector<std::uint64_t> order; // second element, then place
            for (std::size_t first = begin; first < end; ++first) {
                const std::span<const Second> bucket = buckets[first];
                sort_by_second(bucket, order);
                for (std::size_t k = 0, next = 0; k < bucket.size(); k = next) {
                    const auto second_of = [&](std::size_t place) { return order[place] >> 32; };
                    while (next < bucket.size() && second_of(next) == second_of(k))
                        ++next;
                    own.push_back(
                        {static_cast<int>(first), static_cast<int>(second_of(k)),
                         weight_of(bucket, std::span(order).subspan(k, next - k))});
                }
            }
        });
        std::vector<std::size_t> starts(groups.size() + 1, 0);
        for (std::size_t task = 0; task < groups.size(); ++task)
            starts[task + 1] = starts[task] + groups[task].size();
        resize(list, starts.back());
        parallel_for(groups.size(), 1, [&](std::size_t task) {
            for (std::size_t k = starts[task]; const Group& group : groups[task])
                set<kind>(list, k++, {group.first, group.second}, group.weight);
        });
    }

    /// Places of a bucket's contacts by their second elements; contacts of the same ones as they come.
    template <typename Second>
    static void sort_by_second(std::span<const Second> bucket, std::vector<std::uint64_t>& order)
    {
        constexpr std::size_t few = 24;
        order.resize(bucket.size());
        for (std::size_t k = 0; k < bucket.size(); ++k) {
            const std::uint64_t key = std::uint64_t(static_cast<std::uint32_t>(bucket[k].second)) << 32 | k;
            std::size_t at = k;
            if (bucket.size() <= few)
                for (; at > 0 && order[at - 1] > key; --at)
                    order[at] = order[at - 1];
            order[at] = key;
        }
        if (bucket.size() > few)
            std::sort(order.begin(), order.end());
    }

    /// Those who share a contact are added up before they are divided: then n parts of 1 / n make 1.
    template <typename Second>
    static double weight_of(std::span<const Second> bucket, std::span<const std::uint64_t> places)
    {
        double sum = 0;
        for (std::size_t k = 0, next = 0; k < places.size(); k = next) {
            const auto sharers_of = [&](std::size_t place) {
                return bucket[static_cast<std::uint32_t>(places[place])].sharers;
            };
            while (next < places.size() && sharers_of(next) == sharers_of(k))
                ++next;
            sum += static_cast<double>(next - k) / sharers_of(k);
        }
        return sum;
    }

    /// Each contact for itself: of kinds that come once for each pair, in order.
    template <PairKind kind, typename List, typename PartOf>
    void keep(List& list, PartOf&& part_of) const
    {
        std::vector<std::size_t> starts(found_.size() + 1, 0);
        for (std::size_t task = 0; task < found_.size(); ++task)
            starts[task + 1] = starts[task] + part_of(found_[task]).size();
        resize(list, starts.back());
        parallel_for(found_.size(), 1, [&](std::size_t task) {
            std::size_t k = starts[task];
            for (const auto& contact : part_of(found_[task])) {
                if constexpr (kind == PairKind::edge_edge) {
                    const auto [a, b] = pairs_.ee.pairs[contact.pair];
                    set<kind>(list, k, {a, b}, 1.0 / contact.sharers);
                    list.features[k] = static_cast<EdgeEdgeFeature>(pairs_.ee.features[contact.pair]);
                    list.eps_x[k] = eps_x(a, b);
                } else
                    set<kind>(list, k, pairs_[kind].pairs[contact], 1);
                ++k;
            }
        });
    }

    template <typename List>
    static void resize(List& list, std::size_t size)
    {
        list.vertices.resize(size);
        list.elements.resize(size);
        list.weights.resize(size);
        if constexpr (requires { list.features; }) {
            list.features.resize(size);
            list.eps_x.resize(size);
        }
    }

    template <PairKind kind, typename List>
    void set(List& list, std::size_t k, const IndexPair& elements, double weight) const
    {
        const auto [a, b] = elements;
        const Edges& E = mesh_.edges();
        const Faces& F = mesh_.faces();
        if constexpr (kind == PairKind::vertex_vertex)
            list.vertices[k] = {a, b};
        else if constexpr (kind == PairKind::edge_vertex)
            list.vertices[k] = {b, E(a, 0), E(a, 1)};
        else if constexpr (kind == PairKind::edge_edge)
            list.vertices[k] = {E(a, 0), E(a, 1), E(b, 0), E(b, 1)};
        else if constexpr (kind == PairKind::face_vertex)
            list.vertices[k] = {b, F(a, 0), F(a, 1), F(a, 2)};
        else
            list.vertices[k] = {b};
        list.elements[k] = elements;
        list.weights[k] = weight;
    }

    struct Task {
        PairKind kind;
        std::size_t begin, end;
    };
    const NearPairs& pairs_;
    const CollisionMesh& mesh_;
    const ConstPositions& X_;
    bool is_ogc_, use_face_edges_;
    PairRules rules_;
    OffsetBlocks<3> blocks_;
    double squared_range_;
    std::vector<Task> tasks_;
    std::vector<Found> found_;
};

} // namespace

bool has_counted_terms(const CollisionMesh& mesh, const NormalCollisionsOptions& options)
{
    return mesh.dim() == 3 && mesh.offsets().empty() && options.set_type != CollisionSetType::convergent &&
           !options.use_area_weighting && !options.enable_shape_derivatives;
}

NormalTerms counted_terms(
    const NearPairs& pairs, const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisionsOptions& options)
{
    ABUT_ASSERT(has_counted_terms(mesh, options));
    return Counting(pairs, mesh, X, options).run();
}

} // namespace abut
