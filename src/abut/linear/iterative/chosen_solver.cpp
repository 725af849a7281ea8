#include "abut/linear/iterative/chosen_solver.hpp"

#include "abut/base/error.hpp"

#include <algorithm>

namespace abut {

namespace {

/// What is expected of a preconditioner before it was tried.
constexpr double usual_iterations = 80;

std::int64_t num_free_unknowns(const LinearSystem& system)
{
    const BlockLayout& layout = system.blocks.pattern()->layout();
    std::int64_t count = 0;
    for (int block = 0; block < layout.num_blocks(); ++block)
        if (system.is_fixed[block] == 0)
            count += layout.size(block);
    return count;
}

} // namespace

ChosenSolver::ChosenSolver(LinearMethod method) : method_(method) {}

std::string ChosenSolver::name() const
{
    return method_ == LinearMethod::pcg ? "conjugate gradients" : "chosen by counts";
}

void ChosenSolver::set_preconditioner_by_name(std::string_view name) { given_ = preconditioner_named(name); }

void ChosenSolver::begin_step()
{
    before_ = {};
    is_chosen_ = is_fallen_ = false;
    solves_ = iterations_ = fallbacks_ = 0;
    system_.reset();
    pcg_.begin_step();
    direct_->begin_step();
}

std::vector<double> ChosenSolver::memory() const
{
    if (!is_chosen_)
        return before_.kind < 0 ? std::vector<double>()
                                : std::vector{before_.kind, before_.mean, before_.direct_steps, before_.patience};
    Memory next = before_;
    if (is_direct_) {
        if (before_.kind < 0)
            return {};
        next.direct_steps = std::max(0.0, before_.direct_steps - 1);
    } else if (solves_ > 0) {
        next.kind = static_cast<double>(pcg_.preconditioner());
        next.mean = iterations_ / solves_;
        // What the direct method would take by far less work for is left to it for a while, and longer each time.
        const bool is_beaten =
            counted_work_ > 0 &&
            price(pcg_.num_multiplications()) * next.mean * pcg_.num_multiplications() > counted_work_;
        if (method_ == LinearMethod::choose && (is_beaten || fallbacks_ > 0)) {
            next.patience = std::min(64.0, std::max(4.0, 2 * before_.patience));
            next.direct_steps = next.patience;
        }
    }
    return {next.kind, next.mean, next.direct_steps, next.patience};
}

void ChosenSolver::recall(std::span<const double> memory)
{
    before_ = {};
    if (memory.empty())
        return;
    const auto is_count = [](double number) { return number >= 0 && number <= 1e9; };
    if (memory.size() != 4 || !(memory[0] >= 0 && memory[0] <= static_cast<double>(PreconditionerKind::contact)) ||
        !std::all_of(memory.begin() + 1, memory.end(), is_count))
        reject("state: what the linear solver remembers is not of this version; start the run anew");
    before_ = {memory[0], memory[1], memory[2], memory[3]};
}

double ChosenSolver::direct_work(const LinearSystem& system)
{
    const std::shared_ptr<const BlockPattern>& pattern = system.lasting ? system.lasting : system.blocks.pattern();
    if (counted_pattern_ != pattern || counted_fixed_ != system.is_fixed) {
        counted_pattern_ = pattern;
        counted_fixed_ = system.is_fixed;
        const FactorCounts counts = direct_->estimated_counts(pattern, system.is_fixed);
        counted_work_ = counts.multiplications + price_of_entries * counts.entries;
    }
    return counted_work_;
}

void ChosenSolver::choose_preconditioner()
{
    using enum PreconditionerKind;
    if (given_)
        return pcg_.set_preconditioner(*given_);
    // A stronger preconditioner where the one before took many iterations, a cheaper one where it took few. The counts
    // are chosen by hand, with a gap between up and down so that steps do not swing between two.
    constexpr double many_for_jacobi = 100, few_for_cholesky = 30, many_for_cholesky = 120, few_for_schwarz = 40,
                     many_for_schwarz = 150, few_for_contact = 40;
    PreconditionerKind kind = before_.kind < 0 ? block_jacobi : static_cast<PreconditionerKind>(before_.kind);
    if (before_.kind >= 0) {
        if (kind == block_jacobi && before_.mean > many_for_jacobi)
            kind = incomplete_cholesky;
        else if (kind == incomplete_cholesky && before_.mean < few_for_cholesky)
            kind = block_jacobi;
        else if (kind == incomplete_cholesky && before_.mean > many_for_cholesky)
            kind = schwarz;
        else if (kind == schwarz && before_.mean < few_for_schwarz)
            kind = incomplete_cholesky;
        else if (kind == schwarz && before_.mean > many_for_schwarz)
            kind = contact;
        else if (kind == contact && before_.mean < few_for_contact)
            kind = schwarz;
    }
    pcg_.set_preconditioner(kind);
}

void ChosenSolver::choose(const LinearSystem& system)
{
    is_chosen_ = true;
    choose_preconditioner();
    pcg_.max_iterations = PcgSolver::most_iterations;
    is_direct_ = false;
    if (method_ == LinearMethod::pcg) {
        why_ = "as the scene says";
        return;
    }
    const std::int64_t unknowns = num_free_unknowns(system);
    if (unknowns < few_unknowns) {
        is_direct_ = true;
        why_ = fmt::format("{} unknowns are few", unknowns);
        return;
    }
    if (before_.direct_steps > 0) {
        is_direct_ = true;
        why_ = fmt::format(
            "conjugate gradients took {:.0f} iterations a solve, and are tried again after {:.0f} steps", before_.mean,
            before_.direct_steps);
        return;
    }
    const double work = direct_work(system);
    const auto numbers = static_cast<double>(system.blocks.pattern()->num_scalars());
    const double iteration = price(numbers) * numbers;
    is_direct_ = before_.kind < 0 && usual_iterations * iteration > work;
    why_ = fmt::format("{} unknowns, where a factorisation is worth {:.0f} iterations", unknowns, work / iteration);
    pcg_.max_iterations = static_cast<int>(std::clamp(2 * work / iteration, 200.0, 1.0 * PcgSolver::most_iterations));
}

bool ChosenSolver::prepare(const LinearSystem& system)
{
    if (!is_chosen_)
        choose(system);
    system_.reset();
    is_fallen_ = false;
    const bool is_ready = is_direct_ ? direct_->prepare(system) : pcg_.prepare(system);
    if (is_ready)
        system_.emplace(system);
    return is_ready;
}

LinearReport ChosenSolver::explained(LinearReport report) const
{
    if (method_ == LinearMethod::choose)
        report.message += fmt::format(" ({})", why_);
    return report;
}

LinearReport
ChosenSolver::fall_back(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x, LinearReport report)
{
    ++fallbacks_;
    is_fallen_ = true;
    const int iterations = report.iterations;
    const std::string failure = report.message;
    if (!direct_->prepare(*system_)) {
        report.is_indefinite = true;
        report.message += "; nor does the direct method find it positive definite";
        return report;
    }
    report = direct_->solve(b, tolerance, x);
    report.iterations = iterations;
    report.fell_back = true;
    report.message += fmt::format(", after {}", failure);
    return report;
}

LinearReport ChosenSolver::solve(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x)
{
    ABUT_ASSERT(system_.has_value());
    if (is_direct_ || is_fallen_)
        return explained(direct_->solve(b, tolerance, x));
    LinearReport report = pcg_.solve(b, tolerance, x);
    ++solves_;
    iterations_ += report.iterations;
    if (report.is_solved || (report.is_indefinite && system_->may_be_indefinite))
        return explained(std::move(report));
    return explained(fall_back(b, tolerance, x, std::move(report)));
}

LinearReport ChosenSolver::refine(const Eigen::VectorXd& b, double tolerance, Eigen::VectorXd& x)
{
    ABUT_ASSERT(system_.has_value());
    if (is_direct_ || is_fallen_)
        return explained(direct_->solve(b, tolerance, x));
    LinearReport report = pcg_.refine(b, tolerance, x);
    iterations_ += report.iterations;
    return explained(report.is_solved ? std::move(report) : fall_back(b, tolerance, x, std::move(report)));
}

} // namespace abut
