// Reports a job that seems to hang. The runtime suspects that of this process
// (loomp_observe_hangs); then the rank meets the others of its node (meeting.h), and one of them
// prints the report.
#pragma once

#include "loomp/experimental.h"
#include "mpi/waiting/meeting.h"
#include "mpi/waiting/stuck.h"

namespace loomp::mpi {

/// MPI_Init tells this rank's place, before calls are intercepted.
void learn_place_in_job(PlaceInJob place);

/// `list` returns the calls in which tasks wait now; it runs in place of the poller's function.
void watch_for_hangs(loomp_poller_t *poller, Snapshot (*list)());

} // namespace loomp::mpi
