#pragma once
// Contacts as a table, for those who look at them.

#include "abut/sim/system.hpp"

namespace abut {

/// The pairs in contact at a state, one row each.
struct ContactList {
    Elements vertices;         ///< #contacts x 4: vertices of the pair, of all objects together; -1 where it has fewer
    Elements bodies;           ///< #contacts x 2: objects of the two elements, plane k as -1 - k
    Eigen::VectorXd distances; ///< [m]
};

/// The pairs that the barrier acts on at x, between steps.
[[nodiscard]] ContactList contacts_at(System& system, const Eigen::VectorXd& x);

} // namespace abut
