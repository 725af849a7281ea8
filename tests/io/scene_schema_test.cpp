// The schema of scenes and the parser agree: on shipped scenes, on variations of a scene that are right, and on those
// that are wrong in names, types, ranges and choices. What only the parser can tell is listed.

#include "abut/io/scene_schema.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"
#include "abut/io/scene_json.hpp"
#include "abut/io/scene_keys.hpp"
#include "abut/sim/simulation.hpp"
#include "support/data_folders.hpp"
#include "support/json_schema.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

namespace abut::test::scene_schema_test {

namespace {

/// Empty where the schema accepts a scene, else what it says.
std::string objection_of_schema(const nlohmann::json& scene)
{
    static const JsonSchema schema(scene_schema());
    return schema.objection(scene);
}

/// Empty where the parser accepts a scene, else what it says.
std::string objection_of_parser(const nlohmann::json& scene)
{
    try {
        (void)scene_from_json(scene, "scene.json", {.folder = "."});
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

/// A scene of several kinds of objects, which patches make right or wrong.
nlohmann::json base_scene()
{
    return nlohmann::json::parse(R"({
      "format": 1,
      "objects": [
        {"name": "cube", "geometry": {"generate": "tet_box", "subdivisions": [1, 1, 1]}, "material": {"density": 900}},
        {"name": "sheet", "kind": "shell", "geometry": {"generate": "cloth", "cells": [2, 2]}, "material": {"bending": true},
         "fix": {"indices": [0]}},
        {"name": "wall", "kind": "obstacle", "geometry": {"generate": "box"}}],
      "planes": [{"point": [0, -2, 0]}],
      "scripts": [{"object": "wall", "velocity": [0, 1, 0]}],
      "contact": {"friction": {"mu": 0.3}}, "time": {"dt": 0.01}, "solver": {"norm": "largest"}})");
}

/// The scene with other values: {"/time/dt": 0} and the like; the word REMOVED removes a key.
nlohmann::json patched(const std::string& patch)
{
    nlohmann::json scene = base_scene();
    const nlohmann::json changes = nlohmann::json::parse(patch);
    for (const auto& [pointer, value] : changes.items()) {
        const nlohmann::json::json_pointer at(pointer);
        if (value != "REMOVED")
            scene[at] = value;
        else if (scene[at.parent_pointer()].is_object())
            scene[at.parent_pointer()].erase(at.back());
    }
    return scene;
}

struct Case {
    const char* patch;
    const char* what;
};

TEST(SceneSchema, AcceptsEveryShippedScene)
{
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(scene_folder())) {
        if (entry.path().extension() != ".json")
            continue;
        ++count;
        EXPECT_EQ(objection_of_schema(read_scene_json(entry.path())), "") << entry.path();
        EXPECT_NO_THROW((void)read_scene(entry.path())) << entry.path();
    }
    EXPECT_GE(count, 15);
}

TEST(SceneSchema, AcceptsWhatTheParserAccepts)
{
    const Case cases[]{
        {"{}", "as it is"},
        {R"({"/$schema": "https://example.org/scene.schema.json"})", "a schema"},
        {R"({"/name": "a name"})", "a name"},
        {R"({"/gravity": [0, 0, -1.5]})", "gravity"},
        {R"({"/planes": []})", "no planes"},
        {R"({"/planes/0/normal": [1, 1, 0]})", "a normal"},
        {R"({"/verify": "off"})", "no verification"},
        {R"({"/output": {"every": 5}})", "frames"},
        {R"({"/output": {}})", "an empty object"},
        {R"({"/time": {"dt": 1e-4, "steps": 0, "integrator": "quasi_static"}})", "time"},
        {R"({"/solver": {"tolerance": 1e-5, "norm": "relative", "max_iterations": 1, "max_seconds": 0.5,
             "max_blocked_steps": 3, "friction_iterations": 1000, "linear": "eigen"}})",
         "solver"},
        {R"({"/solver": {"linear": "pcg", "preconditioner": "schwarz", "linear_tolerance": 1e-4}})",
         "conjugate gradients"},
        {R"({"/contact": {"model": "none"}})", "no contact"},
        {R"({"/contact": {"model": "ogc", "dhat": 0.01, "dmin": 0, "stiffness": 7, "area_weighting": true}})", "ogc"},
        {R"({"/contact": {"model": "gipc", "friction": {"mu": 0, "mu_k": 0, "eps_v": 1e-6}}})", "gipc"},
        {R"({"/contact": {"model": "convergent_ipc", "adhesion": {}}})", "convergent ipc that sticks"},
        {R"({"/contact/adhesion": {"critical_strain": 1, "youngs_modulus": 1, "dhat_p": 1, "dhat_a": 2,
             "distance": "squared", "mu_a": 0, "eps_a": 1}})",
         "adhesion"},
        {R"({"/contact": {"model": "gcp", "alpha_t": 1, "beta_t": -0.99, "alpha_n": 0, "beta_n": 1, "exponent": 16,
             "adaptive_dhat_ratio": 0.1, "exterior_test": false, "variant": "paper"}})",
         "gcp"},
        {R"({"/contact": {"model": "gcp", "feature_length": "edge_length", "dmin": 0}})", "edge lengths"},
        {R"({"/contact": {"model": "gcp", "feature_length": 0.5, "adaptive_dhat": false}})", "one length"},
        {R"({"/contact": {"model": "gcp", "feature_length": {"sharp": 0.5}}})", "sharp features"},
        {R"({"/contact": {"model": "gcp", "feature_length": {"sharp": 0.5, "angle": 179.5}}})", "very sharp features"},
        {R"({"/objects/0/kind": "solid", "/objects/0/material": {"model": "stvk", "poisson_ratio": -0.9}})", "a solid"},
        {R"({"/objects/0/fix": "all"})", "all fixed"},
        {R"({"/objects/0/fix": {"box": {}}})", "a box without bounds"},
        {R"({"/objects/0/fix": {"half_space": {"normal": [0, 1, 0]}}})", "a half-space"},
        {R"({"/scripts/0/select": {"sphere": {"radius": 5}}})", "a sphere"},
        {R"({"/objects/0/transform": {"scale": 0.5, "rotate": {"degrees": -30}, "translate": [0, 1, 0]}})", "a place"},
        {R"({"/objects/1/material": {"model": "stvk", "thickness": 0.01, "bending": false}})", "a shell"},
        {R"({"/objects/1/material": {"model": "neo_hookean"}})", "a neo-Hookean shell"},
        {R"({"/objects/1/geometry/cells": [], "/objects/0/geometry/subdivisions": []})", "empty counts"},
        {R"({"/objects/2/geometry": {"generate": "cylinder", "closed": false, "segments": 3}})", "a tube"},
        {R"({"/objects/2/geometry": {"generate": "revolved", "profile": [[1, 0], [1, 2]]}})", "a surface"},
        {R"({"/scripts/0": {"object": "wall", "rotate": {"axis": [1, 0, 0], "centre": [0, 0, 0]}, "release": 0,
             "keyframes": [{"time": 0}, {"time": 1, "degrees": 90, "translate": [0, 0, 1]}]}})",
         "keyframes"},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(objection_of_schema(patched(each.patch)), "") << each.what;
        EXPECT_EQ(objection_of_parser(patched(each.patch)), "") << each.what;
    }
}

