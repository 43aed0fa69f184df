// Hunts a wake-up that comes while its task is still about to suspend, from another region's
// thread, from outside or from a cancellation: the task sleeps for ever, or goes on twice.
// Everything at once: processes with random settings, each of which runs random programs
// (everything/program.h) in a few threads of its own. Their tasks wait, hold locks, throw, cancel,
// complete later, open regions, fork and are woken from outside; each result is computed serially,
// too.
// usage: everything [SECONDS [SEED]]; silent unless something is wrong, then it says how to repeat
// the process that failed: NAME=VALUE... everything one SEED SECONDS. LOOMP_STRESS_CORE=1 leaves a
// core there, LOOMP_STRESS_PATIENCE is for how many seconds nothing may happen, and
// LOOMP_STRESS_TELL=1 says how many processes there were.
// flags: -Wno-sign-compare
#include <algorithm>
#include <cstring>

#include "everything/program.h"

#include "everything/around.h"
#include "everything/cancelled.h"
#include "everything/environment.h"
#include "everything/extensions.h"
#include "everything/forked.h"
#include "everything/locks.h"
#include "everything/run.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kSlower = 4;
#else
constexpr int kSlower = 1;
#endif

std::uint64_t run_children(Node node, Scope scope) {
    Random random{mix(node.seed ^ 0xc4)};
    if (node.children() == 0)
        return first_value(node);
    switch (random.below(12)) {
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

/// For how many seconds nothing may happen. More of them: to attach a debugger.
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
    omp_set_dynamic(0);
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

/// A limit on stacks is reported when it is met; nothing else is to be said.
bool is_expected(const std::string &output) {
    std::size_t begin = 0;
    while (begin < output.size()) {
        const std::size_t end = std::min(output.find('\n', begin), output.size() - 1);
        const std::string line = output.substr(begin, end - begin);
        if (line.find("no more stacks for suspended tasks after") == std::string::npos)
            return false;
        begin = end + 1;
    }
    return true;
}

int run_many(double seconds, std::uint64_t seed) {
    Random random{seed};
    const double end = now() + seconds;
    unsigned long processes = 0;
    while (now() < end) {
        const std::uint64_t own = random.next();
        const double time = std::min(0.3 + random.below(20) * 0.1, end - now() + 0.1);
        const auto settings = environment::choose(random.fork());
        const auto result = environment::run(
            settings, {"one", std::to_string(own), std::to_string(time)}, time + 10 * patience());
        ++processes;
        if (result.status == 0 && is_expected(result.output))
            continue;
        std::fprintf(stderr, "%sends with status %#x after %lu processes; to repeat:\n",
                     result.output.c_str(), static_cast<unsigned>(result.status), processes);
        for (const std::string &setting : settings)
            std::fprintf(stderr, "%s ", setting.c_str());
        std::fprintf(stderr, "%s one %llu %g\n", program_name, static_cast<unsigned long long>(own),
                     time);
        return 1;
    }
    if (std::getenv("LOOMP_STRESS_TELL") != nullptr)
        std::printf("%lu processes\n", processes);
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    program_name = argv[0];
    if (argc == 4 && std::strcmp(argv[1], "one") == 0)
        return run_one(std::strtoull(argv[2], nullptr, 10), std::atof(argv[3]));
    const char *from_environment = std::getenv("LOOMP_STRESS_SECONDS");
    const double seconds = argc > 1           ? std::atof(argv[1])
                           : from_environment ? std::atof(from_environment)
                                              : 20;
    return run_many(seconds, argc > 2 ? std::strtoull(argv[2], nullptr, 10)
                                      : mix(static_cast<std::uint64_t>(time(nullptr)) +
                                            static_cast<std::uint64_t>(getpid())));
}
