// Finds out whether this process uses OpenMP, by the libraries that its program and its libraries
// ask for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <link.h>
#include <string_view>

#include "platform/linked_object.h"

namespace loomp {

struct OpenmpUsers {
    bool program = false; ///< the program or a library of its own
    bool layer = false;   ///< loomp's MPI layer, which a program without OpenMP may get, too
};

/// True for the path of a library of loomp.
inline bool is_loomps_library(std::string_view path) {
    return path.substr(path.rfind('/') + 1).starts_with("libloomp");
}

/// True for the name of an OpenMP runtime, which Python's packages may have made longer, or of a
/// library of loomp that programs are linked with.
inline bool is_openmp(std::string_view library) {
    constexpr std::string_view kBeginnings[] = {"libgomp.",  "libgomp-",    "libomp.",
                                                "libomp-",   "libiomp5.",   "libiomp5-",
                                                "libloomp.", "libloomp-mpi"};
    return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                       [library](std::string_view name) { return library.starts_with(name); });
}

/// Any thread. The program may open libraries that use OpenMP later.
inline OpenmpUsers find_openmp_users() {
    OpenmpUsers found;
    dl_iterate_phdr(
        [](dl_phdr_info *object, std::size_t, void *users) {
            const std::string_view path = object->dlpi_name == nullptr ? "" : object->dlpi_name;
            const std::string_view file = path.substr(path.rfind('/') + 1);
            auto &all = *static_cast<OpenmpUsers *>(users);
            if (file.starts_with("libloomp-mpi-"))
                all.layer = true;
            if (is_loomps_library(path)) // asks for libloomp.so
                return 0;
            all.program = all.program || LinkedObject(*object).any_needed(is_openmp);
            return 0;
        },
        &found);
    return found;
}

} // namespace loomp
