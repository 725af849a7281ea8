#pragma once

namespace abut::python {

/// Counts a use of an object for as long as it lives. Made and dropped with the interpreter lock, which guards the
/// count; in between it may be released.
class InUse {
public:
    explicit InUse(int& count) : count_(count) { ++count_; }
    ~InUse() { --count_; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

private:
    int& count_;
};

} // namespace abut::python
