// `loomp report`: shows where the time of a trace went, as tables or for programs.
#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "profiler/commands/figure_text.h"
#include "profiler/commands/option_checks.h"
#include "profiler/commands/subcommand.h"
#include "profiler/commands/unfinished_text.h"
#include "profiler/commands/with_trace.h"
#include "profiler/metrics/tables.h"

namespace loomp::cli {

namespace {

using namespace analysis;
using Json = nlohmann::ordered_json;

constexpr std::size_t kWidestLabel = 70;
constexpr std::size_t kKindsInText = 20;

struct ReportOptions {
    std::string folder;               ///< folder of `loomp trace`, or an archive's .otf2 file
    bool threads = false;             ///< a line for each thread
    bool json = false;                ///< instead of text, in the form of docs/report-formats.md
    bool csv = false;                 ///< instead of text
    std::optional<std::size_t> kinds; ///< maximum count of rows; default: kKindsInText, or all
    std::optional<double> from;       ///< seconds from the start of the makespan
    std::optional<double> to;
};

/// The window that the options count from the makespan's start. Throws std::runtime_error.
std::optional<Interval> window_of(const Trace &trace, const ReportOptions &options) {
    if (!options.from && !options.to)
        return {};
    const Interval makespan = whole_of(trace);
    const double end = seconds(static_cast<double>(makespan.length()));
    const double from = std::clamp(options.from.value_or(0), 0.0, end);
    const double to = std::clamp(options.to.value_or(end), 0.0, end);
    if (from >= to)
        throw std::runtime_error(fmt::format(
            "no time of the makespan, {:.6f} s, is between --from {:.6f} and --to {:.6f}", end,
            options.from.value_or(0), options.to.value_or(end)));
    return Interval{makespan.begin + std::llround(from * 1e9),
                    makespan.begin + std::llround(to * 1e9)};
}

constexpr double kMiB = 1 << 20;

std::string cell(const Value &value, Unit unit) {
    if (value.is_missing())
        return {};
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    const auto *count = std::get_if<std::uint64_t>(&value);
    const double number = count != nullptr ? static_cast<double>(*count) : std::get<double>(value);
    switch (unit) {
    case Unit::text:
    case Unit::count:
        return fmt::format("{}", *count);
    case Unit::seconds:
        return fmt::format("{:.6f}", s(number));
    case Unit::microseconds:
        return fmt::format("{:.3f}", us(number));
    case Unit::share:
        return fmt::format("{:.1f}%", 100 * number);
    case Unit::number:
        return fmt::format("{:.2f}", number);
    case Unit::ratio:
        return fmt::format("{:.3f}", number);
    case Unit::bytes:
        return fmt::format("{:.3f}", number / kMiB);
    }
    return {};
}

void print_one_row(const Table &table) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        fmt::print(fmt::runtime(table.columns[i].text),
                   cell(table.rows.front().values[i], table.columns[i].unit));
}

/// The rows that the text shows, grouped by rank.
std::vector<const Row *> shown_rows(const Table &table, bool ranks, const ReportOptions &options) {
    std::vector<const Row *> rows;
    for (const Row &row : table.rows)
        if (row.level == Row::Level::always || (row.level == Row::Level::rank && ranks) ||
            (row.level == Row::Level::thread && options.threads))
            rows.push_back(&row);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row *a, const Row *b) { return a->rank < b->rank; });
    if (table.limited)
        rows.resize(std::min(rows.size(), options.kinds.value_or(kKindsInText)));
    return rows;
}

void print_table(const Table &table, bool ranks, const ReportOptions &options) {
    if (table.rows.empty()) {
        fmt::print("{}", table.if_empty);
        return;
    }
    if (table.one_row) {
        print_one_row(table);
        return;
    }
    const std::vector<const Row *> rows = shown_rows(table, ranks, options);
    std::size_t width = table.width;
    for (const Row *row : rows)
        width = std::max(width, std::min(kWidestLabel, row->label.size()));
    fmt::print("\n{:<{}}", table.title, width);
    for (const Column &column : table.columns)
        if (column.width != 0)
            fmt::print(" {:>{}}", column.text, column.width);
    fmt::print("\n");
    for (const Row *row : rows) {
        fmt::print("{:<{}}", in_line(row->label), width);
        for (std::size_t i = 0; i < row->values.size(); ++i)
            if (table.columns[i].width != 0)
                fmt::print(" {:>{}}", cell(row->values[i], table.columns[i].unit),
                           table.columns[i].width);
        fmt::print("\n{}{}", row->note, row->note.empty() ? "" : "\n");
    }
    if (table.limited && table.rows.size() > rows.size())
        fmt::print("and {} more: --kinds\n", table.rows.size() - rows.size());
}

