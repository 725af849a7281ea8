#include "abut/io/ply.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <bit>
#include <limits>

namespace abut {

static_assert(std::endian::native == std::endian::little, "PLY files are written as the bytes of the machine");

namespace {

template <typename T>
void append_bytes(std::string& bytes, T value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string
ply_header(std::size_t num_vertices, Eigen::Index num_faces, Eigen::Index num_edges, std::string_view comment)
{
    std::string header = "ply\nformat binary_little_endian 1.0\n";
    if (!comment.empty())
        header += fmt::format("comment {}\n", comment);
    header += fmt::format("element vertex {}\n", num_vertices);
    for (const char* name :
         {"x", "y", "z", "velocity_x", "velocity_y", "velocity_z", "contact_force_x", "contact_force_y",
          "contact_force_z"})
        header += fmt::format("property float {}\n", name);
    header += "property int object\n";
    if (num_faces > 0)
        header += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", num_faces);
    if (num_edges > 0)
        header += fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\n", num_edges);
    return header + "end_header\n";
}

} // namespace

std::string encode_ply(const Frame& frame, std::span<const ObjectParts> parts, std::string_view comment)
{
    std::size_t num_vertices = 0;
    Eigen::Index num_faces = 0, num_edges = 0;
    for (const ObjectParts& each : parts) {
        num_vertices += each.vertices.size();
        num_faces += each.faces.rows();
        num_edges += each.edges.rows();
    }
    check_fits(frame, frame, static_cast<std::size_t>(frame.step));
    std::string bytes = ply_header(num_vertices, num_faces, num_edges, comment);
    for (std::size_t object = 0; object < parts.size(); ++object)
        for (const int v : parts[object].vertices) {
            for (const Positions* rows : {&frame.mesh.vertices, &frame.velocities, &frame.forces})
                for (const double value : lifted(*rows, v))
                    append_bytes(bytes, static_cast<float>(value));
            append_bytes(bytes, static_cast<std::int32_t>(object));
        }
    // Vertices are counted through all objects.
    std::int32_t first = 0;
    for (const ObjectParts& each : parts) {
        for (Eigen::Index f = 0; f < each.faces.rows(); ++f) {
            append_bytes(bytes, std::uint8_t(3));
            for (const int v : each.faces.row(f))
                append_bytes(bytes, first + v);
        }
        first += static_cast<std::int32_t>(each.vertices.size());
    }
    first = 0;
    for (const ObjectParts& each : parts) {
        for (const int v : each.edges.reshaped<Eigen::RowMajor>())
            append_bytes(bytes, first + v);
        first += static_cast<std::int32_t>(each.vertices.size());
    }
    return bytes;
}

void write_ply(
    const std::filesystem::path& path, const Frame& frame, std::span<const ObjectParts> parts, std::string_view comment)
{
    write_file(path, encode_ply(frame, parts, comment));
}

} // namespace abut
