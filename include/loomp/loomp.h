/* loomp's extensions to OpenMP, for C and C++. A program needs none of them to run on loomp. */
#ifndef LOOMP_LOOMP_H
#define LOOMP_LOOMP_H

#include <stdio.h>

#define LOOMP_VERSION_MAJOR 0
#define LOOMP_VERSION_MINOR 1
#define LOOMP_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Prints what `loomp info` shows: library, ABIs, machine, and every setting with its value and
 * origin; with `verbose`, what each setting means as well. Returns 0, or 1 when writing failed. */
int loomp_print_info(FILE *stream, int verbose);

#ifdef __cplusplus
}
#endif

#endif
