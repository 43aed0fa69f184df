// Hunts the end of a task that meets what waits for it: a successor released twice or never, a
// barrier or taskgroup left too early, a detached task fulfilled while its body ends.
// Randomized stress: programs made of nested regions, loops, tasks, dependences, taskgroups,
// detached tasks, batches and cancellations, each checking its own result.
// usage: random [SECONDS [SEED]]; silent unless something is wrong, then it names the seed.
// env: OMP_CANCELLATION=true OMP_MAX_ACTIVE_LEVELS=3 OMP_MAX_TASK_PRIORITY=10 OMP_THREAD_LIMIT=24
// flags: -Wno-sign-compare
#include <cstring>
#include <dlfcn.h>

#include "outside.h"

namespace {

// --- What a program is made of ------------------------------------------------------------------

void anything(Random random, int depth, bool in_region);

/// A tree of tasks of random shape; each node counts itself. Returns the number of nodes made.
int tree(Random random, int depth, std::atomic<int> *count) {
    int made = 1;
    count->fetch_add(1, std::memory_order_relaxed);
    const int children = depth > 0 ? random.below(5) : 0;
    for (int i = 0; i < children; ++i) {
        const Random own = random.fork();
        // The number of nodes below is a function of the seed, so the creator can compute it.
        Random twin = own;
        struct Count {
            static int of(Random r, int d) {
                int n = 1;
                const int c = d > 0 ? r.below(5) : 0;
                for (int k = 0; k < c; ++k) {
                    const Random child = r.fork();
                    n += of(child, d - 1);
                    r.next();
                    r.next();
                }
                return n;
            }
        };
        made += Count::of(twin, depth - 1);
        const int kind = random.below(6);
        const int wait = random.below(4);
        switch (kind) {
        case 0:
#pragma omp task untied firstprivate(own, depth, count)
            tree(own, depth - 1, count);
            break;
        case 1:
#pragma omp task if (0) firstprivate(own, depth, count)
            tree(own, depth - 1, count);
            break;
        case 2:
#pragma omp task final(depth < 3) mergeable firstprivate(own, depth, count)
            tree(own, depth - 1, count);
            break;
        case 3:
#pragma omp task priority(depth) firstprivate(own, depth, count)
            tree(own, depth - 1, count);
            break;
        default:
#pragma omp task firstprivate(own, depth, count)
            tree(own, depth - 1, count);
        }
        if (wait == 0) {
#pragma omp taskyield
        } else if (wait == 1) {
#pragma omp taskwait
        }
    }
    return made;
}

void tree_in_group(Random random) {
    std::atomic<int> count{0};
    std::atomic<int> expected{0};
#pragma omp taskgroup
    {
        for (int i = random.below(3); i >= 0; --i)
            expected += tree(random.fork(), 1 + random.below(5), &count);
    }
    CHECK_EQ(count.load(), expected.load());
}

/// Random dependences over a few addresses, against what their sequential order would give.
void dependences(Random random) {
    constexpr int kSlots = 6;
    struct Slots {
        int value[kSlots];
        std::atomic<int> adders[kSlots];
        std::atomic<int> inside[kSlots];
        int seen[kSlots]; ///< by the creator: the value in sequential order
        int added[kSlots];
    } slots;
    std::memset(static_cast<void *>(&slots), 0, sizeof slots);
    Slots *s = &slots;
    const int tasks = 1 + random.below(60);
    for (int t = 1; t <= tasks; ++t) {
        const int a = random.below(kSlots);
        int b = random.below(kSlots - 1);
        b += b >= a;
        const int seen_a = s->seen[a];
        const int seen_b = s->seen[b];
        const Random own = random.fork();
        switch (random.below(7)) {
        case 0:
        case 1:
#pragma omp task depend(in : s->value[a]) depend(in : s -> value[b])                               \
    firstprivate(s, a, b, seen_a, seen_b, own)
        {
            Random mine = own;
            work(mine);
            CHECK_EQ(s->value[a], seen_a);
            CHECK_EQ(s->value[b], seen_b);
        } break;
        case 2:
            s->seen[a] = t;
#pragma omp task untied depend(out : s->value[a]) depend(in : s -> value[b])                       \
    firstprivate(s, a, b, seen_a, seen_b, own, t)
            {
                Random mine = own;
                work(mine);
                CHECK_EQ(s->value[a], seen_a);
                if (mine.chance(20)) {
#pragma omp taskyield
                }
                CHECK_EQ(s->value[b], seen_b);
                s->value[a] = t;
            }
            break;
        case 3:
            s->seen[a] = s->seen[b] = t;
#pragma omp task depend(inout : s->value[a], s->value[b])                                          \
    firstprivate(s, a, b, seen_a, seen_b, own, t) priority(t % 5)
            {
                Random mine = own;
                CHECK_EQ(s->value[a], seen_a);
                CHECK_EQ(s->value[b], seen_b);
                if (mine.chance(30))
                    tree_in_group(mine.fork());
                s->value[a] = s->value[b] = t;
            }
            break;
        case 4:
            s->seen[a] = seen_a + 1;
#pragma omp task depend(mutexinoutset : s->value[a]) firstprivate(s, a, own)
            {
                Random mine = own;
                CHECK_EQ(s->inside[a].fetch_add(1), 0);
                work(mine);
                s->value[a] += 1;
                s->inside[a].fetch_sub(1);
            }
            break;
        case 5:
            s->seen[a] = t;
#pragma omp task if (0) depend(inout : s->value[a]) firstprivate(s, a, seen_a, t)
            {
                CHECK_EQ(s->value[a], seen_a);
                s->value[a] = t;
            }
            CHECK_EQ(s->value[a], t);
            break;
        default:
            if (own.state % 3u == 0) {
#pragma omp taskwait depend(in : s->value[a])
                CHECK_EQ(s->value[a], seen_a);
            } else {
                s->seen[a] = t;
                omp_event_handle_t event{};
                const bool elsewhere = own.state % 2u != 0;
#pragma omp task depend(inout : s->value[a]) firstprivate(s, a, seen_a, t, elsewhere) detach(event)
                {
                    CHECK_EQ(s->value[a], seen_a);
                    s->value[a] = t;
                    if (elsewhere)
                        outside::fulfill(event);
                    else
                        omp_fulfill_event(event);
                }
            }
        }
    }
    if (random.chance(50)) {
#pragma omp taskwait
    } else {
#pragma omp taskwait depend(inout : s->value[0], s->value[1], s->value[2], s->value[3],            \
                                s->value[4], s->value[5])
    }
    for (int i = 0; i < kSlots; ++i)
        CHECK_EQ(s->value[i], s->seen[i]);
#pragma omp taskwait
}

