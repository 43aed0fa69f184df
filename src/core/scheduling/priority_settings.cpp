#include "core/scheduling/priority_settings.h"

#include <limits>

#include "core/environment/priority_preset.h"
#include "core/scheduling/priority.h"
#include "core/scheduling/priority_graph.h"
#include "core/scheduling/sending_kinds.h"
#include "core/scheduling/spawning.h"
#include "core/team/team.h"
#include "core/worker/worker.h"

namespace loomp::core {

void apply_priority_settings() {
    const Settings &s = settings();
    constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
    switch (s.priority_value) {
    case PriorityValue::hint:
        priority_range = {0, s.max_task_priority};
        break;
    case PriorityValue::max:
        priority_range = {highest, highest};
        break;
    case PriorityValue::off:
        priority_range = {0, 0};
        break;
    }
    propagates_priorities = s.priority_propagation != PriorityPropagation::none;
    learns_senders = s.priority_preset == PriorityPreset::fa && propagates_priorities;
    note_priority_change();
    discovery_watched = propagates_priorities || s.stats || s.max_tasks != 0;
}

bool choose_priority_preset(PriorityPreset preset) {
    if (const Worker *worker = Worker::current_or_null();
        worker != nullptr && worker->member != nullptr && worker->member->team->level > 0)
        return false;
    const PriorityChoices chosen = choices_of(preset);
    Settings &s = mutable_settings();
    s.priority_preset = preset;
    s.priority_value = chosen.value;
    s.priority_propagation = chosen.propagation;
    s.priority_when = chosen.when;
    s.max_task_priority =
        preset == PriorityPreset::none ? 0 : std::numeric_limits<std::int32_t>::max();
    for (const char *name :
         {"LOOMP_PRIORITY_PRESET", "LOOMP_PRIORITY_VALUE", "LOOMP_PRIORITY_PROPAGATION",
          "LOOMP_PRIORITY_PROPAGATED_AT", "OMP_MAX_TASK_PRIORITY"})
        note_set_by_program(name);
    apply_priority_settings();
    return true;
}

} // namespace loomp::core
