// How the settings of priorities take effect (core/environment/priority_preset.h).
//
// Thread safety: none; while no tasks exist.
#pragma once

namespace loomp::core {

/// Makes what tasks are created and taken by what the settings say about priorities.
void apply_priority_settings();

} // namespace loomp::core
