#include "abut/contact/normal_potential.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/gipc/analytic_hessian.hpp"
#include "abut/contact/pair_hessian.hpp"
#include "abut/contact/term_geometry.hpp"
#include "abut/contact/term_lanes.hpp"
#include "abut/contact/weight_gradient.hpp"
#include "abut/geometry/edge_edge_mollifier.hpp"
#include "abut/linear/gradient_parts.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <functional>

namespace abut {

std::shared_ptr<const BlockPattern> candidate_pattern(const Candidates& candidates, const CollisionMesh& mesh)
{
    candidates.validate(mesh);
    Stencils stencils;
    const Edges& E = mesh.edges();
    const Faces& F = mesh.faces();
    for (const auto& [i, j] : candidates.vv)
        stencils.add(std::array{i, j});
    for (const auto& [e, v] : candidates.ev)
        stencils.add(std::array{v, E(e, 0), E(e, 1)});
    for (const auto& [a, b] : candidates.ee)
        stencils.add(std::array{E(a, 0), E(a, 1), E(b, 0), E(b, 1)});
    for (const auto& [f, v] : candidates.fv)
        stencils.add(std::array{v, F(f, 0), F(f, 1), F(f, 2)});
    for (const auto& [plane, v] : candidates.pv)
        stencils.add(std::array{v});
    return std::make_shared<BlockPattern>(mesh.num_vertices(), mesh.dim(), stencils);
}

NormalPotential::NormalPotential(
    std::shared_ptr<const NormalLaw> law, double dhat, HessianMode hessian_mode, double hessian_filter)
    : law_(std::move(law)), dhat_(dhat), hessian_mode_(hessian_mode), hessian_filter_(hessian_filter)
{
    if (!law_)
        reject("law: none given");
    if (!(dhat > 0 && dhat <= max_coordinate))
        reject("dhat: {} is not a positive distance up to {} m", dhat, max_coordinate);
    if (!(hessian_filter >= 0 && hessian_filter < 1))
        reject("hessian_filter: {} is not a share of dhat, from 0 to below 1", hessian_filter);
}

/// One evaluation of a potential over a set: goes through the terms kind by kind, in batches small enough to stay in
/// the cache, and writes what is asked for of each term to its own place.
class NormalEvaluation {
public:
    NormalEvaluation(
        const NormalPotential& potential, const NormalCollisions& collisions, const CollisionMesh& mesh,
        const ConstPositions& X)
        : collisions_(collisions), mesh_(mesh), X_(X),
          law_(*potential.law_), range_{.dhat = potential.dhat_, .dmin = collisions.options().dmin},
          scale_(potential.scale(range_.dmin)), mode_(potential.hessian_mode_),
          curvature_(mode_, law_, range_, potential.hessian_filter_)
    {
        collisions.validate(mesh, X);
        if (!collisions.empty() && collisions.options().dhat < range_.dhat)
            reject(
                "collisions: built for dhat = {} m, but the potential reaches {} m; build them with that dhat",
                collisions.options().dhat, range_.dhat);
    }

    TermOutput out{};                       ///< what is asked for
    double* magnitudes = nullptr;           ///< one per term, if asked for
    bool has_unit_weights = false;          ///< as if every weight were 1
    std::optional<double> constant_force{}; ///< in place of the law's slope in magnitudes, within the range

    void run(const TermOutput& asked)
    {
        out = asked;
        run();
    }

    void run()
    {
        collect_tasks();
        for_each_task([&](std::size_t k) { tasks_[k]({}); });
    }

    /// The sum of all values. Of infinities and what is no number none; `energies` then tells.
    [[nodiscard]] double sum_values()
    {
        collect_tasks();
        std::vector<double> sums(tasks_.size(), 0.0);
        for_each_task([&](std::size_t k) { tasks_[k]({.sum = &sums[k]}); });
        double sum = 0;
        for (const double part : sums)
            sum += part;
        return sum;
    }

