#include "abut/contact/laws/distance_law.hpp"

#include "abut/base/error.hpp"
#include "abut/base/suggest.hpp"
#include "abut/contact/laws/clamped_log_squared.hpp"
#include "abut/contact/laws/cubic.hpp"
#include "abut/contact/laws/two_stage.hpp"
#include "abut/math/lanes.hpp"

#include <algorithm>
#include <array>
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
        for_each_few(range, squared_distances, [&](std::size_t k, const LawTermOf<Lanes>& law, unsigned within) {
            for (std::size_t lane = 0; k + lane < terms.size() && lane < num_lanes; ++lane)
                terms[k + lane] = (within >> lane & 1) != 0
                                      ? LawTerm{law.value[lane], law.first[lane], law.second[lane]}
                                      : OnSquaredDistance<Law>{}(squared_distances[k + lane], range);
        });
    }
    void evaluate_values(
        const ContactRange& range, std::span<const double> squared_distances, std::span<double> values) const override
    {
        ABUT_ASSERT(values.size() == squared_distances.size());
        for_each_few(range, squared_distances, [&](std::size_t k, const LawTermOf<Lanes>& law, unsigned within) {
            if (within == (1u << num_lanes) - 1 && k + num_lanes <= values.size())
                return store_lanes(law.value, values.data() + k);
            for (std::size_t lane = 0; k + lane < values.size() && lane < num_lanes; ++lane)
                values[k + lane] = (within >> lane & 1) != 0
                                       ? law.value[lane]
                                       : OnSquaredDistance<Law>{}(squared_distances[k + lane], range).value;
        });
    }
    [[nodiscard]] double unit(const ContactRange& range) const override { return OnSquaredDistance<Law>{}.unit(range); }
    [[nodiscard]] DistanceKind distance_kind() const override { return DistanceKind::squared; }
    [[nodiscard]] std::string name() const override { return OnSquaredDistance<Law>{}.name(); }

private:
    /// Calls visit(k, law, within) with the law of pairs k, k + 1, ... and a bit for each lane where it holds.
    template <typename Visit>
    static void for_each_few(const ContactRange& range, std::span<const double> squared_distances, Visit&& visit)
    {
        const double x_hat = OnSquaredDistance<Law>::extent(range);
        for (std::size_t k = 0; k < squared_distances.size(); k += num_lanes) {
            const std::size_t count = std::min<std::size_t>(num_lanes, squared_distances.size() - k);
            Lanes squared = broadcast(squared_distances[k]); // idle lanes repeat the first
            if (count == num_lanes)
                squared = load_lanes(squared_distances.data() + k);
            else
                for (std::size_t lane = 1; lane < count; ++lane)
                    squared[lane] = squared_distances[k + lane];
            const Lanes x = squared - range.dmin * range.dmin, ratio = x_hat / x;
            const LaneMask is_within = (ratio > 1) & (ratio < 1e300) & (x < x_hat);
            visit(k, Law::within(x, x_hat, ratio, -log(is_within ? ratio : broadcast(1))), bits_of(is_within));
        }
    }
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

void NormalLaw::evaluate_values(
    const ContactRange& range, std::span<const double> squared_distances, std::span<double> values) const
{
    ABUT_ASSERT(values.size() == squared_distances.size());
    constexpr std::size_t most = 64;
    std::array<LawTerm, most> terms;
    for (std::size_t k = 0; k < values.size(); k += most) {
        const std::size_t count = std::min(most, values.size() - k);
        evaluate(range, squared_distances.subspan(k, count), {terms.data(), count});
        for (std::size_t i = 0; i < count; ++i)
            values[k + i] = terms[i].value;
    }
}

std::shared_ptr<const NormalLaw> normal_law(const std::string& name, DistanceKind kind)
{
    return find<ClampedLog, NormalizedClampedLog, ClampedLogSquared, Cubic, TwoStage>(name, kind);
}

} // namespace abut
