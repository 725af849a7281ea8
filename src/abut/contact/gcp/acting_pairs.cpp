#include "abut/contact/gcp/acting_pairs.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/gcp/pair_energy.hpp"
#include "abut/geometry/point_triangle.hpp"

#include <algorithm>
#include <set>

namespace abut::gcp {

namespace {

/// Lines whose angle has a squared sine below this have no stable closest points.
constexpr double parallel_at_rest = 1e-9;

/// Goes through the pairs within dhat, tests their directions and keeps those that act.
class ActingPairs {
public:
    ActingPairs(
        const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params,
        const SmoothCollisions* set, double margin)
        : mesh_(mesh), X_(X), params_(params), set_(set), margin_(margin),
          is_toolkit_(params.variant == SmoothContactVariant::toolkit)
    {}

    [[nodiscard]] FoundByKind find(const NearPairs& near) const
    {
        return mesh_.dim() == 2 ? find<2>(near) : find<3>(near);
    }

private:
    /// What one pair is put together in.
    struct Draft {
        std::vector<int> stencil;
        std::vector<Test> tests;

        /// The number of a vertex in the stencil, which it joins if need be.
        int number(int vertex)
        {
            const auto at = std::find(stencil.begin(), stencil.end(), vertex);
            if (at != stencil.end())
                return static_cast<int>(at - stencil.begin());
            stencil.push_back(vertex);
            return static_cast<int>(stencil.size()) - 1;
        }
    };

