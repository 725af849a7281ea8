#include "abut/detect/vertex_steps.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/atomic_min.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/broad_phase.hpp"
#include "abut/detect/pair_share.hpp"

namespace abut {

namespace {

constexpr std::size_t vertices_per_task = 4096, pairs_per_task = 2048, bunch_pairs_per_task = 256;

/// A face, a loose edge or a loose vertex; in the plane an edge or a loose vertex. Every other element belongs to one
/// of these that has it, so that each pair of elements is looked at once.
struct Whole {
    ElementKind kind;
    int index;
};

/// What some neighbouring elements have in common.
struct Bunch {
    Box place, motion;       // at the start, with offsets; of the displacements
    bool is_changed = false; // does any vertex go another way than before?

    void extend(const Bunch& other)
    {
        place.extend(other.place);
        motion.extend(other.motion);
        is_changed = is_changed || other.is_changed;
    }
};

} // namespace

class VertexSteps::Search {
public:
    Search(const CollisionMesh& mesh, const Detection& detection, const Positions& X0, const VertexStepOptions& options)
        : mesh_(mesh), detection_(detection), X0_(X0), X1_(X0), motion_(mesh, X0, X1_),
          options_(options), kept_{options.clearance, options.kept_share}, rules_(mesh),
          moves_(Positions::Zero(X0.rows(), 3)), is_changed_(mesh.num_vertices(), 1), shares_(mesh.num_vertices(), 1)
    {
        ABUT_ASSERT(detection.is_at(X0));
        ABUT_ASSERT(options.kept_share > 0 && options.kept_share < 1 && options.clearance > 0);
    }

    std::optional<std::vector<double>> find(const Positions& X1)
    {
        ABUT_ASSERT(X1.rows() == X0_.rows() && X1.cols() == X0_.cols());
        for (int v = 0; v < mesh_.num_vertices(); ++v)
            is_changed_[v] = is_first_ || shares_[v] < 1 || X1.row(v) != X1_.row(v);
        is_first_ = false;
        X1_ = X1;
        moves_.leftCols(X0_.cols()) = X1 - X0_;
        rounding_ = 512 * 0x1p-53 * std::max(X0_.cwiseAbs().maxCoeff(), X1.cwiseAbs().maxCoeff());
        room_ = (detection_.range() - options_.dmin - options_.clearance) * (1 - 1e-9) - rounding_;
        std::fill(shares_.begin(), shares_.end(), 1.0);
        look_at_planes();
        look_at_near_pairs();
        if (!look_at_far_pairs())
            return std::nullopt;
        return shares_;
    }

private:
    void look_at_planes()
    {
        for (const Plane& plane : mesh_.planes())
            parallel_for(shares_.size(), vertices_per_task, [&](std::size_t i) {
                const auto v = static_cast<int>(i);
                if (is_changed_[v] != 0 && rules_.plane_vertex(v) && !move(v).isZero(0))
                    atomic_min(shares_[i], plane_share(motion_, mesh_, plane, v, options_.dmin, kept_));
            });
    }

    void look_at_near_pairs()
    {
        const auto look = [&](PairKind kind, const DetectedPairs& list) {
            if (kind == PairKind::plane_vertex)
                return;
            parallel_for(list.size(), pairs_per_task, [&](std::size_t k) {
                const auto [i, j] = list.pairs[k];
                if (!has_changed(first_of(kind, i)) && !has_changed(second_of(kind, j)))
                    return;
                const double approach = approach_of(kind, i, j);
                if (approach == 0)
                    return;
                const double gap = std::sqrt(list.squared_distances[k]) * (1 - 1e-9) - options_.dmin;
                if (gap <= rounding_)
                    stop(kind, i, j, 0);
                else if (!(approach < (gap - kept_.of(gap)) * (1 - 1e-9) - rounding_))
                    look_at_pair(kind, i, j);
            });
        };
        for_each_kind(look, detection_.pairs());
    }

    /// False where there are too many.
    bool look_at_far_pairs()
    {
        const Vec3 spread = (moves_.colwise().maxCoeff() - moves_.colwise().minCoeff()).transpose();
        if (room_ > 0 && spread.squaredNorm() * (1 + 1e-9) < room_ * room_)
            return true;
        if (levels_.empty())
            find_wholes();
        if (levels_.empty())
            return true;
        set_motions();
        found_.clear();
        is_over_ = false;
        const int top = static_cast<int>(levels_.size()) - 1;
        for (int a = 0; a < static_cast<int>(levels_[top].size()); ++a)
            for (int b = a; b < static_cast<int>(levels_[top].size()); ++b)
                visit(top, a, b);
        if (is_over_)
            return false;
        parallel_for(found_.size(), bunch_pairs_per_task, [&](std::size_t k) {
            look_at_wholes(wholes_[found_[k][0]], wholes_[found_[k][1]]);
        });
        return true;
    }

    static constexpr int fan_out = 8;

    [[nodiscard]] Vec3 move(int v) const { return point<3>(moves_, v); }