    /// The sum of all gradients, flat by vertex.
    [[nodiscard]] Eigen::VectorXd sum_gradients()
    {
        collect_tasks();
        GradientParts parts(mesh_.num_vertices(), collisions_.size());
        const auto run_part = [&](std::size_t part) {
            double* rows = parts.cleared_rows(part);
            const auto border = [&](std::size_t k) { return tasks_.size() * k / parts.size(); };
            for (std::size_t k = border(part); k < border(part + 1); ++k)
                tasks_[k]({.rows = rows});
        };
        if (law_.is_concurrent())
            parallel_for(parts.size(), 1, run_part);
        else
            for (std::size_t part = 0; part < parts.size(); ++part)
                run_part(part);
        return parts.sum(mesh_.dim());
    }

private:
    /// Where values and gradients of terms are added up instead of being written to `out`; null where they are not.
    struct Sink {
        double* sum = nullptr;
        double* rows = nullptr; // of GradientParts
    };

    /// Blocks alone where values and gradients of the terms went in lanes.
    enum class Wanted : std::uint8_t { all, blocks };

    void collect_tasks()
    {
        projection_ = projection_of(out.hessian);
        if (out.hessian == HessianForm::analytic && mode_ == HessianMode::absolute)
            projection_ = PSDProjectionMethod::abs;
        if (out.hessian == HessianForm::analytic && mode_ == HessianMode::hybrid)
            projection_ = PSDProjectionMethod::clamp;
        is_closed_form_ = out.blocks != nullptr && out.hessian == HessianForm::analytic && is_closed_form(mode_);
        const double depth = mode_ == HessianMode::hybrid ? range_.dmin + hybrid_depth * range_.dhat : 0;
        squared_depth_ = depth * depth;
        before_ = {};
        tasks_.clear();
        if (mesh_.dim() == 2)
            add_all<2>();
        else
            add_all<3>();
        ABUT_ASSERT(before_.term == collisions_.size());
        ABUT_ASSERT(before_.block == static_cast<std::size_t>(collisions_.stencils().num_blocks()));
    }

    template <typename RunTask>
    void for_each_task(RunTask&& run_task)
    {
        if (law_.is_concurrent())
            parallel_for(tasks_.size(), 1, run_task);
        else
            for (std::size_t k = 0; k < tasks_.size(); ++k)
                run_task(k);
    }

    static constexpr std::size_t batch = 64;
    static_assert(batch % num_lanes == 0);

    /// Terms, entries and blocks of the kinds before one.
    struct Before {
        std::size_t term = 0, entry = 0, block = 0;
    };
    Before before_{};
    /// Ranges of terms of all kinds, so that threads share out the kinds as well.
    std::vector<std::function<void(const Sink&)>> tasks_;

    template <int Dim>
    void add_all()
    {
        const auto add_kind = [&](auto kind, const auto& list) {
            if constexpr (exists_in(Dim, kind))
                add_tasks<Dim>(kind, list);
        };
        for_each_kind(add_kind, collisions_.by_kind());
    }

    template <int Dim, PairKind kind, typename List>
    void add_tasks(KindConstant<kind> of, const List& list)
    {
        constexpr int N = stencil_size(kind);
        const bool is_in_lanes = Dim == 3 && kind != PairKind::plane_vertex && list.offsets.empty();
        // Batches begin at multiples of their size for every length of a task, so that it does not matter to the bits.
        const std::size_t terms_per_task = collisions_.size() < 32768 ? 512 : 4096;
        for (std::size_t begin = 0; begin < list.size(); begin += terms_per_task)
            tasks_.emplace_back([=, this, &list, before = before_](const Sink& sink) {
                const std::size_t end = std::min(begin + terms_per_task, list.size());
                for (std::size_t at = begin; at < end; at += batch) {
                    const std::size_t count = std::min(batch, end - at);
                    if constexpr (Dim == 3 && kind != PairKind::plane_vertex)
                        if (is_in_lanes) {
                            if (wants_sum_alone(sink))
                                *sink.sum += sum_in_lanes(of, list, at, count);
                            else if (wants_values_or_gradients(sink))
                                run_in_lanes(of, list, before, at, count, sink);
                            if (out.blocks == nullptr)
                                continue;
                        }
                    run_batch<N, num_coordinates(Dim, kind), Dim>(
                        list, [&](std::size_t k) { return closest_of<Dim>(of, list, k, mesh_, X_); }, before, at, count,
                        is_in_lanes ? Wanted::blocks : Wanted::all, sink);
                }
            });
        before_.term += list.size();
        before_.entry += list.size() * N;
        before_.block += list.size() * (N * (N + 1) / 2);
    }

    [[nodiscard]] bool wants_values_or_gradients(const Sink& sink) const
    {
        return out.values != nullptr || out.gradients != nullptr || magnitudes != nullptr || sink.sum != nullptr ||
               sink.rows != nullptr;
    }

