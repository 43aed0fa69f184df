#include "profiler/view/page_tables.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/communication.h"
#include "profiler/metrics/iterations.h"
#include "profiler/metrics/run_times.h"
#include "profiler/trace/calls.h"

namespace loomp::analysis {

namespace {

constexpr std::size_t kOverlapParts = 2048;
constexpr std::int64_t kWhats = 8; ///< more than there are in Doing

using Coding = Columns::Coding;

/// 0 stands for none, so that it takes one byte.
std::int64_t or_none(Index index) { return index == kNone ? 0 : std::int64_t{index} + 1; }

class Writer {
  public:
    Writer(const Trace &trace, PageTables &tables) : trace_(trace), tables_(tables) {
        number_threads();
        number_tasks();
        set_extent();
    }

    void write(const std::vector<PathPiece> &path) {
        write_segments();
        write_tasks();
        write_dependences();
        write_calls();
        write_doings();
        write_waiting();
        write_device_work();
        write_messages();
        write_path(path);
        write_overlap();
    }

  private:
    /// True if it is on one of the page's threads.
    struct Span {
        Index thread;
        Time begin;
        Time end;
        std::int64_t what;
    };

    void number_threads() {
        std::vector<Index> &order = tables_.threads;
        order.resize(trace_.threads.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
            const Thread &first = trace_.threads[a];
            const Thread &second = trace_.threads[b];
            return std::tie(first.rank, first.number) < std::tie(second.rank, second.number);
        });
        threads_.resize(order.size());
        for (Index i = 0; i < order.size(); ++i)
            threads_[order[i]] = i;
    }

    void number_tasks() {
        for (Index i = 0; i < trace_.tasks.size(); ++i)
            if (!trace_.tasks[i].implicit && !trace_.segments_of(i).empty())
                order_.push_back(i);
        std::stable_sort(order_.begin(), order_.end(), [&](Index a, Index b) {
            return std::tuple(trace_.tasks[a].rank, created(a)) <
                   std::tuple(trace_.tasks[b].rank, created(b));
        });
        tasks_.assign(trace_.tasks.size(), kNone);
        for (Index i = 0; i < order_.size(); ++i)
            tasks_[order_[i]] = i;
        // A nested region is drawn and named as a part of the task that has met it.
        for (Index i = 0; i < tasks_.size(); ++i)
            if (const Task &task = trace_.tasks[i]; task.implicit && task.works())
                tasks_[i] = tasks_[task.owner];
        tables_.tasks = order_.size();
    }

    void set_extent() {
        Interval &extent = tables_.extent;
        extent = {kNever, std::numeric_limits<Time>::min()};
        const auto include = [&](Time begin, Time end) {
            extent.begin = std::min(extent.begin, begin);
            extent.end = std::max(extent.end, end);
        };
        for (const Index task : order_) {
            include(created(task), created(task));
            for (const Segment &segment : trace_.segments_of(task))
                include(segment.begin, segment.end);
        }
        if (const Interval run = trace_.run(); run.length() > 0)
            include(run.begin, run.end);
        for (const Call &call : trace_.calls)
            include(call.begin, call.end);
        for (const DeviceWork &work : trace_.device_work)
            include(work.begin, work.end);
        if (extent.begin == kNever)
            extent = {};
    }

    /// The task's first begin, if its creation is not in the trace.
    Time created(Index task) const {
        return std::min(trace_.tasks[task].created, trace_.segments_of(task).front().begin);
    }
    Time since_origin(Time time) const { return time - tables_.extent.begin; }
    std::int64_t task_or_none(Index task) const {
        return task == kNone ? 0 : or_none(tasks_[task]);
    }