    template <typename Visit>
    void for_each_vertex(const Whole& whole, Visit&& visit) const
    {
        if (whole.kind == ElementKind::vertex)
            visit(whole.index);
        else if (whole.kind == ElementKind::edge)
            for (const int v : corners_of(mesh_.edges(), whole.index))
                visit(v);
        else
            for (const int v : corners_of(mesh_.faces(), whole.index))
                visit(v);
    }

    void find_wholes()
    {
        const bool is_plane = mesh_.dim() == 2;
        std::vector<Whole> all;
        for (int f = 0; f < mesh_.num_faces(); ++f)
            all.push_back({ElementKind::face, f});
        for (int e = 0; e < mesh_.num_edges(); ++e)
            if (is_plane || mesh_.edge_faces(e).empty())
                all.push_back({ElementKind::edge, e});
        for (const int v : mesh_.codim_vertices())
            all.push_back({ElementKind::vertex, v});
        if (all.empty())
            return;

        std::vector<Box> places(all.size());
        Box everything;
        parallel_for(all.size(), vertices_per_task, [&](std::size_t k) {
            for_each_vertex(all[k], [&](int v) {
                const Vec3 x = lifted(X0_, v), reach = Vec3::Constant(mesh_.offsets().radius(v));
                places[k].extend({x - reach, x + reach});
            });
        });
        for (const Box& place : places)
            everything.extend(place);
        Bvh order;
        order.build(places, (everything.lo + everything.hi) / 2);

        wholes_.resize(all.size());
        levels_.assign(1, std::vector<Bunch>(all.size()));
        for (int p = 0; p < order.size(); ++p) {
            wholes_[p] = all[order.element(p)];
            levels_[0][p].place = places[order.element(p)];
        }
        while (levels_.back().size() > fan_out)
            levels_.emplace_back((levels_.back().size() + fan_out - 1) / fan_out);

        // Who looks at an element: the first that has it.
        vertex_owner_.assign(mesh_.num_vertices(), -1);
        edge_owner_.assign(mesh_.num_edges(), -1);
        const auto own = [](int& owner, int whole) { owner = owner < 0 ? whole : owner; };
        for (int w = 0; w < static_cast<int>(wholes_.size()); ++w) {
            for_each_vertex(wholes_[w], [&](int v) { own(vertex_owner_[v], w); });
            if (wholes_[w].kind == ElementKind::edge)
                own(edge_owner_[wholes_[w].index], w);
            if (wholes_[w].kind == ElementKind::face)
                for (int k = 0; k < 3; ++k)
                    own(edge_owner_[mesh_.faces_to_edges()(wholes_[w].index, k)], w);
        }
        meets_edges_.assign(mesh_.num_vertices(), is_plane ? 1 : 0);
        if (!is_plane)
            for (const int v : mesh_.edge_partners())
                meets_edges_[v] = 1;
    }

    void set_motions()
    {
        parallel_for(wholes_.size(), vertices_per_task, [&](std::size_t k) {
            Bunch& bunch = levels_[0][k];
            bunch.motion = {};
            bunch.is_changed = has_changed(wholes_[k]);
            for_each_vertex(wholes_[k], [&](int v) { bunch.motion.extend({move(v), move(v)}); });
        });
        for (std::size_t level = 1; level < levels_.size(); ++level) {
            std::fill(levels_[level].begin(), levels_[level].end(), Bunch{});
            for (std::size_t k = 0; k < levels_[level - 1].size(); ++k)
                levels_[level][k / fan_out].extend(levels_[level - 1][k]);
        }
    }

    [[nodiscard]] bool has_changed(const Whole& whole) const
    {
        bool any = false;
        for_each_vertex(whole, [&](int v) { any = any || is_changed_[v] != 0; });
        return any;
    }

    /// Do all pairs between two bunches that are farther apart than the range stay apart? Pairs that are not are known.
    [[nodiscard]] bool are_apart(const Bunch& a, const Bunch& b) const
    {
        const Vec3 against = (a.motion.hi - b.motion.lo).cwiseAbs().cwiseMax((b.motion.hi - a.motion.lo).cwiseAbs());
        if (against.isZero(0) || (room_ > 0 && against.squaredNorm() * (1 + 1e-9) < room_ * room_))
            return true;
        // An axis that separates them at the start and at the end does all the way.
        const double needed = options_.dmin + options_.clearance + rounding_;
        const auto separates = [&](const Bunch& above, const Bunch& below, int axis) {
            const double start = above.place.lo[axis] - below.place.hi[axis];
            const double end = start + above.motion.lo[axis] - below.motion.hi[axis];
            return start > needed && end > needed;
        };
        for (int axis = 0; axis < 3; ++axis)
            if (separates(a, b, axis) || separates(b, a, axis))
                return true;
        return false;
    }

    void visit(int level, int a, int b)
    {
        const Bunch &one = levels_[level][a], &other = levels_[level][b];
        if (is_over_ || (!one.is_changed && !other.is_changed) || are_apart(one, other))
            return;
        if (level == 0) {
            found_.push_back({a, b});
            is_over_ = static_cast<std::int64_t>(found_.size()) > options_.max_pairs;
            return;
        }
        const int count = static_cast<int>(levels_[level - 1].size());
        const int a_end = std::min(count, (a + 1) * fan_out), b_end = std::min(count, (b + 1) * fan_out);
        for (int i = a * fan_out; i < a_end; ++i)
            for (int j = a == b ? i : b * fan_out; j < b_end; ++j)
                visit(level - 1, i, j);
    }

