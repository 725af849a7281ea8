#pragma once
// What every potential over a set of collisions can be asked for, from one primitive: the energy of each of its terms
// with derivatives. A potential of one's own derives from Potential<its set> and writes evaluate().

#include "abut/linear/hessian_cache.hpp"
#include "abut/mesh/collision_mesh.hpp"

#include <cmath>
#include <limits>

namespace abut {

template <typename Collisions>
class Potential {
public:
    virtual ~Potential() = default;

    /// Writes what is asked for of each term at X, in the layout of collisions.stencils(). X are positions, or, of
    /// potentials of sliding, velocities (#V x dim).
    virtual void evaluate(
        const Collisions& collisions, const CollisionMesh& mesh, const ConstPositions& X,
        const TermOutput& out) const = 0;

    /// The energy at X [J]; infinite where a pair touches: terms of negative weight do not cancel that.
    [[nodiscard]] virtual double
    operator()(const Collisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
    {
        double sum = 0;
        for (const double energy : energies(collisions, mesh, X)) {
            if (std::isinf(energy))
                return std::numeric_limits<double>::infinity();
            sum += energy;
        }
        return sum;
    }

    /// Energy of each term [J].
    [[nodiscard]] Eigen::VectorXd
    energies(const Collisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
    {
        Eigen::VectorXd values(collisions.size());
        evaluate(collisions, mesh, X, {.values = values.data()});
        return values;
    }

    /// The gradient by X, flat by vertex [N]. Throws InvalidStart where a pair touches, as does hessian().
    [[nodiscard]] virtual Eigen::VectorXd
    gradient(const Collisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
    {
        return gradient_of_terms(collisions.stencils(), mesh.num_vertices(), mesh.dim(), [&](const TermOutput& out) {
            evaluate(collisions, mesh, X, out);
        });
    }

    /// The Hessian, both triangles [N/m]. That of each term is projected before they are added.
    [[nodiscard]] Eigen::SparseMatrix<double> hessian(
        const Collisions& collisions, const CollisionMesh& mesh, const ConstPositions& X,
        PSDProjectionMethod project_hessian_to_psd = PSDProjectionMethod::none) const
    {
        HessianCache cache;
        hessian(collisions, mesh, X, project_hessian_to_psd, cache);
        return cache.matrix().to_sparse();
    }

    /// The same into cache.matrix().
    void hessian(
        const Collisions& collisions, const CollisionMesh& mesh, const ConstPositions& X,
        PSDProjectionMethod project_hessian_to_psd, HessianCache& cache) const
    {
        cache.assemble(
            mesh.num_vertices(), mesh.dim(), collisions.stencils(), form_of(project_hessian_to_psd),
            [&](const TermOutput& out) { evaluate(collisions, mesh, X, out); });
    }

    /// Force on each vertex of each stencil, minus the term's gradient [N]: row collisions.stencils().offset(k) + i is
    /// that on vertex i of term k.
    [[nodiscard]] Positions
    forces(const Collisions& collisions, const CollisionMesh& mesh, const ConstPositions& X) const
    {
        Positions local(collisions.stencils().num_entries(), mesh.dim());
        evaluate(collisions, mesh, X, {.gradients = local.data()});
        return -local;
    }

protected:
    /// The form of Hessian that hessian() asks for.
    [[nodiscard]] virtual HessianForm form_of(PSDProjectionMethod projection) const
    {
        return hessian_form_of(projection);
    }
};

} // namespace abut
