// Runs the children of a node: as tasks of all kinds, in regions, by loops.
#pragma once

#include <exception>

#include "../outside.h"
#include "batches.h"
#include "extensions.h"
#include "ordered.h"
#include "program.h"

namespace spread {

inline std::uint64_t in_turn(Node node, Scope scope) {
    WITHIN("in_turn");
    Values values;
    for (int i = 0; i < node.children(); ++i)
        values[i] = run(node.child(i), scope);
    return value_of(node, values);
}

/// Runs a task that may be deferred: it then begins without any exception of its creator's.
inline void run_deferred(Node child, Scope scope, std::uint64_t *value) {
    if (omp_in_final() == 0 && omp_get_level() > 0) {
        CHECK_EQ(std::uncaught_exceptions(), 0);
        CHECK_EQ(std::current_exception() == nullptr, true);
    }
    *value = run(child, scope);
}

struct Bulk {
    std::uint64_t words[40];
};

/// A task for one child, with any clauses.
inline void create(Node child, Scope scope, std::uint64_t *value, Random &random) {
    const int priority = random.below(14);
    const bool yes = random.chance(50);
    if (random.chance(15))
        loomp_next_task_queue(extensions::queues[random.below(extensions::kQueues)]);
    if (random.chance(2))
        extensions::change_queue_order(random);
    switch (random.below(11)) {
    case 0:
#pragma omp task untied firstprivate(child, scope, value)
        run_deferred(child, scope, value);
        break;
    case 1:
#pragma omp task if (0) firstprivate(child, scope, value)
        *value = run(child, scope);
        break;
    case 2:
#pragma omp task final(yes) mergeable firstprivate(child, scope, value)
        *value = run(child, scope);
        break;
    case 3:
    case 4:
#pragma omp task priority(priority) firstprivate(child, scope, value)
        run_deferred(child, scope, value);
        break;
    case 5:
#pragma omp task untied priority(priority) if (yes) firstprivate(child, scope, value)
        *value = run(child, scope);
        break;
    case 6: {
        Bulk bulk;
        for (std::uint64_t &word : bulk.words)
            word = child.seed;
#pragma omp task firstprivate(child, scope, value, bulk)
        {
            *value = run(child, scope);
            for (std::uint64_t word : bulk.words)
                CHECK_EQ(word, child.seed);
        }
        break;
    }
    case 7:
#pragma omp task untied final(yes) firstprivate(child, scope, value)
        *value = run(child, scope);
        break;
    default:
#pragma omp task firstprivate(child, scope, value)
        run_deferred(child, scope, value);
    }
    if (random.chance(15)) {
#pragma omp taskyield
    }
}

inline std::uint64_t awaited(Node node, Scope scope) {
    WITHIN("awaited");
    Random random = node.random();
    Values values;
    for (int i = 0; i < node.children(); ++i) {
        create(node.child(i), scope, &values[i], random);
        if (random.chance(15)) {
#pragma omp taskwait
        }
    }
#pragma omp taskwait
    return value_of(node, values);
}

inline std::uint64_t grouped(Node node, Scope scope) {
    WITHIN("grouped");
    Random random = node.random();
    Values values;
#pragma omp taskgroup
    for (int i = 0; i < node.children(); ++i)
        create(node.child(i), scope, &values[i], random);
    return value_of(node, values);
}

/// The creator does not wait for the children.
inline std::uint64_t grandchildren(Node node, Scope scope) {
    WITHIN("grandchildren");
    Values values;
    Values *all = &values;
#pragma omp taskgroup
    {
#pragma omp task firstprivate(node, scope, all)
        {
            Random random = node.random();
            for (int i = 0; i < node.children(); ++i)
                create(node.child(i), scope, &(*all)[i], random);
        }
    }
    return value_of(node, values);
}

inline std::uint64_t reduced(Node node, Scope scope) {
    WITHIN("reduced");
    Values values;
    std::uint64_t sum = 0;
    std::uint64_t expected = 0;
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < node.children(); ++i) {
#pragma omp task in_reduction(+ : sum) shared(values) firstprivate(node, scope, i)
        {
            values[i] = run(node.child(i), scope);
            sum += values[i];
        }
    }
    for (int i = 0; i < node.children(); ++i)
        expected += values[i];
    CHECK_EQ(sum, expected);
    return value_of(node, values);
}

