// Implicit tasks: a member's part of a region.
#pragma once

#include "core/team/team.h"

namespace loomp::core {

/// Begins and ends a member's implicit task on the calling worker. `size`, for tools: of the team,
/// 0 when it may be gone.
void start_implicit_task(Worker &worker, Member &member);
void end_implicit_task(Worker &worker, Member &member, unsigned size);

} // namespace loomp::core
