#include "abut/contact/gcp/acting_pairs.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/gcp/element_measures.hpp"
#include "abut/contact/gcp/pair_energy.hpp"
#include "abut/geometry/point_triangle.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace abut::gcp {

namespace {

/// Lines whose angle has a squared sine below this have no stable closest points.
constexpr double parallel_at_rest = 1e-9;

/// What one pair is put together in.
struct Draft {
    std::vector<int> stencil;
    std::vector<Test> tests;

    /// The number of a vertex in the stencil, which it joins if need be; -1 stays.
    int number(int vertex)
    {
        if (vertex < 0)
            return vertex;
        const auto at = std::find(stencil.begin(), stencil.end(), vertex);
        if (at != stencil.end())
            return static_cast<int>(at - stencil.begin());
        stencil.push_back(vertex);
        return static_cast<int>(stencil.size()) - 1;
    }

    /// Keeps a test that names vertices of the mesh.
    void keep(const Test& test) { tests.push_back({test.kind, test.side, number(test.i), number(test.j)}); }
};

int other_end(const CollisionMesh& mesh, int e, int v)
{
    return mesh.edges()(e, 0) == v ? mesh.edges()(e, 1) : mesh.edges()(e, 0);
}

/// Does a direction away from an element pass the element's tests, wholly or in part? Tests in between are noted. A
/// vector of length zero, of an edge or a face that has no size, has no direction and tests nothing.
template <typename Variant, int Dim>
class ElementTests {
public:
    using Vector = PlainVector<Dim>;

    ElementTests(
        const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params, double margin)
        : mesh_(mesh), X_(X), params_(params), margin_(margin)
    {}

    bool pass(ElementKind kind, int element, std::uint8_t side, const Vector& direction, Draft& draft) const
    {
        switch (kind) {
        case ElementKind::plane:
            return true;
        case ElementKind::face:
            if constexpr (Dim == 3) {
                const auto f = mesh_.faces().row(element);
                return !is_oriented(f[0]) || Vector::normal(points(), f[0], f[1], f[2]).value.dot(direction.value) > 0;
            }
            return true;
        case ElementKind::edge:
            if constexpr (Dim == 2) {
                const auto e = mesh_.edges().row(element);
                return !is_oriented(e[0]) || Vector::normal(points(), e[0], e[1], -1).value.dot(direction.value) > 0;
            } else
                return pass_edge(element, side, direction, draft);
        case ElementKind::vertex:
            if constexpr (Dim == 2)
                return pass_vertex_in_plane(element, side, direction, draft);
            else
                return pass_vertex(element, side, direction, draft);
        }
        return true;
    }

private:
    enum class Verdict : std::uint8_t { fails, partly, passes };

    [[nodiscard]] auto points() const
    {
        return [this](int v) { return Vec<Dim>(point<Dim>(X_, v)); };
    }
    [[nodiscard]] bool is_oriented(int vertex) const { return Variant::is_oriented(params_, mesh_, vertex); }

    /// How the smoothed step from -alpha to beta sees a cosine. Over flat parts many cosines are 0 but for rounding: a
    /// test that is passed but for rounding is passed, for the step is 1 to the last bit there.
    [[nodiscard]] Verdict judge(double cosine, double alpha, double beta) const
    {
        constexpr double rounding = 1e-14;
        if (cosine >= beta - rounding)
            return Verdict::passes;
        return cosine <= -alpha - margin_ ? Verdict::fails : Verdict::partly;
    }

    bool pass_tangent(const Test& test, const Origin& at, const Vector& direction, Draft& draft) const
    {
        if (const std::optional<Verdict> verdict = quick_verdict(test, at, direction.value)) {
            if (*verdict == Verdict::partly)
                draft.keep(test);
            return *verdict != Verdict::fails;
        }
        const auto t = tangent_of<Vector>(test, points(), at);
        // Unit vectors in opposite directions, of a face without an angle, have no bisector.
        if (t.value.norm() <= (test.kind == Test::Kind::bisector ? 1e-10 : 0))
            return true;
        const Verdict verdict = judge(-cosine(t, direction), params_.alpha_t, params_.beta_t);
        if (verdict == Verdict::partly)
            draft.keep(test);
        return verdict != Verdict::fails;
    }

