#pragma once

#include "abut/detect/candidates.hpp"
#include "bind.hpp"

#include <memory>

namespace abut::python {

/// Candidates as Python holds them. A build makes new lists and then takes them over, so that arrays of the old lists
/// stay valid, other threads never see half a build, and a build that fails changes nothing.
struct SharedCandidates {
    std::shared_ptr<const Candidates> lists = std::make_shared<const Candidates>();
};

/// "bvh" or "brute_force".
[[nodiscard]] BroadPhase broad_phase_argument(const std::string& value, const char* name);
template <>
struct Argument<BroadPhase> : ReadBy<std::string, broad_phase_argument> {
    static const char* shown(BroadPhase) { return "bvh"; }
};

/// How many of each kind there are, as a __repr__ has it.
inline std::string counts_text(std::size_t vv, std::size_t ev, std::size_t ee, std::size_t fv, std::size_t pv)
{
    return fmt::format("{} vv, {} ev, {} ee, {} fv, {} pv", vv, ev, ee, fv, pv);
}

} // namespace abut::python
