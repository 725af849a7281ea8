#include "abut/sim/contact_pairs.hpp"

#include <fmt/format.h>

namespace abut {

namespace {

/// Of the detection. Newton's steps shrink quickly, and what is near is found again at every one of them, so that it
/// pays to search rarely; a wide search brings little more, for boxes of elements longer than dhat overlap anyway.
constexpr double slack = 1;

} // namespace

ContactPairs::ContactPairs(const SurfaceMap& map, const ContactPairsOptions& options)
    : map_(map), options_(options), detection_(map.mesh(), {.range = options.range, .slack = slack})
{
    ABUT_ASSERT(options.range >= options.dmin + options.dhat);
    if (options.region)
        region_.emplace(map.mesh(), *options.region);
}

void ContactPairs::find(const Positions& X)
{
    detection_.update(X);
    if (region_) {
        region_->update(detection_, X);
        was_cut_ = false;
    }
    ++revision_;
}

void ContactPairs::begin_step(const Unknowns& x)
{
    const Positions X = map_.positions(x);
    // A step starts where the one before ended; regions are made for each anew.
    if (region_ || !detection_.is_at(X))
        find(X);
}

void ContactPairs::update(const Unknowns& x)
{
    if (region_)
        return;
    const Positions X = map_.positions(x);
    if (!detection_.is_at(X))
        find(X);
}

bool ContactPairs::begin_iteration(const Unknowns& x)
{
    if (!region_)
        return false;
    // While no vertex has moved farther than half of what the list reaches beyond dhat, every pair closer than dhat is
    // in it. Keeping it then lets Newton converge; a vertex that was cut needs a new region.
    const double reach = (options_.range - options_.dmin - options_.dhat) / 2;
    const Positions X = map_.positions(x);
    const bool is_far = (X - region_->centers()).rowwise().norm().maxCoeff() > reach;
    if (!is_far && !was_cut_)
        return false;
    find(X);
    return true;
}

const Detection& ContactPairs::look_at(const Unknowns& x)
{
    const Positions X = map_.positions(x);
    if (!detection_.is_at(X)) {
        detection_.update(X);
        if (!region_)
            ++revision_;
    }
    return detection_;
}

StepGuard::Cut ContactPairs::cut(const Unknowns& x, Eigen::VectorXd& dx, const Eigen::VectorXd& gradient)
{
    ABUT_ASSERT(region_.has_value());
    const Positions X = map_.positions(x), whole = map_.positions({x.layout(), dx});
    Positions cut = whole;
    const TruncatedStep truncated = region_->truncate(X, cut);
    was_cut_ = truncated.num_truncated > 0;
    if (!was_cut_)
        return {};
    const Eigen::VectorXd before = dx;
    map_.set_displacements(x.layout(), cut, dx);
    // Cut one by one, the vertices' steps may lead uphill together, also through vertices inside bodies; the whole
    // step, shortened, does not.
    if (!(gradient.dot(dx) < 0))
        dx = region_->largest_scale(X, whole).scale * before;
    const auto count = static_cast<int>(truncated.num_truncated);
    return {count, fmt::format("the bounds of {} vertices", count)};
}

} // namespace abut