    /// That of a tangent whose cosine is not near a threshold, by one root instead of four. Only a tangent much shorter
    /// than what it is a difference of has a cosine that is off by nearly `slack`: it has none here.
    [[nodiscard]] std::optional<Verdict> quick_verdict(const Test& test, const Origin& at, const Vec<Dim>& r) const
    {
        constexpr double slack = 1e-9, least_sine_squared = 1e-8;
        const auto x = [this](int v) { return point<Dim>(X_, v); };
        Vec<Dim> t = x(test.i) - x(at.first);
        if (test.kind == Test::Kind::across) {
            const Vec<Dim> edge = x(at.second) - x(at.first);
            const double squared = edge.squaredNorm();
            const Vec<Dim> across = squared * t - edge.dot(t) * edge; // times the squared length of the edge
            if (!(across.squaredNorm() > least_sine_squared * squared * squared * t.squaredNorm()))
                return {};
            t = across;
        } else if (test.kind != Test::Kind::along)
            return {};
        const double size = t.squaredNorm() * r.squaredNorm();
        if (!(size > 1e-200 && size < 1e200))
            return {};
        const double c = -t.dot(r) / std::sqrt(size), fails_at = -params_.alpha_t - margin_, passes_at = params_.beta_t;
        if (c > passes_at + slack)
            return Verdict::passes;
        if (c < fails_at - slack)
            return Verdict::fails;
        if (c > fails_at + slack && c < passes_at - slack)
            return Verdict::partly;
        return {};
    }

    bool pass_sector(const Test& test, const Origin& at, const Vector& direction, Draft& draft) const
    {
        const auto sector = Sector<Vector>::of(test, points(), at);
        if (sector.t1.value.norm() == 0 || sector.n1.value.norm() == 0 || sector.n2.value.norm() == 0)
            return true;
        const Verdict verdict = judge(sector.argument(direction, 1), params_.alpha_n, params_.beta_n);
        if (verdict == Verdict::partly)
            draft.keep(test);
        return verdict != Verdict::fails;
    }

    /// Adds up the steps of an element's normals, until they pass.
    class Normals {
    public:
        Normals(const ElementTests& tests, const Origin& at, const Vector& direction, Draft& draft)
            : of_(tests), at_(at), direction_(direction), draft_(draft), tests_before_(draft.tests.size()),
              stencil_before_(draft.stencil.size())
        {}

        void add(const Test& test)
        {
            const auto n = normal_of<Vector>(test, of_.points(), at_);
            if (sum_ >= 1 || n.value.norm() == 0)
                return;
            const double c = cosine(n, direction_);
            sum_ += smooth_step(c, of_.params_.alpha_n + of_.margin_, of_.params_.beta_n).value;
            if (of_.judge(c, of_.params_.alpha_n, of_.params_.beta_n) != Verdict::fails)
                draft_.keep(test);
            has_any_ = true;
        }

        [[nodiscard]] bool pass()
        {
            if (sum_ >= 1 || !has_any_) {
                draft_.tests.resize(tests_before_);
                draft_.stencil.resize(stencil_before_);
                return true;
            }
            return sum_ > 1 - width_of_sum<Dim>(of_.params_.alpha_n);
        }

    private:
        const ElementTests& of_;
        Origin at_;
        const Vector& direction_;
        Draft& draft_;
        std::size_t tests_before_, stencil_before_;
        double sum_ = 0;
        bool has_any_ = false;
    };

