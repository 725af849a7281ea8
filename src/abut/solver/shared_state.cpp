#include "abut/solver/shared_state.hpp"

#include "abut/base/ranks.hpp"

namespace abut {

namespace {

/// Bytes one behind the other: written on one rank, read on the others.
class Bytes {
public:
    std::vector<std::byte> all;

    void write(const void* from, std::size_t count)
    {
        const auto* bytes = static_cast<const std::byte*>(from);
        all.insert(all.end(), bytes, bytes + count);
    }
    void read(void* to, std::size_t count)
    {
        ABUT_ASSERT(at_ + count <= all.size());
        if (count > 0)
            std::memcpy(to, all.data() + at_, count);
        at_ += count;
    }
    template <typename T>
    void write(T number)
    {
        write(&number, sizeof(T));
    }
    template <typename T>
    T read()
    {
        T number;
        read(&number, sizeof(T));
        return number;
    }

private:
    std::size_t at_ = 0;
};

template <typename Matrix>
void write(Bytes& bytes, const Matrix& matrix)
{
    bytes.write<std::int64_t>(matrix.rows());
    bytes.write<std::int64_t>(matrix.cols());
    bytes.write(matrix.data(), sizeof(double) * matrix.size());
}

template <typename Matrix>
void read(Bytes& bytes, Matrix& matrix)
{
    const auto rows = bytes.read<std::int64_t>(), cols = bytes.read<std::int64_t>();
    matrix.resize(rows, cols);
    bytes.read(matrix.data(), sizeof(double) * matrix.size());
}

} // namespace

void take_from_root(State& state)
{
    if (ranks().size() == 1)
        return;
    Bytes bytes;
    if (ranks().rank() == 0) {
        write(bytes, state.x);
        write(bytes, state.v);
        write(bytes, state.others);
        bytes.write(state.step);
        bytes.write(state.time);
        bytes.write(state.history.entries().size());
        for (const auto& [name, values] : state.history.entries()) {
            bytes.write(name.size());
            bytes.write(name.data(), name.size());
            bytes.write(values.size());
            bytes.write(values.data(), sizeof(double) * values.size());
        }
    }
    ranks().take_from_root(bytes.all);
    State all;
    read(bytes, all.x);
    read(bytes, all.v);
    read(bytes, all.others);
    all.step = bytes.read<int>();
    all.time = bytes.read<double>();
    for (auto count = bytes.read<std::size_t>(); count > 0; --count) {
        std::string name(bytes.read<std::size_t>(), ' ');
        bytes.read(name.data(), name.size());
        std::vector<double> values(bytes.read<std::size_t>());
        bytes.read(values.data(), sizeof(double) * values.size());
        all.history.set(name, std::move(values));
    }
    state = std::move(all);
}

} // namespace abut
