// How the settings of priorities take effect (core/environment/priority_preset.h).
//
// Thread safety: none; while no tasks exist.
#pragma once

#include "core/environment/settings.h"

namespace loomp::core {

/// Makes what tasks are created and taken by what the settings say about priorities.
void apply_priority_settings();

/// The program chooses a preset. False where tasks may exist: in a parallel region.
bool choose_priority_preset(PriorityPreset preset);

} // namespace loomp::core
