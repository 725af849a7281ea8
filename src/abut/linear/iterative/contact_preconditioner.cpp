// Contact couples few unknowns by stiffnesses far beyond those of the bodies, in a graph that no aggregate foresees. So
// its unknowns C, those with a block that the lasting graph has not, are solved for directly. With Q = R (Rᵀ A R)⁻¹ Rᵀ,
// where R picks them, and S the Schwarz preconditioner,
//
//     z = Q r + (I − Q A) S (I − A Q) r,
//
// which leaves S the part of the error that Q does not see (the hybrid method of Mandel 1993, with the coarse space
// replaced by the unknowns in contact).

#include "abut/linear/iterative/preconditioner.hpp"

#include "abut/base/parallel.hpp"
#include "abut/linear/direct_solver.hpp"

#include <algorithm>

namespace abut {

namespace {

class ContactPreconditioner final : public Preconditioner {
public:
    void begin_step() override
    {
        schwarz_->begin_step();
        direct_->begin_step();
    }

    void link(const FreeBlocks& blocks, const RowOrder& order) override
    {
        A_ = &blocks.matrix();
        schwarz_->link(blocks, order);
        if (revision_ != blocks.revision())
            link_contacts(order);
        revision_ = blocks.revision();
    }

    bool prepare(const FreeBlocks& blocks) override
    {
        if (!schwarz_->prepare(blocks))
            return false;
        if (rows_.empty())
            return true;
        for (std::size_t slot = 0; slot < sources_.size(); ++slot)
            std::copy_n(A_->block(sources_[slot]), 9, part_.block(static_cast<std::int64_t>(slot)));
        inner_.resize(padded_size(A_->size()));
        outer_.resize(padded_size(A_->size()));
        return direct_->prepare({.blocks = part_, .is_fixed = none_fixed_});
    }

    void apply(const double* r, double* z) override
    {
        if (rows_.empty())
            return schwarz_->apply(r, z);
        std::copy_n(r, inner_.size(), inner_.begin());
        solve_part(r);
        first_ = y_;
        parallel_for(near_.size(), rows_per_piece, [&](std::size_t k) { // r − A Q r
            for (std::int64_t slot = A_->starts[near_[k]]; slot < A_->starts[near_[k] + 1]; ++slot)
                if (const int n = number_[A_->columns[slot]]; n >= 0)
                    add_product(
                        A_->block(slot), first_.data() + 3 * std::int64_t(n),
                        inner_.data() + 3 * std::int64_t(near_[k]), -1);
        });
        schwarz_->apply(inner_.data(), z);
        parallel_for(rows_.size(), rows_per_piece, [&](std::size_t k) { // A S ..., where Q sees it
            double* to = outer_.data() + 3 * std::int64_t(rows_[k]);
            std::fill_n(to, 3, 0.0);
            for (std::int64_t slot = A_->starts[rows_[k]]; slot < A_->starts[rows_[k] + 1]; ++slot)
                add_product(A_->block(slot), z + 3 * std::int64_t(A_->columns[slot]), to, 1);
        });
        solve_part(outer_.data());
        for (std::size_t k = 0; k < rows_.size(); ++k)
            for (int a = 0; a < 3; ++a)
                z[3 * std::int64_t(rows_[k]) + a] += first_[3 * k + a] - y_[3 * k + a];
    }

    double pattern_seconds() const override { return schwarz_->pattern_seconds() + direct_->pattern_seconds(); }

private:
    static void add_product(const double* block, const double* x, double* y, double factor)
    {
        for (int a = 0; a < 3; ++a)
            y[a] += factor * (block[a] * x[0] + block[3 + a] * x[1] + block[6 + a] * x[2]);
    }

    /// The rows in contact, those next to them, and the part of the matrix that couples the former.
    void link_contacts(const RowOrder& order)
    {
        const BlockRows& A = *A_;
        number_.assign(A.size(), -1);
        rows_.clear();
        near_.clear();
        for (int row = 0; row < A.size(); ++row)
            if (order.in_contact[row] != 0) {
                number_[row] = static_cast<int>(rows_.size());
                rows_.push_back(row);
            }
        std::vector<std::int64_t> starts{0};
        std::vector<int> columns;
        sources_.clear();
        for (int row = 0; row < A.size(); ++row) {
            bool is_near = false;
            for (std::int64_t slot = A.starts[row]; slot < A.starts[row + 1]; ++slot) {
                const int n = number_[A.columns[slot]];
                is_near |= n >= 0;
                if (number_[row] >= 0 && n >= number_[row]) {
                    columns.push_back(n);
                    sources_.push_back(slot);
                }
            }
            if (is_near)
                near_.push_back(row);
            if (number_[row] >= 0)
                starts.push_back(static_cast<std::int64_t>(columns.size()));
        }
        const BlockLayout layout(static_cast<int>(rows_.size()), 3);
        part_ = SymmetricBlockMatrix(std::make_shared<BlockPattern>(layout, std::move(starts), std::move(columns)));
        none_fixed_.assign(rows_.size(), 0);
        right_.resize(3 * static_cast<Eigen::Index>(rows_.size()));
    }

    /// y = (Rᵀ A R)⁻¹ Rᵀ r
    void solve_part(const double* r)
    {
        for (std::size_t k = 0; k < rows_.size(); ++k)
            for (int a = 0; a < 3; ++a)
                right_[static_cast<Eigen::Index>(3 * k) + a] = r[3 * std::int64_t(rows_[k]) + a];
        (void)direct_->solve(right_, 0, left_);
        y_.assign(left_.data(), left_.data() + left_.size());
    }

    std::unique_ptr<Preconditioner> schwarz_ = make_schwarz();
    std::unique_ptr<DirectSolver> direct_ = DirectSolver::create();
    const BlockRows* A_ = nullptr;
    int revision_ = -1;
    std::vector<int> number_, rows_, near_; // of each row in contact, or −1; those; those with a block in their columns
    std::vector<std::int64_t> sources_;     // of each block of the part
    SymmetricBlockMatrix part_;
    std::vector<std::uint8_t> none_fixed_;
    Eigen::VectorXd right_, left_;
    std::vector<double> inner_, outer_, first_, y_;
};

} // namespace

std::unique_ptr<Preconditioner> make_contact_preconditioner() { return std::make_unique<ContactPreconditioner>(); }

} // namespace abut
