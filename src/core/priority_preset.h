// Presets for programs whose tasks send messages (thesis of R. Pereira, 5.2.4): what leads to a
// send is to run early, so that other processes wait less.
//
// preset  priority clauses   tasks before those            by                told which tasks send
// by MA-1    their value        -                             -                 priority(1) in the
// program MA-2    their value        get the same                  their creator     the same SA
// the highest        one less for each step        their creator     the same FA      do not count
// one less for each step        idle workers      the library that sends
//
// Thread safety: none; while no tasks exist.
#pragma once

#include "core/settings.h"

namespace loomp::core {

struct PriorityChoices {
    PriorityValue value;
    PriorityPropagation propagation;
    PriorityWhen when;
};
PriorityChoices choices_of(PriorityPreset preset);

/// Makes what tasks are created and taken by what the settings say about priorities.
void apply_priority_settings();

/// The program chooses a preset. False where tasks may exist: in a parallel region.
bool choose_priority_preset(PriorityPreset preset);

} // namespace loomp::core
