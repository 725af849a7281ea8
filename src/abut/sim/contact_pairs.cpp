#include "abut/sim/contact_pairs.hpp"

#include <fmt/format.h>

namespace abut {

namespace {

/// Of the detection. Newton's steps shrink quickly, and what is near is found again at every one of them, so that it
/// pays to search rarely; a wide search brings little more, for boxes of elements longer than dhat overlap anyway.
constexpr double slack = 1;
/// Frozen lists reach far beyond dhat as it is, and are found a few times a step: searching less far costs less.
constexpr double slack_of_frozen = 0.25;

/// How far vertices may go from where a list was found: half of what it reaches beyond dhat. Until then every pair
/// closer than dhat is in it.
double reach_of(const ContactPairsOptions& options) { return (options.range - options.dmin - options.dhat) / 2; }

double longest_move(const TrustRegion& region, const Positions& X)
{
    return (X - region.centers()).rowwise().norm().maxCoeff();
}

} // namespace

ContactPairs::ContactPairs(const SurfaceMap& map, const ContactPairsOptions& options) : map_(map), options_(options)
{
    ABUT_ASSERT(options.range >= options.dmin + options.dhat);
    base_ = new_list();
    if (!is_frozen())
        return;
    tried_ = new_list();
    here_.emplace(base_->detection.sharing());
}

std::unique_ptr<ContactPairs::List> ContactPairs::new_list() const
{
    // All places are near each other: those of a solve, and that of the end of a step.
    auto list = std::make_unique<List>(List{
        .detection =
            base_ ? base_->detection.sharing()
                  : Detection(map_.mesh(), {.range = options_.range, .slack = is_frozen() ? slack_of_frozen : slack}),
        .region = {}});
    if (options_.region)
        list->region.emplace(map_.mesh(), *options_.region);
    return list;
}

void ContactPairs::find(const Positions& X, List& list)
{
    list.detection.update(X);
    if (list.region)
        list.region->update(list.detection, X);
    list.revision = ++num_found_;
}

void ContactPairs::begin_step(const Unknowns& x)
{
    const Positions X = map_.positions(x);
    // A step starts where the one before ended; frozen pairs are found for each anew.
    if (!is_frozen() && base_->detection.is_at(X))
        return;
    is_tried_ = was_cut_ = false;
    find(X, *base_);
}

bool ContactPairs::is_complete(const List& list, const Positions& X) const
{
    return longest_move(*list.region, X) <= reach_of(options_);
}

void ContactPairs::update(const Unknowns& x)
{
    const Positions X = map_.positions(x);
    if (!is_frozen()) {
        if (!base_->detection.is_at(X))
            find(X, *base_);
        return;
    }
    is_tried_ = !is_complete(*base_, X);
    if (is_tried_ && !tried_->detection.is_at(X))
        find(X, *tried_);
}

bool ContactPairs::begin_iteration(const Unknowns& x)
{
    if (!is_frozen())
        return false;
    // A list that is kept lets Newton converge on one smooth energy; a vertex that was cut needs a new region. An
    // iteration begins with half of the way left at least: at its end all steps but tiny ones would have lists of their
    // own, whose energy may be higher by a jump, so that none of them would be taken.
    const Positions X = map_.positions(x);
    const std::int64_t before = revision();
    if (was_cut_ || longest_move(*base_->region, X) > 0.5 * reach_of(options_)) {
        if (tried_->detection.is_at(X))
            std::swap(base_, tried_);
        else
            find(X, *base_);
    }
    is_tried_ = was_cut_ = false;
    return revision() != before;
}

const Detection& ContactPairs::look_at(const Unknowns& x)
{
    const Positions X = map_.positions(x);
    Detection& detection = is_frozen() ? *here_ : base_->detection;
    if (!detection.is_at(X)) {
        detection.update(X);
        if (!is_frozen())
            base_->revision = ++num_found_;
    }
    return detection;
}

StepGuard::Cut ContactPairs::cut(const Unknowns& x, Eigen::VectorXd& dx, const Eigen::VectorXd& gradient)
{
    ABUT_ASSERT(is_frozen());
    TrustRegion& region = *(is_tried_ ? tried_ : base_)->region;
    const Positions X = map_.positions(x), whole = map_.positions({x.layout(), dx});
    Positions cut = whole;
    const TruncatedStep truncated = region.truncate(X, cut);
    was_cut_ = truncated.num_truncated > 0;
    if (!was_cut_)
        return {};
    const Eigen::VectorXd before = dx;
    map_.set_displacements(x.layout(), cut, dx);
    // Cut one by one, the vertices' steps may lead uphill together, also through vertices inside bodies; the whole
    // step, shortened, does not.
    if (!(gradient.dot(dx) < 0))
        dx = region.largest_scale(X, whole).scale * before;
    const auto count = static_cast<int>(truncated.num_truncated);
    return {count, fmt::format("the bounds of {} vertices", count)};
}

} // namespace abut
