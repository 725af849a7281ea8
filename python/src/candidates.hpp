#pragma once

#include "abut/detect/candidates.hpp"

#include <memory>
#include <string>

namespace abut::python {

/// Candidates as Python holds them. A build makes new lists and then takes them over, so that arrays of the old lists
/// stay valid, other threads never see half a build, and a build that fails changes nothing.
struct SharedCandidates {
    std::shared_ptr<const Candidates> lists = std::make_shared<const Candidates>();
};

/// "bvh" or "brute_force".
[[nodiscard]] BroadPhase broad_phase_argument(const std::string& value, const char* name);

} // namespace abut::python
