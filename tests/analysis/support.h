// Traces made by hand: events in seconds, tasks and kinds by name.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "profiler/build/trace_builder.h"

namespace loomp::analysis {

inline Time ns(double seconds) { return std::llround(seconds * 1e9); }

/// A TraceBuilder with names.
class Events {
  public:
    TraceBuilder builder;

    /// `name` is rank.thread.
    Index thread(const std::string &name) {
        const auto found = threads_.find(name);
        if (found != threads_.end())
            return found->second;
        const auto dot = name.find('.');
        const Index rank = std::stoul(name.substr(0, dot));
        while (ranks_ <= rank)
            ranks_ = builder.add_rank() + 1;
        return threads_[name] = builder.add_thread(rank, std::stoul(name.substr(dot + 1)));
    }

    std::uint64_t id(const std::string &task) {
        return ids_.try_emplace(task, ids_.size()).first->second;
    }

    /// Each task is a kind of its own.
    void create(const std::string &on, double when, const std::string &task) {
        builder.create(thread(on), ns(when), id(task), builder.add_kind(task, ""));
    }
    void run(const std::string &on, double when, const std::string &task) {
        builder.run(thread(on), ns(when), id(task));
    }
    void leave(const std::string &on, double when, Leaving why = Leaving::ended) {
        builder.leave(thread(on), ns(when), why);
    }
    /// Created by no particular task when it starts, and run without a break.
    void task(const std::string &on, double start, double end, const std::string &task) {
        create(on, start, task);
        run(on, start, task);
        leave(on, end);
    }
    void depend(Index rank, const std::string &from, const std::string &to) {
        builder.depend(rank, id(from), id(to));
    }

    /// Calls of no duration, of the thread's current task.
    void start(const std::string &on, double when, std::uint64_t request, RequestKind kind,
               Index peer = kNone, std::int32_t tag = 0) {
        builder.start(thread(on), ns(when), request, {.kind = kind, .peer = peer, .tag = tag});
    }
    void finish(const std::string &on, double when, std::uint64_t request) {
        builder.finish(thread(on), ns(when), request);
    }

    Trace take() { return builder.take(); }

  private:
    std::map<std::string, Index> threads_;
    std::map<std::string, std::uint64_t> ids_;
    Index ranks_ = 0;
};

/// The index of the task with that name, whose kind has the name as its label.
inline Index find_task(const Trace &trace, const std::string &name) {
    for (Index i = 0; i < trace.tasks.size(); ++i)
        if (trace.tasks[i].kind != kNone && trace.kinds[trace.tasks[i].kind].label == name)
            return i;
    return kNone;
}

} // namespace loomp::analysis
