#include "runtime/core/environment/settings_text.h"

#include <cstdlib>
#include <strings.h>

namespace loomp::core {

namespace {

constexpr std::uint64_t kTooLarge = ~std::uint64_t{0};

/// Reads the digits at the start of `text`, up to `end`; kTooLarge if the number overflows.
bool leading_number(const std::string &text, std::uint64_t &value, std::size_t &end) {
    value = 0;
    for (end = 0; end < text.size() && text[end] >= '0' && text[end] <= '9'; ++end)
        if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
            __builtin_add_overflow(value, static_cast<std::uint64_t>(text[end] - '0'), &value))
            value = kTooLarge;
    return end != 0;
}

std::uint64_t times(std::uint64_t number, std::uint64_t unit) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(number, unit, &product) ? kTooLarge : product;
}

} // namespace

std::string trimmed(const std::string &text) {
    std::size_t first = 0;
    std::size_t last = text.size();
    while (first < last && is_blank(text[first]))
        ++first;
    while (last > first && is_blank(text[last - 1]))
        --last;
    return text.substr(first, last - first);
}

bool same_word(const std::string &a, const char *b) { return strcasecmp(a.c_str(), b) == 0; }

std::vector<std::string> split(const std::string &text, char separator) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (;;) {
        const std::size_t to = text.find(separator, from);
        parts.push_back(trimmed(text.substr(from, to - from)));
        if (to == std::string::npos)
            return parts;
        from = to + 1;
    }
}

bool parse_int_in(const std::string &text, long low, long high, int &value) {
    const bool negative = !text.empty() && text[0] == '-';
    const bool is_signed = negative || (!text.empty() && text[0] == '+');
    const std::string digits = text.substr(is_signed ? 1 : 0);
    std::uint64_t magnitude = 0;
    std::size_t end = 0;
    if (!leading_number(digits, magnitude, end) || end != digits.size() || magnitude > 0x7fffffffU)
        return false;
    const long number = negative ? -static_cast<long>(magnitude) : static_cast<long>(magnitude);
    if (number < low || number > high)
        return false;
    value = static_cast<int>(number);
    return true;
}

bool parse_bool(const std::string &text, bool &value) {
    static constexpr Word<bool> words[] = {
        {"true", true},   {"false", false},   {"1", true},       {"0", false},
        {"yes", true},    {"no", false},      {"on", true},      {"off", false},
        {".true.", true}, {".false.", false}, {"enabled", true}, {"disabled", false}};
    return parse_word(text, words, value);
}

bool parse_size(const std::string &text, std::size_t unit, std::size_t &value) {
    static constexpr Word<std::size_t> units[] = {{"b", 1},
                                                  {"k", std::size_t{1} << 10},
                                                  {"m", std::size_t{1} << 20},
                                                  {"g", std::size_t{1} << 30},
                                                  {"t", std::size_t{1} << 40}};
    std::uint64_t number = 0;
    std::size_t end = 0;
    if (!leading_number(text, number, end) || number == 0)
        return false;
    const std::string suffix = trimmed(text.substr(end));
    if (!suffix.empty() && !parse_word(suffix, units, unit))
        return false;
    value = times(number, unit);
    return true;
}

std::string format_size(std::size_t bytes) {
    static constexpr char kUnits[] = "BKMGT";
    std::size_t unit = 0;
    while (unit < 4 && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        ++unit;
    }
    return std::to_string(bytes) + kUnits[unit];
}

bool parse_duration(const std::string &text, std::uint64_t count_unit, std::uint64_t &nanoseconds,
                    bool &is_count) {
    static constexpr Word<std::uint64_t> units[] = {
        {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};
    is_count = false;
    if (same_word(text, "infinite") || same_word(text, "infinity")) {
        nanoseconds = kTooLarge;
        return true;
    }
    std::uint64_t number = 0;
    std::size_t end = 0;
    if (!leading_number(text, number, end))
        return false;
    std::uint64_t unit = count_unit;
    const std::string suffix = trimmed(text.substr(end));
    if (!suffix.empty() && !parse_word(suffix, units, unit))
        return false;
    is_count = suffix.empty() && count_unit == 0;
    nanoseconds = is_count ? number : times(number, unit);
    return true;
}

} // namespace loomp::core
