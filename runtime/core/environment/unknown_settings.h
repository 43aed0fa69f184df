// Variables in the environment that look like settings and are none.
#pragma once

namespace loomp::core {

struct Settings;

/// How a line on a wrong value begins: for a program that was built for libomp as that one begins
/// it, since its tools look for it.
const char *complaint_beginning(const Settings &settings);

/// One line for each of another runtime's variables that has no effect here, and has a value that
/// the other one would not take either.
void check_without_effect(const Settings &settings, const char *const *environment);

/// One line on stderr for each variable that begins with OMP_ or LOOMP_, means nothing and is
/// nearly a setting; with `all`, one more that names the others, and those of other runtimes.
void tell_unknown_settings(const char *const *environment, bool all);

} // namespace loomp::core