inline std::uint64_t loop(Node node, Scope scope) {
    WITHIN("loop");
    Random random = node.random();
    const int n = node.children();
    const int parts = 1 + random.below(5);
    Values values;
    std::uint64_t sum = 0;
    std::uint64_t expected = 0;
    switch (random.below(5)) {
    case 0:
#pragma omp taskloop grainsize(parts) shared(values) firstprivate(node, scope)
        for (int i = 0; i < n; ++i)
            values[i] = run(node.child(i), scope);
        break;
    case 1:
#pragma omp taskloop num_tasks(parts) untied shared(values) firstprivate(node, scope)
        for (int i = 0; i < n; ++i)
            values[i] = run(node.child(i), scope);
        break;
    case 2:
#pragma omp taskloop nogroup priority(parts) shared(values) firstprivate(node, scope)
        for (int i = 0; i < n; ++i)
            values[i] = run(node.child(i), scope);
#pragma omp taskwait
        break;
    case 3:
#pragma omp taskloop if (parts > 2) shared(values) firstprivate(node, scope)
        for (int i = 0; i < n; ++i)
            values[i] = run(node.child(i), scope);
        break;
    default:
#pragma omp taskloop grainsize(parts) reduction(+ : sum) shared(values) firstprivate(node, scope)
        for (int i = 0; i < n; ++i) {
            values[i] = run(node.child(i), scope);
            sum += values[i];
        }
        for (int i = 0; i < n; ++i)
            expected += values[i];
        CHECK_EQ(sum, expected);
    }
    return value_of(node, values);
}

/// A chain of dependences makes the value.
inline std::uint64_t chained(Node node, Scope scope) {
    WITHIN("chained");
    Random random = node.random();
    std::uint64_t value = first_value(node);
    std::uint64_t *made = &value;
    for (int i = 0; i < node.children(); ++i) {
        const Node child = node.child(i);
        const bool yes = random.chance(80) || !may_wait_for_dependences();
        switch (random.below(3)) {
        case 0:
#pragma omp task untied depend(inout : *made) firstprivate(child, scope, made)
            *made = with_child(*made, run(child, scope));
            break;
        case 1:
#pragma omp task depend(inout : *made) if (yes) firstprivate(child, scope, made)
            *made = with_child(*made, run(child, scope));
            break;
        default:
#pragma omp task depend(inout : *made) priority(i) firstprivate(child, scope, made)
            *made = with_child(*made, run(child, scope));
        }
    }
    if (random.chance(50) && may_wait_for_dependences()) {
#pragma omp taskwait depend(in : *made)
    } else {
#pragma omp taskwait
    }
    return value;
}

/// Each child writes its value, and tasks that may run in any order, or in any but not at once, add
/// them up.
inline std::uint64_t flowing(Node node, Scope scope) {
    WITHIN("flowing");
    Random random = node.random();
    struct Sums {
        std::uint64_t exclusive = 0;
        int inside = 0;
        std::atomic<std::uint64_t> together{0};
        Values values;
    } sums;
    Sums *s = &sums;
    std::uint64_t expected = 0;
    const int n = node.children();
    for (int i = 0; i < n; ++i) {
        const int before = random.below(i + 1);
#pragma omp task depend(out : s->values[i]) firstprivate(s, i, node, scope)
        s->values[i] = run(node.child(i), scope);
#pragma omp task depend(in : s->values[i], s->values[before])                                      \
    depend(mutexinoutset : s -> exclusive) firstprivate(s, i, scope)
        {
            CHECK_EQ(s->inside++, 0);
#pragma omp taskyield
            s->exclusive += s->values[i];
            CHECK_EQ(--s->inside, 0);
        }
#pragma omp task depend(in : s->values[i]) depend(AT_ONCE : s -> together) firstprivate(s, i)
        s->together += s->values[i];
    }
    std::uint64_t seen = 0;
#pragma omp task depend(in : s->exclusive, s->together) firstprivate(s) shared(seen)
    {
        CHECK_EQ(s->exclusive, s->together.load());
        seen = s->exclusive;
    }
#pragma omp taskwait
    for (int i = 0; i < n; ++i)
        expected += s->values[i];
    CHECK_EQ(seen, expected);
    return value_of(node, s->values);
}

