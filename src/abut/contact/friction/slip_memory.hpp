#pragma once
// What contacts remember from step to step: where each one holds its two sides, so that friction is a spring from an
// anchor, which slides where the spring pulls harder than mu N.
//
//   s      elastic slip: how far the first side has moved along the second since it was anchored [m], along the surface
//   W      normal force of the term, with its weight [N], lagged
//   K      stiffness of the spring [N/m], at least mu W / slip
//   reach  mu W / K, at most `slip`: the length at which the anchor slides [m]
//
// Over a step the spring has the energy of AnchoredFriction, of s + Pᵀ Σ_i c_i (x_i − x_i of the start), which is C1
// and convex; at the end s is mapped back: sliding leaves a spring no longer than `slip` that pulls with mu W.
//
// No energy comes from nothing. A spring never softens while it sticks, so that what it stores is what was put in: if W
// falls, its anchor slides; if W rises beyond what K was made for, K rises at the same pull, which stores less. A
// spring that slides softens to mu W / slip no faster than it is drawn.
//
// A contact is known by its two elements. One that is new takes the mean of those that have a vertex with it in common,
// lie between the same two bodies and press from the same side, by their stiffness: thus what is remembered survives
// when a point passes to the next face, or a face and a vertex become an edge and a vertex. Slips are kept as vectors
// and turn with the elements of their contacts.

#include "abut/contact/friction/tangential_collisions.hpp"

namespace abut {

/// A contact that is remembered.
struct RememberedSlip {
    PairKind kind = PairKind::none;
    IndexPair elements{};
    Vec3 slip = Vec3::Zero(); ///< s of the first side against the second [m]
    double stiffness = 0;     ///< K [N/m], > 0
    bool is_sliding = false;

    bool operator==(const RememberedSlip&) const = default;
};

class SlipMemory {
public:
    /// `slip`: the elastic slip before sliding [m], > 0. `bodies`: of each vertex of the mesh.
    SlipMemory(double slip, std::vector<int> bodies);

    /// Gives terms that were lagged at X, of the coefficients of their pairs, the anchors that they have since X0,
    /// where the memory was made.
    void recall(
        const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X,
        TangentialCollisions& terms) const;

    /// Replaces the memory by what the terms, which recall() gave their anchors at X, are at X1.
    void remember(
        const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X, const ConstPositions& X1,
        const TangentialCollisions& terms);

    /// Sorted by kind and elements.
    [[nodiscard]] const std::vector<RememberedSlip>& contacts() const { return contacts_; }

    /// As numbers for a file, 3 + dim for each contact.
    [[nodiscard]] std::vector<double> numbers(int dim) const;
    /// Throws InvalidInput, naming `name`, for numbers that are no memory of the mesh.
    void set_numbers(const CollisionMesh& mesh, std::span<const double> numbers, std::string_view name);
    void clear() { contacts_.clear(); }

private:
    struct Neighbours;

    double slip_;
    std::vector<int> bodies_;
    std::vector<RememberedSlip> contacts_;
};

} // namespace abut
