// The demo: two perturbed sheets driven into each other. The upper one moves down, each time by a part of the smallest
// distance, so that it never passes through; a table shows distances and closest features, a picture the last position.

#include "commands.hpp"
#include "svg.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/base/random.hpp"
#include "abut/geometry/edge_edge.hpp"
#include "abut/geometry/normals.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "abut/geometry/predicates.hpp"
#include "abut/io/file.hpp"
#include "abut/mesh/collision_mesh.hpp"
#include "abut/mesh/generators.hpp"

#include <algorithm>
#include <numbers>

namespace abut {

namespace {

struct SheetsDemoOptions {
    std::filesystem::path output = "out/demo"; ///< folder for sheets.svg
    int cells = 14;                            ///< squares along each side of a sheet
    std::uint64_t seed = 1;                    ///< of the perturbation
};

/// The closest pair of two sheets.
struct Closest {
    double distance = std::numeric_limits<double>::infinity();
    std::string pair;    // which elements
    std::string feature; // which parts of them
    Vec3 on_lower = Vec3::Zero(), on_upper = Vec3::Zero();
};

struct Sheets {
    CollisionMesh mesh; // both sheets; vertices below num_lower are the lower one
    int num_lower;

    [[nodiscard]] bool is_lower(int vertex) const { return vertex < num_lower; }
};

Sheets make_sheets(const SheetsDemoOptions& options)
{
    // Tilted against each other, so that edges meet at an angle, and wavy, so that all kinds of pairs occur.
    MeshData lower = generate::cloth({.cells = {options.cells, options.cells}});
    MeshData upper = transformed(
        generate::cloth({.size = Vec2(0.8, 0.8), .cells = {options.cells, options.cells}}),
        Eigen::AngleAxisd(0.4, Vec3::UnitY()).toRotationMatrix());
    RandomStream random(options.seed);
    const auto perturb = [&](MeshData& sheet, double height, double phase) {
        for (Eigen::Index v = 0; v < sheet.vertices.rows(); ++v) {
            const double x = sheet.vertices(v, 0), z = sheet.vertices(v, 2);
            sheet.vertices(v, 1) +=
                height + 0.06 * std::sin(2 * std::numbers::pi * x + phase) * std::cos(1.5 * std::numbers::pi * z) +
                random.uniform(-0.01, 0.01);
        }
    };
    perturb(lower, 0, 0);
    perturb(upper, 0.6, 2);
    const int num_lower = static_cast<int>(lower.vertices.rows());
    append(lower, upper);
    return {CollisionMesh(lower), num_lower};
}

const char* name_of(PointTriangleFeature feature)
{
    constexpr const char* names[]{"corner 0", "corner 1", "corner 2", "edge 0", "edge 1", "edge 2", "inside"};
    return names[static_cast<int>(feature)];
}

const char* name_of(EdgeEdgeFeature feature)
{
    constexpr const char* names[]{"end 0, end 0",  "end 0, end 1",  "end 1, end 0",  "end 1, end 1",  "inside, end 0",
                                  "inside, end 1", "end 0, inside", "end 1, inside", "inside, inside"};
    return names[static_cast<int>(feature)];
}

/// Squared distances of all pairs between the sheets, by brute force.
class Pairs {
public:
    Pairs(const Sheets& sheets, const Positions& X) : sheets_(sheets), X_(X) {}

    /// The closest pair, and in `to_other` the squared distance of each vertex to the other sheet's faces.
    Closest closest(Eigen::VectorXd& to_other) const
    {
        const CollisionMesh& mesh = sheets_.mesh;
        struct Best {
            double squared = std::numeric_limits<double>::infinity();
            int first = -1, second = -1;
        };
        const auto nearer = [](const Best& a, const Best& b) { return b.squared < a.squared ? b : a; };
        to_other.resize(mesh.num_vertices());
        const Best point_triangle = parallel_reduce(
            mesh.num_vertices(), 16, Best{},
            [&](std::size_t begin, std::size_t end) {
                Best best;
                for (int v = static_cast<int>(begin); v < static_cast<int>(end); ++v) {
                    to_other[v] = std::numeric_limits<double>::infinity();
                    for (int f = 0; f < mesh.num_faces(); ++f) {
                        if (sheets_.is_lower(mesh.faces()(f, 0)) == sheets_.is_lower(v))
                            continue;
                        const double squared = squared_distance_to_face(v, f);
                        to_other[v] = std::min(to_other[v], squared);
                        best = nearer(best, {squared, v, f});
                    }
                }
                return best;
            },
            nearer);
        const Best edge_edge = parallel_reduce(
            mesh.num_edges(), 16, Best{},
            [&](std::size_t begin, std::size_t end) {
                Best best;
                for (int a = static_cast<int>(begin); a < static_cast<int>(end); ++a)
                    for (int b = 0; b < mesh.num_edges() && sheets_.is_lower(mesh.edges()(a, 0)); ++b)
                        if (!sheets_.is_lower(mesh.edges()(b, 0)))
                            best = nearer(
                                best,
                                {edge_edge_squared_distance(at(a, 0), at(a, 1), at(b, 0), at(b, 1), Order::value).value,
                                 a, b});
                return best;
            },
            nearer);
        return edge_edge.squared < point_triangle.squared ? describe_edges(edge_edge.first, edge_edge.second)
                                                          : describe_face(point_triangle.first, point_triangle.second);
    }

