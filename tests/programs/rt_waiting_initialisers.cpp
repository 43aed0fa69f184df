// Initialisers of task reductions, which the runtime calls, may take long and wait: another task
// may need the same copy meanwhile, and the caller come to another thread. gcc's own code calls
// them, and does not expect them to wait.
// compilers: clang
#include <atomic>
#include <vector>

#include "check.h"
#include "omp_decls.h"

namespace {

void yields() {
    for (int i = 0; i < 4; ++i) {
#pragma omp taskyield
    }
}

void (*while_initialised)() = yields;

struct Sum {
    long value;
};
void initialise(Sum *sum) {
    sum->value = 12345;
    while_initialised();
    sum->value = 0;
}
#pragma omp declare reduction(slowly:Sum : omp_out.value += omp_in.value)                          \
    initializer(initialise(&omp_priv))

void adds(Sum &sum, int n) {
    for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(slowly : sum)
        sum.value += i;
    }
}

void reductions(int threads) {
    Sum sum{0};
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup task_reduction(slowly : sum)
    adds(sum, 40);
    CHECK_EQ(sum.value, 40 * 39 / 2);
#pragma omp parallel num_threads(threads) reduction(task, slowly : sum)
    adds(sum, 40);
    CHECK_EQ(sum.value, 40 * 39 / 2 * (threads + 1));
}

/// The copies of items whose size is not a constant are made when a task first asks for one.
void sections_of_arrays(int threads, int size) {
    std::vector<Sum> storage(static_cast<std::size_t>(size), Sum{0});
    Sum *sums = storage.data();
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup task_reduction(slowly : sums[0 : size])
    for (int i = 0; i < 40; ++i) {
#pragma omp task untied in_reduction(slowly : sums[0 : size])
        for (int k = 0; k < size; ++k)
            sums[k].value += i;
    }
    for (int k = 0; k < size; ++k)
        CHECK_EQ(sums[k].value, 40 * 39 / 2);
}

std::atomic<bool> started{false}, initialising{false}, gone_on{false};
std::atomic<int> calls_of_first{0};

/// The first member makes the copies for all, and an initialiser waits for a task that is suspended
/// on the other member, which comes to the construct and waits there for the copies.
void initialiser_needs_a_companion() {
    started = initialising = gone_on = false;
    calls_of_first = 0;
    while_initialised = [] {
        // First each member's own copy is initialised.
        if (omp_get_thread_num() == 1) {
            WAIT_UNTIL(initialising);
        } else if (++calls_of_first == 2) {
            initialising = true;
            while (!gone_on) {
#pragma omp taskyield
            }
        }
    };
    Sum sum{0};
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp task
            {
                started = true;
                while (!initialising) {
#pragma omp taskyield
                }
                CHECK_EQ(omp_get_thread_num(), 1);
                gone_on = true;
            }
            while (!started) {
#pragma omp taskyield
            }
        } else {
            WAIT_UNTIL(started);
        }
#pragma omp for reduction(task, slowly : sum)
        for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(slowly : sum)
            sum.value += i;
        }
    }
    CHECK_EQ(sum.value, 45);
    while_initialised = yields;
}

} // namespace

int main() {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 4; ++threads) {
        for (int round = 0; round < 5; ++round) {
            reductions(threads);
            sections_of_arrays(threads, 3);
        }
    }
    for (int round = 0; round < 20; ++round)
        initialiser_needs_a_companion();
    return 0;
}
