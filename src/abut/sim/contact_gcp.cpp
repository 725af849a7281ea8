// The Geometric Contact Potential: Huang et al., "Geometric Contact Potential", 2025.

#include "abut/base/error.hpp"
#include "abut/contact/gcp/sharp_lengths.hpp"
#include "abut/contact/gcp/smooth_stiffness.hpp"
#include "abut/sim/contact_materials.hpp"
#include "abut/sim/contact_model.hpp"

#include <algorithm>
#include <numbers>

namespace abut {

namespace {

/// On smooth parts of the surface.
SmoothContactParameters smooth_parameters(const SceneContact& contact, double dhat)
{
    const SceneSmoothContact& gcp = contact.gcp;
    try {
        SmoothContactParameters params{
            .dhat = dhat,
            .alpha_t = gcp.alpha_t,
            .beta_t = gcp.beta_t,
            .alpha_n = gcp.alpha_n,
            .beta_n = gcp.beta_n,
            .r = gcp.exponent,
            .variant = gcp.variant,
            .use_exterior_test = gcp.use_exterior_test.value_or(gcp.variant == SmoothContactVariant::paper)};
        params.validate();
        if (!(gcp.adaptive_dhat_ratio > 0 && gcp.adaptive_dhat_ratio < 1))
            reject("adaptive_dhat_ratio: {} is not between 0 and 1", gcp.adaptive_dhat_ratio);
        if (gcp.feature_length) {
            require_positive(*gcp.feature_length, "feature_length");
            params.feature_length = FeatureLength::constant;
            params.constant_length = *gcp.feature_length;
        }
        return params;
    } catch (const InvalidInput& error) {
        reject("contact.gcp.{}", error.what());
    }
}

void check_sharp_length(const SceneSharpLength& sharp, SmoothContactVariant variant)
{
    if (variant == SmoothContactVariant::toolkit)
        reject("contact.gcp.sharp_length: the toolkit's formulas have no L; leave it out or take the paper's");
    require_positive(sharp.length, "contact.gcp.sharp_length.length");
    if (sharp.angle && !(*sharp.angle > 0 && *sharp.angle < std::numbers::pi))
        reject("contact.gcp.sharp_length.angle: {} is not between 0 and pi [rad]", *sharp.angle);
}

/// What GCP cannot do.
void check_smooth_contact(const Scene& scene)
{
    const SceneContact& contact = scene.contact;
    if (contact.dmin != 0)
        reject(
            "contact.dmin: {} m, but the model 'gcp' keeps no distance; leave it out or take another model",
            contact.dmin);
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        if (scene.objects[k].contact_thickness.value_or(0) > 0)
            reject(
                "{}: {} m, but the model 'gcp' keeps no distance; leave it out or take another model",
                field_of_object(k, "contact_thickness"), *scene.objects[k].contact_thickness);
    if (contact.use_area_weighting)
        reject("contact.use_area_weighting: the model 'gcp' has measures of its own; leave it out");
    if (contact.adhesion)
        reject("contact.adhesion: there is none with the model 'gcp'; leave it out or take another model");
    if (has_sticky_pair(scene))
        reject("contact.pairs: there is no adhesion with the model 'gcp'; leave it out or take another model");
    if (contact.gcp.sharp_length)
        check_sharp_length(*contact.gcp.sharp_length, contact.gcp.variant);
    if (contact.gcp.variant == SmoothContactVariant::paper)
        return;
    if (!scene.planes.empty())
        reject("contact.gcp.variant: the toolkit's formulas know no planes; take the paper's, or an obstacle as floor");
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
        if (scene.objects[k].has_loose_parts())
            reject(
                "{}: the toolkit's formulas of GCP know no loose points, and in space no loose edges; take the paper's",
                field_of_object(k, "geometry"));
}

StiffnessSuggestion suggest(const Model& model, const BodyMeasures& bodies, double dhat)
{
    // Loose points have the size dhat.
    const double length = bodies.num_edges > 0 ? bodies.edges_length / static_cast<double>(bodies.num_edges) : dhat;
    return suggest_smooth_stiffness(
        {.params = smooth_parameters(model.scene.contact, dhat),
         .dim = model.dim(),
         .feature_length = length,
         .mass = model.mean_mass(),
         .dt = model.scene.time.dt,
         .youngs_modulus = bodies.hardest_modulus,
         .edge_length = bodies.hardest_length});
}

SharpFeatures features_of(const Model& model, const SceneSharpLength& sharp)
{
    return sharp_features(*model.mesh, sharp.angle.value_or(default_sharp_angle));
}

SmoothContactParameters parameters_of(const Model& model)
{
    SmoothContactParameters params = smooth_parameters(model.scene.contact, model.parameters.dhat);
    if (const auto& sharp = model.scene.contact.gcp.sharp_length)
        params = with_sharp_length(params, *model.mesh, features_of(model, *sharp), sharp->length);
    return params;
}

/// Says which features were found.
void explain_features(Model& model)
{
    const auto& sharp = model.scene.contact.gcp.sharp_length;
    if (!sharp)
        return;
    const SharpFeatures found = features_of(model, *sharp);
    const double degrees = sharp->angle.value_or(default_sharp_angle) * 180 / std::numbers::pi;
    if (!sharp->angle)
        model.choices.push_back(
            {"contact.feature_length.angle", std::round(degrees),
             fmt::format(
                 "the usual limit of sharp features, in degrees; {} edges and {} corners are sharper",
                 found.edges.size(), found.corners.size())});
    if (found.edges.empty() && found.corners.empty())
        model.warnings.push_back(fmt::format(
            "contact.feature_length: nothing of the surface turns by more than {:.4g} degrees, so that no L is kept; "
            "lower contact.feature_length.angle, or leave it out",
            degrees));
}

/// Everything is kept from passing, but not everything has a barrier.
std::string explain_failure(const Model& model, double nearest, double pressed)
{
    if (!(nearest < 1e-4 * std::min(model.parameters.dhat, pressed)))
        return "";
    return fmt::format(
        "elements {:.3g} m apart have no barrier: GCP gives none to what is inside of a closed body, unless "
        "contact.exterior_test is false, and none where their distance is no local minimum; another contact.model "
        "gives one to all",
        nearest);
}

} // namespace

ContactModel gcp_model()
{
    ContactModel model;
    model.summary =
        "the geometric contact potential, which tells contact from nearness, continuous collision detection";
    // Edges of a collapsing triangle are near each other, but at no local minimum of their distance.
    model.shell_model = ElasticModel::neo_hookean;
    model.keeps_distance = false;
    model.pairs_curve_vertices = false; // it needs no help where edges are parallel
    model.energy = [](const Model& of) {
        const SceneSmoothContact& gcp = of.scene.contact.gcp;
        return SmoothContactOptions{
            .params = parameters_of(of),
            .stiffness = of.parameters.stiffness,
            .adaptive_ratio = gcp.use_adaptive_dhat ? std::optional(gcp.adaptive_dhat_ratio) : std::nullopt};
    };
    model.suggest_stiffness = suggest;
    model.check = check_smooth_contact;
    model.explain = explain_features;
    model.explain_failure = explain_failure;
    return model;
}

} // namespace abut
