// The model (model.h) over relacy.
#include "model.h"

#include <cerrno>
#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>

#include <string>
#include <string_view>

#include "platform/atomic.h"

#include <relacy/relacy.hpp>

// relacy's names for everybody.
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef $
#define errno (*__errno_location())

extern "C" {
void *__real_malloc(std::size_t size);
void *__real_aligned_alloc(std::size_t alignment, std::size_t size);
void __real_free(void *memory);
}

namespace loomp::weak {
namespace {

constexpr int kMostThreads = 3;

bool in_execution = false;
/// The code of the piece or its test runs, not the model's or relacy's. Each switch is within the
/// model, so one variable serves all threads.
bool in_piece = false;

class Inside {
  public:
    Inside() : was_(in_piece) { in_piece = false; }
    ~Inside() { in_piece = was_; }
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;

  private:
    bool was_;
};

rl::debug_info info_of(Place place) { return {"", place.file, static_cast<unsigned>(place.line)}; }

[[noreturn]] void fail(const char *text, rl::test_result_e result, Place place) {
    in_piece = false;
    rl::ctx().fail_test(text, result, info_of(place));
    std::abort();
}

/// The operation of a twin has this order instead (main()).
struct {
    std::string file;
    int first, last; ///< lines
    std::memory_order order;
    std::uint64_t met;
} weakened;

std::memory_order ordered(std::memory_order order, Place place) {
    if (weakened.file.empty() || place.line < weakened.first || place.line > weakened.last ||
        !std::string_view(place.file).ends_with(weakened.file))
        return order;
    ++weakened.met;
    return weakened.order;
}

rl::memory_order order_of(std::memory_order order) {
    switch (order) {
    case std::memory_order_relaxed:
        return rl::mo_relaxed;
    case std::memory_order_consume:
        return rl::mo_consume;
    case std::memory_order_acquire:
        return rl::mo_acquire;
    case std::memory_order_release:
        return rl::mo_release;
    case std::memory_order_acq_rel:
        return rl::mo_acq_rel;
    case std::memory_order_seq_cst:
        break;
    }
    return rl::mo_seq_cst;
}

// --- Memory --------------------------------------------------------------------------------------

constexpr std::size_t kGranule = 16;
constexpr std::size_t kArena = std::size_t{1} << 18;
alignas(4096) char arena[kArena];
bool freed[kArena / kGranule];
std::size_t arena_used = 0;
int blocks = 0;

void access(const void *address, std::size_t size, bool writes, const void *code);

bool in_arena(const void *memory) { return memory >= arena && memory < arena + kArena; }

/// The size stands before the block.
void *allocate(std::size_t size, std::size_t alignment) {
    alignment = std::max(alignment, kGranule);
    const std::size_t begin = (arena_used + kGranule + alignment - 1) / alignment * alignment;
    const std::size_t end = (begin + size + kGranule - 1) / kGranule * kGranule;
    if (end > kArena)
        fail("the arena is full", rl::test_result_inconsistent_test_suite, Place::here());
    std::memcpy(arena + begin - sizeof size, &size, sizeof size);
    std::memset(arena + begin, 0xa5, size);
    arena_used = end;
    ++blocks;
    return arena + begin;
}

void free_block(void *memory) {
    char *block = static_cast<char *>(memory);
    std::size_t size;
    std::memcpy(&size, block - sizeof size, sizeof size);
    const std::size_t first = static_cast<std::size_t>(block - arena) / kGranule;
    if (freed[first])
        fail("", rl::test_result_double_free, Place::here());
    in_piece = true;
    access(memory, size, true, __builtin_return_address(0));
    in_piece = false;
    std::memset(freed + first, 1, std::max<std::size_t>(1, (size + kGranule - 1) / kGranule));
    --blocks;
}

void check_not_freed(const void *address, Place place) {
    if (in_arena(address) &&
        freed[static_cast<std::size_t>(static_cast<const char *>(address) - arena) / kGranule])
        fail("", rl::test_result_access_to_freed_memory, place);
}

// --- Plain accesses ------------------------------------------------------------------------------

/// The clocks of the last accesses of each thread to the eight bytes of a word.
struct Shadow {
    const void *word;
    std::uint64_t execution; ///< the entry is empty in others
    std::uint32_t stored[8][kMostThreads];
    std::uint32_t loaded[8][kMostThreads];
};
constexpr std::size_t kShadows = 1u << 13;
Shadow shadows[kShadows];
std::uint64_t execution = 0;
int thread_count = 0;

Shadow &shadow_of(std::uintptr_t word) {
    std::size_t i = (word * 0x9e3779b97f4a7c15u) >> 51;
    static_assert(kShadows == std::size_t{1} << (64 - 51));
    for (;; i = (i + 1) % kShadows) {
        Shadow &shadow = shadows[i];
        if (shadow.execution != execution) {
            shadow = {};
            shadow.word = reinterpret_cast<const void *>(word);
            shadow.execution = execution;
            return shadow;
        }
        if (shadow.word == reinterpret_cast<const void *>(word))
            return shadow;
    }
}

const char *program_begin();

void access(const void *address, std::size_t size, bool writes, const void *code) {
    if (!in_piece || !in_execution)
        return;
    const Inside inside;
    check_not_freed(address,
                    {"code", static_cast<int>(static_cast<const char *>(code) - program_begin())});
    rl::thread_info_base &thread = *rl::ctx().threadx_;
    const std::size_t *clock = thread.acq_rel_order_;
    const auto now = static_cast<std::uint32_t>(++thread.own_acq_rel_order_);
    auto at = reinterpret_cast<std::uintptr_t>(address);
    const std::uintptr_t end = at + size;
    while (at < end) {
        Shadow &shadow = shadow_of(at / 8);
        for (; at < end; ++at) {
            const std::size_t lane = at % 8;
            bool race = false;
            for (int i = 0; i < thread_count; ++i)
                race |= clock[i] < shadow.stored[lane][i] ||
                        (writes && clock[i] < shadow.loaded[lane][i]);
            if (race) {
                char text[100];
                std::snprintf(text, sizeof text, "of a plain %s by the code at %#tx",
                              writes ? "write" : "read",
                              static_cast<const char *>(code) - program_begin());
                fail(text, rl::test_result_data_race, {"plain access", 0});
            }
            (writes ? shadow.stored : shadow.loaded)[lane][thread.index_] = now;
            if (lane == 7) {
                ++at;
                break;
            }
        }
    }
}

// --- Atomic objects ------------------------------------------------------------------------------

/// A value with its place in the object's order of modifications.
struct Word {
    std::uint64_t value = 0;
    unsigned version = 0;
};
bool operator==(const Word &one, const Word &other) { return one.value == other.value; }
[[maybe_unused]] bool operator!=(const Word &one, const Word &other) { return !(one == other); }
std::ostream &operator<<(std::ostream &out, const Word &word) {
    return out << "0x" << std::hex << word.value << std::dec;
}
struct NoWord {};

using Model = rl::atomic<Word>;

struct Object {
    char *address;
    unsigned size;
    bool was_there;        ///< before the execution: it is reset afterwards
    std::uint64_t initial; ///< then
    std::uint64_t value;   ///< the latest
    unsigned version;      ///< of the latest
    /// The last seq_cst stores: versions, and when they were.
    unsigned strong_version[3];
    std::uint64_t strong_time[3];
    bool failed_once; ///< a weak compare-and-swap, without cause
    alignas(Model) char model[sizeof(Model)];
    Model &operator*() { return *reinterpret_cast<Model *>(model); }
};

constexpr unsigned kObjects = 1u << 10;
Object objects[kObjects];
unsigned object_count = 0;
constexpr std::size_t kBuckets = 1u << 12;
struct Bucket {
    std::uint64_t execution;
    Object *object;
};
Bucket buckets[kBuckets];
/// Orders seq_cst stores and fences.
std::uint64_t strong_clock = 0;
std::uint64_t fenced_at[kMostThreads];

std::uint64_t read_plain(const void *at, unsigned size) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, size);
    return bits;
}

