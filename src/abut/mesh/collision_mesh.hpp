#pragma once
// The mesh that contact sees: vertices, edges and faces with their adjacency and rest measures, and its relation to the
// full mesh that is simulated. Immutable once built.

#include "abut/base/assert.hpp"
#include "abut/math/types.hpp"
#include "abut/mesh/collision_filter.hpp"
#include "abut/mesh/contact_offsets.hpp"
#include "abut/mesh/mesh_data.hpp"
#include "abut/mesh/plane.hpp"
#include "abut/mesh/topology.hpp"

#include <Eigen/SparseCore>

#include <optional>

namespace abut {

struct CollisionMeshOptions {
    /// Body of each vertex; empty: each connected component is a body. Of the full mesh, where there is one.
    std::vector<int> body_ids{};

    /// Material of each vertex, an index into tables such as friction coefficients; empty: all 0.
    std::vector<int> material_ids{};

    /// Which vertices may collide, by the indices of the vertices that are passed in; default: all.
    CollisionFilter filter{};

    /// How displacements of the full mesh's nodes move the vertices that are passed in: #V x #nodes, e.g. the basis
    /// functions of curved elements. Empty: vertex i is node i.
    Eigen::SparseMatrix<double, Eigen::RowMajor> displacement_map{};

    /// In space: do vertices of loose edges meet loose edges? Two edges that are parallel have no barrier of their own,
    /// so that curves side by side touch without one where their vertices do not count. Off by default, as in the
    /// reference toolkit; the simulator has it on.
    bool use_curve_vertices = false;

    /// Half-spaces that all vertices stay out of, whatever the filter says. Normals of any length are normalised.
    std::vector<Plane> planes{};
};

class CollisionMesh {
public:
    /// From vertices (#V x 2 or 3, rest positions [m]), edges (#E x 2) and faces (#F x 3); the latter two may be empty.
    /// The edges of faces need not be listed: those that are missing are added after the given ones. A mesh in the
    /// plane has no faces. Every vertex takes part, those in no edge as loose points. Throws InvalidInput naming the
    /// argument and row for indices out of range, coordinates that are not finite, elements that are listed twice or
    /// use a vertex twice, a mesh whose vertices all coincide, and planes without a direction.
    explicit CollisionMesh(
        const ConstPositions& rest_positions, const ConstElements& edges = Elements(0, 2),
        const ConstElements& faces = Elements(0, 3), const CollisionMeshOptions& options = {});

    /// The vertices, edges and faces of `data`; where it has tetrahedra, their surface and the vertices on it.
    explicit CollisionMesh(const MeshData& data, const CollisionMeshOptions& options = {});

    /// Keeps the vertices of a full mesh that the edges and faces use, and remembers where they came from.
    [[nodiscard]] static CollisionMesh build_from_full_mesh(
        const ConstPositions& full_rest_positions, const ConstElements& edges,
        const ConstElements& faces = Elements(0, 3), const CollisionMeshOptions& options = {});

    /// Keeps the vertices whose flag is set; edges and faces may use only these.
    [[nodiscard]] static CollisionMesh build_from_selection(
        const ConstPositions& full_rest_positions, const std::vector<bool>& include_vertex, const ConstElements& edges,
        const ConstElements& faces = Elements(0, 3), const CollisionMeshOptions& options = {});

    [[nodiscard]] int dim() const { return static_cast<int>(rest_positions_.cols()); }
    [[nodiscard]] int num_vertices() const { return static_cast<int>(rest_positions_.rows()); }
    [[nodiscard]] int num_edges() const { return static_cast<int>(topology_.edges.rows()); }
    [[nodiscard]] int num_faces() const { return static_cast<int>(faces_.rows()); }
    [[nodiscard]] int ndof() const { return num_vertices() * dim(); }

    [[nodiscard]] const Positions& rest_positions() const { return rest_positions_; }
    [[nodiscard]] const Edges& edges() const { return topology_.edges; }
    [[nodiscard]] const Faces& faces() const { return faces_; }

    // Adjacency
    [[nodiscard]] const Faces& faces_to_edges() const { return topology_.faces_to_edges; }
    [[nodiscard]] std::span<const int> vertex_edges(int vertex) const { return vertex_edges_[vertex]; }
    [[nodiscard]] std::span<const int> vertex_faces(int vertex) const { return vertex_faces_[vertex]; }
    [[nodiscard]] std::span<const int> edge_faces(int edge) const { return topology_.edge_faces[edge]; }
    /// For each face of edge_faces(edge), its vertex that is not on the edge.
    [[nodiscard]] std::span<const int> edge_opposites(int edge) const;
    [[nodiscard]] const OneRings& one_rings() const { return one_rings_; }
    [[nodiscard]] const Components& components() const { return components_; }