void expect_both_refuse(std::span<const Case> cases)
{
    for (const Case& each : cases) {
        EXPECT_NE(objection_of_schema(patched(each.patch)), "") << each.what << ": " << each.patch;
        EXPECT_NE(objection_of_parser(patched(each.patch)), "") << each.what << ": " << each.patch;
    }
}

TEST(SceneSchema, RefusesWrongNamesAsTheParserDoes)
{
    const Case cases[]{
        {R"({"/graviti": [0, 0, 0]})", "unknown key of the scene"},
        {R"({"/contact/dhatt": 1})", "unknown key of contact"},
        {R"({"/contact/eps_v": 1})", "a key at the wrong place"},
        {R"({"/contact/friction/mus": 1})", "unknown key of friction"},
        {R"({"/contact/adhesion": {"strain": 1}})", "unknown key of adhesion"},
        {R"({"/contact": {"model": "gcp", "feature_length": {"sharp": 1, "degrees": 3}}})", "unknown key of a length"},
        {R"({"/contact": {"model": "gcp", "feature_length": {"angle": 3}}})", "no length of sharp features"},
        {R"({"/contact/feature_length": {"sharp": 1}})", "sharp features of another contact model"},
        {R"({"/time/step": 1})", "unknown key of time"},
        {R"({"/solver/max_iteration": 1})", "unknown key of the solver"},
        {R"({"/output": {"evry": 1}})", "unknown key of output"},
        {R"({"/planes/0/offset": 1})", "unknown key of a plane"},
        {R"({"/objects/0/colour": "red"})", "unknown key of an object"},
        {R"({"/objects/0/material/denisty": 3})", "unknown key of a material"},
        {R"({"/objects/0/geometry/radius": 3})", "a key of another shape"},
        {R"({"/objects/0/geometry": {"file": "a.obj", "generate": "box"}})", "a file and a shape"},
        {R"({"/objects/0/geometry": {}})", "neither file nor shape"},
        {R"({"/objects/0/geometry": "REMOVED"})", "no geometry"},
        {R"({"/objects/0/transform": {"rotation": 3}})", "unknown key of a transform"},
        {R"({"/objects/0/transform": {"rotate": {"axis": [0, 0, 1]}}})", "a rotation without angle"},
        {R"({"/objects/0/fix": {"ball": {}}})", "an unknown selection"},
        {R"({"/objects/0/fix": {}})", "an empty selection"},
        {R"({"/objects/0/fix": {"box": {}, "sphere": {}}})", "two selections"},
        {R"({"/objects/0/fix": {"box": {"low": [0, 0, 0]}}})", "unknown key of a box"},
        {R"({"/scripts/0/speed": [0, 0, 0]})", "unknown key of a script"},
        {R"({"/scripts/0/object": "REMOVED"})", "a script without object"},
        {R"({"/scripts/0": {"object": "wall", "keyframes": [{"translate": [0, 0, 0]}]}})", "a keyframe without time"},
        {R"({"/format": "REMOVED"})", "no format"},
        {R"({"/objects": "REMOVED"})", "no objects"},
        {R"({"/contact/alpha_t": 0.5})", "a key of another contact model, by default"},
        {R"({"/contact": {"model": "ogc", "exponent": 2}})", "a key of another contact model"},
        {R"({"/contact": {"model": "gcp", "area_weighting": true}})", "a key that gcp does not have"},
        {R"({"/contact": {"model": "gcp", "adhesion": {}}})", "adhesion with gcp"},
        {R"({"/objects/2/material": {"density": 3}})", "a material of an obstacle"},
        {R"({"/objects/2/velocity": [0, 0, 1]})", "a velocity of an obstacle"},
        {R"({"/objects/2/force": [0, 0, 1]})", "a force on an obstacle"},
        {R"({"/objects/2/gravity_scale": 2})", "a gravity of an obstacle"},
        {R"({"/contact/pairs": [{"materials": ["a", "b"], "friction": {"mu": 1, "eps_v": 1}}]})", "a key of pairs"},
        {R"({"/contact/pairs": [{"friction": {"mu": 1}}]})", "a pair of nothing"},
        {R"({"/planes/0/material": {"density": 1}})", "a density of a plane"},
        {R"({"/objects/1/material/point_mass": 1})", "a point mass of a shell"},
        {R"({"/objects/0/kind": "solid", "/objects/0/material/thickness": 1})", "a thickness of a solid"},
        {R"({"/objects/0/kind": "points", "/objects/0/material/density": 1})", "a density of points"},
    };
    expect_both_refuse(cases);
}

