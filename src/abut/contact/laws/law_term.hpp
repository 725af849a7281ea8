#pragma once
// What every scalar law of contact returns: its value and both derivatives by its argument, from one call.

namespace abut {

template <typename Number>
struct LawTermOf {
    Number value{}, first{}, second{};
};
using LawTerm = LawTermOf<double>;

} // namespace abut
