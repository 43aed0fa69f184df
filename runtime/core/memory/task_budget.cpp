#include "runtime/core/memory/task_budget.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "platform/atomic.h"
#include "runtime/core/environment/control_groups.h"
#include "runtime/core/environment/memory_settings.h"

namespace loomp::core {

namespace {

constexpr std::size_t kStep = std::size_t{64} << 20;
constexpr std::size_t kShare = 4; ///< tasks get this fraction (a quarter) of the available memory
constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

Atomic<std::size_t> reserved{0};
Atomic<std::size_t> next_look{kStep}; ///< the number of bytes at which the bound is computed again;
                                      ///< with a given bound, the bound
Atomic<std::size_t> bound{0};
Atomic<unsigned> processes{1}; ///< they share the quarter

/// Returns the number after `name` in a file of such lines, or `otherwise`. An empty name: the
/// first word.
std::size_t value_in(const std::string &path, const char *name, std::size_t otherwise) {
    std::FILE *file = std::fopen(path.c_str(), "re");
    if (file == nullptr)
        return otherwise;
    char line[256];
    std::size_t value = otherwise;
    const std::size_t length = std::strlen(name);
    while (std::fgets(line, sizeof line, file) != nullptr) {
        unsigned long long number = 0;
        if (std::strncmp(line, name, length) == 0 &&
            std::sscanf(line + length, "%llu", &number) == 1) {
            value = number;
            break;
        }
    }
    std::fclose(file);
    return value;
}

/// Returns the memory that a control group has left: its limit less its usage. Cached file pages
/// that the group would give up do not count as usage.
std::size_t left_in_group(const std::string &folder, GroupVersion version) {
    const bool second = version == GroupVersion::two;
    const std::size_t most =
        value_in(folder + (second ? "/memory.max" : "/memory.limit_in_bytes"), "", kUnlimited);
    if (most == kUnlimited)
        return kUnlimited;
    const std::size_t used =
        value_in(folder + (second ? "/memory.current" : "/memory.usage_in_bytes"), "", 0);
    const std::size_t files =
        value_in(folder + "/memory.stat", second ? "inactive_file " : "total_inactive_file ", 0);
    const std::size_t held = used > files ? used - files : 0;
    return most > held ? most - held : 0;
}

/// Returns the least over the process's group and the enclosing ones.
std::size_t left_in_groups() {
    std::size_t left = kUnlimited;
    for_each_group("", "memory", [&](const std::string &folder, GroupVersion version) {
        left = std::min(left, left_in_group(folder, version));
    });
    return left;
}

bool look_again(std::size_t now) {
    const std::size_t given = memory_settings().task_memory;
    // A quarter of what is available and of what the processes hold for tasks by now, `now` each,
    // is divided among the processes. `now` is counted though not yet taken from the system: a
    // difference of one chunk.
    const std::size_t most =
        given != 0 ? given
                   : (available_memory() / (kShare * sharers_of_task_memory()) + now / kShare);
    bound.store(most, std::memory_order_relaxed);
    next_look.store(given != 0 ? given : std::min(most, now + kStep), std::memory_order_relaxed);
    return now <= most;
}

} // namespace

void share_task_memory(unsigned count) { processes.store(count, std::memory_order_relaxed); }
unsigned sharers_of_task_memory() { return processes.load(std::memory_order_relaxed); }

std::size_t available_memory() {
    const std::size_t kilobytes = value_in("/proc/meminfo", "MemAvailable:", 0);
    const std::size_t machine = kilobytes != 0 ? kilobytes << 10 : kUnlimited;
    return std::min(machine, left_in_groups());
}

bool reserve_for_tasks(std::size_t bytes) {
    const std::size_t now = reserved.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (now <= next_look.load(std::memory_order_relaxed) && memory_settings().task_memory == 0)
        return true;
    return look_again(now);
}

void take_from_tasks(std::size_t bytes) { reserved.fetch_sub(bytes, std::memory_order_relaxed); }

bool fits_task_budget(std::size_t bytes) {
    const std::size_t most = task_memory_bound();
    return most == 0 || reserved_for_tasks() + bytes <= most;
}
bool over_task_budget() { return !fits_task_budget(0); }
std::size_t reserved_for_tasks() { return reserved.load(std::memory_order_relaxed); }
std::size_t task_memory_bound() { return bound.load(std::memory_order_relaxed); }

} // namespace loomp::core
