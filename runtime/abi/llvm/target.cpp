// LLVM ABI: device constructs. These names replace libomptarget's functions, which do the work.
// perform() calls them (runtime/target/device_operation.h), so that the task waits and not the
// thread. A call that gains nothing from that goes to libomptarget unchanged.
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

#include "platform/export.h"
#include "runtime/target/device_operation.h"
#include "runtime/target/download.h"
#include "runtime/target/library_lifetime.h"

using namespace loomp;
using target::DeviceCall;

namespace {

constexpr int kFailed = -1; ///< tells the program to run the region on the host

/// Returns whether the construct's device exists and is not the host.
bool is_device(std::int64_t device) {
    return device >= 0 && device < target::library()->get_num_devices();
}

/// Returns the result of `judge()` for a construct that may leave its thread, and no block for one
/// that is passed on.
template <class Judge>
std::optional<target::Blocks> blocks_if_taken(std::int64_t device, Judge judge) {
    if (!target::takes_over())
        return std::nullopt;
    const target::OpenEntry entry; // both calls use libomptarget
    return is_device(device) ? std::optional(judge()) : std::nullopt;
}

// Copies of a mapping's lists: a call that is made after its entry point has returned needs them,
// and the program's may be gone then.

/// The size in bytes, at the alignment of a pointer.
std::size_t room_for(const target::Mapping &mapping) {
    constexpr std::size_t lists = 6;
    static_assert(sizeof(std::int64_t) == sizeof(void *));
    return lists * sizeof(void *) * static_cast<std::size_t>(mapping.count);
}

/// Returns the mapping with its lists copied to `memory`, which is large enough.
target::Mapping keep_in(void *memory, const target::Mapping &mapping) {
    const std::size_t size = sizeof(void *) * static_cast<std::size_t>(mapping.count);
    auto *next = static_cast<char *>(memory);
    const auto keep = [&](auto *list) {
        if (list == nullptr || size == 0)
            return list;
        auto *kept = reinterpret_cast<decltype(list)>(next);
        std::memcpy(next, list, size);
        next += size;
        return kept;
    };
    return {mapping.count,       keep(mapping.bases), keep(mapping.begins), keep(mapping.sizes),
            keep(mapping.types), keep(mapping.names), keep(mapping.mappers)};
}

struct KernelCall : DeviceCall {
    std::int32_t teams;
    std::int32_t thread_limit;
    void *host_code;
    target::KernelArguments *arguments;

    static DeviceCall *copy(const DeviceCall &self) {
        const auto &call = static_cast<const KernelCall &>(self);
        if (call.arguments->version > target::kLastKnownVersion)
            return nullptr;
        const target::Mapping mapping = call.arguments->mapping();
        void *memory =
            std::malloc(sizeof(KernelCall) + target::kKernelArgumentsSize + room_for(mapping));
        if (memory == nullptr)
            return nullptr;
        auto *kept = new (memory) KernelCall;
        char *more = reinterpret_cast<char *>(kept + 1);
        kept->be_as(call);
        kept->teams = call.teams;
        kept->thread_limit = call.thread_limit;
        kept->host_code = call.host_code;
        std::memcpy(more, call.arguments, target::kKernelArgumentsSize);
        kept->arguments = reinterpret_cast<target::KernelArguments *>(more);
        const target::Mapping lists = keep_in(more + target::kKernelArgumentsSize, mapping);
        kept->arguments->bases = lists.bases;
        kept->arguments->begins = lists.begins;
        kept->arguments->sizes = lists.sizes;
        kept->arguments->types = lists.types;
        kept->arguments->names = lists.names;
        kept->arguments->mappers = lists.mappers;
        return kept;
    }

    static int make(DeviceCall &self) {
        auto &call = static_cast<KernelCall &>(self);
        // libomptarget returns a handle if the construct does not wait.
        const std::uint64_t flags = call.arguments->flags;
        call.arguments->flags |= target::kKernelNowait;
        const int result =
            target::library()->kernel(const_cast<void *>(call.location), call.device, call.teams,
                                      call.thread_limit, call.host_code, call.arguments);
        call.arguments->flags = flags;
        return result;
    }
};

struct DataCall : DeviceCall {
    target::DataConstruct construct;
    target::Mapping mapping;

    static DeviceCall *copy(const DeviceCall &self) {
        const auto &call = static_cast<const DataCall &>(self);
        void *memory = std::malloc(sizeof(DataCall) + room_for(call.mapping));
        if (memory == nullptr)
            return nullptr;
        auto *kept = new (memory) DataCall;
        kept->be_as(call);
        kept->construct = call.construct;
        kept->mapping = keep_in(kept + 1, call.mapping);
        return kept;
    }

