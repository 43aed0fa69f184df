#include "cli/executable.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <span>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/elf_file.h"

namespace loomp::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 2> kEntryPoints = {"GOMP_parallel", "__kmpc_fork_call"};
constexpr std::array<std::string_view, 5> kOpenmpRuntimes = {
    "libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so", "libloomp.so"};

/// The dynamic linker's list of libraries, one a line, and its complaints about missing versions.
/// Nothing of the program runs.
std::string list_libraries(const std::string &linker, const fs::path &program) {
    std::array<int, 2> pipe_ends{};
    if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0)
        return {};
    std::string file = linker;
    std::string list = "--list";
    std::string path = program.string();
    const std::array<char *, 4> arguments = {file.data(), list.data(), path.data(), nullptr};
    // posix_spawn() would look up the handler of each signal, which costs every start of a program
    // 120 system calls. This process has no handlers yet that could run in the child, and one
    // thread.
    const pid_t child = vfork(); // NOLINT(bugprone-unsafe-functions)
    if (child == 0) {
        if (dup2(pipe_ends[1], STDOUT_FILENO) >= 0 && dup2(pipe_ends[1], STDERR_FILENO) >= 0)
            execve(file.c_str(), arguments.data(), environ);
        _exit(127);
    }
    close(pipe_ends[1]);
    std::string text;
    if (child > 0) {
        std::array<char, 4096> buffer{};
        for (ssize_t n = 0; (n = read(pipe_ends[0], buffer.data(), buffer.size())) > 0;)
            text.append(buffer.data(), static_cast<std::size_t>(n));
        int status = 0;
        waitpid(child, &status, 0);
    }
    close(pipe_ends[0]);
    return text;
}

/// The file that a line `libx.so => /path/libx.so (0x...)` names, if libx.so is an OpenMP runtime.
std::string_view openmp_library(std::string_view line) {
    const std::size_t arrow = line.find(" => ");
    if (arrow == std::string_view::npos)
        return {};
    const std::string_view name = line.substr(line.find_first_not_of(" \t"), arrow - 1);
    for (std::string_view known : kOpenmpRuntimes) {
        if (name.substr(0, name.find(' ')) != known)
            continue;
        const std::string_view path = line.substr(arrow + 4);
        return path.substr(0, path.rfind(" ("));
    }
    return {};
}

Runtime linked_runtime(std::string_view libraries, const fs::path &compat) {
    Runtime result = Runtime::none;
    std::error_code error;
    for (std::size_t start = 0; start < libraries.size();) {
        const std::size_t end = std::min(libraries.find('\n', start), libraries.size());
        const std::string_view file = openmp_library(libraries.substr(start, end - start));
        start = end + 1;
        if (file.empty())
            continue;
        const fs::path found(file);
        if (found.parent_path() != compat && !fs::equivalent(found.parent_path(), compat, error) &&
            !fs::equivalent(found, compat / "libloomp.so", error))
            return Runtime::foreign;
        result = Runtime::compat;
    }
    return result;
}

/// Reads lines `PROGRAM: /path/libgomp.so.1: version `X' not found (required by FILE)`; returns
/// each X once.
std::vector<std::string> missing_versions(std::string_view said, const fs::path &compat) {
    constexpr std::string_view kVersion = ": version `";
    constexpr std::string_view kMissing = "' not found";
    std::vector<std::string> versions;
    for (std::size_t start = 0; start < said.size();) {
        const std::size_t end = std::min(said.find('\n', start), said.size());
        const std::string_view line = said.substr(start, end - start);
        start = end + 1;
        const std::size_t name = line.find(kVersion);
        const std::size_t after = line.find(kMissing, name);
        if (name == std::string_view::npos || after == std::string_view::npos ||
            line.substr(0, name).find(compat.native()) == std::string_view::npos)
            continue;
        std::string version(line.substr(name + kVersion.size(), after - name - kVersion.size()));
        if (std::find(versions.begin(), versions.end(), version) == versions.end())
            versions.push_back(std::move(version));
    }
    return versions;
}

/// Adds up the thread-local data of the files in lines `libx.so => /path/libx.so (0x...)` and
/// `/path/libx.so (0x...)`.
std::size_t thread_data_of(std::string_view libraries) {
    std::size_t total = 0;
    for (std::size_t start = 0; start < libraries.size();) {
        const std::size_t end = std::min(libraries.find('\n', start), libraries.size());
        const std::string_view line = libraries.substr(start, end - start);
        start = end + 1;
        const std::size_t arrow = line.find(" => ");
        const std::size_t path =
            arrow == std::string_view::npos ? line.find_first_not_of('\t') : arrow + 4;
        const std::size_t after = line.rfind(" (0x");
        if (after == std::string_view::npos || path >= after)
            continue;
        const ElfFile library(fs::path(line.substr(path, after - path)));
        if (library.header() != nullptr)
            total += library.thread_data();
    }
    return total;
}

Mpi linked_mpi(std::string_view libraries) {
    if (libraries.find("\tlibmpi_abi.so.1 =>") != std::string_view::npos)
        return Mpi::abi;
    if (libraries.find("\tlibmpi.so.40 =>") != std::string_view::npos)
        return Mpi::openmpi;
    return libraries.find("\tlibmpich.so.12 =>") != std::string_view::npos ||
                   libraries.find("\tlibmpi.so.12 =>") != std::string_view::npos
               ? Mpi::mpich
               : Mpi::none;
}

