// `loomp compare`: two traces of one program, and what the difference of their makespans is made
// of.
#pragma once

#include <string>

namespace loomp::cli {

struct CompareOptions {
    std::string reference; ///< folder of `loomp trace`, or an archive's .otf2 file
    std::string observed;
    std::size_t kinds = 20; ///< how many, at most
};

int compare(const CompareOptions &options);

} // namespace loomp::cli
