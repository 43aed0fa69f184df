// Checks of options' values. Each returns its message, or an empty one.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace loomp::cli {

/// Checks a number of threads or ranks.
std::string positive_number(const std::string &text);
/// Makes bytes of a size such as 64M.
std::string size_to_keep(std::string &text);
std::string names_of_details(const std::string &text);

CLI::Validator not_negative();
CLI::Validator positive();
CLI::Validator count();

} // namespace loomp::cli
