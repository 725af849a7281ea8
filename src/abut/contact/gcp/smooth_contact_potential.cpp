#include "abut/contact/gcp/smooth_contact_potential.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/gcp/pair_energy.hpp"
#include "abut/contact/gcp/split_stencil.hpp"
#include "abut/contact/gcp/stencil_projection.hpp"
#include "abut/linear/gradient_parts.hpp"

namespace abut {

SmoothContactPotential::SmoothContactPotential(SmoothContactParameters params, double stiffness)
    : params_(std::move(params))
{
    params_.validate();
    set_stiffness(stiffness);
}

void SmoothContactPotential::set_stiffness(double stiffness)
{
    if (!(stiffness > 0 && std::isfinite(stiffness)))
        reject("stiffness: {} is not positive and finite", stiffness);
    stiffness_ = stiffness;
}

namespace {

/// Goes through the pairs of a set, and writes what is asked for of each to its own place.
template <typename Variant, int Dim>
class Evaluation {
public:
    using Vector = Vec<Dim>;

    Evaluation(
        const SmoothContactPotential& potential, const SmoothCollisions& collisions, const CollisionMesh& mesh,
        const ConstPositions& X)
        : params_(potential.parameters()), stiffness_(potential.stiffness()), collisions_(collisions), mesh_(mesh),
          X_(X)
    {}

    void run(const TermOutput& out) const
    {
        const bool projects = out.blocks != nullptr && projection_of(out.hessian) != PSDProjectionMethod::none;
        const auto run_pair = [&](std::size_t k, const gcp::PairInput& pair, Scratch& scratch) {
            const bool is_split = projects && Variant::projects_split_stencils && evaluate_split(k, pair, scratch);
            if (is_split && out.values == nullptr && out.gradients == nullptr)
                return;
            const auto stencil = collisions_.stencils()[k];
            const int n = static_cast<int>(stencil.size());
            gcp::PairEnergy<Variant, Dim>& energy = scratch.energy;
            energy.evaluate(pair, points(stencil), n, is_split ? Order::gradient : out.order());
            check(energy.psi.energy, k);
            if (out.values != nullptr)
                out.values[k] = energy.psi.energy;
            if (out.gradients != nullptr)
                write_gradient(energy.psi, n, out.gradients + collisions_.stencils().offset(k) * Dim);
            if (out.blocks != nullptr && !is_split) {
                double* const blocks = blocks_of(k, out);
                write_blocks(energy.psi, n, blocks);
                if (projects && !energy.psi.is_zero())
                    scratch.projection.add(blocks, n, pair.kind != PairKind::plane_vertex);
            }
        };
        for_each_pair(run_pair, [&](Scratch& scratch) {
            if (!projects)
                return;
            scratch.projection.run(projection_of(out.hessian));
            for (std::size_t s = 0; s < scratch.num_splits; ++s) {
                const auto& [k, stencil] = scratch.splits[s];
                stencil.merge_into(blocks_of(k, out), static_cast<int>(collisions_.stencils()[k].size()));
            }
        });
    }

    /// Adds the gradients of all pairs up where they are evaluated.
    [[nodiscard]] Eigen::VectorXd sum_gradients(GradientParts& parts) const
    {
        parallel_for(parts.size(), 1, [&](std::size_t part) {
            double* rows = parts.cleared_rows(part);
            const auto border = [&](std::size_t p) { return collisions_.size() * p / parts.size(); };
            Scratch scratch{gcp::PairEnergy<Variant, Dim>(params_)};
            const auto add_pair = [&](std::size_t k, const gcp::PairInput& pair, Scratch&) {
                const auto stencil = collisions_.stencils()[k];
                gcp::LogEnergy<Dim>& psi = scratch.energy.psi;
                scratch.energy.evaluate(pair, points(stencil), static_cast<int>(stencil.size()), Order::gradient);
                check(psi.energy, k);
                if (psi.is_zero())
                    return;
                for (std::size_t i = 0; i < stencil.size(); ++i)
                    for (int a = 0; a < Dim; ++a)
                        rows[4 * static_cast<std::size_t>(stencil[i]) + a] +=
                            psi.energy * psi.gradient(static_cast<int>(i))[a];
            };
            for_each_pair(border(part), border(part + 1), scratch, add_pair);
        });
        return parts.sum(Dim);
    }

