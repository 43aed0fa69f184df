// The conventions beyond OTF2 that the writer and the reader of archives share
// (profiler/archive/archive.h).
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
    kPeer,
    kTag,
    kUndeferred,
    kWildcard,
    kAttributes
};
inline constexpr std::array<const char *, kAttributes> kAttributeNames = {
    "kind",        "leaving",      "implicit", "later", "on behalf",  "suspended",
    "synchronous", "communicator", "region",   "task",  "device",     "work",
    "bytes",       "held",         "peer",     "tag",   "undeferred", "wildcard"};
/// A location whose name has this prefix is a stand-in: a thread that takes the place of a
/// suspended one.
inline constexpr const char *kStandIn = "stand-in ";
inline constexpr std::uint8_t kYielded = 1;

/// The names of the parameters, indexed by AccessKind.
inline constexpr std::array<const char *, 5> kAccessNames = {
    "depend(in)", "depend(inoutset)", "depend(mutexinoutset)", "depend(inout)",
    "depend(inout: omp_all_memory)"};

/// The parameter that reports a task's deletion: the creator's number in the team << 32 | the
/// task's own number.
inline constexpr const char *kDeletedName = "task deleted";
inline constexpr OTF2_ParameterRef kDeleted = kAccessNames.size();

/// Parameters that report a mutex which the current task has from now on, or no longer, or which is
/// new, although an earlier one may have had its name.
inline constexpr const char *kAcquiredName = "mutex acquired";
inline constexpr OTF2_ParameterRef kAcquired = kDeleted + 1;
inline constexpr const char *kReleasedName = "mutex released";
inline constexpr OTF2_ParameterRef kReleased = kAcquired + 1;
inline constexpr const char *kMadeName = "mutex made";
inline constexpr OTF2_ParameterRef kMade = kReleased + 1;
/// The names of regions in which tasks wait for a mutex begin so.
inline constexpr const char *kMutexWaitName = "wait for ";

inline void check(OTF2_ErrorCode code, const char *what) {
    if (code != OTF2_SUCCESS)
        throw std::runtime_error(std::string(what) + ": " + OTF2_Error_GetDescription(code));
}

} // namespace loomp::analysis::archive