    template <int Dim>
    [[nodiscard]] FoundByKind find(const NearPairs& near) const
    {
        FoundByKind all;
        const auto run = [&](std::size_t count, auto&& visit) {
            constexpr std::size_t chunk = 1024;
            std::vector<FoundByKind> parts((count + chunk - 1) / chunk);
            parallel_ranges(count, chunk, [&](std::size_t begin, std::size_t end) {
                Draft draft;
                FoundByKind& part = parts[begin / chunk];
                for (std::size_t k = begin; k < end; ++k)
                    visit(k, draft, part);
            });
            for (const FoundByKind& part : parts) {
                all.vv.append(part.vv);
                all.ev.append(part.ev);
                all.ee.append(part.ee);
                all.fv.append(part.fv);
                all.pv.append(part.pv);
            }
        };
        if constexpr (Dim == 3) {
            run(near.fv.size(), [&](std::size_t k, Draft& draft, FoundByKind& part) {
                const auto& [f, v] = near.fv.pairs[k];
                add_face_vertex(f, v, static_cast<PointTriangleFeature>(near.fv.features[k]), draft, part);
            });
            run(near.ee.size(), [&](std::size_t k, Draft& draft, FoundByKind& part) {
                const auto& [a, b] = near.ee.pairs[k];
                add_edge_edge(a, b, static_cast<EdgeEdgeFeature>(near.ee.features[k]), draft, part.ee);
            });
            if (!is_toolkit_)
                add_loose(near, all);
        } else
            run(near.ev.size(), [&](std::size_t k, Draft& draft, FoundByKind& part) {
                const int e = near.ev.pairs[k][0], v = near.ev.pairs[k][1];
                add_edge_vertex<2>(e, v, draft, part.ev);
                for (const int c : {mesh_.edges()(e, 0), mesh_.edges()(e, 1)})
                    if (is_first(mesh_.vertex_edges(c), e, [&](int other) { return edge_has(other, v); }) &&
                        (v < c || mesh_.vertex_edges(v).empty()))
                        add_vertex_vertex<2>(std::min(v, c), std::max(v, c), draft, part.vv);
            });
        if (!is_toolkit_) {
            if constexpr (Dim == 2)
                run(near.vv.size(), [&](std::size_t k, Draft& draft, FoundByKind& part) {
                    add_vertex_vertex<2>(near.vv.pairs[k][0], near.vv.pairs[k][1], draft, part.vv);
                });
            run(near.pv.size(), [&](std::size_t k, Draft& draft, FoundByKind& part) {
                const auto& [plane, v] = near.pv.pairs[k];
                const Plane& of = mesh_.planes()[plane];
                draft.stencil.assign({v});
                const double height = signed_distance(of, position(v));
                if (height <= 0)
                    throw_touching(PairKind::plane_vertex, {plane, v});
                const Vec<Dim> d = height * of.normal.head<Dim>();
                add<Dim>(PairKind::plane_vertex, {plane, v}, d, draft, part.pv);
            });
        }
        return all;
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

    [[nodiscard]] Vec3 position(int v) const
    {
        Vec3 x = Vec3::Zero();
        for (int k = 0; k < mesh_.dim(); ++k)
            x[k] = X_(v, k);
        return x;
    }

    void add_face_vertex(int f, int v, PointTriangleFeature feature, Draft& draft, FoundByKind& part) const
    {
        const auto corners = mesh_.faces().row(f);
        const Vec3 p = point<3>(X_, v), t0 = point<3>(X_, corners[0]), t1 = point<3>(X_, corners[1]),
                   t2 = point<3>(X_, corners[2]);
        if (feature == PointTriangleFeature::face || margin_ > 0) {
            const auto closest = point_plane_closest(p, t0, t1, t2);
            const bool is_inside = feature == PointTriangleFeature::face ||
                                   (closest.u.minCoeff() >= -margin_ && closest.u.sum() <= 1 + margin_);
            if (is_inside) {
                draft.stencil.assign({corners[0], corners[1], corners[2], v});
                const Vec3 n = (t1 - t0).cross(t2 - t0), d = n * (n.dot(p - t0) / n.squaredNorm());
                add<3>(PairKind::face_vertex, {f, v}, d, draft, part.fv);
            }
        }
        for (int k = 0; k < 3; ++k) {
            const int e = mesh_.faces_to_edges()(f, k), c = corners[k];
            const auto has_v = [&](int other) { return face_has(other, v); };
            if (is_first(mesh_.edge_faces(e), f, has_v))
                add_edge_vertex<3>(e, v, draft, part.ev);
            if (is_first(mesh_.vertex_faces(c), f, has_v) && (v < c || mesh_.vertex_faces(v).empty()))
                add_vertex_vertex<3>(std::min(v, c), std::max(v, c), draft, part.vv);
        }
    }

    void add_edge_edge(int a, int b, EdgeEdgeFeature feature, Draft& draft, FoundPairs& out) const
    {
        const Edges& E = mesh_.edges();
        if (feature != EdgeEdgeFeature::a_b && margin_ == 0)
            return;
        const Vec3 a0 = point<3>(X_, E(a, 0)), u = point<3>(X_, E(a, 1)) - a0, b0 = point<3>(X_, E(b, 0)),
                   v = point<3>(X_, E(b, 1)) - b0, w = b0 - a0, n = u.cross(v);
        Vec3 d = n * (n.dot(w) / n.squaredNorm());
        if (margin_ > 0) {
            const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), nn = n.squaredNorm();
            if (nn < parallel_at_rest * uu * vv) {
                // Over each other? Then closest points are anywhere in between.
                const double begin = u.dot(w) / uu, end = u.dot(w + v) / uu;
                if (std::max(begin, end) < -margin_ || std::min(begin, end) > 1 + margin_)
                    return;
                d = w - u * begin;
            } else {
                const double s = (u.dot(w) * vv - v.dot(w) * uv) / nn, t = (u.dot(w) * uv - v.dot(w) * uu) / nn;
                if (std::min(s, t) < -margin_ || std::max(s, t) > 1 + margin_)
                    return;
            }
        }
        draft.stencil.assign({E(a, 0), E(a, 1), E(b, 0), E(b, 1)});
        add<3>(PairKind::edge_edge, {a, b}, d, draft, out);
    }

    template <int Dim>
    void add_edge_vertex(int e, int v, Draft& draft, FoundPairs& out) const
    {
        const int i0 = mesh_.edges()(e, 0), i1 = mesh_.edges()(e, 1);
        const Vec<Dim> e0 = point<Dim>(X_, i0), u = point<Dim>(X_, i1) - e0, w = point<Dim>(X_, v) - e0;
        const double along = u.dot(w), squared = u.squaredNorm();
        if (margin_ > 0 ? along < -margin_ * squared || along > (1 + margin_) * squared : along < 0 || along > squared)
            return;
        // The third vertex of a face of the edge is its neighbour.
        if (Dim == 3 && !is_toolkit_)
            for (const int opposite : mesh_.edge_opposites(e))
                if (opposite == v)
                    return;
        if (!mesh_.can_collide(i0, v) && !mesh_.can_collide(i1, v))
            return;
        draft.stencil.assign({i0, i1, v});
        add<Dim>(PairKind::edge_vertex, {e, v}, Vec<Dim>(w - u * (along / squared)), draft, out);
    }

