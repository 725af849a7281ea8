#pragma once
// What crosses the border between Python and Abut, by its C++ type: how arguments are read and results returned.

#include "enums.hpp"

#include <filesystem>

namespace abut::python {

/// A str, bytes or os.PathLike.
inline std::filesystem::path path_argument(py::handle value, const char* name)
{
    const auto encoded = py::cast<std::string>(py::module_::import("os").attr("fsencode")(value));
    if (encoded.find('\0') != std::string::npos)
        reject("{}: it has a character of code 0, which no file name can have", name);
    return encoded;
}

inline py::object path_to_python(const std::filesystem::path& path)
{
    return py::module_::import("os").attr("fsdecode")(py::bytes(path.native()));
}

/// How an argument of type T is read: from what pybind11 hands over, `From`, by read(from, name). A type whose defaults
/// pybind11 does not know has shown(value) for signatures. Types without a specialisation are pybind11's own.
template <typename T>
struct Argument;

template <typename Type, auto Read>
struct ReadBy {
    using From = Type;
    static auto read(const From& value, const char* name) { return Read(value, name); }
};
template <>
struct Argument<Positions> : ReadBy<ArrayLike, positions_argument> {};
template <>
struct Argument<ConstPositions> : ReadBy<ArrayLike, positions_argument> {};
template <>
struct Argument<Eigen::VectorXd> : ReadBy<ArrayLike, vector_argument> {};
template <>
struct Argument<std::vector<bool>> : ReadBy<ArrayLike, flags_argument> {};
template <>
struct Argument<std::filesystem::path> : ReadBy<py::object, path_argument> {};
template <NamedEnum Enum>
struct Argument<Enum> {
    using From = py::object;
    static Enum read(const From& value, const char* name) { return enum_argument<Enum>(value, name); }
};

template <typename T>
concept IsRead = requires
{
    typename Argument<std::remove_cvref_t<T>>::From;
};

/// What pybind11 hands over for a parameter of type T, what is read from it, and how that is passed on.
template <typename T>
struct Crossing {
    using From = T;
    static T&& read(std::remove_reference_t<T>& value, const char*) { return static_cast<T&&>(value); }
    static T&& pass(std::remove_reference_t<T>& value) { return static_cast<T&&>(value); }
};
template <IsRead T>
struct Crossing<T> : Argument<std::remove_cvref_t<T>> {
    using From = const typename Argument<std::remove_cvref_t<T>>::From&;
    static auto&& pass(auto& value) { return std::move(value); }
};

/// A result as pybind11 can return it: vectors and matrices as arrays, enums as members, pairs of elements as tuples.
template <typename T>
auto to_python(T&& value)
{
    using Value = std::remove_cvref_t<T>;
    if constexpr (NamedEnum<Value>)
        return enum_member(value);
    else if constexpr (std::is_same_v<Value, Eigen::SparseMatrix<double>>)
        return to_scipy(std::forward<T>(value));
    else if constexpr (std::is_same_v<Value, std::filesystem::path>)
        return path_to_python(value);
    else if constexpr (std::is_same_v<Value, std::array<int, 2>>)
        return py::make_tuple(value[0], value[1]);
    else if constexpr (std::is_same_v<Value, std::span<const int>> || std::is_same_v<Value, std::span<const double>>)
        return to_numpy(value);
    else if constexpr (requires { requires bool(Value::IsVectorAtCompileTime); })
        return to_numpy(as_span(value));
    else if constexpr (requires { matrix_to_numpy(value); })
        return matrix_to_numpy(value);
    else
        return Value(std::forward<T>(value));
}

} // namespace abut::python
