// The layer and the recorder take over Open MPI's Fortran routines by these definitions.
#pragma once

#include <cstddef>
#include <mpi.h>

#include "platform/export.h"

extern "C" {
// Weak: programs in C have none. NOLINTBEGIN(bugprone-dynamic-static-initializers): only declared
extern MPI_Fint mpi_fortran_bottom_ __attribute__((weak));
extern MPI_Fint mpi_fortran_in_place_ __attribute__((weak));
// NOLINTEND(bugprone-dynamic-static-initializers)
}

namespace loomp::mpi {

/// A buffer of Fortran's as C's functions take it.
inline void *buffer_in_c(void *address) {
    if (address == &mpi_fortran_in_place_)
        return MPI_IN_PLACE;
    return address == &mpi_fortran_bottom_ ? MPI_BOTTOM : address;
}

/// Returns null for MPI_STATUS_IGNORE.
inline MPI_Fint *wanted(void *status) {
    return status == MPI_F_STATUS_IGNORE ? nullptr : static_cast<MPI_Fint *>(status);
}

/// A status in Fortran is an array of as many.
inline constexpr std::size_t kStatusWords = sizeof(MPI_Status) / sizeof(MPI_Fint);

/// Fortran's status in C's form while a call runs. The parts that the call leaves unchanged stay as
/// the program had them.
class StatusInC {
  public:
    explicit StatusInC(void *status) : to_(wanted(status)) {
        if (to_ != nullptr)
            PMPI_Status_f2c(to_, &status_);
    }
    ~StatusInC() {
        if (to_ != nullptr)
            PMPI_Status_c2f(&status_, to_);
    }
    StatusInC(const StatusInC &) = delete;
    StatusInC &operator=(const StatusInC &) = delete;
    MPI_Status *get() { return to_ != nullptr ? &status_ : MPI_STATUS_IGNORE; }

  private:
    MPI_Fint *to_;
    MPI_Status status_;
};

} // namespace loomp::mpi

/// Defines both names of a routine; its body follows.
#define LOOMP_FORTRAN(NAME, ...)                                                                   \
    LOOMP_EXPORT void ompi_##NAME##_f(__VA_ARGS__);                                                \
    LOOMP_EXPORT void mpi_##NAME##_(__VA_ARGS__) __attribute__((alias("ompi_" #NAME "_f")));       \
    void ompi_##NAME##_f(__VA_ARGS__)

/// Defines the name that `use mpi_f08` calls for a routine with COUNT arguments and an error code,
/// where the module converts logical values. The code may be null there. fortran.h has the lists of
/// arguments.
#define LOOMP_F08(NAME, COUNT)                                                                     \
    LOOMP_EXPORT void mpi_##NAME##_f08_(LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) {                 \
        MPI_Fint error = MPI_SUCCESS;                                                              \
        reinterpret_cast<void (*)(LOOMP_TYPES_##COUNT, MPI_Fint *)>(&ompi_##NAME##_f)(             \
            LOOMP_VALUES_##COUNT, &error);                                                         \
        if (code != nullptr)                                                                       \
            *code = error;                                                                         \
    }
#define LOOMP_TYPES_2 void *, void *
#define LOOMP_TYPES_3 LOOMP_TYPES_2, void *
#define LOOMP_TYPES_4 LOOMP_TYPES_3, void *
#define LOOMP_TYPES_5 LOOMP_TYPES_4, void *
#define LOOMP_TYPES_6 LOOMP_TYPES_5, void *
#define LOOMP_TYPES_9 LOOMP_TYPES_6, void *, void *, void *
#define LOOMP_TYPES_10 LOOMP_TYPES_9, void *
