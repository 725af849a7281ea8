#pragma once
// Errors that cross Abut's border. Bad input is rejected by one of these exceptions, whose message names the place
// and the cure; a bug asserts (assert.hpp); a numerical outcome is data in a result and no exception.

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace abut {

/// What the `abut` program returns to the shell. Every exception knows its code.
enum class ExitCode : int {
    done = 0,
    findings = 1,      ///< `check` or `verify` found something, or a run is not good
    bad_usage = 2,     ///< the command line is wrong
    invalid_input = 3, ///< a scene, mesh or array is wrong
    invalid_start = 4, ///< the start intersects or is inverted
    not_converged = 5, ///< the last good state was saved
    limit_reached = 6, ///< a size, step or time limit
    input_output = 7,  ///< a file cannot be written or read
    interrupted = 130, ///< Ctrl-C
};

class Error : public std::runtime_error {
public:
    Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ExitCode exit_code() const { return code_; }

private:
    ExitCode code_;
};

/// A value that can never be right: an index out of range, a NaN, sizes that do not match. Python: `ValueError`.
class InvalidInput : public Error {
public:
    explicit InvalidInput(const std::string& message) : Error(ExitCode::invalid_input, message) {}
};

/// Well-formed input that is no legal start: intersecting, touching or inverted. Python: `abut.InvalidStart`.
class InvalidStart : public Error {
public:
    explicit InvalidStart(const std::string& message) : Error(ExitCode::invalid_start, message) {}
};

/// A count or size beyond what Abut accepts, found before memory is asked for. Python: `abut.LimitReached`.
class LimitReached : public Error {
public:
    explicit LimitReached(const std::string& message) : Error(ExitCode::limit_reached, message) {}
};

/// The operating system refused to read or write. Python: `OSError`.
class InputOutput : public Error {
public:
    explicit InputOutput(const std::string& message) : Error(ExitCode::input_output, message) {}
};

/// Throws InvalidInput with a formatted message.
template <typename... Args>
[[noreturn]] void reject(fmt::format_string<Args...> format, Args&&... args)
{
    throw InvalidInput(fmt::format(format, std::forward<Args>(args)...));
}

} // namespace abut
