#include "cli/run.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/executable.h"
#include "platform/valgrind.h"
#include "profiler/commands/option_checks.h"

namespace loomp::cli {

namespace {

// The shell's exit statuses for these failures.
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;

/// The variable that names the libraries to put before MPI calls (mpi/forward).
constexpr const char *kLayers = "LOOMP_LAYERS";

/// Reports in one line if the program may not run on loomp. Returns true if libloomp must be loaded
/// before everything else.
bool needs_preload(const std::filesystem::path &program, const Examination &found,
                   bool takes_mpi_over, bool under_valgrind) {
    switch (found.runtime) {
    case Runtime::fixed:
        fmt::print(stderr,
                   "loomp: {} is linked statically with what it needs: if it uses OpenMP, it keeps "
                   "its own runtime; link it dynamically to run it on loomp\n",
                   program.string());
        return false;
    case Runtime::none:
        if (takes_mpi_over && found.mpi != Mpi::none)
            return false;
        fmt::print(stderr,
                   "loomp: {} is linked with no OpenMP runtime; loomp replaces those that it loads "
                   "while it runs, and those of programs that it starts{}\n",
                   program.string(),
                   under_valgrind ? ", under valgrind only if their file names are the usual ones"
                                  : "");
        return false;
    case Runtime::foreign: // Its RPATH precedes LD_LIBRARY_PATH, and a preload precedes both.
        return true;
    case Runtime::compat:
    case Runtime::unknown:
        return false;
    }
    return false;
}

/// The layer for a known MPI library; empty if there is none, which is reported if the program may
/// have tasks.
std::filesystem::path mpi_layer(Mpi mpi, bool may_have_tasks, const Tree &tree) {
    std::filesystem::path layer =
        tree.library.parent_path() / fmt::format("libloomp-mpi-{}.so", name_of(mpi));
    std::error_code error;
    if (std::filesystem::exists(layer, error))
        return layer;
    if (!may_have_tasks)
        return {};
    fmt::print(
        stderr,
        "loomp: there is no {}: MPI calls in tasks hold their threads; build loomp where this "
        "MPI library's headers are installed\n",
        layer.string());
    return {};
}

/// With LD_AUDIT, the dynamic linker sizes the threads' static data before it knows the libraries.
/// Reserves what the program's libraries need, and some for those of its children.
void reserve_thread_data(std::size_t bytes) {
    constexpr std::size_t least = 8192; // a thread with the smallest stack still starts
    constexpr const char *kTunables = "GLIBC_TUNABLES";
    constexpr std::string_view kName = "glibc.rtld.optional_static_tls";
    const char *old = std::getenv(kTunables);
    if (old == nullptr || std::string_view(old).find(kName) == std::string_view::npos)
        prepend(kTunables, fmt::format("{}={}", kName, std::max(bytes, least)));
}

/// Libraries that the dynamic linker asks about those that the program or its children load while
/// they run: one replaces runtimes (runtime/audit), one hides those of the forwarder's names that
/// the MPI library lacks (mpi/forward/names.cpp).
constexpr const char *kRuntimes = "libloomp-audit.so";
constexpr const char *kNames = "libloomp-mpi-names.so";

bool is_asked(const char *library, const Tree &tree) {
    const std::string file = tree.library.parent_path() / library;
    const char *list = std::getenv("LD_AUDIT");
    return list != nullptr && std::string_view(list).find(file) != std::string_view::npos;
}

/// Has the dynamic linker ask it, if it exists and is not asked yet.
bool ask(const char *library, const Tree &tree) {
    const std::filesystem::path file = tree.library.parent_path() / library;
    std::error_code error;
    if (is_asked(library, tree) || !std::filesystem::exists(file, error))
        return false;
    prepend("LD_AUDIT", file.string());
    return true;
}

/// True for valgrind's command.
bool is_valgrind(std::string_view word) {
    return word.substr(word.rfind('/') + 1) == "valgrind"; // npos + 1 is 0
}

/// Returns whether valgrind runs this process or may run the command or a part of it. It takes
/// wrong what programs do that LD_AUDIT watches: they have a second C library.
bool is_for_valgrind(const std::vector<std::string> &command) {
    return valgrind::is_running() || std::any_of(command.begin(), command.end(), is_valgrind);
}

/// Has valgrind not report what is loomp's own (runtime/debugger/valgrind.supp).
void suppress_reports_of_loomp(const Tree &tree) {
    const std::string file = tree.library.parent_path() / "libloomp.so-valgrind.supp";
    const char *old = std::getenv("VALGRIND_OPTS");
    std::error_code error;
    if (std::filesystem::exists(file, error) &&
        (old == nullptr || std::string_view(old).find(file) == std::string_view::npos))
        setenv("VALGRIND_OPTS",
               fmt::format("--suppressions={} {}", file, old == nullptr ? "" : old).c_str(), 1);
}

/// The program that the command is about: if that is valgrind's, the first word that is no option.
std::filesystem::path examined_program(const std::filesystem::path &program,
                                       const std::vector<std::string> &command) {
    if (!is_valgrind(command.front()))
        return program;
    const auto word = std::find_if(command.begin() + 1, command.end(), [](const std::string &text) {
        return text.empty() || text.front() != '-';
    });
    return word == command.end() ? program : find_program(*word).value_or(program);
}

/// Intercepts runtimes that the program or its children load while they run.
void take_renamed_runtimes_over(const Examination &program, const Tree &tree) {
    const bool may_load = program.runtime == Runtime::none || program.runtime == Runtime::unknown;
    if (may_load && ask(kRuntimes, tree))
        reserve_thread_data(program.thread_data);
}

/// The variables that make a program run on loomp are lists. Reports in one line if loomp's path
/// would be more than one item.
bool fits_into_lists(const Tree &tree) {
    const std::string folder = tree.library.parent_path().string();
    if (folder.find_first_of(" \t:;") == std::string::npos)
        return true;
    fmt::print(
        stderr,
        "loomp: the dynamic linker finds no libraries in {}, because its path has a blank, a "
        "colon or a semicolon: install loomp in another folder\n",
        folder);
    return false;
}

/// Reports the versions that a program needs and loomp lacks.
void report_missing(const std::string &program, const std::vector<std::string> &versions) {
    const bool is_openacc =
        std::any_of(versions.begin(), versions.end(), [](std::string_view version) {
            return version.starts_with("GOACC_") || version.starts_with("OACC_");
        });
    if (is_openacc)
        fmt::print(stderr,
                   "loomp: {}: built with OpenACC (-fopenacc), which loomp does not support\n",
                   program);
    else
        fmt::print(stderr,
                   "loomp: {}: built for a newer OpenMP runtime than loomp {} stands for: it asks "
                   "for {}\n",
                   program, LOOMP_VERSION, fmt::join(versions, ", "));
}

std::filesystem::path forwarder(const Tree &tree) {
    return tree.library.parent_path() / "libloomp-mpi.so";
}

/// Removes a library from one of the dynamic linker's lists.
void remove(const char *variable, const char *separators, const std::filesystem::path &library) {
    const char *old = std::getenv(variable);
    if (old == nullptr)
        return;
    const std::string_view list = old;
    std::string rest;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find_first_of(separators, start), list.size());
        const std::string_view file = list.substr(start, end - start);
        if (!file.empty() && file != library.native())
            rest.append(rest.empty() ? "" : ":").append(file);
        start = end + 1;
    }
    if (rest.empty())
        unsetenv(variable);
    else
        setenv(variable, rest.c_str(), 1);
}

