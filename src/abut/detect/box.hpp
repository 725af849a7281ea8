#pragma once
// Axis-aligned boxes of vertices, edges and faces, still or swept along a step. In two dimensions z is 0.

#include "abut/base/assert.hpp"
#include "abut/mesh/collision_mesh.hpp"

#include <limits>
#include <span>
#include <vector>

namespace abut {

struct Box {
    Vec3 lo = Vec3::Constant(std::numeric_limits<double>::infinity());
    Vec3 hi = Vec3::Constant(-std::numeric_limits<double>::infinity());

    /// Closed boxes: touching counts.
    [[nodiscard]] bool overlaps(const Box& other) const
    {
        return (lo.array() <= other.hi.array()).all() && (other.lo.array() <= hi.array()).all();
    }

    void extend(const Box& other)
    {
        lo = lo.cwiseMin(other.lo);
        hi = hi.cwiseMax(other.hi);
    }
};

/// Boxes of elements: each is around those of its corners, and made when it is asked for.
class ElementBoxes {
public:
    /// Boxes that are there, one per element.
    ElementBoxes(std::span<const Box> boxes) : boxes_(boxes), size_(boxes.size()) {}
    ElementBoxes(const std::vector<Box>& boxes) : ElementBoxes(std::span<const Box>(boxes)) {}
    /// Of the rows of a mesh's edges or faces, from the boxes of its vertices. Both must stay in place.
    template <typename Elements>
    ElementBoxes(std::span<const Box> boxes, const Elements& elements)
        : boxes_(boxes), corners_(elements.data()), num_corners_(Elements::ColsAtCompileTime),
          size_(static_cast<std::size_t>(elements.rows()))
    {
        static_assert(Elements::IsRowMajor);
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] Box operator[](std::size_t i) const
    {
        if (corners_ == nullptr)
            return boxes_[i];
        const int* corners = corners_ + num_corners_ * i;
        Box box = boxes_[corners[0]];
        box.extend(boxes_[corners[1]]);
        if (num_corners_ > 2)
            box.extend(boxes_[corners[2]]);
        return box;
    }
    /// Calls visit(box) for each of the boxes that a box is around.
    template <typename Visit>
    void for_each_part(std::size_t i, Visit&& visit) const
    {
        if (corners_ == nullptr)
            return visit(boxes_[i]);
        const int* corners = corners_ + num_corners_ * i;
        visit(boxes_[corners[0]]);
        visit(boxes_[corners[1]]);
        if (num_corners_ > 2)
            visit(boxes_[corners[2]]);
    }
    /// Asks for what a box is made of, before it is asked for.
    void prefetch(std::size_t i) const
    {
        if (corners_ == nullptr)
            return __builtin_prefetch(&boxes_[i]);
        for (int k = 0; k < num_corners_; ++k)
            __builtin_prefetch(&boxes_[corners_[num_corners_ * i + k]]);
    }

private:
    std::span<const Box> boxes_;
    const int* corners_ = nullptr;
    int num_corners_ = 1;
    std::size_t size_ = 0;
};

/// Boxes of a mesh's elements, each grown by `inflation` and its offset on every side and by a little more, which
/// covers rounding: the boxes of two elements overlap if their gap is at most 2 inflation. Those of edges and faces are
/// made from those of the vertices where they are needed: that is cheaper than to keep them.
struct MeshBoxes {
    std::vector<Box> vertices;
    Box bounds;                 ///< around all boxes
    Vec3 center = Vec3::Zero(); ///< of all boxes

    /// Around positions X.
    void build(const CollisionMesh& mesh, const Positions& X, double inflation);
    /// Around the straight paths from X0 to X1.
    void build(const CollisionMesh& mesh, const Positions& X0, const Positions& X1, double inflation);

    [[nodiscard]] ElementBoxes edges(const CollisionMesh& mesh) const { return {vertices, mesh.edges()}; }
    [[nodiscard]] ElementBoxes faces(const CollisionMesh& mesh) const { return {vertices, mesh.faces()}; }

private:
    void find_center();
};

} // namespace abut
