#include "abut/contact/gcp/smooth_contact_potential.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/gcp/pair_energy.hpp"
#include "abut/contact/gcp/split_stencil.hpp"
#include "abut/contact/gcp/stencil_projection.hpp"

namespace abut {

SmoothContactPotential::SmoothContactPotential(SmoothContactParameters params, double stiffness)
    : params_(std::move(params))
{
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
template <int Dim>
class Evaluation {
public:
    using Vector = Vec<Dim>;

    Evaluation(
        const SmoothContactPotential& potential, const SmoothCollisions& collisions, const CollisionMesh& mesh,
        const ConstPositions& X)
        : params_(potential.parameters()), stiffness_(potential.stiffness()), collisions_(collisions), mesh_(mesh),
          X_(X), is_toolkit_(params_.variant == SmoothContactVariant::toolkit)
    {}

    void run(const TermOutput& out) const
    {
        const PSDProjectionMethod projection = projection_of(out.hessian);
        for_each_pair([&](std::size_t k, const gcp::PairInput& pair, Scratch& scratch) {
            const auto stencil = collisions_.stencils()[k];
            const int n = static_cast<int>(stencil.size());
            gcp::PairEnergy<Dim>& energy = scratch.energy;
            energy.evaluate(pair, points(stencil), n, out.order());
            check(energy.psi.energy, k);
            if (out.values != nullptr)
                out.values[k] = energy.psi.energy;
            if (out.gradients != nullptr)
                write_gradient(energy.psi, n, out.gradients + collisions_.stencils().offset(k) * Dim);
            if (out.blocks != nullptr) {
                double* const blocks = out.blocks + collisions_.stencils().block_offset(k) * Dim * Dim;
                write_blocks(energy.psi, n, blocks);
                if (projection != PSDProjectionMethod::none && !(is_toolkit_ && project_split(k, pair, scratch, out)))
                    scratch.projection.project(blocks, n, projection, pair.kind != PairKind::plane_vertex);
            }
        });
    }

    void normal_forces(Eigen::VectorXd& forces) const
    {
        for_each_pair([&](std::size_t k, const gcp::PairInput& pair, Scratch& scratch) {
            const auto stencil = collisions_.stencils()[k];
            const int n = static_cast<int>(stencil.size());
            gcp::PairEnergy<Dim>& energy = scratch.energy;
            energy.evaluate(pair, points(stencil), n, Order::gradient, is_toolkit_);
            check(energy.psi.energy, k);
            if (energy.psi.is_zero())
                forces[k] = 0;
            else if (is_toolkit_) {
                double squares = 0;
                for (int i = 0; i < n; ++i)
                    squares += energy.psi.gradient(i).squaredNorm();
                forces[k] = energy.psi.energy * std::sqrt(squares);
            } else {
                // Of moving the second element as a whole: its own vectors do not change, d and the mollifiers do.
                const Vector d = gcp::difference_of<Dim>(pair.kind, points(stencil), pair.plane).value.normalized();
                const double slope = (energy.psi.by_d() + energy.mollifier_on_second).dot(d);
                forces[k] = std::max(0.0, -energy.psi.energy * slope);
            }
        });
    }

private:
    struct Scratch {
        gcp::PairEnergy<Dim> energy;
        gcp::StencilProjection<Dim> projection;
        gcp::SplitStencil<Dim> split;
        std::vector<int> rings[2];
    };

    template <typename Visit>
    void for_each_pair(Visit&& visit) const
    {
        parallel_ranges(collisions_.size(), 256, [&](std::size_t begin, std::size_t end) {
            Scratch scratch{gcp::PairEnergy<Dim>(params_, Dim), {}, {}, {}};
            for (std::size_t k = begin; k < end; ++k) {
                const SmoothCollision c = collisions_[k];
                gcp::PairInput pair{
                    .kind = c.kind,
                    .num_vertices = static_cast<int>(c.vertices.size()),
                    .dhat = c.dhat,
                    .scale = stiffness_ * c.weight,
                    .plane = c.kind == PairKind::plane_vertex ? &mesh_.planes()[c.elements[0]] : nullptr,
                    .tests = collisions_.tests(k),
                    .rings = {}};
                if (is_toolkit_)
                    find_rings(c, scratch, pair);
                visit(k, pair, scratch);
            }
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

    /// The projection of a pair whose elements have vertices in common, as the toolkit does it; false for others.
    bool project_split(std::size_t k, gcp::PairInput pair, Scratch& scratch, const TermOutput& out) const
    {
        const auto stencil = collisions_.stencils()[k];
        if (!scratch.split.split(pair, stencil))
            return false;
        const std::span<const int> vertices = scratch.split.vertices();
        const int n = static_cast<int>(vertices.size());
        scratch.energy.evaluate(pair, points(vertices), n, Order::hessian);
        double* const blocks = scratch.split.blocks();
        write_blocks(scratch.energy.psi, n, blocks);
        scratch.projection.project(blocks, n, projection_of(out.hessian));
        scratch.split.merge_into(
            out.blocks + collisions_.stencils().block_offset(k) * Dim * Dim, static_cast<int>(stencil.size()));
        return true;
    }

    void check(double energy, std::size_t k) const
    {
        if (std::isfinite(energy))
            return;
        const SmoothCollision c = collisions_[k];
        const auto& kinds = element_kinds(c.kind);
        throw InvalidStart(fmt::format(
            "vertices: {} {} and {} {} touch, and no barrier has a value there; move them apart", to_string(kinds[0]),
            c.elements[0], to_string(kinds[1]), c.elements[1]));
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
    bool is_toolkit_;
};

template <typename Visit>
void with_evaluation(
    const SmoothContactPotential& potential, const SmoothCollisions& collisions, const CollisionMesh& mesh,
    const ConstPositions& X, Visit&& visit)
{
    collisions.validate(mesh, X);
    collisions.require_parameters(potential.parameters(), mesh.dim());
    if (mesh.dim() == 2)
        visit(Evaluation<2>(potential, collisions, mesh, X));
    else
        visit(Evaluation<3>(potential, collisions, mesh, X));
}

} // namespace

void SmoothContactPotential::evaluate(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X, const TermOutput& out) const
{
    with_evaluation(*this, collisions, mesh, X, [&](const auto& evaluation) { evaluation.run(out); });
}

double SmoothContactPotential::operator()(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    const Eigen::VectorXd each = energies(collisions, mesh, X);
    double sum = 0;
    for (const double energy : each)
        sum += energy;
    return sum;
}

Eigen::VectorXd SmoothContactPotential::energies(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    Eigen::VectorXd values(collisions.size());
    evaluate(collisions, mesh, X, {.values = values.data()});
    return values;
}

Eigen::VectorXd SmoothContactPotential::gradient(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    return gradient_of_terms(collisions.stencils(), mesh.num_vertices(), mesh.dim(), [&](const TermOutput& out) {
        evaluate(collisions, mesh, X, out);
    });
}

void SmoothContactPotential::hessian(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X,
    PSDProjectionMethod project_hessian_to_psd, HessianCache& cache) const
{
    collisions.validate(mesh, X);
    cache.assemble(
        mesh.num_vertices(), mesh.dim(), collisions.stencils(), hessian_form_of(project_hessian_to_psd),
        [&](const TermOutput& out) { evaluate(collisions, mesh, X, out); });
}

Eigen::SparseMatrix<double> SmoothContactPotential::hessian(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X,
    PSDProjectionMethod project_hessian_to_psd) const
{
    HessianCache cache;
    hessian(collisions, mesh, X, project_hessian_to_psd, cache);
    return cache.matrix().to_sparse();
}

Positions SmoothContactPotential::forces(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    Positions local(collisions.stencils().num_entries(), mesh.dim());
    evaluate(collisions, mesh, X, {.gradients = local.data()});
    return -local;
}

Eigen::VectorXd SmoothContactPotential::normal_forces(
    const SmoothCollisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
{
    Eigen::VectorXd forces(collisions.size());
    with_evaluation(*this, collisions, mesh, X, [&](const auto& evaluation) { evaluation.normal_forces(forces); });
    return forces;
}

} // namespace abut
