// The per-thread state of C and C++ moves with a task: exceptions caught and in flight,
// floating-point modes, errno (docs/tasks-and-threads.md).
#include <atomic>
#include <cerrno>
#include <cfenv>
#include <exception>
#include <functional>

#include "check.h"
#include "omp_decls.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

// The compiler may keep where errno lies, which is the thread's: not across a wait.
__attribute__((noinline)) void set_error(int value) { errno = value; }
__attribute__((noinline)) int error() { return errno; }

using Wait = std::function<void()>;

omp_lock_t lock;

/// Until every other one has had its turn, twice.
void yields() {
    for (int i = 0; i < 20; ++i) {
#pragma omp taskyield
    }
}

void waits_for_children() {
    for (int i = 0; i < 3; ++i) {
#pragma omp task
        yields();
    }
#pragma omp taskwait
}

void waits_for_group() {
#pragma omp taskgroup
    for (int i = 0; i < 3; ++i) {
#pragma omp task
        waits_for_children();
    }
}

void waits_for_lock() {
    omp_set_lock(&lock);
    yields();
    omp_unset_lock(&lock);
}

void waits_for_predecessor() {
    int token = 0;
#pragma omp task shared(token) depend(out : token)
    {
        yields();
        token = 1;
    }
#pragma omp taskwait depend(in : token)
    CHECK_EQ(token, 1);
#pragma omp taskwait
}

const Wait waits[] = {yields, waits_for_children, waits_for_group, waits_for_lock,
                      waits_for_predecessor};

/// `count` tasks of each kind at once, that call body(number, wait).
template <class Body> void in_tasks(int threads, int count, const Wait &wait, Body body) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(i) shared(body, wait)
        body(i, wait);
#pragma omp task untied firstprivate(i) shared(body, wait)
        body(count + i, wait);
    }
}

void has_no_exceptions() {
    CHECK_EQ(std::uncaught_exceptions(), 0);
    CHECK(std::current_exception() == nullptr);
}

// --- Exceptions ------------------------------------------------------------------------------

/// Rethrows what this handler has caught.
template <class T> void check_caught(T expected) {
    CHECK_EQ(std::uncaught_exceptions(), 0);
    try {
        throw;
    } catch (T &again) {
        CHECK_EQ(again, expected);
    } catch (...) {
        CHECK(!"another task's exception");
    }
}

/// The first catches a double and waits until the second has caught a number, which waits until
/// the first has left its handler.
void two_handlers(int threads) {
    std::atomic<int> step{0};
    const auto wait_for = [&step](int next) {
        while (step < next) {
#pragma omp taskyield
        }
    };
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task shared(step)
        {
            try {
                throw 1.5;
            } catch (double) {
                wait_for(1);
            }
            step = 2;
        }
#pragma omp task shared(step)
        try {
            throw 7;
        } catch (int) {
            step = 1;
            wait_for(2);
            check_caught(7);
        }
    }
}

void handlers(int number, const Wait &wait) {
    has_no_exceptions();
    try {
        throw number;
    } catch (int) {
        wait();
        check_caught(number);
        try {
            throw long{number} * 1000;
        } catch (long) {
            wait();
            check_caught(long{number} * 1000);
        }
        check_caught(number);
        wait();
        check_caught(number);
    }
    has_no_exceptions();
    wait();
    has_no_exceptions();
}

/// Its destructor waits while the exception that destroys it is under way.
struct WaitsAtEnd {
    const Wait &wait;
    int number;
    ~WaitsAtEnd() {
        CHECK_EQ(std::uncaught_exceptions(), 1);
        wait();
        CHECK_EQ(std::uncaught_exceptions(), 1);
        try {
            throw 'c';
        } catch (char) {
            CHECK_EQ(std::uncaught_exceptions(), 1);
            wait();
            CHECK_EQ(std::uncaught_exceptions(), 1);
        }
    }
};

void destructors(int number, const Wait &wait) {
    has_no_exceptions();
    try {
        const WaitsAtEnd object{wait, number};
        throw number;
    } catch (int caught) {
        CHECK_EQ(caught, number);
        check_caught(number);
        try {
            const WaitsAtEnd object{wait, number};
            throw;
        } catch (int again) {
            CHECK_EQ(again, number);
        }
        check_caught(number);
    }
    has_no_exceptions();
}

/// Neither what is created in a handler nor what runs while it waits is in that handler.
void creates_in_handler(int number, const Wait &wait) {
    const auto child = [&wait](int n) {
        has_no_exceptions();
        try {
            throw n;
        } catch (int) {
            wait();
            check_caught(n);
        }
        has_no_exceptions();
        wait();
        has_no_exceptions();
    };
    struct Creates {
        int number;
        const decltype(child) &run;
        ~Creates() {
            for (int i = 0; i < 3; ++i) {
#pragma omp task firstprivate(i)
                run(-i);
                CHECK_EQ(std::uncaught_exceptions(), 1);
            }
#pragma omp taskgroup
            {
#pragma omp task
                run(-4);
            }
            CHECK_EQ(std::uncaught_exceptions(), 1);
#pragma omp taskwait
            CHECK_EQ(std::uncaught_exceptions(), 1);
        }
    };
    try {
        const Creates object{number, child};
        throw number;
    } catch (int) {
        for (int i = 0; i < 3; ++i) {
#pragma omp task firstprivate(i)
            child(-10 - i);
            check_caught(number);
        }
#pragma omp taskwait
        check_caught(number);
#pragma omp taskgroup
        {
#pragma omp task
            child(-20);
        }
        check_caught(number);
    }
    has_no_exceptions();
}