    bool pass_vertex(int v, std::uint8_t side, const Vector& direction, Draft& draft) const
    {
        const Origin at{v};
        for (const int e : mesh_.vertex_edges(v))
            if (!pass_tangent({Test::Kind::along, side, other_end(mesh_, e, v)}, at, direction, draft))
                return false;
        // The other two vertices of a face around v, turning as it does.
        const auto others = [&](int f) {
            const auto corners = mesh_.faces().row(f);
            const int k = corners[0] == v ? 0 : corners[1] == v ? 1 : 2;
            return IndexPair{corners[(k + 1) % 3], corners[(k + 2) % 3]};
        };
        if constexpr (Variant::has_bisectors)
            for (const int f : mesh_.vertex_faces(v)) {
                const auto [i, j] = others(f);
                if (!pass_tangent({Test::Kind::bisector, side, i, j}, at, direction, draft))
                    return false;
            }
        if (!is_oriented(v))
            return true;
        Normals normals(*this, at, direction, draft);
        for (const int f : mesh_.vertex_faces(v)) {
            const auto [i, j] = others(f);
            normals.add({Test::Kind::normal, side, i, j});
        }
        return normals.pass();
    }

    bool pass_edge(int e, std::uint8_t side, const Vector& direction, Draft& draft) const
    {
        const Origin at{mesh_.edges()(e, 0), mesh_.edges()(e, 1)};
        const auto opposites = mesh_.edge_opposites(e);
        for (const int o : opposites)
            if (!pass_tangent({Test::Kind::across, side, o}, at, direction, draft))
                return false;
        if (!is_oriented(at.first))
            return true;
        // Does the k-th face run from the edge's first end to its second?
        const auto agrees = [&](std::size_t k) {
            const auto corners = mesh_.faces().row(mesh_.edge_faces(e)[k]);
            for (int c = 0; c < 3; ++c)
                if (corners[c] == at.first)
                    return corners[(c + 1) % 3] == at.second;
            return false;
        };
        if constexpr (Variant::has_sectors) {
            const bool in_order = agrees(0);
            return pass_sector(
                {Test::Kind::sector, side, opposites[in_order ? 0 : 1], opposites[in_order ? 1 : 0]}, at, direction,
                draft);
        } else {
            Normals normals(*this, at, direction, draft);
            for (std::size_t k = 0; k < opposites.size(); ++k)
                normals.add(
                    agrees(k) ? Test{Test::Kind::normal, side, at.second, opposites[k]}
                              : Test{Test::Kind::normal, side, opposites[k], at.second});
            return normals.pass();
        }
    }

    bool pass_vertex_in_plane(int v, std::uint8_t side, const Vector& direction, Draft& draft) const
    {
        const Origin at{v};
        int next = -1, previous = -1;
        for (const int e : mesh_.vertex_edges(v)) {
            const int u = other_end(mesh_, e, v);
            (mesh_.edges()(e, 0) == v ? next : previous) = u;
            if (!pass_tangent({Test::Kind::along, side, u}, at, direction, draft))
                return false;
        }
        if (!is_oriented(v) || next < 0 || previous < 0)
            return true;
        if constexpr (Variant::has_sectors)
            return pass_sector({Test::Kind::sector, side, next, previous}, at, direction, draft);
        Normals normals(*this, at, direction, draft);
        normals.add({Test::Kind::normal, side, next, -1});
        normals.add({Test::Kind::normal, side, -1, previous});
        return normals.pass();
    }

    const CollisionMesh& mesh_;
    const ConstPositions& X_;
    const SmoothContactParameters& params_;
    double margin_;
};

/// Goes through the pairs within dhat and keeps those that act.
template <typename Variant, int Dim>
class ActingPairs {
public:
    ActingPairs(
        const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params,
        const SmoothExtents& extents, double margin)
        : mesh_(mesh), X_(X), params_(params), extents_(extents), margin_(margin), tests_(mesh, X, params, margin)
    {}

