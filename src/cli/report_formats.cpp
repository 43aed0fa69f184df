#include "cli/report_formats.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/figures.h"

namespace loomp::cli {

namespace {

using namespace analysis;
using Json = nlohmann::ordered_json;

/// What a row is of: each table's rows begin with these, null where they do not apply.
Json place(Json rank, Json thread) {
    return {{"rank", std::move(rank)}, {"thread", std::move(thread)}};
}
Json place_of(const Trace &trace, Index thread) {
    return place(trace.threads[thread].rank, trace.threads[thread].number);
}
Json with(Json row, const Json &more) {
    row.update(more);
    return row;
}

Json name_of(const Trace &trace, Index kind) {
    return kind == kNone ? Json() : Json(trace.kinds[kind].label);
}
Json source_of(const Trace &trace, Index kind) {
    return kind == kNone || trace.kinds[kind].source.empty() ? Json()
                                                             : Json(trace.kinds[kind].source);
}

Json summary_of(const Trace &trace, const Figures &figures) {
    Json summary = {{"ranks", trace.ranks},
                    {"threads", trace.count_threads()},
                    {"tasks", figures.tasks},
                    {"dependences", trace.dependences.size()},
                    {"messages", trace.messages.size()},
                    {"run_s", s(figures.run.length())}};
    if (trace.has_tasks()) {
        summary["before_first_task_s"] = s(figures.whole.begin - figures.run.begin);
        summary["after_last_task_s"] = s(figures.run.end - figures.whole.end);
        summary["makespan_s"] = s(figures.whole.length());
    }
    if (figures.window) {
        summary["from_s"] = s(figures.window->begin - figures.whole.begin);
        summary["to_s"] = s(figures.window->end - figures.whole.begin);
    }
    if (figures.not_recorded) {
        summary["not_recorded_s"] = s(figures.not_recorded->time);
        summary["not_recorded_share"] = figures.not_recorded->whole == 0
                                            ? 0
                                            : static_cast<double>(figures.not_recorded->time) /
                                                  static_cast<double>(figures.not_recorded->whole);
        summary["tasks_without_creation"] = figures.not_recorded->uncreated;
    }
    return summary;
}

/// All threads, each rank, each thread: of(nothing), of_rank(rank), of_thread(thread).
template <typename Row>
Json rows_of_threads(const Trace &trace, const Row &all, const auto &of_rank, const auto &threads,
                     const auto &columns) {
    Json rows = Json::array();
    rows.push_back(with(place({}, {}), columns(all)));
    for (Index rank = 0; rank < trace.ranks; ++rank)
        rows.push_back(with(place(rank, {}), columns(of_rank(rank))));
    for (Index i = 0; i < trace.threads.size(); ++i)
        if (!trace.threads[i].stands_in)
            rows.push_back(with(place_of(trace, i), columns(threads[i])));
    return rows;
}

Json run_of(const Trace &trace, const Figures &figures) {
    RunTimes all;
    for (const RunTimes &of : figures.run_times)
        all += of;
    return rows_of_threads(
        trace, all, [&](Index rank) { return run_times_of_rank(trace, figures, rank); },
        figures.run_times,
        [](const RunTimes &of) {
            return Json{{"total_s", s(of.total())},
                        {"tasks_s", s(of[Doing::tasks])},
                        {"mpi_s", s(of[Doing::mpi])},
                        {"waiting_s", s(of[Doing::waiting])},
                        {"worksharing_s", s(of[Doing::shared])},
                        {"regions_s", s(of[Doing::regions])},
                        {"serial_s", s(of[Doing::serial])},
                        {"outside_s", s(of[Doing::outside])}};
        });
}

Json times_of(const Trace &trace, const TimeBreakdown &times) {
    return rows_of_threads(
        trace, times.total(), [&](Index rank) { return times.of_rank(trace, rank); }, times.threads,
        [](const Breakdown &of) {
            return Json{{"total_s", s(of.total())},
                        {"work_s", s(of.work)},
                        {"overhead_s", s(of.overhead)},
                        {"idle_s", s(of.idle)}};
        });
}

Json efficiencies_of(const Trace &trace, const Efficiencies &found) {
    Json rows = Json::array();
    const auto add = [&](const char *name, const Efficiency &of) {
        rows.push_back({{"name", name},
                        {"rank", nullptr},
                        {"parallel", of.parallel()},
                        {"load_balance", of.balance},
                        {"communication", of.communication}});
    };
    add("all", found.hybrid);
    if (trace.calls.empty())
        return rows;
    add("MPI", found.mpi);
    add("OpenMP", found.openmp);
    for (Index rank = 0; rank < trace.ranks; ++rank)
        rows.push_back({{"name", "rank"}, {"rank", rank}, {"parallel", found.ranks[rank]}});
    return rows;
}

Json discovery_of(const Trace &trace, const std::vector<Discovery> &producers) {
    Json rows = Json::array();
    for (const Discovery &of : producers)
        rows.push_back(with(place_of(trace, of.thread), {{"tasks", of.tasks},
                                                         {"time_s", s(of.time.length())},
                                                         {"per_task_us", us(of.per_task())}}));
    return rows;
}

Json deletions_of(const std::vector<Deletions> &ranks) {
    Json rows = Json::array();
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        rows.push_back({{"rank", rank},
                        {"deleted", ranks[rank].deleted},
                        {"left", ranks[rank].left},
                        {"most_at_once", ranks[rank].at_once},
                        {"mean_after_end_us", us(ranks[rank].mean())},
                        {"longest_after_end_us", us(ranks[rank].longest)}});
    return rows;
}

/// Null: the trace has a cycle of dependences.
Json path_of(const Trace &trace, const Figures &figures) {
    const std::optional<CriticalPath> &path = figures.path;
    if (!path)
        return {};
    const auto threads = static_cast<unsigned>(std::max<std::size_t>(1, trace.count_threads()));
    Json row = {{"length_s", s(path->length)},
                {"work_s", s(path->work)},
                {"parts", path->nodes.size()},
                {"average_parallelism", path->average_parallelism()},
                {"threads", threads},
                {"at_least_s", seconds(path->lower_bound(threads))},
                {"greedily_at_most_s", seconds(path->upper_bound(threads))}};
    if (const std::optional<CriticalPath> &with = figures.path_with_waits)
        row.update(Json{{"with_waits_length_s", s(with->length)},
                        {"with_waits_parts", with->nodes.size()},
                        {"with_waits_average_parallelism", with->average_parallelism()},
                        {"with_waits_at_least_s", seconds(with->lower_bound(threads))},
                        {"with_waits_greedily_at_most_s", seconds(with->upper_bound(threads))}});
    return row;
}

Json degree_columns(const std::string &name, const Degree &of) {
    return {{name + "_least", of.least},
            {name + "_mean", of.mean},
            {name + "_median", of.median},
            {name + "_most", of.most}};
}

Json graph_of(const Degrees &of) {
    Json row = {{"nodes", of.nodes}, {"edges", of.edges}};
    row.update(degree_columns("degree", of.all));
    row.update(degree_columns("in_degree", of.in));
    row.update(degree_columns("out_degree", of.out));
    return row;
}

Json functions_of(const Trace &trace, const std::vector<FunctionRow> &functions) {
    Json rows = Json::array();
    for (const FunctionRow &row : functions)
        rows.push_back({{"name", name_of(trace, row.function)},
                        {"calls", row.count},
                        {"time_s", s(row.time)},
                        {"on_thread_s", s(row.on_thread)}});
    return rows;
}

Json communication_of(const Figures &figures) {
    Json rows = Json::array();
    for (std::size_t rank = 0; rank < figures.sent.size(); ++rank) {
        const RankOverlap &sent = figures.sent[rank];
        rows.push_back({{"rank", rank},
                        {"messages", sent.messages.flights},
                        {"in_flight_s", s(sent.messages.communication)},
                        {"overlap", sent.messages.ratio()},
                        {"collectives", sent.collectives.flights},
                        {"collectives_in_flight_s", s(sent.collectives.communication)},
                        {"collectives_overlap", sent.collectives.ratio()},
                        {"collectives_share", sent.share_of_collectives()},
                        {"overall_overlap", sent.all().ratio()},
                        {"r_comm", figures.ratios[rank].r_comm()},
                        {"r_comm_in_flight", figures.ratios[rank].r_comm_in_flight()},
                        {"r_act", figures.ratios[rank].r_act()}});
    }
    return rows;
}

Json devices_of(const std::vector<DeviceRow> &devices) {
    Json rows = Json::array();
    for (const DeviceRow &row : devices)
        rows.push_back({{"rank", row.rank},
                        {"device", row.device},
                        {"kernels", row.kernels},
                        {"kernels_s", s(row.kernel_time)},
                        {"copies_to", row.copies_to},
                        {"copies_from", row.copies_from},
                        {"bytes_to", row.bytes_to},
                        {"bytes_from", row.bytes_from},
                        {"copies_s", s(row.copy_time)},
                        {"held_s", s(row.held)},
                        {"busy_s", s(row.busy)},
                        {"several_s", s(row.several)},
                        {"overlap", row.overlap()}});
    return rows;
}

Json device_kinds_of(const Trace &trace, std::span<const DeviceKindRow> kinds) {
    Json rows = Json::array();
    for (const DeviceKindRow &row : kinds)
        rows.push_back({{"name", name_of(trace, row.kind)},
                        {"source", source_of(trace, row.kind)},
                        {"count", row.count},
                        {"bytes", row.bytes},
                        {"time_s", s(row.time)},
                        {"held_s", s(row.held)},
                        {"mean_us", us(row.mean())},
                        {"shortest_us", us(row.shortest)},
                        {"median_us", us(row.median)},
                        {"longest_us", us(row.longest)}});
    return rows;
}

Json constructs_of(const Trace &trace, std::span<const ConstructRow> constructs) {
    Json rows = Json::array();
    for (const ConstructRow &row : constructs)
        rows.push_back({{"name", name_of(trace, row.kind)},
                        {"source", source_of(trace, row.kind)},
                        {"count", row.count},
                        {"threads", row.threads},
                        {"time_s", s(row.time)},
                        {"work_s", s(row.work)},
                        {"waiting_s", s(row.waiting)},
                        {"imbalance", row.barrier ? Json() : Json(row.imbalance_share())}});
    return rows;
}

Json user_regions_of(const Trace &trace, std::span<const UserRegionRow> regions) {
    Json rows = Json::array();
    for (const UserRegionRow &row : regions)
        rows.push_back({{"name", name_of(trace, row.kind)},
                        {"count", row.count},
                        {"time_s", s(row.time)},
                        {"on_thread_s", s(row.on_thread)},
                        {"mean_us", us(row.mean())},
                        {"shortest_us", us(row.shortest)},
                        {"longest_us", us(row.longest)}});
    return rows;
}

Json kinds_of(const Trace &trace, std::span<const KindRow> kinds) {
    Json rows = Json::array();
    for (const KindRow &row : kinds) {
        Json columns = {{"name", name_of(trace, row.kind)},
                        {"source", source_of(trace, row.kind)},
                        {"count", row.count},
                        {"work_s", s(row.work)},
                        {"mean_us", us(row.mean())},
                        {"shortest_us", us(row.shortest)},
                        {"median_us", us(row.median)},
                        {"longest_us", us(row.longest)}};
        for (std::size_t i = 0; i < trace.counters.size(); ++i)
            columns[trace.counters[i]] = row.counts[i];
        if (counts_instructions_per_cycle(trace)) {
            const std::optional<double> ipc = instructions_per_cycle(trace, row);
            columns["instructions_per_cycle"] = ipc ? Json(*ipc) : Json();
        }
        rows.push_back(std::move(columns));
    }
    return rows;
}

template <typename Row>
std::span<const Row> first(const std::vector<Row> &rows, std::optional<std::size_t> most) {
    return std::span(rows).first(std::min(most.value_or(rows.size()), rows.size()));
}

/// Tables (arrays of rows, or one row), in the order of the text.
Json tables_of(const Trace &trace, const Figures &figures, std::optional<std::size_t> kinds) {
    Json tables = {{"summary", summary_of(trace, figures)}};
    if (!figures.window)
        tables["run"] = run_of(trace, figures);
    if (figures.times)
        tables["times"] = times_of(trace, *figures.times);
    tables["efficiencies"] = efficiencies_of(trace, figures.efficiencies);
    if (figures.path_wanted) {
        tables["discovery"] = discovery_of(trace, figures.discovery);
        if (!figures.deletions.empty())
            tables["deletions"] = deletions_of(figures.deletions);
        tables["critical_path"] = path_of(trace, figures);
        tables["graph"] = graph_of(figures.degrees);
    }
    tables["mpi"] = functions_of(trace, figures.functions);
    tables["communication"] = communication_of(figures);
    if (!figures.devices.empty()) {
        tables["devices"] = devices_of(figures.devices);
        tables["on_devices"] = device_kinds_of(trace, first(figures.device_kinds, kinds));
    }
    tables["constructs"] = constructs_of(trace, first(figures.constructs, kinds));
    tables["named_regions"] = user_regions_of(trace, first(figures.user_regions, kinds));
    tables["kinds"] = kinds_of(trace, first(figures.kinds, kinds));
    return tables;
}

/// As RFC 4180 has it.
std::string field(const Json &value) {
    if (value.is_null())
        return {};
    if (!value.is_string())
        return value.dump();
    const auto &text = value.get_ref<const std::string &>();
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char letter : text) {
        if (letter == '"')
            quoted += '"';
        quoted += letter;
    }
    return quoted + '"';
}

void print_row(const std::string &table, std::size_t number, const Json &row) {
    constexpr std::string_view kPlaces[] = {"name", "rank", "thread"};
    std::string places;
    for (const std::string_view name : kPlaces)
        places += ',' + (row.contains(name) ? field(row[name]) : "");
    for (const auto &[name, value] : row.items())
        if (std::find(std::begin(kPlaces), std::end(kPlaces), name) == std::end(kPlaces))
            fmt::print("{},{}{},{},{}\n", table, number, places, field(name), field(value));
}

} // namespace

void print_json(const Trace &trace, const Figures &figures, std::optional<std::size_t> kinds) {
    Json report = {{"format", "loomp report"}, {"version", 1}, {"problems", trace.problems}};
    report.update(tables_of(trace, figures, kinds));
    fmt::print("{}\n", report.dump(1, ' ', false, Json::error_handler_t::replace));
}

void print_csv(const Trace &trace, const Figures &figures, std::optional<std::size_t> kinds) {
    fmt::print("table,row,name,rank,thread,figure,value\n");
    const Json tables = tables_of(trace, figures, kinds);
    for (const auto &[table, rows] : tables.items()) {
        if (!rows.is_array())
            print_row(table, 0, rows);
        for (std::size_t i = 0; rows.is_array() && i < rows.size(); ++i)
            print_row(table, i, rows[i]);
    }
}

} // namespace loomp::cli
