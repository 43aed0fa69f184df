// This program runs small OpenMP programs with all schedules that have at most so many preemptions
// (bounded.h), on the simulated machine.
//
//   simulated_exhaustive [--bound N] [--most SCHEDULES] [NAME...]   all programs, or some
//   simulated_exhaustive --schedule MOMENT:ALTERNATIVE,... NAME     one schedule of one program
//
// It prints for each the choices of the schedule without preemptions, the schedules, and how often
// the search had to begin again because more data turned out to be shared. A search that was cut
// short is a failure.
//
// Exit status: 0: each schedule passed; 1: one failed, or a search was cut; 2: usage.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <omp.h>
#include <string_view>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vector>

#include "loomp/experimental.h"
#include "loomp/loomp.h"
#include "tests/simulated/bounded.h"
#include "tests/simulated/machine.h"

namespace {

using namespace loomp::simulated;

// A test's own counters are no points at which threads switch: the runtime's accesses are, and
// step().
void check(bool holds, const char *what) {
    if (!holds)
        give_up(kWrong, what);
}

/// A thread of the program, beside OpenMP's.
class Foreign {
  public:
    Foreign(void (*function)(void *), void *argument) : function_(function), argument_(argument) {
        check(start(call, this, &handle_) == 0, "a thread cannot be made");
    }
    Foreign(const Foreign &) = delete;
    Foreign &operator=(const Foreign &) = delete;
    ~Foreign() { join(handle_); }

  private:
    static void *call(void *self) {
        const auto &own = *static_cast<Foreign *>(self);
        own.function_(own.argument_);
        return nullptr;
    }
    void (*function_)(void *);
    void *argument_;
    unsigned long handle_ = 0;
};

/// Counts members and tasks.
struct Counts {
    std::atomic<int> members{0}, tasks{0};
    void expect(int all_members, int all_tasks) const {
        check(members.load() == all_members, "a member of the region is missing");
        check(tasks.load() == all_tasks, "a task is missing");
    }
};

void run_region(int threads) {
    Counts counts;
#pragma omp parallel num_threads(threads)
    counts.members.fetch_add(1);
    counts.expect(threads, 0);
}

void run_first_region() { run_region(2); }

void run_changing_teams() {
    for (const int threads : {2, 1, 3, 2})
        run_region(threads);
}

void run_nested_regions() {
    Counts counts;
#pragma omp parallel num_threads(2)
    {
        counts.members.fetch_add(1);
#pragma omp parallel num_threads(2) if (omp_get_thread_num() == 0)
        counts.tasks.fetch_add(1);
    }
    counts.expect(2, 3);
}

/// A barrier ends after all tasks.
void run_barrier() {
    Counts counts;
#pragma omp parallel num_threads(2)
    {
        counts.members.fetch_add(1);
#pragma omp single nowait
        for (int i = 0; i < 2; ++i) {
#pragma omp task
            counts.tasks.fetch_add(1);
        }
#pragma omp barrier
        counts.expect(2, 2);
    }
}

/// Each member creates a task.
void run_tasks_of_all() {
    Counts counts;
#pragma omp parallel num_threads(2)
    {
        counts.members.fetch_add(1);
#pragma omp task
        counts.tasks.fetch_add(1);
    }
    counts.expect(2, 2);
}

void run_taskwait() {
    Counts counts;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < 2; ++i) {
#pragma omp task
            {
                counts.tasks.fetch_add(1);
#pragma omp task if (i == 0)
                counts.members.fetch_add(1);
            }
        }
#pragma omp taskwait
        check(counts.tasks.load() == 2, "a child is not complete");
    }
    counts.expect(2, 2);
}

void run_taskgroup() {
    Counts counts;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task untied
            {
#pragma omp task
                counts.tasks.fetch_add(1);
            }
        }
        counts.expect(0, 1);
    }
}

void run_dependences() {
    int value = 0, read = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : value)
        value = 1;
        for (int i = 0; i < 2; ++i) {
#pragma omp task depend(in : value)
            {
                check(value == 1, "a reader finds another version");
                step();
#pragma omp atomic
                ++read;
            }
        }
