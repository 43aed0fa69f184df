#include "analysis/view/page.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/graph/critical_path.h"
#include "analysis/metrics/breakdown.h"
#include "analysis/metrics/communication.h"
#include "analysis/metrics/constructs.h"
#include "analysis/metrics/devices.h"
#include "analysis/metrics/run_times.h"
#include "analysis/metrics/tasks.h"
#include "analysis/metrics/user_regions.h"
#include "analysis/view/tables.h"

namespace loomp::analysis {

namespace {

using nlohmann::json;

/// As part of a script element, which an end tag in it would end.
std::string in_script(const json &value) {
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    std::string result;
    for (const char letter : text)
        if (letter == '<')
            result += "\\u003c";
        else
            result += letter;
    return result;
}

std::string in_html(std::string_view text) {
    std::string result;
    for (const char letter : text)
        if (letter == '<')
            result += "&lt;";
        else if (letter == '&')
            result += "&amp;";
        else
            result += letter;
    return result;
}

/// Index of a kind, null for none.
json kind_or_null(Index kind) { return kind == kNone ? json() : json(kind); }

struct Path {
    std::optional<CriticalPath> found;
    std::vector<PathPiece> pieces;
};

Path path_of(const Trace &trace) {
    const Graph graph = build_graph(trace, {.waits = true});
    Path path{critical_path(graph), {}};
    if (!path.found)
        return path;
    for (const Index i : path.found->nodes) {
        const Node &node = graph.nodes[i];
        if (node.kind == NodeKind::code && node.duration > 0 && node.thread != kNone)
            path.pieces.push_back(
                {node.task, node.thread, {node.begin, node.begin + node.duration}});
    }
    return path;
}

json threads_of(const Trace &trace, const PageTables &tables, const TimeBreakdown &times) {
    json threads = json::array();
    const std::vector<RunTimes> run = run_times(trace);
    for (std::size_t i = 0; i < tables.threads.size(); ++i) {
        const Thread &thread = trace.threads[tables.threads[i]];
        const Breakdown &of = times.threads[tables.threads[i]];
        threads.push_back({{"rank", thread.rank},
                           {"number", thread.number},
                           {"standsIn", thread.stands_in},
                           {"segments", tables.segments[i]},
                           {"calls", tables.calls[i]},
                           {"doings", tables.doings[i]},
                           {"run", run[tables.threads[i]].of},
                           {"work", of.work},
                           {"overhead", of.overhead},
                           {"idle", of.idle}});
    }
    return threads;
}

json kinds_of(const Trace &trace, const std::vector<PathPiece> &path) {
    std::map<Index, std::pair<std::size_t, Time>> on_path;
    for (const PathPiece &piece : path) {
        auto &[count, time] = on_path[trace.tasks[piece.task].kind];
        ++count;
        time += piece.time.length();
    }
    json rows = json::array();
    for (const KindRow &row : kind_table(trace))
        rows.push_back({{"kind", kind_or_null(row.kind)},
                        {"count", row.count},
                        {"work", row.work},
                        {"mean", row.mean()},
                        {"shortest", row.shortest},
                        {"median", row.median},
                        {"longest", row.longest},
                        {"path", on_path[row.kind].second}});
    return rows;
}

json constructs_of(const Trace &trace) {
    json rows = json::array();
    for (const ConstructRow &row : construct_table(trace))
        rows.push_back({{"kind", row.kind},
                        {"barrier", row.barrier},
                        {"count", row.count},
                        {"threads", row.threads},
                        {"time", row.time},
                        {"work", row.work},
                        {"waiting", row.waiting},
                        {"imbalance", row.imbalance_share()}});
    return rows;
}

json user_regions_of(const Trace &trace) {
    json rows = json::array();
    for (const UserRegionRow &row : user_region_table(trace))
        rows.push_back({{"kind", row.kind},
                        {"count", row.count},
                        {"time", row.time},
                        {"onThread", row.on_thread},
                        {"mean", row.mean()},
                        {"shortest", row.shortest},
                        {"longest", row.longest}});
    return rows;
}

json functions_of(const Trace &trace) {
    json rows = json::array();
    for (const FunctionRow &row : function_table(trace))
        rows.push_back({{"kind", kind_or_null(row.function)},
                        {"count", row.count},
                        {"time", row.time},
                        {"onThread", row.on_thread}});
    return rows;
}

json ranks_of(const Trace &trace, const PageTables &tables) {
    json ranks = json::array();
    const Interval window = trace.has_tasks() ? trace.makespan() : trace.run();
    const std::vector<RankOverlap> sent = overlap_of_ranks(trace);
    const std::vector<Ratios> ratios = ratios_of_ranks(trace, window);
    for (Index rank = 0; rank < trace.ranks; ++rank)
        ranks.push_back({{"waiting", tables.waiting[rank]},
                         {"messages", sent[rank].messages.flights},
                         {"collectives", sent[rank].collectives.flights},
                         {"flight", sent[rank].all().communication},
                         {"overlap", sent[rank].all().ratio()},
                         {"communicating", ratios[rank].r_comm()},
                         {"inFlight", ratios[rank].r_comm_in_flight()},
                         {"active", ratios[rank].r_act()}});
    return ranks;
}

json device_lanes_of(const PageTables &tables) {
    json lanes = json::array();
    for (const PageTables::DeviceLane &lane : tables.devices)
        lanes.push_back(
            {{"rank", lane.rank}, {"device", lane.device}, {"row", lane.row}, {"work", lane.work}});
    return lanes;
}

json devices_of(const Trace &trace) {
    json rows = json::array();
    for (const DeviceRow &row : device_table(trace))
        rows.push_back({{"rank", row.rank},
                        {"device", row.device},
                        {"kernels", row.kernels},
                        {"kernelTime", row.kernel_time},
                        {"copies", row.copies_to + row.copies_from},
                        {"copyTime", row.copy_time},
                        {"bytesTo", row.bytes_to},
                        {"bytesFrom", row.bytes_from},
                        {"held", row.held},
                        {"busy", row.busy},
                        {"overlap", row.overlap()}});
    return rows;
}

json findings_of(const std::optional<std::vector<Remark>> &findings) {
    if (!findings)
        return {};
    json list = json::array();
    for (const Remark &finding : *findings)
        list.push_back({{"title", finding.title},
                        {"place", finding.place},
                        {"gain", finding.gain},
                        {"text", finding.text}});
    return list;
}

json columns_of(const Columns &columns) {
    json list = json::array();
    for (const Columns::Entry &entry : columns.entries())
        list.push_back({{"name", entry.name},
                        {"count", entry.count},
                        {"bytes", entry.bytes},
                        {"differences", entry.coding == Columns::Coding::differences}});
    return list;
}

json summary_of(const Trace &trace, const PageOptions &options, const Path &path,
                const PageTables &tables) {
    const TimeBreakdown times = break_down(trace);
    const Interval window = trace.has_tasks() ? times.window : trace.run();
    json kinds = json::array();
    for (const Kind &kind : trace.kinds)
        kinds.push_back({{"label", kind.label}, {"source", kind.source}});
    json summary = {
        {"name", options.name},
        {"origin", tables.extent.begin},
        {"length", tables.extent.length()},
        {"makespan", {window.begin - tables.extent.begin, window.end - tables.extent.begin}},
        {"run", {trace.run().begin - tables.extent.begin, trace.run().end - tables.extent.begin}},
        {"tasks", tables.tasks},
        {"overlapParts", tables.overlap_parts},
        {"threads", threads_of(trace, tables, times)},
        {"ranks", ranks_of(trace, tables)},
        {"deviceLanes", device_lanes_of(tables)},
        {"deviceTable", devices_of(trace)},
        {"kinds", kinds},
        {"kindTable", kinds_of(trace, path.pieces)},
        {"functionTable", functions_of(trace)},
        {"constructTable", constructs_of(trace)},
        {"namedTable", user_regions_of(trace)},
        {"findings", findings_of(options.findings)},
        {"problems", trace.problems},
        {"columns", columns_of(tables.columns)},
    };
    if (path.found)
        summary["path"] = {{"work", path.found->work}, {"length", path.found->length}};
    return summary;
}

} // namespace

void write_page(const Trace &trace, const PageOptions &options, std::ostream &out) {
    const Path path = path_of(trace);
    const PageTables tables = tables_of(trace, path.pieces);
    const std::pair<std::string_view, std::string> parts[] = {
        {"{{title}}", in_html(options.name)},
        {"{{summary}}", in_script(summary_of(trace, options, path, tables))},
        {"{{columns}}", tables.columns.text()},
    };
    std::string_view rest = kPage;
    for (const auto &[marker, text] : parts) {
        const std::size_t at = rest.find(marker);
        out << rest.substr(0, at) << text;
        rest.remove_prefix(at + marker.size());
    }
    out << rest;
}

} // namespace loomp::analysis
