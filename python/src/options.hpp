#pragma once
// Structs of options as arguments: each field is one, by its own name and default.

#include "border.hpp"

#include <tuple>

namespace abut::python {

/// The parameter that a field of type T of a struct is read as.
template <typename Struct, typename T>
struct FieldParameter {
    using type = T;
};

/// The name of a member, out of the compiler's own words.
template <auto Member>
struct MemberName {
    static constexpr auto find()
    {
        std::string_view text = __PRETTY_FUNCTION__; // "... [with auto Member = &abut::Options::dhat]"
        text.remove_prefix(text.find("Member = "));
        text = text.substr(0, text.find_first_of(";])"));
        return text.substr(text.rfind(':') + 1);
    }
    static constexpr auto characters = [] {
        std::array<char, find().size() + 1> copy{};
        find().copy(copy.data(), find().size());
        return copy;
    }();
};

static_assert(MemberName<&std::pair<int, double>::second>::find() == "second");

template <auto Member, bool is_required>
struct Option {
    template <typename S, typename T>
    static std::tuple<S, T, typename FieldParameter<S, T>::type> types(T S::*);
    using Types = decltype(types(Member));
    using Struct = std::tuple_element_t<0, Types>;
    using Parameter = std::tuple_element_t<2, Types>;

    static void set(Struct& options, Parameter&& value) { options.*Member = std::move(value); }

    static auto argument()
    {
        const char* const name = MemberName<Member>::characters.data();
        using T = std::tuple_element_t<1, Types>;
        if constexpr (is_required)
            return py::arg(name);
        else if constexpr (NamedEnum<T>) {
            static const std::string shown = fmt::format("{}.{}", enum_names<T>.type, name_of(Struct{}.*Member));
            return py::arg_v(name, enum_member(Struct{}.*Member), shown.c_str());
        } else if constexpr (requires(T value) { Argument<Parameter>::shown(value); })
            return py::arg_v(name, Argument<Parameter>::shown(Struct{}.*Member));
        else
            return py::arg_v(name, Struct{}.*Member);
    }
};

/// Fields of a struct as arguments: together they stand for the function's one parameter of the struct's type.
template <auto... Member>
inline constexpr std::tuple<Option<Member, false>...> options{};
/// The same without defaults.
template <auto... Member>
inline constexpr std::tuple<Option<Member, true>...> required{};

} // namespace abut::python
