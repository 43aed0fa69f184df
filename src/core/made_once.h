// An object that whoever needs it first makes, and that lives as long as what points to it.
#pragma once

#include <atomic>

#include "core/common.h"

namespace loomp::core {

/// What `pointer` points to; made now if nobody has. Any thread.
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
