// Small readers of what people write in the environment. Each returns false, and leaves its result
// alone, unless the whole text is well-formed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loomp::core {

inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string trimmed(const std::string &text);
/// Equal but for case.
bool same_word(const std::string &a, const char *b);
/// Parts between separators, trimmed; one part if there is none.
std::vector<std::string> split(const std::string &text, char separator);

bool parse_int_in(const std::string &text, long low, long high, int &value);
/// true, false, and what other runtimes take for them.
bool parse_bool(const std::string &text, bool &value);
/// A positive size with an optional unit B, K, M, G or T; `unit` applies without one. The largest
/// there is stands for all beyond it.
bool parse_size(const std::string &text, std::size_t unit, std::size_t &value);
/// The shortest exact spelling: "8M", "20000B".
std::string format_size(std::size_t bytes);
/// A number with an optional unit of time, or "infinite". `count_unit`: what a bare number counts,
/// in nanoseconds; 0: a count, returned as it is with `is_count` set.
bool parse_duration(const std::string &text, std::uint64_t count_unit, std::uint64_t &nanoseconds,
                    bool &is_count);

/// A word and what it means.
template <class T> struct Word {
    const char *name;
    T value;
};

template <class T, std::size_t N>
bool parse_word(const std::string &text, const Word<T> (&words)[N], T &value) {
    for (const Word<T> &word : words)
        if (same_word(text, word.name)) {
            value = word.value;
            return true;
        }
    return false;
}

/// The first word that means `value`.
template <class T, std::size_t N> std::string format_word(const Word<T> (&words)[N], T value) {
    for (const Word<T> &word : words)
        if (word.value == value)
            return word.name;
    return "";
}

} // namespace loomp::core