    /// Number of edge-triangle pairs of the two sheets that intersect, by exact arithmetic.
    int num_intersections() const
    {
        const CollisionMesh& mesh = sheets_.mesh;
        return parallel_reduce(
            mesh.num_edges(), 16, 0,
            [&](std::size_t begin, std::size_t end) {
                int count = 0;
                for (int e = static_cast<int>(begin); e < static_cast<int>(end); ++e)
                    for (int f = 0; f < mesh.num_faces(); ++f)
                        if (sheets_.is_lower(mesh.edges()(e, 0)) != sheets_.is_lower(mesh.faces()(f, 0)))
                            count += segment_intersects_triangle(
                                at(e, 0), at(e, 1), corner(f, 0), corner(f, 1), corner(f, 2));
                return count;
            },
            std::plus());
    }

private:
    Vec3 vertex(int v) const { return point<3>(X_, v); }
    Vec3 at(int edge, int end) const { return vertex(sheets_.mesh.edges()(edge, end)); }
    Vec3 corner(int face, int k) const { return vertex(sheets_.mesh.faces()(face, k)); }

    double squared_distance_to_face(int v, int f) const
    {
        return point_triangle_squared_distance(vertex(v), corner(f, 0), corner(f, 1), corner(f, 2), Order::value).value;
    }

    Closest describe_face(int v, int f) const
    {
        const Vec3 p = vertex(v), t0 = corner(f, 0), t1 = corner(f, 1), t2 = corner(f, 2);
        const Vec3 c = point_triangle_coordinates(p, t0, t1, t2);
        const Vec3 q = c[0] * t0 + c[1] * t1 + c[2] * t2;
        return {
            (p - q).norm(), fmt::format("vertex {} - face {}", v, f), name_of(point_triangle_feature(p, t0, t1, t2)),
            sheets_.is_lower(v) ? p : q, sheets_.is_lower(v) ? q : p};
    }

    Closest describe_edges(int a, int b) const
    {
        const Vec3 a0 = at(a, 0), a1 = at(a, 1), b0 = at(b, 0), b1 = at(b, 1);
        const Vec2 c = edge_edge_coordinates(a0, a1, b0, b1);
        const Vec3 p = a0 + c[0] * (a1 - a0), q = b0 + c[1] * (b1 - b0);
        return {
            (p - q).norm(), fmt::format("edge {} - edge {}", a, b), name_of(edge_edge_feature(a0, a1, b0, b1)), p, q};
    }

    const Sheets& sheets_;
    const Positions& X_;
};

/// A view from the side and above, in pixels; depth grows away from the eye.
struct Camera {
    Vec2 origin;
    double scale;

