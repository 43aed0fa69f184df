// experimental.h: early sends.
#include "abi/export.h"
#include "core/base/diagnostics.h"
#include "core/scheduling/priority_settings.h"
#include "core/scheduling/sending_kinds.h"
#include "loomp/experimental.h"

using namespace loomp;

LOOMP_EXPORT int loomp_set_priority_preset(int preset) {
    if (preset < LOOMP_PRESET_NONE || preset > LOOMP_PRESET_FA) {
        core::warn("loomp_set_priority_preset: %d is no LOOMP_PRESET_ value; ignored", preset);
        return 1;
    }
    if (core::choose_priority_preset(static_cast<core::PriorityPreset>(preset)))
        return 0;
    core::warn("loomp_set_priority_preset: tasks may exist in a parallel region; ignored, call it "
               "outside");
    return 1;
}

LOOMP_EXPORT void loomp_note_send(void) { core::note_send(); }
