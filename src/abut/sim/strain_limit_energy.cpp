// Limits to the stretch of shells as an energy of a simulation.

#include "abut/base/error.hpp"
#include "abut/base/parallel.hpp"
#include "abut/elastic/strain_limit.hpp"
#include "abut/sim/energy_kinds.hpp"

namespace abut {

namespace {

class StrainLimitTerms final : public Terms {
public:
    explicit StrainLimitTerms(StrainLimit limits) : limits_(std::move(limits)) {}
    [[nodiscard]] const Stencils& stencils() const override { return limits_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { limits_.evaluate(x.vertices(), out); }

private:
    StrainLimit limits_;
};

class StrainLimitEnergy final : public Energy {
public:
    StrainLimitEnergy(const Model& model, StrainLimit limits) : model_(model), limits_(std::move(limits)) {}

    [[nodiscard]] std::string_view name() const override { return "strain limits"; }
    [[nodiscard]] const Stencils& stencils() const override { return limits_.stencils(); }
    void evaluate(const Unknowns& x, const TermOutput& out) const override { limits_.evaluate(x.vertices(), out); }
    [[nodiscard]] std::unique_ptr<Terms> subset(std::span<const int> terms) const override
    {
        return std::make_unique<StrainLimitTerms>(limits_.subset(terms));
    }
    [[nodiscard]] double limit_step(const Unknowns& x, const Unknowns& dx) const override
    {
        return limits_.largest_step_within(x.vertices(), dx.vertices());
    }
    [[nodiscard]] bool limits_terms() const override { return true; }
    void
    limit_terms(const Unknowns& x, const Unknowns& dx, std::span<const int> terms, std::span<double> t) const override
    {
        constexpr std::size_t per_task = 128;
        parallel_for(terms.size(), per_task, [&](std::size_t k) {
            t[k] = limits_.step_within_of(terms[k], x.vertices(), dx.vertices());
        });
    }

    /// Steps end within the limit; a state from elsewhere may not.
    void begin_step(const State& start, double /*dt*/) override
    {
        if (const std::optional<std::size_t> beyond = limits_.first_beyond(start.x))
            throw InvalidStart(fmt::format(
                "{} is stretched by {:.6g} before the step, and material.strain_limit.stretch of '{}' is {:.6g}; start "
                "within the limit, or raise it",
                model_.names->element("triangle", limits_.stencils()[*beyond]),
                limits_.largest_stretch(start.x, *beyond),
                model_.scene.objects[model_.names->object_of(limits_.stencils()[*beyond][0])].name,
                limits_.limit(*beyond).stretch));
    }

private:
    const Model& model_;
    StrainLimit limits_;
};

void validate_limit_of(const SceneObject& object, std::size_t k)
{
    const SceneStrainLimit& given = *object.strain_limit;
    const auto field = [&](const char* name) { return field_of_object(k, "strain_limit") + "." + name; };
    if (!(given.from >= 1 && given.from < given.stretch))
        reject("{}: {} is not in [1, {}), from the rest length to the limit", field("from"), given.from, given.stretch);
    if (!(given.stretch - given.from >= 1e-6))
        reject(
            "{}: {} is less than a millionth above from = {}, which numbers cannot tell from it; make room between "
            "them",
            field("stretch"), given.stretch, given.from);
    require_positive(stretch_limit(object).stiffness, field("stiffness"));
}

} // namespace

StretchLimit stretch_limit(const SceneObject& object)
{
    const SceneStrainLimit& given = *object.strain_limit;
    return {
        .stretch = given.stretch, .from = given.from, .stiffness = given.stiffness.value_or(object.stiffest_modulus())};
}

std::vector<std::unique_ptr<Energy>> make_strain_limits(const Model& model)
{
    Eigen::Index count = 0;
    const auto is_limited = [](const SceneObject& object) {
        return object.kind == ObjectKind::shell && object.strain_limit;
    };
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        if (object.strain_limit && !is_limited(object))
            reject("{}: '{}' is no shell; leave it out", field_of_object(k, "strain_limit"), object.name);
        count += is_limited(object) ? object.mesh.faces.rows() : 0;
    }
    std::vector<std::unique_ptr<Energy>> energies;
    if (count == 0)
        return energies;
    Elements faces(count, 3);
    StrainLimitOptions options;
    Eigen::Index end = 0;
    for (std::size_t k = 0; k < model.scene.objects.size(); ++k) {
        const SceneObject& object = model.scene.objects[k];
        if (!is_limited(object))
            continue;
        faces.middleRows(end, object.mesh.faces.rows()) = object.mesh.faces.array() + model.object_starts[k];
        end += object.mesh.faces.rows();
        validate_limit_of(object, k);
        options.limits.resize(end, stretch_limit(object));
        options.thickness.resize(end, object.thickness);
    }
    energies.push_back(std::make_unique<StrainLimitEnergy>(model, StrainLimit(model.rest, faces, options)));
    return energies;
}

} // namespace abut
