// env: OMP_CANCELLATION=true
// The same where taskgroups can be cancelled.
#include "rt_taskloop_series.c"
