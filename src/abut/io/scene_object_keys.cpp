// The table of scene keys: objects, selections of their vertices, and scripts.

#include "abut/io/scene_keys.hpp"

#include "abut/elastic/material_presets.hpp"
#include "abut/sim/scene.hpp"

namespace abut {

namespace {

const std::vector<std::string> bodies{"solid", "shell", "planar", "rod", "points"},
    elastic{"solid", "shell", "planar", "rod"};

std::vector<std::string> shape_names()
{
    std::vector<std::string> names;
    for (const SceneShape& shape : scene_shapes())
        names.push_back(shape.name);
    return names;
}

std::vector<std::string> preset_names()
{
    std::vector<std::string> names;
    for (const MaterialPreset& preset : material_presets())
        names.emplace_back(preset.name);
    return names;
}

std::vector<SceneKey> body_keys()
{
    return {
        {.path = "objects[].name",
         .type = KeyType::string,
         .fallback_words = "`object0`, `object1` and so on",
         .meaning = "By which scripts and results call it; no two objects have the same."},
        {.path = "objects[].kind",
         .type = KeyType::word,
         .fallback_words = "by the mesh",
         .words = {"solid", "shell", "planar", "rod", "points", "obstacle"},
         .meaning = "`solid`: tetrahedra; `shell`: triangles that stretch and bend; `planar`: triangles in 2D, plane "
                    "strain; `rod`: edges in space that stretch, bend and [twist](rods.md); `points`: vertices alone; "
                    "`obstacle`: moves by script or not at all. A mesh of edges alone is a rod; in the plane, where "
                    "there are none, it must say which of the last two it is."},
        {.path = "objects[].geometry",
         .type = KeyType::geometry,
         .is_required = true,
         .meaning = "The mesh at rest: a file, or a shape with keys of its own."},
        {.path = "objects[].geometry.file",
         .type = KeyType::string,
         .fallback_words = "`generate`",
         .is_required = true,
         .meaning = "An `.obj` or Gmsh `.msh` [file](mesh.md), beside the scene."},
        {.path = "objects[].geometry.in_plane",
         .type = KeyType::boolean,
         .fallback = false,
         .meaning = "The file's triangles lie in the plane z = 0, and the scene is one of two dimensions. Only with "
                    "`file`."},
        {.path = "objects[].geometry.generate",
         .type = KeyType::word,
         .fallback_words = "`file`",
         .words = shape_names(),
         .is_required = true,
         .meaning = "A shape."},
    };
}

std::vector<SceneKey> transform_keys()
{
    return {
        {.path = "objects[].transform",
         .type = KeyType::object,
         .fallback_words = "none",
         .meaning = "Places the mesh: scaled, then turned, then translated."},
        {.path = "objects[].transform.scale",
         .range = JsonObject::positive(),
         .fallback = 1,
         .meaning = "Factor about the origin."},
        {.path = "objects[].transform.rotate",
         .type = KeyType::object,
         .fallback_words = "none",
         .meaning = "A turn about an axis through the origin."},
        {.path = "objects[].transform.rotate.axis",
         .type = KeyType::vector,
         .fallback = {0, 0, 1},
         .meaning = "Of any length but 0; in the plane always z."},
        {.path = "objects[].transform.rotate.degrees",
         .unit = "°",
         .is_required = true,
         .meaning = "The angle, by the right-hand rule."},
        {.path = "objects[].transform.translate",
         .type = KeyType::vector,
         .unit = "m",
         .fallback = {0, 0, 0},
         .meaning = "How far it is moved."},
    };
}

std::vector<SceneKey> start_keys()
{
    const SceneObject object;
    return {
        {.path = "objects[].velocity",
         .type = KeyType::vector,
         .unit = "m/s",
         .fallback = {0, 0, 0},
         .only_for = bodies,
         .meaning = "At the start; obstacles are moved by scripts."},
        {.path = "objects[].angular_velocity",
         .type = KeyType::vector,
         .unit = "rad/s",
         .fallback = {0, 0, 0},
         .only_for = bodies,
         .count = 3,
         .meaning = "Spin at the start about the centre of mass, by the right-hand rule, added to `velocity`; three "
                    "numbers also in the plane, where the first two are 0."},
        {.path = "objects[].gravity_scale",
         .fallback = object.gravity_scale,
         .only_for = bodies,
         .meaning = "Factor on `gravity` for this object; 0: weightless, negative: it rises."},
        {.path = "objects[].force",
         .type = KeyType::vector,
         .unit = "N",
         .fallback = {0, 0, 0},
         .only_for = bodies,
         .meaning = "Constant force on the whole object, spread over its vertices by mass."},
        {.path = "objects[].fix",
         .type = KeyType::selection,
         .fallback_words = "none",
         .meaning = "Vertices that never move."},
        {.path = "objects[].fix_frame",
         .type = KeyType::boolean,
         .fallback_words = "true, where both vertices of an edge are in `fix`",
         .only_for = {"rod"},
         .meaning =
             "Are [frames](rods.md#holding-and-turning-frames) held too? `false` lets edges turn about themselves; "
             "`true` is an error where no edge has both of its vertices in `fix`."},
    };
}

std::vector<SceneKey> material_keys()
{
    const SceneObject object;
    return {
        {.path = "objects[].material", .type = KeyType::object, .meaning = "What it is made of."},
        {.path = "objects[].material.preset",
         .type = KeyType::word,
         .fallback_words = "none",
         .registered_words = preset_names,
         .only_for = elastic,
         .meaning =
             "Typical numbers of a [well-known material](materials.md#presets), with their sources there: model, "
             "moduli, density, and the thickness of what comes as sheets. Keys given beside it count instead."},
        {.path = "objects[].material.model",
         .type = KeyType::word,
         .fallback = "neo_hookean",
         .words = {"neo_hookean", "stable_neo_hookean", "fixed_corotated", "stvk", "baraff_witkin", "hencky"},
         .only_for = {"solid", "planar"},
         .meaning = "The law of [elasticity](elasticity.md); `hencky` where there is `plasticity`; `baraff_witkin` is "
                    "for shells alone."},
        {.path = "objects[].material.model",
         .type = KeyType::word,
         .fallback_words = "`fixed_corotated`; `neo_hookean` where `contact.model` is `gcp`",
         .words = {"neo_hookean", "fixed_corotated", "stvk", "baraff_witkin", "hencky"},
         .only_for = {"shell"},
         .meaning = "The law of [elasticity](elasticity.md); `baraff_witkin` is [cloth](materials.md#woven-cloth) by "
                    "warp, weft and shear."},
        {.path = "objects[].material.youngs_modulus",
         .unit = "Pa",
         .range = JsonObject::positive(),
         .fallback = object.youngs_modulus,
         .only_for = elastic,
         .meaning = "Young's modulus: how stiff it is."},
        {.path = "objects[].material.poisson_ratio",
         .range = {.above = -1, .below = 0.5},
         .fallback = object.poisson_ratio,
         .only_for = elastic,
         .meaning = "Poisson's ratio: how much it thins when pulled."},
        {.path = "objects[].material.density",
         .unit = "kg/m³",
         .range = JsonObject::positive(),
         .fallback = object.density,
         .only_for = elastic,
         .meaning = "Mass per volume."},
        {.path = "objects[].material.thickness",
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback = object.thickness,
         .only_for = {"shell"},
         .meaning = "Of the sheet."},
        {.path = "objects[].material.thickness",
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback = 1,
         .only_for = {"planar"},
         .meaning = "Across the plane."},
        {.path = "objects[].material.bending",
         .type = KeyType::boolean,
         .fallback = object.has_bending,
         .only_for = {"shell"},
         .meaning = "Does it resist bending?"},
        {.path = "objects[].material.radius",
         .type = KeyType::number_or_two,
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback = object.rod.section.a,
         .only_for = {"rod"},
         .meaning = "Of the [section](rods.md#sections): one number, or the two half axes of an ellipse."},
        {.path = "objects[].material.shear_modulus",
         .unit = "Pa",
         .range = JsonObject::positive(),
         .fallback_words = "`youngs_modulus` / (2 (1 + `poisson_ratio`))",
         .only_for = {"rod"},
         .meaning = "How stiff it is against twist; in place of `poisson_ratio`."},
        {.path = "objects[].material.rest",
         .type = KeyType::word,
         .fallback = "mesh",
         .words = {"mesh", "straight"},
         .only_for = {"rod"},
         .meaning = "How it is [at rest](rods.md#at-rest): curved and twisted as the mesh is, or straight."},
        {.path = "objects[].material.rest_twist",
         .unit = "rad/m",
         .fallback = object.rod.rest_twist,
         .only_for = {"rod"},
         .meaning = "By how much it is twisted at rest, more than `rest` says, by the right-hand rule: a mesh without "
                    "twist starts wrung by the opposite."},
        {.path = "objects[].material.section_axis",
         .type = KeyType::vector,
         .fallback_words = "chosen",
         .only_for = {"rod"},
         .count = 3,
         .meaning =
             "Where the first half axis points in the mesh before `transform`, at the first edge of each rod; the "
             "part across the edge counts."},
        {.path = "objects[].material.plasticity",
         .type = KeyType::object,
         .fallback_words = "none",
         .only_for = elastic,
         .meaning = "Where it [yields](plasticity.md): solids and planar bodies flow, shells and rods stay bent."},
        {.path = "objects[].material.plasticity.yield_stress",
         .unit = "Pa",
         .range = JsonObject::positive(),
         .is_required = true,
         .meaning = "The stress in tension at which it begins to (von Mises)."},
        {.path = "objects[].material.plasticity.hardening",
         .unit = "Pa",
         .range = JsonObject::not_negative(),
         .fallback = Plasticity{}.hardening,
         .meaning = "By how much that stress grows with the equivalent plastic strain."},
        {.path = "objects[].material.plasticity.viscosity",
         .unit = "Pa s",
         .range = JsonObject::not_negative(),
         .fallback = Plasticity{}.viscosity,
         .meaning = "By how much stress is above it, per rate of that strain."},
        {.path = "objects[].material.strain_limit",
         .type = KeyType::object,
         .fallback_words = "none",
         .only_for = {"shell"},
         .meaning = "How far it can be [stretched](materials.md#a-limit-to-stretch): a barrier in the principal "
                    "stretches of its triangles."},
        {.path = "objects[].material.strain_limit.stretch",
         .range = {.above = 1},
         .is_required = true,
         .meaning = "Length over length at rest that nothing reaches, in any direction."},
        {.path = "objects[].material.strain_limit.from",
         .range = {.at_least = 1},
         .fallback = SceneStrainLimit{}.from,
         .meaning = "The stretch from which on the barrier acts, below `stretch`."},
        {.path = "objects[].material.strain_limit.stiffness",
         .unit = "Pa",
         .range = JsonObject::positive(),
         .fallback_words = "`youngs_modulus`",
         .meaning = "Of the barrier."},
        {.path = "objects[].material.warp",
         .unit = "Pa",
         .range = JsonObject::positive(),
         .fallback_words = "`youngs_modulus`",
         .only_for = {"shell"},
         .meaning = "With the model `baraff_witkin`: Young's modulus along the warp; times `thickness` it is the force "
                    "per width and strain."},
        {.path = "objects[].material.weft",
         .unit = "Pa",
         .range = JsonObject::positive(),
         .fallback_words = "`youngs_modulus`",
         .only_for = {"shell"},
         .meaning = "The same across the warp, along the weft."},
        {.path = "objects[].material.shear",
         .unit = "Pa",
         .range = JsonObject::not_negative(),
         .fallback_words = "`youngs_modulus` / (2 (1 + `poisson_ratio`))",
         .only_for = {"shell"},
         .meaning = "With the model `baraff_witkin`: the shear modulus between warp and weft."},
        {.path = "objects[].material.warp_direction",
         .type = KeyType::vector,
         .fallback = {1, 0, 0},
         .only_for = {"shell"},
         .count = 3,
         .meaning = "With the model `baraff_witkin`: where the warp runs in the mesh before `transform`, of any length "
                    "but 0; each triangle takes the part in its plane."},
        {.path = "objects[].material.point_mass",
         .unit = "kg",
         .range = JsonObject::positive(),
         .fallback = object.point_mass,
         .only_for = {"points"},
         .meaning = "Mass of each vertex."},
        {.path = "objects[].material.name",
         .type = KeyType::string,
         .fallback_words = "none",
         .meaning = "By which `contact.pairs` call it; several objects and planes may share it."},
        {.path = "objects[].material.mu",
         .range = JsonObject::not_negative(),
         .fallback_words = "`contact.friction.mu`",
         .meaning = "Friction of its surface, [blended](friction.md#in-scenes) with that of what it touches."},
        {.path = "objects[].material.mu_k",
         .range = JsonObject::not_negative(),
         .fallback_words = "`mu`",
         .meaning = "The same, kinetic; needs `mu` beside it."},
        {.path = "objects[].contact_group",
         .type = KeyType::string,
         .fallback_words = "none",
         .meaning = "By which `contact.ignore` calls it; several objects may share it."},
        {.path = "objects[].contact_thickness",
         .unit = "m",
         .range = JsonObject::not_negative(),
         .fallback_words = "0; of rods twice `material.radius`",
         .meaning = "Contact keeps [surfaces](pairs.md#thickness) apart that stand off from the mesh by half of this; "
                    "not with `gcp`. `material.thickness` is that of the material."},
    };
}

std::vector<SceneKey> selection_keys()
{
    const auto vector = [](const char* path, const char* unit, nlohmann::json fallback, const char* meaning) {
        const bool is_bound = fallback.is_null();
        return SceneKey{
            .path = path,
            .type = KeyType::vector,
            .unit = unit,
            .fallback = std::move(fallback),
            .fallback_words = is_bound ? "no bound" : "",
            .meaning = meaning};
    };
    return {
        {.path = "selection",
         .type = KeyType::one_of,
         .meaning = "Vertices of an object, as they start; one that selects nothing is an error."},
        {.path = "selection.box", .type = KeyType::object, .meaning = "Those in a box along the axes."},
        vector("selection.box.min", "m", nullptr, "Its lower corner."),
        vector("selection.box.max", "m", nullptr, "Its upper corner."),
        {.path = "selection.sphere", .type = KeyType::object, .meaning = "Those in a ball."},
        vector("selection.sphere.centre", "m", {0, 0, 0}, "Its centre."),
        {.path = "selection.sphere.radius",
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback = 1,
         .meaning = "Its radius."},
        {.path = "selection.half_space",
         .type = KeyType::object,
         .meaning = "Those on the side of a plane that its normal points to."},
        vector("selection.half_space.point", "m", {0, 0, 0}, "A point of the plane."),
        vector("selection.half_space.normal", "", {0, 1, 0}, "The plane's normal, of any length."),
        {.path = "selection.indices",
         .type = KeyType::integers,
         .range = {.at_least = 0},
         .meaning = "Numbers of vertices, from 0."},
    };
}

std::vector<SceneKey> motion_keys()
{
    return {
        {.path = "scripts[].object",
         .type = KeyType::string,
         .is_required = true,
         .meaning = "Name of the object whose vertices it moves."},
        {.path = "scripts[].select",
         .type = KeyType::selection,
         .fallback = "all",
         .meaning = "Which of its vertices."},
        {.path = "scripts[].velocity",
         .type = KeyType::vector,
         .unit = "m/s",
         .fallback = {0, 0, 0},
         .meaning = "How they are translated."},
        {.path = "scripts[].rotate", .type = KeyType::object, .fallback_words = "none", .meaning = "How they turn."},
        {.path = "scripts[].rotate.axis",
         .type = KeyType::vector,
         .fallback = {0, 1, 0},
         .fallback_words = "`[0, 1, 0]`; in the plane z",
         .meaning = "Of any length but 0; in the plane always z."},
        {.path = "scripts[].rotate.centre",
         .type = KeyType::vector,
         .unit = "m",
         .fallback = {0, 0, 0},
         .meaning = "A point of the axis at the start."},
        {.path = "scripts[].rotate.degrees_per_second",
         .unit = "°/s",
         .fallback = 0,
         .meaning = "How fast, by the right-hand rule."},
        {.path = "scripts[].keyframes",
         .type = KeyType::objects,
         .fallback_words = "none",
         .meaning = "Where they are at times, instead of `velocity` and `degrees_per_second`."},
        {.path = "scripts[].keyframes[].time", .unit = "s", .is_required = true, .meaning = "Must rise."},
        {.path = "scripts[].keyframes[].translate",
         .type = KeyType::vector,
         .unit = "m",
         .fallback = {0, 0, 0},
         .meaning = "Translation from the start."},
        {.path = "scripts[].keyframes[].degrees",
         .unit = "°",
         .fallback = 0,
         .meaning = "Turn from the start, about the axis and centre of `rotate`."},
        {.path = "scripts[].release",
         .unit = "s",
         .range = JsonObject::not_negative(),
         .fallback_words = "never",
         .meaning = "When the vertices become free."},
        {.path = "scripts[].frame",
         .type = KeyType::boolean,
         .fallback_words = "true, where it has both vertices of an edge of a rod",
         .meaning = "Are [frames](rods.md#holding-and-turning-frames) of rods held and turned too? `false` lets edges "
                    "turn about themselves; `true` is an error where it has both vertices of no edge."},
    };
}

std::vector<SceneKey> joined(std::initializer_list<std::vector<SceneKey>> parts)
{
    std::vector<SceneKey> keys;
    for (const std::vector<SceneKey>& part : parts)
        keys.insert(keys.end(), part.begin(), part.end());
    return keys;
}

} // namespace

std::vector<SceneKey> object_keys() { return joined({body_keys(), transform_keys(), material_keys(), start_keys()}); }

std::vector<SceneKey> script_keys() { return joined({selection_keys(), motion_keys()}); }

} // namespace abut
