#include "abut/contact/laws/distance_law.hpp"

#include "abut/base/error.hpp"
#include "abut/base/suggest.hpp"
#include "abut/contact/laws/clamped_log_squared.hpp"
#include "abut/contact/laws/cubic.hpp"
#include "abut/contact/laws/two_stage.hpp"

#include <vector>

namespace abut {

namespace {

using Maker = std::shared_ptr<const NormalLaw> (*)(DistanceKind);

template <typename Law>
std::shared_ptr<const NormalLaw> make(DistanceKind kind)
{
    return kind == DistanceKind::plain ? make_normal_law(OnDistance<Law>{}) : make_normal_law(OnSquaredDistance<Law>{});
}

template <typename... Laws>
std::shared_ptr<const NormalLaw> find(const std::string& name, DistanceKind kind)
{
    std::shared_ptr<const NormalLaw> found;
    ((name == Laws::name ? void(found = make<Laws>(kind)) : void()), ...);
    if (found)
        return found;
    const std::vector<std::string> names{std::string(Laws::name)...};
    const std::string near = nearest_word(name, names);
    reject(
        "law: '{}' is not one of {}{}", name, fmt::join(names, ", "),
        near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

} // namespace

std::shared_ptr<const NormalLaw> normal_law(const std::string& name, DistanceKind kind)
{
    return find<ClampedLog, NormalizedClampedLog, ClampedLogSquared, Cubic, TwoStage>(name, kind);
}

} // namespace abut