TEST(SceneSchema, RefusesWrongTypesAsTheParserDoes)
{
    const Case cases[]{
        {R"({"/format": "1"})", "text as format"},
        {R"({"/$schema": 7})", "a number as schema"},
        {R"({"/name": 7})", "a number as name"},
        {R"({"/name": null})", "null as name"},
        {R"({"/gravity": -9.81})", "a number as vector"},
        {R"({"/gravity": [1, "a", 2]})", "text in a vector"},
        {R"({"/gravity": [1]})", "a vector of one number"},
        {R"({"/gravity": [1, 2, 3, 4]})", "a vector of four numbers"},
        {R"({"/objects": {}})", "an object as array"},
        {R"({"/objects": []})", "no objects"},
        {R"({"/objects/0": 1})", "a number as object"},
        {R"({"/planes": {"point": [0, 0, 0]}})", "a plane as array"},
        {R"({"/contact": []})", "an array as object"},
        {R"({"/contact": null})", "null as object"},
        {R"({"/time/dt": "0.01"})", "text as number"},
        {R"({"/time/dt": null})", "null as number"},
        {R"({"/time/steps": 1.5})", "a broken count"},
        {R"({"/time/steps": true})", "true as count"},
        {R"({"/contact/area_weighting": 1})", "a number as truth"},
        {R"({"/contact": {"model": "gcp", "feature_length": true}})", "true as length"},
        {R"({"/contact": {"model": "gcp", "feature_length": [1]}})", "an array as length"},
        {R"({"/contact": {"model": "gcp", "feature_length": {"sharp": "1"}}})", "text as length of sharp features"},
        {R"({"/verify": false})", "false as word"},
        {R"({"/objects/0/geometry/size": 1})", "a number as size"},
        {R"({"/objects/0/geometry/size": [1, 1]})", "two numbers as size of a box"},
        {R"({"/objects/1/geometry/size": [1, 1, 1]})", "three numbers as size of a sheet"},
        {R"({"/objects/0/geometry/subdivisions": [1, 1]})", "two counts of a box"},
        {R"({"/objects/0/geometry/subdivisions": 2})", "a number as counts"},
        {R"({"/objects/0/geometry/subdivisions": [1, 1, 1.5]})", "a broken count in an array"},
        {R"({"/objects/2/geometry": {"generate": "revolved", "profile": [[1, 0], [1]]}})", "half a point"},
        {R"({"/objects/0/fix": "some"})", "an unknown word as selection"},
        {R"({"/objects/0/fix": ["all"]})", "an array as selection"},
        {R"({"/objects/0/fix": {"indices": 3}})", "a number as indices"},
        {R"({"/objects/0/fix": {"indices": []}})", "no indices"},
        {R"({"/scripts/0/object": 2})", "a number as name of an object"},
        {R"({"/scripts/0/keyframes": []})", "no keyframes"},
        {R"({"/objects/0/angular_velocity": [1, 2]})", "two numbers as spin"},
        {R"({"/objects/0/contact_group": 3})", "a number as group"},
        {R"({"/contact/ignore": ["a", "b"]})", "names as pairs of names"},
        {R"({"/contact/ignore": [["a"]]})", "a pair of one name"},
        {R"({"/contact/pairs": [{"materials": "a", "friction": {"mu": 1}}]})", "a name as pair"},
        {R"({"/scripts/0/keyframes": {"time": 0}})", "a keyframe as array"},
    };
    expect_both_refuse(cases);
}

