#include "abut/sim/contact_materials.hpp"

#include "abut/base/error.hpp"
#include "abut/base/suggest.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace abut {

namespace {

using NamePair = std::array<std::string, 2>;

/// Names in the order of their first use, each once; empty ones are none.
std::vector<std::string> distinct(const std::vector<std::string>& all)
{
    std::vector<std::string> names;
    std::set<std::string> known;
    for (const std::string& name : all)
        if (!name.empty() && known.insert(name).second)
            names.push_back(name);
    return names;
}

std::vector<std::string> names_of_materials(const Scene& scene)
{
    std::vector<std::string> names;
    for (const SceneObject& object : scene.objects)
        names.push_back(object.surface.name);
    for (const SurfaceMaterial& surface : scene.plane_materials)
        names.push_back(surface.name);
    return distinct(names);
}

std::vector<std::string> names_of_groups(const Scene& scene)
{
    std::vector<std::string> names;
    for (const SceneObject& object : scene.objects)
        names.push_back(object.contact_group);
    return distinct(names);
}

/// `what` is "material" or "contact_group", `key` where names are given.
std::optional<WrongName>
wrong_name(const std::vector<NamePair>& pairs, const std::vector<std::string>& known, const char* what, const char* key)
{
    std::map<NamePair, std::size_t> seen;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        for (int side = 0; side < 2; ++side) {
            const std::string& name = pairs[k][side];
            if (std::find(known.begin(), known.end(), name) != known.end())
                continue;
            const std::string near = nearest_word(name, known);
            return WrongName{
                k, side,
                known.empty() ? fmt::format("no {} is called '{}', as none has a name; give {}", what, name, key)
                              : fmt::format(
                                    "no {} is called '{}'; there are {}{}", what, name, fmt::join(known, ", "),
                                    near.empty() ? "" : fmt::format("; did you mean '{}'?", near))};
        }
        const NamePair sorted{std::min(pairs[k][0], pairs[k][1]), std::max(pairs[k][0], pairs[k][1])};
        if (const auto [at, is_new] = seen.emplace(sorted, k); !is_new)
            return WrongName{
                k, 0,
                fmt::format(
                    "the pair of '{}' and '{}' is there already, as number {} (from 0); leave one of them out",
                    pairs[k][0], pairs[k][1], at->second)};
    }
    return std::nullopt;
}

void check_coefficient(const std::optional<double>& mu, const std::string& field)
{
    if (mu && !(*mu >= 0 && std::isfinite(*mu)))
        reject("{}: {} is not a number >= 0", field, *mu);
}

void check_surface(const SurfaceMaterial& surface, const std::string& place)
{
    check_coefficient(surface.mu, place + ".mu");
    check_coefficient(surface.mu_k, place + ".mu_k");
    if (surface.mu_k && !surface.mu)
        reject("{}.mu_k: there is no mu beside it; give both, or mu alone", place);
}

void check_rcc(const SceneRcc& rcc, const std::string& place)
{
    check_coefficient(rcc.c_n, place + ".c_n");
    check_coefficient(rcc.c_t, place + ".c_t");
    check_coefficient(rcc.r, place + ".r");
    if (rcc.eta)
        require_positive(*rcc.eta, place + ".eta");
    if (rcc.w)
        require_positive(*rcc.w, place + ".w");
    if (rcc.p_0)
        require_positive(*rcc.p_0, place + ".p_0");
}

void check_pair(const ScenePair& pair, const std::string& place)
{
    if (!pair.friction && !pair.adhesion)
        reject("{}: it gives neither friction nor adhesion; give one, or leave the pair out", place);
    if (pair.friction) {
        check_coefficient(pair.friction->mu, place + ".friction.mu");
        check_coefficient(pair.friction->mu_k, place + ".friction.mu_k");
    }
    if (pair.adhesion) {
        check_rcc(pair.adhesion->rcc, place + ".adhesion");
        check_coefficient(pair.adhesion->critical_strain, place + ".adhesion.critical_strain");
        check_coefficient(pair.adhesion->mu_a, place + ".adhesion.mu_a");
        check_coefficient(pair.adhesion->strength, place + ".adhesion.strength");
        if (pair.adhesion->youngs_modulus)
            require_positive(*pair.adhesion->youngs_modulus, place + ".adhesion.youngs_modulus");
        if (pair.adhesion->strength && (pair.adhesion->critical_strain || pair.adhesion->youngs_modulus))
            reject(
                "{}.adhesion.strength: there is {} beside it, which would be another strength; give one of them", place,
                pair.adhesion->critical_strain ? "critical_strain" : "youngs_modulus");
    }
}

