// `loomp view`: a trace as one HTML file.
#pragma once

#include <string>

namespace loomp::cli {

struct ViewOptions {
    std::string folder; ///< of `loomp trace`, or an archive's .otf2 file
    std::string file;
};

int view(const ViewOptions &options);

} // namespace loomp::cli
