// Environment variables that look like settings but are none.
#pragma once

namespace loomp::core {

struct Settings;

/// How a line on a wrong value begins: for a program that was built for libomp as that one begins
/// it, since its tools look for it.
const char *complaint_beginning(const Settings &settings);

/// Prints a line for each of another runtime's variables that has no effect here, if that runtime
/// would refuse its value.
void check_without_effect(const Settings &settings, const char *const *environment);

/// Prints one line on stderr for each variable that begins with OMP_ or LOOMP_, has no meaning, and
/// is nearly a setting. `all` adds one line that names the other such variables, and those of other
/// runtimes.
void tell_unknown_settings(const char *const *environment, bool all);

} // namespace loomp::core