    /// Vertices in no edge, and edges in no face.
    [[nodiscard]] const std::vector<int>& codim_vertices() const { return codim_vertices_; }
    [[nodiscard]] const std::vector<int>& codim_edges() const { return codim_edges_; }
    /// In space: the vertices that loose edges meet, which are the loose ones and, if so chosen, those of loose edges.
    [[nodiscard]] const std::vector<int>& edge_partners() const { return edge_partners_; }

    /// Is the vertex on an open border: an edge with one face, or, in the plane and on loose edges, the end of a curve?
    [[nodiscard]] bool is_on_boundary(int vertex) const
    {
        ABUT_ASSERT(vertex >= 0 && vertex < num_vertices());
        return is_on_boundary_[vertex] != 0;
    }

    /// Rest area of each vertex: a third of its faces [m²]; without faces half the length of its edges [m]; else 1.
    [[nodiscard]] const Eigen::VectorXd& vertex_areas() const { return vertex_areas_; }
    /// Rest area of each edge: a third of its faces [m²]; without faces its length [m].
    [[nodiscard]] const Eigen::VectorXd& edge_areas() const { return edge_areas_; }

    [[nodiscard]] const std::vector<int>& body_ids() const { return body_ids_; }
    [[nodiscard]] const std::vector<int>& material_ids() const { return material_ids_; }

    /// May these two vertices of this mesh collide?
    [[nodiscard]] bool can_collide(int vertex_i, int vertex_j) const
    {
        ABUT_ASSERT(vertex_i >= 0 && vertex_i < num_vertices() && vertex_j >= 0 && vertex_j < num_vertices());
        return filter_(vertex_i, vertex_j);
    }
    [[nodiscard]] const CollisionFilter& filter() const { return filter_; }

    /// Static obstacles, with normals of length 1.
    [[nodiscard]] const std::vector<Plane>& planes() const { return planes_; }

    /// How far the surfaces that contact keeps apart stand off from the elements; none as a rule.
    [[nodiscard]] const ContactOffsets& offsets() const { return offsets_; }
    /// The same mesh with these. Throws InvalidInput unless there is a radius for each vertex, or none, and all corners
    /// of an element have the same.
    [[nodiscard]] CollisionMesh with_offsets(ContactOffsets offsets) const;

    // The full mesh
    [[nodiscard]] int full_num_vertices() const { return full_num_vertices_; }
    [[nodiscard]] int full_ndof() const { return full_num_vertices_ * dim(); }

    /// The full mesh's vertex behind a vertex of this mesh. Rejected where a displacement map stands between them.
    [[nodiscard]] int to_full_vertex_id(int vertex) const;

    /// Positions of this mesh's vertices for positions of all of the full mesh's. Not defined with a displacement map.
    [[nodiscard]] Positions vertices(const ConstPositions& full_positions) const;

    /// Displacements of this mesh's vertices for displacements of the full mesh's nodes.
    [[nodiscard]] Positions map_displacements(const ConstPositions& full_displacements) const;

    /// Rest positions plus map_displacements().
    [[nodiscard]] Positions displace_vertices(const ConstPositions& full_displacements) const;

    /// A gradient by this mesh's vertices, as a gradient by the full mesh's nodes (x0 y0 z0 x1 ...).
    [[nodiscard]] Eigen::VectorXd to_full_dof(const Eigen::VectorXd& gradient) const;

    /// A Hessian by this mesh's vertices, as a Hessian by the full mesh's nodes.
    [[nodiscard]] Eigen::SparseMatrix<double> to_full_dof(const Eigen::SparseMatrix<double>& hessian) const;

private:
    CollisionMesh() = default;
    void build(Positions rest_positions, const Edges& edges, Faces faces, const CollisionMeshOptions& options);
    void compute_rest_areas();
    void find_boundary_and_codim(bool use_curve_vertices);

    Positions rest_positions_;
    Faces faces_;
    EdgeTopology topology_;
    IndexLists vertex_edges_, vertex_faces_;
    OneRings one_rings_;
    Components components_;
    std::vector<int> codim_vertices_, codim_edges_, edge_partners_;
    std::vector<std::uint8_t> is_on_boundary_;
    Eigen::VectorXd vertex_areas_, edge_areas_;
    std::vector<int> body_ids_, material_ids_;
    CollisionFilter filter_;
    std::vector<Plane> planes_;
    ContactOffsets offsets_;

    int full_num_vertices_ = 0;
    std::vector<int> full_vertex_ids_;                              // empty: the identity
    Eigen::SparseMatrix<double, Eigen::RowMajor> displacement_map_; // empty: by full_vertex_ids_
};

} // namespace abut
