// Text of the program or of another tool, for people and other programs.
#pragma once

#include <string>
#include <string_view>

namespace loomp::analysis {

/// The text as valid UTF-8 without control characters: a space takes the place of each control
/// character, U+FFFD that of each byte which belongs to no character.
std::string clean_text(std::string_view text);

} // namespace loomp::analysis
