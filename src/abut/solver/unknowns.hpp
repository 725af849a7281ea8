#pragma once
// The numbers of all unknowns at one moment, as energies see them: positions of vertices, and the blocks behind them.

#include "abut/linear/block_layout.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// A view: what it looks at must live longer.
class Unknowns {
public:
    Unknowns(const BlockLayout& layout, const Eigen::VectorXd& numbers) : layout_(layout), numbers_(numbers)
    {
        ABUT_ASSERT(numbers.size() == layout.num_unknowns());
    }

    [[nodiscard]] const BlockLayout& layout() const { return layout_; }
    [[nodiscard]] const Eigen::VectorXd& numbers() const { return numbers_; }

    /// One row per vertex.
    [[nodiscard]] Eigen::Map<const Positions> vertices() const
    {
        return {numbers_.data(), layout_.num_vertices(), layout_.dim()};
    }
    /// The numbers of a block, a vertex or not.
    [[nodiscard]] Eigen::Map<const Eigen::VectorXd> block(int block) const
    {
        return {numbers_.data() + layout_.offset(block), layout_.size(block)};
    }

private:
    const BlockLayout& layout_;
    const Eigen::VectorXd& numbers_;
};

/// The vertices' part of a vector of unknowns, to be written to.
inline Eigen::Map<Positions> vertices_of(const BlockLayout& layout, Eigen::VectorXd& numbers)
{
    ABUT_ASSERT(numbers.size() == layout.num_unknowns());
    return {numbers.data(), layout.num_vertices(), layout.dim()};
}

} // namespace abut