    [[nodiscard]] bool wants_sum_alone(const Sink& sink) const
    {
        return sink.sum != nullptr && sink.rows == nullptr && out.values == nullptr && out.gradients == nullptr &&
               magnitudes == nullptr;
    }

    /// The sum of a batch's values, to the same bits as beside gradients: what is not used is not computed.
    template <PairKind kind, typename List>
    [[nodiscard]] double
    sum_in_lanes(KindConstant<kind> of, const List& list, std::size_t begin, std::size_t count) const
    {
        constexpr int N = stencil_size(kind);
        constexpr bool is_edge_edge = kind == PairKind::edge_edge;
        ABUT_ASSERT(count > 0 && count <= batch && begin + count <= list.size());
        std::array<double, batch> squared_distances, values;
        std::array<Lanes, is_edge_edge ? batch / num_lanes : 1> mollifiers;
        std::array<bool, batch / num_lanes> is_plain;
        const auto lanes_from = [&](std::size_t k) {
            return static_cast<int>(std::min<std::size_t>(num_lanes, count - k));
        };
        for (std::size_t k = 0; k < count; k += num_lanes) {
            const TermVertices<N> vertices(list, begin + k, lanes_from(k));
            PointLanes x[N];
            for (int i = 0; i < N; ++i)
                x[i] = load_points(X_.data(), X_.outerStride(), vertices.of_corner[i]);
            store_lanes(
                closest_lanes(of, list, x, begin + k, lanes_from(k)).squared_distance(), squared_distances.data() + k);
            is_plain[k / num_lanes] = true;
            if constexpr (is_edge_edge) {
                const MollifierLanes mollifier(x, numbers_from(list.eps_x, begin + k, lanes_from(k)), false);
                is_plain[k / num_lanes] = mollifier.is_one;
                mollifiers[k / num_lanes] = mollifier.m;
            }
        }
        law_.evaluate_values(range_, {squared_distances.data(), count}, {values.data(), count});
        for (std::size_t k = count; k % num_lanes != 0; ++k) // lanes that are not summed
            values[k] = 0;
        for (std::size_t k = 0; k < count; k += num_lanes) {
            const Lanes weights =
                has_unit_weights ? broadcast(1) : numbers_from(list.weights, begin + k, lanes_from(k));
            Lanes value = load_lanes(values.data() + k);
            value *= scale_ * weights;
            if constexpr (is_edge_edge)
                if (!is_plain[k / num_lanes])
                    value = with_infinities(value, mollifiers[k / num_lanes]);
            store_lanes(value, values.data() + k);
        }
        return sum_of({values.data(), count});
    }

