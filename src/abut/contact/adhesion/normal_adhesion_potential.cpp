#include "abut/contact/adhesion/normal_adhesion_potential.hpp"

#include "abut/base/error.hpp"
#include "abut/contact/laws/adhesion.hpp"

#include <cmath>

namespace abut {

namespace {

void require_positive(double value, const char* name)
{
    if (!(value > 0 && std::isfinite(value)))
        reject("{}: {} is not a positive number", name, value);
}

std::shared_ptr<const NormalLaw> law_of(const NormalAdhesionOptions& options)
{
    require_positive(options.dhat_p, "dhat_p");
    require_positive(options.dhat_a, "dhat_a");
    require_positive(options.youngs_modulus, "youngs_modulus");
    require_positive(options.critical_strain, "critical_strain");
    if (!(options.dhat_p < options.dhat_a))
        reject("dhat_p: {} is not below dhat_a, which is {}", options.dhat_p, options.dhat_a);
    const AdhesionParameters parameters{options.dhat_p, options.youngs_modulus, options.critical_strain};
    if (options.distance == DistanceKind::plain)
        return make_normal_law(AdhesionOnDistance{parameters});
    return make_normal_law(AdhesionOnSquaredDistance{parameters});
}

} // namespace

NormalAdhesionPotential::NormalAdhesionPotential(const NormalAdhesionOptions& options)
    : NormalPotential(law_of(options), options.dhat_a, options.hessian_mode), options_(options)
{}

} // namespace abut
