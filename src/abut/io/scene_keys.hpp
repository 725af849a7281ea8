#pragma once
// Every key of a scene: type, unit, range, default, choices and a sentence. The parser, the JSON Schema that
// `abut schema` prints and the tables of docs/scenes.md are all made from this one table.
//
// A path is "contact.friction.eps_v"; "objects[]" stands for each element of the array "objects". Selections of
// vertices are described once, under "selection". A key may have several entries that are for different variants:
// contact models, kinds of objects or shapes. The first entry of a key allows all that the others do.

#include "abut/io/json_object.hpp"

#include <cmath>
#include <span>

namespace abut {

enum class KeyType : std::uint8_t {
    number,
    number_or_two,  ///< a number, or an array of two
    number_or_word, ///< a number, or one of the words; or an object, where there are keys at path + "."
    integer,
    boolean,
    string,
    word,       ///< one of the words
    vector,     ///< `count` numbers; 0: as many as the scene has dimensions
    points,     ///< an array of [x, y]
    integers,   ///< an array of `count` whole numbers; 0: any number of them
    pairs,      ///< an array of [i, j], whole numbers
    names,      ///< an array of `count` texts
    name_pair,  ///< an array of two texts
    name_pairs, ///< an array of such arrays
    object,     ///< its keys are at path + "."
    one_of,     ///< an object with exactly one of its keys
    objects,    ///< an array of objects; their keys are at path + "[]."
    geometry,   ///< a file, or a shape with its own keys
    selection,  ///< "all", or an object as described at "selection"
};

struct SceneKey {
    std::string path;
    KeyType type = KeyType::number;
    std::string unit{};
    JsonObject::Range range{}; ///< of a number, or of each number of an array
    /// The default; null where it is no value. A value that depends on other keys has words too.
    nlohmann::json fallback{};
    std::string fallback_words{}; ///< the default, where a value does not say it
    std::vector<std::string> words{};
    std::vector<std::string> (*registered_words)() = nullptr; ///< words that a registry knows
    std::vector<std::string> only_for{};                      ///< variants that have the key; empty: all
    bool is_required = false;
    int count = 0;         ///< of the numbers of a vector or array
    std::string meaning{}; ///< a sentence; it may have links of Markdown

    [[nodiscard]] std::string name() const { return path.substr(path.rfind('.') + 1); }
    [[nodiscard]] std::vector<std::string> choices() const
    {
        return registered_words != nullptr ? registered_words() : words;
    }
    [[nodiscard]] bool is_for(std::string_view variant) const;
};

/// A shape that `geometry.generate` names; its keys are those of "objects[].geometry" that are for it.
struct SceneShape {
    std::string name, meaning;
};

/// The largest count of anything in a scene.
inline constexpr int max_scene_count = 100'000'000;

/// No number of a scene is larger than this, and none that must be above 0 is smaller: what is computed from them, such
/// as squares of lengths over squares of times, is then far from where doubles end.
inline constexpr double largest_scene_number = 1e30, smallest_scene_number = 1e-30;

/// All keys, in the order of the documentation.
[[nodiscard]] std::span<const SceneKey> scene_keys();
[[nodiscard]] std::span<const SceneShape> scene_shapes();

/// The entry of a path, for a variant where there are several. A path that is not in the table is a bug.
[[nodiscard]] const SceneKey& scene_key(std::string_view path, std::string_view variant = {});

/// The entries directly below a path, "" for the whole scene.
[[nodiscard]] std::vector<const SceneKey*> keys_below(std::string_view path);

/// The names of the keys directly below a path that a variant does not have.
[[nodiscard]] std::vector<std::string> names_not_for(std::string_view path, std::string_view variant);

/// "Only for `gcp`." or "Not for `gcp`.", whichever is shorter; nothing where all variants have the key.
[[nodiscard]] std::string limits_of(const SceneKey& key);

// Parts of the table, each in a file of its own.
[[nodiscard]] std::vector<SceneKey> object_keys();
[[nodiscard]] std::vector<SceneKey> load_keys();
[[nodiscard]] std::vector<SceneKey> shape_keys();
[[nodiscard]] std::vector<SceneKey> script_keys();
[[nodiscard]] std::vector<SceneKey> stitch_keys();
[[nodiscard]] std::vector<SceneKey> contact_keys();

} // namespace abut
