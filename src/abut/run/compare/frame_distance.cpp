#include "abut/run/compare/frame_distance.hpp"

#include <algorithm>

namespace abut {

namespace {

/// Gathers the distances of vertices.
struct Sum {
    double squares = 0, largest = 0;
    std::int64_t count = 0;

    void add(double squared)
    {
        squares += squared;
        largest = std::max(largest, std::sqrt(squared));
        ++count;
    }
    [[nodiscard]] Distance distance() const
    {
        if (count == 0)
            return {};
        return {std::sqrt(squares / static_cast<double>(count)), largest};
    }
};

template <typename Elements>
bool is_same(const Elements& a, const Elements& b)
{
    return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

bool have_same_mesh(const Frame& a, const Frame& b)
{
    return a.mesh.vertices.rows() == b.mesh.vertices.rows() && a.mesh.vertices.cols() == b.mesh.vertices.cols() &&
           is_same(a.mesh.edges, b.mesh.edges) && is_same(a.mesh.faces, b.mesh.faces) &&
           is_same(a.mesh.tets, b.mesh.tets) && a.objects == b.objects;
}

} // namespace

std::optional<FrameDistance>
frame_distance(const Frame& frame, const Frame& reference, const std::vector<bool>& can_move)
{
    const auto num_bodies = static_cast<int>(can_move.size());
    if (!have_same_mesh(frame, reference) || std::any_of(frame.objects.begin(), frame.objects.end(), [&](int body) {
            return body < 0 || body >= num_bodies;
        }))
        return {};
    const Eigen::VectorXd squared = (frame.mesh.vertices - reference.mesh.vertices).rowwise().squaredNorm();
    Sum all;
    std::vector<Sum> bodies(can_move.size());
    for (std::size_t v = 0; v < frame.objects.size(); ++v) {
        const auto body = static_cast<std::size_t>(frame.objects[v]);
        bodies[body].add(squared[static_cast<Eigen::Index>(v)]);
        if (can_move[body])
            all.add(squared[static_cast<Eigen::Index>(v)]);
    }
    FrameDistance distance{all.distance(), {}};
    for (const Sum& body : bodies)
        distance.bodies.push_back(body.distance());
    return distance;
}

} // namespace abut