void loops(Random random) {
    const int n = random.below(200);
    std::atomic<long> sum{0};
    switch (random.below(4)) {
    case 0:
#pragma omp taskloop grainsize(5) shared(sum)
        for (int i = 0; i < n; ++i)
            sum += i;
        break;
    case 1:
#pragma omp taskloop num_tasks(4) untied shared(sum)
        for (int i = 0; i < n; ++i)
            sum += i;
        break;
    case 2:
#pragma omp taskloop nogroup shared(sum)
        for (int i = 0; i < n; ++i)
            sum += i;
#pragma omp taskwait
        break;
    default:
        long total = 0;
#pragma omp taskloop reduction(+ : total)
        for (int i = 0; i < n; ++i)
            total += i;
        sum = total;
    }
    CHECK_EQ(sum.load(), static_cast<long>(n) * (n - 1) / 2);
}

void group_with_cancel(Random random) {
    std::atomic<int> before{0};
    std::atomic<int> ran{0};
    const int n = 1 + random.below(40);
    const int at = random.below(60);
#pragma omp taskgroup
    {
        for (int i = 0; i < n; ++i) {
            const Random own = random.fork();
#pragma omp task firstprivate(own, i) shared(ran, before)
            {
                Random mine = own;
                before++;
                if (i == at) {
#pragma omp cancel taskgroup
                }
                work(mine);
#pragma omp cancellation point taskgroup
                ran++;
            }
        }
    }
    if (at >= n)
        CHECK_EQ(ran.load(), n);
    else if (ran.load() > before.load() || before.load() > n)
        fail("%d tasks of %d started, %d ended", before.load(), n, ran.load());
}

// --- Tasks in batches, where the runtime has them
// -------------------------------------------------

constexpr int kKinds = 3;
int kinds[kKinds];
void (*next_kind)(int, void *);

