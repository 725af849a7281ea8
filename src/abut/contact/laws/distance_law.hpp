#pragma once
// Scalar laws applied to pairs: which distance a law sees is part of its type, and every derivative that leaves here is
// by the squared distance D, which is what geometry differentiates.
//
//   OnSquaredDistance<Law>   x = D − dmin²,    x̂ = (2 dmin + dhat) dhat   (IPC and its descendants)
//   OnDistance<Law>          x = √D − dmin,    x̂ = dhat                   (as papers on cubic and two-stage laws do)
//
// A law of your own is any type with `LawTerm operator()(double x, double x_hat)`, `double unit(double x_hat)` and
// `name`; it must be 0 with zero slope at x >= x_hat. make_normal_law(OnDistance<MyLaw>{...}) makes it a NormalLaw.

#include "abut/base/assert.hpp"
#include "abut/contact/laws/law_term.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace abut {

/// From which distance on a pair acts: dmin + dhat, and the distance dmin that it never goes below.
struct ContactRange {
    double dhat;     ///< thickness of the layer in which the law acts [m], > 0
    double dmin = 0; ///< smallest distance, e.g. the thickness of cloth [m], >= 0

    /// Is a pair of this squared distance closer than dmin + dhat?
    [[nodiscard]] bool reaches(double squared_distance) const
    {
        return squared_distance < (dmin + dhat) * (dmin + dhat);
    }
};

enum class DistanceKind : std::uint8_t { plain, squared };

template <typename Law>
struct OnSquaredDistance {
    Law law{};

    static constexpr DistanceKind distance_kind = DistanceKind::squared;
    [[nodiscard]] std::string name() const { return std::string(Law::name) + " of the squared distance"; }

    static double extent(const ContactRange& range) { return (2 * range.dmin + range.dhat) * range.dhat; }
    [[nodiscard]] double unit(const ContactRange& range) const { return law.unit(extent(range)); }

    LawTerm operator()(double squared_distance, const ContactRange& range) const
    {
        return law(squared_distance - range.dmin * range.dmin, extent(range));
    }
};

/// A law's derivatives by the distance d, as derivatives by D = d²: dd/dD = 1 / 2d, d²d/dD² = −1 / 4d³.
inline LawTerm by_squared_distance(const LawTerm& b, double d)
{
    const double d_D = 0.5 / d;
    return {b.value, b.first * d_D, (b.second - b.first / d) * d_D * d_D};
}

/// The law of a gap, by the square of the gap, as one of the distance that is larger by an offset: D = (√G + offset)²,
/// dG/dD = (d − offset) / d, d²G/dD² = offset / 2d³.
inline LawTerm at_offset(const LawTerm& b, double squared_distance, double offset)
{
    if (offset == 0)
        return b;
    const double d = std::sqrt(squared_distance), G_D = (d - offset) / d;
    return {b.value, b.first * G_D, b.second * G_D * G_D + b.first * offset / (2 * d * squared_distance)};
}

template <typename Law>
struct OnDistance {
    Law law{};

    static constexpr DistanceKind distance_kind = DistanceKind::plain;
    [[nodiscard]] std::string name() const { return std::string(Law::name) + " of the distance"; }

    static double extent(const ContactRange& range) { return range.dhat; }
    [[nodiscard]] double unit(const ContactRange& range) const { return law.unit(extent(range)); }

    LawTerm operator()(double squared_distance, const ContactRange& range) const
    {
        const double d = std::sqrt(squared_distance);
        return by_squared_distance(law(d - range.dmin, extent(range)), d);
    }
};

/// A law for whole batches of pairs: one virtual call a batch.
class NormalLaw {
public:
    virtual ~NormalLaw() = default;

    /// terms[k] = the law at squared_distances[k] [m²], with its derivatives by the squared distance.
    virtual void
    evaluate(const ContactRange& range, std::span<const double> squared_distances, std::span<LawTerm> terms) const = 0;

    /// values[k] = the value of evaluate()'s terms[k], to the last bit.
    virtual void evaluate_values(
        const ContactRange& range, std::span<const double> squared_distances, std::span<double> values) const;

    /// The unit of its value for this range, by which a physical barrier is divided.
    [[nodiscard]] virtual double unit(const ContactRange& range) const = 0;
    [[nodiscard]] virtual DistanceKind distance_kind() const = 0;
    [[nodiscard]] virtual std::string name() const = 0;

    /// May several threads evaluate it at once?
    [[nodiscard]] virtual bool is_concurrent() const { return true; }

    /// The law at one squared distance.
    [[nodiscard]] LawTerm operator()(double squared_distance, const ContactRange& range) const
    {
        LawTerm term;
        evaluate(range, {&squared_distance, 1}, {&term, 1});
        return term;
    }
};

template <typename DistanceLaw>
class BatchedLaw final : public NormalLaw {
public:
    explicit BatchedLaw(DistanceLaw law) : law_(std::move(law)) {}

    void evaluate(
        const ContactRange& range, std::span<const double> squared_distances, std::span<LawTerm> terms) const override
    {
        ABUT_ASSERT(terms.size() == squared_distances.size());
        for (std::size_t k = 0; k < squared_distances.size(); ++k)
            terms[k] = law_(squared_distances[k], range);
    }
    [[nodiscard]] double unit(const ContactRange& range) const override { return law_.unit(range); }
    [[nodiscard]] DistanceKind distance_kind() const override { return DistanceLaw::distance_kind; }
    [[nodiscard]] std::string name() const override { return law_.name(); }

private:
    DistanceLaw law_;
};

template <typename DistanceLaw>
std::shared_ptr<const NormalLaw> make_normal_law(DistanceLaw law)
{
    return std::make_shared<BatchedLaw<DistanceLaw>>(std::move(law));
}

/// One of Abut's laws by name: clamped_log, normalized_clamped_log, clamped_log_squared, cubic, two_stage. Rejects
/// other names with a suggestion.
[[nodiscard]] std::shared_ptr<const NormalLaw>
normal_law(const std::string& name, DistanceKind kind = DistanceKind::squared);

} // namespace abut
