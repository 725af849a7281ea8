#include "abut/mesh/collision_mesh.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/geometry/measures.hpp"
#include "abut/mesh/validate.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace abut {

namespace {

void validate_per_vertex(std::size_t size, Eigen::Index num_vertices, const char* name)
{
    if (size != 0 && static_cast<Eigen::Index>(size) != num_vertices)
        reject("{}: {} entries for {} vertices; give one per vertex, or none", name, size, num_vertices);
}

void validate_input(
    const ConstPositions& vertices, const ConstElements& edges, const ConstElements& faces,
    const CollisionMeshOptions& options)
{
    validate_positions(vertices, "vertices");
    validate_elements(edges, 2, vertices.rows(), "edges");
    validate_elements(faces, 3, vertices.rows(), "faces");
    if (vertices.cols() == 2 && faces.rows() > 0)
        reject(
            "faces: a mesh in the plane collides by its edges, so it has none (got {}); pass boundary_edges(faces) as "
            "edges",
            faces.rows());
    if (vertices.rows() > 1 && (vertices.rowwise() - vertices.row(0)).isZero(0))
        reject("vertices: all {} vertices coincide; check how they were read or scaled", vertices.rows());
    validate_per_vertex(options.body_ids.size(), vertices.rows(), "body_ids");
    validate_per_vertex(options.material_ids.size(), vertices.rows(), "material_ids");
    options.filter.validate(static_cast<int>(vertices.rows()));
    const auto& map = options.displacement_map;
    if (map.rows() == 0 && map.cols() == 0)
        return;
    if (map.rows() != vertices.rows() || map.cols() == 0)
        reject(
            "displacement_map: shape ({}, {}) for {} vertices; give one row per vertex and one column per node",
            map.rows(), map.cols(), vertices.rows());
    if (map.cols() > std::numeric_limits<int>::max() / 3)
        throw LimitReached(fmt::format(
            "displacement_map: {} columns exceed the limit of {}", map.cols(), std::numeric_limits<int>::max() / 3));
}

template <typename Fixed>
Fixed as_fixed(const ConstElements& elements)
{
    return elements.rows() == 0 ? Fixed(0, Fixed::ColsAtCompileTime) : Fixed(elements);
}

std::vector<int> selected(const std::vector<int>& values, std::span<const int> rows)
{
    std::vector<int> result;
    if (!values.empty())
        for (const int row : rows)
            result.push_back(values[row]);
    return result;
}

} // namespace

CollisionMesh::CollisionMesh(
    const ConstPositions& rest_positions, const ConstElements& edges, const ConstElements& faces,
    const CollisionMeshOptions& options)
{
    validate_input(rest_positions, edges, faces, options);
    full_num_vertices_ = static_cast<int>(rest_positions.rows());
    if (options.displacement_map.size() != 0) {
        displacement_map_ = options.displacement_map;
        full_num_vertices_ = static_cast<int>(displacement_map_.cols());
    }
    build(rest_positions, as_fixed<Edges>(edges), as_fixed<Faces>(faces), options);
}

CollisionMesh::CollisionMesh(const MeshData& data, const CollisionMeshOptions& options)
{
    if (data.tets.rows() == 0) {
        *this = CollisionMesh(data.vertices, data.edges, data.faces, options);
        return;
    }
    validate_tets(data.vertices, data.tets);
    const Faces surface = boundary_faces(data.tets);
    Faces faces(surface.rows() + data.faces.rows(), 3);
    faces << surface, data.faces;
    *this = build_from_full_mesh(data.vertices, data.edges, faces, options);
}

CollisionMesh CollisionMesh::build_from_full_mesh(
    const ConstPositions& full_rest_positions, const ConstElements& edges, const ConstElements& faces,
    const CollisionMeshOptions& options)
{
    validate_positions(full_rest_positions, "vertices");
    validate_elements(edges, 2, full_rest_positions.rows(), "edges");
    validate_elements(faces, 3, full_rest_positions.rows(), "faces");
    std::vector<bool> include(full_rest_positions.rows(), false);
    for (const auto* elements : {&edges, &faces})
        for (Eigen::Index row = 0; row < elements->rows(); ++row)
            for (Eigen::Index corner = 0; corner < elements->cols(); ++corner)
                include[(*elements)(row, corner)] = true;
    return build_from_selection(full_rest_positions, include, edges, faces, options);
}

