// Loads on objects, and stitches between them, from JSON.

#include "abut/base/error.hpp"
#include "abut/io/scene_json.hpp"

#include <gtest/gtest.h>

namespace abut::test::loads_json_test {

namespace {

Scene parse(const std::string& text) { return parse_scene(text, "scene.json", "."); }

void expect_rejected(const std::string& text, const std::string& words)
{
    try {
        (void)parse(text);
        FAIL() << "not rejected: " << text;
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

/// A scene with one object of the shape and keys.
std::string with(const std::string& shape, const std::string& keys)
{
    return R"({"format": 1, "objects": [{"geometry": {"generate": ")" + shape + R"("}, )" + keys + "}]}";
}

/// Two sheets, one 0.1 m above the other, and stitches.
std::string stitched(const std::string& keys)
{
    return R"({"format": 1, "objects": [
        {"name": "low", "geometry": {"generate": "cloth", "cells": [2, 2]}},
        {"name": "high", "geometry": {"generate": "cloth", "cells": [2, 2]}, "transform": {"translate": [0, 0.1, 0]}}],
        "stitches": [{)" +
           keys + "}]}";
}

TEST(LoadsJson, ReadsPressure)
{
    const auto pressure = [](const std::string& keys) {
        return parse(with("icosphere", R"("pressure": {)" + keys + "}")).objects[0].pressure.value();
    };
    EXPECT_FALSE(parse(with("icosphere", R"("velocity": [0, 0, 0])")).objects[0].pressure.has_value());
    EXPECT_EQ(pressure(R"("value": -20)").value, -20);
    EXPECT_FALSE(pressure(R"("value": 20)").is_gas);
    EXPECT_TRUE(pressure(R"("gas": {})").is_gas);
    EXPECT_EQ(pressure(R"("gas": {})").ambient, 101325);
    EXPECT_EQ(pressure(R"("gas": {})").value, 0);
    EXPECT_EQ(pressure(R"("gas": {"ambient": 1e5, "initial": 300})").value, 300);

    const auto rejected = [](const std::string& keys, const std::string& words) {
        expect_rejected(with("icosphere", R"("pressure": )" + keys), "scene.json /objects/0/pressure" + words);
    };
    rejected("{}", "/: give \"value\", a constant pressure, or \"gas\"");
    rejected(R"({"value": 1, "gas": {}})", "/: give \"value\"");
    rejected(R"({"value": "much"})", "/value: expected a number");
    rejected(R"({"gas": {"ambient": 0}})", "/gas/ambient: 0 is out of range");
    rejected(R"({"gas": {"ambient": 100, "initial": -100}})", "/gas/initial: -100 is not above -100");
    rejected(R"({"gas": {"ambiend": 100}})", "/gas/ambiend: unknown key, did you mean 'ambient'?");
    expect_rejected(
        with("rectangle", R"("pressure": {"value": 1})"),
        "/objects/0/pressure: an object of kind 'planar' has none, as it has no inside");
    expect_rejected(
        with("icosphere", R"("kind": "obstacle", "pressure": {"value": 1})"),
        "/objects/0/pressure: an object of kind 'obstacle' has none");
}

TEST(LoadsJson, ReadsDampingAndDrag)
{
    const SceneObject object =
        parse(with("cloth", R"("damping": {"mass": 2, "stiffness": 0.01}, "drag": {"wind": [1, 0, 2]})")).objects[0];
    EXPECT_EQ(object.damping.mass, 2);
    EXPECT_EQ(object.damping.stiffness, 0.01);
    ASSERT_TRUE(object.drag.has_value());
    EXPECT_EQ(object.drag->coefficient, 1);
    EXPECT_EQ(object.drag->density, 1.2);
    EXPECT_EQ(object.drag->wind, Vec3(1, 0, 2));
    EXPECT_EQ(parse(with("rectangle", R"("drag": {"wind": [1, 2]})")).objects[0].drag->wind, Vec3(1, 2, 0));
    EXPECT_EQ(parse(with("cloth", R"("damping": {})")).objects[0].damping.mass, 0);

    expect_rejected(with("cloth", R"("damping": {"mass": -1})"), "/objects/0/damping/mass: -1 is out of range");
    expect_rejected(with("cloth", R"("damping": {"stiffness": -1})"), "/damping/stiffness: -1 is out of range");
    expect_rejected(with("cloth", R"("damping": {"mas": 1})"), "/damping/mas: unknown key, did you mean 'mass'?");
    expect_rejected(with("cloth", R"("drag": {"density": 0})"), "/drag/density: 0 is out of range");
    expect_rejected(with("cloth", R"("drag": {"wind": [1, 2]})"), "/drag/wind");
    expect_rejected(
        with("rod", R"("kind": "points", "damping": {"stiffness": 1})"),
        "/damping/stiffness: an object of kind 'points' has none, as it has no elasticity");
    expect_rejected(
        with("rod", R"("kind": "points", "drag": {})"), "/objects/0/drag: an object of kind 'points' has none");
    expect_rejected(
        with("cloth", R"("kind": "obstacle", "damping": {"mass": 1})"),
        "/objects/0/damping: an object of kind 'obstacle' has none, as scripts alone move it");
}

TEST(LoadsJson, ReadsStitches)
{
    const auto read = [](const std::string& keys) { return parse(stitched(keys)).stitches.at(0); };
    const SceneStitches pairs = read(R"("objects": ["high", "low"], "vertices": [[0, 1], [3, 4]], "stiffness": 50)");
    EXPECT_EQ(pairs.object, 1);
    EXPECT_EQ(pairs.other, 0);
    EXPECT_EQ(pairs.vertices, (std::vector<std::pair<int, int>>{{0, 1}, {3, 4}}));
    EXPECT_EQ(pairs.stiffness, 50);
    EXPECT_EQ(pairs.rest_length, 0);
    EXPECT_EQ(pairs.source, "/stitches/0");
    const SceneStitches nearest =
        read(R"("objects": ["low", "high"], "nearest": 0.2, "stiffness": 1, "rest_length": 0.01)");
    EXPECT_EQ(nearest.rest_length, 0.01);
    ASSERT_EQ(nearest.vertices.size(), 9u);
    for (const auto& [v, w] : nearest.vertices)
        EXPECT_EQ(v, w);
    EXPECT_EQ(
        read(R"("objects": ["low", "high"], "nearest": 0.2, "select": {"box": {"min": [0.4, -1, -1]}}, "stiffness": 1)")
            .vertices.size(),
        3u);
}

TEST(LoadsJson, RejectsStitchesWithPlaceAndCure)
{
    const auto rejected = [](const std::string& keys, const std::string& words) {
        expect_rejected(stitched(keys), "scene.json /stitches/0" + words);
    };
    rejected(R"("vertices": [[0, 0]], "stiffness": 1)", "/objects: missing; stitches need the names of two objects");
    rejected(R"("objects": ["low"], "vertices": [[0, 0]], "stiffness": 1)", "/objects: expected an array of two names");
    rejected(R"("objects": ["low", "hig"], "nearest": 1, "stiffness": 1)", "/objects: 'hig' is not one of low, high");
    rejected(R"("objects": ["low", "high"], "stiffness": 1)", "/: give \"vertices\"");
    rejected(R"("objects": ["low", "high"], "vertices": [[0, 0]], "nearest": 1, "stiffness": 1)", "/: give \"vert");
    rejected(R"("objects": ["low", "high"], "vertices": [[0, 0]])", "/stiffness: missing; a stitch needs");
    rejected(R"("objects": ["low", "high"], "vertices": [], "stiffness": 1)", "/vertices: expected an array of pairs");
    rejected(R"("objects": ["low", "high"], "vertices": [[0]], "stiffness": 1)", "/vertices/0: expected two numbers");
    rejected(R"("objects": ["low", "high"], "vertices": [[0, 0.5]], "stiffness": 1)", "/vertices/0: expected two");
    rejected(
        R"("objects": ["low", "high"], "vertices": [[0, 0], [0, 9]], "stiffness": 1)",
        "/vertices/1: 9 is not the number of a vertex of 'high', which has 9");
    rejected(R"("objects": ["low", "high"], "nearest": 0.05, "stiffness": 1)", "/nearest: none of 9 vertices of 'low'");
    rejected(R"("objects": ["low", "low"], "nearest": 1, "stiffness": 1)", "/nearest: the nearest vertex of the same");
    rejected(R"("objects": ["low", "high"], "nearest": 1, "stiffness": 0)", "/stiffness: 0 is out of range");
    rejected(
        R"("objects": ["low", "high"], "nearest": 1, "stiffness": 1, "rest_length": -1)",
        "/rest_length: -1 is out of range");
    rejected(
        R"("objects": ["low", "high"], "vertices": [[0, 0]], "select": "all", "stiffness": 1)",
        "/select: \"vertices\" says which they are already");
}

} // namespace

} // namespace abut::test::loads_json_test
