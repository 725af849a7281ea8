#include "abut/io/json_object.hpp"

#include "abut/base/error.hpp"
#include "abut/base/suggest.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace abut {

namespace {

constexpr int max_depth = 64;

/// Line and column of a byte, both from 1.
std::string place(std::string_view text, std::size_t byte)
{
    byte = std::min(byte, text.size());
    const std::string_view before = text.substr(0, byte);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    return fmt::format("line {}, column {}", line, byte - (start == std::string_view::npos ? 0 : start + 1) + 1);
}

/// Goes through a text and tells how far the parser has read.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}

    const char& operator*() const { return *at_; }
    CountingIterator& operator++()
    {
        *reached_ = ++at_;
        return *this;
    }
    CountingIterator operator++(int)
    {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

private:
    const char* at_;
    const char** reached_;
};

/// Builds the value and refuses what nlohmann::json would let pass.
class StrictReader : public nlohmann::json_sax<nlohmann::json> {
public:
    StrictReader(std::string_view text, const std::string& name, nlohmann::json& root)
        : text_(text), name_(name), builder_(root), reached_(text.data())
    {}

    void read()
    {
        nlohmann::json::sax_parse(
            CountingIterator(text_.data(), &reached_), CountingIterator(text_.data() + text_.size(), &reached_), this);
    }

    bool null() override { return builder_.null(); }
    bool boolean(bool value) override { return builder_.boolean(value); }
    bool number_integer(number_integer_t value) override { return builder_.number_integer(value); }
    bool number_unsigned(number_unsigned_t value) override { return builder_.number_unsigned(value); }
    bool number_float(number_float_t value, const string_t& token) override
    {
        return builder_.number_float(value, token);
    }
    bool string(string_t& value) override { return builder_.string(value); }
    bool binary(binary_t& value) override { return builder_.binary(value); }
    bool start_object(std::size_t elements) override
    {
        enter();
        keys_.emplace_back();
        return builder_.start_object(elements);
    }
    bool key(string_t& value) override
    {
        const std::size_t begin = begin_of_key();
        if (const auto [first, is_new] = keys_.back().emplace(value, begin); !is_new)
            reject(
                "{}: the key '{}' comes twice in one object, at {} and at {}; remove one of them", name_, value,
                place(text_, first->second), place(text_, begin));
        return builder_.key(value);
    }
    bool end_object() override
    {
        --depth_;
        keys_.pop_back();
        return builder_.end_object();
    }
    bool start_array(std::size_t elements) override
    {
        enter();
        return builder_.start_array(elements);
    }
    bool end_array() override
    {
        --depth_;
        return builder_.end_array();
    }
    bool parse_error(std::size_t byte, const std::string& token, const nlohmann::json::exception& error) override
    {
        std::string what = error.what();
        if (what.find("number overflow") != std::string::npos)
            reject("{}, {}: the number {} is not finite as a double", name_, place(text_, byte - 1), token);
        if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
            reject("{}: the file is empty", name_);
        // "[json.exception...] parse error at line 1, column 2: what": the place is told in our own words.
        if (const auto colon = what.find(": "); colon != std::string::npos)
            what = what.substr(colon + 2);
        reject("{}, {}: {}", name_, place(text_, byte == 0 ? 0 : byte - 1), what);
    }

private:
    void enter()
    {
        if (++depth_ > max_depth)
            reject("{}: nesting > {}", name_, max_depth);
    }

    /// Where the key begins whose closing quote was read last: at the last quote before it that is not escaped, that
    /// is, not behind an odd number of backslashes.
    [[nodiscard]] std::size_t begin_of_key() const
    {
        std::size_t at = static_cast<std::size_t>(reached_ - text_.data()) - 1;
        for (bool is_escaped = true; is_escaped && at > 0;) {
            at = text_.rfind('"', at - 1);
            const std::size_t before = at == 0 ? std::string_view::npos : text_.find_last_not_of('\\', at - 1);
            is_escaped = (at - (before + 1)) % 2 == 1;
        }
        return at;
    }