    [[nodiscard]] std::vector<ByKind<FoundPairs>> find(const NearPairs& near) const
    {
        std::vector<Found> all;
        if constexpr (Dim == 3) {
            visit_all(near.fv, all, [&](const IndexPair& pair, int feature, Draft& draft, Found& part) {
                add_face_vertex(pair[0], pair[1], static_cast<PointTriangleFeature>(feature), draft, part);
            });
            visit_all(near.ee, all, [&](const IndexPair& pair, int feature, Draft& draft, Found& part) {
                add_edge_edge(pair[0], pair[1], static_cast<EdgeEdgeFeature>(feature), draft, part);
            });
            if (Variant::pairs_planes_and_loose)
                add_loose(near, all.emplace_back());
        } else {
            visit_all(near.ev, all, [&](const IndexPair& pair, int, Draft& draft, Found& part) {
                const int e = pair[0], v = pair[1];
                add_edge_vertex(e, v, draft, part);
                for (const int c : {mesh_.edges()(e, 0), mesh_.edges()(e, 1)})
                    if (is_first(mesh_.vertex_edges(c), e, [&](int other) { return edge_has(other, v); }) &&
                        (v < c || mesh_.vertex_edges(v).empty()))
                        add_vertex_vertex(std::min(v, c), std::max(v, c), draft, part);
            });
            if (Variant::pairs_planes_and_loose)
                visit_all(near.vv, all, [&](const IndexPair& pair, int, Draft& draft, Found& part) {
                    add_vertex_vertex(pair[0], pair[1], draft, part);
                });
        }
        if (Variant::pairs_planes_and_loose)
            visit_all(near.pv, all, [&](const IndexPair& pair, int, Draft& draft, Found& part) {
                const Plane& plane = mesh_.planes()[pair[0]];
                if (signed_distance(plane, lifted(X_, pair[1])) <= 0)
                    throw_touching(PairKind::plane_vertex, pair);
                draft.stencil.assign({pair[1]});
                add(PairKind::plane_vertex, pair, plane_vertex_closest<Dim>(at(pair[1]), plane).r, draft, part);
            });
        return all;
    }

private:
    using Found = ByKind<FoundPairs>;

    /// Calls visit(pair, feature, draft, part) for the pairs of a list in parallel, and adds the parts in order.
    template <typename Visit>
    static void visit_all(const DetectedPairs& list, std::vector<Found>& all, Visit&& visit)
    {
        constexpr std::size_t chunk = 1024;
        const std::size_t before = all.size();
        all.resize(before + (list.size() + chunk - 1) / chunk);
        parallel_ranges(list.size(), chunk, [&](std::size_t begin, std::size_t end) {
            Draft draft;
            for (std::size_t k = begin; k < end; ++k)
                visit(list.pairs[k], list.features[k], draft, all[before + begin / chunk]);
        });
    }

    /// Is `item` the first of the list that is not excluded? A pair of a vertex and a part of a face is found with
    /// each face around that part, for all of them are as near; it is taken from the first.
    template <typename Excluded>
    static bool is_first(std::span<const int> list, int item, Excluded&& excluded)
    {
        for (const int each : list)
            if (!excluded(each))
                return each == item;
        return false;
    }
    [[nodiscard]] bool face_has(int f, int v) const
    {
        const auto row = mesh_.faces().row(f);
        return row[0] == v || row[1] == v || row[2] == v;
    }
    [[nodiscard]] bool edge_has(int e, int v) const { return mesh_.edges()(e, 0) == v || mesh_.edges()(e, 1) == v; }
    [[nodiscard]] Vec<Dim> at(int v) const { return point<Dim>(X_, v); }