Bucket &bucket_of(const void *address) {
    std::size_t i = (reinterpret_cast<std::uintptr_t>(address) * 0x9e3779b97f4a7c15u) >> 52;
    static_assert(kBuckets == std::size_t{1} << (64 - 52));
    while (buckets[i].execution == execution && buckets[i].object->address != address)
        i = (i + 1) % kBuckets;
    return buckets[i];
}

Object &new_object(Bucket &bucket, const void *address, unsigned size) {
    if (object_count == kObjects)
        fail("too many atomic objects", rl::test_result_inconsistent_test_suite, Place::here());
    Object &object = objects[object_count++];
    object.address = static_cast<char *>(const_cast<void *>(address));
    object.size = size;
    object.was_there = false;
    object.value = 0;
    object.version = 0;
    object.failed_once = false;
    for (int i = 0; i < 3; ++i)
        object.strong_version[i] = 0;
    new (object.model) Model();
    bucket = {execution, &object};
    return object;
}

void put(Object &object, std::uint64_t value) {
    object.value = value;
    std::memcpy(object.address, &value, object.size);
}

bool before_threads = false;

Object &object_at(const void *address, unsigned size, Place place) {
    check_not_freed(address, place);
    Bucket &bucket = bucket_of(address);
    if (bucket.execution == execution) {
        Object &object = *bucket.object;
        if (object.size != size)
            fail("accesses of two sizes", rl::test_result_inconsistent_test_suite, place);
        return object;
    }
    Object &object = new_object(bucket, address, size);
    object.was_there = !in_arena(address);
    if (object.was_there || before_threads) {
        object.value = object.initial = read_plain(address, size);
        // As if it had been stored before all threads began: at the clock's first value.
        std::size_t &clock = rl::ctx().threadx_->own_acq_rel_order_;
        const std::size_t now = std::exchange(clock, before_threads ? clock : 0);
        (*object).store({object.value, ++object.version}, rl::mo_relaxed, info_of(place));
        clock = std::max(clock, now);
    }
    return object;
}

