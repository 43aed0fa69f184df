// This file is empty if the layer is for one library.
#include "mpi/adapters/mpi_library.h"

#ifdef LOOMP_MPI_ABI
#include <cstring>
#include <dlfcn.h>

#include "mpi/adapters/thread_level.h"

namespace loomp::mpi {

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
    static const auto close =
        reinterpret_cast<int (*)(MPI_File *)>(dlsym(RTLD_NEXT, "MPI_File_close"));
    return inside_gate([&] { return close(file); });
}

} // namespace loomp::mpi

#endif