    std::string_view text_;
    const std::string& name_;
    nlohmann::detail::json_sax_dom_parser<nlohmann::json> builder_;
    std::vector<std::map<std::string, std::size_t>> keys_; // of the open objects, and where they begin
    const char* reached_;
    int depth_ = 0;
};

const char* type_name(const nlohmann::json& value)
{
    switch (value.type()) {
    case nlohmann::json::value_t::null:
        return "null";
    case nlohmann::json::value_t::object:
        return "an object";
    case nlohmann::json::value_t::array:
        return "an array";
    case nlohmann::json::value_t::string:
        return "a string";
    case nlohmann::json::value_t::boolean:
        return "true or false";
    default:
        return "a number";
    }
}

std::string describe(const JsonObject::Range& range)
{
    std::string text;
    const auto add = [&](bool is_there, const char* sign, double bound) {
        if (is_there)
            text += fmt::format("{}{} {}", text.empty() ? "" : " and ", sign, bound);
    };
    add(range.above > -INFINITY, ">", range.above);
    add(range.at_least > -INFINITY, ">=", range.at_least);
    add(range.below < INFINITY, "<", range.below);
    add(range.at_most < INFINITY, "<=", range.at_most);
    return text;
}

} // namespace

nlohmann::json parse_json(std::string_view text, const std::string& name)
{
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    nlohmann::json root;
    StrictReader reader(text, name, root);
    reader.read();
    return root;
}

JsonObject::JsonObject(const nlohmann::json& value, std::string pointer) : value_(value), pointer_(std::move(pointer))
{
    if (!value.is_object())
        reject("{}: expected an object {{...}}, got {}", pointer_.empty() ? "/" : pointer_, type_name(value));
}

void JsonObject::reject_value(const std::string& key, const std::string& what) const
{
    reject("{}: {}", pointer(key), what);
}

const nlohmann::json* JsonObject::take(const std::string& key)
{
    if (std::find(known_.begin(), known_.end(), key) == known_.end())
        known_.push_back(key);
    const auto found = value_.find(key);
    return found == value_.end() ? nullptr : &*found;
}

std::optional<double> JsonObject::optional_number(const std::string& key, const Range& range)
{
    const nlohmann::json* value = take(key);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_number())
        reject_value(key, fmt::format("expected a number, got {}: {}", type_name(*value), value->dump()));
    const double number = value->get<double>();
    if (!(number > range.above && number >= range.at_least && number < range.below && number <= range.at_most))
        reject_value(key, fmt::format("{} is out of range; it must be {}", value->dump(), describe(range)));
    return number;
}

double JsonObject::number(const std::string& key, double fallback, const Range& range)
{
    return optional_number(key, range).value_or(fallback);
}

int JsonObject::integer(const std::string& key, int fallback, int least, int most)
{
    const nlohmann::json* value = take(key);
    if (value == nullptr)
        return fallback;
    if (!value->is_number())
        reject_value(key, fmt::format("expected a whole number, got {}: {}", type_name(*value), value->dump()));
    const double number = value->get<double>();
    if (number != std::floor(number))
        reject_value(key, fmt::format("{} is no whole number", value->dump()));
    if (number > most)
        throw LimitReached(fmt::format("{}: {} is above the limit of {}", pointer(key), value->dump(), most));
    if (number < least)
        reject_value(key, fmt::format("{} is out of range; it must be >= {}", value->dump(), least));
    return static_cast<int>(number);
}

bool JsonObject::boolean(const std::string& key, bool fallback)
{
    const nlohmann::json* value = take(key);
    if (value == nullptr)
        return fallback;
    if (!value->is_boolean())
        reject_value(key, fmt::format("expected true or false, got {}", value->dump()));
    return value->get<bool>();
}