/// Surfaces of the scene that friction and adhesion tell apart.
struct Kind {
    SurfaceMaterial surface;
    std::string label;  ///< for people
    int count = 0;      ///< of the surfaces
    double modulus = 0; ///< where pairs stick: of the body [Pa], 0 where it has none
};

/// Friction of two kinds.
struct PairFriction {
    double mu, mu_k;
    bool is_blended; ///< of the two sides; else it is given for the pair, or for all
};

const ScenePair* find_pair(const SceneContact& contact, const std::string& a, const std::string& b)
{
    for (const ScenePair& pair : contact.pairs)
        if ((pair.materials[0] == a && pair.materials[1] == b) || (pair.materials[0] == b && pair.materials[1] == a))
            return &pair;
    return nullptr;
}

PairFriction friction_of(const SceneContact& contact, const ScenePair* pair, const Kind& a, const Kind& b)
{
    if (pair != nullptr && pair->friction)
        return {pair->friction->mu, pair->friction->mu_k.value_or(pair->friction->mu), false};
    const double usual_mu_k = contact.mu_k.value_or(contact.mu);
    if (!a.surface.mu && !b.surface.mu)
        return {contact.mu, usual_mu_k, false};
    const auto mu = [&](const Kind& kind) { return kind.surface.mu.value_or(contact.mu); };
    const auto mu_k = [&](const Kind& kind) {
        return kind.surface.mu_k.value_or(kind.surface.mu.value_or(usual_mu_k));
    };
    return {blended(contact.blend, mu(a), mu(b)), blended(contact.blend, mu_k(a), mu_k(b)), true};
}

std::string reason_of_blend(const SceneContact& contact, const Kind& a, const Kind& b)
{
    const auto side = [&](const Kind& kind) {
        return kind.surface.mu ? fmt::format("{}", *kind.surface.mu)
                               : fmt::format("{} (contact.friction.mu)", contact.mu);
    };
    const auto rule = std::find_if(
        blend_rules.begin(), blend_rules.end(), [&](const auto& each) { return each.second == contact.blend; });
    return fmt::format("contact.friction.blend: {} of {} and {}", rule->first, side(a), side(b));
}

bool has_adhesion(const ScenePair& pair) { return pair.adhesion.has_value(); }

/// That bonds to the body compare with [Pa]; 0 of obstacles and points.
double modulus_of(const SceneObject& object)
{
    return has_mass(object) && object.kind != ObjectKind::points ? object.stiffest_modulus() : 0;
}

/// Gathers the kinds of the scene's surfaces.
std::vector<Kind> find_kinds(const Scene& scene, ContactMaterials& materials)
{
    const bool pairs_stick = std::any_of(scene.contact.pairs.begin(), scene.contact.pairs.end(), has_adhesion);
    std::vector<Kind> kinds;
    std::map<std::tuple<std::string, double, double, double>, int> known; // -1 stands for no coefficient
    const auto kind_of = [&](const SurfaceMaterial& surface, const std::string& label, double modulus) {
        const auto [at, is_new] = known.emplace(
            std::tuple(surface.name, surface.mu.value_or(-1), surface.mu_k.value_or(-1), modulus),
            static_cast<int>(kinds.size()));
        if (is_new)
            kinds.push_back({surface, surface.name.empty() ? label : "'" + surface.name + "'", 0, modulus});
        ++kinds[at->second].count;
        return at->second;
    };
    for (const SceneObject& object : scene.objects)
        materials.of_object.push_back(
            kind_of(object.surface, "'" + object.name + "'", pairs_stick ? modulus_of(object) : 0));
    for (std::size_t k = 0; k < scene.planes.size(); ++k)
        materials.of_plane.push_back(kind_of(
            k < scene.plane_materials.size() ? scene.plane_materials[k] : SurfaceMaterial{}, fmt::format("plane {}", k),
            0));
    for (Kind& kind : kinds)
        if (kind.surface.name.empty() && kind.count > 1)
            kind.label += fmt::format(" and {} more", kind.count - 1);
    return kinds;
}

/// A coefficient that is blended with 0 because the other side has none is most likely not meant.
void warn_of_bare_sides(Model& model, const std::vector<Kind>& kinds)
{
    const SceneContact& contact = model.scene.contact;
    if (contact.mu > 0 || contact.mu_k.value_or(0) > 0)
        return;
    const auto bare =
        std::find_if(kinds.begin(), kinds.end(), [](const Kind& kind) { return !kind.surface.mu.has_value(); });
    if (bare != kinds.end() && has_own_friction(model.scene))
        model.warnings.push_back(fmt::format(
            "material.mu: {} has none, and there is no contact.friction.mu in its place, so that 0 is blended with "
            "what others have; give its material a mu, or contact.friction.mu",
            bare->label));
}

