// LLVM ABI: device routines with depend objects in the compiler's layout.
#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "runtime/abi/api/routines.h"
#include "runtime/abi/llvm/kmp_depend.h"
#include "runtime/abi/llvm/target_task.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/waiting.h"
#include "runtime/target/device_operation.h"
#include "runtime/target/left_tasks.h"
#include "runtime/target/library_lifetime.h"

using namespace loomp;
using namespace loomp::abi::llvm;

namespace {

/// Returns the dependences in a list of depend objects. An object is an array of items; the item
/// before its first holds their number.
std::vector<KmpDependInfo> items_of(int count, KmpDependInfo *const *objects) {
    std::vector<KmpDependInfo> items;
    for (int i = 0; i < count; ++i)
        items.insert(items.end(), objects[i], objects[i] + objects[i][-1].address);
    return items;
}

LOOMP_MAY_SWITCH void wait_for(int count, KmpDependInfo *const *objects) {
    const std::vector<KmpDependInfo> items = items_of(count, objects);
    if (items.empty())
        return;
    const DependClause clause(static_cast<std::int32_t>(items.size()), items.data(), 0, nullptr);
    core::wait_dependences(clause.data(), clause.size());
}

/// A copy as a task: a stand-in makes it while the task is held, without a stack.
template <class Copy> struct CopyTask : target::StandInCall {
    explicit CopyTask(const Copy &c) : copy(c) {}
    Copy copy;
    core::Task *held = nullptr;

    LOOMP_MAY_SWITCH static void run(core::Task &task) {
        auto &self = *static_cast<CopyTask *>(task.payload());
        self.held = core::hold(1);
        if (self.held == nullptr) {
            (void)self.copy(); // suspends the task
            return;
        }
        self.make = [](target::StandInCall &call) {
            auto &made = static_cast<CopyTask &>(call);
            {
                const target::OpenEntry entry;
                (void)made.copy();
            }
            core::release_holds(*made.held, 1);
        };
        if (!target::give_to_stand_in(self))
            self.make(self);
    }
};

/// Defers copies from and to devices. Copies within the host's memory are complete before the call
/// returns: they could overlap only with other tasks, which continue anyway.
template <class Copy>
LOOMP_MAY_SWITCH int copy_later(int count, KmpDependInfo *const *objects, Copy copy) {
    using Payload = CopyTask<Copy>;
    core::Task &task = core::create(self(), sizeof(Payload), core::kTied | core::kTarget,
                                    {reinterpret_cast<const void *>(&Payload::run), core::kNoSelf});
    new (task.payload()) Payload(copy);
    task.invoke = Payload::run;
    target::serve_left_tasks();
    if (!task.has(core::kFusible))
        task.route.set_begins_on_device(true);
    const std::vector<KmpDependInfo> items = items_of(count, objects);
    submit_target_task(task, {static_cast<std::int32_t>(items.size()), items.data(), 0, nullptr});
    return 0;
}

/// A copied description of an array's box, because the caller's may not live as long as the copy.
/// Boxes with more dimensions are copied before the call returns.
struct Box {
    static constexpr int kMost = 8;
    std::size_t sizes[5][kMost];

    Box(int dimensions, const std::size_t *const (&from)[5]) {
        for (int i = 0; i < 5; ++i)
            std::copy_n(from[i], dimensions, sizes[i]);
    }
};

bool has_devices() { return target::library() != nullptr; }

} // namespace

LOOMP_EXPORT int omp_target_memcpy_async(void *to, const void *from, std::size_t length,
                                         std::size_t to_offset, std::size_t from_offset,
                                         int to_device, int from_device, int count,
                                         KmpDependInfo *const *objects) {
    const auto copy = [=] {
        return omp_target_memcpy(to, from, length, to_offset, from_offset, to_device, from_device);
    };
    if (has_devices())
        return copy_later(count, objects, copy);
    wait_for(count, objects);
    return copy();
}
LOOMP_EXPORT int
omp_target_memcpy_rect_async(void *to, const void *from, std::size_t element, int dimensions,
                             const std::size_t *volume, const std::size_t *to_offsets,
                             const std::size_t *from_offsets, const std::size_t *to_dimensions,
                             const std::size_t *from_dimensions, int to_device, int from_device,
                             int count, KmpDependInfo *const *objects) {
    const bool asks =
        to == nullptr && from == nullptr; // the caller queries the maximal number of dimensions
    if (!asks && has_devices() && dimensions > 0 && dimensions <= Box::kMost) {
        const Box box(dimensions,
                      {volume, to_offsets, from_offsets, to_dimensions, from_dimensions});
        return copy_later(count, objects, [=] {
            return omp_target_memcpy_rect(to, from, element, dimensions, box.sizes[0], box.sizes[1],
                                          box.sizes[2], box.sizes[3], box.sizes[4], to_device,
                                          from_device);
        });
    }
    if (!asks)
        wait_for(count, objects);
    return omp_target_memcpy_rect(to, from, element, dimensions, volume, to_offsets, from_offsets,
                                  to_dimensions, from_dimensions, to_device, from_device);
}
LOOMP_SINCE(VERS1.0, omp_target_memcpy_async);
LOOMP_SINCE(VERS1.0, omp_target_memcpy_rect_async);

namespace {

constexpr char kHostIdentifier[] = "HOST"; ///< libomptarget's
constexpr int kInvalidDevice = -2;         ///< LLVM's omp_invalid_device

} // namespace

/// Returns a name of the device that is the same in other processes and runs (OpenMP 6.0); null if
/// there is none. LLVM 23's libomptarget names the devices.
LOOMP_EXPORT const char *omp_get_uid_from_device(int device) {
    if (abi::names_host(device))
        return kHostIdentifier;
    using Find = const char *(*)(int);
    const auto find = reinterpret_cast<Find>(target::find_function("omp_get_uid_from_device"));
    if (find == nullptr)
        return nullptr;
    const target::Inquiry inquiry;
    return find(abi::number_of(device));
}
LOOMP_EXPORT int omp_get_device_from_uid(const char *identifier) {
    if (identifier == nullptr)
        return kInvalidDevice;
    if (std::strcmp(identifier, kHostIdentifier) == 0)
        return omp_get_initial_device();
    using Find = int (*)(const char *);
    const auto find = reinterpret_cast<Find>(target::find_function("omp_get_device_from_uid"));
    if (find == nullptr)
        return kInvalidDevice;
    const target::Inquiry inquiry;
    return find(identifier);
}
// omp_lib gives the arguments the value attribute.
LOOMP_EXPORT const char *omp_get_uid_from_device_(int device) {
    return omp_get_uid_from_device(device);
}
LOOMP_EXPORT int omp_get_device_from_uid_(const char *identifier) {
    return omp_get_device_from_uid(identifier);
}

// Compiled code requests device memory for dyn_groupprivate here; the host's code has none.
LOOMP_EXPORT void *omp_get_dyn_gprivate_ptr(std::size_t, int *) { return nullptr; }
LOOMP_EXPORT void *omp_get_dyn_gprivate_nofb_ptr(std::size_t) { return nullptr; }
LOOMP_EXPORT std::size_t omp_get_dyn_gprivate_size() { return 0; }
LOOMP_EXPORT std::uintptr_t omp_get_dyn_gprivate_memspace() { return 0; }

LOOMP_EXPORT int __kmpc_pause_resource(int kind) { return omp_pause_resource_all(kind); }
