#include "abut/sim/contact_model.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace abut {

Registry<ContactModel>& contact_models()
{
    static Registry<ContactModel> all(
        {{"ipc", ipc_model()},
         {"convergent_ipc", convergent_ipc_model()},
         {"ogc", ogc_model()},
         {"gipc", gipc_model()},
         {"gcp", gcp_model()}});
    return all;
}

namespace {

/// Of scenes that were not read from a file, which would say it sooner.
void check_choices(const Scene& scene)
{
    const SceneContact& contact = scene.contact;
    const ContactModel& model = contact_models().at(contact.model, "contact.model");
    if (!model.has_hessians && (contact.hessian || contact.hessian_filter))
        reject("contact: the model '{}' has its own Hessian; leave out hessian and hessian_filter", contact.model);
    if (contact.law && std::find(model.laws.begin(), model.laws.end(), *contact.law) == model.laws.end())
        reject(
            "contact.law: '{}' is not a law of the model '{}'; {}", *contact.law, contact.model,
            model.laws.empty() ? "leave it out" : fmt::format("choose one of {}", fmt::join(model.laws, ", ")));
    if (contact.hessian_filter && !is_analytic(contact.hessian.value_or(model.hessian_mode)))
        reject("contact.hessian_filter: only the analytic Hessians are filtered; set contact.hessian to one, or leave "
               "it out");
}

/// Of scenes that leave it open: a cap lets steps overshoot where pairs come to rest below it
/// (docs/decisions/0025-no-filter.md).
constexpr double no_filter = 0;

/// Where a barrier shall be as stiff as what presses on it, as a share of dhat. The squared logarithm is flat near dhat
/// and steep below; at half of dhat its stiffness would be a quarter of the logarithm's, which lets gaps become tiny.
double gap_of_balance(std::string_view law) { return law == "clamped_log_squared" ? 0.8 : 0.5; }

} // namespace

ContactModel barrier_model(const BarrierModel& options)
{
    const auto law_of = [name = options.law, distance = options.distance](const SceneContact& contact) {
        return normal_law(contact.law.value_or(name), distance);
    };
    ContactModel model;
    model.summary = options.summary;
    model.reach = options.reach;
    model.guard = options.guard;
    model.hessian_mode = options.hessian_mode;
    model.laws = options.laws;
    model.has_hessians = options.has_hessians;
    model.check = check_choices;
    model.weights_by_area = options.weights_by_area;
    model.energy = [law_of, set_type = options.set_type, mode = options.hessian_mode](const Model& of) {
        const SceneContact& contact = of.scene.contact;
        return BarrierContactOptions{
            .set =
                {.dhat = of.parameters.dhat,
                 .dmin = contact.dmin,
                 .set_type = set_type,
                 .use_area_weighting = contact.use_area_weighting},
            .barrier = {
                .dhat = of.parameters.dhat,
                .stiffness = of.parameters.stiffness,
                .law = law_of(contact),
                .hessian_mode = contact.hessian.value_or(mode),
                .hessian_filter = contact.hessian_filter.value_or(no_filter)}};
    };
    model.suggest_stiffness = [law_of, name = options.law](const Model& of, const BodyMeasures& bodies, double dhat) {
        const bool is_weighted = of.scene.contact.use_area_weighting && bodies.surface_vertices > 0;
        return suggest_stiffness(
            {.dhat = dhat,
             .dmin = of.scene.contact.dmin,
             .mass = of.mean_mass(),
             .dt = of.scene.time.dt,
             .youngs_modulus = bodies.hardest_modulus,
             .edge_length = bodies.hardest_length,
             .weight = is_weighted ? bodies.surface / bodies.surface_vertices : 1,
             .gap = gap_of_balance(of.scene.contact.law.value_or(name)),
             .law = law_of(of.scene.contact)});
    };
    return model;
}

} // namespace abut
