#pragma once
// Objects that several Python threads use.

#include <pybind11/pybind11.h>

#include <memory>

namespace abut::python {

/// Counts a use of an object for as long as it lives. Made and dropped with the interpreter lock, which guards the
/// count; in between it may be released.
class InUse {
public:
    explicit InUse(int& count) : count_(count) { ++count_; }
    ~InUse() { --count_; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

private:
    int& count_;
};

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
