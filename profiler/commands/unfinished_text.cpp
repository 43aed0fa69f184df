#include "profiler/commands/unfinished_text.h"

#include <algorithm>
#include <fmt/core.h>

#include "profiler/commands/figure_text.h"

namespace loomp::cli {

using namespace analysis;

namespace {

constexpr std::size_t kMostCalls = 10;
constexpr std::size_t kMostSends = 5;

std::string counted(std::size_t count, const char *what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Ranks with ranges: 0-3, 5.
std::string rank_list(const std::vector<Index> &ranks) {
    std::string text;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", ranks[i]);
        if (last > i)
            text += fmt::format("-{}", ranks[last]);
        i = last + 1;
    }
    return (ranks.size() == 1 ? "rank " : "ranks ") + text;
}

std::string task_text(const Trace &trace, Index kind) {
    return kind == kNone ? "outside tasks" : "in " + in_line(label_of(trace, kind));
}

/// The other side of a send or receive, and its tag.
std::string envelope_text(const Request &request) {
    const bool receives = request.kind == RequestKind::receive;
    const std::string peer =
        request.peer == kNone ? "any rank" : fmt::format("rank {}", request.peer);
    const std::string tag = request.tag == kAnyTag ? "any tag" : fmt::format("tag {}", request.tag);
    return fmt::format("{} {}, {}", receives ? "from" : "to", peer, tag);
}

std::string describe(const Trace &trace, const OpenCalls &calls) {
    const Index rank = trace.tasks[trace.calls[calls.call].task].rank;
    std::string text = fmt::format(
        "{} x {} {}, {}rank {}", calls.count, in_line(label_of(trace, calls.function, "a call")),
        task_text(trace, calls.kind), calls.count == 1 ? "" : "for example ", rank);
    if (calls.request != kNone && trace.requests[calls.request].kind != RequestKind::collective)
        text += " " + envelope_text(trace.requests[calls.request]);
    return text;
}

std::string describe(const Trace &trace, const LonelySend &lonely) {
    const Request &send = trace.requests[lonely.send];
    const Call &call = trace.calls[send.start_call];
    const Task &task = trace.tasks[call.task];
    std::string text = fmt::format(
        "{} {}, rank {} {}", in_line(label_of(trace, call.function, "a call")),
        task_text(trace, task.implicit ? kNone : task.kind), send.rank, envelope_text(send));
    if (lonely.receive == kNone)
        return text;
    const Request &receive = trace.requests[lonely.receive];
    const bool other = receive.communicator != send.communicator;
    return text + fmt::format("; rank {} waits for a message {}{}", receive.rank,
                              envelope_text(receive), other ? ", in another communicator" : "");
}

template <class Item>
void add_some(std::vector<std::string> &lines, const Trace &trace, const std::vector<Item> &items,
              std::size_t most, const char *of) {
    for (std::size_t i = 0; i < std::min(items.size(), most); ++i)
        lines.push_back("    " + describe(trace, items[i]));
    if (items.size() > most)
        lines.push_back(fmt::format("    and {} more {}", items.size() - most, of));
}

} // namespace

std::vector<std::string> lines_of(const Trace &trace, const Unfinished &unfinished) {
    std::vector<std::string> lines = {fmt::format(
        "the run was cut off: {} killed, or called _exit(); the last event is {:.6f} s after the "
        "run's begin",
        rank_list(unfinished.ranks) + (unfinished.ranks.size() == 1 ? " was" : " were"),
        s(unfinished.last_progress - trace.run().begin))};
    const std::pair<std::size_t, const char *> states[] = {
        {unfinished.not_begun, "not begun"},
        {unfinished.in_calls, "in MPI calls"},
        {unfinished.for_events, "waiting for the event of their detach clause"},
        {unfinished.others, "in their code, or waiting for other tasks"}};
    std::string text;
    for (const auto &[count, state] : states)
        if (count > 0)
            text += fmt::format("{}{} {}", text.empty() ? ": " : "; ", count, state);
    if (unfinished.tasks() > 0)
        lines.push_back("  " + counted(unfinished.tasks(), "unfinished task") + text);
    if (!unfinished.calls.empty())
        lines.emplace_back("  MPI calls that did not return, the rarest first");
    add_some(lines, trace, unfinished.calls, kMostCalls, "kinds");
    if (!unfinished.sends.empty())
        lines.emplace_back("  sends without a receive");
    add_some(lines, trace, unfinished.sends, kMostSends, "sends");
    return lines;
}

void print_unfinished(const Trace &trace, const std::optional<Unfinished> &unfinished) {
    if (!unfinished)
        return;
    for (const std::string &line : lines_of(trace, *unfinished))
        fmt::print("{}\n", line);
    fmt::print("\n");
}

} // namespace loomp::cli
