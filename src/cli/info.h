// `loomp info`: what this loomp is and does, in this environment, on this machine.
#pragma once

namespace loomp::cli {

/// Returns the exit status.
int info(bool verbose);

} // namespace loomp::cli
