#include "abut/sim/bond_intensity.hpp"

#include "abut/base/buffer.hpp"
#include "abut/contact/term_geometry.hpp"

#include <algorithm>
#include <map>

namespace abut {

namespace {

constexpr const char* entry = "adhesion.bonds";

/// The length at which a bond begins to let go along the contact, in whose unit its spring is measured.
double reach_of(const RccParameters& bond) { return bond.c_t > 0 ? bond.slip() : 1; }

/// The body of the side that vertex i of a stencil is not on; plane k is −1 − k.
int other_body(
    PairKind kind, const IndexPair& elements, std::span<const int> vertices, int i, const std::vector<int>& bodies)
{
    if (kind == PairKind::plane_vertex)
        return -1 - elements[0];
    const int num_first = kind == PairKind::edge_edge ? 2 : 1;
    return bodies[i < num_first ? vertices.back() : vertices.front()];
}

} // namespace

/// What the barrier pushes vertices with, and which body does it.
struct BondIntensity::Pushes {
    struct Push {
        Vec3 force; ///< [N]
        int other;
    };
    std::vector<std::size_t> starts; ///< of vertices
    std::vector<Push> pushes;

    Pushes(
        const ContactEnergy& contact, const CollisionMesh& mesh, const std::vector<int>& bodies,
        const ConstPositions& X)
        : starts(mesh.num_vertices() + 1, 0)
    {
        contact.visit([&](const auto& each) {
            if constexpr (requires { each.collisions.ee().eps_x; }) {
                const int dim = mesh.dim();
                const Stencils& stencils = each.collisions.stencils();
                Buffer<double> gradients(static_cast<std::size_t>(stencils.num_entries() * dim));
                each.potential.evaluate(each.collisions, mesh, X, {.gradients = gradients.data()});
                std::vector<std::pair<int, Push>> found;
                for (std::size_t term = 0; term < stencils.size(); ++term) {
                    const NormalCollision pair = each.collisions[term];
                    for (int i = 0; i < std::ssize(pair.vertices); ++i) {
                        Vec3 force = Vec3::Zero();
                        for (int a = 0; a < dim; ++a)
                            force[a] = -gradients[(stencils.offset(term) + i) * dim + a];
                        found.push_back(
                            {pair.vertices[i],
                             {force, other_body(pair.kind, pair.elements, pair.vertices, i, bodies)}});
                    }
                }
                std::stable_sort(
                    found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
                for (const auto& [vertex, push] : found) {
                    ++starts[vertex + 1];
                    pushes.push_back(push);
                }
                for (std::size_t v = 1; v < starts.size(); ++v)
                    starts[v] += starts[v - 1];
            }
        });
    }

    /// On a vertex by a body, as far as it goes along `normal` [N].
    [[nodiscard]] double on(int vertex, int other, const Vec3& normal) const
    {
        double sum = 0;
        for (std::size_t k = starts[vertex]; k < starts[vertex + 1]; ++k)
            if (pushes[k].other == other)
                sum += std::max(0.0, pushes[k].force.dot(normal));
        return sum;
    }
};

BondIntensity::BondIntensity(
    const ContactPairs& pairs, const ContactEnergy& contact, RccModel model, std::vector<int> bodies)
    : pairs_(pairs), contact_(contact), model_(std::move(model)), bodies_(bodies), memory_(std::move(bodies))
{
    // A term's W is its weight times the largest pull, so that mu W over the reach of its anchor is weight times C_T.
    const auto mu_of = [&](const RccParameters& bond) {
        return bond.c_n > 0 ? bond.c_t * reach_of(bond) / (bond.c_n * model_.dhat_p) : 0;
    };
    sliding_.mu_s = sliding_.mu_k = mu_of(model_.usual);
    slides_ = sliding_.mu_s > 0;
    const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(model_.of_pairs.size()))));
    if (n > 0) {
        sliding_.material_mu_s.resize(n, n);
        for (Eigen::Index k = 0; k < n * n; ++k)
            sliding_.material_mu_s(k / n, k % n) = mu_of(model_.of_pairs[k]);
        sliding_.material_mu_k = sliding_.material_mu_s;
        sliding_.plane_materials = model_.plane_materials;
        slides_ = sliding_.material_mu_s.maxCoeff() > 0;
    }
}

const RccParameters&
BondIntensity::parameters(PairKind kind, const IndexPair& elements, std::span<const int> vertices) const
{
    if (model_.of_pairs.empty())
        return model_.usual;
    // Each side is of one material.
    const std::vector<int>& materials = mesh().material_ids();
    const int first = materials[vertices.front()];
    const int second =
        kind == PairKind::plane_vertex ? model_.plane_materials[elements[0]] : materials[vertices.back()];
    return model_.of_pairs[static_cast<std::size_t>(first * sliding_.material_mu_s.rows() + second)];
}

std::vector<double> BondIntensity::factors(const NormalCollisions& collisions, const ConstPositions& X) const
{
    std::vector<double> squares;
    squares.reserve(collisions.size());
    for (const RememberedBond& bond : memory_.bonds(mesh(), start_.size() > 0 ? ConstPositions(start_) : X, collisions))
        squares.push_back(bond.intensity * bond.intensity);
    return squares;
}

