#include "abut/mesh/topology.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace abut {

namespace {

/// A mention of the edge (smaller, larger); mentions are bucketed by their smaller vertex. Sources below the number of
/// given edges are those edges, then come the corners of the faces, three each.
struct Mention {
    int larger;
    int source;
    bool operator<(const Mention& other) const
    {
        return larger != other.larger ? larger < other.larger : source < other.source;
    }
};

struct MentionTable {
    std::vector<int> offsets;
    std::vector<Mention> mentions;
};

MentionTable collect_mentions(const Edges& given, const Faces& faces, int num_vertices)
{
    const auto for_each_mention = [&](auto&& visit) {
        for (Eigen::Index e = 0; e < given.rows(); ++e)
            visit(given(e, 0), given(e, 1), static_cast<int>(e));
        int source = static_cast<int>(given.rows());
        for (Eigen::Index f = 0; f < faces.rows(); ++f)
            for (int k = 0; k < 3; ++k)
                visit(faces(f, k), faces(f, k == 2 ? 0 : k + 1), source++);
    };
    MentionTable table;
    table.offsets.assign(num_vertices + 1, 0);
    for_each_mention([&](int a, int b, int) { ++table.offsets[std::min(a, b) + 1]; });
    std::partial_sum(table.offsets.begin(), table.offsets.end(), table.offsets.begin());
    table.mentions.resize(table.offsets.back());
    std::vector<int> next(table.offsets.begin(), table.offsets.end() - 1);
    for_each_mention([&](int a, int b, int source) {
        table.mentions[next[std::min(a, b)]++] = {std::max(a, b), source};
    });
    parallel_for(num_vertices, 4096, [&](std::size_t v) {
        ABUT_ASSERT(next[v] == table.offsets[v + 1]);
        std::sort(table.mentions.begin() + table.offsets[v], table.mentions.begin() + table.offsets[v + 1]);
    });
    return table;
}

/// Calls visit(smaller, larger, mentions of that edge) for every edge in sorted order.
template <typename Visit>
void for_each_edge(const MentionTable& table, Visit&& visit)
{
    for (std::size_t v = 0; v + 1 < table.offsets.size(); ++v)
        for (int begin = table.offsets[v], end; begin < table.offsets[v + 1]; begin = end) {
            end = begin;
            while (end < table.offsets[v + 1] && table.mentions[end].larger == table.mentions[begin].larger)
                ++end;
            visit(
                static_cast<int>(v), table.mentions[begin].larger,
                std::span<const Mention>(&table.mentions[begin], static_cast<std::size_t>(end - begin)));
        }
}

/// Two faces with the same corners share an edge and the vertex opposite to it.
void reject_duplicate_faces(const EdgeTopology& topology)
{
    const auto& offsets = topology.edge_faces.offsets;
    const auto& faces = topology.edge_faces.items;
    std::vector<int> order;
    for (std::size_t e = 0; e < topology.edge_faces.size(); ++e) {
        if (offsets[e + 1] - offsets[e] < 2)
            continue;
        order.resize(static_cast<std::size_t>(offsets[e + 1] - offsets[e]));
        std::iota(order.begin(), order.end(), offsets[e]);
        std::sort(order.begin(), order.end(), [&](int i, int j) {
            return std::pair(topology.edge_opposites[i], faces[i]) < std::pair(topology.edge_opposites[j], faces[j]);
        });
        for (std::size_t k = 1; k < order.size(); ++k)
            if (topology.edge_opposites[order[k - 1]] == topology.edge_opposites[order[k]])
                reject(
                    "faces: rows {} and {} have the same three vertices; remove one of them", faces[order[k - 1]],
                    faces[order[k]]);
    }
}

} // namespace

