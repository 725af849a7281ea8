#include "abut/solver/vbd.hpp"

#include "abut/base/parallel.hpp"
#include "abut/base/stopwatch.hpp"
#include "abut/math/lanes.hpp"
#include "abut/solver/block_parts.hpp"
#include "abut/solver/block_solve.hpp"
#include "abut/solver/colouring.hpp"
#include "abut/solver/global_step.hpp"
#include "abut/solver/linear_solvers.hpp"
#include "abut/solver/step_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace abut {

struct VertexBlockDescent::Memory {
    std::shared_ptr<const BlockPattern> pattern; // that the colours are of
    std::vector<int> colours;
    Buffer<double> sums, points, room;
    Eigen::VectorXd gradient, dx, origin;
    std::vector<double> scales;
    std::optional<GlobalStep> global; // none: sweeps alone
};

namespace {

/// A global step is taken as worth so many sweeps: a guess, which no measurement has been fitted to yet.
constexpr int price_of_global_step = 15;
/// So many sweeps are between two of them, which smooths what the step before left.
constexpr int least_sweeps = 3;

/// So many sweeps end a solve of a fixed count without over-relaxation.
constexpr int smoothing_sweeps = 2;
/// After so many sweeps in a row that bring no smaller forces there is no over-relaxation any more.
constexpr int most_sweeps_in_vain = 5;

constexpr int width = BlockGroups::width;
constexpr std::size_t groups_per_task = 16;

/// Free blocks by colour, in index order.
BlockGroups make_groups(const std::vector<int>& colours, const std::vector<std::uint8_t>& is_fixed)
{
    const int num_colours = colours.empty() ? 0 : 1 + *std::max_element(colours.begin(), colours.end());
    std::vector<std::vector<int>> members(num_colours);
    for (std::size_t block = 0; block < colours.size(); ++block)
        if (is_fixed[block] == 0)
            members[colours[block]].push_back(static_cast<int>(block));
    BlockGroups groups;
    for (std::vector<int>& list : members) {
        if (list.empty())
            continue;
        list.resize((list.size() + width - 1) / width * width, -1);
        groups.blocks.insert(groups.blocks.end(), list.begin(), list.end());
        groups.colour_starts.push_back(groups.num_groups());
    }
    return groups;
}

/// What a chunk of blocks adds to what is known of a sweep.
struct SweepSums {
    double force = 0, squared_force = 0;  // of blocks, before they moved
    double rounding = 0;                  // of forces
    double squared_step = 0, longest = 0; // squared
    int num_cut = 0;
    bool is_finite = true;

    void add(const SweepSums& other)
    {
        force += other.force;
        squared_force += other.squared_force;
        rounding += other.rounding;
        squared_step += other.squared_step;
        longest = std::max(longest, other.longest);
        num_cut += other.num_cut;
        is_finite = is_finite && other.is_finite;
    }
};

/// One solve.
class Descent {
public:
    template <typename Memory>
    Descent(Problem& problem, const SolveOptions& options, Eigen::VectorXd& x, Memory& memory)
        : problem_(problem), layout_(problem.layout()), options_(options), x_(x),
          groups_(make_groups(memory.colours, problem.is_fixed())), sums_(memory.sums), points_(memory.points),
          room_(memory.room), gradient_(memory.gradient), dx_(memory.dx), origin_(memory.origin),
          scales_(memory.scales), global_(memory.global ? &*memory.global : nullptr)
    {
        for (const int block : groups_.blocks)
            num_free_ += block >= 0 ? 1 : 0;
    }

    SolveReport report;

