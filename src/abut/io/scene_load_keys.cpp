// The table of scene keys: loads on objects, and stitches between them.

#include "abut/io/scene_keys.hpp"

#include "abut/sim/scene.hpp"

namespace abut {

namespace {

std::vector<SceneKey> pressure_keys()
{
    const ScenePressure pressure;
    const std::vector<std::string> closed{"solid", "shell"};
    return {
        {.path = "objects[].pressure",
         .type = KeyType::object,
         .fallback_words = "none",
         .only_for = closed,
         .meaning = "What presses [from inside](loads.md#pressure) on a closed shell, or on the hollows of a solid: "
                    "`value` or `gas`."},
        {.path = "objects[].pressure.value",
         .unit = "Pa",
         .fallback_words = "this or `gas`",
         .only_for = closed,
         .meaning = "A constant pressure above that outside; negative: it sucks."},
        {.path = "objects[].pressure.gas",
         .type = KeyType::object,
         .fallback_words = "this or `value`",
         .only_for = closed,
         .meaning = "Gas that stays inside and keeps its temperature: pressure times volume is constant."},
        {.path = "objects[].pressure.gas.ambient",
         .unit = "Pa",
         .range = JsonObject::positive(),
         .fallback = pressure.ambient,
         .only_for = closed,
         .meaning = "Absolute pressure outside."},
        {.path = "objects[].pressure.gas.initial",
         .unit = "Pa",
         .fallback = pressure.value,
         .only_for = closed,
         .meaning = "Pressure inside above `ambient` at the start; above −`ambient`."},
    };
}

std::vector<SceneKey> resistance_keys()
{
    const SceneDamping damping;
    const SceneDrag drag;
    const std::vector<std::string> bodies_with_mass{"solid", "shell", "planar", "rod", "points"},
        with_surface{"solid", "shell", "planar"};
    return {
        {.path = "objects[].damping",
         .type = KeyType::object,
         .fallback_words = "none",
         .only_for = bodies_with_mass,
         .meaning = "[Rayleigh's damping](loads.md#damping)."},
        {.path = "objects[].damping.mass",
         .unit = "1/s",
         .range = JsonObject::not_negative(),
         .fallback = damping.mass,
         .only_for = bodies_with_mass,
         .meaning = "α: speeds decay at this rate, all alike."},
        {.path = "objects[].damping.stiffness",
         .unit = "s",
         .range = JsonObject::not_negative(),
         .fallback = damping.stiffness,
         .only_for = {"solid", "shell", "planar", "rod"},
         .meaning = "β: an oscillation of the angular frequency ω decays at the rate β ω² / 2."},
        {.path = "objects[].drag",
         .type = KeyType::object,
         .fallback_words = "none",
         .only_for = with_surface,
         .meaning = "[Air](loads.md#air) that resists its surface."},
        {.path = "objects[].drag.coefficient",
         .range = JsonObject::not_negative(),
         .fallback = drag.coefficient,
         .only_for = with_surface,
         .meaning = "Of drag: 1.17 for a plate across the flow."},
        {.path = "objects[].drag.density",
         .unit = "kg/m³",
         .range = JsonObject::positive(),
         .fallback = drag.density,
         .only_for = with_surface,
         .meaning = "Of the air."},
        {.path = "objects[].drag.wind",
         .type = KeyType::vector,
         .unit = "m/s",
         .fallback = {0, 0, 0},
         .only_for = with_surface,
         .meaning = "Velocity of the air."},
    };
}

} // namespace

std::vector<SceneKey> stitch_keys()
{
    return {
        {.path = "stitches[].objects",
         .type = KeyType::names,
         .is_required = true,
         .count = 2,
         .meaning = "Names of the two objects, or twice that of one."},
        {.path = "stitches[].vertices",
         .type = KeyType::pairs,
         .range = {.at_least = 0},
         .fallback_words = "this or `nearest`",
         .meaning = "Numbers of a vertex of the first object and one of the second, from 0, for each stitch."},
        {.path = "stitches[].nearest",
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback_words = "this or `vertices`",
         .meaning = "Stitches each vertex of the first object to the nearest of the second, where that is no farther "
                    "than this."},
        {.path = "stitches[].select",
         .type = KeyType::selection,
         .fallback = "all",
         .meaning = "With `nearest`: which vertices of the first object."},
        {.path = "stitches[].stiffness",
         .unit = "N/m",
         .range = JsonObject::positive(),
         .is_required = true,
         .meaning = "Of each stitch."},
        {.path = "stitches[].rest_length",
         .unit = "m",
         .range = JsonObject::not_negative(),
         .fallback = 0,
         .meaning = "Length at which a stitch pulls and pushes nothing."},
    };
}

std::vector<SceneKey> load_keys()
{
    std::vector<SceneKey> keys;
    for (auto* part : {pressure_keys, resistance_keys})
        for (SceneKey& key : part())
            keys.push_back(std::move(key));
    return keys;
}

} // namespace abut
