#pragma once
// What every scalar law of contact returns: its value and both derivatives by its argument, from one call.

namespace abut {

struct LawTerm {
    double value = 0, first = 0, second = 0;
};

} // namespace abut
