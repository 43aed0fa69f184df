// C++: exceptions inside constructs, firstprivate objects of tasks, iterators, user reductions.
#include <atomic>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "check.h"
#include "omp_decls.h"

namespace {

std::atomic<int> alive{0};

struct Counted {
    int value;
    explicit Counted(int v = 0) : value(v) { ++alive; }
    Counted(const Counted &other) : value(other.value) { ++alive; }
    Counted &operator=(const Counted &) = default;
    ~Counted() { --alive; }
};

#pragma omp declare reduction(                                                                     \
        append : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))

#pragma omp declare reduction(sum:Counted : omp_out.value += omp_in.value)                         \
    initializer(omp_priv = Counted(0))

void exceptions() {
    int caught = 0;
#pragma omp parallel num_threads(4) reduction(+ : caught)
    {
        try {
            throw omp_get_thread_num();
        } catch (int n) {
            caught += n == omp_get_thread_num();
        }
#pragma omp single
        for (int i = 0; i < 20; ++i) {
#pragma omp task
            {
                // Thrown and caught around a switch of stacks.
                try {
#pragma omp task
                    usleep(1);
#pragma omp taskyield
                    throw std::string("text");
                } catch (const std::string &s) {
#pragma omp taskwait
                    CHECK_EQ(s.size(), 4);
                }
            }
        }
    }
    CHECK_EQ(caught, 4);
}

void objects() {
    {
        std::atomic<int> sum{0};
        Counted object(7);
#pragma omp parallel num_threads(3) firstprivate(object)
        {
            object.value += 1;
#pragma omp single
            for (int i = 0; i < 50; ++i) {
                Counted local(i);
#pragma omp task firstprivate(local) shared(sum)
                sum += local.value;
            }
        }
        CHECK_EQ(sum, 49 * 50 / 2);
        Counted total;
        std::vector<int> all;
#pragma omp parallel for num_threads(4) reduction(sum : total) reduction(append : all)
        for (int i = 0; i < 100; ++i) {
            total.value += i;
            all.push_back(i);
        }
        CHECK_EQ(total.value, 4950);
        CHECK_EQ(all.size(), 100);
    }
    CHECK_EQ(alive, 0);
}

void iterators() {
    std::vector<int> v(1000);
#pragma omp parallel for num_threads(4) schedule(dynamic, 7)
    for (auto it = v.begin(); it < v.end(); ++it)
        *it = static_cast<int>(it - v.begin());
    for (int i = 0; i < 1000; ++i)
        CHECK_EQ(v[static_cast<std::size_t>(i)], i);
    long sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int x : v)
        sum += x;
    CHECK_EQ(sum, 499500);
}

} // namespace

int main() {
    omp_set_dynamic(0);
    exceptions();
    objects();
    iterators();
    return 0;
}