/// Removes the MPI settings of an enclosing `loomp run`.
void forget_forwarder(const Tree &tree) {
    unsetenv(kLayers);
    remove("LD_PRELOAD", ": ", forwarder(tree));
    remove("LD_AUDIT", ":", tree.library.parent_path() / kNames);
}

/// Intercepts MPI in the program and its child processes. A program without OpenMP gets the layer,
/// too, because the job's other programs make their collectives with it.
/// Returns true if the program is linked with MPI and gets its layer.
bool take_mpi_over(const Examination &found, const Tree &tree) {
    const bool on_loomp = found.runtime == Runtime::compat || found.runtime == Runtime::foreign;
    if (found.mpi == Mpi::none) {
        if (found.runtime != Runtime::fixed)
            forward_mpi("mpi", tree);
        return false;
    }
    const auto layer = mpi_layer(found.mpi, on_loomp, tree);
    if (!layer.empty())
        preload(layer);
    return !layer.empty();
}

} // namespace

void prepend(const char *variable, const std::string &value) {
    const char *old = std::getenv(variable);
    const std::string list =
        old == nullptr || *old == '\0' ? value : fmt::format("{}:{}", value, old);
    setenv(variable, list.c_str(), 1);
}

void preload(const std::filesystem::path &library) {
    prepend("LD_PRELOAD", library.string());
    // AddressSanitizer's library, which gcc links, ends the program if another comes before it. The
    // libraries of loomp define nothing that it intercepts. The user's own options follow, and win.
    constexpr const char *kOptions = "ASAN_OPTIONS";
    constexpr std::string_view kAnyOrder = "verify_asan_link_order=0";
    const char *old = std::getenv(kOptions);
    if (old == nullptr || std::string_view(old).find("verify_asan_link_order") == std::string::npos)
        prepend(kOptions, std::string(kAnyOrder));
}

void forward_mpi(const char *layers, const Tree &tree) {
    std::error_code error;
    if (!std::filesystem::exists(forwarder(tree), error)) // built without any MPI
        return;
    forget_forwarder(tree);
    preload(forwarder(tree));
    if (is_asked(kRuntimes, tree)) // thread data is reserved then
        ask(kNames, tree);
    setenv(kLayers, layers, 1);
}

