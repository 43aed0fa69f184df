#include "mpi/waiting/outside_call.h"

#include "mpi/waiting/stuck.h"
#include "platform/clock.h"
#include "platform/common.h"

namespace loomp::mpi {

namespace {

/// So many threads may wait outside tasks at once; reports lack the others.
constexpr unsigned kPlacesLog = 4;
constexpr std::size_t kPlaces = 1u << kPlacesLog;
/// Set in a place while a report holds its call.
constexpr std::uintptr_t kHeld = 1;
static_assert(alignof(OutsideCall) > kHeld);

struct alignas(core::kFalseSharing) Place {
    Atomic<std::uintptr_t> call{0};
};
Place places[kPlaces];

/// The place that the calling thread tries first, mostly another one than other threads do.
std::size_t first_place() {
    const auto own = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&thread_aware));
    return own * 0x9e3779b97f4a7c15u >> (64 - kPlacesLog);
}

} // namespace

void OutsideCall::begin() {
    const auto own = reinterpret_cast<std::uintptr_t>(this);
    for (std::size_t i = 0; i < kPlaces; ++i) {
        Atomic<std::uintptr_t> &place = places[(first_place() + i) % kPlaces].call;
        std::uintptr_t nobody = 0;
        // release: a report that holds it reads the call.
        if (place.compare_exchange_strong(nobody, own, std::memory_order_release,
                                          std::memory_order_relaxed)) {
            place_ = &place;
            break;
        }
    }
    if (place_ != nullptr)
        loomp_begin_outside_wait();
}

void OutsideCall::end() {
    loomp_end_outside_wait();
    const auto own = reinterpret_cast<std::uintptr_t>(this);
    // acquire: what a report has read of the call comes before its end.
    for (std::uintptr_t seen = own; !place_->compare_exchange_strong(
             seen, 0, std::memory_order_acquire, std::memory_order_relaxed);
         seen = own)
        core::pause_for(100'000);
}

HeldOutsideCalls::HeldOutsideCalls(WaitingCalls &calls) {
    for (Place &place : places) {
        std::uintptr_t seen = place.call.load(std::memory_order_relaxed);
        // acquire: the call.
        if (seen != 0 &&
            place.call.compare_exchange_strong(seen, seen | kHeld, std::memory_order_acquire,
                                               std::memory_order_relaxed))
            calls.add(*reinterpret_cast<const OutsideCall *>(seen));
    }
}

HeldOutsideCalls::~HeldOutsideCalls() {
    for (Place &place : places) {
        const std::uintptr_t seen = place.call.load(std::memory_order_relaxed);
        // release: this has read the call. Nobody else changes a place that is held.
        if ((seen & kHeld) != 0)
            place.call.store(seen & ~kHeld, std::memory_order_release);
    }
}

} // namespace loomp::mpi