CollisionMesh CollisionMesh::build_from_selection(
    const ConstPositions& full_rest_positions, const std::vector<bool>& include_vertex, const ConstElements& edges,
    const ConstElements& faces, const CollisionMeshOptions& options)
{
    validate_input(full_rest_positions, edges, faces, options);
    if (static_cast<Eigen::Index>(include_vertex.size()) != full_rest_positions.rows())
        reject(
            "include_vertex: {} flags for {} vertices; give one per vertex", include_vertex.size(),
            full_rest_positions.rows());

    std::vector<int> kept, new_index(include_vertex.size(), -1);
    for (std::size_t v = 0; v < include_vertex.size(); ++v)
        if (include_vertex[v]) {
            new_index[v] = static_cast<int>(kept.size());
            kept.push_back(static_cast<int>(v));
        }
    if (kept.empty())
        reject("include_vertex: no vertex is selected");
    const auto renumber = [&](auto elements, const char* name) {
        for (Eigen::Index row = 0; row < elements.rows(); ++row)
            for (Eigen::Index corner = 0; corner < elements.cols(); ++corner) {
                int& index = elements(row, corner);
                if (new_index[index] < 0)
                    reject("{}: row {} uses vertex {}, which is not selected", name, row, index);
                index = new_index[index];
            }
        return elements;
    };

    CollisionMesh mesh;
    mesh.full_num_vertices_ = static_cast<int>(full_rest_positions.rows());
    if (options.displacement_map.size() != 0) {
        mesh.full_num_vertices_ = static_cast<int>(options.displacement_map.cols());
        Eigen::SparseMatrix<double, Eigen::RowMajor> selection(
            static_cast<Eigen::Index>(kept.size()), options.displacement_map.rows());
        selection.reserve(Eigen::VectorXi::Ones(selection.rows()));
        for (std::size_t i = 0; i < kept.size(); ++i)
            selection.insert(static_cast<Eigen::Index>(i), kept[i]) = 1;
        mesh.displacement_map_ = selection * options.displacement_map;
    }
    mesh.full_vertex_ids_ = kept;
    Positions rest_positions(static_cast<Eigen::Index>(kept.size()), full_rest_positions.cols());
    for (std::size_t i = 0; i < kept.size(); ++i)
        rest_positions.row(static_cast<Eigen::Index>(i)) = full_rest_positions.row(kept[i]);
    CollisionMeshOptions kept_options;
    kept_options.body_ids = selected(options.body_ids, kept);
    kept_options.material_ids = selected(options.material_ids, kept);
    kept_options.filter = options.filter.renumbered(kept);
    kept_options.planes = options.planes;
    kept_options.use_curve_vertices = options.use_curve_vertices;
    mesh.build(
        std::move(rest_positions), renumber(as_fixed<Edges>(edges), "edges"), renumber(as_fixed<Faces>(faces), "faces"),
        kept_options);
    return mesh;
}

void CollisionMesh::build(
    Positions rest_positions, const Edges& edges, Faces faces, const CollisionMeshOptions& options)
{
    rest_positions_ = std::move(rest_positions);
    for (std::size_t i = 0; i < options.planes.size(); ++i)
        planes_.push_back(normalized(options.planes[i], dim(), fmt::format("planes[{}]", i)));
    faces_ = std::move(faces);
    topology_ = build_edge_topology(edges, faces_, num_vertices());
    vertex_edges_ = rows_by_corner(topology_.edges, num_vertices());
    vertex_faces_ = rows_by_corner(faces_, num_vertices());
    one_rings_ = OneRings(faces_, vertex_faces_);
    components_ = find_components(topology_, faces_, vertex_edges_, dim());
    find_boundary_and_codim(options.use_curve_vertices);
    compute_rest_areas();
    body_ids_ = options.body_ids.empty() ? components_.vertex_component : options.body_ids;
    material_ids_ = options.material_ids.empty() ? std::vector<int>(num_vertices(), 0) : options.material_ids;
    filter_ = options.filter;
    [[maybe_unused]] const auto n = static_cast<std::size_t>(num_vertices());
    ABUT_ASSERT(vertex_edges_.size() == n && vertex_faces_.size() == n);
    ABUT_ASSERT(body_ids_.size() == n && material_ids_.size() == n);
    ABUT_ASSERT(full_vertex_ids_.empty() || full_vertex_ids_.size() == n);
    ABUT_ASSERT(displacement_map_.size() == 0 || displacement_map_.rows() == num_vertices());
}

