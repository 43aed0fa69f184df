// Names of functions as people write them.
#pragma once

#include <string>

namespace loomp::analysis {

/// Of a symbol, demangled, without parameters, return type and what compilers append:
/// "solver::step" of _ZN6solver4stepEi.omp_outlined. Template arguments and lambdas' parameters,
/// which tell functions apart, stay.
std::string readable_name(const char *symbol);

} // namespace loomp::analysis
