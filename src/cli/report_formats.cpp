#include "cli/report_formats.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace loomp::cli {

namespace {

using namespace analysis;
using Json = nlohmann::ordered_json;

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

void print_json(const std::vector<std::string> &problems, const std::vector<Table> &tables,
                std::optional<std::size_t> kinds) {
    Json report = {{"format", "loomp report"}, {"version", 1}, {"problems", problems}};
    report.update(json_of(tables, kinds));
    fmt::print("{}\n", report.dump(1, ' ', false, Json::error_handler_t::replace));
}

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

} // namespace loomp::cli
