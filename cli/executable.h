// What can be known of a program before it runs: where it is and which OpenMP runtime it would get.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loomp::cli {

/// How a program comes by its OpenMP runtime.
enum class Runtime {
    unknown, ///< not an ELF program (a script), or it could not be examined
    fixed,   ///< the program contains one, or is static altogether: it cannot be replaced
    none,    ///< linked with none; it may still load one while it runs
    compat,  ///< the dynamic linker finds ours
    foreign, ///< linked with one, and an RPATH finds another than ours first
};

/// The MPI library that a program is linked with; `abi`: any that has the standard ABI of MPI 5.
enum class Mpi { none, openmpi, mpich, abi };

/// As it stands in the names of the layer and the recorder for it.
const char *name_of(Mpi mpi);

struct Examination {
    Runtime runtime = Runtime::unknown;
    Mpi mpi = Mpi::none;
    /// Versions that the program, or a library of its, asks our libraries for in vain: it would not
    /// start.
    std::vector<std::string> missing_versions;
    /// It, or a library of BSC's that it is linked with, looks for ALPI (include/loomp/alpi.h), and
    /// finds none.
    bool lacks_alpi = false;
};

/// As the shell would find it; empty if there is no such executable file.
std::optional<std::filesystem::path> find_program(const std::string &name);

/// Whether the ELF file `path` defines an OpenMP runtime's entry points.
bool has_runtime(const std::filesystem::path &path);

/// What `program` would get, were it run with this environment's LD_LIBRARY_PATH.
Examination examine(const std::filesystem::path &program, const std::filesystem::path &compat);

} // namespace loomp::cli
