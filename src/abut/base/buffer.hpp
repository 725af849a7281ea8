#pragma once
// An array that is about to be overwritten: it is not set to zero first, and its pages are touched for the first time
// by the threads that fill it. Keeps its memory from one use to the next. Large ones ask for huge pages, without which
// the first touch costs more than what is written.

#include "abut/base/assert.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>

namespace abut {

namespace detail {

/// Memory for `count` elements; throws std::bad_alloc.
[[nodiscard]] void* allocate_pages(std::size_t count, std::size_t element_size);
void free_pages(void* memory) noexcept;

} // namespace detail

template <typename T>
class Buffer {
    static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);

public:
    Buffer() = default;
    explicit Buffer(std::size_t size) { resize(size); }

    /// Room for `size` elements, whose values are not defined.
    void resize(std::size_t size)
    {
        if (size > capacity_) {
            // What has grown once grows again, as contacts do: fresh pages each time cost more than what is written.
            const std::size_t wanted = capacity_ > 0 ? std::max(size, capacity_ + capacity_ / 4) : size;
            data_.reset(); // never both at once
            capacity_ = 0;
            data_.reset(static_cast<T*>(detail::allocate_pages(wanted, sizeof(T))));
            capacity_ = wanted;
        }
        size_ = size;
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] const T* data() const { return data_.get(); }
    T& operator[](std::size_t i)
    {
        ABUT_ASSERT(i < size_);
        return data_.get()[i];
    }
    const T& operator[](std::size_t i) const
    {
        ABUT_ASSERT(i < size_);
        return data_.get()[i];
    }
    [[nodiscard]] std::span<T> span() { return {data_.get(), size_}; }
    [[nodiscard]] std::span<const T> span() const { return {data_.get(), size_}; }

private:
    struct Free {
        void operator()(T* memory) const { detail::free_pages(memory); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0, capacity_ = 0;
};

} // namespace abut