    void begin();
    /// False where the solve is over.
    bool begin_iteration();
    void sweep();
    /// Is a global step due?
    [[nodiscard]] bool is_slow() const;
    void step_globally();
    bool end_iteration(const SolveObserver& observer);

private:
    void end(Outcome outcome, std::string message)
    {
        report.outcome = outcome;
        report.message = std::move(message);
    }
    void make_parts(bool only_moving);
    void follow_contacts();
    void set_points();
    void set_point(int vertex);
    void find_rank_one();
    void add_rank_one(std::size_t colour);
    [[nodiscard]] double relaxation_of_sweep() const;
    void sweep_colour(std::size_t colour);
    SweepSums descend(std::size_t first, std::size_t last, double* sums);
    bool limit_to_domains(std::size_t colour);
    void limit_colour(std::size_t colour);
    void move_colour(std::size_t colour);
    [[nodiscard]] double mean_force();
    [[nodiscard]] double step_length(const SweepSums& sums) const;
    [[nodiscard]] double remaining() const;
    double record();
    void measure();
    [[nodiscard]] bool needs_regions();
    [[nodiscard]] bool is_within_residual() const;
    [[nodiscard]] bool is_within_tolerance() const;
    void end_by_count();

    [[nodiscard]] std::span<const int> blocks_of(std::size_t colour) const
    {
        return std::span<const int>(groups_.blocks)
            .subspan(
                groups_.colour_starts[colour] * width,
                (groups_.colour_starts[colour + 1] - groups_.colour_starts[colour]) * width);
    }