TEST(SceneSchema, RefusesWrongRangesAndChoicesAsTheParserDoes)
{
    const Case cases[]{
        {R"({"/format": 0})", "format 0"},
        {R"({"/format": 2})", "a newer format"},
        {R"({"/time/dt": 0})", "no time"},
        {R"({"/time/steps": -1})", "fewer than no steps"},
        {R"({"/time/steps": 1000000000})", "too many steps"},
        {R"({"/output": {"every": 0}})", "every 0 steps"},
        {R"({"/solver/tolerance": 0})", "no tolerance"},
        {R"({"/solver/max_iterations": 0})", "no iterations"},
        {R"({"/solver/max_seconds": -1})", "less than no time"},
        {R"({"/solver/friction_iterations": 1001})", "too many iterations of friction"},
        {R"({"/solver/max_blocked_steps": 0})", "no blocked steps"},
        {R"({"/contact/dhat": 0})", "no dhat"},
        {R"({"/contact/dmin": -1})", "a negative dmin"},
        {R"({"/contact/friction/mu": -0.1})", "a negative coefficient"},
        {R"({"/contact/friction/eps_v": 0})", "no speed"},
        {R"({"/contact/adhesion": {"critical_strain": 0}})", "no strain"},
        {R"({"/contact": {"model": "gcp", "alpha_t": 1.1}})", "alpha_t above 1"},
        {R"({"/contact": {"model": "gcp", "beta_t": -1}})", "beta_t at -1"},
        {R"({"/contact": {"model": "gcp", "exponent": 17}})", "a large exponent"},
        {R"({"/contact": {"model": "gcp", "adaptive_dhat_ratio": 1}})", "a ratio of 1"},
        {R"({"/contact": {"model": "gcp", "feature_length": 0}})", "no length"},
        {R"({"/contact": {"model": "gcp", "feature_length": {"sharp": 0}}})", "no length at sharp features"},
        {R"({"/contact": {"model": "gcp", "feature_length": {"sharp": 1, "angle": 0}}})", "an angle of 0"},
        {R"({"/contact": {"model": "gcp", "feature_length": {"sharp": 1, "angle": 180}}})", "an angle of 180"},
        {R"({"/objects/0/material/poisson_ratio": 0.5})", "an incompressible material"},
        {R"({"/objects/0/material/youngs_modulus": 0})", "a material without stiffness"},
        {R"({"/objects/0/transform": {"scale": 0}})", "no scale"},
        {R"({"/objects/0/geometry/size": [1, 0, 1]})", "a flat box"},
        {R"({"/objects/0/geometry/subdivisions": [1, 0, 1]})", "no cells"},
        {R"({"/objects/2/geometry": {"generate": "cylinder", "segments": 2}})", "two sides"},
        {R"({"/objects/2/geometry": {"generate": "icosphere", "subdivisions": 13}})", "too fine a sphere"},
        {R"({"/objects/0/fix": {"indices": [-1]}})", "a negative index"},
        {R"({"/objects/0/fix": {"sphere": {"radius": 0}}})", "an empty ball"},
        {R"({"/scripts/0/release": -1})", "a release before the start"},
        {R"({"/contact/model": "ipcc"})", "an unknown contact model"},
        {R"({"/contact/adhesion": {"distance": "square"}})", "an unknown distance"},
        {R"({"/contact": {"model": "gcp", "variant": "other"}})", "an unknown variant"},
        {R"({"/contact": {"model": "gcp", "feature_length": "edge"}})", "an unknown length"},
        {R"({"/time/integrator": "static"})", "an unknown integrator"},
        {R"({"/solver/norm": "relativ"})", "an unknown norm"},
        {R"({"/solver/linear": "cholesky"})", "an unknown linear solver"},
        {R"({"/solver/preconditioner": "jacobi"})", "an unknown preconditioner"},
        {R"({"/solver/linear_tolerance": 1})", "a tolerance that every vector meets"},
        {R"({"/verify": "frames"})", "an unknown verification"},
        {R"({"/objects/0/kind": "rigid"})", "an unknown kind"},
        {R"({"/objects/0/material/model": "hooke"})", "an unknown material"},
        {R"({"/objects/1/material/model": "stable_neo_hookean"})", "a material of solids for a shell"},
        {R"({"/objects/0/geometry/generate": "tet_bax"})", "an unknown shape"},
    };
    expect_both_refuse(cases);
}