    /// Values and gradients of a batch, a few terms at once. They are the same beside Hessians.
    template <PairKind kind, typename List>
    void run_in_lanes(
        KindConstant<kind> of, const List& list, const Before& before, std::size_t begin, std::size_t count,
        const Sink& sink) const
    {
        constexpr int N = stencil_size(kind);
        constexpr bool is_edge_edge = kind == PairKind::edge_edge;
        ABUT_ASSERT(count > 0 && count <= batch && begin + count <= list.size());
        std::array<ClosestLanes<N>, batch / num_lanes> closest;
        std::array<MollifierLanes, is_edge_edge ? batch / num_lanes : 1> mollifiers;
        std::array<double, batch> squared_distances, values;
        std::array<LawTerm, batch> laws{};
        const auto lanes_from = [&](std::size_t k) {
            return static_cast<int>(std::min<std::size_t>(num_lanes, count - k));
        };
        for (std::size_t k = 0; k < count; k += num_lanes) {
            const TermVertices<N> vertices(list, begin + k, lanes_from(k));
            PointLanes x[N];
            for (int i = 0; i < N; ++i)
                x[i] = load_points(X_.data(), X_.outerStride(), vertices.of_corner[i]);
            ClosestLanes<N>& at = closest[k / num_lanes];
            at = closest_lanes(of, list, x, begin + k, lanes_from(k));
            store_lanes(at.squared_distance(), squared_distances.data() + k);
            if constexpr (is_edge_edge)
                mollifiers[k / num_lanes] = MollifierLanes(x, numbers_from(list.eps_x, begin + k, lanes_from(k)));
        }
        law_.evaluate(range_, {squared_distances.data(), count}, {laws.data(), count});
        write_magnitudes({squared_distances.data(), count}, laws.data(), before.term + begin);

        const bool has_gradients = out.gradients != nullptr || sink.rows != nullptr;
        for (std::size_t k = 0; k < count; k += num_lanes) {
            const int num_terms = lanes_from(k);
            const Lanes weights = has_unit_weights ? broadcast(1) : numbers_from(list.weights, begin + k, num_terms);
            Lanes value, first;
            for (int lane = 0; lane < num_lanes; ++lane) {
                value[lane] = laws[k + lane].value;
                first[lane] = laws[k + lane].first;
            }
            value *= scale_ * weights;
            first *= scale_ * weights;
            if (has_gradients)
                for (int lane = 0; lane < num_terms; ++lane)
                    if (!std::isfinite(first[lane]))
                        throw_touching(before.term + begin + k + lane, squared_distances[k + lane]);
            const ClosestLanes<N>& at = closest[k / num_lanes];
            Lanes m = broadcast(1), m_c{};
            bool is_plain = true;
            if constexpr (is_edge_edge) {
                const MollifierLanes& mollifier = mollifiers[k / num_lanes];
                is_plain = mollifier.is_one;
                m = mollifier.m;
                m_c = mollifier.m_c;
            }
            // Edges that touch have an infinite energy also where they are parallel and m is 0.
            store_lanes(is_plain ? value : with_infinities(value, m), values.data() + k);
            if (!has_gradients)
                continue;
            const TermVertices<N> vertices(list, begin + k, num_terms);
            const Lanes slope = 2 * m * first;
            for (int i = 0; i < N; ++i) {
                PointLanes gradient = (slope * at.w[i]) * at.r;
                if constexpr (is_edge_edge)
                    if (!is_plain) {
                        const MollifierLanes& mollifier = mollifiers[k / num_lanes];
                        const Lanes turning = i % 2 == 0 ? -value * m_c : value * m_c;
                        gradient = gradient + turning * (i < 2 ? mollifier.c_a1 : mollifier.c_b1);
                    }
                if (sink.rows != nullptr)
                    add_points(gradient, num_terms, sink.rows, vertices.of_corner[i]);
                else
                    store_points(gradient, num_terms, out.gradients + (before.entry + (begin + k) * N + i) * 3, 3 * N);
            }
        }
        if (out.values != nullptr)
            std::copy_n(values.data(), count, out.values + before.term + begin);
        if (sink.sum != nullptr)
            *sink.sum += sum_of({values.data(), count});
    }

    /// value times the mollifier, but infinite values as they are.
    static Lanes with_infinities(Lanes value, Lanes m)
    {
        for (int lane = 0; lane < num_lanes; ++lane)
            value[lane] = std::isinf(value[lane]) ? value[lane] : m[lane] * value[lane];
        return value;
    }

    /// Numbers k, k + 1, ... of a list; after `count` of them the last is repeated.
    static Lanes numbers_from(const std::vector<double>& list, std::size_t k, int count)
    {
        if (count == num_lanes)
            return load_lanes(list.data() + k);
        Lanes numbers{};
        for (int lane = 0; lane < num_lanes; ++lane)
            numbers[lane] = list[k + static_cast<std::size_t>(std::min(lane, count - 1))];
        return numbers;
    }

    /// In lanes, then across them: the same order for every batch of this size.
    static double sum_of(std::span<const double> values)
    {
        Lanes sums{};
        std::size_t k = 0;
        for (; k + num_lanes <= values.size(); k += num_lanes)
            sums += load_lanes(values.data() + k);
        double sum = 0;
        for (int lane = 0; lane < num_lanes; ++lane)
            sum += sums[lane];
        for (; k < values.size(); ++k)
            sum += values[k];
        return sum;
    }

    void write_magnitudes(std::span<const double> squared_distances, const LawTerm* laws, std::size_t first_term) const
    {
        if (magnitudes == nullptr)
            return;
        for (std::size_t k = 0; k < squared_distances.size(); ++k)
            magnitudes[first_term + k] = constant_force ? (range_.reaches(squared_distances[k]) ? *constant_force : 0)
                                                        : -2 * scale_ * laws[k].first * std::sqrt(squared_distances[k]);
    }

