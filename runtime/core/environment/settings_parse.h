// Parsers and printers of settings whose values are more than a word or a number. ParseSetting
// describes their results.
#pragma once

#include <cstddef>
#include <string>

namespace loomp::core {

struct Settings;

bool parse_num_threads(Settings &s, const std::string &text, std::string &why);
std::string show_num_threads(const Settings &s);

bool parse_proc_bind(Settings &s, const std::string &text, std::string &why);
std::string show_proc_bind(const Settings &s);

bool parse_teams_bind(Settings &s, const std::string &text, std::string &why);
std::string show_teams_bind(const Settings &s);

bool parse_schedule(Settings &s, const std::string &text, std::string &why);
std::string show_schedule(const Settings &s);

bool parse_places_setting(Settings &s, const std::string &text, std::string &why);
bool parse_gomp_cpu_affinity(Settings &s, const std::string &text, std::string &why);
/// Parses the types none, disabled, compact, scatter, balanced, and explicit with a proclist.
bool parse_kmp_affinity(Settings &s, const std::string &text, std::string &why);

/// Returns the largest stack that the system accepts for a thread here.
std::size_t largest_stack();
/// Returns the possible size of a stack that is nearest to `wanted`.
std::size_t possible_stack_size(std::size_t wanted);
bool parse_stack_size(Settings &s, const std::string &text, std::string &why);
/// Parses KMP_STACKSIZE, which counts bytes if no unit is given.
bool parse_kmp_stack_size(Settings &s, const std::string &text, std::string &why);

bool parse_allocator(Settings &s, const std::string &text, std::string &why);

bool parse_spin(Settings &s, const std::string &text, std::string &why);
bool parse_hw_subset(Settings &s, const std::string &text, std::string &why);
bool parse_gomp_spin_count(Settings &s, const std::string &text, std::string &why);
bool parse_kmp_blocktime(Settings &s, const std::string &text, std::string &why);

} // namespace loomp::core
