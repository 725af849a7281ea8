#include "abut/run/table.hpp"

#include "abut/draw/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

using nlohmann::json;

/// A click on a heading sorts by its column, a second one the other way. Numbers are compared as such, empty ones last.
constexpr const char* table_sorting = R"(<style>
div.wide { overflow-x: auto; } table.sortable th { cursor: pointer; white-space: nowrap; }
tr.bad td { background: #fdeeee; color: #222; }
</style>
<script>
document.querySelectorAll("table.sortable th").forEach((heading, column) => heading.onclick = () => {
  const body = heading.closest("table").tBodies[0], down = heading.dataset.down = heading.dataset.down === "1" ? "" : "1";
  const key = row => row.cells[column].dataset.value, number = text => text === "" ? NaN : Number(text);
  const compare = (a, b) => {
    const x = number(key(a)), y = number(key(b));
    if (!isNaN(x) && !isNaN(y)) return x - y;
    return isNaN(x) && isNaN(y) ? key(a).localeCompare(key(b)) : isNaN(x) - isNaN(y);
  };
  [...body.rows].sort((a, b) => (down ? 1 : -1) * compare(a, b)).forEach(row => body.append(row));
});
</script>
)";

std::string exact_text(const json& value)
{
    return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

std::string csv_cell(const json& value)
{
    std::string text = exact_text(value);
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '"');
    return fmt::format("\"{}\"", text);
}

} // namespace

json finite_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

std::string short_key(const std::string& key, const std::vector<std::string>& keys)
{
    const auto last = [](const std::string& name) { return name.substr(name.rfind('.') + 1); };
    const auto count =
        std::count_if(keys.begin(), keys.end(), [&](const std::string& other) { return last(other) == last(key); });
    return count > 1 ? key : last(key);
}

std::string cell_text(const json& value)
{
    if (value.is_null())
        return "-";
    if (value.is_number_float())
        return fmt::format("{:.3g}", value.get<double>());
    return value.is_string() ? value.get<std::string>() : value.is_boolean() ? (value ? "yes" : "no") : value.dump();
}

std::string table_to_text(const Table& table)
{
    std::vector<std::vector<std::string>> lines(1 + table.rows.size());
    std::string messages;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        if (table.columns[column].title.empty())
            continue;
        lines[0].push_back(table.columns[column].title);
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            lines[1 + row].push_back(cell_text(table.rows[row][column]));
    }
    for (const auto& row : table.rows)
        if (const json& message = row.back(); message.is_string() && !message.get_ref<const std::string&>().empty())
            messages += fmt::format("{}: {}\n", cell_text(row.front()), message.get_ref<const std::string&>());
    std::vector<std::size_t> widths(lines[0].size());
    for (const auto& line : lines)
        for (std::size_t k = 0; k < line.size(); ++k)
            widths[k] = std::max(widths[k], line[k].size());
    std::string text;
    for (const auto& line : lines) {
        for (std::size_t k = 0; k < line.size(); ++k)
            text += fmt::format("{}{:>{}}", k > 0 ? "  " : "", line[k], widths[k]);
        text += "\n";
    }
    return text + messages;
}

std::string table_to_csv(const Table& table)
{
    std::string text;
    const auto add = [&](const auto& cells, auto&& cell_of) {
        for (std::size_t k = 0; k < cells.size(); ++k)
            text += fmt::format("{}{}", k > 0 ? "," : "", csv_cell(cell_of(cells[k])));
        text += "\n";
    };
    add(table.columns, [](const TableColumn& column) { return json(column.key); });
    for (const auto& row : table.rows)
        add(row, [](const json& value) { return value; });
    return text;
}

std::string table_to_html(const Table& table, const std::vector<bool>& is_good)
{
    std::string html = "<div class=\"wide\">\n<table class=\"sortable\">\n<thead><tr>";
    for (const TableColumn& column : table.columns)
        html += fmt::format("<th title=\"{}\">{}</th>", xml_escaped(column.meaning), xml_escaped(column.title));
    html += "</tr></thead>\n<tbody>\n";
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        html += is_good[k] ? "<tr>" : "<tr class=\"bad\">";
        for (const json& value : table.rows[k])
            html += fmt::format(
                "<td class=\"{}\" data-value=\"{}\">{}</td>", value.is_number() ? "number" : "",
                xml_escaped(exact_text(value)), xml_escaped(cell_text(value)));
        html += "</tr>\n";
    }
    return html +
           "</tbody>\n</table>\n</div>\n<p class=\"note\">A click on a heading sorts; hovering over it tells its "
           "meaning and unit.</p>\n";
}

std::string sorting_html() { return table_sorting; }

} // namespace abut
