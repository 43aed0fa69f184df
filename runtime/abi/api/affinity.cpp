// OpenMP API: places and affinity (OpenMP 5.2, 18.3).
#include <algorithm>
#include <string>

#include "runtime/abi/api/api.h"
#include "runtime/abi/api/buffers.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/team/affinity.h"
#include "runtime/core/team/affinity_format.h"

using namespace loomp;
using namespace loomp::abi;

namespace {

const core::Place *place_at(int num) {
    const auto &list = core::places();
    if (num < 0 || static_cast<std::size_t>(num) >= list.size())
        return nullptr;
    return &list[static_cast<std::size_t>(num)];
}

/// Without places a thread has none. With places, a thread's first inquiry about its own binds it.
int own_place() {
    if (core::places().empty())
        return -1;
    core::bind_initial_thread();
    return member().place;
}
int own_place_count() { return core::places().empty() ? 0 : member().place_count; }

template <class T> void partition(T *nums) {
    if (own_place_count() == 0)
        return;
    const core::Member &m = member();
    const int total = static_cast<int>(core::places().size());
    for (int i = 0; i < m.place_count; ++i)
        nums[i] = (m.place_first + i) % total;
}

template <class T> void processors(int num, T *ids) {
    if (const core::Place *place = place_at(num))
        std::copy(place->begin(), place->end(), ids);
}

} // namespace

LOOMP_API_GET(OMP_4.0, int, omp_get_proc_bind, static_cast<int>(icvs().bind));
LOOMP_API_GET(OMP_4.5, int, omp_get_num_places, static_cast<int>(core::places().size()));
LOOMP_API_GET(OMP_4.5, int, omp_get_place_num, own_place());
LOOMP_API_GET(OMP_4.5, int, omp_get_partition_num_places, own_place_count());

LOOMP_EXPORT int omp_get_place_num_procs(int num) {
    const core::Place *place = place_at(num);
    return place != nullptr ? static_cast<int>(place->size()) : 0;
}
LOOMP_API_INT(OMP_4.5, int, omp_get_place_num_procs);

LOOMP_EXPORT void omp_get_place_proc_ids(int num, int *ids) { processors(num, ids); }
LOOMP_EXPORT void omp_get_place_proc_ids_(const std::int32_t *num, std::int32_t *ids) {
    processors(*num, ids);
}
LOOMP_EXPORT void omp_get_place_proc_ids_8_(const std::int64_t *num, std::int64_t *ids) {
    processors(clamp_int(*num), ids);
}
LOOMP_EXPORT void omp_get_partition_place_nums(int *nums) { partition(nums); }
LOOMP_EXPORT void omp_get_partition_place_nums_(std::int32_t *nums) { partition(nums); }
LOOMP_EXPORT void omp_get_partition_place_nums_8_(std::int64_t *nums) { partition(nums); }
LOOMP_API_SINCE_8(OMP_4.5, omp_get_place_proc_ids);
LOOMP_API_SINCE_8(OMP_4.5, omp_get_partition_place_nums);

LOOMP_EXPORT void omp_set_affinity_format(const char *format) { core::set_affinity_format(format); }
LOOMP_EXPORT std::size_t omp_get_affinity_format(char *buffer, std::size_t size) {
    return to_buffer(core::affinity_format(), buffer, size);
}
LOOMP_EXPORT void omp_display_affinity(const char *format) { core::display_affinity(format); }
LOOMP_EXPORT std::size_t omp_capture_affinity(char *buffer, std::size_t size, const char *format) {
    return to_buffer(core::format_affinity(format), buffer, size);
}

// gfortran passes lengths of character arguments after the others, by value.
LOOMP_EXPORT void omp_set_affinity_format_(const char *format, std::size_t length) {
    core::set_affinity_format(std::string(format, length).c_str());
}
LOOMP_EXPORT int omp_get_affinity_format_(char *buffer, std::size_t length) {
    return static_cast<int>(to_fortran(core::affinity_format(), buffer, length));
}
LOOMP_EXPORT void omp_display_affinity_(const char *format, std::size_t length) {
    core::display_affinity(std::string(format, length).c_str());
}
LOOMP_EXPORT int omp_capture_affinity_(char *buffer, const char *format, std::size_t size,
                                       std::size_t length) {
    return static_cast<int>(
        to_fortran(core::format_affinity(std::string(format, length).c_str()), buffer, size));
}
LOOMP_API_SINCE(OMP_5.0, omp_set_affinity_format);
LOOMP_API_SINCE(OMP_5.0, omp_get_affinity_format);
LOOMP_API_SINCE(OMP_5.0, omp_display_affinity);
LOOMP_API_SINCE(OMP_5.0, omp_capture_affinity);

// C code of libomp's Fortran module calls these names.
LOOMP_EXPORT void ompc_set_affinity_format(const char *format) { omp_set_affinity_format(format); }
LOOMP_EXPORT std::size_t ompc_get_affinity_format(char *buffer, std::size_t size) {
    return omp_get_affinity_format(buffer, size);
}
LOOMP_EXPORT void ompc_display_affinity(const char *format) { omp_display_affinity(format); }
LOOMP_EXPORT std::size_t ompc_capture_affinity(char *buffer, std::size_t size, const char *format) {
    return omp_capture_affinity(buffer, size, format);
}
