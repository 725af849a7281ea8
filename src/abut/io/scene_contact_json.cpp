// Contact of a scene from JSON.

#include "abut/base/error.hpp"
#include "abut/io/scene_parts_json.hpp"
#include "abut/sim/contact_materials.hpp"
#include "abut/sim/contact_model.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>

namespace abut {

namespace {

void reject_two_strengths(SceneReader& json)
{
    for (const char* other : {"critical_strain", "youngs_modulus"})
        if (json.has("strength") && json.has(other))
            json.reject_value(
                "strength",
                fmt::format("there is {} beside it, which would be another strength; give one of them", other));
}

/// Rejects keys of the other model of adhesion.
void reject_other_model(SceneReader& json, AdhesionModel model)
{
    const bool is_rcc = model == AdhesionModel::rcc;
    constexpr const char* by_distance[]{"critical_strain", "youngs_modulus", "strength", "dhat_p",
                                        "distance",        "mu_a",           "eps_a"};
    constexpr const char* in_time[]{"c_n", "c_t", "eta", "w", "r", "p_0", "intensity"};
    const auto reject_each = [&](const auto& names) {
        for (const char* name : names)
            if (json.has(name))
                json.reject_value(
                    name,
                    fmt::format(
                        "only the adhesion model '{}' has it, and contact.adhesion.model is '{}'; leave it out, or "
                        "take that model",
                        is_rcc ? "variational" : "rcc", is_rcc ? "rcc" : "variational"));
    };
    if (is_rcc)
        reject_each(by_distance);
    else
        reject_each(in_time);
}

SceneRcc read_rcc(SceneReader& json)
{
    return {
        .c_n = json.optional_number("c_n"),
        .c_t = json.optional_number("c_t"),
        .eta = json.optional_number("eta"),
        .w = json.optional_number("w"),
        .r = json.optional_number("r"),
        .p_0 = json.optional_number("p_0")};
}

void read_rcc_adhesion(SceneReader& json, SceneAdhesion& bonds)
{
    bonds.rcc = read_rcc(json);
    bonds.intensity = json.number("intensity");
    bonds.dhat_a = json.optional_number("dhat_a");
    if (!bonds.rcc.c_n)
        json.reject_value("c_n", "missing; the model 'rcc' needs the stiffness of a whole bond [Pa/m]");
    if (!bonds.rcc.w && *bonds.rcc.c_n > 0)
        json.reject_value("w", "missing; the model 'rcc' needs the energy up to which a bond stays whole [J/m²]");
    json.finish();
}

void read_adhesion(SceneReader json, SceneAdhesion& bonds)
{
    bonds.model = json.word("model") == "rcc" ? AdhesionModel::rcc : AdhesionModel::variational;
    reject_other_model(json, bonds.model);
    if (bonds.model == AdhesionModel::rcc) {
        read_rcc_adhesion(json, bonds);
        return;
    }
    bonds.strength = json.optional_number("strength");
    reject_two_strengths(json);
    bonds.critical_strain = json.number("critical_strain");
    bonds.youngs_modulus = json.optional_number("youngs_modulus");
    bonds.dhat_p = json.optional_number("dhat_p");
    bonds.dhat_a = json.optional_number("dhat_a");
    bonds.of_squared_distance = json.word("distance") == "squared";
    bonds.mu_a = json.number("mu_a");
    bonds.eps_a = json.optional_number("eps_a");
    json.finish();
}

/// Rejects what cannot be combined with the model gcp.
void check_smooth_contact(SceneReader& contact, const Scene& scene)
{
    if (scene.contact.dmin > 0)
        contact.reject_value("dmin", "the model 'gcp' keeps no distance; leave it out or take another model");
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        if (scene.objects[k].contact_thickness.value_or(0) > 0)
            reject(
                "/objects/{}/contact_thickness: the model 'gcp' keeps no distance; leave it out or take another model",
                k);
    if (contact.has("area_weighting"))
        contact.reject_value("area_weighting", "the model 'gcp' has measures of its own; leave it out");
    if (scene.contact.adhesion)
        contact.reject_value("adhesion", "there is none with the model 'gcp'; leave it out or take another model");
    for (std::size_t k = 0; k < scene.contact.pairs.size(); ++k)
        if (scene.contact.pairs[k].adhesion)
            reject(
                "{}/{}/adhesion: there is none with the model 'gcp'; leave it out or take another model",
                contact.pointer("pairs"), k);
    if (contact.word("variant") != "toolkit")
        return;
    if (!scene.planes.empty())
        contact.reject_value(
            "variant", "the toolkit's formulas know no planes; take the paper's, or an obstacle as floor");
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        if (scene.objects[k].has_loose_parts())
            reject(
                "/objects/{}/geometry: it has loose points or edges, of which the toolkit's formulas know none; "
                "take the paper's (/contact/variant)",
                k);
}

SceneSharpLength read_sharp_length(SceneReader json)
{
    const std::optional<double> length = json.optional_number("sharp");
    if (!length)
        json.reject_value("sharp", "missing; sharp features need a length [m]");
    SceneSharpLength sharp{.length = *length};
    if (const std::optional<double> degrees = json.optional_number("angle"))
        sharp.angle = *degrees * std::numbers::pi / 180;
    json.finish();
    return sharp;
}

void read_feature_length(SceneReader& contact, SceneSmoothContact& gcp)
{
    const nlohmann::json* length = contact.take("feature_length");
    if (length == nullptr || *length == "edge_length")
        return;
    if (length->is_object()) {
        if (gcp.variant == SmoothContactVariant::toolkit)
            contact.reject_value(
                "feature_length", "the toolkit's formulas have no L; leave it out or take the paper's");
        gcp.sharp_length = read_sharp_length(*contact.object("feature_length"));
        return;
    }
    if (length->is_string())
        contact.reject_value(
            "feature_length",
            fmt::format(
                R"(expected "edge_length", a length for all [m], or {{"sharp": a length [m]}}, got {})",
                length->dump()));
    gcp.feature_length = contact.optional_number("feature_length");
}

/// The keys of the model gcp.
void read_smooth_contact(SceneReader& contact, SceneSmoothContact& gcp)
{
    gcp.variant = contact.word("variant") == "toolkit" ? SmoothContactVariant::toolkit : SmoothContactVariant::paper;
    gcp.alpha_t = contact.number("alpha_t");
    // The lower ends of these two depend on other keys, within the range of the table.
    const auto above = [&](const char* name, double bound) {
        JsonObject::Range range = contact.key(name).range;
        range.above = bound;
        return contact.JsonObject::number(name, contact.key(name).fallback.get<double>(), range);
    };
    gcp.beta_t = above("beta_t", -gcp.alpha_t);
    gcp.alpha_n = contact.number("alpha_n");
    gcp.beta_n = above("beta_n", -gcp.alpha_n);
    if (!(gcp.alpha_n + gcp.beta_n > 0))
        contact.reject_value("alpha_n", "0 needs a beta_n above 0, or the test has no width");
    // An exponent that is too large is invalid input; other counts that are too large end in LimitReached.
    const SceneKey& exponent = contact.key("exponent");
    gcp.exponent = contact.JsonObject::integer("exponent", exponent.fallback.get<int>(), 0, max_scene_count);
    if (gcp.exponent > exponent.range.at_most)
        contact.reject_value(
            "exponent", fmt::format("{} is out of range; it must be {} at most", gcp.exponent, exponent.range.at_most));
    gcp.use_exterior_test = contact.boolean("exterior_test", gcp.variant == SmoothContactVariant::paper);
    gcp.use_adaptive_dhat = contact.boolean("adaptive_dhat");
    if (!gcp.use_adaptive_dhat && contact.has("adaptive_dhat_ratio"))
        contact.reject_value(
            "adaptive_dhat_ratio", "adaptive_dhat is false, so nothing uses it; leave one of them out");
    gcp.adaptive_dhat_ratio = contact.number("adaptive_dhat_ratio");
    read_feature_length(contact, gcp);
}

ScenePair read_pair(SceneReader json, AdhesionModel model)
{
    ScenePair pair{.materials = json.name_pair("materials")};
    if (std::optional<SceneReader> friction = json.object("friction")) {
        const std::optional<double> mu = friction->optional_number("mu");
        if (!mu)
            friction->reject_value("mu", "missing; friction of a pair needs a coefficient");
        pair.friction = {.mu = *mu, .mu_k = friction->optional_number("mu_k")};
        friction->finish();
    }
    if (std::optional<SceneReader> adhesion = json.object("adhesion")) {
        reject_other_model(*adhesion, model);
        pair.adhesion = {
            .critical_strain = adhesion->optional_number("critical_strain"),
            .youngs_modulus = adhesion->optional_number("youngs_modulus"),
            .strength = adhesion->optional_number("strength"),
            .mu_a = adhesion->optional_number("mu_a"),
            .rcc = read_rcc(*adhesion)};
        reject_two_strengths(*adhesion);
        adhesion->finish();
    }
    json.finish();
    if (!pair.friction && !pair.adhesion)
        reject("{}: it gives neither friction nor adhesion; give one, or leave the pair out", json.pointer());
    return pair;
}

/// Who rubs and sticks how with whom, and who does not meet at all.
void read_pairs(SceneReader& contact, Scene& scene)
{
    const AdhesionModel model = scene.contact.adhesion ? scene.contact.adhesion->model : AdhesionModel::variational;
    for (SceneReader& each : contact.objects("pairs"))
        scene.contact.pairs.push_back(read_pair(each, model));
    if (const auto wrong = wrong_material(scene))
        reject("{}/{}/materials/{}: {}", contact.pointer("pairs"), wrong->entry, wrong->side, wrong->what);
    scene.contact.ignore = contact.name_pairs("ignore");
    if (const auto wrong = wrong_group(scene))
        reject("{}/{}/{}: {}", contact.pointer("ignore"), wrong->entry, wrong->side, wrong->what);
}

/// Law and Hessian, of models that leave the choice.
void read_choices(SceneReader& json, SceneContact& contact, const ContactModel* model)
{
    const auto reject_choice = [&](const char* name, const char* others) {
        json.reject_value(
            name, fmt::format("the model '{}' leaves no choice; leave it out, or take {}", contact.model, others));
    };
    for (const char* name : {"hessian", "hessian_filter"})
        if (json.has(name) && (model == nullptr || !model->has_hessians))
            reject_choice(name, "'ipc', 'convergent_ipc' or 'gipc'");
    if (json.has("law")) {
        if (model == nullptr || model->laws.empty())
            reject_choice("law", "'ipc', 'convergent_ipc', 'ogc' or 'gipc'");
        contact.law = json.word("law");
        if (std::find(model->laws.begin(), model->laws.end(), *contact.law) == model->laws.end())
            json.reject_value(
                "law", fmt::format(
                           "'{}' is no law of the model '{}'; choose {}, or leave it out", *contact.law, contact.model,
                           fmt::join(model->laws, " or ")));
    }
    if (json.has("hessian")) {
        const std::string word = json.word("hessian");
        contact.hessian = std::find_if(hessian_words.begin(), hessian_words.end(), [&](const auto& each) {
                              return each.first == word;
                          })->second;
    }
    if (json.has("hessian_filter") && !is_analytic(contact.hessian.value_or(model->hessian_mode)))
        json.reject_value(
            "hessian_filter", "only analytic Hessians are filtered; set \"hessian\" to one, or leave this out");
    contact.hessian_filter = json.optional_number("hessian_filter");
}

} // namespace

void read_contact(SceneReader& json, Scene& scene)
{
    SceneContact& contact = scene.contact;
    const std::string model = json.word("model");
    contact.model = model;
    const ContactModel* preset = contact_models().find(model);
    contact.use_area_weighting = json.boolean("area_weighting", preset != nullptr && preset->weights_by_area);
    contact.dhat = json.optional_number("dhat");
    contact.dmin = json.number("dmin");
    contact.stiffness = json.optional_number("stiffness");
    if (std::optional<SceneReader> friction = json.object("friction")) {
        contact.mu = friction->number("mu");
        contact.mu_k = friction->optional_number("mu_k");
        contact.eps_v = friction->optional_number("eps_v");
        const bool is_anchored = friction->word("model") == "anchored";
        contact.friction_model = is_anchored ? FrictionModel::anchored : FrictionModel::smoothed;
        contact.slip = friction->optional_number("slip");
        if (contact.slip && !is_anchored)
            friction->reject_value("slip", "only the model 'anchored' has it; leave it out, or take that model");
        if (contact.eps_v && is_anchored)
            friction->reject_value(
                "eps_v", "the model 'anchored' knows no speed, but the length slip; leave it out, or give slip");
        const std::string blend = friction->word("blend");
        contact.blend = std::find_if(blend_rules.begin(), blend_rules.end(), [&](const auto& rule) {
                            return rule.first == blend;
                        })->second;
        if (friction->has("blend") && !has_own_friction(scene))
            friction->reject_value(
                "blend", "no object or plane has a material.mu that it could blend; leave it out, or give them");
        friction->finish();
    }
    if (std::optional<SceneReader> adhesion = json.object("adhesion"))
        read_adhesion(*adhesion, contact.adhesion.emplace());
    read_pairs(json, scene);
    read_choices(json, contact, preset);
    json.use_variant(model);
    if (model == "gcp") {
        check_smooth_contact(json, scene);
        read_smooth_contact(json, contact.gcp);
    } else
        for (const std::string& key : json.names_of_others())
            if (json.has(key))
                json.reject_value(key, fmt::format("only the model 'gcp' has it, and this is '{}'", model));
    json.finish();
}

} // namespace abut
