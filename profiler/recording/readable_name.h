// Readable names of functions.
#pragma once

#include <string>

namespace loomp::analysis {

/// Demangles a symbol without parameters, return type and compilers' suffixes: "solver::step" for
/// _ZN6solver4stepEi.omp_outlined. Template arguments and lambdas' parameters stay, because they
/// distinguish functions.
std::string readable_name(const char *symbol);

} // namespace loomp::analysis