TEST(SceneSchema, LeavesToTheParserWhatNeedsMoreThanTheKey)
{
    const Case cases[]{
        // references
        {R"({"/scripts/0/object": "ghost"})", "'ghost' is not one of"},
        {R"({"/objects/0/fix": {"indices": [99999]}})", "is not below the object's"},
        {R"({"/objects/0/fix": {"box": {"min": [50, 50, 50]}}})", "it selects none"},
        // files
        {R"({"/objects/0/geometry": {"file": "no/such.obj"}})", "no such file"},
        {R"({"/objects/0/geometry": {"file": "mesh.stl"}})", "ends neither in .obj nor in .msh"},
        // duplicates
        {R"({"/objects/1/name": "cube"})", "is the name of another object"},
        // the mesh
        {R"({"/objects/1/kind": "solid", "/objects/1/material": {}})", "a solid needs tetrahedra"},
        {R"({"/objects/0/material/bending": true})", "an object of kind 'solid' has none"},
        {R"({"/objects/0/geometry": {"generate": "rectangle"}})", "a mesh in 3 dimensions, but the first object has 2"},
        {R"({"/objects/0/geometry/size": [1, 1, 1e-60]})", "generate::tet_box: size"},
        {R"({"/objects/2/geometry": {"generate": "torus", "minor_radius": 2}})", "generate::torus"},
        {R"({"/gravity": [0, -9.81]})", "a scene in space needs 3"},
        // keys that do not go together
        {R"({"/contact": {"model": "gcp", "dmin": 0.1}})", "keeps no distance"},
        {R"({"/contact": {"model": "gcp", "alpha_t": 0.2, "beta_t": -0.3}})", "-0.3 is out of range"},
        {R"({"/contact": {"model": "gcp", "alpha_n": 0}})", "0 needs a beta_n above 0"},
        {R"({"/contact": {"model": "gcp", "adaptive_dhat": false, "adaptive_dhat_ratio": 0.3}})", "nothing uses it"},
        {R"({"/contact": {"model": "gcp", "variant": "toolkit"}})", "know no planes"},
        // numbers that no computation survives
        {R"({"/time": {"dt": 1e305, "steps": 100000000}})", "1e+305 is too large"},
        {R"({"/contact": {"dhat": 1e-320}})", "1e-320 is too small"},
        {R"({"/scripts/0/keyframes": [{"time": 0}]})", "there is a velocity or rotation rate as well"},
        {R"({"/scripts/0": {"object": "wall", "keyframes": [{"time": 1}, {"time": 0}]}})", "is not above 1"},
        {R"({"/scripts/0": {"object": "wall", "keyframes": [{"time": 1, "degrees": 3}]}})", "no axis to turn about"},
        {R"({"/scripts/0/rotate": {"axis": [0, 1, 0]}})", "nothing turns"},
        {R"({"/scripts/0/rotate": {"axis": [0, 0, 0], "degrees_per_second": 1}})", "it has no length"},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(objection_of_schema(patched(each.patch)), "") << each.patch;
        EXPECT_NE(objection_of_parser(patched(each.patch)).find(each.what), std::string::npos)
            << each.patch << ": " << objection_of_parser(patched(each.patch));
    }
}

