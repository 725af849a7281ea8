// The Geometric Contact Potential: Huang et al., "Geometric Contact Potential", 2025.

#include "abut/base/error.hpp"
#include "abut/contact/gcp/smooth_stiffness.hpp"
#include "abut/sim/contact_model.hpp"

#include <algorithm>

namespace abut {

namespace {

SmoothContactParameters smooth_parameters(const SceneContact& contact, double dhat)
{
    const SceneSmoothContact& gcp = contact.gcp;
    try {
        SmoothContactParameters params(dhat, gcp.alpha_t, gcp.beta_t, gcp.alpha_n, gcp.beta_n, gcp.exponent);
        params.variant = gcp.variant;
        params.use_exterior_test = gcp.use_exterior_test.value_or(gcp.variant == SmoothContactVariant::paper);
        params.set_adaptive_dhat_ratio(gcp.adaptive_dhat_ratio);
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

/// What GCP cannot do.
void check_smooth_contact(const Scene& scene)
{
    const SceneContact& contact = scene.contact;
    if (contact.dmin != 0)
        reject(
            "contact.dmin: {} m, but the model 'gcp' keeps no distance; leave it out or take another model",
            contact.dmin);
    if (contact.use_area_weighting)
        reject("contact.use_area_weighting: the model 'gcp' has measures of its own; leave it out");
    if (contact.adhesion)
        reject("contact.adhesion: there is none with the model 'gcp'; leave it out or take another model");
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
    model.energy = [](const Model& of) {
        return SmoothContactOptions{
            .params = smooth_parameters(of.scene.contact, of.parameters.dhat),
            .stiffness = of.parameters.stiffness,
            .use_adaptive_dhat = of.scene.contact.gcp.use_adaptive_dhat};
    };
    model.suggest_stiffness = suggest;
    model.check = check_smooth_contact;
    model.explain_failure = explain_failure;
    return model;
}

} // namespace abut
