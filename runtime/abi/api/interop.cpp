// OpenMP API: interoperability (OpenMP 5.2, 18.12). An interop object represents a foreign runtime
// on a device. If the program has libomptarget, it creates the objects and answers their queries.
// Otherwise there is only omp_interop_none, which has no properties.
#include "runtime/abi/api/routines.h"

#include <cstdint>

#include "platform/export.h"
#include "runtime/target/libomptarget.h"
#include "runtime/target/library_lifetime.h"

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

constexpr int kFirstProperty = -9; ///< omp_ipr_first; property numbers end before 0

/// Answers that no object has any property.
template <class T> T no_value(const void *interop, int property, int *result) {
    if (result != nullptr)
        *result = property < kFirstProperty || property >= 0 ? kOutOfRange
                  : interop == nullptr                       ? kEmpty
                                                             : kOther;
    return T{};
}

/// Returns the standard's name of a property.
const char *property_name(int property) {
    static const char *const names[-kFirstProperty] = {
        "fr_id",    "fr_name", "vendor",         "vendor_name", "device_num",
        "platform", "device",  "device_context", "targetsync"};
    return property < kFirstProperty || property >= 0 ? nullptr : names[-1 - property];
}

const char *describe(const void *interop, int result) {
    switch (result) {
    case kNoValue:
        return "the property has no value";
    case kSuccess:
        return "success";
    case kTypeInt:
        return "the property is an integer: use omp_get_interop_int";
    case kTypePointer:
        return "the property is a pointer: use omp_get_interop_ptr";
    case kTypeString:
        return "the property is a string: use omp_get_interop_str";
    case kOther: // omp_interop_none never has this code
        return interop != nullptr ? "the object is not one of this program's" : nullptr;
    // Programs compare these texts, which are those of OpenMP 5.2, 18.12 (omp_interop_rc_t).
    case kEmpty:
        return "provided interoperability object is equal to omp_interop_none";
    case kOutOfRange:
        return "property ID is out of range";
    default:
        return nullptr;
    }
}

} // namespace

/// Defines the routine for C and, with the same arguments like libomp, under the Fortran name. For
/// an object, libomptarget's function of the name returns the value, if there is one. EXPRESSION is
/// the result without an object.
#define LOOMP_INTEROP(TYPE, NAME, PARAMETERS, ARGUMENTS, EXPRESSION)                               \
    LOOMP_EXPORT TYPE NAME PARAMETERS {                                                            \
        void *function = interop != nullptr ? loomp::target::find_function(#NAME) : nullptr;       \
        if (function == nullptr)                                                                   \
            return EXPRESSION;                                                                     \
        const loomp::target::Inquiry inquiry;                                                      \
        return reinterpret_cast<TYPE(*) PARAMETERS>(function) ARGUMENTS;                           \
    }                                                                                              \
    LOOMP_EXPORT TYPE NAME##_ PARAMETERS { return NAME ARGUMENTS; }

LOOMP_INTEROP(int, omp_get_num_interop_properties, (const void *interop), (interop), 0)
LOOMP_INTEROP(std::intptr_t, omp_get_interop_int, (const void *interop, int property, int *result),
              (interop, property, result), no_value<std::intptr_t>(interop, property, result))
LOOMP_INTEROP(void *, omp_get_interop_ptr, (const void *interop, int property, int *result),
              (interop, property, result), no_value<void *>(interop, property, result))
LOOMP_INTEROP(const char *, omp_get_interop_str, (const void *interop, int property, int *result),
              (interop, property, result), no_value<const char *>(interop, property, result))
LOOMP_INTEROP(const char *, omp_get_interop_name, (const void *interop, int property),
              (interop, property), property_name(property))
LOOMP_INTEROP(const char *, omp_get_interop_type_desc, (const void *interop, int property),
              (interop, property), nullptr)
LOOMP_INTEROP(const char *, omp_get_interop_rc_desc, (const void *interop, int result),
              (interop, result), describe(interop, result))

LOOMP_SINCE(GOMP_5.1.3, omp_get_num_interop_properties);
LOOMP_SINCE(GOMP_5.1.3, omp_get_interop_int);
LOOMP_SINCE(GOMP_5.1.3, omp_get_interop_ptr);
LOOMP_SINCE(GOMP_5.1.3, omp_get_interop_str);
LOOMP_SINCE(GOMP_5.1.3, omp_get_interop_name);
LOOMP_SINCE(GOMP_5.1.3, omp_get_interop_type_desc);
LOOMP_SINCE(GOMP_5.1.3, omp_get_interop_rc_desc);
