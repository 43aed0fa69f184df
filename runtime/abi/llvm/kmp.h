// Shared by the files of the LLVM front end: the layouts that clang and flang compile into
// programs, from LLVM 14 to 22.
#pragma once

#include <cstdint>

#include "runtime/core/scheduling/cancellation.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::abi::llvm {

/// A source location; the flags describe the construct.
struct Ident {
    std::int32_t reserved_1;
    std::int32_t flags;
    std::int32_t reserved_2;
    std::int32_t reserved_3;
    const char *source; ///< ";file;function;line;column;;"
};
inline constexpr std::int32_t kIdentAtomicReduce = 0x10;
inline constexpr std::int32_t kIdentExplicitBarrier = 0x20;
inline constexpr std::int32_t kIdentImplicitBarrier = 0x40; ///< at the end of a construct
inline constexpr std::int32_t kIdentSections = 0x400;
inline constexpr std::int32_t kIdentDistribute = 0x800;

/// The outlined body of a parallel or teams region; further arguments are pointers.
using Microtask = void (*)(std::int32_t *gtid, std::int32_t *bound_tid, ...);

struct KmpTask;
using TaskRoutine LOOMP_MAY_SWITCH = std::int32_t (*)(std::int32_t gtid, KmpTask *task);

/// The part of a task that the compiler knows; its private variables follow, then the shareds.
struct KmpTask {
    void *shareds;
    TaskRoutine routine;
    std::int32_t part_id;
    union {
        std::int32_t unused;
        TaskRoutine destructors;
    } data1;
    union {
        std::int32_t priority;
        TaskRoutine unused_routine;
    } data2;
};
static_assert(sizeof(KmpTask) == 40);

/// Flags of __kmpc_omp_task_alloc.
enum : std::uint32_t {
    kKmpTied = 1u << 0,
    kKmpFinal = 1u << 1,
    kKmpMerged = 1u << 2,
    kKmpDestructors = 1u << 3,
    kKmpProxy = 1u << 4,
    kKmpPriority = 1u << 5,
    kKmpDetachable = 1u << 6,
    kKmpHiddenHelper = 1u << 7,
};

struct KmpDependInfo {
    std::intptr_t address;
    std::size_t length;
    std::uint8_t flags; ///< 1 in, 2 out, 4 mutexinoutset, 8 inoutset, 0x80 all memory
};
static_assert(sizeof(KmpDependInfo) == 24);

/// One item of an affinity clause.
struct KmpTaskAffinity {
    std::intptr_t address;
    std::size_t size;
    std::uint32_t flags;
};
static_assert(sizeof(KmpTaskAffinity) == 24);

inline core::Worker &self() { return *core::Worker::current(); }
inline core::Member &here() { return *self().member; }
inline std::int32_t gtid_of(const core::Worker &worker) {
    return static_cast<std::int32_t>(worker.index);
}

/// Calls a microtask with `count` arguments taken from `arguments`.
void call_microtask(Microtask fn, std::int32_t gtid, std::int32_t tid, std::int32_t count,
                    void **arguments);

/// Ends a taskgroup; combines its reductions first, if it has any (reduction.cpp).
LOOMP_MAY_SWITCH void end_group_with_reductions();
/// The caller leaves the cancelled construct. clang's branch skips the end of its task reductions.
/// Returns true.
LOOMP_MAY_SWITCH bool leave_cancelled(core::CancelKind kind);

} // namespace loomp::abi::llvm
