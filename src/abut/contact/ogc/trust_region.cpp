#include "abut/contact/ogc/trust_region.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/atomic_min.hpp"
#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/contact/normal_collisions_builder.hpp"
#include "abut/detect/pair_offset.hpp"
#include "abut/geometry/point_triangle.hpp"
#include "abut/mesh/validate.hpp"

namespace abut {

namespace {

constexpr std::size_t pairs_per_task = 4096, vertices_per_task = 4096;

TrustRegionOptions completed(TrustRegionOptions options)
{
    const double range = options.dmin + options.dhat;
    if (options.query_radius == 0)
        options.query_radius = range + options.dhat;
    if (options.max_query_radius == 0)
        options.max_query_radius = 2 * options.query_radius;
    if (!(options.dhat > 0 && options.dhat <= max_coordinate))
        reject("dhat: {} is not a positive distance up to {} m", options.dhat, max_coordinate);
    if (!(options.dmin >= 0 && options.dmin <= max_coordinate))
        reject("dmin: {} is not a distance between 0 and {} m", options.dmin, max_coordinate);
    if (!(options.query_radius >= range && options.query_radius <= max_coordinate))
        reject(
            "query_radius: {} m is not between dmin + dhat = {} m, below which contacts would be missed, and {} m",
            options.query_radius, range, max_coordinate);
    if (!(options.max_query_radius >= options.query_radius && options.max_query_radius <= max_coordinate))
        reject(
            "max_query_radius: {} m is not between query_radius = {} m and {} m", options.max_query_radius,
            options.query_radius, max_coordinate);
    if (!(options.relaxation > 0 && options.relaxation < 0.5))
        reject("relaxation: {} is not a share between 0 and 0.5, both excluded", options.relaxation);
    if (!(options.max_truncated_share >= 0 && options.max_truncated_share <= 1))
        reject("max_truncated_share: {} is not a share between 0 and 1", options.max_truncated_share);
    return options;
}

/// The largest t in [0, 1] with |p + t dx| <= radius, for |p| <= radius.
template <typename Vector>
double scale_to_ball(const Vector& p, const Vector& dx, double radius)
{
    const double room = radius * radius - p.squaredNorm(), outward = p.dot(dx), squared_length = dx.squaredNorm();
    if (squared_length + 2 * outward <= room) // |p + dx|² <= radius²
        return 1;
    if (room <= 0 && outward >= 0)
        return 0;
    // The positive root of |dx|² t² + 2 (p.dx) t = room, in the form without cancellation.
    const double root = std::sqrt(std::max(0.0, outward * outward + squared_length * room));
    const double t = outward > 0 ? room / (outward + root) : (root - outward) / squared_length;
    return std::clamp(t, 0.0, 1.0);
}

/// The corners of the two elements of a pair: a vertex comes before the edge or face that it is near, two edges come in
/// their order.
template <int M, int N>
struct Sides {
    std::array<int, M> first;
    std::array<int, N> second;
};

template <int N, typename Rows>
std::array<int, N> corners(const Rows& rows, int i)
{
    std::array<int, N> list;
    for (int k = 0; k < N; ++k)
        list[k] = rows(i, k);
    return list;
}

Sides<1, 1> vertex_vertex_sides(const IndexPair& pair) { return {{pair[0]}, {pair[1]}}; }
Sides<1, 2> edge_vertex_sides(const CollisionMesh& mesh, const IndexPair& pair)
{
    return {{pair[1]}, corners<2>(mesh.edges(), pair[0])};
}
Sides<2, 2> edge_edge_sides(const CollisionMesh& mesh, const IndexPair& pair)
{
    return {corners<2>(mesh.edges(), pair[0]), corners<2>(mesh.edges(), pair[1])};
}
Sides<1, 3> face_vertex_sides(const CollisionMesh& mesh, const IndexPair& pair)
{
    return {{pair[1]}, corners<3>(mesh.faces(), pair[0])};
}

} // namespace

TrustRegion::TrustRegion(const CollisionMesh& mesh, const TrustRegionOptions& options)
    : mesh_(mesh), options_(completed(options))
{}

// Looking around

void TrustRegion::update(const ConstPositions& X) { update(X, options_.query_radius); }

BroadPhaseTrees& TrustRegion::trees_for(const ConstPositions& X, double query_radius)
{
    // Trees that are refitted stay good while vertices move by less than the boxes are grown.
    if (!trees_ || (X - sorted_at_).rowwise().squaredNorm().maxCoeff() > query_radius * query_radius) {
        trees_ = std::make_unique<BroadPhaseTrees>();
        sorted_at_ = X;
    }
    return *trees_;
}

void TrustRegion::update(const ConstPositions& X, double query_radius)
{
    validate_positions(X, mesh_.num_vertices(), mesh_.dim(), "X");
    // Planes stand between all pairs within the query radius; balls need the distances alone.
    const double range = options_.truncation == Truncation::planes ? query_radius : options_.dmin + options_.dhat;
    Surroundings found =
        look_around(mesh_, X, {.range = range, .query_radius = query_radius}, trees_for(X, query_radius));
    set_regions(found.pairs, std::move(found.distances), X);
}

void TrustRegion::update(const Detection& detection, const ConstPositions& X)
{
    validate_positions(X, mesh_.num_vertices(), mesh_.dim(), "X");
    if (detection.range() < options_.dmin + options_.dhat)
        reject(
            "detection: its range {} m is shorter than dmin + dhat = {} m; make it with at least that range",
            detection.range(), options_.dmin + options_.dhat);
    set_regions(detection.pairs(), find_element_distances(detection.pairs(), mesh_, detection.range()), X);
}

void TrustRegion::set_regions(const NearPairs& pairs, ElementDistances distances, const ConstPositions& X)
{
    // First what may throw: pairs that touch.
    collisions_ = NormalCollisionsBuilder(
                      mesh_, X,
                      {.dhat = options_.dhat,
                       .dmin = options_.dmin,
                       .set_type = options_.set_type,
                       .use_area_weighting = options_.use_area_weighting})
                      .build(pairs, ConvergentRules::of(mesh_));
    centers_ = X;
    distances_ = std::move(distances);
    margin_ = rounding_margin(centers_);
    bounds_ =
        displacement_bounds(distances_, mesh_, centers_, {.dmin = options_.dmin, .relaxation = options_.relaxation});
    ABUT_ASSERT(bounds_.size() == mesh_.num_vertices() && !(bounds_.array() < 0).any());
    if (options_.truncation == Truncation::planes) {
        if (mesh_.dim() == 2)
            find_normals<2>(pairs);
        else
            find_normals<3>(pairs);
    }
    needs_update_ = false;
    ++num_updates_;
}

template <int Dim>
void TrustRegion::find_normals(const NearPairs& pairs)
{
    const Positions& X = centers_;
    const auto at = [&](int v) { return Vec<Dim>(point<Dim>(X, v)); };
    const auto fill = [&](const DetectedPairs& list, SeparatedPairs& separated, auto&& closest_vector) {
        ABUT_ASSERT(list.features.size() == list.size());
        separated.pairs = list.pairs;
        separated.normals.resize(list.size());
        parallel_for(list.size(), pairs_per_task, [&](std::size_t k) {
            const Vec<Dim> r = closest_vector(list.pairs[k], list.features[k]);
            separated.normals[k] = lifted(Vec<Dim>(r.stableNormalized()));
        });
    };
    fill(pairs.vv, separated_.vv, [&](const IndexPair& pair, int) { return Vec<Dim>(at(pair[0]) - at(pair[1])); });
    fill(pairs.ev, separated_.ev, [&](const IndexPair& pair, int) {
        const Vec<Dim> p = at(pair[1]), e0 = at(mesh_.edges()(pair[0], 0)), e1 = at(mesh_.edges()(pair[0], 1));
        return Vec<Dim>(p - e0 - point_edge_coordinate<Dim>(p, e0, e1) * (e1 - e0));
    });
    if constexpr (Dim == 3) {
        fill(pairs.ee, separated_.ee, [&](const IndexPair& pair, int feature) {
            const auto end = [&](int e, int k) { return at(mesh_.edges()(e, k)); };
            return edge_edge_closest(
                       end(pair[0], 0), end(pair[0], 1), end(pair[1], 0), end(pair[1], 1),
                       static_cast<EdgeEdgeFeature>(feature))
                .r;
        });
        fill(pairs.fv, separated_.fv, [&](const IndexPair& pair, int) {
            const Vec3 p = at(pair[1]), t0 = at(mesh_.faces()(pair[0], 0)), t1 = at(mesh_.faces()(pair[0], 1)),
                       t2 = at(mesh_.faces()(pair[0], 2));
            const Vec3 u = point_triangle_coordinates(p, t0, t1, t2);
            return Vec3(u[0] * (p - t0) + u[1] * (p - t1) + u[2] * (p - t2));
        });
    }
    fill(pairs.pv, separated_.pv, [&](const IndexPair& pair, int) {
        return Vec<Dim>(mesh_.planes()[pair[0]].normal.template head<Dim>());
    });
}

Positions TrustRegion::warm_start(const ConstPositions& X, const ConstPositions& predicted)
{
    validate_positions(X, mesh_.num_vertices(), mesh_.dim(), "X");
    validate_positions(predicted, mesh_.num_vertices(), mesh_.dim(), "predicted");
    Positions dx = predicted - X;
    // Section 4.1: contact radius plus what inertia moves.
    const double wanted = options_.dmin + options_.dhat + dx.rowwise().norm().maxCoeff();
    update(X, std::clamp(wanted, options_.query_radius, options_.max_query_radius));
    truncate(X, dx);
    return X + dx;
}

// Steps

double TrustRegion::radius(int vertex) const
{
    return options_.truncation == Truncation::planes
               ? std::max(0.0, options_.relaxation * (distances_.query_radius - options_.dmin) - margin_)
               : bounds_[vertex];
}

void TrustRegion::validate_step(const ConstPositions& X, const ConstPositions& dx) const
{
    if (centers_.size() == 0)
        reject("TrustRegion: it has no regions before the first update");
    validate_positions(X, mesh_.num_vertices(), mesh_.dim(), "X");
    validate_positions(dx, mesh_.num_vertices(), mesh_.dim(), "dx");
    for (int v = 0; v < mesh_.num_vertices(); ++v)
        if (const double moved = (X.row(v) - centers_.row(v)).norm(); !(moved <= radius(v) + margin_))
            reject(
                "X: vertex {} is {} m from where the last update was, but its region ends at {} m; take truncated "
                "steps only, or call update",
                v, moved, radius(v));
}

std::vector<double> TrustRegion::scales(const ConstPositions& X, const ConstPositions& dx) const
{
    std::vector<double> scales(mesh_.num_vertices());
    const auto run = [&]<int Dim>() {
        parallel_for(scales.size(), vertices_per_task, [&](std::size_t i) {
            const auto v = static_cast<int>(i);
            const Vec<Dim> p = point<Dim>(X, v) - point<Dim>(centers_, v), step = point<Dim>(dx, v);
            scales[v] = scale_to_ball(p, step, radius(v));
        });
        if (options_.truncation == Truncation::planes)
            lower_scales_by_planes<Dim>(X, dx, scales);
    };
    if (mesh_.dim() == 2)
        run.template operator()<2>();
    else
        run.template operator()<3>();
    return scales;
}

// Between two elements lies a slab across the normal n in which neither is. Of its thickness both may use up a share of
// 2 gamma_p in all, each in proportion to how far its step goes into it. The slab is measured anew at X: what the steps
// since the last update have used up is gone, what they have freed is there.
template <int Dim>
void TrustRegion::lower_scales_by_planes(
    const ConstPositions& X, const ConstPositions& dx, std::vector<double>& scales) const
{
    const auto lower = [&](PairKind kind, const SeparatedPairs& list, auto&& sides_of) {
        parallel_for(list.pairs.size(), pairs_per_task, [&](std::size_t k) {
            const auto sides = sides_of(list.pairs[k]);
            const Vec<Dim> n = list.normals[k].template head<Dim>(), origin = point<Dim>(X, sides.second[0]);
            constexpr int M = sizeof(sides.first) / sizeof(int), N = sizeof(sides.second) / sizeof(int);
            const auto height = [&](int v) { return n.dot(point<Dim>(X, v) - origin); };
            const auto rise = [&](int v) { return n.dot(point<Dim>(dx, v)); };
            Vec<M> above, sinks; // of the first element's vertices
            Vec<N> below, rises; // of the second's
            for (int i = 0; i < M; ++i) {
                above[i] = height(sides.first[i]);
                sinks[i] = -rise(sides.first[i]);
            }
            for (int i = 0; i < N; ++i) {
                below[i] = -height(sides.second[i]);
                rises[i] = rise(sides.second[i]);
            }
            const double bottom = above.minCoeff(), top = -below.minCoeff();
            const double dmin = options_.dmin + pair_offset(mesh_, kind, list.pairs[k][0], list.pairs[k][1]);
            const double room = 2 * (options_.relaxation * (bottom - top - dmin) - margin_);
            if (!(room > 0)) {
                // Rounding hides whether n separates them at all: nothing moves.
                for (const int v : sides.first)
                    atomic_min(scales[v], 0);
                for (const int v : sides.second)
                    atomic_min(scales[v], 0);
                return;
            }
            // How far each element would go into the slab.
            const double from_above = std::max(0.0, bottom - (above - sinks).minCoeff());
            const double from_below = std::max(0.0, -top - (below - rises).minCoeff());
            if (from_above + from_below <= room)
                return;
            const double first_room = room * (from_above / (from_above + from_below));
            const double second_room = room * (from_below / (from_above + from_below));
            for (int i = 0; i < M; ++i)
                if (const double may = above[i] - bottom + first_room; sinks[i] > may)
                    atomic_min(scales[sides.first[i]], may / sinks[i]);
            for (int i = 0; i < N; ++i)
                if (const double may = below[i] + top + second_room; rises[i] > may)
                    atomic_min(scales[sides.second[i]], may / rises[i]);
        });
    };
    lower(PairKind::vertex_vertex, separated_.vv, [](const IndexPair& pair) { return vertex_vertex_sides(pair); });
    lower(PairKind::edge_vertex, separated_.ev, [&](const IndexPair& pair) { return edge_vertex_sides(mesh_, pair); });
    lower(PairKind::edge_edge, separated_.ee, [&](const IndexPair& pair) { return edge_edge_sides(mesh_, pair); });
    lower(PairKind::face_vertex, separated_.fv, [&](const IndexPair& pair) { return face_vertex_sides(mesh_, pair); });
    parallel_for(separated_.pv.pairs.size(), pairs_per_task, [&](std::size_t k) {
        const auto [plane, v] = separated_.pv.pairs[k];
        const double distance = signed_distance(mesh_.planes()[plane], lifted(X, v)) - mesh_.offsets().radius(v);
        const double room = std::max(0.0, 2 * (options_.relaxation * (distance - options_.dmin) - margin_));
        const double sinks = -separated_.pv.normals[k].template head<Dim>().dot(point<Dim>(dx, v));
        if (sinks > room)
            atomic_min(scales[v], room / sinks);
    });
}

StepScale TrustRegion::largest_scale(const ConstPositions& X, const ConstPositions& dx) const
{
    validate_step(X, dx);
    StepScale limit;
    const std::vector<double> all = scales(X, dx);
    for (int v = 0; v < mesh_.num_vertices(); ++v)
        if (all[v] < limit.scale)
            limit = {all[v], v};
    return limit;
}

TruncatedStep TrustRegion::truncate(const ConstPositions& X, Eigen::Ref<Positions> dx)
{
    return truncate(X, dx, nullptr);
}

TruncatedStep TrustRegion::truncate(const ConstPositions& X, Eigen::Ref<Positions> dx, const Eigen::VectorXd& gradient)
{
    if (gradient.size() != mesh_.ndof())
        reject("gradient: it has {} entries, but the mesh {} degrees of freedom", gradient.size(), mesh_.ndof());
    if (!gradient.allFinite())
        reject("gradient: it has entries that are not finite");
    return truncate(X, dx, &gradient);
}

TruncatedStep TrustRegion::truncate(const ConstPositions& X, Eigen::Ref<Positions> dx, const Eigen::VectorXd* gradient)
{
    validate_step(X, dx);
    const std::vector<double> all = scales(X, dx);
    Positions cut = dx;
    TruncatedStep result;
    double smallest = 1;
    for (int v = 0; v < mesh_.num_vertices(); ++v) {
        if (all[v] >= 1)
            continue;
        ++result.num_truncated;
        smallest = std::min(smallest, all[v]);
        if (options_.truncation == Truncation::project) {
            const auto moved = (X.row(v) - centers_.row(v) + dx.row(v)).eval();
            cut.row(v) = centers_.row(v) + moved * (bounds_[v] / moved.norm()) - X.row(v);
        } else
            cut.row(v) *= all[v];
    }
    const auto slope = [&](const Positions& step) {
        return gradient == nullptr ? 0.0 : gradient->dot(step.reshaped<Eigen::RowMajor>());
    };
    result.slope = slope(cut);
    if (gradient != nullptr && result.num_truncated > 0 && !(result.slope < 0)) {
        result.scale = smallest;
        cut = smallest * dx;
        result.slope = slope(cut);
    }
    dx = cut;
    if (result.num_truncated > options_.max_truncated_share * mesh_.num_vertices() || result.scale < 1)
        needs_update_ = true;
    return result;
}

} // namespace abut