void explain_friction(Model& model, const std::vector<Kind>& kinds, const ContactMaterials& materials)
{
    constexpr std::size_t most = 10; // lines
    std::size_t count = 0;
    const SceneContact& contact = model.scene.contact;
    std::vector<bool> is_of_object(kinds.size(), false); // planes do not meet each other
    for (const int kind : materials.of_object)
        is_of_object[kind] = true;
    for (std::size_t a = 0; a < kinds.size(); ++a)
        for (std::size_t b = a; b < kinds.size(); ++b) {
            const ScenePair* pair = find_pair(contact, kinds[a].surface.name, kinds[b].surface.name);
            const PairFriction friction = friction_of(contact, pair, kinds[a], kinds[b]);
            if (!friction.is_blended || !(is_of_object[a] || is_of_object[b]) || count++ >= most)
                continue;
            model.choices.push_back(
                {fmt::format("contact.friction.mu of {} and {}", kinds[a].label, kinds[b].label), friction.mu,
                 reason_of_blend(contact, kinds[a], kinds[b])});
        }
    if (count > most)
        model.choices.push_back(
            {"contact.friction.mu", fmt::format("of {} further pairs", count - most), "blended likewise"});
}

/// Bonds of two materials that a pair names, those of all where it says nothing.
SceneRcc rcc_of(const SceneRcc& usual, const SceneRcc& own)
{
    const auto either = [](const std::optional<double>& first, const std::optional<double>& second) {
        return first ? first : second;
    };
    return {
        .c_n = either(own.c_n, usual.c_n),
        .c_t = either(own.c_t, usual.c_t),
        .eta = either(own.eta, usual.eta),
        .w = either(own.w, usual.w),
        .r = either(own.r, usual.r),
        .p_0 = either(own.p_0, usual.p_0)};
}

/// The largest pull of two kinds that a pair names [Pa].
template <typename Place>
double strength_of(const SceneAdhesion& usual, const ScenePair& pair, const Kind& a, const Kind& b, const Place& place)
{
    const ScenePair::Adhesion& own = *pair.adhesion;
    if (own.strength)
        return *own.strength;
    if (usual.strength && !own.critical_strain && !own.youngs_modulus)
        return *usual.strength;
    const double strain = own.critical_strain.value_or(usual.critical_strain);
    if (strain == 0)
        return 0;
    const bool is_soft = a.modulus > 0 && (b.modulus == 0 || a.modulus <= b.modulus);
    const double softer = is_soft ? a.modulus : b.modulus;
    const std::optional<double> given = own.youngs_modulus ? own.youngs_modulus : usual.youngs_modulus;
    if (!given && !(softer > 0))
        reject(
            "{}.adhesion.strength: neither {} nor {} has a modulus that a critical_strain could be of; give strength "
            "[Pa] in its place, or youngs_modulus",
            place(), a.label, b.label);
    return strain * given.value_or(softer);
}

/// Of all pairs, where they differ in how their bonds change in time.
void fill_rcc(const Model& model, const std::vector<Kind>& kinds, ContactMaterials& materials)
{
    const SceneContact& contact = model.scene.contact;
    const RccModel& rcc = *model.parameters.rcc;
    const auto n = static_cast<Eigen::Index>(kinds.size());
    materials.pull.resize(n, n);
    materials.rcc.assign(kinds.size() * kinds.size(), rcc.usual);
    const double largest = model.parameters.adhesion->youngs_modulus / rcc.dhat_p; // c_n for which a factor is 1
    for (Eigen::Index a = 0; a < n; ++a)
        for (Eigen::Index b = 0; b < n; ++b) {
            RccParameters& bond = materials.rcc[a * n + b];
            const ScenePair* pair = find_pair(contact, kinds[a].surface.name, kinds[b].surface.name);
            if (pair != nullptr && pair->adhesion)
                bond = rcc_parameters(
                    contact.adhesion->rcc, pair->adhesion->rcc,
                    fmt::format("contact.pairs[{}].adhesion", pair - contact.pairs.data()));
            materials.pull(a, b) = bond.c_n / largest;
        }
}

