#pragma once
// Forces of contact as few arrows, for pictures: contacts close to each other are one.

#include "abut/math/types.hpp"

namespace abut {

/// What one body does to another around a place. Bodies are objects, and plane k is −1 − k.
struct ContactArrow {
    int body = 0, other = 0;      ///< as in BodyForce
    Vec3 place = Vec3::Zero();    ///< mean of the contacts, weighted by their forces [m]
    Vec3 contact = Vec3::Zero();  ///< on `body` by `other` [N]
    Vec3 friction = Vec3::Zero(); ///< on `body` by `other` [N]

    bool operator==(const ContactArrow&) const = default;
};

} // namespace abut
