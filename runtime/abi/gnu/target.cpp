// GNU ABI: device constructs. This front end has no devices. Target regions run on the initial
// device, as the standard requires without a device (OpenMP 5.2, 13.8). Data constructs only keep
// the order of dependences, because their data is already in place.
#include <climits>
#include <cstdlib>
#include <cstring>

#include "platform/diagnostics.h"
#include "platform/export.h"
#include "runtime/abi/gnu/gnu.h"
#include "runtime/abi/gnu/gnu_depend.h"
#include "runtime/core/creation/submission.h"
#include "runtime/core/environment/device_settings.h"
#include "runtime/core/regions/parallel.h"

namespace loomp::abi::gnu {
namespace {

using core::Task;
using core::Worker;

enum : unsigned { kNowait = 1u << 0 };
constexpr unsigned kMapFirstprivate = 12;
constexpr unsigned kMapAttach = 1u << 6 | 1u << 4;

/// Copies of firstprivate variables, because the region must not write to the originals.
class FirstprivateCopies {
  public:
    /// Returns the bytes with alignment; 0: there are no such variables.
    static std::size_t room(std::size_t count, const std::size_t *sizes,
                            const unsigned short *kinds) {
        std::size_t total = 0;
        for (std::size_t i = 0; i < count; ++i)
            if ((kinds[i] & 0xff) == kMapFirstprivate)
                total = core::round_up(total, alignment(kinds[i])) + sizes[i];
        return total == 0 ? 0 : total + 128;
    }
    static void copy(char *memory, std::size_t count, void **addresses, const std::size_t *sizes,
                     const unsigned short *kinds) {
        std::uintptr_t at = reinterpret_cast<std::uintptr_t>(memory);
        for (std::size_t i = 0; i < count; ++i) {
            if ((kinds[i] & 0xff) != kMapFirstprivate || addresses[i] == nullptr)
                continue; // null: an absent optional argument
            at = core::round_up(at, alignment(kinds[i]));
            std::memcpy(reinterpret_cast<void *>(at), addresses[i], sizes[i]);
            addresses[i] = reinterpret_cast<void *>(at);
            at += sizes[i];
            // gcc 14 passes an allocatable's target, and then the position of the pointer to it in
            // the allocatable's copied descriptor.
            if (i + 1 < count && (kinds[i + 1] & 0xff) == kMapAttach) {
                ++i;
                char *const descriptor = *static_cast<char **>(addresses[i]);
                std::memcpy(descriptor + sizes[i], &addresses[i - 1], sizeof(void *));
            }
        }
    }

