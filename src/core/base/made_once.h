// An object that the first thread to need it makes. It lives as long as the pointer to it.
#pragma once

#include <atomic>

#include "core/base/common.h"

namespace loomp::core {

/// The object that `pointer` points to; the first caller makes it. Any thread.
template <class T> LOOMP_INLINE T &made_once(std::atomic<T *> &pointer) {
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

} // namespace loomp::core
