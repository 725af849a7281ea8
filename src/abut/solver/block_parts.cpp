#include "abut/solver/block_parts.hpp"

#include <algorithm>

namespace abut {

BlockPart::BlockPart(
    const Energy& energy, const BlockLayout& layout, const BlockGroups& groups, const Eigen::VectorXd& x)
    : energy_(&energy), kernels_(energy.by_blocks(groups, {layout, x})), colours_(groups.num_colours())
{
    if (kernels_ && !energy.limits_terms())
        return;
    sort_terms(layout, groups);
    if (!kernels_)
        for (Colour& colour : colours_)
            if (!colour.numbers.empty())
                colour.terms = energy.subset(colour.numbers);
}

void BlockPart::sort_terms(const BlockLayout& layout, const BlockGroups& groups)
{
    const std::vector<int> place_of = groups.places(layout.num_blocks()), colour_of = groups.colours();
    const Stencils& stencils = energy_->stencils();
    std::vector<int> counts(colours_.size(), 0), touched;
    for (std::size_t term = 0; term < stencils.size(); ++term) {
        const std::span<const int> stencil = stencils[term];
        touched.clear();
        for (const int block : stencil)
            if (const int place = place_of[block]; place >= 0 && counts[colour_of[place]]++ == 0)
                touched.push_back(colour_of[place]);
        for (const int c : touched) {
            Colour& colour = colours_[c];
            const int first_place = static_cast<int>(groups.colour_starts[c]) * BlockGroups::width;
            std::int64_t gradient = colour.num_gradient, hessian = colour.num_hessian;
            std::int64_t before = 0; // numbers of the term's blocks up to this one
            for (const int block : stencil) {
                const int size = layout.size(block), place = place_of[block];
                // The blocks (i, j), j < i, of its row come before that on the diagonal.
                hessian += before * size;
                if (place >= 0 && colour_of[place] == c)
                    colour.corners.push_back(
                        {place - first_place, static_cast<int>(colour.numbers.size()), size, counts[c], gradient,
                         hessian});
                hessian += std::int64_t(size) * size;
                gradient += size;
                before += size;
            }
            colour.num_gradient = gradient;
            colour.num_hessian = hessian;
            colour.numbers.push_back(static_cast<int>(term));
        }
        for (const int c : touched)
            counts[c] = 0;
    }
}

void BlockPart::add_terms(const Unknowns& x, std::size_t colour, double* sums, Buffer<double>& room) const
{
    constexpr int width = BlockGroups::width;
    const Colour& part = colours_[colour];
    room.resize(static_cast<std::size_t>(part.num_gradient + part.num_hessian));
    double* gradients = room.data();
    double* blocks = gradients + part.num_gradient;
    part.terms->evaluate(x, {.gradients = gradients, .blocks = blocks, .hessian = HessianForm::analytic});
    for (const Corner& corner : part.corners) {
        double* to = sums + corner.place / width * (num_block_sums * width) + corner.place % width;
        const double *g = gradients + corner.gradient, *H = blocks + corner.block;
        int k = 3; // of the upper triangle
        for (int a = 0; a < 3; ++a)
            for (int b = a; b < 3; ++b, ++k)
                if (b < corner.size)
                    to[k * width] += corner.count * H[b * corner.size + a];
        for (int a = 0; a < corner.size; ++a)
            to[a * width] += g[a];
    }
}

void BlockPart::limit(
    const Unknowns& x, const Unknowns& dx, std::size_t colour, std::span<double> scales, Buffer<double>& room) const
{
    if (!energy_->limits_terms()) {
        if (const double t = energy_->limit_step(x, dx); t < 1)
            for (double& scale : scales)
                scale = std::min(scale, t);
        return;
    }
    const Colour& part = colours_[colour];
    room.resize(part.numbers.size());
    energy_->limit_terms(x, dx, part.numbers, room.span());
    for (const Corner& corner : part.corners)
        scales[corner.place] = std::min(scales[corner.place], room[corner.term]);
}

} // namespace abut