void fill_adhesion(const Model& model, bool sticks, const std::vector<Kind>& kinds, ContactMaterials& materials)
{
    const SceneContact& contact = model.scene.contact;
    const bool is_special = std::any_of(contact.pairs.begin(), contact.pairs.end(), has_adhesion);
    if (!is_special || !model.parameters.adhesion)
        return;
    const NormalAdhesionOptions& usual = *model.parameters.adhesion;
    if (model.parameters.rcc) {
        fill_rcc(model, kinds, materials);
        return;
    }
    const double usual_mu_a = contact.adhesion->mu_a;
    std::vector<bool> is_of_object(kinds.size(), false);
    for (const int kind : materials.of_object)
        is_of_object[kind] = true;
    const auto n = static_cast<Eigen::Index>(kinds.size());
    materials.pull = Eigen::MatrixXd::Constant(n, n, sticks ? 1 : 0);
    materials.mu_a = Eigen::MatrixXd::Constant(n, n, usual_mu_a);
    for (Eigen::Index a = 0; a < n; ++a)
        for (Eigen::Index b = 0; b < n; ++b) {
            const ScenePair* pair = find_pair(contact, kinds[a].surface.name, kinds[b].surface.name);
            if (pair == nullptr || !pair->adhesion)
                continue;
            if (!is_of_object[a] && !is_of_object[b])
                continue; // planes do not meet
            const double strength = strength_of(*contact.adhesion, *pair, kinds[a], kinds[b], [&] {
                return fmt::format("contact.pairs[{}]", pair - contact.pairs.data());
            });
            materials.pull(a, b) = strength / (usual.youngs_modulus * usual.critical_strain);
            materials.mu_a(a, b) = pair->adhesion->mu_a.value_or(usual_mu_a);
        }
    if (!(materials.mu_a.maxCoeff() > 0))
        materials.mu_a.resize(0, 0);
}

/// Numbers of bodies in the groups, and what never meets.
struct Ignored {
    double pairs = 0;  ///< of two bodies
    double bodies = 0; ///< that do not meet themselves
};

Ignored count_ignored(const Scene& scene)
{
    std::map<std::string, double> sizes;
    for (const SceneObject& object : scene.objects)
        sizes[object.contact_group] += 1;
    Ignored ignored;
    for (const NamePair& pair : scene.contact.ignore) {
        const double first = sizes[pair[0]], second = sizes[pair[1]];
        const bool is_own = pair[0] == pair[1];
        ignored.pairs += is_own ? first * (first - 1) / 2 : first * second;
        ignored.bodies += is_own ? first : 0;
    }
    return ignored;
}

} // namespace

std::optional<WrongName> wrong_material(const Scene& scene)
{
    std::vector<NamePair> pairs;
    for (const ScenePair& pair : scene.contact.pairs)
        pairs.push_back(pair.materials);
    return wrong_name(
        pairs, names_of_materials(scene), "material", "objects[].material.name or planes[].material.name");
}

std::optional<WrongName> wrong_group(const Scene& scene)
{
    return wrong_name(scene.contact.ignore, names_of_groups(scene), "contact_group", "objects[].contact_group");
}

bool has_own_friction(const Scene& scene)
{
    return std::any_of(
               scene.objects.begin(), scene.objects.end(),
               [](const SceneObject& object) { return object.surface.mu.has_value(); }) ||
           std::any_of(scene.plane_materials.begin(), scene.plane_materials.end(), [](const SurfaceMaterial& surface) {
               return surface.mu.has_value();
           });
}

bool has_sticky_pair(const Scene& scene)
{
    return std::any_of(scene.contact.pairs.begin(), scene.contact.pairs.end(), [](const ScenePair& pair) {
        return pair.adhesion && pair.adhesion->critical_strain.value_or(1) > 0 &&
               pair.adhesion->strength.value_or(1) > 0 && pair.adhesion->rcc.c_n.value_or(1) > 0;
    });
}

void check_contact_materials(const Scene& scene)
{
    if (scene.plane_materials.size() > scene.planes.size())
        reject("plane_materials: {} of them for {} planes", scene.plane_materials.size(), scene.planes.size());
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        check_surface(scene.objects[k].surface, field_of_object(k, "material"));
    for (std::size_t k = 0; k < scene.plane_materials.size(); ++k)
        check_surface(scene.plane_materials[k], fmt::format("planes[{}].material", k));
    if (const auto wrong = wrong_material(scene))
        reject("contact.pairs[{}].materials[{}]: {}", wrong->entry, wrong->side, wrong->what);
    if (const auto wrong = wrong_group(scene))
        reject("contact.ignore[{}][{}]: {}", wrong->entry, wrong->side, wrong->what);
    if (scene.contact.adhesion) {
        check_rcc(scene.contact.adhesion->rcc, "contact.adhesion");
        if (!(scene.contact.adhesion->intensity >= 0 && scene.contact.adhesion->intensity <= 1))
            reject("contact.adhesion.intensity: {} is not within 0 and 1", scene.contact.adhesion->intensity);
    }
    for (std::size_t k = 0; k < scene.contact.pairs.size(); ++k)
        check_pair(scene.contact.pairs[k], fmt::format("contact.pairs[{}]", k));
}

