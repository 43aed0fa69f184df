// `loomp export`: a trace in the formats of others.
#pragma once

#include <string>

namespace loomp::cli {

struct ExportOptions {
    std::string folder; ///< of `loomp trace`, or an archive's .otf2 file
    std::string file;   ///< its ending says what is written
};

int export_trace(const ExportOptions &options);

} // namespace loomp::cli
