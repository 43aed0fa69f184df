// Checks of options' values. Each returns its message, or an empty one.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace loomp::cli {

/// Checks a number of threads.
std::string positive_number(const std::string &text);
/// Makes bytes of a size such as 64M.
std::string size_to_keep(std::string &text);
std::string names_of_details(const std::string &text);

CLI::Validator not_negative();
/// A number of `what`, from 1 to `most`.
CLI::Validator count_of(const std::string &what, unsigned most);
CLI::Validator between(double low, double high, const std::string &unit);
CLI::Validator count();

} // namespace loomp::cli
