#pragma once

#include "abut/run/scene_source.hpp"

#include <memory>

namespace abut::python {

/// A scene as Python holds it, with the JSON it was read from. It never changes.
struct SharedScene {
    std::shared_ptr<const SceneSource> source;

    explicit SharedScene(SceneSource read) : source(std::make_shared<const SceneSource>(std::move(read))) {}
    const Scene* operator->() const { return &source->scene; }
};

} // namespace abut::python