void CollisionMesh::find_boundary_and_codim(bool use_curve_vertices)
{
    is_on_boundary_.assign(num_vertices(), 0);
    for (int v = 0; v < num_vertices(); ++v) {
        if (vertex_edges_[v].empty())
            codim_vertices_.push_back(v);
        is_on_boundary_[v] = vertex_edges_[v].size() == 1;
    }
    for (int e = 0; e < num_edges(); ++e) {
        if (edge_faces(e).empty())
            codim_edges_.push_back(e);
        if (edge_faces(e).size() == 1)
            is_on_boundary_[edges()(e, 0)] = is_on_boundary_[edges()(e, 1)] = 1;
    }
    edge_partners_ = codim_vertices_;
    if (!use_curve_vertices)
        return;
    for (const int e : codim_edges_)
        edge_partners_.insert(edge_partners_.end(), {edges()(e, 0), edges()(e, 1)});
    std::sort(edge_partners_.begin(), edge_partners_.end());
    edge_partners_.erase(std::unique(edge_partners_.begin(), edge_partners_.end()), edge_partners_.end());
}

void CollisionMesh::compute_rest_areas()
{
    Eigen::VectorXd face_areas(num_faces()), edge_lengths(num_edges());
    parallel_for(num_faces(), 4096, [&](std::size_t f) {
        const Vec3 t0 = point<3>(rest_positions_, faces_(f, 0)), t1 = point<3>(rest_positions_, faces_(f, 1));
        const Vec3 t2 = point<3>(rest_positions_, faces_(f, 2));
        face_areas[f] = (t1 - t0).cross(t2 - t0).norm() / 2;
    });
    parallel_for(num_edges(), 4096, [&](std::size_t e) {
        edge_lengths[e] = (rest_positions_.row(edges()(e, 1)) - rest_positions_.row(edges()(e, 0))).norm();
    });
    // Gathered, not scattered, so that each sum has one order.
    const auto sum = [](const Eigen::VectorXd& values, std::span<const int> rows) {
        return std::accumulate(rows.begin(), rows.end(), 0.0, [&](double s, int row) { return s + values[row]; });
    };
    vertex_areas_.resize(num_vertices());
    parallel_for(num_vertices(), 4096, [&](std::size_t v) {
        if (!vertex_faces_[v].empty())
            vertex_areas_[v] = sum(face_areas, vertex_faces_[v]) / 3;
        else if (!vertex_edges_[v].empty())
            vertex_areas_[v] = sum(edge_lengths, vertex_edges_[v]) / 2;
        else
            vertex_areas_[v] = 1;
    });
    edge_areas_.resize(num_edges());
    parallel_for(num_edges(), 4096, [&](std::size_t e) {
        const auto faces = topology_.edge_faces[e];
        edge_areas_[e] = faces.empty() ? edge_lengths[e] : sum(face_areas, faces) / 3;
    });
}

std::span<const int> CollisionMesh::edge_opposites(int edge) const
{
    ABUT_ASSERT(edge >= 0 && edge < num_edges());
    const auto& offsets = topology_.edge_faces.offsets;
    return {
        topology_.edge_opposites.data() + offsets[edge], static_cast<std::size_t>(offsets[edge + 1] - offsets[edge])};
}