    Problem& problem_;
    const BlockLayout& layout_;
    const SolveOptions& options_;
    Eigen::VectorXd& x_;
    Stopwatch watch_;
    BlockGroups groups_;
    int num_free_ = 0;
    std::vector<BlockPart> parts_;
    bool has_kernels_ = false, has_contacts_ = false;
    int num_cut_sweeps_ = 0;                    // in a row, since regions were made
    double cut_share_ = options_.max_cut_share; // grows with each detection
    std::vector<RankOne> rank_one_;
    Buffer<double>&sums_, &points_, &room_;
    Eigen::VectorXd &gradient_, &dx_, &origin_; // the last: where moving parts were made
    std::vector<double>& scales_;
    std::vector<SweepSums> chunks_;
    SweepSums of_sweep_;
    double first_force_ = 0, force_ = 0, reference_ = 0; // means over free blocks
    std::vector<double> lengths_;                        // of the last sweeps' steps
    GlobalStep* global_;
    std::vector<double> forces_;  // before each of the last sweeps since the last global step: means
    int patience_ = least_sweeps; // how many there are at least
    std::optional<IterationRecord> global_record_;
    int iteration_ = 0;
    double relaxation_ = 1;         // of the sweep
    double least_force_ = INFINITY; // mean, of all sweeps
    int sweeps_since_least_ = 0;    // stays at most_sweeps_in_vain
    bool looks_around_ = false;     // before the next sweep
    bool is_measured_ = false;      // force_ is of x_
};

/// Contacts come and go; everything else stays for the solve, friction too, which is lagged.
bool is_moving(const Energy& energy) { return energy.role() == EnergyRole::contact; }

void Descent::make_parts(bool only_moving)
{
    std::size_t k = 0;
    for (const Energy* energy : problem_.energies()) {
        if (k == parts_.size())
            parts_.emplace_back(*energy, layout_, groups_, x_);
        else if (!only_moving || is_moving(*energy))
            parts_[k] = BlockPart(*energy, layout_, groups_, x_);
        ++k;
    }
    origin_ = x_;
    set_points();
    has_contacts_ =
        std::any_of(parts_.begin(), parts_.end(), [](const BlockPart& part) { return is_moving(part.energy()); });
    has_kernels_ = std::any_of(parts_.begin(), parts_.end(), [](const BlockPart& part) { return part.kernels(); });
}

void Descent::set_points()
{
    points_.resize(4 * std::size_t(layout_.num_vertices()));
    for (int v = 0; v < layout_.num_vertices(); ++v)
        set_point(v);
}

void Descent::set_point(int vertex)
{
    const int dim = layout_.dim();
    const Eigen::Index at = static_cast<Eigen::Index>(vertex) * dim;
    double* point = points_.data() + 4 * std::size_t(vertex);
    double squared = 0;
    for (int a = 0; a < 3; ++a) {
        point[a] = a < dim ? x_[at + a] : 0;
        if (a < dim)
            squared += (x_[at + a] - origin_[at + a]) * (x_[at + a] - origin_[at + a]);
    }
    point[3] = std::sqrt(squared);
}

double Descent::mean_force()
{
    problem_.gradient(x_, gradient_);
    double sum = 0;
    for (const int block : groups_.blocks)
        if (block >= 0)
            sum += gradient_.segment(layout_.offset(block), layout_.size(block)).norm();
    return sum / std::max(num_free_, 1);
}

void Descent::begin()
{
    problem_.update(x_);
    if (problem_.guard() != nullptr)
        problem_.guard()->update_regions(problem_.is_fixed());
    report.times.update += watch_.lap();
    make_parts(false);
    chunks_.resize(groups_.num_groups() / groups_per_task + groups_.num_colours() + 1);
    std::size_t most = 0;
    for (std::size_t c = 0; c < groups_.num_colours(); ++c)
        most = std::max(most, groups_.colour_starts[c + 1] - groups_.colour_starts[c]);
    sums_.resize(most * (num_block_sums * width));
    scales_.assign(most * width, 1);
    dx_.setZero(x_.size());
    report.times.assemble += watch_.lap();
    first_force_ = force_ = mean_force();
    is_measured_ = true;
    reference_ = std::max(first_force_, options_.force_scale);
    report.times.evaluate += watch_.lap();
    lengths_.reserve(4);
}

bool Descent::begin_iteration()
{
    if (iteration_ > 0)
        return true;
    if (!std::isfinite(force_)) {
        end(Outcome::not_finite,
            "forces are not finite; some value of the scene is too large, such as a velocity, a density, gravity or "
            "the time step");
        return false;
    }
    constexpr double negligible = 1e-5; // of the tolerance, as Newton's method has it
    if (gradient_.isZero(0) || bound_of_step(gradient_, problem_) <= negligible * options_.tolerance) {
        report.relative_residual = reference_ > 0 ? force_ / reference_ : 0;
        end(Outcome::converged, "all forces are in balance where the solve starts");
        return false;
    }
    return true;
}

void Descent::follow_contacts()
{
    StepGuard* guard = problem_.guard();
    if (guard != nullptr && guard->has_regions()) {
        problem_.look_around(x_);
        if (problem_.iterated(x_))
            problem_.update(x_);
        guard->update_regions(problem_.is_fixed());
    } else {
        problem_.update(x_);
        (void)problem_.begin_iteration(x_);
        (void)problem_.iterated(x_);
    }
    report.times.update += watch_.lap();
    make_parts(true);
    report.times.assemble += watch_.lap();
}

void Descent::find_rank_one()
{
    const std::span<const RankOne> found = problem_.rank_one(x_, HessianForm::analytic);
    rank_one_.assign(found.begin(), found.end());
}

/// w (Σ_v u_v·d_v)² <= w (Σ_v |u_v|) Σ_v (u_v·d_v)² / |u_v|, the sums over the blocks of the colour.
void Descent::add_rank_one(std::size_t colour)
{
    const std::span<const int> blocks = blocks_of(colour);
    for (const RankOne& term : rank_one_) {
        const auto part = [&](int block) { return term.direction.segment(layout_.offset(block), layout_.size(block)); };
        double sum = 0;
        for (const int block : blocks)
            sum += block >= 0 ? part(block).norm() : 0;
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            if (blocks[k] < 0)
                continue;
            const auto u = part(blocks[k]);
            const double length = u.norm();
            if (!(length > 0))
                continue;
            double* to = sums_.data() + k / width * (num_block_sums * width) + k % width;
            int entry = 3;
            for (int a = 0; a < 3; ++a)
                for (int b = a; b < 3; ++b, ++entry)
                    if (b < u.size())
                        to[entry * width] += term.weight * sum / length * u[a] * u[b];
        }
    }
}

