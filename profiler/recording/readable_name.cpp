#include "profiler/recording/readable_name.h"

#include <cstddef>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>

namespace loomp::analysis {

namespace {

constexpr std::string_view kOperator = "operator";

void erase_all(std::string &text, std::string_view part) {
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;)
        text.erase(at, part.size());
}

/// The end of the brackets opened at `begin`; the text's end if they are not closed.
std::size_t end_of_brackets(const std::string &text, std::size_t begin) {
    int depth = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
        const char letter = text[at];
        const bool arrow = letter == '>' && at > 0 && text[at - 1] == '-';
        if (letter == '(' || letter == '<' || letter == '{' || letter == '[')
            ++depth;
        else if ((letter == ')' || letter == '>' || letter == '}' || letter == ']') && !arrow &&
                 --depth == 0)
            return at + 1;
    }
    return text.size();
}

/// The end of the operator's name whose `operator` is at `at`.
std::size_t end_of_operator(const std::string &text, std::size_t at) {
    at += kOperator.size();
    if (text.compare(at, 2, "()") == 0 || text.compare(at, 2, "[]") == 0)
        return at + 2;
    if (at < text.size() && text[at] == ' ') { // new, delete, or a type
        const std::size_t end = text.find('(', at);
        return end == std::string::npos ? text.size() : end;
    }
    const std::size_t end = text.find_first_not_of("<>=!+-*/%^&|~,", at);
    return end == std::string::npos ? text.size() : end;
}

bool is_word(char letter) {
    return letter == '_' || (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
           (letter >= 'A' && letter <= 'Z');
}

} // namespace

std::string readable_name(const char *symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
    if (demangled == nullptr)
        return symbol;
    std::string text = demangled.get();
    erase_all(text, "(anonymous namespace)::");
    std::string name;
    for (std::size_t at = 0; at < text.size();) {
        const char letter = text[at];
        const bool begins_word = name.empty() || !is_word(name.back());
        if (begins_word && text.compare(at, kOperator.size(), kOperator) == 0) {
            const std::size_t end = end_of_operator(text, at);
            name += text.substr(at, end - at);
            at = end;
        } else if (letter == '(') {
            // Parameters of the function, or of an enclosing one.
            const std::size_t end = end_of_brackets(text, at);
            const std::size_t inner = text.find("::", end);
            if (inner == std::string::npos || text.find('(', end) < inner)
                break;
            at = inner;
        } else if (letter == '<' || letter == '{' || letter == '[') {
            const std::size_t end = end_of_brackets(text, at);
            name += text.substr(at, end - at);
            at = end;
        } else if (letter == ' ') {
            if (text.compare(at, 2, " <") != 0) // otherwise an operator's template arguments
                name.clear();                   // the text before is its type
            ++at;
        } else {
            name += letter;
            ++at;
        }
    }
    return name.empty() ? text : name;
}

} // namespace loomp::analysis