RccParameters rcc_parameters(const SceneRcc& usual, const SceneRcc& own, const std::string& place)
{
    constexpr double usual_time = 0.01; // of bonding and of letting go [s]
    const SceneRcc given = rcc_of(usual, own);
    if (!given.c_n)
        reject(
            "{}.c_n: missing; the model 'rcc' needs the stiffness of a whole bond [Pa/m], 0 where there is none",
            place);
    RccParameters bond{.c_n = *given.c_n, .c_t = given.c_t.value_or(*given.c_n)};
    if (bond.c_n == 0)
        return {};
    if (!given.w)
        reject("{}.w: missing; the model 'rcc' needs the energy up to which a bond stays whole [J/m²]", place);
    bond.w = *given.w;
    if (bond.c_t > 0 && !std::isfinite(bond.slip()))
        reject("{}.c_t: {} is too small to compute with; give 0, or more", place, bond.c_t);
    bond.eta = given.eta.value_or(bond.w * usual_time);
    bond.p_0 = given.p_0.value_or(std::sqrt(bond.w * bond.c_n));
    bond.r = given.r.value_or(1 / (bond.p_0 * usual_time));
    return bond;
}

std::optional<ContactMaterials> choose_materials(Model& model, bool sticks)
{
    const SceneContact& contact = model.scene.contact;
    if (contact.pairs.empty() && !has_own_friction(model.scene))
        return std::nullopt;
    ContactMaterials materials;
    const std::vector<Kind> kinds = find_kinds(model.scene, materials);
    const auto n = static_cast<Eigen::Index>(kinds.size());
    materials.mu_s.resize(n, n);
    materials.mu_k.resize(n, n);
    for (Eigen::Index a = 0; a < n; ++a)
        for (Eigen::Index b = 0; b <= a; ++b) {
            const ScenePair* pair = find_pair(contact, kinds[a].surface.name, kinds[b].surface.name);
            const PairFriction friction = friction_of(contact, pair, kinds[a], kinds[b]);
            materials.mu_s(a, b) = materials.mu_s(b, a) = friction.mu;
            materials.mu_k(a, b) = materials.mu_k(b, a) = friction.mu_k;
        }
    fill_adhesion(model, sticks, kinds, materials);
    explain_friction(model, kinds, materials);
    warn_of_bare_sides(model, kinds);
    return materials;
}

CollisionFilter group_filter(Model& model)
{
    const SceneContact& contact = model.scene.contact;
    if (contact.ignore.empty())
        return {};
    const std::vector<std::string> names = names_of_groups(model.scene);
    const auto id_of = [&](const std::string& name) {
        return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    std::vector<std::pair<int, int>> pairs;
    std::vector<std::string> words;
    for (const NamePair& pair : contact.ignore) {
        pairs.emplace_back(id_of(pair[0]), id_of(pair[1]));
        words.push_back(
            pair[0] == pair[1] ? fmt::format("'{}' with itself", pair[0])
                               : fmt::format("'{}' with '{}'", pair[0], pair[1]));
    }
    std::vector<int> ids(model.num_vertices());
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k)
        std::fill(
            ids.begin() + model.object_starts[k], ids.begin() + model.object_starts[k + 1],
            id_of(model.scene.objects[k].contact_group));
    const Ignored ignored = count_ignored(model.scene);
    model.choices.push_back(
        {"contact.ignore", fmt::format("{:.0f} pair{} of bodies", ignored.pairs, ignored.pairs == 1 ? "" : "s"),
         fmt::format(
             "never meet: {}; {:.0f} bod{} not meet {}. They may pass through, and this is no intersection",
             fmt::join(words, ", "), ignored.bodies, ignored.bodies == 1 ? "y does" : "ies do",
             ignored.bodies == 1 ? "itself" : "themselves")});
    return !CollisionFilter::patches(std::move(ids), pairs);
}

} // namespace abut
