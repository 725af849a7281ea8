#pragma once
// Energies that several ranks can divide for good (base/ranks.hpp), so that none has all of it.

#include "abut/solver/energy.hpp"

namespace abut {

/// An energy whose terms stay the same and which remembers nothing.
class Divisible {
public:
    virtual ~Divisible() = default;
    /// An energy of these of its terms alone, by rising number; what it says of domains is of these. Null where it
    /// cannot be divided after all.
    [[nodiscard]] virtual std::unique_ptr<Energy> part(std::span<const int> terms) const = 0;
};

} // namespace abut
