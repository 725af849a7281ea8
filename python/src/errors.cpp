#include "abut/base/error.hpp"

#include "module.hpp"

#include <cstring>

namespace py = pybind11;

namespace abut::python {

namespace {

py::object def_error(py::module_& m, const char* name, const py::tuple& bases, const char* doc)
{
    const std::string full_name = "abut." + std::string(name);
    auto type =
        py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(full_name.c_str(), doc, bases.ptr(), nullptr));
    if (!type)
        throw py::error_already_set();
    m.attr(name) = type;
    return type;
}

/// Messages may hold names of files, which need not be valid UTF-8.
void raise(const py::object& type, const char* message)
{
    const auto text = py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(message, static_cast<py::ssize_t>(std::strlen(message)), "backslashreplace"));
    if (text)
        PyErr_SetObject(type.ptr(), text.ptr());
}

struct ErrorTypes {
    py::object error, invalid_input, invalid_start, limit_reached, input_output;
};

} // namespace

void def_errors(py::module_& m)
{
    const auto builtin = [](PyObject* type) { return py::reinterpret_borrow<py::object>(type); };
    // The translator lives as long as the process, so the types must not be released when it exits.
    static const ErrorTypes* types = nullptr;
    auto* made = new ErrorTypes;
    made->error = def_error(
        m, "Error", py::make_tuple(builtin(PyExc_Exception)), "Base of the errors that Abut raises by itself.");
    made->invalid_input = def_error(
        m, "InvalidInput", py::make_tuple(made->error, builtin(PyExc_ValueError)),
        "A value that can never be right: an index out of range, a NaN, shapes that do not match. A ValueError.");
    made->invalid_start = def_error(
        m, "InvalidStart", py::make_tuple(made->error, builtin(PyExc_ValueError)),
        "Well-formed input that is no legal start: intersecting, touching or inverted. A ValueError.");
    made->limit_reached = def_error(
        m, "LimitReached", py::make_tuple(made->error, builtin(PyExc_RuntimeError)),
        "A count or size beyond what Abut accepts, found before memory is asked for. A RuntimeError.");
    made->input_output = def_error(
        m, "InputOutput", py::make_tuple(made->error, builtin(PyExc_OSError)),
        "The operating system refused to read or write. An OSError.");
    types = made;
    py::register_exception_translator([](std::exception_ptr pointer) {
        try {
            if (pointer)
                std::rethrow_exception(pointer);
        } catch (const InvalidInput& error) {
            raise(types->invalid_input, error.what());
        } catch (const InvalidStart& error) {
            raise(types->invalid_start, error.what());
        } catch (const LimitReached& error) {
            raise(types->limit_reached, error.what());
        } catch (const InputOutput& error) {
            raise(types->input_output, error.what());
        } catch (const Error& error) {
            raise(types->error, error.what());
        }
    });
}

} // namespace abut::python
