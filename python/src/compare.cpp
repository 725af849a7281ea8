#include "abut/run/compare/compare.hpp"

#include "abut/run/compare/page.hpp"
#include "bind.hpp"
#include "module.hpp"
#include "simulation.hpp"

#include <pybind11/stl.h>

namespace abut::python {

namespace {

/// Ends the comparison where Python has a signal to handle, such as Ctrl-C.
class CompareSignals final : public CompareObserver {
public:
    bool goes_on() override
    {
        const py::gil_scoped_acquire acquire;
        if (!raised_ && PyErr_CheckSignals() != 0)
            raised_.emplace();
        return !raised_;
    }
    [[noreturn]] void raise()
    {
        if (raised_)
            throw py::error_already_set(std::move(*raised_));
        PyErr_SetNone(PyExc_KeyboardInterrupt); // the signal went to the run alone
        throw py::error_already_set();
    }

private:
    std::optional<py::error_already_set> raised_; // takes the error that is set
};

using Varied = std::vector<std::pair<std::string, std::vector<std::string>>>;

Variants variants_of(const Varied& varied, const std::optional<std::string>& csv)
{
    if (csv)
        return parse_variants(*csv, "vary");
    std::vector<VariedKey> keys;
    for (const auto& [key, values] : varied)
        keys.push_back({key, values});
    return all_combinations(keys);
}

/// Runs or continues a comparison, and returns compare.json as text.
std::string compare(
    const py::object& scene, const Varied& varied, const std::optional<std::string>& csv, const CompareOptions& options,
    const py::object& output, bool force, const std::vector<std::string>& command)
{
    const std::filesystem::path path = path_argument(output, "output");
    const std::shared_ptr<const SceneSource> source = scene_source(scene);
    CompareSignals signals;
    const std::optional<std::string> text = without_gil([&]() -> std::optional<std::string> {
        const ComparePlan plan = make_plan(*source, variants_of(varied, csv), options);
        const CompareFolder folder(path, plan, force);
        if (!run_all(plan, folder, command, signals))
            return {};
        const Comparison comparison = measure(plan, folder);
        const CompareTable table = table_of(comparison);
        write_tables(comparison, table, folder);
        return comparison_to_json(comparison, table).dump();
    });
    if (!text)
        signals.raise();
    return *text;
}

} // namespace

void def_compare(py::module_& m)
{
    m.def(
        "_compare",
        [](const py::object& scene, const Varied& varied, const std::optional<std::string>& csv,
           const std::optional<std::vector<std::string>>& reference, int repeat, const std::vector<double>& at,
           int threads, const py::object& output, bool force, const std::vector<std::string>& command) {
            const CompareOptions options{
                .reference = reference.value_or(std::vector<std::string>()),
                .has_reference = reference.has_value(),
                .repeat = repeat,
                .at = at,
                .threads = threads};
            return compare(scene, varied, csv, options, output, force, command);
        });
}

} // namespace abut::python
