#include "abut/sim/pressure_energy.hpp"

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/mesh/closed_surface.hpp"
#include "abut/mesh/topology.hpp"

#include <algorithm>
#include <array>

namespace abut {

namespace {

constexpr std::size_t triangles_per_task = 512;

/// [u]x with [u]x v = u x v.
Mat<3, 3> cross_matrix(const Vec3& u)
{
    Mat<3, 3> matrix;
    matrix << 0, -u.z(), u.y(), u.z(), 0, -u.x(), -u.y(), u.x(), 0;
    return matrix;
}

using LocalHessian = Mat<9, 9>;

/// d²v/dx² of y = x − c, with d²v/dx_i dx_j = −[y_k]x / 6 for i, j, k in the order of the triangle.
LocalHessian volume_hessian(const std::array<Vec3, 3>& y)
{
    LocalHessian H = LocalHessian::Zero();
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const Mat<3, 3> block = cross_matrix(y[k]) / -6;
        H.block<3, 3>(3 * i, 3 * j) = block;
        H.block<3, 3>(3 * j, 3 * i) = block.transpose();
    }
    return H;
}

void write_blocks(const LocalHessian& H, double* blocks)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j, blocks += 9)
            Eigen::Map<Mat<3, 3>>{blocks} = H.block<3, 3>(3 * i, 3 * j);
}

/// The smallest of a cubic's Bernstein coefficients on [0, t], below which it never is there.
double lower_bound(const std::array<double, 4>& c, double t)
{
    const double c1 = c[1] * t, c2 = c[2] * t * t, c3 = c[3] * t * t * t;
    return std::min({c[0], c[0] + c1 / 3, c[0] + 2 * c1 / 3 + c2 / 3, c[0] + c1 + c2 + c3});
}

/// The chambers of an object that has a pressure.
std::vector<Faces> chambers_of(const Model& model, std::size_t k)
{
    const SceneObject& object = model.scene.objects[k];
    const std::string field = field_of_object(k, "pressure");
    const ScenePressure& pressure = *object.pressure;
    if (!std::isfinite(pressure.value))
        reject("{}: {} is no finite pressure", field, pressure.value);
    if (pressure.is_gas) {
        require_positive(pressure.ambient, field + ".gas.ambient");
        if (!(pressure.ambient + pressure.value > 0))
            reject(
                "{}.gas.initial: {} Pa below an ambient pressure of {} Pa leaves no gas; it must be above {}", field,
                -pressure.value, pressure.ambient, -pressure.ambient);
    }
    const Positions& X = object.mesh.vertices;
    if (object.kind == ObjectKind::shell)
        try {
            return closed_parts(X, object.mesh.faces);
        } catch (const InvalidInput& error) {
            reject("{}: of '{}' {}, or leave the pressure out", field, object.name, error.what());
        }
    if (object.kind != ObjectKind::solid)
        reject("{}: only closed shells and hollow solids have an inside; leave it out", field);
    std::vector<Faces> hollows = cavities(X, boundary_faces(object.mesh.tets));
    if (hollows.empty())
        reject(
            "{}: the solid '{}' has no hollow that a pressure could act in; give it one, or take its surface as a "
            "'shell'",
            field, object.name);
    return hollows;
}

} // namespace

PressureEnergy::PressureEnergy(const Positions& rest, const std::vector<Chamber>& chambers)
{
    for (const Chamber& each : chambers) {
        const std::size_t first = stencils_.size();
        for (Eigen::Index f = 0; f < each.faces.rows(); ++f)
            stencils_.add(std::array{each.faces(f, 0), each.faces(f, 1), each.faces(f, 2)});
        chambers_.push_back({first, stencils_.size(), each.pressure, 0, Vec3::Zero()});
    }
    set_references(rest);
    for (Enclosed& chamber : chambers_)
        chamber.rest_volume = volume(chamber, rest);
}

void PressureEnergy::set_references(const ConstPositions& x)
{
    for (Enclosed& chamber : chambers_) {
        const Vec3 origin = point<3>(x, stencils_[chamber.first][0]);
        Vec3 sum = Vec3::Zero();
        for (std::size_t t = chamber.first; t < chamber.end; ++t)
            for (const int v : stencils_[t])
                sum += point<3>(x, v) - origin;
        chamber.reference = origin + sum / (3.0 * static_cast<double>(chamber.end - chamber.first));
    }
}

void PressureEnergy::begin_step(const State& start, double /*dt*/) { set_references(start.x); }

std::array<Vec3, 3> PressureEnergy::corners(std::size_t triangle, const ConstPositions& x, const Vec3& reference) const
{
    const std::span<const int> v = stencils_[triangle];
    return {point<3>(x, v[0]) - reference, point<3>(x, v[1]) - reference, point<3>(x, v[2]) - reference};
}

double PressureEnergy::volume(const Enclosed& chamber, const ConstPositions& x) const
{
    return parallel_reduce(
               chamber.end - chamber.first, triangles_per_task, 0.0,
               [&](std::size_t begin, std::size_t end) {
                   double sum = 0;
                   for (std::size_t t = chamber.first + begin; t < chamber.first + end; ++t) {
                       const auto [a, b, c] = corners(t, x, chamber.reference);
                       sum += a.dot(b.cross(c));
                   }
                   return sum;
               },
               std::plus<>()) /
           6;
}