EdgeTopology build_edge_topology(const Edges& given, const Faces& faces, int num_vertices)
{
    const int num_given = static_cast<int>(given.rows());
    const MentionTable table = collect_mentions(given, faces, num_vertices);

    // Number the edges: a given edge keeps its row, the others follow.
    int num_edges = num_given;
    for_each_edge(table, [&](int, int, std::span<const Mention> mentions) {
        if (mentions.size() > 1 && mentions[1].source < num_given)
            reject(
                "edges: rows {} and {} join the same two vertices; remove one of them", mentions[0].source,
                mentions[1].source);
        num_edges += mentions[0].source >= num_given;
    });

    EdgeTopology topology;
    topology.edges.resize(num_edges, 2);
    topology.edges.topRows(num_given) = given;
    topology.faces_to_edges.resize(faces.rows(), 3);
    topology.edge_faces.offsets.assign(num_edges + 1, 0);
    int next_edge = num_given;
    for_each_edge(table, [&](int smaller, int larger, std::span<const Mention> mentions) {
        const bool is_given = mentions[0].source < num_given;
        const int edge = is_given ? mentions[0].source : next_edge++;
        if (!is_given)
            topology.edges.row(edge) << smaller, larger;
        for (const Mention& mention : mentions.subspan(is_given))
            topology.faces_to_edges.data()[mention.source - num_given] = edge;
        topology.edge_faces.offsets[edge + 1] = static_cast<int>(mentions.size()) - is_given;
    });
    ABUT_ASSERT(next_edge == num_edges);

    auto& offsets = topology.edge_faces.offsets;
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    ABUT_ASSERT(offsets.back() == faces.size()); // each corner of a face begins one edge
    topology.edge_faces.items.resize(offsets.back());
    topology.edge_opposites.resize(offsets.back());
    std::vector<int> next(offsets.begin(), offsets.end() - 1);
    for (Eigen::Index f = 0; f < faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) {
            const int slot = next[topology.faces_to_edges(f, k)]++;
            topology.edge_faces.items[slot] = static_cast<int>(f);
            topology.edge_opposites[slot] = faces(f, (k + 2) % 3);
        }
    ABUT_ASSERT(std::equal(next.begin(), next.end(), offsets.begin() + 1)); // every edge has its faces
    reject_duplicate_faces(topology);
    return topology;
}

namespace {

/// Faces as given, with the indices replaced by 0, 1, 2, ... where they are so sparse that tables by index would be
/// huge.
struct CompactFaces {
    Faces faces;
    std::vector<int> original; // of each new index; empty: unchanged
    int num_vertices;

    explicit CompactFaces(const ConstElements& given)
    {
        if (given.cols() != 3)
            reject("faces: expected an array of shape (n, 3), got ({}, {})", given.rows(), given.cols());
        for (Eigen::Index f = 0; f < given.rows(); ++f)
            if (given.row(f).minCoeff() < 0)
                reject("faces: row {} has the negative index {}", f, given.row(f).minCoeff());
        faces = given;
        const int largest = faces.maxCoeff();
        num_vertices = largest + (largest < std::numeric_limits<int>::max());
        if (largest < 16 * faces.size() + 1024)
            return;
        original.assign(faces.data(), faces.data() + faces.size());
        std::sort(original.begin(), original.end());
        original.erase(std::unique(original.begin(), original.end()), original.end());
        for (Eigen::Index k = 0; k < faces.size(); ++k)
            faces.data()[k] = static_cast<int>(
                std::lower_bound(original.begin(), original.end(), faces.data()[k]) - original.begin());
        num_vertices = static_cast<int>(original.size());
    }

    [[nodiscard]] int original_index(int v) const { return original.empty() ? v : original[v]; }
};

} // namespace

Edges edges(const ConstElements& faces)
{
    if (faces.rows() == 0)
        return Edges(0, 2);
    const CompactFaces compact(faces);
    const MentionTable table = collect_mentions(Edges(0, 2), compact.faces, compact.num_vertices);
    int num_edges = 0;
    for_each_edge(table, [&](int, int, auto) { ++num_edges; });
    Edges result(num_edges, 2);
    int edge = 0;
    for_each_edge(table, [&](int smaller, int larger, auto) {
        result.row(edge++) << compact.original_index(smaller), compact.original_index(larger);
    });
    return result;
}

Edges boundary_edges(const ConstElements& faces)
{
    if (faces.rows() == 0)
        return Edges(0, 2);
    const CompactFaces compact(faces);
    const MentionTable table = collect_mentions(Edges(0, 2), compact.faces, compact.num_vertices);
    std::vector<int> sources;
    for_each_edge(table, [&](int, int, std::span<const Mention> mentions) {
        if (mentions.size() == 1)
            sources.push_back(mentions[0].source);
    });
    std::sort(sources.begin(), sources.end());
    Edges result(static_cast<Eigen::Index>(sources.size()), 2);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const int f = sources[i] / 3, k = sources[i] % 3;
        result.row(static_cast<Eigen::Index>(i)) << faces(f, k), faces(f, (k + 1) % 3);
    }
    return result;
}