/// If creators are throttled until tasks have completed, those must not wait for what their creator
/// does next.
inline bool creators_are_held_back() {
    static const bool bounded =
        std::getenv("LOOMP_MAX_TASKS") != nullptr || std::getenv("LOOMP_TASK_MEMORY") != nullptr;
    return bounded;
}

/// Events that tasks, their siblings and other threads fulfil, before and after the body.
inline std::uint64_t detached(Node node, Scope scope) {
    WITHIN("detached");
    Random random = node.random();
    Values values;
    // Final tasks are undeferred, and so is what is created outside of regions.
    const bool undeferred = omp_in_final() != 0 || omp_get_level() == 0;
    const bool grouped = random.chance(50);
#pragma omp taskgroup
    {
        for (int i = 0; i < node.children(); ++i) {
            const int who = random.below(undeferred || creators_are_held_back() ? 3 : 5);
            omp_event_handle_t event{};
#pragma omp task detach(event) shared(values) firstprivate(node, scope, i, who)
            {
                if (who == 0)
                    omp_fulfill_event(event);
                values[i] = run(node.child(i), scope);
                if (who == 1)
                    omp_fulfill_event(event);
                if (who == 2)
                    outside::fulfill(event);
            }
            if (who == 3) {
#pragma omp task firstprivate(event) priority(i)
                omp_fulfill_event(event);
            }
            if (who == 4)
                outside::fulfill(event);
        }
        if (!grouped) {
#pragma omp taskwait
        }
    }
    return value_of(node, values);
}

/// Runs the same graph several times.
inline std::uint64_t persistent(Node node, Scope scope) {
    WITHIN("persistent");
    static const char place[] = "everything: persistent";
    Random random = node.random();
    const unsigned flags = random.chance(50) || !may_wait_for_dependences()
                               ? 0u
                               : unsigned{LOOMP_PERSISTENT_NO_BARRIER};
    const bool explicitly = random.chance(70);
    const int n = node.children();
    struct Cells {
        Values values;
        int times[kMostChildren];
    } cells = {};
    Cells *c = &cells;
    const int iterations = 2 + random.below(3);
    for (int iteration = 0; iteration < iterations; ++iteration) {
        if (explicitly)
            loomp_persistent_begin(place, flags);
        for (int i = 0; i < n; ++i) {
            const int before = i > 0 ? i - 1 : n - 1;
#pragma omp task depend(inout : c->values[i]) depend(in : c -> values[before])                     \
    firstprivate(c, i, node, scope, iteration, before)
            {
                CHECK_EQ(c->times[i]++, iteration);
                CHECK_EQ(c->times[before], before <= i ? iteration + 1 : iteration);
                c->values[i] = run(node.child(i), scope);
            }
        }
        if (explicitly)
            loomp_persistent_end();
    }
    if (explicitly)
        loomp_persistent_free(place);
#pragma omp taskwait
    return value_of(node, cells.values);
}

