#include "fuzz/environment.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <sys/types.h>
#include <utility>

#include "runtime/core/environment/control_groups.h"
#include "runtime/core/environment/hardware_subset.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/settings_parse.h"
#include "runtime/core/environment/topology.h"

namespace {

constexpr int kSecondThreads = 64; ///< the number of a core's second thread, less its first one's
constexpr int kOffline = 5;

/// The messages of the runtime, until they are taken.
std::string &messages() {
    static auto &text = *new std::string;
    return text;
}

} // namespace

// --- The machine, in place of the system's -------------------------------------------------------

extern "C" int pthread_getaffinity_np(pthread_t, std::size_t size, cpu_set_t *set) {
    for (const int processor : loomp::fuzz::machine())
        CPU_SET_S(static_cast<std::size_t>(processor), size, set);
    return 0;
}

extern "C" int pthread_setaffinity_np(pthread_t, std::size_t size, const cpu_set_t *set) {
    int known = 0;
    for (const int processor : loomp::fuzz::machine())
        known += CPU_ISSET_S(static_cast<std::size_t>(processor), size, set) ? 1 : 0;
    loomp::fuzz::require(known > 0 && known == CPU_COUNT_S(size, set),
                         "a thread is bound to processors of the machine");
    return 0;
}

/// diagnostics.cpp calls it instead of write(), by a definition in CMakeLists.txt.
extern "C" ssize_t loomp_fuzz_write(int, const void *data, std::size_t size) {
    const std::string_view line(static_cast<const char *>(data), size);
    loomp::fuzz::require(!line.empty() && line.back() == '\n', "a message is a line", line);
    for (const char c : line.substr(0, line.size() - 1))
        loomp::fuzz::require(static_cast<unsigned char>(c) >= ' ' && c != '\x7f',
                             "a message is one line without control characters", line);
    messages().append(line);
    return static_cast<ssize_t>(size);
}

namespace loomp::core {

unsigned processors_of_quota(const std::string &) { return 0; }

std::vector<Location> read_locations(const std::vector<int> &ids) {
    std::vector<Location> locations;
    for (const int processor : ids) {
        const int core = processor % kSecondThreads;
        locations.push_back({core, core / 2, core / 2, core / 4});
    }
    return locations;
}

/// A fuzzer reads settings itself.
void (*const read_settings)() = std::abort;

} // namespace loomp::core

namespace loomp::fuzz {

using namespace core;

void require(bool holds, const char *what, std::string_view detail) {
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s: %.*s\n", what, static_cast<int>(detail.size()),
                 detail.data());
    std::abort();
}

const std::vector<int> &machine() {
    static const auto &ids = *[] {
        auto *const made = new std::vector<int>;
        for (int thread = 0; thread < 2; ++thread)
            for (int core = 0; core < 8; ++core)
                if (thread != 0 || core != kOffline)
                    made->push_back(thread * kSecondThreads + core);
        return made;
    }();
    return ids;
}

std::string take_messages() { return std::exchange(messages(), {}); }

KeepsMachine::KeepsMachine() : before_(&available_processor_ids()) {}
KeepsMachine::~KeepsMachine() {
    const std::vector<int> *const first = &first_processor_ids();
    const auto free_unless_current = [first](const std::vector<int> *ids) {
        if (ids != first && ids != &available_processor_ids())
            delete ids;
    };
    free_unless_current(before_);
    const std::vector<int> *const after = &available_processor_ids();
    keep_processors(*first);
    free_unless_current(after);
    hardware_subset_in_force().clear();
}

bool has_long_number(std::string_view text) {
    int digits = 0;
    return std::any_of(text.begin(), text.end(), [&digits](char c) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        return digits == 5;
    });
}

void require_places(const std::vector<Place> &list, const std::vector<int> &usable) {
    for (const Place &place : list) {
        require(!place.empty(), "no place is empty");
        require(std::adjacent_find(place.begin(), place.end(), std::greater_equal<>()) ==
                    place.end(),
                "a place is ascending", format_ranges(place));
        require(std::all_of(place.begin(), place.end(),
                            [&usable](int processor) {
                                return std::binary_search(usable.begin(), usable.end(), processor);
                            }),
                "a place has usable processors only", format_ranges(place));
    }
}

namespace {

void require_binding(const std::vector<ProcBind> &list) {
    for (const ProcBind bind : list)
        require((bind >= ProcBind::primary || list.size() == 1) && bind >= ProcBind::false_ &&
                    bind <= ProcBind::spread,
                "true and false stand alone in OMP_PROC_BIND");
}

void require_allocator(const Settings &s) {
    require(s.default_allocator >= 1 && s.default_allocator <= 8, "an allocator is predefined");
    require(s.allocator_space >= -1 && s.allocator_space <= 4, "a memory space is known");
    for (const auto &[trait, value] : s.allocator_traits) {
        constexpr int alignment = 2;
        constexpr int pool_size = 4;
        require(trait >= 1 && trait <= 8, "a trait is known");
        require(trait != alignment || std::has_single_bit(value), "alignments are powers of two");
        require(trait == alignment || trait == pool_size || value <= 18, "a trait's value is one");
    }
}

void require_waiting(const Settings &s) {
    constexpr std::int64_t longest = std::int64_t{1} << 62;
    require(s.spin_count_oversubscribed <= s.spin_count, "more threads do not spin longer");
    require(s.progress_bound == 0 || (s.progress_bound >= 10'000 && s.progress_bound <= longest),
            "LOOMP_PROGRESS_BOUND is within its bounds", std::to_string(s.progress_bound));
    require(s.stuck_after == 0 || (s.stuck_after >= 10'000'000 && s.stuck_after <= longest),
            "LOOMP_REPORT_STUCK_AFTER is within its bounds", std::to_string(s.stuck_after));
}

} // namespace

void require_bounds(const Settings &s) {
    constexpr std::size_t smallest_stack = std::size_t{16} << 10;
    require(!s.num_threads.empty() &&
                *std::min_element(s.num_threads.begin(), s.num_threads.end()) > 0,
            "OMP_NUM_THREADS is positive");
    require(s.thread_limit >= 1, "OMP_THREAD_LIMIT is positive");
    require(s.max_active_levels >= 0, "OMP_MAX_ACTIVE_LEVELS is not negative");
    require(s.schedule_chunk >= 0, "a chunk is not negative");
    require(s.stack_size >= smallest_stack &&
                s.stack_size <= std::max(largest_stack(), smallest_stack),
            "OMP_STACKSIZE is within its bounds", std::to_string(s.stack_size));
    require(s.teams_bind >= ProcBind::primary && s.teams_bind <= ProcBind::spread,
            "LOOMP_TEAMS_BIND is a policy");
    require(s.default_device >= 0 || s.default_device == kInvalidDevice,
            "OMP_DEFAULT_DEVICE is not negative");
    require(s.max_task_priority >= 0 && s.max_stacks >= 0 && s.max_tasks >= 0 && s.num_teams >= 0 &&
                s.teams_thread_limit >= 0,
            "a limit is not negative");
    require(s.device_operations >= 1, "LOOMP_DEVICE_OPERATIONS is positive");
    require_binding(s.proc_bind);
    require_places(s.place_list, available_processor_ids());
    require_allocator(s);
    require_waiting(s);
}

} // namespace loomp::fuzz
