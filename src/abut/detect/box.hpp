#pragma once
// Axis-aligned boxes of vertices, edges and faces, still or swept along a step. In two dimensions z is 0.

#include "abut/base/assert.hpp"
#include "abut/base/buffer.hpp"
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

/// A box of floats about some origin, rounded outward, as the tree compares it: -lo in the first three places, hi in
/// the last three.
struct alignas(32) RoundedBox {
    float numbers[8];
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
    /// Gives the boxes as rounded ones, too, about the origin of the trees that will be made of them; none: there are
    /// none.
    void set_rounded(std::span<const RoundedBox> rounded)
    {
        ABUT_ASSERT(rounded.empty() || rounded.size() == boxes_.size());
        rounded_ = rounded.empty() ? nullptr : rounded.data();
    }
    [[nodiscard]] bool has_rounded() const { return rounded_ != nullptr; }

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
        visit_parts(boxes_.data(), i, visit);
    }
    template <typename Visit>
    void for_each_rounded_part(std::size_t i, Visit&& visit) const
    {
        visit_parts(rounded_, i, visit);
    }
    /// Asks for what a box, rounded where there are such, is made of, before it is asked for.
    void prefetch(std::size_t i) const
    {
        const auto ask = [](const auto& part) { __builtin_prefetch(&part); };
        if (has_rounded())
            visit_parts(rounded_, i, ask);
        else
            visit_parts(boxes_.data(), i, ask);
    }

private:
    template <typename Part, typename Visit>
    void visit_parts(const Part* parts, std::size_t i, Visit&& visit) const
    {
        if (corners_ == nullptr)
            return visit(parts[i]);
        const int* corners = corners_ + num_corners_ * i;
        visit(parts[corners[0]]);
        visit(parts[corners[1]]);
        if (num_corners_ > 2)
            visit(parts[corners[2]]);
    }

    const RoundedBox* rounded_ = nullptr;
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
    Buffer<RoundedBox> rounded; ///< of vertices, where rounding is faster for all at once

    /// Around positions X.
    void build(const CollisionMesh& mesh, const Positions& X, double inflation);
    /// Around the straight paths from X0 to X1.
    void build(const CollisionMesh& mesh, const Positions& X0, const Positions& X1, double inflation);

    /// Rounds the boxes of the vertices about an origin, once for all trees of elements that are made of them.
    void round(const Vec3& origin);

    [[nodiscard]] ElementBoxes edges(const CollisionMesh& mesh) const { return {vertices, mesh.edges()}; }
    [[nodiscard]] ElementBoxes faces(const CollisionMesh& mesh) const { return {vertices, mesh.faces()}; }

private:
    void find_center();
};

} // namespace abut
