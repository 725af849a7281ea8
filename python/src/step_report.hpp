#pragma once

#include "abut/sim/step.hpp"

namespace abut::python {

/// abut.StepReport: vectors have as many components as the scene has dimensions.
struct SizedReport {
    StepReport report;
    int dim;
};

} // namespace abut::python