void BondIntensity::begin_step(const State& start, double dt, const NormalCollisionsOptions& set)
{
    dt_ = dt;
    start_ = mesh().vertices(start.x);
    if (!(start.time == 0 && start.step == 0 && model_.intensity > 0))
        return;
    NormalCollisions collisions;
    collisions.build(mesh(), start_, set);
    std::vector<RememberedBond> bonds;
    for (std::size_t k = 0; k < collisions.size(); ++k) {
        const NormalCollision pair = collisions[k];
        if (parameters(pair.kind, pair.elements, pair.vertices).c_n > 0)
            bonds.push_back({pair.kind, pair.elements, Vec3::Zero(), model_.intensity});
    }
    memory_.set_contacts(std::move(bonds));
}

void BondIntensity::recall(const ConstPositions& X0, const ConstPositions& X, TangentialCollisions& terms) const
{
    std::vector<double> reaches;
    reaches.reserve(terms.size());
    const auto add = [&](PairKind kind, const auto& list) {
        for (std::size_t k = 0; k < list.size(); ++k)
            reaches.push_back(reach_of(parameters(kind, list.elements[k], list.vertices[k])));
    };
    for_each_kind(add, terms.by_kind());
    memory_.recall(mesh(), X0, X, reaches, terms);
}

void BondIntensity::end_step(
    const NormalCollisions& collisions, const NormalPotential& potential, const ConstPositions& X)
{
    // How far each bond has slid; edges that do not cross have no plane to slide in.
    std::map<std::tuple<PairKind, IndexPair>, Vec3> slips;
    if (slides_) {
        TangentialCollisions terms;
        terms.build(mesh(), X, collisions, potential, sliding_);
        recall(start_, X, terms);
        for (std::size_t k = 0; k < terms.size(); ++k) {
            const TangentialCollision term = terms[k];
            Vec3 moved = Vec3::Zero();
            for (std::size_t i = 0; i < term.vertices.size(); ++i)
                moved.head(mesh().dim()) +=
                    term.coefficients[i] * (X.row(term.vertices[i]) - start_.row(term.vertices[i])).transpose();
            slips[{term.kind, term.elements}] = term.basis * (term.anchor->slip + term.basis.transpose() * moved);
        }
    }

    const Pushes pushes(contact_, mesh(), bodies_, X);
    std::vector<RememberedBond> bonds = memory_.bonds(mesh(), start_, collisions);
    std::size_t first = 0;
    const auto evolve_kind = [&](auto kind, const auto& list) {
        const auto evolve = [&]<int Dim>(std::integral_constant<int, Dim>) {
            if constexpr (exists_in(Dim, kind))
                for (std::size_t k = 0; k < list.size(); ++k) {
                    RememberedBond& bond = bonds[first + k];
                    const RccParameters& rcc = parameters(kind, list.elements[k], list.vertices[k]);
                    const auto closest = closest_of<Dim>(kind, list, k, mesh(), X);
                    const double gap = closest.r.norm() - list.offset(k) - pairs_.dmin();
                    if (list.weights[k] == 0 || gap >= model_.dhat_a) {
                        bond.intensity = 0;
                        continue;
                    }
                    Vec3 normal = Vec3::Zero();
                    normal.template head<Dim>() = closest.r.normalized();
                    // The pressure on the first side; of two points, whose order means nothing, the mean of both.
                    constexpr bool is_even = kind == PairKind::vertex_vertex;
                    double pressure = 0;
                    for (int i = 0; i < (is_even || kind == PairKind::edge_edge ? 2 : 1); ++i) {
                        const int v = list.vertices[k][i];
                        const double area = mesh().vertex_areas()[v];
                        const double share = is_even ? 0.5 : std::abs(closest.w[i]);
                        const int other = other_body(kind, list.elements[k], list.vertices[k], i, bodies_);
                        if (area > 0)
                            pressure += share / area * pushes.on(v, other, is_even && i == 1 ? Vec3(-normal) : normal);
                    }
                    const double before = bond.intensity;
                    pressure -= rcc.c_n * before * before * gap;
                    const auto slip = slips.find({kind, list.elements[k]});
                    bond.slip = before > 0 && slip != slips.end() ? slip->second : Vec3(Vec3::Zero());
                    bond.intensity = evolved_intensity(rcc, before, gap, bond.slip.norm(), pressure, dt_);
                    if (bond.intensity < least_intensity && bond.intensity < before)
                        bond.intensity = 0;
                }
        };
        if (mesh().dim() == 2)
            evolve(std::integral_constant<int, 2>());
        else
            evolve(std::integral_constant<int, 3>());
        first += list.size();
    };
    for_each_kind(evolve_kind, collisions.by_kind());
    BondMemory next(bodies_);
    next.set_contacts(std::move(bonds));
    next_ = next.numbers(mesh().dim());
    has_ended_ = true;
}

void BondIntensity::save(History& history) const
{
    history.set(entry, has_ended_ ? next_ : memory_.numbers(mesh().dim()));
}

void BondIntensity::load(const History& history)
{
    has_ended_ = false;
    start_.resize(0, mesh().dim());
    if (const std::vector<double>* numbers = history.find(entry))
        memory_.set_numbers(mesh(), *numbers, entry);
    else
        memory_.set_contacts({});
}

} // namespace abut
