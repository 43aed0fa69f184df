// `loomp check`: runs a program with a collector of its accesses, and reports memory that two tasks
// use in no order (profiler/check).
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/check_report.h"
#include "cli/commands.h"
#include "cli/launch.h"
#include "cli/run.h"
#include "cli/tree.h"

namespace loomp::cli {

namespace fs = std::filesystem;

namespace {

struct CheckOptions {
    RunOptions run;
    std::string json; ///< a file for the findings; empty: none
    std::string html; ///< a page of them; empty: none
    std::string suppressions;
    std::string log;       ///< a folder that keeps the log; empty: none does
    bool all = false;      ///< also what locks exclude
    bool fix = false;      ///< also changed directives
    bool unneeded = false; ///< also items without which there would be no race
};

/// A folder for the log: one that stays, or a temporary one, which is removed at the end. Its path
/// is empty if it cannot be made.
class Folder {
  public:
    explicit Folder(const std::string &kept) : stays_(!kept.empty()) {
        if (stays_) {
            std::error_code error;
            fs::create_directories(kept, error);
            errno = error.value();
            path_ = error ? fs::path() : fs::absolute(kept, error);
            return;
        }
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "loomp-check-XXXXXX").string();
        if (error)
            errno = error.value();
        else if (mkdtemp(name.data()) != nullptr)
            path_ = name;
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder() {
        std::error_code error;
        if (!path_.empty() && !stays_)
            fs::remove_all(path_, error);
    }
    const fs::path &path() const { return path_; }

