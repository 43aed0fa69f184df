#include "cli/tree.h"

#include <fmt/core.h>

namespace loomp::cli {

namespace fs = std::filesystem;

std::optional<Tree> find_tree() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error) {
        fmt::print(stderr, "loomp: cannot read /proc/self/exe: {}\n", error.message());
        return std::nullopt;
    }
    const fs::path own = self.parent_path();
    const fs::path root = own.parent_path();
    // loomp is in bin, loomp-commands beside the library.
    for (const fs::path &base : {root / "lib", root / LOOMP_INSTALL_LIBDIR, own}) {
        if (fs::exists(base / "libloomp.so", error) && fs::is_directory(base / "compat", error))
            return Tree{base / "libloomp.so", base / "compat"};
    }
    fmt::print(stderr,
               "loomp: no libloomp.so with compat/ in {}: build or install loomp completely\n",
               (root / LOOMP_INSTALL_LIBDIR).string());
    return std::nullopt;
}

} // namespace loomp::cli
