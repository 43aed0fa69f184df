// Cancelled iterations: none of their tasks runs, whatever data these have copied.
//
// threads: 2
#include <atomic>

#define LOOMP_WEAK
#include <loomp/experimental.h>

#include "check.h"

namespace {

std::atomic<int> alive{0};

// gcc copies it by a function of its own, although bytes would do.
struct Range {
    int first, last;
};

struct Counted {
    int value;
    explicit Counted(int v) : value(v) { ++alive; }
    Counted(const Counted &other) : value(other.value) { ++alive; }
    ~Counted() { --alive; }
};

// A chain of tasks, of which that of iteration `last` cuts off the later ones once all exist.
template <class Copied> int run_chain(int iterations, int last, Copied copied) {
    std::atomic<int> ran{0};
    std::atomic<bool> all_exist{false};
    int link = 0;
#pragma omp parallel
#pragma omp single
    {
        loomp_speculation_t *speculation = loomp_speculation_begin();
        for (int i = 0; i < iterations && loomp_speculation_next(speculation) >= 0; ++i) {
#pragma omp task depend(inout : link) firstprivate(i, copied) shared(ran, all_exist)
            {
                (void)copied;
                WAIT_UNTIL(all_exist || i < last);
                ++ran;
                if (i == last)
                    loomp_speculation_cut(speculation, loomp_speculation_iteration(speculation));
            }
        }
        all_exist = true;
        CHECK_EQ(loomp_speculation_end(speculation), last + 1);
    }
    return ran;
}

} // namespace

int main() {
    for (int repetition = 0; repetition < 20; ++repetition) {
        CHECK_EQ(run_chain(40, 7, 1), 8);
        CHECK_EQ(run_chain(40, 7, Range{1, 2}), 8);
        CHECK_EQ(run_chain(40, 7, Counted(3)), 8);
#ifdef __clang__
        CHECK_EQ(alive, 0);
#endif
    }
}
