#pragma once
// Things that a scene chooses by name: integrators, linear solvers, further energies. Each is made by a function that
// is registered once, at the start of a program; simulations made from then on know it.

#include "abut/base/error.hpp"
#include "abut/base/suggest.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace abut {

template <typename Make>
class Registry {
public:
    explicit Registry(std::vector<std::pair<std::string, Make>> entries) : entries_(std::move(entries)) {}

    /// Throws InvalidInput where the name is taken.
    void add(std::string name, Make make)
    {
        if (find(name) != nullptr)
            reject("'{}' is registered already; choose another name", name);
        entries_.emplace_back(std::move(name), std::move(make));
    }
    /// False where there is no such name.
    bool remove(std::string_view name)
    {
        return std::erase_if(entries_, [&](const auto& entry) { return entry.first == name; }) > 0;
    }

    /// Null where there is none.
    [[nodiscard]] const Make* find(std::string_view name) const
    {
        const auto at =
            std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry.first == name; });
        return at == entries_.end() ? nullptr : &at->second;
    }

    /// Where there is none, throws InvalidInput; the message begins with `field` and lists the known names.
    [[nodiscard]] const Make& at(std::string_view name, std::string_view field) const
    {
        if (const Make* found = find(name))
            return *found;
        const std::vector<std::string> known = names();
        const std::string near = nearest_word(name, known);
        reject(
            "{}: '{}' is not one of {}{}", field, name, fmt::join(known, ", "),
            near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
    }

    /// In the order of registration.
    [[nodiscard]] std::vector<std::string> names() const
    {
        std::vector<std::string> list;
        for (const auto& [name, make] : entries_)
            list.push_back(name);
        return list;
    }

    [[nodiscard]] auto begin() const { return entries_.begin(); }
    [[nodiscard]] auto end() const { return entries_.end(); }

private:
    std::vector<std::pair<std::string, Make>> entries_;
};

} // namespace abut
