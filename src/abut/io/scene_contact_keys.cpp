// The table of scene keys: contact.

#include "abut/io/scene_keys.hpp"

#include "abut/contact/friction/friction_coefficients.hpp"
#include "abut/mesh/sharp_features.hpp"
#include "abut/sim/contact_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace abut {

namespace {

const std::vector<std::string> with_gcp{"gcp"}, without_gcp{"ipc", "convergent_ipc", "ogc", "gipc", "none"};
const std::vector<std::string> with_hessians{"ipc", "convergent_ipc", "gipc"};
const std::vector<std::string> with_laws{"ipc", "convergent_ipc", "ogc", "gipc"};

std::vector<std::string> words_of_hessians()
{
    std::vector<std::string> words;
    for (const auto& each : hessian_words)
        words.emplace_back(each.first);
    return words;
}

std::vector<SceneKey> barrier_keys()
{
    return {
        {.path = "contact.model",
         .type = KeyType::word,
         .fallback = SceneContact().model,
         .registered_words =
             [] {
                 std::vector<std::string> names = contact_models().names();
                 names.emplace_back("none");
                 return names;
             },
         .meaning = "Which pairs press and how."},
        {.path = "contact.dhat",
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback_words = "1e-3 of the bodies' extent",
         .meaning = "Distance at which contact begins; more than the extent of a body is warned of."},
        {.path = "contact.dmin",
         .unit = "m",
         .range = JsonObject::not_negative(),
         .fallback = SceneContact().dmin,
         .meaning = "Distance that is kept; not with `gcp`."},
        {.path = "contact.stiffness",
         .range = JsonObject::positive(),
         .fallback_words = "[suggested](barrier.md) from masses, time step and material",
         .meaning = "Of the [barrier](barrier.md); given, it is not adapted."},
        {.path = "contact.area_weighting",
         .type = KeyType::boolean,
         .fallback_words = "true for `convergent_ipc`, else false",
         .only_for = without_gcp,
         .meaning = "Weights by rest area."},
        {.path = "contact.law",
         .type = KeyType::word,
         .fallback_words = "`clamped_log_squared` for `gipc`, `two_stage` for `ogc`, else `clamped_log`",
         .words = {"clamped_log", "clamped_log_squared", "two_stage"},
         .only_for = with_laws,
         .meaning =
             "The [barrier](laws.md): of the squared distance `clamped_log` or `clamped_log_squared`; for `ogc` of "
             "the distance `two_stage` or `clamped_log`."},
        {.path = "contact.hessian",
         .type = KeyType::word,
         .fallback_words = "`hybrid` for `gipc`, else `clamped`",
         .words = words_of_hessians(),
         .only_for = with_hessians,
         .meaning = "[Which second derivatives](gipc.md) of contact Newton's method sees; where a solve ends does not "
                    "depend on it."},
        {.path = "contact.hessian_filter",
         .range = {.at_least = 0, .below = 1},
         .fallback = 0,
         .only_for = with_hessians,
         .meaning =
             "Share of `dhat` below which the curvature of `analytic` Hessians does not grow any more, 0.1 in the "
             "paper; 0: it always does."},
    };
}

/// Keys of the model gcp only.
std::vector<SceneKey> smooth_contact_keys()
{
    const SceneSmoothContact gcp;
    return {
        {.path = "contact.alpha_t",
         .range = {.above = 0, .at_most = 1},
         .fallback = gcp.alpha_t,
         .only_for = with_gcp,
         .meaning = "Cosine over which a direction stops to be one of a local minimum; smaller: fewer pairs, less "
                    "smooth."},
        {.path = "contact.beta_t",
         .range = {.above = -1, .at_most = 1},
         .fallback = gcp.beta_t,
         .only_for = with_gcp,
         .meaning = "The other end of that range; above -`alpha_t`."},
        {.path = "contact.alpha_n",
         .range = {.at_least = 0, .at_most = 1},
         .fallback = gcp.alpha_n,
         .only_for = with_gcp,
         .meaning = "Cosine over which a direction stops to point out of a body."},
        {.path = "contact.beta_n",
         .range = {.above = -1, .at_most = 1},
         .fallback = gcp.beta_n,
         .only_for = with_gcp,
         .meaning = "The other end of that range; above -`alpha_n`."},
        {.path = "contact.exponent",
         .type = KeyType::integer,
         .range = {.at_least = 0, .at_most = 16},
         .fallback = gcp.exponent,
         .fallback_words = "0: the dimension less one",
         .only_for = with_gcp,
         .meaning = "Of the barrier."},
        {.path = "contact.adaptive_dhat",
         .type = KeyType::boolean,
         .fallback = gcp.use_adaptive_dhat,
         .only_for = with_gcp,
         .meaning = "Shorter reach where things are close at the start."},
        {.path = "contact.adaptive_dhat_ratio",
         .range = {.above = 0, .below = 1},
         .fallback = gcp.adaptive_dhat_ratio,
         .only_for = with_gcp,
         .meaning = "That reach as a share of the distance at the start."},
        {.path = "contact.feature_length",
         .type = KeyType::number_or_word,
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback = "edge_length",
         .words = {"edge_length"},
         .only_for = with_gcp,
         .meaning = "The [width L](gcp.md#the-width-l-and-refinement) that edges and vertices stand for: an edge's own "
                    "length and the mean at a vertex; one length for all; or, as an object, one at sharp features and "
                    "edges' lengths elsewhere."},
        {.path = "contact.feature_length.sharp",
         .unit = "m",
         .range = JsonObject::positive(),
         .is_required = true,
         .meaning = "L at sharp edges and corners."},
        {.path = "contact.feature_length.angle",
         .unit = "°",
         .range = {.above = 0, .below = 180},
         .fallback = std::round(default_sharp_angle * 180 / std::numbers::pi),
         .meaning = "By which the surface has to turn for a sharp edge or corner at the start."},
        {.path = "contact.exterior_test",
         .type = KeyType::boolean,
         .fallback_words = "true; false for `toolkit`",
         .only_for = with_gcp,
         .meaning = "Closed surfaces act outwards only; false: on both sides."},
        {.path = "contact.variant",
         .type = KeyType::word,
         .fallback = "paper",
         .words = {"paper", "toolkit"},
         .only_for = with_gcp,
         .meaning = "The paper's formulas, or IPC Toolkit's, which know no planes and no loose points."},
    };
}

std::vector<SceneKey> friction_keys()
{
    return {
        {.path = "contact.friction",
         .type = KeyType::object,
         .fallback_words = "none",
         .meaning = "Friction, of all that `material.mu` and `contact.pairs` say nothing of."},
        {.path = "contact.friction.mu",
         .range = JsonObject::not_negative(),
         .fallback = SceneContact().mu,
         .meaning = "Static coefficient."},
        {.path = "contact.friction.mu_k",
         .range = JsonObject::not_negative(),
         .fallback_words = "`mu`",
         .meaning = "Kinetic coefficient."},
        {.path = "contact.friction.eps_v",
         .unit = "m/s",
         .range = JsonObject::positive(),
         .fallback_words = "1e-3 of the extent per second",
         .meaning = "Speed below which friction is static."},
        {.path = "contact.friction.model",
         .type = KeyType::word,
         .fallback = "smoothed",
         .words = {"smoothed", "anchored"},
         .meaning = "By speed, so that what should stick creeps at up to `eps_v`; or by springs from "
                    "[anchors](friction.md#friction-that-holds) that contacts remember, so that it holds."},
        {.path = "contact.friction.slip",
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback_words = "1e-5 of the extent",
         .meaning = "Of the model `anchored`: how far what sticks gives way before it slides."},
        {.path = "contact.friction.blend",
         .type = KeyType::word,
         .fallback = "mean",
         .registered_words =
             [] {
                 std::vector<std::string> names;
                 for (const auto& rule : blend_rules)
                     names.emplace_back(rule.first);
                 return names;
             },
         .meaning = "How the `material.mu` of two sides [become one](friction.md#in-scenes)."},
    };
}

/// Of bonds whose intensity changes in time, below `path`; of a pair where `is_of_pair`.
std::vector<SceneKey> rcc_keys(const std::string& path, bool is_of_pair)
{
    const auto key = [&](const char* name, const char* unit, JsonObject::Range range, const char* fallback,
                         const char* meaning) {
        return SceneKey{
            .path = path + "." + name,
            .unit = unit,
            .range = range,
            .fallback_words = is_of_pair ? "as that of `contact.adhesion`" : fallback,
            .meaning = is_of_pair ? fmt::format("Of the model `rcc`: `{}` of these two.", name)
                                  : fmt::format("Of the model `rcc`: {}", meaning)};
    };
    return {
        key("c_n", "Pa/m", JsonObject::not_negative(), "needed",
            "stiffness of a whole bond across, C_N; 0: only pairs that have another stick."),
        key("c_t", "Pa/m", JsonObject::not_negative(), "`c_n`", "stiffness along, C_T; 0: bonds slide freely."),
        key("eta", "Pa s m", JsonObject::positive(), "`w` times 0.01 s", "viscosity of letting go, η."),
        key("w", "J/m²", JsonObject::positive(), "needed", "energy up to which a whole bond stays whole, W."),
        key("r", "1/(Pa s)", JsonObject::not_negative(), "1 / (`p_0` × 0.01 s)",
            "rate of bonding under pressure; 0: nothing bonds anew."),
        key("p_0", "Pa", JsonObject::positive(), "√(`w` `c_n`)", "pressure that makes a whole bond."),
    };
}

std::vector<SceneKey> pair_keys()
{
    std::vector<SceneKey> keys{
        {.path = "contact.pairs",
         .type = KeyType::objects,
         .fallback_words = "none",
         .meaning = "What two materials do where they meet, in place of what holds for all; "
                    "[who meets whom](pairs.md)."},
        {.path = "contact.pairs[].materials",
         .type = KeyType::name_pair,
         .is_required = true,
         .meaning = "Two of the names `material.name` of objects and planes; the same one twice is allowed."},
        {.path = "contact.pairs[].friction",
         .type = KeyType::object,
         .fallback_words = "as without the pair",
         .meaning = "Friction of these two."},
        {.path = "contact.pairs[].friction.mu",
         .range = JsonObject::not_negative(),
         .is_required = true,
         .meaning = "Static coefficient."},
        {.path = "contact.pairs[].friction.mu_k",
         .range = JsonObject::not_negative(),
         .fallback_words = "`mu`",
         .meaning = "Kinetic coefficient."},
        {.path = "contact.pairs[].adhesion",
         .type = KeyType::object,
         .fallback_words = "`contact.adhesion`",
         .meaning = "These two stick; without `contact.adhesion` they alone do. Not with `gcp`."},
        {.path = "contact.pairs[].adhesion.critical_strain",
         .range = JsonObject::not_negative(),
         .fallback_words = "that of `contact.adhesion`",
         .meaning = "Strain at which the material lets go; 0: these two do not stick."},
        {.path = "contact.pairs[].adhesion.youngs_modulus",
         .unit = "Pa",
         .range = JsonObject::positive(),
         .fallback_words = "that of `contact.adhesion`, else of the softer of the two",
         .meaning = "With which that strain is a stress."},
        {.path = "contact.pairs[].adhesion.strength",
         .unit = "Pa",
         .range = JsonObject::not_negative(),
         .fallback_words = "`critical_strain` times `youngs_modulus`",
         .meaning = "The largest pull, in their place; needed where neither side has a modulus, as obstacles and "
                    "points. 0: these two do not stick."},
        {.path = "contact.pairs[].adhesion.mu_a",
         .range = JsonObject::not_negative(),
         .fallback_words = "that of `contact.adhesion`",
         .meaning = "Tangential adhesion: its share of the normal one."},
        {.path = "contact.ignore",
         .type = KeyType::name_pairs,
         .fallback_words = "none",
         .meaning = "Pairs of `contact_group` that [do not collide](pairs.md); a group with itself: neither its "
                    "objects with each other, nor with themselves."},
    };
    for (SceneKey& key : rcc_keys("contact.pairs[].adhesion", true))
        keys.push_back(std::move(key));
    return keys;
}

std::vector<SceneKey> adhesion_keys()
{
    const SceneAdhesion adhesion;
    std::vector<SceneKey> keys{
        {.path = "contact.adhesion",
         .type = KeyType::object,
         .fallback_words = "none",
         .only_for = without_gcp,
         .meaning = "Surfaces [stick](adhesion.md) where this is given, also as `{}`."},
        {.path = "contact.adhesion.model",
         .type = KeyType::word,
         .fallback = "variational",
         .words = {"variational", "rcc"},
         .meaning = "By the distance alone; or by [bonds of an intensity](adhesion.md#bonds-that-change-in-time) that "
                    "contacts remember and that changes in time."},
        {.path = "contact.adhesion.critical_strain",
         .range = JsonObject::positive(),
         .fallback = adhesion.critical_strain,
         .meaning = "Strain at which the material lets go."},
        {.path = "contact.adhesion.youngs_modulus",
         .unit = "Pa",
         .range = JsonObject::positive(),
         .fallback_words = "that of the softest body",
         .meaning = "With which that strain is a stress."},
        {.path = "contact.adhesion.strength",
         .unit = "Pa",
         .range = JsonObject::positive(),
         .fallback_words = "`critical_strain` times `youngs_modulus`",
         .meaning = "The largest pull, in their place."},
        {.path = "contact.adhesion.dhat_p",
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback_words = "`contact.dhat`",
         .meaning = "Distance of the strongest pull."},
        {.path = "contact.adhesion.dhat_a",
         .unit = "m",
         .range = JsonObject::positive(),
         .fallback_words = "twice `dhat_p`",
         .meaning = "Distance at which a bond ends. Of the model `rcc` at least twice `contact.dhat`, else four times "
                    "√(`w` / `c_n`)."},
        {.path = "contact.adhesion.distance",
         .type = KeyType::word,
         .fallback = "plain",
         .words = {"plain", "squared"},
         .meaning = "What the law sees."},
        {.path = "contact.adhesion.mu_a",
         .range = JsonObject::not_negative(),
         .fallback = adhesion.mu_a,
         .meaning = "Tangential adhesion: its share of the normal one."},
        {.path = "contact.adhesion.eps_a",
         .unit = "m/s",
         .range = JsonObject::positive(),
         .fallback_words = "`contact.friction.eps_v`",
         .meaning = "Speed at which tangential adhesion is strongest."},
        {.path = "contact.adhesion.intensity",
         .range = {.at_least = 0, .at_most = 1},
         .fallback = adhesion.intensity,
         .meaning = "Of the model `rcc`: that of the bonds of all that is within `dhat_a` at the start."},
    };
    for (SceneKey& key : rcc_keys("contact.adhesion", false))
        keys.push_back(std::move(key));
    return keys;
}

} // namespace

std::vector<SceneKey> contact_keys()
{
    std::vector<SceneKey> keys;
    for (auto* part : {barrier_keys, smooth_contact_keys, friction_keys, adhesion_keys, pair_keys})
        for (SceneKey& key : part())
            keys.push_back(std::move(key));
    return keys;
}

} // namespace abut
