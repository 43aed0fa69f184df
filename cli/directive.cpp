#include "cli/directive.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <vector>

namespace loomp::cli {

Directive directive_at(const std::string &file, unsigned line) {
    constexpr unsigned kFar = 12;
    std::ifstream stream(file);
    std::vector<std::string> lines;
    for (std::string text; lines.size() < line && std::getline(stream, text);)
        lines.push_back(text);
    if (lines.size() < line)
        return {};
    for (unsigned up = 0; up < std::min(kFar, line); ++up) {
        const std::size_t at = line - 1 - up;
        const std::size_t begin = lines[at].find_first_not_of(" \t");
        if (begin == std::string::npos)
            continue;
        std::string text = lines[at].substr(begin);
        if (!text.starts_with("#pragma omp") && !text.starts_with("!$omp") &&
            !text.starts_with("!$OMP"))
            continue;
        for (std::size_t next = at + 1;
             (text.ends_with('\\') || text.ends_with('&')) && next < lines.size(); ++next) {
            text.pop_back();
            text.erase(text.find_last_not_of(" \t") + 1);
            text += " " + lines[next].substr(
                              std::min(lines[next].find_first_not_of(" \t"), lines[next].size()));
        }
        return {static_cast<unsigned>(at + 1), text};
    }
    return {};
}

namespace {

constexpr std::string_view kTask = "#pragma omp task";

/// The directive without a comment behind it; empty for another one.
std::string_view task_directive(std::string_view text) {
    text = text.substr(0, std::min(text.find("//"), text.find("/*")));
    text = text.substr(0, text.find_last_not_of(" \t") + 1);
    if (!text.starts_with(kTask) || (text.size() > kTask.size() && text[kTask.size()] != ' '))
        return {};
    return text;
}

/// A clause depend(KIND: ...) of a directive.
struct Clause {
    std::size_t kind; ///< where the kind is
    std::string_view items;
};

std::vector<Clause> clauses_of(std::string_view text, std::string_view kind) {
    std::vector<Clause> found;
    constexpr std::string_view kDepend = "depend";
    for (std::size_t at = text.find(kDepend); at != text.npos; at = text.find(kDepend, at + 1)) {
        const std::size_t open = text.find_first_not_of(' ', at + kDepend.size());
        if (open == text.npos || text[open] != '(')
            continue;
        std::size_t close = open;
        for (int depth = 0; close < text.size(); ++close) {
            depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
            if (depth == 0)
                break;
        }
        const std::size_t colon = text.find(':', open);
        if (close == text.size() || colon == text.npos || colon > close)
            continue;
        const std::size_t begin = text.find_first_not_of(' ', open + 1);
        std::string_view word = text.substr(begin, colon - begin);
        word = word.substr(0, word.find_last_not_of(' ') + 1);
        if (word == kind)
            found.push_back({begin, text.substr(colon + 1, close - colon - 1)});
    }
    return found;
}

} // namespace

std::optional<std::string> with_item(const std::string &directive, const std::string &kind,
                                     const std::string &item) {
    const std::string_view text = task_directive(directive);
    if (text.empty())
        return std::nullopt;
    return std::string(text) + " depend(" + kind + ": " + item + ")";
}

std::optional<std::string> with_inout(const std::string &directive, const std::string &kind) {
    std::string text(task_directive(directive));
    const std::vector<Clause> clauses = clauses_of(text, kind);
    if (clauses.size() != 1 || clauses[0].items.find(',') != std::string_view::npos)
        return std::nullopt;
    return text.replace(clauses[0].kind, kind.size(), "inout");
}

} // namespace loomp::cli
