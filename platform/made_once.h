// An object that the first thread to need it makes. It lives as long as the pointer to it, or as
// the process.
#pragma once

#include <cstddef>

#include "platform/atomic.h"
#include "platform/system_mutex.h"

#include "platform/common.h"

namespace loomp::core {

/// Returns the object that `pointer` points to; the first caller makes it. Any thread.
template <class T> LOOMP_INLINE T &made_once(Atomic<T *> &pointer) {
    // acquire: the thread sees the complete object.
    T *object = pointer.load(std::memory_order_acquire);
    if (LOOMP_LIKELY(object != nullptr))
        return *object;
    auto *fresh = new T;
    // acq_rel: publishes the object, or shows the earlier one.
    if (pointer.compare_exchange_strong(object, fresh, std::memory_order_acq_rel))
        return *fresh;
    delete fresh;
    return *object;
}

/// Held while any object of MadeOnce is made; the object may need others. fork() waits for it. So
/// no object is half made in the child, and no library call of its maker is half done. No thread
/// waits for it with a spin lock held.
LOOMP_HIDDEN inline RecursiveSystemMutex making;

/// An object that takes long to make: the other threads wait for the first one. It is never
/// destroyed, because threads read it until the process ends. A function's static object would stay
/// half made in the child of fork(), if another thread was making it.
template <class T> class MadeOnce {
  public:
    /// `make()` returns the object; it may use other objects of this class, but not this one. Any
    /// thread.
    template <class Make> LOOMP_INLINE const T &get(Make make) {
        // acquire: the thread sees the complete object.
        const T *object = object_.load(std::memory_order_acquire);
        return LOOMP_LIKELY(object != nullptr) ? *object : make_first(make);
    }

  private:
    template <class Make> LOOMP_COLD const T &make_first(Make make) {
        const std::lock_guard<RecursiveSystemMutex> guard(making);
        const T *object = object_.load(std::memory_order_relaxed);
        if (object == nullptr) {
            object = new const T(make());
            object_.store(object, std::memory_order_release);
        }
        return *object;
    }

    Atomic<const T *> object_{nullptr};
};

/// A number that the first caller fixes: it is not 0. Nobody waits for another thread, so spin
/// locks may be held, and it is never half made in the child of fork().
class FixedOnce {
  public:
    /// Returns the number that is fixed: `make()`, or another thread's. Any thread.
    template <class Make> LOOMP_INLINE std::size_t get(Make make) {
        // relaxed: threads learn nothing but the number.
        std::size_t fixed = number_.load(std::memory_order_relaxed);
        if (LOOMP_LIKELY(fixed != 0))
            return fixed;
        const std::size_t made = make();
        return number_.compare_exchange_strong(fixed, made, std::memory_order_relaxed) ? made
                                                                                       : fixed;
    }
    bool is_fixed() const { return number_.load(std::memory_order_relaxed) != 0; }

  private:
    Atomic<std::size_t> number_{0};
};

} // namespace loomp::core
