// Where this loomp lives: the libraries beside the running executable, in a build tree or an
// installed one.
#pragma once

#include <filesystem>
#include <optional>

namespace loomp::cli {

struct Tree {
    std::filesystem::path library; ///< libloomp.so
    std::filesystem::path compat;  ///< the folder with libomp.so.5, libgomp.so.1, ...
};

/// Empty, after one line on stderr, when the libraries are not where they belong.
std::optional<Tree> find_tree();

} // namespace loomp::cli
