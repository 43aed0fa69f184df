// `loomp python`: Python, with the package that reads traces.
#pragma once

#include <string>
#include <vector>

namespace loomp::cli {

/// Goes on as the Python that the package was built for, or the one of an active virtual
/// environment; `command`: "python" and its arguments. Returns, with an exit status, only when that
/// could not be started.
int python(const std::vector<std::string> &command);

} // namespace loomp::cli
