#pragma once
// An array that is about to be overwritten: it is not set to zero first, and its pages are touched for the first time
// by the threads that fill it. Keeps its memory from one use to the next.

#include <memory>
#include <span>

namespace abut {

template <typename T>
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(std::size_t size) { resize(size); }

    /// Room for `size` elements, whose values are not defined.
    void resize(std::size_t size)
    {
        if (size > capacity_) {
            data_.reset(); // never both at once
            data_ = std::make_unique_for_overwrite<T[]>(size);
            capacity_ = size;
        }
        size_ = size;
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] const T* data() const { return data_.get(); }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    [[nodiscard]] std::span<T> span() { return {data_.get(), size_}; }
    [[nodiscard]] std::span<const T> span() const { return {data_.get(), size_}; }

private:
    std::unique_ptr<T[]> data_;
    std::size_t size_ = 0, capacity_ = 0;
};

} // namespace abut
