#include "abut/draw/render.hpp"

#include "abut/base/assert.hpp"
#include "abut/mesh/topology.hpp"
#include "abut/mesh/tubes.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace abut {

namespace {

constexpr int samples = 2;                          // across and down a pixel
constexpr double line_radius = 1.6, dot_radius = 3; // pixels
constexpr double least_tube_radius = 0.6;           // pixels: thinner tubes are drawn as lines of this radius
constexpr int tube_sides = 12;
const double crease_cosine = std::cos(40 * M_PI / 180);

const Vec3 background_top(0.985, 0.988, 0.992), background_bottom(0.925, 0.935, 0.950);
const Vec3 floor_color(0.835, 0.85, 0.87);

Vec3 mix(const Vec3& a, const Vec3& b, double t) { return a + t * (b - a); }

double smooth_step(double from, double to, double x)
{
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

/// The rows [first, last) or columns that a range of coordinates touches, inside a picture.
std::pair<int, int> touched(double low, double high, int size)
{
    return {
        static_cast<int>(std::clamp(std::floor(low), 0.0, double(size))),
        static_cast<int>(std::clamp(std::ceil(high) + 1, 0.0, double(size)))};
}

/// Calls `visit(index, barycentric coordinates)` for the samples inside a triangle of the picture.
template <typename Visit>
void for_samples(const std::array<Vec3, 3>& corners, int width, int height, Visit&& visit)
{
    const auto cross = [](const Vec3& a, const Vec3& b, double x, double y) {
        return (b.x() - a.x()) * (y - a.y()) - (b.y() - a.y()) * (x - a.x());
    };
    const double area = cross(corners[0], corners[1], corners[2].x(), corners[2].y());
    if (!(std::abs(area) > 1e-12))
        return;
    const auto [min_x, max_x] = std::minmax({corners[0].x(), corners[1].x(), corners[2].x()});
    const auto [min_y, max_y] = std::minmax({corners[0].y(), corners[1].y(), corners[2].y()});
    const auto [first_x, last_x] = touched(min_x, max_x, width);
    const auto [first_y, last_y] = touched(min_y, max_y, height);
    for (int y = first_y; y < last_y; ++y)
        for (int x = first_x; x < last_x; ++x) {
            const double px = x + 0.5, py = y + 0.5;
            const Vec3 weights = Vec3(
                                     cross(corners[1], corners[2], px, py), cross(corners[2], corners[0], px, py),
                                     cross(corners[0], corners[1], px, py)) /
                                 area;
            if (weights.minCoeff() >= 0)
                visit(static_cast<std::size_t>(y) * width + x, weights);
        }
}

/// One picture at the size of its samples.
class Canvas {
public:
    Canvas(const Frame& frame, const Camera& camera, const Look& look)
        : frame_(frame), camera_(camera), look_(look), width_(camera.width() * samples),
          height_(camera.height() * samples), colors_(static_cast<std::size_t>(width_) * height_),
          nearness_(colors_.size(), 0), floors_(colors_.size(), -1)
    {
        // The light comes from the left, above and behind the viewer.
        light_ = camera.is_flat() ? Vec3(Vec3::UnitZ())
                                  : Vec3((0.7 * look.up - 0.3 * camera.right() + 0.6 * camera.back()).normalized());
        for (int i = 0; i < frame.mesh.vertices.rows(); ++i)
            positions_.push_back(lifted(frame.mesh.vertices, i));
    }

    void draw_background()
    {
        for (int y = 0; y < height_; ++y)
            std::fill_n(
                colors_.begin() + static_cast<std::ptrdiff_t>(y) * width_, width_,
                mix(background_top, background_bottom, (y + 0.5) / height_));
    }

    void draw_floor(int index)
    {
        const Plane& plane = look_.planes[index];
        const Vec3 normal = plane.normal.normalized();
        const double height = normal.dot(camera_.middle() - plane.point);
        if (!camera_.is_flat() && normal.dot(camera_.eye() - plane.point) <= 0)
            return; // seen from behind it would hide everything
        const Vec3 middle = camera_.middle() - height * normal;
        for (int y = 0; y < height_; ++y)
            for (int x = 0; x < width_; ++x) {
                const std::size_t k = static_cast<std::size_t>(y) * width_ + x;
                const Vec3 ray = camera_.ray((x + 0.5) / samples, (y + 0.5) / samples);
                if (camera_.is_flat()) {
                    const double depth = -normal.dot(ray - plane.point);
                    if (depth > 0)
                        colors_[k] = mix(floor_color, colors_[k], smooth_step(0, 0.7 * camera_.radius(), depth));
                    continue;
                }
                const double slope = normal.dot(ray);
                if (slope >= 0)
                    continue;
                const Vec3 hit = camera_.eye() + normal.dot(plane.point - camera_.eye()) / slope * ray;
                const double nearness = 1 / camera_.back().dot(camera_.eye() - hit);
                const double fading =
                    smooth_step(0.9 * camera_.radius(), 2.4 * camera_.radius(), (hit - middle).norm());
                if (nearness <= nearness_[k] || fading >= 1)
                    continue;
                colors_[k] = mix(floor_color, colors_[k], fading);
                if (fading < 0.8)
                    nearness_[k] = nearness;
                floors_[k] = index;
            }
    }

    void draw_faces(const Faces& faces)
    {
        const std::vector<Vec3> normals = face_normals(faces);
        const IndexLists vertex_faces = rows_by_corner(faces, static_cast<int>(positions_.size()));
        for (Eigen::Index f = 0; f < faces.rows(); ++f) {
            std::vector<Corner> corners;
            for (int c = 0; c < 3; ++c) {
                Vec3 normal = Vec3::Zero();
                // Smooth within surfaces, sharp across creases.
                for (const int other : vertex_faces[faces(f, c)])
                    if (normals[other].dot(normals[f]) >= crease_cosine * normals[other].norm() * normals[f].norm())
                        normal += normals[other];
                corners.push_back({positions_[faces(f, c)], normal});
            }
            corners = in_front(std::move(corners));
            for (std::size_t c = 2; c < corners.size(); ++c)
                draw_face({corners[0], corners[c - 1], corners[c]}, object_color(faces(f, 0)), true);
        }
    }

    /// The radius [m] of the edges at a vertex as the look has it.
    [[nodiscard]] double radius_at(std::size_t vertex) const
    {
        const auto object = static_cast<std::size_t>(std::max(0, frame_.objects[vertex]));
        return !camera_.is_flat() && object < look_.radii.size() ? look_.radii[object] : 0;
    }

    /// Tubes around edges that have a radius.
    void draw_tubes()
    {
        std::vector<double> radii;
        for (std::size_t v = 0; v < positions_.size(); ++v)
            radii.push_back(radius_at(v));
        if (std::none_of(radii.begin(), radii.end(), [](double radius) { return radius > 0; }))
            return;
        Tubes tubes(frame_.mesh.edges, radii, tube_sides);
        tube_faces_ = tubes.faces();
        tubes.place(frame_.mesh.vertices, tube_positions_, tube_normals_);
        for (Eigen::Index f = 0; f < tube_faces_.rows(); ++f) {
            std::vector<Corner> corners;
            for (const int v : tube_faces_.row(f))
                corners.push_back({point<3>(tube_positions_, v), point<3>(tube_normals_, v)});
            corners = in_front(std::move(corners));
            const Vec3 color = object_color(tubes.axis_vertices()[static_cast<std::size_t>(tube_faces_(f, 0))]);
            for (std::size_t c = 2; c < corners.size(); ++c)
                draw_face({corners[0], corners[c - 1], corners[c]}, color, false);
        }
    }

    void draw_edges(const Edges& edges)
    {
        for (Eigen::Index e = 0; e < edges.rows(); ++e) {
            const double radius = std::min(
                radius_at(static_cast<std::size_t>(edges(e, 0))), radius_at(static_cast<std::size_t>(edges(e, 1))));
            if (radius > 0 && in_pixels(radius, positions_[edges(e, 0)]) >= least_tube_radius)
                continue; // a tube is there
            draw_edge(edges.row(e), radius > 0 ? least_tube_radius : line_radius, object_color(edges(e, 0)));
        }
    }

    /// Dark lines around flat bodies.
    void draw_outlines(const Edges& edges)
    {
        for (Eigen::Index e = 0; e < edges.rows(); ++e)
            draw_edge(edges.row(e), 0.7, 0.55 * object_color(edges(e, 0)));
    }

    void draw_loose_points(const Faces& faces)
    {
        std::vector<bool> is_used(positions_.size(), false);
        const auto use = [&](const auto& elements) {
            for (Eigen::Index k = 0; k < elements.size(); ++k)
                is_used[elements.data()[k]] = true;
        };
        use(faces);
        use(frame_.mesh.edges);
        use(frame_.mesh.tets);
        for (std::size_t i = 0; i < positions_.size(); ++i)
            if (!is_used[i] && camera_.depth(positions_[i]) > 0) {
                const Vec3 place = project(positions_[i]);
                draw_line(place, place, dot_radius, object_color(static_cast<int>(i)));
            }
    }

    /// Of surfaces and tubes.
    void draw_shadows(const Faces& faces)
    {
        if (camera_.is_flat())
            return;
        std::vector<Vec3> tube_positions;
        for (Eigen::Index v = 0; v < tube_positions_.rows(); ++v)
            tube_positions.emplace_back(point<3>(tube_positions_, v));
        for (std::size_t index = 0; index < look_.planes.size(); ++index) {
            draw_shadow(static_cast<int>(index), faces, positions_);
            draw_shadow(static_cast<int>(index), tube_faces_, tube_positions);
        }
    }

    [[nodiscard]] Image image() const
    {
        Image image(camera_.width(), camera_.height());
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) {
                Vec3 sum = Vec3::Zero();
                for (int sy = 0; sy < samples; ++sy)
                    for (int sx = 0; sx < samples; ++sx)
                        sum += colors_[static_cast<std::size_t>(y * samples + sy) * width_ + x * samples + sx];
                for (int c = 0; c < 3; ++c)
                    image.at(x, y)[c] = static_cast<std::uint8_t>(
                        std::lround(255 * std::clamp(sum[c] / (samples * samples), 0.0, 1.0)));
            }
        return image;
    }

private:
    [[nodiscard]] Vec3 project(const Vec3& x) const
    {
        Vec3 p = camera_.project(x);
        p.head<2>() *= samples;
        return p;
    }

    /// A length across the view at a place [m], in pixels; endless behind the eye.
    [[nodiscard]] double in_pixels(double length, const Vec3& x) const
    {
        if (!(camera_.depth(x) > 0))
            return INFINITY;
        return (camera_.project(x + length * camera_.right()) - camera_.project(x)).head<2>().norm();
    }

    void draw_shadow(int index, const Faces& faces, const std::vector<Vec3>& positions)
    {
        const Plane& plane = look_.planes[static_cast<std::size_t>(index)];
        const Vec3 normal = plane.normal.normalized();
        const double slope = normal.dot(light_);
        if (slope <= 0.05)
            return;
        std::vector<Vec3> shadows;
        for (const Vec3& x : positions)
            shadows.push_back(project(x - normal.dot(x - plane.point) / slope * light_));
        for (Eigen::Index f = 0; f < faces.rows(); ++f) {
            const std::array<Vec3, 3> corners{shadows[faces(f, 0)], shadows[faces(f, 1)], shadows[faces(f, 2)]};
            if (!(std::min({corners[0].z(), corners[1].z(), corners[2].z()}) > 0))
                continue; // behind the eye
            for_samples(corners, width_, height_, [&](std::size_t k, const Vec3&) {
                if (floors_[k] == index) {
                    colors_[k] *= 0.82;
                    floors_[k] = -1; // each sample once
                }
            });
        }
    }

    /// A corner of a polygon in space, whose normal is that of the surface there; not of length 1.
    struct Corner {
        Vec3 x, normal;
    };

    /// The part of a convex polygon, or of a line, that is in front of the camera.
    [[nodiscard]] std::vector<Corner> in_front(std::vector<Corner> polygon) const
    {
        const auto depth = [&](const Corner& corner) { return camera_.depth(corner.x); };
        if (std::all_of(polygon.begin(), polygon.end(), [&](const Corner& corner) { return depth(corner) > 0; }))
            return polygon;
        std::vector<Corner> kept;
        for (std::size_t c = 0; c < polygon.size(); ++c) {
            const Corner &a = polygon[c], &b = polygon[(c + 1) % polygon.size()];
            if (depth(a) > 0)
                kept.push_back(a);
            if ((depth(a) > 0) != (depth(b) > 0)) {
                const double t = depth(a) / (depth(a) - depth(b));
                kept.push_back({mix(a.x, b.x, t), mix(a.normal, b.normal, t)});
            }
        }
        return kept;
    }

    [[nodiscard]] Vec3 object_color(int vertex) const
    {
        const auto object = static_cast<std::size_t>(std::max(0, frame_.objects[vertex]));
        return look_.colors[object % look_.colors.size()];
    }

    [[nodiscard]] std::vector<Vec3> face_normals(const Faces& faces) const
    {
        std::vector<Vec3> normals;
        for (Eigen::Index f = 0; f < faces.rows(); ++f) {
            const Vec3& a = positions_[faces(f, 0)];
            normals.emplace_back((positions_[faces(f, 1)] - a).cross(positions_[faces(f, 2)] - a));
        }
        return normals;
    }

    [[nodiscard]] Vec3 shaded(Vec3 normal, Vec3 color) const
    {
        normal.normalize();
        if (camera_.is_flat())
            return color;
        if (normal.dot(camera_.back()) < 0)
            normal = -normal;
        const double diffuse = std::max(0.0, normal.dot(light_)), sky = 0.5 + 0.5 * normal.dot(look_.up);
        const double gleam = std::pow(std::max(0.0, normal.dot((light_ + camera_.back()).normalized())), 40);
        return color * (0.44 + 0.20 * sky + 0.46 * diffuse) + Vec3::Constant(0.10 * gleam);
    }

    void draw_face(const std::array<Corner, 3>& triangle, Vec3 color, bool has_lines)
    {
        const std::array<Vec3, 3> corners{project(triangle[0].x), project(triangle[1].x), project(triangle[2].x)};
        // The heights of the triangle turn barycentric coordinates into distances from its edges.
        Vec3 lengths;
        for (int c = 0; c < 3; ++c)
            lengths[c] = (corners[(c + 2) % 3] - corners[(c + 1) % 3]).head<2>().norm();
        const Vec3 u = corners[1] - corners[0], v = corners[2] - corners[0];
        const double area = u.x() * v.y() - u.y() * v.x();
        const Vec3 heights = std::abs(area) * lengths.cwiseInverse();
        const double line = !has_lines ? 0 : 0.18 * smooth_step(7.0 * samples, 18.0 * samples, lengths.maxCoeff());
        // Counter-clockwise triangles are clockwise in pixels, whose y points down. The back of a sheet is paler.
        if (!camera_.is_flat() && area > 0)
            color = mix(color, Vec3::Constant(color.mean() * 0.9 + 0.1), 0.3);
        for_samples(corners, width_, height_, [&](std::size_t k, const Vec3& weights) {
            const double nearness =
                weights[0] * corners[0].z() + weights[1] * corners[1].z() + weights[2] * corners[2].z();
            if (nearness < nearness_[k])
                return;
            const Vec3 normal =
                weights[0] * triangle[0].normal + weights[1] * triangle[1].normal + weights[2] * triangle[2].normal;
            const double from_edge = weights.cwiseProduct(heights).minCoeff();
            const double darkening = line * (1 - smooth_step(0.4 * samples, 0.8 * samples, from_edge));
            put(k, nearness, (1 - darkening) * shaded(normal, color));
        });
    }

    void draw_edge(const Eigen::RowVector2i& edge, double radius, const Vec3& color)
    {
        const std::vector<Corner> ends =
            in_front({{positions_[edge[0]], Vec3::Zero()}, {positions_[edge[1]], Vec3::Zero()}});
        if (ends.size() >= 2)
            draw_line(project(ends.front().x), project(ends.back().x), radius, color);
    }

    /// A line with round ends; a ball where both ends are the same.
    void draw_line(const Vec3& a, const Vec3& b, double radius, const Vec3& color)
    {
        const double r = radius * samples;
        const Vec2 way = (b - a).head<2>();
        const auto [first_x, last_x] = touched(std::min(a.x(), b.x()) - r, std::max(a.x(), b.x()) + r, width_);
        const auto [first_y, last_y] = touched(std::min(a.y(), b.y()) - r, std::max(a.y(), b.y()) + r, height_);
        for (int y = first_y; y < last_y; ++y)
            for (int x = first_x; x < last_x; ++x) {
                const Vec2 from_a = Vec2(x + 0.5, y + 0.5) - a.head<2>();
                const double t =
                    way.squaredNorm() > 0 ? std::clamp(from_a.dot(way) / way.squaredNorm(), 0.0, 1.0) : 0.0;
                const Vec2 offset = (from_a - t * way) / r;
                const std::size_t k = static_cast<std::size_t>(y) * width_ + x;
                const double nearness = a.z() + t * (b.z() - a.z());
                if (offset.squaredNorm() > 1 || nearness < nearness_[k])
                    continue;
                const Vec3 normal = offset.x() * camera_.right() - offset.y() * camera_.up() +
                                    std::sqrt(1 - offset.squaredNorm()) * camera_.back();
                put(k, nearness, shaded(normal, color));
            }
    }

    void put(std::size_t k, double nearness, const Vec3& color)
    {
        nearness_[k] = nearness;
        colors_[k] = color;
        floors_[k] = -1;
    }

    const Frame& frame_;
    const Camera& camera_;
    const Look& look_;
    int width_, height_;
    std::vector<Vec3> colors_;
    std::vector<double> nearness_; // 1 / distance of what is seen; 0 for the background
    std::vector<int> floors_;      // the plane that is seen, or −1
    std::vector<Vec3> positions_;
    Faces tube_faces_;
    Positions tube_positions_, tube_normals_;
    Vec3 light_;
};

} // namespace

