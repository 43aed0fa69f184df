// Hunts a wake-up that comes while its task is still about to suspend, from another region's
// thread, from outside or from a cancellation: the task sleeps for ever, or goes on twice. And the
// end of a task that meets what waits for it: a successor released twice or never, a barrier or
// taskgroup left too early, a detached task fulfilled while its body ends.
// Everything at once: processes with settings at random (everything/settings.h), each of which runs
// random programs (everything/program.h) in a few threads of its own. Their tasks have dependences,
// wait, hold locks, throw, cancel, complete later, run in batches, open regions, fork and are woken
// from outside; each result is computed serially, too.
// usage: everything [SECONDS [SEED]]; silent unless something is wrong, then it prints how to
// repeat the process that failed: NAME=VALUE... everything one SEED SECONDS.
//        everything pairs: any two values of settings meet; prints those that never do.
//
// flags: -Wno-sign-compare
//
// seeds: release-gcc=1 release-clang=2 tsan-gcc=5 asan-gcc=6
//
// nights: 7200
//
// Variables, beside those that the process is to run with:
//   LOOMP_STRESS_SECONDS    how long, without arguments
//   LOOMP_STRESS_PROCESSES  how many processes instead, which are short: what ./test runs
//   LOOMP_STRESS_SEED       of all of it; without it, one that nobody has had, which is printed if
//                           something is wrong, and written to the log
//   LOOMP_STRESS_LOG        a file to which each process adds a line: for a night. It goes on after
//                           failures. Pairs of settings that met in former nights count as met.
//   LOOMP_STRESS_CORE=1     leaves a core of a process that failed
//   LOOMP_STRESS_PATIENCE   for how many seconds nothing may happen
#include <algorithm>
#include <cstring>

#include "everything/program.h"

#include "everything/around.h"
#include "everything/batches.h"
#include "everything/cancelled.h"
#include "everything/extensions.h"
#include "everything/forked.h"
#include "everything/locks.h"
#include "everything/ordered.h"
#include "everything/process.h"
#include "everything/run.h"
#include "everything/settings.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kSlower = 4;
#else
constexpr int kSlower = 1;
#endif

std::uint64_t run_children(Node node, Scope scope) {
    Random random{mix(node.seed ^ 0xc4)};
    if (node.children() == 0)
        return first_value(node);
    switch (random.below(15)) {
    case 0:
    case 1:
        return spread::awaited(node, scope);
    case 2:
        return spread::grouped(node, scope);
    case 3:
        return spread::grandchildren(node, scope);
    case 4:
        return spread::reduced(node, scope);
    case 5:
        return spread::loop(node, scope);
    case 6:
        return spread::chained(node, scope);
    case 7:
        return spread::flowing(node, scope);
    case 8:
        return spread::detached(node, scope);
    case 9:
        return node.depth <= 2 && omp_in_final() == 0 ? spread::persistent(node, scope)
                                                      : spread::awaited(node, scope);
    case 10:
        return scope.regions < 3 ? spread::region(node, scope) : spread::grouped(node, scope);
    case 11:
    case 12:
        return spread::ordered(node, scope);
    case 13:
        return spread::in_batches(node);
    default:
        return spread::in_turn(node, scope);
    }
}

std::uint64_t run(Node node, Scope scope) {
    steps.fetch_add(1, std::memory_order_relaxed);
    Random random{mix(node.seed ^ 0xa6)};
    if (node.depth == 0) {
        work(random);
        if (random.chance(10))
            around::wait_somehow(random, scope);
        return run_children(node, scope);
    }
    if (random.chance(3))
        cancelled::group(random.fork(), scope);
    if (random.chance(2) && scope.regions < 3)
        cancelled::region(random.fork(), in_region(scope));
    if (random.chance(2))
        cancelled::in_batches(random.fork());
    if (random.below(2000 * kSlower) == 0 && !in_child)
        forked::fork_here(node);
    switch (random.below(16)) {
    case 0:
    case 1:
        return around::a_lock(node, scope);
    case 2:
        return around::waits(node, scope);
    case 3:
        return around::a_handler(node, scope);
    case 4:
        return around::unwinding(node, scope);
    case 5:
        return around::thrown(node, scope);
    case 6:
        return around::rounding(node, scope);
    case 7:
        return around::an_error(node, scope);
    case 8:
        return around::held(node, scope);
    default:
        return run_children(node, scope);
    }
}

