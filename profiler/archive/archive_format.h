// What the writer and the reader of archives agree upon beyond OTF2 (profiler/archive/archive.h).
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <otf2/otf2.h>

#include "profiler/trace/accesses.h"

namespace loomp::analysis::archive {

enum Attribute : OTF2_AttributeRef {
    kKind,
    kLeaving,
    kImplicit,
    kLater,
    kOnBehalf,
    kSuspended,
    kSynchronous,
    kCommunicator,
    kRegion,
    kTask,
    kDevice,
    kWork,
    kBytes,
    kHeld,
    kAttributes
};
inline constexpr std::array<const char *, kAttributes> kAttributeNames = {
    "kind",         "leaving", "implicit", "later",  "on behalf", "suspended", "synchronous",
    "communicator", "region",  "task",     "device", "work",      "bytes",     "held"};
/// Locations of threads that stand in for others have names that begin so.
inline constexpr const char *kStandIn = "stand-in ";
inline constexpr std::uint8_t kYielded = 1;

/// By AccessKind: the names of the parameters.
inline constexpr std::array<const char *, 5> kAccessNames = {
    "depend(in)", "depend(inoutset)", "depend(mutexinoutset)", "depend(inout)",
    "depend(inout: omp_all_memory)"};

/// The parameter behind these: a task is deleted; its creator's number in the team << 32 | its own.
inline constexpr const char *kDeletedName = "task deleted";
inline constexpr OTF2_ParameterRef kDeleted = kAccessNames.size();

inline void check(OTF2_ErrorCode code, const char *what) {
    if (code != OTF2_SUCCESS)
        throw std::runtime_error(std::string(what) + ": " + OTF2_Error_GetDescription(code));
}

} // namespace loomp::analysis::archive
