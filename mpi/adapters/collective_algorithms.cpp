#include "mpi/adapters/collective_algorithms.h"

#include <cstddef>
#include <dlfcn.h>
#include <mpi.h>

#include "mpi/adapters/mpi_library.h"

namespace loomp::mpi {

namespace {

/// The values of Open MPI's variable below (4.1, 5.0).
constexpr int kLibrarysChoice = 0;
constexpr int kRecursiveDoubling = 4;

/// Constant once calls are intercepted.
bool doubles = false;

/// The variable of the library that chooses the algorithm of MPI_Iallreduce. Other libraries than
/// Open MPI lack it.
constexpr const char *kVariable = "coll_libnbc_iallreduce_algorithm";

/// Stores `kRecursiveDoubling` if the user left the choice to the library. True if it did.
bool choose_by_tools_interface() {
    int level = MPI_THREAD_SINGLE;
    if (MPI_T_init_thread(MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS)
        return false;
    int index = 0;
    int count = 0;
    int value = 0;
    bool chosen = false;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    if (MPI_T_cvar_get_index(kVariable, &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS) {
        if (count == 1 && MPI_T_cvar_read(handle, &value) == MPI_SUCCESS &&
            value == kLibrarysChoice)
            chosen = MPI_T_cvar_write(handle, &kRecursiveDoubling) == MPI_SUCCESS;
        MPI_T_cvar_handle_free(&handle);
    }
    MPI_T_finalize();
    return chosen;
}

/// The functions that Open MPI's tools interface calls for its variables (1.7 to 5.0).
struct Variables {
    int (*find)(const char *name, int *index);
    int (*get)(int index, const int **value, int *source, const char **file);
    int (*set)(int index, const int *value, std::size_t size, int source, const char *file);

    Variables() {
        resolve(find, "mca_base_var_find_by_name");
        resolve(get, "mca_base_var_get_value");
        resolve(set, "mca_base_var_set_value");
    }
    bool exist() const { return find != nullptr && get != nullptr && set != nullptr; }

  private:
    template <class Function> static void resolve(Function *&function, const char *name) {
        function = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
    }
};

/// Does the same as choose_by_tools_interface(), without MPI_T_init_thread, which loads all
/// components of the library again and takes .2 s (4.1).
bool choose_by(const Variables &variables) {
    constexpr int kSetByProgram = 4; // MCA_BASE_VAR_SOURCE_SET
    int index = -1;
    const int *value = nullptr;
    return variables.find(kVariable, &index) == 0 &&
           variables.get(index, &value, nullptr, nullptr) == 0 && value != nullptr &&
           *value == kLibrarysChoice &&
           variables.set(index, &kRecursiveDoubling, sizeof kRecursiveDoubling, kSetByProgram,
                         nullptr) == 0;
}

} // namespace

void choose_collective_algorithms() {
    // For sums of a few numbers, Open MPI chooses a tree up and another one down, which takes twice
    // as long as its blocking form.
    if (!is_openmpi())
        return;
    const Variables variables;
    doubles = variables.exist() ? choose_by(variables) : choose_by_tools_interface();
}

bool nonblocking_sums_double() { return doubles; }

} // namespace loomp::mpi