namespace {

double end_time;

/// The number of seconds in which nothing may happen. More of them leave time to attach a debugger.
unsigned patience() {
    const char *given = std::getenv("LOOMP_STRESS_PATIENCE");
    return given != nullptr ? static_cast<unsigned>(std::atoi(given)) : 60 * kSlower;
}

void *thread_of_the_program(void *number) {
    Random random{first_seed + reinterpret_cast<std::uintptr_t>(number)};
    const int rounds = 1 + random.below(60);
    for (round_now = 0; now() < end_time && round_now < rounds; ++round_now) {
        const Node node{random.next(), 2 + random.below(4)};
        const bool in_region = random.chance(80);
        CHECK_EQ(in_region ? spread::region(node, {}) : run(node, {}), serially(node));
        if (random.chance(3))
            forked::fork_here(node);
    }
    return nullptr;
}

void tell_settings() {
    std::fprintf(stderr, "with:");
    for (char **one = environ; *one != nullptr; ++one)
        if (std::strncmp(*one, "OMP_", 4) == 0 || std::strncmp(*one, "LOOMP_", 6) == 0)
            std::fprintf(stderr, " %s", *one);
    std::fprintf(stderr, "%s\n", in_child ? " in a child of fork()" : "");
    Place::tell();
}

/// One process: threads of the program come and go.
int run_one(std::uint64_t seed, double seconds) {
    first_seed = seed;
    tell_where = tell_settings;
    end_time = now() + seconds;
    extensions::find();
    batches::make_kinds();
    locks::of_parent.prepare();
    outside::start(2);
    watch(patience());
    Random random{seed};
    for (std::uintptr_t number = 1; now() < end_time;) {
        constexpr int most = 2;
        pthread_t threads[most];
        const int others = random.below(most + 1);
        for (int i = 0; i < others; ++i)
            pthread_create(&threads[i], nullptr, thread_of_the_program,
                           reinterpret_cast<void *>(number++));
        thread_of_the_program(reinterpret_cast<void *>(number++));
        for (int i = 0; i < others; ++i)
            pthread_join(threads[i], nullptr);
    }
    return 0;
}

/// A limit on stacks is reported when it is met; and some settings ask for lines.
bool is_expected(const std::string &output) {
    std::size_t begin = 0;
    while (begin < output.size()) {
        const std::size_t end = std::min(output.find('\n', begin), output.size() - 1);
        const std::string line = output.substr(begin, end - begin);
        if (line.find("no more stacks for suspended tasks after") == std::string::npos &&
            !settings::is_announced(line))
            return false;
        begin = end + 1;
    }
    return true;
}

std::string joined(const settings::Chosen &chosen) {
    std::string text;
    for (const std::string &setting : chosen)
        text += setting + " ";
    return text;
}

/// Lines for a night: when, how it ended, and how to repeat it.
class Log {
  public:
    explicit Log(const char *path) : file_(path != nullptr ? std::fopen(path, "a") : nullptr) {}
    bool is_open() const { return file_ != nullptr; }
    void begin(std::uint64_t seed) {
        if (is_open())
            std::fprintf(file_, "# %s: from seed %llu\n", time_of_day().c_str(),
                         static_cast<unsigned long long>(seed));
    }
    void add(int status, const std::string &command) {
        if (!is_open())
            return;
        std::fprintf(file_, "%s %s: %s\n", time_of_day().c_str(), status == 0 ? "well" : "FAILED",
                     command.c_str());
        std::fflush(file_); // the machine may be switched off
    }

