#pragma once
// Meshes with their sets of collisions: one term of every kind and feature, and sets of many terms.

#include "abut/contact/normal_collisions.hpp"
#include "support/contact_scenes.hpp"

#include <string>

namespace abut::test {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// A mesh at X with its collisions, and the length over which their energy changes much.
struct Scene {
    std::string name;
    CollisionMesh mesh;
    Positions X;
    NormalCollisions collisions;
    double length;

    Scene(
        std::string name_, CollisionMesh mesh_, Positions X_, const NormalCollisionsOptions& options,
        double length_ = 1);
    Scene(const Scene&);
    Scene(Scene&&) noexcept;
    Scene& operator=(const Scene&);
    Scene& operator=(Scene&&) noexcept;
    ~Scene();

    [[nodiscard]] Vector x() const { return Eigen::Map<const Vector>(X.data(), X.size()); }
    [[nodiscard]] Positions at(const Vector& x) const
    {
        return Eigen::Map<const Positions>(x.data(), X.rows(), X.cols());
    }
};

Positions positions(std::initializer_list<std::initializer_list<double>> rows);

Elements elements(std::initializer_list<std::initializer_list<int>> rows);

inline const Elements no_edges(0, 2), no_faces(0, 3);

/// One collision of each kind, two elements of size 1 at distance `gap`, unless they have to be farther for their kind.
/// What a scene's name says of its kind and feature is checked by KindsAreAsNamed.
std::vector<Scene> single_collisions(double gap, const NormalCollisionsOptions& options);

/// A vertex over planes, in the plane and in space.
std::vector<Scene> single_planes(double gap, const NormalCollisionsOptions& options);

std::vector<Scene> single_terms(double gap, const NormalCollisionsOptions& options);

/// Sets of many terms of all kinds: with weights of both signs, and edges that are nearly parallel.
std::vector<Scene> mixed_scenes();

} // namespace abut::test
