#include "abut/io/scene_json.hpp"

#include "abut/base/error.hpp"
#include "abut/io/file.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace abut::test::scene_json_test {

namespace {

Scene parse(const std::string& text, const std::vector<std::string>& settings = {})
{
    return parse_scene(text, "scene.json", ".", settings);
}

template <typename Exception = InvalidInput>
void expect_rejected(const std::string& text, const std::string& words, const std::vector<std::string>& settings = {})
{
    try {
        (void)parse(text, settings);
        FAIL() << "not rejected: " << text;
    } catch (const Exception& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

/// A scene with one cube and the given further keys.
std::string with(const std::string& keys, const std::string& object_keys = "")
{
    return R"({"format": 1, "objects": [{"geometry": {"generate": "tet_box"})" +
           (object_keys.empty() ? "" : ", " + object_keys) + "}]" + (keys.empty() ? "" : ", " + keys) + "}";
}

/// A scene with one object of the given geometry and keys.
std::string with_shape(const std::string& geometry, const std::string& keys, const std::string& rest = "")
{
    return fmt::format(
        R"({{"format": 1, "objects": [{{"name": "it", "geometry": {{"generate": "{}"}}, {}}}]{}}})", geometry, keys,
        rest);
}

TEST(SceneJson, AFewLinesAreAScene)
{
    const Scene scene = parse(with(R"("planes": [{"point": [0, -1, 0]}])"));
    ASSERT_EQ(scene.objects.size(), 1u);
    EXPECT_EQ(scene.objects[0].name, "object0");
    EXPECT_EQ(scene.objects[0].kind, ObjectKind::solid);
    EXPECT_EQ(scene.planes.size(), 1u);
    EXPECT_EQ(scene.gravity, Vec3(0, -9.81, 0));
    EXPECT_FALSE(scene.contact.dhat.has_value());
}

TEST(SceneJson, ReadsEveryKey)
{
    const Scene scene = parse(R"({
      "format": 1, "name": "all", "gravity": [0, 0, -1], "verify": "step",
      "objects": [
        {"name": "sheet", "kind": "shell", "geometry": {"generate": "cloth", "size": [2, 1], "cells": [3, 4]},
         "transform": {"scale": 2, "rotate": {"axis": [0, 0, 1], "degrees": 90}, "translate": [1, 2, 3]},
         "material": {"model": "stvk", "youngs_modulus": 5e4, "poisson_ratio": 0.2, "density": 300, "thickness": 0.002,
                      "bending": false},
         "velocity": [1, 0, 0], "fix": {"box": {"min": [-10, -10, -10], "max": [10, 10, 2.9]}}},
        {"name": "wall", "kind": "obstacle", "geometry": {"generate": "box"}, "transform": {"translate": [9, 9, 9]}}],
      "scripts": [{"object": "wall", "select": "all", "velocity": [0, 1, 0],
                   "rotate": {"axis": [1, 0, 0], "centre": [9, 9, 9], "degrees_per_second": 180}, "release": 2}],
      "contact": {"model": "convergent_ipc", "dhat": 0.01, "dmin": 0.001, "stiffness": 5,
                  "friction": {"mu": 0.4, "mu_k": 0.3, "eps_v": 0.01}},
      "time": {"dt": 0.02, "steps": 7}, "output": {"every": 3},
      "solver": {"tolerance": 0.1, "norm": "root_mean_square", "max_iterations": 9, "max_seconds": 4,
                 "friction_iterations": 2}})");
    const SceneObject& sheet = scene.objects.at(0);
    EXPECT_EQ(sheet.kind, ObjectKind::shell);
    EXPECT_EQ(sheet.model, ElasticModel::stvk);
    EXPECT_EQ(sheet.youngs_modulus, 5e4);
    EXPECT_EQ(sheet.thickness, 0.002);
    EXPECT_FALSE(sheet.has_bending);
    EXPECT_EQ(sheet.velocity, Vec3(1, 0, 0));
    // Scaled to 4 x 2, turned by 90 degrees about z, then moved.
    EXPECT_NEAR(sheet.mesh.vertices.col(1).maxCoeff(), 2 + 2, 1e-12);
    EXPECT_NEAR(sheet.mesh.vertices.col(2).maxCoeff(), 3 + 1, 1e-12);
    ASSERT_EQ(scene.scripts.size(), 2u); // what is fixed, and the wall's
    EXPECT_EQ(scene.scripts[0].object, 0);
    EXPECT_FALSE(scene.scripts[0].is_moving());
    EXPECT_EQ(scene.scripts[1].object, 1);
    EXPECT_NEAR(scene.scripts[1].angular_velocity, std::numbers::pi, 1e-15);
    EXPECT_EQ(scene.scripts[1].release_time, 2);
    EXPECT_EQ(scene.contact.model, "convergent_ipc");
    EXPECT_TRUE(scene.contact.use_area_weighting);
    EXPECT_EQ(scene.contact.dhat, 0.01);
    EXPECT_EQ(scene.contact.mu_k, 0.3);
    EXPECT_EQ(scene.time.steps, 7);
    EXPECT_EQ(scene.frame_every, 3);
    EXPECT_EQ(scene.solver.norm, ConvergenceNorm::root_mean_square);
    EXPECT_EQ(scene.solver.friction_iterations, 2);
    EXPECT_EQ(scene.verify, Verify::step);
}

TEST(SceneJson, MakesEveryShape)
{
    const auto mesh = [](const std::string& geometry) {
        return parse(R"({"format": 1, "objects": [{"geometry": {)" + geometry + "}}]}").objects.at(0).mesh;
    };
    EXPECT_EQ(mesh(R"("generate": "tet_cone", "segments": 4, "subdivisions": 2)").tets.rows(), 32);
    EXPECT_EQ(mesh(R"("generate": "tet_torus", "major_segments": 5, "minor_segments": 4, "rings": 1)").tets.rows(), 60);
    EXPECT_EQ(
        mesh(R"("generate": "tet_prism", "corners": [[0, 0], [2, 0], [2, 1], [0, 1]], "layers": 2)").tets.rows(), 12);
    EXPECT_EQ(mesh(R"("generate": "revolved", "profile": [[1, 0], [2, 1], [2, 3]], "segments": 5)").faces.rows(), 20);
    EXPECT_EQ(mesh(R"("generate": "polygon", "corners": [[0, 0], [1, 0], [0, 1]])").vertices.cols(), 2);
    for (const char* shape : {"tet_box", "tet_ball", "mat", "tet_cone", "tet_torus", "tet_prism"})
        EXPECT_GT(mesh(fmt::format(R"("generate": "{}")", shape)).tets.rows(), 0) << shape;
    for (const char* shape :
         {"box", "cloth", "plane_grid", "icosphere", "cylinder", "torus", "revolved", "rectangle", "polygon"})
        EXPECT_GT(mesh(fmt::format(R"("generate": "{}")", shape)).faces.rows(), 0) << shape;
    const auto rejected = [](const std::string& geometry, const std::string& words) {
        expect_rejected(R"({"format": 1, "objects": [{"geometry": {)" + geometry + "}}]}", words);
    };
    rejected(R"("generate": "polygon", "corners": 3)", "/objects/0/geometry/corners: expected an array of points");
    rejected(R"("generate": "polygon", "corners": [[0, 0], [1]])", "/objects/0/geometry/corners/1: expected a point");
    rejected(R"("generate": "polygon", "corners": [[0, 0], [1, 1]])", "enclose no area");
}

TEST(SceneJson, LeavesAModelOpenThatIsNotGiven)
{
    const auto model_of = [](const std::string& material) {
        return parse(R"({"format": 1, "objects": [{"geometry": {"generate": "cloth"}, "material": )" + material + "}]}")
            .objects.at(0)
            .model;
    };
    EXPECT_FALSE(model_of("{}").has_value());
    EXPECT_EQ(model_of(R"({"model": "neo_hookean"})"), ElasticModel::neo_hookean);
    EXPECT_EQ(model_of(R"({"model": "fixed_corotated"})"), ElasticModel::fixed_corotated);
}

TEST(SceneJson, ReadsPlasticityOfAllThatCanYield)
{
    const auto scene = [](const std::string& shape, const std::string& material) {
        return R"({"format": 1, "objects": [{"geometry": {"generate": ")" + shape + R"("}, "material": )" + material +
               "}]}";
    };
    const std::string wax = R"("plasticity": {"yield_stress": 4e4, "hardening": 1e5, "viscosity": 30})";
    for (const char* shape : {"tet_box", "cloth", "rod", "rectangle"})
        EXPECT_EQ(parse(scene(shape, "{" + wax + "}")).objects.at(0).plasticity, (Plasticity{4e4, 1e5, 30})) << shape;
    EXPECT_FALSE(parse(scene("tet_box", "{}")).objects.at(0).plasticity);
    // The model of a preset does not flow, that of solids with plasticity does; shells keep theirs.
    EXPECT_EQ(parse(scene("tet_box", R"({"preset": "steel", )" + wax + "}")).objects.at(0).model, ElasticModel::hencky);
    EXPECT_EQ(
        parse(scene("cloth", R"({"preset": "paper", )" + wax + "}")).objects.at(0).model,
        ElasticModel::fixed_corotated);
    expect_rejected(
        scene("tet_box", R"({"model": "neo_hookean", )" + wax + "}"),
        "/objects/0/material/model: a solid of neo_hookean cannot flow");
    expect_rejected(
        scene("tet_box", R"({"plasticity": {"yield_stress": 0}})"), "/objects/0/material/plasticity/yield_stress");
    expect_rejected(scene("tet_box", R"({"plasticity": {}})"), "/objects/0/material/plasticity/yield_stress: missing");
}

TEST(SceneJson, ReadsTheKeysOfGcpAndOnlyWithIt)
{
    const SceneContact plain = parse(with(R"("contact": {"model": "gcp"})")).contact;
    EXPECT_EQ(plain.model, "gcp");
    EXPECT_EQ(plain.gcp.variant, SmoothContactVariant::paper);
    EXPECT_EQ(plain.gcp.alpha_t, 0.5);
    EXPECT_EQ(plain.gcp.use_exterior_test, true);
    EXPECT_TRUE(plain.gcp.use_adaptive_dhat);
    EXPECT_EQ(plain.gcp.adaptive_dhat_ratio, 0.5);
    EXPECT_FALSE(plain.gcp.feature_length.has_value());
    const SceneSmoothContact lengths =
        parse(with(R"("contact": {"model": "gcp", "adaptive_dhat_ratio": 0.25, "feature_length": 0.03})")).contact.gcp;
    EXPECT_EQ(lengths.adaptive_dhat_ratio, 0.25);
    EXPECT_EQ(lengths.feature_length, 0.03);
    EXPECT_FALSE(parse(with(R"("contact": {"model": "gcp", "feature_length": "edge_length"})"))
                     .contact.gcp.feature_length.has_value());
    const auto sharp_length = [](const std::string& keys) {
        return parse(with(R"("contact": {"model": "gcp", "feature_length": {)" + keys + "}}")).contact.gcp;
    };
    const SceneSmoothContact sharp = sharp_length(R"("sharp": 0.05)");
    EXPECT_FALSE(sharp.feature_length.has_value());
    ASSERT_TRUE(sharp.sharp_length.has_value());
    EXPECT_EQ(sharp.sharp_length->length, 0.05);
    EXPECT_FALSE(sharp.sharp_length->angle.has_value());
    EXPECT_DOUBLE_EQ(sharp_length(R"("sharp": 0.05, "angle": 45)").sharp_length->angle.value(), std::numbers::pi / 4);
    const SceneSmoothContact gcp =
        parse(with(R"("contact": {"model": "gcp", "variant": "toolkit", "alpha_t": 0.7, "beta_t": -0.1, "alpha_n": 0,
                                  "beta_n": 0.2, "exponent": 3, "adaptive_dhat": false})"))
            .contact.gcp;
    EXPECT_EQ(gcp.variant, SmoothContactVariant::toolkit);
    EXPECT_EQ(gcp.alpha_t, 0.7);
    EXPECT_EQ(gcp.beta_t, -0.1);
    EXPECT_EQ(gcp.alpha_n, 0);
    EXPECT_EQ(gcp.beta_n, 0.2);
    EXPECT_EQ(gcp.exponent, 3);
    EXPECT_EQ(gcp.use_exterior_test, false);
    EXPECT_FALSE(gcp.use_adaptive_dhat);

    const auto rejected = [](const std::string& keys, const std::string& words) {
        expect_rejected(with(R"("contact": {)" + keys + "}"), words);
    };
    rejected(R"("alpha_t": 0.5)", "/contact/alpha_t: only the model 'gcp' has it, and this is 'ipc'");
    rejected(R"("model": "ogc", "adaptive_dhat": true)", "/contact/adaptive_dhat: only the model 'gcp' has it");
    rejected(R"("feature_length": 0.1)", "/contact/feature_length: only the model 'gcp' has it");
    rejected(R"("adaptive_dhat_ratio": 0.1)", "/contact/adaptive_dhat_ratio: only the model 'gcp' has it");
    rejected(R"("model": "gcp", "feature_length": 0)", "/contact/feature_length: 0 is out of range; it must be > 0");
    rejected(R"("model": "gcp", "feature_length": "edge")", "/contact/feature_length: expected \"edge_length\", a");
    rejected(R"("feature_length": {"sharp": 1})", "/contact/feature_length: only the model 'gcp' has it");
    rejected(
        R"("model": "gcp", "variant": "toolkit", "feature_length": {"sharp": 1})",
        "/contact/feature_length: the toolkit's formulas have no L");
    const auto rejected_sharp = [&](const std::string& keys, const std::string& words) {
        rejected(R"("model": "gcp", "feature_length": {)" + keys + "}", "/contact/feature_length" + words);
    };
    rejected_sharp("", "/sharp: missing; sharp features need a length [m]");
    rejected_sharp(R"("angle": 20)", "/sharp: missing");
    rejected_sharp(R"("sharp": 0)", "/sharp: 0 is out of range; it must be > 0");
    rejected_sharp(R"("sharp": "edge_length")", "/sharp: expected a number");
    rejected_sharp(R"("sharp": 1, "angle": 0)", "/angle: 0 is out of range");
    rejected_sharp(R"("sharp": 1, "angle": 180)", "/angle: 180 is out of range");
    rejected_sharp(R"("sharp": 1, "angel": 20)", "/angel: unknown key");
    rejected(R"("model": "gcp", "feature_length": true)", "/contact/feature_length: expected a number");
    rejected(R"("model": "gcp", "adaptive_dhat_ratio": 1)", "/contact/adaptive_dhat_ratio: 1 is out of range");
    rejected(
        R"("model": "gcp", "adaptive_dhat": false, "adaptive_dhat_ratio": 0.3)",
        "/contact/adaptive_dhat_ratio: adaptive_dhat is false");
    rejected(R"("model": "gcp", "dmin": 1e-3)", "/contact/dmin: the model 'gcp' keeps no distance");
    for (const char* value : {"true", "false"})
        rejected(
            fmt::format(R"("model": "gcp", "area_weighting": {})", value),
            "/contact/area_weighting: the model 'gcp' has measures");
    rejected(R"("model": "gcp", "adhesion": {})", "/contact/adhesion: there is none with the model 'gcp'");
    rejected(R"("model": "gcp", "alpha_t": 0)", "/contact/alpha_t: 0 is out of range");
    rejected(R"("model": "gcp", "beta_t": -0.5)", "/contact/beta_t: -0.5 is out of range");
    rejected(R"("model": "gcp", "alpha_n": 0)", "/contact/alpha_n: 0 needs a beta_n above 0");
    rejected(R"("model": "gcp", "exponent": 17)", "/contact/exponent: 17 is out of range");
    rejected(R"("model": "gcp", "variant": "other")", "/contact/variant");
    rejected(R"("model": "gcp", "alpha": 1)", "/contact/alpha: unknown key");
    expect_rejected(
        with(R"("planes": [{}], "contact": {"model": "gcp", "variant": "toolkit"})"),
        "/contact/variant: the toolkit's formulas know no planes");
    for (const char* kind : {"points", "obstacle"})
        expect_rejected(
            with_shape(
                "rod", fmt::format(R"("kind": "{}")", kind), R"(, "contact": {"model": "gcp", "variant": "toolkit"})"),
            "/objects/0/geometry: it has loose points or edges");
    EXPECT_NO_THROW((void)parse(
        with_shape("box", R"("kind": "obstacle")", R"(, "contact": {"model": "gcp", "variant": "toolkit"})")));
}

TEST(SceneJson, ChoosesLawAndHessianOfABarrier)
{
    const SceneContact usual = parse(with(R"("contact": {"model": "gipc"})")).contact;
    EXPECT_FALSE(usual.law || usual.hessian || usual.hessian_filter);
    for (const char* model : {"ipc", "convergent_ipc", "gipc"})
        for (const auto& [word, mode] : hessian_words) {
            const SceneContact contact =
                parse(with(fmt::format(R"("contact": {{"model": "{}", "hessian": "{}"}})", model, word))).contact;
            EXPECT_EQ(contact.hessian, mode);
        }
    const SceneContact all = parse(with(R"("contact": {"law": "clamped_log_squared", "hessian": "analytic",
                                                       "hessian_filter": 0})"))
                                 .contact;
    EXPECT_EQ(all.law, "clamped_log_squared");
    EXPECT_EQ(all.hessian_filter, 0);

    const auto rejected = [](const std::string& keys, const std::string& words) {
        expect_rejected(with(R"("contact": {)" + keys + "}"), words);
    };
    for (const char* model : {"ogc", "gcp", "none"})
        for (const char* key : {R"("law": "clamped_log")", R"("hessian": "clamped")", R"("hessian_filter": 0.1)"})
            if (std::string_view(model) != "ogc" || std::string_view(key).find("law") == std::string_view::npos)
                rejected(
                    fmt::format(R"("model": "{}", {})", model, key),
                    fmt::format("the model '{}' leaves no choice; leave it out, or take 'ipc'", model));
    for (const char* law : {"two_stage", "clamped_log"})
        EXPECT_EQ(parse(with(fmt::format(R"("contact": {{"model": "ogc", "law": "{}"}})", law))).contact.law, law);
    rejected(
        R"("model": "ogc", "law": "clamped_log_squared")",
        "/contact/law: 'clamped_log_squared' is no law of the model 'ogc'; choose two_stage or clamped_log");
    rejected(R"("law": "two_stage")", "'two_stage' is no law of the model 'ipc'");
    rejected(R"("law": "cubic")", "/contact/law");
    rejected(R"("hessian": "exact")", "/contact/hessian");
    rejected(R"("hessian_filter": 0.1)", "/contact/hessian_filter: only analytic Hessians are filtered");
    rejected(
        R"("model": "gipc", "hessian": "absolute", "hessian_filter": 0)", "/contact/hessian_filter: only analytic");
    rejected(
        R"("model": "gipc", "hessian": "analytic", "hessian_filter": 1)", "/contact/hessian_filter: 1 is out of range");
    rejected(
        R"("model": "gipc", "hessian": "analytic", "hessian_filter": -0.1)",
        "/contact/hessian_filter: -0.1 is out of range");
}

TEST(SceneJson, AMeshOfEdgesIsARodUnlessItsKindIsGiven)
{
    // It became loose points, whose segments stretched from 0.1 m to 1.8 m without a word.
    EXPECT_EQ(parse(with_shape("rod", R"("velocity": [1, 0, 0])")).objects[0].kind, ObjectKind::rod);
    EXPECT_EQ(parse(with_shape("rod", R"("kind": "points")")).objects[0].kind, ObjectKind::points);
    EXPECT_EQ(parse(with_shape("rod", R"("kind": "obstacle")")).objects[0].kind, ObjectKind::obstacle);
    expect_rejected(with_shape("box", R"("kind": "rod")"), "/objects/0/kind: a rod needs edges in space");
}

TEST(SceneJson, ReadsRods)
{
    const auto rod = [](const std::string& more) { return parse(with_shape("rod", more)); };
    const SceneObject plain = rod(R"("kind": "rod")").objects[0];
    EXPECT_EQ(plain.rod.section.a, 1e-3);
    EXPECT_EQ(plain.rod.section.b, 1e-3);
    EXPECT_FALSE(plain.rod.shear_modulus || plain.rod.is_straight);
    const Scene scene = rod(R"("material": {"radius": [0.02, 0.01], "shear_modulus": 4e5, "rest": "straight",
        "rest_twist": 3, "section_axis": [0, 2, 0]}, "fix": {"indices": [0, 1]}, "fix_frame": false)");
    const SceneRod& given = scene.objects[0].rod;
    EXPECT_EQ(given.section.a, 0.02);
    EXPECT_EQ(given.section.b, 0.01);
    EXPECT_EQ(given.shear_modulus, 4e5);
    EXPECT_TRUE(given.is_straight);
    EXPECT_EQ(given.rest_twist, 3);
    EXPECT_EQ(given.axis, Vec3(0, 2, 0));
    EXPECT_EQ(scene.scripts[0].holds_frames, false);
    expect_rejected(with_shape("rod", R"("material": {"radius": 0})"), "/objects/0/material/radius: 0");
    expect_rejected(with_shape("rod", R"("material": {"radius": [0.1, -1]})"), "/objects/0/material/radius: -1");
    expect_rejected(
        with_shape("rod", R"("material": {"radius": [0.1]})"),
        "/objects/0/material/radius: expected a number, or an array of two numbers");
    expect_rejected(
        with_shape("rod", R"("material": {"shear_modulus": 1, "poisson_ratio": 0.3})"),
        "/objects/0/material/shear_modulus: there is a poisson_ratio as well");
    expect_rejected(
        with_shape("rod", R"("fix_frame": true)"), "/objects/0/fix_frame: there is no \"fix\" that holds vertices");
    expect_rejected(
        with_shape("box", R"("material": {"radius": 1})"),
        "/objects/0/material/radius: an object of kind 'shell' has none");
    expect_rejected(
        with_shape("rod", R"("material": {"preset": "denim"})"), "/objects/0/material/preset: denim is cloth");
}

TEST(SceneJson, RejectsKeysThatWouldBeIgnored)
{
    expect_rejected(
        with_shape("box", R"("kind": "obstacle", "velocity": [0, 1, 0])"),
        "/objects/0/velocity: an obstacle has none at the start; move it by one of \"scripts\"");
    expect_rejected(
        with_shape("box", R"("kind": "obstacle", "material": {"density": 3})"),
        "/objects/0/material/density: an object of kind 'obstacle' has none; leave it out");
    const auto material = [](const char* shape, const char* kind, std::initializer_list<const char*> keys) {
        for (const std::string key : keys)
            expect_rejected(
                with_shape(
                    shape, fmt::format(
                               R"("kind": "{}", "material": {{"{}": {}}})", kind, key,
                               key == "model"     ? "\"stvk\""
                               : key == "bending" ? "false"
                                                  : "0.1")),
                fmt::format("/objects/0/material/{}: an object of kind '{}' has none; leave it out", key, kind));
    };
    material("tet_box", "solid", {"thickness", "bending", "point_mass"});
    material("cloth", "shell", {"point_mass"});
    material("rectangle", "planar", {"bending", "point_mass"});
    material("rod", "points", {"model", "youngs_modulus", "poisson_ratio", "density", "thickness", "bending"});
    EXPECT_EQ(
        parse(with_shape("rod", R"("kind": "points", "material": {"point_mass": 0.1})")).objects[0].point_mass, 0.1);
    EXPECT_EQ(parse(with_shape("rectangle", R"("material": {"thickness": 0.1})")).objects[0].thickness, 0.1);
    expect_rejected(with("", R"("transform": {"rotate": {"axis": [0, 1, 0]}})"), "/transform/rotate/degrees: missing");
}

TEST(SceneJson, VectorsHaveTheDimensionsOfTheScene)
{
    expect_rejected(with(R"("gravity": [0, -1])"), "/gravity: [0,-1] has 2 numbers; a scene in space needs 3");
    expect_rejected(with("", R"("velocity": [1, 2])"), "/objects/0/velocity: [1,2] has 2 numbers");
    expect_rejected(with("", R"("transform": {"translate": [1, 2]})"), "/objects/0/transform/translate: ");
    expect_rejected(with("", R"("transform": {"rotate": {"axis": [1, 2], "degrees": 3}})"), "/transform/rotate/axis: ");
    expect_rejected(with("", R"("fix": {"box": {"min": [0, 0]}})"), "/objects/0/fix/box/min: ");
    expect_rejected(with(R"("planes": [{"point": [0, -5]}])"), "/planes/0/point: ");
    expect_rejected(
        with_shape("rectangle", R"("velocity": [1, 2, 0])"),
        "/objects/0/velocity: [1,2,0] has 3 numbers; a scene in the plane needs 2");
    expect_rejected(with_shape("rectangle", R"("kind": "planar")", R"(, "gravity": [0, -1, 0])"), "/gravity: ");
    expect_rejected(
        R"({"format": 1, "objects": [{"geometry": {"generate": "cloth", "size": [1, 1, 1]}}]})",
        "/objects/0/geometry/size: [1,1,1] has 3 numbers; a sheet needs 2");
    expect_rejected(
        R"({"format": 1, "objects": [{"geometry": {"generate": "tet_box", "size": [1, 1]}}]})",
        "/objects/0/geometry/size: [1,1] has 2 numbers; a box needs 3");
    const Scene plane = parse(with_shape(
        "rectangle", R"("velocity": [1, 2], "transform": {"rotate": {"degrees": 90}, "translate": [3, 0]})",
        R"(, "gravity": [0, -1], "planes": [{"point": [0, -5], "normal": [1, 1]}])"));
    EXPECT_EQ(plane.objects[0].velocity, Vec3(1, 2, 0));
    EXPECT_EQ(plane.gravity, Vec3(0, -1, 0));
    EXPECT_EQ(plane.planes[0].point, Vec3(0, -5, 0));
}

TEST(SceneJson, InThePlaneRotationsAreAboutZ)
{
    const auto turned = [](const std::string& rotate) {
        return parse(with_shape(
            "rectangle", R"("kind": "planar")", R"(, "scripts": [{"object": "it", "rotate": {)" + rotate + "}}]"));
    };
    EXPECT_EQ(turned(R"("centre": [1, 2], "degrees_per_second": 90)").scripts[0].axis, Vec3::UnitZ());
    EXPECT_EQ(turned(R"("axis": [0, 0, -1], "degrees_per_second": 90)").scripts[0].axis, -Vec3::UnitZ());
    for (const char* axis : {"[1, 0, 0]", "[0, 1]"}) {
        expect_rejected(
            with_shape(
                "rectangle", R"("kind": "planar")",
                fmt::format(
                    R"(, "scripts": [{{"object": "it", "rotate": {{"axis": {}, "degrees_per_second": 1}}}}])", axis)),
            "/scripts/0/rotate/axis: in the plane everything turns about z");
        expect_rejected(
            with_shape("rectangle", fmt::format(R"("transform": {{"rotate": {{"axis": {}, "degrees": 1}}}})", axis)),
            "/objects/0/transform/rotate/axis: in the plane everything turns about z");
    }
}

TEST(SceneJson, ReadsLoadsAndSpinsOfObjects)
{
    const Scene scene = parse(with("", R"("gravity_scale": -0.5, "force": [1, 2, 3], "angular_velocity": [0, 4, 0])"));
    EXPECT_EQ(scene.objects[0].gravity_scale, -0.5);
    EXPECT_EQ(scene.objects[0].force, Vec3(1, 2, 3));
    EXPECT_EQ(scene.objects[0].angular_velocity, Vec3(0, 4, 0));
    const SceneObject plain = parse(with("")).objects[0];
    EXPECT_EQ(plain.gravity_scale, 1);
    EXPECT_EQ(plain.force, Vec3(0, 0, 0));
    const Scene plane = parse(with_shape("rectangle", R"("force": [1, 2], "angular_velocity": [0, 0, 3])"));
    EXPECT_EQ(plane.objects[0].force, Vec3(1, 2, 0));
    EXPECT_EQ(plane.objects[0].angular_velocity, Vec3(0, 0, 3));

    expect_rejected(with("", R"("gravity_scale": "none")"), "/objects/0/gravity_scale: ");
    expect_rejected(with("", R"("gravity_scale": 1e31)"), "/objects/0/gravity_scale: ");
    expect_rejected(with("", R"("force": [1, 2])"), "/objects/0/force: [1,2] has 2 numbers; a scene in space needs 3");
    expect_rejected(with("", R"("angular_velocity": 3)"), "/objects/0/angular_velocity: ");
    expect_rejected(with_shape("rectangle", R"("force": [1, 2, 0])"), "/objects/0/force: [1,2,0] has 3 numbers");
    expect_rejected(
        with_shape("rectangle", R"("angular_velocity": [0, 3])"),
        "/objects/0/angular_velocity: [0,3] has 2 numbers; a spin needs 3");
    expect_rejected(
        with_shape("rectangle", R"("angular_velocity": [1, 0, 0])"),
        "/objects/0/angular_velocity: in the plane everything turns about z; give [0, 0, spin]");
    for (const std::string key : {R"("gravity_scale": 2)", R"("force": [0, 1, 0])", R"("angular_velocity": [0, 1, 0])"})
        expect_rejected(
            with_shape("box", R"("kind": "obstacle", )" + key), "an obstacle has no mass and follows no force");
}

/// Three named cubes and a named plane, and what contact says.
std::string named(const std::string& contact, const std::string& third = R"("name": "wood")")
{
    return R"({"format": 1, "objects": [
        {"geometry": {"generate": "tet_box"}, "material": {"name": "rubber", "mu": 0.9}, "contact_group": "left"},
        {"geometry": {"generate": "tet_box"}, "material": {"name": "steel", "mu": 0.2, "mu_k": 0.1},
         "contact_group": "right"},
        {"geometry": {"generate": "box"}, "kind": "obstacle", "material": {)" +
           third + R"(}}],
        "planes": [{"point": [0, -9, 0]}, {"point": [0, -10, 0], "material": {"name": "ice", "mu": 0.01}}],
        "contact": {)" +
           contact + "}}";
}

TEST(SceneJson, ReadsMaterialsAndTheirPairs)
{
    const Scene scene = parse(named(
        R"("friction": {"mu": 0.3, "blend": "geometric_mean"}, "pairs": [
             {"materials": ["rubber", "ice"], "friction": {"mu": 0.05, "mu_k": 0.04}},
             {"materials": ["steel", "steel"], "adhesion": {"critical_strain": 0.2, "youngs_modulus": 7, "mu_a": 0.1}}],
           "ignore": [["left", "right"], ["left", "left"]])"));
    EXPECT_EQ(scene.objects[0].surface, (SurfaceMaterial{.name = "rubber", .mu = 0.9}));
    EXPECT_EQ(scene.objects[1].surface, (SurfaceMaterial{.name = "steel", .mu = 0.2, .mu_k = 0.1}));
    EXPECT_EQ(scene.objects[2].surface, SurfaceMaterial{.name = "wood"});
    ASSERT_EQ(scene.plane_materials.size(), 2u);
    EXPECT_EQ(scene.plane_materials[0], SurfaceMaterial{});
    EXPECT_EQ(scene.plane_materials[1], (SurfaceMaterial{.name = "ice", .mu = 0.01}));
    EXPECT_EQ(scene.contact.blend, BlendRule::geometric_mean);
    ASSERT_EQ(scene.contact.pairs.size(), 2u);
    EXPECT_EQ(scene.contact.pairs[0].materials[1], "ice");
    EXPECT_EQ(scene.contact.pairs[0].friction->mu_k, 0.04);
    EXPECT_FALSE(scene.contact.pairs[0].adhesion.has_value());
    EXPECT_EQ(scene.contact.pairs[1].adhesion->youngs_modulus, 7);
    EXPECT_EQ(scene.contact.ignore[1][1], "left");
    for (const auto& [name, rule] : blend_rules)
        EXPECT_EQ(parse(named(fmt::format(R"("friction": {{"mu": 1, "blend": "{}"}})", name))).contact.blend, rule);
}

TEST(SceneJson, RejectsMaterialsAndPairsThatAreWrong)
{
    const auto pair = [](const std::string& text) { return named(R"("pairs": [)" + text + "]"); };
    expect_rejected(
        pair(R"({"materials": ["rubber", "stele"], "friction": {"mu": 1}})"),
        "/contact/pairs/0/materials/1: no material is called 'stele'; there are rubber, steel, wood, ice; did you mean "
        "'steel'?");
    expect_rejected(
        pair(R"({"materials": ["object0", "steel"], "friction": {"mu": 1}})"),
        "/contact/pairs/0/materials/0: no material is called 'object0'; there are rubber, steel, wood, ice");
    expect_rejected(
        with(R"("contact": {"pairs": [{"materials": ["a", "b"], "friction": {"mu": 1}}]})"),
        "/contact/pairs/0/materials/0: no material is called 'a', as none has a name; give objects[].material.name");
    expect_rejected(
        pair(R"({"materials": ["ice", "steel"], "friction": {"mu": 1}},
                {"materials": ["steel", "ice"], "friction": {"mu": 2}})"),
        "/contact/pairs/1/materials/0: the pair of 'steel' and 'ice' is there already, as number 0 (from 0)");
    expect_rejected(
        pair(R"({"materials": ["ice", "steel"]})"), "/contact/pairs/0: it gives neither friction nor adhesion");
    expect_rejected(pair(R"({"friction": {"mu": 1}})"), "/contact/pairs/0/materials: missing");
    for (const std::string names : {R"(["ice"])", R"(["ice", "steel", "wood"])", R"("ice")", R"([1, 2])"})
        expect_rejected(
            pair(R"({"materials": )" + names + R"(, "friction": {"mu": 1}})"),
            "/contact/pairs/0/materials: expected two names");
    expect_rejected(
        pair(R"({"materials": ["ice", "steel"], "friction": {"mu": -1}})"), "/contact/pairs/0/friction/mu: ");
    expect_rejected(
        pair(R"({"materials": ["ice", "steel"], "friction": {"mu_k": 1}})"), "/contact/pairs/0/friction/mu: missing");
    expect_rejected(
        pair(R"({"materials": ["ice", "steel"], "friction": {"mu": 1, "eps_v": 1}})"),
        "/contact/pairs/0/friction/eps_v: unknown key");
    expect_rejected(
        pair(R"({"materials": ["ice", "steel"], "adhesion": {"critical_strain": -1}})"),
        "/contact/pairs/0/adhesion/critical_strain: ");
    expect_rejected(
        pair(R"({"materials": ["ice", "steel"], "adhesion": {"youngs_modulus": 0}})"),
        "/contact/pairs/0/adhesion/youngs_modulus: ");
    expect_rejected(
        named(R"("model": "gcp", "pairs": [{"materials": ["ice", "steel"], "adhesion": {}}])"),
        "/contact/pairs/0/adhesion: there is none with the model 'gcp'; leave it out or take another model");
    expect_rejected(named("", R"("mu_k": 0.1)"), "/objects/2/material/mu_k: there is no mu beside it");
    expect_rejected(named("", R"("mu": -0.1)"), "/objects/2/material/mu: ");
    expect_rejected(named("", R"("name": "")"), "/objects/2/material/name: it is empty");
    expect_rejected(named("", R"("name": 3)"), "/objects/2/material/name: ");
    expect_rejected(
        with(R"("contact": {"friction": {"mu": 1, "blend": "minimum"}})"),
        "/contact/friction/blend: no object or plane has a material.mu that it could blend");
    expect_rejected(named(R"("friction": {"mu": 1, "blend": "minimun"})"), "did you mean 'minimum'?");
    expect_rejected(
        with(R"("planes": [{"point": [0, -9, 0], "material": {"density": 3}}])"),
        "/planes/0/material/density: unknown key");
}

TEST(SceneJson, RejectsContactGroupsThatAreWrong)
{
    expect_rejected(
        named(R"("ignore": [["left", "rigth"]])"),
        "/contact/ignore/0/1: no contact_group is called 'rigth'; there are left, right; did you mean 'right'?");
    expect_rejected(
        with(R"("contact": {"ignore": [["a", "a"]]})"),
        "/contact/ignore/0/0: no contact_group is called 'a', as none has a name; give objects[].contact_group");
    expect_rejected(
        named(R"("ignore": [["left", "right"], ["right", "left"]])"),
        "/contact/ignore/1/0: the pair of 'right' and 'left' is there already, as number 0");
    expect_rejected(named(R"("ignore": [["left"]])"), "/contact/ignore/0: expected two names");
    expect_rejected(named(R"("ignore": "left")"), "/contact/ignore: expected an array of pairs of names");
    expect_rejected(with("", R"("contact_group": "")"), "/objects/0/contact_group: it is empty");
}

TEST(SceneJson, SettingsChangeValues)
{
    const Scene scene = parse(
        with(R"("contact": {"dhat": 0.5})"),
        {"contact.dhat=1e-3", "time.steps=3", "objects.0.material.model=stvk", "contact.model=convergent_ipc"});
    EXPECT_EQ(scene.contact.dhat, 1e-3);
    EXPECT_EQ(scene.time.steps, 3);
    EXPECT_EQ(scene.objects[0].model, ElasticModel::stvk);
    EXPECT_EQ(scene.contact.model, "convergent_ipc");
    expect_rejected(with(""), "--set contact.dhat: expected key.key=value", {"contact.dhat"});
    expect_rejected(
        with(""), "--set objects.7.name=x: the array has 1 elements, and none is '7'", {"objects.7.name=x"});
}

TEST(SceneJson, RejectsWhatIsNoJsonWithThePlace)
{
    expect_rejected("", "the file is empty");
    expect_rejected("  \n ", "the file is empty");
    expect_rejected("{\"format\": 1,\n \"objects\": [", "line 2, column");
    expect_rejected("{\"format\": 1,\n  oops}", "line 2, column");
    expect_rejected("{\"format\": NaN}", "line 1, column");
    expect_rejected("{\"format\": 1e999}", "1e999 is not finite");
    expect_rejected(
        "{\"format\": 1, \"format\": 1}",
        "the key 'format' comes twice in one object, at line 1, column 2 and at line 1, column 15; remove one");
    expect_rejected(
        "{\"objects\": [{\"\\\"a\\\\\": 1,\n  \"b\": {\"b\": \"c\"},\n  \"\\\"a\\\\\" : 2}]}",
        "comes twice in one object, at line 1, column 15 and at line 3, column 3");
    expect_rejected(std::string(100'000, '['), "nesting > 64");
    expect_rejected("{\"name\": \"\xff\xfe\"}", "line 1, column");
    expect_rejected("[1, 2]", "expected an object {...}, got an array");
    EXPECT_EQ(parse("\xef\xbb\xbf" + with("")).objects.size(), 1u) << "a byte-order mark is accepted";
}

TEST(SceneJson, RejectsUnknownKeysWithTheNearestOne)
{
    expect_rejected(
        with("", R"("material": {"denisty": 3})"), "/objects/0/material/denisty: unknown key, did you mean 'density'?");
    expect_rejected(with(R"("contact": {"friction": {"mus": 1}})"), "/contact/friction/mus: unknown key");
    expect_rejected(with(R"("graviti": [0, 0, 0])"), "did you mean 'gravity'?");
    expect_rejected(with(R"("contact": {"model": "ipcc"})"), "/contact/model: 'ipcc' is not one of");
}

TEST(SceneJson, RejectsWrongTypesAndRangesWithThePointer)
{
    expect_rejected(with(R"("time": {"dt": "0.01"})"), "/time/dt: expected a number, got a string");
    for (const char* dt : {"0", "-1"})
        expect_rejected(with(std::string(R"("time": {"dt": )") + dt + "}"), "/time/dt: ");
    expect_rejected(with("", R"("material": {"poisson_ratio": 0.5})"), "it must be > -1 and < 0.5");
    expect_rejected(
        with("", R"("material": {"youngs_modulus": 0})"), "/objects/0/material/youngs_modulus: 0 is out of range");
    expect_rejected(with(R"("contact": {"dhat": -1})"), "/contact/dhat: -1 is out of range; it must be > 0");
    expect_rejected(with(R"("contact": {"friction": {"mu": -0.1}})"), "/contact/friction/mu: -0.1 is out of range");
    expect_rejected(with(R"("gravity": [1])"), "/gravity: expected an array of two or three numbers");
    expect_rejected(with(R"("gravity": [1, "a", 2])"), "/gravity/1: expected a number");
    expect_rejected(with(R"("time": {"steps": 1.5})"), "/time/steps: 1.5 is no whole number");
    expect_rejected<LimitReached>(with(R"("time": {"steps": 1e18})"), "/time/steps: ");
    expect_rejected(with(R"("time": [])"), "/time: expected an object {...}, got an array");
    expect_rejected(
        with(R"("time": {"dt": 1e305, "steps": 100000000})"),
        "/time/dt: 1e+305 is too large to compute with; give at most 1e+30 s");
    expect_rejected(
        with(R"("contact": {"dhat": 1e-320})"),
        "/contact/dhat: 1e-320 is too small to compute with; give at least 1e-30 m");
    expect_rejected(
        with("", R"("transform": {"scale": 1e200})"),
        "/objects/0/transform/scale: 1e+200 is too large to compute with; give at most 1e+30");
    expect_rejected(with("", R"("velocity": [0, -1e200, 0])"), "give at least -1e+30 m/s");
    EXPECT_NO_THROW(parse(with(R"("gravity": [0, -9.81, 3e-33])"))) << "as a rotation leaves it";
    expect_rejected(R"({"objects": []})", "/format: missing; add \"format\": 1");
    expect_rejected(R"({"format": 99})", "/format: 99 is newer than 1");
}

TEST(SceneJson, RejectsObjectsAndSelectionsThatAreNotThere)
{
    expect_rejected(R"({"format": 1, "objects": [{}]})", "/objects/0/geometry: missing");
    for (const char* text : {R"({"format": 1})", R"({"format": 1, "objects": []})"})
        expect_rejected(text, "scene.json /objects: the scene has none; give at least one");
    expect_rejected(R"({"format": 1, "objects": [{"geometry": {}}]})", "/objects/0/geometry: a geometry needs");
    for (const char* file : {"no/such.obj", "no/such.msh"})
        expect_rejected(
            fmt::format(R"({{"format": 1, "objects": [{{"geometry": {{"file": "{}"}}}}]}})", file),
            fmt::format("scene.json /objects/0/geometry/file: {}: no such file", absolute_name(file)));
    expect_rejected(
        R"({"format": 1, "objects": [{"geometry": {"generate": "tet_box", "size": [-1, 1, 1]}}]})",
        "scene.json /objects/0/geometry: generate::tet_box: size");
    expect_rejected<LimitReached>(
        R"({"format": 1, "objects": [{"geometry": {"generate": "tet_box", "subdivisions": [99999, 99999, 99999]}}]})",
        "scene.json /objects/0/geometry: generate::tet_box");
    expect_rejected(with_shape("cloth", R"("kind": "solid")"), "/objects/0/kind: a solid needs tetrahedra");
    expect_rejected(with_shape("tet_box", R"("kind": "shell")"), "/objects/0/kind: a shell needs triangles in space");
    expect_rejected(with_shape("rectangle", R"("kind": "shell")"), "/objects/0/kind: a shell needs triangles in space");
    expect_rejected(with_shape("cloth", R"("kind": "planar")"), "/objects/0/kind: a planar body needs triangles");
    expect_rejected(
        R"({"format": 1, "objects": [{"geometry": {"generate": "tet_box"}}, {"geometry": {"generate": "rectangle"}}]})",
        "/objects/1/geometry: a mesh in 2 dimensions, but the first object has 3");
    expect_rejected(R"({"format": 1, "objects": [{"geometry": {"generate": "tet_bax"}}]})", "did you mean 'tet_box'?");
    expect_rejected(with("", R"("fix": {"box": {"min": [5, 5, 5]}})"), "/objects/0/fix: it selects none of the");
    expect_rejected(with("", R"("fix": {"indices": [12345]})"), "12345 is not below");
    expect_rejected(with(R"("scripts": [{"object": "ghost"}])"), "/scripts/0/object: 'ghost' is not one of object0");
    expect_rejected(
        R"({"format": 1, "objects": [{"name": "a", "geometry": {"generate": "tet_box"}},
            {"name": "a", "geometry": {"generate": "tet_box"}}]})",
        "/objects/1/name: 'a' is the name of another object");
}

TEST(SceneJson, SelectsByShape)
{
    const auto count = [](const std::string& selection) {
        return parse(with("", R"("fix": )" + selection)).scripts.at(0).vertices.size();
    };
    EXPECT_EQ(count(R"("all")"), 125u);
    EXPECT_EQ(count(R"({"box": {"max": [10, -0.49, 10]}})"), 25u);
    EXPECT_EQ(count(R"({"half_space": {"point": [0, 0.49, 0], "normal": [0, 1, 0]}})"), 25u);
    EXPECT_EQ(count(R"({"sphere": {"centre": [0, 0, 0], "radius": 0.26}})"), 7u);
    EXPECT_EQ(count(R"({"indices": [3, 4]})"), 2u);
}

} // namespace

} // namespace abut::test::scene_json_test
