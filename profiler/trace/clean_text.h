// Text of the program or of another tool, for people and other programs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace loomp::analysis {

/// The text as valid UTF-8 without control characters: a space takes the place of each control
/// character, U+FFFD that of each byte which belongs to no character.
std::string clean_text(std::string_view text);
/// A clean name that can be seen: an empty one is "(unnamed)", one of spaces "(blank)".
std::string clean_name(std::string_view text);
/// The text, or its beginning and "..." if it has more than `most` bytes.
std::string shortened(const std::string &text, std::size_t most);

} // namespace loomp::analysis
