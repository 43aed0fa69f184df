// Runs random programs on the simulated machine: each program, its settings and its schedule come
// from one seed.
//
//   simulated_programs FIRST LAST      the seeds FIRST to LAST - 1, a process for each
//   simulated_programs SEED            one of them, the same each time; prints its program
//   simulated_programs --shrink SEED   looks for a smaller program that fails in the same way
//
//   --operations N, --threads N, --depth N   instead of the seed's
//   --seconds N                 ends after so many seconds
//   --log FILE                  goes on where the log ends, and adds to its sums
//   --stop                      ends after the first seed that fails
//   --trace                     prints each switch
//
// threaded_programs runs them on threads of the system and on the library itself, where a run is
// not the same each time.
//
// Exit status: 0: no seed failed; 1: some did; 2: usage.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/simulated/machine.h"
#include "tests/simulated/mpi/program_messages.h"
#include "tests/simulated/program.h"

namespace {

using namespace loomp::simulated;

struct Options {
    std::uint64_t first = 0;
    std::uint64_t last = 0; ///< 0: only the first one
    int operations = 0;
    int threads = 0;
    int depth = 0;
    bool trace = false;
    bool here = false; ///< this process runs the first seed's program; its settings are set
    bool shrink = false;
    bool stop = false;
    long seconds = 0;
    std::string log;
};

/// The sums of all runs of a log.
struct Sums {
    std::uint64_t next = 0; ///< the seed with which the next run begins
    std::uint64_t runs = 0;
    std::uint64_t failed = 0;
    std::uint64_t steps = 0;
    std::uint64_t switches = 0;
    double seconds = 0;

