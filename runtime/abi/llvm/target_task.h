// Target tasks of the LLVM front end: clang makes them for target constructs with nowait, and for
// copies without a wait.
#pragma once

#include "runtime/abi/llvm/kmp_depend.h"
#include "runtime/core/creation/submission.h"

namespace loomp::abi::llvm {

/// Submits any target task.
LOOMP_MAY_SWITCH void submit_target_task(core::Task &task, const Clause &clause);

} // namespace loomp::abi::llvm