#pragma omp task depend(inout : value)
        {
            check(read == 2, "a writer runs before the readers");
            value = 2;
        }
    }
    check(value == 2, "the last writer is missing");
}

void run_taskwait_depend() {
    int value = 0, other = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : value)
        value = 1;
#pragma omp task depend(out : other)
        other = 1;
#pragma omp taskwait depend(in : value)
        check(value == 1, "a wait for a dependence ended early");
    }
    check(other == 1, "a task is missing");
}

void run_exclusion() {
    int value = 0;
    std::atomic<int> inside{0};
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 3; ++i) {
#pragma omp task depend(mutexinoutset : value)
        {
            check(inside.fetch_add(1) == 0, "two tasks of a mutexinoutset run at once");
            step();
            ++value;
            inside.fetch_sub(1);
        }
    }
    check(value == 3, "a task is missing");
}

/// Another thread fulfils a task's event.
void run_detach() {
    int value = 0;
    Counts counts;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : value)
        counts.tasks.fetch_add(1);
#pragma omp task depend(in : value)
        counts.members.fetch_add(1);
        const Foreign fulfils(
            [](void *handle) { omp_fulfill_event(*static_cast<omp_event_handle_t *>(handle)); },
            &event);
#pragma omp taskwait
        counts.expect(1, 1);
    }
}

/// A sibling fulfils it.
void run_detach_by_sibling() {
    Counts counts;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event)
        counts.tasks.fetch_add(1);
#pragma omp task firstprivate(event)
        {
            counts.members.fetch_add(1);
            omp_fulfill_event(event);
        }
    }
    counts.expect(1, 1);
}

/// A task is suspended while it holds the lock; the other one waits for it.
void run_lock() {
    omp_lock_t lock;
    omp_init_lock(&lock);
    Counts counts;
    std::atomic<int> inside{0};
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 2; ++i) {
#pragma omp task
        {
            omp_set_lock(&lock);
            check(inside.fetch_add(1) == 0, "two tasks have the lock");
#pragma omp taskyield
            counts.tasks.fetch_add(1);
            inside.fetch_sub(1);
            omp_unset_lock(&lock);
        }
    }
    counts.expect(0, 2);
    omp_destroy_lock(&lock);
}

void run_critical() {
    Counts counts;
    std::atomic<int> inside{0};
#pragma omp parallel num_threads(3)
#pragma omp critical
    {
        check(inside.fetch_add(1) == 0, "two threads are in a critical section");
        step();
        counts.members.fetch_add(1);
        inside.fetch_sub(1);
    }
    counts.expect(3, 0);
}

/// Another thread resumes a task.
void run_suspend() {
    Counts counts;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        loomp_suspension_t until = LOOMP_SUSPENSION_INIT;
#pragma omp task shared(until) untied
        {
            loomp_suspend(&until);
            counts.tasks.fetch_add(1);
        }
        const Foreign resumes(
            [](void *object) { loomp_resume(static_cast<loomp_suspension_t *>(object)); }, &until);
#pragma omp taskwait
        counts.expect(0, 1);
    }
}

/// A held task's successor runs after the release.
void run_hold() {
    struct Hold {
        loomp_held_task_t *task = nullptr;
        std::atomic<bool> released{false};
    } hold;
    int value = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : value)
        {
            hold.task = loomp_hold_task(1);
            check(hold.task != nullptr, "a task cannot be held");
#pragma omp task
            {
                hold.released.store(true);
                loomp_release_task(hold.task, 1);
            }
        }
#pragma omp task depend(in : value)
        {
            check(hold.released.load(), "a successor runs before the release");
            value = 1;
        }
    }
    check(value == 1, "a successor is missing");
}

/// The creator waits until there are fewer tasks.
void run_throttle() {
    Counts counts;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 3; ++i) {
#pragma omp task
        counts.tasks.fetch_add(1);
    }
    counts.expect(0, 3);
}

