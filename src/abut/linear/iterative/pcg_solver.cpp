#include "abut/linear/iterative/pcg_solver.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace abut {

namespace {

/// Calls body(begin, end) for the numbers of every piece of rows, and adds what it returns in order.
template <typename Body>
double sum_over_pieces(int rows, std::vector<double>& pieces, Body&& body)
{
    pieces.assign(num_pieces(rows), 0);
    parallel_ranges(rows, rows_per_piece, [&](std::size_t begin, std::size_t end) {
        pieces[begin / rows_per_piece] = body(3 * begin, 3 * end);
    });
    return sum_of_pieces(pieces);
}

/// y += factor x
void add(double factor, const std::vector<double>& x, std::vector<double>& y)
{
    parallel_ranges(y.size(), 3 * rows_per_piece, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            y[k] += factor * x[k];
    });
}

} // namespace

PcgSolver::PcgSolver(PreconditionerKind kind) : kind_(kind), preconditioner_(make_preconditioner(kind)) {}

std::string PcgSolver::name() const { return fmt::format("conjugate gradients, {}", to_string(kind_)); }

void PcgSolver::set_preconditioner(PreconditionerKind kind)
{
    if (kind == kind_)
        return;
    kind_ = kind;
    preconditioner_ = make_preconditioner(kind);
}

void PcgSolver::begin_step()
{
    may_keep_order_ = false;
    system_.reset();
    last_solution_.resize(0);
    preconditioner_->begin_step();
}

void PcgSolver::order(const LinearSystem& system)
{
    // What lasts is the same in every step, and so is the order by it. Where nobody says what lasts, the first pattern
    // of a step has to do.
    const bool is_given = system.lasting != nullptr;
    const std::shared_ptr<const BlockPattern>& lasting = is_given ? system.lasting : system.blocks.pattern();
    const bool is_kept = is_given ? ordered_pattern_ == lasting : may_keep_order_ || ordered_pattern_ == lasting;
    may_keep_order_ = true;
    if (is_kept && ordered_fixed_ == system.is_fixed)
        return;
    order_ = order_rows(*lasting, system.is_fixed);
    ordered_pattern_ = lasting;
    ordered_fixed_ = system.is_fixed;
    flagged_revision_ = -1;
}

void PcgSolver::flag_contacts(const BlockPattern& lasting)
{
    if (flagged_revision_ == blocks_.revision())
        return;
    flagged_revision_ = blocks_.revision();
    const BlockRows& A = blocks_.matrix();
    order_.in_contact.assign(A.size(), 0);
    parallel_ranges(A.size(), rows_per_piece, [&](std::size_t begin, std::size_t end) {
        std::vector<int> known;
        for (std::size_t row = begin; row < end; ++row) {
            const int block = blocks_.blocks()[row];
            known.assign(1, static_cast<int>(row));
            const auto keep = [&](int other) {
                if (const int column = blocks_.row_of_block()[other]; column >= 0)
                    known.push_back(column);
            };
            for (const BlockPattern::Mirrored& below : lasting.mirrored(block))
                keep(below.column);
            for (const int other : lasting.columns(block))
                keep(other);
            std::sort(known.begin(), known.end());
            order_.in_contact[row] = !std::includes(
                known.begin(), known.end(), A.columns.begin() + A.starts[row], A.columns.begin() + A.starts[row + 1]);
        }
    });
}

void PcgSolver::link(const LinearSystem& system)
{
    Stopwatch watch;
    order(system);
    pattern_seconds_ += watch.lap();
    const int revision = blocks_.revision();
    blocks_.assign(system, order_.blocks);
    if (const double seconds = watch.lap(); revision != blocks_.revision())
        pattern_seconds_ += seconds; // with the values, which take a small part of it
    flag_contacts(*ordered_pattern_);
    if (linked_revision_ != blocks_.revision()) {
        linked_revision_ = blocks_.revision();
        products_.link(blocks_.matrix());
    }
    preconditioner_->link(blocks_, order_);
    pattern_seconds_ += watch.lap();
}

