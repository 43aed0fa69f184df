// Small parsers of texts from the environment. Each returns false, and leaves its result unchanged,
// unless the whole text is well-formed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loomp::core {

inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string trimmed(const std::string &text);
/// Compares without case.
bool same_word(const std::string &a, const char *b);
/// Returns the parts between separators, trimmed; one part if there is no separator.
std::vector<std::string> split(const std::string &text, char separator);

bool parse_int_in(const std::string &text, long low, long high, int &value);
/// Parses true, false, and the other runtimes' words for them.
bool parse_bool(const std::string &text, bool &value);
/// Parses a positive size with an optional unit B, K, M, G or T; `unit` applies without one. Larger
/// sizes become the largest value.
bool parse_size(const std::string &text, std::size_t unit, std::size_t &value);
/// Returns the shortest exact spelling: "8M", "20000B".
std::string format_size(std::size_t bytes);
/// Parses a number with an optional unit of time, or "infinite". `count_unit`: the nanoseconds of a
/// bare number. If it is 0, a bare number is a count, which is returned unchanged with `is_count`
/// set.
bool parse_duration(const std::string &text, std::uint64_t count_unit, std::uint64_t &nanoseconds,
                    bool &is_count);

/// A word and its meaning.
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

/// Returns the first word with the meaning `value`.
template <class T, std::size_t N> std::string format_word(const Word<T> (&words)[N], T value) {
    for (const Word<T> &word : words)
        if (word.value == value)
            return word.name;
    return "";
}

} // namespace loomp::core