    /// Sorts and writes the times of the spans; returns the count of each thread's spans.
    std::vector<std::size_t> write_spans(const std::string &name, std::vector<Span> &spans,
                                         std::size_t threads) {
        std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) {
            return std::tie(a.thread, a.begin, a.end) < std::tie(b.thread, b.begin, b.end);
        });
        std::vector<std::size_t> counts(threads, 0);
        Columns &columns = tables_.columns;
        columns.begin(name + "_gap"); // since the end of the thread's previous span
        Time before = 0;
        for (const Span &span : spans) {
            if (counts[span.thread]++ == 0)
                before = tables_.extent.begin;
            columns.put(span.begin - before);
            before = span.end;
        }
        columns.add(name + "_length", Coding::plain, spans,
                    [](const Span &span) { return span.end - span.begin; });
        return counts;
    }

    /// Segments need no spans: they are in order already.
    void write_segments() {
        std::vector<Index> segments;
        for (const Index thread : tables_.threads) {
            const std::size_t before = segments.size();
            for (const Index i : trace_.segments_on(thread))
                if (tasks_[trace_.segments[i].task] != kNone)
                    segments.push_back(i);
            tables_.segments.push_back(segments.size() - before);
        }
        const auto add = [&](const char *name, Coding coding, auto value_of) {
            tables_.columns.add(name, coding, segments,
                                [&](Index i) { return value_of(trace_.segments[i]); });
        };
        Index thread = kNone;
        Time before = 0;
        add("segment_gap", Coding::plain, [&](const Segment &segment) {
            if (std::exchange(thread, segment.thread) != segment.thread)
                before = tables_.extent.begin;
            return segment.begin - std::exchange(before, segment.end);
        });
        add("segment_length", Coding::plain,
            [](const Segment &segment) { return segment.end - segment.begin; });
        add("segment_task", Coding::differences,
            [&](const Segment &segment) { return tasks_[segment.task]; });
        add("segment_waited", Coding::plain, [](const Segment &segment) {
            return segment.begin - std::min(segment.ready, segment.begin);
        });
    }

    void write_tasks() {
        const std::vector<Index> iterations = iterations_of(trace_);
        const auto add = [&](const char *name, Coding coding, auto value_of) {
            tables_.columns.add(name, coding, order_, value_of);
        };
        add("task_kind", Coding::plain, [&](Index i) { return or_none(trace_.tasks[i].kind); });
        add("task_created", Coding::differences, [&](Index i) { return since_origin(created(i)); });
        // 0: not in the trace; 1: at its code's end.
        add("task_completed", Coding::plain, [&](Index i) {
            const Time ended = trace_.tasks[i].ended;
            return ended == kNever ? 0 : ended - trace_.segments_of(i).back().end + 1;
        });
        add("task_id_high", Coding::differences, [&](Index i) { return trace_.tasks[i].id >> 32; });
        add("task_id_low", Coding::differences,
            [&](Index i) { return trace_.tasks[i].id & 0xffffffffU; });
        add("task_parent", Coding::differences,
            [&](Index i) { return task_or_none(trace_.tasks[i].parent); });
        add("task_creator", Coding::plain, [&](Index i) {
            const Index creator = trace_.tasks[i].creator;
            return creator == kNone ? 0 : or_none(threads_[creator]);
        });
        add("task_iteration", Coding::differences, [&](Index i) { return iterations[i]; });
    }

    void write_dependences() {
        std::vector<Dependence> edges;
        for (const Dependence &edge : trace_.dependences)
            if (tasks_[edge.from] != kNone && tasks_[edge.to] != kNone)
                edges.push_back({tasks_[edge.from], tasks_[edge.to]});
        std::sort(edges.begin(), edges.end(), [](const Dependence &a, const Dependence &b) {
            return std::tie(a.to, a.from) < std::tie(b.to, b.from);
        });
        std::vector<Index> counts(order_.size(), 0);
        for (const Dependence &edge : edges)
            ++counts[edge.to];
        tables_.columns.add("predecessor_count", Coding::plain, counts,
                            [](Index count) { return count; });
        tables_.columns.add("predecessor_back", Coding::plain, edges, [](const Dependence &edge) {
            return std::int64_t{edge.to} - std::int64_t{edge.from};
        });
    }

    void write_calls() {
        std::vector<Span> spans;
        for (Index task = 0; task < trace_.tasks.size(); ++task)
            visit_calls(trace_, task, [&](const Call &call, const Segment &segment, Interval part) {
                if (part.length() > 0)
                    spans.push_back(
                        {threads_[segment.thread], part.begin, part.end, or_none(call.function)});
            });
        tables_.calls = write_spans("call", spans, trace_.threads.size());
        tables_.columns.add("call_function", Coding::plain, spans,
                            [](const Span &span) { return span.what; });
    }

    /// The threads' activities where no task covers them.
    void write_doings() {
        std::vector<Span> spans;
        visit_doings(trace_, TasksToo::no, [&](Index thread, const Doings &stretch) {
            spans.push_back({threads_[thread], stretch.time.begin, stretch.time.end,
                             or_none(stretch.construct) * kWhats + static_cast<int>(stretch.what)});
        });
        tables_.doings = write_spans("doing", spans, trace_.threads.size());
        tables_.columns.add("doing_what", Coding::plain, spans,
                            [](const Span &span) { return span.what % kWhats; });
        tables_.columns.add("doing_construct", Coding::plain, spans,
                            [](const Span &span) { return span.what / kWhats; });
    }

    void write_waiting() {
        std::vector<Span> spans;
        const auto waiting = waiting_of_ranks(trace_);
        for (Index rank = 0; rank < waiting.size(); ++rank)
            for (const Interval &interval : waiting[rank])
                spans.push_back({rank, interval.begin, interval.end, 0});
        tables_.waiting = write_spans("waiting", spans, trace_.ranks);
    }

    /// Spans in one lane must not overlap. Other tools' archives may break this, so overlaps are
    /// cut.
    void write_device_work() {
        std::vector<Span> spans;
        Time until = 0;
        for (Index i = 0; i < trace_.device_work.size(); ++i) {
            const DeviceWork &work = trace_.device_work[i];
            std::vector<PageTables::DeviceLane> &lanes = tables_.devices;
            if (lanes.empty() ||
                std::tie(lanes.back().rank, lanes.back().device, lanes.back().row) !=
                    std::tie(work.rank, work.device, work.row)) {
                lanes.push_back({work.rank, work.device, work.row, 0});
                until = work.begin;
            }
            ++lanes.back().work;
            const Time begin = std::max(work.begin, until);
            until = std::max(work.end, begin);
            spans.push_back({static_cast<Index>(lanes.size() - 1), begin, until, i});
        }
        write_spans("device", spans, tables_.devices.size());
        const auto add = [&](const char *name, Coding coding, auto value_of) {
            tables_.columns.add(name, coding, trace_.device_work, value_of);
        };
        add("device_what", Coding::plain,
            [](const DeviceWork &work) { return static_cast<int>(work.what); });
        add("device_kind", Coding::differences,
            [](const DeviceWork &work) { return or_none(work.kind); });
        add("device_task", Coding::differences,
            [&](const DeviceWork &work) { return task_or_none(work.task); });
        add("device_bytes", Coding::plain, [](const DeviceWork &work) { return work.bytes; });
        add("device_held", Coding::plain, [](const DeviceWork &work) { return work.held; });
    }

    void write_messages() {
        const auto sent = [&](const Message &message) -> const Request & {
            return trace_.requests[message.send];
        };
        const auto received = [&](const Message &message) -> const Request & {
            return trace_.requests[message.receive];
        };
        std::vector<Message> messages = trace_.messages;
        std::stable_sort(messages.begin(), messages.end(), [&](const Message &a, const Message &b) {
            return sent(a).started < sent(b).started;
        });
        const auto start = [&](const Message &message) -> const Call & {
            return trace_.calls[sent(message).start_call];
        };
        const auto completion = [&](const Message &message) -> const Call & {
            return trace_.calls[received(message).completion_call];
        };
        const auto add = [&](const char *name, Coding coding, auto value_of) {
            tables_.columns.add(name, coding, messages, value_of);
        };
        add("message_sent", Coding::differences,
            [&](const Message &message) { return since_origin(sent(message).started); });
        add("message_flight", Coding::plain,
            [&](const Message &message) { return trace_.flight(message).length(); });
        add("message_from", Coding::plain, [&](const Message &message) {
            return threads_[thread_at(trace_, start(message), sent(message).started)];
        });
        add("message_to", Coding::plain, [&](const Message &message) {
            return threads_[thread_at(trace_, completion(message), received(message).completed)];
        });
        add("message_send_task", Coding::differences,
            [&](const Message &message) { return task_or_none(start(message).task); });
        add("message_receive_task", Coding::differences,
            [&](const Message &message) { return task_or_none(completion(message).task); });
        add("message_bytes", Coding::plain,
            [&](const Message &message) { return sent(message).bytes; });
        add("message_tag", Coding::plain,
            [&](const Message &message) { return sent(message).tag; });
    }

    void write_path(const std::vector<PathPiece> &path) {
        const auto add = [&](const char *name, Coding coding, auto value_of) {
            tables_.columns.add(name, coding, path, value_of);
        };
        add("path_task", Coding::differences,
            [&](const PathPiece &piece) { return task_or_none(piece.task); });
        add("path_thread", Coding::plain,
            [&](const PathPiece &piece) { return threads_[piece.thread]; });
        add("path_begin", Coding::differences,
            [&](const PathPiece &piece) { return since_origin(piece.time.begin); });
        add("path_length", Coding::plain,
            [&](const PathPiece &piece) { return piece.time.length(); });
    }

    void write_overlap() {
        if (trace_.messages.empty() && trace_.collectives.empty())
            return;
        tables_.overlap_parts = kOverlapParts;
        std::vector<Overlap> parts;
        const Interval window = trace_.has_tasks() ? trace_.makespan() : trace_.run();
        for (Index rank = 0; rank < trace_.ranks; ++rank) {
            const auto of_rank =
                overlap_over_time(trace_, rank, window, kOverlapParts, Flights::all);
            parts.insert(parts.end(), of_rank.begin(), of_rank.end());
        }
        tables_.columns.add("overlap_work", Coding::plain, parts,
                            [](const Overlap &part) { return part.work; });
        tables_.columns.add("overlap_flight", Coding::plain, parts,
                            [](const Overlap &part) { return part.communication; });
    }

    const Trace &trace_;
    PageTables &tables_;
    std::vector<Index> threads_; ///< the page's number for each of the trace's
    std::vector<Index> tasks_;   ///< the page's number for each of the trace's tasks; kNone: not in
                                 ///< the page
    std::vector<Index> order_;   ///< the trace's number for each of the page's tasks
};

} // namespace

PageTables tables_of(const Trace &trace, const std::vector<PathPiece> &path) {
    PageTables tables;
    Writer(trace, tables).write(path);
    return tables;
}

} // namespace loomp::analysis