bool PcgSolver::prepare(const LinearSystem& system)
{
    system_.reset();
    may_go_on_ = false;
    link(system);
    const BlockRows& A = blocks_.matrix();
    products_.assign(A);
    for (std::vector<double>* each : {&b_, &x_, &r_, &z_, &p_, &q_})
        each->assign(padded_size(A.size()), 0);
    const double before = preconditioner_->pattern_seconds();
    // A diagonal that is not finite would pass as one that is not positive.
    const bool is_good = preconditioner_->prepare(blocks_) && prepare_rank_one(system.rank_one);
    pattern_seconds_ += preconditioner_->pattern_seconds() - before;
    if (!is_good)
        return false;
    system_.emplace(system);
    return true;
}

bool PcgSolver::prepare_rank_one(std::span<const RankOne> terms)
{
    U_.clear();
    Z_.clear();
    const int rows = blocks_.matrix().size();
    for (const RankOne& term : terms) {
        ABUT_ASSERT(term.weight >= 0);
        if (term.weight == 0 || rows == 0)
            continue;
        std::vector<double>& u = U_.emplace_back(padded_size(rows), 0.0);
        blocks_.gather(term.direction, u.data());
        for (double& number : u)
            number *= std::sqrt(term.weight);
        double* z = Z_.emplace_back(padded_size(rows), 0.0).data();
        preconditioner_->apply(u.data(), z);
        blocks_.clear_padding(z);
    }
    const auto count = static_cast<Eigen::Index>(U_.size());
    if (count == 0)
        return true;
    Eigen::MatrixXd small = Eigen::MatrixXd::Identity(count, count);
    for (Eigen::Index i = 0; i < count; ++i)
        for (Eigen::Index j = 0; j <= i; ++j) {
            small(i, j) += dot(U_[i].data(), Z_[j].data(), rows, pieces_);
            small(j, i) = small(i, j);
        }
    of_rank_one_terms_.compute(small);
    return of_rank_one_terms_.info() == Eigen::Success;
}

void PcgSolver::precondition()
{
    preconditioner_->apply(r_.data(), z_.data());
    blocks_.clear_padding(z_.data());
    if (U_.empty())
        return;
    Eigen::VectorXd shares(U_.size());
    for (std::size_t k = 0; k < U_.size(); ++k)
        shares[static_cast<Eigen::Index>(k)] = dot(U_[k].data(), z_.data(), blocks_.matrix().size(), pieces_);
    shares = of_rank_one_terms_.solve(shares);
    for (std::size_t k = 0; k < U_.size(); ++k)
        add(-shares[static_cast<Eigen::Index>(k)], Z_[k], z_);
}

double PcgSolver::product()
{
    double curvature = products_.multiply(p_.data(), q_.data());
    for (const std::vector<double>& u : U_) {
        const double along = dot(u.data(), p_.data(), blocks_.matrix().size(), pieces_);
        add(along, u, q_);
        curvature += along * along;
    }
    return curvature;
}

double PcgSolver::true_residual()
{
    // r = b − A x by way of p and q, whose contents are lost
    p_ = x_;
    (void)product();
    return sum_over_pieces(blocks_.matrix().size(), pieces_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            r_[k] = b_[k] - q_[k];
        return dot_of_range(r_.data(), r_.data(), begin, end);
    });
}

LinearReport PcgSolver::solve(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x)
{
    ABUT_ASSERT(system_.has_value() && b.size() == system_->blocks.num_unknowns());
    const int rows = blocks_.matrix().size();
    blocks_.gather(b, b_.data());
    bb_ = dot(b_.data(), b_.data(), rows, pieces_);
    may_go_on_ = false;
    start();
    const LinearReport report = iterate(tolerance > 0 ? tolerance : usual_tolerance, x);
    last_solution_ = x;
    return report;
}

