// The input file: options of the command line as `name = value`, in TOML.
#pragma once

#include "common/options.h"

#include <string>

namespace vlasov {

// Sets the options that the file has; anything wrong ends the program with one line that names file
// and line. The options of the command line are to be set later.
void read_input(const std::string &path, const apps::Options &options);

} // namespace vlasov
