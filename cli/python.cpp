// `loomp python`: Python with the package that reads traces.
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/run.h"
#include "cli/tree.h"

namespace loomp::cli {

namespace fs = std::filesystem;

namespace {

/// The folder of the package, in a build tree or below the prefix, which may be one folder further
/// up (lib/x86_64-linux-gnu).
fs::path package_folder(const Tree &tree) {
    const fs::path above = tree.library.parent_path().parent_path();
    std::error_code error;
    for (const fs::path &root : {above, above.parent_path()})
        for (const char *folder : {"lib/python", LOOMP_PYTHON_DIR})
            if (fs::exists(root / folder / "loomp" / "__init__.py", error))
                return root / folder;
    return {};
}

/// Becomes the Python of an active virtual environment, or the one that the package was built for.
/// Returns an exit status only if it could not be started.
int python(const Words &arguments) {
    const auto tree = find_tree();
    if (!tree)
        return kFailure;
    const fs::path folder = package_folder(*tree);
    if (folder.empty()) {
        fmt::print(stderr,
                   "loomp: python: there is no package loomp beside {}: build loomp where "
                   "pybind11-dev and python3-dev are installed\n",
                   tree->library.string());
        return kFailure;
    }
    prepend("PYTHONPATH", folder.string());
    const char *environment = std::getenv("VIRTUAL_ENV");
    const fs::path program = environment != nullptr && *environment != '\0'
                                 ? fs::path(environment) / "bin" / "python3"
                                 : fs::path(LOOMP_PYTHON);
    // Python finds its modules by its own path, and would search PATH for a name without a folder.
    Words command = {program.string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return become(program, command);
}

} // namespace

const Subcommand kPython = {"python",
                            "Start the Python that has the package loomp: loomp python script.py",
                            [](CLI::App &) -> Action { return python; }, true};

} // namespace loomp::cli