    void normal_forces(Eigen::VectorXd& forces) const
    {
        for_each_pair(
            [&](std::size_t k, const gcp::PairInput& pair, Scratch& scratch) {
                const auto stencil = collisions_.stencils()[k];
                const int n = static_cast<int>(stencil.size());
                gcp::PairEnergy<Variant, Dim>& energy = scratch.energy;
                energy.evaluate(pair, points(stencil), n, Order::gradient, Variant::has_whole_gradient_as_force);
                check(energy.psi.energy, k);
                if (energy.psi.is_zero())
                    forces[k] = 0;
                else if (Variant::has_whole_gradient_as_force) {
                    double squares = 0;
                    for (int i = 0; i < n; ++i)
                        squares += energy.psi.gradient(i).squaredNorm();
                    forces[k] = energy.psi.energy * std::sqrt(squares);
                } else {
                    // Of moving the first element as a whole: its own vectors do not change, r and the mollifiers do.
                    const Vector r = gcp::closest_vector<Dim>(pair.kind, points(stencil), pair.plane).normalized();
                    const double slope = (energy.psi.by_r() + energy.mollifiers_by_first).dot(r);
                    forces[k] = std::max(0.0, -energy.psi.energy * slope);
                }
            },
            [](Scratch&) {});
    }

private:
    /// A pair whose Hessian is projected on the stencil of its elements each for itself.
    struct SplitPair {
        std::size_t number;
        gcp::SplitStencil<Dim> stencil;
    };
    struct Scratch {
        gcp::PairEnergy<Variant, Dim> energy;
        gcp::StencilProjection<Dim> projection{};
        std::vector<SplitPair> splits{};
        std::size_t num_splits = 0; // in use: the others keep their memory
        std::vector<int> rings[2]{};
    };

    /// Calls visit(k, pair, scratch) for the pairs of a range.
    template <typename Visit>
    void for_each_pair(std::size_t begin, std::size_t end, Scratch& scratch, Visit&& visit) const
    {
        for (std::size_t k = begin; k < end; ++k) {
            const SmoothCollision c = collisions_[k];
            gcp::PairInput pair{
                .kind = c.kind,
                .dhat = c.dhat,
                .scale = stiffness_ * c.weight,
                .plane = c.kind == PairKind::plane_vertex ? &mesh_.planes()[c.elements[0]] : nullptr,
                .tests = collisions_.tests(k)};
            if constexpr (!Variant::has_rest_measures)
                find_rings(c, scratch, pair);
            visit(k, pair, scratch);
        }
    }

    /// The same for all pairs; finish(scratch) comes after those of each range.
    template <typename Visit, typename Finish>
    void for_each_pair(Visit&& visit, Finish&& finish) const
    {
        // Long ranges leave fewer lanes of projections idle.
        parallel_ranges(
            collisions_.size(), collisions_.size() < 32768 ? 256 : 1024, [&](std::size_t begin, std::size_t end) {
                Scratch scratch{gcp::PairEnergy<Variant, Dim>(params_)};
                for_each_pair(begin, end, scratch, visit);
                finish(scratch);
            });
    }

    [[nodiscard]] auto points(std::span<const int> stencil) const
    {
        return [this, stencil](int i) { return Vector(point<Dim>(X_, stencil[i])); };
    }

    /// The neighbours of the pair's vertices, by their numbers in its stencil.
    void find_rings(const SmoothCollision& c, Scratch& scratch, gcp::PairInput& pair) const
    {
        const auto& kinds = element_kinds(c.kind);
        for (int side = 0; side < 2; ++side) {
            scratch.rings[side].clear();
            if (kinds[side] != ElementKind::vertex)
                continue;
            const int v = c.elements[side];
            for (const int e : mesh_.vertex_edges(v)) {
                const int other = mesh_.edges()(e, 0) == v ? mesh_.edges()(e, 1) : mesh_.edges()(e, 0);
                const auto at = std::find(c.stencil.begin(), c.stencil.end(), other);
                ABUT_ASSERT(at != c.stencil.end());
                scratch.rings[side].push_back(static_cast<int>(at - c.stencil.begin()));
            }
            pair.rings[side] = scratch.rings[side];
        }
    }

