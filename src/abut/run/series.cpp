#include "abut/run/series.hpp"

#include "abut/base/error.hpp"
#include "abut/base/suggest.hpp"
#include "abut/io/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

namespace abut {

namespace {

enum class Since : std::uint8_t { step, first_step, start }; ///< as it is; its change; its sum

struct QuantityRow {
    const char *name, *title, *unit;
    double (*value)(const StepRecord&);
    Since since = Since::step;
    bool is_count = false;
};

/// Of contact and friction, each pair of bodies once.
double contact_force(const StepRecord& record)
{
    double sum = 0;
    for (const ForceRecord& force : record.forces)
        sum += (force.contact + force.friction).norm();
    return sum;
}

double adhesion_force(const StepRecord& record)
{
    double sum = 0;
    for (const ForceRecord& force : record.forces)
        sum += force.adhesion.norm();
    return sum;
}

double bonded_area(const StepRecord& record)
{
    double sum = 0;
    for (const ForceRecord& force : record.forces)
        sum += force.bonded_area;
    return sum;
}

constexpr std::array quantity_rows{
    QuantityRow{"energy:kinetic", "kinetic energy", "J", [](const StepRecord& r) { return r.balance.kinetic; }},
    QuantityRow{"energy:elastic", "elastic energy", "J", [](const StepRecord& r) { return r.balance.elastic; }},
    QuantityRow{"energy:contact", "energy of contact", "J", [](const StepRecord& r) { return r.balance.contact; }},
    QuantityRow{
        "energy:gravity", "energy of weight, from its start", "J",
        [](const StepRecord& r) { return r.balance.gravity; }, Since::first_step},
    QuantityRow{
        "energy:friction", "heat of friction so far", "J", [](const StepRecord& r) { return r.balance.friction_loss; },
        Since::start},
    QuantityRow{
        "energy:damping", "loss by damping and air so far", "J",
        [](const StepRecord& r) { return r.balance.damping_loss; }, Since::start},
    QuantityRow{
        "energy:plastic", "heat of flow so far", "J", [](const StepRecord& r) { return r.balance.plastic_loss; },
        Since::start},
    QuantityRow{
        "energy:scripts", "work of scripts so far", "J", [](const StepRecord& r) { return r.balance.script_work; },
        Since::start},
    QuantityRow{"energy_gain", "energy gained by each step", "J", [](const StepRecord& r) { return r.balance.gain; }},
    QuantityRow{
        "iterations", "Newton iterations of each step", "", [](const StepRecord& r) { return double(r.iterations); },
        Since::step, true},
    QuantityRow{
        "linear_iterations", "iterations of linear systems in each step", "",
        [](const StepRecord& r) { return double(r.linear_iterations); }, Since::step, true},
    QuantityRow{
        "detections", "searches for pairs in each step", "", [](const StepRecord& r) { return double(r.detections); },
        Since::step, true},
    QuantityRow{"residual", "force that is left over", "N", [](const StepRecord& r) { return r.residual; }},
    QuantityRow{"contacts", "contacts", "", [](const StepRecord& r) { return double(r.contacts); }, Since::step, true},
    QuantityRow{
        "smallest_distance", "smallest distance of contacts", "m",
        [](const StepRecord& r) { return r.smallest_distance; }},
    QuantityRow{"contact_force", "force between bodies, summed over pairs", "N", contact_force},
    QuantityRow{"adhesion_force", "pull of bonds between bodies, summed over pairs", "N", adhesion_force},
    QuantityRow{"bonded_area", "area of bonds between bodies", "m²", bonded_area},
    QuantityRow{"stiffness", "stiffness of contact", "", [](const StepRecord& r) { return r.stiffness; }},
    QuantityRow{
        "script_lag", "how far scripted vertices are behind", "m", [](const StepRecord& r) { return r.script_lag; }},
    QuantityRow{
        "lag_residual", "change of friction, were it lagged anew, over the most it can be", "",
        [](const StepRecord& r) { return r.lag_residual; }},
    QuantityRow{"momentum", "momentum", "kg m/s", [](const StepRecord& r) { return r.balance.momentum.norm(); }},
    QuantityRow{"momentum:x", "momentum along x", "kg m/s", [](const StepRecord& r) { return r.balance.momentum.x(); }},
    QuantityRow{"momentum:y", "momentum along y", "kg m/s", [](const StepRecord& r) { return r.balance.momentum.y(); }},
    QuantityRow{"momentum:z", "momentum along z", "kg m/s", [](const StepRecord& r) { return r.balance.momentum.z(); }},
    QuantityRow{
        "momentum_defect", "share of momentum that no force explains", "",
        [](const StepRecord& r) { return r.balance.momentum_defect; }},
    QuantityRow{"seconds", "time of each step's solve", "s", [](const StepRecord& r) { return r.times.total(); }},
    QuantityRow{"seconds:update", "time of collision sets", "s", [](const StepRecord& r) { return r.times.update; }},
    QuantityRow{
        "seconds:evaluate", "time of energies and gradients", "s",
        [](const StepRecord& r) { return r.times.evaluate; }},
    QuantityRow{
        "seconds:assemble", "time of Hessians and their assembly", "s",
        [](const StepRecord& r) { return r.times.assemble; }},
    QuantityRow{
        "seconds:factorize", "time of linear systems", "s", [](const StepRecord& r) { return r.times.linear(); }},
    QuantityRow{
        "seconds:guard", "time of collision-free steps", "s", [](const StepRecord& r) { return r.times.guard; }},
    QuantityRow{
        "seconds:line_search", "time of the line search", "s", [](const StepRecord& r) { return r.times.line_search; }},
};

constexpr std::string_view force_prefix = "force:";

std::string force_name(const std::string& on, const std::string& by) { return fmt::format("force:{}-{}", on, by); }

/// A group is what begins with its prefix.
struct GroupRow {
    const char *name, *prefix, *what;
};
constexpr std::array group_rows{
    GroupRow{"energies", "energy:", "all of energy:..."}, GroupRow{"times", "seconds:", "all of seconds:..."},
    GroupRow{"forces", "force:", "all of force:..."}};

[[noreturn]] void refuse_quantity(const std::string& name, const std::vector<Quantity>& known)
{
    std::vector<std::string> words;
    for (const Quantity& quantity : known)
        words.push_back(quantity.name);
    for (const GroupRow& group : group_rows)
        words.emplace_back(group.name);
    std::string nearest = nearest_word(name, words);
    if (nearest.empty()) // "kinetic" is short for "energy:kinetic"
        for (const std::string& word : words)
            if (nearest.empty() && word.ends_with(":" + name))
                nearest = word;
    throw Error(
        ExitCode::bad_usage, nearest.empty()
                                 ? fmt::format("{}: no such quantity; --list shows what the run has", in_quotes(name))
                                 : fmt::format(
                                       "{}: no such quantity; did you mean {}? --list shows what the run has",
                                       in_quotes(name), in_quotes(nearest)));
}

/// The names of one argument: itself where it is one, as a body's name may have commas; else what is between commas.
std::vector<std::string> names_in(const std::string& argument, const std::function<bool(const std::string&)>& is_known)
{
    if (is_known(argument))
        return {argument};
    std::vector<std::string> names;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
        end = argument.find(',', begin);
        names.push_back(argument.substr(begin, end == std::string::npos ? end : end - begin));
    }
    return names;
}

/// Where forces of a record go: the index among the quantities that are asked for.
using ForceColumns = std::map<std::string, std::size_t, std::less<>>;

void add_forces_of(const StepRecord& record, const ForceColumns& columns, RunSeries& series)
{
    for (const auto& [name, column] : columns)
        series.values[column].push_back(0);
    for (const ForceRecord& force : record.forces) {
        const auto found = columns.find(force_name(force.on, force.by));
        if (found != columns.end())
            series.values[found->second].back() += (force.contact + force.friction).norm();
    }
}

void add_value(const QuantityRow& row, const StepRecord& record, std::vector<double>& values, double& memory)
{
    const double value = row.value(record), finite = std::isfinite(value) ? value : 0;
    switch (row.since) {
    case Since::step:
        values.push_back(std::isfinite(value) ? value : NAN);
        break;
    case Since::first_step:
        if (values.empty())
            memory = finite;
        values.push_back(value - memory);
        break;
    case Since::start:
        memory += finite;
        values.push_back(memory);
        break;
    }
}

} // namespace

