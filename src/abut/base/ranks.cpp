#include "abut/base/ranks.hpp"

namespace abut {

namespace {

class OneRank final : public Ranks {
public:
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return 1; }
    void sum(std::span<double> /*numbers*/) override {}
    [[nodiscard]] std::vector<std::byte>
    gather(std::span<const std::byte> own, std::vector<std::size_t>& sizes) override
    {
        sizes.assign(1, own.size());
        return {own.begin(), own.end()};
    }
    void take_from_root(std::vector<std::byte>& /*bytes*/) override {}
    [[nodiscard]] std::vector<int> partition(const NodeGraph& graph) override
    {
        return std::vector<int>(graph.starts.size() - 1, 0);
    }
};

OneRank one;
Ranks* current = &one;

} // namespace

Ranks& ranks() { return *current; }

void set_ranks(Ranks* all) { current = all != nullptr ? all : &one; }

Solo::Solo() : before_(current) { current = &one; }

Solo::~Solo() { current = before_; }

void detail::agree_with_root(const Error* thrown)
{
    std::vector<std::byte> bytes;
    if (thrown != nullptr) {
        const auto code = static_cast<std::int32_t>(thrown->exit_code());
        const std::string_view words = thrown->what();
        bytes.resize(sizeof(code) + words.size());
        std::memcpy(bytes.data(), &code, sizeof(code));
        std::memcpy(bytes.data() + sizeof(code), words.data(), words.size());
    }
    ranks().take_from_root(bytes);
    if (ranks().rank() == 0 || bytes.empty())
        return;
    std::int32_t code = 0;
    ABUT_ASSERT(bytes.size() >= sizeof(code));
    std::memcpy(&code, bytes.data(), sizeof(code));
    throw Error(
        static_cast<ExitCode>(code),
        std::string(reinterpret_cast<const char*>(bytes.data()) + sizeof(code), bytes.size() - sizeof(code)));
}

} // namespace abut
