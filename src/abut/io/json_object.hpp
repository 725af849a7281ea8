#pragma once
// JSON that must be right: every value is asked for by name, type and range, errors name its JSON pointer, and what
// nobody asked for is an error with the nearest word that would have been right.

#include "abut/math/types.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// Parses strict JSON (RFC 8259; a byte-order mark is accepted). Rejects with the line and column: what is no JSON, a
/// key that comes twice, numbers that are no finite double, nesting deeper than 64.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& name);

/// An object of a JSON text whose keys are taken one by one. Call finish() when all are.
class JsonObject {
public:
    /// `pointer`: where it is, "" for the whole text.
    JsonObject(const nlohmann::json& value, std::string pointer);

    struct Range {
        double above = -INFINITY;    ///< exclusive
        double at_least = -INFINITY; ///< inclusive
        double below = INFINITY;     ///< exclusive
        double at_most = INFINITY;   ///< inclusive
    };
    static constexpr Range positive() { return {.above = 0}; }
    static constexpr Range not_negative() { return {.at_least = 0}; }

    [[nodiscard]] bool has(const std::string& key) const { return value_.contains(key); }
    [[nodiscard]] const nlohmann::json& value() const { return value_; }
    [[nodiscard]] const std::string& pointer() const { return pointer_; }
    [[nodiscard]] std::string pointer(const std::string& key) const { return pointer_ + "/" + key; }

    [[nodiscard]] std::optional<double> optional_number(const std::string& key, const Range& range);
    [[nodiscard]] double number(const std::string& key, double fallback, const Range& range);
    [[nodiscard]] int integer(const std::string& key, int fallback, int least, int most);
    [[nodiscard]] bool boolean(const std::string& key, bool fallback);
    [[nodiscard]] std::string string(const std::string& key, const std::string& fallback);
    /// One of the words; the first is the default.
    [[nodiscard]] std::string word(const std::string& key, const std::vector<std::string>& words);
    /// Three numbers, or two with z = 0.
    [[nodiscard]] Vec3 vector(const std::string& key, const Vec3& fallback);
    /// An array of pairs of numbers; `fallback` where it is not there.
    [[nodiscard]] std::vector<Vec2> points(const std::string& key, const std::vector<Vec2>& fallback);
    [[nodiscard]] std::vector<int> integers(const std::string& key, int least);
    /// The value of a key, taken; null where it is not there.
    [[nodiscard]] const nlohmann::json* take(const std::string& key);
    [[nodiscard]] std::optional<JsonObject> object(const std::string& key);
    /// The objects of an array.
    [[nodiscard]] std::vector<JsonObject> objects(const std::string& key);

    /// Rejects the keys that were not taken.
    void finish() const;

    [[noreturn]] void reject_value(const std::string& key, const std::string& what) const;

private:
    const nlohmann::json& value_;
    std::string pointer_;
    std::vector<std::string> known_; // keys that were asked for, there or not
};

} // namespace abut
