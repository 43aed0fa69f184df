// Presets for programs whose tasks send messages (thesis of R. Pereira, 5.2.4): tasks that lead to
// a send run early, so that other processes wait less.
//
// clang-format off
// preset  | a priority clause means | earlier tasks get      | at                    | the sending tasks are known from
// --------|-------------------------|------------------------|-----------------------|---------------------------------
// MA-1    | its value               | no priority            | -                     | the program: priority(1)
// MA-2    | its value               | the same               | creation              | the program
// SA      | the highest             | one less for each step | creation              | the program
// FA      | no priority             | one less for each step | idle threads          | the library that sends
// clang-format on
#pragma once

#include "runtime/core/environment/task_settings.h"

namespace loomp::core {

struct PriorityChoices {
    PriorityValue value;
    PriorityPropagation propagation;
    PriorityWhen when;
};
/// Returns the table's row for a preset.
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
