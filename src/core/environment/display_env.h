// OMP_DISPLAY_ENV and omp_display_env() (OpenMP 5.2, 18.15 and 21.7).
#pragma once

#include <string>

namespace loomp::core {

/// The initial values of the ICVs that environment variables set, in the standard's format;
/// `verbose`: loomp's own settings too.
std::string format_env(bool verbose);

/// Prints that on stderr, in one write; as libomp lists them where its KMP_SETTINGS asked for it.
void display_env(bool verbose);

} // namespace loomp::core
