#pragma once
// An object of a scene's JSON whose keys are in the table of scene keys: types, ranges, words and defaults come from
// there.

#include "abut/io/scene_keys.hpp"

#include <algorithm>
#include <array>

namespace abut {

class SceneReader : public JsonObject {
public:
    /// `path`: where the table has its keys, "" for the whole scene.
    SceneReader(const nlohmann::json& value, std::string pointer, std::string path)
        : JsonObject(value, std::move(pointer)), path_(std::move(path))
    {}

    /// From now on keys are those of a contact model, kind of object or shape.
    void use_variant(std::string variant) { variant_ = std::move(variant); }
    /// The names of the keys here that the variant does not have.
    [[nodiscard]] std::vector<std::string> names_of_others() const { return names_not_for(path_, variant_); }
    [[nodiscard]] const SceneKey& key(const std::string& name) const;

    [[nodiscard]] std::optional<double> optional_number(const std::string& name);
    [[nodiscard]] double number(const std::string& name);
    /// A number, which counts for both, or two.
    [[nodiscard]] Vec2 number_or_two(const std::string& name);
    [[nodiscard]] int integer(const std::string& name);
    /// Nothing where it is left out.
    [[nodiscard]] std::optional<int> optional_integer(const std::string& name);
    [[nodiscard]] bool boolean(const std::string& name);
    [[nodiscard]] bool boolean(const std::string& name, bool fallback) { return JsonObject::boolean(name, fallback); }
    [[nodiscard]] std::string word(const std::string& name);
    /// A vector of the scene's dimensions; with z = 0 in the plane.
    [[nodiscard]] Vec3 vector(const std::string& name, Eigen::Index dim);
    [[nodiscard]] Vec3 vector(const std::string& name, Eigen::Index dim, const Vec3& fallback);
    /// A vector of as many numbers as the table says; `of` says whose.
    [[nodiscard]] Vec3 vector(const std::string& name, const char* of);
    [[nodiscard]] std::vector<Vec2> points(const std::string& name);
    /// As many whole numbers as the table says.
    template <std::size_t N>
    [[nodiscard]] std::array<int, N> integers(const std::string& name)
    {
        const std::vector<int> given = counted_integers(name);
        std::array<int, N> numbers;
        std::copy_n(given.begin(), N, numbers.begin());
        return numbers;
    }
    /// Any number of them.
    [[nodiscard]] std::vector<int> indices(const std::string& name);
    /// Two texts; `value` is that of the key, or of an entry of it, and `place` where it is.
    [[nodiscard]] static std::array<std::string, 2> name_pair(const nlohmann::json& value, const std::string& place);
    [[nodiscard]] std::array<std::string, 2> name_pair(const std::string& name);
    [[nodiscard]] std::vector<std::array<std::string, 2>> name_pairs(const std::string& name);
    [[nodiscard]] std::optional<SceneReader> object(const std::string& name);
    [[nodiscard]] std::vector<SceneReader> objects(const std::string& name);
    /// What a selection of vertices has instead of a word; `value` is that of the key `name`.
    [[nodiscard]] SceneReader selection(const nlohmann::json& value, const std::string& name) const
    {
        return {value, pointer(name), "selection"};
    }

private:
    /// Rejects what overflows when it is squared or multiplied by others.
    void check_size(const std::string& name, double number) const;
    [[noreturn]] void refuse_size(const std::string& name, double number, const char* how, double bound) const;
    [[nodiscard]] std::vector<int> counted_integers(const std::string& name);
    [[nodiscard]] Vec3 vector_of(const std::string& name, const Vec3& fallback, Eigen::Index count, const char* of);

    std::string path_, variant_;
};

} // namespace abut
