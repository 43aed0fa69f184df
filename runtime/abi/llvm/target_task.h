// Target tasks of the LLVM front end: what clang makes of target constructs with nowait, and copies
// that the program does not wait for.
#pragma once

#include "runtime/abi/llvm/kmp_depend.h"
#include "runtime/core/creation/submission.h"

namespace loomp::abi::llvm {

/// Any target task.
LOOMP_MAY_SWITCH void submit_target_task(core::Task &task, const Clause &clause);

} // namespace loomp::abi::llvm
