#include "tests/simulated/machine.h"

#include <algorithm>
#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <execinfo.h>
#include <link.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "tests/simulated/bounded.h"
#include "tests/simulated/lines.h"
#include "tests/simulated/memory.h"

extern "C" {
__attribute__((weak)) void *__tsan_get_current_fiber();
__attribute__((weak)) void *__tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_switch_to_fiber(void *fiber, unsigned flags);
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);
__attribute__((weak)) void AnnotateBenignRaceSized(const char *file, int line,
                                                   const volatile void *address, std::size_t size,
                                                   const char *reason);
}

namespace loomp::simulated {

namespace bc = boost::context::detail;

std::uint64_t steps_until_switch = ~std::uint64_t{0}; // no run has begun
bool accesses_are_watched = false;
void (*when_given_up)() = nullptr;
const bool needs_new_process = false;

namespace {

constexpr std::size_t kStack = std::size_t{1} << 20;
constexpr std::int64_t kStep = 5; // nanoseconds of the clock
constexpr std::int64_t kPause = 40;
constexpr std::int64_t kYield = 600;
constexpr std::int64_t kRead = 25;
// Policy::parallel: what calls of the system take, in nanoseconds (measured on several machines, in
// round numbers).
constexpr std::int64_t kSleepCall = 700;
constexpr std::int64_t kWakeCall = 700;
constexpr std::int64_t kWakeEach = 500;
constexpr std::int64_t kWakeUp = 3000; ///< until the sleeper runs
constexpr std::int64_t kStartCall = 10'000;
constexpr std::int64_t kFenceCall = 1000;
constexpr std::int64_t kInterrupt = 1000;
constexpr std::int64_t kForever = std::int64_t{1} << 62;
/// A thread that has run for so many steps while others could falls behind them, so each policy is
/// fair.
constexpr std::uint64_t kLongest = 50'000;
/// A thread that could have run for so many steps is preferred: others that sleep and wake in turn
/// would leave it no step.
constexpr std::uint64_t kStarved = 500'000;
constexpr unsigned kNoSynchronisation = 1; // of __tsan_switch_to_fiber()

/// The variables that the program's compiler keeps for each thread: those of the executable itself.
class ThreadLocals {
  public:
    void find() {
        dl_iterate_phdr(
            [](dl_phdr_info *info, std::size_t, void *argument) {
                auto &own = *static_cast<ThreadLocals *>(argument);
                for (int i = 0; i < info->dlpi_phnum; ++i) {
                    const auto &header = info->dlpi_phdr[i];
                    if (header.p_type != PT_TLS)
                        continue;
                    own.live_ = static_cast<char *>(info->dlpi_tls_data);
                    own.size_ = header.p_memsz;
                    own.first_.assign(header.p_memsz, 0);
                    std::memcpy(own.first_.data(),
                                reinterpret_cast<const void *>(info->dlpi_addr + header.p_vaddr),
                                header.p_filesz);
                }
                return 1; // the first object is the executable
            },
            this);
    }
    std::vector<char> initial() const { return first_; }
    void save(std::vector<char> &to) const { copy(to.data(), live_); }
    void load(const std::vector<char> &from) const { copy(live_, from.data()); }
    /// Each thread has variables of its own at these addresses, which ThreadSanitizer cannot know.
    void tell_race_detector() const {
        if (AnnotateBenignRaceSized == nullptr)
            return;
        AnnotateBenignRaceSized(__FILE__, __LINE__, live_, size_, "of each thread");
        AnnotateBenignRaceSized(__FILE__, __LINE__, &errno, sizeof errno, "of each thread");
        AnnotateBenignRaceSized(__FILE__, __LINE__, abi::__cxa_get_globals(), 16, "of each thread");
    }