std::vector<Quantity> step_quantities()
{
    std::vector<Quantity> list;
    for (const QuantityRow& row : quantity_rows)
        list.push_back({row.name, row.title, row.unit, row.is_count});
    return list;
}

std::vector<Quantity> quantities_of(const ResultFolder& results)
{
    std::vector<Quantity> list = step_quantities();
    std::map<std::string, bool> is_listed;
    // What cannot be read is told when the values are.
    static_cast<void>(results.for_each_record([&](StepRecord&& record) {
        for (const ForceRecord& force : record.forces)
            if (std::string name = force_name(force.on, force.by); !std::exchange(is_listed[name], true))
                list.push_back({std::move(name), fmt::format("force between {} and {}", force.on, force.by), "N"});
    }));
    return list;
}

std::vector<QuantityGroup> quantity_groups()
{
    std::vector<QuantityGroup> groups;
    for (const GroupRow& row : group_rows)
        groups.push_back({row.name, row.what});
    return groups;
}

std::vector<Quantity> chosen_quantities(const std::vector<std::string>& names, const std::vector<Quantity>& known)
{
    std::vector<Quantity> chosen;
    const auto choose = [&](const Quantity& quantity) {
        if (std::find(chosen.begin(), chosen.end(), quantity) == chosen.end())
            chosen.push_back(quantity);
    };
    /// "force:B-A" is "force:A-B".
    const auto is_pair = [](const Quantity& quantity, const std::string& name) {
        if (!quantity.name.starts_with(force_prefix) || !name.starts_with(force_prefix))
            return false;
        for (std::size_t at = name.find('-'); at != std::string::npos; at = name.find('-', at + 1))
            if (quantity.name ==
                force_name(name.substr(at + 1), name.substr(force_prefix.size(), at - force_prefix.size())))
                return true;
        return false;
    };
    const auto find = [&](const std::string& name) -> const Quantity* {
        for (const Quantity& quantity : known)
            if (quantity.name == name)
                return &quantity;
        for (const Quantity& quantity : known)
            if (is_pair(quantity, name))
                return &quantity;
        return nullptr;
    };
    for (const std::string& argument : names)
        for (const std::string& name :
             names_in(argument, [&](const std::string& word) { return find(word) != nullptr; })) {
            const auto group = std::find_if(
                group_rows.begin(), group_rows.end(), [&](const GroupRow& row) { return row.name == name; });
            if (group != group_rows.end()) {
                for (const Quantity& quantity : known)
                    if (quantity.name.starts_with(group->prefix))
                        choose(quantity);
            } else if (const Quantity* quantity = find(name)) {
                choose(*quantity);
            } else {
                refuse_quantity(name, known);
            }
        }
    return chosen;
}

RunSeries read_series(const ResultFolder& results, const std::vector<Quantity>& quantities)
{
    RunSeries series;
    series.values.resize(quantities.size());
    std::vector<const QuantityRow*> rows(quantities.size(), nullptr);
    std::vector<double> memories(quantities.size(), 0);
    ForceColumns forces;
    for (std::size_t k = 0; k < quantities.size(); ++k) {
        for (const QuantityRow& row : quantity_rows)
            if (quantities[k].name == row.name)
                rows[k] = &row;
        if (rows[k] == nullptr)
            forces[quantities[k].name] = k;
    }
    series.passed_over = results.for_each_record([&](StepRecord&& record) {
        series.steps.push_back(record.step);
        series.times.push_back(record.time);
        if (record.is_failed())
            series.failed_at = record.time;
        for (std::size_t k = 0; k < quantities.size(); ++k)
            if (rows[k] != nullptr)
                add_value(*rows[k], record, series.values[k], memories[k]);
        add_forces_of(record, forces, series);
    });
    return series;
}

} // namespace abut
