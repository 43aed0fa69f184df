// Expands the fields of OMP_AFFINITY_FORMAT: a pure function of the format and the values.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "runtime/core/team/affinity_format.h"

namespace loomp::core {

namespace {

/// One % field: its width, its filling, and its name.
struct Field {
    bool zeros = false;
    bool right = false;
    std::size_t width = 0;
    std::string_view name; ///< without braces; one letter or a long name
};

/// Reads the field after a '%' and moves `at` past it.
Field read_field(const char *&at) {
    constexpr std::size_t kWidest = 4096;
    Field field;
    // A zero counts only before a dot: "%05n" has no filling.
    if (at[0] == '0' && at[1] == '.')
        field.zeros = true;
    at += field.zeros ? 1 : 0;
    field.right = *at == '.';
    at += field.right ? 1 : 0;
    for (; *at >= '0' && *at <= '9'; ++at)
        field.width = std::min(kWidest, field.width * 10 + static_cast<std::size_t>(*at - '0'));
    if (*at == '{') {
        const char *const close = std::strchr(at, '}');
        const char *const end = close != nullptr ? close : at + std::strlen(at);
        field.name = {at + 1, static_cast<std::size_t>(end - at - 1)};
        at = close != nullptr ? close + 1 : end;
    } else if (*at != '\0') {
        field.name = {at++, 1};
    }
    return field;
}

/// Returns the value of a field; `is_number` reports whether zeros may fill it.
std::string value_of(std::string_view name, const AffinityValues &values, bool &is_number) {
    const struct {
        const char *letter;
        const char *name;
        long value;
    } numbers[] = {{"t", "team_num", values.team_num},
                   {"T", "num_teams", values.num_teams},
                   {"L", "nesting_level", values.nesting_level},
                   {"n", "thread_num", values.thread_num},
                   {"N", "num_threads", values.num_threads},
                   {"a", "ancestor_tnum", values.ancestor_tnum},
                   {"P", "process_id", values.process_id},
                   {"i", "native_thread_id", values.native_thread_id}};
    is_number = true;
    for (const auto &number : numbers)
        if (name == number.letter || name == number.name)
            return std::to_string(number.value);
    is_number = false;
    if (name == "H" || name == "host")
        return values.host;
    if (name == "A" || name == "thread_affinity")
        return values.thread_affinity;
    return "undefined";
}

std::string filled(std::string value, const Field &field, bool is_number) {
    if (value.size() >= field.width)
        return value;
    const std::size_t missing = field.width - value.size();
    if (field.zeros && field.right && is_number)
        value.insert(value[0] == '-' ? 1 : 0, missing, '0');
    else
        value.insert(field.right ? 0 : value.size(), missing, ' ');
    return value;
}

} // namespace

std::string expand_affinity_format(const std::string &format, const AffinityValues &values) {
    std::string text;
    for (const char *at = format.c_str(); *at != '\0';) {
        if (*at != '%') {
            text += *at++;
        } else if (*++at == '%') {
            text += *at++;
        } else {
            const Field field = read_field(at);
            bool is_number = false;
            const std::string value = value_of(field.name, values, is_number);
            text += filled(value, field, is_number);
        }
    }
    return text;
}

} // namespace loomp::core