    template <int Dim>
    void add_vertex_vertex(int i, int j, Draft& draft, FoundPairs& out) const
    {
        for (const int e : mesh_.vertex_edges(i))
            if (edge_has(e, j))
                return;
        if (!mesh_.can_collide(i, j))
            return;
        draft.stencil.assign({i, j});
        add<Dim>(PairKind::vertex_vertex, {i, j}, Vec<Dim>(point<Dim>(X_, j) - point<Dim>(X_, i)), draft, out);
    }

    /// Pairs of loose edges and vertices in space, which no face sees.
    void add_loose(const NearPairs& near, FoundByKind& all) const
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
            add_edge_vertex<3>(e, v, draft, all.ev);
        for (const auto& [i, j] : vv)
            add_vertex_vertex<3>(i, j, draft, all.vv);
    }

    [[nodiscard]] double extent(const IndexPair& elements, PairKind kind) const
    {
        if (set_ == nullptr)
            return params_.dhat;
        double eps = params_.dhat;
        const auto& kinds = element_kinds(kind);
        for (int side = 0; side < 2; ++side)
            switch (kinds[side]) {
            case ElementKind::vertex:
                eps = std::min(eps, set_->vertex_dhat()[elements[side]]);
                break;
            case ElementKind::edge:
                eps = std::min(eps, set_->edge_dhat()[elements[side]]);
                break;
            case ElementKind::face:
                eps = std::min(eps, set_->face_dhat()[elements[side]]);
                break;
            case ElementKind::plane:
                break;
            }
        return eps;
    }

    /// Adds the pair whose elements' vertices are in draft.stencil if it acts.
    template <int Dim>
    void add(PairKind kind, const IndexPair& elements, const Vec<Dim>& d, Draft& draft, FoundPairs& out) const
    {
        const double eps = extent(elements, kind), distance = d.norm();
        if (!(distance < eps))
            return;
        if (distance == 0)
            throw_touching(kind, elements);
        const auto num_vertices = static_cast<std::uint8_t>(draft.stencil.size());
        draft.tests.clear();
        const Vec<Dim> direction = d / distance;
        const auto& kinds = element_kinds(kind);
        for (int side = 0; side < 2; ++side)
            if (!test<Dim>(kinds[side], elements[side], side, side == 0 ? direction : Vec<Dim>(-direction), draft))
                return;
        if (!is_toolkit_ && margin_ == 0) {
            const auto x = [&](int i) { return Vec<Dim>(point<Dim>(X_, draft.stencil[i])); };
            if (mollifier_value<Dim>(kind, false, x, distance * distance) == 0)
                return;
        }
        if (is_toolkit_)
            for (int side = 0; side < 2; ++side)
                if (kinds[side] == ElementKind::vertex)
                    for (const int e : mesh_.vertex_edges(elements[side]))
                        draft.number(other_end(e, elements[side]));
        double weight = is_toolkit_ ? 1 : measure(kinds[1], elements[1]);
        if (!is_toolkit_) // a plane counts as if it were meshed as the surface above it
            weight *= kinds[0] == ElementKind::plane ? weight : measure(kinds[0], elements[0]);
        ABUT_ASSERT(draft.stencil.size() >= num_vertices && !(weight < 0));
        for ([[maybe_unused]] const Test& test : draft.tests)
            ABUT_ASSERT(
                test.side < 2 && std::max(test.i, test.j) >= 0 &&
                std::max(test.i, test.j) < static_cast<int>(draft.stencil.size()));
        out.pairs.push_back({kind, num_vertices, elements, distance, eps, weight});
        out.stencils.add(draft.stencil);
        out.tests.insert(out.tests.end(), draft.tests.begin(), draft.tests.end());
        out.test_starts.push_back(static_cast<std::int64_t>(out.tests.size()));
    }

