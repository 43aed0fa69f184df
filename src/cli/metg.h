// `loomp metg`: from several traces, how fine tasks may be.
#pragma once

#include <string>
#include <vector>

namespace loomp::cli {

struct MetgOptions {
    std::vector<std::string> folders;            ///< of `loomp trace`, or archives' .otf2 files
    std::vector<double> efficiencies = {50, 95}; ///< per cent
};

int metg(const MetgOptions &options);

} // namespace loomp::cli
