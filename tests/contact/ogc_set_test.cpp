// OGC's set of contacts: against the paper's definitions, contact by contact; its energy's derivatives and forces.

#include "abut/base/parallel.hpp"
#include "abut/contact/barrier_potential.hpp"
#include "abut/contact/ogc/ogc_barrier.hpp"
#include "support/contact_scenes.hpp"
#include "support/finite_differences.hpp"
#include "support/ogc_scenes.hpp"

#include <map>
#include <numbers>

namespace abut::test::ogc_set_test {

namespace {

NormalCollisions built(const CollisionMesh& mesh, const Positions& X, NormalCollisionsOptions options)
{
    options.set_type = CollisionSetType::ogc;
    NormalCollisions collisions;
    collisions.build(mesh, X, options);
    return collisions;
}

/// Weights by the two elements of a contact.
using Contacts = std::map<std::pair<MeshElement, MeshElement>, double>;

void add(Contacts& contacts, const MeshElement& a, const MeshElement& b, double weight)
{
    contacts[std::minmax(a, b)] += weight;
}

/// The two elements of a term of the set.
std::pair<MeshElement, MeshElement> elements_of(const NormalCollision& term)
{
    const auto [i, j] = term.elements;
    switch (term.kind) {
    case PairKind::vertex_vertex:
        return {{0, i}, {0, j}};
    case PairKind::edge_vertex:
        return {{1, i}, {0, j}};
    case PairKind::edge_edge:
        return {{1, i}, {1, j}};
    default:
        return {{2, i}, {0, j}};
    }
}

Contacts contacts_of(const NormalCollisions& set)
{
    Contacts contacts;
    for (std::size_t k = 0; k < set.size(); ++k) {
        const auto [a, b] = elements_of(set[k]);
        EXPECT_TRUE(!contacts.contains(std::minmax(a, b))) << "each term once";
        add(contacts, a, b, set[k].weight);
    }
    return contacts;
}

bool shares_vertex(const CollisionMesh& mesh, int a, int b)
{
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (mesh.edges()(a, i) == mesh.edges()(b, j))
                return true;
    return false;
}

/// Eq. 12: each vertex with the elements whose block it is in.
void add_vertex_contacts(Contacts& contacts, const CollisionMesh& mesh, const Positions& X, double r, bool weighted)
{
    for (int v = 0; v < mesh.num_vertices(); ++v) {
        const Vec3 x = X.row(v);
        for (const MeshElement& a : all_elements(mesh)) {
            const std::vector<int> corners = corners_of(mesh, a);
            if (std::find(corners.begin(), corners.end(), v) != corners.end())
                continue;
            // Loose edges are offset for loose vertices only, two loose vertices are one contact.
            const bool is_loose = mesh.vertex_edges(v).empty(), has_face = !mesh.vertex_faces(corners[0]).empty();
            const bool is_loose_vertex = mesh.vertex_edges(corners[0]).empty();
            if ((!has_face && !is_loose) || (is_loose_vertex && corners[0] < v))
                continue;
            if (!is_in_block(mesh, X, a, x) || distance_to(mesh, X, a, x) >= r)
                continue;
            const double area = has_face          ? mesh.vertex_areas()[v] / 4
                                : is_loose_vertex ? (mesh.vertex_areas()[v] + mesh.vertex_areas()[corners[0]]) / 2
                                                  : mesh.vertex_areas()[v] / 2;
            add(contacts, {0, v}, a, weighted ? area : 1);
        }
    }
}

/// Eq. 17: pairs of edges whose closest points are in blocks of each other; those that share a contact count once.
void add_edge_contacts(Contacts& contacts, const CollisionMesh& mesh, const Positions& X, double r, bool weighted)
{
    std::map<std::pair<MeshElement, MeshElement>, std::pair<double, int>> found;
    for (int a = 0; a < mesh.num_edges(); ++a)
        for (int b = a + 1; b < mesh.num_edges(); ++b) {
            const auto end = [&](int e, int k) { return Vec3(X.row(mesh.edges()(e, k))); };
            const EdgeEdgeFeature feature = edge_edge_feature(end(a, 0), end(a, 1), end(b, 0), end(b, 1));
            if (shares_vertex(mesh, a, b) ||
                edge_edge_squared_distance(end(a, 0), end(a, 1), end(b, 0), end(b, 1), feature) >= r * r)
                continue;
            const Vec2 u = edge_edge_coordinates(end(a, 0), end(a, 1), end(b, 0), end(b, 1));
            const Vec3 on_a = end(a, 0) + u[0] * (end(a, 1) - end(a, 0)),
                       on_b = end(b, 0) + u[1] * (end(b, 1) - end(b, 0));
            const auto [k, j] = ends_of(feature);
            const MeshElement part_a = k == whole_edge ? MeshElement{1, a} : MeshElement{0, mesh.edges()(a, k)};
            const MeshElement part_b = j == whole_edge ? MeshElement{1, b} : MeshElement{0, mesh.edges()(b, j)};
            // In the wireframe the block of an edge's interior has no faces to mind.
            if ((k != whole_edge && !is_in_block(mesh, X, part_a, on_b)) ||
                (j != whole_edge && !is_in_block(mesh, X, part_b, on_a)))
                continue;
            auto& [sum, count] = found[std::minmax(part_a, part_b)];
            sum += weighted ? (mesh.edge_areas()[a] + mesh.edge_areas()[b]) / 4 : 1;
            ++count;
        }
    for (const auto& [parts, shares] : found)
        add(contacts, parts.first, parts.second, shares.first / shares.second);
}

/// Two bumpy surfaces close to each other, and a crumpled one that is close to itself.
std::vector<MeshData> close_surfaces()
{
    std::vector<MeshData> scenes{spheres_rod_and_points(0.05)};
    RandomStream random(12);
    for (int i = 0; i < 18; ++i) {
        const std::vector<MeshData> surfaces = bumpy_surfaces(random);
        MeshData scene = surfaces[i % 3];
        append(
            scene,
            translated(transformed(surfaces[(i + 1) % 3], random_rotation<3>(random)), random_direction<3>(random)));
        scenes.push_back(scene);
    }
    return scenes;
}

TEST(OgcSet, HasTheContactsOfThePaper)
{
    std::array<std::size_t, 4> counts{};
    int one_sided = 0;
    for (const MeshData& data : close_surfaces()) {
        const CollisionMesh mesh(data);
        for (const double r : {0.1, 0.3})
            for (const bool weighted : {false, true}) {
                const NormalCollisions set = built(mesh, data.vertices, {.dhat = r, .use_area_weighting = weighted});
                Contacts expected;
                add_vertex_contacts(expected, mesh, data.vertices, r, weighted);
                add_edge_contacts(expected, mesh, data.vertices, r, weighted);
                // Edges that are nearly parallel stay terms of their own, which the paper does not know.
                Contacts found;
                for (std::size_t k = 0; k < set.size(); ++k) {
                    const NormalCollision term = set[k];
                    auto [a, b] = elements_of(term);
                    if (term.kind == PairKind::edge_edge) {
                        const auto [i, j] = ends_of(term.feature);
                        if (i != whole_edge)
                            a = {0, mesh.edges()(a.index, i)};
                        if (j != whole_edge)
                            b = {0, mesh.edges()(b.index, j)};
                    }
                    add(found, a, b, term.weight);
                    if (!weighted && term.kind == PairKind::vertex_vertex)
                        one_sided += term.weight == 1;
                }
                ASSERT_EQ(found.size(), expected.size());
                for (const auto& [elements, weight] : expected)
                    EXPECT_NEAR(found[elements], weight, 1e-12 * weight);
                counts[0] += set.vv().size();
                counts[1] += set.ev().size();
                counts[2] += set.ee().size();
                counts[3] += set.fv().size();
            }
    }
    for (const std::size_t count : counts)
        EXPECT_GT(count, 30u) << "all kinds occur";
    EXPECT_GT(one_sided, 5);
}

TEST(OgcSet, AFlatSheetHasNoContactsWithItselfHoweverLargeTheRadius)
{
    RandomStream random(8);
    for (const Mat<3, 3>& turn : {Mat<3, 3>(Mat<3, 3>::Identity()), random_rotation<3>(random)}) {
        const MeshData data = transformed(generate::cloth({.cells = {8, 8}}), turn);
        const CollisionMesh mesh(data);
        EXPECT_TRUE(built(mesh, data.vertices, {.dhat = 0.5}).empty());
        NormalCollisions ipc;
        ipc.build(mesh, data.vertices, {.dhat = 0.5});
        EXPECT_GT(ipc.size(), 1000u);
    }
}

// Eq. 17 offers edges no faces to mind, so that edges of one sheet that are skew meet nearly within it. No vertex does.
TEST(OgcSet, ASaddleHasContactsWithItselfBetweenSkewEdgesAlone)
{
    const MeshData sheet = generate::plane_grid({.size = {1, 1}, .cells = {12, 12}});
    const CollisionMesh mesh(sheet);
    Positions X = mesh.rest_positions();
    for (int v = 0; v < mesh.num_vertices(); ++v) {
        const double angle = std::numbers::pi * X(v, 0), radius = X(v, 2);
        X.row(v) << X(v, 0), radius * std::sin(angle), radius * std::cos(angle);
    }
    const double edge = 1.0 / 12;
    for (const double r : {0.999 * edge, 4 * edge}) {
        const NormalCollisions contacts = built(mesh, X, {.dhat = r});
        EXPECT_GT(contacts.ee().size(), 100u);
        EXPECT_EQ(contacts.size(), contacts.ee().size()) << "r = " << r;
    }
}

TEST(OgcSet, AVertexHasOneContactWithALayer)
{
    // A loose vertex that wanders over a flat sheet: one contact, whose energy is that of its height.
    const MeshData sheet = generate::cloth({.cells = {4, 4}});
    const double r = 0.2, height = 0.05;
    const BarrierPotential barrier(ogc_barrier(r, 1));
    RandomStream random(2);
    for (int i = 0; i < 300; ++i) {
        MeshData data = sheet;
        data.vertices.conservativeResize(data.vertices.rows() + 1, 3);
        // On the border, on edges and on vertices, too.
        const double x = random.below(2) == 0 ? random.uniform(-0.5, 0.5) : (int(random.below(9)) - 4) / 8.0;
        const double z = random.below(2) == 0 ? random.uniform(-0.5, 0.5) : (int(random.below(9)) - 4) / 8.0;
        data.vertices.bottomRows(1) << x, height, z;
        const CollisionMesh mesh(data);
        const NormalCollisions set = built(mesh, data.vertices, {.dhat = r});
        ASSERT_EQ(set.size(), 1u) << x << " " << z;
        EXPECT_EQ(set[0].weight, 1);
        EXPECT_DOUBLE_EQ(barrier(set, mesh, data.vertices), TwoStage{}(height, r).value);
    }
}

TEST(OgcSet, EdgesThatMeetAtAnEndShareItsContact)
{
    // A star of k edges whose centre is above the middle of an edge, one of them nearly parallel to it.
    const int k = 4;
    const double r = 0.2;
    const BarrierPotential barrier(ogc_barrier(r, 1));
    const auto star = [&](double angle) {
        Positions X(3 + k, 3);
        X << Eigen::RowVector3d(-1, 0, 0), Eigen::RowVector3d(1, 0, 0), Eigen::RowVector3d(0.1, 0.1, 0),
            Positions::Zero(k, 3);
        for (int i = 0; i < k; ++i) {
            const double turn = angle + std::numbers::pi / 2 * i * 0.9;
            X.row(3 + i) << 0.1 + 0.5 * std::cos(turn), 0.1 + 0.3, 0.5 * std::sin(turn);
        }
        return X;
    };
    Elements edges(1 + k, 2);
    edges.row(0) << 0, 1;
    for (int i = 0; i < k; ++i)
        edges.row(1 + i) << 2, 3 + i;
    // Rest positions in which the thresholds are large: the first edge counts as parallel.
    const auto energy = [&](double angle, double rest_scale, std::size_t& num_parallel) {
        const Positions X = star(angle);
        const CollisionMesh mesh(Positions(rest_scale * X), edges);
        const NormalCollisions set = built(mesh, X, {.dhat = r});
        num_parallel = set.ee().size();
        double sum = 0;
        for (std::size_t i = 0; i < set.size(); ++i)
            sum += set[i].weight;
        EXPECT_DOUBLE_EQ(sum, 1);
        return barrier(set, mesh, X);
    };
    std::size_t num_parallel = 0;
    EXPECT_DOUBLE_EQ(energy(0.3, 1, num_parallel), TwoStage{}(0.1, r).value);
    EXPECT_EQ(num_parallel, 0u);
    // eps_x grows with the fourth power of the scale; some edges cross the threshold on the way, without a jump.
    double previous = energy(0.3, 1, num_parallel);
    std::size_t most = 0;
    for (double scale = 1; scale < 12; scale *= 1.001) {
        const double now = energy(0.3, scale, num_parallel);
        EXPECT_NEAR(now, previous, 0.01 * previous);
        EXPECT_LE(now, TwoStage{}(0.1, r).value * (1 + 1e-12));
        previous = now;
        most = std::max(most, num_parallel);
    }
    EXPECT_EQ(most, std::size_t(k));
}

TEST(OgcSet, ForcesAreOrthogonalToWhatTheyActOn)
{
    RandomStream random(21);
    int num_terms = 0;
    for (MeshData data : bumpy_surfaces(random)) {
        const int num_surface = static_cast<int>(data.vertices.rows());
        data.vertices.conservativeResize(num_surface + 60, 3);
        for (int i = 0; i < 60; ++i) {
            const Vec3 origin = data.vertices.row(random.below(static_cast<std::uint32_t>(num_surface)));
            data.vertices.row(num_surface + i) = origin + 0.15 * random_points<3>(random);
        }
        const CollisionMesh mesh(data);
        const Positions& X = data.vertices;
        const NormalCollisions set = built(mesh, X, {.dhat = 0.15});
        const Positions forces = BarrierPotential(ogc_barrier(0.15, 1)).forces(set, mesh, X);
        for (std::size_t k = 0; k < set.size(); ++k) {
            const NormalCollision term = set[k];
            const int v = term.kind == PairKind::vertex_vertex ? term.elements[1] : term.vertices[0];
            if (v < num_surface || (term.kind == PairKind::vertex_vertex && term.elements[0] >= num_surface))
                continue; // the surface with itself, or two loose vertices
            ++num_terms;
            const auto offset = set.stencils().offset(k);
            const Vec3 force = forces.row(offset + (term.kind == PairKind::vertex_vertex ? 1 : 0));
            const auto at = [&](int i) { return Vec3(X.row(i)); };
            // A distance d has a direction to eps / d.
            const double distance = std::sqrt(set.geometry(k, mesh, X).squared_distance);
            const double tolerance = 1e-14 * force.norm() / distance;
            if (term.kind != PairKind::vertex_vertex) {
                for (std::size_t i = 2; i < term.vertices.size(); ++i)
                    EXPECT_NEAR(force.dot(at(term.vertices[i]) - at(term.vertices[1])), 0, tolerance);
            }
            // At edges and vertices it points out of all the faces there.
            const std::vector<int> corners(term.vertices.begin(), term.vertices.end());
            const auto expect_outward = [&](const Vec3& foot, int opposite) {
                EXPECT_LE(force.dot(at(opposite) - foot), tolerance);
            };
            if (term.kind == PairKind::vertex_vertex)
                for (const int e : mesh.vertex_edges(term.elements[0]))
                    expect_outward(
                        at(term.elements[0]), mesh.edges()(e, mesh.edges()(e, 0) == term.elements[0] ? 1 : 0));
            if (term.kind == PairKind::edge_vertex)
                for (const int o : mesh.edge_opposites(term.elements[0]))
                    expect_outward(at(corners[1]), o); // the force is orthogonal to the edge: any point of it will do
        }
    }
    EXPECT_GT(num_terms, 100);
}

TEST(OgcSet, BetweenParallelSheetsOnlyTheNumberOfCrossingsJumps)
{
    // A small sheet slides over a large one. All contacts are at its height: one for each vertex of the small one, one
    // for each vertex of the large one below it, and one for each crossing of two edges, which is what jumps.
    const double r = 0.1, height = 0.05;
    const MeshData large = generate::cloth({.cells = {5, 5}});
    const MeshData small = transformed(
        generate::cloth({.size = {0.31, 0.31}, .cells = {4, 4}}),
        Eigen::AngleAxisd(0.3, Vec3::UnitY()).toRotationMatrix());
    const CollisionMesh upper(small), lower(large);
    const BarrierPotential barrier(ogc_barrier(r, 1));
    const auto cross = [](const Vec3& a, const Vec3& b, const Vec3& p) {
        return (b - a).z() * (p - a).x() - (b - a).x() * (p - a).z();
    };
    double before = 0, largest = 0, most = 0;
    int num_jumps = 0;
    for (int step = 0; step <= 400; ++step) {
        MeshData scene = large;
        append(scene, translated(small, Vec3(-0.1003 + 0.0005 * step, height, 0.0031)));
        const CollisionMesh mesh(scene);
        const Positions& X = scene.vertices;
        const auto at = [&](int v) { return Vec3(X.row(v)); };
        int crossings = 0;
        for (int a = 0; a < mesh.num_edges(); ++a)
            for (int b = a + 1; b < mesh.num_edges(); ++b) {
                const Vec3 a0 = at(mesh.edges()(a, 0)), a1 = at(mesh.edges()(a, 1)), b0 = at(mesh.edges()(b, 0)),
                           b1 = at(mesh.edges()(b, 1));
                if ((a0.y() < height / 2) != (b0.y() < height / 2))
                    crossings += cross(a0, a1, b0) * cross(a0, a1, b1) < 0 && cross(b0, b1, a0) * cross(b0, b1, a1) < 0;
            }
        const Eigen::Matrix3d back = Eigen::AngleAxisd(-0.3, Vec3::UnitY()).toRotationMatrix();
        int below = 0; // vertices of the large sheet
        for (Eigen::Index v = 0; v < large.vertices.rows(); ++v) {
            const Vec3 local = back * (at(static_cast<int>(v)) - Vec3(-0.1003 + 0.0005 * step, 0, 0.0031));
            below += std::max(std::abs(local.x()), std::abs(local.z())) < 0.155;
        }
        const NormalCollisions set = built(mesh, X, {.dhat = r});
        double weights = 0; // of contacts straight below and above each other; those past the border are farther off
        for (std::size_t k = 0; k < set.size(); ++k)
            if (std::sqrt(set.geometry(k, mesh, X).squared_distance) < height * (1 + 1e-9))
                weights += set[k].weight;
        // Nearly parallel edges fade; here there are none.
        EXPECT_NEAR(weights, double(small.vertices.rows()) + below + crossings, 1e-9) << step;
        const double energy = barrier(set, mesh, X);
        if (step > 0) {
            const double jump = std::abs(energy - before) / energy;
            num_jumps += jump > 5e-3;
            largest = std::max(largest, jump);
        }
        before = energy;
        most = std::max(most, energy);
    }
    EXPECT_GT(num_jumps, 20) << "docs/ogc.md says that it jumps";
    EXPECT_LT(largest, 0.06) << "docs/ogc.md says by how much";
    RecordProperty("largest_jump", std::to_string(largest));
    RecordProperty("num_jumps", num_jumps);
}

TEST(OgcSet, DerivativesMatchDifferencesOnAFrozenList)
{
    RandomStream random(30);
    const MeshData layers = layers_of_cloth(3, 0.01), curves = two_squircles(0.02),
                   spheres = spheres_rod_and_points(0.02);
    for (const auto& [data, dhat, length] :
         {std::tuple(layers, 0.05, 5e-3), std::tuple(curves, 0.1, 0.02), std::tuple(spheres, 0.05, 0.02)}) {
        const CollisionMesh mesh(data);
        const NormalCollisions set = built(mesh, data.vertices, {.dhat = dhat, .use_area_weighting = true});
        EXPECT_GT(set.size(), 5u);
        // Away from where the list was made; features and weights stay as they were.
        Positions X = data.vertices;
        for (double& coordinate : X.reshaped())
            coordinate += random.uniform(-1e-3, 1e-3);
        const BarrierPotential barrier(ogc_barrier(dhat, 1e3));
        const auto positions = [&, dim = X.cols()](const Eigen::VectorXd& x) {
            return Positions(Eigen::Map<const Positions>(x.data(), x.size() / dim, dim));
        };
        const VectorFunction value = [&, &collisions = set](const Eigen::VectorXd& x) -> Eigen::VectorXd {
            return Eigen::VectorXd::Constant(1, barrier(collisions, mesh, positions(x)));
        };
        const VectorFunction gradient = [&, &collisions = set](const Eigen::VectorXd& x) -> Eigen::VectorXd {
            return barrier.gradient(collisions, mesh, positions(x));
        };
        const Eigen::VectorXd x = X.reshaped<Eigen::RowMajor>();
        const Eigen::VectorXd g = gradient(x);
        const Eigen::MatrixXd H = barrier.hessian(set, mesh, X);
        // Along random directions: the meshes are too large for all coordinates.
        for (int repeat = 0; repeat < 10; ++repeat) {
            Eigen::VectorXd direction(x.size());
            for (double& entry : direction)
                entry = random.uniform(-1, 1);
            const VectorFunction value_along = [&](const Eigen::VectorXd& t) -> Eigen::VectorXd {
                return value(x + t[0] * direction);
            };
            const VectorFunction gradient_along = [&](const Eigen::VectorXd& t) -> Eigen::VectorXd {
                return gradient(x + t[0] * direction);
            };
            const Eigen::VectorXd zero = Eigen::VectorXd::Zero(1);
            expect_matches(
                Eigen::MatrixXd::Constant(1, 1, g.dot(direction)), central_differences(value_along, zero, length),
                "gradient");
            expect_matches(H * direction, central_differences(gradient_along, zero, length), "Hessian");
        }
    }
}

TEST(OgcSet, InThePlaneVerticesMeetEdgesAndCorners)
{
    // A square below a corner that points down, exactly over its corner, beside it and inside.
    Positions X(7, 2);
    X << 0, 0, 1, 0, 1, 1, 0, 1, 0.5, 1.1, 0.9, 1.6, 0.1, 1.6;
    Elements edges(7, 2);
    edges << 0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 4;
    const auto set_at = [&](double shift) {
        Positions moved = X;
        moved.bottomRows(3).col(0).array() += shift;
        const CollisionMesh mesh(moved, edges);
        return contacts_of(built(mesh, moved, {.dhat = 0.2}));
    };
    EXPECT_EQ(set_at(0), (Contacts{{{{0, 4}, {1, 2}}, 1}}));
    // Corner over corner: each is in the other's block.
    EXPECT_EQ(set_at(0.55), (Contacts{{{{0, 2}, {0, 4}}, 2}}));
    EXPECT_EQ(set_at(0.5), (Contacts{{{{0, 2}, {0, 4}}, 2}})) << "exactly above it";
}

} // namespace

} // namespace abut::test::ogc_set_test