    void look_at_wholes(const Whole& a, const Whole& b)
    {
        look_at_vertices(a, b);
        if (&a != &b)
            look_at_vertices(b, a);
        if (mesh_.dim() == 3)
            for_each_edge(a, [&](int e) { for_each_edge(b, [&](int f) { look_at_far(PairKind::edge_edge, e, f); }); });
    }

    /// Edges that belong to it.
    template <typename Visit>
    void for_each_edge(const Whole& whole, Visit&& visit) const
    {
        const auto number = static_cast<int>(&whole - wholes_.data());
        if (whole.kind == ElementKind::edge)
            visit(whole.index);
        if (whole.kind == ElementKind::face)
            for (int k = 0; k < 3; ++k)
                if (const int e = mesh_.faces_to_edges()(whole.index, k); edge_owner_[e] == number)
                    visit(e);
    }

    /// The vertices that belong to one, against the other.
    void look_at_vertices(const Whole& one, const Whole& other)
    {
        const auto number = static_cast<int>(&one - wholes_.data());
        for_each_vertex(one, [&](int v) {
            if (vertex_owner_[v] != number)
                return;
            if (other.kind == ElementKind::face)
                look_at_far(PairKind::face_vertex, other.index, v);
            else if (other.kind == ElementKind::edge && meets_edges_[v] != 0)
                look_at_far(PairKind::edge_vertex, other.index, v);
            else if (other.kind == ElementKind::vertex && one.kind == ElementKind::vertex && v < other.index)
                look_at_far(PairKind::vertex_vertex, v, other.index);
        });
    }

    void look_at_far(PairKind kind, int i, int j)
    {
        const bool may_meet = kind == PairKind::face_vertex   ? rules_.face_vertex(i, j)
                              : kind == PairKind::edge_vertex ? rules_.edge_vertex(i, j)
                              : kind == PairKind::edge_edge   ? rules_.edge_edge(i, j)
                                                              : rules_.vertex_vertex(i, j);
        if (!may_meet)
            return;
        const double approach = approach_of(kind, i, j);
        if (approach == 0 || approach * (1 + 1e-9) < room_)
            return;
        look_at_pair(kind, i, j);
    }

    void look_at_pair(PairKind kind, int i, int j)
    {
        if (const double share = pair_share(motion_, mesh_, kind, i, j, options_.dmin, kept_); share < 1)
            stop(kind, i, j, share);
    }

    /// By how much two elements come closer at most: points of them move against each other by no more than some two
    /// of their vertices.
    [[nodiscard]] double approach_of(PairKind kind, int i, int j) const
    {
        double squared = 0;
        for_each_vertex(first_of(kind, i), [&](int v) {
            for_each_vertex(
                second_of(kind, j), [&](int w) { squared = std::max(squared, (move(v) - move(w)).squaredNorm()); });
        });
        return std::sqrt(squared);
    }

    static Whole first_of(PairKind kind, int i) { return {element_kinds(kind)[0], i}; }
    static Whole second_of(PairKind kind, int j) { return {element_kinds(kind)[1], j}; }

    void stop(PairKind kind, int i, int j, double share)
    {
        for (const Whole& element : {first_of(kind, i), second_of(kind, j)})
            for_each_vertex(element, [&](int v) {
                if (!move(v).isZero(0))
                    atomic_min(shares_[v], share);
            });
    }

    const CollisionMesh& mesh_;
    const Detection& detection_;
    const Positions& X0_;
    Positions X1_; // of the way that was looked at last
    MeshMotion motion_;
    VertexStepOptions options_;
    KeptGap kept_;
    PairRules rules_;
    double rounding_ = 0, room_ = 0; // by how much pairs beyond the range may approach
    Positions moves_;
    std::vector<std::uint8_t> is_changed_; // by vertex
    bool is_first_ = true;
    std::vector<Whole> wholes_;
    std::vector<std::vector<Bunch>> levels_; // [0]: of the wholes
    std::vector<int> vertex_owner_, edge_owner_;
    std::vector<std::uint8_t> meets_edges_;
    std::vector<std::array<int, 2>> found_;
    bool is_over_ = false;
    std::vector<double> shares_;
};

VertexSteps::VertexSteps(
    const CollisionMesh& mesh, const Detection& detection, const Positions& X0, const VertexStepOptions& options)
    : search_(std::make_unique<Search>(mesh, detection, X0, options))
{}
VertexSteps::~VertexSteps() = default;

std::optional<std::vector<double>> VertexSteps::find(const Positions& X1) { return search_->find(X1); }

std::optional<std::vector<double>> find_vertex_steps(
    const CollisionMesh& mesh, const Detection& detection, const Positions& X0, const Positions& X1,
    const VertexStepOptions& options)
{
    return VertexSteps(mesh, detection, X0, options).find(X1);
}

} // namespace abut