  private:
    /// memcpy() is one of ThreadSanitizer's functions.
    void copy(char *to, const char *from) const {
        for (std::size_t i = 0; i < size_; ++i)
            static_cast<volatile char *>(to)[i] = from[i];
    }
    char *live_ = nullptr;
    std::size_t size_ = 0;
    std::vector<char> first_;
};

/// The state that the C++ library keeps for a thread (abi::__cxa_get_globals()).
struct ExceptionState {
    void *caught;
    unsigned uncaught;
};

struct Thread {
    int number = 0;
    bc::fcontext_t context = nullptr;
    char *stack = nullptr;
    void *(*function)(void *) = nullptr;
    void *argument = nullptr;
    enum class State : std::uint8_t { runnable, asleep, ended } state = State::runnable;
    const void *word = nullptr; // asleep: on this one; null: until `time`
    std::uint32_t bits = 0;
    std::int64_t time = 0; // 0: no limit
    bool woken = false;
    std::uint64_t priority = 0;
    std::int64_t clock = 0;        // parallel
    std::uint64_t switched_in = 0; // the step at which it last began to run
    std::uint64_t ready_since = 0; // the step at which it last stopped, or was woken
    bool joined = false;
    std::vector<char> locals;
    ExceptionState exceptions = {};
    int error = 0;
    void (*end)(void *) = nullptr;
    void *end_value = nullptr;
    void *fiber = nullptr;
};

// For ThreadSanitizer: the maker of a thread comes before it, and the thread before those that join
// it.
void order_before(Thread &thread) {
    if (__tsan_release != nullptr)
        __tsan_release(&thread);
}
void order_after(Thread &thread) {
    if (__tsan_acquire != nullptr)
        __tsan_acquire(&thread);
}

struct Machine {
    Setup setup;
    std::uint64_t state[2] = {};
    std::vector<std::unique_ptr<Thread>> threads;
    std::vector<char *> free_stacks;
    Thread *current = nullptr;
    Thread *left = nullptr; // the thread that the last switch left
    bool left_ends = false;
    std::uint64_t planned = 0; // steps that steps_until_switch was set to
    std::uint64_t steps = 0;   // without those since then
    std::uint64_t switches = 0;
    std::uint64_t lowest = ~std::uint64_t{0} >> 1;   // the next priority behind all others
    std::uint64_t highest = ~std::uint64_t{0} << 32; // the last one before all others
    std::vector<std::uint64_t> changes;              // priorities: steps, the next one last
    std::uint64_t digest = 14695981039346656037u;
    std::int64_t clock = 1'000'000'000;
    std::int64_t next_clock = 0; // parallel: of the thread that is behind the running one
    SystemCounts calls;
    ThreadLocals locals;
    bc::fcontext_t outside = nullptr;
    void *outside_fiber = nullptr;
    bool ended = false;
    Thread *reports_to = nullptr; // a thread that was continued only to print its stack
    void (*program)() = nullptr;
};

Machine *machine = nullptr;

int processors_at_start() {
    const char *const set = std::getenv(kProcessorsAtStart);
    return set == nullptr ? 2 : std::atoi(set);
}

std::uint64_t next_random() {
    // xorshift128+
    auto &s = machine->state;
    std::uint64_t x = s[0];
    const std::uint64_t y = s[1];
    s[0] = y;
    x ^= x << 23;
    s[1] = x ^ y ^ (x >> 17) ^ (y >> 26);
    return s[1] + y;
}

void digest(std::uint64_t value) { machine->digest = (machine->digest ^ value) * 1099511628211u; }

bool is_parallel() { return machine->setup.policy == Policy::parallel; }
bool is_bounded() { return machine->setup.policy == Policy::bounded; }

/// Time passes for the running thread.
void take_time(std::int64_t time) {
    if (is_parallel())
        machine->clock = machine->current->clock += time;
    else
        machine->clock += time;
}

/// Settles the steps since the last plan.
void settle() {
    const std::uint64_t taken = machine->planned - steps_until_switch;
    machine->steps += taken;
    take_time(static_cast<std::int64_t>(taken) * kStep);
    machine->planned = steps_until_switch;
}

/// Chooses the step of the next switch.
void plan() {
    const Setup &setup = machine->setup;
    std::uint64_t steps = 1;
    if (setup.policy == Policy::parallel) {
        steps = kLongest;
    } else if (setup.policy == Policy::bounded) {
        steps = 1;
    } else if (setup.policy == Policy::random) {
        steps = 1 + next_random() % (2 * std::uint64_t{setup.mean});
    } else {
        while (!machine->changes.empty() && machine->changes.back() <= machine->steps)
            machine->changes.pop_back();
        steps = machine->changes.empty()
                    ? kLongest
                    : std::min(machine->changes.back() - machine->steps, kLongest);
    }
    machine->planned = steps_until_switch = steps;
}

void say(const char *format, ...) {
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    (void)!write(STDERR_FILENO, line, static_cast<std::size_t>(std::min<int>(length, sizeof line)));
}

void print_stack() {
    void *frames[24];
    const int count = backtrace(frames, 24);
    backtrace_symbols_fd(frames, count, STDERR_FILENO);
}

void switch_to(Thread &next);

/// Continues after a switch: the machine has this thread's state again.
void arrive(bc::transfer_t from) {
    Thread *left = machine->left;
    if (left != nullptr) {
        left->context = from.fctx;
        if (machine->left_ends) {
            machine->left_ends = false;
            char *stack = std::exchange(left->stack, nullptr);
            if (__tsan_create_fiber != nullptr)
                munmap(stack, kStack); // the next thread there is another one
            else
                machine->free_stacks.push_back(stack);
        }
    } else {
        machine->outside = from.fctx;
    }
    Thread &own = *machine->current;
    machine->locals.load(own.locals);
    *reinterpret_cast<ExceptionState *>(abi::__cxa_get_globals()) = own.exceptions;
    errno = own.error;
    own.switched_in = machine->steps;
    if (Thread *reader = std::exchange(machine->reports_to, nullptr)) {
        print_stack();
        switch_to(*reader);
    }
}

void leave(bc::fcontext_t to, void *fiber) {
    if (__tsan_switch_to_fiber != nullptr)
        __tsan_switch_to_fiber(fiber, kNoSynchronisation);
    arrive(bc::jump_fcontext(to, nullptr));
}

__attribute__((noinline)) void switch_to(Thread &next) {
    Thread &own = *machine->current;
    machine->locals.save(own.locals);
    own.exceptions = *reinterpret_cast<ExceptionState *>(abi::__cxa_get_globals());
    own.error = errno;
    // The thread may be on a task's stack, which has a fiber of its own.
    if (__tsan_get_current_fiber != nullptr)
        own.fiber = __tsan_get_current_fiber();
    machine->left = &own;
    own.ready_since = machine->steps;
    machine->current = &next;
    ++machine->switches;
    digest(static_cast<std::uint64_t>(next.number) + machine->steps * 64);
    if (machine->setup.trace)
        say("%llu: thread %d\n", static_cast<unsigned long long>(machine->steps), next.number);
    leave(next.context, next.fiber);
}

void fall_behind(Thread &thread) { thread.priority = --machine->lowest; }

/// The sleeper can run.
void rouse(Thread &thread, bool woken) {
    thread.state = Thread::State::runnable;
    thread.ready_since = machine->steps;
    thread.woken = woken;
    if (is_bounded())
        fall_behind(thread);
}

/// Sleepers whose time has come can run.
void wake_by_time() {
    for (auto &thread : machine->threads)
        if (thread->state == Thread::State::asleep && thread->time != 0 &&
            thread->time <= machine->clock)
            rouse(*thread, false);
}

/// The time at which the thread can run.
std::int64_t ready_at(const Thread &thread) {
    switch (thread.state) {
    case Thread::State::runnable:
        return thread.clock;
    case Thread::State::asleep:
        return thread.time == 0 ? kForever : std::max(thread.time + kWakeUp, thread.clock);
    default:
        return kForever;
    }
}

/// The thread that is furthest behind.
Thread &choose_last() {
    Thread *last = nullptr;
    std::int64_t least = kForever, next = kForever;
    for (auto &thread : machine->threads) {
        const std::int64_t time = ready_at(*thread);
        if (time < least) {
            next = std::exchange(least, time);
            last = thread.get();
        } else {
            next = std::min(next, time);
        }
    }
    if (last == nullptr)
        give_up(kHang, "nobody can continue");
    if (last->state == Thread::State::asleep) {
        last->state = Thread::State::runnable;
        last->woken = false;
    }
    last->clock = machine->clock = least;
    machine->next_clock = next;
    return *last;
}

/// Bounded: returns the thread that runs next. By default that is `running`, if any, or else the
/// runnable thread with the highest priority.
Thread &choose_or_deviate(Thread *running) {
    std::array<Thread *, 64> able; // without an allocation: those of the core would move
    std::size_t count = 0;
    const auto before = [&](const Thread *one, const Thread *other) {
        const bool sleeps = one->state == Thread::State::asleep;
        if (one == running || other == running)
            return one == running;
        if (sleeps != (other->state == Thread::State::asleep))
            return !sleeps;
        return sleeps ? one->time < other->time : one->priority > other->priority;
    };
    wake_by_time();
    for (auto &thread : machine->threads)
        if (thread->state == Thread::State::runnable ||
            (thread->state == Thread::State::asleep && thread->time != 0)) {
            if (count == able.size())
                give_up(kWrong, "too many threads for a search");
            able[count++] = thread.get();
        }
    if (count == 0)
        give_up(kHang, "nobody can continue");
    std::sort(able.begin(), able.begin() + count, before);
    const unsigned alternative = deviate(static_cast<unsigned>(count) - 1);
    Thread &next = *able[alternative];
    if (next.state == Thread::State::asleep) {
        machine->clock = std::max(machine->clock, next.time);
        wake_by_time();
    }
    if (alternative != 0)
        next.priority = ++machine->highest;
    return next;
}

/// Returns the thread that runs next.
Thread &choose() {
    if (is_parallel())
        return choose_last();
    if (is_bounded())
        return choose_or_deviate(nullptr);
    for (;;) {
        wake_by_time();
        Thread *best = nullptr;
        Thread *starved = nullptr; // the longest: of many, each has its turn
        std::uint64_t found = 0;
        for (auto &thread : machine->threads) {
            if (thread->state != Thread::State::runnable)
                continue;
            ++found;
            if (machine->setup.policy == Policy::random) {
                if (next_random() % found == 0)
                    best = thread.get();
                continue;
            }
            if (thread.get() != machine->current &&
                machine->steps - thread->ready_since > kStarved &&
                (starved == nullptr || thread->ready_since < starved->ready_since))
                starved = thread.get();
            if (best == nullptr || thread->priority > best->priority)
                best = thread.get();
        }
        if (starved != nullptr) {
            starved->priority = ++machine->highest;
            return *starved;
        }
        if (best != nullptr)
            return *best;
        std::int64_t first = 0;
        for (auto &thread : machine->threads)
            if (thread->state == Thread::State::asleep && thread->time != 0 &&
                (first == 0 || thread->time < first))
                first = thread->time;
        if (first == 0)
            give_up(kHang, "nobody can continue");
        machine->clock = first;
    }
}

/// Lets this thread run, with a new plan.
void continue_with(Thread &next) {
    plan();
    if (&next != machine->current)
        switch_to(next);
}
void dispatch() { continue_with(choose()); }

/// The running thread has taken some time: others may be behind it.
void let_last_run() {
    if (machine->current->clock > machine->next_clock)
        dispatch();
}

void check_limit() {
    if (machine->steps > machine->setup.limit)
        give_up(kHang, "the program makes no progress");
}

void sleep(const void *word, std::uint32_t bits, std::int64_t time) {
    Thread &own = *machine->current;
    settle();
    check_limit();
    if (is_parallel()) {
        ++machine->calls.sleeps;
        take_time(kSleepCall);
    }
    own.state = Thread::State::asleep;
    own.word = word;
    own.bits = bits;
    own.time = time;
    own.woken = false;
    dispatch();
    own.word = nullptr;
    own.time = 0;
}

char *new_stack() {
    if (!machine->free_stacks.empty()) {
        char *stack = machine->free_stacks.back();
        machine->free_stacks.pop_back();
        return stack;
    }
    return static_cast<char *>(mmap(next_place(kStack), kStack, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1,
                                    0));
}

[[noreturn]] void end_thread() {
    Thread &own = *machine->current;
    order_before(own);
    own.state = Thread::State::ended;
    wake(&own, 0x7fffffff, ~0u);
    settle();
    Thread &next = choose();
    plan();
    machine->left_ends = true;
    switch_to(next);
    __builtin_unreachable();
}

__attribute__((noinline, no_sanitize("thread"))) void first_frame(bc::transfer_t from) {
    arrive(from);
    Thread &own = *machine->current;
    order_after(own);
    if (own.number == 0) {
        machine->program();
        settle();
        machine->ended = true;
        steps_until_switch = ~std::uint64_t{0};
        if (__tsan_switch_to_fiber != nullptr)
            __tsan_switch_to_fiber(machine->outside_fiber, kNoSynchronisation);
        bc::jump_fcontext(machine->outside, nullptr);
    }
    own.function(own.argument);
    if (own.end != nullptr && own.end_value != nullptr)
        own.end(own.end_value);
    end_thread();
}

Thread &make_thread(void *(*function)(void *), void *argument) {
    machine->threads.push_back(std::make_unique<Thread>());
    Thread &thread = *machine->threads.back();
    thread.number = static_cast<int>(machine->threads.size()) - 1;
    thread.function = function;
    thread.argument = argument;
    thread.stack = new_stack();
    thread.locals = machine->locals.initial();
    thread.priority = (std::uint64_t{1} << 63) + next_random() / 2;
    if (is_bounded())
        fall_behind(thread);
    thread.clock = machine->clock;
    thread.context = bc::make_fcontext(thread.stack + kStack, kStack, first_frame);
    if (__tsan_create_fiber != nullptr)
        thread.fiber = __tsan_create_fiber(0);
    order_before(thread);
    return thread;
}

} // namespace

Outcome run(const Setup &setup, void (*program)()) {
    static Machine only;
    machine = &only;
    machine->setup = setup;
    machine->program = program;
    std::uint64_t mixed = setup.seed;
    for (auto &word : machine->state) {
        // splitmix64
        mixed += 0x9e3779b97f4a7c15u;
        std::uint64_t z = mixed;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        word = z ^ (z >> 31);
    }
    machine->threads.reserve(4096); // ThreadSanitizer would see each thread move it
    accesses_are_watched = setup.policy == Policy::parallel || setup.policy == Policy::bounded;
    machine->locals.find();
    machine->locals.tell_race_detector();
    if (setup.policy == Policy::priorities) {
        for (unsigned i = 1; i < setup.depth; ++i)
            machine->changes.push_back(1 + next_random() % setup.expected);
        std::sort(machine->changes.rbegin(), machine->changes.rend());
    }
    std::vector<char> before = machine->locals.initial();
    machine->locals.save(before);
    if (__tsan_get_current_fiber != nullptr)
        machine->outside_fiber = __tsan_get_current_fiber();
    Thread &first = make_thread(nullptr, nullptr);
    machine->current = &first;
    plan();
    if (__tsan_switch_to_fiber != nullptr)
        __tsan_switch_to_fiber(first.fiber, 0);
    bc::jump_fcontext(first.context, nullptr);
    machine->locals.load(before);
    return {machine->steps, machine->switches, machine->threads.size(), machine->digest,
            machine->clock};
}

void give_up(int status, const char *why) {
    steps_until_switch = ~std::uint64_t{0};
    say("%s: seed %llu, %llu steps, %lld us\n", why,
        static_cast<unsigned long long>(machine->setup.seed),
        static_cast<unsigned long long>(machine->steps),
        static_cast<long long>(machine->clock / 1000 - 1'000'000));
    if (when_given_up != nullptr)
        when_given_up();
    // The bottom of a suspended task's stack may mislead the unwinder.
    static int failed;
    failed = status == kHang && machine->setup.may_lack_stacks ? kNoStacks : status;
    std::signal(SIGSEGV, [](int) { _exit(failed); });
    static Thread *self;
    self = machine->current;
    for (auto &thread : machine->threads) {
        if (thread->state == Thread::State::ended)
            continue;
        say("thread %d %s%s\n", thread->number,
            thread->state == Thread::State::runnable ? "can run"
            : thread->word != nullptr                ? "sleeps"
                                                     : "pauses",
            thread->time != 0 ? " with a time limit" : "");
        if (thread.get() == self) {
            print_stack();
            continue;
        }
        machine->reports_to = self;
        switch_to(*thread);
    }
    _exit(failed);
}

namespace {

/// Bounded: another thread may run before the running one continues.
void may_preempt(bool is_choice) {
    Thread &own = *machine->current;
    wake_by_time(); // also where there is no choice, which a repeated schedule does not know
    if (machine->steps - own.switched_in >= kLongest) {
        fall_behind(own);
        dispatch();
    } else if (is_choice) {
        continue_with(choose_or_deviate(&own));
    } else {
        skip_moment();
    }
}

} // namespace

void switch_point() {
    if (machine == nullptr || machine->ended) {
        steps_until_switch = ~std::uint64_t{0};
        return;
    }
    settle();
    check_limit();
    if (is_bounded())
        return may_preempt(true);
    if (machine->setup.policy == Policy::priorities) {
        const bool change = !machine->changes.empty() && machine->changes.back() <= machine->steps;
        if (change || machine->steps - machine->current->switched_in >= kLongest)
            fall_behind(*machine->current);
    }
    dispatch();
}

void watch_access(const void *address, bool writes) {
    if (machine == nullptr || machine->ended)
        return;
    ++machine->steps;
    settle();
    check_limit();
    if (is_bounded()) {
        take_time(kStep);
        return may_preempt(is_choice(machine->current->number, address, writes));
    }
    take_time(access_line(machine->current->number, address, writes, machine->current->clock,
                          __builtin_return_address(0)));
    let_last_run();
}

SystemCounts system_counts() { return machine->calls; }

void fence_all() {
    if (machine == nullptr || !is_parallel())
        return;
    take_time(kFenceCall);
    for (auto &thread : machine->threads)
        if (thread->state == Thread::State::runnable && thread.get() != machine->current) {
            thread->clock += kInterrupt;
            ++machine->calls.interrupts;
        }
    let_last_run();
}

void step_watched() {
    if (--steps_until_switch == 0)
        switch_point();
}

void pause() {
    if (machine == nullptr || machine->ended)
        return;
    settle();
    check_limit();
    if (is_parallel()) {
        ++machine->steps;
        ++machine->calls.pauses;
        take_time(kPause);
        let_last_run();
        return;
    }
    machine->clock += kPause;
    fall_behind(*machine->current);
    dispatch();
}

void yield() {
    if (machine == nullptr || machine->ended)
        return;
    take_time(kYield);
    pause();
}

bool has_begun() { return machine != nullptr; }

std::uint64_t any_below(std::uint64_t end) { return next_random() % end; }

bool happens(unsigned one_of) { return one_of != 0 && next_random() % one_of == 0; }

void sleep_on(const void *word, bool still_expected, std::uint32_t bits, std::int64_t time) {
    if (machine == nullptr || !still_expected || happens(machine->setup.spurious))
        return;
    sleep(word, bits, time);
}

int wake(const void *word, int count, std::uint32_t bits) {
    if (machine == nullptr)
        return 0;
    // Any sleeper may be the first.
    std::vector<Thread *> sleepers;
    for (auto &thread : machine->threads)
        if (thread->state == Thread::State::asleep && thread->word == word &&
            (thread->bits & bits) != 0)
            sleepers.push_back(thread.get());
    int woken = 0;
    if (is_parallel()) {
        ++machine->calls.wakes;
        take_time(kWakeCall);
    }
    while (woken < count && !sleepers.empty()) {
        const bool all = sleepers.size() <= static_cast<std::size_t>(count - woken);
        const std::size_t at = is_parallel() || (is_bounded() && all) ? 0
                               : is_bounded() ? deviate(static_cast<unsigned>(sleepers.size()) - 1)
                                              : next_random() % sleepers.size();
        rouse(*sleepers[at], true);
        if (is_parallel()) {
            take_time(kWakeEach);
            sleepers[at]->clock = std::max(sleepers[at]->clock, machine->clock + kWakeUp);
            machine->next_clock = std::min(machine->next_clock, sleepers[at]->clock);
        }
        if (happens(machine->setup.late_wakes))
            fall_behind(*sleepers[at]);
        sleepers.erase(sleepers.begin() + static_cast<std::ptrdiff_t>(at));
        ++woken;
    }
    machine->calls.woken += static_cast<std::uint64_t>(woken);
    return woken;
}

void sleep_until(std::int64_t time) {
    if (machine == nullptr || machine->ended)
        return;
    sleep(nullptr, 0, std::max<std::int64_t>(time, 1));
}

std::int64_t now() {
    if (machine == nullptr)
        return 1;
    settle();
    // Another program had the processor.
    if (happens(machine->setup.jumps))
        machine->clock += static_cast<std::int64_t>(any_below(3'000'000));
    take_time(kRead);
    return machine->clock;
}

int start(void *(*function)(void *), void *argument, unsigned long *handle) {
    step();
    if (happens(machine->setup.refused_threads))
        return EAGAIN;
    if (is_parallel()) {
        settle();
        take_time(kStartCall);
    }
    Thread &thread = make_thread(function, argument);
    if (is_parallel())
        machine->next_clock = std::min(machine->next_clock, thread.clock);
    if (handle != nullptr)
        *handle = static_cast<unsigned long>(thread.number);
    return 0;
}

void join(unsigned long handle) {
    Thread &thread = *machine->threads[handle];
    while (thread.state != Thread::State::ended)
        sleep(&thread, ~0u, 0);
    order_after(thread);
}

namespace {

struct {
    void (*before)() = nullptr;
    void (*in_parent)() = nullptr;
    void (*in_child)() = nullptr;
} at_fork;
unsigned forks_before = 0;

} // namespace

unsigned forks() { return forks_before; }

void handle_forks(void (*before)(), void (*in_parent)(), void (*in_child)()) {
    at_fork = {before, in_parent, in_child};
}

bool run_in_child(void (*program)(void *), void *argument) {
    step();
    if (at_fork.before != nullptr)
        at_fork.before();
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        for (auto &thread : machine->threads)
            if (thread.get() != machine->current)
                thread->state = Thread::State::ended;
        ++forks_before;
        if (at_fork.in_child != nullptr)
            at_fork.in_child();
        program(argument);
        _exit(0);
    }
    if (child < 0)
        give_up(kWrong, "the system refuses a process");
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (at_fork.in_parent != nullptr)
        at_fork.in_parent();
    return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kNoStacks);
}

int own_number() { return machine == nullptr ? 0 : machine->current->number; }
unsigned long own_handle() { return static_cast<unsigned long>(own_number()); }
Bounds own_stack() { return {machine->current->stack, kStack}; }
int processors() {
    if (machine == nullptr) // while the program is loaded
        return processors_at_start();
    if (machine->setup.processors_change && happens(4))
        machine->setup.processors = 1 + static_cast<int>(any_below(8));
    return machine->setup.processors;
}
bool stacks_are_refused() { return machine->setup.refused_stacks != 0; }
bool refuses_stacks() { return machine != nullptr && happens(machine->setup.refused_stacks); }

void at_end(void (*function)(void *), void *value) {
    machine->current->end = function;
    machine->current->end_value = value;
}

} // namespace loomp::simulated