    void print(std::FILE *to) const {
        std::fprintf(
            to,
            "%llu runs, %llu failed; %llu steps, %llu switches, %.1f s; the next seed is %llu\n",
            static_cast<unsigned long long>(runs), static_cast<unsigned long long>(failed),
            static_cast<unsigned long long>(steps), static_cast<unsigned long long>(switches),
            seconds, static_cast<unsigned long long>(next));
    }
    /// The last such line of a log.
    void read(const char *name) {
        std::FILE *log = std::fopen(name, "r");
        if (log == nullptr)
            return;
        char line[256];
        while (std::fgets(line, sizeof line, log) != nullptr) {
            unsigned long long found[5];
            double time = 0;
            if (std::sscanf(line,
                            "%llu runs, %llu failed; %llu steps, %llu switches, %lf s; the next "
                            "seed is %llu",
                            &found[0], &found[1], &found[2], &found[3], &time, &found[4]) == 6)
                *this = {found[4], found[0], found[1], found[2], found[3], time};
        }
        std::fclose(log);
    }
};

struct Case {
    Shape shape;
    Setup setup;
    std::string settings; ///< NAME=VALUE, separated by blanks
    std::uint64_t number = 0;
};

Case case_of(std::uint64_t seed, const Options &options) {
    std::mt19937_64 random(seed * 0x9e3779b97f4a7c15u + 1);
    const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
    const auto chance = [&](unsigned one_of) { return below(one_of) == 0; };
    Case made;
    made.number = seed;
    made.shape.seed = random();
    made.shape.threads = 2 + static_cast<int>(chance(3) ? below(5) : below(2));
    if (chance(16)) // barriers of large teams have groups, and groups of groups
        made.shape.threads = 9 + static_cast<int>(below(chance(4) ? 72 : 12));
    made.shape.regions = 1 + static_cast<int>(below(5));
    made.shape.operations = 6 + static_cast<int>(chance(3) ? below(150) : below(30));
    made.shape.depth = 1 + static_cast<int>(below(4));
    // Programs of few kinds of operations reach states that others rarely do.
    if (chance(2))
        made.shape.kinds = random() | std::uint64_t{1} << below(kKinds);
    if (chance(5)) { // one short region after the other
        made.shape.regions = 5 + static_cast<int>(below(30));
        made.shape.operations = static_cast<int>(below(40));
    }
    Setup &setup = made.setup;
    setup.seed = random();
    setup.policy = chance(2) ? Policy::random : Policy::priorities;
    constexpr unsigned means[] = {1, 2, 5, 20, 100, 1000};
    setup.mean = means[below(6)];
    if (made.shape.threads > 8) // a choice among many takes long
        setup.mean = std::max(setup.mean, 100u);
    setup.depth = 2 + below(5);
    setup.expected = std::uint64_t{1} << (9 + below(8));
    setup.spurious = chance(4) ? 2 + below(20) : 0;
    setup.refused_threads = chance(10) ? 2 + below(6) : 0;
    setup.late_wakes = chance(3) ? 1 + below(4) : 0;
    setup.refused_stacks = chance(10) ? 1 + below(6) : 0;
    setup.jumps = chance(6) ? 2 + below(50) : 0;
    setup.processors_change = chance(8);
    setup.processors = 1 + static_cast<int>(below(8));
    const auto set = [&](const char *name, std::initializer_list<const char *> values) {
        const std::size_t at = random() % (2 * values.size());
        if (at < values.size())
            made.settings +=
                std::string(made.settings.empty() ? "" : " ") + name + "=" + values.begin()[at];
    };
    set("OMP_MAX_ACTIVE_LEVELS", {"1", "2", "3"});
    set("LOOMP_SPIN", {"0", "3", "40"});
    set("OMP_WAIT_POLICY", {"active", "passive"});
    set("LOOMP_MAX_STACKS", {"1", "2", "5", "20"});
    set("LOOMP_MAX_TASKS", {"1", "4", "30"});
    set("LOOMP_PERSISTENT", {"auto"});
    set("OMP_THREAD_LIMIT", {"2", "3", "8"});
    set("OMP_DYNAMIC", {"true"});
    set("OMP_CANCELLATION", {"true"});
    set("LOOMP_TASK_MEMORY", {"64K", "256K", "1M"});
    set("LOOMP_PRIORITY_VALUE", {"hint", "max"});
    set("LOOMP_PRIORITY_PROPAGATED_AT", {"creation", "idle"});
    set("LOOMP_TASK_ORDER", {"fifo"});
    set("LOOMP_PRODUCERS_FIRST", {"true"});
    set("LOOMP_NEW_TASKS_SHARED_BY", {"machine"});
    set("LOOMP_PRIORITY_PRESET", {"ma-1", "ma-2", "sa", "fa"});
    set("LOOMP_DYNAMIC_LOOPS", {"monotonic", "nonmonotonic"});
    set("LOOMP_PROGRESS_BOUND", {"infinite", "10us", "1ms"});
    if (made.shape.threads > 8) // large teams of large teams would be thousands of threads
        made.settings +=
            (made.settings.empty() ? "" : " ") + std::string("OMP_MAX_ACTIVE_LEVELS=1");
    if (has_messages()) {
        made.shape.kinds |= std::uint64_t{1} << static_cast<int>(Kind::messages);
        set("LOOMP_MPI_COLLECTIVES", {"blocking"});
        set("LOOMP_MPI_THREAD_LEVEL", {"serialized"});
        set("LOOMP_MPI_CHECK", {"true"});
    }
    made.shape.forks = seed % 8 == 5 && !has_messages();
    setup.may_lack_stacks =
        setup.refused_stacks != 0 || made.settings.find("LOOMP_MAX_STACKS") != std::string::npos;
    if (options.operations != 0)
        made.shape.operations = options.operations;
    if (options.threads != 0)
        made.shape.threads = options.threads;
    if (options.depth != 0)
        made.shape.depth = options.depth;
    setup.trace = options.trace;
    return made;
}

void apply(const std::string &settings) {
    std::size_t at = 0;
    while (at < settings.size()) {
        const std::size_t end = std::min(settings.find(' ', at), settings.size());
        const std::string one = settings.substr(at, end - at);
        const std::size_t equals = one.find('=');
        setenv(one.substr(0, equals).c_str(), one.c_str() + equals + 1, 1);
        at = end + 1;
    }
}

/// A case's process leaves it for the process that started it.
struct Shared {
    Outcome outcome;
};
Shared *shared;

/// Runs one in a new program of this process.
[[noreturn]] void run_in_new_program(const Case &made, bool report) {
    apply(made.settings);
    unsetenv("LOOMP_MAX_STACKS"); // nobody would see that a hang is for lack of stacks
    const std::string number[] = {std::to_string(made.shape.operations),
                                  std::to_string(made.shape.threads),
                                  std::to_string(made.shape.depth), std::to_string(made.number)};
    execl("/proc/self/exe", "threaded_programs", report ? "--here" : "--quiet", "--operations",
          number[0].c_str(), "--threads", number[1].c_str(), "--depth", number[2].c_str(),
          number[3].c_str(), nullptr);
    _exit(9);
}

/// Runs one in this process, which ends. Its settings are set.
[[noreturn]] void run_here(const Case &made, bool report) {
    make_program(made.shape);
    if (report) {
        print_program();
        std::fflush(stdout);
    }
    const Outcome outcome = run(made.setup, run_program);
    if (shared != nullptr)
        shared->outcome = outcome;
    if (report && outcome.steps != 0)
        std::printf("%llu steps, %llu switches, %llu threads, digest %016llx\n",
                    static_cast<unsigned long long>(outcome.steps),
                    static_cast<unsigned long long>(outcome.switches),
                    static_cast<unsigned long long>(outcome.threads),
                    static_cast<unsigned long long>(outcome.digest));
    std::fflush(stdout);
    _exit(0);
}

/// A process ends that takes two minutes of its processor, or of the clock if its threads are the
/// system's.
void limit_time() {
    constexpr unsigned most = 120;
    const rlimit limit = {most, most};
    if (needs_new_process)
        alarm(most);
    else
        setrlimit(RLIMIT_CPU, &limit);
}

/// Returns the wait status of a process that runs it; `silent`: without its messages.
int run_apart(const Case &made, bool report, bool silent) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        limit_time();
        if (silent && freopen("/dev/null", "w", stderr) == nullptr)
            _exit(9);
        if (needs_new_process)
            run_in_new_program(made, report);
        apply(made.settings);
        run_here(made, report);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

const char *name_of(int status) {
    if (WIFSIGNALED(status))
        return strsignal(WTERMSIG(status));
    switch (WEXITSTATUS(status)) {
    case 0:
        return "well";
    case kWrong:
        return "wrong";
    case kHang:
        return "hang";
    case kNoStacks:
        return "hang for lack of stacks";
    default:
        return "another exit status";
    }
}

/// Smaller programs that fail in the same way with some schedule.
int shrink(std::uint64_t seed, const Options &options) {
    Case best = case_of(seed, options);
    const int status = run_apart(best, false, true);
    if (status == 0) {
        std::printf("seed %llu does not fail\n", static_cast<unsigned long long>(seed));
        return 0;
    }
    for (int operations = 1; operations < best.shape.operations; operations += 1 + operations / 8) {
        for (int depth = 1; depth <= best.shape.depth; ++depth) {
            Options smaller = options;
            smaller.operations = operations;
            smaller.depth = depth;
            for (std::uint64_t schedule = 0; schedule < 200; ++schedule) {
                Case tried = case_of(seed, smaller);
                tried.setup.seed += schedule;
                if (run_apart(tried, false, true) != status)
                    continue;
                std::printf("%s with --operations %d --depth %d%s\n", name_of(status), operations,
                            depth, schedule == 0 ? "" : ", with another schedule");
                run_apart(tried, true, false);
                return 1;
            }
        }
    }
    std::printf("%s; no smaller program fails\n", name_of(status));
    run_apart(best, true, false);
    return 1;
}

double monotonic_seconds() {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Runs the seeds of a range. A failure's messages follow at once, the sums at the end.
int run_all(const Options &options) {
    Sums sums;
    sums.next = options.first;
    std::FILE *log = nullptr;
    if (!options.log.empty()) {
        sums.read(options.log.c_str());
        log = std::fopen(options.log.c_str(), "a");
        if (log == nullptr) {
            std::fprintf(stderr, "simulated: cannot write %s: %s\n", options.log.c_str(),
                         strerror(errno));
            return 2;
        }
    }
    std::uint64_t without_stacks = 0;
    const std::uint64_t failed_before = sums.failed;
    const double began = monotonic_seconds(), before = sums.seconds;
    while (sums.next < options.last) {
        const std::uint64_t seed = sums.next++;
        *shared = {};
        int status = run_apart(case_of(seed, options), false, true);
        if (WIFEXITED(status) && WEXITSTATUS(status) == kNoStacks) {
            ++without_stacks;
            status = 0;
        }
        ++sums.runs;
        sums.steps += shared->outcome.steps;
        sums.switches += shared->outcome.switches;
        sums.seconds = before + monotonic_seconds() - began;
        if (status != 0) {
            ++sums.failed;
            std::printf("FAIL %s: %s %llu\n", name_of(status), program_invocation_short_name,
                        static_cast<unsigned long long>(seed));
            std::fflush(stdout);
            if (log != nullptr)
                std::fprintf(log, "%s: %llu\n", name_of(status),
                             static_cast<unsigned long long>(seed));
            run_apart(case_of(seed, options), false, false);
            if (options.stop)
                break;
        }
        if (log != nullptr && sums.runs % 1000 == 0) {
            sums.print(log);
            std::fflush(log);
        }
        if (options.seconds != 0 && sums.seconds - before >= static_cast<double>(options.seconds))
            break;
    }
    if (log != nullptr) {
        sums.print(log);
        std::fclose(log);
    }
    sums.print(stdout);
    if (without_stacks != 0)
        std::printf("%llu of them ended for lack of stacks\n",
                    static_cast<unsigned long long>(without_stacks));
    std::printf("%llu passed, %llu failed\n",
                static_cast<unsigned long long>(sums.runs - sums.failed),
                static_cast<unsigned long long>(sums.failed));
    return sums.failed == failed_before ? 0 : 1;
}

int usage() {
    std::fprintf(stderr,
                 "usage: simulated_programs [--operations N] [--threads N] [--depth N] "
                 "[--seconds N] [--log FILE] [--stop] [--trace] (FIRST LAST | [--shrink] SEED)\n");
    return 2;
}

} // namespace

int main(int argc, char **argv) {
    when_given_up = print_unfinished;
    if (!needs_new_process)
        clearenv(); // copies of variables would move what the core allocates later
    Options options;
    int numbers = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&] { return i + 1 < argc ? std::atol(argv[++i]) : 0; };
        if (word == "--operations")
            options.operations = static_cast<int>(value());
        else if (word == "--threads")
            options.threads = static_cast<int>(value());
        else if (word == "--depth")
            options.depth = static_cast<int>(value());
        else if (word == "--seconds")
            options.seconds = value();
        else if (word == "--log")
            options.log = i + 1 < argc ? argv[++i] : "";
        else if (word == "--trace")
            options.trace = true;
        else if (word == "--here" || word == "--quiet")
            options.here = true;
        else if (word == "--stop")
            options.stop = true;
        else if (word == "--shrink")
            options.shrink = true;
        else if (word[0] == '-' || numbers == 2)
            return usage();
        else
            (numbers++ == 0 ? options.first : options.last) =
                std::strtoull(word.c_str(), nullptr, 10);
    }
    if (numbers == 0)
        return usage();
    if (options.here)
        run_here(case_of(options.first, options), std::string(argv[1]) == "--here");
    shared = static_cast<Shared *>(
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (options.shrink)
        return shrink(options.first, options);
    if (numbers == 1) {
        const Case made = case_of(options.first, options);
        std::printf("%s\n", made.settings.c_str());
        const int status = run_apart(made, true, false);
        std::printf("%s\n", name_of(status));
        return status == 0 ? 0 : 1;
    }
    return run_all(options);
}