  private:
    static std::size_t alignment(unsigned short kind) { return std::size_t{1} << (kind >> 8); }
};

/// Returns the thread_limit among the construct's arguments; 0: none.
int thread_limit_of(void **arguments) {
    constexpr std::intptr_t device_mask = 0x7f;
    constexpr std::intptr_t value_follows = 0x80;
    constexpr std::intptr_t id_mask = 0xff << 8;
    constexpr std::intptr_t id_thread_limit = 2 << 8;
    int limit = 0;
    while (arguments != nullptr && *arguments != nullptr) {
        const auto id = reinterpret_cast<std::intptr_t>(*arguments++);
        std::intptr_t value = id >> 16;
        if ((id & value_follows) != 0)
            value = reinterpret_cast<std::intptr_t>(*arguments++);
        if ((id & device_mask) == 0 && (id & id_mask) == id_thread_limit && value > 0)
            limit = static_cast<int>(std::min<std::intptr_t>(value, INT_MAX));
    }
    return limit;
}

/// Device numbers that are valid although there is no device: the host, by its number (the number
/// of devices) or by a false if clause.
constexpr int kHostFallback = -2;
constexpr int kNoDeviceClause = -1;

void check_offload(int device) {
    const bool is_default = device == kNoDeviceClause || device == core::kDefaultDevice;
    if (is_default)
        device = Worker::current()->task->icvs->default_device;
    if (device == kHostFallback || device == 0 || (is_default && device == core::kInitialDevice))
        return;
    if (core::device_settings().target_offload == core::TargetOffload::mandatory) {
        // Begins, and the program ends, as with libgomp: programs' own test-suites look for it.
        core::warn_as("libgomp: ", "OMP_TARGET_OFFLOAD is set to MANDATORY, but only the host "
                                   "device is available; set it to DEFAULT to run on the host");
        std::exit(EXIT_FAILURE);
    }
    if (device == core::kInvalidDevice)
        core::fatal("a target construct is to run on omp_invalid_device");
}

/// Runs the region on the host, in the environment of a new initial thread.
LOOMP_MAY_SWITCH void run_on_host(Outlined outlined, int thread_limit) {
    // A device's data environment starts from the initial values, not from the caller's.
    core::league(1, thread_limit, core::initial_icvs(), run_outlined, &outlined,
                 __builtin_return_address(0));
}

/// A target task: the region, its addresses, and its firstprivate copies, in one descriptor.
struct TargetTask {
    void (*fn)(void *);
    int thread_limit;
    void **addresses() { return reinterpret_cast<void **>(this + 1); }
};

LOOMP_MAY_SWITCH void spawn_target_task(Worker &worker, void (*fn)(void *), std::size_t count,
                                        void **addresses, const std::size_t *sizes,
                                        const unsigned short *kinds, void **depend,
                                        int thread_limit, core::TaskFlags clause) {
    const std::size_t words = count * sizeof(void *);
    const std::size_t copies = FirstprivateCopies::room(count, sizes, kinds);
    Task &task = core::create(
        worker, sizeof(TargetTask) + words + copies, core::kTied | core::kTarget | clause,
        {reinterpret_cast<const void *>(fn), copies == 0 ? core::kNoSelf : core::kManySelves});
    if (!task.has(core::kFusible))
        task.route.set_begins_on_device(false); // it needs a worker
    auto *target = static_cast<TargetTask *>(task.payload());
    *target = {fn, thread_limit};
    std::memcpy(target->addresses(), addresses, words);
    FirstprivateCopies::copy(reinterpret_cast<char *>(target->addresses()) + words, count,
                             target->addresses(), sizes, kinds);
    task.invoke = [](Task &t) {
        auto *o = static_cast<TargetTask *>(t.payload());
        run_on_host({o->fn, o->addresses()}, o->thread_limit);
    };
    core::submit(task, Clause{depend});
}

/// Returns whether a construct takes the program's request for the next task: it is a task
/// construct by one of these clauses (loomp.h), although only a request makes it a task.
bool takes_request(unsigned flags, void **depend) {
    return LOOMP_UNLIKELY(Worker::current()->task->has(core::kHasNextRequest)) &&
           ((flags & kNowait) != 0 || depend != nullptr);
}

core::TaskFlags undeferred_unless(bool deferred) {
    return deferred ? 0u : core::TaskFlags{core::kUndeferred};
}

/// Data constructs move no data; dependences order them like tasks.
LOOMP_MAY_SWITCH void order_only(unsigned flags, void **depend) {
    const bool deferred = (flags & kNowait) != 0 && core::defers(*Worker::current()->task);
    if (takes_request(flags, depend)) {
        constexpr auto nothing = [](Task &) {};
        Task &task = core::create(*Worker::current(), 0,
                                  core::kTied | core::kTarget | undeferred_unless(deferred),
                                  {reinterpret_cast<const void *>(+nothing), core::kNoSelf});
        if (!task.has(core::kFusible))
            task.route.set_begins_on_device(false);
        task.invoke = nothing;
        return core::submit(task, Clause{depend});
    }
    if (depend == nullptr || !deferred)
        return wait_for_clause(depend);
    const DependClause clause(depend);
    core::submit_empty(clause.data(), clause.size());
}

} // namespace
} // namespace loomp::abi::gnu

using namespace loomp;
using namespace loomp::abi::gnu;

