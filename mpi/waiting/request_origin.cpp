#include "mpi/waiting/request_origin.h"

#include <cstdint>

#include "mpi/waiting/call.h"
#include "platform/atomic.h"

namespace loomp::mpi {

namespace {

struct Place {
    /// The thread that writes the other fields holds this; other writers skip the entry.
    Atomic<bool> busy{false};
    /// MPI_REQUEST_NULL while the other fields are written. A reader must see one request before
    /// and after it reads them. The call is then consistent, because a request that a task waits
    /// for is not restarted meanwhile.
    Atomic<MPI_Request> request{MPI_REQUEST_NULL};
    Atomic<const char *> name{nullptr};
    Atomic<int> peer{0};
    Atomic<int> tag{0};
    Atomic<bool> in_world{false};
    Atomic<const void *> from{nullptr};
};
constexpr unsigned kPlacesLog = 12;
Place places[1u << kPlacesLog];

Place &place_of(MPI_Request request) {
    // A pointer in Open MPI and in the standard ABI, a number in MPICH.
    const auto number = (std::uint64_t)request; // NOLINT(google-readability-casting)
    return places[number * 0x9e3779b97f4a7c15u >> (64 - kPlacesLog)];
}

} // namespace

void note_started(const Call &call, MPI_Request request) {
    Place &place = place_of(request);
    // acquire, and release below: they order the writers.
    if (place.busy.exchange(true, std::memory_order_acquire))
        return;
    place.request.store(MPI_REQUEST_NULL, std::memory_order_relaxed);
    // release: a reader that sees the following stores sees that the old request is gone.
    atomic_fence(std::memory_order_release);
    place.name.store(call.name, std::memory_order_relaxed);
    place.peer.store(call.peer, std::memory_order_relaxed);
    place.tag.store(call.tag, std::memory_order_relaxed);
    place.in_world.store(call.comm == MPI_COMM_WORLD, std::memory_order_relaxed);
    place.from.store(call.from, std::memory_order_relaxed);
    // release: a reader that sees the request sees its call.
    place.request.store(request, std::memory_order_release);
    place.busy.store(false, std::memory_order_release);
}

void forget_started(int count, const MPI_Request *requests) {
    // A null list is the library's to refuse.
    for (int i = 0; requests != nullptr && i < count; ++i) {
        Place &place = place_of(requests[i]);
        if (place.request.load(std::memory_order_relaxed) == requests[i])
            place.request.store(MPI_REQUEST_NULL, std::memory_order_relaxed);
    }
}

bool what_started(MPI_Request request, Call &call) {
    const Place &place = place_of(request);
    // acquire: pairs with the release store of `request` in note_started().
    if (request == MPI_REQUEST_NULL || place.request.load(std::memory_order_acquire) != request)
        return false;
    const bool in_world = place.in_world.load(std::memory_order_relaxed);
    const Call read = {.name = place.name.load(std::memory_order_relaxed),
                       .comm = in_world ? MPI_COMM_WORLD : MPI_COMM_NULL,
                       .peer = place.peer.load(std::memory_order_relaxed),
                       .tag = place.tag.load(std::memory_order_relaxed),
                       .is_elsewhere = !in_world,
                       .from = place.from.load(std::memory_order_relaxed)};
    // acquire: fields of another call imply that the request read below is different.
    atomic_fence(std::memory_order_acquire);
    if (place.request.load(std::memory_order_relaxed) != request)
        return false;
    call = read;
    return true;
}

} // namespace loomp::mpi
