// The OpenMP routines that the applications call, declared by hand: Debian's clang comes without an
// omp.h of its own unless libomp-dev is installed, and gcc's is not on clang's path.
#pragma once

extern "C" {
double omp_get_wtime(void);
int omp_get_max_threads(void);
int omp_get_num_threads(void);
int omp_get_thread_num(void);
int omp_get_place_num(void);
}
