// Shared by the random stress programs: numbers from a seed, failures that name it, a watchdog.
#pragma once

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

#include "../programs/omp_decls.h"

inline const char *program_name;
inline std::uint64_t first_seed;
/// Grows while the program makes progress.
inline std::atomic<unsigned long> steps{0};
inline thread_local unsigned long round_now;
/// Prints more about where the program was, if not null.
inline void (*tell_where)();

[[noreturn, gnu::format(printf, 1, 2)]] inline void fail(const char *format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::fprintf(stderr, "%s: seed %llu, round %lu: ", program_name,
                 static_cast<unsigned long long>(first_seed), round_now);
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
    va_end(arguments);
    if (tell_where != nullptr)
        tell_where();
    if (std::getenv("LOOMP_STRESS_CORE") != nullptr)
        std::abort();
    _exit(1);
}

/// A kind of activity and the count of tasks in it, printed when the program hangs.
struct Place {
    const char *name;
    std::atomic<int> inside{0};
    Place *next;
    static inline std::atomic<Place *> all{nullptr};

    explicit Place(const char *its_name) : name(its_name), next(all.load()) {
        while (!all.compare_exchange_weak(next, this)) {
        }
    }
    static void tell() {
        for (const Place *place = all.load(); place != nullptr; place = place->next)
            if (place->inside > 0)
                std::fprintf(stderr, "  %d within %s\n", place->inside.load(), place->name);
    }
};

struct Within {
    Place &place;
    explicit Within(Place &its_place) : place(its_place) { ++place.inside; }
    ~Within() { --place.inside; }
};

/// The rest of the block is about that.
#define WITHIN(name)                                                                               \
    static Place place_(name);                                                                     \
    const Within within_(place_)

#define CHECK_EQ(a, b)                                                                             \
    do {                                                                                           \
        const long long x_ = static_cast<long long>(a), y_ = static_cast<long long>(b);            \
        if (x_ != y_)                                                                              \
            fail("%s:%d: %s is %lld, not %lld", __FILE_NAME__, __LINE__, #a, x_, y_);              \
    } while (0)

/// splitmix64.
inline std::uint64_t mix(std::uint64_t z) {
    z += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

struct Random {
    std::uint64_t state;
    std::uint64_t next() {
        const std::uint64_t z = mix(state);
        state += 0x9E3779B97F4A7C15ull;
        return z;
    }
    int below(int n) { return static_cast<int>(next() % static_cast<unsigned>(n)); }
    bool chance(int percent) { return below(100) < percent; }
    Random fork() { return {next()}; }
};

inline double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline void work(Random &random) {
    volatile int sink = 0;
    for (int i = random.below(300); i > 0; --i)
        sink = sink + i;
}

/// A thread that reports when nothing has happened for a given number of seconds, and leaves a
/// core.
inline void watch(unsigned patience) {
    static std::atomic<unsigned> seconds;
    seconds = patience;
    const auto look = [](void *) -> void * {
        unsigned long seen = steps.load();
        for (unsigned quiet = 0; quiet < seconds * 10;) {
            usleep(100000);
            const unsigned long current = steps.load();
            quiet = current == seen ? quiet + 1 : 0;
            seen = current;
        }
        std::fprintf(stderr, "%s: seed %llu: hangs after %lu steps\n", program_name,
                     static_cast<unsigned long long>(first_seed), seen);
        if (tell_where != nullptr)
            tell_where();
        std::abort();
    };
    pthread_t thread;
    pthread_create(&thread, nullptr, look, nullptr);
    pthread_detach(thread);
}
