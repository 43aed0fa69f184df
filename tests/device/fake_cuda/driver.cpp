#include "driver.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <pthread.h>
#include <string>

namespace fake_cuda {

namespace {

std::int64_t number(const char *name, std::int64_t otherwise) {
    const char *text = std::getenv(name);
    return text != nullptr ? std::atoll(text) : otherwise;
}

Settings read_settings() {
    Settings s{};
    s.devices = static_cast<int>(number("FAKE_CUDA_DEVICES", 1));
    s.kernel_us = number("FAKE_CUDA_KERNEL_US", 0);
    s.copy_us = number("FAKE_CUDA_COPY_US", 0);
    s.bytes_per_us = number("FAKE_CUDA_MB_PER_S", 0);
    s.alloc_us = number("FAKE_CUDA_ALLOC_US", 0);
    s.load_us = number("FAKE_CUDA_LOAD_US", 0);
    s.look_us = number("FAKE_CUDA_LOOK_US", 0);
    s.needs_context = number("FAKE_CUDA_NEEDS_CONTEXT", 0) != 0;
    const char *fail = std::getenv("FAKE_CUDA_FAIL");
    const std::string what = fail != nullptr ? fail : "";
    if (what.rfind("memory:", 0) == 0)
        s.fails_at_bytes = static_cast<std::size_t>(std::atoll(what.c_str() + 7));
    else if (what.rfind("kernel:", 0) == 0)
        s.fails_at_kernel = std::atoll(what.c_str() + 7);
    else if (what == "architecture")
        s.wrong_architecture = true;
    else if (!what.empty()) {
        std::fprintf(stderr, "fake_cuda: FAKE_CUDA_FAIL=%s: no such fault\n", fail);
        std::_Exit(2);
    }
    return s;
}

struct Held {
    std::int64_t times = 0;
    std::int64_t nanoseconds = 0;
};

constexpr const char *kBlockingNames[] = {"synchronisation", "pageable copy", "allocation",
                                          "loading"};
constexpr const char *kCountNames[] = {"streams", "kernels",      "copies",
                                       "queries", "device bytes", "pinned bytes"};

struct Report {
    std::mutex mutex;
    std::map<std::string, Held> by_thread; ///< of "KIND by THREAD"
    std::atomic<std::int64_t> counts[6] = {};
    std::atomic<std::int64_t> most[6] = {};
};
Report &report() {
    static auto *r = new Report; // for ever: threads may still run at the end
    return *r;
}

/// Runs after the program's end, and libomptarget's.
__attribute__((destructor)) void write_report() {
    const char *name = std::getenv("FAKE_CUDA_REPORT");
    FILE *file = name != nullptr ? std::fopen(name, "a") : nullptr;
    if (file == nullptr)
        return;
    Report &r = report();
    for (int i = 0; i < 6; ++i)
        std::fprintf(file, "%s: %lld left, %lld at most\n", kCountNames[i],
                     static_cast<long long>(r.counts[i]), static_cast<long long>(r.most[i]));
    for (const auto &[what, held] : r.by_thread)
        std::fprintf(file, "blocked: %s, %lld times, %lld us\n", what.c_str(),
                     static_cast<long long>(held.times),
                     static_cast<long long>(held.nanoseconds / 1000));
    std::fclose(file);
}

} // namespace

const Settings &settings() {
    static const Settings s = read_settings();
    return s;
}

std::int64_t now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

void sleep_until(std::int64_t time) {
    const timespec t{time / 1'000'000'000, time % 1'000'000'000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
    }
}

Blocked::~Blocked() {
    const std::int64_t lasted = now() - since_;
    char thread[32] = "";
    pthread_getname_np(pthread_self(), thread, sizeof(thread));
    Report &r = report();
    const std::lock_guard<std::mutex> lock(r.mutex);
    Held &held =
        r.by_thread[std::string(kBlockingNames[static_cast<int>(kind_)]) + " by " + thread];
    ++held.times;
    held.nanoseconds += lasted;
}

void add(Count what, std::int64_t change) {
    const int i = static_cast<int>(what);
    const std::int64_t value = report().counts[i].fetch_add(change) + change;
    std::int64_t most = report().most[i].load();
    while (value > most && !report().most[i].compare_exchange_weak(most, value)) {
    }
}

} // namespace fake_cuda
