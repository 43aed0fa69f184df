#include "runtime/core/team/affinity_format.h"

#include <cstdio>
#include <functional>
#include <unistd.h>
#include <utility>

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "platform/threads.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

SpinLock format_lock; ///< guards the setting, which the program may change at any time
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(format_lock); });

} // namespace

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
    values.native_thread_id = this_thread_number();
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