/// Children that run in batches: they wait for nothing but tasks of their own, because whatever a
/// batch holds up waits for all of it.
inline std::uint64_t in_batches(Node node) {
    WITHIN("in_batches");
    Random random = node.random();
    const int n = node.children();
    batches::Cell cells[kMostChildren];
    void *all[kMostChildren];
    for (int i = 0; i < n; ++i) {
        cells[i].node = node.child(i);
        all[i] = &cells[i];
    }
    int chains[4] = {};
#pragma omp taskgroup
    {
        // Outside of regions tasks are undeferred, and have no kind.
        if (random.chance(20) && omp_get_level() > 0) {
            loomp_queue_put(extensions::queues[random.below(extensions::kQueues)],
                            batches::kind(random), all, static_cast<std::size_t>(n));
        } else {
            for (int i = 0; i < n; ++i) {
                batches::Cell *cell = &cells[i];
                int *chain = &chains[random.below(4)];
                const bool follows = random.chance(30);
                if (random.chance(90))
                    loomp_next_task_kind(batches::kind(random), cell);
                if (follows) {
#pragma omp task depend(inout : *chain) firstprivate(cell)
                    batches::mark(*cell);
                } else {
#pragma omp task firstprivate(cell)
                    batches::mark(*cell);
                }
            }
        }
    }
    Values values;
    for (int i = 0; i < n; ++i) {
        CHECK_EQ(cells[i].times.load(), 1);
        values[i] = cells[i].value;
    }
    return value_of(node, values);
}

/// A region of its own.
inline std::uint64_t region(Node node, Scope scope) {
    WITHIN("region");
    Random random = node.random();
    // Seldom far more threads than there are processors.
    const int size = scope.regions == 0 && random.chance(10) ? 9 : 1 + random.below(4);
    const int way = random.below(10);
    const int chunk = 1 + random.below(3);
    const int n = node.children();
    Values values;
    int turn = 0;
    scope = in_region(scope);
#pragma omp parallel num_threads(size) shared(values, turn) firstprivate(node, scope, way, n, chunk)
    {
        const int self = omp_get_thread_num();
        const int team = omp_get_num_threads();
        if (self >= team)
            fail("thread %d of %d", self, team);
        switch (way) {
        case 0:
#pragma omp for schedule(dynamic, chunk)
            for (int i = 0; i < n; ++i)
                values[i] = run(node.child(i), scope);
            break;
        case 1:
#pragma omp single nowait
        {
            Random inner = node.random();
            for (int i = 0; i < n; ++i)
                create(node.child(i), scope, &values[i], inner);
        } break;
        case 2:
#pragma omp master
#pragma omp taskloop grainsize(1)
            for (int i = 0; i < n; ++i)
                values[i] = run(node.child(i), scope);
            break;
        case 3: {
            Random inner{node.seed + static_cast<unsigned>(self)};
            for (int i = self; i < n; i += team)
                create(node.child(i), scope, &values[i], inner);
#pragma omp barrier
            break;
        }
        case 4:
#pragma omp for ordered schedule(static, 2)
            for (int i = 0; i < n; ++i) {
                const std::uint64_t value = run(node.child(i), scope);
#pragma omp ordered
                {
                    CHECK_EQ(turn++, i);
                    values[i] = value;
                }
            }
            CHECK_EQ(turn, n);
            break;
        case 5:
#pragma omp for schedule(guided) nowait
            for (int i = 0; i < n; ++i)
                values[i] = run(node.child(i), scope);
            break;
        case 6: {
            std::uint64_t made = 0;
#pragma omp single copyprivate(made)
            {
                for (int i = 0; i < n; ++i)
                    values[i] = run(node.child(i), scope);
                made = value_of(node, values);
            }
            CHECK_EQ(made, value_of(node, values));
            break;
        }
        case 7:
#pragma omp sections
        {
#pragma omp section
            for (int i = 0; i < n; i += 2)
                values[i] = run(node.child(i), scope);
#pragma omp section
            for (int i = 1; i < n; i += 2)
                values[i] = run(node.child(i), scope);
        } break;
        case 8:
#pragma omp for schedule(runtime)
            for (int i = 0; i < n; ++i)
                values[i] = run(node.child(i), scope);
            break;
        default:
            for (int i = self; i < n; i += team)
                values[i] = run(node.child(i), scope);
        }
    }
    return value_of(node, values);
}

} // namespace spread
