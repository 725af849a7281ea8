#include "abut/detect/box.hpp"

#include "abut/base/assert.hpp"
#include "abut/base/parallel.hpp"
#include "abut/detect/box_rounding.hpp"

namespace abut {

namespace {

constexpr std::size_t chunk = 8192;

/// Grows by `inflation` plus what the sum may lose: an ulp of its result, and two of the inflation.
void inflate(Box& box, double inflation)
{
    constexpr double ulp = std::numeric_limits<double>::epsilon();
    const double grown = inflation * (1 + 2 * ulp);
    const auto slack = [&](const Vec3& corner) { return (corner.cwiseAbs().array() + grown) * ulp; };
    box.lo.array() -= grown + slack(box.lo);
    box.hi.array() += grown + slack(box.hi);
}

} // namespace

void MeshBoxes::build(const CollisionMesh& mesh, const Positions& X, double inflation)
{
    ABUT_ASSERT(X.rows() == mesh.num_vertices() && inflation >= 0);
    vertices.resize(X.rows());
    parallel_for(vertices.size(), chunk, [&](std::size_t v) {
        vertices[v].lo = vertices[v].hi = lifted(X, static_cast<Eigen::Index>(v));
        inflate(vertices[v], inflation + mesh.offsets().radius(static_cast<int>(v)));
    });
    find_center();
}

void MeshBoxes::build(const CollisionMesh& mesh, const Positions& X0, const Positions& X1, double inflation)
{
    ABUT_ASSERT(X0.rows() == mesh.num_vertices() && X1.rows() == X0.rows() && inflation >= 0);
    vertices.resize(X0.rows());
    parallel_for(vertices.size(), chunk, [&](std::size_t v) {
        const Vec3 a = lifted(X0, static_cast<Eigen::Index>(v)), b = lifted(X1, static_cast<Eigen::Index>(v));
        vertices[v].lo = a.cwiseMin(b);
        vertices[v].hi = a.cwiseMax(b);
        inflate(vertices[v], inflation + mesh.offsets().radius(static_cast<int>(v)));
    });
    find_center();
}

void MeshBoxes::round([[maybe_unused]] const Vec3& origin)
{
#ifdef __AVX2__
    const BoxRounding rounding(origin);
    rounded.resize(vertices.size());
    parallel_for(
        vertices.size(), chunk, [&](std::size_t v) { _mm256_store_ps(rounded[v].numbers, rounding(vertices[v])); });
#endif
}

void MeshBoxes::find_center()
{
    bounds = parallel_reduce(
        vertices.size(), chunk, Box{},
        [&](std::size_t begin, std::size_t end) {
            Box part;
            for (std::size_t v = begin; v < end; ++v)
                part.extend(vertices[v]);
            return part;
        },
        [](Box a, const Box& b) {
            a.extend(b);
            return a;
        });
    center = bounds.lo / 2 + bounds.hi / 2;
}

} // namespace abut