  private:
    bool stays_;
    fs::path path_;
};

/// Valgrind's messages, but for its remarks on debug information that it does not know.
constexpr const char *kMessages = "messages";

void print_messages(const fs::path &folder) {
    std::ifstream file(folder / kMessages);
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && !line.starts_with("### "))
            fmt::print(stderr, "{}\n", line);
}

/// True if all of these files exist; otherwise reports the first that does not.
bool are_built(std::initializer_list<fs::path> files) {
    std::error_code error;
    for (const fs::path &file : files)
        if (!fs::exists(file, error)) {
            fmt::print(
                stderr,
                "loomp: check: there is no {}: build loomp on x86-64 where valgrind's headers "
                "and libraries are installed (Debian's package valgrind)\n",
                file.string());
            return false;
        }
    return true;
}

/// Has the program load the observer and its half for MPI.
void load_observer(const fs::path &libraries, Mpi mpi) {
    const fs::path observer = libraries / "libloomp-check.so";
    std::error_code error;
    setenv("OMP_TOOL_LIBRARIES", observer.c_str(), 1);
    setenv("OMP_TOOL", "enabled", 1);
    if (mpi != Mpi::none)
        if (const fs::path half = libraries / fmt::format("libloomp-check-{}.so", name_of(mpi));
            fs::exists(half, error))
            preload(half);
    preload(observer);
}

/// The collector is a tool of valgrind, which runs the program.
std::optional<int> run_under_collector(const std::vector<std::string> &words,
                                       const fs::path &program, const fs::path &libraries,
                                       const fs::path &folder) {
    const fs::path collector = libraries / "loomp-collector";
    setenv("OMP_WAIT_POLICY", "passive", 0); // valgrind runs one thread at a time
    setenv("HWLOC_COMPONENTS", "-x86", 0); // which complains of valgrind; the kernel knows as much
    setenv("VALGRIND_LAUNCHER", collector.c_str(), 1);
    unsetenv("VALGRIND_OPTS");
    std::vector<std::string> command = {collector.string(),
                                        "--tool=loomp-check",
                                        "-q",
                                        "--default-suppressions=no",
                                        "--log-file=" + (folder / kMessages).string(),
                                        "--log-folder=" + folder.string(),
                                        program.string()};
    command.insert(command.end(), words.begin() + 1, words.end());
    const auto status = run_to_end("check", collector, command);
    print_messages(folder);
    return status;
}

/// Returns the status of the program, or nothing if no collector did run it.
std::optional<int> run_examined(const std::vector<std::string> &words, const fs::path &path,
                                const Command &program, const fs::path &folder) {
    const auto tree = find_tree();
    if (!tree)
        return std::nullopt;
    const fs::path libraries = tree->library.parent_path();
    if (program.thread_sanitizer == ThreadSanitizer::inside) {
        fmt::print(stderr,
                   "loomp: check: {} contains ThreadSanitizer: link it with -shared-libsan, or "
                   "compile it without -fsanitize=thread\n",
                   path.string());
        return std::nullopt;
    }
    const bool has_calls = program.thread_sanitizer == ThreadSanitizer::library;
    if (!are_built({libraries / "libloomp-check.so",
                    libraries / (has_calls ? "check/libtsan.so.2" : "loomp-collector")}))
        return std::nullopt;
    load_observer(libraries, program.mpi);
    if (has_calls) // a program that valgrind's one starts must not write into the folder
        setenv(LOOMP_CHECK_FOLDER, folder.c_str(), 1);
    const auto status = has_calls ? run_to_end("check", path, words)
                                  : run_under_collector(words, path, libraries, folder);
    if (status && WIFSIGNALED(*status)) {
        fmt::print(stderr, "loomp: check: the program was ended by signal {} ({})\n",
                   WTERMSIG(*status), strsignal(WTERMSIG(*status)));
        if (WTERMSIG(*status) == SIGILL && !has_calls)
            fmt::print(stderr,
                       "loomp: check: if it was compiled for AVX-512: valgrind cannot run that; "
                       "compile without it (-mno-avx512f)\n");
    }
    return status ? std::optional(shell_status(*status)) : std::nullopt;
}

/// The command of a launcher, with this one before the program.
std::optional<int> check_ranks(const CheckOptions &options) {
    std::error_code error;
    std::vector<std::string> words = {fs::read_symlink("/proc/self/exe", error).string(), "check"};
    const auto add = [&words](const char *option, const std::string &value) {
        if (!value.empty())
            words.insert(words.end(), {option, value});
    };
    add("--json", options.json);
    add("--html", options.html);
    add("--log", options.log);
    add("--suppress", options.suppressions);
    add("-t", options.run.threads > 0 ? std::to_string(options.run.threads) : "");
    const std::pair<const char *, bool> flags[] = {{"--all", options.all},
                                                   {"--fix", options.fix},
                                                   {"--unneeded", options.unneeded},
                                                   {"--preload", options.run.preload},
                                                   {"--plain-mpi", options.run.plain_mpi},
                                                   {"-q", options.run.quiet}};
    for (const auto &[flag, is_set] : flags)
        if (is_set)
            words.emplace_back(flag);
    std::vector<std::string> command = options.run.command;
    const auto launcher = find_program(command.front());
    if (!launcher || !insert_before_programs(command, words))
        return std::nullopt;
    return become(*launcher, command);
}

/// Writes the findings to a file, if it has a name. Returns false, with a line on stderr, if that
/// fails.
template <class Text> bool write(const std::string &name, Text text) {
    if (name.empty() || std::ofstream(name) << text() << std::flush)
        return true;
    fmt::print(stderr, "loomp: check: cannot write {}: {}\n", name, std::strerror(errno));
    return false;
}

/// Returns the program's status, or kFailure if there are races.
int check_program(const CheckOptions &options) {
    if (const auto status = check_ranks(options))
        return *status;
    Suppressions suppressions;
    if (!options.suppressions.empty())
        if (const std::string wrong = suppressions.read(options.suppressions); !wrong.empty()) {
            fmt::print(stderr, "loomp: check: {}\n", wrong);
            return kUsage;
        }
    // In the place of ThreadSanitizer's library, which the program may be linked with.
    if (const auto tree = find_tree())
        prepend("LD_LIBRARY_PATH", (tree->library.parent_path() / "check").string());
    const Command program = prepare(options.run, Use::check);
    if (!program.path)
        return program.status;
    const std::optional<int> rank = rank_of_launch();
    const auto of_rank = [&rank](const std::string &name) {
        return name.empty() || !rank ? name : fmt::format("{}.{}", name, *rank);
    };
    const Folder folder(of_rank(options.log));
    if (folder.path().empty()) {
        fmt::print(stderr, "loomp: check: cannot make a folder for the log: {}\n",
                   std::strerror(errno));
        return kFailure;
    }
    const auto status = run_examined(options.run.command, *program.path, program, folder.path());
    if (!status)
        return kFailure;
    const check::Result result = check::find_conflicts(folder.path());
    if (!result.problem.empty()) {
        fmt::print(stderr, "loomp: check: {}\n", result.problem);
        return kFailure;
    }
    const CheckReport report(result, folder.path(), suppressions, rank);
    fmt::print(stderr, "{}{}", report.text(options.all), options.fix ? report.fixes() : "");
    if (options.unneeded && report.races() == 0)
        fmt::print(stderr, "{}", report.text_of(check::find_unneeded(folder.path())));
    if (!write(of_rank(options.json), [&report] { return report.json(); }) ||
        !write(of_rank(options.html),
               [&] { return report.page(program.path->filename().string()); }))
        return kFailure;
    return report.races() > 0 && *status == 0 ? kFailure : *status;
}

Action declare_check(CLI::App &command) {
    const auto options = std::make_shared<CheckOptions>();
    command.add_option("--json", options->json,
                       "Write the findings to this file, too; those of rank N of a job to FILE.N");
    command.add_option("--html", options->html,
                       "Write a page of the findings: the tasks, their source and what they share");
    command.add_option("--suppress", options->suppressions,
                       "Do not report what a line of this file names: race lu.c:70 lu.c:*");
    command.add_option("--log", options->log,
                       "Keep the log of accesses and events in this folder, or FOLDER.N");
    command.add_flag("--all", options->all,
                     "Report accesses that locks exclude, too: their order may change the result");
    command.add_flag("--fix", options->fix,
                     "Print the changed directives for findings whose remedy is beyond doubt");
    command.add_flag("--unneeded", options->unneeded,
                     "Without races: report depend items that ordered no accesses of this run");
    add_run_options(command, options->run);
    return [options](const Words &program) {
        options->run.command = program;
        return check_program(*options);
    };
}

} // namespace

const Subcommand kCheck = {
    "check", "Run a program and report memory that tasks use in no order: loomp check ./app args",
    declare_check};

} // namespace loomp::cli
