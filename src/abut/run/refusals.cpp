#include "abut/run/refusals.hpp"

#include "abut/base/error.hpp"

#include <algorithm>

namespace abut {

void Refusals::add(const std::string& reason, const std::string& run)
{
    const auto same =
        std::find_if(list_.begin(), list_.end(), [&](const auto& other) { return other.reason == reason; });
    if (same == list_.end())
        list_.push_back({reason, run, 1});
    else
        ++same->count;
}

void Refusals::add_all(
    std::vector<std::string> settings, const std::string& run,
    const std::function<void(const std::vector<std::string>&)>& check)
{
    const auto reason_of = [&](const std::vector<std::string>& tried) -> std::string {
        try {
            check(tried);
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    };
    for (std::string reason = reason_of(settings); !reason.empty();) {
        add(reason, run);
        std::string next = reason;
        for (std::size_t k = 0; k < settings.size() && next == reason; ++k) {
            std::vector<std::string> fewer = settings;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
            next = reason_of(fewer);
            if (next != reason)
                settings = std::move(fewer);
        }
        if (next == reason)
            return; // no single setting causes it
        reason = next;
    }
}

void Refusals::throw_if_any() const
{
    if (list_.empty())
        return;
    constexpr std::size_t most_shown = 20;
    std::string text = "nothing was run:";
    for (std::size_t k = 0; k < std::min(most_shown, list_.size()); ++k)
        text += fmt::format(
            "\n  {}: {}{}", list_[k].run, list_[k].reason,
            list_[k].count > 1 ? fmt::format(" (and {} more)", list_[k].count - 1) : "");
    if (list_.size() > most_shown)
        text += fmt::format("\n  and {} more reasons", list_.size() - most_shown);
    throw InvalidInput(text);
}

} // namespace abut
