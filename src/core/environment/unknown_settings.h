// Variables in the environment that look like settings and are none.
#pragma once

namespace loomp::core {

/// One line on stderr for each variable that begins with OMP_ or LOOMP_, means nothing and is
/// nearly a setting; with `all`, one more that names the others, and those of other runtimes.
void tell_unknown_settings(const char *const *environment, bool all);

} // namespace loomp::core