/// Marks each cell; every other time in tasks of its own.
void mark_batch(void *const *cells, std::size_t count, void *) {
    const bool forks = steps.load(std::memory_order_relaxed) % 2 != 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto *cell = static_cast<std::atomic<int> *>(cells[i]);
#pragma omp task firstprivate(cell) if (forks)
        cell->fetch_add(1);
    }
#pragma omp taskwait
}

void make_kinds() {
    const auto make =
        reinterpret_cast<int (*)(const char *, void (*)(void *const *, std::size_t, void *), void *,
                                 unsigned)>(dlsym(RTLD_DEFAULT, "loomp_task_kind"));
    next_kind =
        reinterpret_cast<void (*)(int, void *)>(dlsym(RTLD_DEFAULT, "loomp_next_task_kind"));
    for (int k = 0; k < kKinds; ++k)
        if (make != nullptr)
            kinds[k] = make("mark", mark_batch, nullptr, 2u + 7u * static_cast<unsigned>(k));
}

void batches(Random random) {
    constexpr int kCells = 60;
    std::atomic<int> cells[kCells] = {};
    int order[4] = {};
    const bool cancels = random.chance(20);
    const int n = random.below(kCells);
#pragma omp taskgroup
    for (int i = 0; i < n; ++i) {
        const int kind = kinds[random.chance(80) ? 0 : random.below(kKinds)];
        std::atomic<int> *cell = &cells[i];
        if (next_kind != nullptr && kind != 0)
            next_kind(kind, cell);
        if (random.chance(30)) {
            int *chain = &order[random.below(4)];
#pragma omp task depend(inout : *chain) firstprivate(cell, chain)
            cell->fetch_add(1);
        } else {
#pragma omp task firstprivate(cell, cancels, i)
            {
                cell->fetch_add(1);
                if (cancels && i % 16 == 7) {
#pragma omp cancel taskgroup
                }
            }
        }
    }
    for (int i = 0; i < n; ++i)
        if (cells[i] != 1 && (!cancels || cells[i] != 0))
            fail("task %d of %d ran %d times", i, n, cells[i].load());
}

/// A region whose members meet the same constructs; its size may exceed the processors by far.
void region(Random random, int depth) {
    const int size = random.chance(10) ? 9 : 1 + random.below(4);
    std::atomic<int> members{0};
    std::atomic<long> sum{0};
    std::atomic<int> singles{0};
    const std::uint64_t shape = random.next();
    const std::uint64_t seed = random.next();
    std::atomic<int> nodes{0};
    std::atomic<int> expected{0};
    int actual = 0;
#pragma omp parallel num_threads(size) shared(actual)
    {
        const int num = omp_get_thread_num();
        const int team = omp_get_num_threads();
        if (num >= team)
            fail("thread %d of %d", num, team);
        Random mine{seed + static_cast<std::uint64_t>(num)};
        Random common{shape};
        members++;
#pragma omp master
        actual = team;
        for (int step = common.below(5); step >= 0; --step) {
            switch (common.below(8)) {
            case 0: {
#pragma omp barrier
            } break;
            case 1: {
                const int n = common.below(50);
#pragma omp for schedule(dynamic, 3)
                for (int i = 0; i < n; ++i)
                    sum += 1;
#pragma omp single
                sum -= n;
                break;
            }
            case 2: {
                const int n = common.below(50);
#pragma omp for schedule(guided) nowait
                for (int i = 0; i < n; ++i)
                    sum += 1;
#pragma omp single nowait
                sum -= n;
                break;
            }
            case 3: {
                int value = 0;
#pragma omp single copyprivate(value)
                {
                    value = step + 1;
                    singles++;
                }
                CHECK_EQ(value, step + 1);
                break;
            }
            case 4: {
                int next = 0;
#pragma omp for ordered schedule(static, 2)
                for (int i = 0; i < 8; ++i) {
#pragma omp ordered
                    next = i;
                }
                (void)next;
                break;
            }
            case 5:
                // Tasks of all members, ended by the next barrier.
                expected += tree(mine.fork(), 3, &nodes);
                break;
            case 6:
#pragma omp critical(stress)
                work(mine);
                break;
            default:
                anything(mine.fork(), depth - 1, true);
            }
        }
    }
    CHECK_EQ(members.load(), actual);
    CHECK_EQ(sum.load(), 0);
    CHECK_EQ(nodes.load(), expected.load());
}

