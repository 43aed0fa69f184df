// This program counts on the simulated machine what constructs cost with many threads. Each thread
// has a processor, and accesses to lines that other threads have, and calls of the system, take
// time (lines.h, machine.h).
//
//   simulated_scale [--distances CACHE SOCKET MACHINE] [--only CONSTRUCT] [--where PLACES]
//   [THREADS...]
//
// It prints for each construct the nanoseconds of one, and how many transfers of lines, wake-ups,
// other calls of the system and interrupts it takes in all threads.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <omp.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "loomp/loomp.h"
#include "tests/simulated/lines.h"
#include "tests/simulated/machine.h"

namespace {

using namespace loomp::simulated;

int threads;
unsigned long where = 0; ///< so many places are printed

/// Work without accesses.
void compute(std::int64_t nanoseconds) {
    const std::int64_t end = now() + nanoseconds;
    while (now() < end) {
    }
}

void run_barriers(int count) {
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < count; ++i) {
#pragma omp barrier
    }
}

void run_regions(int count) {
    for (int i = 0; i < count; ++i) {
#pragma omp parallel num_threads(threads)
        step();
    }
}

void run_rare_regions(int count) {
    for (int i = 0; i < count; ++i) {
        compute(2'000'000); // the others spin, or sleep
#pragma omp parallel num_threads(threads)
        step();
    }
}

void run_dynamic_loops(int count) {
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < count; ++i) {
#pragma omp for schedule(dynamic)
        for (int k = 0; k < 8 * threads; ++k)
            compute(300);
    }
}

void run_reductions(int count) {
    long sum = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < count; ++i) {
#pragma omp for schedule(static) reduction(+ : sum)
        for (int k = 0; k < threads; ++k)
            sum += k;
    }
    if (sum != static_cast<long>(count) * threads * (threads - 1) / 2)
        give_up(kWrong, "a reduction is wrong");
}

void run_criticals(int count) {
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < count; ++i) {
#pragma omp critical
        compute(50);
    }
}

/// One creator; the others run the tasks. `count` tasks for each thread.
void run_tasks_of_one(int count, std::int64_t length) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < count * threads; ++i) {
#pragma omp task firstprivate(length)
        compute(length);
    }
}

void run_short_tasks(int count) { run_tasks_of_one(count, 1000); }
void run_long_tasks(int count) { run_tasks_of_one(count, 20'000); }

void run_tasks_of_all(int count) {
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < count; ++i) {
#pragma omp task
        compute(1000);
    }
}

/// Tasks in chains, with dependences: a successor runs where its predecessor did.
void run_chains(int count) {
    std::vector<char> chains(static_cast<std::size_t>(threads) * 64);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < count; ++i)
        for (int chain = 0; chain < threads; ++chain) {
            char *const at = &chains[static_cast<std::size_t>(chain) * 64];
#pragma omp task depend(inout : *at)
            compute(5000);
        }
}

/// Tasks that wait for another one each: all threads suspend tasks, and continue those of others.
void run_suspensions(int count) {
    const int pairs = count * threads;
    std::vector<loomp_suspension_t> waits(static_cast<std::size_t>(pairs), LOOMP_SUSPENSION_INIT);
#pragma omp parallel num_threads(threads)
    {
        const int own = omp_get_thread_num();
        for (int i = 0; i < count; ++i) {
            loomp_suspension_t *const wait = &waits[static_cast<std::size_t>(own * count + i)];
#pragma omp task firstprivate(wait)
            loomp_suspend(wait);
        }
        for (int i = 0; i < count; ++i) {
            loomp_suspension_t *const wait =
                &waits[static_cast<std::size_t>((own + 1) % threads * count + i)];
#pragma omp task firstprivate(wait)
            loomp_resume(wait);
        }
    }
}

/// One thread computes; the others find nothing.
void run_idle(int count) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp single
        {
#pragma omp task
            compute(100);
#pragma omp taskwait
            compute(std::int64_t{20'000} * count);
        }
    }
}

