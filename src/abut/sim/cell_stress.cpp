#include "abut/sim/cell_stress.hpp"

#include "abut/base/assert.hpp"
#include "abut/sim/energy_kinds.hpp"
#include "abut/sim/plastic_history.hpp"

namespace abut {

namespace {

std::vector<ElementStress> shell_stresses(const SceneObject& object, const ConstPositions& x)
{
    const MeshData& mesh = object.mesh;
    if (object.is_woven())
        return membrane_stresses(
            mesh.vertices,
            WovenElasticity(
                mesh.vertices, mesh.faces, {{woven_moduli(object)}, {object.thickness}, {object.weave.warp_direction}}),
            x);
    const LameParameters lame = plane_stress_lame_parameters({object.youngs_modulus, object.poisson_ratio});
    return membrane_stresses(
        mesh.vertices,
        MembraneElasticity(mesh.vertices, mesh.faces, {object.model.value(), {lame}, {object.thickness}}), x);
}

/// What a limit to the stretch adds to the stress.
void add_limit_stresses(const SceneObject& object, const ConstPositions& x, std::vector<ElementStress>& stresses)
{
    const StrainLimit limit(object.mesh.vertices, object.mesh.faces, {{stretch_limit(object)}, {object.thickness}});
    if (limit.first_beyond(x))
        return; // results of another scene: the barrier is not what holds them
    const std::vector<ElementStress> added = membrane_stresses(object.mesh.vertices, limit, x);
    for (std::size_t k = 0; k < stresses.size(); ++k)
        stresses[k].cauchy += added[k].cauchy;
}

/// Of the elements that make the object elastic.
std::vector<ElementStress>
object_stresses(const SceneObject& object, const ConstPositions& x, const double* plastic_deformation)
{
    const MeshData& mesh = object.mesh;
    const IsotropicModuli moduli{object.youngs_modulus, object.poisson_ratio};
    switch (object.kind) {
    case ObjectKind::solid:
        return solid_stresses(
            mesh.vertices, mesh.tets, {object.model.value(), lame_parameters(moduli), plastic_deformation}, x);
    case ObjectKind::planar:
        return solid_stresses(
            mesh.vertices, mesh.faces, {object.model.value(), lame_parameters(moduli), plastic_deformation}, x);
    case ObjectKind::shell: {
        std::vector<ElementStress> stresses = shell_stresses(object, x);
        if (object.strain_limit)
            add_limit_stresses(object, x, stresses);
        return stresses;
    }
    case ObjectKind::rod: // forces and moments, and no stress of an element
    case ObjectKind::points:
    case ObjectKind::obstacle:
        return {};
    }
    return {};
}

/// Appends them, or as many that are not there.
void append(std::vector<ElementStress>& all, const std::vector<ElementStress>& own, Eigen::Index count)
{
    if (own.empty())
        all.resize(all.size() + static_cast<std::size_t>(count));
    else
        all.insert(all.end(), own.begin(), own.end());
}

} // namespace

CellStresses cell_stresses(const Model& model, const ConstPositions& x, const History& history)
{
    ABUT_ASSERT(x.rows() == model.num_vertices() && x.cols() == model.dim());
    CellStresses all;
    const std::vector<double>* plastic = history.find(names_of_solids.deformation);
    Eigen::Index num_plastic = 0; // numbers of objects before
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        const int begin = model.object_starts[k];
        const bool is_solid = object.kind == ObjectKind::solid;
        const double* flowed = nullptr;
        if (plastic != nullptr && object.plasticity && (is_solid || object.kind == ObjectKind::planar)) {
            const Eigen::Index size = is_solid ? 9 * object.mesh.tets.rows() : 4 * object.mesh.faces.rows();
            if (num_plastic + size <= std::ssize(*plastic)) // else results of another scene
                flowed = plastic->data() + num_plastic;
            num_plastic += size;
        }
        const std::vector<ElementStress> own =
            object_stresses(object, x.middleRows(begin, model.object_starts[k + 1] - begin), flowed);
        append(all.tets, is_solid ? own : std::vector<ElementStress>(), object.mesh.tets.rows());
        append(all.faces, is_solid ? std::vector<ElementStress>() : own, object.mesh.faces.rows());
    }
    return all;
}

} // namespace abut
