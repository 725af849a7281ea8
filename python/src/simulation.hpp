#pragma once

#include "abut/run/scene_source.hpp"
#include "abut/sim/step.hpp"
#include "border.hpp"

#include <memory>

namespace abut::python {

/// A scene as Python holds it, with the JSON it was read from. It never changes.
struct SharedScene {
    std::shared_ptr<const SceneSource> source;

    explicit SharedScene(SceneSource read) : source(std::make_shared<const SceneSource>(std::move(read))) {}
    const Scene* operator->() const { return &source->scene; }
};

/// Of an abut.Scene, or of the file that a path names.
std::shared_ptr<const SceneSource> scene_source(const py::object& scene);

/// abut.StepReport: vectors have as many components as the scene has dimensions.
struct SizedReport {
    StepReport report;
    int dim;
};

} // namespace abut::python
