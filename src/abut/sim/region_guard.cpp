#include "abut/sim/region_guard.hpp"

#include "abut/detect/vertex_steps.hpp"

#include <algorithm>

namespace abut {

namespace {

/// Shares of the ways of blocks, lowered where a neighbour's is so much lower that the two would come closer than by
/// `steepness` of their distance. Of all such shares the largest, whatever the order: a minimum of sums along paths.
class WayShares {
public:
    WayShares(const Unknowns& x, const Eigen::VectorXd& way, const BlockPattern& ties)
        : x_(x), way_(way), ties_(ties), shares_(x.layout().num_vertices(), 1)
    {}

    [[nodiscard]] double operator[](int block) const { return shares_[block]; }
    void lower(int block, double factor)
    {
        shares_[block] *= factor;
        changed_.push_back(block);
    }

    void keep_together()
    {
        constexpr double steepness = 0.5;
        const int count = static_cast<int>(shares_.size());
        const auto pull = [&](int from, int block) {
            if (block >= count || block == from)
                return;
            const double length = part(way_, block).norm();
            const double apart = (part(x_.numbers(), block) - part(x_.numbers(), from)).norm();
            if (!(length > 0))
                return;
            if (const double most = shares_[from] + steepness * apart / length; most < shares_[block]) {
                shares_[block] = most;
                changed_.push_back(block);
            }
        };
        for (std::size_t k = 0; k < changed_.size(); ++k) {
            const int from = changed_[k];
            for (const int block : ties_.columns(from))
                pull(from, block);
            for (const BlockPattern::Mirrored& other : ties_.mirrored(from))
                pull(from, other.column);
        }
        changed_.clear();
    }

private:
    [[nodiscard]] Eigen::VectorXd::ConstSegmentReturnType part(const Eigen::VectorXd& numbers, int block) const
    {
        return numbers.segment(x_.layout().offset(block), x_.layout().size(block));
    }

    const Unknowns& x_;
    const Eigen::VectorXd& way_;
    const BlockPattern& ties_;
    std::vector<double> shares_;
    std::vector<int> changed_;
};

Vec3 lifted_block(const Eigen::VectorXd& numbers, std::int64_t at, int dim)
{
    return dim == 3 ? Vec3(numbers.segment<3>(at)) : Vec3(numbers[at], numbers[at + 1], 0);
}

} // namespace

RegionGuard::RegionGuard(ContactPairs& pairs, double contact_range) : pairs_(pairs), contact_range_(contact_range)
{
    ABUT_ASSERT(pairs.is_frozen());
    for (int v = 0; v < pairs.mesh().num_vertices(); ++v) {
        const auto block = static_cast<std::size_t>(pairs.map().block_of(v));
        if (block >= surface_vertices_.size())
            surface_vertices_.resize(block + 1, -1);
        surface_vertices_[block] = v;
    }
}

bool RegionGuard::clear_way(const Unknowns& x, Eigen::VectorXd& dx, const BlockPattern& ties)
{
    const SurfaceMap& map = pairs_.map();
    const Positions X = map.positions(x);
    const Detection& detection = pairs_.look_at(x);
    const VertexStepOptions options{.dmin = pairs_.dmin(), .clearance = contact_range_ - pairs_.dmin()};
    VertexSteps steps(map.mesh(), detection, X, options);
    WayShares shares(x, dx, ties);
    Eigen::VectorXd shortened = dx;
    // What meets goes a little less far than it could, and after some tries stays; then the rest is looked at again.
    constexpr int shortening_rounds = 6, most_rounds = 16;
    for (int round = 0; round < most_rounds; ++round) {
        const Eigen::VectorXd end = x.numbers() + shortened;
        const auto found = steps.find(map.positions({x.layout(), end}));
        if (!found)
            return false;
        if (std::all_of(found->begin(), found->end(), [](double share) { return share >= 1; })) {
            dx = shortened;
            return true;
        }
        for (int v = 0; v < map.mesh().num_vertices(); ++v)
            if (const double share = (*found)[v]; share < 1)
                shares.lower(map.block_of(v), round < shortening_rounds ? 0.98 * share : 0);
        shares.keep_together();
        for (int block = 0; block < x.layout().num_vertices(); ++block)
            shortened.segment(x.layout().offset(block), x.layout().size(block)) =
                shares[block] * dx.segment(x.layout().offset(block), x.layout().size(block));
    }
    return false;
}

void RegionGuard::update_regions(std::span<const std::uint8_t> is_fixed)
{
    std::vector<std::uint8_t> on_surface(pairs_.mesh().num_vertices());
    for (std::size_t v = 0; v < on_surface.size(); ++v)
        on_surface[v] = is_fixed[pairs_.map().block_of(static_cast<int>(v))];
    if (revision_ == pairs_.revision() && is_fixed_ == on_surface)
        return;
    is_fixed_ = std::move(on_surface);
    revision_ = pairs_.revision();
    regions_ = VertexRegions(
        pairs_.detection(), pairs_.mesh(), pairs_.place(), is_fixed_,
        {.dmin = pairs_.dmin(), .contact_range = contact_range_});
}

int RegionGuard::cut_to_regions(
    const Unknowns& x, std::span<const int> blocks, Eigen::VectorXd& dx, const Eigen::VectorXd& gradient) const
{
    const int dim = x.layout().dim();
    int num_cut = 0;
    for (const int block : blocks) {
        const int v = surface_vertex_of(block);
        if (v < 0)
            continue;
        const std::int64_t at = x.layout().offset(block);
        Vec3 step = lifted_block(dx, at, dim);
        if (!regions_.cut(v, lifted_block(x.numbers(), at, dim), lifted_block(gradient, at, dim), step))
            continue;
        ++num_cut;
        dx.segment(at, dim) = step.head(dim);
    }
    return num_cut;
}

void RegionGuard::lengthen_in_regions(
    const Unknowns& x, std::span<const int> blocks, Eigen::VectorXd& dx, double factor) const
{
    const int dim = x.layout().dim();
    for (const int block : blocks) {
        if (block < 0)
            continue;
        const std::int64_t at = x.layout().offset(block);
        const int v = surface_vertex_of(block);
        if (v < 0 || (regions_.is_alone(v) &&
                      regions_.contains(v, lifted_block(x.numbers(), at, dim) + factor * lifted_block(dx, at, dim))))
            dx.segment(at, x.layout().size(block)) *= factor;
    }
}

} // namespace abut