/// The steps of the blocks of some groups.
SweepSums Descent::descend(std::size_t first, std::size_t last, double* sums)
{
    SweepSums result;
    if (has_kernels_)
        for (const BlockPart& part : parts_)
            if (const BlockTerms* kernels = part.kernels())
                kernels->add(points_.data(), first, last, sums);
    const std::span<const int> blocks =
        std::span<const int>(groups_.blocks).subspan(first * width, (last - first) * width);
    for (std::size_t k = 0; k < blocks.size(); k += width) {
        double* group = sums + k * num_block_sums;
        double step[3][width];
        solve_blocks(blocks.data() + k, layout_, group, step);
        for (int lane = 0; lane < width; ++lane) {
            const int block = blocks[k + lane];
            if (block < 0)
                continue;
            const std::int64_t at = layout_.offset(block);
            const int size = layout_.size(block);
            double squared_force = 0, squared_step = 0, trace = 0, squared_place = 0;
            for (int a = 0; a < size; ++a) {
                const double g = group[a * width + lane];
                gradient_[at + a] = g;
                dx_[at + a] = step[a][lane];
                squared_force += g * g;
                squared_step += step[a][lane] * step[a][lane];
                squared_place += x_[at + a] * x_[at + a];
                constexpr int diagonal[3]{3, 6, 8};
                trace += group[diagonal[a] * width + lane];
            }
            if (!std::isfinite(squared_step)) {
                result.is_finite = false;
                for (int a = 0; a < size; ++a)
                    dx_[at + a] = 0;
                continue;
            }
            if (squared_step > options_.max_step * options_.max_step)
                for (int a = 0; a < size; ++a)
                    dx_[at + a] *= options_.max_step / std::sqrt(squared_step);
            const double force = std::sqrt(squared_force);
            result.force += force;
            result.squared_force += squared_force;
            result.rounding += 0x1p-52 * trace * std::sqrt(squared_place);
            result.squared_step += squared_step;
            result.longest = std::max(result.longest, squared_step);
        }
    }
    const StepGuard* guard = problem_.guard();
    const bool has_regions = guard != nullptr && guard->has_regions();
    if (has_regions)
        result.num_cut = guard->cut_to_regions(problem_.view(x_), blocks, dx_, gradient_);
    if (relaxation_ > 1 && has_regions)
        guard->lengthen_in_regions(problem_.view(x_), blocks, dx_, relaxation_);
    else if (relaxation_ > 1)
        for (const int block : blocks)
            if (block >= 0)
                dx_.segment(layout_.offset(block), layout_.size(block)) *= relaxation_;
    return result;
}

/// Shortens the steps of a colour to the domains of the energies; true where one was.
bool Descent::limit_to_domains(std::size_t colour)
{
    const std::span<const int> blocks = blocks_of(colour);
    const std::span<double> scales = std::span<double>(scales_).first(blocks.size());
    for (const BlockPart& part : parts_)
        part.limit(problem_.view(x_), problem_.view(dx_), colour, scales, room_);
    bool is_limited = false;
    for (std::size_t k = 0; k < blocks.size(); ++k)
        if (scales[k] < 1) {
            is_limited = true;
            if (blocks[k] >= 0)
                dx_.segment(layout_.offset(blocks[k]), layout_.size(blocks[k])) *= scales[k];
            scales[k] = 1;
        }
    return is_limited;
}

