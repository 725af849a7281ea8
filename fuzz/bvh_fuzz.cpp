// The broad phase against all pairs of boxes: a pair that only one of them finds ends the program.
//
// Input: a byte for the dimension and the filter, one for how coordinates are written (byte_source.hpp), one for the
// inflation, then the numbers of vertices, edges and faces, the corners of these, and the coordinates of all vertices
// at the start and then at the end. Elements that are degenerate or listed twice are left out.

#include "abut/base/parallel.hpp"
#include "abut/detect/broad_phase.hpp"
#include "abut/detect/candidates.hpp"
#include "abut/mesh/validate.hpp"
#include "byte_source.hpp"

#include <cstdlib>
#include <iostream>
#include <set>

namespace {

using namespace abut;
using fuzz::ByteSource;
using fuzz::Coordinates;

Elements read_elements(ByteSource& bytes, int count, int corners, int num_vertices)
{
    std::set<std::set<int>> elements;
    for (int i = 0; i < count; ++i) {
        std::set<int> element;
        for (int k = 0; k < corners; ++k)
            element.insert(bytes.below(num_vertices));
        if (static_cast<int>(element.size()) == corners)
            elements.insert(element);
    }
    Elements rows(static_cast<Eigen::Index>(elements.size()), corners);
    Eigen::Index row = 0;
    for (const std::set<int>& element : elements) {
        int k = 0;
        for (const int v : element)
            rows(row, k++) = v;
        ++row;
    }
    return rows;
}

Positions read_positions(ByteSource& bytes, int num_vertices, int dim, Coordinates how)
{
    Positions X(num_vertices, dim);
    for (double& x : X.reshaped<Eigen::RowMajor>()) {
        x = bytes.coordinate(how);
        if (!(std::abs(x) <= max_coordinate)) // what the border rejects
            x = 0;
    }
    return X;
}

void expect_equal(const Candidates& tree, const Candidates& brute_force, const char* what)
{
    if (tree == brute_force)
        return;
    std::cerr << what << ": the tree finds " << tree.vv.size() << " vv, " << tree.ev.size() << " ev, " << tree.ee.size()
              << " ee, " << tree.fv.size() << " fv; all pairs are " << brute_force.vv.size() << " vv, "
              << brute_force.ev.size() << " ev, " << brute_force.ee.size() << " ee, " << brute_force.fv.size()
              << " fv\n";
    std::abort();
}

} // namespace

/// Meshes this small gain nothing from threads.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/)
{
    set_num_threads(1);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    ByteSource bytes({data, size});
    const std::uint8_t sort = bytes.byte();
    const int dim = sort % 2 == 0 ? 3 : 2;
    const auto how = static_cast<Coordinates>(bytes.below(4));
    const int drawn = bytes.byte();
    const double inflation = drawn == 0 ? 0 : std::ldexp(1.0, drawn - 130);
    const int num_vertices = 1 + bytes.below(48), num_edges = bytes.below(48), num_faces = bytes.below(48);
    const Elements edges = read_elements(bytes, num_edges, 2, num_vertices);
    const Elements faces = read_elements(bytes, dim == 3 ? num_faces : 0, 3, num_vertices);
    const Positions X0 = read_positions(bytes, num_vertices, dim, how),
                    X1 = read_positions(bytes, num_vertices, dim, how);

    CollisionMeshOptions options;
    if (sort >= 128)
        options.filter = CollisionFilter::callable([sort](int i, int j) { return (i * j + i + j + sort) % 3 != 0; });
    // Rest positions that no check objects to; contact sees X0 and X1.
    Positions rest = Positions::Zero(num_vertices, dim);
    rest.col(0).setLinSpaced(0, 1);
    const CollisionMesh mesh(rest, edges, faces, options);

    const CandidatesOptions brute_force{.method = BroadPhase::brute_force};
    Candidates tree, all;
    tree.build(mesh, X0, inflation);
    all.build(mesh, X0, inflation, brute_force);
    expect_equal(tree, all, "still");
    tree.build(mesh, X0, X1, inflation);
    all.build(mesh, X0, X1, inflation, brute_force);
    expect_equal(tree, all, "swept");

    // A refitted tree sees the same overlaps as one that is built anew.
    BroadPhaseTrees moved;
    moved.build(mesh, X0, inflation);
    moved.build(mesh, X1, inflation);
    const ElementBoxes boxes = moved.boxes.edges(mesh);
    std::set<IndexPair> found;
    for (int block = 0; block < moved.edges.num_blocks(); ++block)
        moved.edges.for_each_overlap_within(block, [&](int a, int b) {
            if (boxes[a].overlaps(boxes[b]))
                found.insert({std::min(a, b), std::max(a, b)});
        });
    std::size_t num_overlaps = 0;
    for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = a + 1; b < boxes.size(); ++b)
            num_overlaps += boxes[a].overlaps(boxes[b]) ? 1 : 0;
    if (found.size() != num_overlaps) {
        std::cerr << "refitted: the tree finds " << found.size() << " of " << num_overlaps << " overlaps\n";
        std::abort();
    }
    return 0;
}