Json json_of(const Value &value, Unit unit) {
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    if (const auto *count = std::get_if<std::uint64_t>(&value))
        return *count;
    if (const auto *number = std::get_if<double>(&value))
        return in_unit(*number, unit);
    return {};
}

Json row_of(const Table &table, const Row &row) {
    Json columns = Json::object();
    for (std::size_t i = 0; i < row.values.size(); ++i)
        if (!table.columns[i].name.empty())
            columns[table.columns[i].name] = json_of(row.values[i], table.columns[i].unit);
    return columns;
}

/// Tables (arrays of rows, or one row), in the order of the text.
Json json_of(const std::vector<Table> &tables, std::optional<std::size_t> kinds) {
    Json all = Json::object();
    for (const Table &table : tables) {
        if (table.name.empty())
            continue;
        if (table.one_row) {
            all[table.name] = table.rows.empty() ? Json() : row_of(table, table.rows.front());
            continue;
        }
        Json &rows = all[table.name] = Json::array();
        for (const Row &row : table.rows)
            if (!table.limited || !kinds || rows.size() < *kinds)
                rows.push_back(row_of(table, row));
    }
    return all;
}

/// Quotes a field by the rules of RFC 4180. A text that spreadsheets would take for a formula gets
/// an apostrophe before it.
std::string field(const Json &value) {
    if (value.is_null())
        return {};
    if (!value.is_string())
        return value.dump();
    auto text = value.get<std::string>();
    if (text.find_first_of("=+-@") == 0)
        text.insert(0, 1, '\'');
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

/// Prints one object, which docs/report-formats.md describes. Names are stable: later versions may
/// add some. They remove or change one only together with `version`.
void print_json(const std::vector<std::string> &problems, const std::vector<Table> &tables,
                std::optional<std::size_t> kinds) {
    Json report = {{"format", "loomp report"}, {"version", 1}, {"problems", problems}};
    report.update(json_of(tables, kinds));
    fmt::print("{}\n", report.dump(1, ' ', false, Json::error_handler_t::replace));
}

/// Prints the figures of print_json(), a line each.
void print_csv(const std::vector<Table> &tables, std::optional<std::size_t> kinds) {
    fmt::print("table,row,name,rank,thread,figure,value\n");
    const Json all = json_of(tables, kinds);
    for (const auto &[table, rows] : all.items()) {
        if (!rows.is_array())
            print_row(table, 0, rows);
        for (std::size_t i = 0; rows.is_array() && i < rows.size(); ++i)
            print_row(table, i, rows[i]);
    }
}

int report(const ReportOptions &options) {
    return with_trace("report", options.folder, {}, [&](const Trace &trace) {
        const Figures figures = figures_of(trace, window_of(trace, options));
        const auto tables = tables_of(trace, figures);
        if (options.json)
            print_json(trace.problems, tables, options.kinds);
        else if (options.csv)
            print_csv(tables, options.kinds);
        else {
            print_unfinished(trace, figures.unfinished);
            for (const Table &table : tables)
                print_table(table, trace.ranks > 1, options);
            if (std::any_of(trace.kinds.begin(), trace.kinds.end(), [](const Kind &kind) {
                    return kind.source.empty() && lacks_line(kind.label);
                }))
                fmt::print("\n{}", kNoLines);
        }
        return 0;
    });
}

Action declare_report(CLI::App &command) {
    const auto options = std::make_shared<ReportOptions>();
    add_trace(command, options->folder);
    command.add_flag("--threads", options->threads, "Show a line for each thread");
    command
        .add_option("--kinds", options->kinds,
                    "How many kinds of tasks to show; default: 20, and all with --json or --csv")
        ->check(count());
    command
        .add_option("--from", options->from,
                    "Leave out what is before this time, s from the first task")
        ->check(not_negative());
    command
        .add_option("--to", options->to, "Leave out what is after this time, s from the first task")
        ->check(not_negative());
    CLI::Option *json = command.add_flag("--json", options->json, "Write JSON, for programs");
    command.add_flag("--csv", options->csv, "Write CSV, a line for each figure")->excludes(json);
    return with_options(options, report);
}

} // namespace

const Subcommand kReport = {"report", "Say where the time of a trace went", declare_report};

} // namespace loomp::cli
