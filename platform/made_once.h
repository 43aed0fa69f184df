// An object that the first thread to need it makes. It lives as long as the pointer to it, or as
// the process.
#pragma once

#include "platform/atomic.h"
#include "platform/system_mutex.h"

#include "platform/common.h"

namespace loomp::core {

/// The object that `pointer` points to; the first caller makes it. Any thread.
template <class T> LOOMP_INLINE T &made_once(Atomic<T *> &pointer) {
    // acquire: the object is seen made.
    T *object = pointer.load(std::memory_order_acquire);
    if (LOOMP_LIKELY(object != nullptr))
        return *object;
    auto *fresh = new T;
    // acq_rel: publishes the object, or shows the one that came first.
    if (pointer.compare_exchange_strong(object, fresh, std::memory_order_acq_rel))
        return *fresh;
    delete fresh;
    return *object;
}

/// Held while an object of MadeOnce is made, whichever it is: it may need others. fork() waits for
/// it, so that in the child nothing is half made, nor is a library that was asked meanwhile in a
/// state that only the other thread would have ended. Nobody waits for it with a spin lock held.
LOOMP_HIDDEN inline RecursiveSystemMutex making;

/// An object that takes long to make: the other threads wait for the first one. Never destroyed:
/// threads read it until the process ends. A function's static object would stay half made for ever
/// in the child of fork(), if another thread was making it.
template <class T> class MadeOnce {
  public:
    /// `make()` returns the object; it may use others of these, but not this one. Any thread.
    template <class Make> LOOMP_INLINE const T &get(Make make) {
        // acquire: the object is seen made.
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

} // namespace loomp::core