/// Makes the steps of a colour safe.
void Descent::limit_colour(std::size_t colour)
{
    StepGuard* guard = problem_.guard();
    const bool is_asked = guard != nullptr && !guard->has_regions();
    if (is_asked) {
        const StepGuard::Cut cut = guard->cut(problem_.view(x_), dx_, gradient_);
        of_sweep_.num_cut += cut.num_cut;
        if (!cut.reason.empty())
            report.limiting = cut.reason;
    }
    // Ends are checked as they are rounded, so that a block that one term shortens is checked for the others again.
    constexpr int max_rounds = 60;
    int rounds = 0;
    while (limit_to_domains(colour) && ++rounds < max_rounds) {
    }
    if (rounds == max_rounds) // steps that no longer change a thing
        for (const int block : blocks_of(colour))
            if (block >= 0)
                dx_.segment(layout_.offset(block), layout_.size(block)).setZero();
    if (is_asked) {
        StepGuard::Limit guarded = guard->limit(problem_.view(x_), problem_.view(dx_));
        if (guarded.scale < 1) {
            dx_ *= guarded.scale;
            ++of_sweep_.num_cut;
            report.limiting = fmt::format("{} (to {:.3g} of the step)", guarded.reason, guarded.scale);
            report.limiting_vertices = std::move(guarded.vertices);
        }
    }
}

void Descent::move_colour(std::size_t colour)
{
    const int num_vertices = layout_.num_vertices();
    for (const int block : blocks_of(colour)) {
        if (block < 0)
            continue;
        const std::int64_t at = layout_.offset(block);
        for (int a = 0; a < layout_.size(block); ++a) {
            x_[at + a] += dx_[at + a];
            dx_[at + a] = 0;
        }
        if (block < num_vertices)
            set_point(block);
    }
}

void Descent::sweep_colour(std::size_t colour)
{
    const std::size_t first = groups_.colour_starts[colour], count = groups_.colour_starts[colour + 1] - first;
    std::memset(sums_.data(), 0, sizeof(double) * count * (num_block_sums * width));
    for (const BlockPart& part : parts_)
        if (part.has_terms(colour))
            part.add_terms(problem_.view(x_), colour, sums_.data(), room_);
    add_rank_one(colour);
    report.times.evaluate += watch_.lap();
    parallel_ranges(count, groups_per_task, [&](std::size_t begin, std::size_t end) {
        chunks_[begin / groups_per_task] =
            descend(first + begin, first + end, sums_.data() + begin * (num_block_sums * width));
    });
    for (std::size_t chunk = 0; chunk * groups_per_task < count; ++chunk)
        of_sweep_.add(chunks_[chunk]);
    report.times.factorize += watch_.lap();
    limit_colour(colour);
    move_colour(colour);
    report.times.guard += watch_.lap();
}

/// Over-relaxation shrinks what is smooth in forces, not what is rough: none before a global step, which does that
/// better, none in the last sweeps of a fixed count, and none any more where forces no longer shrink.
double Descent::relaxation_of_sweep() const
{
    const bool is_end = options_.iterations > 0 && iteration_ + smoothing_sweeps >= options_.iterations;
    return global_ != nullptr || is_end || sweeps_since_least_ >= most_sweeps_in_vain ? 1 : options_.relaxation;
}

void Descent::sweep()
{
    (void)watch_.lap();
    if (looks_around_)
        follow_contacts();
    looks_around_ = false;
    of_sweep_ = {};
    relaxation_ = relaxation_of_sweep();
    find_rank_one();
    for (std::size_t colour = 0; colour < groups_.num_colours(); ++colour)
        sweep_colour(colour);
    is_measured_ = false;
}

/// Forces, or steps, shrink by the ratio of the last two: is the way to the end longer than a global step is worth?
bool Descent::is_slow() const
{
    if (global_ == nullptr || static_cast<int>(forces_.size()) < patience_)
        return false;
    const bool by_forces = options_.residual > 0;
    const std::vector<double>& last = by_forces ? forces_ : lengths_;
    const double now = last.back(), before = last[last.size() - 2];
    const double goal = by_forces ? options_.residual * reference_ : options_.tolerance;
    if (!(now > goal))
        return false;
    return now >= before || std::log(goal / now) / std::log(now / before) > price_of_global_step;
}

