#pragma once
// Frames as a page shows them: bodies, positions rounded to a share of each body's extent, numbers per vertex and
// forces, coded so that browsers unpack them without help. docs/playback.md has the format.

#include "abut/io/vtu.hpp"
#include "abut/sim/scene.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

namespace abut {

/// Positions are rounded to multiples of this share of a body's extent, so that they are off by less than it.
constexpr double playback_precision = 1e-4;

/// One number per vertex.
struct PlaybackField {
    std::string name, label, unit;
};

/// What is shown at one time. All frames of a playback have the same vertices.
struct PlaybackFrame {
    int step = 0;
    double time = 0;                     ///< [s]
    Positions positions;                 ///< of all vertices [m]
    std::vector<Eigen::VectorXd> fields; ///< for each field, of all vertices
    std::vector<ContactArrow> forces;
};

/// Something to be pointed at, on top of all bodies.
struct PlaybackMark {
    std::string label;
    std::vector<Vec3> points{};    ///< [m]
    std::vector<Vec3> segments{};  ///< two each
    std::vector<Vec3> triangles{}; ///< three each
};

/// Colours of bodies: those that move have one of their own, obstacles are grey. Red, green, blue as on a screen.
[[nodiscard]] std::vector<Vec3> body_colors(const Scene& scene);

/// Radii of bodies whose edges are tubes [m]: of rods the larger half axis of their section, which is how contact sees
/// them; 0 for the others.
[[nodiscard]] std::vector<double> body_radii(const Scene& scene);

/// The unit vector against gravity; the y axis where there is none.
[[nodiscard]] Vec3 up_of(const Scene& scene);

class PlaybackEncoder {
public:
    /// `start` is any frame of the results: it gives elements, extents and the numbers of vertices of all others.
    PlaybackEncoder(const Scene& scene, const Frame& start, std::vector<PlaybackField> fields);

    /// The manifest without what depends on frames: `frames`, `frames_of_run`, `chunks`, `marks`, `is_running`, and the
    /// ranges of fields.
    [[nodiscard]] nlohmann::json manifest() const;
    [[nodiscard]] std::string topology() const;
    /// The bytes of a chunk.
    [[nodiscard]] std::string chunk(std::span<const PlaybackFrame> frames) const;

    [[nodiscard]] const std::vector<PlaybackField>& fields() const { return fields_; }
    /// Vertices that are shown, and bytes of a frame before they are made small, about.
    [[nodiscard]] std::size_t num_vertices() const;
    [[nodiscard]] std::size_t bytes_per_frame() const { return num_vertices() * (3 + fields_.size()); }
    /// Does it have the vertices and dimension of the frames that are shown?
    [[nodiscard]] bool fits(const Frame& frame) const;

private:
    struct Body {
        std::string name, kind;
        Vec3 color;
        std::vector<int> vertices; ///< of the frame
        std::vector<int> triangles, edges, points;
        double radius = 0, quantum = 1; ///< [m]
        Vec3 origin = Vec3::Zero();
    };

    int dim_;
    Eigen::Index num_frame_vertices_;
    std::string name_;
    Vec3 up_;
    std::vector<Plane> planes_;
    std::vector<PlaybackField> fields_;
    std::vector<Body> bodies_;
};

[[nodiscard]] nlohmann::json to_json(const PlaybackMark& mark);

} // namespace abut
