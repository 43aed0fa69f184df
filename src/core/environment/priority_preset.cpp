#include "core/environment/priority_preset.h"

namespace loomp::core {

PriorityChoices choices_of(PriorityPreset preset) {
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
