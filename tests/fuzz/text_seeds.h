// Inputs for the fuzzers of settings and of places to begin with, and words for them.
#pragma once

#include <filesystem>

namespace loomp::fuzz {

/// Writes DIR/settings/*, DIR/settings.words, DIR/places/* and DIR/places.words.
void write_text_seeds(const std::filesystem::path &folder);

} // namespace loomp::fuzz
