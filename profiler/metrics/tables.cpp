#include "profiler/metrics/tables.h"

#include <algorithm>
#include <functional>
#include <span>

namespace loomp::analysis {

namespace {

/// A column with the computation of its values.
template <typename Of> struct Figure : Column {
    std::function<Value(const Of &)> value;
};

Value share(Time part, Time whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

Value name_of(const Trace &trace, Index kind) {
    return kind == kNone ? Value() : Value(trace.kinds[kind].label);
}
Value source_of(const Trace &trace, Index kind) {
    return kind == kNone || trace.kinds[kind].source.empty() ? Value()
                                                             : Value(trace.kinds[kind].source);
}

std::string rank_label(std::size_t rank) { return "rank " + std::to_string(rank); }
std::string thread_label(const Thread &thread) {
    return rank_label(thread.rank) + " thread " + std::to_string(thread.number);
}

template <typename Of> Row row_of(const std::vector<Figure<Of>> &figures, const Of &figured) {
    Row row;
    for (const Figure<Of> &figure : figures)
        row.values.push_back(figure.value(figured));
    return row;
}

template <typename Of> Table with_columns(Table table, const std::vector<Figure<Of>> &figures) {
    table.columns.assign(figures.begin(), figures.end());
    return table;
}

/// A row for each of `rows`, which have a kind, by its name.
template <typename Of>
Table of_kinds(const Trace &trace, Table table, Index Of::*kind, const std::vector<Of> &rows,
               const std::vector<Figure<Of>> &figures) {
    table = with_columns(std::move(table), figures);
    table.columns.insert(table.columns.begin(), {"name", Unit::text, ""});
    for (const Of &figured : rows) {
        Row &row = table.rows.emplace_back(row_of(figures, figured));
        row.kind = figured.*kind;
        row.label = label_of(trace, row.kind);
        row.values.insert(row.values.begin(), name_of(trace, row.kind));
    }
    return table;
}

/// The source of a row's kind.
template <typename Of> Figure<Of> source(const Trace &trace) {
    return {{"source", Unit::text, "", 0, "Source"},
            [&trace](const Of &row) { return source_of(trace, row.kind); }};
}

/// A row for all threads, each rank and each thread.
template <typename Of>
Table of_threads(const Trace &trace, Table table, const Of &all,
                 const std::function<Of(Index rank)> &of_rank, const std::vector<Of> &threads,
                 const std::vector<Figure<Of>> &figures) {
    table = with_columns(std::move(table), figures);
    table.columns.insert(table.columns.begin(),
                         {{"rank", Unit::count, ""}, {"thread", Unit::count, ""}});
    const auto add = [&](const Of &figured, std::string label, Row::Level level, Value rank,
                         Value thread) -> Row & {
        Row &row = table.rows.emplace_back(row_of(figures, figured));
        row.values.insert(row.values.begin(), {std::move(rank), std::move(thread)});
        row.label = std::move(label);
        row.level = level;
        return row;
    };
    add(all, "all", Row::Level::always, {}, {});
    for (Index rank = 0; rank < trace.ranks; ++rank)
        add(of_rank(rank), rank_label(rank), Row::Level::rank, rank, {}).rank = rank;
    for (Index i = 0; i < trace.threads.size(); ++i) {
        const Thread &thread = trace.threads[i];
        if (!thread.stands_in)
            add(threads[i], thread_label(thread), Row::Level::thread, thread.rank, thread.number)
                .rank = thread.rank;
    }
    return table;
}

/// A column of a table of one row.
struct Single : Column {
    Value value;

    Single(const char *name, Unit unit, const char *text, Value value)
        : Column{name, unit, text}, value(std::move(value)) {}
};

/// A table of one row, without the values that are missing.
Table one_row(const char *name, const std::vector<Single> &figures) {
    Table table{.name = name, .title = "", .width = 0, .one_row = true};
    Row &row = table.rows.emplace_back();
    for (const Single &single : figures)
        if (!single.value.is_missing()) {
            table.columns.push_back(single);
            row.values.push_back(single.value);
        }
    return table;
}

Table summary_of(const Trace &trace, const Figures &figures) {
    const bool tasks = trace.has_tasks();
    const auto if_tasks = [&](const Value &value) { return tasks ? value : Value(); };
    const auto in_window = [&](auto begin_or_end) {
        return figures.window ? Value((*figures.window).*begin_or_end - figures.whole.begin)
                              : Value();
    };
    const auto if_whole = [&](const Value &value) { return figures.window ? Value() : value; };
    const char *const read_first =
        tasks ? "the shares of work, overhead and idle; POP's parallel efficiency; the average "
                "parallelism"
              : "serial and waiting in the run; POP's parallel efficiency; the imbalance of the "
                "longest region or loop";
    const NotRecorded none = figures.not_recorded.value_or(NotRecorded{});
    const auto if_missing = [&](const Value &value) {
        return figures.not_recorded ? value : Value();
    };
    return one_row(
        "summary",
        {{"ranks", Unit::count, "ranks {}", trace.ranks},
         {"threads", Unit::count, ", threads {}", trace.count_threads()},
         {"tasks", Unit::count, ", tasks {}", figures.tasks},
         {"dependences", Unit::count, ", dependences {}", trace.dependences.size()},
         {"messages", Unit::count, ", messages {}\n", trace.messages.size()},
         {"run_s", Unit::seconds, "\nrun {} s", figures.run.length()},
         {"before_first_task_s", Unit::seconds, ": {} s before the first task",
          if_tasks(figures.whole.begin - figures.run.begin)},
         {"after_last_task_s", Unit::seconds, ", {} s after the last",
          if_tasks(figures.run.end - figures.whole.end)},
         {"makespan_s", Unit::seconds, "\nmakespan {} s", if_tasks(figures.whole.length())},
         {"", Unit::text, "{}", "\n"},
         {"", Unit::text, "read first: {}\n", if_whole(read_first)},
         {"from_s", Unit::seconds, "what follows is of the time from {} s",
          in_window(&Interval::begin)},
         {"to_s", Unit::seconds, " to {} s, and of tasks and calls that began in it\n",
          in_window(&Interval::end)},
         {"not_recorded_s", Unit::seconds, "not recorded: {} s of the threads' time",
          if_missing(none.time)},
         {"not_recorded_share", Unit::share, ", {}", if_missing(share(none.time, none.whole))},
         {"tasks_without_creation", Unit::count, "; and how {} of the tasks were created\n",
          if_missing(none.uncreated)}});
}

/// The text has it in sentences, before all tables.
Table cut_off_of(const Trace &trace, const Unfinished &unfinished) {
    std::size_t calls = 0;
    for (const OpenCalls &group : unfinished.calls)
        calls += group.count;
    return one_row(
        "unfinished",
        {{"ranks", Unit::count, "", unfinished.ranks.size()},
         {"last_event_s", Unit::seconds, "", unfinished.last_progress - trace.run().begin},
         {"tasks", Unit::count, "", unfinished.tasks()},
         {"tasks_not_begun", Unit::count, "", unfinished.not_begun},
         {"tasks_in_mpi", Unit::count, "", unfinished.in_calls},
         {"tasks_waiting_for_events", Unit::count, "", unfinished.for_events},
         {"mpi_calls", Unit::count, "", calls},
         {"sends_without_receive", Unit::count, "", unfinished.sends.size()}});
}

Table run_of(const Trace &trace, const Figures &figures) {
    RunTimes all;
    for (const RunTimes &times : figures.run_times)
        all += times;
    const auto doing = [](const char *name, const char *text, Doing what) {
        return Figure<RunTimes>{{name, Unit::seconds, text, 12},
                                [what](const RunTimes &times) { return times[what]; }};
    };
    Table table = of_threads<RunTimes>(
        trace, {"run", "threads in the run, s", 22}, all,
        [&](Index rank) { return run_times_of_rank(trace, figures, rank); }, figures.run_times,
        {{{"total_s", Unit::seconds, "total", 12}, &RunTimes::total},
         doing("tasks_s", "tasks", Doing::tasks),
         doing("mpi_s", "MPI", Doing::mpi),
         doing("waiting_s", "waiting", Doing::waiting),
         doing("worksharing_s", "worksharing", Doing::shared),
         doing("regions_s", "regions", Doing::regions),
         doing("serial_s", "serial", Doing::serial),
         doing("outside_s", "outside", Doing::outside)});
    table.rows.front().note =
        "  (serial: code outside regions; outside: threads that are in no region meanwhile)";
    return table;
}

Table times_of(const Trace &trace, const TimeBreakdown &times) {
    const auto share_of = [](Time Breakdown::*part) {
        return Figure<Breakdown>{{"", Unit::share, "", 6},
                                 [part](const auto &row) { return share(row.*part, row.total()); }};
    };
    return of_threads<Breakdown>(
        trace, {"times", "time of threads, s", 22}, times.total(),
        [&](Index rank) { return times.of_rank(trace, rank); }, times.threads,
        {{{"total_s", Unit::seconds, "total", 12}, &Breakdown::total},
         {{"work_s", Unit::seconds, "work", 12}, &Breakdown::work},
         share_of(&Breakdown::work),
         {{"overhead_s", Unit::seconds, "overhead", 12}, &Breakdown::overhead},
         share_of(&Breakdown::overhead),
         {{"idle_s", Unit::seconds, "idle", 12}, &Breakdown::idle},
         share_of(&Breakdown::idle)});
}

/// Threads that take the place of suspended ones: only the text shows them.
Table stand_ins_of(const Trace &trace, Interval window) {
    std::size_t count = 0;
    Time time = 0;
    for (const Segment &segment : trace.segments)
        if (trace.threads[segment.thread].stands_in && !trace.tasks[segment.task].implicit &&
            window.contains(segment.begin)) {
            ++count;
            time += segment.end - segment.begin;
        }
    return one_row(
        "", {{"", Unit::count, "stand-ins: {}", trace.threads.size() - trace.count_threads()},
             {"", Unit::count, "; tasks that they began for the threads: {}", count},
             {"", Unit::seconds, ", in {} s beside their time\n", time}});
}

Table efficiencies_of(const Trace &trace, const Efficiencies &found) {
    Table table{.name = "efficiencies",
                .title = "POP efficiencies",
                .width = 22,
                .columns = {{"name", Unit::text, ""},
                            {"rank", Unit::count, ""},
                            {"parallel", Unit::ratio, "parallel", 12},
                            {"load_balance", Unit::ratio, "load balance", 14},
                            {"communication", Unit::ratio, "communication", 14}}};
    const auto add = [&](const char *name, const Efficiency &efficiency) {
        table.rows.push_back(
            {name,
             {name, {}, efficiency.parallel(), efficiency.balance, efficiency.communication}});
    };
    add("all", found.hybrid);
    std::string &note = table.rows.back().note;
    if (trace.calls.empty())
        note = "  (no MPI: communication is the share of the time in which the busiest thread "
               "computes)\n";
    else if (trace.has_tasks())
        note = "  (of computation only: work, above, also has the MPI calls of tasks)\n";
    note += "  (not computed: serialisation and transfer, the two factors of communication; "
            "computation scaling\n"
            "   and global efficiency, which compare runs: loomp compare)";
    if (trace.calls.empty())
        return table;
    add("MPI", found.mpi);
    add("OpenMP", found.openmp);
    if (found.openmp.balance > 1)
        table.rows.back().note = "OpenMP's load balance is a quotient: above 1, threads are more "
                                 "alike than the ranks' times out of MPI";
    for (Index rank = 0; rank < trace.ranks; ++rank)
        table.rows.push_back({.label = rank_label(rank),
                              .values = {"rank", rank, found.ranks[rank]},
                              .rank = rank,
                              .level = Row::Level::rank});
    return table;
}

Table discovery_of(const Trace &trace, const std::vector<Discovery> &producers) {
    const std::vector<Figure<Discovery>> figures = {
        {{"rank", Unit::count, ""},
         [&](const auto &row) { return trace.threads[row.thread].rank; }},
        {{"thread", Unit::count, ""},
         [&](const auto &row) { return trace.threads[row.thread].number; }},
        {{"tasks", Unit::count, "tasks", 12}, &Discovery::tasks},
        {{"time_s", Unit::seconds, "time, s", 12},
         [](const auto &row) { return row.time.length(); }},
        {{"per_task_us", Unit::microseconds, "us a task", 12}, &Discovery::per_task}};
    Table table = with_columns({"discovery", "discovery", 22}, figures);
    for (const Discovery &discovery : producers)
        table.rows.emplace_back(row_of(figures, discovery)).label =
            thread_label(trace.threads[discovery.thread]);
    if (!table.rows.empty())
        table.rows.front().note =
            "  (time: from the first creation to the last; a task: from one creation to the next, "
            "with the\n   creator's own code, without waits and tasks that it ran)";
    return table;
}

/// A row for each rank, by its number.
template <typename Of>
Table of_ranks(Table table, const std::vector<Of> &ranks, const std::vector<Figure<Of>> &figures) {
    table = with_columns(std::move(table), figures);
    table.columns.insert(table.columns.begin(), {"rank", Unit::count, ""});
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        Row &row = table.rows.emplace_back(row_of(figures, ranks[rank]));
        row.label = rank_label(rank);
        row.values.insert(row.values.begin(), rank);
    }
    return table;
}

Table deletions_of(const std::vector<Deletions> &ranks) {
    return of_ranks<Deletions>(
        {"deletions", "tasks deleted", 22}, ranks,
        {{{"deleted", Unit::count, "tasks", 12}, &Deletions::deleted},
         {{"left", Unit::count, "left", 12}, &Deletions::left},
         {{"most_at_once", Unit::count, "at once", 12}, &Deletions::at_once},
         {{"mean_after_end_us", Unit::microseconds, "after end, us", 16}, &Deletions::mean},
         {{"longest_after_end_us", Unit::microseconds, "longest", 12}, &Deletions::longest}});
}

Table critical_path_of(const Trace &trace, const Figures &figures) {
    const std::optional<CriticalPath> &path = figures.path;
    if (!path)
        return {.name = "critical_path",
                .title = "",
                .width = 0,
                .one_row = true,
                .if_empty = "\nno critical path: the trace has a cycle of dependences\n"};
    const auto threads = static_cast<unsigned>(std::max<std::size_t>(1, trace.count_threads()));
    const std::optional<CriticalPath> &with = figures.path_with_waits;
    const auto of_waits = [&](auto value) { return with ? Value(value(*with)) : Value(); };
    return one_row(
        "critical_path",
        {{"length_s", Unit::seconds, "\ncritical path           {} s", path->length},
         {"work_s", Unit::seconds, " of {} s of work", path->work},
         {"parts", Unit::count, ", {} tasks or parts of tasks\n", path->nodes.size()},
         {"average_parallelism", Unit::number, "average parallelism     {}\n",
          path->average_parallelism()},
         {"threads", Unit::count, "on {} threads", threads},
         {"at_least_s", Unit::seconds, ", at least {} s", path->lower_bound(threads)},
         {"greedily_at_most_s", Unit::seconds, ", greedily at most {} s\n",
          path->upper_bound(threads)},
         {"with_waits_length_s", Unit::seconds, "with creation and waits {} s",
          of_waits([](const auto &row) { return row.length; })},
         {"with_waits_parts", Unit::count, "",
          of_waits([](const auto &row) { return row.nodes.size(); })},
         {"with_waits_average_parallelism", Unit::number, ", average parallelism {}",
          of_waits([](const auto &row) { return row.average_parallelism(); })},
         {"", Unit::count, "; on {} threads", of_waits([&](const auto &) { return threads; })},
         {"with_waits_at_least_s", Unit::seconds, ", at least {} s",
          of_waits([&](const auto &row) { return row.lower_bound(threads); })},
         {"with_waits_greedily_at_most_s", Unit::seconds, ", greedily at most {} s\n",
          of_waits([&](const auto &row) { return row.upper_bound(threads); })}});
}

Table graph_of(const Degrees &degrees) {
    return one_row("graph",
                   {{"nodes", Unit::count, "graph                   {} nodes", degrees.nodes},
                    {"edges", Unit::count, ", {} edges", degrees.edges},
                    {"degree_least", Unit::count, "; of a node {}", degrees.all.least},
                    {"", Unit::count, " to {}", degrees.all.most},
                    {"degree_mean", Unit::number, ", mean {}", degrees.all.mean},
                    {"degree_median", Unit::count, ", median {}\n", degrees.all.median},
                    {"degree_most", Unit::count, "", degrees.all.most},
                    {"in_degree_least", Unit::count, "", degrees.in.least},
                    {"in_degree_mean", Unit::number, "", degrees.in.mean},
                    {"in_degree_median", Unit::count, "", degrees.in.median},
                    {"in_degree_most", Unit::count, "", degrees.in.most},
                    {"out_degree_least", Unit::count, "", degrees.out.least},
                    {"out_degree_mean", Unit::number, "", degrees.out.mean},
                    {"out_degree_median", Unit::count, "", degrees.out.median},
                    {"out_degree_most", Unit::count, "", degrees.out.most}});
}

Table device_kinds_of(const Trace &trace, const Figures &figures) {
    return of_kinds<DeviceKindRow>(
        trace, {.name = "on_devices", .title = "on devices", .width = 30, .limited = true},
        &DeviceKindRow::kind, figures.device_kinds,
        {source<DeviceKindRow>(trace),
         {{"count", Unit::count, "count", 10}, &DeviceKindRow::count},
         {{"bytes", Unit::bytes, ""}, &DeviceKindRow::bytes},
         {{"time_s", Unit::seconds, "time, s", 12}, &DeviceKindRow::time},
         {{"held_s", Unit::seconds, ""}, &DeviceKindRow::held},
         {{"mean_us", Unit::microseconds, "mean, us", 12}, &DeviceKindRow::mean},
         {{"shortest_us", Unit::microseconds, "shortest", 12}, &DeviceKindRow::shortest},
         {{"median_us", Unit::microseconds, "median", 12}, &DeviceKindRow::median},
         {{"longest_us", Unit::microseconds, "longest", 12}, &DeviceKindRow::longest}});
}

} // namespace

Table kinds_of(const Trace &trace, const Figures &figures) {
    Time work = 0;
    for (const KindRow &row : figures.kinds)
        work += row.work;
    std::vector<Figure<KindRow>> columns = {
        source<KindRow>(trace),
        {{"count", Unit::count, "count", 10, "Tasks"}, &KindRow::count},
        {{"work_s", Unit::seconds, "work, s", 12, "Work, s"}, &KindRow::work},
        {{"", Unit::share, "", 6, "of all work"},
         [work](const auto &row) { return share(row.work, work); }},
        {{"mean_us", Unit::microseconds, "mean, us", 10, "Mean, \u00b5s",
          "The grain: work of a task"},
         &KindRow::mean},
        {{"shortest_us", Unit::microseconds, "shortest", 10, "Shortest, \u00b5s"},
         &KindRow::shortest},
        {{"median_us", Unit::microseconds, "median", 10, "Median, \u00b5s"}, &KindRow::median},
        {{"longest_us", Unit::microseconds, "longest", 10, "Longest, \u00b5s"}, &KindRow::longest}};
    for (std::size_t i = 0; i < trace.counters.size(); ++i) {
        const std::string &name = trace.counters[i];
        columns.push_back({{name, Unit::count, name, std::max<std::size_t>(14, name.size())},
                           [i](const auto &row) { return row.counts[i]; }});
    }
    if (counts_instructions_per_cycle(trace))
        columns.push_back({{"instructions_per_cycle", Unit::ratio, "IPC", 8}, [&](const auto &row) {
                               const auto ipc = instructions_per_cycle(trace, row);
                               return ipc ? Value(*ipc) : Value();
                           }});
    return of_kinds<KindRow>(
        trace,
        {.name = "kinds", .title = "kind of task", .width = 30, .page = "Kind", .limited = true},
        &KindRow::kind, figures.kinds, columns);
}

Table constructs_of(const Trace &trace, const Figures &figures) {
    Table table = of_kinds<ConstructRow>(
        trace,
        {.name = "constructs",
         .title = "regions and loops",
         .width = 30,
         .page = "Construct",
         .limited = true},
        &ConstructRow::kind, figures.constructs,
        {source<ConstructRow>(trace),
         {{"count", Unit::count, "count", 10, "Count", "How often a team came to it"},
          &ConstructRow::count},
         {{"threads", Unit::count, "threads", 8, "Threads"}, &ConstructRow::threads},
         {{"time_s", Unit::seconds, "time, s", 12, "Time, s",
           "From the first member's beginning to the last one's end; for barriers, the time that a "
           "thread waited, on average"},
          &ConstructRow::time},
         {{"work_s", Unit::seconds, "work, s", 12, "Work, s", "The work of all threads"},
          &ConstructRow::work},
         {{"waiting_s", Unit::seconds, "waiting, s", 12, "Waiting, s",
           "The time of all threads in barriers"},
          &ConstructRow::waiting},
         {{"imbalance", Unit::share, "imbalance", 10, "Imbalance",
           "The part of the longest work that is above the average"},
          [](const auto &row) { return row.barrier ? Value() : Value(row.imbalance_share()); }}});
    const auto implicit = std::find_if(table.rows.begin(), table.rows.end(), [](const Row &row) {
        return row.label.starts_with("implicit barrier");
    });
    if (implicit != table.rows.end())
        implicit->note = "  (the ends of regions and loops, whose time contains this waiting)";
    return table;
}

Table named_regions_of(const Trace &trace, const Figures &figures) {
    return of_kinds<UserRegionRow>(
        trace,
        {.name = "named_regions",
         .title = "named region",
         .width = 30,
         .page = "Region",
         .limited = true},
        &UserRegionRow::kind, figures.user_regions,
        {{{"count", Unit::count, "count", 10, "Count"}, &UserRegionRow::count},
         {{"time_s", Unit::seconds, "time, s", 12, "Time, s", "From beginnings to ends"},
          &UserRegionRow::time},
         {{"on_thread_s", Unit::seconds, "on thread, s", 12, "On thread, s",
           "The part while the task had a thread; outside of tasks, without the tasks that ran "
           "meanwhile"},
          &UserRegionRow::on_thread},
         {{"mean_us", Unit::microseconds, "mean, us", 12, "Mean, \u00b5s"}, &UserRegionRow::mean},
         {{"shortest_us", Unit::microseconds, "shortest", 12, "Shortest, \u00b5s"},
          &UserRegionRow::shortest},
         {{"longest_us", Unit::microseconds, "longest", 12, "Longest, \u00b5s"},
          &UserRegionRow::longest}});
}

Table functions_of(const Trace &trace, const Figures &figures) {
    return of_kinds<FunctionRow>(
        trace, {.name = "mpi", .title = "MPI", .width = 30, .page = "Function"},
        &FunctionRow::function, figures.functions,
        {{{"calls", Unit::count, "calls", 10, "Calls"}, &FunctionRow::count},
         {{"time_s", Unit::seconds, "time, s", 12, "Time, s", "From calls to their returns"},
          &FunctionRow::time},
         {{"on_thread_s", Unit::seconds, "on thread, s", 12, "On thread, s",
           "The part while the task had a thread"},
          &FunctionRow::on_thread}});
}

Table communication_of(const Figures &figures) {
    struct Sent : RankOverlap {
        Ratios ratios;
    };
    std::vector<Sent> ranks;
    ranks.reserve(figures.sent.size());
    for (std::size_t rank = 0; rank < figures.sent.size(); ++rank)
        ranks.push_back({figures.sent[rank], figures.ratios[rank]});
    return of_ranks<Sent>(
        {.name = "communication", .title = "communication", .width = 22, .page = "Rank"}, ranks,
        {{{"messages", Unit::count, "messages", 10, "Messages", "Sent to other ranks"},
          [](const auto &row) { return row.messages.flights; }},
         {{"in_flight_s", Unit::seconds, "in flight, s", 14},
          [](const auto &row) { return row.messages.communication; }},
         {{"overlap", Unit::share, "overlap", 10},
          [](const auto &row) { return row.messages.ratio(); }},
         {{"collectives", Unit::count, "collectives", 12, "Collectives"},
          [](const auto &row) { return row.collectives.flights; }},
         {{"collectives_in_flight_s", Unit::seconds, "in flight, s", 14},
          [](const auto &row) { return row.collectives.communication; }},
         {{"collectives_overlap", Unit::share, "overlap", 10},
          [](const auto &row) { return row.collectives.ratio(); }},
         {{"collectives_share", Unit::share, ""}, &Sent::share_of_collectives},
         {{"", Unit::seconds, "", 0, "In flight, s", "Messages and collectives, summed"},
          [](const auto &row) { return row.all().communication; }},
         {{"overall_overlap", Unit::share, "of both", 10, "Overlap",
           "Share of the threads that compute while messages and collectives are in flight"},
          [](const auto &row) { return row.all().ratio(); }},
         {{"r_comm", Unit::ratio, "r_comm", 10, "r_comm",
           "Time with a thread in MPI, over the makespan"},
          [](const auto &row) { return row.ratios.r_comm(); }},
         {{"r_comm_in_flight", Unit::ratio, "r_comm_in_flight", 16, "r_comm_in_flight",
           "Time with a request in flight, over the makespan"},
          [](const auto &row) { return row.ratios.r_comm_in_flight(); }},
         {{"r_act", Unit::ratio, "r_act", 10, "r_act",
           "Code of tasks, over makespan times threads"},
          [](const auto &row) { return row.ratios.r_act(); }}});
}

Table devices_of(const Figures &figures) {
    const std::vector<Figure<DeviceRow>> columns = {
        {{"rank", Unit::count, ""}, &DeviceRow::rank},
        {{"device", Unit::count, ""}, &DeviceRow::device},
        {{"kernels", Unit::count, "kernels", 10, "Kernels"}, &DeviceRow::kernels},
        {{"kernels_s", Unit::seconds, "time, s", 12, "Kernels, s", "Summed, also of those at once"},
         &DeviceRow::kernel_time},
        {{"", Unit::count, "copies", 10, "Copies"},
         [](const auto &row) { return row.copies_to + row.copies_from; }},
        {{"copies_to", Unit::count, ""}, &DeviceRow::copies_to},
        {{"copies_from", Unit::count, ""}, &DeviceRow::copies_from},
        {{"bytes_to", Unit::bytes, "to, MiB", 12, "to it"}, &DeviceRow::bytes_to},
        {{"bytes_from", Unit::bytes, "from, MiB", 12, "from it"}, &DeviceRow::bytes_from},
        {{"copies_s", Unit::seconds, "time, s", 12, "Copies, s", "Summed, also of those at once"},
         &DeviceRow::copy_time},
        {{"held_s", Unit::seconds, "held up, s", 12, "Held up, s", "Threads that asked for copies"},
         &DeviceRow::held},
        {{"busy_s", Unit::seconds, "busy, s", 12, "Busy, s", "Something was in flight"},
         &DeviceRow::busy},
        {{"several_s", Unit::seconds, ""}, &DeviceRow::several},
        {{"", Unit::share, "several", 10},
         [](const auto &row) { return share(row.several, row.busy); }},
        {{"overlap", Unit::share, "overlap", 10, "Overlap",
          "The part of its busy time in which tasks of its rank ran on processors"},
         &DeviceRow::overlap}};
    Table table = with_columns(
        {.name = "devices", .title = "devices", .width = 22, .page = "Device"}, columns);
    for (const DeviceRow &row : figures.devices)
        table.rows.emplace_back(row_of(columns, row)).label =
            rank_label(row.rank) + " device " + std::to_string(row.device);
    return table;
}

/// Names without lines of the source get one line in the text, below the first.
void explain_addresses(std::vector<Table> &tables) {
    for (Table &table : tables)
        for (Row &row : table.rows)
            if (row.kind != kNone && row.label.find("+0x") != std::string::npos) {
                row.note += (row.note.empty() ? "" : "\n");
                row.note += "  (trace it with debug information for lines of the source: -g, or "
                            "its package's debug symbols)";
                return;
            }
}

std::vector<Table> tables_of(const Trace &trace, const Figures &figures) {
    std::vector<Table> tables = {summary_of(trace, figures)};
    if (figures.unfinished)
        tables.push_back(cut_off_of(trace, *figures.unfinished));
    if (!figures.window)
        tables.push_back(run_of(trace, figures));
    if (figures.times)
        tables.push_back(times_of(trace, *figures.times));
    if (trace.threads.size() > trace.count_threads())
        tables.push_back(stand_ins_of(trace, figures.shown()));
    tables.push_back(efficiencies_of(trace, figures.efficiencies));
    if (figures.path_wanted) {
        tables.push_back(discovery_of(trace, figures.discovery));
        if (!figures.deletions.empty())
            tables.push_back(deletions_of(figures.deletions));
        tables.push_back(critical_path_of(trace, figures));
        tables.push_back(graph_of(figures.degrees));
    }
    if (!trace.has_tasks())
        tables.push_back(constructs_of(trace, figures));
    tables.push_back(functions_of(trace, figures));
    tables.push_back(communication_of(figures));
    if (!figures.devices.empty()) {
        tables.push_back(devices_of(figures));
        tables.push_back(device_kinds_of(trace, figures));
    }
    if (trace.has_tasks())
        tables.push_back(constructs_of(trace, figures));
    tables.push_back(named_regions_of(trace, figures));
    tables.push_back(kinds_of(trace, figures));
    explain_addresses(tables);
    return tables;
}

} // namespace loomp::analysis
