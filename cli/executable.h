// Examines a program before it runs: its path, and the OpenMP runtime that it would get.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace loomp::cli {

/// How a program gets its OpenMP runtime.
enum class Runtime {
    unknown, ///< not an ELF program (a script), or it could not be examined
    fixed,   ///< it contains one, or is entirely static: it cannot be replaced
    none,    ///< not linked with one; it may still load one while it runs
    compat,  ///< the dynamic linker finds ours
    foreign, ///< linked with one, and an RPATH finds another than ours first
};

/// The MPI library that a program is linked with; `abi` is any with the standard ABI of MPI 5.
enum class Mpi { none, openmpi, mpich, abi };

/// A program that was compiled with -fsanitize=thread calls ThreadSanitizer's functions. They are
/// in a library, or inside the program.
enum class ThreadSanitizer { none, library, inside };

/// The library's name in the names of the layer and the recorder.
const char *name_of(Mpi mpi);

struct Examination {
    Runtime runtime = Runtime::unknown;
    Mpi mpi = Mpi::none;
    ThreadSanitizer thread_sanitizer = ThreadSanitizer::none;
    /// Thread-local data of the program and its libraries, in bytes.
    std::size_t thread_data = 0;
    /// Versions that the program or its libraries need and our libraries lack: the program would
    /// not start.
    std::vector<std::string> missing_versions;
};

/// Finds a program like the shell; empty if there is no such executable file.
std::optional<std::filesystem::path> find_program(const std::string &name);

/// True if the file is a program of some machine, and no script.
bool is_elf(const std::filesystem::path &path);
/// True if the ELF file `path` defines an OpenMP runtime's entry points.
bool has_runtime(const std::filesystem::path &path);

/// The libraries that `program` would get with this environment's LD_LIBRARY_PATH.
Examination examine(const std::filesystem::path &program, const std::filesystem::path &compat);

} // namespace loomp::cli
