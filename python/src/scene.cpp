#include "simulation.hpp"

#include "bind.hpp"
#include "module.hpp"

#include <pybind11/stl.h>

namespace abut::python {

namespace {

/// What json.dumps() calls for what it does not know: arrays and numbers of numpy become lists and numbers.
py::object plain(const py::object& value)
{
    if (py::hasattr(value, "tolist"))
        return value.attr("tolist")();
    const std::string type = py::str(py::type::of(value));
    reject_type("scene: expected dicts, lists, arrays, str, numbers and bool, got {}", type);
}

/// JSON text, from a str or from a dict that json.dumps() can write, of which arrays may be a part.
std::string json_argument(const py::object& value)
{
    if (py::isinstance<py::str>(value))
        return py::cast<std::string>(value);
    if (py::isinstance<py::dict>(value))
        return py::cast<std::string>(
            py::module_::import("json").attr("dumps")(value, "default"_a = py::cpp_function(plain)));
    reject_type("scene: expected JSON text or a dict, got {}", std::string(py::str(py::type::of(value))));
}

} // namespace

void def_scene(py::module_& m)
{
    using Self = SharedScene;
    using Settings = std::vector<std::string>;
    Class<Self> type(
        m, "Scene",
        "What is simulated: bodies, planes, scripts, contact, time. Read from JSON, whose keys docs/scenes.md lists; "
        "unknown keys, wrong types and values out of range raise InvalidInput, which names the place. Immutable.");
    type.def_static(
        "from_file", "path"_a, "settings"_a = Settings(), unlocked, R"(Reads a scene from a JSON file.

path: the file; files that it names are looked for beside it.
settings: "contact.dhat=1e-3" and the like, put into the JSON before it is read.)",
        [](const std::filesystem::path& path, const Settings& settings) {
            return Self(read_scene_source(path, settings));
        });
    type.def_static(
        "from_json", "scene"_a, "folder"_a = ".", "settings"_a = Settings(),
        R"(Reads a scene from JSON text, or from a dict of the same keys.

scene: a str, or a dict that json.dumps() can write; arrays and numbers of numpy may be in it.
folder: where files that the scene names are looked for.
settings: "contact.dhat=1e-3" and the like, put into the JSON before it is read.)",
        [](const py::object& scene, const std::filesystem::path& folder, const Settings& settings) {
            const std::string text = json_argument(scene);
            return without_gil([&] { return Self(parse_scene_source(text, "scene", folder, settings)); });
        });
    type.get("name", "Its name.", [](const Self& self) { return self->name; });
    type.get("num_objects", "Number of objects.", [](const Self& self) { return self->objects.size(); });
    type.get("object_names", "The names of the objects, in order.", [](const Self& self) {
        std::vector<std::string> names;
        for (const SceneObject& object : self->objects)
            names.push_back(object.name);
        return names;
    });
    type.get("dt", "Time step [s].", [](const Self& self) { return self->time.dt; });
    type.get(
        "steps", "How many steps `abut run` makes of it; a Simulation makes as many as it is asked for.",
        [](const Self& self) { return self->time.steps; });
    type.repr([](const Self& self) {
        return fmt::format(
            "'{}', {} objects, {} steps of {} s", self->name, self->objects.size(), self->time.steps, self->time.dt);
    });
}

} // namespace abut::python