void need_value(const Object &object, Place place) {
    if (object.version == 0)
        fail("", rl::test_result_unitialized_access, place);
}

void note_strong(Object &object) {
    for (int i = 2; i > 0; --i) {
        object.strong_version[i] = object.strong_version[i - 1];
        object.strong_time[i] = object.strong_time[i - 1];
    }
    object.strong_version[0] = object.version;
    object.strong_time[0] = ++strong_clock;
}

/// The oldest value that a load may return after its thread's last seq_cst fence.
unsigned oldest_allowed(const Object &object) {
    for (int i = 0; i < 3 && object.strong_version[i] != 0; ++i)
        if (object.strong_time[i] < fenced_at[rl::ctx().threadx_->index_])
            return object.strong_version[i];
    return 0;
}

Word load_model(Object &object, rl::memory_order order, Place place) {
    const Word word = (*object).load(order, info_of(place));
    if (word.version >= oldest_allowed(object))
        return word;
    return (*object).load(rl::mo_seq_cst, info_of(place));
}

/// A step: others may run before it, and none while it lasts.
class Step {
  public:
    Step() {
        if (!in_execution)
            return;
        rl::ctx().sched();
        rl::ctx().disable_preemption();
    }
    ~Step() {
        if (in_execution)
            rl::ctx().enable_preemption();
    }
    Step(const Step &) = delete;
    Step &operator=(const Step &) = delete;

  private:
    Inside inside_;
};

void fence_in_step(std::memory_order order, Place place) {
    rl::atomic_thread_fence(order_of(order), info_of(place));
    if (order == std::memory_order_seq_cst)
        fenced_at[rl::ctx().threadx_->index_] = ++strong_clock;
}

std::uint64_t changed(std::uint64_t value, Change change, std::uint64_t operand, unsigned size) {
    switch (change) {
    case Change::exchange:
        value = operand;
        break;
    case Change::add:
        value += operand;
        break;
    case Change::sub:
        value -= operand;
        break;
    case Change::conjunction:
        value &= operand;
        break;
    case Change::disjunction:
        value |= operand;
        break;
    case Change::difference:
        value ^= operand;
        break;
    }
    return size == 8 ? value : value & ((std::uint64_t{1} << (8 * size)) - 1);
}

void change_in_step(Object &object, std::uint64_t value, std::memory_order order, Place place) {
    put(object, value);
    (*object).exchange({value, ++object.version}, order_of(order), info_of(place));
    if (order == std::memory_order_seq_cst)
        note_strong(object);
}

} // namespace

