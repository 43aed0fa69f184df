// Settings of loomp that a program without OpenMP may have, too.
#pragma once

#include <cstdlib>

namespace loomp::mpi {

/// True if the environment has the variable, and `ask()` of the runtime says that the setting is
/// on. A program without OpenMP must not read the other settings, whose errors are reported.
inline bool is_on(const char *variable, int (*ask)()) {
    return std::getenv(variable) != nullptr && ask() != 0;
}

} // namespace loomp::mpi