ThreadSanitizer thread_sanitizer_of(const ElfFile &program, std::string_view libraries) {
    for (const std::string_view library : {"\tlibtsan.so.", "\tlibclang_rt.tsan"})
        if (libraries.find(library) != std::string_view::npos)
            return ThreadSanitizer::library;
    constexpr std::array<std::string_view, 1> kEntryPoint = {"__tsan_init"};
    return program.defines(kEntryPoint) ? ThreadSanitizer::inside : ThreadSanitizer::none;
}

/// Libraries of the compilers and of the C library, which need no others than these.
constexpr std::array<std::string_view, 14> kPlainLibraries = {"libc.so.6",
                                                              "libm.so.6",
                                                              "libgcc_s.so.1",
                                                              "libstdc++.so.6",
                                                              "libpthread.so.0",
                                                              "libdl.so.2",
                                                              "librt.so.1",
                                                              "libmvec.so.1",
                                                              "libgfortran.so.5",
                                                              "libquadmath.so.0",
                                                              "libatomic.so.1",
                                                              "libutil.so.1",
                                                              "ld-linux-x86-64.so.2",
                                                              "ld-linux-aarch64.so.1"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// True if the dynamic linker looks into `compat` before all else.
bool is_first_in_path(const fs::path &compat) {
    const char *variable = std::getenv("LD_LIBRARY_PATH");
    const std::string_view path = variable == nullptr ? "" : variable;
    return path.substr(0, path.find(':')) == compat.native();
}

/// Examines a program that needs nothing but plain libraries and OpenMP runtimes that are in
/// `compat`. The dynamic linker would find nothing else, and asking it takes 100 system calls and
/// .5 ms. Returns nothing for all other programs.
std::optional<Examination> examine_plain(const ElfFile &program, const fs::path &compat) {
    if (!is_first_in_path(compat) || std::getenv("LD_PRELOAD") != nullptr ||
        std::getenv("LD_AUDIT") != nullptr || access("/etc/ld.so.preload", F_OK) == 0)
        return std::nullopt;
    Examination found;
    for (const auto &[tag, name] : program.dynamic_names()) {
        if (tag == DT_RUNPATH || (tag == DT_NEEDED && contains(kPlainLibraries, name)))
            continue; // a RUNPATH comes after LD_LIBRARY_PATH
        if (tag != DT_NEEDED || !contains(kOpenmpRuntimes, name))
            return std::nullopt;
        const ElfFile library(compat / name);
        if (library.header() == nullptr)
            return std::nullopt;
        const auto has = library.versions_defined();
        for (const std::string_view version : program.versions_needed(name))
            if (!contains(has, version))
                return std::nullopt;
        found.runtime = Runtime::compat;
    }
    if (found.runtime != Runtime::compat)
        return std::nullopt;
    found.thread_sanitizer = thread_sanitizer_of(program, "");
    return found;
}

bool is_program(const fs::path &path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

} // namespace

const char *name_of(Mpi mpi) {
    switch (mpi) {
    case Mpi::openmpi:
        return "openmpi";
    case Mpi::mpich:
        return "mpich";
    case Mpi::abi:
        return "abi";
    case Mpi::none:
        break;
    }
    return "none";
}

std::optional<fs::path> find_program(const std::string &name) {
    if (name.find('/') != std::string::npos)
        return is_program(name) ? std::optional<fs::path>(name) : std::nullopt;
    const char *variable = std::getenv("PATH");
    const std::string_view path = variable == nullptr ? "/usr/bin:/bin" : variable;
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t end = std::min(path.find(':', start), path.size());
        const std::string_view folder = path.substr(start, end - start);
        fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
        if (is_program(candidate))
            return candidate;
        start = end + 1;
    }
    return std::nullopt;
}

bool is_elf(const fs::path &path) {
    std::array<char, SELFMAG> begin{};
    std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
    return std::memcmp(begin.data(), ELFMAG, SELFMAG) == 0;
}

bool has_runtime(const fs::path &path) {
    const ElfFile elf(path);
    return elf.header() != nullptr && elf.defines(kEntryPoints);
}

Examination examine(const fs::path &program, const fs::path &compat) {
    const ElfFile elf(program);
    if (elf.header() == nullptr)
        return {};
    const std::string linker = elf.interpreter();
    if (linker.empty() || elf.defines(kEntryPoints))
        return {.runtime = Runtime::fixed, .missing_versions = {}};
    if (const auto found = examine_plain(elf, compat))
        return *found;
    const std::string libraries = list_libraries(linker, program);
    if (libraries.empty())
        return {};
    Examination found;
    found.runtime = linked_runtime(libraries, compat);
    found.mpi = linked_mpi(libraries);
    found.thread_sanitizer = thread_sanitizer_of(elf, libraries);
    // Only needed for programs that may load a runtime; it opens all libraries.
    if (found.runtime == Runtime::none)
        found.thread_data = elf.thread_data() + thread_data_of(libraries);
    found.missing_versions = missing_versions(libraries, compat);
    return found;
}

} // namespace loomp::cli
