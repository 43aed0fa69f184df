// The Fortran files of the MPI layer and of the recorder share this; fortran_lists.h lists the
// calls. All arguments of Fortran are addresses; the length of a string comes last, by value.
#pragma once

#include <mpi.h>

#include "mpi/interface/fortran_lists.h"

#define LOOMP_ARGUMENTS_1 void *a
#define LOOMP_ARGUMENTS_2 LOOMP_ARGUMENTS_1, void *b
#define LOOMP_ARGUMENTS_3 LOOMP_ARGUMENTS_2, void *c
#define LOOMP_ARGUMENTS_4 LOOMP_ARGUMENTS_3, void *d
#define LOOMP_ARGUMENTS_5 LOOMP_ARGUMENTS_4, void *e
#define LOOMP_ARGUMENTS_6 LOOMP_ARGUMENTS_5, void *f
#define LOOMP_ARGUMENTS_7 LOOMP_ARGUMENTS_6, void *g
#define LOOMP_ARGUMENTS_8 LOOMP_ARGUMENTS_7, void *h
#define LOOMP_ARGUMENTS_9 LOOMP_ARGUMENTS_8, void *i
#define LOOMP_ARGUMENTS_10 LOOMP_ARGUMENTS_9, void *j
#define LOOMP_VALUES_1 a
#define LOOMP_VALUES_2 LOOMP_VALUES_1, b
#define LOOMP_VALUES_3 LOOMP_VALUES_2, c
#define LOOMP_VALUES_4 LOOMP_VALUES_3, d
#define LOOMP_VALUES_5 LOOMP_VALUES_4, e
#define LOOMP_VALUES_6 LOOMP_VALUES_5, f
#define LOOMP_VALUES_7 LOOMP_VALUES_6, g
#define LOOMP_VALUES_8 LOOMP_VALUES_7, h
#define LOOMP_VALUES_9 LOOMP_VALUES_8, i
#define LOOMP_VALUES_10 LOOMP_VALUES_9, j
#define LOOMP_LAST_1 a
#define LOOMP_LAST_2 b
#define LOOMP_LAST_3 c
#define LOOMP_LAST_4 d
#define LOOMP_LAST_5 e
#define LOOMP_LAST_6 f
#define LOOMP_LAST_7 g
#define LOOMP_LAST_8 h
#define LOOMP_LAST_9 i
#define LOOMP_LAST_10 j

/// Declares a function of the MPI library, which only programs with a Fortran part load.
#define LOOMP_LIBRARYS extern "C" __attribute__((weak)) void
