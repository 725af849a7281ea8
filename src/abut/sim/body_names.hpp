#pragma once
// Elements of the collision surface by the names a user gave: "edge (3, 7) of 'cloth'".

#include "abut/detect/step_size.hpp"

#include <string>
#include <vector>

namespace abut {

class BodyNames {
public:
    /// `object_starts`: first vertex of each object in the full mesh, and the number of vertices at the end.
    BodyNames(std::vector<std::string> names, std::vector<int> object_starts);

    /// The object of a vertex of the full mesh.
    [[nodiscard]] int object_of(int vertex) const;
    /// A body: an object, or plane k as −1 − k.
    [[nodiscard]] std::string body(int body) const;
    /// The same within a sentence: 'cloth', or plane 0.
    [[nodiscard]] std::string quoted(int body) const;
    [[nodiscard]] std::string vertex(int vertex) const;
    /// Vertices of one object, with their numbers in it.
    [[nodiscard]] std::string element(const char* kind, std::span<const int> vertices) const;

    /// A pair of the surface, where it is, and how far apart: "face (..) of 'a' and vertex 3 of 'b', 1e-4 m apart at
    /// (x, y, z)".
    [[nodiscard]] std::string pair(const StepLimit& limit, const CollisionMesh& mesh, const ConstPositions& X) const;

    /// The vertices of such a pair in the full mesh; a plane has none.
    [[nodiscard]] static std::vector<int> vertices(const StepLimit& limit, const CollisionMesh& mesh);

private:
    std::vector<std::string> names_;
    std::vector<int> starts_;
};

} // namespace abut
