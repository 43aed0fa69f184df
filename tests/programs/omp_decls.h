/* The OpenMP API for test programs. gcc brings its own omp.h; clang's is packaged with libomp,
   which the tests do not need, so this header declares the functions that they use. */
#pragma once

#ifndef __clang__
#include <omp.h>
#else
#include <stddef.h>
#include <stdint.h>

typedef struct omp_lock_t {
    void *_lk;
} omp_lock_t;
typedef struct omp_nest_lock_t {
    void *_lk;
} omp_nest_lock_t;
typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = (int)0x80000000
} omp_sched_t;
typedef void *omp_depend_t;
/* An enumeration, as the compiler checks for one. */
typedef enum omp_event_handle_t { kmp_event_handle_max = UINTPTR_MAX } omp_event_handle_t;

#ifdef __cplusplus
extern "C" {
#endif
void omp_set_num_threads(int);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_dynamic(int);
int omp_get_dynamic(void);
int omp_get_cancellation(void);
void omp_set_schedule(omp_sched_t, int);
void omp_get_schedule(omp_sched_t *, int *);
int omp_get_thread_limit(void);
void omp_set_max_active_levels(int);
int omp_get_max_active_levels(void);
int omp_get_level(void);
int omp_get_ancestor_thread_num(int);
int omp_get_team_size(int);
int omp_get_active_level(void);
int omp_in_final(void);
int omp_get_num_teams(void);
int omp_get_team_num(void);
int omp_get_max_task_priority(void);
void omp_init_lock(omp_lock_t *);
void omp_destroy_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
int omp_test_lock(omp_lock_t *);
void omp_init_nest_lock(omp_nest_lock_t *);
void omp_destroy_nest_lock(omp_nest_lock_t *);
void omp_set_nest_lock(omp_nest_lock_t *);
void omp_unset_nest_lock(omp_nest_lock_t *);
int omp_test_nest_lock(omp_nest_lock_t *);
double omp_get_wtime(void);
double omp_get_wtick(void);
void omp_fulfill_event(omp_event_handle_t);
#ifdef __cplusplus
}
#endif
#endif
