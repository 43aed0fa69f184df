#include "mpi/waiting/job_hang.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "platform/atomic.h"
#include "platform/clock.h"

namespace loomp::mpi {

namespace {

/// Nothing moves in a job whose ranks are all here and all idle.
constexpr double kQuick = 5;

Snapshot (*list_calls)() = nullptr;
/// The runtime's thread for reports owns it, between begin() and end(). It is never destroyed: the
/// process may exit while that thread looks.
Meeting *meeting = nullptr;
Snapshot taken;
JobOfRanks job; ///< constant after learn_place_in_job()
/// Between begin() and end().
Atomic<bool> is_observed{false};

void write(const std::string &text) { std::fwrite(text.data(), 1, text.size(), stderr); }

std::vector<std::string> lines_of(std::size_t (*get)(char *, std::size_t)) {
    char text[4096] = "";
    get(text, sizeof text);
    std::vector<std::string> lines;
    for (char *line = text, *end; *line != '\0'; line = end) {
        end = line + std::strcspn(line, "\n");
        lines.emplace_back(line, end);
        end += *end == '\0' ? 0 : 1;
    }
    return lines;
}

void begin(void *) {
    taken = list_calls();
    is_observed.store(true, std::memory_order_relaxed);
}

void look(void *, double seconds, int others_pend) {
    const std::int64_t now = core::nanoseconds();
    if (!meeting->is_there()) {
        taken.find_places();
        taken.state.idle_since = now - static_cast<std::int64_t>(seconds * 1e9);
        taken.state.others_pend = others_pend != 0;
        taken.state.events = lines_of(loomp_lost_events);
        taken.state.locks = lines_of(loomp_held_locks);
        meeting->come(std::move(taken.state));
    }
    const double bound = loomp_report_stuck_after();
    write(meeting->look(now, std::min(kQuick, bound), bound));
}

void end(void *) {
    meeting->leave();
    is_observed.store(false, std::memory_order_relaxed);
}

long describe(void *, char *text, std::size_t size, int is_late, int for_signal) {
    const std::int64_t now = core::nanoseconds();
    std::string report;
    if (!meeting->describe(now, for_signal != 0, report)) {
        if (is_late == 0)
            return -1;
        report = meeting->describe_known(now);
    }
    const std::size_t length = std::min(report.size(), size);
    std::copy_n(report.data(), length, text);
    return static_cast<long>(length);
}

constexpr loomp_hang_observer_t kObserver = {begin, look, end, describe};

/// Tasks get no stacks.
void report_alone(void *, double seconds) {
    if (is_observed.load(std::memory_order_relaxed))
        return;
    Snapshot own = list_calls();
    const std::int64_t now = core::nanoseconds();
    if (own.state.calls.empty())
        return; // the calls completed while this waited for the gate
    own.find_places();
    own.state.idle_since = now - static_cast<std::int64_t>(seconds * 1e9);
    write(hang_report({own.state}, job, now));
}

} // namespace

void learn_place_in_job(PlaceInJob place) {
    job = {.size = place.size, .on_node = place.on_node, .ended = {}, .finishing = {}};
    if (meeting == nullptr)
        meeting = new Meeting(std::move(place));
}

void watch_for_hangs(loomp_poller_t *poller, Snapshot (*list)()) {
    list_calls = list;
    loomp_poller_when_stuck(poller, report_alone);
    loomp_observe_hangs(poller, &kObserver);
}

} // namespace loomp::mpi