/// All threads but the creator are asleep when it makes a task for each.
void run_bursts(int count) {
    for (int i = 0; i < count; ++i) {
#pragma omp parallel num_threads(threads)
#pragma omp single
        {
            compute(100'000);
            for (int k = 0; k < threads; ++k) {
#pragma omp task
                compute(50'000);
            }
        }
    }
}

struct Construct {
    const char *name;
    void (*run)(int count);
    int count;
    bool each; ///< `count` is for each thread
    bool passive = false;
};
constexpr Construct kConstructs[] = {
    {"barrier", run_barriers, 20, false},
    {"region", run_regions, 20, false},
    {"region after 2 ms", run_rare_regions, 4, false},
    {"dynamic loop", run_dynamic_loops, 5, false},
    {"reduction", run_reductions, 10, false},
    {"critical", run_criticals, 5, true},
    {"task of 1 us, one creator", run_short_tasks, 20, true},
    {"task of 20 us, one creator", run_long_tasks, 20, true},
    {"task of 1 us, all create", run_tasks_of_all, 20, true},
    {"task of 5 us, in chains", run_chains, 20, true},
    {"suspension", run_suspensions, 20, true},
    {"20 us of idle threads", run_idle, 20, false},
    {"region of sleepers", run_regions, 20, false, true},
    {"50 us tasks for sleepers", run_bursts, 5, false, true},
};

const Construct *construct;

void measure() {
    threads = std::max(threads, 1);
    run_regions(2); // the team exists
    construct->run(1);
    const LineCounts lines = line_counts();
    const SystemCounts calls = system_counts();
    const std::int64_t begin = now();
    construct->run(construct->count);
    const auto ones = static_cast<double>(construct->count) * (construct->each ? threads : 1);
    const auto time = static_cast<double>(now() - begin) / ones;
    const auto share = [&](std::uint64_t after, std::uint64_t before) {
        return static_cast<double>(after - before) / ones;
    };
    const LineCounts lines_after = line_counts();
    const SystemCounts after = system_counts();
    std::printf("%4d  %-26s %10.0f %10.1f %9.2f %9.2f %9.2f %9.1f\n", threads, construct->name,
                time, share(lines_after.transfers, lines.transfers),
                share(after.woken, calls.woken),
                share(after.sleeps + after.wakes, calls.sleeps + calls.wakes),
                share(after.interrupts, calls.interrupts), share(after.pauses, calls.pauses));
    print_transfers(where);
    std::fflush(stdout);
}

[[noreturn]] void run_measured() {
    alarm(600);
    Setup setup;
    setup.policy = Policy::parallel;
    setup.processors = threads;
    setup.limit = 2'000'000'000;
    run(setup, measure);
    std::fflush(stdout);
    _exit(0);
}

/// Becomes a process whose machine has the processors from the start.
[[noreturn]] void start_for(const Construct &each, int count, char **argv, int argc) {
    setenv(kProcessorsAtStart, std::to_string(count).c_str(), 1);
    std::vector<std::string> words = {argv[0], "--here", "--only", each.name};
    for (int i = 1; i < argc; ++i) {
        const int length = std::strcmp(argv[i], "--distances") == 0 ? 4
                           : std::strcmp(argv[i], "--where") == 0   ? 2
                                                                    : 0;
        for (int k = 0; k < length; ++k)
            words.emplace_back(argv[i + k]);
    }
    words.push_back(std::to_string(count));
    std::vector<char *> list;
    for (std::string &word : words)
        list.push_back(word.data());
    list.push_back(nullptr);
    execv("/proc/self/exe", list.data());
    _exit(9);
}

} // namespace

int main(int argc, char **argv) {
    clearenv();
    Distances distances;
    std::vector<int> counts;
    std::string only;
    bool here = false; ///< this process was started for the only construct and the only number
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--distances") == 0 && i + 3 < argc) {
            distances.in_cache = std::atol(argv[i + 1]);
            distances.in_socket = std::atol(argv[i + 2]);
            distances.between_sockets = std::atol(argv[i + 3]);
            i += 3;
        } else if (std::strcmp(argv[i], "--here") == 0) {
            here = true;
        } else if (std::strcmp(argv[i], "--where") == 0 && i + 1 < argc) {
            where = std::strtoul(argv[++i], nullptr, 10);
        } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            only = argv[++i];
        } else if (std::atoi(argv[i]) > 0 && std::atoi(argv[i]) <= kMostThreads) {
            counts.push_back(std::atoi(argv[i]));
        } else {
            std::fprintf(stderr, "usage: simulated_scale [--distances CACHE SOCKET MACHINE] "
                                 "[--only CONSTRUCT] [--where PLACES] [THREADS...]\n");
            return 2;
        }
    }
    if (counts.empty())
        counts = {2, 16, 64, 256};
    if (here) {
        set_distances(distances);
        construct = std::find_if(std::begin(kConstructs), std::end(kConstructs),
                                 [&](const Construct &each) { return only == each.name; });
        threads = counts[0];
        if (construct->passive)
            setenv("OMP_WAIT_POLICY", "passive", 1);
        run_measured();
    }
    std::printf("threads  construct                nanoseconds  transfers     woken     calls "
                "interrupts    pauses\n");
    std::fflush(stdout);
    int failed = 0;
    for (const Construct &each : kConstructs)
        for (const int count : counts) {
            if (!only.empty() && only != each.name)
                continue;
            const pid_t child = fork();
            if (child == 0) {
                start_for(each, count, argv, argc);
            }
            int status = 0;
            waitpid(child, &status, 0);
            if (status != 0) {
                std::printf("%4d  %-26s failed\n", count, each.name);
                ++failed;
            }
        }
    return failed == 0 ? 0 : 1;
}
