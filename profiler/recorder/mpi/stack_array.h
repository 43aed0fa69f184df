// Memory for a call's list of requests.
#pragma once

#include <cstddef>
#include <new>

namespace loomp::record {

/// Storage for as many elements as a call needs, on the stack for a few; empty if there is no
/// memory.
template <class T> class Room {
  public:
    explicit Room(int count)
        : data_(count <= kFew ? few_ : new(std::nothrow) T[static_cast<std::size_t>(count)]) {}
    Room(const Room &) = delete;
    Room &operator=(const Room &) = delete;
    ~Room() {
        if (data_ != few_)
            delete[] data_;
    }
    T *data() { return data_; }
    T &operator[](int i) { return data_[i]; }

  private:
    static constexpr int kFew = 32;
    T few_[kFew];
    T *data_;
};

} // namespace loomp::record
