#pragma once
// How functions and classes are bound. A function of `const Positions&` takes what numpy can read and names the
// argument when it rejects it; one that returns a vector returns an array (border.hpp); one of a struct of options
// takes its fields (options.hpp).
//
// The order of what describes a function is: name, arguments as for pybind11, docstring, the function.

#include "options.hpp"

#include <functional>

namespace abut::python {

/// Among the arguments: the function must not touch Python objects, and other Python threads may run meanwhile.
inline constexpr struct Unlocked {
} unlocked;

namespace detail {

template <typename... T>
struct List {
    static constexpr std::size_t size = sizeof...(T);
};

/// Parameters of what can be called; a method has its object first.
template <typename F>
struct Parameters {
    using type = typename Parameters<decltype(&F::operator())>::without_object;
};
template <typename R, typename... P>
struct Parameters<R (*)(P...)> {
    using type = List<P...>;
};
template <typename R, typename C, typename... P>
struct Parameters<R (C::*)(P...)> {
    using without_object = List<P...>;
    using type = List<C&, P...>;
};
template <typename R, typename C, typename... P>
struct Parameters<R (C::*)(P...) const> : Parameters<R (C::*)(P...)> {
    using type = List<const C&, P...>;
};

template <typename T>
inline constexpr bool is_option = false;
template <auto Member, bool is_required>
inline constexpr bool is_option<Option<Member, is_required>> = true;
template <typename T>
inline constexpr bool is_argument = std::is_base_of_v<py::arg, T>;

template <typename... Extra>
constexpr auto options_among()
{
    return []<typename... O>(const std::tuple<O...>&) {
        return List<O...>();
    }(std::tuple_cat(std::conditional_t<is_option<Extra>, std::tuple<Extra>, std::tuple<>>()...));
}

/// Where the struct of options is among the parameters of a function.
template <typename F, typename... Extra>
constexpr std::size_t options_position()
{
    std::size_t behind = 0;
    bool is_behind = false;
    ((is_behind |= is_option<Extra>, behind += is_behind && is_argument<Extra>), ...);
    return Parameters<F>::type::size - 1 - behind;
}

/// Extras, of which some may be tuples of others, one by one.
template <typename Extra>
auto flat(const Extra& extra)
{
    if constexpr (requires { std::tuple_size<Extra>::value; })
        return std::apply([](const auto&... inner) { return std::tuple_cat(flat(inner)...); }, extra);
    else
        return std::tuple<std::decay_t<Extra>>(extra);
}

/// An extra as pybind11 has it, if it does.
template <typename Extra>
auto known_to_pybind(const Extra& extra)
{
    if constexpr (is_option<Extra>)
        return std::tuple(Extra::argument());
    else if constexpr (std::is_same_v<Extra, Unlocked>)
        return std::tuple<>();
    else if constexpr (std::is_same_v<Extra, std::string>)
        return std::tuple(extra.c_str());
    else
        return std::tuple<Extra>(extra);
}

/// The function with the fields of its options in place of their struct, which is its parameter number `first`.
template <std::size_t first, typename F, typename... P, typename... Options>
auto with_fields(F function, List<P...>, List<Options...>)
{
    using All = std::tuple<P...>;
    return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>)
    {
        return [function](
                   std::tuple_element_t<I, All>... before, typename Options::Parameter... fields,
                   std::tuple_element_t<first + 1 + J, All>... after) {
            std::remove_cvref_t<std::tuple_element_t<first, All>> options{};
            (Options::set(options, std::move(fields)), ...);
            return std::invoke(
                function, std::forward<decltype(before)>(before)..., options, std::forward<decltype(after)>(after)...);
        };
    }
    (std::make_index_sequence<first>(), std::make_index_sequence<sizeof...(P) - first - 1>());
}

/// The function as pybind11 calls it; `names` are those of its last parameters.
template <bool is_unlocked, typename F, typename... P, std::size_t... I>
auto across_border(F function, List<P...>, std::vector<const char*> names, std::index_sequence<I...>)
{
    names.insert(names.begin(), sizeof...(P) - names.size(), "self");
    return [function, names](typename Crossing<P>::From... from) {
        // In braces, so that they are read in order.
        std::tuple<decltype(Crossing<P>::read(from, ""))...> arguments{Crossing<P>::read(from, names[I])...};
        const auto call = [&]() -> decltype(auto) {
            return std::invoke(function, Crossing<P>::pass(std::get<I>(arguments))...);
        };
        if constexpr (std::is_void_v<decltype(call())>)
            is_unlocked ? without_gil(call) : call();
        else if constexpr (is_unlocked)
            return to_python(without_gil(call));
        else
            return to_python(call());
    };
}

/// Calls define(function, extras...) with both as pybind11 wants them.
template <typename Define, typename F, typename... Extra>
void define(Define define, F function, const std::tuple<Extra...>& given)
{
    const auto extras = std::apply([](const auto&... e) { return std::tuple_cat(known_to_pybind(e)...); }, given);
    std::vector<const char*> names;
    const auto add_name = [&]<typename E>(const E& extra) {
        if constexpr (is_argument<E>)
            names.push_back(extra.name);
    };
    std::apply([&](const auto&... extra) { (add_name(extra), ...); }, extras);
    const auto add = [&](auto used) {
        using All = typename Parameters<decltype(used)>::type;
        const auto called = across_border<(std::is_same_v<Extra, Unlocked> || ...)>(
            used, All(), names, std::make_index_sequence<All::size>());
        std::apply([&](const auto&... extra) { define(called, extra...); }, extras);
    };
    if constexpr ((is_option<Extra> || ...))
        add(with_fields<options_position<F, Extra...>()>(
            function, typename Parameters<F>::type(), decltype(options_among<Extra...>())()));
    else
        add(function);
}

/// The same with the function behind its extras.
template <typename Define, typename... Described>
void define_described(Define define, Described... described)
{
    const std::tuple all(described...);
    constexpr std::size_t last = sizeof...(Described) - 1;
    [&]<std::size_t... I>(std::index_sequence<I...>)
    {
        detail::define(define, std::get<last>(all), std::tuple_cat(flat(std::get<I>(all))...));
    }
    (std::make_index_sequence<last>());
}

} // namespace detail