void run_cancelled_group() {
    std::atomic<bool> over{false};
    std::atomic<int> ran{0};
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < 3; ++i) {
#pragma omp task
            {
                check(!over.load(), "a task of a group begins after its end");
                ran.fetch_add(1);
                if (i == 0) {
#pragma omp cancel taskgroup
                }
            }
        }
        over.store(true);
    }
    check(ran.load() >= 1, "nobody cancels the group");
}

void run_cancelled_region() {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
        }
#pragma omp barrier
    }
    run_region(2);
}

void run_reduction() {
    int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
        for (int i = 0; i < 2; ++i) {
#pragma omp task in_reduction(+ : sum)
            sum += 1;
        }
        check(sum == 2, "a reduction is wrong");
    }
}

void run_dynamic_loops() {
    Counts counts;
#pragma omp parallel num_threads(2)
    for (int loop = 0; loop < 2; ++loop) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 2; ++i)
            counts.tasks.fetch_add(1);
    }
    counts.expect(0, 4);
}

/// A thread of the program has a region of its own beside another one.
void run_foreign_region() {
    const Foreign other([](void *) { run_region(2); }, nullptr);
    run_region(2);
}

/// The child of a fork continues with the code that called it, and uses OpenMP.
void fork_here() {
    const bool passes = run_in_child(
        [](void *) {
            Counts counts;
#pragma omp task shared(counts)
            counts.tasks.fetch_add(1);
#pragma omp taskwait
            counts.expect(0, 1);
            run_region(2);
        },
        nullptr);
    check(passes, "the child of a fork failed");
}

void run_fork_beside_first_region() {
    std::atomic<bool> begun{false};
    const Foreign other(
        [](void *flag) {
            static_cast<std::atomic<bool> *>(flag)->store(true);
            run_region(2);
        },
        &begun);
    while (!begun.load())
        loomp::simulated::pause();
    fork_here();
}

void run_fork_in_task() {
    Counts counts;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 2; ++i) {
#pragma omp task
        {
            if (i == 0)
                fork_here();
            counts.tasks.fetch_add(1);
        }
    }
    counts.expect(0, 2);
}

void run_kept_graph() {
    int value = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        char place = 0;
        for (int i = 0; i < 3; ++i) {
            if (loomp_persistent_begin(&place, LOOMP_PERSISTENT_REPLAY) == 0)
                continue;
            for (int k = 0; k < 2; ++k) {
#pragma omp task depend(inout : value)
                ++value;
            }
            loomp_persistent_end();
        }
#pragma omp taskwait
        check(value == 6, "a task of a kept graph is missing");
        loomp_persistent_free(&place);
    }
}

void run_transparent_task() {
    int value = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        loomp_next_task(LOOMP_TASK_TRANSPARENT);
#pragma omp task depend(out : value) shared(value)
        {
#pragma omp task depend(out : value) shared(value)
            value = 1;
        }
#pragma omp task depend(in : value)
        check(value == 1, "a task runs before the child of its transparent predecessor");
    }
}

struct Program {
    const char *name;
    void (*run)();
    bool has_team; ///< before the search begins, a region has made the threads
    const char *setting = nullptr;
    const char *value = nullptr;
};
constexpr Program kPrograms[] = {
    {"first-region", run_first_region, false},
    {"changing-teams", run_changing_teams, false},
    {"nested-regions", run_nested_regions, false, "OMP_MAX_ACTIVE_LEVELS", "2"},
    {"barrier", run_barrier, true},
    {"tasks-of-all", run_tasks_of_all, true},
    {"taskwait", run_taskwait, true},
    {"taskgroup", run_taskgroup, true},
    {"dependences", run_dependences, true},
    {"taskwait-depend", run_taskwait_depend, true},
    {"exclusion", run_exclusion, true},
    {"detach", run_detach, true},
    {"detach-by-sibling", run_detach_by_sibling, true},
    {"lock", run_lock, true},
    {"critical", run_critical, true},
    {"suspend", run_suspend, true},
    {"hold", run_hold, true},
    {"throttle", run_throttle, true, "LOOMP_MAX_TASKS", "1"},
    {"cancelled-group", run_cancelled_group, true, "OMP_CANCELLATION", "true"},
    {"cancelled-region", run_cancelled_region, true, "OMP_CANCELLATION", "true"},
    {"reduction", run_reduction, true},
    {"dynamic-loops", run_dynamic_loops, true},
    {"foreign-region", run_foreign_region, false},
    {"fork-beside-first-region", run_fork_beside_first_region, false},
    {"fork-in-task", run_fork_in_task, true, "OMP_MAX_ACTIVE_LEVELS", "2"},
    {"kept-graph", run_kept_graph, true},
    {"transparent-task", run_transparent_task, true},
};

