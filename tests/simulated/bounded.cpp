#include "tests/simulated/bounded.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "tests/simulated/machine.h"

namespace loomp::simulated {

namespace {

// Nothing here allocates while a program runs: the core's addresses would differ when a schedule is
// repeated.

Search *search = nullptr;
Deviations own;                      ///< of this process's run, so far
const Deviations *planned = nullptr; ///< null: none are
unsigned *met = nullptr;             ///< how many of them have come, in all processes
bool has_choices = false;
std::uint64_t moment = 0;

/// Which threads have accessed eight bytes in this run.
struct Accesses {
    std::uintptr_t place;
    std::uint64_t by, written_by; ///< bits of threads
};
Accesses accesses[std::size_t{1} << 13];

/// The place's entry in a hash table, or the empty one for it.
template <class Entry, std::size_t size, class Place>
Entry &find(Entry (&table)[size], std::uintptr_t place, Place place_of) {
    const std::size_t first = place * 0x9e3779b97f4a7c15u >> 32;
    for (std::size_t i = 0; i < size; ++i) {
        Entry &each = table[(first + i) % size];
        if (place_of(each) == place || place_of(each) == 0)
            return each;
    }
    give_up(kWrong, "the program is too large for a search");
}

bool is_over() { return search->failure != 0 || search->was_cut; }

int wait_for(pid_t child) {
    int status = 0;
    if (child < 0)
        give_up(kWrong, "the system refuses a process, so not all schedules are searched");
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const bool passed =
        WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kNoStacks);
    return passed ? 0 : status;
}

void search_once(void (*run_one)()) {
    search->has_grown = false;
    search->schedules = 1;
    search->choices = 0;
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDERR_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        run_one();
        _exit(0);
    }
    if (const int status = wait_for(child); status != 0 && search->failure == 0)
        search->failure = status;
    search->all += search->schedules;
    ++search->passes;
}

} // namespace

const Search &search_all(unsigned bound, std::uint64_t most, void (*run_one)()) {
    search = static_cast<Search *>(
        mmap(nullptr, sizeof(Search), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    search->most = most;
    for (search->bound = 0; search->bound <= bound && !is_over(); ++search->bound) {
        do
            search_once(run_one);
        while (search->has_grown && !is_over());
    }
    --search->bound;
    return *search;
}

void begin_choices() { has_choices = true; }
NoChoices::NoChoices() : before_(std::exchange(has_choices, false)) {}
NoChoices::~NoChoices() { has_choices = before_; }

void repeat_schedule(const Deviations &schedule) {
    search = nullptr;
    own = {};
    moment = 0;
    planned = &schedule;
    // A deviation may be in the child of a fork.
    met = static_cast<unsigned *>(
        mmap(nullptr, sizeof(unsigned), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

bool schedule_was_met() { return *met == planned->count; }

bool read(const char *text, Deviations &schedule) {
    while (schedule.count < kMostDeviations) {
        unsigned long long at = 0;
        unsigned alternative = 0;
        int length = 0;
        if (std::sscanf(text, "%llu:%u%n", &at, &alternative, &length) != 2)
            return false;
        schedule.add({at, alternative});
        text += length;
        if (*text != ',')
            return *text == '\0';
        ++text;
    }
    return false;
}

void print(const Deviations &schedule) {
    for (unsigned i = 0; i < schedule.count; ++i)
        std::printf("%s%llu:%u", i == 0 ? "" : ",",
                    static_cast<unsigned long long>(schedule.list[i].moment),
                    schedule.list[i].alternative);
}

bool is_choice(int thread, const void *address, bool writes) {
    if (search == nullptr)
        return true;
    const auto place = reinterpret_cast<std::uintptr_t>(address) / 8;
    const std::uint64_t bit = std::uint64_t{1} << (thread % 64);
    Accesses &before = find(accesses, place, [](const Accesses &each) { return each.place; });
    before.place = place;
    before.by |= bit;
    if (writes)
        before.written_by |= bit;
    std::uintptr_t &entry = find(search->shared, place, [](std::uintptr_t each) { return each; });
    if (entry == 0 && before.written_by != 0 && (before.by & (before.by - 1)) != 0) {
        entry = place;
        search->has_grown = true;
    }
    return entry != 0;
}

void skip_moment() { moment += has_choices ? 1 : 0; }

unsigned deviate(unsigned alternatives) {
    if (!has_choices)
        return 0;
    ++moment;
    if (search == nullptr) {
        if (planned == nullptr || own.count == planned->count ||
            planned->list[own.count].moment != moment)
            return 0;
        const Deviation &next = planned->list[own.count];
        if (next.alternative > alternatives)
            return 0;
        own.add(next);
        *met = std::max(*met, own.count);
        return next.alternative;
    }
    if (own.count == 0 && alternatives != 0)
        ++search->choices;
    if (own.count == search->bound)
        return 0;
    for (unsigned i = 1; i <= alternatives; ++i) {
        if (search->most != 0 && search->schedules == search->most)
            search->was_cut = true;
        if (is_over())
            _exit(0);
        ++search->schedules;
        const pid_t child = fork();
        if (child == 0) {
            own.add({moment, i});
            return i;
        }
        if (const int status = wait_for(child); status != 0 && search->failure == 0) {
            search->failure = status;
            search->failed = own;
            search->failed.add({moment, i});
        }
    }
    return 0;
}

} // namespace loomp::simulated
