#include "scene.hpp"

#include "module.hpp"
#include "paths.hpp"

#include <pybind11/stl.h>

namespace abut::python {

namespace {

/// What json.dumps() calls for what it does not know: arrays and numbers of numpy become lists and numbers.
py::object plain(const py::object& value)
{
    if (py::hasattr(value, "tolist"))
        return value.attr("tolist")();
    throw py::type_error(fmt::format(
        "scene: expected dicts, lists, arrays, str, numbers and bool, got {}",
        std::string(py::str(py::type::of(value)))));
}

/// JSON text, from a str or from a dict that json.dumps() can write, of which arrays may be a part.
std::string json_argument(const py::object& value)
{
    if (py::isinstance<py::str>(value))
        return py::cast<std::string>(value);
    if (py::isinstance<py::dict>(value))
        return py::cast<std::string>(
            py::module_::import("json").attr("dumps")(value, "default"_a = py::cpp_function(plain)));
    throw py::type_error(
        fmt::format("scene: expected JSON text or a dict, got {}", std::string(py::str(py::type::of(value)))));
}

} // namespace

void def_scene(py::module_& m)
{
    using Self = SharedScene;
    py::class_<Self>(
        m, "Scene",
        "What is simulated: bodies, planes, scripts, contact, time. Read from JSON, whose keys docs/scenes.md lists; "
        "unknown keys, wrong types and values out of range raise InvalidInput, which names the place. Immutable.")
        .def_static(
            "from_file",
            [](const py::object& path, const std::vector<std::string>& settings) {
                const std::filesystem::path file = path_argument(path, "path");
                return without_gil([&] { return Self(read_scene_source(file, settings)); });
            },
            "path"_a, "settings"_a = std::vector<std::string>(), R"(Reads a scene from a JSON file.

path: the file; files that it names are looked for beside it.
settings: "contact.dhat=1e-3" and the like, put into the JSON before it is read.)")
        .def_static(
            "from_json",
            [](const py::object& scene, const py::object& folder, const std::vector<std::string>& settings) {
                const std::string text = json_argument(scene);
                const std::filesystem::path beside = path_argument(folder, "folder");
                return without_gil([&] { return Self(parse_scene_source(text, "scene", beside, settings)); });
            },
            "scene"_a, "folder"_a = ".", "settings"_a = std::vector<std::string>(),
            R"(Reads a scene from JSON text, or from a dict of the same keys.

scene: a str, or a dict that json.dumps() can write; arrays and numbers of numpy may be in it.
folder: where files that the scene names are looked for.
settings: "contact.dhat=1e-3" and the like, put into the JSON before it is read.)")
        .def_property_readonly(
            "name", [](const Self& self) { return self->name; }, "Its name.")
        .def_property_readonly(
            "num_objects", [](const Self& self) { return self->objects.size(); }, "Number of objects.")
        .def_property_readonly(
            "object_names",
            [](const Self& self) {
                std::vector<std::string> names;
                for (const SceneObject& object : self->objects)
                    names.push_back(object.name);
                return names;
            },
            "The names of the objects, in order.")
        .def_property_readonly(
            "dt", [](const Self& self) { return self->time.dt; }, "Time step [s].")
        .def_property_readonly(
            "steps", [](const Self& self) { return self->time.steps; },
            "How many steps `abut run` makes of it; a Simulation makes as many as it is asked for.")
        .def("__repr__", [](const Self& self) {
            return fmt::format(
                "<abut.Scene: '{}', {} objects, {} steps of {} s>", self->name, self->objects.size(), self->time.steps,
                self->time.dt);
        });
}

} // namespace abut::python