    [[nodiscard]] int other_end(int e, int v) const
    {
        return mesh_.edges()(e, 0) == v ? mesh_.edges()(e, 1) : mesh_.edges()(e, 0);
    }

    /// L^(2 - dimension) times the measure of an element [m²]; in the plane L^(1 - dimension) times it [m].
    [[nodiscard]] double measure(ElementKind kind, int element) const
    {
        const Positions& R = mesh_.rest_positions();
        const auto length = [&](int e) { return (R.row(mesh_.edges()(e, 0)) - R.row(mesh_.edges()(e, 1))).norm(); };
        switch (kind) {
        case ElementKind::face: {
            const auto f = mesh_.faces().row(element);
            const Vec3 a = point<3>(R, f[0]);
            return 0.5 * (point<3>(R, f[1]) - a).cross(point<3>(R, f[2]) - a).norm();
        }
        case ElementKind::edge:
            if (mesh_.dim() == 2)
                return length(element);
            switch (params_.feature_length) {
            case FeatureLength::edge_length:
                return length(element) * length(element);
            case FeatureLength::constant:
                return length(element) * params_.constant_length;
            case FeatureLength::per_element:
                return length(element) * params_.edge_lengths[element];
            }
            return 0;
        default:
            break;
        }
        double L = 0;
        switch (params_.feature_length) {
        case FeatureLength::edge_length: {
            const auto edges = mesh_.vertex_edges(element);
            for (const int e : edges)
                L += length(e) / static_cast<double>(edges.size());
            if (edges.empty()) // a loose point has no size of its own
                L = params_.dhat;
            break;
        }
        case FeatureLength::constant:
            L = params_.constant_length;
            break;
        case FeatureLength::per_element:
            L = params_.vertex_lengths[element];
            break;
        }
        return mesh_.dim() == 2 ? L : L * L;
    }

    /// Has the element an outside?
    [[nodiscard]] bool is_oriented(int vertex) const
    {
        if (!params_.use_exterior_test || is_toolkit_)
            return params_.use_exterior_test;
        const Components& parts = mesh_.components();
        return parts.components[parts.vertex_component[vertex]].is_closed_and_oriented();
    }

    /// Does a direction away from the element pass its tests, wholly or in part? Those in between are noted.
    template <int Dim>
    bool test(ElementKind kind, int element, int side, const Vec<Dim>& direction, Draft& draft) const
    {
        switch (kind) {
        case ElementKind::plane:
            return true;
        case ElementKind::face:
            if constexpr (Dim == 3) {
                const auto f = mesh_.faces().row(element);
                const Vec3 a = point<3>(X_, f[0]);
                return !is_oriented(f[0]) || (point<3>(X_, f[1]) - a).cross(point<3>(X_, f[2]) - a).dot(direction) > 0;
            }
            return true;
        case ElementKind::edge:
            if constexpr (Dim == 2) {
                const Vec2 e = point<2>(X_, mesh_.edges()(element, 1)) - point<2>(X_, mesh_.edges()(element, 0));
                return !is_oriented(mesh_.edges()(element, 0)) || right_of(e).dot(direction) > 0;
            } else
                return test_edge(element, side, direction, draft);
        case ElementKind::vertex:
            if constexpr (Dim == 2)
                return test_vertex_in_plane(element, side, direction, draft);
            else
                return test_vertex(element, side, direction, draft);
        }
        return true;
    }

    enum class Verdict : std::uint8_t { fails, partly, passes };
    /// How the smoothed step from -alpha to beta sees a cosine.
    [[nodiscard]] Verdict judge(double cosine, double alpha, double beta) const
    {
        if (cosine >= beta)
            return Verdict::passes;
        return cosine <= -alpha - margin_ ? Verdict::fails : Verdict::partly;
    }

