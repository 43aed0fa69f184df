// A process that takes a share of its processors: other processes of its node may use the same
// ones.
#pragma once

#include <string>

namespace loomp::core {

/// Makes the part-th of `parts` shares of the processors the process' own: binds the calling thread
/// to it, and regions have as many threads by default. Returns them as text, such as "0-3"; or
/// none, and does nothing, where LOOMP_SPREAD_RANKS is false, the user binds threads or asks for
/// more than a share has, there are fewer processors than parts, or loomp has made threads already.
/// By one thread, which is to make the others.
std::string take_processor_share(int part, int parts);

} // namespace loomp::core
