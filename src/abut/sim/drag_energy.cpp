#include "abut/sim/drag_energy.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/mesh/topology.hpp"

#include <algorithm>

namespace abut {

DragEnergy::DragEnergy(const std::vector<Piece>& pieces, const Integrator& integrator) : integrator_(integrator)
{
    for (const Piece& piece : pieces) {
        stencils_.add(piece.corners);
        laws_.push_back(
            {0.5 * piece.drag.density * piece.drag.coefficient * piece.depth, piece.drag.wind, piece.has_two_sides});
    }
    lagged_.resize(laws_.size());
}

void DragEnergy::begin_step(const State& start, double /*dt*/)
{
    origin_ = integrator_.rest_point().topRows(start.x.rows());
    time_ = integrator_.velocity_time();
    for (std::size_t k = 0; k < laws_.size(); ++k) {
        const std::span<const int> v = stencils_[k];
        const Vec3 along = lifted(start.x, v[1]) - lifted(start.x, v[0]);
        // Twice the area of a triangle, or the length of an edge, along the normal
        const Vec3 across =
            v.size() == 3 ? along.cross(lifted(start.x, v[2]) - lifted(start.x, v[0])) : Vec3(along.y(), -along.x(), 0);
        const double size = across.norm(), area = v.size() == 3 ? size / 2 : size;
        // Of a triangle without an area the normal is none, and so is the force.
        const Vec3 normal = size > 0 ? Vec3(across / size) : Vec3::Zero();
        lagged_[k] = {normal, laws_[k].coefficient * area, normal.dot(laws_[k].wind)};
    }
}

void DragEnergy::evaluate(const Unknowns& x, const TermOutput& out) const
{
    constexpr std::size_t pieces_per_task = 512;
    ABUT_ASSERT(origin_.rows() == x.layout().num_vertices());
    parallel_for(laws_.size(), pieces_per_task, [&](std::size_t k) {
        if (x.layout().dim() == 2)
            evaluate_piece<2>(x.vertices(), out, k);
        else
            evaluate_piece<3>(x.vertices(), out, k);
    });
}

/// Terms have Dim corners.
template <int Dim>
void DragEnergy::evaluate_piece(const ConstPositions& x, const TermOutput& out, std::size_t k) const
{
    const std::span<const int> v = stencils_[k];
    const auto& [normal, weight, still] = lagged_[k];
    const Vec<Dim> n = normal.head<Dim>();
    Vec<Dim> moved = Vec<Dim>::Zero();
    for (const int vertex : v)
        moved += point<Dim>(x, vertex) - point<Dim>(origin_, vertex);
    double u = n.dot(moved) / (Dim * time_) - still;
    if (!laws_[k].has_two_sides)
        u = std::max(u, 0.0);
    const double speed = std::abs(u);
    if (out.values != nullptr)
        out.values[k] = time_ * weight / 3 * speed * speed * speed;
    if (out.gradients != nullptr)
        for (int i = 0; i < Dim; ++i)
            Eigen::Map<Vec<Dim>>{out.gradients + (Dim * k + i)* Dim} = weight * speed * u / Dim * n;
    if (out.blocks != nullptr) {
        const Mat<Dim, Dim> block = 2 * weight * speed / (Dim * Dim * time_) * n * n.transpose();
        constexpr int num_blocks = Dim * (Dim + 1) / 2;
        for (int b = 0; b < num_blocks; ++b)
            Eigen::Map<Mat<Dim, Dim>>{out.blocks + (num_blocks * k + b)* Dim* Dim} = block;
    }
}

std::vector<std::unique_ptr<Energy>> make_drag_energies(const Model& model, const Integrator& integrator)
{
    std::vector<DragEnergy::Piece> pieces;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        if (!object.drag)
            continue;
        const SceneDrag& drag = *object.drag;
        if (!(drag.coefficient >= 0 && std::isfinite(drag.coefficient)))
            reject(
                "{}: {} is not a finite number >= 0; air that pushes along would make motion grow",
                field_of_object(k, "drag.coefficient"), drag.coefficient);
        require_positive(drag.density, field_of_object(k, "drag.density"));
        if (!drag.wind.allFinite())
            reject("{}: not all of its numbers are finite", field_of_object(k, "drag.wind"));
        const auto add = [&](const auto& elements, double depth, bool has_two_sides) {
            for (Eigen::Index e = 0; e < elements.rows(); ++e) {
                std::vector<int> corners;
                for (Eigen::Index c = 0; c < elements.cols(); ++c)
                    corners.push_back(elements(e, c) + model.object_starts[k]);
                pieces.push_back({std::move(corners), drag, depth, has_two_sides});
            }
        };
        if (object.kind == ObjectKind::solid)
            add(boundary_faces(object.mesh.tets), 1, false);
        else if (object.kind == ObjectKind::shell)
            add(object.mesh.faces, 1, true);
        else if (object.kind == ObjectKind::planar)
            add(boundary_edges(object.mesh.faces), object.thickness, false);
        else
            reject(
                "{}: only solids, shells and planar bodies have a surface; leave it out", field_of_object(k, "drag"));
    }
    std::vector<std::unique_ptr<Energy>> energies;
    if (!pieces.empty())
        energies.push_back(std::make_unique<DragEnergy>(pieces, integrator));
    return energies;
}

} // namespace abut