void Descent::step_globally()
{
    (void)watch_.lap();
    if (looks_around_)
        follow_contacts();
    looks_around_ = false;
    problem_.update(x_);
    of_sweep_ = {};
    global_record_.emplace();
    const bool is_taken = global_->take(problem_, options_, x_, *global_record_);
    patience_ = is_taken ? least_sweeps : 2 * patience_; // where it does not help, sweeps go on
    forces_.clear();
    of_sweep_.num_cut = global_record_->num_cut;
    set_points();
    is_measured_ = false;
    report.times.factorize += watch_.lap();
}

double Descent::step_length(const SweepSums& sums) const
{
    return relaxation_ *
           std::sqrt(options_.norm == StepNorm::largest ? sums.longest : sums.squared_step / std::max(num_free_, 1));
}

/// How far it still is to the minimum, as the last steps shrink: s q + s q² + ..., with the largest ratio q of two
/// successive ones.
double Descent::remaining() const
{
    if (lengths_.empty()) // after a global step, of which sweeps have to tell
        return INFINITY;
    if (lengths_.back() == 0)
        return 0;
    if (lengths_.size() < 4)
        return INFINITY;
    double q = 0;
    for (std::size_t k = 1; k < lengths_.size(); ++k)
        q = std::max(q, lengths_[k] / lengths_[k - 1]);
    return q < 1 ? lengths_.back() * std::max(1.0, q / (1 - q)) : INFINITY;
}

bool Descent::is_within_tolerance() const { return of_sweep_.num_cut == 0 && remaining() <= options_.tolerance; }

void Descent::measure()
{
    if (!is_measured_)
        force_ = mean_force();
    is_measured_ = true;
    report.relative_residual = reference_ > 0 ? force_ / reference_ : 0;
}

bool Descent::is_within_residual() const
{
    const double rounding = of_sweep_.rounding / std::max(num_free_, 1);
    return force_ <= std::max(options_.residual * reference_, rounding);
}

/// After the last iteration that was allowed.
void Descent::end_by_count()
{
    measure();
    const bool is_there = options_.residual > 0 ? is_within_residual() : is_within_tolerance();
    const std::string forces =
        fmt::format("forces are at {:.3g} of what they were or of the weight", report.relative_residual);
    if (is_there)
        return end(
            Outcome::converged,
            options_.residual > 0
                ? fmt::format("{}, within solver.residual = {:.3g}", forces, options_.residual)
                : fmt::format("what is left to go is about {:.3g} m, within the tolerance", remaining()));
    std::string left =
        options_.residual > 0 ? fmt::format("above solver.residual = {:.3g}", options_.residual)
        : std::isfinite(remaining())
            ? fmt::format(
                  "what is left to go is about {:.3g} m, above the tolerance {:.3g} m", remaining(), options_.tolerance)
            : fmt::format(
                  "steps do not shrink yet: the last was {:.3g} m, the tolerance is {:.3g} m",
                  report.iterations.back().step_length, options_.tolerance);
    end(Outcome::not_converged, fmt::format("{} iterations, and {}; {}", iteration_, forces, left));
}

/// Are new regions due? Many blocks were cut, or a few for some sweeps in a row, which would never arrive. The more
/// often in a step, the more have to be cut: where folds press, some always are, and every sweep would pay for a
/// detection.
bool Descent::needs_regions()
{
    constexpr int patience = 12;
    num_cut_sweeps_ = of_sweep_.num_cut > 0 ? num_cut_sweeps_ + 1 : 0;
    if (of_sweep_.num_cut <= cut_share_ * num_free_ && num_cut_sweeps_ < patience)
        return false;
    num_cut_sweeps_ = 0;
    cut_share_ *= 2;
    return true;
}

