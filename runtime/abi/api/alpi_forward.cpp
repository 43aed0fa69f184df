// ALPI as libloomp.so exports it: its functions call those of libloomp-alpi.so, which lies beside
// libloomp.so and is opened by the first call. A program that runs on loomp, and looks for ALPI,
// finds it without another library.
#include "loomp/alpi.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include "platform/atomic.h"
#include "platform/common.h"
#include "platform/diagnostics.h"
#include "platform/export.h"
#include "runtime/core/process/runtime.h"

// clang-format off
#define LOOMP_ALPI_FUNCTIONS(F)                                                                    \
    F(alpi_error_string, (alpi_error_t error), (error))                                            \
    F(alpi_info_get, (alpi_info_t query, char *buffer, size_t size, int *length),                  \
      (query, buffer, size, length))                                                               \
    F(alpi_feature_check, (int features), (features))                                              \
    F(alpi_version_check, (int major, int minor), (major, minor))                                  \
    F(alpi_version_get, (int *major, int *minor), (major, minor))                                  \
    F(alpi_task_self, (alpi_task **task), (task))                                                  \
    F(alpi_task_block, (alpi_task *task), (task))                                                  \
    F(alpi_task_unblock, (alpi_task *task), (task))                                                \
    F(alpi_task_waitfor_ns, (uint64_t target, uint64_t *actual), (target, actual))                 \
    F(alpi_task_events_increase, (alpi_task *task, uint64_t count), (task, count))                 \
    F(alpi_task_events_test, (alpi_task *task, uint64_t *has_events), (task, has_events))          \
    F(alpi_task_events_decrease, (alpi_task *task, uint64_t count), (task, count))                 \
    F(alpi_attr_create, (alpi_attr **attr), (attr))                                                \
    F(alpi_attr_destroy, (alpi_attr *attr), (attr))                                                \
    F(alpi_attr_init, (alpi_attr *attr), (attr))                                                   \
    F(alpi_attr_size, (uint64_t *size), (size))                                                    \
    F(alpi_task_spawn, (void (*body)(void *), void *body_args, void (*completed)(void *),          \
                        void *completed_args, const char *label, const alpi_attr *attr),           \
      (body, body_args, completed, completed_args, label, attr))                                   \
    F(alpi_cpu_count, (uint64_t *count), (count))                                                  \
    F(alpi_cpu_logical_id, (uint64_t *id), (id))                                                   \
    F(alpi_cpu_system_id, (uint64_t *id), (id))                                                    \
    F(alpi_task_suspend_mode_set, (alpi_task *task, alpi_suspend_mode_t mode, uint64_t args),      \
      (task, mode, args))                                                                          \
    F(alpi_task_suspend, (alpi_task *task), (task))
// clang-format on

namespace {

using namespace loomp;

/// The library's function; null before the first call.
template <auto *Function> constinit Atomic<decltype(Function)> opened{nullptr};

/// Any thread may come first, and several at once: all find the same. No lock, which a child of
/// fork() might inherit.
LOOMP_COLD void open_library() {
    char *const runtime = realpath(core::library_path(), nullptr);
    std::string file = runtime == nullptr ? "" : runtime;
    std::free(runtime);
    file.replace(file.rfind('/') + 1, std::string::npos, "libloomp-alpi.so");
    void *const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        core::fatal("ALPI's library cannot be opened: %s", dlerror());
#define LOOMP_FIND(name, parameters, arguments)                                                    \
    opened<&name>.store(reinterpret_cast<decltype(&name)>(dlsym(library, #name)),                  \
                        std::memory_order_release);
    LOOMP_ALPI_FUNCTIONS(LOOMP_FIND)
#undef LOOMP_FIND
}

template <auto *Function> LOOMP_INLINE decltype(Function) function() {
    if (LOOMP_UNLIKELY(opened<Function>.load(std::memory_order_acquire) == nullptr))
        open_library();
    return opened<Function>.load(std::memory_order_acquire);
}

} // namespace

// Weak: unit tests are linked with the objects of both libraries.
#define LOOMP_FORWARD(name, parameters, arguments)                                                 \
    LOOMP_EXPORT __attribute__((weak)) auto name parameters->decltype(name arguments) {            \
        return function<&name>() arguments;                                                        \
    }
LOOMP_ALPI_FUNCTIONS(LOOMP_FORWARD)