    /// Notes a tangent whose cosine with the direction is given, by vertices of the mesh; false where the distance
    /// falls along it.
    bool note_tangent(double cosine, Test::Kind kind, std::uint8_t side, int i, int j, Draft& draft) const
    {
        const Verdict verdict = judge(-cosine, params_.alpha_t, params_.beta_t);
        if (verdict == Verdict::partly)
            draft.tests.push_back({kind, side, draft.number(i), j < 0 ? -1 : draft.number(j)});
        return verdict != Verdict::fails;
    }

    bool test_vertex(int v, int side, const Vec3& direction, Draft& draft) const
    {
        const Vec3 x = point<3>(X_, v);
        const auto side_number = static_cast<std::uint8_t>(side);
        for (const int e : mesh_.vertex_edges(v)) {
            const int u = other_end(e, v);
            const Vec3 t = point<3>(X_, u) - x;
            if (!note_tangent(direction.dot(t) / t.norm(), Test::Kind::along, side_number, u, -1, draft))
                return false;
        }
        const auto for_each_face = [&](auto&& visit) { // by its other two vertices, turning as the face does
            for (const int f : mesh_.vertex_faces(v)) {
                const auto corners = mesh_.faces().row(f);
                const int k = corners[0] == v ? 0 : corners[1] == v ? 1 : 2;
                if (!visit(corners[(k + 1) % 3], corners[(k + 2) % 3]))
                    return false;
            }
            return true;
        };
        if (!is_toolkit_) {
            const bool passes = for_each_face([&](int i, int j) {
                const Vec3 a = (point<3>(X_, i) - x).normalized(), b = (point<3>(X_, j) - x).normalized(), t = a + b;
                const double length = t.norm();
                if (length < 1e-10) // a face without an angle
                    return true;
                return note_tangent(direction.dot(t) / length, Test::Kind::bisector, side_number, i, j, draft);
            });
            if (!passes)
                return false;
        }
        if (!is_oriented(v) || mesh_.vertex_faces(v).empty())
            return true;
        double sum = 0;
        const std::size_t before = draft.tests.size(), stencil_before = draft.stencil.size();
        for_each_face([&](int i, int j) {
            const Vec3 n = (point<3>(X_, i) - x).cross(point<3>(X_, j) - x);
            const double cosine = direction.dot(n) / n.norm();
            sum += smooth_step(cosine, params_.alpha_n + margin_, params_.beta_n).value;
            if (judge(cosine, params_.alpha_n, params_.beta_n) != Verdict::fails)
                draft.tests.push_back({Test::Kind::normal, side_number, draft.number(i), draft.number(j)});
            return sum < 1;
        });
        if (sum >= 1) {
            draft.tests.resize(before);
            draft.stencil.resize(stencil_before);
        }
        return sum > 0;
    }

    bool test_edge(int e, int side, const Vec3& direction, Draft& draft) const
    {
        const int i0 = mesh_.edges()(e, 0), i1 = mesh_.edges()(e, 1);
        const Vec3 e0 = point<3>(X_, i0), u = point<3>(X_, i1) - e0;
        const auto side_number = static_cast<std::uint8_t>(side);
        const auto opposites = mesh_.edge_opposites(e);
        const double inverse = 1 / u.squaredNorm();
        for (const int o : opposites) {
            const Vec3 w = point<3>(X_, o) - e0, t = w - u * (inverse * u.dot(w));
            if (!note_tangent(direction.dot(t) / t.norm(), Test::Kind::across, side_number, o, -1, draft))
                return false;
        }
        if (!is_oriented(i0))
            return true;
        // Does the k-th face run from the edge's first end to its second?
        const auto agrees = [&](std::size_t k) {
            const auto corners = mesh_.faces().row(mesh_.edge_faces(e)[k]);
            for (int c = 0; c < 3; ++c)
                if (corners[c] == i0)
                    return corners[(c + 1) % 3] == i1;
            return false;
        };
        if (is_toolkit_) {
            double sum = 0;
            const std::size_t before = draft.tests.size(), stencil_before = draft.stencil.size();
            for (std::size_t k = 0; k < opposites.size(); ++k) {
                const double sign = agrees(k) ? 1 : -1;
                const Vec3 n = sign * u.cross(point<3>(X_, opposites[k]) - e0);
                const double cosine = direction.dot(n) / n.norm();
                sum += smooth_step(cosine, params_.alpha_n, params_.beta_n).value;
                if (judge(cosine, params_.alpha_n, params_.beta_n) != Verdict::fails) {
                    const int end = draft.number(i1), o = draft.number(opposites[k]);
                    draft.tests.push_back({Test::Kind::normal, side_number, sign > 0 ? end : o, sign > 0 ? o : end});
                }
            }
            if (sum >= 1) {
                draft.tests.resize(before);
                draft.stencil.resize(stencil_before);
            }
            return sum > 0;
        }
        const int first = agrees(0) ? opposites[0] : opposites[1], second = agrees(0) ? opposites[1] : opposites[0];
        const Vec3 w1 = point<3>(X_, first) - e0, w2 = point<3>(X_, second) - e0;
        const Vec3 t1 = (w1 - u * (inverse * u.dot(w1))).normalized(), n1 = u.cross(w1).normalized(),
                   n2 = w2.cross(u).normalized();
        const Verdict verdict = judge(direction.dot(n1 + n2) - t1.dot(n2), params_.alpha_n, params_.beta_n);
        if (verdict == Verdict::partly)
            draft.tests.push_back({Test::Kind::sector, side_number, draft.number(first), draft.number(second)});
        return verdict != Verdict::fails;
    }

