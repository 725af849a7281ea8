// Guards: whatever a step would do, what they leave of it passes through nothing.

#include "abut/base/random.hpp"
#include "abut/detect/step_size.hpp"
#include "abut/sim/contact_guards.hpp"
#include "abut/solver/newton.hpp"
#include "support/simulated.hpp"

#include <gtest/gtest.h>

namespace abut::test {

namespace {

Scene near_bodies(const std::string& model)
{
    Scene scene;
    scene.objects = {cube("low", 0.2, Vec3(0, 0.103, 0)), cube("high", 0.2, Vec3(0.03, 0.306, 0.02))};
    scene.planes = {floor_plane()};
    scene.contact.model = model;
    scene.contact.dhat = 5e-3;
    return scene;
}

void expect_guard_contract(const std::string& contact_model)
{
    const auto model = make_model(near_bodies(contact_model));
    System system(*model);
    State state = model->start;
    system.save(state.history);
    system.begin_step(state);
    const Eigen::VectorXd x = system.unknowns_of(state);
    system.find_contacts(x);
    StepGuard& guard = *system.problem().guard();
    const CollisionMesh& mesh = *model->mesh;
    const Positions X = model->surface->positions(system.view(x));

    RandomStream random(31);
    int num_limited = 0;
    for (int repeat = 0; repeat < 60; ++repeat) {
        // From steps that touch nothing to steps far through everything
        const double size = std::pow(10, random.uniform(-6, 1));
        Eigen::VectorXd step(x.size()), gradient(x.size());
        for (Eigen::Index k = 0; k < x.size(); ++k) {
            step[k] = size * random.uniform(-1, 1);
            gradient[k] = -step[k] * random.uniform(0.1, 1); // the step descends
        }
        Eigen::VectorXd dx = step;
        const StepGuard::Cut cut = guard.cut(system.view(x), dx, gradient);
        EXPECT_EQ(cut.num_cut > 0, !cut.reason.empty());
        EXPECT_EQ(cut.num_cut == 0, dx == step) << cut.reason;
        const StepGuard::Limit limit = guard.limit(system.view(x), system.view(dx));
        EXPECT_GT(limit.scale, 0);
        EXPECT_LE(limit.scale, 1);
        EXPECT_EQ(limit.scale < 1, !limit.reason.empty());
        num_limited += cut.num_cut > 0 || limit.scale < 1;
        const Eigen::VectorXd left = limit.scale * dx;
        EXPECT_LT(gradient.dot(left), 0) << "it still descends";
        for (const double share : {1.0, 0.5, 1e-3}) {
            const Eigen::VectorXd end = x + share * left;
            EXPECT_TRUE(is_step_collision_free(mesh, X, model->surface->positions(system.view(end))))
                << "size " << size << ", share " << share;
        }
    }
    EXPECT_GT(num_limited, 10);
    EXPECT_LT(num_limited, 60);
    // A step of nothing is free.
    Eigen::VectorXd none = Eigen::VectorXd::Zero(x.size());
    EXPECT_EQ(guard.cut(system.view(x), none, none).num_cut, 0);
    EXPECT_EQ(guard.limit(system.view(x), system.view(none)).scale, 1);
}

TEST(GuardContract, HoldsForContinuousCollisionDetection) { expect_guard_contract("ipc"); }

TEST(GuardContract, HoldsWherePairsAreFrozen) { expect_guard_contract("ogc"); }

} // namespace

} // namespace abut::test
