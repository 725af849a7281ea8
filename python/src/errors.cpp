#include "abut/base/error.hpp"

#include "module.hpp"

#include <cstring>

namespace py = pybind11;

namespace abut::python {

namespace {

py::object make_error(py::module_& m, const char* name, const py::tuple& bases, const char* doc)
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
void raise(PyObject* type, const char* message)
{
    const auto text = py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(message, static_cast<py::ssize_t>(std::strlen(message)), "backslashreplace"));
    if (text)
        PyErr_SetObject(type, text.ptr());
}

/// Defines an error and its translation, unless a kind of it that was defined later has one.
template <typename Error>
void def_error(py::module_& m, const char* name, const py::tuple& bases, const char* doc)
{
    // It lives as long as the process, so the type must not be released when that exits.
    static PyObject* type = nullptr;
    type = make_error(m, name, bases, doc).release().ptr();
    py::register_exception_translator([](std::exception_ptr pointer) {
        try {
            std::rethrow_exception(pointer);
        } catch (const Error& error) {
            raise(type, error.what());
        }
    });
}

} // namespace

void def_errors(py::module_& m)
{
    const auto also = [&](PyObject* builtin) { return py::make_tuple(m.attr("Error"), py::handle(builtin)); };
    def_error<Error>(
        m, "Error", py::make_tuple(py::handle(PyExc_Exception)), "Base of the errors that Abut raises by itself.");
    def_error<InvalidInput>(
        m, "InvalidInput", also(PyExc_ValueError),
        "A value that can never be right: an index out of range, a NaN, shapes that do not match. A ValueError.");
    def_error<InvalidStart>(
        m, "InvalidStart", also(PyExc_ValueError),
        "Well-formed input that is no legal start: intersecting, touching or inverted. A ValueError.");
    def_error<LimitReached>(
        m, "LimitReached", also(PyExc_RuntimeError),
        "A count or size beyond what Abut accepts, found before memory is asked for. A RuntimeError.");
    def_error<InputOutput>(
        m, "InputOutput", also(PyExc_OSError), "The operating system refused to read or write. An OSError.");
}

} // namespace abut::python
