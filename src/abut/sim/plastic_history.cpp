#include "abut/sim/plastic_history.hpp"

#include "abut/base/error.hpp"
#include "abut/elastic/hinge_bending.hpp"
#include "abut/sim/rods.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace abut {

namespace {

/// Of F_p of an element, whose flow keeps the volume; in the plane it is the share of the plane.
void check_volume(const double* numbers, std::size_t count, std::size_t element)
{
    if (count == 4) {
        const double determinant = Eigen::Map<const Mat<2, 2>>(numbers).determinant();
        if (!(determinant > 0))
            reject(
                "state: plastic deformation of element {} has the determinant {}, not above 0", element, determinant);
        return;
    }
    const Eigen::Map<const Mat<3, 3>> F(numbers);
    const double determinant = F.determinant(), size = F.norm();
    const double rounding = 1e-12 * size * size * size;
    if (!(std::abs(determinant - 1) <= 1e-6 + rounding))
        reject(
            "state: plastic deformation of element {} has the determinant {}; flow keeps the volume, so that it is 1",
            element, determinant);
}

void check_plastic_state(const PlasticState& state, const PlasticNames& names)
{
    for (std::size_t k = 0; k < state.strain.size(); ++k)
        if (!(state.strain[k] >= 0 && std::isfinite(state.strain[k])))
            reject("state: '{}' number {} is {}, which is no finite strain >= 0", names.strain, k, state.strain[k]);
    for (std::size_t k = 0; k < state.deformation.size(); ++k)
        if (!std::isfinite(state.deformation[k]))
            reject("state: '{}' number {} is {}, which is not finite", names.deformation, k, state.deformation[k]);
    if (std::string_view(names.deformation) != names_of_solids.deformation || state.strain.empty())
        return;
    const std::size_t count = state.deformation.size() / state.strain.size();
    for (std::size_t element = 0; element < state.strain.size(); ++element)
        check_volume(state.deformation.data() + element * count, count, element);
}

} // namespace

PlasticState plastic_state(const History& history, const PlasticNames& names, PlasticState initial)
{
    const std::vector<double>*deformation = history.find(names.deformation), *strain = history.find(names.strain);
    if (deformation == nullptr && strain == nullptr)
        return initial;
    if (deformation == nullptr || strain == nullptr)
        reject(
            "state: has '{}' without '{}'; give both, or none where nothing has flowed yet",
            strain == nullptr ? names.deformation : names.strain, strain == nullptr ? names.strain : names.deformation);
    if (strain->size() != initial.strain.size() || deformation->size() != initial.deformation.size())
        reject(
            "state: plastic strain of {} {}, but the scene has {}", strain->size(), names.elements,
            initial.strain.size());
    PlasticState state{*deformation, *strain};
    check_plastic_state(state, names);
    return state;
}

void save_plastic_state(History& history, const PlasticNames& names, const PlasticState& state)
{
    history.set(names.deformation, state.deformation);
    history.set(names.strain, state.strain);
}

namespace {

/// Takes those of a history one object behind the other; 0 where it has none.
class StrainReader {
public:
    StrainReader(const History& history, const char* name) : values_(history.find(name)) {}
    double next() { return values_ != nullptr && at_ < values_->size() ? (*values_)[at_++] : 0; }

private:
    const std::vector<double>* values_;
    std::size_t at_ = 0;
};

/// Of the faces of a shell, from its hinges, which are in the order of those of all shells that flow.
void add_shell(const SceneObject& object, StrainReader& hinges, double* faces)
{
    const MeshData& mesh = object.mesh;
    std::fill(faces, faces + mesh.faces.rows(), 0.0);
    if (!object.has_bending)
        return;
    const HingeBending bending(mesh.vertices, mesh.faces, {{1.0}});
    std::map<std::pair<int, int>, double> of_edges; // hinges name vertices, and each has two faces
    for (std::size_t k = 0; k < bending.stencils().size(); ++k) {
        const auto v = bending.stencils()[k];
        of_edges[std::minmax(v[0], v[1])] = hinges.next();
    }
    for (Eigen::Index f = 0; f < mesh.faces.rows(); ++f)
        for (int corner = 0; corner < 3; ++corner) {
            const int a = mesh.faces(f, corner), b = mesh.faces(f, (corner + 1) % 3);
            const auto at = of_edges.find(std::pair<int, int>(std::minmax(a, b)));
            if (at != of_edges.end())
                faces[f] = std::max(faces[f], at->second);
        }
}

} // namespace

std::optional<CellPlasticStrain> cell_plastic_strain(const Model& model, const History& history)
{
    const auto& objects = model.scene.objects;
    if (std::none_of(objects.begin(), objects.end(), [](const SceneObject& each) { return each.plasticity; }))
        return std::nullopt;
    CellPlasticStrain all;
    StrainReader elements(history, names_of_solids.strain), hinges(history, names_of_hinges.strain);
    // Of the edges of all rods
    std::vector<double> of_rods(model.rods ? model.rods->objects.size() : 0, 0.0);
    if (model.rods) {
        StrainReader joints(history, names_of_rods.strain);
        for (const RodJoint& joint : model.rods->topology.joints) {
            const double strain = joints.next();
            for (const int e : joint.edges)
                of_rods[e] = std::max(of_rods[e], strain);
        }
    }
    std::size_t rod_edge = 0;
    for (const SceneObject& object : objects) {
        const MeshData& mesh = object.mesh;
        const bool flows = object.plasticity.has_value();
        const auto num_faces = static_cast<std::size_t>(mesh.faces.rows());
        for (Eigen::Index t = 0; t < mesh.tets.rows(); ++t)
            all.tets.push_back(flows && object.kind == ObjectKind::solid ? elements.next() : NAN);
        all.faces.resize(all.faces.size() + num_faces, NAN);
        double* faces = all.faces.data() + all.faces.size() - num_faces;
        if (flows && object.kind == ObjectKind::planar)
            std::generate(faces, faces + num_faces, [&] { return elements.next(); });
        if (flows && object.kind == ObjectKind::shell)
            add_shell(object, hinges, faces);
        for (Eigen::Index e = 0; e < mesh.edges.rows(); ++e)
            if (object.kind == ObjectKind::rod)
                all.edges.push_back(flows ? of_rods[rod_edge++] : (++rod_edge, NAN));
            else
                all.edges.push_back(NAN);
    }
    return all;
}

} // namespace abut