const Program *program;

void run_after_team() {
    if (program->has_team)
        run_region(2);
    begin_choices();
    program->run();
}

/// Runs the program in this process, whose schedule is set.
void run_here() {
    if (program->setting != nullptr)
        setenv(program->setting, program->value, 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("LOOMP_SPIN", "1", 1); // threads that look for tasks have few choices
    Setup setup;
    setup.policy = Policy::bounded;
    setup.limit = 3'000'000;
    run(setup, run_after_team);
}

double seconds() {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Returns whether all schedules passed.
bool search(unsigned bound, std::uint64_t most) {
    const double begin = seconds();
    const Search &found = search_all(bound, most, run_here);
    std::printf("%-24s %2u %8llu %10llu %7u %8.1f\n", program->name, found.bound,
                static_cast<unsigned long long>(found.choices),
                static_cast<unsigned long long>(found.schedules), found.passes, seconds() - begin);
    if (found.was_cut)
        std::printf("  not all schedules\n");
    if (found.failure != 0) {
        std::printf("  FAIL: simulated_exhaustive --schedule ");
        print(found.failed);
        std::printf("%s%s\n", found.failed.count == 0 ? "none " : " ", program->name);
        std::fflush(stdout);
        if (fork() == 0) {
            repeat_schedule(found.failed);
            run_here();
            _exit(0);
        }
        wait(nullptr);
    }
    std::fflush(stdout);
    return found.failure == 0 && !found.was_cut;
}

int usage() {
    std::fprintf(stderr, "usage: simulated_exhaustive [--bound N] [--most SCHEDULES] [NAME...]\n"
                         "       simulated_exhaustive --schedule MOMENT:ALTERNATIVE,... NAME\n");
    return 2;
}

} // namespace

int main(int argc, char **argv) {
    clearenv();
    unsigned bound = 1;
    std::uint64_t most = 0;
    bool repeats = false;
    static Deviations schedule;
    int at = 1;
    for (; at + 1 < argc && std::strncmp(argv[at], "--", 2) == 0; at += 2) {
        const char *const value = argv[at + 1];
        const bool is_number = value[0] != '\0' && value[std::strspn(value, "0123456789")] == '\0';
        if (std::strcmp(argv[at], "--bound") == 0 && is_number)
            bound = static_cast<unsigned>(std::atoi(value));
        else if (std::strcmp(argv[at], "--most") == 0 && is_number)
            most = std::strtoull(value, nullptr, 10);
        else if (std::strcmp(argv[at], "--schedule") == 0 &&
                 (std::strcmp(value, "none") == 0 || read(value, schedule)))
            repeats = true;
        else
            return usage();
    }
    if (bound >= kMostDeviations || (repeats && argc - at != 1))
        return usage();
    const std::vector<std::string_view> names(argv + at, argv + argc);
    for (const std::string_view name : names)
        if (std::none_of(std::begin(kPrograms), std::end(kPrograms),
                         [&](const Program &each) { return name == each.name; }))
            return usage();
    int failed = 0;
    for (const Program &each : kPrograms) {
        if (!names.empty() && std::find(names.begin(), names.end(), each.name) == names.end())
            continue;
        program = &each;
        if (repeats) {
            repeat_schedule(schedule);
            run_here();
            const bool met = schedule_was_met();
            std::printf(met ? "well\n" : "the program has no such schedule\n");
            std::fflush(stdout);
            _exit(met ? 0 : 2);
        }
        failed += search(bound, most) ? 0 : 1;
    }
    std::printf(failed == 0 ? "each schedule passed\n" : "%d programs failed\n", failed);
    return failed == 0 ? 0 : 1;
}
