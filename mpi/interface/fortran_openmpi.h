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