/// A barrier in a handler, where tasks of the team run.
void barriers_in_handlers(int threads) {
#pragma omp parallel num_threads(threads)
    {
        const int self = omp_get_thread_num();
        try {
            throw self;
        } catch (int) {
            for (int i = 0; i < 10; ++i) {
#pragma omp task firstprivate(i)
                handlers(i, yields);
            }
#pragma omp barrier
            check_caught(self);
        }
    }
}

// --- Floating-point modes --------------------------------------------------------------------

const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/// Also of the vector unit, and what adds are rounded to.
void check_rounding(int mode) {
    CHECK_EQ(fegetround(), mode);
    volatile double one = 1.0, tiny = 1e-30;
    const bool up = one + tiny > 1.0;
    const bool down = one - tiny < 1.0;
    CHECK_EQ(up, mode == FE_UPWARD);
    CHECK_EQ(down, mode == FE_DOWNWARD || mode == FE_TOWARDZERO);
}

#if defined(__x86_64__)
void flush_to_zero(bool on) {
    _MM_SET_FLUSH_ZERO_MODE(on ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
}
#elif defined(__aarch64__)
void flush_to_zero(bool on) {
    unsigned long fpcr;
    asm volatile("mrs %0, fpcr" : "=r"(fpcr));
    fpcr = on ? fpcr | (1ul << 24) : fpcr & ~(1ul << 24);
    asm volatile("msr fpcr, %0" ::"r"(fpcr));
}
#endif

void check_flushes(bool on) {
    volatile double tiny = 1e-200;
    CHECK_EQ(tiny * 1e-110 == 0.0, on);
}

void modes(int number, const Wait &wait) {
    check_rounding(FE_TONEAREST);
    check_flushes(false);
    const int mode = roundings[number % 4];
    fesetround(mode);
    flush_to_zero(number % 3 == 0);
    wait();
    check_rounding(mode);
    check_flushes(number % 3 == 0);
    fesetround(FE_TONEAREST);
    flush_to_zero(false);
    wait();
    check_rounding(FE_TONEAREST);
    check_flushes(false);
}

/// A new task's changes before it waits do not affect its creator, which may have modes of its own.
void creators_modes(int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int mode : roundings) {
        fesetround(mode);
        for (int other : roundings) {
#pragma omp task firstprivate(other)
            {
                const int first = fegetround();
                fesetround(other);
                yields();
                check_rounding(other);
                fesetround(first);
            }
            check_rounding(mode);
        }
        fesetround(FE_TONEAREST);
#pragma omp taskwait
    }
}

/// Members of a region start with the modes of the thread that met it. Those of an implicit task
/// are its thread's: tasks that start from a queue have them.
void regions_modes(int threads) {
    for (int mode : roundings) {
        fesetround(mode);
#pragma omp parallel num_threads(threads)
        {
            check_rounding(mode);
#pragma omp barrier
            for (int i = 0; i < 20; ++i) {
#pragma omp task firstprivate(i)
                {
                    check_rounding(mode);
                    fesetround(roundings[i % 4]);
                    yields();
                    check_rounding(roundings[i % 4]);
                    fesetround(mode);
                }
            }
#pragma omp barrier
            check_rounding(mode);
            fesetround(FE_UPWARD);
            for (int i = 0; i < 20; ++i) {
#pragma omp task
                {
                    check_rounding(FE_UPWARD);
                    fesetround(FE_DOWNWARD);
                    yields();
                    check_rounding(FE_DOWNWARD);
                    fesetround(FE_UPWARD);
                }
            }
#pragma omp barrier
            check_rounding(FE_UPWARD);
            fesetround(mode);
        }
    }
    fesetround(FE_TONEAREST);
}

// --- errno -----------------------------------------------------------------------------------

void errors(int number, const Wait &wait) {
    for (int i = 1; i < 4; ++i) {
        set_error(1000 * i + number);
        wait();
        CHECK_EQ(error(), 1000 * i + number);
    }
}

} // namespace

int main() {
    omp_set_dynamic(0);
    omp_init_lock(&lock);
    for (int threads = 1; threads <= 4; threads *= 2) {
        for (int round = 0; round < 2; ++round) {
            two_handlers(threads);
            barriers_in_handlers(threads);
            creators_modes(threads);
            regions_modes(threads);
            for (const Wait &wait : waits) {
                in_tasks(threads, 8, wait, handlers);
                in_tasks(threads, 8, wait, destructors);
                in_tasks(threads, 4, wait, creates_in_handler);
                in_tasks(threads, 8, wait, modes);
            }
            // Only where nothing is run or created in between, which may set it.
            in_tasks(threads, 8, yields, errors);
        }
    }
    omp_destroy_lock(&lock);
    return 0;
}