/// Keeps the record of the sweep or of the global step; returns the length of its step.
double Descent::record()
{
    if (global_record_) {
        lengths_.clear(); // what sweeps did before it says nothing about what they do after it
        report.iterations.push_back(*global_record_);
        global_record_.reset();
        return report.iterations.back().step_length;
    }
    const double length = step_length(of_sweep_);
    if (lengths_.size() == 4)
        lengths_.erase(lengths_.begin());
    lengths_.push_back(length);
    forces_.push_back(of_sweep_.force / std::max(num_free_, 1));
    if (forces_.back() < least_force_) {
        least_force_ = forces_.back();
        sweeps_since_least_ = sweeps_since_least_ < most_sweeps_in_vain ? 0 : most_sweeps_in_vain;
    } else
        sweeps_since_least_ = std::min(sweeps_since_least_ + 1, most_sweeps_in_vain);
    report.iterations.push_back(
        {.energy = NAN,
         .gradient_norm = std::sqrt(of_sweep_.squared_force),
         .step_length = length,
         .line_search_scale = 1,
         .num_cut = of_sweep_.num_cut});
    return length;
}

bool Descent::end_iteration(const SolveObserver& observer)
{
    ++iteration_;
    const bool is_sweep = !global_record_;
    const double length = record();
    StepGuard* guard = problem_.guard();
    const bool has_regions = guard != nullptr && guard->has_regions();
    if (has_regions && of_sweep_.num_cut > 0)
        report.limiting = fmt::format("the bounds of {} vertices", of_sweep_.num_cut);
    looks_around_ = has_regions ? needs_regions() : has_contacts_;
    if (!of_sweep_.is_finite) {
        end(Outcome::not_finite, "a step is not finite; forces: " + problem_.describe_forces(x_));
        return false;
    }
    if (observer && !observer(report.iterations.back())) {
        end(Outcome::interrupted, fmt::format("interrupted after {} iterations", iteration_));
        return false;
    }
    const bool is_fixed_count = options_.iterations > 0;
    if (iteration_ >= (is_fixed_count ? options_.iterations : options_.max_iterations)) {
        end_by_count();
        return false;
    }
    // Forces before the sweep's moves are for free. Where they are small enough, those after it decide.
    if (!is_sweep) {
        // A sweep tells.
    } else if (options_.residual > 0) {
        const double mean = of_sweep_.force / std::max(num_free_, 1);
        const double rounding = of_sweep_.rounding / std::max(num_free_, 1);
        if (mean <= std::max(options_.residual * reference_, rounding)) {
            measure();
            if (is_within_residual()) {
                end_by_count();
                return false;
            }
        }
    } else if (!is_fixed_count && is_within_tolerance()) {
        end_by_count();
        return false;
    }
    if (watch_.seconds() > options_.max_seconds) {
        measure();
        end(Outcome::time_limit,
            fmt::format("the time is up after {} iterations, and the last step was {:.3g} m", iteration_, length));
        return false;
    }
    return true;
}

} // namespace

VertexBlockDescent::VertexBlockDescent(std::unique_ptr<LinearSolver> linear_solver)
    : memory_(std::make_unique<Memory>())
{
    if (linear_solver)
        memory_->global.emplace(std::move(linear_solver));
}
VertexBlockDescent::~VertexBlockDescent() = default;

void VertexBlockDescent::begin_step()
{
    if (memory_->global)
        memory_->global->linear().begin_step();
}

void VertexBlockDescent::load(const History& history)
{
    if (memory_->global)
        recall_linear_solver(history, memory_->global->linear());
}

void VertexBlockDescent::save(History& history) const
{
    if (memory_->global)
        remember_linear_solver(memory_->global->linear(), history);
}

SolveReport VertexBlockDescent::minimize(
    Problem& problem, Eigen::VectorXd& x, const SolveOptions& options, const SolveObserver& observer)
{
    if (memory_->pattern != problem.lasting()) {
        memory_->colours = colour_blocks(*problem.lasting());
        memory_->pattern = problem.lasting();
    }
    Descent descent(problem, options, x, *memory_);
    descent.begin();
    if (!descent.begin_iteration())
        return std::move(descent.report);
    do {
        if (descent.is_slow())
            descent.step_globally();
        else
            descent.sweep();
    } while (descent.end_iteration(observer));
    return std::move(descent.report);
}

} // namespace abut
