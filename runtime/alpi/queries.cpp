// The runtime's name, version and features.
#include <cstdio>
#include <cstring>

#include "loomp/alpi.h"
#include "loomp/loomp.h"
#include "platform/export.h"

LOOMP_EXPORT const char *alpi_error_string(alpi_error_t error) {
    switch (error) {
    case ALPI_SUCCESS:
        return "Success";
    case ALPI_ERR_VERSION:
        return "The runtime has another version of ALPI";
    case ALPI_ERR_NOT_INITIALIZED:
        return "The runtime has not been started";
    case ALPI_ERR_PARAMETER:
        return "An argument is not valid here";
    case ALPI_ERR_OUT_OF_MEMORY:
        return "There is no memory, or there are no threads, for it";
    case ALPI_ERR_OUTSIDE_TASK:
        return "The calling thread is not in a task";
    case ALPI_ERR_UNKNOWN:
        return "The runtime cannot do it";
    case ALPI_ERR_FEATURE_UNKNOWN:
        return "The runtime lacks a feature, or does not know it";
    case ALPI_ERR_MAX:
        break;
    }
    return "Error code not recognized";
}

LOOMP_EXPORT int alpi_info_get(alpi_info_t query, char *buffer, size_t max_length, int *length) {
    if (buffer == nullptr || max_length == 0)
        return ALPI_ERR_PARAMETER;
    switch (query) {
    case ALPI_INFO_RUNTIME_NAME:
        std::snprintf(buffer, max_length, "loomp");
        break;
    case ALPI_INFO_RUNTIME_VENDOR:
        std::snprintf(buffer, max_length, "the authors of loomp");
        break;
    case ALPI_INFO_VERSION:
        std::snprintf(buffer, max_length, "ALPI %d.%d (loomp %d.%d.%d)", ALPI_VERSION_MAJOR,
                      ALPI_VERSION_MINOR, LOOMP_VERSION_MAJOR, LOOMP_VERSION_MINOR,
                      LOOMP_VERSION_PATCH);
        break;
    default:
        return ALPI_ERR_PARAMETER;
    }
    if (length != nullptr)
        *length = static_cast<int>(std::strlen(buffer));
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_feature_check(int feature_bitmask) {
    return (feature_bitmask & ~ALPI_SUPPORTED_FEATURES) == 0 ? ALPI_SUCCESS
                                                             : ALPI_ERR_FEATURE_UNKNOWN;
}

LOOMP_EXPORT int alpi_version_check(int major, int minor) {
    return major == ALPI_VERSION_MAJOR && minor <= ALPI_VERSION_MINOR ? ALPI_SUCCESS
                                                                      : ALPI_ERR_VERSION;
}

LOOMP_EXPORT int alpi_version_get(int *major, int *minor) {
    if (major == nullptr || minor == nullptr)
        return ALPI_ERR_PARAMETER;
    *major = ALPI_VERSION_MAJOR;
    *minor = ALPI_VERSION_MINOR;
    return ALPI_SUCCESS;
}
