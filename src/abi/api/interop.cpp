// OpenMP API: interoperability (OpenMP 5.2, 18.12). An interop object stands for a foreign runtime
// on a device; without a device there is only omp_interop_none, which has no properties.
#include <cstdint>

#include "abi/export.h"

namespace {

// omp_interop_rc_t
enum : int {
    kNoValue = 1,
    kSuccess = 0,
    kEmpty = -1,
    kOutOfRange = -2,
    kTypeInt = -3,
    kTypePointer = -4,
    kTypeString = -5,
    kOther = -6
};

constexpr int kFirstProperty = -9; ///< omp_ipr_first; they end before 0

/// Every property of every object: none.
template <class T> T no_value(const void *interop, int property, int *result) {
    if (result != nullptr)
        *result = property < kFirstProperty || property >= 0 ? kOutOfRange
                  : interop == nullptr                       ? kEmpty
                                                             : kOther;
    return T{};
}

const char *describe(int result) {
    switch (result) {
    case kNoValue:
        return "the property has no value";
    case kSuccess:
        return "success";
    case kEmpty:
        return "the object is omp_interop_none";
    case kOutOfRange:
        return "there is no such property";
    case kTypeInt:
        return "the property is an integer: use omp_get_interop_int";
    case kTypePointer:
        return "the property is a pointer: use omp_get_interop_ptr";
    case kTypeString:
        return "the property is a string: use omp_get_interop_str";
    case kOther:
        return "the object is not one of this program's";
    default:
        return nullptr;
    }
}

} // namespace

/// As C and, as libomp has it, with the same arguments under the Fortran name.
#define LOOMP_INTEROP(TYPE, NAME, PARAMETERS, EXPRESSION)                                          \
    LOOMP_EXPORT TYPE NAME PARAMETERS { return EXPRESSION; }                                       \
    LOOMP_EXPORT TYPE NAME##_ PARAMETERS { return EXPRESSION; }

LOOMP_INTEROP(int, omp_get_num_interop_properties, (const void *), 0)
LOOMP_INTEROP(std::intptr_t, omp_get_interop_int, (const void *interop, int property, int *result),
              no_value<std::intptr_t>(interop, property, result))
LOOMP_INTEROP(void *, omp_get_interop_ptr, (const void *interop, int property, int *result),
              no_value<void *>(interop, property, result))
LOOMP_INTEROP(const char *, omp_get_interop_str, (const void *interop, int property, int *result),
              no_value<const char *>(interop, property, result))
LOOMP_INTEROP(const char *, omp_get_interop_name, (const void *, int), nullptr)
LOOMP_INTEROP(const char *, omp_get_interop_type_desc, (const void *, int), nullptr)
LOOMP_INTEROP(const char *, omp_get_interop_rc_desc, (const void *, int result), describe(result))