void construct(void *atomic, unsigned size) {
    if (!in_execution)
        return;
    const Inside inside;
    check_not_freed(atomic, Place::here());
    Bucket &bucket = bucket_of(atomic);
    Object &object =
        bucket.execution == execution ? *bucket.object : new_object(bucket, atomic, size);
    if (object.version != 0 && !object.was_there) {
        // Another object in the same place.
        (*object).~Model();
        new (object.model) Model();
    }
    object.size = size;
    object.value = read_plain(atomic, size);
    rl::ctx().disable_preemption();
    (*object).store({object.value, ++object.version}, rl::mo_relaxed, info_of(Place::here()));
    rl::ctx().enable_preemption();
}

std::uint64_t load(const void *atomic, unsigned size, std::memory_order order, Place place) {
    const Step step;
    if (!in_execution)
        return read_plain(atomic, size);
    order = ordered(order, place);
    Object &object = object_at(atomic, size, place);
    need_value(object, place);
    return load_model(object, order_of(order), place).value;
}

void store(void *atomic, unsigned size, std::uint64_t value, std::memory_order order, Place place) {
    const Step step;
    if (!in_execution) {
        std::memcpy(atomic, &value, size);
        return;
    }
    order = ordered(order, place);
    Object &object = object_at(atomic, size, place);
    put(object, value);
    (*object).store({value, ++object.version}, order_of(order), info_of(place));
    if (order == std::memory_order_seq_cst)
        note_strong(object);
}

std::uint64_t change(void *atomic, unsigned size, Change change, std::uint64_t operand,
                     std::memory_order order, Place place) {
    const Step step;
    if (!in_execution) {
        const std::uint64_t before = read_plain(atomic, size);
        const std::uint64_t after = changed(before, change, operand, size);
        std::memcpy(atomic, &after, size);
        return before;
    }
    order = ordered(order, place);
    Object &object = object_at(atomic, size, place);
    need_value(object, place);
    const std::uint64_t before = object.value;
    change_in_step(object, changed(before, change, operand, size), order, place);
    return before;
}

bool compare_exchange(void *atomic, unsigned size, std::uint64_t &expected, std::uint64_t desired,
                      std::memory_order success, std::memory_order failure, bool weak,
                      Place place) {
    const Step step;
    if (!in_execution) {
        const std::uint64_t value = read_plain(atomic, size);
        if (value == expected)
            std::memcpy(atomic, &desired, size);
        return value == std::exchange(expected, value);
    }
    success = ordered(success, place);
    Object &object = object_at(atomic, size, place);
    need_value(object, place);
    rl::context &context = rl::ctx();
    bool equal = object.value == expected;
    if (equal && weak && (context.is_random_sched() || !object.failed_once) &&
        context.rand(4, rl::sched_type_cas_fail) == 0) {
        object.failed_once = true;
        equal = false;
    }
    if (equal) {
        change_in_step(object, desired, success, place);
        return true;
    }
    // relacy's compare-and-swap with a value that differs, for the failure's order.
    Word other{~object.value, 0};
    (*object).compare_exchange_strong(other, other, rl::mo_seq_cst, info_of(place),
                                      order_of(failure), info_of(place));
    expected = object.value;
    return false;
}

void fence(std::memory_order order, Place place) {
    const Step step;
    if (!in_execution)
        return;
    order = ordered(order, place);
    if (order != std::memory_order_relaxed)
        fence_in_step(order, place);
}

void spin() {
    if (!in_execution)
        return;
    const Inside inside;
    rl::ctx().yield(1, info_of(Place::here()));
}

int thread_number() { return rl::ctx().threadx_->index_; }

unsigned choose(unsigned count) {
    const Inside inside;
    return rl::ctx().rand(count, rl::sched_type_user);
}

void check_at(bool holds, const char *text, const char *file, int line) {
    if (!holds)
        fail(text, rl::test_result_user_assert_failed, {file, line});
}

int blocks_in_use() { return blocks; }