Image render(const Frame& frame, const Camera& camera, const Look& look)
{
    Canvas canvas(frame, camera, look);
    Faces faces = frame.mesh.faces;
    if (frame.mesh.tets.rows() > 0) {
        const Faces solid = boundary_faces(frame.mesh.tets);
        faces.conservativeResize(frame.mesh.faces.rows() + solid.rows(), 3);
        faces.bottomRows(solid.rows()) = solid;
    }
    canvas.draw_background();
    for (std::size_t k = 0; k < look.planes.size(); ++k)
        canvas.draw_floor(static_cast<int>(k));
    canvas.draw_faces(faces);
    if (camera.is_flat())
        canvas.draw_outlines(boundary_edges(faces));
    canvas.draw_tubes();
    canvas.draw_edges(frame.mesh.edges);
    canvas.draw_loose_points(faces);
    canvas.draw_shadows(faces);
    return canvas.image();
}

void draw_text(Image& image, int x, int y, std::string_view text, const Pixel& color, int size)
{
    constexpr std::string_view letters = "0123456789. s";
    // Seven rows of five dots, the leftmost in the highest bit.
    constexpr std::array<std::array<std::uint8_t, 7>, letters.size()> dots{{
        {14, 17, 19, 21, 25, 17, 14},
        {4, 12, 4, 4, 4, 4, 14},
        {14, 17, 1, 2, 4, 8, 31},
        {31, 2, 4, 2, 1, 17, 14},
        {2, 6, 10, 18, 31, 2, 2},
        {31, 16, 30, 1, 1, 17, 14},
        {6, 8, 16, 30, 17, 17, 14},
        {31, 1, 2, 4, 8, 8, 8},
        {14, 17, 17, 14, 17, 17, 14},
        {14, 17, 17, 15, 1, 2, 12},
        {0, 0, 0, 0, 0, 12, 12},
        {0, 0, 0, 0, 0, 0, 0},
        {0, 0, 14, 16, 14, 1, 30},
    }};
    for (const char letter : text) {
        const std::size_t k = letters.find(letter);
        for (int row = 0; row < 7 * size && k != std::string_view::npos; ++row)
            for (int column = 0; column < 5 * size; ++column) {
                const bool is_set = (dots[k][row / size] >> (4 - column / size) & 1) != 0;
                if (is_set && x + column >= 0 && x + column < image.width && y + row >= 0 && y + row < image.height)
                    image.at(x + column, y + row) = color;
            }
        x += 6 * size;
    }
}

} // namespace abut
