// The loader's list of libraries, in the child of fork().
//
// dl_iterate_phdr() takes a lock of the C library, and so does dlopen() for a library that it has
// to load. fork() neither takes this lock nor makes it anew. If another thread of the parent held
// it, the child waits for a thread that it does not have. fork() cannot wait for the holder:
// dl_iterate_phdr() calls the program's code, which may take any time.
//
// So the child of a process with several threads never takes this lock on loomp's initiative. It
// may still load what the user asks for: a tool, the counters of a recording.
//
// dlsym(), dladdr(), and dlopen() for a library that is there take another lock, which fork() makes
// anew. They find the list complete, except that dlopen() aborts if the parent was changing it.
//
// Thread safety: all from any thread.
#pragma once

#include "platform/common.h"

namespace loomp::core {

/// Returns whether dl_iterate_phdr() and dlopen() cannot wait for a thread that fork() left behind.
LOOMP_HIDDEN bool can_list_libraries();

/// Returns the handle of a library that is loaded, perhaps for a plugin only; null if it is not.
/// Null also if a thread was loading or unloading libraries when it forked this child.
LOOMP_HIDDEN void *open_if_loaded(const char *name);

/// Loads a library for loomp's own use; null: it is not found. Null also if only
/// can_list_libraries() forbids to load it.
LOOMP_HIDDEN void *open_library(const char *name);

} // namespace loomp::core
