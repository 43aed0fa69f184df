#include "profiler/check/observer/mpi/call_uses.h"

#include "profiler/check/protocol.h"

namespace loomp::check {

bool Uses::receives(int peer, int tag, MPI_Comm comm) {
    if (peer != MPI_PROC_NULL && peer != MPI_ANY_SOURCE && tag != MPI_ANY_TAG)
        envelopes_.push_back({LOOMP_CHECK_RECEIVES, peer, tag, comm});
    return peer != MPI_PROC_NULL;
}

bool Uses::sends(int peer, int tag, MPI_Comm comm) {
    if (peer != MPI_PROC_NULL)
        envelopes_.push_back({LOOMP_CHECK_SENDS, peer, tag, comm});
    return peer != MPI_PROC_NULL;
}

/// Returns false for a communicator of two groups, whose ranks use their buffers by other rules.
bool Uses::joins(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL)
        return false;
    envelopes_.push_back({LOOMP_CHECK_COLLECTIVES, 0, 0, comm});
    int is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    return is_inter == 0;
}

void Uses::add_range(std::uintptr_t begin, std::size_t size, bool writes) {
    if (size == 0)
        return;
    if (!ranges_.empty()) {
        Range &last = ranges_.back();
        if (last.writes == writes && last.begin + last.size == begin) {
            last.size += size;
            return;
        }
    }
    ranges_.push_back({begin, size, writes});
}

bool Uses::add(const void *buffer, MPI_Count count, MPI_Datatype type, bool writes) {
    if (buffer != MPI_IN_PLACE && count > 0 && type != MPI_DATATYPE_NULL)
        add_type(reinterpret_cast<std::uintptr_t>(buffer), count, type, writes);
    return true;
}

void Uses::add_type(std::uintptr_t at, MPI_Count count, MPI_Datatype type, bool writes) {
    MPI_Count size = 0, lowest = 0, extent = 0, true_lowest = 0, true_extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_extent_x(type, &lowest, &extent);
    PMPI_Type_get_true_extent_x(type, &true_lowest, &true_extent);
    if (size == true_extent && size == extent)
        return add_range(at + static_cast<std::uintptr_t>(true_lowest),
                         static_cast<std::size_t>(count * size), writes);
    for (MPI_Count i = 0; i < count; ++i)
        add_parts(at + static_cast<std::uintptr_t>(i * extent), type, writes);
}

/// One element of a type that has gaps.
void Uses::add_parts(std::uintptr_t at, MPI_Datatype type, bool writes) {
    int int_count = 0, address_count = 0, type_count = 0, combiner = 0;
    PMPI_Type_get_envelope(type, &int_count, &address_count, &type_count, &combiner);
    MPI_Count size = 0, lowest = 0, extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_true_extent_x(type, &lowest, &extent);
    if (combiner == MPI_COMBINER_NAMED || type_count == 0)
        return add_range(at, static_cast<std::size_t>(size), writes);

    std::vector<int> ints(static_cast<std::size_t>(int_count) + 1);
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(address_count) + 1);
    std::vector<MPI_Datatype> types(static_cast<std::size_t>(type_count) + 1);
    PMPI_Type_get_contents(type, int_count, address_count, type_count, ints.data(),
                           addresses.data(), types.data());
    MPI_Count old_lowest = 0, old_extent = 0;
    PMPI_Type_get_extent_x(types[0], &old_lowest, &old_extent);
    const auto part = [&](MPI_Count offset, MPI_Count count, MPI_Datatype of) {
        add_type(at + static_cast<std::uintptr_t>(offset), count, of, writes);
    };
    const auto blocks = static_cast<std::size_t>(ints[0]);
    switch (combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        part(0, 1, types[0]);
        break;
    case MPI_COMBINER_CONTIGUOUS:
        part(0, ints[0], types[0]);
        break;
    case MPI_COMBINER_VECTOR:
        for (std::size_t i = 0; i < blocks; ++i)
            part(static_cast<MPI_Count>(i) * ints[2] * old_extent, ints[1], types[0]);
        break;
    case MPI_COMBINER_HVECTOR:
        for (std::size_t i = 0; i < blocks; ++i)
            part(static_cast<MPI_Count>(i) * addresses[0], ints[1], types[0]);
        break;
    case MPI_COMBINER_INDEXED:
        for (std::size_t i = 0; i < blocks; ++i)
            part(ints[1 + blocks + i] * old_extent, ints[1 + i], types[0]);
        break;
    case MPI_COMBINER_HINDEXED:
        for (std::size_t i = 0; i < blocks; ++i)
            part(addresses[i], ints[1 + i], types[0]);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        for (std::size_t i = 0; i < blocks; ++i)
            part(ints[2 + i] * old_extent, ints[1], types[0]);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        for (std::size_t i = 0; i < blocks; ++i)
            part(addresses[i], ints[1], types[0]);
        break;
    case MPI_COMBINER_STRUCT:
        for (std::size_t i = 0; i < blocks; ++i)
            part(addresses[i], ints[1 + i], types[i]);
        break;
    case MPI_COMBINER_SUBARRAY: {
        // Rows of the fastest dimension; `index` counts through the others.
        const std::size_t dimensions = blocks;
        const bool is_c = ints[1 + 3 * dimensions] == MPI_ORDER_C;
        const auto axis = [&](std::size_t i) { return is_c ? dimensions - 1 - i : i; };
        const auto whole = [&](std::size_t i) { return ints[1 + axis(i)]; };
        const auto length = [&](std::size_t i) { return ints[1 + dimensions + axis(i)]; };
        const auto start = [&](std::size_t i) { return ints[1 + 2 * dimensions + axis(i)]; };
        std::vector<int> index(dimensions);
        for (bool more = true; more;) {
            MPI_Count element = 0;
            for (std::size_t i = dimensions; i-- > 0;)
                element = element * whole(i) + start(i) + index[i];
            part(element * old_extent, length(0), types[0]);
            more = false;
            for (std::size_t i = 1; i < dimensions && !more; ++i) {
                more = ++index[i] < length(i);
                if (!more)
                    index[i] = 0;
            }
        }
        break;
    }
    default: // a distributed array, mostly of a file
        break;
    }
    types.pop_back();
    for (MPI_Datatype &each : types) {
        PMPI_Type_get_envelope(each, &int_count, &address_count, &type_count, &combiner);
        if (combiner != MPI_COMBINER_NAMED)
            PMPI_Type_free(&each);
    }
}

} // namespace loomp::check
