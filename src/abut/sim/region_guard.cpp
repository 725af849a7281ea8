#include "abut/sim/region_guard.hpp"

namespace abut {

RegionGuard::RegionGuard(ContactPairs& pairs, double contact_range) : pairs_(pairs), contact_range_(contact_range)
{
    ABUT_ASSERT(pairs.is_frozen());
    for (int v = 0; v < pairs.mesh().num_vertices(); ++v) {
        const auto block = static_cast<std::size_t>(pairs.map().block_of(v));
        if (block >= surface_vertex_of_.size())
            surface_vertex_of_.resize(block + 1, -1);
        surface_vertex_of_[block] = v;
    }
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
        pairs_.detection(), pairs_.mesh(), pairs_.region().centers(), is_fixed_,
        {.dmin = pairs_.dmin(), .contact_range = contact_range_});
}

int RegionGuard::cut_to_regions(
    const Unknowns& x, std::span<const int> blocks, Eigen::VectorXd& dx, const Eigen::VectorXd& gradient) const
{
    const int dim = x.layout().dim();
    int num_cut = 0;
    for (const int block : blocks) {
        const int v =
            block >= 0 && block < static_cast<int>(surface_vertex_of_.size()) ? surface_vertex_of_[block] : -1;
        if (v < 0)
            continue;
        const std::int64_t at = x.layout().offset(block);
        const auto lift = [&](const Eigen::VectorXd& numbers) {
            return dim == 3 ? Vec3(numbers.segment<3>(at)) : Vec3(numbers[at], numbers[at + 1], 0);
        };
        Vec3 step = lift(dx);
        if (!regions_.cut(v, lift(x.numbers()), lift(gradient), step))
            continue;
        ++num_cut;
        for (int a = 0; a < dim; ++a)
            dx[at + a] = step[a];
    }
    return num_cut;
}

} // namespace abut