void PcgSolver::start()
{
    // From 0, or from the multiple of the last solution where the energy xᵀ A x / 2 − bᵀ x is least: never farther off.
    r_ = b_;
    if (last_solution_.size() == system_->blocks.num_unknowns()) {
        blocks_.gather(last_solution_, p_.data());
        const double curvature = product(), along = dot(p_.data(), b_.data(), blocks_.matrix().size(), pieces_);
        if (const double share = along / curvature; curvature > 0 && along > 0 && std::isfinite(share)) {
            x_ = p_;
            for (double& number : x_)
                number *= share;
            add(-share, q_, r_);
            return;
        }
    }
    std::fill(x_.begin(), x_.end(), 0.0);
}

LinearReport PcgSolver::refine([[maybe_unused]] const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x)
{
    ABUT_ASSERT(system_.has_value() && b.size() == system_->blocks.num_unknowns());
    const LinearReport report = iterate(tolerance > 0 ? tolerance : usual_tolerance, x);
    last_solution_ = x;
    return report;
}

LinearReport PcgSolver::iterate(double tolerance, Eigen::VectorXd& x)
{
    const int rows = blocks_.matrix().size();
    LinearReport report{.message = name()};
    const double target = tolerance * tolerance * bb_;
    const auto stop = [&](const char* why) {
        report.message += fmt::format(": {} after {} iterations", why, report.iterations);
        blocks_.scatter(x_.data(), x);
        report.relative_residual = std::sqrt(true_residual() / bb_);
        may_go_on_ = false;
        return report;
    };
    if (bb_ == 0) {
        blocks_.scatter(x_.data(), x);
        report.is_solved = true;
        report.relative_residual = 0;
        return report;
    }
    if (!std::isfinite(bb_))
        return stop("the right side is not finite");
    double rr = dot(r_.data(), r_.data(), rows, pieces_), at_restart = INFINITY;
    for (;;) {
        while (rr > target) {
            if (report.iterations == max_iterations)
                return stop("the residual is still too large");
            // The next direction, conjugate to those before; the first, and after a fresh residual: just downhill
            precondition();
            const double next = dot(r_.data(), z_.data(), rows, pieces_), share = may_go_on_ ? next / rz_ : 0;
            rz_ = next;
            parallel_ranges(rows, rows_per_piece, [&](std::size_t begin, std::size_t end) {
                for (std::size_t k = 3 * begin; k < 3 * end; ++k)
                    p_[k] = share == 0 ? z_[k] : z_[k] + share * p_[k];
            });
            may_go_on_ = true;
            const double curvature = product();
            if (!std::isfinite(curvature) || !std::isfinite(rz_))
                return stop("numbers are no longer finite");
            if (!(curvature > 0) || !(rz_ > 0)) {
                report.is_indefinite = true;
                return stop("the system is not positive definite");
            }
            // Along it, and what is left
            const double length = rz_ / curvature;
            rr = sum_over_pieces(rows, pieces_, [&](std::size_t begin, std::size_t end) {
                for (std::size_t k = begin; k < end; ++k) {
                    x_[k] += length * p_[k];
                    r_[k] -= length * q_[k];
                }
                return dot_of_range(r_.data(), r_.data(), begin, end);
            });
            ++report.iterations;
        }
        // The residual that was carried along drifts from the true one, by rounding: far from it, that is nothing.
        constexpr double safe = 1e-6;
        if (tolerance >= safe) {
            report.relative_residual = std::sqrt(rr / bb_);
            break;
        }
        rr = true_residual();
        may_go_on_ = false;
        report.relative_residual = std::sqrt(rr / bb_);
        if (rr <= target)
            break;
        if (!(rr < 0.25 * at_restart))
            return stop("rounding leaves a residual");
        at_restart = rr;
    }
    blocks_.scatter(x_.data(), x);
    report.is_solved = true;
    return report;
}

} // namespace abut
