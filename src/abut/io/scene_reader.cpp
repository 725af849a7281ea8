#include "abut/io/scene_reader.hpp"

#include "abut/base/error.hpp"

namespace abut {

namespace {

Vec3 default_vector(const SceneKey& key)
{
    Vec3 vector = Vec3::Zero();
    for (std::size_t i = 0; i < key.fallback.size(); ++i)
        vector[static_cast<Eigen::Index>(i)] = key.fallback[i].get<double>();
    return vector;
}

} // namespace

const SceneKey& SceneReader::key(const std::string& name) const
{
    return scene_key(path_.empty() ? name : path_ + "." + name, variant_);
}

void SceneReader::refuse_size(const std::string& name, double number, const char* how, double bound) const
{
    const std::string& unit = key(name).unit;
    reject_value(
        name, fmt::format(
                  "{:.4g} is too {} to compute with; give at {} {}{}{}", number, how, number > bound ? "most" : "least",
                  bound, unit.empty() ? "" : " ", unit));
}

void SceneReader::check_size(const std::string& name, double number) const
{
    if (std::abs(number) > largest_scene_number)
        refuse_size(name, number, "large", std::copysign(largest_scene_number, number));
}

std::optional<double> SceneReader::optional_number(const std::string& name)
{
    const std::optional<double> number = JsonObject::optional_number(name, key(name).range);
    if (number)
        check_size(name, *number);
    if (number && key(name).range.above == 0 && *number < smallest_scene_number)
        refuse_size(name, *number, "small", smallest_scene_number);
    return number;
}

double SceneReader::number(const std::string& name)
{
    return optional_number(name).value_or(key(name).fallback.get<double>());
}

int SceneReader::integer(const std::string& name)
{
    const JsonObject::Range& range = key(name).range;
    return JsonObject::integer(
        name, key(name).fallback.get<int>(), static_cast<int>(range.at_least), static_cast<int>(range.at_most));
}

std::optional<int> SceneReader::optional_integer(const std::string& name)
{
    const JsonObject::Range& range = key(name).range;
    const bool is_given = has(name);
    const int value = JsonObject::integer(
        name, static_cast<int>(range.at_least), static_cast<int>(range.at_least), static_cast<int>(range.at_most));
    return is_given ? std::optional<int>(value) : std::nullopt;
}

bool SceneReader::boolean(const std::string& name) { return JsonObject::boolean(name, key(name).fallback.get<bool>()); }

Vec2 SceneReader::number_or_two(const std::string& name)
{
    if (const nlohmann::json* value = take(name); value == nullptr || !value->is_array())
        return Vec2::Constant(number(name));
    else if (value->size() != 2 || !(*value)[0].is_number() || !(*value)[1].is_number())
        reject_value(name, "expected a number, or an array of two numbers");
    else {
        // Each as if it stood alone
        Vec2 two;
        for (int k = 0; k < 2; ++k) {
            const nlohmann::json one = {{name, (*value)[k]}};
            SceneReader reader(one, pointer(), path_);
            reader.use_variant(variant_);
            two[k] = reader.number(name);
        }
        return two;
    }
}

std::string SceneReader::word(const std::string& name) { return JsonObject::word(name, key(name).choices()); }

Vec3 SceneReader::vector_of(const std::string& name, const Vec3& fallback, Eigen::Index count, const char* of)
{
    const nlohmann::json* value = take(name);
    if (value != nullptr && value->is_array() && static_cast<Eigen::Index>(value->size()) == 5 - count)
        reject_value(name, fmt::format("{} has {} numbers; {} needs {}", value->dump(), 5 - count, of, count));
    if (value == nullptr)
        return fallback; // which may be infinite
    const Vec3 given = JsonObject::vector(name, fallback);
    for (const double number : given)
        check_size(name, number);
    return given;
}

Vec3 SceneReader::vector(const std::string& name, Eigen::Index dim)
{
    return vector(name, dim, default_vector(key(name)));
}

Vec3 SceneReader::vector(const std::string& name, Eigen::Index dim, const Vec3& fallback)
{
    return vector_of(name, fallback, dim, dim == 2 ? "a scene in the plane" : "a scene in space");
}

Vec3 SceneReader::vector(const std::string& name, const char* of)
{
    return vector_of(name, default_vector(key(name)), key(name).count, of);
}

std::vector<Vec2> SceneReader::points(const std::string& name)
{
    std::vector<Vec2> fallback;
    for (const nlohmann::json& point : key(name).fallback)
        fallback.emplace_back(point[0].get<double>(), point[1].get<double>());
    const std::vector<Vec2> given = JsonObject::points(name, fallback);
    for (const Vec2& point : given)
        for (const double number : point)
            check_size(name, number);
    return given;
}

std::vector<int> SceneReader::counted_integers(const std::string& name)
{
    const SceneKey& expected = key(name);
    const std::vector<int> given = indices(name);
    if (given.empty())
        return expected.fallback.get<std::vector<int>>();
    if (static_cast<int>(given.size()) != expected.count)
        reject_value(name, fmt::format("expected {} whole numbers", expected.count == 2 ? "two" : "three"));
    return given;
}

std::vector<int> SceneReader::indices(const std::string& name)
{
    return JsonObject::integers(name, static_cast<int>(key(name).range.at_least));
}

std::array<std::string, 2> SceneReader::name_pair(const nlohmann::json& value, const std::string& place)
{
    if (!value.is_array() || value.size() != 2 || !value[0].is_string() || !value[1].is_string())
        reject(R"({}: expected two names, ["a", "b"], got {})", place, value.dump());
    return {value[0].get<std::string>(), value[1].get<std::string>()};
}

std::array<std::string, 2> SceneReader::name_pair(const std::string& name)
{
    const nlohmann::json* value = take(name);
    if (value == nullptr)
        reject_value(name, R"(missing; expected two names, ["a", "b"])");
    return name_pair(*value, pointer(name));
}

std::vector<std::array<std::string, 2>> SceneReader::name_pairs(const std::string& name)
{
    const nlohmann::json* value = take(name);
    std::vector<std::array<std::string, 2>> pairs;
    if (value == nullptr)
        return pairs;
    if (!value->is_array())
        reject_value(name, fmt::format(R"(expected an array of pairs of names, [["a", "b"]], got {})", value->dump()));
    for (const nlohmann::json& each : *value)
        pairs.push_back(name_pair(each, fmt::format("{}/{}", pointer(name), pairs.size())));
    return pairs;
}

std::optional<SceneReader> SceneReader::object(const std::string& name)
{
    const nlohmann::json* value = take(name);
    if (value == nullptr)
        return std::nullopt;
    return SceneReader(*value, pointer(name), key(name).path);
}

std::vector<SceneReader> SceneReader::objects(const std::string& name)
{
    std::vector<SceneReader> list;
    for (const JsonObject& each : JsonObject::objects(name))
        list.emplace_back(each.value(), each.pointer(), key(name).path + "[]");
    return list;
}

} // namespace abut
