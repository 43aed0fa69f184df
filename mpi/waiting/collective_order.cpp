#include "mpi/waiting/collective_order.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "loomp/experimental.h"
#include "mpi/adapters/program_setting.h"
#include "mpi/waiting/call_text.h"
#include "mpi/waiting/errors.h"
#include "mpi/waiting/interception.h"
#include "mpi/waiting/peers_with_layer.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/clock.h"
#include "platform/node_names.h"
#include "platform/system_mutex.h"

namespace loomp::mpi {

Atomic<bool> collective_order::is_checked{false};

namespace {

SystemMutex mutex; ///< guards the following list
CheckedOrder *first = nullptr;

/// Fortran's names and those for large counts are the same call.
std::uint64_t hash_of_name(std::string_view name) {
    for (const std::string_view end : {"_cptr", "_c"})
        if (name.ends_with(end))
            name.remove_suffix(end.size());
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return hash_of(lower);
}

/// Stores in `all` the `count` values of each rank, whose own ones are `own`. Returns MPI's error.
template <class T> int gather(const Call &call, const T *own, int count, std::vector<T> &all) {
    int size = 0;
    PMPI_Comm_size(call.comm, &size);
    all.resize(static_cast<std::size_t>(size) * static_cast<std::size_t>(count));
    const int bytes = count * static_cast<int>(sizeof(T));
    MPI_Request request = MPI_REQUEST_NULL;
    Call asking = call;
    asking.is_layers = true;
    const int error = make_for(asking, [&] {
        return PMPI_Iallgather(own, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, call.comm,
                               &request);
    });
    return error != MPI_SUCCESS ? error : wait_for(asking, &request, MPI_STATUS_IGNORE);
}

constexpr int kTextLength = 256;

/// Stores the text of this rank's call in a report.
void describe(const Call &call, char (&text)[kTextLength]) {
    Text own;
    add_call(own, {.name = call.name});
    add_place(own, call);
    std::snprintf(text, sizeof text, "%.*s", kTextLength - 1, own.text());
}

/// All ranks call this. The first rank prints a line.
[[noreturn]] void report(const Call &call, const std::vector<std::uint64_t> &names) {
    char text[kTextLength];
    describe(call, text);
    std::vector<char> texts;
    gather(call, text, kTextLength, texts);
    int rank = 0;
    PMPI_Comm_rank(call.comm, &rank);
    if (rank == 0) {
        constexpr int kShown = 4;
        Text line;
        line.add("loomp: ");
        add_call(line, {.name = "ranks call different collectives", .comm = call.comm});
        int shown = 0;
        for (std::size_t i = 0; i < names.size() && shown < kShown; ++i)
            if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i),
                          names[i]) == names.begin() + static_cast<std::ptrdiff_t>(i))
                line.add("%s rank %zu calls %s", shown++ == 0 ? ":" : ";", i,
                         &texts[i * kTextLength]);
        line.add("; all ranks must call the collectives of a communicator in the same order, and "
                 "tasks need dependences for that (docs/mpi.md)\n");
        line.write();
    } else {
        core::pause_for(10'000'000'000); // the first rank ends the job
    }
    abort_job(MPI_ERR_OTHER);
}

/// A poller's callback would wait for a task that needs the poller.
[[noreturn]] void report_concurrent(const Call &call) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Text line;
    line.add("loomp: rank %d: ", rank);
    add_call(line, call);
    add_place(line, call);
    line.add(": another collective of this communicator has not ended; MPI forbids two at the "
             "same time (docs/mpi.md)\n");
    line.write();
    abort_job(MPI_ERR_OTHER);
}

} // namespace

void begin_checking_order() {
    collective_order::is_checked.store(is_on("LOOMP_MPI_CHECK", loomp_mpi_checks),
                                       std::memory_order_relaxed);
}
void end_checking_order() { collective_order::is_checked.store(false, std::memory_order_relaxed); }

std::unique_lock<SystemMutex> list_calls_in_order(WaitingCalls &calls) {
    std::unique_lock<SystemMutex> lock(mutex);
    for (const CheckedOrder *order = first; order != nullptr; order = order->next_)
        if (order->waits_)
            calls.add(*order->call_, order->since_, order->free_);
    return lock;
}

int CheckedOrder::compare(const Call &call, MPI_Comm comm) {
    int joins_groups = 0;
    int size = 0;
    if (comm == MPI_COMM_NULL)
        return MPI_SUCCESS;
    if (const int error = check_comm(call, comm); error != MPI_SUCCESS)
        return error;
    PMPI_Comm_test_inter(comm, &joins_groups);
    PMPI_Comm_size(comm, &size);
    if (joins_groups != 0 || size == 1 || !all_have_layer(call, comm))
        return MPI_SUCCESS;
    Call checked = call;
    checked.comm = comm;
    comm_ = comm;
    call_ = &checked;
    if (!enter())
        report_concurrent(checked);
    const std::uint64_t own = hash_of_name(call.name);
    std::vector<std::uint64_t> names;
    if (const int error = gather(checked, &own, 1, names); error != MPI_SUCCESS)
        return error;
    for (const std::uint64_t name : names)
        if (name != names.front())
            report(checked, names);
    // No other call follows. The library may give the handle to another communicator before this
    // call ends.
    if (own == hash_of_name("MPI_Comm_disconnect"))
        end();
    return MPI_SUCCESS;
}

bool CheckedOrder::enter() {
    bool waits = false;
    since_ = core::coarse_nanoseconds();
    {
        const std::lock_guard<SystemMutex> lock(mutex);
        CheckedOrder **place = &first;
        for (; *place != nullptr; place = &(*place)->next_)
            waits = waits || (*place)->comm_ == comm_;
        *place = this;
        waits_ = waits;
    }
    if (waits && !can_wait())
        return false;
    if (waits)
        loomp_suspend(&free_);
    return true;
}

void CheckedOrder::leave() {
    const std::lock_guard<SystemMutex> lock(mutex);
    CheckedOrder **place = &first;
    while (*place != this)
        place = &(*place)->next_;
    *place = next_;
    CheckedOrder *next = first; // the first one that is left on this communicator
    while (next != nullptr && next->comm_ != comm_)
        next = next->next_;
    comm_ = MPI_COMM_NULL;
    if (next != nullptr && next->waits_) {
        next->waits_ = false;
        loomp_resume(&next->free_);
    }
}

} // namespace loomp::mpi