    template <int N, int M, int Dim, typename List, typename Closest>
    void run_batch(
        const List& list, const Closest& closest_of, const Before& before, std::size_t begin, std::size_t count,
        Wanted wanted, const Sink& sink) const
    {
        ABUT_ASSERT(count > 0 && count <= batch && begin + count <= list.size());
        constexpr bool is_edge_edge = std::is_same_v<List, EdgeEdgeTerms>;
        std::array<ClosestPair<N, M, Dim>, batch> closest;
        std::array<double, batch> squared_distances;
        std::array<LawTerm, batch> laws;
        std::array<double, batch> summed_values;
        std::array<double, batch * N * Dim> summed_gradients;
        Places places;
        if (wanted == Wanted::all) {
            places.values = sink.sum != nullptr     ? summed_values.data()
                            : out.values != nullptr ? out.values + before.term + begin
                                                    : nullptr;
            places.gradients = sink.rows != nullptr       ? summed_gradients.data()
                               : out.gradients != nullptr ? out.gradients + (before.entry + begin * N) * Dim
                                                          : nullptr;
        }
        const bool is_value_only = places.gradients == nullptr && out.blocks == nullptr;
        if (is_value_only) // what is not used is not computed
            for (std::size_t k = 0; k < count; ++k)
                if constexpr (is_edge_edge) {
                    const auto x = stencil_points<4, 3>(X_, list.vertices[begin + k]);
                    const EdgeEdgeFeature kept = list.features[begin + k];
                    squared_distances[k] = edge_edge_squared_distance(
                        x.col(0), x.col(1), x.col(2), x.col(3),
                        list.offset(begin + k) > 0 ? feature_within(x, kept) : kept);
                } else
                    squared_distances[k] = closest_of(begin + k).squared_distance();
        else
            for (std::size_t k = 0; k < count; ++k) {
                closest[k] = closest_of(begin + k);
                squared_distances[k] = closest[k].squared_distance();
            }
        const bool has_offsets = !list.offsets.empty();
        std::array<double, batch> squared_lengths; // of the pairs themselves, where the law sees gaps
        if (has_offsets) {
            squared_lengths = squared_distances;
            for (std::size_t k = 0; k < count; ++k)
                squared_distances[k] = squared_gap(squared_lengths[k], list.offsets[begin + k]);
        }
        law_.evaluate(range_, {squared_distances.data(), count}, {laws.data(), count});
        if (wanted == Wanted::all)
            write_magnitudes({squared_distances.data(), count}, laws.data(), before.term + begin);

        // Weights enter the law, then everything is linear in it, but for curvatures that are made positive.
        std::array<double, batch> curvatures;
        for (std::size_t k = 0; k < count; ++k) {
            const double factor = has_unit_weights ? scale_ : scale_ * list.weights[begin + k];
            if (is_closed_form_)
                curvatures[k] = std::max(0.0, factor * curvature_(laws[k], squared_distances[k]));
            if (has_offsets)
                laws[k] = at_offset(laws[k], squared_lengths[k], list.offsets[begin + k]);
            laws[k] = {factor * laws[k].value, factor * laws[k].first, factor * laws[k].second};
        }
        if (!is_value_only)
            for (std::size_t k = 0; k < count; ++k)
                if (!std::isfinite(laws[k].first))
                    throw_touching(before.term + begin + k, squared_distances[k]);

        // Nearly parallel edges are few and go one by one; the others together.
        std::array<std::size_t, batch> plain, mollified;
        std::size_t num_plain = 0, num_mollified = 0;
        for (std::size_t k = 0; k < count; ++k) {
            if constexpr (is_edge_edge) {
                const auto x = stencil_points<4, 3>(X_, list.vertices[begin + k]);
                const Vec3 u = x.col(1) - x.col(0), v = x.col(3) - x.col(2);
                const double z = u.cross(v).squaredNorm() / list.eps_x[begin + k];
                if (z < 1) {
                    if (is_value_only && !std::isinf(laws[k].value))
                        laws[k].value *= (2 - z) * z; // all that the mollifier does to a value
                    else {
                        mollified[num_mollified++] = k;
                        continue;
                    }
                }
            }
            plain[num_plain++] = k;
        }
        if constexpr (is_edge_edge)
            run_mollified(list, before, {mollified.data(), num_mollified}, begin, closest.data(), laws.data(), places);
        for (std::size_t p = 0; p < num_plain; ++p) {
            const std::size_t k = plain[p];
            if (places.values != nullptr)
                places.values[k] = laws[k].value;
            if (places.gradients != nullptr)
                for (int i = 0; i < N; ++i)
                    for (int a = 0; a < Dim; ++a)
                        places.gradients[(k * N + i) * Dim + a] = 2 * laws[k].first * closest[k].w[i] * closest[k].r[a];
        }
        if (sink.sum != nullptr && wanted == Wanted::all)
            *sink.sum += sum_of({summed_values.data(), count});
        if (sink.rows != nullptr && wanted == Wanted::all)
            for (std::size_t k = 0; k < count; ++k)
                for (int i = 0; i < N; ++i)
                    for (int a = 0; a < Dim; ++a)
                        sink.rows[4 * list.vertices[begin + k][i] + a] += summed_gradients[(k * N + i) * Dim + a];
        if (out.blocks == nullptr)
            return;
        // Those in closed form first, then the others.
        const auto others = std::partition(plain.begin(), plain.begin() + num_plain, [&](std::size_t k) {
            return is_closed_form_ && squared_distances[k] >= squared_depth_;
        });
        for (auto k = plain.begin(); k != others; ++k)
            expand_rank_one(closest[*k], curvatures[*k], block_writer<N, Dim>(before, begin + *k));
        if (const std::span<const std::size_t> rest{others, plain.begin() + num_plain}; !rest.empty())
            run_plain_hessians<N, M, Dim>(before, rest, begin, closest.data(), laws.data());
    }

