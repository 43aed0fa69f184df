// Presets of priorities for single tests.
#pragma once

#include <limits>

#include "runtime/core/environment/priority_preset.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/scheduling/priority.h"

namespace loomp::core::test {

/// Applies a preset like LOOMP_PRIORITY_PRESET does at the start. Called outside regions.
inline void use_preset(PriorityPreset preset) {
    const PriorityChoices chosen = choices_of(preset);
    Settings &s = mutable_settings();
    s.priority_preset = preset;
    s.priority_value = chosen.value;
    s.priority_propagation = chosen.propagation;
    s.priority_when = chosen.when;
    s.max_task_priority = preset == PriorityPreset::none ? 0 : std::numeric_limits<int>::max();
    apply_priority_settings();
}

} // namespace loomp::core::test