    bool test_vertex_in_plane(int v, int side, const Vec2& direction, Draft& draft) const
    {
        const Vec2 x = point<2>(X_, v);
        const auto side_number = static_cast<std::uint8_t>(side);
        int next = -1, previous = -1;
        for (const int e : mesh_.vertex_edges(v)) {
            const int u = other_end(e, v);
            (mesh_.edges()(e, 0) == v ? next : previous) = u;
            const Vec2 t = point<2>(X_, u) - x;
            if (!note_tangent(direction.dot(t) / t.norm(), Test::Kind::along, side_number, u, -1, draft))
                return false;
        }
        if (!is_oriented(v) || next < 0 || previous < 0)
            return true;
        const Vec2 t1 = (point<2>(X_, next) - x).normalized(), n1 = right_of(t1),
                   n2 = right_of((x - point<2>(X_, previous)).normalized());
        if (is_toolkit_) {
            const double c1 = direction.dot(n1), c2 = direction.dot(n2);
            const double sum = smooth_step(c1, params_.alpha_n, params_.beta_n).value +
                               smooth_step(c2, params_.alpha_n, params_.beta_n).value;
            if (sum >= 1 || sum <= 1 - params_.alpha_n)
                return sum >= 1;
            if (judge(c1, params_.alpha_n, params_.beta_n) != Verdict::fails)
                draft.tests.push_back({Test::Kind::normal, side_number, draft.number(next), -1});
            if (judge(c2, params_.alpha_n, params_.beta_n) != Verdict::fails)
                draft.tests.push_back({Test::Kind::normal, side_number, -1, draft.number(previous)});
            return true;
        }
        const Verdict verdict = judge(direction.dot(n1 + n2) - t1.dot(n2), params_.alpha_n, params_.beta_n);
        if (verdict == Verdict::partly)
            draft.tests.push_back({Test::Kind::sector, side_number, draft.number(next), draft.number(previous)});
        return verdict != Verdict::fails;
    }

    [[noreturn]] static void throw_touching(PairKind kind, const IndexPair& elements)
    {
        const auto& kinds = element_kinds(kind);
        throw InvalidStart(fmt::format(
            "vertices: {} {} and {} {} touch, and no barrier has a value there; move them apart", to_string(kinds[0]),
            elements[0], to_string(kinds[1]), elements[1]));
    }

    const CollisionMesh& mesh_;
    const ConstPositions& X_;
    const SmoothContactParameters& params_;
    const SmoothCollisions* set_; // null: dhat everywhere
    double margin_;
    bool is_toolkit_;
};

} // namespace

FoundByKind find_acting_pairs(
    const NearPairs& near, const CollisionMesh& mesh, const ConstPositions& X, const SmoothContactParameters& params,
    const SmoothCollisions* adaptive, double margin)
{
    return ActingPairs(mesh, X, params, adaptive, margin).find(near);
}

} // namespace abut::gcp
