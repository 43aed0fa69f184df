#include "runtime/target/failure.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include "platform/atomic.h"
#include "platform/common.h"
#include "runtime/core/environment/device_settings.h"
#include "runtime/target/blocking.h"
#include "runtime/target/cuda.h"

namespace loomp::target {

namespace {

LOOMP_THREAD_LOCAL const InLibomptarget *innermost = nullptr;
LOOMP_NOINLINE const InLibomptarget *get_innermost() { return innermost; }
LOOMP_NOINLINE void set_innermost(const InLibomptarget *now) { innermost = now; }

/// Parsed from the compiler's "location": 16 bytes, then ";file;function;line;column;;".
struct Place {
    char file[256] = "";
    char function[128] = "";
    int line = 0;

    explicit Place(const void *location) {
        if (location == nullptr)
            return;
        const char *source;
        std::memcpy(&source, static_cast<const char *>(location) + 16, sizeof(source));
        if (source == nullptr ||
            std::sscanf(source, ";%255[^;];%127[^;];%d", file, function, &line) != 3)
            line = 0;
    }
};

void describe_construct(char *text, std::size_t size, const InLibomptarget &where) {
    const Place place(where.location);
    if (where.location == nullptr)
        std::snprintf(text, size, "a routine for device memory");
    else if (place.line == 0)
        std::snprintf(text, size, "a target construct (where: compile with -gline-tables-only)");
    else
        std::snprintf(text, size, "the target construct at %s:%d (%s)", place.file, place.line,
                      place.function);
}

void describe_remedy(char *text, std::size_t size, std::int64_t device) {
    const cuda::Health health = cuda::health_of(device);
    if (health.fault != nullptr)
        std::snprintf(text, size,
                      "a kernel has lost it (%s); compute-sanitizer finds the access, "
                      "LIBOMPTARGET_INFO=16 names the kernels",
                      health.fault);
    else if (!is_used(device) &&
             core::device_settings().target_offload == core::TargetOffload::mandatory)
        std::snprintf(
            text, size,
            "OMP_TARGET_OFFLOAD is mandatory, and there is no such device, or the program "
            "is not compiled for it (--offload-arch=native); set it to default to run on "
            "the host");
    else
        std::snprintf(text, size,
                      "%sif its memory is full (%zu of %zu MiB are free), map less at once or set "
                      "LOOMP_DEVICE_OPERATIONS lower",
                      is_used(device) ? ""
                                      : "on its first use; is the program compiled for it "
                                        "(--offload-arch=native)? Otherwise, ",
                      health.free >> 20, health.total >> 20);
}

void on_abort(int) {
    // abort() ends the program when this returns. Other threads that failed wait for that.
    static AtomicFlag reported;
    const InLibomptarget *where = get_innermost();
    if (where == nullptr)
        return;
    while (reported.test_and_set())
        pause();
    char construct[512];
    char advice[512];
    char line[1200];
    describe_construct(construct, sizeof(construct), *where);
    describe_remedy(advice, sizeof(advice), where->device);
    const int length = std::snprintf(line, sizeof(line), "loomp: device %lld failed in %s: %s\n",
                                     static_cast<long long>(where->device), construct, advice);
    if (length > 0 && write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0)
        return;
}

} // namespace

void watch_for_failures() {
    struct sigaction present = {};
    if (sigaction(SIGABRT, nullptr, &present) == 0 && (present.sa_flags & SA_SIGINFO) == 0 &&
        present.sa_handler == SIG_DFL)
        std::signal(SIGABRT, on_abort);
}

InLibomptarget::InLibomptarget(std::int64_t number, const void *place, const void *caller)
    : device(number), location(place), address(caller), outer_(get_innermost()) {
    set_innermost(this);
}

InLibomptarget::~InLibomptarget() { set_innermost(outer_); }

const void *address_in_program() {
    const InLibomptarget *where = get_innermost();
    return where != nullptr ? where->address : nullptr;
}

} // namespace loomp::target
