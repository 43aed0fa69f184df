// OpenMP's directives in sources, and what `loomp check --fix` changes in them.
#pragma once

#include <optional>
#include <string>

namespace loomp::cli {

struct Directive {
    unsigned line = 0; ///< 0: the source cannot be read, or there is none
    std::string text;  ///< on one line
};

/// The directive at a line of a source or shortly above it.
Directive directive_at(const std::string &file, unsigned line);

/// A task directive of C with another item in a clause of its own; nothing for others.
std::optional<std::string> with_item(const std::string &directive, const std::string &kind,
                                     const std::string &item);
/// A task directive of C whose only item of a kind becomes inout; nothing if it has several.
std::optional<std::string> with_inout(const std::string &directive, const std::string &kind);

} // namespace loomp::cli
