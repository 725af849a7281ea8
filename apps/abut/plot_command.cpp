// `abut plot OUT`: quantities of one or more runs over time, as a picture or a table.

#include "commands.hpp"
#include "outputs.hpp"

#include "abut/draw/plot.hpp"
#include "abut/io/file.hpp"
#include "abut/run/series.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace fs = std::filesystem;

namespace {

struct CurveOptions {
    std::vector<fs::path> results;
    std::vector<std::string> what;
    fs::path file; ///< OUT/plot.svg where empty, and then replaced
    bool is_logarithmic = false, is_list = false, force = false;
};

struct PlottedRun {
    std::string name; ///< of its folder
    RunSeries series;
};

/// The quantities of all runs, each once.
std::vector<Quantity> known_quantities(const std::vector<ResultFolder>& runs)
{
    std::vector<Quantity> all;
    for (const ResultFolder& results : runs)
        for (const Quantity& quantity : quantities_of(results))
            if (std::find(all.begin(), all.end(), quantity) == all.end())
                all.push_back(quantity);
    return all;
}

void print_quantities(const std::vector<Quantity>& known)
{
    std::size_t width = 0;
    for (const Quantity& quantity : known)
        width = std::max(width, quantity.name.size());
    for (const Quantity& quantity : known)
        fmt::print(
            "{:<{}}  {}{}\n", quantity.name, width, quantity.title,
            quantity.unit.empty() ? "" : fmt::format(" [{}]", quantity.unit));
    for (const QuantityGroup& group : quantity_groups())
        fmt::print("{:<{}}  {}\n", group.name, width, group.what);
}

/// Of runs, the ends of their folders' paths, as long as it takes to tell them apart.
std::vector<std::string> run_names(const std::vector<fs::path>& folders)
{
    std::vector<std::string> names(folders.size());
    std::vector<fs::path> rest;
    for (const fs::path& folder : folders)
        rest.emplace_back(absolute_name(folder));
    const auto are_different = [&] {
        std::vector<std::string> sorted = names;
        std::sort(sorted.begin(), sorted.end());
        return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    };
    constexpr int most_parts = 20;
    for (int parts = 0; parts == 0 || (parts < most_parts && !are_different()); ++parts)
        for (std::size_t k = 0; k < folders.size(); ++k) {
            const std::string part = rest[k].filename().string();
            if (!part.empty())
                names[k] = names[k].empty() ? part : part + "/" + names[k];
            rest[k] = rest[k].parent_path();
        }
    return names;
}

std::string with_unit(std::string title, const std::string& unit)
{
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    return unit.empty() ? title : fmt::format("{} [{}]", title, unit);
}

/// What several quantities of a unit are together.
std::string shared_title(const std::string& unit)
{
    const char* const title = unit == "J"        ? "Energies"
                              : unit == "N"      ? "Forces"
                              : unit == "s"      ? "Times of each step"
                              : unit == "m"      ? "Distances"
                              : unit == "kg m/s" ? "Momentum"
                                                 : "Over time";
    return with_unit(title, unit);
}

/// Quantities that share an axis: those of a unit; counts and shares have one each.
std::vector<std::vector<std::size_t>> shared_axes(const std::vector<Quantity>& quantities)
{
    std::vector<std::vector<std::size_t>> axes;
    for (std::size_t k = 0; k < quantities.size(); ++k) {
        const auto found = std::find_if(axes.begin(), axes.end(), [&](const auto& axis) {
            return !quantities[k].unit.empty() && quantities[axis[0]].unit == quantities[k].unit;
        });
        if (found != axes.end())
            found->push_back(k);
        else
            axes.push_back({k});
    }
    return axes;
}

PlotPanel make_panel(
    const std::vector<std::size_t>& axis, const std::vector<Quantity>& quantities, const std::vector<PlottedRun>& runs,
    bool is_logarithmic)
{
    const Quantity& first = quantities[axis[0]];
    PlotPanel panel;
    panel.options = {
        .title = axis.size() > 1 ? shared_title(first.unit) : with_unit(first.title, first.unit),
        .x_title = "time [s]",
        .is_logarithmic = is_logarithmic,
        .smallest_tick = first.is_count ? 1.0 : 0.0,
        .most_in_legend = 24};
    if (runs.size() == 1)
        panel.options.mark = runs[0].series.failed_at;
    for (const std::size_t k : axis)
        for (const PlottedRun& run : runs) {
            PlotLine line;
            line.name = axis.size() == 1  ? run.name
                        : runs.size() > 1 ? fmt::format("{}: {}", run.name, quantities[k].title)
                                          : quantities[k].title;
            for (std::size_t i = 0; i < run.series.times.size(); ++i)
                line.points.emplace_back(run.series.times[i], run.series.values[k][i]);
            panel.lines.push_back(std::move(line));
        }
    return panel;
}

std::string svg_of(const std::vector<Quantity>& quantities, const std::vector<PlottedRun>& runs, bool is_logarithmic)
{
    std::vector<PlotPanel> panels;
    for (const std::vector<std::size_t>& axis : shared_axes(quantities))
        panels.push_back(make_panel(axis, quantities, runs, is_logarithmic));
    std::string picture = plot_panels(panels);
    if (picture.empty())
        reject(
            "there is nothing to draw: no value{}; choose other quantities{}",
            is_logarithmic ? " is above 0, as --log needs" : "s were recorded",
            is_logarithmic ? ", or leave --log out" : "");
    return picture;
}

/// A field of a table, in quotes where RFC 4180 wants them.
std::string csv_field(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csv_of(const std::vector<Quantity>& quantities, const std::vector<PlottedRun>& runs)
{
    const bool has_names = runs.size() > 1;
    std::string text = has_names ? "run,step,time [s]" : "step,time [s]";
    for (const Quantity& quantity : quantities)
        text += "," +
                csv_field(quantity.unit.empty() ? quantity.name : fmt::format("{} [{}]", quantity.name, quantity.unit));
    text += "\r\n";
    for (const PlottedRun& run : runs)
        for (std::size_t i = 0; i < run.series.times.size(); ++i) {
            if (has_names)
                text += csv_field(run.name) + ",";
            text += fmt::format("{},{}", run.series.steps[i], run.series.times[i]);
            for (const std::vector<double>& values : run.series.values)
                text += std::isfinite(values[i]) ? fmt::format(",{}", values[i]) : ",";
            text += "\r\n";
        }
    return text;
}

void plot_results(CurveOptions options)
{
    std::vector<ResultFolder> folders;
    for (const fs::path& folder : options.results)
        folders.push_back(ResultFolder::open(folder, false));
    const std::vector<Quantity> known = known_quantities(folders);
    if (options.is_list)
        return print_quantities(known);
    if (options.file.empty() && folders.size() > 1)
        throw Error(ExitCode::bad_usage, "-o: say where the plot of several runs goes, such as -o plot.svg");
    if (options.file.empty())
        options.file = options.results[0] / "plot.svg";
    else
        check_output_file(options.file, options.force);
    const bool is_table = options.file.extension() == ".csv";
    if (!is_table && options.file.extension() != ".svg")
        reject(
            "{}: plots are SVG pictures or CSV tables; give it a name that ends in .svg or .csv",
            options.file.string());
    if (is_table && options.is_logarithmic)
        throw Error(ExitCode::bad_usage, "--log: a table has no axis; leave it out");
    const std::vector<Quantity> quantities =
        chosen_quantities(options.what.empty() ? std::vector<std::string>{"energies"} : options.what, known);
    if (quantities.empty())
        reject("no bodies touch in the run, so there are no forces; choose other quantities");

    std::vector<PlottedRun> runs;
    const std::vector<std::string> names = run_names(options.results);
    for (std::size_t k = 0; k < folders.size(); ++k) {
        runs.push_back({names[k], read_series(folders[k], quantities)});
        for (const std::string& line : runs.back().series.passed_over)
            fmt::print(stderr, "abut: {}\n", line);
        if (runs.back().series.times.empty())
            reject("{}: no step has been made yet; let the run go on", absolute_name(options.results[k]));
    }
    write_file(options.file, is_table ? csv_of(quantities, runs) : svg_of(quantities, runs, options.is_logarithmic));
    fmt::print(
        "{} {} of {} {}: {}\n", quantities.size(), quantities.size() == 1 ? "quantity" : "quantities", runs.size(),
        runs.size() == 1 ? "run" : "runs", absolute_name(options.file));
}

} // namespace

void add_plot_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command = app.add_subcommand("plot", "Draw quantities of one or more runs over time");
    auto options = std::make_shared<CurveOptions>();
    command->add_option("OUT", options->results, "Folders of results")->required();
    command
        ->add_option(
            "--what", options->what,
            "Names of quantities with commas between them, such as energies,contacts,force:cloth-ball [energies]")
        ->allow_extra_args(false);
    command->add_flag("--list", options->is_list, "List the quantities of the runs");
    command->add_option("-o,--output", options->file, "SVG picture or CSV table [OUT/plot.svg]")->check(named());
    command->add_flag("--log", options->is_logarithmic, "Let powers of ten have the same distance");
    command->add_flag("--force", options->force, "Let -o replace a file");
    command->callback([options, &exit_code] {
        plot_results(*options);
        exit_code = ExitCode::done;
    });
}

} // namespace abut
