#include "mpi/calls/allreduce.h"

#include <iterator>

namespace loomp::mpi {

namespace {

/// Types and operations that the library need not check: each of these operations has a meaning for
/// each of these types.
bool is_arithmetic(MPI_Datatype type, MPI_Op op) {
    const MPI_Datatype types[] = {
        MPI_INT,      MPI_UNSIGNED, MPI_LONG,    MPI_UNSIGNED_LONG, MPI_LONG_LONG_INT,
        MPI_INT32_T,  MPI_UINT32_T, MPI_INT64_T, MPI_UINT64_T,      MPI_UNSIGNED_LONG_LONG,
        MPI_FLOAT,    MPI_DOUBLE,   MPI_INTEGER, MPI_REAL,          MPI_DOUBLE_PRECISION,
        MPI_INTEGER4, MPI_INTEGER8, MPI_REAL4,   MPI_REAL8};
    const MPI_Op operations[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};
    // In a library without Fortran's types, some of these are null.
    return type != MPI_DATATYPE_NULL &&
           std::find(std::begin(types), std::end(types), type) != std::end(types) &&
           std::find(std::begin(operations), std::end(operations), op) != std::end(operations);
}

/// Each rank's part of an array.
struct Blocks {
    Blocks(int elements, int count) : sizes(new_list(count)), begins(new_list(count)) {
        for (int i = 0, at = 0; i < count; at += sizes[i++]) {
            begins[i] = at;
            sizes[i] = elements / count + (i < elements % count ? 1 : 0);
        }
    }
    ~Blocks() {
        std::free(sizes);
        std::free(begins);
    }
    Blocks(const Blocks &) = delete;
    Blocks &operator=(const Blocks &) = delete;

    int *sizes;
    int *begins;

  private:
    static int *new_list(int count) {
        void *list = std::malloc(static_cast<std::size_t>(count) * sizeof(int));
        if (list == nullptr)
            std::abort();
        return static_cast<int *>(list);
    }
};

} // namespace

bool may_divide(MPI_Count count, MPI_Datatype type, MPI_Op op) {
    constexpr MPI_Count kLarge = 65'536; // bytes
    int bytes = 0;
    if (nonblocking_sums_double() && count >= kLarge / 16 && is_arithmetic(type, op))
        PMPI_Type_size(type, &bytes);
    return count * bytes >= kLarge;
}

int bytes_in_blocks(MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
    int bytes = 0;
    int joins_groups = 0;
    int ranks = 0;
    PMPI_Type_size(type, &bytes);
    PMPI_Comm_test_inter(comm, &joins_groups);
    PMPI_Comm_size(comm, &ranks);
    // A rank's block from all others may have up to `ranks` elements more than the array.
    const bool fits = count <= std::numeric_limits<int>::max() - ranks;
    return joins_groups == 0 && ranks > 1 && count >= ranks && fits ? bytes : 0;
}

int allreduce_in_blocks(const Call &call, const void *from, void *to, int count, int bytes,
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    int ranks = 0;
    int rank = 0;
    PMPI_Comm_size(comm, &ranks);
    PMPI_Comm_rank(comm, &rank);
    const Blocks all(count, ranks);
    const int own = all.sizes[rank];
    const Blocks received(own * ranks, ranks); // `own` elements from each rank
    const std::size_t size = static_cast<std::size_t>(own) * static_cast<std::size_t>(bytes);
    auto *const parts = static_cast<char *>(std::malloc(size * static_cast<std::size_t>(ranks)));
    if (parts == nullptr)
        std::abort();
    int error = start_and_wait(call, [&](MPI_Request *request) {
        return next::Ialltoallv(from == MPI_IN_PLACE ? to : from, all.sizes, all.begins, type,
                                parts, received.sizes, received.begins, type, comm, request);
    });
    char *const sum = parts + static_cast<std::size_t>(ranks - 1) * size;
    for (char *part = sum; error == MPI_SUCCESS && part != parts;) {
        part -= size;
        error = PMPI_Reduce_local(part, sum, own, type, op);
    }
    if (error == MPI_SUCCESS)
        error = start_and_wait(call, [&](MPI_Request *request) {
            return next::Iallgatherv(sum, own, type, to, all.sizes, all.begins, type, comm,
                                     request);
        });
    std::free(parts);
    return error;
}

} // namespace loomp::mpi