  private:
    static std::string time_of_day() {
        const std::time_t seconds = std::time(nullptr);
        char text[32];
        std::tm parts;
        std::strftime(text, sizeof text, "%FT%T", localtime_r(&seconds, &parts));
        return text;
    }
    std::FILE *file_;
};

/// How long it goes on: for a time, or for so many processes.
struct Extent {
    double seconds;
    unsigned long processes; ///< 0: any number
};

int run_many(Extent extent, std::uint64_t seed) {
    Random random{seed};
    const double end = now() + extent.seconds;
    const char *const path = std::getenv("LOOMP_STRESS_LOG");
    settings::Pairs pairs;
    if (path != nullptr)
        pairs.read(path);
    Log log(path);
    log.begin(seed);
    unsigned long processes = 0;
    unsigned long failures = 0;
    while (extent.processes > 0 ? processes < extent.processes : now() < end) {
        const std::uint64_t own = random.next();
        const double time =
            extent.processes > 0 ? 0.3 : std::min(0.3 + random.below(20) * 0.1, end - now() + 0.1);
        const auto chosen = settings::choose(random.fork(), pairs);
        const auto result = process::run(chosen, {"one", std::to_string(own), std::to_string(time)},
                                         time + 10 * patience());
        ++processes;
        const std::string command = joined(chosen) + program_name + " one " + std::to_string(own) +
                                    " " + std::to_string(time);
        const bool well = result.status == 0 && is_expected(result.output);
        log.add(well ? 0 : 1, command);
        if (well)
            continue;
        ++failures;
        std::fprintf(stderr, "%sends with status %#x, process %lu from seed %llu; to repeat:\n%s\n",
                     result.output.c_str(), static_cast<unsigned>(result.status), processes,
                     static_cast<unsigned long long>(seed), command.c_str());
        constexpr unsigned long kEnough = 20;
        if (!log.is_open() || failures == kEnough)
            break;
    }
    return failures == 0 ? 0 : 1;
}

/// How many processes it takes until any two values of settings have met.
int check_pairs() {
    constexpr int kMost = 400;
    settings::Pairs pairs;
    Random random{1};
    const auto nothing = [](const std::string &) {};
    int processes = 0;
    while (processes < kMost && pairs.for_each_left(nothing) > 0) {
        settings::choose(random.fork(), pairs);
        ++processes;
    }
    const std::size_t left = pairs.for_each_left(
        [](const std::string &pair) { std::printf("never met: %s\n", pair.c_str()); });
    std::printf("%d processes, %zu pairs of values never met\n", processes, left);
    return left == 0 ? 0 : 1;
}

/// A number from the environment.
double given(const char *name, double otherwise) {
    const char *text = std::getenv(name);
    return text != nullptr && *text != 0 ? std::strtod(text, nullptr) : otherwise;
}

std::uint64_t seed_of(int argc, char **argv) {
    const char *text = argc > 2 ? argv[2] : std::getenv("LOOMP_STRESS_SEED");
    return text != nullptr && *text != 0 ? std::strtoull(text, nullptr, 10)
                                         : mix(static_cast<std::uint64_t>(time(nullptr)) +
                                               static_cast<std::uint64_t>(getpid()));
}

} // namespace

int main(int argc, char **argv) {
    program_name = argv[0];
    if (argc == 4 && std::strcmp(argv[1], "one") == 0)
        return run_one(std::strtoull(argv[2], nullptr, 10), std::atof(argv[3]));
    if (argc == 2 && std::strcmp(argv[1], "pairs") == 0)
        return check_pairs();
    const Extent extent = {
        argc > 1 ? std::atof(argv[1]) : given("LOOMP_STRESS_SECONDS", 20),
        argc > 1 ? 0 : static_cast<unsigned long>(given("LOOMP_STRESS_PROCESSES", 0))};
    return run_many(extent, seed_of(argc, argv));
}