    [[nodiscard]] Vec3 project(const Vec3& p) const
    {
        constexpr double turn = 0.55, lift = 0.4; // radians
        const double x = std::cos(turn) * p.x() + std::sin(turn) * p.z();
        const double depth = -std::sin(turn) * p.x() + std::cos(turn) * p.z();
        const double y = std::cos(lift) * p.y() - std::sin(lift) * depth;
        return {origin.x() + scale * x, origin.y() - scale * y, -depth};
    }
};

/// From a sheet's own colour where the other sheet is farther than dhat, to orange where it touches.
Vec3 sheet_color(bool is_lower, double distance_by_dhat)
{
    const Vec3 far = is_lower ? Vec3(0.20, 0.36, 0.58) : Vec3(0.55, 0.68, 0.78), near(1, 0.5, 0.05);
    const double t = std::clamp(distance_by_dhat, 0.0, 1.0);
    return t * far + (1 - t) * near;
}

void draw_sheets(
    Svg& svg, const Camera& camera, const Sheets& sheets, const Positions& X, const Eigen::VectorXd& to_other,
    double dhat)
{
    struct Triangle {
        bool is_lower;
        double depth;
        std::array<Vec2, 3> points;
        Vec3 color;
    };
    std::vector<Triangle> triangles;
    const Faces& faces = sheets.mesh.faces();
    for (Eigen::Index f = 0; f < faces.rows(); ++f) {
        Triangle triangle{sheets.is_lower(faces(f, 0)), 0, {}, Vec3::Zero()};
        double distance = 0;
        for (int k = 0; k < 3; ++k) {
            const Vec3 p = camera.project(point<3>(X, faces(f, k)));
            triangle.points[k] = p.head<2>();
            triangle.depth += p.z() / 3;
            distance += std::sqrt(to_other[faces(f, k)]) / 3;
        }
        const Vec3 n =
            triangle_normal(point<3>(X, faces(f, 0)), point<3>(X, faces(f, 1)), point<3>(X, faces(f, 2))).value;
        const double light = 0.45 + 0.55 * std::abs(n.dot(Vec3(0.5, 0.8, -0.33).normalized()));
        triangle.color = light * sheet_color(triangle.is_lower, distance / dhat);
        triangles.push_back(triangle);
    }
    // The sheets lie one above the other: painted from below, each from back to front.
    std::stable_sort(triangles.begin(), triangles.end(), [](const Triangle& a, const Triangle& b) {
        return a.is_lower != b.is_lower ? a.is_lower : a.depth > b.depth;
    });
    for (const Triangle& triangle : triangles)
        svg.polygon(triangle.points, rgb(triangle.color), "#ffffff", 0.4);
}

void run_sheets_demo(const SheetsDemoOptions& options)
{
    constexpr double dhat = 0.1;         // distance at which the picture's colours begin [m]
    constexpr double closest_gap = 1e-4; // where the demo ends [m]
    constexpr int max_steps = 60;

    const Sheets sheets = make_sheets(options);
    Positions X = sheets.mesh.rest_positions();
    fmt::print(
        "Two sheets of {} triangles each; the upper one moves down by 0.6 of the smallest distance a step.\n\n",
        sheets.mesh.num_faces() / 2);
    fmt::print(
        "{:>4}  {:>10}  {:>12}  {:<26}  {:<15}  {:>13}\n", "step", "moved [m]", "distance [m]", "closest pair",
        "closest parts", "intersections");

    double moved = 0;
    Closest closest;
    Eigen::VectorXd to_other;
    std::vector<double> distances;
    for (int step = 0; step <= max_steps; ++step) {
        const Pairs pairs(sheets, X);
        closest = pairs.closest(to_other);
        distances.push_back(closest.distance);
        const int intersections = pairs.num_intersections();
        fmt::print(
            "{:>4}  {:>10.6f}  {:>12.6e}  {:<26}  {:<15}  {:>13}\n", step, moved, closest.distance, closest.pair,
            closest.feature, intersections);
        if (intersections > 0)
            throw std::logic_error("the sheets intersect although each step was shorter than their distance");
        if (closest.distance < closest_gap)
            break;
        const double advance = 0.6 * closest.distance;
        moved += advance;
        X.bottomRows(X.rows() - sheets.num_lower).col(1).array() -= advance;
    }

    Svg svg(900, 520);
    const Camera camera{{450, 300}, 520};
    draw_sheets(svg, camera, sheets, X, to_other, dhat);
    const Vec2 contact = camera.project((closest.on_lower + closest.on_upper) / 2).head<2>();
    svg.circle(contact, 5, "#d62728");
    svg.line(contact, contact + Vec2(60, -150), "#d62728", 1.5);
    svg.text(contact + Vec2(64, -156), fmt::format("{}: {:.3g} m", closest.pair, closest.distance), 14);
    svg.text({20, 32}, fmt::format("Two sheets after {} steps, no intersection", distances.size() - 1), 20);
    svg.text({20, 500}, "distance to the other sheet", 13);
    for (int i = 0; i < 60; ++i) {
        const double x = 200 + 3.0 * i;
        const std::array<Vec2, 4> swatch{Vec2(x, 488), Vec2(x + 3.2, 488), Vec2(x + 3.2, 502), Vec2(x, 502)};
        svg.polygon(swatch, rgb(sheet_color(false, i / 59.0)), "none", 0);
    }
    svg.text({200, 516}, "0", 12);
    svg.text({380, 516}, fmt::format("{} m", dhat), 12, "end");

    std::error_code error;
    std::filesystem::create_directories(options.output, error);
    if (error)
        throw InputOutput(fmt::format("{}: cannot create the folder: {}", options.output.string(), error.message()));
    const auto path = options.output / "sheets.svg";
    write_file(path, svg.str());
    fmt::print("\nNo intersection at any step, by exact arithmetic. Picture: {}\n", path.string());
}

} // namespace

void add_demo_command(CLI::App& app, ExitCode& exit_code)
{
    CLI::App* command = app.add_subcommand("demo", "Drive two perturbed sheets into each other and draw the result");
    auto options = std::make_shared<SheetsDemoOptions>();
    command->add_option("-o,--output", options->output, "Folder for the picture")->capture_default_str();
    command->add_option("--cells", options->cells, "Squares along each side of a sheet, 1 to 64")
        ->capture_default_str()
        ->check(CLI::Range(1, 64));
    command->add_option("--seed", options->seed, "Seed of the perturbation")->capture_default_str();
    add_threads_option(*command);
    command->callback([options, &exit_code] {
        run_sheets_demo(*options);
        exit_code = ExitCode::done;
    });
}

} // namespace abut
