// Finds out whether this process's program calls MPI and creates OpenMP tasks without loomp's MPI
// layer.
#pragma once

#include <link.h>
#include <string_view>

#include "platform/linked_object.h"

namespace loomp {

/// True for the names by which compilers create tasks, and wait for them.
inline bool creates_tasks(std::string_view name) {
    return name.starts_with("GOMP_task") || name.starts_with("__kmpc_omp_task") ||
           name.starts_with("__kmpc_taskloop");
}

/// True for what starts MPI, from C and from Fortran.
inline bool starts_mpi(std::string_view name) {
    return name.starts_with("MPI_Init") || name.starts_with("mpi_init");
}

/// Any thread. Libraries of the program do not count, nor what it opens later.
inline bool lacks_mpi_layer() {
    struct Found {
        bool tasks = false;
        bool mpi = false;
        bool layer = false;
    } found;
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *all) {
            auto &found = *static_cast<Found *>(all);
            const LinkedObject object(*info);
            if (object.is_program())
                object.any_imported([&](std::string_view name, std::uintptr_t) {
                    found.tasks = found.tasks || creates_tasks(name);
                    found.mpi = found.mpi || starts_mpi(name);
                    return found.tasks && found.mpi;
                });
            const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
            if (path.substr(path.rfind('/') + 1).starts_with("libloomp-mpi"))
                found.layer = true;
            return 0;
        },
        &found);
    return found.tasks && found.mpi && !found.layer;
}

} // namespace loomp
