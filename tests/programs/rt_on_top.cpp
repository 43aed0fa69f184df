// A task that runs on top of a waiting one, such as its child, keeps that one's errno and does not
// see its exceptions, even if there are no stacks to suspend tasks on.
// env: LOOMP_MAX_STACKS=1
#include <cerrno>
#include <chrono>
#include <exception>

#include "check.h"
#include "kept_stderr.h"
#include "omp_decls.h"

namespace {

// The compiler may keep where errno lies, which is the thread's: not across a wait.
__attribute__((noinline)) void set_error(int value) { errno = value; }
__attribute__((noinline)) int error() { return errno; }

void tree(int depth);

/// Somewhere within children, who have no exceptions, and change errno.
void child(int depth) {
    CHECK_EQ(std::uncaught_exceptions(), 0);
    CHECK(std::current_exception() == nullptr);
    set_error(depth);
    tree(depth);
    set_error(depth);
}

void wait_for_children(int depth, int way) {
    [[maybe_unused]] int token = 0;
    switch (way) {
    case 0:
        for (int i = 0; i < 3; ++i) {
#pragma omp task firstprivate(depth)
            child(depth);
        }
        set_error(1000 + depth);
#pragma omp taskwait
        break;
    case 1:
#pragma omp taskgroup
    {
        for (int i = 0; i < 3; ++i) {
#pragma omp task untied firstprivate(depth)
            child(depth);
        }
        set_error(1000 + depth);
    } break;
    default:
        for (int i = 0; i < 3; ++i) {
#pragma omp task firstprivate(depth) depend(inout : token)
            child(depth);
        }
        set_error(1000 + depth);
#pragma omp taskwait
    }
    CHECK_EQ(error(), 1000 + depth);
}

struct WaitsAtEnd {
    int depth;
    int way;
    ~WaitsAtEnd() {
        CHECK_EQ(std::uncaught_exceptions(), 1);
        wait_for_children(depth, way);
        CHECK_EQ(std::uncaught_exceptions(), 1);
    }
};

void tree(int depth) {
    if (depth == 0)
        return;
    for (int way = 0; way < 3; ++way) {
        try {
            const WaitsAtEnd object{depth - 1, way};
            throw depth;
        } catch (int caught) {
            wait_for_children(depth - 1, way);
            CHECK_EQ(caught, depth);
            try {
                throw;
            } catch (int again) {
                CHECK_EQ(again, depth);
            }
        }
    }
}

void trees(int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        for (int i = 0; i < 10; ++i) {
#pragma omp task
            tree(2);
        }
        set_error(3000);
#pragma omp taskwait
        CHECK_EQ(error(), 3000);
    }
}

} // namespace

int main() {
    keep_stderr();
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 4; threads *= 2)
        trees(threads);
    // It depends on the threads' speed whether a task finds no stack: mostly one does within .3 s.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (count_warnings() == 0 && std::chrono::steady_clock::now() < end)
        trees(4);
    CHECK_EQ(count_warnings(), 1);
    return 0;
}
