#include "abut/mpi/mpi_ranks.hpp"

#include <metis.h>
#include <mpi.h>

#include <algorithm>
#include <limits>

namespace abut {

namespace {

int as_count(std::size_t n)
{
    if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw LimitReached(fmt::format("ranks: a message of {} numbers is longer than MPI sends at once", n));
    return static_cast<int>(n);
}

/// Where the parts of lists begin in the list of all.
std::vector<int> starts_of(const std::vector<int>& counts)
{
    std::vector<int> starts(counts.size());
    std::size_t sum = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        starts[k] = as_count(sum);
        sum += static_cast<std::size_t>(counts[k]);
    }
    (void)as_count(sum);
    return starts;
}

} // namespace

MpiRanks::MpiRanks()
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

MpiRanks::~MpiRanks() = default;

void MpiRanks::count(std::size_t bytes, std::size_t messages)
{
    traffic_.bytes += static_cast<double>(bytes);
    traffic_.messages += static_cast<double>(messages);
}

void MpiRanks::sum(std::span<double> numbers)
{
    if (size_ == 1 || numbers.empty())
        return;
    const auto others = static_cast<std::size_t>(size_ - 1);
    constexpr std::size_t few = 256;
    if (numbers.size() <= few) {
        const int n = as_count(numbers.size());
        parts_.resize(numbers.size() * size_);
        MPI_Allgather(numbers.data(), n, MPI_DOUBLE, parts_.data(), n, MPI_DOUBLE, MPI_COMM_WORLD);
        count(numbers.size_bytes() * others, others);
        std::copy_n(parts_.begin(), n, numbers.begin());
        for (int r = 1; r < size_; ++r)
            for (int k = 0; k < n; ++k)
                numbers[k] += parts_[static_cast<std::size_t>(r) * n + k];
        return;
    }
    // Each rank adds up a range of the numbers, and sends the sums to all.
    std::vector<int> counts(size_), own(size_);
    for (int r = 0; r < size_; ++r)
        counts[r] = as_count(numbers.size() * (r + 1) / size_ - numbers.size() * r / size_);
    const std::vector<int> starts = starts_of(counts);
    std::fill(own.begin(), own.end(), counts[rank_]);
    const std::vector<int> own_starts = starts_of(own);
    parts_.resize(static_cast<std::size_t>(counts[rank_]) * size_);
    MPI_Alltoallv(
        numbers.data(), counts.data(), starts.data(), MPI_DOUBLE, parts_.data(), own.data(), own_starts.data(),
        MPI_DOUBLE, MPI_COMM_WORLD);
    for (int r = 1; r < size_; ++r)
        for (int k = 0; k < counts[rank_]; ++k)
            parts_[k] += parts_[own_starts[r] + k];
    MPI_Allgatherv(
        parts_.data(), counts[rank_], MPI_DOUBLE, numbers.data(), counts.data(), starts.data(), MPI_DOUBLE,
        MPI_COMM_WORLD);
    count(numbers.size_bytes() - sizeof(double) * counts[rank_] + sizeof(double) * counts[rank_] * others, 2 * others);
}

std::vector<std::byte> MpiRanks::gather(std::span<const std::byte> own, std::vector<std::size_t>& sizes)
{
    const int mine = as_count(own.size());
    std::vector<int> counts(size_);
    MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    const std::vector<int> starts = starts_of(counts);
    sizes.assign(counts.begin(), counts.end());
    std::vector<std::byte> all(static_cast<std::size_t>(starts.back()) + sizes.back());
    MPI_Allgatherv(own.data(), mine, MPI_BYTE, all.data(), counts.data(), starts.data(), MPI_BYTE, MPI_COMM_WORLD);
    count((own.size() + sizeof(int)) * (size_ - 1), 2 * static_cast<std::size_t>(size_ - 1));
    return all;
}

void MpiRanks::take_from_root(std::vector<std::byte>& bytes)
{
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bytes.resize(size);
    MPI_Bcast(bytes.data(), as_count(size), MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank_ == 0)
        count((bytes.size() + sizeof(size)) * (size_ - 1), 2 * static_cast<std::size_t>(size_ - 1));
}

std::vector<int> MpiRanks::partition(const NodeGraph& graph)
{
    const std::size_t num_nodes = graph.starts.size() - 1;
    std::vector<std::byte> bytes(sizeof(idx_t) * num_nodes);
    if (size_ > 1 && rank_ == 0) {
        std::vector<idx_t> parts(num_nodes, 0);
        idx_t n = static_cast<idx_t>(num_nodes), constraints = 1, num_parts = size_, cut = 0;
        if (num_nodes < 4 * static_cast<std::size_t>(size_)) // too few to cut well
            for (idx_t k = 0; k < n; ++k)
                parts[k] = k * num_parts / std::max<idx_t>(n, 1);
        else {
            std::vector<idx_t> starts(graph.starts.begin(), graph.starts.end()),
                neighbours(graph.neighbours.begin(), graph.neighbours.end()),
                weights(graph.weights.begin(), graph.weights.end());
            if (neighbours.empty())
                neighbours.push_back(0); // METIS wants a place, though it reads none
            idx_t options[METIS_NOPTIONS];
            METIS_SetDefaultOptions(options);
            options[METIS_OPTION_SEED] = 1;
            options[METIS_OPTION_UFACTOR] = 10; // weights within 1 % of their mean
            const auto cut_graph = num_parts <= 8 ? METIS_PartGraphRecursive : METIS_PartGraphKway;
            const int result = cut_graph(
                &n, &constraints, starts.data(), neighbours.data(), weights.data(), nullptr, nullptr, &num_parts,
                nullptr, nullptr, options, &cut, parts.data());
            if (result == METIS_ERROR_MEMORY)
                throw std::bad_alloc();
            if (result != METIS_OK)
                throw LimitReached(fmt::format("ranks: METIS cannot cut {} blocks for {} ranks", num_nodes, size_));
        }
        std::memcpy(bytes.data(), parts.data(), bytes.size());
    }
    if (size_ > 1)
        take_from_root(bytes);
    std::vector<int> owners(bytes.size() / sizeof(idx_t));
    for (std::size_t k = 0; k < owners.size(); ++k) {
        idx_t part = 0;
        std::memcpy(&part, bytes.data() + k * sizeof(idx_t), sizeof(idx_t));
        owners[k] = static_cast<int>(part);
    }
    return owners;
}

} // namespace abut