Faces boundary_faces(const Tets& tets)
{
    // Face k of a tetrahedron is opposite to vertex k and seen counter-clockwise from outside.
    constexpr std::array<std::array<int, 3>, 4> corners{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
    struct Side {
        std::array<int, 3> sorted;
        int index; // 4 tet + k
    };
    std::vector<Side> sides;
    sides.reserve(static_cast<std::size_t>(tets.rows()) * 4);
    for (Eigen::Index t = 0; t < tets.rows(); ++t)
        for (int k = 0; k < 4; ++k) {
            std::array<int, 3> key{tets(t, corners[k][0]), tets(t, corners[k][1]), tets(t, corners[k][2])};
            std::sort(key.begin(), key.end());
            sides.push_back({key, static_cast<int>(4 * t + k)});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return a.sorted != b.sorted ? a.sorted < b.sorted : a.index < b.index;
    });
    std::vector<int> outer;
    for (std::size_t begin = 0, end; begin < sides.size(); begin = end) {
        end = begin + 1;
        while (end < sides.size() && sides[end].sorted == sides[begin].sorted)
            ++end;
        if (end - begin > 2)
            reject(
                "tets: rows {}, {} and {} share one triangle ({}, {}, {}), so they overlap", sides[begin].index / 4,
                sides[begin + 1].index / 4, sides[begin + 2].index / 4, sides[begin].sorted[0], sides[begin].sorted[1],
                sides[begin].sorted[2]);
        if (end - begin == 1)
            outer.push_back(sides[begin].index);
    }
    std::sort(outer.begin(), outer.end());
    Faces faces(static_cast<Eigen::Index>(outer.size()), 3);
    for (std::size_t i = 0; i < outer.size(); ++i)
        for (int k = 0; k < 3; ++k)
            faces(static_cast<Eigen::Index>(i), k) = tets(outer[i] / 4, corners[outer[i] % 4][k]);
    return faces;
}

namespace {

/// Finds the fans of one vertex. Reused from vertex to vertex to keep its memory.
class FanWalker {
public:
    void begin(int vertex, const Faces& faces, std::span<const int> vertex_faces)
    {
        sectors_.clear();
        for (const int f : vertex_faces) {
            const int k = faces(f, 0) == vertex ? 0 : faces(f, 1) == vertex ? 1 : 2;
            ABUT_ASSERT(faces(f, k) == vertex);
            sectors_.push_back({{faces(f, (k + 1) % 3), faces(f, (k + 2) % 3)}, {-1, -1}, false});
        }
        // Two sectors that share a neighbour, and are the only ones to do so, are linked there.
        sides_.clear();
        for (int s = 0; s < static_cast<int>(sectors_.size()); ++s)
            for (int side = 0; side < 2; ++side)
                sides_.push_back({sectors_[s].neighbor[side], 2 * s + side});
        std::sort(sides_.begin(), sides_.end());
        for (std::size_t first = 0, last; first < sides_.size(); first = last) {
            last = first + 1;
            while (last < sides_.size() && sides_[last].first == sides_[first].first)
                ++last;
            if (last - first == 2) {
                link(sides_[first].second, sides_[first + 1].second);
                link(sides_[first + 1].second, sides_[first].second);
            }
        }
    }

    /// Calls visit(neighbours, is_closed) for each fan.
    template <typename Visit>
    void for_each_fan(Visit&& visit)
    {
        // Open fans first, from a first side (so that they turn with the faces) before a second.
        for (const int side : {0, 1})
            for (int s = 0; s < static_cast<int>(sectors_.size()); ++s)
                if (!sectors_[s].is_visited && sectors_[s].link[side] < 0) {
                    walk(s, side);
                    visit(std::span<const int>(fan_), false);
                }
        for (int s = 0; s < static_cast<int>(sectors_.size()); ++s)
            if (!sectors_[s].is_visited) {
                walk(s, 0);
                ABUT_ASSERT(fan_.size() > 1 && fan_.front() == fan_.back());
                fan_.pop_back();
                visit(std::span<const int>(fan_), true);
            }
    }

private:
    struct Sector {
        std::array<int, 2> neighbor; // the face is (vertex, neighbor[0], neighbor[1])
        std::array<int, 2> link;     // 2 * sector + side beyond each neighbour, or -1
        bool is_visited;
    };

    void link(int from, int to) { sectors_[from / 2].link[from % 2] = to; }

    /// Enters sector s by the given side and goes on until the fan ends or comes back.
    void walk(int s, int side)
    {
        fan_.assign(1, sectors_[s].neighbor[side]);
        while (s >= 0 && !sectors_[s].is_visited) {
            sectors_[s].is_visited = true;
            fan_.push_back(sectors_[s].neighbor[1 - side]);
            const int beyond = sectors_[s].link[1 - side];
            s = beyond < 0 ? -1 : beyond / 2;
            side = beyond & 1;
        }
    }

    std::vector<Sector> sectors_;
    std::vector<std::pair<int, int>> sides_;
    std::vector<int> fan_;
};

} // namespace

