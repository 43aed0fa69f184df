// The code of a task around its children: it may hold locks or wait meanwhile.
#pragma once

#include <cerrno>
#include <cfenv>
#include <exception>

#include "../outside.h"
#include "extensions.h"
#include "locks.h"
#include "program.h"

namespace around {

inline std::uint64_t a_lock(Node node, Scope scope) {
    WITHIN("a_lock");
    if (scope.lock == kLockLevels)
        return run_children(node, scope);
    Random random = node.random();
    const int level = scope.lock + random.below(kLockLevels - scope.lock);
    scope.lock = level + 1;
    std::uint64_t value = 0;
    locks::with(scope, level, random, [&] { value = run_children(node, scope); });
    return value;
}

/// Until a thread that is not OpenMP's says so.
inline void wait_for_outside() {
    WITHIN("wait_for_outside");
    loomp_suspension_t until_done = LOOMP_SUSPENSION_INIT;
    outside::ask(
        [](void *suspension) { loomp_resume(static_cast<loomp_suspension_t *>(suspension)); },
        &until_done);
    loomp_suspend(&until_done);
}

/// Some wait, with others' children and nothing else on this stack.
inline void wait_somehow(Random &random, Scope scope) {
    WITHIN("wait_somehow");
    switch (random.below(6)) {
    case 0:
        for (int i = random.below(6); i >= 0; --i) {
#pragma omp taskyield
        }
        break;
    case 1:
        for (int i = random.below(4); i >= 0; --i) {
            const Node child{random.next(), 1};
#pragma omp task firstprivate(child, scope)
            CHECK_EQ(run(child, scope), serially(child));
        }
#pragma omp taskwait
        break;
    case 2:
#pragma omp taskgroup
        for (int i = random.below(4); i >= 0; --i) {
#pragma omp task untied firstprivate(i)
            {
                Random mine{static_cast<std::uint64_t>(i)};
                work(mine);
#pragma omp taskyield
            }
        }
        break;
    case 3:
        if (scope.lock < kLockLevels) {
            const int level = scope.lock + random.below(kLockLevels - scope.lock);
            locks::with(scope, level, random, [] {
#pragma omp taskyield
            });
        }
        break;
    case 4: {
        int token = 0;
#pragma omp task shared(token) depend(out : token)
        token = 1;
        if (may_wait_for_dependences()) {
#pragma omp taskwait depend(in : token)
            CHECK_EQ(token, 1);
        }
#pragma omp taskwait
        break;
    }
    default:
        wait_for_outside();
    }
}

inline std::uint64_t waits(Node node, Scope scope) {
    WITHIN("waits");
    Random random = node.random();
    wait_somehow(random, scope);
    const std::uint64_t value = run_children(node, scope);
    wait_somehow(random, scope);
    return value;
}

/// The handler's exception is what was thrown, whatever the handler waited for.
inline std::uint64_t a_handler(Node node, Scope scope) {
    WITHIN("a_handler");
    Random random = node.random();
    std::uint64_t value = 0;
    const int uncaught = std::uncaught_exceptions();
    try {
        throw Node{node};
    } catch (const Node &caught) {
        value = run_children(caught, scope);
        if (random.chance(30))
            wait_somehow(random, scope);
        try {
            throw;
        } catch (const Node &again) {
            CHECK_EQ(again.seed, node.seed);
        } catch (...) {
            fail("another task's exception");
        }
        CHECK_EQ(std::uncaught_exceptions(), uncaught);
        CHECK_EQ(caught.seed, node.seed);
    }
    return value;
}

/// Destructors that wait while an exception is under way.
inline std::uint64_t unwinding(Node node, Scope scope) {
    WITHIN("unwinding");
    struct RunsAtEnd {
        Node node;
        Scope scope;
        std::uint64_t *value;
        ~RunsAtEnd() {
            const int uncaught = std::uncaught_exceptions();
            *value = run_children(node, scope);
            CHECK_EQ(std::uncaught_exceptions(), uncaught);
        }
    };
    std::uint64_t value = 0;
    const int uncaught = std::uncaught_exceptions();
    try {
        const RunsAtEnd object{node, scope, &value};
        throw int{node.depth};
    } catch (int caught) {
        CHECK_EQ(caught, node.depth);
        CHECK_EQ(std::uncaught_exceptions(), uncaught);
    }
    return value;
}

/// The value comes as an exception.
inline std::uint64_t thrown(Node node, Scope scope) {
    WITHIN("thrown");
    try {
        throw std::uint64_t{run_children(node, scope)};
    } catch (std::uint64_t value) {
        return value;
    }
}

inline std::uint64_t rounding(Node node, Scope scope) {
    WITHIN("rounding");
    constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const int before = std::fegetround();
    const int mode = modes[node.seed % 4];
    std::fesetround(mode);
    const std::uint64_t value = run_children(node, scope);
    CHECK_EQ(std::fegetround(), mode);
    std::fesetround(before);
    return value;
}

// The compiler may keep where errno lies, which is the thread's: not across a wait.
[[gnu::noinline]] inline void set_error(int value) { errno = value; }
[[gnu::noinline]] inline int error() { return errno; }

inline std::uint64_t an_error(Node node, Scope scope) {
    WITHIN("an_error");
    const int number = 1000 + static_cast<int>(node.seed % 1000);
    for (int i = node.depth; i >= 0; --i) {
#pragma omp task firstprivate(i)
        set_error(i);
    }
    set_error(number);
#pragma omp taskyield
    CHECK_EQ(error(), number);
#pragma omp taskwait
    CHECK_EQ(error(), number);
    return run_children(node, scope);
}

/// The task completes later, when another thread or task fulfils its event.
inline std::uint64_t held(Node node, Scope scope) {
    WITHIN("held");
    if (loomp_held_task_t *task = loomp_hold_task(1)) {
        const auto release = [](void *on) {
            loomp_release_task(static_cast<loomp_held_task_t *>(on), 1);
        };
        const bool early = node.seed % 2 == 0;
        if (early)
            outside::ask(release, task);
        const std::uint64_t value = run_children(node, scope);
        if (!early)
            outside::ask(release, task);
        return value;
    }
    return run_children(node, scope);
}

} // namespace around
