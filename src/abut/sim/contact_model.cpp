#include "abut/sim/contact_model.hpp"

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

ContactModel barrier_model(const BarrierModel& options)
{
    const std::shared_ptr<const NormalLaw> law = normal_law(options.law, options.distance);
    ContactModel model;
    model.summary = options.summary;
    model.reach = options.reach;
    model.guard = options.guard;
    model.hessian_mode = options.hessian_mode;
    model.weights_by_area = options.weights_by_area;
    model.energy = [law, set_type = options.set_type, mode = options.hessian_mode](const Model& of) {
        const SceneContact& contact = of.scene.contact;
        return BarrierContactOptions{
            .set =
                {.dhat = of.parameters.dhat,
                 .dmin = contact.dmin,
                 .set_type = set_type,
                 .use_area_weighting = contact.use_area_weighting},
            .barrier = {
                .dhat = of.parameters.dhat, .stiffness = of.parameters.stiffness, .law = law, .hessian_mode = mode}};
    };
    model.suggest_stiffness = [law](const Model& of, const BodyMeasures& bodies, double dhat) {
        const bool is_weighted = of.scene.contact.use_area_weighting && bodies.surface_vertices > 0;
        return suggest_stiffness(
            {.dhat = dhat,
             .dmin = of.scene.contact.dmin,
             .mass = of.mean_mass(),
             .dt = of.scene.time.dt,
             .youngs_modulus = bodies.hardest_modulus,
             .edge_length = bodies.hardest_length,
             .weight = is_weighted ? bodies.surface / bodies.surface_vertices : 1,
             .law = law});
    };
    return model;
}

} // namespace abut
