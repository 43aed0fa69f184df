#include "mpi/adapters/mpi_library.h"

#include <dlfcn.h>

#ifdef LOOMP_MPI_ABI
#include <cstring>

#include "mpi/adapters/thread_level.h"
#include "mpi/adapters/tools.h"
#endif

namespace loomp::mpi {

bool may_leave_init_early() {
    const void *const setting = dlsym(RTLD_DEFAULT, "ompi_async_mpi_init");
    return setting != nullptr && *static_cast<const bool *>(setting);
}

#ifdef LOOMP_MPI_ABI

bool is_openmpi() {
    static const bool is = [] {
        char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
        int length = 0;
        PMPI_Get_library_version(version, &length);
        return std::strncmp(version, "Open MPI", 8) == 0;
    }();
    return is;
}

int close_file(MPI_File *file) {
    static const auto close = next_function("MPI_File_close", &MPI_File_close);
    return inside_gate([&] {
        const InsideTool inside; // a tool may have it
        return close(file);
    });
}
#endif

} // namespace loomp::mpi
