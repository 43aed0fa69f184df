#include "core/team/affinity_format.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "core/base/locks_at_fork.h"
#include "core/base/spinlock.h"
#include "core/environment/settings.h"
#include "core/environment/topology.h"
#include "core/team/team.h"
#include "core/worker/worker.h"

namespace loomp::core {

namespace {

SpinLock format_lock; ///< guards the setting, which the program may change at any time
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(format_lock); });

/// One % field: how wide, how filled, what.
struct Field {
    bool zeros = false;
    bool right = false;
    std::size_t width = 0;
    std::string_view name; ///< without braces; one letter or a long name
};

/// Reads the field after a '%'; `at` moves behind it.
Field read_field(const char *&at) {
    constexpr std::size_t kWidest = 4096;
    Field field;
    // A zero counts only before a dot: "%05n" has none.
    if (at[0] == '0' && at[1] == '.')
        field.zeros = true;
    at += field.zeros ? 1 : 0;
    field.right = *at == '.';
    at += field.right ? 1 : 0;
    for (; *at >= '0' && *at <= '9'; ++at)
        field.width = std::min(kWidest, field.width * 10 + static_cast<std::size_t>(*at - '0'));
    if (*at == '{') {
        const char *const close = std::strchr(at, '}');
        const char *const end = close != nullptr ? close : at + std::strlen(at);
        field.name = {at + 1, static_cast<std::size_t>(end - at - 1)};
        at = close != nullptr ? close + 1 : end;
    } else if (*at != '\0') {
        field.name = {at++, 1};
    }
    return field;
}

/// The value of a field; `is_number` tells whether zeros may fill it.
std::string value_of(std::string_view name, const AffinityValues &values, bool &is_number) {
    const struct {
        const char *letter;
        const char *name;
        long value;
    } numbers[] = {{"t", "team_num", values.team_num},
                   {"T", "num_teams", values.num_teams},
                   {"L", "nesting_level", values.nesting_level},
                   {"n", "thread_num", values.thread_num},
                   {"N", "num_threads", values.num_threads},
                   {"a", "ancestor_tnum", values.ancestor_tnum},
                   {"P", "process_id", values.process_id},
                   {"i", "native_thread_id", values.native_thread_id}};
    is_number = true;
    for (const auto &number : numbers)
        if (name == number.letter || name == number.name)
            return std::to_string(number.value);
    is_number = false;
    if (name == "H" || name == "host")
        return values.host;
    if (name == "A" || name == "thread_affinity")
        return values.thread_affinity;
    return "undefined";
}

std::string filled(std::string value, const Field &field, bool is_number) {
    if (value.size() >= field.width)
        return value;
    const std::size_t missing = field.width - value.size();
    if (field.zeros && field.right && is_number)
        value.insert(value[0] == '-' ? 1 : 0, missing, '0');
    else
        value.insert(field.right ? 0 : value.size(), missing, ' ');
    return value;
}

} // namespace

std::string expand_affinity_format(const std::string &format, const AffinityValues &values) {
    std::string text;
    for (const char *at = format.c_str(); *at != '\0';) {
        if (*at != '%') {
            text += *at++;
        } else if (*++at == '%') {
            text += *at++;
        } else {
            const Field field = read_field(at);
            bool is_number = false;
            const std::string value = value_of(field.name, values, is_number);
            text += filled(value, field, is_number);
        }
    }
    return text;
}

AffinityValues current_affinity_values() {
    const Member &member = *Worker::current()->member;
    const Team &team = *member.team;
    AffinityValues values;
    values.team_num = team.contention->team_num;
    values.num_teams = team.contention->num_teams;
    values.nesting_level = team.level;
    values.thread_num = member.num;
    values.num_threads = team.size;
    values.ancestor_tnum = team.parent != nullptr && team.level > 0 ? team.parent->num : -1;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    values.host = host;
    values.process_id = getpid();
    values.native_thread_id = syscall(SYS_gettid);
    values.thread_affinity = format_ranges(current_processor_ids());
    return values;
}

std::string format_affinity(const char *format) {
    const bool given = format != nullptr && *format != '\0';
    return expand_affinity_format(given ? format : affinity_format(), current_affinity_values());
}

std::string affinity_format() {
    const SpinGuard guard(format_lock);
    return settings().affinity_format;
}

void set_affinity_format(const char *format) {
    std::string copy = format;
    const SpinGuard guard(format_lock);
    mutable_settings().affinity_format.swap(copy);
    note_set_by_program("OMP_AFFINITY_FORMAT");
}

void display_affinity(const char *format) {
    std::string line = format_affinity(format);
    line += '\n';
    if (settings().interface == ProgramInterface::llvm)
        std::fputs(line.c_str(), stdout);
    else
        (void)!write(STDERR_FILENO, line.data(), line.size());
}

bool displays_affinity = false;

void decide_affinity_display(Worker &primary, Team &team) {
    std::string shared;
    for (const int number : {team.level, int{team.size}, team.contention->team_num,
                             team.contention->num_teams, team.parent->num})
        shared += ' ' + std::to_string(number);
    for (int i = 0; i < team.size; ++i)
        shared += ' ' + std::to_string(team.members[i]->place);
    const auto key = static_cast<int>(std::hash<std::string>{}(shared) | 1);
    team.shows_affinity = std::exchange(primary.displayed_affinity, key) != key;
}

void display_affinity_of_region(const Member &member) {
    if (member.team->shows_affinity)
        display_affinity(nullptr);
}

} // namespace loomp::core
