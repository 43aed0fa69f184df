#include "profiler/view/page.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "profiler/graph/critical_path.h"
#include "profiler/metrics/tables.h"
#include "profiler/trace/clean_text.h"
#include "profiler/view/page_tables.h"

namespace loomp::analysis {

namespace {

using nlohmann::json;

/// Escapes text for a script element, which an end tag in it would end.
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

json threads_of(const Trace &trace, const PageTables &tables, const Figures &figures) {
    json threads = json::array();
    for (std::size_t i = 0; i < tables.threads.size(); ++i) {
        const Thread &thread = trace.threads[tables.threads[i]];
        const Breakdown breakdown =
            figures.times ? figures.times->threads[tables.threads[i]] : Breakdown{};
        threads.push_back({{"rank", thread.rank},
                           {"number", thread.number},
                           {"standsIn", thread.stands_in},
                           {"segments", tables.segments[i]},
                           {"calls", tables.calls[i]},
                           {"doings", tables.doings[i]},
                           {"run", figures.run_times[tables.threads[i]].by_doing},
                           {"work", breakdown.work},
                           {"overhead", breakdown.overhead},
                           {"idle", breakdown.idle}});
    }
    return threads;
}

const char *name_of(Unit unit) {
    constexpr const char *kNames[] = {"text",  "count",  "seconds", "microseconds",
                                      "share", "number", "ratio",   "bytes"};
    return kNames[static_cast<std::size_t>(unit)];
}

json json_of(const Value &value) {
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    const auto *number = std::get_if<double>(&value);
    const auto *count = std::get_if<std::uint64_t>(&value);
    return number != nullptr ? json(*number) : count != nullptr ? json(*count) : json();
}

/// The columns that the page has.
json table_of(const Table &table) {
    json columns = json::array();
    json rows = json::array();
    for (const Row &row : table.rows)
        rows.push_back(
            {{"kind", kind_or_null(row.kind)}, {"label", row.label}, {"values", json::array()}});
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const Column &column = table.columns[i];
        if (column.page == nullptr)
            continue;
        columns.push_back(
            {{"title", column.page}, {"hint", column.hint}, {"unit", name_of(column.unit)}});
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            rows[row]["values"].push_back(json_of(table.rows[row].values[i]));
    }
    return {{"title", table.page}, {"columns", columns}, {"rows", rows}};
}

/// Only the page has a column for the time of each kind on the critical path.
Table kinds_with_path(const Trace &trace, const Figures &figures,
                      const std::vector<PathPiece> &path) {
    std::map<Index, Time> on_path;
    Time length = 0;
    for (const PathPiece &piece : path) {
        on_path[trace.tasks[piece.task].kind] += piece.time.length();
        length += piece.time.length();
    }
    Table table = kinds_of(trace, figures);
    table.columns.push_back({"", Unit::share, "", 0, "of critical path"});
    for (Row &row : table.rows)
        row.values.emplace_back(static_cast<double>(on_path[row.kind]) /
                                static_cast<double>(std::max<Time>(length, 1)));
    return table;
}

json device_lanes_of(const PageTables &tables) {
    json lanes = json::array();
    for (const PageTables::DeviceLane &lane : tables.devices)
        lanes.push_back(
            {{"rank", lane.rank}, {"device", lane.device}, {"row", lane.row}, {"work", lane.work}});
    return lanes;
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
    const Figures figures = figures_of(trace, {}, Paths::no);
    const Interval window = figures.whole;
    json kinds = json::array();
    for (const Kind &kind : trace.kinds)
        kinds.push_back({{"label", kind.label}, {"source", kind.source}});
    json constructs = json::array(); // without barriers
    for (const ConstructRow &row : figures.constructs)
        if (!row.barrier)
            constructs.push_back(row.kind);
    json summary = {
        {"name", options.name},
        {"origin", tables.extent.begin},
        {"length", tables.extent.length()},
        {"makespan", {window.begin - tables.extent.begin, window.end - tables.extent.begin}},
        {"run", {trace.run().begin - tables.extent.begin, trace.run().end - tables.extent.begin}},
        {"tasks", tables.tasks},
        {"tasksCreated", figures.tasks},
        {"overlapParts", tables.overlap_parts},
        {"threads", threads_of(trace, tables, figures)},
        {"waiting", tables.waiting},
        {"deviceLanes", device_lanes_of(tables)},
        {"kinds", kinds},
        {"constructs", constructs},
        {"tables",
         {{"kinds", table_of(kinds_with_path(trace, figures, path.pieces))},
          {"constructs", table_of(constructs_of(trace, figures))},
          {"named", table_of(named_regions_of(trace, figures))},
          {"ranks", table_of(communication_of(figures))},
          {"devices", table_of(devices_of(figures))},
          {"functions", table_of(functions_of(trace, figures))}}},
        {"findings", findings_of(options.findings)},
        {"problems", trace.problems},
        {"unfinished", options.unfinished},
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
        {"{{title}}", in_html(clean_text(options.name))},
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
