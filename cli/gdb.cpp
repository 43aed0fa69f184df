// `loomp gdb`: gdb with the commands for loomp's tasks (runtime/debugger).
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/executable.h"
#include "cli/run.h"
#include "cli/tree.h"

namespace loomp::cli {

namespace {

/// Becomes gdb, which may load the script next to the library. Returns an exit status only if gdb
/// could not be started.
int gdb(const Words &arguments) {
    constexpr int not_found = 127;
    const auto tree = find_tree();
    if (!tree)
        return not_found;
    const auto program = find_program("gdb");
    if (!program) {
        fmt::print(stderr, "loomp: gdb: it is not installed, or not in PATH\n");
        return not_found;
    }
    Words whole = {"gdb", "-iex",
                   "add-auto-load-safe-path " + tree->library.parent_path().string()};
    whole.insert(whole.end(), arguments.begin(), arguments.end());
    return become(*program, whole);
}

} // namespace

const Subcommand kGdb = {
    "gdb", "Start gdb with commands for suspended tasks: loomp gdb -p PID, loomp gdb APP CORE",
    [](CLI::App &) -> Action { return gdb; }, true};

} // namespace loomp::cli
