// The OpenMP routines that the library calls, because some compilers have no omp.h.
#pragma once

#include <cstdint>

extern "C" {
enum omp_event_handle_t : std::uintptr_t {};

int omp_in_explicit_task(void);
int omp_in_final(void);
void omp_fulfill_event(omp_event_handle_t event);
int omp_get_num_procs(void);
int omp_get_max_active_levels(void);
int omp_get_num_places(void);
int omp_get_place_num_procs(int place);
void omp_get_place_proc_ids(int place, int *ids);
}