LOOMP_EXPORT void GOMP_target_ext(int device, void (*fn)(void *), std::size_t count,
                                  void **addresses, std::size_t *sizes, unsigned short *kinds,
                                  unsigned flags, void **depend, void **arguments) {
    core::Worker &worker = *core::Worker::current();
    check_offload(device);
    const int limit = thread_limit_of(arguments);
    const bool deferred = (flags & kNowait) != 0 && core::defers(*worker.task);
    if (deferred || takes_request(flags, depend))
        return spawn_target_task(worker, fn, count, addresses, sizes, kinds, depend, limit,
                                 undeferred_unless(deferred));
    wait_for_clause(depend);
    char *copies = static_cast<char *>(
        __builtin_alloca_with_align(FirstprivateCopies::room(count, sizes, kinds), 128 * 8));
    FirstprivateCopies::copy(copies, count, addresses, sizes, kinds);
    run_on_host({fn, addresses}, limit);
}

LOOMP_EXPORT void GOMP_target(int device, void (*fn)(void *), const void *, std::size_t,
                              void **addresses, std::size_t *, unsigned char *) {
    check_offload(device);
    run_on_host({fn, addresses}, 0);
}

LOOMP_EXPORT void GOMP_target_data(int device, const void *, std::size_t, void **, std::size_t *,
                                   unsigned char *) {
    check_offload(device);
}
LOOMP_EXPORT void GOMP_target_data_ext(int device, std::size_t, void **, std::size_t *,
                                       unsigned short *) {
    check_offload(device);
}
LOOMP_EXPORT void GOMP_target_end_data() {}
LOOMP_EXPORT void GOMP_target_update(int, const void *, std::size_t, void **, std::size_t *,
                                     unsigned char *) {}
LOOMP_EXPORT void GOMP_target_update_ext(int, std::size_t, void **, std::size_t *, unsigned short *,
                                         unsigned flags, void **depend) {
    order_only(flags, depend);
}
LOOMP_EXPORT void GOMP_target_enter_exit_data(int, std::size_t, void **, std::size_t *,
                                              unsigned short *, unsigned flags, void **depend) {
    order_only(flags, depend);
}

namespace {

/// 0: the construct has no such clause.
void limit_threads(unsigned limit) {
    if (limit != 0)
        core::change_icvs(*core::Worker::current()->task, [limit](core::IcvValues &own) {
            own.thread_limit = static_cast<int>(std::min<unsigned>(limit, INT_MAX));
        });
}

} // namespace

/// teams inside a target region: the league's teams run in sequence on this thread.
LOOMP_EXPORT bool GOMP_teams4(unsigned num_teams_low, unsigned, unsigned thread_limit, bool first) {
    core::Member &member = here();
    core::ContentionGroup &group = *member.team->contention;
    if (first) {
        limit_threads(thread_limit);
        group.num_teams = num_teams_low == 0 ? 1 : static_cast<int>(num_teams_low);
        group.team_num = 0;
        return true;
    }
    if (group.team_num + 1 >= group.num_teams)
        return false;
    ++group.team_num;
    return true;
}

LOOMP_EXPORT void GOMP_teams(unsigned, unsigned thread_limit) { limit_threads(thread_limit); }

// Offload images register themselves when a program is loaded; this runtime runs none.

namespace {

void tell_of_images() {
    if (core::device_settings().target_offload == core::TargetOffload::default_)
        LOOMP_WARN_ONCE(
            "target regions that gcc compiled for a device run on the host: libgomp's plugins "
            "need libgomp; clang -fopenmp --offload-arch=native makes code that runs there");
}

} // namespace

LOOMP_EXPORT void GOMP_offload_register(const void *, int, const void *) { tell_of_images(); }
LOOMP_EXPORT void GOMP_offload_register_ver(unsigned, const void *, int, const void *) {
    tell_of_images();
}
LOOMP_EXPORT void GOMP_offload_unregister(const void *, int, const void *) {}
LOOMP_EXPORT void GOMP_offload_unregister_ver(unsigned, const void *, int, const void *) {}