namespace {

// --- Sleeping ------------------------------------------------------------------------------------

struct Sleeper {
    const void *at;
    std::uint32_t bits;
    int thread;
};
Sleeper sleepers[kMostThreads];
int sleeper_count = 0;

void remove_sleeper(int i) {
    --sleeper_count;
    for (; i < sleeper_count; ++i)
        sleepers[i] = sleepers[i + 1];
}

/// Ends the step: parks the thread.
bool sleep_at(const void *at, std::uint32_t bits, bool timed, bool may_return, Place place) {
    const int self = thread_number();
    sleepers[sleeper_count++] = {at, bits, self};
    // Seldom, so that threads also sleep for long.
    may_return = may_return && rl::ctx().rand(4, rl::sched_type_user) == 0;
    const rl::unpark_reason reason =
        rl::ctx().park_current_thread(timed, may_return, false, info_of(place));
    for (int i = 0; i < sleeper_count; ++i)
        if (sleepers[i].thread == self)
            remove_sleeper(i--);
    return reason == rl::unpark_reason_normal;
}

int wake_at(const void *at, int count, std::uint32_t bits, Place place) {
    int woken = 0;
    for (int i = 0; i < sleeper_count && woken < count; ++i)
        if (sleepers[i].at == at && (sleepers[i].bits & bits) != 0) {
            const int thread = sleepers[i].thread;
            remove_sleeper(i--);
            rl::ctx().unpark_thread(thread, false, info_of(place));
            ++woken;
        }
    return woken;
}

bool was_woken[kMostThreads];

long futex_call(const void *word, int operation, std::uint32_t value, bool timed,
                std::uint32_t bits) {
    const Step step;
    const Place place = Place::here();
    // The kernel's accesses to the word and to its queue are behind full fences.
    fence_in_step(std::memory_order_seq_cst, place);
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAKE_BITSET)
        return wake_at(word, static_cast<int>(value), bits, place);
    Object &object = object_at(word, sizeof(std::uint32_t), place);
    need_value(object, place);
    if (load_model(object, rl::mo_relaxed, place).value != value) {
        errno = EAGAIN;
        return -1;
    }
    sleep_at(word, bits, timed, true, place);
    return 0;
}

long membarrier_call(int command) {
    if (command != MEMBARRIER_CMD_PRIVATE_EXPEDITED)
        return 0;
    const Step step;
    constexpr Place place{"membarrier", 1};
    if (ordered(std::memory_order_seq_cst, place) == std::memory_order_relaxed)
        return 0;
    rl::systemwide_fence(info_of(place));
    ++strong_clock;
    for (std::uint64_t &at : fenced_at)
        at = strong_clock;
    return 0;
}

} // namespace

void sleep_until_woken() {
    const Step step;
    const int self = thread_number();
    while (!was_woken[self])
        sleep_at(&was_woken[self], ~0u, false, false, Place::here());
    was_woken[self] = false;
}

void wake(int thread) {
    const Step step;
    was_woken[thread] = true;
    wake_at(&was_woken[thread], 1, ~0u, Place::here());
}