    /// Where values and gradients of a batch's terms go; null where nobody asks for them.
    struct Places {
        double* values = nullptr;
        double* gradients = nullptr;
    };

    /// Writes the blocks i >= j of term k of a kind, row by row.
    template <int N, int Dim>
    [[nodiscard]] auto block_writer(const Before& before, std::size_t k) const
    {
        double* to = out.blocks + (before.block + k * (N * (N + 1) / 2)) * (Dim * Dim);
        return [to](const Mat<Dim, Dim>& block) mutable {
            std::copy(block.data(), block.data() + Dim * Dim, to);
            to += Dim * Dim;
        };
    }

    template <int N, int M, int Dim>
    void run_plain_hessians(
        const Before& before, std::span<const std::size_t> plain, std::size_t begin,
        const ClosestPair<N, M, Dim>* closest, const LawTerm* laws) const
    {
        using Hessian = PairHessian<N, M>;
        std::array<Mat<Hessian::size, Hessian::size>, batch> K;
        std::array<double, batch> f;
        for (std::size_t p = 0; p < plain.size(); ++p) {
            const Hessian hessian = Hessian::of(closest[plain[p]], laws[plain[p]].first, laws[plain[p]].second);
            K[p] = hessian.K;
            f[p] = hessian.f;
        }
        if (projection_ != PSDProjectionMethod::none) {
            project_to_psd<Hessian::size>({K.data(), plain.size()}, projection_);
            for (std::size_t p = 0; p < plain.size(); ++p)
                if (f[p] < 0)
                    f[p] = projection_ == PSDProjectionMethod::abs ? -f[p] : 0;
        }
        for (std::size_t p = 0; p < plain.size(); ++p) {
            auto write = block_writer<N, Dim>(before, begin + plain[p]);
            Hessian{K[p], f[p]}.expand(closest[plain[p]], [&](int, int, const Mat<Dim, Dim>& block) { write(block); });
        }
    }

