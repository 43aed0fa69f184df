// Presets for programs whose tasks send messages (thesis of R. Pereira, 5.2.4): what leads to a
// send is to run early, so that other processes wait less.
//
// clang-format off
// preset  | a priority clause means | tasks before those get | which is decided by   | who says which tasks send
// --------|-------------------------|------------------------|-----------------------|---------------------------
// MA-1    | its value               | nothing                | -                     | the program: priority(1)
// MA-2    | its value               | the same               | their creator         | the program
// SA      | the highest             | one less for each step | their creator         | the program
// FA      | nothing                 | one less for each step | threads that are idle | the library that sends
// clang-format on
#pragma once

#include "runtime/core/environment/task_settings.h"

namespace loomp::core {

struct PriorityChoices {
    PriorityValue value;
    PriorityPropagation propagation;
    PriorityWhen when;
};
/// What the table says of a preset.
inline PriorityChoices choices_of(PriorityPreset preset) {
    switch (preset) {
    case PriorityPreset::ma2:
        return {PriorityValue::hint, PriorityPropagation::equal, PriorityWhen::creation};
    case PriorityPreset::sa:
        return {PriorityValue::max, PriorityPropagation::decrement, PriorityWhen::creation};
    case PriorityPreset::fa:
        return {PriorityValue::off, PriorityPropagation::decrement, PriorityWhen::idle};
    case PriorityPreset::none:
    case PriorityPreset::ma1:
        break;
    }
    return {PriorityValue::hint, PriorityPropagation::none, PriorityWhen::creation};
}

} // namespace loomp::core
