// experimental.h: early sends.
#include "abi/export.h"
#include "core/scheduling/sending_kinds.h"
#include "loomp/experimental.h"

using namespace loomp;

LOOMP_EXPORT void loomp_note_send(void) { core::note_send(); }
