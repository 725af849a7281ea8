#include "abut/io/scene_schema.hpp"

#include "abut/io/scene_keys.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <regex>

namespace abut {

namespace {

using Json = nlohmann::ordered_json;

/// A sentence without the links of Markdown.
std::string plain(const std::string& text)
{
    static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
    return std::regex_replace(text, link, "$1");
}

std::string describe(const SceneKey& key)
{
    std::string text = plain(key.meaning);
    if (!key.unit.empty())
        text += fmt::format(" Unit: {}.", key.unit);
    if (!key.only_for.empty() && !key.path.starts_with("objects[].geometry."))
        text += fmt::format(" {}", limits_of(key));
    if (!key.fallback_words.empty() && !key.is_required)
        text += fmt::format(" Default: {}.", plain(key.fallback_words));
    return text;
}

void add_range(Json& schema, const JsonObject::Range& range)
{
    const auto add = [&](const char* name, double bound) {
        if (!std::isfinite(bound))
            return;
        if (bound == std::floor(bound))
            schema[name] = static_cast<std::int64_t>(bound);
        else
            schema[name] = bound;
    };
    add("exclusiveMinimum", range.above);
    add("minimum", range.at_least);
    add("exclusiveMaximum", range.below);
    add("maximum", range.at_most);
}

Json number_schema(const char* type, const JsonObject::Range& range)
{
    Json schema{{"type", type}};
    add_range(schema, range);
    return schema;
}

/// Whole numbers of an array; where a count is expected, an empty array stands for the default.
Json integers_schema(const SceneKey& key)
{
    JsonObject::Range range = key.range;
    range.at_most = std::numeric_limits<int>::max();
    Json schema{{"type", "array"}, {"items", number_schema("integer", range)}};
    if (key.count == 0)
        schema["minItems"] = 1;
    else {
        schema["maxItems"] = key.count;
        schema["not"] = {{"minItems", 1}, {"maxItems", key.count - 1}};
    }
    return schema;
}

Json vector_schema(const SceneKey& key)
{
    return {
        {"type", "array"},
        {"items", number_schema("number", key.range)},
        {"minItems", key.count == 0 ? 2 : key.count},
        {"maxItems", key.count == 0 ? 3 : key.count}};
}

Json name_pair_schema()
{
    return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 2}, {"maxItems", 2}};
}

Json object_schema(const std::vector<const SceneKey*>& keys);
Json members_schema(const std::string& path);
Json geometry_schema(const std::string& path);

/// Exactly one of the keys below a path.
Json one_of_schema(const std::string& path)
{
    Json variants = Json::array();
    for (const SceneKey* key : keys_below(path)) {
        Json variant = object_schema({key});
        variant["required"] = Json::array({key->name()});
        variants.push_back(variant);
    }
    return variants;
}

/// What a value must be.
Json value_schema(const SceneKey& key)
{
    switch (key.type) {
    case KeyType::number:
        return number_schema("number", key.range);
    case KeyType::number_or_two: {
        const Json number = number_schema("number", key.range);
        const Json two{{"type", "array"}, {"items", number}, {"minItems", 2}, {"maxItems", 2}};
        return {{"anyOf", Json::array({number, two})}};
    }
    case KeyType::number_or_word: {
        Json variants = Json::array({number_schema("number", key.range), Json{{"enum", key.choices()}}});
        if (!keys_below(key.path).empty())
            variants.push_back(members_schema(key.path));
        return {{"anyOf", variants}};
    }
    case KeyType::integer:
        return number_schema("integer", key.range);
    case KeyType::boolean:
        return {{"type", "boolean"}};
    case KeyType::string:
        return {{"type", "string"}};
    case KeyType::word:
        return {{"type", "string"}, {"enum", key.choices()}};
    case KeyType::vector:
        return vector_schema(key);
    case KeyType::points: {
        const Json point{{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 2}, {"maxItems", 2}};
        return {{"type", "array"}, {"items", point}};
    }
    case KeyType::integers:
        return integers_schema(key);
    case KeyType::name_pair:
        return name_pair_schema();
    case KeyType::name_pairs:
        return {{"type", "array"}, {"items", name_pair_schema()}};
    case KeyType::pairs: {
        const Json pair{
            {"type", "array"}, {"items", number_schema("integer", key.range)}, {"minItems", 2}, {"maxItems", 2}};
        return {{"type", "array"}, {"items", pair}, {"minItems", 1}};
    }
    case KeyType::names:
        return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", key.count}, {"maxItems", key.count}};
    case KeyType::object:
        return members_schema(key.path);
    case KeyType::one_of: {
        Json variants = one_of_schema(key.path);
        variants.insert(variants.begin(), Json{{"enum", {"all"}}});
        return {{"oneOf", variants}};
    }
    case KeyType::objects: {
        Json schema{{"type", "array"}, {"items", members_schema(key.path + "[]")}};
        if (key.is_required || key.name() == "keyframes")
            schema["minItems"] = 1;
        return schema;
    }
    case KeyType::geometry:
        return geometry_schema(key.path);
    case KeyType::selection:
        break;
    }
    return {{"allOf", {Json{{"$ref", "#/definitions/selection"}}}}};
}

