/* Adds calls to the program's code that note its accesses. */
#ifndef LOOMP_COLLECTOR_INSTRUMENT_H
#define LOOMP_COLLECTOR_INSTRUMENT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                 const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
                 IRType host_word);

#endif
