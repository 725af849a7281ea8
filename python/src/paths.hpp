#pragma once

#include "abut/base/error.hpp"
#include "arrays.hpp"

#include <filesystem>

namespace abut::python {

/// A str, bytes or os.PathLike.
inline std::filesystem::path path_argument(const py::object& value, const char* name)
{
    const auto encoded = py::cast<std::string>(py::module_::import("os").attr("fsencode")(value));
    if (encoded.find('\0') != std::string::npos)
        reject("{}: it has a character of code 0, which no file name can have", name);
    return encoded;
}

} // namespace abut::python
