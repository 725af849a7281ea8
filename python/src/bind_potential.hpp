#pragma once
// What potentials have in common in Python: functions of collisions, their mesh, and positions or velocities.

#include "collision_set.hpp"
#include "hessian_cache.hpp"

namespace abut::python {

/// Defines the stiffness as a property: setting it changes a copy, so that calls under way in other threads go on with
/// the potential that they began with.
template <typename Self, typename... More>
void def_stiffness_of(Class<Self, More...>& type)
{
    type.def_property(
        "stiffness", [](const Self& self) { return self.get().stiffness(); },
        [](Self& self, double stiffness) {
            auto changed = self.get();
            changed.set_stiffness(stiffness);
            self = Self(std::move(changed));
        },
        "κ, > 0. May be set.");
}

/// Defines evaluations of a potential over sets of collisions, in parallel and without the interpreter lock. Python
/// holds the potential itself, or a copy to be shared by calls, as `potential`.
template <typename Self, typename Set>
class Evaluations {
public:
    /// `at`: the name of the argument that they are evaluated at.
    Evaluations(Class<Self>& type, const char* at) : type_(type), at_(at) {}

    /// method(potential, collisions, mesh, x).
    template <typename Method>
    void def(const char* name, const char* doc, Method method)
    {
        type_.def(
            name, "collisions"_a, "mesh"_a, py::arg(at_), doc,
            [method](const Self& self, const Shared& collisions, const CollisionMesh& mesh, const Positions& x) {
                const auto set = collisions.for_mesh(mesh);
                const auto potential = held(self);
                return to_python(without_gil([&] { return std::invoke(method, *potential, *set, mesh, x); }));
            });
    }

    void def_hessian(py::module_& m, const std::string& doc)
    {
        type_.def(
            "hessian", "collisions"_a, "mesh"_a, py::arg(at_),
            py::arg_v("project_hessian_to_psd", m.attr("PSDProjectionMethod").attr("NONE"), "PSDProjectionMethod.NONE"),
            py::kw_only(), "cache"_a = py::none(), doc + R"(

project_hessian_to_psd: a PSDProjectionMethod, applied to each term before they are added.
cache: a HessianCache, which saves the sorting of terms while the collisions stay the same.)",
            [](const Self& self, const Shared& collisions, const CollisionMesh& mesh, const Positions& x,
               PSDProjectionMethod projection, SharedCache* cache) {
                const auto set = collisions.for_mesh(mesh);
                const auto potential = held(self);
                SharedCache own(nullptr);
                return (cache == nullptr ? own : *cache).use([&](HessianCache& used) {
                    potential->hessian(*set, mesh, x, projection, used);
                });
            });
    }

private:
    using Shared = SharedCollisions<Set>;

    static auto held(const Self& self)
    {
        if constexpr (requires { self.potential; })
            return self.potential;
        else
            return &self;
    }

    Class<Self>& type_;
    const char* at_;
};

} // namespace abut::python