CollisionMesh CollisionMesh::with_offsets(ContactOffsets offsets) const
{
    validate_per_vertex(offsets.radii().size(), num_vertices(), "radii");
    if (!offsets.empty())
        for (int e = 0; e < num_edges(); ++e)
            if (const int i = edges()(e, 0), j = edges()(e, 1); offsets.radius(i) != offsets.radius(j))
                reject(
                    "radii: {} m of vertex {} and {} m of vertex {}, which an edge joins; give all vertices of a "
                    "connected piece one radius",
                    offsets.radius(i), i, offsets.radius(j), j);
    CollisionMesh mesh = *this;
    mesh.offsets_ = std::move(offsets);
    return mesh;
}

int CollisionMesh::to_full_vertex_id(int vertex) const
{
    if (vertex < 0 || vertex >= num_vertices())
        reject("vertex: {} is out of range; the vertices are numbered 0 to {}", vertex, num_vertices() - 1);
    if (displacement_map_.size() != 0)
        reject(
            "to_full_vertex_id: this mesh has a displacement map, so its vertices are not vertices of the full mesh");
    return full_vertex_ids_.empty() ? vertex : full_vertex_ids_[vertex];
}

Positions CollisionMesh::vertices(const ConstPositions& full_positions) const
{
    if (displacement_map_.size() != 0)
        reject("vertices: this mesh has a displacement map; use displace_vertices(full_displacements)");
    validate_positions(full_positions, full_num_vertices_, dim(), "full_positions");
    if (full_vertex_ids_.empty())
        return full_positions;
    Positions positions(num_vertices(), dim());
    for (int v = 0; v < num_vertices(); ++v)
        positions.row(v) = full_positions.row(full_vertex_ids_[v]);
    return positions;
}

Positions CollisionMesh::map_displacements(const ConstPositions& full_displacements) const
{
    validate_positions(full_displacements, full_num_vertices_, dim(), "full_displacements");
    if (displacement_map_.size() != 0)
        return displacement_map_ * full_displacements;
    return vertices(full_displacements);
}

Positions CollisionMesh::displace_vertices(const ConstPositions& full_displacements) const
{
    return rest_positions_ + map_displacements(full_displacements);
}

Eigen::VectorXd CollisionMesh::to_full_dof(const Eigen::VectorXd& gradient) const
{
    if (gradient.size() != ndof())
        reject("gradient: expected {} entries (vertices x dim), got {}", ndof(), gradient.size());
    if (displacement_map_.size() == 0 && full_vertex_ids_.empty())
        return gradient;
    const Eigen::Map<const Positions> rows(gradient.data(), num_vertices(), dim());
    Positions full = Positions::Zero(full_num_vertices_, dim());
    if (displacement_map_.size() != 0)
        full = displacement_map_.transpose() * rows;
    else
        for (int v = 0; v < num_vertices(); ++v)
            full.row(full_vertex_ids_[v]) = rows.row(v);
    return Eigen::Map<const Eigen::VectorXd>(full.data(), full.size());
}

Eigen::SparseMatrix<double> CollisionMesh::to_full_dof(const Eigen::SparseMatrix<double>& hessian) const
{
    if (hessian.rows() != ndof() || hessian.cols() != ndof())
        reject("hessian: expected shape ({0}, {0}), got ({1}, {2})", ndof(), hessian.rows(), hessian.cols());
    if (displacement_map_.size() == 0 && full_vertex_ids_.empty())
        return hessian;
    // J = S ⊗ I, from full degrees of freedom to this mesh's; the result is Jᵀ H J.
    Eigen::SparseMatrix<double> J(ndof(), full_ndof());
    std::vector<Eigen::Triplet<double>> triplets;
    const auto add = [&](int vertex, int node, double weight) {
        for (int axis = 0; axis < dim(); ++axis)
            triplets.emplace_back(vertex * dim() + axis, node * dim() + axis, weight);
    };
    if (displacement_map_.size() != 0) {
        for (int v = 0; v < num_vertices(); ++v)
            for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(displacement_map_, v); it; ++it)
                add(v, static_cast<int>(it.col()), it.value());
    } else {
        for (int v = 0; v < num_vertices(); ++v)
            add(v, full_vertex_ids_[v], 1);
    }
    J.setFromTriplets(triplets.begin(), triplets.end());
    return J.transpose() * hessian * J;
}

} // namespace abut