Json key_schema(const SceneKey& key)
{
    Json schema{{"description", describe(key)}};
    schema.update(value_schema(key));
    if (!key.fallback.is_null())
        schema["default"] = key.fallback;
    return schema;
}

/// An object that has these keys and no others.
Json object_schema(const std::vector<const SceneKey*>& keys)
{
    Json schema{{"type", "object"}, {"properties", Json::object()}};
    Json required = Json::array();
    for (const SceneKey* key : keys) {
        if (schema["properties"].contains(key->name()))
            continue; // the first entry of a key allows all that others do
        schema["properties"][key->name()] = key_schema(*key);
        if (key->is_required)
            required.push_back(key->name());
    }
    if (!required.empty())
        schema["required"] = required;
    schema["additionalProperties"] = false;
    return schema;
}

/// What a variant changes of the keys below a path: some are not allowed, some have other values.
Json variant_properties(const std::string& path, const std::string& variant)
{
    Json properties = Json::object();
    for (const std::string& name : names_not_for(path, variant))
        properties[name] = false;
    for (const SceneKey* key : keys_below(path)) {
        const std::string name = key->name();
        if (properties.contains(name))
            continue;
        const SceneKey& own = scene_key(key->path, variant);
        if (const Json value = value_schema(own); value != value_schema(scene_key(key->path)))
            properties[name] = value;
        else if (own.type == KeyType::object)
            if (const Json inner = variant_properties(key->path, variant); !inner.empty())
                properties[name] = {{"properties", inner}};
    }
    return properties;
}

/// "If the word is one of these, then the properties are those", for the words of the key that chooses a variant.
Json conditions(const std::string& path, const SceneKey& chooser)
{
    std::vector<std::pair<Json, std::vector<std::string>>> groups; // words by what they change
    for (const std::string& word : chooser.choices()) {
        const Json properties = variant_properties(path, word);
        const auto same =
            std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == properties; });
        if (same != groups.end())
            same->second.push_back(word);
        else if (!properties.empty())
            groups.emplace_back(properties, std::vector{word});
    }
    Json list = Json::array();
    for (const auto& [properties, words] : groups) {
        Json condition{{"properties", {{chooser.name(), {{"enum", words}}}}}};
        // Where the key is missing, its default counts.
        if (std::none_of(words.begin(), words.end(), [&](const auto& word) { return chooser.fallback == word; }))
            condition["required"] = Json::array({chooser.name()});
        list.push_back({{"if", condition}, {"then", {{"properties", properties}}}});
    }
    return list;
}

Json members_schema(const std::string& path)
{
    Json schema = object_schema(keys_below(path));
    if (path == "contact")
        schema["allOf"] = conditions(path, scene_key("contact.model"));
    if (path == "objects[]")
        schema["allOf"] = conditions(path, scene_key("objects[].kind"));
    return schema;
}

Json geometry_schema(const std::string& path)
{
    Json variants = Json::array();
    const SceneKey &file = scene_key(path + ".file"), &generate = scene_key(path + ".generate");
    variants.push_back(object_schema({&file, &scene_key(path + ".in_plane")}));
    for (const SceneShape& shape : scene_shapes()) {
        SceneKey name = generate;
        name.words = {shape.name};
        name.meaning = shape.meaning;
        std::vector<const SceneKey*> keys{&name};
        for (const SceneKey* key : keys_below(path))
            if (!key->only_for.empty() && key->is_for(shape.name))
                keys.push_back(key);
        variants.push_back(object_schema(keys));
    }
    return {{"oneOf", variants}};
}

} // namespace

std::string scene_schema()
{
    Json schema{
        {"$schema", "http://json-schema.org/draft-07/schema#"},
        {"title", "A scene of Abut"},
        {"description", "What `abut run` simulates. Units are SI."}};
    schema.update(members_schema(""));
    schema["definitions"] = {{"selection", key_schema(scene_key("selection"))}};
    return schema.dump(2) + "\n";
}

} // namespace abut