    [[nodiscard]] double* blocks_of(std::size_t k, const TermOutput& out) const
    {
        return out.blocks + collisions_.stencils().block_offset(k) * Dim * Dim;
    }

    /// Notes the Hessian of a pair whose elements have vertices in common, on its split stencil, to be projected and
    /// merged; false for others.
    bool evaluate_split(std::size_t k, gcp::PairInput pair, Scratch& scratch) const
    {
        if (scratch.num_splits == scratch.splits.size())
            scratch.splits.emplace_back();
        auto& [number, split] = scratch.splits[scratch.num_splits];
        if (!split.split(pair, collisions_.stencils()[k]))
            return false;
        number = k;
        ++scratch.num_splits;
        const std::span<const int> vertices = split.vertices();
        const int n = static_cast<int>(vertices.size());
        scratch.energy.evaluate(pair, points(vertices), n, Order::hessian);
        check(scratch.energy.psi.energy, k);
        double* const blocks = split.blocks();
        write_blocks(scratch.energy.psi, n, blocks);
        scratch.projection.add(blocks, n);
        return true;
    }

    void check(double energy, std::size_t k) const
    {
        if (std::isfinite(energy))
            return;
        const SmoothCollision c = collisions_[k];
        throw InvalidStart(touching_message(c.kind, c.elements));
    }

    static void write_gradient(const gcp::LogEnergy<Dim>& psi, int n, double* out)
    {
        Eigen::Map<Mat<Dim, Eigen::Dynamic>> gradients(out, Dim, n);
        gradients.setZero();
        if (!psi.is_zero())
            for (int i = 0; i < n; ++i)
                gradients.col(i) = psi.energy * psi.gradient(i);
    }

    static void write_blocks(const gcp::LogEnergy<Dim>& psi, int n, double* out)
    {
        if (psi.is_zero()) {
            std::fill_n(out, n * (n + 1) / 2 * Dim * Dim, 0.0);
            return;
        }
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j, out += Dim * Dim) {
                const Mat<Dim, Dim> block =
                    psi.energy * (psi.hessian(i, j) + psi.gradient(i) * psi.gradient(j).transpose());
                // Those of a point with itself are symmetric to rounding; here they are to the bit.
                Eigen::Map<Mat<Dim, Dim>>{out} = i == j ? Mat<Dim, Dim>(0.5 * (block + block.transpose())) : block;
            }
    }

    const SmoothContactParameters& params_;
    double stiffness_;
    const SmoothCollisions& collisions_;
    const CollisionMesh& mesh_;
    const ConstPositions& X_;
};

template <typename Visit>
void with_evaluation(
    const SmoothContactPotential& potential, const SmoothCollisions& collisions, const CollisionMesh& mesh,
    const ConstPositions& X, Visit&& visit)
{
    collisions.validate(mesh, X);
    collisions.require_parameters(potential.parameters(), mesh.dim());
    gcp::with_variant(potential.parameters().variant, [&](auto rules) {
        using Variant = decltype(rules);
        if (mesh.dim() == 2)
            visit(Evaluation<Variant, 2>(potential, collisions, mesh, X));
        else
            visit(Evaluation<Variant, 3>(potential, collisions, mesh, X));
    });
}

} // namespace

void SmoothContactPotential::evaluate(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X, const TermOutput& out) const
{
    with_evaluation(*this, collisions, mesh, X, [&](const auto& evaluation) { evaluation.run(out); });
}

Eigen::VectorXd SmoothContactPotential::gradient(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    GradientParts parts(mesh.num_vertices(), collisions.size());
    if (parts.size() < 4) // few pairs for so many vertices: less is written by their own lists
        return Potential::gradient(collisions, mesh, X);
    Eigen::VectorXd gradient;
    with_evaluation(
        *this, collisions, mesh, X, [&](const auto& evaluation) { gradient = evaluation.sum_gradients(parts); });
    return gradient;
}

Eigen::VectorXd SmoothContactPotential::normal_forces(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    Eigen::VectorXd forces(collisions.size());
    with_evaluation(*this, collisions, mesh, X, [&](const auto& evaluation) { evaluation.normal_forces(forces); });
    return forces;
}

} // namespace abut
