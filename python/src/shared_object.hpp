#pragma once

#include <pybind11/pybind11.h>

#include <memory>

namespace abut::python {

/// A Python object that any thread may hold, copy and drop, with or without the interpreter lock. To use it takes the
/// lock.
class SharedObject {
public:
    explicit SharedObject(pybind11::object object)
        : object_(new pybind11::object(std::move(object)), [](pybind11::object* held) {
              // After the interpreter has ended there is nothing left to release it to.
              if (Py_IsInitialized() == 0)
                  return;
              const pybind11::gil_scoped_acquire acquire;
              delete held;
          })
    {}

    const pybind11::object& operator*() const { return *object_; }

private:
    std::shared_ptr<pybind11::object> object_;
};

} // namespace abut::python