namespace {

// --- Executions ----------------------------------------------------------------------------------

const Scenario *scenario = nullptr;
std::int64_t virtual_time = 0;

void begin_execution() {
    ++execution;
    for (std::size_t i = 0; i <= arena_used / kGranule && i < kArena / kGranule; ++i)
        freed[i] = false;
    arena_used = 0;
    blocks = 0;
    object_count = 0;
    strong_clock = 0;
    sleeper_count = 0;
    virtual_time = 1'000'000;
    for (int i = 0; i < kMostThreads; ++i) {
        fenced_at[i] = 0;
        was_woken[i] = false;
    }
}

/// `destroy`: the execution came to its end. Otherwise relacy has given up its own part.
void end_execution(bool destroy) {
    for (unsigned i = 0; i < object_count; ++i) {
        Object &object = objects[i];
        if (object.was_there)
            std::memcpy(object.address, &object.initial, object.size);
        if (destroy)
            (*object).~Model();
    }
    object_count = 0;
}

template <int threads> struct Suite : rl::test_suite<Suite<threads>, threads> {
    static void call(void (*function)()) {
        in_piece = true;
        function();
        in_piece = false;
    }
    void before() {
        begin_execution();
        in_execution = before_threads = true;
        call(scenario->before);
        before_threads = false;
    }
    void thread(unsigned number) {
        in_piece = true;
        scenario->thread(static_cast<int>(number));
        in_piece = false;
    }
    void after() {
        call(scenario->after);
        in_execution = false;
        end_execution(true);
    }
};

template <class Scheduler, int threads>
void simulate(rl::test_params &parameters, rl::ostringstream &out) {
    thread_count = threads;
    rl::ostringstream state;
    const rl::test_result_e result =
        rl::run_test<Suite<threads>, Scheduler>(parameters, state, false);
    if (result == rl::test_result_success)
        return;
    // The failed execution once more, with its history.
    in_execution = in_piece = false;
    end_execution(false);
    out.str("");
    parameters.initial_state = state.str();
    parameters.collect_history = true;
    rl::ostringstream ignored;
    if (rl::run_test<Suite<threads>, Scheduler>(parameters, ignored, true) != result)
        out.str("the execution cannot be repeated\n");
}

void simulate(rl::test_params &parameters, rl::ostringstream &out, int threads) {
    if (threads == 3)
        simulate<rl::random_scheduler<3>, 3>(parameters, out);
    else if (parameters.search_type == rl::sched_random)
        simulate<rl::random_scheduler<2>, 2>(parameters, out);
    else
        simulate<rl::context_bound_scheduler<2>, 2>(parameters, out);
}

std::string in_lower_case(std::string text) {
    for (char &letter : text)
        letter = static_cast<char>(std::tolower(letter));
    return text;
}

/// Returns the failure's kind and reason, or nothing.
std::string explore(const Scenario &which, double scale, std::string &history) {
    scenario = &which;
    // Without relacy's memory, which belongs to an execution.
    rl::ostringstream out;
    rl::test_params parameters;
    parameters.output_stream = &out;
    parameters.progress_stream = &out;
    parameters.execution_depth_limit = 20000;
    switch (which.search) {
    case Search::random:
        parameters.search_type = rl::sched_random;
        parameters.iteration_count =
            std::max<std::uint64_t>(1, static_cast<std::uint64_t>(which.executions * scale));
        break;
    case Search::bound:
        parameters.search_type = rl::sched_bound;
        parameters.context_bound = which.executions;
        break;
    }
    const auto start = std::chrono::steady_clock::now();
    simulate(parameters, out, which.threads);
    in_execution = in_piece = false;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const bool failed = parameters.test_result != rl::test_result_success;
    if (failed)
        end_execution(false);
    if (std::getenv("VERBOSE") != nullptr)
        std::fprintf(stderr, "%s: %s after %llu executions, %.2f s\n", which.name,
                     failed ? rl::test_result_str(parameters.test_result) : "holds",
                     static_cast<unsigned long long>(parameters.stop_iteration), took.count());
    if (!failed)
        return "";
    history = out.str().c_str();
    return in_lower_case(history.substr(0, history.find('\n')));
}

extern "C" const char __executable_start;
const char *program_begin() { return &__executable_start; }

} // namespace
} // namespace loomp::weak

namespace loomp::core {

struct Task;
enum class TaskPhase : std::uint8_t;
[[noreturn]] void wrong_transition(const Task &, TaskPhase, TaskPhase) {
    weak::fail("wrong transition", rl::test_result_user_assert_failed, weak::Place::here());
}
[[noreturn]] void assertion_failed(const char *expression, const char *file, int line) {
    weak::fail(expression, rl::test_result_user_assert_failed, {file, line});
}

} // namespace loomp::core

using namespace loomp::weak;

// --- The C library's functions, as the piece calls them ------------------------------------------

extern "C" {

long __real_syscall(long number, ...);
int __real_clock_gettime(clockid_t clock, timespec *time);

void *__wrap_malloc(std::size_t size) {
    if (!in_piece)
        return __real_malloc(size);
    const Inside inside;
    return allocate(size, kGranule);
}
void *__wrap_calloc(std::size_t count, std::size_t size) {
    void *memory = __wrap_malloc(count * size);
    std::memset(memory, 0, count * size);
    return memory;
}
void *__wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
    if (!in_piece)
        return __real_aligned_alloc(alignment, size);
    const Inside inside;
    return allocate(size, alignment);
}
void __wrap_free(void *memory) {
    if (!in_arena(memory))
        return __real_free(memory);
    const Inside inside;
    free_block(memory);
}
// relacy has its own operators, which serve the model.
void *__wrap__Znwm(std::size_t size) { return in_piece ? __wrap_malloc(size) : operator new(size); }
void *__wrap__ZnwmSt11align_val_t(std::size_t size, std::size_t alignment) {
    return __wrap_aligned_alloc(alignment, size);
}
void __wrap__ZdlPv(void *memory) {
    if (in_arena(memory))
        __wrap_free(memory);
    else
        operator delete(memory);
}
void __wrap__ZdlPvm(void *memory, std::size_t) { __wrap__ZdlPv(memory); }
void __wrap__ZdlPvmSt11align_val_t(void *memory, std::size_t, std::size_t) { __wrap_free(memory); }