    void add_face_vertex(int f, int v, PointTriangleFeature feature, Draft& draft, Found& part) const
    {
        const auto corners = mesh_.faces().row(f);
        if (feature == PointTriangleFeature::face || margin_ > 0) {
            const auto closest = point_plane_closest(at(v), at(corners[0]), at(corners[1]), at(corners[2]));
            if (feature == PointTriangleFeature::face ||
                (closest.u.minCoeff() >= -margin_ && closest.u.sum() <= 1 + margin_)) {
                draft.stencil.assign({v, corners[0], corners[1], corners[2]});
                add(PairKind::face_vertex, {f, v}, closest.r, draft, part);
            }
        }
        for (int k = 0; k < 3; ++k) {
            const int e = mesh_.faces_to_edges()(f, k), c = corners[k];
            const auto has_v = [&](int other) { return face_has(other, v); };
            if (is_first(mesh_.edge_faces(e), f, has_v))
                add_edge_vertex(e, v, draft, part);
            if ((v < c || mesh_.vertex_faces(v).empty()) && is_first(mesh_.vertex_faces(c), f, has_v))
                add_vertex_vertex(std::min(v, c), std::max(v, c), draft, part);
        }
    }

    void add_edge_edge(int a, int b, EdgeEdgeFeature feature, Draft& draft, Found& part) const
    {
        if (feature != EdgeEdgeFeature::a_b && margin_ == 0)
            return;
        const Edges& E = mesh_.edges();
        const Vec3 a0 = at(E(a, 0)), a1 = at(E(a, 1)), b0 = at(E(b, 0)), b1 = at(E(b, 1));
        const auto closest = line_line_closest(a0, a1, b0, b1);
        Vec3 r = closest.r;
        if (margin_ > 0) {
            const Vec3 u = a1 - a0, v = b1 - b0;
            if (u.cross(v).squaredNorm() < parallel_at_rest * u.squaredNorm() * v.squaredNorm()) {
                // Over each other? Then closest points are anywhere in between.
                const auto foot = point_line_closest<3>(b0, a0, a1);
                const double begin = foot.u[0], end = point_line_closest<3>(b1, a0, a1).u[0];
                if (std::max(begin, end) < -margin_ || std::min(begin, end) > 1 + margin_)
                    return;
                r = -foot.r;
            } else if (closest.u.minCoeff() < -margin_ || closest.u.maxCoeff() > 1 + margin_)
                return;
        }
        draft.stencil.assign({E(a, 0), E(a, 1), E(b, 0), E(b, 1)});
        add(PairKind::edge_edge, {a, b}, r, draft, part);
    }

    void add_edge_vertex(int e, int v, Draft& draft, Found& part) const
    {
        const int i0 = mesh_.edges()(e, 0), i1 = mesh_.edges()(e, 1);
        const Vec<Dim> e0 = at(i0), u = at(i1) - e0, w = at(v) - e0;
        const double along = u.dot(w), squared = u.squaredNorm();
        if (margin_ > 0 ? along < -margin_ * squared || along > (1 + margin_) * squared : along < 0 || along > squared)
            return;
        if (Dim == 3 && !Variant::pairs_edge_with_opposite)
            for (const int opposite : mesh_.edge_opposites(e))
                if (opposite == v)
                    return;
        if (!mesh_.can_collide(i0, v) && !mesh_.can_collide(i1, v))
            return;
        draft.stencil.assign({v, i0, i1});
        add(PairKind::edge_vertex, {e, v}, point_line_closest<Dim>(at(v), e0, at(i1)).r, draft, part);
    }

    void add_vertex_vertex(int i, int j, Draft& draft, Found& part) const
    {
        for (const int e : mesh_.vertex_edges(i))
            if (edge_has(e, j))
                return;
        if (!mesh_.can_collide(i, j))
            return;
        draft.stencil.assign({i, j});
        add(PairKind::vertex_vertex, {i, j}, at(i) - at(j), draft, part);
    }

