#pragma once
// What bonds remember from step to step, where their intensity changes in time (laws/rcc.hpp): how whole each one is,
// and how far its sides have slid along each other since it was made.
//
// A bond is known by the two elements of its contact, as in a SlipMemory. A contact that is new takes over the bonds of
// its vertex: those of the same vertex with another element of the same body, on the same side. That is how a bond
// survives when a point passes to the next face, while points that come near what only others are stuck to are not
// bonded. A contact of edges takes over those of edges and points that it touches on both sides. Where there are
// several, it takes their mean.
//
// 48 bytes for each bond in a file (40 in the plane); contacts without a bond are not kept.

#include "abut/contact/friction/tangential_collisions.hpp"

#include <memory>

namespace abut {

/// A bond that is remembered.
struct RememberedBond {
    PairKind kind = PairKind::none;
    IndexPair elements{};
    Vec3 slip = Vec3::Zero(); ///< of the first side against the second, since the bond was made [m]
    double intensity = 0;     ///< beta, in (0, 1]

    bool operator==(const RememberedBond&) const = default;
};

class BondMemory {
public:
    /// `bodies`: of each vertex of the mesh.
    explicit BondMemory(std::vector<int> bodies);
    ~BondMemory();

    /// Of each term of a set its bond, by what is remembered of X0; intensity 0 where there is none. The slip is that
    /// of X0.
    [[nodiscard]] std::vector<RememberedBond>
    bonds(const CollisionMesh& mesh, const ConstPositions& X0, const NormalCollisions& collisions) const;

    /// Gives terms that were lagged at X the slips that their bonds have since X0. `reaches`: of each term [m].
    void recall(
        const CollisionMesh& mesh, const ConstPositions& X0, const ConstPositions& X, std::span<const double> reaches,
        TangentialCollisions& terms) const;

    /// Sorted by kind and elements.
    [[nodiscard]] const std::vector<RememberedBond>& contacts() const { return contacts_; }
    /// Keeps those that have an intensity.
    void set_contacts(std::vector<RememberedBond> contacts);

    /// As numbers for a file, 3 + dim for each bond.
    [[nodiscard]] std::vector<double> numbers(int dim) const;
    /// Throws InvalidInput, naming `name`, for numbers that are no memory of the mesh.
    void set_numbers(const CollisionMesh& mesh, std::span<const double> numbers, std::string_view name);

private:
    struct Neighbours;
    [[nodiscard]] const RememberedBond* find(PairKind kind, const IndexPair& elements) const;
    [[nodiscard]] const Neighbours& neighbours(const CollisionMesh& mesh, const ConstPositions& X0) const;

    std::vector<int> bodies_;
    std::vector<RememberedBond> contacts_;
    mutable std::unique_ptr<Neighbours> neighbours_; // of contacts_ at the X0 it was asked for; null until then
};

} // namespace abut
