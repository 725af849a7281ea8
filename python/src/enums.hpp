#pragma once
// Enums as Python IntEnums, so that arrays of their values compare with the names.

#include "arrays.hpp"

#include <fmt/format.h>

namespace abut::python {

/// Name, members in order and docstring of the Python type of an enum; specialised where the enum is used.
template <typename Enum>
struct EnumNames;

/// The Python type of an enum, once def_enum() has made it.
template <typename Enum>
py::object enum_type()
{
    return py::module_::import("abut._abut").attr(EnumNames<Enum>::type);
}

template <typename Enum>
void def_enum(py::module_& module)
{
    using Names = EnumNames<Enum>;
    py::object type = py::module_::import("enum").attr("IntEnum")(
        Names::type, Names::members, "module"_a = module.attr("__name__"), "start"_a = 0);
    type.attr("__doc__") = Names::doc;
    module.attr(Names::type) = type;
}

template <typename Enum>
py::object to_python(Enum value)
{
    return enum_type<Enum>()(static_cast<int>(value));
}

/// A member of the Python type of an enum; `alternative` says in messages what else would do.
template <typename Enum>
Enum enum_argument(py::handle value, const char* name, const char* alternative = "")
{
    if (!py::isinstance(value, enum_type<Enum>()))
        throw py::type_error(fmt::format(
            "{}: expected a member of abut.{}{}, got {}", name, EnumNames<Enum>::type, alternative,
            std::string(py::repr(value))));
    return static_cast<Enum>(py::cast<int>(value));
}

} // namespace abut::python
