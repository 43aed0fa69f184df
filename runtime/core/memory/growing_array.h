// An array that grows at its end, for plain items. A large one has pages of its own, huge ones if
// the system has some; it grows without being copied, and what is added is not touched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "platform/common.h"

namespace loomp::core {

/// Memory of a size that its owner knows.
class Storage {
  public:
    Storage() = default;
    ~Storage() { resize(0); }
    Storage(Storage &&other) noexcept
        : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Storage &operator=(Storage &&other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
        return *this;
    }
    void *data() const { return bytes_; }
    /// The contents stay; all that is added is zero.
    void resize(std::size_t size);

  private:
    void *bytes_ = nullptr;
    std::size_t size_ = 0;
};

template <class T> class GrowingArray {
    static_assert(std::is_trivially_destructible_v<T>); // and moved as bytes

  public:
    GrowingArray() = default;
    GrowingArray(GrowingArray &&other) noexcept
        : storage_(std::move(other.storage_)), size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    GrowingArray &operator=(GrowingArray &&other) noexcept {
        std::swap(storage_, other.storage_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T *data() { return static_cast<T *>(storage_.data()); }
    const T *data() const { return static_cast<const T *>(storage_.data()); }
    T *begin() { return data(); }
    T *end() { return data() + size_; }
    const T *begin() const { return data(); }
    const T *end() const { return data() + size_; }
    T &operator[](std::size_t i) { return data()[i]; }
    const T &operator[](std::size_t i) const { return data()[i]; }

    LOOMP_INLINE void push_back(const T &item) {
        if (LOOMP_UNLIKELY(size_ == capacity_))
            reserve(std::max<std::size_t>(2 * capacity_, 64));
        data()[size_++] = item;
    }
    void append(const T *first, std::size_t count) {
        if (count == 0)
            return;
        if (LOOMP_UNLIKELY(count > capacity_ - size_))
            reserve(std::max<std::size_t>(2 * capacity_, size_ + count + 64));
        std::memcpy(static_cast<void *>(data() + size_), first, count * sizeof(T));
        size_ += count;
    }
    /// The memory for `count` items of another type, which overlay these one by one.
    template <class U> GrowingArray<U> overlay(std::size_t count) && {
        static_assert(sizeof(U) == sizeof(T));
        size_ = capacity_ = 0;
        return GrowingArray<U>(std::move(storage_), count);
    }
    /// Items that are all zero. Once.
    void make(std::size_t count) {
        reserve(count);
        size_ = count;
    }
    void reserve(std::size_t capacity) {
        storage_.resize(capacity *
                        sizeof(T)); // NOLINT(bugprone-sizeof-expression): also of pointers
        capacity_ = capacity;
    }
    std::size_t capacity() const { return capacity_; }
    void erase_first(std::size_t count) {
        size_ -= count;
        if (size_ != 0)
            std::memmove(static_cast<void *>(data()), data() + count, size_ * sizeof(T));
        if (count != 0)
            std::memset(static_cast<void *>(data() + size_), 0, count * sizeof(T));
    }
    /// Frees what is beyond the end.
    void shrink_to_fit() { reserve(size_); }

  private:
    template <class U> friend class GrowingArray;
    GrowingArray(Storage &&storage, std::size_t count) : storage_(std::move(storage)) {
        make(count);
    }

    Storage storage_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace loomp::core