std::string JsonObject::string(const std::string& key, const std::string& fallback)
{
    const nlohmann::json* value = take(key);
    if (value == nullptr)
        return fallback;
    if (!value->is_string())
        reject_value(key, fmt::format("expected a string, got {}", value->dump()));
    return value->get<std::string>();
}

std::string JsonObject::word(const std::string& key, const std::vector<std::string>& words)
{
    const std::string chosen = string(key, words.front());
    if (std::find(words.begin(), words.end(), chosen) == words.end()) {
        const std::string near = nearest_word(chosen, words);
        reject_value(
            key, fmt::format(
                     "'{}' is not one of {}{}", chosen, fmt::join(words, ", "),
                     near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    }
    return chosen;
}

Vec3 JsonObject::vector(const std::string& key, const Vec3& fallback)
{
    const nlohmann::json* value = take(key);
    if (value == nullptr)
        return fallback;
    if (!value->is_array() || value->size() < 2 || value->size() > 3)
        reject_value(key, fmt::format("expected an array of two or three numbers, got {}", value->dump()));
    Vec3 vector = Vec3::Zero();
    for (std::size_t i = 0; i < value->size(); ++i) {
        if (!(*value)[i].is_number())
            reject_value(fmt::format("{}/{}", key, i), fmt::format("expected a number, got {}", (*value)[i].dump()));
        vector[static_cast<Eigen::Index>(i)] = (*value)[i].get<double>();
    }
    return vector;
}

std::vector<Vec2> JsonObject::points(const std::string& key, const std::vector<Vec2>& fallback)
{
    const nlohmann::json* value = take(key);
    if (value == nullptr)
        return fallback;
    if (!value->is_array())
        reject_value(key, fmt::format("expected an array of points [x, y], got {}", type_name(*value)));
    std::vector<Vec2> points;
    for (const nlohmann::json& each : *value) {
        if (!each.is_array() || each.size() != 2 || !each[0].is_number() || !each[1].is_number())
            reject_value(
                key + "/" + std::to_string(points.size()),
                fmt::format("expected a point [x, y], got {}", each.dump().substr(0, 60)));
        points.emplace_back(each[0].get<double>(), each[1].get<double>());
    }
    return points;
}

std::vector<int> JsonObject::integers(const std::string& key, int least)
{
    const nlohmann::json* value = take(key);
    if (value == nullptr)
        return {};
    if (!value->is_array())
        reject_value(key, fmt::format("expected an array of whole numbers, got {}", type_name(*value)));
    std::vector<int> numbers;
    for (std::size_t i = 0; i < value->size(); ++i) {
        const nlohmann::json& each = (*value)[i];
        if (!each.is_number_integer() || each.get<double>() < least || each.get<double>() > 2147483647.0)
            reject_value(
                fmt::format("{}/{}", key, i), fmt::format("expected a whole number >= {}, got {}", least, each.dump()));
        numbers.push_back(each.get<int>());
    }
    return numbers;
}

std::optional<JsonObject> JsonObject::object(const std::string& key)
{
    const nlohmann::json* value = take(key);
    if (value == nullptr)
        return std::nullopt;
    return JsonObject(*value, pointer(key));
}

std::vector<JsonObject> JsonObject::objects(const std::string& key)
{
    const nlohmann::json* value = take(key);
    std::vector<JsonObject> list;
    if (value == nullptr)
        return list;
    if (!value->is_array())
        reject_value(key, fmt::format("expected an array of objects, got {}", type_name(*value)));
    for (std::size_t i = 0; i < value->size(); ++i)
        list.emplace_back((*value)[i], fmt::format("{}/{}", pointer(key), i));
    return list;
}

void JsonObject::finish() const
{
    for (const auto& [key, value] : value_.items()) {
        if (std::find(known_.begin(), known_.end(), key) != known_.end())
            continue;
        const std::string near = nearest_word(key, known_);
        reject(
            "{}: unknown key{}; the keys here are {}", pointer(key),
            near.empty() ? "" : fmt::format(", did you mean '{}'?", near), fmt::join(known_, ", "));
    }
}

} // namespace abut