void cancelled_region(Random random) {
    const int size = 1 + random.below(4);
    const bool cancels = random.chance(70);
    const int who = random.below(size);
    const Random own = random.fork();
    std::atomic<int> passed{0};
    std::atomic<int> loop{0};
    int team = 0;
#pragma omp parallel num_threads(size) shared(passed, loop, team)
    {
        const int num = omp_get_thread_num();
        Random mine{own.state + static_cast<std::uint64_t>(num)};
#pragma omp master
        team = omp_get_num_threads();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 40; ++i) {
            if (cancels && i == 17) {
#pragma omp cancel for
            }
            loop++;
#pragma omp cancellation point for
        }
        for (int i = mine.below(6); i > 0; --i) {
            const Random inner = mine.fork();
#pragma omp task firstprivate(inner)
            {
                Random r = inner;
                work(r);
                if (r.chance(20)) {
#pragma omp taskyield
                }
            }
        }
        work(mine);
        if (cancels && num % size == who) {
#pragma omp cancel parallel
        }
#pragma omp barrier
        passed++;
    }
    if (!cancels) {
        CHECK_EQ(loop.load(), 40);
        CHECK_EQ(passed.load(), team);
    } else if (who < team) {
        CHECK_EQ(passed.load(), 0);
    }
}

void anything(Random random, int depth, bool in_region) {
    steps.fetch_add(1, std::memory_order_relaxed);
    switch (random.below(depth > 0 ? 11 : 6)) {
    case 0:
        dependences(random);
        break;
    case 1:
        loops(random);
        break;
    case 2:
        tree_in_group(random);
        break;
    case 3:
        group_with_cancel(random);
        break;
    case 4: {
        omp_event_handle_t event{};
        std::atomic<int> done{0};
        const bool elsewhere = random.chance(50);
#pragma omp task detach(event) shared(done) firstprivate(elsewhere) untied
        {
            done = 1;
            if (elsewhere)
                outside::fulfill(event);
            else
                omp_fulfill_event(event);
        }
#pragma omp taskwait
        CHECK_EQ(done.load(), 1);
        break;
    }
    case 5:
        batches(random);
        break;
    case 6:
        cancelled_region(random);
        break;
    case 7: {
        // Whatever it is, in tasks that run at the same time.
#pragma omp taskgroup
        {
            for (int i = random.below(4); i >= 0; --i) {
                const Random own = random.fork();
                if (own.state % 2u != 0) {
#pragma omp task untied firstprivate(own, depth, in_region)
                    anything(own, depth - 1, in_region);
                } else {
#pragma omp task firstprivate(own, depth, in_region)
                    anything(own, depth - 1, in_region);
                }
            }
        }
        break;
    }
    default:
        region(random, depth);
    }
}

double end_time;

void *thread_of_the_program(void *argument) {
    Random random{first_seed +
                  static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(argument))};
    for (round_now = 0; now() < end_time; ++round_now)
        anything(random.fork(), 3, false);
    return nullptr;
}

} // namespace

int main(int argc, char **argv) {
    program_name = "random";
    const char *from_environment = std::getenv("LOOMP_STRESS_SECONDS");
    const double seconds = argc > 1           ? std::atof(argv[1])
                           : from_environment ? std::atof(from_environment)
                                              : 20;
    first_seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10)
                          : static_cast<std::uint64_t>(time(nullptr)) * 1000003u +
                                static_cast<std::uint64_t>(getpid());
    end_time = now() + seconds;
    omp_set_dynamic(0);
    make_kinds();
    outside::start(1);
    watch(120);
    // A few initial threads at once, for a while each, so that their ends are tested too.
    const double end = end_time;
    while (now() < end) {
        end_time = now() + (end - now() < 4 ? end - now() : 2);
        pthread_t threads[2];
        for (std::uintptr_t i = 0; i < 2; ++i)
            pthread_create(&threads[i], nullptr, thread_of_the_program,
                           reinterpret_cast<void *>(i + steps.load() * 7));
        thread_of_the_program(reinterpret_cast<void *>(std::uintptr_t{1000} + steps.load()));
        for (pthread_t thread : threads)
            pthread_join(thread, nullptr);
    }
    if (argc > 1)
        std::printf("seed %llu: %lu steps\n", static_cast<unsigned long long>(first_seed),
                    steps.load());
    return 0;
}
