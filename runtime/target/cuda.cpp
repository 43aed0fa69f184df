#include "runtime/target/cuda.h"

#include <dlfcn.h>

#include "platform/atomic.h"

namespace loomp::target::cuda {

namespace {

struct Driver {
    int (*get_context)(void **);
    int (*set_context)(void *);
    int (*get_attribute)(void *value, int attribute, std::uint64_t address);
    int (*get_memory)(std::size_t *free, std::size_t *total);
    int (*get_error_string)(int error, const char **text);
};
Driver driver;
enum class Looked { no, absent, found };
Atomic<Looked> looked{Looked::no};

constexpr int kMostDevices = 64;
Atomic<void *> contexts[kMostDevices];

Atomic<void *> *context_of(std::int64_t device) {
    return device >= 0 && device < kMostDevices ? &contexts[device] : nullptr;
}

template <class F> bool find(F &function, void *from, const char *name) {
    function = reinterpret_cast<F>(dlsym(from, name));
    return function != nullptr;
}

/// Looks, after the first use of a device, whether NVIDIA's driver serves it.
void look_for_driver() {
    // Two threads find the same functions.
    void *library = dlopen("libcuda.so", RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr)
        library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    Driver d;
    const bool whole = library != nullptr && find(d.get_context, library, "cuCtxGetCurrent") &&
                       find(d.set_context, library, "cuCtxSetCurrent") &&
                       find(d.get_attribute, library, "cuPointerGetAttribute") &&
                       find(d.get_memory, library, "cuMemGetInfo_v2") &&
                       find(d.get_error_string, library, "cuGetErrorString");
    static AtomicFlag taken;
    if (taken.test_and_set())
        return;
    driver = d;
    looked.store(whole ? Looked::found : Looked::absent, std::memory_order_release);
}

const Driver *loaded() {
    return looked.load(std::memory_order_acquire) == Looked::found ? &driver : nullptr;
}

} // namespace

void note_context(std::int64_t device) {
    if (looked.load(std::memory_order_acquire) == Looked::no)
        look_for_driver();
    const Driver *d = loaded();
    Atomic<void *> *known = context_of(device);
    if (d == nullptr || known == nullptr || known->load(std::memory_order_relaxed) != nullptr)
        return;
    void *context = nullptr;
    if (d->get_context(&context) == 0)
        known->store(context, std::memory_order_relaxed);
}

InContext::InContext(std::int64_t device) {
    const Driver *d = loaded();
    const Atomic<void *> *known = context_of(device);
    void *wanted =
        d != nullptr && known != nullptr ? known->load(std::memory_order_relaxed) : nullptr;
    if (wanted == nullptr || d->get_context(&before_) != 0 || before_ == wanted)
        return;
    changed_ = d->set_context(wanted) == 0;
}

InContext::~InContext() {
    if (changed_)
        (void)driver.set_context(before_);
}

bool is_pinned(const void *memory) {
    const Driver *d = loaded();
    if (d == nullptr)
        return false;
    constexpr int memory_type =
        2; // CU_POINTER_ATTRIBUTE_MEMORY_TYPE; the driver knows no other memory
    unsigned value = 0;
    return d->get_attribute(&value, memory_type, reinterpret_cast<std::uintptr_t>(memory)) == 0;
}

Health health_of(std::int64_t device) {
    Health health;
    if (looked.load(std::memory_order_acquire) == Looked::no)
        look_for_driver();
    const Driver *d = loaded();
    if (d == nullptr)
        return health;
    const InContext context(device);
    constexpr int no_context = 201;
    // Every call fails on a lost device. This query does not wait, because another kernel may run
    // for long.
    const int error = d->get_memory(&health.free, &health.total);
    if (error != 0)
        health.free = health.total = 0;
    if (error != 0 && error != no_context)
        (void)d->get_error_string(error, &health.fault);
    return health;
}

} // namespace loomp::target::cuda
