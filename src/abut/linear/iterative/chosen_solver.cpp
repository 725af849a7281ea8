#include "abut/linear/iterative/chosen_solver.hpp"

#include "abut/base/error.hpp"

#include <algorithm>

namespace abut {

namespace {

/// What is expected of a preconditioner before it was tried.
constexpr double usual_iterations = 80;

double work_of(const FactorCounts& counts)
{
    return counts.multiplications + ChosenSolver::price_of_entries * counts.entries;
}

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
    solves_ = iterations_ = cost_ = fallbacks_ = work_with_contacts_ = 0;
    choice_ = {};
    system_.reset();
    pcg_.begin_step();
    direct_->begin_step();
}

std::vector<double> ChosenSolver::Memory::numbers() const
{
    std::vector<double> all{kind, mean, direct_steps, patience};
    const auto of_choice = choice.numbers();
    all.insert(all.end(), of_choice.begin(), of_choice.end());
    return all;
}

std::vector<double> ChosenSolver::memory() const
{
    Memory next = before_;
    if (is_chosen_ && is_direct_)
        next.direct_steps = std::max(0.0, before_.direct_steps - 1);
    else if (is_chosen_ && solves_ > 0) {
        next.kind = static_cast<double>(pcg_.preconditioner());
        next.mean = iterations_ / solves_;
        next.choice = choice_;
        // What the direct method would take by far less work for is left to it for a while, and longer each time.
        const double work = std::max(counted_work_, work_with_contacts_);
        const bool is_beaten = work > 0 && cost_ / solves_ * iteration_work_ > work;
        if (method_ == LinearMethod::choose && (is_beaten || fallbacks_ > 0)) {
            next.patience = std::min(64.0, std::max(4.0, 2 * before_.patience));
            next.direct_steps = next.patience;
        }
    }
    return next.kind < 0 ? std::vector<double>() : next.numbers();
}

void ChosenSolver::recall(std::span<const double> memory)
{
    before_ = {};
    if (memory.empty())
        return;
    // Versions before 0.10 remember the first four alone.
    const bool has_choice = memory.size() == 4 + PreconditionerChoice::num_numbers;
    const auto is_count = [](double number) { return number >= 0 && number <= 1e9; };
    if (!(has_choice || memory.size() == 4) ||
        !(memory[0] >= 0 && memory[0] <= static_cast<double>(PreconditionerKind::contact)) ||
        !std::all_of(memory.begin() + 1, memory.end(), is_count))
        reject("state: what the linear solver remembers is not of this version; start the run anew");
    before_ = {.kind = memory[0], .mean = memory[1], .direct_steps = memory[2], .patience = memory[3], .choice = {}};
    if (has_choice)
        before_.choice = PreconditionerChoice::from(memory.subspan(4));
    else
        before_.choice.learn(static_cast<PreconditionerKind>(before_.kind), before_.mean);
    choice_ = before_.choice;
}

double ChosenSolver::direct_work(const LinearSystem& system)
{
    const std::shared_ptr<const BlockPattern>& pattern = system.lasting ? system.lasting : system.blocks.pattern();
    if (counted_pattern_ != pattern || counted_fixed_ != system.is_fixed) {
        counted_pattern_ = pattern;
        counted_fixed_ = system.is_fixed;
        counted_work_ = work_of(direct_->estimated_counts(pattern, system.is_fixed));
    }
    return counted_work_;
}

/// Contacts fill a factor in, which is counted where conjugate gradients cost more than a factorisation without: once
/// in a step, with the contacts of the first such system.
void ChosenSolver::compare_with_direct(double cost)
{
    cost_ += cost;
    const bool is_doubtful = method_ == LinearMethod::choose && cost * iteration_work_ > counted_work_;
    if (is_doubtful && work_with_contacts_ == 0)
        work_with_contacts_ = work_of(direct_->estimated_counts(*system_));
}

void ChosenSolver::choose(const LinearSystem& system)
{
    is_chosen_ = true;

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
    iteration_work_ = price_of_numbers * static_cast<double>(system.blocks.pattern()->num_scalars());
    const double worth = work / iteration_work_;
    is_direct_ = before_.kind < 0 && usual_iterations > worth;
    why_ = fmt::format("{} unknowns, where a factorisation is worth {:.0f} iterations", unknowns, worth);
    pcg_.max_iterations = static_cast<int>(std::clamp(2 * worth, 200.0, 1.0 * PcgSolver::most_iterations));
}

bool ChosenSolver::prepare(const LinearSystem& system)
{
    if (!is_chosen_)
        choose(system);
    system_.reset();
    is_fallen_ = false;
    if (!is_direct_) {
        // The lasting graph lacks the blocks of contacts.
        const bool has_contact = system.lasting != nullptr && system.lasting != system.blocks.pattern();
        pcg_.set_preconditioner(given_ ? *given_ : choice_.next(has_contact));
    }
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
    compare_with_direct(cost_of_system(pcg_.preconditioner(), report.iterations));
    if (!report.is_indefinite)
        choice_.learn(pcg_.preconditioner(), report.iterations);
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
