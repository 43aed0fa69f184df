// GNU ABI: the interop construct, and Fortran's names of the routines that query its objects (gcc
// 15). This front end has no devices, so every object becomes omp_interop_none. api/interop.cpp
// handles other objects.
#include <cstdint>
#include <cstring>

#include "platform/export.h"
#include "runtime/abi/api/routines.h"
#include "runtime/abi/gnu/gnu_depend.h"

using namespace loomp;
using namespace loomp::abi::gnu;

/// `nowait` has no work to overlap with, so the construct only waits to keep its order.
LOOMP_EXPORT void GOMP_interop(int, int init_count, void **init[], const int *, const char **, int,
                               void *[], int destroy_count, void **destroy[], unsigned,
                               void **depend) {
    wait_for_clause(depend);
    for (int i = 0; i < destroy_count; ++i)
        *destroy[i] = nullptr;
    for (int i = 0; i < init_count; ++i)
        *init[i] = nullptr;
}

namespace {

/// Returns a Fortran function's `character(:), pointer`.
void give_text(const char *text, const char **result, std::size_t *length) {
    *result = text;
    *length = text != nullptr ? std::strlen(text) : 0;
}

} // namespace

// libomp uses the names without `gnu_`, with the same arguments as in C.

extern "C" __attribute__((visibility("default"), used)) void
gnu_omp_get_interop_str_(const char **result, std::size_t *length, const void *interop,
                         int property, int *code) {
    give_text(omp_get_interop_str(interop, property, code), result, length);
}
extern "C" __attribute__((visibility("default"), used)) void
gnu_omp_get_interop_name_(const char **result, std::size_t *length, const void *interop,
                          int property) {
    give_text(omp_get_interop_name(interop, property), result, length);
}
extern "C" __attribute__((visibility("default"), used)) void
gnu_omp_get_interop_type_desc_(const char **result, std::size_t *length, const void *interop,
                               int property) {
    give_text(omp_get_interop_type_desc(interop, property), result, length);
}
extern "C" __attribute__((visibility("default"), used)) void
gnu_omp_get_interop_rc_desc_(const char **result, std::size_t *length, const void *interop,
                             int code) {
    give_text(omp_get_interop_rc_desc(interop, code), result, length);
}
asm(".symver gnu_omp_get_interop_str_, omp_get_interop_str_@GOMP_5.1.3, remove\n\t"
    ".symver gnu_omp_get_interop_name_, omp_get_interop_name_@GOMP_5.1.3, remove\n\t"
    ".symver gnu_omp_get_interop_type_desc_, omp_get_interop_type_desc_@GOMP_5.1.3, remove\n\t"
    ".symver gnu_omp_get_interop_rc_desc_, omp_get_interop_rc_desc_@GOMP_5.1.3, remove");
