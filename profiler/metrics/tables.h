// The tables of docs/report-formats.md. Text, JSON, CSV, Python and the page loop over them, so a
// new figure is a new column in tables.cpp.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "profiler/metrics/figures.h"

namespace loomp::analysis {

/// The format of a figure. Values of the two units of time are nanoseconds.
enum class Unit { text, count, seconds, microseconds, share, number, ratio, bytes };

/// Converts such a value from nanoseconds to seconds or microseconds, for programs.
inline double in_unit(double value, Unit unit) {
    return unit == Unit::seconds        ? seconds(value)
           : unit == Unit::microseconds ? value / 1e3
                                        : value;
}

/// A figure of one row; nothing if it does not apply.
struct Value : std::variant<std::monostate, std::string, std::uint64_t, double> {
    Value() = default;
    Value(std::string text) : variant(std::move(text)) {}
    Value(const char *text) : Value(std::string(text)) {}
    Value(double number) : variant(number) {}
    Value(std::unsigned_integral auto number) : variant(std::uint64_t{number}) {}
    Value(Time time) : variant(static_cast<double>(time)) {}

    bool is_missing() const { return index() == 0; }
};

struct Column {
    std::string name = {}; ///< in JSON and CSV; empty: absent
    Unit unit;
    /// In the text: the header. For a table of one row: the printed line, with {} for the value.
    std::string text = {};
    std::size_t width = 0;      ///< in the text; 0: absent, unless the table has one row
    const char *page = nullptr; ///< its header on the page; null: absent
    const char *hint = "";      ///< its explanation on the page
};

struct Row {
    enum class Level { always, rank, thread };

    std::string label = {};
    std::vector<Value> values = {}; ///< the first columns': the others have none in this row
    Index kind = kNone;
    /// The text groups rows by rank. It shows rows of ranks if there are several, and rows of
    /// threads on demand.
    std::optional<Index> rank = {};
    Level level = Level::always;
    std::string note = {}; ///< a line below it in the text
};

struct Table {
    std::string name;      ///< in JSON and CSV; empty: absent
    std::string title;     ///< the title of the rows, in the text
    std::size_t width;     ///< the width of their labels, if none is wider
    const char *page = ""; ///< the title on the page
    bool one_row = false;
    bool limited = false; ///< the option --kinds limits the rows
    std::vector<Column> columns = {};
    std::vector<Row> rows = {};
    std::string if_empty = {}; ///< printed in the text instead of rows
};

/// The tables that apply, in the order of the text.
std::vector<Table> tables_of(const Trace &trace, const Figures &figures);

Table kinds_of(const Trace &trace, const Figures &figures);
Table constructs_of(const Trace &trace, const Figures &figures);
Table named_regions_of(const Trace &trace, const Figures &figures);
Table functions_of(const Trace &trace, const Figures &figures);
Table communication_of(const Figures &figures);
Table devices_of(const Figures &figures);

} // namespace loomp::analysis
