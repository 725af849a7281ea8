#include "abut/run/sweep/observable.hpp"

#include "abut/base/error.hpp"
#include "abut/base/suggest.hpp"
#include "abut/io/text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace abut {

namespace {

struct FunctionRow {
    const char *name, *title;
    double (*value)(const std::vector<double>&); ///< of at least one number
};

double sum_of(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum;
}

constexpr std::array function_rows{
    FunctionRow{
        "max", "largest", [](const std::vector<double>& v) -> double { return *std::max_element(v.begin(), v.end()); }},
    FunctionRow{
        "min", "smallest",
        [](const std::vector<double>& v) -> double { return *std::min_element(v.begin(), v.end()); }},
    FunctionRow{
        "mean", "mean over steps of",
        [](const std::vector<double>& v) -> double { return sum_of(v) / static_cast<double>(v.size()); }},
    FunctionRow{"sum", "sum over steps of", sum_of},
    FunctionRow{"first", "after the first step:", [](const std::vector<double>& v) -> double { return v.front(); }},
    FunctionRow{"last", "after the last step:", [](const std::vector<double>& v) -> double { return v.back(); }},
};

constexpr std::string_view force = "force:";

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known)
{
    const std::string nearest = nearest_word(word, known);
    return nearest.empty() ? fmt::format("; known are {}", fmt::join(known, ", "))
                           : fmt::format("; did you mean {}?", in_quotes(nearest));
}

/// Is it a pair of bodies of the scene, in any order?
bool is_pair(const std::string& pair, const Scene& scene)
{
    std::vector<std::string> bodies;
    for (const SceneObject& object : scene.objects)
        bodies.push_back(object.name);
    for (std::size_t k = 0; k < scene.planes.size(); ++k)
        bodies.push_back(fmt::format("plane {}", k));
    for (const std::string& a : bodies)
        for (const std::string& b : bodies)
            if (pair == a + "-" + b)
                return true;
    return false;
}

const FunctionRow* find_function(const std::string& name)
{
    for (const FunctionRow& row : function_rows)
        if (row.name == name)
            return &row;
    return nullptr;
}

Quantity quantity_of(const Observable& observable, const std::vector<Quantity>& known)
{
    try {
        return chosen_quantities({observable.quantity}, known).at(0);
    } catch (const Error&) {
        return {.name = observable.quantity, .title = {}, .unit = "N"};
    }
}

} // namespace

Observable parse_observable(const std::string& text, const Scene& scene)
{
    const std::size_t open = text.find('(');
    if (open == std::string::npos || open == 0 || text.back() != ')' || open + 2 >= text.size())
        reject("--collect {}: expected FUNCTION(QUANTITY), such as max(contact_force)", in_quotes(text));
    Observable observable{text, text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
    std::vector<std::string> functions, quantities;
    for (const FunctionRow& row : function_rows)
        functions.emplace_back(row.name);
    for (const Quantity& quantity : step_quantities())
        quantities.push_back(quantity.name);
    if (find_function(observable.function) == nullptr)
        reject(
            "--collect {}: no function {}{}", in_quotes(text), in_quotes(observable.function),
            did_you_mean(observable.function, functions));
    const std::string& name = observable.quantity;
    if (name.starts_with(force)) {
        if (!is_pair(name.substr(force.size()), scene))
            reject(
                "--collect {}: the scene has no such bodies; it is force:A-B with the names of two of them, or 'plane "
                "0'",
                in_quotes(text));
    } else if (std::find(quantities.begin(), quantities.end(), name) == quantities.end())
        reject("--collect {}: no quantity {}{}", in_quotes(text), in_quotes(name), did_you_mean(name, quantities));
    return observable;
}

std::vector<double> observe(const ResultFolder& results, const std::vector<Observable>& observables)
{
    std::vector<double> values(observables.size(), NAN);
    if (observables.empty())
        return values;
    const bool has_forces = std::any_of(observables.begin(), observables.end(), [](const Observable& each) {
        return each.quantity.starts_with(force);
    });
    const std::vector<Quantity> known = has_forces ? quantities_of(results) : step_quantities();
    // Each quantity once, as read_series() wants it. A pair that never touches is none of the run: its force is 0.
    std::vector<Quantity> asked;
    std::vector<std::size_t> columns;
    for (const Observable& observable : observables) {
        const Quantity quantity = quantity_of(observable, known);
        const auto same = std::find(asked.begin(), asked.end(), quantity);
        columns.push_back(static_cast<std::size_t>(same - asked.begin()));
        if (same == asked.end())
            asked.push_back(quantity);
    }
    const RunSeries series = read_series(results, asked);
    for (std::size_t k = 0; k < observables.size(); ++k) {
        std::vector<double> numbers = series.values[columns[k]];
        std::erase_if(numbers, [](double number) { return !std::isfinite(number); });
        if (!numbers.empty())
            values[k] = find_function(observables[k].function)->value(numbers);
    }
    return values;
}

std::string meaning_of(const Observable& observable)
{
    const std::string function = find_function(observable.function)->title;
    for (const Quantity& quantity : step_quantities())
        if (quantity.name == observable.quantity)
            return fmt::format(
                "{} {}{}", function, quantity.title, quantity.unit.empty() ? "" : fmt::format(" [{}]", quantity.unit));
    return fmt::format("{} {} [N]", function, observable.quantity);
}

} // namespace abut
