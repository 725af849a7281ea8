// The tables of docs/scenes.md, from the table of scene keys.

#include "abut/io/scene_keys.hpp"
#include "abut/io/scene_schema.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace abut {

namespace {

std::string quoted(const std::vector<std::string>& words)
{
    std::vector<std::string> list;
    for (const std::string& word : words)
        list.push_back(fmt::format("`{}`", word));
    return fmt::format("{}", fmt::join(list, ", "));
}

std::string range_text(const JsonObject::Range& range)
{
    if (range.at_least == range.at_most)
        return fmt::format(": {}", range.at_least);
    std::string text;
    const auto add = [&](const char* sign, double bound) {
        if (std::isfinite(bound) && bound != max_scene_count)
            text += fmt::format("{} {} {}", text.empty() ? "" : " and", sign, bound);
    };
    add(">", range.above);
    add("≥", range.at_least);
    add("<", range.below);
    add("≤", range.at_most);
    return text;
}

std::string type_text(const SceneKey& key)
{
    switch (key.type) {
    case KeyType::number:
        return "number" + range_text(key.range);
    case KeyType::number_or_two:
        return "number or two" + range_text(key.range);
    case KeyType::number_or_word:
        return fmt::format(
            "{}{} or number{}", keys_below(key.path).empty() ? "" : "object, ", quoted(key.choices()),
            range_text(key.range));
    case KeyType::integer:
        return "whole number" + range_text(key.range);
    case KeyType::boolean:
        return "true or false";
    case KeyType::string:
        return "text";
    case KeyType::word:
        return quoted(key.choices());
    case KeyType::vector:
        return key.count == 0 ? "vector" : fmt::format("{} numbers{}", key.count, range_text(key.range));
    case KeyType::points:
        return "array of `[x, y]`";
    case KeyType::integers:
        return key.count == 0 ? "array of whole numbers" + range_text(key.range)
                              : fmt::format("{} whole numbers{}", key.count, range_text(key.range));
    case KeyType::name_pair:
        return "two texts";
    case KeyType::name_pairs:
        return "array of two texts each";
    case KeyType::pairs:
        return "array of [i, j]";
    case KeyType::names:
        return fmt::format("array of {} texts", key.count);
    case KeyType::object:
    case KeyType::one_of:
    case KeyType::geometry:
        return "object";
    case KeyType::objects:
        return "array of objects";
    case KeyType::selection:
        break;
    }
    return "selection";
}

std::string value_text(const nlohmann::json& value)
{
    if (value.is_number())
        return fmt::format("{}", value.get<double>());
    if (!value.is_array())
        return value.dump();
    std::vector<std::string> list;
    for (const nlohmann::json& each : value)
        list.push_back(value_text(each));
    return fmt::format("[{}]", fmt::join(list, ", "));
}

std::string default_text(const SceneKey& key)
{
    if (key.is_required)
        return key.fallback_words.empty() ? "must be given" : fmt::format("this or {}", key.fallback_words);
    if (!key.fallback_words.empty())
        return key.fallback_words;
    return key.fallback.is_null() ? "" : fmt::format("`{}`", value_text(key.fallback));
}

std::string row(const SceneKey& key, const std::string& name)
{
    const std::string unit = key.unit.empty() ? "" : fmt::format(" [{}]", key.unit);
    const std::string limits = key.only_for.empty() ? "" : fmt::format(" {}", limits_of(key));
    return fmt::format(
        "| `{}` | {}{} | {} | {}{} |\n", name, type_text(key), unit, default_text(key), key.meaning, limits);
}

/// The keys that begin with one of the prefixes. Their common beginning `hidden` is not shown.
std::string table(const std::vector<std::string>& prefixes, const std::string& hidden = "")
{
    std::string text = "| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const SceneKey& key : scene_keys()) {
        const bool is_here = std::any_of(
            prefixes.begin(), prefixes.end(), [&](const std::string& prefix) { return key.path.starts_with(prefix); });
        const bool is_of_shape = key.path.starts_with("objects[].geometry.") && !key.only_for.empty();
        if (is_here && !is_of_shape)
            text += row(key, key.path.substr(hidden.size()));
    }
    return text;
}

/// The keys of the whole scene, and those below that have no table of their own.
std::string scene_table()
{
    std::string text = "| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const SceneKey* key : keys_below("")) {
        text += row(*key, key->path);
        for (const std::string below : {".", "[]."})
            if (key->name() == "planes" || key->name() == "output")
                for (const SceneKey& each : scene_keys())
                    if (each.path.starts_with(key->path + below))
                        text += row(each, each.path);
    }
    return text;
}

std::string shape_table()
{
    std::string text = "| shape | what it is | keys and their defaults, lengths in m |\n|---|---|---|\n";
    for (const SceneShape& shape : scene_shapes()) {
        std::vector<std::string> keys;
        for (const SceneKey* key : keys_below("objects[].geometry"))
            if (!key->only_for.empty() && key->is_for(shape.name))
                keys.push_back(fmt::format("`{}`: {}", key->name(), value_text(key->fallback)));
        text += fmt::format("| `{}` | {} | {} |\n", shape.name, shape.meaning, fmt::join(keys, ", "));
    }
    return text;
}

} // namespace

std::vector<SceneTable> scene_tables()
{
    return {
        {"scene", scene_table()},
        {"objects", table({"objects[]."}, "objects[].")},
        {"shapes", shape_table()},
        {"selections", table({"selection."}, "selection.")},
        {"scripts", table({"scripts[]."}, "scripts[].")},
        {"stitches", table({"stitches[]."}, "stitches[].")},
        {"contact", table({"contact."})},
        {"time and solver", table({"time.", "solver."})}};
}

} // namespace abut