double PressureEnergy::volume(std::size_t chamber, const ConstPositions& x) const
{
    ABUT_ASSERT(chamber < chambers_.size());
    return volume(chambers_[chamber], x);
}

double PressureEnergy::overpressure(std::size_t chamber, const ConstPositions& x) const
{
    return -energy_of(chambers_[chamber], volume(chamber, x)).slope;
}

PressureEnergy::OfVolume PressureEnergy::energy_of(const Enclosed& chamber, double volume)
{
    const ScenePressure& pressure = chamber.pressure;
    const double rest = chamber.rest_volume, change = volume - rest;
    if (!pressure.is_gas)
        return {-pressure.value * change, -pressure.value, 0};
    // Where little changes, ln(V / V0) as log1p keeps its digits; p0 − p_a is what was given.
    const double stored = (pressure.ambient + pressure.value) * rest;
    if (!(volume > 0))
        return {INFINITY, -INFINITY, INFINITY};
    return {
        -stored * std::log1p(change / rest) + pressure.ambient * change,
        (pressure.ambient * change - pressure.value * rest) / volume, stored / (volume * volume)};
}

void PressureEnergy::evaluate(const Unknowns& unknowns, const TermOutput& out) const
{
    const auto x = unknowns.vertices();
    for (const Enclosed& chamber : chambers_) {
        const bool is_gas = chamber.pressure.is_gas;
        const OfVolume E = energy_of(chamber, is_gas ? volume(chamber, x) : 0);
        const std::size_t count = chamber.end - chamber.first;
        const double offset = chamber.pressure.value * chamber.rest_volume / static_cast<double>(count);
        parallel_for(count, triangles_per_task, [&](std::size_t k) {
            const std::size_t t = chamber.first + k;
            const std::array<Vec3, 3> y = corners(t, x, chamber.reference);
            if (out.values != nullptr)
                out.values[t] = is_gas ? (k == 0 ? E.value : 0) : E.slope * y[0].dot(y[1].cross(y[2])) / 6 + offset;
            if (out.gradients != nullptr)
                for (int i = 0; i < 3; ++i)
                    Eigen::Map<Vec3>{out.gradients + 9 * t + 3 * i} =
                        E.slope / 6 * y[(i + 1) % 3].cross(y[(i + 2) % 3]);
            if (out.blocks == nullptr)
                return;
            // A triangle's part has as many negative as positive eigenvalues, which cancel between neighbours. Keeping
            // the positive ones alone is stiffer than the sum is, and makes steps shorter.
            if (out.hessian == HessianForm::exact)
                write_blocks(E.slope * volume_hessian(y), out.blocks + 54 * t);
            else
                std::fill_n(out.blocks + 54 * t, 54, 0.0);
        });
    }
}

double PressureEnergy::limit_step(const Unknowns& unknowns, const Unknowns& along) const
{
    constexpr double least_kept = 0.1; // of a gas's volume in one step
    const auto x = unknowns.vertices(), dx = along.vertices();
    double limit = 1;
    for (const Enclosed& chamber : chambers_) {
        if (!chamber.pressure.is_gas)
            continue;
        // V along the step, a cubic
        std::array<double, 4> c{};
        for (std::size_t t = chamber.first; t < chamber.end; ++t) {
            const auto [x0, x1, x2] = corners(t, x, chamber.reference);
            const auto [d0, d1, d2] = corners(t, dx, Vec3::Zero());
            c[0] += x0.dot(x1.cross(x2));
            c[1] += d0.dot(x1.cross(x2)) + d1.dot(x2.cross(x0)) + d2.dot(x0.cross(x1));
            c[2] += x0.dot(d1.cross(d2)) + x1.dot(d2.cross(d0)) + x2.dot(d0.cross(d1));
            c[3] += d0.dot(d1.cross(d2));
        }
        c[0] *= 1 - least_kept;
        while (lower_bound(c, limit) <= 0 && limit > 1e-12)
            limit /= 2;
    }
    return limit;
}

void PressureEnergy::add_rank_one(const Unknowns& unknowns, HessianForm /*form*/, std::vector<RankOne>& terms) const
{
    const auto x = unknowns.vertices();
    for (const Enclosed& chamber : chambers_) {
        if (!chamber.pressure.is_gas)
            continue;
        RankOne term{energy_of(chamber, volume(chamber, x)).bend, Eigen::VectorXd::Zero(unknowns.numbers().size())};
        for (std::size_t t = chamber.first; t < chamber.end; ++t) {
            const std::array<Vec3, 3> y = corners(t, x, chamber.reference);
            for (int i = 0; i < 3; ++i)
                term.direction.segment<3>(3 * std::int64_t(stencils_[t][i])) +=
                    y[(i + 1) % 3].cross(y[(i + 2) % 3]) / 6;
        }
        terms.push_back(std::move(term));
    }
}

std::vector<std::unique_ptr<Energy>> make_pressure_energies(const Model& model)
{
    std::vector<PressureEnergy::Chamber> chambers;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
        if (const std::optional<ScenePressure>& pressure = model.scene.objects[k].pressure)
            for (Faces& faces : chambers_of(model, k)) {
                faces.array() += model.object_starts[k];
                chambers.push_back({std::move(faces), *pressure});
            }
    std::vector<std::unique_ptr<Energy>> energies;
    if (!chambers.empty())
        energies.push_back(std::make_unique<PressureEnergy>(model.rest, chambers));
    return energies;
}

} // namespace abut
