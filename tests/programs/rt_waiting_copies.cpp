// Copy constructors of firstprivate objects, which the runtime calls when it creates a task, may
// wait, and an untied creator come to another thread.
#include <atomic>

#include "check.h"
#include "omp_decls.h"

namespace {

void yields() {
    for (int i = 0; i < 4; ++i) {
#pragma omp taskyield
    }
}

/// Waits while it is copied.
struct Slow {
    int value;
    explicit Slow(int v = 0) : value(v) {}
    Slow(const Slow &other) : value(-1) {
        const Slow *from = &other;
        yields();
        value = from->value;
    }
    Slow &operator=(const Slow &) = default;
};

/// Waits while it is copied, and has a destructor.
struct Destroyed : Slow {
    using Slow::Slow;
    Destroyed(const Destroyed &) = default;
    ~Destroyed() { value = -2; }
};

/// Untied creators, each of which knows its own children only.
template <class Object> void copies(int threads) {
    constexpr int creators = 12, tasks = 20;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int c = 0; c < creators; ++c) {
#pragma omp task untied firstprivate(c)
        {
            std::atomic<int> done{0}, sum{0};
            for (int i = 0; i < tasks; ++i) {
                Object object(c * tasks + i);
#pragma omp task firstprivate(object) shared(done, sum)
                {
                    yields();
                    sum += object.value;
                    ++done;
                }
            }
#pragma omp taskwait
            CHECK_EQ(done, tasks);
            CHECK_EQ(sum, tasks * c * tasks + tasks * (tasks - 1) / 2);
            done = sum = 0;
            Object object(c);
#pragma omp taskloop grainsize(1) firstprivate(object) shared(done, sum)
            for (int i = 0; i < tasks; ++i) {
                sum += object.value + i;
                ++done;
            }
            CHECK_EQ(done, tasks);
            CHECK_EQ(sum, c * tasks + tasks * (tasks - 1) / 2);
#pragma omp taskloop grainsize(1) nogroup firstprivate(object) shared(done, sum)
            for (int i = 0; i < tasks; ++i) {
                sum += object.value + i;
                ++done;
            }
#pragma omp taskwait
            CHECK_EQ(done, 2 * tasks);
            CHECK_EQ(sum, 2 * (c * tasks + tasks * (tasks - 1) / 2));
        }
    }
}

/// A part of a taskloop may be copied while the creator is past the loop.
void patterns(int threads) {
    std::atomic<int> sum{0};
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        for (int value = 1; value <= 20; ++value) {
            Slow object(value);
#pragma omp taskloop num_tasks(2) nogroup firstprivate(object) shared(sum)
            for (int i = 0; i < 2; ++i)
                sum += object.value;
        }
    }
    CHECK_EQ(sum, 2 * 20 * 21 / 2);
}

} // namespace

int main() {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 4; ++threads) {
        for (int round = 0; round < 5; ++round) {
            copies<Slow>(threads);
            copies<Destroyed>(threads);
            patterns(threads);
        }
    }
    return 0;
}
