#include "abut/io/unique_names.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace abut {

namespace {

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_letter(char c) { return small_letter(c) >= 'a' && small_letter(c) <= 'z'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; } // of UTF-8

std::string identifier(const std::string& name)
{
    std::string result;
    for (const char c : name)
        if (!continues_character(c)) // a letter of many bytes is one underscore
            result += is_letter(c) || is_digit(c) ? c : '_';
    if (result.empty() || is_digit(result[0]))
        result.insert(result.begin(), '_');
    return result;
}

std::string file_name(const std::string& name)
{
    constexpr std::string_view special = "/\\<>:\"|?*";
    constexpr std::size_t most_bytes = 100;
    std::string result;
    for (const char c : name)
        result +=
            static_cast<unsigned char>(c) < 0x20 || c == 0x7f || special.find(c) != std::string_view::npos ? '_' : c;
    if (result.size() > most_bytes) {
        std::size_t end = most_bytes;
        while (end > 0 && continues_character(result[end]))
            --end;
        result.resize(end);
    }
    while (!result.empty() && (result.back() == ' ' || result.back() == '.'))
        result.pop_back();
    if (result.empty() || result[0] == '.' || result[0] == '-' || result[0] == ' ')
        result.insert(result.begin(), '_');
    return result;
}

/// `made`, or with the first number that makes it different from all that were taken before.
template <typename Key>
std::string not_taken(const std::string& made, std::set<std::string>& taken, const Key& key)
{
    std::string name = made;
    for (int number = 2; !taken.insert(key(name)).second; ++number)
        name = made + "_" + std::to_string(number);
    return name;
}

} // namespace

std::vector<std::string> unique_identifiers(std::span<const std::string> names)
{
    std::vector<std::string> result;
    std::set<std::string> taken;
    for (const std::string& name : names)
        result.push_back(not_taken(identifier(name), taken, [](const std::string& made) { return made; }));
    return result;
}

std::vector<std::string> unique_file_names(std::span<const std::string> names)
{
    std::vector<std::string> result;
    std::set<std::string> taken;
    const auto without_capitals = [](std::string made) {
        std::transform(made.begin(), made.end(), made.begin(), small_letter);
        return made;
    };
    for (const std::string& name : names)
        result.push_back(not_taken(file_name(name), taken, without_capitals));
    return result;
}

} // namespace abut