    /// m b(D) by the product rule, on the whole stencil.
    void run_mollified(
        const EdgeEdgeTerms& list, const Before& before, std::span<const std::size_t> mollified, std::size_t begin,
        const ClosestPair<4, 2, 3>* closest, const LawTerm* laws, const Places& places) const
    {
        const bool is_closed = is_closed_form_ && mode_ != HessianMode::hybrid;
        const bool is_exact = out.blocks != nullptr && !is_closed;
        const Order order = is_exact ? Order::hessian : places.gradients != nullptr ? Order::gradient : Order::value;
        std::array<Mat<9, 9>, batch> reduced;
        const Mat<4, 3> basis = sum_zero_basis<4>();
        for (std::size_t q = 0; q < mollified.size(); ++q) {
            const std::size_t k = mollified[q];
            const auto x = stencil_points<4, 3>(X_, list.vertices[begin + k]);
            const LawTerm& b = laws[k];
            const auto m = edge_edge_mollifier(x.col(0), x.col(1), x.col(2), x.col(3), list.eps_x[begin + k], order);
            if (places.values != nullptr)
                // Edges that touch have an infinite energy also where they are parallel and m is 0.
                places.values[k] = std::isinf(b.value) ? b.value : m.value * b.value;
            if (is_closed)
                MollifiedHessian::of(mode_, law_.distance_kind(), x, closest[k], list.eps_x[begin + k], b, range_.dhat)
                    .expand(block_writer<4, 3>(before, begin + k));
            if (order == Order::value)
                continue;
            const auto D = closest[k].squared_distance(order);
            if (places.gradients != nullptr)
                Eigen::Map<Vec<12>>(places.gradients + k * 12) = b.value * m.gradient + m.value * b.first * D.gradient;
            if (!is_exact)
                continue;
            Mat<12, 12> H =
                b.value * m.hessian + m.value * (b.second * D.gradient * D.gradient.transpose() + b.first * D.hessian);
            H += b.first * (m.gradient * D.gradient.transpose() + D.gradient * m.gradient.transpose());
            if (projection_ == PSDProjectionMethod::none)
                store_blocks(H, before, begin + k);
            else
                reduced[q] = to_sum_zero(H, basis);
        }
        if (!is_exact || projection_ == PSDProjectionMethod::none)
            return;
        project_to_psd<9>({reduced.data(), mollified.size()}, projection_);
        for (std::size_t q = 0; q < mollified.size(); ++q)
            store_blocks(from_sum_zero(reduced[q], basis), before, begin + mollified[q]);
    }

    /// (Bᵀ ⊗ I) H (B ⊗ I): translations, on which H vanishes, are taken out before the eigenvalues are sought.
    static Mat<9, 9> to_sum_zero(const Mat<12, 12>& H, const Mat<4, 3>& basis)
    {
        Mat<12, 9> half = Mat<12, 9>::Zero();
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < 4; ++i)
                half.middleCols<3>(3 * a) += basis(i, a) * H.middleCols<3>(3 * i);
        Mat<9, 9> reduced = Mat<9, 9>::Zero();
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < 4; ++i)
                reduced.middleRows<3>(3 * a) += basis(i, a) * half.middleRows<3>(3 * i);
        return reduced;
    }

    static Mat<12, 12> from_sum_zero(const Mat<9, 9>& reduced, const Mat<4, 3>& basis)
    {
        Mat<12, 9> half = Mat<12, 9>::Zero();
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < 4; ++i)
                half.middleRows<3>(3 * i) += basis(i, a) * reduced.middleRows<3>(3 * a);
        Mat<12, 12> H = Mat<12, 12>::Zero();
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < 4; ++i)
                H.middleCols<3>(3 * i) += basis(i, a) * half.middleCols<3>(3 * a);
        return H;
    }

    void store_blocks(const Mat<12, 12>& H, const Before& before, std::size_t k) const
    {
        auto write = block_writer<4, 3>(before, k);
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j <= i; ++j)
                write(H.block<3, 3>(3 * i, 3 * j));
    }

public:
    /// Derivative of the gradient of edge-edge term k by its mollifier's threshold: 0 unless its edges are nearly
    /// parallel.
    [[nodiscard]] Vec<12> gradient_by_threshold(std::size_t k) const
    {
        const EdgeEdgeTerms& list = collisions_.ee();
        const auto x = stencil_points<4, 3>(X_, list.vertices[k]);
        const auto c = edge_edge_cross_squared_norm(x.col(0), x.col(1), x.col(2), x.col(3), Order::gradient);
        const double eps_x = list.eps_x[k], z = c.value / eps_x;
        if (z >= 1)
            return Vec<12>::Zero();
        const auto D =
            closest_of<3>(KindConstant<PairKind::edge_edge>(), list, k, mesh_, X_).squared_distance(Order::gradient);
        const double offset = list.offset(k);
        const LawTerm b = at_offset(law_(squared_gap(D.value, offset), range_), D.value, offset);
        // Of b grad m + m b' grad D with m = (2 − z) z, grad m = 2 (1 − z) / eps_x grad c and dz/deps_x = −z / eps_x.
        return scale_ * list.weights[k] *
               (b.value * (4 * z - 2) / (eps_x * eps_x) * c.gradient - 2 * (1 - z) * z / eps_x * b.first * D.gradient);
    }

