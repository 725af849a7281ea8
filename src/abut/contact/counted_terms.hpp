#pragma once
// The terms of sets whose weights count contacts: those of IPC and OGC in space without areas, offsets and shape
// derivatives. What pairs lead to is the same as in normal_collisions_builder.cpp, which has the rules for all sets;
// here a contact is two numbers instead of all that a weight may be made of, and edges and faces are looked at a few at
// once. Internal: NormalCollisions::build() is the entrance.

#include "abut/contact/normal_collisions.hpp"

namespace abut {

/// Whether a set of these options has terms that are counted.
[[nodiscard]] bool has_counted_terms(const CollisionMesh& mesh, const NormalCollisionsOptions& options);

/// The terms for pairs that include all within dmin + dhat of each other; none of them touches.
[[nodiscard]] NormalTerms counted_terms(
    const NearPairs& pairs, const CollisionMesh& mesh, const ConstPositions& X, const NormalCollisionsOptions& options);

} // namespace abut
