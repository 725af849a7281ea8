#pragma once
// Meshes of edges made from a few numbers: rings, springs, knots, ropes, knits, nets, webs, fur and chain mail.
//
// As in generators.hpp, whose curves `rod`, `helix` and `torus_knot` are of this kind too: metres, y up, centred on the
// origin. Where strands lie next to each other, `strand_radius` says how thick they are: points of different strands,
// and of different parts of one, are farther than twice it from each other, measured on the straight edges, or the
// options are rejected. A margin for contact is left to the caller: ask for strands that are a little thicker than
// those that are simulated.

#include "abut/mesh/mesh_data.hpp"

#include <array>

namespace abut::generate {

struct RingOptions {
    double radius = 0.1; ///< [m]
    int segments = 32;   ///< edges, >= 3
};
/// A closed circle around the y axis, counter-clockwise seen from above.
[[nodiscard]] MeshData ring(const RingOptions& options = {});

struct SpringOptions {
    double radius = 0.1;         ///< of the coil [m]
    double pitch = 0.05;         ///< rise per turn [m], > 2 strand_radius
    int turns = 6;               ///< of the coil, >= 1
    double hook_radius = 0.08;   ///< of the open rings at both ends [m]
    double strand_radius = 0.01; ///< of the wire [m]
    int segments = 360;          ///< edges of nearly equal length, >= 16 per turn of the coil and 64 more
};
/// A right-handed coil around the y axis whose wire leads to the axis at both ends and on to a ring in the x-y plane
/// that is almost closed: a spring to be hung by its ends. From bottom to top.
[[nodiscard]] MeshData spring(const SpringOptions& options = {});

struct KnotOptions {
    int half_turns = 3;          ///< of the two parts around each other, odd: 3 is an overhand knot, 5 a double one
    double loop_radius = 0.1;    ///< of the loop's two bends [m]
    double length = 2;           ///< from end to end along x [m], longer than the knot
    double strand_radius = 0.02; ///< of the rope [m]
    int segments = 200;          ///< edges of nearly equal length, >= 32 per half turn
};
/// A loose knot in a rope along x: the rope winds around itself and goes through the loop that stands above, in the x-y
/// plane. Not a knot for one half turn.
[[nodiscard]] MeshData knot(const KnotOptions& options = {});

struct RopeOptions {
    double length = 1;           ///< along x [m]
    int strands = 3;             ///< >= 2
    double radius = 0.03;        ///< from the axis to the middle of each strand [m]
    double turns = 4;            ///< of each strand around the axis, in [0, 1e6]
    double strand_radius = 0.02; ///< of each strand [m]
    int segments = 100;          ///< edges of each strand, >= 1 and >= 3 per turn
};
/// Strands that wind around the x axis as right-handed helices, one after the other in the mesh.
[[nodiscard]] MeshData rope(const RopeOptions& options = {});

struct KnitOptions {
    int rows = 4;                 ///< >= 1
    int columns = 4;              ///< stitches in a row, >= 1
    double stitch_width = 0.05;   ///< [m]; rows are 0.76 of it apart
    double strand_radius = 0.005; ///< of the yarn [m], below 0.12 stitch_width
    int segments = 32;            ///< edges of a stitch, >= 16
};
/// A knitted patch (stockinette) in the x-y plane, of one yarn: rows run to and fro from the bottom to the top, joined
/// by bends at the sides. Each stitch is drawn through the stitch below it. Row r, counted from 0, has the vertices
/// [r (columns segments + bend), ... + columns segments], where `bend` is knit_bend(options), from left to right if r
/// is even and from right to left if it is odd.
[[nodiscard]] MeshData knit(const KnitOptions& options = {});
/// Edges from the end of a row to the begin of the next.
[[nodiscard]] int knit_bend(const KnitOptions& options);

struct GrainsOptions {
    Vec3 size = Vec3::Ones();              ///< extent along x, y and z [m]
    std::array<int, 3> counts = {4, 4, 4}; ///< along x, y and z, >= 1; one alone is in the middle
};
/// Loose vertices in a grid about the origin, row by row along x, then y, then z: grains, crumbs, seeds.
[[nodiscard]] MeshData grains(const GrainsOptions& options = {});

struct NetOptions {
    Vec2 size = Vec2::Ones();           ///< extent along x and z [m]
    std::array<int, 2> meshes = {8, 8}; ///< squares along x and z, >= 1
    int segments = 2;                   ///< edges of a square's side, >= 1
};
/// A flat net in the plane y = 0: threads along x and z that are joined where they cross. Crossings come first, row by
/// row along x.
[[nodiscard]] MeshData net(const NetOptions& options = {});

struct WebOptions {
    double radius = 0.5;      ///< of the spokes [m]
    double hub_radius = 0.06; ///< where the spiral begins [m]
    int spokes = 12;          ///< >= 3
    int turns = 6;            ///< of the spiral, >= 1
    int segments = 2;         ///< edges between two neighbouring joints, >= 1
};
/// A spider's web in the plane y = 0: spokes from a hub in the middle, and a spiral that is joined to each spoke it
/// crosses and ends one turn's distance before the spokes do. The hub is vertex 0, the ends of the spokes are the next.
[[nodiscard]] MeshData web(const WebOptions& options = {});

struct FurOptions {
    double radius = 0.2;          ///< of the ball that the hair stands on [m]; the ball is no part of the mesh
    double gap = 0.005;           ///< from the ball to the roots [m]
    int hairs = 200;              ///< >= 1
    double length = 0.1;          ///< of a hair [m]
    double strand_radius = 0.001; ///< of a hair [m]
    int segments = 8;             ///< edges of a hair, >= 1
};
/// Hair that stands on end all over a ball, spread evenly. Roots come first, then the next vertices of all hairs, and
/// so on to the tips.
[[nodiscard]] MeshData fur(const FurOptions& options = {});

struct ChainMailOptions {
    int rows = 4;                 ///< rings along z, >= 1
    int columns = 4;              ///< rings along x, >= 1
    double ring_radius = 0.05;    ///< [m]
    double strand_radius = 0.006; ///< of the wire [m], below 0.19 ring_radius
    int segments = 24;            ///< edges of a ring, >= 12
};
/// Chain mail in the plane y = 0, of closed rings one after the other, row by row: each ring goes through two of the
/// row before and two of the row after it. Rows lean to and fro and every other one is half a ring's distance to the
/// right.
[[nodiscard]] MeshData chain_mail(const ChainMailOptions& options = {});

} // namespace abut::generate