private:
    [[noreturn]] void throw_touching(std::size_t term, double squared_distance) const
    {
        const NormalCollision collision = collisions_[term];
        throw InvalidStart(fmt::format(
            "X: collision {} (vertices {}) is at distance {:.3g} m{}, not above dmin = {} m, where the law '{}' has no "
            "derivative; limit steps with compute_collision_free_stepsize",
            term, fmt::join(collision.vertices, ", "), std::sqrt(squared_distance),
            collision.offset > 0 ? fmt::format(" beyond the offset of {:.3g} m", collision.offset) : "", range_.dmin,
            law_.name()));
    }

    const NormalCollisions& collisions_;
    const CollisionMesh& mesh_;
    const ConstPositions& X_;
    const NormalLaw& law_;
    ContactRange range_;
    double scale_;
    HessianMode mode_;
    PairCurvature curvature_;
    PSDProjectionMethod projection_ = PSDProjectionMethod::none;
    bool is_closed_form_ = false; // are blocks asked for in the potential's own positive semidefinite form?
    double squared_depth_ = 0;    // closer than that they are projected all the same
};

void NormalPotential::evaluate(
    const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X, const TermOutput& out) const
{
    NormalEvaluation(*this, collisions, mesh, X).run(out);
}

double NormalPotential::operator()(
    const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    const double sum = NormalEvaluation(*this, collisions, mesh, X).sum_values();
    return std::isfinite(sum) ? sum : Potential::operator()(collisions, mesh, X);
}

Eigen::VectorXd
NormalPotential::gradient(const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    return NormalEvaluation(*this, collisions, mesh, X).sum_gradients();
}

Eigen::VectorXd NormalPotential::force_magnitudes(
    const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    Eigen::VectorXd magnitudes(collisions.size());
    NormalEvaluation evaluation(*this, collisions, mesh, X);
    evaluation.magnitudes = magnitudes.data();
    evaluation.run();
    return magnitudes;
}

Eigen::VectorXd NormalPotential::sliding_forces(
    const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    Eigen::VectorXd forces(collisions.size());
    NormalEvaluation evaluation(*this, collisions, mesh, X);
    evaluation.magnitudes = forces.data();
    evaluation.constant_force = sliding_force();
    evaluation.run();
    return forces;
}

Eigen::SparseMatrix<double> NormalPotential::shape_derivative(
    const NormalCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    if (!collisions.options().enable_shape_derivatives && !collisions.empty())
        reject("collisions: build them with enable_shape_derivatives to ask for shape derivatives");
    const int dim = mesh.dim();
    const Stencils& stencils = collisions.stencils();
    Buffer<double> local(stencils.num_entries() * dim);
    NormalEvaluation evaluation(*this, collisions, mesh, X);
    evaluation.out.gradients = local.data();
    evaluation.has_unit_weights = true;
    evaluation.run();

    std::vector<Eigen::Triplet<double>> triplets;
    const auto add_outer = [&](std::size_t term, const double* gradient, int rest_vertex, const Vec3& factor) {
        int row = 0;
        for (const int vertex : stencils[term])
            for (int a = 0; a < dim; ++a, ++row)
                for (int b = 0; b < dim; ++b)
                    triplets.emplace_back(vertex * dim + a, rest_vertex * dim + b, gradient[row] * factor[b]);
    };
    // Through the weights
    for (std::size_t term = 0; term < collisions.size(); ++term)
        for_each_weight_gradient(collisions, term, mesh, [&](int vertex, const Vec3& by_rest_position) {
            add_outer(term, local.data() + stencils.offset(term) * dim, vertex, by_rest_position);
        });
    // Through the mollifiers' thresholds
    const std::size_t first_ee = collisions.vv().size() + collisions.ev().size();
    for (std::size_t k = 0; k < collisions.ee().size(); ++k) {
        const Vec<12> gradient = evaluation.gradient_by_threshold(k);
        if (gradient.isZero(0))
            continue;
        const auto& v = collisions.ee().vertices[k];
        const auto rest = stencil_points<4, 3>(mesh.rest_positions(), v);
        const auto eps_x =
            edge_edge_mollifier_threshold(rest.col(0), rest.col(1), rest.col(2), rest.col(3), Order::gradient);
        for (int i = 0; i < 4; ++i)
            add_outer(first_ee + k, gradient.data(), v[i], eps_x.gradient.segment<3>(3 * i));
    }
    Eigen::SparseMatrix<double> derivative(mesh.ndof(), mesh.ndof());
    derivative.setFromTriplets(triplets.begin(), triplets.end());
    return derivative;
}

} // namespace abut
