#pragma once
// Random meshes and moves for detection, drawn from a RandomStream so that a failure repeats: soups of triangles, edges
// and points, in two and three dimensions, under the transforms that are hard on a broad phase.

#include "abut/mesh/collision_mesh.hpp"
#include "support/random_points.hpp"

#include <array>

namespace abut::test {

/// What a soup is made of.
struct SoupOptions {
    int dim = 3;
    int triangles = 8, edges = 8, points = 4; ///< 2D has no triangles
    double element_size = 0.4;                ///< of boxes around elements; centres are in [-1, 1]^dim
    double motion = 0.5;                      ///< largest displacement of a vertex along an axis
    double shared = 0.2;                      ///< share of corners that an element takes from earlier ones
};

/// A mesh with positions at the start and at the end of a step.
struct MovingMesh {
    CollisionMesh mesh;
    Positions X0, X1;
};

/// Elements of random shape at random places, each moving as one with some of its own.
MovingMesh random_soup(const SoupOptions& options, RandomStream& random, const CollisionFilter& filter = {});

enum class Layout : std::uint8_t {
    plain,
    grid,        ///< coordinates are small multiples of an eighth: points coincide, boxes touch
    coincident,  ///< many vertices at one place
    far_million, ///< moved by 1e6
    far_billion, ///< moved by 1e9
    tiny,        ///< times 1e-12
    least,       ///< times 1e-300
    huge,        ///< times 1e45: beyond the range of floats
    flat,        ///< one axis times 1e-9
    needle,      ///< one axis times 1e9
    still,       ///< nothing moves
};

inline constexpr std::array layouts{Layout::plain,       Layout::grid,   Layout::coincident, Layout::far_million,
                                    Layout::far_billion, Layout::tiny,   Layout::least,      Layout::huge,
                                    Layout::flat,        Layout::needle, Layout::still};

inline const char* name(Layout layout)
{
    constexpr std::array names{"plain", "grid", "coincident", "far_million", "far_billion", "tiny",
                               "least", "huge", "flat",       "needle",      "still"};
    static_assert(names.size() == layouts.size());
    return names[static_cast<int>(layout)];
}

/// Factor by which lengths of a layout are larger than those of `plain`.
double scale(Layout layout);

/// Moves a soup into a layout.
void lay_out(MovingMesh& moving, Layout layout, RandomStream& random);

/// A filter of a random sort over the vertices of any mesh, or none.
CollisionFilter random_filter(RandomStream& random);

} // namespace abut::test
