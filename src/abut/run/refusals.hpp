#pragma once
// What is wrong with the variants of a scene, all of it, before anything runs.

#include <functional>
#include <string>
#include <vector>

namespace abut {

/// Gathers reasons so that what several runs share is said once.
class Refusals {
public:
    void add(const std::string& reason, const std::string& run);

    /// Reading ends at the first thing that is wrong. To name the others too, the setting that causes it is left out,
    /// and the rest is tried again. `check` throws where it refuses settings.
    void add_all(
        std::vector<std::string> settings, const std::string& run,
        const std::function<void(const std::vector<std::string>& settings)>& check);

    /// Throws InvalidInput that names all of them; does nothing where there is none.
    void throw_if_any() const;

private:
    struct Refusal {
        std::string reason, run;
        int count;
    };
    std::vector<Refusal> list_;
};

} // namespace abut
