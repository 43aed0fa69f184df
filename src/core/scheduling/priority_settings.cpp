#include "core/scheduling/priority_settings.h"

#include <limits>

#include "core/environment/settings.h"
#include "core/scheduling/priority.h"
#include "core/scheduling/priority_graph.h"
#include "core/scheduling/sending_kinds.h"
#include "core/scheduling/spawning.h"

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

} // namespace loomp::core