/// Defines a function of a module.
template <typename... Described>
void def(py::module_& module, const char* name, Described... described)
{
    detail::define_described([&](const auto&... all) { module.def(name, all...); }, described...);
}

/// A class of pybind11 whose methods and properties cross the border by their types.
template <typename T, typename... More>
class Class : public py::class_<T, More...> {
public:
    using Base = py::class_<T, More...>;

    Class(py::module_& module, const char* name, const char* doc) : Base(module, name, doc), name_(name) {}

    template <typename... Described>
    void def(const char* name, Described... described)
    {
        Base& base = *this;
        detail::define_described([&](const auto&... all) { base.def(name, all...); }, described...);
    }
    template <typename... Described>
    void def_static(const char* name, Described... described)
    {
        Base& base = *this;
        detail::define_described([&](const auto&... all) { base.def_static(name, all...); }, described...);
    }
    /// A constructor, by a function that makes the object.
    template <typename... Described>
    void init(Described... described)
    {
        Base& base = *this;
        detail::define_described(
            [&](const auto& make, const auto&... extra) { base.def(py::init(make), extra...); }, described...);
    }

    /// A property that is computed or copied: of a member, a method without arguments, or a function of the object.
    template <typename Get>
    void get(const char* name, const char* doc, Get of)
    {
        Base::def_property_readonly(
            name, [of](const T& self) { return to_python(std::invoke(of, self)); }, doc);
    }
    /// A property that is a read-only view of an array that the object, which never changes, owns.
    template <typename Get>
    void view(const char* name, const char* doc, Get of)
    {
        Base::def_property_readonly(
            name,
            [of](const py::object& self) {
                decltype(auto) array = std::invoke(of, py::cast<const T&>(self));
                static_assert(std::is_reference_v<decltype(array)> || requires { array.subspan(0); });
                return python::view(array, self);
            },
            doc);
    }

    /// What stands behind the name of the class in __repr__.
    template <typename Describe>
    void repr(Describe describe)
    {
        Base::def("__repr__", [describe, name = name_](const T& self) {
            return fmt::format("<abut.{}: {}>", name, std::invoke(describe, self));
        });
    }

    /// How it is pickled: to a tuple, and from one.
    template <typename To, typename From>
    void pickle(To to, From from)
    {
        Base::def(py::pickle(to, from));
    }

private:
    const char* name_;
};

} // namespace abut::python
