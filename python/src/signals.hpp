#pragma once
// Ends long work where Python has a signal to handle, such as Ctrl-C.

#include "bind.hpp"

#include <optional>

namespace abut::python {

class Signals {
public:
    /// False from the first signal on whose handler raises. Called without the GIL.
    [[nodiscard]] bool goes_on()
    {
        const py::gil_scoped_acquire acquire;
        if (!raised_ && PyErr_CheckSignals() != 0)
            raised_.emplace();
        return !raised_;
    }
    [[noreturn]] void raise()
    {
        if (raised_)
            throw py::error_already_set(std::move(*raised_));
        PyErr_SetNone(PyExc_KeyboardInterrupt); // the signal went to another process alone
        throw py::error_already_set();
    }

private:
    std::optional<py::error_already_set> raised_; // takes the error that is set
};

} // namespace abut::python
