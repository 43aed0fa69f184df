// Nothing where the layer is for one library.
#include "mpi/adapters/mpi_library.h"

#include <cstring>

#ifdef LOOMP_MPI_ABI

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

} // namespace loomp::mpi

#endif
