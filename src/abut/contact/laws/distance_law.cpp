#include "abut/contact/laws/distance_law.hpp"

#include "abut/base/error.hpp"
#include "abut/base/suggest.hpp"
#include "abut/contact/laws/clamped_log_squared.hpp"
#include "abut/contact/laws/cubic.hpp"
#include "abut/contact/laws/two_stage.hpp"
#include "abut/math/lanes.hpp"

#include <algorithm>
#include <vector>

namespace abut {

namespace {

/// A logarithmic law of the squared distance, for a few pairs at once: Law::within() in lanes, and Law itself for pairs
/// at contact, beyond the range, or so near that x̂ / x is no number for lanes. A pair's bits do not depend on those
/// beside it.
template <typename Law>
class LaneLaw final : public NormalLaw {
public:
    void evaluate(
        const ContactRange& range, std::span<const double> squared_distances, std::span<LawTerm> terms) const override
    {
        ABUT_ASSERT(terms.size() == squared_distances.size());
        const double x_hat = OnSquaredDistance<Law>::extent(range);
        for (std::size_t begin = 0; begin < terms.size(); begin += num_lanes) {
            const std::size_t count = std::min<std::size_t>(num_lanes, terms.size() - begin);
            Lanes squared = broadcast(squared_distances[begin]); // idle lanes repeat the first
            if (count == num_lanes)
                squared = load_lanes(squared_distances.data() + begin);
            else
                for (std::size_t lane = 1; lane < count; ++lane)
                    squared[lane] = squared_distances[begin + lane];
            const Lanes x = squared - range.dmin * range.dmin, ratio = x_hat / x;
            const auto is_within = (ratio > 1) & (ratio < 1e300) & (x < x_hat);
            const LawTermOf<Lanes> law = Law::within(x, x_hat, ratio, -log(is_within ? ratio : broadcast(1)));
            for (std::size_t lane = 0; lane < count; ++lane)
                terms[begin + lane] = is_within[lane] != 0
                                          ? LawTerm{law.value[lane], law.first[lane], law.second[lane]}
                                          : OnSquaredDistance<Law>{}(squared_distances[begin + lane], range);
        }
    }
    [[nodiscard]] double unit(const ContactRange& range) const override { return OnSquaredDistance<Law>{}.unit(range); }
    [[nodiscard]] DistanceKind distance_kind() const override { return DistanceKind::squared; }
    [[nodiscard]] std::string name() const override { return OnSquaredDistance<Law>{}.name(); }
};

using Maker = std::shared_ptr<const NormalLaw> (*)(DistanceKind);

template <typename Law>
std::shared_ptr<const NormalLaw> make(DistanceKind kind)
{
    if (kind == DistanceKind::plain)
        return make_normal_law(OnDistance<Law>{});
    if constexpr (requires(Lanes x) { Law::within(x, 1.0, x, x); })
        return std::make_shared<LaneLaw<Law>>();
    else
        return make_normal_law(OnSquaredDistance<Law>{});
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