Command prepare(const RunOptions &options, Use use) {
    const std::string &name = options.command.front();
    auto program = find_program(name);
    if (!program) {
        const bool in_path = name.find('/') == std::string::npos;
        const bool there = !in_path && std::filesystem::exists(name);
        std::string why = in_path ? "no such program in PATH"
                          : there ? "not an executable file"
                                  : "no such file";
        if (in_path && find_program("./" + name))
            why += "; try ./" + name;
        fmt::print(stderr, "loomp: {}: {}\n", name, why);
        return {std::nullopt, there ? kCannotRun : kNotFound};
    }
    const auto tree = find_tree();
    if (!tree || !fits_into_lists(*tree))
        return {std::nullopt, kCannotRun};

    forget_forwarder(*tree);
    if (options.plain_mpi)
        setenv(kLayers, "none", 1); // the runtime does not report that the layer is missing
    if (use != Use::record_stock)
        prepend("LD_LIBRARY_PATH", tree->compat.string());
    if (options.threads > 0)
        setenv("OMP_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
    const bool under_valgrind = use == Use::check || is_for_valgrind(options.command);
    const auto examined = examined_program(*program, options.command);
    Examination found = options.quiet ? Examination{} : examine(examined, tree->compat);
    if (!found.missing_versions.empty()) {
        report_missing(examined.string(), found.missing_versions);
        return {std::nullopt, kCannotRun};
    }
    if (examined != *program)
        found.mpi = Mpi::none; // the layer cannot be loaded into the command before that
    Command command{std::move(program), 0, found.mpi, found.thread_sanitizer};
    if (use == Use::record_stock)
        return command;
    if (under_valgrind)
        suppress_reports_of_loomp(*tree);
    else
        take_renamed_runtimes_over(found, *tree);
    const bool has_layer = !options.plain_mpi && take_mpi_over(found, *tree);
    const bool takes_mpi_over = has_layer || use == Use::record;
    if ((!options.quiet && needs_preload(examined, found, takes_mpi_over, under_valgrind)) ||
        options.preload)
        preload(tree->library);
    return command;
}

int become(const std::filesystem::path &program, const std::vector<std::string> &command) {
    std::vector<char *> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string &argument : command)
        arguments.push_back(const_cast<char *>(argument.c_str()));
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    if (errno == ENOEXEC && !is_elf(program)) { // a script without an interpreter, as in the shell
        const char *const shell = "/bin/sh";
        std::string path = program.string();
        if (path.find('/') == std::string::npos)
            path = "./" + path;
        arguments.front() = path.data();
        arguments.insert(arguments.begin(), const_cast<char *>(shell));
        execv(shell, arguments.data());
    }
    fmt::print(stderr, "loomp: cannot run {}: {}\n", program.string(), std::strerror(errno));
    return errno == ENOENT ? kNotFound : kCannotRun;
}

namespace {

volatile std::sig_atomic_t child = 0; ///< of run_to_end()

} // namespace

std::optional<int> run_to_end(const char *by, const std::filesystem::path &program,
                              const std::vector<std::string> &command) {
    const pid_t process = fork();
    if (process < 0) {
        fmt::print(stderr, "loomp: {}: {}\n", by, std::strerror(errno));
        return std::nullopt;
    }
    if (process == 0)
        _exit(become(program, command));
    child = process;
    for (const int signal : std::array{SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
        struct sigaction action = {};
        action.sa_handler = [](int number) { kill(child, number); };
        sigaction(signal, &action, nullptr);
    }
    std::signal(SIGINT, SIG_IGN); // the terminal signals the program itself
    std::signal(SIGQUIT, SIG_IGN);
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return std::nullopt;
    return status;
}

int shell_status(int status) {
    constexpr int kKilled = 128;
    return WIFSIGNALED(status) ? kKilled + WTERMSIG(status) : WEXITSTATUS(status);
}

void add_run_options(CLI::App &command, RunOptions &options) {
    command.add_option("-t,--threads", options.threads, "Set OMP_NUM_THREADS")
        ->check(positive_number);
    command.add_flag(
        "--preload", options.preload,
        "Load libloomp ahead of all libraries, for programs that bring a runtime along");
    command.add_flag("--plain-mpi", options.plain_mpi,
                     "Leave MPI calls as they are: a blocking call in a task holds its thread");
    command.add_flag(
        "-q,--quiet", options.quiet,
        "Do not examine the program before it starts; with trace, do not name the folder");
    command.prefix_command();
}

const Subcommand kRun = {"run", "Run a program on loomp: loomp run ./app args",
                         [](CLI::App &command) -> Action {
                             const auto options = std::make_shared<RunOptions>();
                             add_run_options(command, *options);
                             return [options](const Words &program) {
                                 options->command = program;
                                 const Command found = prepare(*options);
                                 return found.path ? become(*found.path, program) : found.status;
                             };
                         }};

} // namespace loomp::cli
