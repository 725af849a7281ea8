#include "abut/run/compare/compare.hpp"

#include "abut/run/compare/page.hpp"
#include "bind.hpp"
#include "module.hpp"
#include "signals.hpp"
#include "simulation.hpp"
#include "varied.hpp"

#include <pybind11/stl.h>

namespace abut::python {

namespace {

class CompareSignals final : public CompareObserver {
public:
    bool goes_on() override { return signals.goes_on(); }

    Signals signals;
};

/// Runs or continues a comparison, and returns compare.json as text.
std::string compare(
    const py::object& scene, const Varied& varied, const CompareOptions& options, const py::object& output, bool force,
    const std::vector<std::string>& command)
{
    const std::filesystem::path path = path_argument(output, "output");
    const std::shared_ptr<const SceneSource> source = scene_source(scene);
    CompareSignals observer;
    const std::optional<std::string> text = without_gil([&]() -> std::optional<std::string> {
        const ComparePlan plan = make_plan(*source, varied.variants(), options);
        const CompareFolder folder(path, plan, force, {.output = "output", .force = "force=True"});
        if (!run_all(plan, folder, command, observer))
            return {};
        const Comparison comparison = measure(plan, folder);
        const Table table = table_of(comparison);
        write_tables(comparison, table, folder);
        return comparison_to_json(comparison, table).dump();
    });
    if (!text)
        observer.signals.raise();
    return *text;
}

} // namespace

void def_compare(py::module_& m)
{
    m.def(
        "_compare",
        [](const py::object& scene, const decltype(Varied::keys)& keys, const std::optional<std::string>& csv,
           const std::optional<std::vector<std::string>>& reference, int repeat, const std::vector<double>& at,
           int threads, const py::object& output, bool force, const std::vector<std::string>& command) {
            const CompareOptions options{
                .reference = reference.value_or(std::vector<std::string>()),
                .has_reference = reference.has_value(),
                .repeat = repeat,
                .at = at,
                .threads = threads};
            return compare(scene, {keys, csv}, options, output, force, command);
        });
}

} // namespace abut::python
