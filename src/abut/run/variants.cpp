#include "abut/run/variants.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <algorithm>
#include <map>

namespace abut {

namespace {

constexpr std::size_t most_variants = 10'000;

/// Letters, digits, '.', '_' and '-'; anything else becomes '_'.
std::string safe_part(std::string_view text)
{
    std::string safe(text);
    std::replace_if(
        safe.begin(), safe.end(),
        [](char c) {
            const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            return !is_plain && c != '.' && c != '-';
        },
        '_');
    return safe;
}

/// A number makes names differ, whatever becomes of the values; what follows is for people.
std::string folder_name(const Variants& variants, std::size_t index)
{
    constexpr std::size_t longest = 80; // [bytes]
    std::string name =
        fmt::format("{:0{}}", index + 1, std::max<std::size_t>(2, std::to_string(variants.list.size()).size()));
    for (const std::string& setting : variants.settings_of(variants.list[index]))
        name += fmt::format("-{}", safe_part(setting));
    return name.substr(0, longest);
}

void name_folders(Variants& variants)
{
    for (std::size_t k = 0; k < variants.list.size(); ++k)
        variants.list[k].folder = folder_name(variants, k);
}

void reject_repeated_keys(const std::vector<std::string>& keys, const std::string& place)
{
    for (std::size_t k = 0; k < keys.size(); ++k)
        if (std::find(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(k), keys[k]) !=
            keys.begin() + static_cast<std::ptrdiff_t>(k))
            reject("{}: the key {} comes twice; give it once, with all of its values", place, keys[k]);
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blank = " \t\r";
    const std::size_t begin = text.find_first_not_of(blank);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(blank) + 1 - begin);
}

struct CsvRow {
    int line; ///< where it begins, from 1
    std::vector<std::string> cells;
};

/// Cells in quotes may hold commas, line breaks and, doubled, quotes (RFC 4180). Blank lines are passed over.
std::vector<CsvRow> parse_csv(std::string_view text, const std::string& name)
{
    std::vector<CsvRow> rows;
    std::string cell;
    bool is_quoted = false, was_quoted = false;
    int line = 1;
    CsvRow row{line, {}};
    const auto end_cell = [&] {
        row.cells.emplace_back(was_quoted ? cell : trimmed(cell));
        cell.clear();
        was_quoted = false;
    };
    const auto end_row = [&] {
        end_cell();
        if (row.cells.size() > 1 || !row.cells[0].empty())
            rows.push_back(std::move(row));
        row = {line + 1, {}};
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
            cell += text[++i];
        else if (c == '"' && (is_quoted || trimmed(cell).empty())) {
            is_quoted = !is_quoted;
            if (is_quoted)
                cell.clear();
            was_quoted = true;
        } else if (!is_quoted && c == ',')
            end_cell();
        else if (!is_quoted && c == '\n')
            end_row();
        else if (is_quoted || !was_quoted)
            cell += c;
        else if (trimmed(std::string_view(&c, 1)).size() == 1)
            reject("{}:{}: text after the quotes of a cell; quotes within them are doubled", name, line);
        line += c == '\n';
    }
    if (is_quoted)
        reject("{}:{}: the quotes of a cell do not end", name, row.line);
    end_row();
    return rows;
}

} // namespace

std::vector<std::string> Variants::settings_of(const Variant& variant) const
{
    std::vector<std::string> settings;
    for (std::size_t k = 0; k < keys.size(); ++k)
        if (!variant.values[k].empty())
            settings.push_back(keys[k] + "=" + variant.values[k]);
    return settings;
}

std::vector<std::string> split_values(std::string_view text)
{
    std::vector<std::string> values;
    std::size_t begin = 0;
    int depth = 0;
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_quoted && c == '\\')
            ++i; // what follows is no end of the quotes
        else if (c == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && (c == '[' || c == '{'))
            ++depth;
        else if (!is_quoted && (c == ']' || c == '}'))
            --depth;
        else if (!is_quoted && depth <= 0 && c == ',') {
            values.emplace_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    values.emplace_back(trimmed(text.substr(begin)));
    return values;
}

VariedKey parse_varied_key(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        reject("{}: expected KEY=VALUE,VALUE", text);
    VariedKey varied{std::string(text.substr(0, equals)), split_values(text.substr(equals + 1))};
    if (std::any_of(varied.values.begin(), varied.values.end(), [](const auto& value) { return value.empty(); }))
        reject("{}: a value is empty; values are separated by single commas", text);
    return varied;
}

Variants all_combinations(const std::vector<VariedKey>& varied)
{
    Variants variants;
    variants.list.push_back({});
    for (const auto& [key, values] : varied) {
        variants.keys.push_back(key);
        if (values.empty())
            reject("{}: it has no value", key);
        for (std::size_t k = 0; k < values.size(); ++k)
            if (std::find(values.begin() + static_cast<std::ptrdiff_t>(k) + 1, values.end(), values[k]) != values.end())
                reject("{}: the value {} comes twice", key, values[k]);
        if (values.size() * variants.list.size() > most_variants)
            reject("{}: more than {} combinations; vary fewer values at once", key, most_variants);
        std::vector<Variant> more;
        for (const Variant& variant : variants.list)
            for (const std::string& value : values) {
                more.push_back(variant);
                more.back().values.push_back(value);
            }
        variants.list = std::move(more);
    }
    reject_repeated_keys(variants.keys, "the keys to vary");
    name_folders(variants);
    return variants;
}

Variants parse_variants(std::string_view csv, const std::string& name)
{
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (csv.starts_with(byte_order_mark))
        csv.remove_prefix(byte_order_mark.size());
    std::vector<CsvRow> rows = parse_csv(csv, name);
    if (rows.size() < 2)
        reject("{}: expected a row of keys and a row for each variant", name);
    if (rows.size() - 1 > most_variants)
        reject("{}: {} rows, but at most {} variants can be run at once", name, rows.size() - 1, most_variants);
    Variants variants{std::move(rows[0].cells), {}};
    constexpr std::string_view other_separators = ";\t";
    if (variants.keys.size() == 1 && variants.keys[0].find_first_of(other_separators) != std::string::npos)
        reject(
            "{}:{}: cells are separated by commas, and there is none in '{}'; write the table anew with commas", name,
            rows[0].line, variants.keys[0]);
    for (const std::string& key : variants.keys)
        if (key.empty() || key.find('=') != std::string::npos)
            reject(
                "{}:{}: '{}' is no key; the first row names the keys, such as contact.model", name, rows[0].line, key);
    reject_repeated_keys(variants.keys, name);
    std::map<std::vector<std::string>, int> lines;
    for (std::size_t k = 1; k < rows.size(); ++k) {
        auto& [line, cells] = rows[k];
        if (cells.size() != variants.keys.size())
            reject("{}:{}: {} cells, but there are {} keys", name, line, cells.size(), variants.keys.size());
        const auto [same, is_new] = lines.try_emplace(cells, line);
        if (!is_new)
            reject("{}:{}: the same as line {}; leave one of them out", name, line, same->second);
        variants.list.push_back({std::move(cells), {}});
    }
    name_folders(variants);
    return variants;
}

Variants read_variants(const std::filesystem::path& path)
{
    constexpr std::uintmax_t most_bytes = 10'000'000;
    return parse_variants(read_file(path, most_bytes), path.string());
}

} // namespace abut
