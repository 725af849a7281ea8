#include "support/simulated.hpp"

namespace abut::test {

SceneObject box(const std::string& name, const Vec3& size, const Vec3& centre, std::array<int, 3> cells)
{
    SceneObject object;
    object.name = name;
    object.mesh = translated(generate::tet_box({.size = size, .subdivisions = cells}), centre);
    return object;
}

SceneObject cube(const std::string& name, double size, const Vec3& centre, int cells)
{
    return box(name, Vec3::Constant(size), centre, {cells, cells, cells});
}

SceneObject planar_block(const std::string& name, double y)
{
    const MeshData sheet = generate::plane_grid({.size = Vec2(0.2, 0.1), .cells = {4, 2}});
    SceneObject object;
    object.name = name;
    object.kind = ObjectKind::planar;
    object.mesh.vertices.resize(sheet.vertices.rows(), 2);
    object.mesh.vertices.col(0) = sheet.vertices.col(0);
    object.mesh.vertices.col(1) = y - sheet.vertices.col(2).array();
    object.mesh.faces = sheet.faces;
    object.thickness = 0.1;
    return object;
}

Plane floor_plane() { return {Vec3::Zero(), Vec3::UnitY()}; }

Scene slope(double mu, double angle)
{
    Scene scene;
    scene.objects = {cube("cube", 0.2, Vec3(0, 0.1002, 0), 1)};
    scene.objects[0].youngs_modulus = 1e7;
    scene.planes = {floor_plane()};
    scene.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0);
    scene.contact.mu = mu;
    scene.contact.eps_v = 1e-3;
    scene.solver.tolerance = 1e-6;
    scene.solver.friction_iterations = 3;
    return scene;
}

Scene falling_cloth(int cells)
{
    Scene scene;
    SceneObject cloth;
    cloth.name = "cloth";
    cloth.kind = ObjectKind::shell;
    cloth.model = ElasticModel::fixed_corotated;
    cloth.mesh = generate::cloth({.cells = {cells, cells}});
    cloth.youngs_modulus = 3e4;
    cloth.poisson_ratio = 0.3;
    cloth.density = 200;
    SceneObject ball;
    ball.name = "ball";
    ball.kind = ObjectKind::obstacle;
    ball.mesh = translated(generate::icosphere({.radius = 0.2, .subdivisions = 2}), Vec3(0.03, -0.22, 0.01));
    scene.objects = {cloth, ball};
    scene.contact.mu = 0.3;
    scene.contact.dhat = 5e-3;
    scene.verify = Verify::step;
    return scene;
}

std::vector<int> vertices_at(const MeshData& mesh, int axis, double value)
{
    std::vector<int> vertices;
    for (int v = 0; v < mesh.vertices.rows(); ++v)
        if (std::abs(mesh.vertices(v, axis) - value) < 1e-6)
            vertices.push_back(v);
    return vertices;
}

StepReport run(Simulation& simulation, int steps)
{
    StepReport report;
    for (int i = 0; i < steps; ++i) {
        report = simulation.step();
        EXPECT_EQ(report.outcome, Outcome::converged) << report.message;
        EXPECT_TRUE(report.verification.is_checked);
        EXPECT_EQ(report.verification.num_intersections, 0) << "step " << report.step;
        EXPECT_EQ(report.verification.num_inverted, 0) << "step " << report.step;
        if (report.outcome != Outcome::converged)
            break;
    }
    return report;
}

} // namespace abut::test
