// `loomp run`: becomes a program whose OpenMP runtime is loomp.
#pragma once

#include <string>
#include <vector>

namespace loomp::cli {

struct RunOptions {
    std::vector<std::string> command; ///< the program and its arguments
    int threads = 0;                  ///< OMP_NUM_THREADS; 0 leaves it as it is
    bool preload = false;             ///< load libloomp before everything else
    bool plain_mpi = false;           ///< no layer for MPI
    bool quiet = false;               ///< do not examine the program, say nothing about it
};

/// Returns, with an exit status, only when the program could not be started.
int run(const RunOptions &options);

} // namespace loomp::cli
