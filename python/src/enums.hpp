#pragma once
// Enums as Python IntEnums, so that arrays of their values compare with the names.

#include "arrays.hpp"

#include <fmt/format.h>

namespace abut::python {

/// Name, members in order and docstring of a Python type.
struct EnumNames {
    const char *type, *members, *doc;
};

/// Those of an enum; specialised where the enum is used.
template <typename Enum>
inline constexpr auto enum_names = nullptr;
template <typename T>
concept NamedEnum = std::is_same_v<decltype(enum_names<T>), const EnumNames>;

/// The Python type of an enum, once def_enum() has made it. It lives as long as the process.
template <NamedEnum Enum>
inline py::handle enum_type;

template <NamedEnum Enum>
void def_enum(py::module_& module)
{
    constexpr EnumNames names = enum_names<Enum>;
    py::object type = py::module_::import("enum").attr("IntEnum")(
        names.type, names.members, "module"_a = module.attr("__name__"), "start"_a = 0);
    type.attr("__doc__") = names.doc;
    module.attr(names.type) = type;
    enum_type<Enum> = type.release();
}

template <NamedEnum Enum>
py::object enum_member(Enum value)
{
    return enum_type<Enum>(static_cast<int>(value));
}
template <NamedEnum Enum>
std::string name_of(Enum value)
{
    return py::str(enum_member(value).attr("name"));
}

/// A member of the Python type of an enum; `alternative` says in messages what else would do.
template <NamedEnum Enum>
Enum enum_argument(py::handle value, const char* name, const char* alternative = "")
{
    if (!py::isinstance(value, enum_type<Enum>))
        throw py::type_error(fmt::format(
            "{}: expected a member of abut.{}{}, got {}", name, enum_names<Enum>.type, alternative, repr_of(value)));
    return static_cast<Enum>(py::cast<int>(value));
}

} // namespace abut::python
