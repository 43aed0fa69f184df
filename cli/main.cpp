// The `loomp` command. It has `loomp run` itself, because each start of a program pays for what it
// is linked with: the libraries that read traces would cost 57 system calls and .4 ms. It becomes
// loomp-commands, which lies beside libloomp.so, for all other commands.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unistd.h>

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/tree.h"

int main(int argc, char **argv) {
    using namespace loomp::cli;
    if (argc > 1 && std::string_view(argv[1]) == kRun.name)
        return run_command_line({&kListedRun, 1}, argc, argv);
    const auto tree = find_tree();
    if (!tree)
        return kFailure;
    const std::filesystem::path all = tree->library.parent_path() / "loomp-commands";
    execv(all.c_str(), argv);
    fmt::print(stderr, "loomp: cannot start {}: {}: build or install loomp completely\n",
               all.string(), std::strerror(errno));
    return kFailure;
}
