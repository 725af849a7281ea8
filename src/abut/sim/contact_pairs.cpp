#include "abut/sim/contact_pairs.hpp"

namespace abut {

namespace {

/// How far vertices may go from where a list was found: half of what it reaches beyond dhat. Until then every pair
/// closer than dhat is in it.
double reach_of(const ContactPairsOptions& options) { return (options.range - options.dmin - options.dhat) / 2; }

double longest_move(const Positions& place, const Positions& X) { return (X - place).rowwise().norm().maxCoeff(); }

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
    return std::make_unique<List>(List{
        base_ ? base_->detection.sharing()
              : Detection(map_.mesh(), {.range = options_.range, .slack = options_.slack})});
}

void ContactPairs::find(const Positions& X, List& list)
{
    list.detection.update(X);
    if (is_frozen()) {
        list.collisions.build(list.detection, map_.mesh(), X, *options_.frozen);
        list.place = X;
    }
    list.revision = ++num_found_;
}

void ContactPairs::begin_step(const Unknowns& x)
{
    const Positions X = map_.positions(x);
    // A step starts where the one before ended; frozen pairs are found for each anew.
    if (!is_frozen() && base_->detection.is_at(X))
        return;
    is_tried_ = false;
    find(X, *base_);
}

bool ContactPairs::is_complete(const List& list, const Positions& X) const
{
    return longest_move(list.place, X) <= reach_of(options_);
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
    // A list that is kept lets Newton converge on one smooth energy. An iteration
    // begins with half of the way left at least: at its end all steps but tiny ones would have lists of their
    // own, whose energy may be higher by a jump, so that none of them would be taken.
    const Positions X = map_.positions(x);
    const std::int64_t before = revision();
    if (longest_move(base_->place, X) > 0.5 * reach_of(options_)) {
        if (tried_->detection.is_at(X))
            std::swap(base_, tried_);
        else
            find(X, *base_);
    }
    is_tried_ = false;
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

} // namespace abut
