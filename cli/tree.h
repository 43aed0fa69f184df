// Finds the libraries next to the running executable, in a build tree or an installed one.
#pragma once

#include <filesystem>
#include <optional>

namespace loomp::cli {

struct Tree {
    std::filesystem::path library; ///< libloomp.so
    std::filesystem::path compat;  ///< the folder with libomp.so.5, libgomp.so.1, ...
};

/// Empty if the libraries are not in their places, with one line on stderr.
std::optional<Tree> find_tree();

} // namespace loomp::cli