bool is_in(const JsonObject::Range& range, double value)
{
    return value > range.above && value >= range.at_least && value < range.below && value <= range.at_most;
}

TEST(SceneKeys, EveryKeyHasASentenceAndADefaultThatIsAllowed)
{
    for (const SceneKey& key : scene_keys()) {
        EXPECT_TRUE(key.meaning.ends_with('.') || key.meaning.ends_with('?')) << key.path;
        if (key.type == KeyType::word && !key.fallback.is_null()) {
            EXPECT_EQ(key.fallback, key.choices().front()) << key.path << ": the first word is the default";
        }
        if (key.fallback.is_number()) {
            EXPECT_TRUE(is_in(key.range, key.fallback.get<double>())) << key.path;
        }
    }
}

TEST(SceneKeys, NoVariantHasTwoEntriesOfAKey)
{
    std::set<std::pair<std::string, std::string>> seen;
    for (const SceneKey& key : scene_keys()) {
        EXPECT_TRUE(seen.emplace(key.path, "").second || !key.only_for.empty()) << key.path;
        for (const std::string& variant : key.only_for)
            EXPECT_TRUE(seen.emplace(key.path, variant).second) << key.path << ", " << variant;
    }
}

TEST(SceneKeys, WhatARunChoosesIsCalledByItsKey)
{
    std::set<std::string> paths;
    for (const SceneKey& key : scene_keys())
        paths.insert(key.path);
    nlohmann::json scene = patched(R"({"/contact": {"friction": {"mu": 0.1}, "adhesion": {}}})");
    scene["objects"].erase(1);
    scene["objects"][1]["transform"] = {{"translate", {0, 5, 0}}};
    const Simulation simulation(scene_from_json(scene, "scene.json", {.folder = "."}));
    std::set<std::string> names;
    for (const Choice& choice : simulation.choices()) {
        EXPECT_TRUE(paths.contains(choice.name)) << choice.name;
        names.insert(choice.name);
    }
    EXPECT_TRUE(names.contains("contact.friction.eps_v"));
}

} // namespace

} // namespace abut::test::scene_schema_test
