#include "runtime/core/scheduling/sending_kinds.h"

#include <array>

#include "platform/atomic.h"
#include "runtime/core/task/task_code.h"

namespace loomp::core {

Relaxed<bool> learns_senders = false;

namespace {

/// A set that only grows, of so many kinds at most; further ones stay unknown.
constexpr std::size_t kMostKinds = 1024;
std::array<Atomic<std::uint64_t>, kMostKinds> kinds;

std::size_t first_look(std::uint64_t kind) {
    return static_cast<std::size_t>(kind * 0x9e3779b97f4a7c15u >> 54);
}
static_assert(kMostKinds == 1u << (64 - 54));

} // namespace

std::uint64_t sending_kind_of(const Task &task) {
    if (task.invoke == nullptr)
        return 0;
    const void *known = code_of(task);
    const auto code = known != nullptr ? reinterpret_cast<std::uint64_t>(known)
                                       : reinterpret_cast<std::uint64_t>(task.invoke);
    constexpr unsigned above_addresses = 56;
    return code ^ std::uint64_t{task.size_class} << above_addresses;
}

bool add_sending_kind(std::uint64_t kind) {
    for (std::size_t look = 0; look < kMostKinds; ++look) {
        Atomic<std::uint64_t> &place = kinds[(first_look(kind) + look) % kMostKinds];
        std::uint64_t there = 0;
        // relaxed: nothing is published with it.
        if (place.compare_exchange_strong(there, kind, std::memory_order_relaxed))
            return true;
        if (there == kind)
            return false;
    }
    return false;
}

bool is_known_to_send(std::uint64_t kind) {
    for (std::size_t look = 0; look < kMostKinds; ++look) {
        const std::uint64_t there =
            kinds[(first_look(kind) + look) % kMostKinds].load(std::memory_order_relaxed);
        if (there == kind || there == 0)
            return there != 0;
    }
    return false;
}

} // namespace loomp::core
