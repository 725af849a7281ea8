// The table of scene keys: shapes. Defaults are those of abut::generate.

#include "abut/io/scene_keys.hpp"

#include "abut/mesh/generate/generators.hpp"
#include "abut/mesh/generate/strand_generators.hpp"

namespace abut {

namespace {

using Shapes = std::vector<std::string>;

constexpr const char *in_metres = "m", *without_unit = "";

/// A key of shapes, without range and default: the functions below add these.
SceneKey shape_key(Shapes shapes, const char* name, KeyType type, const char* unit, const char* meaning)
{
    return {
        .path = std::string("objects[].geometry.") + name,
        .type = type,
        .unit = unit,
        .only_for = std::move(shapes),
        .meaning = meaning};
}

SceneKey length(Shapes shapes, const char* name, double fallback, const char* meaning)
{
    SceneKey key = shape_key(std::move(shapes), name, KeyType::number, in_metres, meaning);
    key.range = JsonObject::positive();
    key.fallback = fallback;
    return key;
}

SceneKey count(Shapes shapes, const char* name, int fallback, int least, const char* meaning)
{
    SceneKey key = shape_key(std::move(shapes), name, KeyType::integer, without_unit, meaning);
    key.range = {.at_least = double(least), .at_most = max_scene_count};
    key.fallback = fallback;
    return key;
}

/// Extents along axes.
SceneKey lengths(Shapes shapes, const char* name, const std::vector<double>& fallback, const char* meaning)
{
    SceneKey key = shape_key(std::move(shapes), name, KeyType::vector, in_metres, meaning);
    key.range = JsonObject::positive();
    key.fallback = fallback;
    key.count = static_cast<int>(fallback.size());
    return key;
}

SceneKey counts(Shapes shapes, const char* name, const std::vector<int>& fallback, const char* meaning)
{
    SceneKey key = shape_key(std::move(shapes), name, KeyType::integers, without_unit, meaning);
    key.range = {.at_least = 1};
    key.fallback = fallback;
    key.count = static_cast<int>(fallback.size());
    return key;
}

SceneKey points(Shapes shapes, const char* name, const std::vector<Vec2>& fallback, const char* meaning)
{
    SceneKey key = shape_key(std::move(shapes), name, KeyType::points, in_metres, meaning);
    key.fallback = nlohmann::json::array();
    for (const Vec2& point : fallback)
        key.fallback.push_back({point.x(), point.y()});
    return key;
}

std::vector<int> list(const auto& array) { return {array.begin(), array.end()}; }

std::vector<SceneKey> solid_keys()
{
    const generate::TetBoxOptions box;
    const generate::TetBallOptions ball;
    const generate::MatOptions mat;
    const generate::TetConeOptions cone;
    const generate::TetTorusOptions torus;
    const generate::TetPrismOptions prism;
    return {
        lengths({"tet_box"}, "size", {1, 1, 1}, "Extent along x, y and z."),
        counts({"tet_box"}, "subdivisions", list(box.subdivisions), "Cells along x, y and z, of five tets each."),
        length({"tet_ball"}, "radius", ball.radius, "Of the ball."),
        count({"tet_ball"}, "shells", ball.shells, 1, "Tets from the centre to the surface."),
        length({"mat"}, "width", mat.width, "Extent along x and z."),
        length({"mat"}, "thickness", mat.thickness, "Extent along y."),
        count({"mat"}, "cells", mat.cells, 1, "Cells along x and along z."),
        count({"mat"}, "layers", mat.layers, 1, "Cells along y."),
        length({"tet_cone"}, "radius", cone.radius, "Of the base."),
        length({"tet_cone"}, "height", cone.height, "From the base to the tip, along y."),
        count({"tet_cone"}, "segments", cone.segments, 3, "Sides; 4 is a pyramid."),
        count({"tet_cone"}, "subdivisions", cone.subdivisions, 1, "Tets along the height and along each radius."),
        length({"tet_torus"}, "major_radius", torus.major_radius, "From the axis to the centre of the tube."),
        length({"tet_torus"}, "minor_radius", torus.minor_radius, "Of the tube, below `major_radius`."),
        count({"tet_torus"}, "major_segments", torus.major_segments, 3, "Slices around the axis."),
        count({"tet_torus"}, "minor_segments", torus.minor_segments, 3, "Sides around the tube."),
        count({"tet_torus"}, "rings", torus.rings, 1, "Tets from the centre of the tube to its surface."),
        points({"tet_prism"}, "corners", prism.corners, "Of a polygon in the x-y plane, in order, three or more."),
        length({"tet_prism"}, "depth", prism.depth, "Extent along z."),
        count({"tet_prism"}, "subdivisions", prism.subdivisions, 1, "Parts of each edge of the polygon's triangles."),
        count({"tet_prism"}, "layers", prism.layers, 1, "Tets along the depth."),
    };
}

std::vector<SceneKey> surface_keys()
{
    const generate::BoxOptions box;
    const generate::GridOptions grid;
    const generate::IcosphereOptions sphere;
    const generate::CylinderOptions cylinder;
    const generate::TorusOptions torus;
    const generate::RevolvedOptions revolved;
    SceneKey fineness =
        count({"icosphere"}, "subdivisions", sphere.subdivisions, 0, "Each makes four triangles of one.");
    fineness.range.at_most = 12;
    SceneKey closed = shape_key({"cylinder"}, "closed", KeyType::boolean, without_unit, "With caps, or an open tube.");
    closed.fallback = cylinder.closed;
    return {
        lengths({"box"}, "size", {1, 1, 1}, "Extent along x, y and z."),
        counts({"box"}, "subdivisions", list(box.subdivisions), "Squares along x, y and z."),
        lengths({"cloth", "plane_grid"}, "size", {1, 1}, "Extent along x and z."),
        counts({"cloth", "plane_grid"}, "cells", list(grid.cells), "Squares along x and z."),
        length({"icosphere"}, "radius", sphere.radius, "Of the sphere."),
        fineness,
        length({"cylinder"}, "radius", cylinder.radius, "Of the cylinder."),
        length({"cylinder"}, "height", cylinder.height, "Along y."),
        count({"cylinder"}, "segments", cylinder.segments, 3, "Squares around."),
        count({"cylinder"}, "rings", cylinder.rings, 1, "Squares along the height."),
        closed,
        count({"cylinder"}, "cap_rings", cylinder.cap_rings, 1, "Triangles from the rim of a cap to its centre."),
        length({"torus"}, "major_radius", torus.major_radius, "From the axis to the centre of the tube."),
        length({"torus"}, "minor_radius", torus.minor_radius, "Of the tube, below `major_radius`."),
        count({"torus"}, "major_segments", torus.major_segments, 3, "Squares around the axis."),
        count({"torus"}, "minor_segments", torus.minor_segments, 3, "Squares around the tube."),
        points({"revolved"}, "profile", revolved.profile, "Distances from the y axis and heights, from rim to rim."),
        count({"revolved"}, "segments", revolved.segments, 3, "Squares around."),
    };
}

std::vector<SceneKey> curve_and_plane_keys()
{
    const generate::RodOptions rod;
    const generate::HelixOptions helix;
    const generate::PolygonOptions polygon;
    SceneKey turns = shape_key({"helix"}, "turns", KeyType::number, without_unit, "How often it goes around.");
    turns.range = JsonObject::positive();
    turns.fallback = helix.turns;
    return {
        length({"rod"}, "length", rod.length, "Along x."),
        count({"rod"}, "segments", rod.segments, 1, "Number of edges."),
        length({"helix"}, "radius", helix.radius, "Of the helix."),
        length({"helix"}, "pitch", helix.pitch, "Rise per turn."),
        turns,
        count({"helix"}, "segments", helix.segments, 1, "Number of edges, three per turn at least."),
        lengths({"rectangle"}, "size", {1, 1}, "Extent along x and y."),
        counts({"rectangle"}, "cells", {4, 4}, "Squares along x and y."),
        points({"polygon"}, "corners", polygon.corners, "In order, around once, three or more."),
        count({"polygon"}, "subdivisions", polygon.subdivisions, 1, "Parts of each edge of its triangles."),
    };
}

std::vector<SceneKey> strand_keys()
{
    const generate::RingOptions ring;
    const generate::SpringOptions spring;
    const generate::KnotOptions knot;
    const generate::RopeOptions rope;
    const generate::KnitOptions knit;
    const generate::GrainsOptions grains;
    const generate::NetOptions net;
    const generate::WebOptions web;
    const generate::FurOptions fur;
    const generate::ChainMailOptions mail;
    SceneKey turns = shape_key({"rope"}, "turns", KeyType::number, without_unit, "Of each strand around the axis.");
    turns.range = {.at_least = 0};
    turns.fallback = rope.turns;
    return {
        length({"ring"}, "radius", ring.radius, "Of the circle."),
        count({"ring"}, "segments", ring.segments, 3, "Number of edges."),
        length({"spring"}, "radius", spring.radius, "Of the coil."),
        length({"spring"}, "pitch", spring.pitch, "Rise per turn, above twice `strand_radius`."),
        count({"spring"}, "turns", spring.turns, 1, "Of the coil."),
        length({"spring"}, "hook_radius", spring.hook_radius, "Of the open rings at both ends."),
        length(
            {"spring"}, "strand_radius", spring.strand_radius,
            "Of the wire; parts of it stay farther than twice this apart."),
        count({"spring"}, "segments", spring.segments, 80, "Number of edges, 64 and 16 per turn at least."),
        count(
            {"knot"}, "half_turns", knot.half_turns, 1,
            "Of its two parts around each other, odd; 3 is an overhand knot."),
        length({"knot"}, "loop_radius", knot.loop_radius, "Of the bends of its loop."),
        length({"knot"}, "length", knot.length, "From end to end, along x."),
        length(
            {"knot"}, "strand_radius", knot.strand_radius,
            "Of the rope; parts of it stay farther than twice this apart."),
        count({"knot"}, "segments", knot.segments, 32, "Number of edges, 32 per half turn at least."),
        length({"rope"}, "length", rope.length, "Along x."),
        count({"rope"}, "strands", rope.strands, 2, "Number of strands."),
        length({"rope"}, "radius", rope.radius, "From the axis to the middle of each strand."),
        turns,
        length(
            {"rope"}, "strand_radius", rope.strand_radius, "Of each strand; they stay farther than twice this apart."),
        count({"rope"}, "segments", rope.segments, 1, "Edges of each strand, three per turn at least."),
        count({"knit"}, "rows", knit.rows, 1, "Number of rows."),
        count({"knit"}, "columns", knit.columns, 1, "Stitches in a row."),
        length({"knit"}, "stitch_width", knit.stitch_width, "Of a stitch; rows are 0.76 of it apart."),
        length(
            {"knit"}, "strand_radius", knit.strand_radius,
            "Of the yarn, below 0.12 `stitch_width`; parts of it stay farther than twice this apart."),
        count({"knit"}, "segments", knit.segments, 16, "Edges of a stitch."),
        lengths({"grains"}, "size", {1, 1, 1}, "Extent along x, y and z."),
        counts({"grains"}, "counts", list(grains.counts), "Grains along x, y and z."),
        lengths({"net"}, "size", {1, 1}, "Extent along x and z."),
        counts({"net"}, "meshes", list(net.meshes), "Squares along x and z."),
        count({"net"}, "segments", net.segments, 1, "Edges of a square's side."),
        length({"web"}, "radius", web.radius, "Of the spokes."),
        length({"web"}, "hub_radius", web.hub_radius, "Where the spiral begins, below `radius`."),
        count({"web"}, "spokes", web.spokes, 3, "Number of spokes."),
        count({"web"}, "turns", web.turns, 1, "Of the spiral."),
        count({"web"}, "segments", web.segments, 1, "Edges between neighbouring joints."),
        length({"fur"}, "radius", fur.radius, "Of the ball that it stands on."),
        length({"fur"}, "gap", fur.gap, "From the ball to the roots, above `strand_radius`."),
        count({"fur"}, "hairs", fur.hairs, 1, "Number of hairs."),
        length({"fur"}, "length", fur.length, "Of a hair."),
        length({"fur"}, "strand_radius", fur.strand_radius, "Of a hair; they stay farther than twice this apart."),
        count({"fur"}, "segments", fur.segments, 1, "Edges of a hair."),
        count({"chain_mail"}, "rows", mail.rows, 1, "Rings along z."),
        count({"chain_mail"}, "columns", mail.columns, 1, "Rings along x."),
        length({"chain_mail"}, "ring_radius", mail.ring_radius, "Of a ring."),
        length(
            {"chain_mail"}, "strand_radius", mail.strand_radius,
            "Of the wire, below 0.19 `ring_radius`; rings stay farther than twice this apart."),
        count({"chain_mail"}, "segments", mail.segments, 12, "Edges of a ring."),
    };
}

} // namespace

std::span<const SceneShape> scene_shapes()
{
    static const std::vector<SceneShape> shapes{
        {"tet_box", "A box of tetrahedra."},
        {"tet_ball", "A ball of tetrahedra."},
        {"mat", "A square slab of tetrahedra."},
        {"tet_cone", "A cone or pyramid of tetrahedra that points to +y."},
        {"tet_torus", "A ring of tetrahedra around the y axis."},
        {"tet_prism", "A polygon of the x-y plane that is pulled along z, of tetrahedra."},
        {"box", "The surface of a box."},
        {"cloth", "A flat sheet that faces +y; its diagonals alternate."},
        {"plane_grid", "A flat sheet that faces +y; its diagonals run the same way."},
        {"icosphere", "A sphere of nearly equal triangles."},
        {"cylinder", "A cylinder around the y axis."},
        {"torus", "The surface of a ring around the y axis."},
        {"revolved", "An open surface of revolution around the y axis: funnels, cups, bells."},
        {"rod", "A straight polyline along x."},
        {"helix", "A right-handed helix around the y axis."},
        {"ring", "A closed circle around the y axis, of edges."},
        {"spring", "A coil around the y axis with open rings at its ends, of edges."},
        {"knot", "A rope along x with a loose knot in it, of edges."},
        {"rope", "Strands that wind around the x axis, of edges."},
        {"knit", "A knitted patch in the x-y plane of one yarn, of edges."},
        {"grains", "Loose vertices in a grid."},
        {"net", "A flat net with square meshes, of edges."},
        {"web", "A flat spider's web: spokes and a spiral, of edges."},
        {"fur", "Hair on end all over a ball, of edges; roots come first."},
        {"chain_mail", "Flat chain mail of closed rings, of edges."},
        {"rectangle", "A rectangle of triangles in the plane (2D)."},
        {"polygon", "A polygon of triangles in the plane (2D)."},
    };
    return shapes;
}

std::vector<SceneKey> shape_keys()
{
    std::vector<SceneKey> keys;
    for (auto* part : {solid_keys, surface_keys, curve_and_plane_keys, strand_keys})
        for (SceneKey& key : part())
            keys.push_back(std::move(key));
    return keys;
}

} // namespace abut
