// Describes a run's result and compares it with theory.
#pragma once

#include "common/report.h"
#include "enclave/simulation.h"

namespace enclave {

// All ranks call it.
void tell(const Result &result, apps::Report &report);

// Checks of every run: it neither diverges nor drifts.
void judge_run(const Problem &problem, const Result &result, apps::Report &report);

// Simulates with cells three times as wide, too; each check says what was measured and what was
// expected.
void judge(const Run &run, const Result &result, apps::Report &report);

} // namespace enclave
