#include "support/contact_scenes.hpp"

namespace abut::test {

MeshData spheres_rod_and_points(double gap)
{
    const MeshData sphere = generate::icosphere({.radius = 0.5, .subdivisions = 2});
    const Mat<3, 3> turn = Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    MeshData scene = sphere;
    append(scene, translated(transformed(sphere, turn), Vec3(0.05, 1 + gap, 0.02)));
    append(scene, translated(transformed(generate::rod({.segments = 6}), turn), Vec3(0, 0.5 + gap / 2, 0.6)));
    const Vec3 middle = scene.vertices.row(scene.vertices.rows() - 4);
    scene.vertices.conservativeResize(scene.vertices.rows() + 2, 3);
    scene.vertices.bottomRows(2) << (middle + Vec3(0.01, 0.01, 0.012)).transpose(),
        (middle + Vec3(0.03, 0.013, -0.014)).transpose();
    return scene;
}

MeshData two_squircles(double gap)
{
    MeshData scene = generate::squircle({.segments = 40});
    append(scene, translated(generate::squircle({.segments = 36}), Vec2(0.013, 2 + gap)));
    return scene;
}

MeshData layers_of_cloth(int cells, double angle)
{
    const MeshData sheet = generate::cloth({.cells = {cells, cells}});
    const Mat<3, 3> turn = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    MeshData scene = sheet;
    append(scene, translated(transformed(sheet, turn), Vec3(0.3 / cells, 0.01, 0.2 / cells)));
    RandomStream random(11);
    for (double& coordinate : scene.vertices.reshaped())
        coordinate += random.uniform(-1e-3, 1e-3);
    return scene;
}

} // namespace abut::test