long __wrap_syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long words[6];
    for (long &word : words)
        word = va_arg(list, long);
    va_end(list);
    if (!in_execution)
        return __real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
    if (number == SYS_futex)
        return futex_call(reinterpret_cast<const void *>(words[0]), static_cast<int>(words[1]),
                          static_cast<std::uint32_t>(words[2]), words[3] != 0,
                          static_cast<std::uint32_t>(words[5]));
    if (number == SYS_membarrier)
        return membarrier_call(static_cast<int>(words[0]));
    fail("a system call that the model lacks", rl::test_result_inconsistent_test_suite,
         Place::here());
}

/// Each look finds the time a little later, or much.
int __wrap_clock_gettime(clockid_t clock, timespec *time) {
    if (!in_execution)
        return __real_clock_gettime(clock, time);
    virtual_time += choose(2) == 0 ? 1'000 : 1'000'000;
    *time = {static_cast<time_t>(virtual_time / 1'000'000'000),
             static_cast<long>(virtual_time % 1'000'000'000)};
    return 0;
}

int __wrap_sched_yield() {
    spin();
    return 0;
}

// --- What the compiler calls for plain accesses --------------------------------------------------

#define CODE __builtin_return_address(0)
#define ACCESSES(size)                                                                             \
    void __tsan_read##size(void *at) { access(at, size, false, CODE); }                            \
    void __tsan_write##size(void *at) { access(at, size, true, CODE); }                            \
    void __tsan_unaligned_read##size(void *at) { access(at, size, false, CODE); }                  \
    void __tsan_unaligned_write##size(void *at) { access(at, size, true, CODE); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
void __tsan_read_range(void *at, unsigned long size) { access(at, size, false, CODE); }
void __tsan_write_range(void *at, unsigned long size) { access(at, size, true, CODE); }
void __tsan_vptr_update(void **at, void *) { access(at, sizeof *at, true, CODE); }
void __tsan_vptr_read(void **at) { access(at, sizeof *at, false, CODE); }
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_atomic_signal_fence(int) {}

} // extern "C"

/// usage: weak_PIECE [--weaken FILE FIRST LAST ORDER TEXT] [SCENARIO...]
/// Silent if all scenarios hold. The operation of a twin, in these lines of the file, has another
/// order: then one scenario must fail, with a reason that contains TEXT.
/// LOOMP_WEAK_SCALE multiplies the number of random executions.
int main(int count, char **words) {
    const char *expected = nullptr;
    int first = 1;
    if (count > 6 && std::strcmp(words[1], "--weaken") == 0) {
        const std::string order = words[5];
        weakened = {words[2], std::atoi(words[3]), std::atoi(words[4]),
                    order == "acquire"   ? std::memory_order_acquire
                    : order == "release" ? std::memory_order_release
                    : order == "acq_rel" ? std::memory_order_acq_rel
                                         : std::memory_order_relaxed,
                    0};
        expected = words[6];
        first = 7;
    }
    const char *scale = std::getenv("LOOMP_WEAK_SCALE");
    bool ran = false;
    for (const Scenario &each : scenarios) {
        bool wanted = first == count;
        for (int i = first; i < count; ++i)
            wanted |= std::strcmp(words[i], each.name) == 0;
        if (!wanted)
            continue;
        ran = true;
        std::string history;
        const std::string reason = explore(each, scale != nullptr ? std::atof(scale) : 1, history);
        if (reason.empty())
            continue;
        if (expected != nullptr && reason.find(expected) != std::string::npos)
            return 0;
        std::printf("FAIL %s: %s\n%s", each.name, reason.c_str(), history.c_str());
        return 1;
    }
    if (!ran)
        std::printf("FAIL there is no such scenario\n");
    else if (expected != nullptr)
        std::printf("FAIL every scenario holds, and one should fail: %s; the operation was met "
                    "%llu times\n",
                    expected, static_cast<unsigned long long>(weakened.met));
    return ran && expected == nullptr ? 0 : 1;
}
