#pragma once
// All that changes from step to step. Two states that are equal go on with the same bits.

#include "abut/math/types.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// What energies and the integrator remember from one step to the next, by name: numbers such as the stiffness of
/// contact, or lists such as the plastic strain of elements. Frames store it as it is, so that a new entry needs no
/// change anywhere but in its owner's save() and load().
class History {
public:
    /// Names are "owner.quantity".
    void set(const std::string& name, std::vector<double> values) { entries_[name] = std::move(values); }
    void set(const std::string& name, double value) { entries_[name] = {value}; }

    /// Null where there is no such entry.
    [[nodiscard]] const std::vector<double>* find(std::string_view name) const
    {
        const auto at = entries_.find(name);
        return at == entries_.end() ? nullptr : &at->second;
    }
    /// One number, or `otherwise` where there is no such entry, as in a result of an earlier version. Throws
    /// InvalidInput where the entry is not one number.
    [[nodiscard]] double number(std::string_view name, double otherwise) const;

    [[nodiscard]] const std::map<std::string, std::vector<double>, std::less<>>& entries() const { return entries_; }
    /// Bit by bit, so that NaN equals itself.
    bool operator==(const History& other) const;

private:
    std::map<std::string, std::vector<double>, std::less<>> entries_;
};

struct State {
    Positions x, v;              ///< of vertices [m], [m/s]
    Eigen::VectorXd others = {}; ///< unknowns that are no vertices, in the order of the layout
    int step = 0;                ///< steps before it
    double time = 0;             ///< [s]
    History history = {};

    bool operator==(const State& other) const;
};

} // namespace abut
