#include "profiler/check/observer/mpi/checked_calls.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "mpi/interface/detached.h"
#include "mpi/interface/handle.h"
#include "platform/system_mutex.h"
#include "platform/valgrind.h"
#include "profiler/check/observer/observer.h"
#include "profiler/check/protocol.h"

namespace loomp::check {

namespace {

using record::Handle;
using record::handle_of;

/// A nonblocking call that is not complete. MPI libraries give calls that complete at once the same
/// handle, so several may have one.
struct Pending {
    const void *request; ///< where the program got it
    std::uint32_t number;
};

/// Objects of the process, which its end does not destroy: other threads may call MPI until then.
struct State {
    std::unordered_multimap<Handle, Pending> pending;
    std::unordered_map<Handle, Uses> kept; ///< what persistent requests use
    std::map<std::tuple<unsigned, int, int, Handle>, std::uint32_t> envelopes;
    std::map<Handle, std::uint32_t> communicators;
};
SystemMutex lock;
State &state() {
    static auto *const only = new State;
    return *only;
}

std::uint64_t pair_of(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32 | low;
}
std::uintptr_t address(const void *pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// MPI_COMM_WORLD is 0.
std::uint32_t number_of(MPI_Comm comm) {
    if (comm == MPI_COMM_WORLD)
        return 0;
    auto &known = state().communicators;
    return known.try_emplace(handle_of(comm), known.size() + 1).first->second;
}

/// The collector adds the current task.
void report_messages(const Call &call, const Uses &uses) {
    for (const auto &[kind, peer, tag, comm] : uses.envelopes()) {
        std::uint32_t number = 0;
        {
            const std::lock_guard guard(lock);
            auto &known = state().envelopes;
            const auto [at, is_new] =
                known.try_emplace({kind, peer, tag, handle_of(comm)}, known.size() + 1);
            number = at->second;
            if (is_new)
                report(LOOMP_CHECK_ENVELOPE, number,
                       pair_of(static_cast<std::uint32_t>(peer), static_cast<std::uint32_t>(tag)),
                       pair_of(kind, number_of(comm)));
        }
        report(LOOMP_CHECK_MESSAGE, 0, number, address(call.from));
    }
}

/// `number`: 0 for a blocking call.
void report_memory(const Call &call, const Uses &uses, std::uint32_t number) {
    report(LOOMP_CHECK_CALL, 0, number, address(call.from));
    if (number != 0)
        report(LOOMP_CHECK_CALLED, number, static_cast<std::uint32_t>(call.function));
    for (const Range &range : uses.ranges())
        report(LOOMP_CHECK_TOUCHES, range.begin, range.size, range.writes);
}

/// Removes the pending calls that a request may stand for, and returns their numbers.
std::vector<std::uint32_t> extract(const void *request, Handle handle) {
    std::vector<std::uint32_t> numbers;
    const std::lock_guard guard(lock);
    auto &pending = state().pending;
    auto [begin, end] = pending.equal_range(handle);
    const auto own = std::find_if(
        begin, end, [request](const auto &each) { return each.second.request == request; });
    if (own != end) {
        numbers.push_back(own->second.number);
        pending.erase(own);
        return numbers;
    }
    for (auto at = begin; at != end; ++at)
        numbers.push_back(at->second.number);
    pending.erase(begin, end);
    return numbers;
}

} // namespace

void note(const Call &call, const Uses &uses) {
    report_messages(call, uses);
    if (!uses.ranges().empty())
        report_memory(call, uses, 0);
}

void begin(const Call &call, const Uses &uses, const void *request, MPI_Request handle) {
    report_messages(call, uses);
    const std::uint32_t number = loomp_check_new_task();
    report_memory(call, uses, number);
    const std::lock_guard guard(lock);
    state().pending.emplace(handle_of(handle), Pending{request, number});
}

void keep(Uses uses, MPI_Request request) {
    const std::lock_guard guard(lock);
    state().kept.insert_or_assign(handle_of(request), std::move(uses));
}

void begin_kept(const void *from, const void *request, MPI_Request handle) {
    Uses kept;
    {
        const std::lock_guard guard(lock);
        const auto at = state().kept.find(handle_of(handle));
        if (at == state().kept.end())
            return;
        kept = at->second;
    }
    begin({Function::Start, from}, kept, request, handle);
}

void complete(const void *request, MPI_Request handle) {
    for (const std::uint32_t number : extract(request, handle_of(handle)))
        report(LOOMP_CHECK_COMPLETED, 0, number);
}

void forget(const void *request, MPI_Request handle) {
    complete(request, handle);
    const std::lock_guard guard(lock);
    state().kept.erase(handle_of(handle));
}

} // namespace loomp::check

// --- Requests that the layer takes over (mpi/interface/detached.h) -------------------------------

namespace {

struct Detached {
    std::vector<std::uint32_t> calls;
};

} // namespace

using namespace loomp::check;

/// All calls that the handles stand for become one: `calls.front()`.
LOOMP_EXPORT void *loomp_record_detach(int count, const std::uint64_t *handles, bool holds_task) {
    auto *detached = new Detached;
    for (int i = 0; i < count; ++i)
        for (const std::uint32_t number : extract(nullptr, handles[i]))
            detached->calls.push_back(number);
    for (const std::uint32_t number : detached->calls)
        if (holds_task)
            report(LOOMP_CHECK_BOUND, 0, number);
    return detached;
}

LOOMP_EXPORT void *loomp_record_detached(void *what, const loomp::record::DetachedResult *results) {
    auto *detached = static_cast<Detached *>(what);
    const bool calls_back = results != nullptr && !detached->calls.empty();
    for (std::size_t i = 1; calls_back && i < detached->calls.size(); ++i)
        report(LOOMP_CHECK_COMPLETED, detached->calls.front(), detached->calls[i]);
    if (calls_back)
        report(LOOMP_CHECK_CALLBACK, detached->calls.front());
    else
        delete std::exchange(detached, nullptr);
    return detached;
}

LOOMP_EXPORT void loomp_record_called_back(void *what) {
    report(LOOMP_CHECK_CALLBACK, 0);
    delete static_cast<Detached *>(what);
}
