// A thread that queries operations where the query may be held up: libomptarget gives memory of the
// device back then, for which drivers wait until the device has nothing to do. It looks some ten
// thousand times a second while there are such operations, and sleeps otherwise.
#pragma once

namespace loomp::target {

struct Pending;

/// From any thread.
void leave_to_patient_poller(Pending &operation);

} // namespace loomp::target
