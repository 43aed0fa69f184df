#include "common/report.h"

#include "common/omp_decls.h"
#include "common/ranks.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>

namespace apps {

namespace {

void line(const char *key, const char *value) {
    if (ranks::first())
        std::printf("%-16s %s\n", key, value);
}

// The slowest rank's times, and what all of them did. The flops are of the problem as a whole.
Cost over_ranks(const Cost &own) {
    Cost all;
    all.seconds = ranks::most(own.seconds);
    all.flops = own.flops;
    all.tasks = static_cast<long>(ranks::sum(static_cast<double>(own.tasks)));
    all.dependences = static_cast<long>(ranks::sum(static_cast<double>(own.dependences)));
    all.discovery_seconds = ranks::most(own.discovery_seconds);
    return all;
}

} // namespace

void Report::text(const char *key, const std::string &value) {
    line((std::string(key) + ":").c_str(), value.c_str());
}

void Report::program(const std::string &what, int threads) {
    text("program", what);
    text("runtime", std::to_string(threads) + " threads of " + openmp_library());
}

void Report::cost(const Cost &own) {
    const Cost cost = over_ranks(own);
    text("time", format("%.6f s", cost.seconds));
    if (cost.flops > 0)
        text("GFLOP/s", format("%.3f", cost.flops / cost.seconds * 1e-9));
    text("tasks", std::to_string(cost.tasks));
    text("dependences", std::to_string(cost.dependences));
    text("discovery", format("%.6f s", cost.discovery_seconds));
}

void Report::check(const char *key, double value, double bound) {
    check(key, value <= bound, format("%.3e (at most %.3e)", value, bound));
}

void Report::check(const char *key, bool holds, const std::string &detail) {
    if (!holds)
        failed_ = true;
    text(key, (holds ? "ok      " : "WRONG   ") + detail);
}

int Report::finish() const {
    const bool failed = ranks::most(failed_ ? 1 : 0) != 0;
    if (ranks::first())
        std::printf("%s\n", failed ? "FAIL" : "PASS");
    return failed ? 1 : 0;
}

std::string format(const char *pattern, ...) {
    char text[400];
    va_list values;
    va_start(values, pattern);
    std::vsnprintf(text, sizeof text, pattern, values);
    va_end(values);
    return text;
}

std::string checksum(const double *values, std::size_t count) {
    // FNV-1a, a value at a time.
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t bits;
        std::memcpy(&bits, &values[i], sizeof bits);
        sum = (sum ^ bits) * 0x100000001b3u;
    }
    return format("%016llx", static_cast<unsigned long long>(sum));
}

// Adds the sums in pieces whose sums are exact as floating-point numbers.
std::string checksum(std::uint64_t own) {
    std::uint64_t all = 0;
    for (int shift = 0; shift < 64; shift += 16)
        all += static_cast<std::uint64_t>(ranks::sum(static_cast<double>(own >> shift & 0xffffu)))
               << shift;
    return format("%016llx", static_cast<unsigned long long>(all));
}

std::string openmp_library() {
    // This is not the address of the function: in a program that is not position independent that
    // could be the program's own jump slot.
    Dl_info info;
    void *symbol = dlsym(RTLD_DEFAULT, "omp_get_wtime");
    if (symbol == nullptr || dladdr(symbol, &info) == 0 || info.dli_fname == nullptr)
        return "unknown";
    return info.dli_fname;
}

int warm_up_threads() {
    int threads = 1;
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
    }
    return threads;
}

} // namespace apps