    static int make(DeviceCall &self) {
        auto &call = static_cast<DataCall &>(self);
        if (call.construct == target::DataConstruct::update && target::only_downloads(call.mapping))
            target::download(call.location, call.device, call.mapping);
        else
            target::library()->begin_data(call.construct, call.location, call.device, call.mapping);
        return 0;
    }
};

LOOMP_MAY_SWITCH void data(target::DataConstruct construct, bool nowait, void *location,
                           std::int64_t device, const target::Mapping &m, const void *address) {
    if (target::library() == nullptr)
        return;
    const std::int64_t number = target::number_of(device);
    const std::optional<target::Blocks> blocks =
        blocks_if_taken(number, [&] { return target::data_blocks(construct, number, m); });
    if (!blocks) {
        target::make_plainly(number, location, address, [&] {
            target::library()->call_data(construct, location, device, m);
            return 0;
        });
        return;
    }
    DataCall call;
    call.code = DataCall::make;
    call.keep = DataCall::copy;
    call.device = number;
    call.blocks = *blocks;
    call.nowait = nowait;
    call.construct = construct;
    call.location = location;
    call.address = address;
    call.mapping = m;
    target::perform(call);
}

} // namespace

LOOMP_EXPORT int __tgt_target_kernel(void *location, std::int64_t device, std::int32_t teams,
                                     std::int32_t thread_limit, void *host_code,
                                     target::KernelArguments *arguments) {
    if (target::library() == nullptr)
        return kFailed;
    const void *address = __builtin_return_address(0);
    const std::int64_t number = target::number_of(device);
    std::optional<target::Blocks> blocks;
    if (arguments->version >= target::kFirstVersionWithFlags)
        blocks = blocks_if_taken(
            number, [&] { return target::kernel_blocks(number, arguments->mapping()); });
    if (!blocks)
        return target::make_plainly(number, location, address, [&] {
            return target::library()->kernel(location, device, teams, thread_limit, host_code,
                                             arguments);
        });
    KernelCall call;
    call.code = KernelCall::make;
    call.keep = KernelCall::copy;
    call.device = number;
    call.blocks = *blocks;
    call.nowait = (arguments->flags & target::kKernelNowait) != 0;
    call.location = location;
    call.address = address;
    call.teams = teams;
    call.thread_limit = thread_limit;
    call.host_code = host_code;
    call.arguments = arguments;
    return target::perform(call);
}

/// Defines the two forms of a data construct. The task that makes the call has waited for
/// dependences.
#define LOOMP_TARGET_DATA(NAME, CONSTRUCT)                                                         \
    LOOMP_EXPORT void __tgt_target_data_##NAME##_mapper(                                           \
        void *location, std::int64_t device, std::int32_t count, void **bases, void **begins,      \
        std::int64_t *sizes, std::int64_t *types, void **names, void **mappers) {                  \
        data(target::DataConstruct::CONSTRUCT, false, location, device,                            \
             {count, bases, begins, sizes, types, names, mappers}, __builtin_return_address(0));   \
    }                                                                                              \
    LOOMP_EXPORT void __tgt_target_data_##NAME##_nowait_mapper(                                    \
        void *location, std::int64_t device, std::int32_t count, void **bases, void **begins,      \
        std::int64_t *sizes, std::int64_t *types, void **names, void **mappers, std::int32_t,      \
        void *, std::int32_t, void *) {                                                            \
        data(target::DataConstruct::CONSTRUCT, true, location, device,                             \
             {count, bases, begins, sizes, types, names, mappers}, __builtin_return_address(0));   \
    }
LOOMP_TARGET_DATA(begin, begin)
LOOMP_TARGET_DATA(end, end)
LOOMP_TARGET_DATA(update, update)
#undef LOOMP_TARGET_DATA

// A program registers its images before main(), and unregisters them at its end.

LOOMP_EXPORT void __tgt_register_lib(void *image) {
    if (const target::Library *library = target::find_library()) {
        target::watch_for_failures();
        target::offer_driver_memory();
        library->register_image(image);
        target::add_image();
    }
}
LOOMP_EXPORT void __tgt_unregister_lib(void *image) {
    const target::Library *library = target::library();
    if (library == nullptr || target::is_forked())
        return; // the devices and the image belong to the parent
    target::wait_at_end();
    target::remove_image();
    library->unregister_image(image);
}

// Entry points that libomptarget calls in its host runtime.

LOOMP_EXPORT void **__kmpc_omp_get_target_async_handle_ptr(std::int32_t) {
    return target::handle_of_call();
}
LOOMP_EXPORT std::uint8_t __kmpc_omp_has_task_team(std::int32_t) { return 1; }
