#pragma once

#include "abut/detect/candidates.hpp"

#include <memory>

namespace abut::python {

/// Candidates as Python holds them. A build makes new lists and then takes them over, so that arrays of the old lists
/// stay valid, other threads never see half a build, and a build that fails changes nothing.
struct SharedCandidates {
    std::shared_ptr<const Candidates> lists = std::make_shared<const Candidates>();
};

} // namespace abut::python
