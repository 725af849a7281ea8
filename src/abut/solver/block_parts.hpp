#pragma once
// The energies of a problem, sorted by the colours of blocks: fast kernels where an energy has them, else its terms
// evaluated as a whole, of which each block takes its own.

#include "abut/base/buffer.hpp"
#include "abut/solver/problem.hpp"

namespace abut {

/// One energy, as the blocks of each colour see it.
class BlockPart {
public:
    BlockPart(const Energy& energy, const BlockLayout& layout, const BlockGroups& groups, const Eigen::VectorXd& x);

    [[nodiscard]] const Energy& energy() const { return *energy_; }
    /// Null where the energy has no kernels.
    [[nodiscard]] const BlockTerms* kernels() const { return kernels_.get(); }
    /// Must its terms be evaluated for a colour?
    [[nodiscard]] bool has_terms(std::size_t colour) const { return !kernels_ && !colours_[colour].numbers.empty(); }

    /// Without kernels: adds to the sums of a colour's groups.
    void add_terms(const Unknowns& x, std::size_t colour, double* sums, Buffer<double>& room) const;

    /// Lowers the scales, one per place of the colour, by which its blocks may go along dx.
    void limit(
        const Unknowns& x, const Unknowns& dx, std::size_t colour, std::span<double> scales,
        Buffer<double>& room) const;

private:
    /// A block of a term.
    struct Corner {
        int place;                    // among those of the colour
        int term;                     // among `numbers`
        int size;                     // numbers of the block
        int count;                    // blocks of the term that have this colour
        std::int64_t gradient, block; // where its numbers are among those of the colour's terms
    };
    struct Colour {
        std::vector<int> numbers; // of terms
        std::unique_ptr<Terms> terms{};
        std::vector<Corner> corners{};
        std::int64_t num_gradient = 0, num_hessian = 0;
    };

    void sort_terms(const BlockLayout& layout, const BlockGroups& groups);

    const Energy* energy_;
    std::unique_ptr<BlockTerms> kernels_;
    std::vector<Colour> colours_; // empty lists where neither terms nor limits need them
};

} // namespace abut
