#pragma once

#include "abut/sim/scene.hpp"

#include <memory>

namespace abut::python {

/// A scene as Python holds it. It never changes.
struct SharedScene {
    std::shared_ptr<const Scene> scene;
};

} // namespace abut::python