OneRings::OneRings(const Faces& faces, const IndexLists& vertex_faces)
{
    // Each chunk of vertices writes lists of its own, joined in order afterwards.
    struct Part {
        std::vector<int> fans_per_vertex, fan_sizes, neighbors;
        std::vector<std::uint8_t> is_closed;
    };
    constexpr std::size_t chunk = 4096;
    const std::size_t num_vertices = vertex_faces.size();
    std::vector<Part> parts((num_vertices + chunk - 1) / chunk);
    parallel_ranges(num_vertices, chunk, [&](std::size_t begin, std::size_t end) {
        Part& part = parts[begin / chunk];
        FanWalker walker;
        for (std::size_t v = begin; v < end; ++v) {
            const std::size_t before = part.fan_sizes.size();
            walker.begin(static_cast<int>(v), faces, vertex_faces[v]);
            walker.for_each_fan([&](std::span<const int> fan, bool is_closed) {
                part.neighbors.insert(part.neighbors.end(), fan.begin(), fan.end());
                part.fan_sizes.push_back(static_cast<int>(fan.size()));
                part.is_closed.push_back(is_closed);
            });
            part.fans_per_vertex.push_back(static_cast<int>(part.fan_sizes.size() - before));
        }
    });
    vertex_fans_.reserve(num_vertices + 1);
    for (const Part& part : parts) {
        for (const int count : part.fans_per_vertex)
            vertex_fans_.push_back(vertex_fans_.back() + count);
        for (const int size : part.fan_sizes)
            fans_.offsets.push_back(fans_.offsets.back() + size);
        fans_.items.insert(fans_.items.end(), part.neighbors.begin(), part.neighbors.end());
        is_closed_.insert(is_closed_.end(), part.is_closed.begin(), part.is_closed.end());
    }
    ABUT_ASSERT(vertex_fans_.size() == num_vertices + 1);
    ABUT_ASSERT(fans_.size() == static_cast<std::size_t>(vertex_fans_.back()) && is_closed_.size() == fans_.size());
    ABUT_ASSERT(fans_.items.size() == static_cast<std::size_t>(fans_.offsets.back()));
}

Components find_components(const EdgeTopology& topology, const Faces& faces, const IndexLists& vertex_edges, int dim)
{
    const int num_vertices = static_cast<int>(vertex_edges.size());
    const Edges& edges = topology.edges;

    // Union by edges; every face's corners are joined by its edges. The root is the smallest vertex.
    std::vector<int> parent(num_vertices);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int v) {
        while (parent[v] != v)
            v = parent[v] = parent[parent[v]];
        return v;
    };
    for (Eigen::Index e = 0; e < edges.rows(); ++e) {
        const int a = root(edges(e, 0)), b = root(edges(e, 1));
        parent[std::max(a, b)] = std::min(a, b);
    }

    Components result;
    result.vertex_component.assign(num_vertices, -1);
    for (int v = 0; v < num_vertices; ++v) {
        const int r = root(v);
        if (r == v) {
            result.vertex_component[v] = static_cast<int>(result.components.size());
            result.components.push_back({.is_closed = true, .is_oriented = true});
        } else {
            ABUT_ASSERT(r < v); // so it has its component
            result.vertex_component[v] = result.vertex_component[r];
        }
        Component& component = result.components[result.vertex_component[v]];
        ++component.num_vertices;
        if (dim == 2 || vertex_edges[v].empty()) {
            int starting = 0;
            for (const int e : vertex_edges[v])
                starting += edges(e, 0) == v;
            component.is_closed &= vertex_edges[v].size() == 2;
            component.is_oriented &= vertex_edges[v].size() <= 2 && starting <= 1 &&
                                     static_cast<int>(vertex_edges[v].size()) - starting <= 1;
        }
    }
    for (Eigen::Index f = 0; f < faces.rows(); ++f)
        ++result.components[result.vertex_component[faces(f, 0)]].num_faces;
    for (Eigen::Index e = 0; e < edges.rows(); ++e) {
        Component& component = result.components[result.vertex_component[edges(e, 0)]];
        ++component.num_edges;
        if (dim == 2)
            continue;
        const auto edge_faces = topology.edge_faces[e];
        component.is_closed &= edge_faces.size() == 2;
        // Two faces agree when they run through their common edge in opposite directions.
        int forward = 0;
        for (const int f : edge_faces)
            for (int k = 0; k < 3; ++k)
                forward += faces(f, k) == edges(e, 0) && faces(f, (k + 1) % 3) == edges(e, 1);
        component.is_oriented &= edge_faces.size() <= 2 && forward <= 1 &&
                                 static_cast<int>(edge_faces.size()) - forward <= 1 && !edge_faces.empty();
    }
    return result;
}

} // namespace abut
