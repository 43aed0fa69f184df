#include "cli/gdb.h"

#include <fmt/core.h>

#include "cli/program.h"
#include "cli/run.h"
#include "cli/tree.h"

namespace loomp::cli {

int gdb(const std::vector<std::string> &command) {
    constexpr int not_found = 127;
    const auto tree = find_tree();
    if (!tree)
        return not_found;
    const auto program = find_program("gdb");
    if (!program) {
        fmt::print(stderr, "loomp: gdb: it is not installed, or not in PATH\n");
        return not_found;
    }
    std::vector<std::string> whole = {
        "gdb", "-iex", "add-auto-load-safe-path " + tree->library.parent_path().string()};
    whole.insert(whole.end(), command.begin() + 1, command.end());
    return become(*program, whole);
}

} // namespace loomp::cli