    /// Pairs of loose edges and vertices in space, which no face sees.
    void add_loose(const NearPairs& near, Found& all) const
    {
        std::set<IndexPair> ev, vv;
        const auto faceless = [&](int v) { return mesh_.vertex_faces(v).empty(); };
        const auto add_ends = [&](int e, int v) {
            ev.insert({e, v});
            for (const int c : {mesh_.edges()(e, 0), mesh_.edges()(e, 1)})
                if (faceless(c) && faceless(v))
                    vv.insert({std::min(c, v), std::max(c, v)});
        };
        for (const auto& [e, v] : near.ev.pairs)
            add_ends(e, v);
        for (const auto& [i, j] : near.vv.pairs)
            vv.insert({i, j});
        for (const auto& [a, b] : near.ee.pairs)
            for (const auto& [e, other] : {IndexPair{a, b}, IndexPair{b, a}})
                if (mesh_.edge_faces(e).empty())
                    for (const int v : {mesh_.edges()(other, 0), mesh_.edges()(other, 1)})
                        add_ends(e, v);
        Draft draft;
        for (const auto& [e, v] : ev)
            add_edge_vertex(e, v, draft, all);
        for (const auto& [i, j] : vv)
            add_vertex_vertex(i, j, draft, all);
    }

    /// Adds the pair whose elements' vertices are in draft.stencil if it acts. r leads to the first of them.
    void add(PairKind kind, const IndexPair& elements, const Vec<Dim>& r, Draft& draft, Found& part) const
    {
        const double eps = extents_.of(kind, elements, params_.dhat), distance = r.norm();
        if (!(distance < eps))
            return;
        if (distance == 0)
            throw_touching(kind, elements);
        draft.tests.clear();
        const auto& kinds = element_kinds(kind);
        for (std::uint8_t side = 0; side < 2; ++side)
            if (!tests_.pass(kinds[side], elements[side], side, {side_of(kind, side).away / distance * r}, draft))
                return;
        if (Variant::has_rest_measures && margin_ == 0 &&
            PairEnergy<Variant, Dim>::mollifiers(
                kind, [&](int i) { return at(draft.stencil[i]); }, distance * distance) == 0)
            return;
        double weight = 1;
        if constexpr (Variant::has_rest_measures)
            weight = rest_weight(kind, elements, mesh_, params_);
        else // the measures of vertices depend on all of their neighbours
            for (int side = 0; side < 2; ++side)
                if (kinds[side] == ElementKind::vertex)
                    for (const int e : mesh_.vertex_edges(elements[side]))
                        draft.number(other_end(mesh_, e, elements[side]));
        ABUT_ASSERT(static_cast<int>(draft.stencil.size()) >= stencil_size(kind) && !(weight < 0));
        for ([[maybe_unused]] const Test& test : draft.tests)
            ABUT_ASSERT(
                test.side < 2 && std::max(test.i, test.j) >= 0 &&
                std::max(test.i, test.j) < static_cast<int>(draft.stencil.size()));
        FoundPairs& out = part[kind];
        out.pairs.push_back({elements, distance, eps, weight});
        out.stencils.add(draft.stencil);
        out.tests.insert(out.tests.end(), draft.tests.begin(), draft.tests.end());
        out.test_starts.push_back(static_cast<std::int64_t>(out.tests.size()));
    }

    [[noreturn]] static void throw_touching(PairKind kind, const IndexPair& elements)
    {
        throw InvalidStart(touching_message(kind, elements));
    }

    const CollisionMesh& mesh_;
    const ConstPositions& X_;
    const SmoothContactParameters& params_;
    const SmoothExtents& extents_;
    double margin_;
    ElementTests<Variant, Dim> tests_;
};

} // namespace

double rest_margin(SmoothContactVariant variant)
{
    return with_variant(variant, [](auto rules) { return decltype(rules)::rest_margin; });
}

std::vector<ByKind<FoundPairs>> find_acting_pairs(
    const NearPairs& near, const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params,
    const SmoothExtents& extents, double margin)
{
    return with_variant(params.variant, [&](auto rules) {
        using Variant = decltype(rules);
        return mesh.dim() == 2 ? ActingPairs<Variant, 2>(mesh, X, params, extents, margin).find(near)
                               : ActingPairs<Variant, 3>(mesh, X, params, extents, margin).find(near);
    });
}

} // namespace abut::gcp
