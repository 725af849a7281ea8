#include "support/gcp_shapes.hpp"

namespace abut::test {

std::vector<Vec2> rounded_square(int straight, int arc)
{
    constexpr double radius = 0.08, half = 0.5 - radius;
    std::vector<Vec2> outline;
    for (int side = 0; side < 4; ++side) {
        const Eigen::Rotation2Dd turn(side * std::numbers::pi / 2);
        for (int i = 0; i < straight; ++i)
            outline.push_back(turn * Vec2(0.5, -half + 2 * half * i / straight));
        for (int i = 0; i < arc; ++i) {
            const double angle = i * std::numbers::pi / 2 / arc;
            outline.push_back(turn * Vec2(half + radius * std::cos(angle), half + radius * std::sin(angle)));
        }
    }
    return outline;
}

MeshData closed_curve(const std::vector<Vec2>& outline)
{
    MeshData curve;
    const auto n = static_cast<int>(outline.size());
    curve.vertices.resize(n, 2);
    curve.edges.resize(n, 2);
    curve.faces.resize(0, 3);
    for (int i = 0; i < n; ++i) {
        curve.vertices.row(i) = outline[i];
        curve.edges.row(i) << i, (i + 1) % n;
    }
    return curve;
}

std::vector<Vec2> slit_outline(double width)
{
    return {{-0.5, -0.5},   {0.5, -0.5},     {0.5, 0.5},        {width / 2, 0.5},
            {width / 2, 0}, {-width / 2, 0}, {-width / 2, 0.5}, {-0.5, 0.5}};
}

std::vector<RestShape> rest_shapes()
{
    std::vector<RestShape> shapes;
    shapes.push_back({"rounded square", closed_curve(rounded_square()), 0.1, false});
    shapes.push_back({"slit in the plane", closed_curve(slit_outline(0.01)), 0.0125, true});
    MeshData squares = closed_curve({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    append(squares, translated(squares, Vec2(0, 1.02)));
    shapes.push_back({"stacked squares", squares, 0.05, true});
    MeshData polyline = closed_curve({{0, 0}, {1, 0}, {1, 0.03}, {0, 0.03}});
    polyline.edges.conservativeResize(3, 2);
    shapes.push_back({"folded polyline", polyline, 0.1, true});

    shapes.push_back(
        {"fillet block", generate::tet_prism({.corners = rounded_square(2, 4), .depth = 0.6, .layers = 3}), 0.15,
         false});
    shapes.push_back(
        {"block with a slit", generate::tet_prism({.corners = slit_outline(0.01), .depth = 0.5, .subdivisions = 2}),
         0.0125, true});
    const MeshData block = generate::box({.size = Vec3(1, 0.5, 0.5), .subdivisions = {4, 2, 2}});
    MeshData close = block;
    append(close, translated(block, Vec3(1.02, 0.07, 0.03)));
    shapes.push_back({"close blocks", close, 0.05, true});
    shapes.push_back({"icosphere", generate::icosphere({.radius = 0.5, .subdivisions = 2}), 0.4, false});
    shapes.push_back({"cube", generate::box({.subdivisions = {4, 4, 4}}), 0.6, false});
    shapes.push_back(
        {"L-prism",
         generate::tet_prism(
             {.corners = {{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}}, .depth = 0.5, .subdivisions = 3}),
         0.3, false});
    shapes.push_back({"thin plate", generate::box({.size = Vec3(1, 0.01, 1), .subdivisions = {4, 1, 4}}), 0.3, false});
    const MeshData cube = generate::box({.subdivisions = {2, 2, 2}});
    MeshData stacked = cube;
    append(stacked, translated(cube, Vec3(0, 1.01, 0)));
    append(stacked, translated(cube, Vec3(0, 2.02, 0)));
    shapes.push_back({"stacked cubes", stacked, 0.3, true});
    const MeshData sheet = generate::cloth({.cells = {4, 4}});
    MeshData sheets = sheet;
    append(sheets, translated(sheet, Vec3(0.03, 0.02, 0.01)));
    append(sheets, translated(sheet, Vec3(0, 0.05, 0)));
    shapes.push_back({"open sheets", sheets, 0.3, true});
    return shapes;
}

Positions rigidly_moved(const Positions& X, RandomStream& random, double distance)
{
    const auto move = [&]<int Dim>(std::integral_constant<int, Dim>) -> Positions {
        const Mat<Dim, Dim> R = random_rotation<Dim>(random);
        const Vec<Dim> t = distance * random_direction<Dim>(random);
        return (X * R.transpose()).rowwise() + t.transpose();
    };
    return X.cols() == 2 ? move(std::integral_constant<int, 2>{}) : move(std::integral_constant<int, 3>{});
}

} // namespace abut::test
