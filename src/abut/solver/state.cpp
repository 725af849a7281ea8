#include "abut/solver/state.hpp"

#include "abut/base/error.hpp"

#include <cstring>

namespace abut {

namespace {

bool same_bits(const double* a, const double* b, std::size_t count)
{
    return count == 0 || std::memcmp(a, b, count * sizeof(double)) == 0;
}

template <typename Array>
bool same_bits(const Array& a, const Array& b)
{
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           same_bits(a.data(), b.data(), static_cast<std::size_t>(a.size()));
}

} // namespace

double History::number(std::string_view name, double otherwise) const
{
    const std::vector<double>* values = find(name);
    if (values == nullptr)
        return otherwise;
    if (values->size() != 1)
        reject("history: '{}' has {} numbers instead of one", name, values->size());
    return values->front();
}

bool History::operator==(const History& other) const
{
    return entries_.size() == other.entries_.size() &&
           std::equal(entries_.begin(), entries_.end(), other.entries_.begin(), [](const auto& a, const auto& b) {
               return a.first == b.first && a.second.size() == b.second.size() &&
                      same_bits(a.second.data(), b.second.data(), a.second.size());
           });
}

bool State::operator==(const State& other) const
{
    return same_bits(x, other.x) && same_bits(v, other.v) && same_bits(others, other.others) && step == other.step &&
           same_bits(&time, &other.time, 1) && history == other.history;
}

} // namespace abut
