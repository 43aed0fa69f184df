// Routines of api/interop.cpp that front ends call under other names.
#pragma once

#include "abi/export.h"

LOOMP_EXPORT const char *omp_get_interop_str(const void *interop, int property, int *result);
LOOMP_EXPORT const char *omp_get_interop_name(const void *interop, int property);
LOOMP_EXPORT const char *omp_get_interop_type_desc(const void *interop, int property);
LOOMP_EXPORT const char *omp_get_interop_rc_desc(const void *interop, int result);
