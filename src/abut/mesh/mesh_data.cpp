#include "abut/mesh/mesh_data.hpp"

#include "abut/base/error.hpp"

#include <Eigen/LU>

#include <cmath>
#include <limits>

namespace abut {

namespace {

template <typename Array>
void append_rows(Array& rows, const Array& other)
{
    if (other.rows() == 0)
        return;
    const Eigen::Index old_count = rows.rows();
    rows.conservativeResize(old_count + other.rows(), other.cols());
    rows.bottomRows(other.rows()) = other;
}

template <typename Array>
void append_elements(Array& elements, const Array& other, int first_vertex)
{
    append_rows(elements, other);
    elements.bottomRows(other.rows()).array() += first_vertex;
}

template <typename Array>
void turn_around(Array& elements)
{
    if (elements.rows() > 0)
        elements.col(0).swap(elements.col(1));
}

template <typename Array>
void check_total(const Array& rows, const Array& other, const char* what)
{
    constexpr Eigen::Index limit = std::numeric_limits<int>::max();
    if (rows.rows() > limit - other.rows())
        throw LimitReached(fmt::format(
            "append: {} + {} {} exceed the limit of {}; keep the meshes apart", rows.rows(), other.rows(), what,
            limit));
}

/// Eigen compares arrays of one shape only.
template <typename Array>
bool is_same(const Array& a, const Array& b)
{
    return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

} // namespace

bool MeshData::operator==(const MeshData& other) const
{
    return is_same(vertices, other.vertices) && is_same(edges, other.edges) && is_same(faces, other.faces) &&
           is_same(tets, other.tets);
}

void append(MeshData& mesh, const MeshData& other)
{
    if (&mesh == &other)
        return append(mesh, MeshData(other));
    if (other.vertices.rows() > 0 && mesh.vertices.rows() > 0 && mesh.vertices.cols() != other.vertices.cols())
        reject(
            "append: the vertices have dimensions {} and {}; bring both meshes to the same dimension",
            mesh.vertices.cols(), other.vertices.cols());
    check_total(mesh.vertices, other.vertices, "vertices");
    check_total(mesh.edges, other.edges, "edges");
    check_total(mesh.faces, other.faces, "faces");
    check_total(mesh.tets, other.tets, "tets");

    const int first_vertex = static_cast<int>(mesh.vertices.rows());
    append_rows(mesh.vertices, other.vertices);
    append_elements(mesh.edges, other.edges, first_vertex);
    append_elements(mesh.faces, other.faces, first_vertex);
    append_elements(mesh.tets, other.tets, first_vertex);
}

MeshData translated(MeshData mesh, const Eigen::Ref<const Eigen::VectorXd>& offset)
{
    if (offset.size() != mesh.vertices.cols())
        reject(
            "translated: offset has {} entries, but the vertices have dimension {}; give one entry per coordinate",
            offset.size(), mesh.vertices.cols());
    if (!offset.allFinite())
        reject("translated: offset is not finite; give finite lengths in metres");
    mesh.vertices.rowwise() += offset.transpose();
    return mesh;
}

MeshData transformed(MeshData mesh, const Eigen::Ref<const Eigen::MatrixXd>& linear)
{
    const Eigen::Index dim = mesh.vertices.cols();
    if (linear.rows() != dim || linear.cols() != dim)
        reject(
            "transformed: the map is {} x {}, but the vertices have dimension {}; give a {} x {} matrix", linear.rows(),
            linear.cols(), dim, dim, dim);
    const double determinant = linear.determinant();
    if (!std::isfinite(determinant) || determinant == 0)
        reject("transformed: the map has determinant {}; give an invertible, finite matrix", determinant);

    mesh.vertices = (mesh.vertices * linear.transpose()).eval();
    if (determinant < 0) {
        turn_around(mesh.faces);
        turn_around(mesh.tets);
        if (dim == 2)
            turn_around(mesh.edges);
    }
    return mesh;
}

} // namespace abut
